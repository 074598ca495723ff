"""Boards of squares: the grid and the torus."""

import re

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board, check_size, make_board
from topple.core.errors import BadText

# The order of a square's neighbours: left, right, up, down.
DIRECTIONS = ((0, -1), (0, 1), (-1, 0), (1, 0))

_SIZE = re.compile(r"([0-9]{1,6})(?:\s*[xX×]\s*([0-9]{1,6}))?")


def grid_board(size: str) -> Board:
    """Build a grid of squares, for example 5x5.

    Parameters
    ----------
    size
        ROWSxCOLUMNS, or one number for both.

    Raises
    ------
    BadText
        If the size cannot be read.
    BadBoard
        If the grid has more than `MAX_VERTICES` squares.

    Examples
    --------
    >>> board = grid_board("3x4")
    >>> board.labels[:5]
    ('a1', 'b1', 'c1', 'd1', 'a2')
    >>> [board.labels[v] for v in board.neighbours(board.vertex_of["b2"])]
    ['a2', 'c2', 'b1', 'b3']
    """
    rows, columns = read_size(size)
    if rows * columns < 2:
        raise BadText(f"grid:{size} is too small: at least 1x2")
    return _squares("grid", rows, columns, wraps=False)


def torus_board(size: str) -> Board:
    """Build a grid whose opposite sides are joined.

    Parameters
    ----------
    size
        ROWSxCOLUMNS, or one number for both.

    Raises
    ------
    BadText
        If the size cannot be read or is below 3x3.
    BadBoard
        If the torus has more than `MAX_VERTICES` squares.

    Examples
    --------
    >>> board = torus_board("3x3")
    >>> [board.labels[v] for v in board.neighbours(board.vertex_of["a1"])]
    ['c1', 'b1', 'a3', 'a2']
    """
    rows, columns = read_size(size)
    if min(rows, columns) < 3:
        # Two rows would give a square the same neighbour above and below.
        raise BadText(f"torus:{size} is too small: at least 3x3")
    return _squares("torus", rows, columns, wraps=True)


def read_size(size: str) -> tuple[int, int]:
    """Read ROWSxCOLUMNS, or one number for both.

    >>> read_size("5x7"), read_size("5")
    ((5, 7), (5, 5))
    """
    found = _SIZE.fullmatch(size)
    if found is None:
        raise BadText(f"size {size!r} cannot be read: write ROWSxCOLUMNS, for example 5x5")
    rows = int(found[1])
    return rows, int(found[2] or rows)


def cell_labels(rows: int, columns: int) -> list[str]:
    """Name the cells of a board row by row: column letter, row number.

    >>> cell_labels(2, 2)
    ['a1', 'b1', 'a2', 'b2']
    """
    letters = [column_letters(column) for column in range(columns)]
    return [f"{letter}{row}" for row in range(1, rows + 1) for letter in letters]


def column_letters(column: int) -> str:
    """Name a column, counted from 0: a … z, aa, ab …

    >>> column_letters(0), column_letters(25), column_letters(26), column_letters(702)
    ('a', 'z', 'aa', 'aaa')
    """
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def row_column_places(rows: int, columns: int) -> NDArray[np.float64]:
    """Place cells one unit apart, row by row."""
    row, column = np.divmod(np.arange(rows * columns), columns)
    return np.column_stack([column, row]).astype(np.float64)


def _squares(name: str, rows: int, columns: int, *, wraps: bool) -> Board:
    check_size(rows * columns, 0)
    return make_board(
        f"{name}:{rows}x{columns}",
        [
            _neighbours(row, column, rows, columns, wraps)
            for row in range(rows)
            for column in range(columns)
        ],
        labels=cell_labels(rows, columns),
        form="squares",
        rows=rows,
        columns=columns,
        places=row_column_places(rows, columns),
    )


def _neighbours(row: int, column: int, rows: int, columns: int, wraps: bool) -> list[int]:
    beside = [(row + down, column + right) for down, right in DIRECTIONS]
    if wraps:
        return [(r % rows) * columns + c % columns for r, c in beside]
    return [r * columns + c for r, c in beside if 0 <= r < rows and 0 <= c < columns]
