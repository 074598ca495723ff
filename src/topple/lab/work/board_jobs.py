"""Making boards: small ones at once; what takes long to draw or to lay out, in a worker.

A network of some hundred vertices takes seconds, and the page must not freeze
meanwhile: those who wait for it hold no thread.
"""

import base64
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
from starlette.concurrency import run_in_threadpool

from topple.boards import Board, board_from_json, board_to_json
from topple.boards.files.uploads import board_from_upload
from topple.lab.data.allowed import check_size, is_quickly_drawn, named_board
from topple.lab.data.position_cache import KEPT
from topple.lab.settings import Lab

QUICKLY_LAID_OUT = 60  # vertices: a quarter of a second
QUICKLY_READ = 50_000  # bytes of a file


async def have_boards(lab: Lab, texts: Iterable[str | None]) -> None:
    """Have boards at hand that are asked for next.

    Raises
    ------
    ToppleError
        If there is no such board, or it is too large.
    """
    for text in texts:
        if text is not None and not lab.lines.knows(text):
            await _have(lab, text)


async def _have(lab: Lab, text: str) -> None:
    if not text.startswith(KEPT) and not is_quickly_drawn(text):
        board = await _made(lab, text, {"spec": text})
    else:
        board = await run_in_threadpool(lab.lines.board, text)
        if is_quickly_laid_out(board):
            return
        found = await _asked(lab, text, {"data": board_to_json(board)})
        board = _with_places(board, found["places"])
        if text.startswith(KEPT):
            await run_in_threadpool(lab.kept.keep_board, board)
    lab.lines.remember(text, board)


async def uploaded(lab: Lab, name: str, content: bytes, directed: bool) -> Board:
    """The board in a file that somebody hands over.

    Raises
    ------
    BadBoard
        If it cannot be read, or is too large.
    """
    if len(content) <= QUICKLY_READ:
        board = await run_in_threadpool(read_upload, name, content, directed)
        if is_quickly_laid_out(board):
            return board
    key = f"{name} {directed} {sha256(content).hexdigest()}"
    packed = base64.b64encode(content).decode()
    return await _made(lab, key, {"file": name, "content": packed, "directed": directed})


def read_upload(name: str, content: bytes, directed: bool) -> Board:
    """The board in a file, if the page can bear it.

    Raises
    ------
    BadBoard
        If it cannot be read, or is too large.
    """
    return check_size(board_from_upload(name, content, directed=directed))


def is_quickly_laid_out(board: Board) -> bool:
    """Whether the places of a board's vertices are known, or soon found."""
    return board.places is not None or board.n_vertices <= QUICKLY_LAID_OUT


async def _asked(lab: Lab, key: str, task: dict[str, Any]) -> Any:
    return await lab.asked_once(("board", key), "board", task, "drawing a board")


async def _made(lab: Lab, key: str, task: dict[str, Any]) -> Board:
    found = await _asked(lab, key, task)
    return await run_in_threadpool(_restored, found)


def _restored(found: Any) -> Board:
    board = replace(board_from_json(found["data"]), notes=tuple(found["notes"]))
    return _with_places(board, found["places"])


def _with_places(board: Board, places: Any) -> Board:
    given = np.array(places, dtype=np.float64)
    given.setflags(write=False)
    return replace(board, places=given)


def make(task: Any) -> dict[str, Any]:
    """What a worker does: draw, read or take a board, and lay it out."""
    if "spec" in task:
        board = named_board(task["spec"])
    elif "file" in task:
        board = read_upload(task["file"], base64.b64decode(task["content"]), task["directed"])
    else:
        board = board_from_json(task["data"])
    return {
        "data": board_to_json(board),
        "notes": list(board.notes),
        "places": np.asarray(board.coordinates).tolist(),
    }
