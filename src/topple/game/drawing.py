"""Draw positions for a terminal: squares and hexes as rows, a network as a compact table."""

from collections.abc import Sequence

from topple.boards import Board
from topple.core.text import WIDTH, shorten

MOST_LISTED = 400  # vertices of a network; beyond that only those that are not empty
LONGEST_LABEL = 24
EMPTY, CHANGED = "·", "*"


def draw_cells(
    board: Board,
    cells: Sequence[str],
    before: Sequence[str] | None = None,
    limits: Sequence[int] | None = None,
) -> str:
    """Draw what is on the vertices, with a star at those that differ from `before`.

    `limits` are written behind the cells of a network; unless given, they are the thresholds
    of an undirected one, and a directed one has none. No limit is written where it is 0.

    >>> from topple.boards import load_board
    >>> print(draw_cells(load_board("grid:2x2"), ["A1", "", "", "B2"]))
        a  b
     1  A1 ·
     2  ·  B2
    """
    shown = [cell or EMPTY for cell in cells]
    marks = [
        CHANGED if before is not None and before[vertex] != cell else ""
        for vertex, cell in enumerate(cells)
    ]
    if board.form == "network":
        if limits is None:
            limits = [0] * board.n_vertices if board.directed else board.thresholds.tolist()
        return _table(board, shown, marks, limits)
    return _rows(board, shown, marks, shift=board.form == "hexes")


def _rows(board: Board, cells: Sequence[str], marks: Sequence[str], *, shift: bool) -> str:
    """Draw rows of cells; `shift` moves each row half a cell further right, for hexes.

    A star replaces the space after its cell, so that columns stay aligned.
    """
    names = [_column_name(board.labels[column]) for column in range(board.columns)]
    width = max(map(len, [*cells, *names])) + 1
    width += width % 2 if shift else 0  # half of it is a whole number
    lines = ["    " + "".join(name.ljust(width) for name in names).rstrip()]
    for row in range(board.rows):
        here = range(row * board.columns, (row + 1) * board.columns)
        line = "".join((cells[vertex] + marks[vertex]).ljust(width) for vertex in here)
        indent = " " * (row * width // 2) if shift else ""
        lines.append(f"{indent}{_row_name(board.labels[here[0]]):>2}  {line}".rstrip())
    return "\n".join(lines)


def _column_name(label: str) -> str:
    """The part of a cell's label that names its column: `b` of `b3`, `5` of `4-5`."""
    return label.rpartition("-")[2] if "-" in label else label.rstrip("0123456789")


def _row_name(label: str) -> str:
    """The part of a cell's label that names its row: `3` of `b3`, `4` of `4-5`."""
    return label.partition("-")[0] if "-" in label else label.lstrip("abcdefghijklmnopqrstuvwxyz")


def _table(board: Board, cells: Sequence[str], marks: Sequence[str], limits: Sequence[int]) -> str:
    """List `label cell/limit` in as many columns as fit the width."""
    shown = list(range(board.n_vertices))
    if len(shown) > MOST_LISTED:
        shown = [vertex for vertex in shown if cells[vertex] != EMPTY][:MOST_LISTED]
    written = [f"/{limit}" if limit else "" for limit in limits]
    items = {
        vertex: f"{shorten(board.labels[vertex], LONGEST_LABEL)} {cells[vertex]}{written[vertex]}"
        for vertex in shown
    }
    width = max(map(len, items.values()), default=0) + 2
    n_rows = -(-len(items) // max(1, (WIDTH + 2) // width))
    fields = [(item + marks[vertex]).ljust(width) for vertex, item in items.items()]
    lines = ["".join(fields[row::n_rows]).rstrip() for row in range(n_rows)]
    if len(shown) < board.n_vertices:
        lines.append(f"({board.n_vertices - len(shown):,} more vertices are not shown)")
    return "\n".join(lines)
