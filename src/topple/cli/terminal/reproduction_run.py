"""Playing and computing what papers rest on, from the command line, with progress."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from topple.core.progress import Pause, progress
from topple.core.stopping import END_SIGNALS, noted_interrupt, raised_interrupt

if TYPE_CHECKING:
    from topple.arena.store.played import Result
    from topple.arena.store.store import Store
    from topple.core.stopping import Stop
    from topple.papers.engine.tasks import GameBatch, PendingTask, Task


def run_tasks(tasks: "Sequence[Task]", store: "Store", workers: int | None) -> bool:
    """Play and compute what the store lacks, showing how far it is; False if it was stopped."""
    from topple.papers.engine.tasks import GameBatch, pending_tasks, work_units

    with noted_interrupt(*END_SIGNALS) as stop:
        due = {id(each.task): each for each in pending_tasks(tasks, store)}
        run = Run(due, len(tasks), store, Pause())
        for unit in work_units([each.task for each in due.values()]):
            if stop.is_set():
                return False
            if isinstance(unit, GameBatch):
                is_done = run.play(unit, workers, stop)
            else:
                is_done = run.compute(unit, workers)
            if not is_done:
                return False
        return not stop.is_set()


class Run(NamedTuple):
    """All that there is to do, and where it goes."""

    due: "dict[int, PendingTask]"  # by the identity of the task
    n_tasks: int  # with those that are done
    store: "Store"
    pause: Pause  # of the whole run

    def name(self, task: "Task") -> str:
        """Which of how many a task is, and what."""
        number = self.due[id(task)].number
        return f"{number} of {self.n_tasks}: {task.paper.paper.name} {task.what.name}"

    def compute(self, task: "Task", workers: int | None) -> bool:
        """Compute a fact; returns whether it was done to its end.

        It ends at the first sign: but for the parts that it has kept, it begins anew.
        """

        with progress(self.name(task), 1, paced=True, pause=self.pause) as shown:
            try:
                with raised_interrupt(*END_SIGNALS):
                    task.compute(self.store, shown.update, workers)
            except KeyboardInterrupt:
                return False
        return True

    def play(self, series: "GameBatch", workers: int | None, stop: "Stop") -> bool:
        """Play sets of games; returns whether they were played to their end."""
        from topple.arena.playing.run import compile_plan

        try:
            with raised_interrupt(*END_SIGNALS):
                compile_plan(series.plan)
        except KeyboardInterrupt:
            return False
        missing = sum(self.due[id(task)].missing for task in series.tasks)
        name = self.name(series.tasks[0])
        with progress(name, missing, unit="games", paced=True, pause=self.pause) as shown:

            def report(task: "Task", results: "Sequence[Result]") -> None:
                shown.what = self.name(task)
                shown.add(len(results))

            return series.play(self.store, workers, report, stop)
