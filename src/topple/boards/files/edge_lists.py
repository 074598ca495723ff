"""Edge lists: CSV, TSV and columns separated by blanks."""

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from topple.boards.board import MAX_EDGES, MAX_VERTICES
from topple.boards.draft import Draft
from topple.boards.edge_times import draft_of_edges, has_times
from topple.boards.files.cleaning import GivenEdge, clean_edges
from topple.core.errors import BadBoard
from topple.core.text import one_line

# Names of columns that mark a line as the header. The first pair that is there names the ends:
# beside another one, from and to are times.
_END_NAMES = (("source", "target"), ("src", "dst"), ("from", "to"))
_COMMENT_MARKS = ("#", "%")
_SAMPLE = 10_000  # characters of a line that tell what separates its columns
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?")
_COLUMN_NAME = re.compile(r"\w[\w .()-]*")
_HEADER = "line {} looks like a header: call the columns source, target, weight"

Row = tuple[int, list[str]]  # line number, cells


def read_separated(text: str, separator: str, directed: bool, strict: bool = False) -> Draft:
    """Read an edge list whose columns are separated by a character.

    A strict draft has every line as it is; else repeated edges are merged and loops dropped.

    Raises
    ------
    BadBoard
        If a line is not an edge, or there are too many.

    Examples
    --------
    >>> read_separated("source,target\\nann,bob\\nbob,cid\\n", ",", False).names
    ['ann', 'bob', 'cid']
    """
    if separator == "," and _has_semicolons(text):
        separator = ";"
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)

    def rows() -> Iterator[Row]:
        try:
            for cells in reader:
                yield reader.line_num, cells
        except csv.Error as error:
            raise BadBoard(f"line {reader.line_num}: {one_line(error)}") from None

    return _read_rows(rows(), directed, strict)


def _has_semicolons(text: str) -> bool:
    """Whether semicolons separate the columns: spreadsheets write them beside decimal commas."""
    lines = (line for line in io.StringIO(text) if line.strip(" \t\r\n;,"))
    first = next((line for line in lines if not line.startswith(_COMMENT_MARKS)), "")
    start = first[:_SAMPLE]
    counts = [len(next(csv.reader([start], delimiter=mark), [])) for mark in ";,"]
    return counts[0] > counts[1]


def read_columns(text: str, directed: bool, strict: bool = False) -> Draft:
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
    rows = ((number, _without_braces(line.split())) for number, line in lines)
    return _read_rows(rows, directed, strict)


def _without_braces(cells: list[str]) -> list[str]:
    # NetworkX writes {} at the end of an edge without attributes.
    return cells[:-1] if cells and cells[-1] == "{}" else cells


def _read_rows(rows: Iterable[Row], directed: bool, strict: bool) -> Draft:
    lines = _data_lines(rows)
    first = list(islice(lines, 2))  # the second line tells whether the first is a header
    columns = _header(first[0][1]) if first else []
    has_header = bool(columns)
    if has_header:
        first.pop(0)
    else:
        columns = ["source", "target", "weight"]
        _refuse_header(first)
    edges: list[GivenEdge] = []
    vertex_of: dict[str, int] = {}
    for number, cells in chain(first, lines):
        edges.append(_read_edge(vertex_of, _row(number, cells, columns)))
        # Checked here, so that reading a huge file stops early.
        if len(edges) > MAX_EDGES:
            raise BadBoard(f"more than {MAX_EDGES:,} edges are too many")
        if len(vertex_of) > MAX_VERTICES:
            raise BadBoard(f"more than {MAX_VERTICES:,} vertices are too many")
    if not edges:
        raise BadBoard("it has no edges")
    names = list(vertex_of)
    if not has_header and _is_header_over_numbers(names):
        raise BadBoard(_HEADER.format(first[0][0]))
    return _draft(directed, names, edges, strict)


def _draft(directed: bool, names: list[str], edges: list[GivenEdge], strict: bool) -> Draft:
    """The edges as they are or, unless they have times, without repetitions and loops."""
    if strict or any(has_times(attributes) for _, attributes in edges):
        return draft_of_edges(directed, names, edges)
    kept, notes = clean_edges(directed, edges)
    if not kept:
        raise BadBoard("it has no edges but loops")
    draft = draft_of_edges(directed, names, kept)
    draft.notes = notes
    return draft


def _data_lines(rows: Iterable[Row]) -> Iterator[Row]:
    """The lines that are neither blank nor comments."""
    for number, raw in rows:
        cells = [cell.strip() for cell in raw]
        if any(cells) and not cells[0].startswith(_COMMENT_MARKS):
            yield number, cells


def _refuse_header(first: list[Row]) -> None:
    """Refuse a first line that is no edge, but has the names of columns."""
    number, cells = first[0] if first else (0, [])
    others = [_is_number(cell) for cell in cells[2:]]
    if not others or any(others) or not all(map(_COLUMN_NAME.fullmatch, cells)):
        return
    weights = [cell for _, line in first[1:] for cell in line[2:3]]
    if len(others) > 1 or any(map(_is_number, weights)):
        raise BadBoard(_HEADER.format(number))


def _is_header_over_numbers(names: list[str]) -> bool:
    """Whether the first line's ends are words and all others are numbers."""
    words = [name for name in names[:3] if not name.isdecimal()]
    return len(names) > 3 and words == names[:2] and all(map(str.isdecimal, names[2:]))


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
    weight = _number(cell)
    if not math.isfinite(weight):
        raise BadBoard(f"line {number}: the weight {one_line(cell, 24)!r} is not a number")
    return weight


def _number_or_text(cell: str) -> object:
    number = _number(cell)
    return number if math.isfinite(number) else cell or None


def _is_number(cell: str) -> bool:
    return not math.isnan(_number(cell)) or cell.lower() == "nan"


def _number(cell: str) -> float:
    """A cell as a number, perhaps with a decimal comma; NaN if it is none."""
    if _DECIMAL_COMMA.fullmatch(cell):
        cell = cell.replace(",", ".")
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _read_edge(vertex_of: dict[str, int], row: dict[str, Any]) -> GivenEdge:
    """An edge with its attributes; names that are new become vertices."""
    tail, head = (
        vertex_of.setdefault(name, len(vertex_of))
        for name in (row.pop("source"), row.pop("target"))
    )
    return (tail, head), {name: value for name, value in row.items() if name and value is not None}
