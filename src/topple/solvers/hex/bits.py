"""Sets of cells as bits of one integer, for the kernels that solve Hex.

Cell c is bit c. The two edges of a side have bits of their own, so that a set of
stones can contain them: every side owns its edges.
"""

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel, noinline

TOP, BOTTOM = 61, 62  # a side's two edges; for the side that joins left and right, these
EDGES = 1 << TOP | 1 << BOTTOM
MOST_CELLS = 61
WIDTH = 63  # bits of a set including the edges; the sign bit is never used

ODD, PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
QUADS, BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
ONE, TWO, FOUR, LAST_BYTE = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


@kernel
def count(cells: int) -> int:
    """The number of cells in a set, by summing pairs of bits, then fours, then bytes."""
    word = np.uint64(cells)
    word -= (word >> ONE) & ODD
    word = (word & PAIRS) + ((word >> TWO) & PAIRS)
    word = (word + (word >> FOUR)) & QUADS
    n: int = np.int64((word * BYTES) >> LAST_BYTE)  # type: ignore[assignment]
    return n


@kernel
def first(cells: int) -> int:
    """The lowest cell of a nonempty set."""
    return count((cells - 1) & ~cells)


@noinline
def moved(cells: int, places: NDArray[np.int64]) -> int:
    """The set with each cell c replaced by places[c]."""
    result = 0
    while cells:
        result |= 1 << places[first(cells)]
        cells &= cells - 1
    return result
