"""Pictures of boards of squares and hexagons."""

from collections.abc import Sequence

import numpy as np

from topple.boards.board import Board
from topple.boards.kinds.grids import column_letters
from topple.present.boards.canvas import Canvas, Mark, Places
from topple.present.colours import CELL, FAINT, INK

CELL_POINTS = 44.0
PICTURE_POINTS = 500.0
LEAST_TEXT = 3.5  # points; smaller text is left out
RIM_WIDTH = 0.1  # of a coloured rim, in cells


def paint_cells(board: Board, canvas: Canvas, marks: Sequence[Mark] | None = None) -> None:
    """Draw a board of squares or hexagons with the names of its columns and rows, and marks."""
    corners = _square_corners() if board.form == "squares" else _hexagon_corners()
    cells = board.coordinates[:, None, :] + corners[None, :, :]
    outline = cells.reshape(-1, 2)
    span = float(np.ptp(outline, axis=0).max())
    unit = min(CELL_POINTS, max(PICTURE_POINTS / span, 18.0), 1400.0 / span)
    text = 0.26 * unit
    stub = 0.2 * unit if _wraps(board) else 0.0
    canvas.spread(outline, unit, (2.2 * text + stub + 4, 1.7 * text + stub + 4, stub + 6))
    fill = CELL if marks is None else [mark.fill for mark in marks]
    canvas.polygons(cells, fill, INK, width=min(0.8, unit / 30))
    if text < LEAST_TEXT:
        return
    if _wraps(board):
        _mark_wrapping(board, canvas)
    if board.labels[0] == "a1":
        _name_edges(board, canvas, text)
    else:
        _name_cells(board, canvas, text, marks)
    for (x, y), mark in zip(board.coordinates, marks or (), strict=marks is not None):
        canvas.texts([(x, y, mark.text)], 1.4 * text, **mark.style)


def _square_corners() -> Places:
    return np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def _hexagon_corners() -> Places:
    turn = np.pi / 6 + np.arange(6) * np.pi / 3
    return np.asarray(np.column_stack([np.cos(turn), np.sin(turn)]) / np.sqrt(3))


def _wraps(board: Board) -> bool:
    return board.spec.startswith(("torus:", "infexion:"))


def _mark_wrapping(board: Board, canvas: Canvas) -> None:
    """Short lines that leave the board where a neighbour is on the other side."""
    places = board.coordinates
    stubs = []
    for row in range(board.rows):
        for column in range(board.columns):
            vertex = row * board.columns + column
            for other in board.neighbours(vertex):
                stub = _stub(board, row, column, other)
                if stub is not None:
                    stubs.append([places[vertex] + 0.5 * stub, places[vertex] + 0.68 * stub])
    canvas.lines(stubs, FAINT, width=1.0)


def _stub(board: Board, row: int, column: int, other: int) -> Places | None:
    """The direction of a neighbour across the board's rim, or None if it is beside."""
    down, right = other // board.columns - row, other % board.columns - column
    near_down = (down + 1) % board.rows - 1  # −1, 0 or 1
    near_right = (right + 1) % board.columns - 1
    if (near_down, near_right) == (down, right):
        return None
    if board.form == "squares":
        return np.array([near_right, near_down], dtype=np.float64)
    return np.array([near_right + near_down / 2, near_down * np.sqrt(3) / 2])


def paint_borders(board: Board, canvas: Canvas, colours: tuple[str, str]) -> None:
    """Draw the rims of a rhombus of hexagons: top and bottom in a colour, the sides in another."""
    corners = board.coordinates[:, None, :] + _hexagon_corners()[None, :, :]
    cells = corners.reshape(board.rows, board.columns, 6, 2)
    # Corners run clockwise from the lower right one; each row is shifted to the right.
    upright = [(cells[0], 3), (cells[0], 4), (cells[-1], 0), (cells[-1], 1)]
    across = [(cells[:, 0], 2), (cells[:-1, 0], 1), (cells[:, -1], 5), (cells[1:, -1], 4)]
    for edges, colour in zip((across, upright), reversed(colours), strict=True):
        ends = [cell[[at, (at + 1) % 6]] for rim, at in edges for cell in rim]
        canvas.lines(np.array(ends), colour, width=RIM_WIDTH * canvas.unit, zorder=3)


def _name_cells(
    board: Board, canvas: Canvas, text: float, marks: Sequence[Mark] | None = None
) -> None:
    """Write each cell's name in its middle, or above its mark if there are marks."""
    if marks is None:
        names = zip(*board.coordinates.T, board.labels, strict=True)
        canvas.texts(names, text, color=FAINT)
        return
    for (x, y), label, mark in zip(board.coordinates, board.labels, marks, strict=True):
        ink = FAINT if mark.ink == INK else mark.ink  # readable on the mark's colour
        canvas.texts([(x, y - 0.3, label)], 0.7 * text, color=ink)


def _name_edges(board: Board, canvas: Canvas, text: float) -> None:
    """Write column letters above the first row, and row numbers left of the first column."""
    places = board.coordinates
    gap = text / canvas.unit + (0.2 if _wraps(board) else 0.0)
    above = gap + (0.5 if board.form == "squares" else 1 / np.sqrt(3))
    top, left = places[: board.columns], places[:: board.columns]
    letters = [(x, y - above, column_letters(column)) for column, (x, y) in enumerate(top)]
    numbers = [(x - gap - 0.5, y, str(row)) for row, (x, y) in enumerate(left, start=1)]
    canvas.texts(letters + numbers, text, color=FAINT)
