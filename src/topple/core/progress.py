"""Progress of long work on stderr: a bar on a terminal, elsewhere a line now and then."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from topple.core.streams import plain_line
from topple.core.text import duration, shorten

PATIENCE = 2.0  # seconds that work may take before anything is shown
RAREST = 60.0  # seconds between two lines of a long run
NARROWEST = 8  # columns left for the name of the work


def report_line(message: str) -> None:
    """Print one line about what is going on to stderr."""
    print(f"topple: {plain_line(message)}", file=sys.stderr, flush=True)


class Pause:
    """The time between two lines in a file or a pipe: short at first, then longer and longer."""

    def __init__(self) -> None:
        self.wait = PATIENCE
        self.last = time.monotonic()

    def is_over(self) -> bool:
        """Whether a line may be printed; if so, the next pause begins."""
        now = time.monotonic()
        if now - self.last < self.wait:
            return False
        self.last = now
        self.wait = min(1.5 * self.wait, RAREST)
        return True


class Progress:
    """How far a piece of work is.

    Attributes
    ----------
    what : str
        Names the work, such as "playing".
    done, total : int
        Units that are done, by this run or an earlier one, and all of them.
    unit : str
        What is counted: "games"; "done" where it needs no name.
    now : str
        The part that is under way, in a few words, or nothing.
    """

    def __init__(self, what: str, total: int, done: int, unit: str, *, paced: bool) -> None:
        self.what, self.total, self.done, self.unit = what, total, done, unit
        self.now = ""
        self.began = time.monotonic()
        self._paced = paced
        # The rate is measured from the first units on: workers had to start before them.
        self._first_done, self._first_at = done, self.began
        self._has_begun = False
        self._show: Callable[[], None] = lambda: None

    def __call__(self, part: str = "") -> None:
        """Count one part that is done, as functions do that report part by part."""
        self.add(1)

    def add(self, n: int, now: str = "") -> None:
        """Count `n` more units; with 0, look again at the time."""
        self.update(self.done + n, now=now)

    def update(self, done: int, total: int | None = None, now: str = "") -> None:
        """Set how many units are done, how many there are, and what is under way."""
        if done > self.done and not self._has_begun:
            self._has_begun, self._first_done, self._first_at = True, done, time.monotonic()
        self.done, self.now = done, now
        self.total = self.total if total is None else total
        self._show()

    @property
    def seconds(self) -> float:
        """How long the work has been going on."""
        return time.monotonic() - self.began

    def count_text(self) -> str:
        """Write `240 of 1,000 games, 35 a second, 22 s left`."""
        text = f"{self.done:,} of {self.total:,} {self.unit}"
        if not self._paced or self.done == self._first_done:
            return text
        seconds = max(time.monotonic() - self._first_at, 1e-9)
        rate = (self.done - self._first_done) / seconds
        pace = f"{rate:,.0f} a second" if rate >= 2 else f"{60 * rate:,.1f} a minute"
        return f"{text}, {pace}, {duration((self.total - self.done) / rate)} left"

    def text(self, width: int | None = None) -> str:
        """Write name and count on one line; the name is cut where `width` leaves no space."""
        what = f"{self.what}: {self.now}" if self.now else self.what
        count = self.count_text()
        if width is not None:
            what = shorten(what, max(NARROWEST, width - len(count) - 2))
        return f"{what}: {count}"


@contextmanager
def progress(
    what: str,
    total: int,
    *,
    done: int = 0,
    unit: str = "done",
    paced: bool = False,
    delay: float = 0.0,
    pause: Pause | None = None,
    remark: Callable[[], str] | None = None,
    below: Callable[[], Any] | None = None,
) -> Iterator[Progress]:
    """Show on stderr how far a piece of work is, while the caller updates it.

    Parameters
    ----------
    what, total, done, unit
        As `Progress` has them.
    paced : bool
        Whether to show the rate and the time left.
    delay : float
        Seconds before a terminal shows anything.
    pause : Pause, optional
        Shared by pieces of work that follow one another, for lines that grow rarer
        over all of them.
    remark : callable, optional
        A few words to end a line with.
    below : callable, optional
        What a terminal shows below the bar, as something that Rich can draw.
    """
    shown = Progress(what, total, done, unit, paced=paced)
    with ExitStack() as terminal:
        if sys.stderr.isatty():
            from topple.core.progress_bar import ProgressBar  # loads Rich, only for terminals

            shown._show = ProgressBar(shown, terminal, delay, below).show
            shown._show()
        else:
            shown._show = _Lines(shown, pause or Pause(), remark).show
        yield shown


class _Lines:
    """Lines for a file or a pipe: none at first, then further and further apart."""

    def __init__(self, shown: Progress, pause: Pause, remark: Callable[[], str] | None) -> None:
        self.shown, self.pause, self.remark = shown, pause, remark

    def show(self) -> None:
        if self.shown.done < self.shown.total and self.pause.is_over():
            remark = self.remark() if self.remark else ""
            report_line(f"{self.shown.text()}{remark}")
