"""What the charts of reproduced papers have in common."""

from collections.abc import Sequence
from math import ceil
from textwrap import wrap
from typing import Any, NamedTuple

from topple.papers.engine.findings import JudgedCell
from topple.papers.paper import Number
from topple.papers.report.tables import Grid
from topple.present.charts import cut
from topple.present.colours import SERIES

WIDTH = 9.0  # inches
COLOURS = SERIES
LETTER = 0.6  # of a text's size: the width of a letter
POINTS = 72  # to the inch
MOST_LINES = 4  # of a label below a chart


class Shown(NamedTuple):
    """A number as it is drawn: with the ends of its interval, if it has one."""

    value: float
    low: float
    high: float


def published_number(cell: JudgedCell | None) -> Shown | None:
    """What was published, where it is a number."""
    number = None if cell is None else cell.cell.published
    if not isinstance(number, Number):
        return None
    margin = number.margin or 0.0
    return Shown(number.value, number.value - margin, number.value + margin)


def measured_number(cell: JudgedCell | None) -> Shown | None:
    """What was measured, where it is a number."""
    measured = None if cell is None else cell.measured
    if measured is None or isinstance(measured.value, bool | str):
        return None
    low, high = measured.low, measured.high
    value = float(measured.value)
    return Shown(value, value if low is None else low, value if high is None else high)


def is_drawable(grid: Grid) -> bool:
    """Whether any number of it was measured."""
    return any(measured_number(cell) is not None for cell in grid.cells.values())


def panel_titles(panels: Sequence[Grid]) -> list[str]:
    """What stands above each panel; one alone needs nothing."""
    if len(panels) == 1 and panels[0].choice is None:
        return [""]
    return [cut(grid.title or "the item's own settings", 90) for grid in panels]


def fit_label(text: str, inches: float, size: float = 9.0) -> str:
    """A label in as many lines as its place is narrow, cut where those are too many.

    >>> fit_label("Alpha-Beta, all games", 0.9)
    'Alpha-Beta,\\nall games'
    """
    letters = max(6, int(inches * POINTS / (LETTER * size)))
    lines = wrap(text, letters, break_on_hyphens=False)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], cut(" ".join(lines[MOST_LINES - 1 :]), letters)]
    return "\n".join(lines)


def add_key(figure: Any, handles: Sequence[Any]) -> None:
    """What colours and shapes mean, above all panels, in as many columns as there is room for."""
    if not handles:
        return
    for handle in handles:
        handle.set_label(cut(handle.get_label(), 60))
    longest = max(len(handle.get_label()) for handle in handles)
    room = int(figure.get_size_inches()[0] * POINTS / (LETTER * 8.0))
    columns = max(1, min(len(handles), room // (longest + 7)))
    figure.legend(
        handles=_by_rows(handles, columns), loc="outside upper left", ncols=columns, frameon=False,
        handlelength=1.8, fontsize=8,
    )  # fmt: skip


def key_height(labels: Sequence[str]) -> float:
    """About how many inches a key will take."""
    longest = max(map(len, labels), default=1)
    columns = max(1, int(WIDTH * POINTS / (LETTER * 8.0)) // (min(longest, 60) + 7))
    return 0.2 * ceil(len(labels) / columns)


def _by_rows(handles: Sequence[Any], columns: int) -> list[Any]:
    """Handles in the order that makes a legend, which goes down, read across."""
    rows = ceil(len(handles) / columns)
    table = [handles[at : at + columns] for at in range(0, len(handles), columns)]
    full = len(handles) - (rows - 1) * columns  # in the last row
    return [
        table[row][column]
        for column in range(columns)
        for row in range(rows if column < full else rows - 1)
    ]
