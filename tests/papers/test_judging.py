"""Verdicts on cells, claims, reasons and items, with numbers that can be checked by hand."""

from dataclasses import replace
from typing import Any

import pytest

from tests.papers.tiny_paper import COMPUTATION, FIGURE, SUMS, TABLE
from topple.arena.store.store import open_store
from topple.papers.engine.computations import COMPUTATIONS
from topple.papers.engine.computing import fact_name
from topple.papers.engine.findings import (
    AGREES,
    DIFFERS,
    EXPLAINED,
    FAILS,
    HOLDS,
    OPEN,
    OURS,
    UNDECIDED,
    UNDECIDED_ITEM,
    ItemFindings,
    Measured,
)
from topple.papers.engine.judging import cell_verdict, judge_checks, judge_items, published_margin
from topple.papers.engine.plans import ScaledPaper, parse_scale
from topple.papers.paper import (
    Between,
    Claim,
    Computed,
    Cost,
    Fact,
    Falling,
    Holds,
    Item,
    ItemCell,
    ItemChoice,
    MeanRate,
    MeasureRatio,
    Number,
    Paper,
    Rate,
    Why,
    replace_sources,
)

QUICK = parse_scale("quick")


@pytest.fixture(autouse=True)
def computations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the computation of the tests' paper."""
    monkeypatch.setitem(COMPUTATIONS, SUMS.computation, COMPUTATION)


# -- cells -------------------------------------------------------------------------------------


def cell(published: Number | str | bool | None, measure: Any = None) -> ItemCell:
    return ItemCell("row", "column", measure or Rate("games", "agent"), published)


@pytest.mark.parametrize(
    ("published", "measured", "verdict"),
    [
        # ±3 and ±4 allow 5.
        (Number(50.0, 3.0), Measured(54.99, 50.99, 58.99), AGREES),
        (Number(50.0, 3.0), Measured(45.01, 41.01, 49.01), AGREES),
        (Number(50.0, 3.0), Measured(55.01, 51.01, 59.01), DIFFERS),
        (Number(50.0, 3.0), Measured(44.99, 40.99, 48.99), DIFFERS),
        # Wilson for 50 of 100: 0.4038 to 0.5962, a half width of 9.62.
        (Number(50.0, trials=100), Measured(59.6), AGREES),
        (Number(50.0, trials=100), Measured(59.7), DIFFERS),
        # Without a margin only the measured interval counts.
        (Number(50.0), Measured(52.0, 50.0, 54.0), AGREES),
        (Number(50.0), Measured(52.1, 50.1, 54.1), DIFFERS),
        # Of a skewed interval the end counts that faces the other number: none of 27 games.
        (Number(7.0), Measured(0.0, 0.0, 12.46), AGREES),
        (Number(12.5), Measured(0.0, 0.0, 12.46), DIFFERS),
        (Number(90.0), Measured(98.0, 91.0, 99.5), DIFFERS),
        (Number(90.0), Measured(98.0, 89.0, 99.5), AGREES),
        (Number(0.0, trials=27), Measured(12.4), AGREES),
        (Number(0.0, trials=27), Measured(12.5), DIFFERS),
        # Exact values.
        (Number(6.0), Measured(6), AGREES),
        (Number(0.1), Measured(0.1 + 1e-12), AGREES),
        (Number(6.0), Measured(7), DIFFERS),
        (Number(6.0), Measured("6"), DIFFERS),
        (Number(1.0), Measured(True), DIFFERS),
        ("fair", Measured("fair"), AGREES),
        ("fair", Measured("unfair"), DIFFERS),
        (True, Measured(True), AGREES),
        (True, Measured(1), DIFFERS),
        (False, Measured(True), DIFFERS),
        (None, Measured(6), OURS),
        (Number(6.0), None, OPEN),
        (None, None, OPEN),
    ],
)
def test_a_cell_agrees_within_both_margins(
    published: Number | str | bool | None, measured: Measured | None, verdict: str
) -> None:
    assert cell_verdict(cell(published), measured) == verdict


def test_the_margin_of_trials_is_that_of_what_the_value_is_a_share_of() -> None:
    percent = published_margin(cell(Number(50.0, trials=100)), Number(50.0, trials=100), 80.0)
    assert percent == pytest.approx(9.62, abs=0.01)
    tens = Rate("games", "agent", out_of=10.0)
    for measure in (tens, MeanRate((tens, tens))):
        number = Number(5.0, trials=100)
        assert published_margin(cell(number, measure), number, 0.0) == pytest.approx(percent / 10)
    number = Number(5.0, margin=0.5, trials=100)
    assert published_margin(cell(number, tens), number, 0.0) == 0.5


# -- checks ------------------------------------------------------------------------------------

VALUES = {
    ("high", ""): Measured(80.0, 75.0, 85.0),
    ("middle", ""): Measured(70.0, 66.0, 74.0),
    ("near", ""): Measured(68.0, 64.0, 72.0),
    ("six", ""): Measured(6),
    ("five", ""): Measured(5),
    ("also five", ""): Measured(5.0),
    ("text", ""): Measured("high"),
    ("missing", ""): None,
}


def falls(*rows: str) -> str:
    return judge_checks([Falling(tuple((row, "") for row in rows))], VALUES, lambda fact: None)


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        (("high", "middle"), HOLDS),
        (("high", "near"), HOLDS),
        (("middle", "high"), FAILS),
        (("middle", "near"), UNDECIDED),
        (("near", "middle"), UNDECIDED),
        (("high", "middle", "near"), UNDECIDED),
        (("near", "middle", "high"), FAILS),
        (("six", "five"), HOLDS),
        (("five", "six"), FAILS),
        (("five", "also five"), FAILS),
        (("high", "missing"), UNDECIDED),
        (("high", "nowhere"), UNDECIDED),
        (("high", "text"), FAILS),
    ],
)
def test_values_fall_beyond_their_intervals(rows: tuple[str, ...], verdict: str) -> None:
    assert falls(*rows) == verdict


@pytest.mark.parametrize(
    ("row", "low", "high", "verdict"),
    [
        ("high", 75.0, 85.0, HOLDS),
        ("high", 75.1, None, UNDECIDED),
        ("high", None, 84.9, UNDECIDED),
        ("high", 85.1, None, FAILS),
        ("high", None, 74.9, FAILS),
        ("high", None, None, HOLDS),
        ("six", 6.0, 6.0, HOLDS),
        ("six", 6.5, None, FAILS),
        ("missing", 0.0, None, UNDECIDED),
        ("text", 0.0, None, FAILS),
    ],
)
def test_a_value_lies_between_with_all_of_its_interval(
    row: str, low: float | None, high: float | None, verdict: str
) -> None:
    assert judge_checks([Between(row, "", low, high)], VALUES, lambda fact: None) == verdict


@pytest.mark.parametrize(
    ("found", "verdict"),
    [(Measured(True), HOLDS), (Measured(False), FAILS), (Measured(1), FAILS), (None, UNDECIDED)],
)
def test_a_fact_holds_if_it_is_true(found: Measured | None, verdict: str) -> None:
    assert judge_checks([Holds(Fact("f"))], {}, lambda fact: found) == verdict


# -- items -------------------------------------------------------------------------------------


def judged(item: Item, data: object = None, other: object = None) -> ItemFindings:
    """An item of two computed facts, `own` and `other`, judged by what they come to."""
    facts = {
        "own": Computed("own", "tiny-sums", quick={"n": 1}),
        "other": Computed("other", "tiny-sums", quick={"n": 2}),
    }
    paper = Paper("made-up", "", "", "", "hex", (item,), computed=tuple(facts.values()))
    with open_store(None) as store:
        for name, kept in (("own", data), ("other", other)):
            if kept is not None:
                store.save_fact(fact_name(facts[name], QUICK), kept, 1.5)
        [found] = judge_items(ScaledPaper(paper, QUICK), paper.items, store).items
        return found


OWN = ItemCell("a", "x", Fact("own", ("value",)), Number(50.0, 3.0))
CLAIM = Claim("it is above 40", (Between("a", "x", 40.0),))
WHY = Why("another rule", (Between("a", "x [other rule]", 47.0, 53.0),))
OTHER = ItemChoice("other rule", {"own": "other"})
ITEM = Item("table", "I", "Made up", "2", (OWN,), (CLAIM,), (OTHER,), (WHY,))


def estimate(value: float) -> dict[str, Any]:
    return {"value": {"value": value, "low": value - 4, "high": value + 4}}


@pytest.mark.parametrize(
    ("own", "other", "verdict"),
    [
        (54.9, None, AGREES),
        (55.1, None, DIFFERS),
        (55.1, 50.0, DIFFERS),  # a reason whose interval leaves it open explains nothing
        (44.0, 20.0, DIFFERS),
        (None, None, OPEN),
        (None, 50.0, OPEN),
    ],
)
def test_an_item_agrees_if_its_cells_do(
    own: float | None, other: float | None, verdict: str
) -> None:
    found = judged(ITEM, None if own is None else estimate(own), other and estimate(other))
    assert found.verdict == verdict


def test_an_item_that_differs_is_explained_by_what_holds() -> None:
    found = judged(ITEM, estimate(60.0), {"value": 50.0})
    assert found.verdict == EXPLAINED
    assert [(each.choice, each.verdict) for each in found.cells] == [
        (None, DIFFERS),
        ("other rule", AGREES),
    ]
    assert found.cells[1].place == ("a", "x [other rule]")
    assert [each.verdict for each in found.why] == [HOLDS]
    assert judged(ITEM, estimate(50.0), {"value": 50.0}).verdict == AGREES


def test_a_claim_that_fails_makes_an_item_differ() -> None:
    above = replace(ITEM, claims=(Claim("it is above 60", (Between("a", "x", 60.0),)),))
    assert [each.verdict for each in judged(above, estimate(50.0)).claims] == [FAILS]
    assert judged(above, estimate(50.0)).verdict == DIFFERS
    assert judged(above, estimate(58.0)).verdict == DIFFERS  # its cell does
    undecided = replace(above, claims=(Claim("above 52", (Between("a", "x", 52.0),)),))
    assert judged(undecided, estimate(50.0)).verdict == UNDECIDED_ITEM


def test_an_item_agrees_only_if_all_of_it_is_measured() -> None:
    late = replace(OWN, row="b", measure=Fact("own", ("later",)))
    both = replace(ITEM, cells=(OWN, late))
    assert judged(both, estimate(50.0)).verdict == UNDECIDED_ITEM
    assert judged(both, {**estimate(50.0), "later": 50.0}).verdict == AGREES
    assert judged(both, estimate(60.0)).verdict == DIFFERS
    later = Claim("the later one too", (Between("b", "x", 40.0),))
    ours = replace(both, cells=(OWN, replace(late, published=None)), claims=(CLAIM, later))
    assert judged(ours, estimate(50.0)).verdict == UNDECIDED_ITEM
    assert judged(ours, {**estimate(50.0), "later": 50.0}).verdict == AGREES


def test_curves_are_no_evidence() -> None:
    waits = Claim("it holds", (Holds(Fact("own", ("truth",))),))
    drawn = Item("figure", "4", "", "4", claims=(waits,), form="curves", curves=("other",))
    assert judged(drawn, None, {"x": [1], "series": {"a": [2]}}).verdict == OPEN
    assert judged(drawn, {"truth": True}, {"x": [1], "series": {"a": [2]}}).verdict == AGREES


def test_a_reason_explains_only_what_it_names() -> None:
    low = replace(OWN, row="b", measure=Fact("own", ("low",)))
    above = Claim("it is above 70", (Between("a", "x", 70.0),))
    item = replace(ITEM, cells=(OWN, low), claims=(above,))
    data, other = {**estimate(60.0), "low": 20.0}, {"value": 50.0, "low": 50.0}

    def verdict(*explained: tuple[str, ...]) -> str:
        why = tuple(WHY._replace(explains=each) for each in explained)
        return judged(replace(item, why=why), data, other).verdict

    assert verdict(()) == verdict(("*",)) == EXPLAINED
    assert verdict(("a", "b", above.text)) == verdict(("x", above.text)) == EXPLAINED
    assert verdict(("a",), ("b", above.text)) == EXPLAINED
    assert verdict(("a", "b")) == verdict(("x",)) == DIFFERS  # the claim fails all the same
    assert verdict(("a", above.text)) == verdict((above.text,)) == DIFFERS
    open_one = WHY._replace(checks=(Between("a", "x [other rule]", 60.0),))
    found = judged(replace(item, why=(open_one, WHY._replace(explains=("a",)))), data, other)
    assert [each.verdict for each in found.why] == [FAILS, HOLDS]
    assert found.verdict == DIFFERS  # what does not hold explains nothing


def test_items_without_numbers_stand_on_their_claims() -> None:
    item = Item(
        "section",
        "5",
        "A proof",
        "5",
        claims=(Claim("it holds", (Holds(Fact("own", ("truth",))),)),),
    )
    assert judged(item).verdict == OPEN
    assert judged(item, {"truth": True}).verdict == AGREES
    assert judged(item, {"truth": False}).verdict == DIFFERS


def test_values_without_a_published_one_are_ours() -> None:
    ours = replace(OWN, published=None)
    item = Item("figure", "9", "", "", (ours,))
    assert judged(item, estimate(1.0)).verdict == OURS
    assert judged(item).verdict == OPEN
    late = replace(OWN, row="b", measure=Fact("own", ("later",)))
    assert judged(replace(item, cells=(ours, late), section="2"), estimate(1.0)).verdict == OPEN
    drawn = replace(item, cells=(), curves=("own",), form="curves")
    found = judged(drawn, {"x": [1], "series": {"a": [2]}})
    assert (found.verdict, found.curves["own"]["x"]) == (OURS, [1])
    assert judged(drawn).verdict == OPEN


def test_an_item_has_its_time_games_and_command() -> None:
    found = judged(ITEM, estimate(50.0), {"value": 50.0})
    assert (found.n_games, found.seconds, found.computed_seconds) == (0, 3.0, 3.0)
    assert found.command == "topple reproduce made-up --table I --scale quick"
    assert judged(replace(ITEM, kind="figure", number="4 (left)")).command == (
        "topple reproduce made-up --figure '4 (left)' --scale quick"
    )


# -- needs and choices -------------------------------------------------------------------------


def test_an_item_needs_all_that_its_parts_name() -> None:
    assert TABLE.sources() == (("league", "loyal"), ())
    assert FIGURE.sources() == (("league", "mirror"), ("sums",))
    shown = Item(
        "section",
        "1",
        "",
        "",
        claims=(Claim("", (Holds(Fact("a")),)),),
        why=(Why("", (Holds(Fact("b")),)),),
        curves=("c",),
    )
    assert set(shown.sources().computed) == {"a", "b", "c"}


def test_under_a_choice_only_what_changes_is_repeated() -> None:
    mixed = ItemCell("r", "c", MeasureRatio(Cost("a", "x", "nodes"), Cost("b", "x", "nodes")))
    item = Item(
        "table",
        "I",
        "",
        "",
        (mixed, ItemCell("r", "d", Rate("b", "x"))),
        choices=(ItemChoice("other", {"a": "z"}),),
    )
    labels = [(label, each.column) for label, each in item.all_cells()]
    assert labels == [(None, "c"), (None, "d"), ("other", "c")]
    [_, _, (_, changed)] = item.all_cells()
    assert changed.measure == MeasureRatio(Cost("z", "x", "nodes"), Cost("b", "x", "nodes"))
    mean = MeanRate((Rate("a", "x"), Rate("b", "x")))
    assert replace_sources(mean, {"b": "y"}) == MeanRate((Rate("a", "x"), Rate("y", "x")))
    assert replace_sources(Fact("a", (1,)), {"a": "y"}) == Fact("y", (1,))
