"""Settings and Lab: what the server is started with, and what its routes share."""

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from topple.boards import Board
from topple.core.errors import ToppleError
from topple.core.processes import n_cores
from topple.lab.data.allowed import check_size, is_quickly_drawn
from topple.lab.data.lab_database import Kept
from topple.lab.data.position_cache import KEPT, Lines
from topple.lab.data.recent import Recent
from topple.lab.server.guard import Door
from topple.lab.work.jobs import Job, Jobs
from topple.lab.work.loading import Loading

LEAST_HANDS, MOST_HANDS = 3, 8
LOOK = 0.05  # seconds between two looks at what is waited for
REPORTS = 32  # reports and papers that are remembered


@dataclass(frozen=True)
class Settings:
    """What the lab is started with."""

    folder: Path
    door: Door = field(default_factory=lambda: Door("127.0.0.1", 8000))
    stores: tuple[Path, ...] = ()  # from elsewhere, which are only read
    n_hands: int = field(default_factory=lambda: min(MOST_HANDS, max(LEAST_HANDS, n_cores())))
    n_tables: int = field(default_factory=lambda: max(1, n_cores() - 1))


class Lab:
    """What the routes share: what is kept, lines of play, and jobs."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.kept = Kept(settings.folder, settings.stores)
        self.jobs = Jobs(settings.n_hands, settings.n_tables)
        self.lines = Lines(self.kept.board, Loading(self._compile_rules))
        self.reports: Recent[tuple[Any, ...], Any] = Recent(REPORTS)
        self._asked: dict[tuple[Any, ...], Job] = {}

    def close(self) -> None:
        """End all work and let go of what is kept."""
        self.jobs.close()
        self.kept.close()

    def name_of(self, board: Board) -> str:
        """What requests call a board: its spec if that makes it again, else it is kept.

        Raises
        ------
        BadBoard
            If it is too large.
        """
        check_size(board)
        try:
            at_hand = self.lines.knows(board.spec) or is_quickly_drawn(board.spec)
            if at_hand and self.lines.board(board.spec) == board:
                return board.spec
        except ToppleError:
            pass  # a name that somebody gave it
        return f"{KEPT}{self.kept.keep_board(board)}"

    def _compile_rules(self, game: str) -> None:
        """Have the rules of a game compiled by a worker, and wait for that."""
        job = self.jobs.ask("rules", {"game": game}, f"compiling {game}")
        while not job.is_over:
            time.sleep(LOOK)
        job.outcome()

    async def remembered(
        self, key: tuple[Any, ...], kind: str, task: dict[str, Any], title: str
    ) -> Any:
        """What a worker finds out, unless it is known already; whoever waits holds no thread.

        Raises
        ------
        ToppleError
            If nothing comes of it.
        """
        found = self.reports.get(key)
        if found is None:
            found = await self.asked_once(key, kind, task, title)
            self.reports.put(key, found)
        return found

    async def asked_once(
        self, key: tuple[Any, ...], kind: str, task: dict[str, Any], title: str
    ) -> Any:
        """What a worker finds out; whoever wants to know the same meanwhile waits for the same.

        Raises
        ------
        ToppleError
            If nothing comes of it.
        """
        if key not in self._asked or self._asked[key].is_over:
            self._asked[key] = self.jobs.ask(kind, task, title)
        job = self._asked[key]
        while not job.is_over:
            if self.jobs.is_leaving:
                raise ToppleError("the lab is being ended")
            await asyncio.sleep(LOOK)
        self._asked.pop(key, None)
        return await run_in_threadpool(job.outcome)
