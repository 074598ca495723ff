"""Progress on stderr: a bar where it is a terminal, a line now and then where not."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

PATIENCE = 2.0  # seconds without a word
RAREST = 60.0  # seconds between two lines of a long run

Done = Callable[[str], None]


@contextmanager
def progress(what: str, total: int) -> Iterator[Done]:
    """Show how much of `total` is done; call the function given for each part."""
    if sys.stderr.isatty():
        with _bar(what, total) as done:
            yield done
    else:
        yield _Lines(what, total).done


@contextmanager
def _bar(what: str, total: int) -> Iterator[Done]:
    with _make_bar() as bar:
        task = bar.add_task(what, total=total)
        yield lambda part: bar.advance(task)


def _make_bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True, highlight=False),
        transient=True,
    )


class Silence:
    """The time between two lines in a file or a pipe: short at first, then ever longer."""

    def __init__(self) -> None:
        self.wait = PATIENCE
        self.last = time.monotonic()

    def is_over(self) -> bool:
        """Whether a line may be told; if so, the next silence begins."""
        now = time.monotonic()
        if now - self.last < self.wait:
            return False
        self.last = now
        self.wait = min(1.5 * self.wait, RAREST)
        return True


class _Lines:
    """Progress for a file or a pipe: silent at first, then a line now and then."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total, self.n_done = what, total, 0
        self.silence = Silence()

    def done(self, part: str) -> None:
        self.n_done += 1
        if self.n_done < self.total and self.silence.is_over():
            tell(f"{self.what}: {self.n_done:,} of {self.total:,} done")


def tell(message: str) -> None:
    """Say on stderr what is going on."""
    from topple.cli.terminal.streams import plain_line

    print(f"topple: {plain_line(message)}", file=sys.stderr, flush=True)


Show = Callable[[int, int, str], None]


@contextmanager
def watching(what: str) -> Iterator[Show]:
    """Show how far something is whose parts are not told one by one.

    The function given takes what is done, the total and what is being done now.
    Nothing is shown before PATIENCE is over.
    """
    if sys.stderr.isatty():
        with ExitStack() as terminal:
            yield _LevelBar(what, terminal).show
    else:
        yield _LevelLines(what).show


class _LevelBar:
    """A bar on a terminal that appears after a while."""

    def __init__(self, what: str, terminal: ExitStack) -> None:
        self.what, self.terminal = what, terminal
        self.began = time.monotonic()
        self.bar: Any = None

    def show(self, n_done: int, total: int, now: str) -> None:
        if self.bar is None:
            if time.monotonic() - self.began < PATIENCE:
                return
            self.bar = self.terminal.enter_context(_make_bar())
            self.task = self.bar.add_task(self.what, total=total)
        text = f"{self.what}: {now}" if now else self.what
        self.bar.update(self.task, completed=n_done, total=total, description=text[:40])


class _LevelLines:
    """Lines for a file or a pipe, further apart as time goes by."""

    def __init__(self, what: str) -> None:
        self.what, self.silence = what, Silence()
        self.began = time.monotonic()

    def show(self, n_done: int, total: int, now: str) -> None:
        if not self.silence.is_over():
            return
        spent = f" after {time.monotonic() - self.began:,.0f} s"
        now = f", now {now}" if now else ""
        tell(f"{self.what}: {n_done:,} of {total:,} done{spent}{now}")
