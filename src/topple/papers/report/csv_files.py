"""Findings for spreadsheets: one table for each item, a line for each value."""

import csv
import io
from collections.abc import Iterator

from topple.papers.engine.findings import ItemFindings, JudgedCell, PaperFindings
from topple.papers.paper import Number

COLUMNS = (
    "paper", "item", "section", "row", "column", "choice", "published", "margin", "measured",
    "low", "high", "games", "verdict",
)  # fmt: skip

# What a spreadsheet would take for a formula, and run.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def item_csv(found: ItemFindings, paper: PaperFindings) -> str:
    """The values of an item as CSV; what is missing is empty."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in found.cells:
        writer.writerow(map(_safe, _row(found, paper, each)))
    return stream.getvalue()


def _row(found: ItemFindings, paper: PaperFindings, each: JudgedCell) -> Iterator[object]:
    published, measured = each.cell.published, each.measured
    yield from (paper.paper.name, found.item.name, found.item.section)
    yield from (each.cell.row, each.cell.column, each.choice)
    if isinstance(published, Number):
        yield from (published.value, published.margin)
    else:
        yield from (published, None)
    if measured is None:
        yield from (None,) * 4
    else:
        yield from (measured.value, measured.low, measured.high, measured.games)
    yield each.verdict


def _safe(value: object) -> object:
    """A value as it is, except that no text is a formula.

    >>> _safe("=1+1"), _safe("-5"), _safe(-5), _safe(True)
    ("'=1+1", '-5', -5, 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str) or not value.startswith(_FORMULA) or _is_number(value):
        return value
    return f"'{value}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
