"""Progress of a tournament on stderr: a bar with the scores, or a line now and then."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from topple.core.progress import progress

if TYPE_CHECKING:
    from topple.arena.planning.plan import Plan
    from topple.arena.statistics.standings import Standings

Show = Callable[[int], None]  # called with the number of games just added

MOST_AGENTS = 12  # in the table beside the bar


@contextmanager
def tournament_progress(plan: "Plan", standings: "Standings") -> Iterator[Show]:
    """Show how far a plan is; call the function given with the number of games just added."""

    def leader() -> str:
        scores = scores_so_far(standings)
        return f"; ahead: {scores[0][0]} ({scores[0][2]:.0%})" if scores else ""

    with progress(
        "playing",
        plan.n_fixtures,
        done=standings.games,
        unit="games",
        paced=True,
        remark=leader,
        below=lambda: _table(plan, standings),
    ) as shown:
        yield shown.add


def scores_so_far(standings: "Standings") -> list[tuple[str, str, float]]:
    """Each agent with its games won, drawn and lost, and its share of the points."""
    found = []
    for agent in standings.agents:
        tally = standings.tally(agent)
        if tally.score is not None:
            found.append((agent, str(tally), tally.score))
    return sorted(found, key=lambda each: -each[2])


def _table(plan: "Plan", standings: "Standings") -> Any:
    """The scores so far."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("agent", overflow="ellipsis", no_wrap=True, max_width=50)
    table.add_column("won-drawn-lost", justify="right")
    table.add_column("score", justify="right")
    scores = scores_so_far(standings)
    for agent, games, share in scores[:MOST_AGENTS]:
        table.add_row(Text(agent), games, f"{share:.1%}")
    if len(scores) > MOST_AGENTS:
        table.add_row(Text(f"and {len(scores) - MOST_AGENTS} more"), "", "")
    if plan.sprt is not None:
        lower, upper = plan.sprt.bounds
        first, second = (agent.spec for agent in plan.agents)
        llr = plan.sprt.llr(standings.pairs(first, second))
        table.add_row(Text(f"evidence {llr:+.2f}, decided at {lower:+.2f} or {upper:+.2f}"), "", "")
    return table
