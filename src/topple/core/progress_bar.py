"""The bar that shows progress on a terminal."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bars

REDRAWN = 0.1  # seconds between two pictures of the bar
BAR = 20  # columns


class Shown(Protocol):
    """What a bar shows: see `topple.core.progress.Progress`."""

    done: int
    total: int

    @property
    def seconds(self) -> float:
        """How long the work has been going on."""

    def text(self, width: int | None = None) -> str:
        """Name and count on one line."""


class ProgressBar:
    """A bar on a terminal, gone when the work is done."""

    def __init__(
        self,
        shown: Shown,
        terminal: ExitStack,
        delay: float,
        below: Callable[[], Any] | None,
    ) -> None:
        self.shown, self.terminal, self.delay, self.below = shown, terminal, delay, below
        self.drawn = 0.0
        self.live: Any = None

    def show(self) -> None:
        now = time.monotonic()
        if self.shown.seconds < self.delay or now - self.drawn < REDRAWN:
            return
        self.drawn = now
        if self.live is None:
            self._begin()
        width = self.console.width - BAR - 2
        self.bar.update(
            self.task,
            total=self.shown.total,
            completed=self.shown.done,
            description=self.shown.text(width),
        )
        self.live.update(self._picture(), refresh=True)

    def _begin(self) -> None:
        self.console = Console(stderr=True, highlight=False)
        text = TextColumn("{task.description}", markup=False)
        self.bar = Bars(BarColumn(bar_width=BAR), text, console=self.console)
        self.task = self.bar.add_task("")
        self.live = Live(self.bar, console=self.console, transient=True, auto_refresh=False)
        self.terminal.enter_context(self.live)

    def _picture(self) -> Any:
        return Group(self.bar, self.below()) if self.below else self.bar
