"""Boards of hexagons: the Hex rhombus and the wrapping Infexion board."""

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board, make_board
from topple.boards.kinds.grids import cell_labels

# (rows down, columns right), in the order of a cell's neighbours.
HEX_DIRECTIONS = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))
# (dr, dq) in the order of the Infexion referee.
INFEXION_DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))


def hex_board(n: int) -> Board:
    """Build the n×n rhombus of the game Hex.

    Examples
    --------
    >>> board = hex_board(3)
    >>> [board.labels[v] for v in board.neighbours(board.vertex_of["b2"])]
    ['a2', 'c2', 'b1', 'b3', 'c1', 'a3']
    """
    neighbours = [
        [
            (row + down) * n + column + right
            for down, right in HEX_DIRECTIONS
            if 0 <= row + down < n and 0 <= column + right < n
        ]
        for row in range(n)
        for column in range(n)
    ]
    return _hexes(f"hex:{n}", n, neighbours, cell_labels(n, n))


def infexion_board(n: int) -> Board:
    """Build the n×n Infexion board, which wraps in both directions.

    From n = 3 on, the six neighbours of a cell are six different cells.

    Examples
    --------
    >>> board = infexion_board(7)
    >>> [board.labels[v] for v in board.neighbours(board.vertex_of["4-0"])]
    ['4-1', '3-1', '3-0', '4-6', '5-6', '5-0']
    """
    neighbours = [
        [(r + dr) % n * n + (q + dq) % n for dr, dq in INFEXION_DIRECTIONS]
        for r in range(n)
        for q in range(n)
    ]
    labels = [f"{r}-{q}" for r in range(n) for q in range(n)]
    return _hexes(f"infexion:{n}", n, neighbours, labels)


def _hexes(spec: str, n: int, neighbours: list[list[int]], labels: list[str]) -> Board:
    return make_board(
        spec,
        neighbours,
        labels=labels,
        form="hexes",
        rows=n,
        columns=n,
        places=_rhombus_places(n),
    )


def _rhombus_places(n: int) -> NDArray[np.float64]:
    """Place each row half a cell to the right of the row above it."""
    row, column = np.divmod(np.arange(n * n), n)
    return np.column_stack([column + row / 2, row * np.sqrt(3) / 2])
