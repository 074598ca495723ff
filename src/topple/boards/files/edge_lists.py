"""Edge lists: CSV, TSV and columns separated by blanks."""

import csv
import io
import math
from collections.abc import Iterable, Iterator
from typing import Any

from topple.boards.board import MAX_EDGES, MAX_VERTICES
from topple.boards.draft import Draft, Edge
from topple.boards.edge_times import draft_of_edges
from topple.core.errors import BadBoard
from topple.core.text import one_line

# Names of columns that mark a line as the header. The first pair that is there names the ends:
# beside another one, from and to are times.
_END_NAMES = (("source", "target"), ("src", "dst"), ("from", "to"))
_COMMENT_MARKS = ("#", "%")

Row = tuple[int, list[str]]  # line number, cells


def read_separated(text: str, separator: str, directed: bool) -> Draft:
    """Read an edge list whose columns are separated by a character.

    Raises
    ------
    BadBoard
        If a line is not an edge, or there are too many.

    Examples
    --------
    >>> read_separated("source,target\\nann,bob\\nbob,cid\\n", ",", False).names
    ['ann', 'bob', 'cid']
    """
    first = text.partition("\n")[0]
    if separator == "," and "," not in first and ";" in first:
        separator = ";"  # spreadsheets write it where the comma is the decimal mark
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)

    def rows() -> Iterator[Row]:
        try:
            for cells in reader:
                yield reader.line_num, cells
        except csv.Error as error:
            raise BadBoard(f"line {reader.line_num}: {one_line(error)}") from None

    return _read_rows(rows(), directed)


def read_columns(text: str, directed: bool) -> Draft:
    """Read an edge list whose columns are separated by blanks.

    Raises
    ------
    BadBoard
        If a line is not an edge, or there are too many.

    Examples
    --------
    >>> read_columns("1 2\\n2 3 0.5\\n", False).edges
    [(0, 1), (1, 2)]
    """
    lines = enumerate(io.StringIO(text), start=1)
    return _read_rows(((number, _without_braces(line.split())) for number, line in lines), directed)


def _without_braces(cells: list[str]) -> list[str]:
    # NetworkX writes {} at the end of an edge without attributes.
    return cells[:-1] if cells and cells[-1] == "{}" else cells


def _read_rows(rows: Iterable[Row], directed: bool) -> Draft:
    edges: list[tuple[Edge, dict[str, Any]]] = []
    vertex_of: dict[str, int] = {}
    columns: list[str] | None = None
    for number, raw in rows:
        cells = [cell.strip() for cell in raw]
        if not any(cells) or cells[0].startswith(_COMMENT_MARKS):
            continue
        if columns is None:
            columns = _header(cells)
            if columns:
                continue
            columns = ["source", "target", "weight"]
        edges.append(_read_edge(vertex_of, _row(number, cells, columns)))
        # Checked here, so that reading a huge file stops early.
        if len(edges) > MAX_EDGES:
            raise BadBoard(f"more than {MAX_EDGES:,} edges are too many")
        if len(vertex_of) > MAX_VERTICES:
            raise BadBoard(f"more than {MAX_VERTICES:,} vertices are too many")
    if not edges:
        raise BadBoard("it has no edges")
    return draft_of_edges(directed, list(vertex_of), edges)


def _header(cells: list[str]) -> list[str]:
    """The names of the columns, or an empty list if the line is an edge."""
    names = [cell.lower() for cell in cells]
    for source, target in _END_NAMES:
        if source in names and target in names:
            names[names.index(source)], names[names.index(target)] = "source", "target"
            return names
    return []


def _row(number: int, cells: list[str], columns: list[str]) -> dict[str, Any]:
    if len(cells) < 2:
        raise BadBoard(f"line {number} has one column: write source and target")
    if len(cells) > len(columns):
        raise BadBoard(
            f"line {number} has {len(cells)} columns, at most {len(columns)} are expected: "
            "write source, target and weight, or a first line that names the columns"
        )
    row: dict[str, Any] = dict(zip(columns, cells, strict=False))
    if not row.get("source") or not row.get("target"):
        raise BadBoard(f"line {number} lacks a source or a target")
    for name, cell in row.items():
        if name not in {"source", "target"}:
            row[name] = _weight(number, cell) if name == "weight" else _number_or_text(cell)
    return row


def _weight(number: int, cell: str) -> float | None:
    if not cell:
        return None
    try:
        weight = float(cell)
    except ValueError:
        weight = math.nan
    if not math.isfinite(weight):
        raise BadBoard(f"line {number}: the weight {one_line(cell, 24)!r} is not a number")
    return weight


def _number_or_text(cell: str) -> object:
    try:
        number = float(cell)
    except ValueError:
        return cell or None
    return number if math.isfinite(number) else cell


def _read_edge(vertex_of: dict[str, int], row: dict[str, Any]) -> tuple[Edge, dict[str, Any]]:
    """An edge with its attributes; names that are new become vertices."""
    tail, head = (
        vertex_of.setdefault(name, len(vertex_of))
        for name in (row.pop("source"), row.pop("target"))
    )
    return (tail, head), {name: value for name, value in row.items() if name and value is not None}
