"""Sets of cells as bits of one number, for the kernels that solve Hex.

Cell c is bit c. The two edges of a side are bits of their own, so that they can
stand in a set of stones: every side owns its edges.
"""

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel, noinline

TOP, BOTTOM = 61, 62  # a side's two edges: left and right for the side that joins these
EDGES = 1 << TOP | 1 << BOTTOM
MOST_CELLS = 61
WIDTH = 63  # bits of a set, the edges included; the sign is never used

ODD, PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
QUADS, BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
ONE, TWO, FOUR, LAST_BYTE = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


@kernel
def count(cells: int) -> int:
    """How many cells a set has: sums in pairs of bits, then fours, then bytes."""
    word = np.uint64(cells)
    word -= (word >> ONE) & ODD
    word = (word & PAIRS) + ((word >> TWO) & PAIRS)
    word = (word + (word >> FOUR)) & QUADS
    n: int = np.int64((word * BYTES) >> LAST_BYTE)  # type: ignore[assignment]
    return n


@kernel
def first(cells: int) -> int:
    """The lowest cell of a set that is not empty."""
    return count((cells - 1) & ~cells)


@noinline
def moved(cells: int, places: NDArray[np.int64]) -> int:
    """The set after each cell has gone to its place."""
    result = 0
    while cells:
        result |= 1 << places[first(cells)]
        cells &= cells - 1
    return result
