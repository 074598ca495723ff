"""Cells that need no search: dead cells, and cells that a side has captured.

For one side, let two empty cells be linked if they touch or touch the same group
of its stones; a cell can also be linked to an edge. The side has won when its
edges are connected, and only shortest paths of linked cells matter:

* A cell whose links are all linked to each other is never on a shortest path. It is
  dead, and can be filled with either colour.
* Two cells with the same links are twins. If the opponent takes one, the side takes the
  other, and the lost one is dead. So both count as the side's own: they are captured.

Filling such cells leaves twins twins and dead cells dead, so all cells found in one
pass can be filled together.

References
----------
.. [1] Y. Björnsson, R. Hayward, M. Johanson, J. van Rijswijck, "Dead cell analysis in
   Hex and the Shannon game", Graph Theory in Paris, 2007.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel, noinline
from topple.solvers.hex.bits import BOTTOM, EDGES, TOP, first

NOBODY = -1

Words = NDArray[np.int64]


class HexNetwork(NamedTuple):
    """The empty cells of some position, and the graph of them for each side."""

    near: Words  # shape (2, 64): what a cell or an edge touches, itself or through old stones
    turned: Words  # shape (64,): each cell after a half-turn of the board
    mirrored: Words  # shape (64,): each cell after exchanging the sides
    cells: Words  # shape (1,): all cells
    symmetric: Words  # shape (1,): 1 if these two maps are symmetries of the game


@kernel
def group_of(near: Words, own: int, empty: int, start: int) -> tuple[int, int]:
    """The group of own stones around a start, and the empty cells that it touches."""
    group = frontier = start
    beside = 0
    while frontier:
        touched = near[first(frontier)]
        frontier &= frontier - 1
        beside |= touched & empty
        new = touched & own & ~group
        group |= new
        frontier |= new
    return group, beside


@noinline
def link(near: Words, stones: int, empty: int, links: Words) -> bool:
    """Write the links of empty cells and edges to `links`; return whether the side has won."""
    rest = empty
    while rest:
        cell = first(rest)
        rest &= rest - 1
        links[cell] = near[cell] & (empty | EDGES)
    own = stones | EDGES
    left, won = own, False
    while left:
        group, beside = group_of(near, own, empty, left & -left)
        left &= ~group
        edges = group & EDGES
        won = won or edges == EDGES
        if edges & 1 << TOP:
            links[TOP] = beside
        if edges & 1 << BOTTOM:
            links[BOTTOM] = beside
        rest = beside
        while rest:
            cell = first(rest)
            rest &= rest - 1
            links[cell] = (links[cell] | beside | edges) & ~(1 << cell)
    return won


@kernel
def is_dead(links: Words, cell: int) -> bool:
    """Whether all links of a cell are linked to each other."""
    linked = rest = links[cell]
    while rest:
        other = first(rest)
        rest &= rest - 1
        if linked & ~(1 << other) & ~links[other]:
            return False
    return True


@noinline
def find_dead(links: Words, empty: int) -> int:
    """The dead cells."""
    dead, rest = 0, empty
    while rest:
        cell = first(rest)
        rest &= rest - 1
        if is_dead(links, cell):
            dead |= 1 << cell
    return dead


@noinline
def find_twins(links: Words, empty: int) -> int:
    """The cells of pairs of twins, where each cell is in at most one pair."""
    found, rest = 0, empty
    while rest:
        cell = first(rest)
        rest &= rest - 1
        own, others = links[cell], rest
        while others:
            other = first(others)
            others &= others - 1
            if own & ~(1 << other) == links[other] & ~(1 << cell):
                found |= 1 << cell | 1 << other
                rest &= ~(1 << other)
                break
    return found


@noinline
def fill_in(network: HexNetwork, stones: Words, captured: Words, links: Words, dead_to: int) -> int:
    """Fill dead and captured cells; return the side that has won by then, or NOBODY.

    `stones`, both sides' stones, changes in place; dead cells go to the side `dead_to`.
    The cells that each side has captured are written to `captured`. If nobody has won,
    `links`, shape (2, 64), are those of the filled position.
    """
    captured[0], captured[1] = 0, 0
    while True:
        empty = network.cells[0] & ~(stones[0] | stones[1])
        for side in range(2):
            if link(network.near[side], stones[side], empty, links[side]):
                return side
        dead = find_dead(links[0], empty) | find_dead(links[1], empty)
        left = empty & ~dead
        stones[dead_to] |= dead
        for side in range(2):
            twins = find_twins(links[side], left)
            stones[side] |= twins
            captured[side] |= twins
            left &= ~twins
        if left == empty:
            return NOBODY
