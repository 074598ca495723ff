"""The order of Hex moves, by the distances of cells from the edges.

A cell's two-distance from an edge is one more than the second smallest two-distance
among its links, since the opponent can take the nearest. Queenbee [1]_ introduced it.

References
----------
.. [1] J. van Rijswijck, "Search and evaluation in Hex", University of Alberta, 2002.
"""

from topple.compiling.specialise import kernel, noinline
from topple.solvers.hex.bits import BOTTOM, TOP, count, first
from topple.solvers.hex.fill import Words

FAR = 60  # a distance larger than all others
# The weights were found by trial on 6×6 and 7×7; only their ratios matter.
CELL_WEIGHT = 16  # of one step between a move and an edge
REGION_WEIGHT = 16  # of one cell in the must-play region that a move leaves
WAY_WEIGHT = 64  # of one step of a side's shortest path from edge to edge
CHOICE_WEIGHT = 4  # of one more cell on a shortest path


@kernel
def add_distances(links: Words, empty: int, edge: int, sums: Words) -> None:
    """Add each empty cell's two-distance from an edge to `sums`."""
    reached, left, distance = links[edge] & empty, empty, 1
    new = reached
    while new:
        left &= ~new
        while new:
            sums[first(new)] += distance
            new &= new - 1
        distance += 1
        rest = left
        while rest:
            cell = first(rest)
            rest &= rest - 1
            if count(links[cell] & reached) >= 2:
                new |= 1 << cell
        reached |= new
    while left:
        sums[first(left)] += FAR
        left &= left - 1


@noinline
def measure(links: Words, empty: int, sums: Words) -> int:
    """Write the sum of each empty cell's two-distances from both edges of a side to `sums`.

    Returns the length of the side's shortest path from edge to edge, in the unit of merits.
    """
    for cell in range(TOP):
        sums[cell] = 0
    add_distances(links, empty, TOP, sums)
    add_distances(links, empty, BOTTOM, sums)
    least, n = 2 * FAR, 0
    while empty:
        length = sums[first(empty)]
        empty &= empty - 1
        if length < least:
            least, n = length, 0
        n += length == least
    return WAY_WEIGHT * least - CHOICE_WEIGHT * n
