"""A long exact search: watched, stopped by the clock or Ctrl-C, kept in a checkpoint."""

import time
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from topple.cli.terminal.record_files import check_writable
from topple.core.errors import ToppleError
from topple.core.progress import PATIENCE, progress, report_line
from topple.core.stopping import END_SIGNALS, noted_interrupt
from topple.solvers import Solver, SolvingProgress, advance_until
from topple.solvers.checkpoint import Subject, read_checkpoint, write_checkpoint

KEEPING = 60.0  # seconds between two checkpoints, at least
COST = 20  # times as long as a checkpoint takes goes by before the next


class Work(Protocol):
    """Something that is carried on in parts: a position, or a whole sequence of them."""

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""

    def advance(self, n: int) -> None:
        """Do about n more units of work."""

    def progress(self) -> SolvingProgress:
        """How far it is."""


class Spent(NamedTuple):
    """How a search ended."""

    limit: str | None  # "time" or "interrupt", where that came first
    seconds: float


class Keeper:
    """A checkpoint file: read at the beginning, written now and then and at the end."""

    def __init__(self, path: Path, solver: Solver, subject: Subject) -> None:
        self.path, self.solver, self.subject = path, solver, subject
        self.wait = KEEPING
        self.last = time.monotonic()
        self.trouble: ToppleError | None = None

    def recall(self) -> None:
        """Go on from the file, if it is there.

        Raises
        ------
        ToppleError
            If it cannot be gone on from, or could never be written.
        """
        check_writable(self.path)
        if self.path.exists():
            read_checkpoint(self.path, self.solver, self.subject)
            report_line(f"going on from {self.path}")

    def keep(self) -> None:
        """Write the file if it is time to; a disk that is full does not end the search."""
        if time.monotonic() - self.last >= self.wait:
            before = self.trouble
            self.write()
            if self.trouble and not before:
                report_line(f"{self.trouble}; going on without")

    def write(self) -> None:
        """Write the file; what goes wrong is noted."""
        began = time.monotonic()
        try:
            write_checkpoint(self.path, self.solver, self.subject)
            self.trouble = None
        except ToppleError as error:
            self.trouble = error
        self.last = time.monotonic()
        self.wait = max(KEEPING, COST * (self.last - began))


def carry_on(work: Work, what: str, seconds: float | None, keeper: Keeper | None) -> Spent:
    """Carry a search on until it is done, its time is over, or somebody asks it to stop."""
    with noted_interrupt(*END_SIGNALS) as stop, progress(what, 0, delay=PATIENCE) as shown:

        def report(now: Work) -> None:
            shown.update(*now.progress())
            if keeper is not None:
                keeper.keep()

        began = time.perf_counter()
        deadline = None if seconds is None else began + seconds
        is_done = advance_until(cast("Any", work), deadline, stop, report)
        spent = time.perf_counter() - began
        if keeper is not None:
            keeper.write()
    limit = None if is_done else "interrupt" if stop.is_set() else "time"
    return Spent(limit, spent)


def finish(spent: Spent, keeper: Keeper | None) -> None:
    """End the command as its search ended, after all is printed.

    Raises
    ------
    KeyboardInterrupt
        If Ctrl-C ended it, with a word on how to go on.
    ToppleError
        If the checkpoint could not be written.
    """
    if spent.limit == "interrupt":
        if keeper is None:
            raise KeyboardInterrupt
        if keeper.trouble is not None:
            raise KeyboardInterrupt(f"interrupted, and {keeper.trouble}")
        raise KeyboardInterrupt(f"interrupted: the same command goes on from {keeper.path}")
    if keeper is not None and keeper.trouble is not None:
        raise keeper.trouble
