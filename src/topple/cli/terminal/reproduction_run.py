"""Running `topple reproduce`: play and compute with progress, then print and write the findings."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from topple import __version__
from topple.arena.playing.run import compile_plan
from topple.arena.store.played import Result
from topple.arena.store.store import Store, open_store
from topple.cli.terminal.output import print_json
from topple.cli.terminal.tournament_run import report_other_versions
from topple.cli.views.reproduction import findings_text
from topple.core.progress import Pause, progress, report_line
from topple.core.stopping import END_SIGNALS, Stop, noted_interrupt, raised_interrupt
from topple.core.text import plural
from topple.papers.engine.findings import GamesSummary, PaperFindings
from topple.papers.engine.judging import judge_items
from topple.papers.engine.plans import Selection
from topple.papers.engine.tasks import (
    GameBatch,
    PendingTask,
    Task,
    fact_versions,
    pending_tasks,
    tasks_of,
    work_units,
)
from topple.papers.report.data import findings_data


def run_reproduction(
    selection: Selection,
    db: Path,
    workers: int | None,
    out: Path | None,
    *,
    stored: bool,
    as_json: bool,
) -> None:
    """Play and compute what a store lacks, unless `stored`, and report the selected items.

    Raises
    ------
    KeyboardInterrupt
        If the run was stopped, after everything there is was reported.
    StoreError
        If the store cannot be read or written.
    """
    with open_store(db, create=not stored, read_only=stored) as store:
        is_done = True
        if not stored:
            report_line(f"games and computed facts go to {db}")
            tasks = tasks_of(selection)
            _report_versions(tasks, store)
            is_done = _run_tasks(tasks, store, workers)
        findings = []
        with progress("measuring", len(selection)) as done:
            for scaled, items in selection:
                findings.append(judge_items(scaled, items, store))
                done(scaled.paper.name)
    _show(findings, db, out, as_json)
    summaries = _summaries(findings)
    for each in summaries:
        if each.n_forfeits:
            report_line(
                f"{each.n_forfeits:,} of {plural(each.n_games, 'game')} of {each.games.name} were "
                "lost by a crash, an illegal move or time"
            )
    if not is_done:
        n_games = sum(each.n_games for each in summaries)
        planned = sum(each.planned for each in summaries)
        raise KeyboardInterrupt(
            f"stopped after {n_games:,} of {planned:,} games: all that is done is in {db}, and "
            "the same command goes on"
        )


def _report_versions(tasks: Sequence[Task], store: Store) -> None:
    """Say if the store has games or facts from other versions of topple."""
    report_other_versions(store)
    if others := sorted(fact_versions(tasks, store) - {__version__}):
        report_line(
            f"the store has facts computed by topple {', '.join(others)}; they are not computed "
            "again"
        )


def _run_tasks(tasks: Sequence[Task], store: Store, workers: int | None) -> bool:
    """Play and compute what the store lacks, with progress; returns False if it was stopped."""
    with noted_interrupt(*END_SIGNALS) as stop:
        pending = {id(each.task): each for each in pending_tasks(tasks, store)}
        run = _Run(pending, len(tasks), store, Pause())
        for unit in work_units([each.task for each in pending.values()]):
            if stop.is_set():
                return False
            if isinstance(unit, GameBatch):
                is_done = run.play(unit, workers, stop)
            else:
                is_done = run.compute(unit, workers)
            if not is_done:
                return False
        return not stop.is_set()


class _Run(NamedTuple):
    """The unfinished tasks, and the store that they write to."""

    pending: dict[int, PendingTask]  # by the identity of the task
    n_tasks: int  # including finished ones
    store: Store
    pause: Pause  # shared by all tasks

    def name(self, task: Task) -> str:
        """The task's number and name, such as `2 of 7: influence rings`."""
        number = self.pending[id(task)].number
        return f"{number} of {self.n_tasks}: {task.paper.paper.name} {task.what.name}"

    def compute(self, task: Task, workers: int | None) -> bool:
        """Compute a fact; returns False if it was interrupted.

        An interrupt ends the computation immediately; only its partial results remain.
        """
        with progress(self.name(task), 1, paced=True, pause=self.pause) as shown:
            try:
                with raised_interrupt(*END_SIGNALS):
                    task.compute(self.store, shown.update, workers)
            except KeyboardInterrupt:
                return False
        return True

    def play(self, batch: GameBatch, workers: int | None, stop: Stop) -> bool:
        """Play sets of games; returns False if that was interrupted."""
        try:
            with raised_interrupt(*END_SIGNALS):
                compile_plan(batch.plan)
        except KeyboardInterrupt:
            return False
        missing = sum(self.pending[id(task)].missing for task in batch.tasks)
        name = self.name(batch.tasks[0])
        with progress(name, missing, unit="games", paced=True, pause=self.pause) as shown:

            def report(task: Task, results: Sequence[Result]) -> None:
                shown.what = self.name(task)
                shown.add(len(results))

            return batch.play(self.store, workers, report, stop)


def _show(findings: Sequence[PaperFindings], db: Path, out: Path | None, as_json: bool) -> None:
    """Print the findings, and write the page unless JSON alone was asked for."""
    if as_json:
        print_json(findings_data(findings), indent=2)
    else:
        print(findings_text(findings))
    if out is not None or not as_json:
        # Imported here because matplotlib is heavy, and JSON alone needs no charts.
        from topple.papers.report.files import write_findings

        page = write_findings(findings, out or db.with_name(f"{db.stem}-report"))
        if not as_json:
            print(f"\nreport: {page}")


def _summaries(findings: Sequence[PaperFindings]) -> list[GamesSummary]:
    """The summary of each set of games behind the items, each once."""
    found = {
        (each.paper.name, summary.games.name): summary
        for each in findings
        for item in each.items
        for summary in item.played
    }
    return list(found.values())
