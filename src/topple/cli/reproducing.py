"""Playing and computing what papers rest on, from the command line, with progress."""

import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from topple.cli.contest import STOPS, compile_ahead
from topple.cli.live import LONGEST_SILENCE, Pace
from topple.cli.progress import PATIENCE, tell

if TYPE_CHECKING:
    from topple.arena.played import Result
    from topple.arena.store import Store
    from topple.reproduction.running import Task
    from topple.solvers.solver import Stop

Show = Callable[[], None]  # looks at the pace again


def run_tasks(tasks: "Sequence[Task]", store: "Store", workers: int | None) -> bool:
    """Play and compute what the store lacks, showing how far it is; False if it was stopped."""
    from topple.cli.thinking import noted_interrupt
    from topple.reproduction.running import n_missing

    lines = Lines()
    with noted_interrupt(*STOPS) as stop:
        for number, task in enumerate(tasks, 1):
            missing = n_missing(task, store)
            if missing:
                what = f"{number} of {len(tasks)}: {task.plans.paper.name} {task.what.name}"
                if not _run_task(task, store, workers, what, missing, lines, stop):
                    return False
            if stop.is_set():
                return False
    return True


def _run_task(
    task: "Task",
    store: "Store",
    workers: int | None,
    what: str,
    missing: int,
    lines: "Lines",
    stop: "Stop",
) -> bool:
    """Do one task; returns whether it was done to its end."""
    from topple.papers.paper import Computed
    from topple.reproduction.running import play, work_out

    is_computed = isinstance(task.what, Computed)
    try:
        # A computation keeps nothing before its end, and a compilation all by itself.
        with raised_interrupt(*STOPS):
            if not is_computed:
                compile_ahead(task.plan)
            else:
                pace = Pace(1, 0, "done")
                with shown(what, pace, lines) as show:

                    def tell_done(done: int, of: int) -> None:
                        pace.total = of
                        pace.add(done - pace.played)
                        show()

                    work_out(task, store, tell_done)
                return True
    except KeyboardInterrupt:
        return False
    total = task.plan.n_fixtures
    pace = Pace(total, total - missing)
    with shown(what, pace, lines) as show:

        def report(results: "Sequence[Result]") -> None:
            pace.add(len(results))
            show()

        return play(task, store, workers, report, stop)


@contextmanager
def raised_interrupt(*others: int) -> Iterator[None]:
    """Let Ctrl-C, and signals that mean the same, end at once what is under way."""
    numbers = (signal.SIGINT, *others)
    before = {number: signal.getsignal(number) for number in numbers}

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, end)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def shown(what: str, pace: Pace, lines: "Lines") -> Iterator[Show]:
    """Show how far a task is: a bar on a terminal, else a line now and then."""
    if not sys.stderr.isatty():
        lines.show(what, pace)
        yield lambda: lines.show(what, pace)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=15),
        TextColumn("{task.fields[pace]}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True, highlight=False),
        transient=True,
    )
    with bar:
        task = bar.add_task(what, total=pace.total, completed=pace.done, pace=pace.text())
        yield lambda: bar.update(task, total=pace.total, completed=pace.done, pace=pace.text())


class Lines:
    """Lines for a file or a pipe over a whole run, further apart as time goes by."""

    def __init__(self) -> None:
        self.silence = PATIENCE
        self.last = time.monotonic()

    def show(self, what: str, pace: Pace) -> None:
        """Tell how far a task is, unless a line was just told."""
        if time.monotonic() - self.last < self.silence:
            return
        self.last = time.monotonic()
        self.silence = min(1.5 * self.silence, LONGEST_SILENCE)
        tell(f"{what}: {pace.text()}")
