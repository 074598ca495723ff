"""Play a plan from the command line: with progress, and so that Ctrl-C keeps what was played."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from topple import __version__
from topple.arena.planning.plan import Plan
from topple.arena.playing.run import PlanRun, forget_forfeits, make_backend
from topple.arena.statistics.pairs import Tally
from topple.arena.statistics.standings import Standings
from topple.arena.store.store import Store, open_store
from topple.core.lazy import lazy_module
from topple.core.progress import progress, report_line
from topple.core.stopping import END_SIGNALS, noted_interrupt

rich_table = lazy_module("rich.table")
rich_text = lazy_module("rich.text")

MOST_AGENTS = 12  # in the table beside the bar


class PlayOptions(NamedTuple):
    """Who plays a plan, and where its games are stored."""

    workers: int | None
    db: Path | None
    backend: str
    address: str | None
    again: bool = False  # play forfeited games again


def play_with_progress(plan: Plan, options: PlayOptions) -> PlanRun:
    """Play the games of a plan that the store lacks, with progress on stderr.

    The first Ctrl-C ends the playing, but not this function: the run has what was played.
    """
    backend = make_backend(options.backend, plan, options.workers, options.address, report_line)
    with open_store(options.db) as store:
        report_other_versions(store)
        if options.again:
            report_line(f"{forget_forfeits(plan, store):,} forfeited games are played again")
        run = PlanRun(plan, store)
        run.compile()
        with (
            noted_interrupt(*END_SIGNALS) as stop,
            tournament_progress(plan, run.standings) as show,
        ):
            run.play(backend, lambda _, results: show(len(results)), stop)
        return run


def report_other_versions(store: Store) -> None:
    """Report that a store has games of other versions of topple."""
    if others := sorted(store.versions() - {__version__}):
        report_line(
            f"the store has games of topple {', '.join(others)}; what is missing is played by "
            f"topple {__version__}"
        )


def stopped(run: PlanRun, options: PlayOptions) -> KeyboardInterrupt:
    """The interrupt that ends a command after Ctrl-C, which says how to go on."""
    if not run.standings.games:
        return KeyboardInterrupt("stopped before a game had ended: the same command begins again")
    done = f"stopped after {run.standings.games:,} of {run.plan.n_fixtures:,} games"
    if options.db is None:
        return KeyboardInterrupt(f"{done}; with --db FILE the same command could go on")
    return KeyboardInterrupt(f"{done}: they are in {options.db}, and the same command goes on")


@contextmanager
def tournament_progress(plan: Plan, standings: Standings) -> Iterator[Callable[[int], None]]:
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


def scores_so_far(standings: Standings) -> list[tuple[str, str, float]]:
    """Each agent with its games won, drawn and lost, and its share of the points, best first.

    With more than two players these are won alone, shared and lost, and the share of the wins.
    """
    found, groups = [], standings.group_results()
    for agent in standings.agents:
        tally = standings.tally(agent) if groups is None else Tally(*groups.tally(agent))
        score = tally.score if groups is None else groups.share_so_far(agent)
        if score is not None:
            found.append((agent, str(tally), score))
    return sorted(found, key=lambda each: -each[2])


def _table(plan: Plan, standings: Standings) -> Any:
    """The scores so far."""
    table = rich_table.Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("agent", overflow="ellipsis", no_wrap=True, max_width=50)
    table.add_column("won-drawn-lost", justify="right")
    table.add_column("score", justify="right")
    scores = scores_so_far(standings)
    for agent, games, share in scores[:MOST_AGENTS]:
        table.add_row(rich_text.Text(agent), games, f"{share:.1%}")
    if len(scores) > MOST_AGENTS:
        table.add_row(rich_text.Text(f"and {len(scores) - MOST_AGENTS} more"), "", "")
    if plan.sprt is not None:
        lower, upper = plan.sprt.bounds
        first, second = (agent.spec for agent in plan.agents)
        llr = plan.sprt.llr(standings.pairs(first, second))
        table.add_row(
            rich_text.Text(f"evidence {llr:+.2f}, decided at {lower:+.2f} or {upper:+.2f}"), "", ""
        )
    return table
