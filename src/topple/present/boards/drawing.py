"""Pictures of boards: SVG, PNG or PDF."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.core.files import write_whole
from topple.core.text import one_line, plural
from topple.present.boards.canvas import Canvas, Mark
from topple.present.boards.cells import paint_cells
from topple.present.boards.networks import paint_network
from topple.present.charts import any_script, check_ending, saved, styled


def draw_board(
    board: Board,
    path: str | Path,
    marks: Sequence[Mark] | None = None,
    caption: str | None = None,
) -> None:
    """Draw a board and write the picture to a file.

    The same board gives the same SVG, byte for byte. The file appears only
    when it is complete.

    Parameters
    ----------
    board
        The board to draw.
    path
        Where to write; the ending .svg, .png or .pdf names the format.
    marks
        What to show on each vertex, instead of what belongs to the board.
    caption
        What stands below; the board's spec and size unless given.

    Raises
    ------
    BadText
        If the ending is not one of these.
    ToppleError
        If the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from topple.boards import load_board
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "board.svg")
    ...     draw_board(load_board("hex:3"), file)
    ...     file.read_text().startswith("<?xml")
    True
    """
    path = Path(path)
    write_whole(path, picture(board, check_ending(path), marks, caption))


def picture(
    board: Board, form: str, marks: Sequence[Mark] | None = None, caption: str | None = None
) -> bytes:
    """Draw a board and return the picture: `svg`, `png` or `pdf`.

    `marks` and `caption` are those of `draw_board`.

    Examples
    --------
    >>> from topple.boards import load_board
    >>> picture(load_board("grid:2x2"), "png")[1:4]
    b'PNG'
    """
    return saved(paint(board, marks, _caption(board) if caption is None else caption).figure, form)


@styled
def paint(board: Board, marks: Sequence[Mark] | None, caption: str) -> Canvas:
    """Draw a board on a canvas of its own."""
    canvas = Canvas()
    paint_board = paint_network if board.form == "network" else paint_cells
    paint_board(board, canvas, marks)
    canvas.caption(caption)
    return canvas


def pixels(canvas: Canvas, dpi: int) -> NDArray[np.uint8]:
    """What is drawn on a canvas as red, green and blue, of shape (height, width, 3)."""
    canvas.figure.set_dpi(dpi)
    page: Any = FigureCanvasAgg(canvas.figure)
    with any_script():
        page.draw()
    return np.array(page.buffer_rgba(), dtype=np.uint8)[:, :, :3].copy()


def _caption(board: Board) -> str:
    vertices = plural(board.n_vertices, "vertex", "vertices")
    edges = plural(board.n_edges, "arc" if board.directed else "edge")
    return f"{one_line(board.spec, 90)} · {vertices}, {edges}"
