"""Table: rows of plain values under typed columns, shown as text, HTML, Markdown, CSV or data.

A column has a kind, which says how its values are written and on which side they stand. A value
may be a number, a text, None (nothing is known) or an estimate: a tuple of a value and the ends
of its interval. A text may have a second line, which pages print small and terminals leave out.
"""

import csv
import io
import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Literal, NamedTuple

from topple.core.text import WIDTH, one_line, shorten, wrapped
from topple.present.numbers import (
    certainty,
    elo_text,
    few_digits,
    milliseconds,
    regret_text,
)
from topple.present.page import element, wrap

NOTHING = "–"
GAP = 2  # columns between two columns
LEAST_WORDS = 12  # characters that a column of words keeps, if it has as many
LONGEST = 10_000  # characters of a text in Markdown

Estimate = tuple[float, float, float]  # a value with the low and the high end of its interval


class Kind(NamedTuple):
    """How the values of a column are written.

    `text` writes a value without its unit, which follows it. `html`, if given, writes a value
    as HTML. Columns of words stand at the left, and may be wrapped where there is little room;
    with `may_wrap` other columns may be wrapped, too.
    """

    text: Callable[[Any], str]
    unit: str = ""
    is_words: bool = False
    html: Callable[[Any], str] | None = None
    may_wrap: bool = False

    def one(self, value: Any) -> str:
        """A value with its unit."""
        return f"{self.text(value)}{self.unit}"

    def interval(self, estimate: Estimate) -> str:
        """`60.1% to 65.0%`."""
        return f"{self.one(estimate[1])} to {self.one(estimate[2])}"

    def half(self, estimate: Estimate) -> str:
        """`62.5±2.4%`: a value with half the width of its interval."""
        value, low, high = estimate
        return f"{self.text(value)}±{self.text((high - low) / 2)}{self.unit}"


WORDS = Kind(str, is_words=True)
FIGURE = Kind(str)  # a number that is written out already
COUNT = Kind("{:,}".format)
NUMBER = Kind(few_digits)
MIXED = Kind(few_digits, is_words=True)  # words, and numbers among them
MEAN = Kind("{:.1f}".format)
PERCENT = Kind(lambda rate: f"{100 * rate:.1f}", "%")
ELO = Kind(elo_text)
CERTAINTY = Kind(certainty)
MILLISECONDS = Kind(milliseconds)
REGRET = Kind(regret_text)


def interval_of(kind: Kind) -> Kind:
    """The kind of a column that shows only the intervals of estimates."""
    return Kind(kind.interval)


class Column(NamedTuple):
    """A column of a table.

    Attributes
    ----------
    head : str
        Its title; a line break is kept in terminals.
    kind : Kind
        How its values are written.
    interval : str
        Where the interval of an estimate stands: `below` its value on pages and nowhere in
        terminals; `half` is the same on pages, and ± half its width in terminals.
    is_extra : bool
        Left out in terminals, which have less room.
    is_optional : bool
        Left out where all its values are None, zero or empty.
    key : str
        Its name in CSV and data; the head unless given.
    """

    head: str
    kind: Kind = WORDS
    interval: Literal["", "below", "half"] = ""
    is_extra: bool = False
    is_optional: bool = False
    key: str = ""

    @property
    def name(self) -> str:
        """Its name in CSV and data."""
        return self.key or self.head

    def lines(self, value: Any) -> tuple[str, str]:
        """What is shown of a value on a page: a line and, small below it, another or nothing."""
        if value is None:
            return NOTHING, ""
        if self.interval:
            return self.kind.one(value[0]), self.kind.interval(value)
        first, _, second = self.kind.one(value).partition("\n")
        return first, second

    def short(self, value: Any) -> str:
        """What is shown of a value in a terminal."""
        if value is not None and self.interval == "half":
            return self.kind.half(value)
        return self.lines(value)[0]


@dataclass(frozen=True)
class Table:
    """Rows of plain values, with what is to be known of their columns.

    Attributes
    ----------
    columns : sequence of Column
        From left to right. The first column of words names the rows.
    rows : sequence of sequences
        A value for each column.
    caption : str
        What a page says above it.
    n_names : int
        How many of the first columns name the rows; they are repeated where a wide table is cut
        into several. 0: those up to the first column of words.
    notes : sequence of str
        Sentences below it in terminals and Markdown; on a page they belong to the caption.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    caption: str = ""
    notes: Sequence[str] = ()
    n_names: int = 0

    @classmethod
    def of(
        cls, heads: Sequence[str], rows: Sequence[Sequence[Any]], right: Container[str] = ()
    ) -> "Table":
        """A table of values of any kind.

        Columns of numbers alone, and those with their heads in `right`, stand at the right.
        """
        columns = []
        for i, head in enumerate(heads):
            is_right = head in right or all(isinstance(row[i], int | float) for row in rows)
            columns.append(Column(head, NUMBER if is_right else MIXED))
        return cls(columns, rows)

    def _shown(self, *, extra: bool) -> "Table":
        """Without empty optional columns and, unless asked for, without extra ones."""
        places = [
            i
            for i, column in enumerate(self.columns)
            if (extra or not column.is_extra)
            and (not column.is_optional or any(row[i] for row in self.rows))
        ]
        columns = [self.columns[i] for i in places]
        return replace(self, columns=columns, rows=[[row[i] for i in places] for row in self.rows])

    # In a terminal.

    @property
    def width(self) -> int:
        """How many columns of a terminal it takes, when nothing is wrapped."""
        grid = self._shown(extra=False)._texts()
        return sum(map(_widest, zip(*grid, strict=True))) + GAP * (len(grid[0]) - 1)

    def text(self, width: int = WIDTH) -> str:
        """The table for a terminal of so many columns.

        Where it is too wide, heads are wrapped between words, then columns of words. A table
        that is still too wide is cut into several below each other, each with the columns that
        name the rows. Numbers and intervals are never wrapped.
        """
        table = self._shown(extra=False)
        parts = [
            _aligned(*part) for part in _fitted(table.columns, table._texts(), self.n_names, width)
        ]
        notes = [wrapped(note, indent=0, width=width) for note in self.notes]
        return "\n".join(["\n\n".join(parts), *notes])

    def _texts(self) -> list[list[str]]:
        """The heads, then each row, as they are written in a terminal."""
        heads = [column.head for column in self.columns]
        rows = [
            [column.short(value) for column, value in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]
        return [heads, *rows]

    # Elsewhere.

    def html(self) -> str:
        """The table for a page; wide ones scroll by themselves."""
        table = self._shown(extra=True)
        caption = "; ".join(filter(None, [self.caption, *self.notes]))
        names_row = next((i for i, each in enumerate(table.columns) if each.kind.is_words), 0)
        heads = "".join(
            element("th", column.head.replace("\n", " "), scope="col", **_side(column))
            for column in table.columns
        )
        rows = []
        for row in table.rows:
            cells = ""
            for i, (column, value) in enumerate(zip(table.columns, row, strict=True)):
                attributes = _side(column) | ({"scope": "row"} if i == names_row else {})
                name = "th" if i == names_row else "td"
                cells += wrap(name, [_cell(column, value)], **attributes)
            rows.append(wrap("tr", [cells]))
        parts = [
            wrap("caption", [element("span", caption)]),
            wrap("thead", [wrap("tr", [heads])]),
            wrap("tbody", rows),
        ]
        # Wide tables scroll by themselves, also from the keyboard, and the page does not.
        region = {"class_": "scroll", "tabindex": "0", "role": "region", "aria_label": caption}
        return wrap("div", [wrap("table", parts)], **region)

    def markdown(self) -> str:
        """The table in Markdown, with its notes as sentences below it."""
        table = self._shown(extra=True)
        rules = [":--" if column.kind.is_words else "--:" for column in table.columns]
        heads, *rows = table._texts()
        lines = [_markdown_row(heads), f"| {' | '.join(rules)} |", *map(_markdown_row, rows)]
        return "\n\n".join(["\n".join(lines), *(f"{markdown_text(note)}." for note in self.notes)])

    def csv(self) -> str:
        """All values as CSV; nothing is rounded, and what is missing is empty."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([name for column in self.columns for name in _csv_names(column)])
        for row in self.rows:
            cells = zip(self.columns, row, strict=True)
            writer.writerow([_safe(part) for cell in cells for part in _csv_parts(*cell)])
        return stream.getvalue()

    def data(self) -> list[dict[str, Any]]:
        """Each row by its columns' names; an estimate is a list of value, low and high."""
        names = [column.name for column in self.columns]
        return [
            {name: list(value) if isinstance(value, tuple) else value
             for name, value in zip(names, row, strict=True)}
            for row in self.rows
        ]  # fmt: skip


def markdown_text(text: str) -> str:
    """A text that Markdown shows as it is, on one line.

    >>> print(markdown_text("a_b|<c>"))
    a\\_b\\|\\<c\\>
    """
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", one_line(text, LONGEST))


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(markdown_text, cells))} |"


def _side(column: Column) -> dict[str, str]:
    return {"class_": "words"} if column.kind.is_words else {}


def _cell(column: Column, value: Any) -> str:
    if value is not None and column.kind.html is not None:
        return column.kind.html(value)
    first, second = column.lines(value)
    return escape(first) + (element("small", second) if second else "")


def _csv_names(column: Column) -> list[str]:
    name = column.name
    return [name, f"{name}_low", f"{name}_high"] if column.interval else [name]


def _csv_parts(column: Column, value: Any) -> Sequence[Any]:
    if not column.interval:
        return [value]
    return (None, None, None) if value is None else value


# What a spreadsheet would take for a formula, and run.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _safe(value: Any) -> Any:
    """A value for CSV: as it is, except that no text is a formula.

    >>> _safe("=1+1"), _safe("-5"), _safe(-5), _safe(True)
    ("'=1+1", '-5', -5, 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value.startswith(_FORMULA) and not _is_number(value):
        return f"'{value}"
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


# How a table finds room in a terminal.

_Grid = list[list[str]]  # heads, then rows
_Part = tuple[Sequence[Column], _Grid, list[int]]  # some columns with their texts and widths


def _fitted(columns: Sequence[Column], grid: _Grid, names: int, room: int) -> list[_Part]:
    """Columns with their texts and widths; several parts where they do not fit side by side."""
    if not columns:
        return []
    widths = [_widest(texts) for texts in zip(*grid, strict=True)]
    least = [_least(*each) for each in zip(columns, zip(*grid, strict=True), strict=True)]
    shrunk = _shrunk(widths, least, room)
    if shrunk is not None:
        return [(columns, grid, shrunk)]
    first_words = next((i for i, column in enumerate(columns) if column.kind.is_words), 0)
    labels = names or 1 + first_words
    parts: list[_Part] = []
    end = labels
    while end < len(columns):
        start, end = end, end + 1
        while end < len(columns) and _total(least[:labels] + least[start : end + 1]) <= room:
            end += 1
        places = [*range(labels), *range(start, end)]
        few = [widths[i] for i in places], [least[i] for i in places]
        fitting = _shrunk(*few, room) or few[1]
        parts.append(
            ([columns[i] for i in places], [[row[i] for i in places] for row in grid], fitting)
        )
    return parts or [(columns, grid, least)]


def _shrunk(widths: Sequence[int], least: Sequence[int], room: int) -> list[int] | None:
    """Widths that fit into a room, the widest giving way first; None if there are none.

    >>> _shrunk([40, 12], [12, 12], 44)
    [30, 12]
    """
    found = list(widths)
    while _total(found) > room:
        wide = [i for i, width in enumerate(found) if width > least[i]]
        if not wide:
            return None
        found[max(wide, key=lambda i: found[i])] -= 1
    return found


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _widest(texts: Sequence[str]) -> int:
    return max(len(line) for text in texts for line in text.split("\n"))


def _least(column: Column, texts: Sequence[str]) -> int:
    """The narrowest that a column may get: words are wrapped, numbers never are."""
    head, *cells = texts
    longest = max(map(len, head.split()), default=0)
    widest = max(map(len, cells), default=0)
    wraps = column.kind.is_words or column.kind.may_wrap
    return max(longest, min(widest, LEAST_WORDS) if wraps else widest)


def _aligned(columns: Sequence[Column], grid: _Grid, widths: Sequence[int]) -> str:
    lines = []
    for row in grid:
        cells = [_wrapped(text, width) for text, width in zip(row, widths, strict=True)]
        for i in range(max(map(len, cells))):
            line = [
                _beside(cell[i] if i < len(cell) else "", width, column)
                for column, cell, width in zip(columns, cells, widths, strict=True)
            ]
            lines.append((" " * GAP).join(line).rstrip())
    return "\n".join(lines)


def _beside(text: str, width: int, column: Column) -> str:
    return text.ljust(width) if column.kind.is_words else text.rjust(width)


def _pieces(text: str) -> list[str]:
    """A text in pieces between which a line may end: words, and parts of specs.

    >>> _pieces("uct:iterations=1000,c=1 won")
    ['uct:', 'iterations=', '1000,', 'c=', '1 ', 'won']
    """
    return re.findall(r"[^\s,;:/=]*[\s,;:/=]+|[^\s,;:/=]+", text)


def _wrapped(text: str, width: int) -> list[str]:
    """A text in lines; a piece that is too long for a line is cut.

    >>> _wrapped("Ana de la Cruz", 10), _wrapped("Acciaiuoli-Strozzi", 10)
    (['Ana de la', 'Cruz'], ['Acciaiuol…'])
    """
    lines = [""]
    if all(len(line) <= width for line in text.split("\n")):
        return text.split("\n")
    for part in text.split("\n"):
        for word in part.split(" "):
            if len(f"{lines[-1]} {word}".strip()) <= width:
                lines[-1] = f"{lines[-1]} {word}".strip()
                continue
            for piece in [word] if len(word) <= width else _pieces(word):
                if len(lines[-1]) + len(piece) > width or (piece == word and lines[-1]):
                    lines.append("")
                lines[-1] += shorten(piece, width)
        lines.append("")
    return [line for line in lines if line] or [""]
