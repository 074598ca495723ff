"""Progress of a tournament on stderr: a bar with the scores, or a line now and then."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from topple.cli.terminal.progress import Silence, tell
from topple.core.durations import duration

if TYPE_CHECKING:
    from topple.arena.planning.plan import Plan
    from topple.arena.statistics.standings import Standings

Show = Callable[[int], None]  # is told how many games have been added

STARTING = 10.0  # seconds in which no game need have ended
MOST_AGENTS = 12  # in the table beside the bar
REDRAWN = 0.25  # seconds between two pictures of the table


class Pace:
    """How far a tournament is, and how quickly it gets on."""

    def __init__(self, total: int, before: int, unit: str = "games") -> None:
        self.total, self.before, self.played = total, before, 0
        self.unit = unit
        self.began = time.monotonic()
        self.first = 0  # games that came first, when the workers had started
        self.first_at = self.began

    def add(self, n_games: int) -> None:
        """Count games that have ended."""
        if n_games and not self.played:
            self.first, self.first_at = n_games, time.monotonic()
        self.played += n_games

    @property
    def seconds(self) -> float:
        """How long it has been going."""
        return time.monotonic() - self.began

    @property
    def done(self) -> int:
        """Games that are there, from this run or an earlier one."""
        return self.before + self.played

    def text(self) -> str:
        """`240 of 1,000 games, 35 a second, 22 s left`."""
        text = f"{self.done:,} of {self.total:,} {self.unit}"
        if self.played == self.first:
            return text
        rate = (self.played - self.first) / max(time.monotonic() - self.first_at, 1e-9)
        pace = f"{rate:,.0f} a second" if rate >= 2 else f"{60 * rate:,.1f} a minute"
        return f"{text}, {pace}, {duration((self.total - self.done) / rate)} left"


@contextmanager
def live(plan: "Plan", standings: "Standings") -> Iterator[Show]:
    """Show how far a plan is; call the function given whenever games were added, or none."""
    pace = Pace(plan.n_fixtures, standings.games)
    if sys.stderr.isatty():
        with _screen(plan, standings, pace) as show:
            yield show
    else:
        yield _Lines(plan, standings, pace).show


class _Lines:
    """Progress for a file or a pipe: silent at first, then a line, ever more rarely."""

    def __init__(self, plan: "Plan", standings: "Standings", pace: Pace) -> None:
        self.plan, self.standings, self.pace = plan, standings, pace
        self.silence = Silence()

    def show(self, n_games: int) -> None:
        self.pace.add(n_games)
        starting = not self.pace.played and self.pace.seconds < STARTING
        if not starting and self.pace.done < self.pace.total and self.silence.is_over():
            tell(f"{self.pace.text()}{self._leader()}")

    def _leader(self) -> str:
        """Who has the most points so far."""
        scores = scores_so_far(self.standings)
        return f"; ahead: {scores[0][0]} ({scores[0][2]:.0%})" if scores else ""


def scores_so_far(standings: "Standings") -> list[tuple[str, str, float]]:
    """Each agent with its games won, drawn and lost, and its share of the points."""
    found = []
    for agent in standings.agents:
        tally = standings.tally(agent)
        if tally.score is not None:
            found.append((agent, str(tally), tally.score))
    return sorted(found, key=lambda each: -each[2])


@contextmanager
def _screen(plan: "Plan", standings: "Standings", pace: Pace) -> Iterator[Show]:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, Progress, TextColumn

    bar = Progress(
        TextColumn("playing"),
        BarColumn(bar_width=20),
        TextColumn("{task.description}", markup=False),
    )
    task = bar.add_task(pace.text(), total=pace.total, completed=pace.done)
    console = Console(stderr=True, highlight=False)
    drawn = 0.0
    with Live(bar, console=console, transient=True, refresh_per_second=4) as screen:

        def show(n_games: int) -> None:
            nonlocal drawn
            pace.add(n_games)
            if pace.seconds - drawn < REDRAWN:
                return
            drawn = pace.seconds
            bar.update(task, completed=pace.done, description=pace.text())
            screen.update(Group(bar, _table(plan, standings)))

        yield show


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
