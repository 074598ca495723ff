"""Sight: how the layers of a network look at a board.

A layer computes a vertex's new numbers from several rows of old ones, its *taps*: its own row
and those of its neighbours. What the taps are depends on the kind of board:

- `hexes` and `torus`: the vertex and its six neighbours by direction,
- `grid`: the vertex and its four neighbours by direction,
- `network`: the vertex, the mean and the sum of its neighbours,
- `digraph`: the vertex, mean and sum of its successors, mean and sum of its predecessors.

The weights of a tap are the same everywhere, so that one network fits every board of its kind.
A board can have several *views*, ways to look at it: in Hex the player who joins left and right
sees the board mirrored, so that the network always joins top and bottom.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.compiling.products import ROWS

KINDS = {"hexes": 7, "torus": 7, "grid": 5, "network": 3, "digraph": 5}  # with their taps
SUM_SCALE = 0.25  # of the sum of neighbours, so that hubs get no huge numbers

Directions = Sequence[tuple[int, int]]
SELF = (0, 0)
GRID_DIRECTIONS = (SELF, (0, -1), (0, 1), (-1, 0), (1, 0))
HEX_DIRECTIONS = (SELF, (0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))


class Sight(NamedTuple):
    """What the forward pass knows of a board. The taps are rows of a table of sources.

    The table begins with a row for each of the n vertices and a row of zeros. For each list of
    neighbours follow n rows of means and n rows of sums.
    """

    n: int
    n_lists: int
    n_dynamic: int  # planes of the position; those of the board follow
    taps: NDArray[np.int32]  # shape (views, rows, taps): n rows, filled up to whole groups
    fixed: NDArray[np.float32]  # shape (views, rows, planes of the board)
    neighbour_start: NDArray[np.int32]  # shape (lists · (n + 1),)
    neighbours: NDArray[np.int32]


def n_rows(n: int) -> int:
    """A number of vertices, filled up to whole groups that the forward pass treats together."""
    return -(-n // ROWS) * ROWS


def lattice_taps(
    rows: int, columns: int, directions: Directions, *, wraps: bool = False
) -> NDArray[np.int32]:
    """The taps of a board of squares or hexes, shape (vertices, taps): one for each direction."""
    n = rows * columns
    row, column = np.divmod(np.arange(n), columns)
    taps = np.empty((n, len(directions)), dtype=np.int32)
    for tap, (down, right) in enumerate(directions):
        to_row, to_column = row + down, column + right
        if wraps:
            to_row, to_column = to_row % rows, to_column % columns
        inside = (to_row >= 0) & (to_row < rows) & (to_column >= 0) & (to_column < columns)
        taps[:, tap] = np.where(inside, to_row * columns + to_column, n)
    return taps


def list_taps(n: int, lists: Sequence[int]) -> NDArray[np.int32]:
    """The taps of a network, shape (n, taps): each vertex, then mean and sum of each list."""
    vertices = np.arange(n, dtype=np.int32)
    blocks = [n + 1 + (2 * each + part) * n for each in lists for part in (0, 1)]
    return np.column_stack([vertices, *(block + vertices for block in blocks)]).astype(np.int32)


def make_sight(
    board: Board, kind: str, n_dynamic: int, fixed: Sequence[NDArray[np.float32]]
) -> Sight:
    """The sight of a board; `fixed` has the planes of the board for each view, (n, planes) each.

    A second view mirrors a board of hexes and reverses the arcs of a digraph.
    """
    n, lists = board.n_vertices, []
    views = [_taps(board, kind, mirrored=view == 1) for view in range(len(fixed))]
    if kind in ("network", "digraph"):
        lists.append((board.successor_start, board.successors))
    if kind == "digraph":
        lists.append((board.predecessor_start, board.predecessors))
    starts, heads, at = [], [], 0
    for start, ends in lists:
        starts.append(start + at)
        heads.append(ends)
        at += len(ends)
    none = [np.zeros(0, dtype=np.int32)]
    return Sight(
        n,
        len(lists),
        n_dynamic,
        np.stack([_filled(each, n) for each in views]).astype(np.int32),
        np.stack([_filled(each, 0) for each in fixed]).astype(np.float32),
        np.concatenate(starts or none).astype(np.int32),
        np.concatenate(heads or none).astype(np.int32),
    )


def _taps(board: Board, kind: str, *, mirrored: bool) -> NDArray[np.int32]:
    if kind == "network":
        return list_taps(board.n_vertices, (0,))
    if kind == "digraph":
        return list_taps(board.n_vertices, (1, 0) if mirrored else (0, 1))
    directions: Directions = GRID_DIRECTIONS if kind == "grid" else HEX_DIRECTIONS
    if mirrored:
        directions = tuple((right, down) for down, right in directions)
    return lattice_taps(board.rows, board.columns, directions, wraps=kind == "torus")


def _filled(rows: NDArray[np.generic], filler: int) -> NDArray[np.generic]:
    """The rows, filled up to whole groups with rows of one number."""
    missing = n_rows(len(rows)) - len(rows)
    return np.pad(rows, ((0, missing), (0, 0)), constant_values=filler)
