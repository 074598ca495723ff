"""Reasons why items differ: none holds for the published values, none covers more than it names."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from topple.papers import PAPERS, load_paper
from topple.papers.engine.findings import HOLDS, Measured
from topple.papers.engine.judging import judge_checks
from topple.papers.paper import Between, Fact, Falling, Holds, Item, Number, Why

Place = tuple[str, str]
REASONS = [
    pytest.param(item, why, id=f"{name}, {item.name}, {n}")
    for name in PAPERS
    for item in load_paper(name).items
    for n, why in enumerate(item.why)
]


def places_of(why: Why) -> Iterator[Place]:
    """The cells that the checks of a reason look at."""
    for check in why.checks:
        if isinstance(check, Falling):
            yield from check.cells
        elif isinstance(check, Between):
            yield check.row, check.column


def as_wanted(why: Why, largest: float = 90.0) -> dict[Place, Measured]:
    """Values that satisfy the checks of a reason, as far as it looks at them."""
    values: dict[Place, float] = {}
    for check in why.checks:
        if isinstance(check, Between):
            low = 0.0 if check.low is None else check.low
            high = low + 1 if check.high is None else check.high
            values[check.row, check.column] = (low + high) / 2
    falling = [
        pair for check in why.checks if isinstance(check, Falling) for pair in pairwise(check.cells)
    ]
    given = set(values)
    for _ in falling:  # as often as the longest fall may need
        for above, below in falling:
            top = values.setdefault(above, largest)
            if below not in given:
                values[below] = min(values.get(below, largest), top - 20)
    return {place: Measured(value) for place, value in values.items()}


def published_values(item: Item) -> dict[Place, Measured]:
    """The item's own cells, exactly as they were published."""
    return {
        (cell.row, cell.column): Measured(cell.published.value)
        for cell in item.cells
        if isinstance(cell.published, Number)
    }


def claimed_values(item: Item, why: Why) -> dict[Place, Measured]:
    """Values of which the claims that a reason explains hold; for cells without a number."""
    values: dict[Place, Measured] = {}
    for claim in item.claims:
        if claim.text in why.explains:
            values |= as_wanted(Why("", claim.checks), largest=60.0)
    return values


def truths(item: Item, why: Why) -> Callable[[Fact], Measured]:
    """Facts as a reason wants them, but for those that its claims contradict."""
    claimed = [
        check.fact
        for claim in item.claims
        if claim.text in why.explains
        for check in claim.checks
        if isinstance(check, Holds)
    ]
    # If these are true, what the paper says is true as well, and those of the reason are not.
    against = {
        Fact("rings", ("holds",)): Fact("rings", ("only_4_is_against",)),
        Fact("segments", ("sequence", "as_printed", "holds")): Fact(
            "segments", ("sequence", "conjecture_26", "holds")
        ),
    }
    false = {against[fact] for fact in claimed}
    return lambda fact: Measured(fact not in false)


@pytest.mark.parametrize(("item", "why"), REASONS)
def test_a_reason_can_hold(item: Item, why: Why) -> None:
    values = as_wanted(why)
    assert set(values) == set(places_of(why))
    assert judge_checks(why.checks, values, lambda _: Measured(True)) == HOLDS


@pytest.mark.parametrize(("item", "why"), REASONS)
def test_no_reason_holds_of_the_published_values(item: Item, why: Why) -> None:
    """Even if all else, other choices among it, is as the reason would have it."""
    values = as_wanted(why) | claimed_values(item, why) | published_values(item)
    assert judge_checks(why.checks, values, truths(item, why)) != HOLDS


@pytest.mark.parametrize(("item", "why"), REASONS)
def test_a_reason_names_what_it_explains(item: Item, why: Why) -> None:
    claims = {claim.text for claim in item.claims}
    labels = {label for cell in item.cells for label in (cell.row, cell.column)}
    assert why.explains
    assert set(why.explains) <= claims | labels


def test_reasons_leave_other_claims_and_rows_alone() -> None:
    against_random = {"Alpha-Beta – Random", "Random – Alpha-Beta"}
    for number in ("I", "IV"):
        item = spread_it(f"table {number}")
        order = {item.claims[0].text, "MCTS – Alpha-Beta", "Alpha-Beta – MCTS"}
        assert [set(why.explains) for why in item.why] == [order, order, against_random]
    for number in ("II", "III", "V", "VI"):
        item = spread_it(f"table {number}")
        order = {item.claims[0].text, "MCTS", "Alpha-Beta"}
        expected = [order] + [{"Random"}] * (number in ("II", "V"))
        assert [set(why.explains) for why in item.why] == expected


def spread_it(name: str) -> Item:
    """One of the items of the Spread-It paper."""
    [item] = [each for each in load_paper("spread-it").items if each.name == name]
    return item


@pytest.mark.parametrize("name", ["table I", "table IV"])
def test_an_evaluation_is_left_out_on_the_networks_that_it_is_compared_on(name: str) -> None:
    item = spread_it(name)
    small, without = "the small networks only", "Alpha-Beta without an evaluation"
    looked_at = {column for _, column in places_of(item.why[1])}
    assert looked_at == {"WR%", f"WR% [{small}]", f"WR% [{without}]"}
    instead = {choice.label: dict(choice.instead) for choice in item.choices}
    games = {each.name: each for each in load_paper("spread-it").games}
    [one], [other] = (instead[label].values() for label in (small, without))
    assert games[one].fields == games[other].fields
    assert games[one].quick_fields == games[other].quick_fields


AT_ZERO, AT_FULL = "Alpha-Beta of depth 1", "Alpha-Beta of depth 1, only open vertices"


@pytest.mark.parametrize(
    ("name", "choice"),
    [("table II", AT_ZERO), ("table III", AT_ZERO), ("table V", AT_FULL), ("table VI", AT_FULL)],
)
def test_the_order_is_reversed_wherever_its_reason_counts(name: str, choice: str) -> None:
    item = spread_it(name)
    why = item.why[0]
    columns = [check.cells[0][1] for check in item.claims[0].checks if isinstance(check, Falling)]
    close = {"table III": {"Watts-Strogatz"}}.get(name, set())  # by the draws
    assert why.checks == (
        *(Falling((("Alpha-Beta", each), ("MCTS", each))) for each in columns if each not in close),
        *(
            Falling(
                tuple((agent, f"{each} [{choice}]") for agent in ("MCTS", "Alpha-Beta", "Random"))
            )
            for each in columns
        ),
    )


def test_checks_look_at_cells_that_are_there() -> None:
    for name in PAPERS:
        for item in load_paper(name).items:
            there = {
                (cell.row, cell.column if label is None else f"{cell.column} [{label}]")
                for label, cell in item.all_cells()
            }
            for why in item.why:
                assert set(places_of(why)) <= there
