"""The charts of reproduced papers."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from tests.papers.made_up_papers import (
    BOARDS,
    bars,
    curves,
    found,
    judged,
    lines,
    made_up,
    networks,
    sequence,
    stacked,
    table_i,
    unmeasured,
)
from topple.boards import load_board
from topple.papers.engine.findings import AGREES, OURS, ItemFindings, Measured
from topple.papers.paper import Item, Number
from topple.papers.report.charts import FORMS, chart_of
from topple.present.charts import Chart

# Charts.


def drawn(item: ItemFindings) -> Chart:
    """The chart of an item that has one."""
    chart = chart_of(item, made_up(item).paper)
    assert chart is not None
    return chart


def test_items_without_a_form_or_a_measured_number_have_no_chart() -> None:
    words = (judged("a", "x", "W", Measured("W"), AGREES),)
    for item in (
        table_i(),
        sequence(),
        unmeasured(),
        found(Item("figure", "1", "", "", form="bars"), words),
        found(Item("figure", "1", "", "", form="curves"), curves={"a": {"x": [], "series": {}}}),
    ):
        assert chart_of(item, made_up(item).paper) is None


def test_every_form_is_drawn() -> None:
    forms = {
        item.item.form for item in (bars(), stacked(), lines(), curves(), networks()) if drawn(item)
    }
    assert forms == set(FORMS)


def test_bars_stand_published_beside_measured() -> None:
    [axes] = drawn(bars()).axes.flat
    heights = [round(bar.get_height(), 2) for bar in axes.patches]
    assert heights == [7.7, 8.1, 18.0, 16.9, 4.14, 4.0, 11.19, 13.5]
    assert [bool(bar.get_hatch()) for bar in axes.patches] == [True, False] * 4
    assert [label.get_text() for label in axes.get_xticklabels()] == ["MCTS", "Alpha-Beta"]


def test_stacks_have_their_first_part_on_top() -> None:
    [axes] = drawn(stacked()).axes.flat
    first = [bar for bar in axes.patches if bar.get_x() == axes.patches[0].get_x()]
    assert [round(bar.get_height(), 2) for bar in first] == [18.49, 62.49, 19.01]
    assert [round(bar.get_y(), 2) for bar in first] == [0, 18.49, 80.98]


def test_lines_have_bands_and_hollow_published_points() -> None:
    chart = drawn(lines())
    own, chosen = chart.axes.flat
    assert (own.get_title("left"), chosen.get_title("left")) == (
        "the item's own settings",
        "under draws=half",
    )
    full = [line for line in own.lines if len(line.get_xdata()) == 7]
    hollow = [line for line in own.lines if line.get_markerfacecolor() == "none"]
    assert len(full) == 3
    assert [list(line.get_xdata()) for line in hollow] == [[5.0]]
    assert len(own.collections) == 3  # a band each
    assert len({(line.get_color(), line.get_marker()) for line in full}) == 3


@pytest.mark.parametrize(("columns", "scale"), [((5, 10, 100), "linear"), ((1, 10, 100), "log")])
def test_an_axis_is_logarithmic_where_its_numbers_reach_far(
    columns: tuple[int, ...], scale: str
) -> None:
    cells = tuple(judged("a", str(n), None, Measured(n, n - 1, n + 1), OURS) for n in columns)
    item = found(Item("figure", "1", "", "", form="lines"), cells)
    assert drawn(item).axes[0, 0].get_xscale() == scale


def test_curves_are_drawn_with_gaps_and_intervals() -> None:
    series = {"a": [1, None, 3], "b": {"value": [1, 2, 3], "low": [0, 1, 2], "high": [2, 3, 4]}}
    facts = {"one": {"x": [0, 1, 2], "series": series, "title": "T", "axes": ["x", "y"]}}
    item = found(Item("figure", "1", "", "", form="curves"), curves=facts)
    [axes] = drawn(item).axes.flat
    assert [str(y) for y in axes.lines[0].get_ydata()] == ["1.0", "nan", "3.0"]
    assert len(axes.collections) == 1
    assert (axes.get_title("left"), axes.get_xlabel(), axes.get_ylabel()) == ("T", "x", "y")


def test_networks_are_drawn_with_their_numbers_of_vertices_and_edges() -> None:
    chart = drawn(networks())
    for axes, text in zip(chart.axes.flat, BOARDS, strict=True):
        board = load_board(text)
        assert axes.get_title() == text
        assert f"{board.n_vertices} vertices, {board.n_edges} edges" in [
            each.get_text() for each in axes.texts
        ]
        [dots] = [each for each in axes.collections if len(each.get_offsets()) > 1]
        degrees = [len(board.neighbours(vertex)) for vertex in range(board.n_vertices)]
        sizes = dots.get_sizes()
        assert max(range(len(sizes)), key=sizes.__getitem__) == degrees.index(max(degrees))


def test_networks_may_be_named_by_a_computed_fact() -> None:
    boards = {"boards": {"a segment": "segment:5", "a ring": "ring:6"}}
    item = replace(networks(), curves={"digraphs": boards})
    titles = [axes.get_title() for axes in drawn(item).axes.flat]
    assert titles == ["a segment", "a ring"]


def many(form: str, n_rows: int, columns: tuple[str, ...]) -> ItemFindings:
    """A chart with much in it."""
    cells = tuple(
        judged(
            f"agent number {row}, all games",
            column,
            Number(50.0, 1.5),
            Measured(48.0 + row, 44.0, 70.0),
            AGREES,
        )
        for row in range(n_rows)
        for column in columns
    )
    return found(Item("figure", "1", "", "", form=form, axes=("across", "%")), cells)


@pytest.mark.parametrize(
    "item",
    [
        bars(),
        stacked(),
        lines(),
        curves(),
        networks(),
        many("bars", 14, ("first", "second")),
        many("stacked", 7, ("top", "rest", "lowest")),
        many("lines", 9, tuple(map(str, (1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 90, 100)))),
    ],
    ids=lambda item: f"{item.item.form}-{len(item.cells)}",
)
def test_labels_do_not_overlap(item: ItemFindings) -> None:
    chart = drawn(item)
    chart.figure.draw_without_rendering()
    for axes in chart.axes.flat:
        assert_apart([*axes.get_xticklabels(), axes.xaxis.label])
        assert_apart([*axes.get_yticklabels(), axes.yaxis.label])
        assert_apart([axes.title, axes._left_title, *axes.texts])


def assert_apart(texts: list[Any]) -> None:
    """Texts that can be seen must not cover each other."""
    boxes = [
        (text.get_text(), text.get_window_extent())
        for text in texts
        if text.get_text() and text.get_visible()
    ]
    for (one, first), (other, second) in combinations(boxes, 2):
        assert not first.overlaps(second), f"{one!r} lies on {other!r}"
