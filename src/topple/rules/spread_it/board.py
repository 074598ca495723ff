"""Spread-It's board and the layout of its states.

By the rules, the colour of the token that arrived last decides ties when a vertex fires.
Since a vertex must receive a token before it fires, this colour matters only within a
cascade. It is therefore in the scratch space of a state, not in the position.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.rules.interface import HEADER

BLACK, RED = 0, 1
LEFT = HEADER  # tokens left to Black, to Red
ON_BOARD = HEADER + 2  # black tokens, red tokens on the board
OWNED = HEADER + 4  # vertices owned by Black, by Red
TOKENS = HEADER + 6  # black tokens per vertex, then red; full loyalty: then owner + 1

# A cascade's numbers, as offsets from `work_at`: zero between cascades.
N_READY, FIRINGS, N_FIRED, ENDLESS, WITNESS, LAP, LAP_LENGTH = range(7)
N_NUMBERS = 7
# After them, vectors with one number per vertex; `vector_at` gives their indices.
HEAP = 0  # the vertices at their threshold, the next to fire on top
FIRED = 1  # the vertices that have fired in this cascade, in order
HAS_FIRED = 2  # 1 for each of them
LAST = 3  # the colour of the last token that arrived
KEPT = 4  # an earlier configuration: black tokens, red tokens, last arrivals
READY = 7  # 0 if a vertex is not ready, else its place in the heap + 1, or its key
N_VECTORS = 8
LANES = 32  # keys are read in groups of this size; the last group is filled with zeros


class SpreadItBoard(NamedTuple):
    """What the kernels know of the board."""

    n: int
    full: int  # whether loyalty is full
    by_index: int  # whether the lowest index fires first
    by_keys: int  # whether ready vertices have keys; otherwise they are in a heap
    black_tokens: int
    red_tokens: int
    conserves: int  # whether every threshold is the degree
    can_refire: int  # whether no threshold exceeds the degree
    most_firings: int  # of one cascade, unless it conserves tokens
    neighbour_start: NDArray[np.int32]
    neighbours: NDArray[np.int32]
    thresholds: NDArray[np.int32]


def work_size(n: int) -> int:
    """The length of the scratch space of a state on n vertices."""
    return N_NUMBERS + N_VECTORS * n + LANES


@kernel
def work_at(board: SpreadItBoard) -> int:
    """The index in a state where the scratch space begins."""
    return TOKENS + (2 + board.full) * board.n


@kernel
def vector_at(board: SpreadItBoard, vector: int) -> int:
    """The index in a state where one of the vectors begins."""
    return work_at(board) + N_NUMBERS + vector * board.n


@kernel
def place(number: int) -> Any:
    """An index as an unsigned number, for which the compiled code needs no check of the sign."""
    return np.uint64(number)
