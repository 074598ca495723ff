"""Progress on stderr: a bar where it is a terminal, a line now and then where not."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0  # seconds without a word

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
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True, highlight=False),
        transient=True,
    )
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda part: bar.advance(task)


class _Lines:
    """Progress for a file or a pipe: silent at first, then a line every few seconds."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total, self.n_done = what, total, 0
        self.last = time.monotonic()

    def done(self, part: str) -> None:
        self.n_done += 1
        now = time.monotonic()
        if now - self.last >= PATIENCE and self.n_done < self.total:
            self.last = now
            tell(f"{self.what}: {self.n_done:,} of {self.total:,} done")


def tell(message: str) -> None:
    """Say on stderr what is going on."""
    from topple.cli.streams import plain_line

    print(f"topple: {plain_line(message)}", file=sys.stderr, flush=True)
