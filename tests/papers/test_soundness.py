"""Every shipped paper is sound; inconsistent papers are refused in one line that says where."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.papers.paper_checker import check_paper
from tests.papers.tiny_paper import COMPUTATION, FIGURE, LEAGUE, LOYAL, NET, PAPER, SUMS, TABLE
from topple.core.errors import ToppleError
from topple.papers import PAPERS, load_paper
from topple.papers.engine.computations import COMPUTATIONS
from topple.papers.paper import (
    Between,
    Claim,
    Cost,
    Fact,
    Falling,
    GameField,
    GameSet,
    Holds,
    Item,
    ItemCell,
    ItemChoice,
    MeanRate,
    MeasureRatio,
    Number,
    Paper,
    Rate,
    Share,
    Why,
)


@pytest.fixture(autouse=True)
def computations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the computation of the tests' paper."""
    monkeypatch.setitem(COMPUTATIONS, SUMS.computation, COMPUTATION)


@pytest.mark.parametrize("name", PAPERS)
def test_every_shipped_paper_is_sound(name: str) -> None:
    check_paper(load_paper(name))


def test_a_sound_paper_passes() -> None:
    check_paper(PAPER)
    check_paper(with_cell(Rate("league", "clever", reason="an endless cascade")))


def with_cell(measure: Any, published: Any = None) -> Paper:
    item = replace(TABLE, cells=(*TABLE.cells, ItemCell("new", "cell", measure, published)))
    return replace(PAPER, items=(item, FIGURE))


def with_item(**changes: Any) -> Paper:
    return replace(PAPER, items=(replace(TABLE, **changes), FIGURE))


def with_games(**changes: Any) -> Paper:
    return replace(PAPER, games=(replace(LEAGUE, **changes), *PAPER.games[1:]))


def faulty_cells() -> Iterator[tuple[Paper, str]]:
    """Papers with a cell that cannot be, and a word that must be said about it."""
    yield with_cell(Rate("leage", "clever")), "did you mean 'league'"
    yield with_cell(Rate("league", "nobody")), "unknown agent 'nobody'"
    yield with_cell(Rate("league", "clever", ("nobody",))), "unknown agent 'nobody'"
    yield with_cell(Rate("league", "clever", ("clever",))), "do not meet"
    yield with_cell(Rate("loyal", "sampler", ("blind",))), "do not meet"
    yield with_cell(Rate("league", "clever", seat="third")), "unknown seat"
    yield with_cell(Rate("league", "clever", counts="wins")), "unknown count"
    yield with_cell(Rate("league", "clever", boards=("karate",))), "unknown board"
    yield with_cell(Rate("loyal", "clever", boards=("hex:3",))), "unknown board"
    yield with_cell(Rate("league", "clever", out_of=0.0)), "no share"
    endless = Rate("league", "clever", reason="an endless cascde")
    yield with_cell(endless), "did you mean 'an endless cascade'"
    yield with_cell(MeanRate((endless,))), "did you mean 'an endless cascade'"
    yield with_cell(Rate("mirror", "one", reason="an endless cascade")), "unknown reason"
    yield with_cell(MeanRate(())), "no mean"
    yield with_cell(MeanRate((Rate("league", "x"),))), "unknown agent"
    yield with_cell(Share("league", "clever", "karate", "top")), "unknown board"
    yield with_cell(Share("league", "clever", NET, "best")), "fifth"
    yield with_cell(Share("league", "clever", NET, (10,))), "no vertex 10"
    yield with_cell(Share("league", "clever", NET, ())), "no vertex"
    yield with_cell(Cost("league", "clever", "money")), "unknown cost"
    yield with_cell(MeasureRatio(Cost("league", "clever", "nodes"), Fact("some"))), "computed fact"
    yield with_cell(Fact("some")), "unknown computed fact"
    yield with_cell(Fact("league")), "unknown computed fact"
    yield with_cell(Rate("league", "clever"), Number(float("nan"))), "no published number"
    yield with_cell(Rate("league", "clever"), Number(1.0, -1.0)), "margin"
    yield with_cell(Rate("league", "clever"), Number(101.0, trials=9)), "no share"
    yield with_cell(Cost("league", "clever", "nodes"), Number(1.0, trials=9)), "no share"
    yield with_cell(Rate("league", "clever"), Number(1.0, trials=0)), "trials"


def faulty_items() -> Iterator[tuple[Paper, str]]:
    """Papers whose items or games do not go together."""
    yield with_item(cells=(*TABLE.cells, TABLE.cells[0])), "2 times"
    yield with_item(kind="picture"), "kind of item"
    yield with_item(form="pie"), "unknown form"
    yield with_item(section=""), "section"
    yield with_item(number="1.2", kind="figure"), "'figure 1.2' is there 2 times"
    yield with_item(curves=("league",)), "unknown computed fact"
    yield with_item(claims=(Claim("empty", ()),)), "no checks"
    yield with_item(why=(Why("empty", ()),)), "no checks"
    misspelt = TABLE.why[0]._replace(explains=("*", "clever", TABLE.claims[0].text, "blnd"))
    yield with_item(why=(misspelt,)), "did you mean 'blind'"
    yield with_item(claims=(Claim("", (Between("clever", "nothing"),)),)), "unknown cell"
    yield with_item(claims=(Claim("", (Falling((("clever", "blind"),)),)),)), "two or more"
    falling = Falling((("clever", "blind"), ("blind", "blind")))
    yield with_item(claims=(Claim("", (falling,)),)), "unknown cell"
    yield with_item(why=(Why("", (Between("clever", "blind [no loyalty]"),)),)), "unknown cell"
    yield with_item(claims=(Claim("", (Holds(Fact("some")),)),)), "unknown computed fact"
    yield with_item(choices=(ItemChoice("c", {"mirror": "loyal"}),), why=()), "cells"
    yield with_item(choices=(ItemChoice("c", {"league": "some"}),), why=()), "unknown replacement"
    yield with_item(choices=(ItemChoice("c", {"league": "sums"}),), why=()), "unknown replacement"
    yield with_item(choices=(ItemChoice("c", {"league": "mirror"}),), why=()), "unknown agent"
    yield with_item(choices=(*TABLE.choices, *TABLE.choices)), "2 times"
    yield with_games(quick_agents={"somebody": "random"}), "unknown agent"
    yield with_games(quick_agents={"sampler": "random"}), "named twice"
    yield with_games(agents={**LEAGUE.agents, "clever": "gredy"}), "greedy"
    yield with_games(fields=()), "no field"
    yield with_games(quick_fields=0), "no field"
    yield with_games(quick=10), "more than"
    yield with_games(quick=0), "0 games"
    yield with_games(fields=(GameField("hex", NET), *LEAGUE.fields)), "hex"
    yield with_games(fields=(*LEAGUE.fields, GameField("hex", "hex:3"))), "the same"
    far = GameField("spread-it", NET, ((10, 2),))
    yield with_games(fields=(far, *LEAGUE.fields[1:])), "no vertex 10"
    yield replace(PAPER, games=(*PAPER.games, replace(LOYAL, name="more"))), "no item uses"
    timed = replace(LOYAL, name="mirror", agents={"one": "greedy", "two": "random"}, seed=1)
    yield replace(PAPER, games=(LEAGUE, LOYAL, replace(timed, game_time=9.0))), "another seed"
    yield replace(PAPER, computed=(replace(SUMS, computation="sum"),)), "unknown computation"
    yield replace(PAPER, computed=(replace(SUMS, quick={"n": {1, 2}}),)), "plain data"
    yield replace(PAPER, computed=(replace(SUMS, quick={"m": 4}),)), "tiny-sums"
    yield replace(PAPER, computed=(replace(SUMS, name="league"),)), "2 times"


FAULTS = [*faulty_cells(), *faulty_items()]


@pytest.mark.parametrize("place", range(len(FAULTS)), ids=[word for _, word in FAULTS])
def test_an_inconsistent_paper_is_refused(place: int) -> None:
    paper, word = FAULTS[place]
    with pytest.raises(ToppleError, match="tiny: ") as caught:
        check_paper(paper)
    assert word in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_games_of_no_agent_that_exists_are_not_games() -> None:
    games = GameSet("g", (GameField("hex", "hex:3"),), {"a": "random"}, 2, 2)
    item = Item("table", "I", "", "1", (ItemCell("a", "b", Rate("g", "a")),))
    with pytest.raises(ToppleError, match="two or more"):
        check_paper(Paper("p", "", "", "", "hex", (item,), (games,)))
