"""Bars side by side and in stacks, published beside measured."""

from collections.abc import Iterator, Sequence
from typing import Any

from topple.papers.engine.findings import JudgedCell
from topple.papers.paper import Item
from topple.papers.report.panels import (
    COLOURS,
    LETTER,
    POINTS,
    WIDTH,
    Shown,
    add_key,
    fit_label,
    key_height,
    measured_number,
    panel_titles,
    published_number,
)
from topple.papers.report.tables import MEASURED, PUBLISHED, Grid
from topple.papers.report.texts import measured_text, published_text
from topple.present.boards.canvas import halo
from topple.present.charts import Chart, cut, styled, write_inside
from topple.present.colours import BLUE, FAINT, INK, ORANGE, PALE, PAPER

MOST_BARS = 36  # beside each other
MOST_STACKS = 10  # with a word below each
WIDEST = 0.3  # a bar, as a part of its group's place
LONGEST_NAME = 90  # letters of what an axis is called
PANEL = 2.6  # inches
DARK, WHITE = "#1b1b1b", "#fefefe"  # ink on a coloured ground
HATCH = "////"
TEXT = 7.0  # points
LEAST_SHARE = 5.0  # percent that have room for their number


@styled
def plot_bars(item: Item, panels: Sequence[Grid]) -> Chart:
    """A group of bars for each row, a colour for each column, published beside measured."""
    parts = [part for panel in zip(panels, panel_titles(panels), strict=True)
             for part in _in_parts(*panel, MOST_BARS // len(_slots(panel[0])))]  # fmt: skip
    columns = list(dict.fromkeys(column for grid in panels for column in grid.columns))
    height = 0.3 + PANEL * len(parts) + key_height([*columns, PUBLISHED, MEASURED])
    chart = Chart(WIDTH, height, rows=len(parts))
    for axes, (grid, title) in zip(chart.axes[:, 0], parts, strict=True):
        _draw_bars(axes, grid, {name: _colour(place) for place, name in enumerate(columns)})
        axes.set_title(title, size=9)
        axes.set_ylabel(cut(item.axes[1]))
    chart.figure.supxlabel(cut(item.axes[0], LONGEST_NAME), size=9)
    add_key(chart.figure, list(_bar_keys(columns, panels)))
    return chart


def _in_parts(grid: Grid, title: str, n_rows: int) -> Iterator[tuple[Grid, str]]:
    """Parts of so many rows, lest bars be too thin; the title stands above the first."""
    each = max(1, n_rows)
    for at in range(0, len(grid.rows), each):
        yield grid._replace(rows=grid.rows[at : at + each]), "" if at else title


def _slots(grid: Grid) -> list[tuple[str, str]]:
    """The bars of a group: a column each, published where anything was, then measured."""
    slots = []
    for column in grid.columns:
        cells = [grid.cells.get((row, column)) for row in grid.rows]
        if any(published_number(cell) for cell in cells):
            slots.append((column, PUBLISHED))
        slots.append((column, MEASURED))
    return slots


def _draw_bars(axes: Any, grid: Grid, colours: dict[str, str]) -> None:
    slots = _slots(grid)
    width = min(0.84 / len(slots), WIDEST)
    bar_points = 0.9 * WIDTH * POINTS / max(len(grid.rows), 2) * width
    for place, row in enumerate(grid.rows):
        for number, (column, kind) in enumerate(slots):
            cell = grid.cells.get((row, column))
            shown = published_number(cell) if kind == PUBLISHED else measured_number(cell)
            if cell is not None and shown is not None:
                x = place + (number - (len(slots) - 1) / 2) * width
                _draw_bar(axes, x, shown, 0.9 * width, colours[column], kind)
                _write_value(axes, x, shown, _value_text(cell, kind), bar_points)
    inches = 0.9 * WIDTH / max(len(grid.rows), 2)
    axes.set_xticks(range(len(grid.rows)), [fit_label(row, inches) for row in grid.rows])
    spare = 0.5 + max(0.0, (2 - len(grid.rows)) / 2)
    axes.set_xlim(-spare, len(grid.rows) - 1 + spare)
    axes.tick_params(axis="x", length=0)
    axes.axhline(0, color=FAINT, linewidth=0.8)
    axes.margins(y=0.16)
    if not any(bar.get_height() < 0 for bar in axes.patches):
        axes.set_ylim(bottom=0)
    axes.grid(axis="y")


def _draw_bar(axes: Any, x: float, shown: Shown, width: float, colour: str, kind: str) -> None:
    """A bar: measured ones are full, published ones hatched."""
    style: dict[str, Any] = {"color": colour, "edgecolor": colour}
    if kind == PUBLISHED:
        style = {"facecolor": "none", "edgecolor": colour, "hatch": HATCH}
    axes.bar(x, shown.value, width, linewidth=1.0, **style)
    if shown.low < shown.high:
        axes.errorbar(x, shown.value, [[max(0.0, shown.value - shown.low)],
                      [max(0.0, shown.high - shown.value)]], color=INK, linewidth=1.2,
                      capsize=3)  # fmt: skip


def _value_text(cell: JudgedCell, kind: str) -> str:
    """A number as tables have it, without its interval."""
    text = (
        published_text(cell.cell.published) if kind == PUBLISHED else measured_text(cell.measured)
    )
    return text.partition(" ")[0]


def _write_value(axes: Any, x: float, shown: Shown, text: str, points: float) -> None:
    """The number at the end of a bar, upright where bars are thin."""
    is_wide = points >= LETTER * TEXT * len(text)
    up = shown.value >= 0
    axes.annotate(
        text, (x, max(0.0, shown.high) if up else min(0.0, shown.low)), (0, 3 if up else -3),
        size=TEXT, textcoords="offset points", ha="center", va="bottom" if up else "top",
        rotation=0 if is_wide else 90, path_effects=halo(),
    )  # fmt: skip


def _bar_keys(columns: Sequence[str], panels: Sequence[Grid]) -> Iterator[Any]:
    from matplotlib.patches import Patch

    if len(columns) > 1 or columns[0]:
        yield from (Patch(color=_colour(place), label=name) for place, name in enumerate(columns))
    if any(grid.has_published for grid in panels):
        yield Patch(facecolor="none", edgecolor=FAINT, hatch=HATCH, label=PUBLISHED)
        yield Patch(color=FAINT, label=MEASURED)


@styled
def plot_stacks(item: Item, panels: Sequence[Grid]) -> Chart:
    """A stack for each row, its parts the columns, the first on top; published beside measured.

    In the manner of Figures 4 and 5 of the Spread-It paper.
    """
    from matplotlib.patches import Patch

    columns = list(dict.fromkeys(column for grid in panels for column in grid.columns))
    looks = _stack_looks(columns)
    parts = [part for panel in zip(panels, panel_titles(panels), strict=True)
             for part in _in_parts(*panel, MOST_STACKS // len(_kinds(panel[0])))]  # fmt: skip
    chart = Chart(WIDTH, 0.3 + (PANEL + 1.0) * len(parts) + key_height(columns), rows=len(parts))
    for axes, (grid, title) in zip(chart.axes[:, 0], parts, strict=True):
        _draw_stacks(axes, grid, looks)
        axes.set_title(title, size=9)
        axes.set_ylabel(cut(item.axes[1]) or "%")
    chart.figure.supxlabel(cut(item.axes[0], LONGEST_NAME), size=9)
    add_key(chart.figure, [Patch(color=looks[name][0], label=name) for name in columns])
    return chart


def _kinds(grid: Grid) -> list[str]:
    return [PUBLISHED, MEASURED] if grid.has_published else [MEASURED]


def _stack_looks(columns: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The colour of each part, and that of the text in it."""
    if len(columns) == 3:
        looks = [(BLUE, WHITE), (PALE, INK), (ORANGE, DARK)]
    else:
        looks = [(_colour(place), WHITE if place % 2 == 0 else DARK)
                 for place in range(len(columns))]  # fmt: skip
    return dict(zip(columns, looks, strict=True))


def _draw_stacks(axes: Any, grid: Grid, looks: dict[str, tuple[str, str]]) -> None:
    kinds = _kinds(grid)
    width = 0.8 / len(kinds)
    ticks = []
    for place, row in enumerate(grid.rows):
        for number, kind in enumerate(kinds):
            x = place + (number - (len(kinds) - 1) / 2) * width
            number_of = published_number if kind == PUBLISHED else measured_number
            parts = {c: number_of(grid.cells.get((row, c))) for c in grid.columns}
            _draw_stack(axes, x, 0.92 * width, parts, looks)
            ticks.append((x, kind))
    inches = 0.9 * WIDTH / max(len(grid.rows), 2)
    axes.set_xticks([x for x, _ in ticks], [kind for _, kind in ticks], size=7.5)
    axes.tick_params(axis="x", length=0)
    below = axes.secondary_xaxis(location=0)
    labels = [f"\n{fit_label(row, inches)}" for row in grid.rows]
    below.set_xticks(range(len(grid.rows)), labels)
    below.tick_params(axis="x", length=0)
    spare = 0.5 + max(0.0, (2 - len(grid.rows)) / 2)
    axes.set_xlim(-spare, len(grid.rows) - 1 + spare)
    axes.set_ylim(0, max(100.0, axes.get_ylim()[1]))
    axes.grid(axis="y")


def _draw_stack(
    axes: Any,
    x: float,
    width: float,
    parts: dict[str, Shown | None],
    looks: dict[str, tuple[str, str]],
) -> None:
    bottom = 0.0
    for column, shown in reversed(parts.items()):
        if shown is None:
            continue
        colour, ink = looks[column]
        axes.bar(x, shown.value, width, bottom=bottom, color=colour, edgecolor=PAPER, linewidth=0.8)
        if shown.value >= LEAST_SHARE:
            text = f"{shown.value:.1f}"
            write_inside(axes, x, bottom + shown.value / 2, text, color=ink, size=8)
        bottom += shown.value
    values = [shown for shown in parts.values() if shown is not None]
    if len(values) > 1:
        top, last = values[0], values[-1]
        ends = [(last.low, last.high), (bottom - top.high, bottom - top.low)]
        for low, high in ends if len(values) > 2 else ends[:1]:
            if low < high:
                axes.plot([x + 0.4 * width] * 2, [low, high], color=INK, linewidth=1.2,
                          marker="_", markersize=4, zorder=5)  # fmt: skip


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]
