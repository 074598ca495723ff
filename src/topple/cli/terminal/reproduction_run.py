"""Playing and computing what papers rest on, from the command line, with progress."""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from topple.cli.terminal.progress import Silence, tell
from topple.cli.terminal.tournament_progress import Pace
from topple.cli.terminal.tournament_run import STOPS, compile_ahead

if TYPE_CHECKING:
    from topple.arena.store.played import Result
    from topple.arena.store.store import Store
    from topple.papers.engine.running import Series
    from topple.papers.engine.tasks import Due, Task
    from topple.solvers.solver import Stop

BAR = 12  # columns

Show = Callable[[str], None]  # is told what is being done, and looks at the pace again


def run_tasks(tasks: "Sequence[Task]", store: "Store", workers: int | None) -> bool:
    """Play and compute what the store lacks, showing how far it is; False if it was stopped."""
    from topple.cli.terminal.agent_turn import noted_interrupt
    from topple.papers.engine.running import Series, units_of
    from topple.papers.engine.tasks import due_tasks

    with noted_interrupt(*STOPS) as stop:
        due = {id(each.task): each for each in due_tasks(tasks, store)}
        run = Run(due, len(tasks), store, Silence())
        for unit in units_of([each.task for each in due.values()]):
            if stop.is_set():
                return False
            if isinstance(unit, Series):
                is_done = run.play(unit, workers, stop)
            else:
                is_done = run.compute(unit, workers)
            if not is_done:
                return False
        return not stop.is_set()


class Run(NamedTuple):
    """All that there is to do, and where it goes."""

    due: "dict[int, Due]"  # by the identity of the task
    n_tasks: int  # with those that are done
    store: "Store"
    silence: Silence  # of the whole run

    def name(self, task: "Task") -> str:
        """Which of how many a task is, and what."""
        number = self.due[id(task)].number
        return f"{number} of {self.n_tasks}: {task.plans.paper.name} {task.what.name}"

    def compute(self, task: "Task", workers: int | None) -> bool:
        """Compute a fact; returns whether it was done to its end.

        It ends at the first sign: but for the parts that it has kept, it begins anew.
        """
        from topple.papers.engine.tasks import work_out

        pace = Pace(1, 0, "done")
        with shown(self.name(task), pace, self.silence) as show:

            def told(done: int, of: int) -> None:
                pace.total = of
                pace.add(done - pace.played)
                show(self.name(task))

            try:
                with raised_interrupt(*STOPS):
                    work_out(task, self.store, told, workers)
            except KeyboardInterrupt:
                return False
        return True

    def play(self, series: "Series", workers: int | None, stop: "Stop") -> bool:
        """Play sets of games; returns whether they were played to their end."""
        try:
            with raised_interrupt(*STOPS):
                compile_ahead(series.plan)
        except KeyboardInterrupt:
            return False
        pace = Pace(sum(self.due[id(task)].missing for task in series.tasks), 0)
        with shown(self.name(series.tasks[0]), pace, self.silence) as show:

            def report(task: "Task", results: "Sequence[Result]") -> None:
                pace.add(len(results))
                show(self.name(task))

            return series.play(self.store, workers, report, stop)


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
def shown(what: str, pace: Pace, silence: Silence) -> Iterator[Show]:
    """Show how far a task is: a bar on a terminal, else a line now and then."""
    if not sys.stderr.isatty():

        def told(now: str) -> None:
            if silence.is_over():
                tell(f"{now}: {pace.text()}")

        told(what)
        yield told
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=True, highlight=False)
    text = TextColumn("{task.description}", markup=False)
    bar = Progress(BarColumn(bar_width=BAR), text, console=console, transient=True)

    def line(now: str) -> str:
        """What is done and how far it is, in the room beside the bar."""
        told = pace.text()
        room = max(8, console.width - BAR - len(told) - 4)
        return f"{now if len(now) <= room else now[: room - 1] + '…'}: {told}"

    with bar:
        task = bar.add_task(line(what), total=pace.total, completed=pace.done)
        yield lambda now: bar.update(
            task, description=line(now), total=pace.total, completed=pace.done
        )
