"""HexMemory: the table of a frame, which grows up to a limit, and its form in files."""

import numpy as np
from numpy.typing import NDArray

from topple.core.errors import BadText
from topple.game.game import Game
from topple.solvers.hex.bits import MOST_CELLS
from topple.solvers.hex.fill import Words
from topple.solvers.hex.frame import (
    EMPTY,
    LARGEST_WHOLE,
    O_STONE,
    Frame,
)
from topple.solvers.hex.table import (
    CROWDED,
    MOVER_WINS,
    OTHER_WINS,
    SECOND_TO_MOVE,
    HexTable,
    put_all,
)
from topple.solvers.solver import MEGABYTE, Arrays, is_vector, largest_power_of_2

ENTRY_BYTES = 24
FIRST_CAPACITY = 1 << 10
GROWING = 1.5  # memory while entries move to a table of twice the size, in such tables
WORDS = ("own", "other", "results")


def most_entries(megabytes: int) -> int:
    """The capacity of the largest table that fits into some megabytes."""
    return largest_power_of_2(int(megabytes * MEGABYTE / GROWING / ENTRY_BYTES))


def make_table(capacity: int) -> HexTable:
    """An empty table; the capacity is a power of 2."""
    own, other, results = (np.zeros(capacity, dtype=np.int64) for _ in range(3))
    return HexTable(own, other, results, np.zeros(1, dtype=np.int64))


class HexMemory:
    """What is proven about the positions of a frame."""

    def __init__(self, game: Game, frame: Frame, megabytes: int) -> None:
        self.game = game
        self.frame = frame
        self.most = most_entries(megabytes)
        self.table = make_table(min(FIRST_CAPACITY, self.most))
        self.is_full = False  # whether a search has ended for lack of memory

    @property
    def n_entries(self) -> int:
        """The number of positions in the table."""
        return int(self.table.n_entries[0])

    def grow(self) -> bool:
        """Move to a table of twice the size; False if the memory does not allow it."""
        capacity = 2 * len(self.table.results)
        if capacity > self.most:
            self.is_full = True
            return False
        self._move(self.table.own, self.table.other, self.table.results, capacity)
        return True

    def _move(self, own: Words, other: Words, results: Words, capacity: int) -> bool:
        """Replace the table by one with these entries; False if they crowd together."""
        self.table = make_table(capacity)
        return bool(self.game.run(put_all, own, other, results, self.table) != CROWDED)

    def arrays(self) -> Arrays:
        """The entries, and the board of the frame."""
        used = self.table.results != 0
        table = self.table
        words = (table.own[used], table.other[used], table.results[used])
        return {"board": self.frame.board, **dict(zip(WORDS, words, strict=True))}

    def fill(self, arrays: Arrays) -> None:
        """Take over entries that `read_arrays` has checked.

        Raises
        ------
        BadText
            If they need more memory than allowed, or crowd together.
        """
        own, other, results = (arrays[name].copy() for name in WORDS)  # aligned and writable
        capacity = largest_power_of_2(max(2 * len(results), FIRST_CAPACITY))
        if 4 * (len(results) + 1) > 3 * capacity:
            capacity *= 2
        if capacity > self.most:
            raise BadText(f"{len(results):,} positions need more memory: allow more megabytes")
        if not self._move(own, other, results, capacity):
            raise BadText("the entries of this table crowd together: solve without it")


def read_arrays(game: Game, arrays: Arrays) -> Frame:
    """The frame of arrays from an untrusted file, which are checked.

    Raises
    ------
    BadText
        If they are not of the form that `HexMemory.arrays` returns.
    """
    size = game.board.rows
    if set(arrays) != {"board", *WORDS}:
        raise BadText(f"a table of Hex has board, {', '.join(WORDS)}")
    board = arrays["board"]
    if not is_vector(board, np.int8, size * size) or board.min() < EMPTY or board.max() > O_STONE:
        raise BadText(f"the board of this table does not belong to {game.board.spec}")
    n_empty = int((board == EMPTY).sum())
    if n_empty < size * size if size <= LARGEST_WHOLE else n_empty > MOST_CELLS:
        raise BadText("the board of this table has the wrong number of stones")
    n = len(arrays["own"]) if isinstance(arrays["own"], np.ndarray) and arrays["own"].ndim else -1
    if not all(is_vector(arrays[name], np.int64, n) for name in WORDS):
        raise BadText("the entries of this table are not three lists of whole numbers")
    frame = Frame(size, np.array(board))
    if not _are_entries(frame, *(arrays[name] for name in WORDS)):
        raise BadText("an entry of this table is not a position of Hex with its result")
    return frame


def _are_entries(frame: Frame, own: Words, other: Words, results: Words) -> bool:
    """Whether all entries are disjoint stones with one winner and a carrier of empty cells."""
    cells = int(frame.network.cells[0])
    if not frame.network.symmetric[0]:
        other = other & ~SECOND_TO_MOVE
    winners = results & (MOVER_WINS | OTHER_WINS)
    carriers = results & ~(MOVER_WINS | OTHER_WINS)
    faults: NDArray[np.bool_] = (
        (own & ~cells != 0)
        | (other & ~cells != 0)
        | (own & other != 0)
        | ((winners != MOVER_WINS) & (winners != OTHER_WINS))
        | (carriers & ~(cells & ~(own | other)) != 0)
    )
    return not faults.any()
