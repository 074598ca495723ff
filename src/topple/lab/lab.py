"""Lab: what all routes share while the server runs, the database, the positions and the jobs."""

import asyncio
import base64
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from cachetools import LRUCache
from starlette.concurrency import run_in_threadpool

from topple.boards import Board, board_from_json, board_to_json
from topple.core.errors import ToppleError
from topple.core.processes import n_cores
from topple.lab.data.allowed import check_size, is_quickly_drawn, read_upload
from topple.lab.data.lab_database import LabDatabase
from topple.lab.data.position_cache import KEPT, CompiledRules, PositionCache
from topple.lab.work.jobs import Job, JobQueue

LEAST_WORKERS, MOST_WORKERS = 3, 8
LOOK_SECONDS = 0.05  # between two looks at a job that a request waits for
REPORTS = 32  # reports and papers that are remembered

QUICKLY_LAID_OUT = 60  # vertices: a quarter of a second
QUICKLY_READ = 50_000  # bytes of a file

EVERYWHERE = ("0.0.0.0", "::")


class LabAddress(NamedTuple):
    """Where the lab is reached."""

    host: str
    port: int
    token: str | None = None  # needed for every call; None if only this machine can reach it
    number: str = ""  # the host's address as a number, where it is known

    @property
    def is_everywhere(self) -> bool:
        """Whether the lab is served at all addresses of this machine."""
        return (self.number or self.host) in EVERYWHERE


@dataclass(frozen=True)
class LabSettings:
    """What the lab is started with."""

    folder: Path
    address: LabAddress = field(default_factory=lambda: LabAddress("127.0.0.1", 8000))
    stores: tuple[Path, ...] = ()  # from elsewhere, which are only read
    n_workers: int = field(default_factory=lambda: min(MOST_WORKERS, max(LEAST_WORKERS, n_cores())))
    n_tournament_workers: int = field(default_factory=lambda: max(1, n_cores() - 1))


class Lab:
    """The database, the positions and the jobs, and what takes more than one of them.

    Raises
    ------
    ToppleError
        If the folder cannot be used, or a store does not exist.
    """

    def __init__(self, settings: LabSettings) -> None:
        self.settings = settings
        self.database = LabDatabase(settings.folder, settings.stores)
        self.jobs = JobQueue(settings.n_workers)
        self.positions = PositionCache(self.database.board, CompiledRules(self._compile_rules))
        self._results: LRUCache[tuple[Any, ...], Any] = LRUCache(REPORTS)
        self._under_way: dict[tuple[Any, ...], Job] = {}

    def close(self) -> None:
        """End all work and close the database."""
        self.jobs.close()
        self.database.close()

    def _compile_rules(self, game: str) -> None:
        """Let a worker compile the rules of a game, and wait for it."""
        job = self.jobs.add_for_request("rules", {"game": game}, f"compiling {game}")
        while not job.is_over:
            time.sleep(LOOK_SECONDS)
        job.result()

    # Results of workers that requests wait for. Waiting holds no thread.

    async def remembered_result(
        self, key: tuple[Any, ...], kind: str, task: dict[str, Any], title: str
    ) -> Any:
        """The result of a task, remembered under a key.

        Raises
        ------
        ToppleError
            If the task fails.
        """
        if key not in self._results:
            self._results[key] = await self.shared_result(key, kind, task, title)
        return self._results[key]

    async def shared_result(
        self, key: tuple[Any, ...], kind: str, task: dict[str, Any], title: str
    ) -> Any:
        """The result of a task; requests for the same key meanwhile wait for the same job.

        Raises
        ------
        ToppleError
            If the task fails, or the lab is shutting down.
        """
        job = self._under_way.get(key)
        if job is None or job.is_over:
            job = self._under_way[key] = self.jobs.add_for_request(kind, task, title)
        while not job.is_over:
            if self.jobs.is_leaving:
                raise ToppleError("the lab is shutting down")
            await asyncio.sleep(LOOK_SECONDS)
        if self._under_way.get(key) is job:  # and not a newer one
            del self._under_way[key]
        return await run_in_threadpool(job.result)

    # Boards. Small ones are made at once; what takes seconds is left to a worker, so that the
    # page never freezes.

    async def prepare_boards(self, texts: Iterable[str | None]) -> None:
        """Have the named boards in the cache of positions, made and laid out.

        Raises
        ------
        ToppleError
            If there is no such board, or it is too large.
        """
        for text in texts:
            if text is not None and not self.positions.has_board(text):
                self.positions.add_board(text, await self._prepared_board(text))

    async def _prepared_board(self, text: str) -> Board:
        if not text.startswith(KEPT) and not is_quickly_drawn(text):
            found = await self._drawn_by_worker(text, {"spec": text})
            return await run_in_threadpool(_restored, found)
        board = await run_in_threadpool(self.positions.board, text)
        if _is_quickly_laid_out(board):
            return board
        found = await self._drawn_by_worker(text, {"data": board_to_json(board)})
        board = _with_places(board, found["places"])
        if text.startswith(KEPT):
            await run_in_threadpool(self.database.keep_board, board)  # with its places
        return board

    async def uploaded_board(
        self, name: str, content: bytes, *, directed: bool, strict: bool
    ) -> Board:
        """The board in an uploaded file.

        Raises
        ------
        BadBoard
            If it cannot be read, or is too large.
        """
        if len(content) <= QUICKLY_READ:
            board = await run_in_threadpool(read_upload, name, content, directed, strict)
            if _is_quickly_laid_out(board):
                return board
        key = f"{name} {directed} {strict} {sha256(content).hexdigest()}"
        packed = base64.b64encode(content).decode()
        task = {"file": name, "content": packed, "directed": directed, "strict": strict}
        return await run_in_threadpool(_restored, await self._drawn_by_worker(key, task))

    async def _drawn_by_worker(self, key: str, task: dict[str, Any]) -> Any:
        return await self.shared_result(("board", key), "board", task, "drawing a board")

    def name_of_board(self, board: Board) -> str:
        """What requests call a board: its spec if that makes the same board, else it is stored.

        Raises
        ------
        BadBoard
            If it is too large.
        """
        check_size(board)
        try:
            is_quick = self.positions.has_board(board.spec) or is_quickly_drawn(board.spec)
            if is_quick and self.positions.board(board.spec) == board:
                return board.spec
        except ToppleError:
            pass  # its spec is a name that somebody has given it
        return f"{KEPT}{self.database.keep_board(board)}"


def _is_quickly_laid_out(board: Board) -> bool:
    return board.places is not None or board.n_vertices <= QUICKLY_LAID_OUT


def _restored(found: Any) -> Board:
    """The board in a worker's result."""
    board = replace(board_from_json(found["data"]), notes=tuple(found["notes"]))
    return _with_places(board, found["places"])


def _with_places(board: Board, places: Any) -> Board:
    given = np.array(places, dtype=np.float64)
    given.setflags(write=False)
    return replace(board, places=given)
