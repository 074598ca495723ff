"""Positions drawn for a terminal: squares, hexes, and a compact table for a network."""

from collections.abc import Sequence

from topple.boards import Board

WIDTH = 80
MOST_LISTED = 400  # vertices of a network; beyond that only those that bear something
EMPTY, CHANGED = "·", "*"


def draw_cells(board: Board, cells: Sequence[str], before: Sequence[str] | None = None) -> str:
    """Draw what is on the vertices; those that differ from `before` bear a star.

    >>> from topple.boards import load_board
    >>> print(draw_cells(load_board("grid:2x2"), ["A1", "", "", "B2"]))
        a  b
     1  A1 ·
     2  ·  B2
    """
    marked = [
        (cell or EMPTY) + (CHANGED if before is not None and before[vertex] != cell else "")
        for vertex, cell in enumerate(cells)
    ]
    if board.form == "network":
        return _table(board, marked)
    return _rows(board, marked, shift=board.form == "hexes")


def _rows(board: Board, cells: Sequence[str], *, shift: bool) -> str:
    """Rows of cells; on a board of hexes each row stands half a cell further right."""
    names = [board.labels[column] for column in range(board.columns)]
    width = max(len(cell) for cell in [*cells, *map(_column_name, names)])
    width += (width + 1) % 2 if shift else 0  # half of a cell and its space is a whole number
    head = " ".join(_column_name(name).ljust(width) for name in names)
    lines = [f"    {head}".rstrip()]
    for row in range(board.rows):
        first = row * board.columns
        line = " ".join(cell.ljust(width) for cell in cells[first : first + board.columns])
        indent = " " * (row * (width + 1) // 2) if shift else ""
        lines.append(f"{indent}{_row_name(board.labels[first]):>2}  {line}".rstrip())
    return "\n".join(lines)


def _column_name(label: str) -> str:
    """The part of a cell's label that names its column: `b` of `b3`, `5` of `4-5`."""
    return label.rpartition("-")[2] if "-" in label else label.rstrip("0123456789")


def _row_name(label: str) -> str:
    """The part of a cell's label that names its row: `3` of `b3`, `4` of `4-5`."""
    return label.partition("-")[0] if "-" in label else label.lstrip("abcdefghijklmnopqrstuvwxyz")


def _table(board: Board, cells: Sequence[str]) -> str:
    """As many columns of `label cell/threshold` as fit the width."""
    shown = list(range(board.n_vertices))
    if len(shown) > MOST_LISTED:
        shown = [vertex for vertex in shown if cells[vertex] != EMPTY][:MOST_LISTED]
    limits = [f"/{limit}" if not board.directed else "" for limit in board.thresholds]
    items = [f"{_short(board.labels[vertex])} {cells[vertex]}{limits[vertex]}" for vertex in shown]
    width = max(map(len, items), default=0)
    n_columns = max(1, (WIDTH + 2) // (width + 2))
    n_rows = -(-len(items) // n_columns)
    lines = [
        "  ".join(item.ljust(width) for item in items[row::n_rows]).rstrip()
        for row in range(n_rows)
    ]
    if len(shown) < board.n_vertices:
        lines.append(f"({board.n_vertices - len(shown):,} more vertices are not shown)")
    return "\n".join(lines)


def _short(label: str) -> str:
    return label if len(label) <= 24 else f"{label[:23]}…"
