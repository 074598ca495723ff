"""Checkpoints: files with the table of a solver, from which a later run continues.

The first line is JSON: the kind of file, its subject, and the arrays that follow. Each array
begins at a multiple of 64 bytes, and the file ends with a digest of everything before. Nothing
in the file is executed, and nothing is allocated before its actual size and the memory limit
have been checked.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple import __version__
from topple.core.errors import BadText
from topple.core.files import writing_whole
from topple.game.game import Game
from topple.solvers.solver import Solver

FORMAT = "topple checkpoint"
VERSION = 1
LONGEST_HEADER = 1 << 16  # bytes
MOST_ARRAYS, MOST_DIMENSIONS = 64, 4
GRAIN = 64  # bytes: arrays begin at multiples of it
CHUNK = 1 << 24  # bytes per write or read
SPARE = 1 << 20  # bytes allowed beyond the memory limit, for counters and the like
DIGEST_SIZE = 32
# Little-endian numbers; tables never contain objects or texts.
DTYPES = ("|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f8")


class Subject(NamedTuple):
    """The solver, game and board of a table; only a solver for the same can use it.

    >>> import topple
    >>> subject_of(topple.load("hex", board="hex:4"), "hex")
    Subject(solver='hex', game='hex', board='hex:4', digest='...')
    """

    solver: str
    game: str
    board: str  # to be shown
    digest: str  # to be compared

    @property
    def text(self) -> str:
        """`hex on hex:4`."""
        return f"{self.game} on {self.board}"


def subject_of(game: Game, solver: str) -> Subject:
    """The subject of the tables of a solver for a game on its board."""
    return Subject(solver, game.spec, game.board.spec, game.board.digest)


class _Part(NamedTuple):
    """An array of the file."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def n_bytes(self) -> int:
        return prod(self.shape) * np.dtype(self.dtype).itemsize


def write_checkpoint(path: Path, solver: Solver, subject: Subject) -> int:
    """Write a solver's table to a file; return the file's size in bytes.

    The file is written completely or not at all, and replaces an older one only
    when it is complete.

    Raises
    ------
    ToppleError
        If the file cannot be written.
    """
    arrays = {name: _portable(array) for name, array in solver.table().items()}
    header = {
        "format": FORMAT,
        "version": VERSION,
        "topple": __version__,
        **subject._asdict(),
        "arrays": [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()],
    }
    with writing_whole(path) as stream:
        pen = _Pen(stream)
        pen.write(json.dumps(header).encode() + b"\n")
        pen.pad()
        for array in arrays.values():
            for chunk in _chunks(array):
                pen.write(chunk)
            pen.pad()
        pen.write(pen.digest.digest())
    return pen.n_bytes


class _Pen:
    """Writes, counts and digests."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.n_bytes = stream, 0
        self.digest = hashlib.blake2b(digest_size=DIGEST_SIZE)

    def write(self, content: bytes | memoryview) -> None:
        self.digest.update(content)
        self.n_bytes += self.stream.write(content)

    def pad(self) -> None:
        self.write(bytes(_padding(self.n_bytes)))


def _portable(array: NDArray[Any]) -> NDArray[Any]:
    """An array as it is stored: contiguous and little-endian, as most arrays already are."""
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    assert array.dtype.str in DTYPES, f"{array.dtype} cannot be stored in a checkpoint"
    return array


def _padding(n_bytes: int) -> int:
    return -n_bytes % GRAIN


def _chunks(array: NDArray[Any]) -> Iterator[memoryview]:
    """The bytes of an array as views, which are writable if the array is."""
    if array.nbytes == 0:  # memoryview cannot cast an empty array
        return
    view = memoryview(array.reshape(-1)).cast("B")  # type: ignore[arg-type]
    for start in range(0, len(view), CHUNK):
        yield view[start : start + CHUNK]


def read_checkpoint(path: Path, solver: Solver, subject: Subject) -> None:
    """Restore a solver's table from a checkpoint.

    Raises
    ------
    BadText
        If the file is not a checkpoint, is damaged, belongs to another subject,
        comes from a newer topple, or needs more memory than the solver may use.
    OSError
        If it cannot be read.
    """
    # O_NONBLOCK, since opening a pipe would wait for a writer.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _binary())
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise BadText(f"{path} is not an ordinary file: choose another name")
        digest = hashlib.blake2b(digest_size=DIGEST_SIZE)
        line = stream.readline(LONGEST_HEADER)
        header = _read_header(path, line)
        parts = _check_header(path, header, subject)
        _check_size(path, line, parts, status.st_size, solver.memory)
        digest.update(line + stream.read(_padding(len(line))))
        arrays = {part.name: _read_array(stream, part, digest) for part in parts}
        if stream.read(DIGEST_SIZE) != digest.digest():
            raise _damaged(path)
    try:
        solver.restore(arrays)
    except BadText as error:
        raise BadText(f"{path} cannot be used: {error}") from None


def _binary() -> int:
    return getattr(os, "O_BINARY", 0)


def _damaged(path: Path) -> BadText:
    return BadText(f"{path} is damaged or was cut off: delete it, or choose another file")


def _read_header(path: Path, line: bytes) -> dict[str, Any]:
    """The content of the first line, with its format and version checked."""
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise BadText(f"{path} is not a checkpoint of topple: choose another file")
    version = header.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise _damaged(path)
    if version > VERSION:
        raise BadText(
            f"{path} was written by a newer topple ({_named(header, 'topple')}): "
            "update topple, or choose another file"
        )
    return header


def _named(header: dict[str, Any], key: str) -> str:
    """A text of the header, short enough for a message."""
    text = header.get(key)
    return text[:80] if isinstance(text, str) else "?"


def _check_header(path: Path, header: dict[str, Any], subject: Subject) -> list[_Part]:
    """The arrays that the header announces.

    Raises
    ------
    BadText
        If the header is damaged, or belongs to another subject.
    """
    if not all(isinstance(header.get(key), str) for key in Subject._fields):
        raise _damaged(path)
    found = Subject(*(_named(header, key) for key in Subject._fields))
    if (found.game, found.digest) != (subject.game, subject.digest):
        if found.text == subject.text:
            raise BadText(
                f"{path} belongs to another board that is called {found.board}: choose another file"
            )
        raise BadText(f"{path} belongs to {found.text}, not {subject.text}: choose another file")
    if found.solver != subject.solver:
        raise BadText(
            f"{path} was written by the solver {found.solver}, not {subject.solver}: "
            "choose another file"
        )
    arrays = header.get("arrays")
    if not isinstance(arrays, list):
        raise _damaged(path)
    try:
        parts = [_check_part(*each) for each in arrays]
    except (TypeError, ValueError):
        raise _damaged(path) from None
    if len(parts) > MOST_ARRAYS or len({part.name for part in parts}) < len(parts):
        raise _damaged(path)
    return parts


def _check_part(name: object, dtype: object, shape: object) -> _Part:
    if not (isinstance(name, str) and isinstance(shape, list) and len(shape) <= MOST_DIMENSIONS):
        raise TypeError
    if dtype not in DTYPES:
        raise ValueError
    if not all(type(n) is int and 0 <= n < 1 << 48 for n in shape):
        raise ValueError
    return _Part(name, str(dtype), tuple(shape))


def _check_size(path: Path, line: bytes, parts: list[_Part], size: int, memory: int) -> None:
    """Refuse a file that is incomplete or too large, before anything is allocated."""
    n_bytes = sum(part.n_bytes for part in parts)
    padded = sum(part.n_bytes + _padding(part.n_bytes) for part in parts)
    if not line.endswith(b"\n") or size != len(line) + _padding(len(line)) + padded + DIGEST_SIZE:
        raise _damaged(path)
    if n_bytes > (memory << 20) + SPARE:
        raise BadText(
            f"{path} needs {(n_bytes >> 20) + 1:,} MB, and {memory:,} are allowed: "
            "give more --memory, or choose another file"
        )


def _read_array(stream: BinaryIO, part: _Part, digest: hashlib.blake2b) -> NDArray[Any]:
    """Read the next array of the file; if bytes are missing, the digest will not match."""
    array = np.zeros(part.shape, dtype=part.dtype)
    for chunk in _chunks(array):
        stream.readinto(chunk)  # type: ignore[attr-defined]
        digest.update(chunk)
    digest.update(stream.read(_padding(part.n_bytes)))
    return array.astype(array.dtype.newbyteorder("="), copy=False)
