"""Charts of findings, in the forms in which the papers draw them: bars, stacks, lines, curves."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, isfinite, log10
from textwrap import wrap
from typing import Any, NamedTuple

from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from topple.papers.engine.findings import ItemFindings, JudgedCell
from topple.papers.paper import Item, Number, Paper
from topple.papers.report.network_charts import WIDTH, boards_of, plot_networks
from topple.papers.report.tables import MEASURED, PUBLISHED, CellGrid, grids_of
from topple.papers.report.texts import measured_text, published_text
from topple.present.boards.canvas import halo
from topple.present.charts import Chart, cut, styled, write_inside
from topple.present.colours import BLUE, FAINT, INK, ORANGE, PALE, PAPER, SERIES

BARS, STACKED, LINES, CURVES, NETWORKS = "bars", "stacked", "lines", "curves", "networks"
FORMS = (BARS, STACKED, LINES, CURVES, NETWORKS)
CAPTIONS = {
    BARS: "Published values are hatched, measured ones full, with 95% intervals.",
    STACKED: "Published beside measured, with 95% intervals where parts meet.",
    LINES: "Measured values with 95% bands; what was published is hollow.",
    CURVES: "Computed.",
    NETWORKS: "Larger vertices have more neighbours; the vertices with the most are blue. "
    "Vertices with a changed threshold have a rim of another colour.",
}

LETTER = 0.6  # the width of a letter, relative to the size of the text
POINTS = 72  # to the inch
MOST_LINES = 4  # of a label below a chart

# Bars and stacks.
MOST_BARS = 36  # side by side
MOST_STACKS = 10  # with a word below each
WIDEST = 0.3  # the largest width of a bar, relative to its group
LONGEST_NAME = 90  # letters of an axis label
BARS_HEIGHT = 2.6  # inches
DARK, WHITE = "#1b1b1b", "#fefefe"  # of text on coloured ground
HATCH = "////"
NUMBER_SIZE = 7.0  # points
LEAST_SHARE = 5.0  # the percentage from which a part has room for its number

# Lines and curves.
LINES_HEIGHT = 3.3  # inches
SPAN = 20.0  # the ratio of largest to smallest number from which an axis is logarithmic
MOST_TICKS, MOST_LOGARITHMIC = 12, 24
MOST_MARKED = 25  # points of a curve that are all marked
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1.5, 1.5)))
BAND = 0.16  # the opacity of the bands of intervals
NAN = float("nan")


def chart_of(found: ItemFindings, paper: Paper) -> Chart | None:
    """The chart of an item; None if it has none, or nothing to draw is measured yet.

    Each choice that was measured has a panel after that of the item's own settings.
    """
    form = found.item.form
    if form == CURVES:
        return plot_curves(found.item, found.curves)
    if form == NETWORKS:
        return plot_networks(boards_of(found, paper))
    panels = [grid for grid in grids_of(found) if is_drawable(grid)]
    plots = {BARS: plot_bars, STACKED: plot_stacks, LINES: plot_lines}
    return plots[form](found.item, panels) if form in plots and panels else None


# -- what the forms share ---------------------------------------------------------------------


class PlottedNumber(NamedTuple):
    """A number to draw, with the ends of its interval; they are equal if it has none."""

    value: float
    low: float
    high: float


def published_number(cell: JudgedCell | None) -> PlottedNumber | None:
    """The published value of a cell, if it is a number."""
    number = None if cell is None else cell.cell.published
    if not isinstance(number, Number):
        return None
    margin = number.margin or 0.0
    return PlottedNumber(number.value, number.value - margin, number.value + margin)


def measured_number(cell: JudgedCell | None) -> PlottedNumber | None:
    """The measured value of a cell, if it is a number."""
    measured = None if cell is None else cell.measured
    if measured is None or isinstance(measured.value, bool | str):
        return None
    low, high = measured.low, measured.high
    value = float(measured.value)
    return PlottedNumber(value, value if low is None else low, value if high is None else high)


def is_drawable(grid: CellGrid) -> bool:
    """Whether any number of a grid was measured."""
    return any(measured_number(cell) is not None for cell in grid.cells.values())


def panel_titles(panels: Sequence[CellGrid]) -> list[str]:
    """The title of each panel; a single panel has none."""
    if len(panels) == 1 and panels[0].choice is None:
        return [""]
    return [cut(grid.title or "the item's own settings", 90) for grid in panels]


def fit_label(text: str, inches: float, size: float = 9.0) -> str:
    """A label wrapped to a width in inches, and cut if it takes too many lines.

    >>> fit_label("Alpha-Beta, all games", 0.9)
    'Alpha-Beta,\\nall games'
    """
    letters = max(6, int(inches * POINTS / (LETTER * size)))
    lines = wrap(text, letters, break_on_hyphens=False)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], cut(" ".join(lines[MOST_LINES - 1 :]), letters)]
    return "\n".join(lines)


def add_key(figure: Any, handles: Sequence[Any]) -> None:
    """Add a legend above all panels, in as many columns as fit."""
    if not handles:
        return
    for handle in handles:
        handle.set_label(cut(handle.get_label(), 60))
    longest = max(len(handle.get_label()) for handle in handles)
    room = int(figure.get_size_inches()[0] * POINTS / (LETTER * 8.0))
    columns = max(1, min(len(handles), room // (longest + 7)))
    figure.legend(
        handles=_by_rows(handles, columns),
        loc="outside upper left",
        ncols=columns,
        frameon=False,
        handlelength=1.8,
        fontsize=8,
    )


def key_height(labels: Sequence[str]) -> float:
    """The approximate height of a legend in inches."""
    longest = max(map(len, labels), default=1)
    columns = max(1, int(WIDTH * POINTS / (LETTER * 8.0)) // (min(longest, 60) + 7))
    return 0.2 * ceil(len(labels) / columns)


def _by_rows(handles: Sequence[Any], columns: int) -> list[Any]:
    """Handles reordered so that a legend, which fills columns first, reads row by row."""
    rows = ceil(len(handles) / columns)
    table = [handles[at : at + columns] for at in range(0, len(handles), columns)]
    full = len(handles) - (rows - 1) * columns  # in the last row
    return [
        table[row][column]
        for column in range(columns)
        for row in range(rows if column < full else rows - 1)
    ]


# -- bars and stacks --------------------------------------------------------------------------


@styled
def plot_bars(item: Item, panels: Sequence[CellGrid]) -> Chart:
    """A group of bars for each row, a colour for each column, published beside measured."""
    parts = [
        part
        for panel in zip(panels, panel_titles(panels), strict=True)
        for part in _in_parts(*panel, MOST_BARS // len(_slots(panel[0])))
    ]
    columns = list(dict.fromkeys(column for grid in panels for column in grid.columns))
    height = 0.3 + BARS_HEIGHT * len(parts) + key_height([*columns, PUBLISHED, MEASURED])
    chart = Chart(WIDTH, height, rows=len(parts))
    for axes, (grid, title) in zip(chart.axes[:, 0], parts, strict=True):
        _draw_bars(axes, grid, {name: _colour(place) for place, name in enumerate(columns)})
        axes.set_title(title, size=9)
        axes.set_ylabel(cut(item.axes[1]))
    chart.figure.supxlabel(cut(item.axes[0], LONGEST_NAME), size=9)
    add_key(chart.figure, list(_bar_keys(columns, panels)))
    return chart


def _in_parts(grid: CellGrid, title: str, n_rows: int) -> Iterator[tuple[CellGrid, str]]:
    """Parts of at most n_rows rows, so that bars are wide enough; the first has the title."""
    each = max(1, n_rows)
    for at in range(0, len(grid.rows), each):
        yield grid._replace(rows=grid.rows[at : at + each]), "" if at else title


def _slots(grid: CellGrid) -> list[tuple[str, str]]:
    """The bars of a group: for each column a published one, if there is any, and a measured one."""
    slots = []
    for column in grid.columns:
        cells = [grid.cells.get((row, column)) for row in grid.rows]
        if any(published_number(cell) for cell in cells):
            slots.append((column, PUBLISHED))
        slots.append((column, MEASURED))
    return slots


def _draw_bars(axes: Any, grid: CellGrid, colours: dict[str, str]) -> None:
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


def _draw_bar(
    axes: Any, x: float, shown: PlottedNumber, width: float, colour: str, kind: str
) -> None:
    """Draw a bar: measured ones are filled, published ones hatched."""
    style: dict[str, Any] = {"color": colour, "edgecolor": colour}
    if kind == PUBLISHED:
        style = {"facecolor": "none", "edgecolor": colour, "hatch": HATCH}
    axes.bar(x, shown.value, width, linewidth=1.0, **style)
    if shown.low < shown.high:
        axes.errorbar(
            x,
            shown.value,
            [[max(0.0, shown.value - shown.low)], [max(0.0, shown.high - shown.value)]],
            color=INK,
            linewidth=1.2,
            capsize=3,
        )


def _value_text(cell: JudgedCell, kind: str) -> str:
    """A number as in tables, without its interval."""
    text = (
        published_text(cell.cell.published) if kind == PUBLISHED else measured_text(cell.measured)
    )
    return text.partition(" ")[0]


def _write_value(axes: Any, x: float, shown: PlottedNumber, text: str, points: float) -> None:
    """Write the number at the end of a bar, rotated if the bar is thin."""
    is_wide = points >= LETTER * NUMBER_SIZE * len(text)
    up = shown.value >= 0
    axes.annotate(
        text,
        (x, max(0.0, shown.high) if up else min(0.0, shown.low)),
        (0, 3 if up else -3),
        size=NUMBER_SIZE,
        textcoords="offset points",
        ha="center",
        va="bottom" if up else "top",
        rotation=0 if is_wide else 90,
        path_effects=halo(),
    )


def _bar_keys(columns: Sequence[str], panels: Sequence[CellGrid]) -> Iterator[Any]:
    if len(columns) > 1 or columns[0]:
        yield from (Patch(color=_colour(place), label=name) for place, name in enumerate(columns))
    if any(grid.has_published for grid in panels):
        yield Patch(facecolor="none", edgecolor=FAINT, hatch=HATCH, label=PUBLISHED)
        yield Patch(color=FAINT, label=MEASURED)


@styled
def plot_stacks(item: Item, panels: Sequence[CellGrid]) -> Chart:
    """A stack for each row, with the first column on top; published beside measured.

    Figures 4 and 5 of the Spread-It paper are drawn in this way.
    """
    columns = list(dict.fromkeys(column for grid in panels for column in grid.columns))
    looks = _stack_looks(columns)
    parts = [
        part
        for panel in zip(panels, panel_titles(panels), strict=True)
        for part in _in_parts(*panel, MOST_STACKS // len(_kinds(panel[0])))
    ]
    chart = Chart(
        WIDTH, 0.3 + (BARS_HEIGHT + 1.0) * len(parts) + key_height(columns), rows=len(parts)
    )
    for axes, (grid, title) in zip(chart.axes[:, 0], parts, strict=True):
        _draw_stacks(axes, grid, looks)
        axes.set_title(title, size=9)
        axes.set_ylabel(cut(item.axes[1]) or "%")
    chart.figure.supxlabel(cut(item.axes[0], LONGEST_NAME), size=9)
    add_key(chart.figure, [Patch(color=looks[name][0], label=name) for name in columns])
    return chart


def _kinds(grid: CellGrid) -> list[str]:
    return [PUBLISHED, MEASURED] if grid.has_published else [MEASURED]


def _stack_looks(columns: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The colour of each part, and the colour of the text in it."""
    if len(columns) == 3:
        looks = [(BLUE, WHITE), (PALE, INK), (ORANGE, DARK)]
    else:
        looks = [
            (_colour(place), WHITE if place % 2 == 0 else DARK) for place in range(len(columns))
        ]
    return dict(zip(columns, looks, strict=True))


def _draw_stacks(axes: Any, grid: CellGrid, looks: dict[str, tuple[str, str]]) -> None:
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
    parts: dict[str, PlottedNumber | None],
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
                axes.plot(
                    [x + 0.4 * width] * 2,
                    [low, high],
                    color=INK,
                    linewidth=1.2,
                    marker="_",
                    markersize=4,
                    zorder=5,
                )


def _colour(place: int) -> str:
    return SERIES[place % len(SERIES)]


# -- lines and curves -------------------------------------------------------------------------


@styled
def plot_lines(item: Item, panels: Sequence[CellGrid]) -> Chart:
    """A line for each row over the columns; published points are hollow."""
    rows = list(dict.fromkeys(row for grid in panels for row in grid.rows))
    columns = min(2, len(panels))
    n_rows = ceil(len(panels) / columns)
    height = 0.3 + LINES_HEIGHT * n_rows + key_height([*rows, *("published" for _ in range(2))])
    chart = Chart(WIDTH, height, columns, n_rows, sharey=True)
    _hide_rest(chart, len(panels))
    titles = panel_titles(panels)
    for axes, grid, title in zip(chart.axes.flat, panels, titles, strict=False):
        _draw_lines(axes, grid, rows, 0.9 * WIDTH / columns)
        _set_title(axes, title, columns)
        axes.set_xlabel(cut(item.axes[0], 60))
    for axes in chart.axes[:, 0]:
        axes.set_ylabel(cut(item.axes[1], 40))
    add_key(chart.figure, list(_line_keys(rows, panels)))
    return chart


def _set_title(axes: Any, title: str, columns: int) -> None:
    """Set the title of a panel, cut to the room beside other panels."""
    axes.set_title(cut(title, 58 if columns > 1 else 110), size=9)


def _draw_lines(axes: Any, grid: CellGrid, rows: Sequence[str], inches: float) -> None:
    across = grid.numbers or [float(place) for place in range(len(grid.columns))]
    for row in grid.rows:
        look = _look(rows.index(row))
        cells = [grid.cells.get((row, column)) for column in grid.columns]
        numbers = [
            (x, shown)
            for x, cell in zip(across, cells, strict=True)
            if (shown := measured_number(cell)) is not None
        ]
        numbers.sort(key=lambda each: each[0])
        xs = [x for x, _ in numbers]
        axes.plot(xs, [shown.value for _, shown in numbers], markersize=4.5, **look)
        if any(shown.low < shown.high for _, shown in numbers):
            axes.fill_between(
                xs,
                [shown.low for _, shown in numbers],
                [shown.high for _, shown in numbers],
                color=look["color"],
                alpha=BAND,
                linewidth=0,
            )
        for x, cell in zip(across, cells, strict=True):
            published = published_number(cell)
            if published is not None:
                margin = published.high - published.value
                axes.errorbar(x, published.value, margin or None, **_hollow(look))
    _across(axes, across, [] if grid.numbers else grid.columns, inches)


def _hollow(look: Mapping[str, Any]) -> dict[str, Any]:
    """The style of a published point of a line."""
    return {
        "marker": look["marker"],
        "color": look["color"],
        "markerfacecolor": "none",
        "markersize": 9,
        "markeredgewidth": 1.4,
        "linestyle": "none",
        "capsize": 3,
        "zorder": 4,
    }


def _line_keys(rows: Sequence[str], panels: Sequence[CellGrid]) -> Iterator[Any]:
    if len(rows) > 1 or rows[0]:
        yield from (
            Line2D([], [], markersize=4.5, label=row, **_look(place))
            for place, row in enumerate(rows)
        )
    if any(grid.has_published for grid in panels):
        look = {**_look(0), "color": SERIES[-1]}
        hollow = _hollow(look)
        del hollow["capsize"]
        yield Line2D([], [], label="published", **hollow)


@styled
def plot_curves(item: Item, curves: Mapping[str, Any]) -> Chart | None:
    """The curves of computed facts, a panel for each fact; None if there are none."""
    facts = {name: fact for name, fact in curves.items() if is_curves(fact)}
    if not facts:
        return None
    labels = list(dict.fromkeys(label for fact in facts.values() for label in fact["series"]))
    columns = min(2, len(facts))
    n_rows = ceil(len(facts) / columns)
    chart = Chart(WIDTH, 0.3 + LINES_HEIGHT * n_rows + key_height(labels), columns, n_rows)
    _hide_rest(chart, len(facts))
    for axes, (name, fact) in zip(chart.axes.flat, facts.items(), strict=False):
        _draw_curves(axes, fact, labels, 0.9 * WIDTH / columns)
        title = str(fact.get("title") or (name if len(facts) > 1 else ""))
        _set_title(axes, title, columns)
        below, beside = fact.get("axes") or item.axes
        axes.set_xlabel(cut(str(below), 60))
        axes.set_ylabel(cut(str(beside), 40))
    n_points = max(len(fact["x"]) for fact in facts.values())
    add_key(chart.figure, list(_curve_keys(labels, n_points)))
    return chart


def is_curves(fact: object) -> bool:
    """Whether a computed fact can be drawn as curves.

    >>> is_curves({"x": [1, 2], "series": {"a": [3, 4]}}), is_curves({"x": []}), is_curves(7)
    (True, False, False)
    """
    match fact:
        case {"x": [_, *_], "series": {**series}}:
            return bool(series)
    return False


def _draw_curves(axes: Any, fact: Mapping[str, Any], labels: Sequence[str], inches: float) -> None:
    xs = list(fact["x"])
    words = [] if all(_is_number(x) for x in xs) else [str(x) for x in xs]
    across = [float(place) for place in range(len(xs))] if words else [float(x) for x in xs]
    for label, series in fact["series"].items():
        look = _look(labels.index(label))
        if len(xs) > MOST_MARKED:
            look["marker"] = ""
        estimated = isinstance(series, Mapping)
        values = _values(series.get("value", ()) if estimated else series, len(xs))
        axes.plot(across, values, markersize=4, **look)
        if estimated:
            low, high = (_values(series.get(end, ()), len(xs)) for end in ("low", "high"))
            axes.fill_between(across, low, high, color=look["color"], alpha=BAND, linewidth=0)
    _across(axes, across, words, inches)


def _curve_keys(labels: Sequence[str], n_points: int) -> Iterator[Any]:
    if len(labels) == 1 and not labels[0]:
        return
    for place, label in enumerate(labels):
        look = _look(place)
        if n_points > MOST_MARKED:
            look["marker"] = ""
        yield Line2D([], [], markersize=4, label=label, **look)


def _values(series: Sequence[Any], n: int) -> list[float]:
    """The first n numbers of a series, with NaN for what is missing."""
    values = [float(value) if _is_number(value) else NAN for value in list(series)[:n]]
    return values + [NAN] * (n - len(values))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _look(place: int) -> dict[str, Any]:
    """Colour, marker and dashes of a line; up to 21 lines differ in at least one of them."""
    return {
        "color": SERIES[place % len(SERIES)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": DASHES[place // len(SERIES) % len(DASHES)],
        "linewidth": 1.6,
    }


def _across(axes: Any, numbers: Sequence[float], words: Sequence[str], inches: float) -> None:
    """Set the ticks of the horizontal axis; it is logarithmic if few numbers span a wide range."""
    axes.grid(axis="both")
    if words:
        axes.set_xticks(list(numbers), [cut(word, 16) for word in words])
        crowded = sum(map(len, words)) * LETTER * 9 > 0.8 * inches * POINTS
        axes.tick_params(axis="x", rotation=40 if crowded else 0)
        return
    places = sorted(set(numbers))
    is_log = is_far(places)
    if is_log:
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
    ticks = with_room(places, inches, is_log=is_log)
    few = is_log or len(places) <= MOST_TICKS
    locator = FixedLocator(ticks) if few else MaxNLocator(int(1.2 * inches), steps=[1, 2, 5, 10])
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.6g}"))


def is_far(places: Sequence[float]) -> bool:
    """Whether numbers in increasing order are few and span a range for a logarithmic axis.

    >>> is_far([1, 10, 100]), is_far([0, 10, 100]), is_far(range(1, 101))
    (True, False, False)
    """
    few = len(places) <= MOST_LOGARITHMIC
    return few and places[0] > 0 and places[-1] > SPAN * places[0]


def with_room(places: Sequence[float], inches: float, *, is_log: bool) -> list[float]:
    """The ticks, of places in increasing order, whose labels do not overlap; the last one is kept.

    >>> with_room([1, 50, 98, 100], 4.0, is_log=False)
    [1, 50, 100]
    """
    along = [log10(place) if is_log else place for place in places]
    whole = (along[-1] - along[0]) or 1.0
    kept: list[float] = []
    free = float("inf")  # the left end of the label after this one, in inches
    for place, at in zip(reversed(places), reversed(along), strict=True):
        middle = inches * (at - along[0]) / whole
        half = LETTER * 9 * (len(f"{place:,.6g}") + 1) / POINTS / 2
        if middle + half <= free:
            kept.append(place)
            free = middle - half
    return kept[::-1]


def _hide_rest(chart: Chart, n: int) -> None:
    for axes in list(chart.axes.flat)[n:]:
        axes.set_visible(False)
