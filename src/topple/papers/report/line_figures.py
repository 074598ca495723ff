"""Lines over numbers: measured with their intervals, published points, computed curves."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, isfinite, log10
from typing import Any

from topple.papers.paper import Item
from topple.papers.report.panels import (
    COLOURS,
    LETTER,
    POINTS,
    WIDTH,
    add_key,
    key_height,
    measured_number,
    panel_titles,
    published_number,
)
from topple.papers.report.tables import Grid
from topple.present.charts import Chart, cut, styled

PANEL = 3.3  # inches
SPAN = 20.0  # from the least to the largest number, beyond which the axis is logarithmic
MOST_TICKS, MOST_LOGARITHMIC = 12, 24
MOST_MARKED = 25  # points of a curve that bear a mark each
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1.5, 1.5)))
BAND = 0.16  # how dense the bands of intervals are
NAN = float("nan")


@styled
def plot_lines(item: Item, panels: Sequence[Grid]) -> Chart:
    """A line for each row over the columns; published points are hollow."""
    rows = list(dict.fromkeys(row for grid in panels for row in grid.rows))
    columns = min(2, len(panels))
    n_rows = ceil(len(panels) / columns)
    height = 0.3 + PANEL * n_rows + key_height([*rows, *("published" for _ in range(2))])
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
    """Name a panel, in as many letters as there is room for beside others."""
    axes.set_title(cut(title, 58 if columns > 1 else 110), size=9)


def _draw_lines(axes: Any, grid: Grid, rows: Sequence[str], inches: float) -> None:
    across = grid.numbers or [float(place) for place in range(len(grid.columns))]
    for row in grid.rows:
        look = _look(rows.index(row))
        cells = [grid.cells.get((row, column)) for column in grid.columns]
        numbers = [(x, shown) for x, cell in zip(across, cells, strict=True)
                   if (shown := measured_number(cell)) is not None]  # fmt: skip
        numbers.sort(key=lambda each: each[0])
        xs = [x for x, _ in numbers]
        axes.plot(xs, [shown.value for _, shown in numbers], markersize=4.5, **look)
        if any(shown.low < shown.high for _, shown in numbers):
            axes.fill_between(xs, [shown.low for _, shown in numbers],
                              [shown.high for _, shown in numbers], color=look["color"],
                              alpha=BAND, linewidth=0)  # fmt: skip
        for x, cell in zip(across, cells, strict=True):
            published = published_number(cell)
            if published is not None:
                margin = published.high - published.value
                axes.errorbar(x, published.value, margin or None, **_hollow(look))
    _across(axes, across, [] if grid.numbers else grid.columns, inches)


def _hollow(look: Mapping[str, Any]) -> dict[str, Any]:
    """The look of a published point of a line."""
    return {
        "marker": look["marker"], "color": look["color"], "markerfacecolor": "none",
        "markersize": 9, "markeredgewidth": 1.4, "linestyle": "none", "capsize": 3, "zorder": 4,
    }  # fmt: skip


def _line_keys(rows: Sequence[str], panels: Sequence[Grid]) -> Iterator[Any]:
    from matplotlib.lines import Line2D

    if len(rows) > 1 or rows[0]:
        yield from (
            Line2D([], [], markersize=4.5, label=row, **_look(place))
            for place, row in enumerate(rows)
        )
    if any(grid.has_published for grid in panels):
        look = {**_look(0), "color": COLOURS[-1]}
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
    chart = Chart(WIDTH, 0.3 + PANEL * n_rows + key_height(labels), columns, n_rows)
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
    from matplotlib.lines import Line2D

    if len(labels) == 1 and not labels[0]:
        return
    for place, label in enumerate(labels):
        look = _look(place)
        if n_points > MOST_MARKED:
            look["marker"] = ""
        yield Line2D([], [], markersize=4, label=label, **look)


def _values(series: Sequence[Any], n: int) -> list[float]:
    """So many numbers; a gap where there is none."""
    values = [float(value) if _is_number(value) else NAN for value in list(series)[:n]]
    return values + [NAN] * (n - len(values))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _look(place: int) -> dict[str, Any]:
    """Colour, marker and dashes of a line: two are never alike in all of them, up to 21."""
    return {
        "color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)],
        "linestyle": DASHES[place // len(COLOURS) % len(DASHES)], "linewidth": 1.6,
    }  # fmt: skip


def _across(axes: Any, numbers: Sequence[float], words: Sequence[str], inches: float) -> None:
    """Ticks where the numbers are, logarithmic where few of them reach far."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

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
    """Whether few numbers reach so far that they need a logarithmic axis.

    >>> is_far([1, 10, 100]), is_far([0, 10, 100]), is_far(range(1, 101))
    (True, False, False)
    """
    few = len(places) <= MOST_LOGARITHMIC
    return few and places[0] > 0 and places[-1] > SPAN * places[0]


def with_room(places: Sequence[float], inches: float, *, is_log: bool) -> list[float]:
    """Those of some places in order that have room for their number, the last among them.

    >>> with_room([1, 50, 98, 100], 4.0, is_log=False)
    [1, 50, 100]
    """
    along = [log10(place) if is_log else place for place in places]
    whole = (along[-1] - along[0]) or 1.0
    kept: list[float] = []
    free = float("inf")  # up to here nothing stands, in inches
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
