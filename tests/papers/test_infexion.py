"""Infexion's data, and what alpha-beta saves on a tree that stands."""

from itertools import combinations

import pytest

import topple
from topple.agents.frontier import FrontierSearch
from topple.game.game import random_position
from topple.papers import load_paper
from topple.papers.data.infexion import AGENTS, PUBLISHED_GAMES, PUBLISHED_TOTALS, TOTAL
from topple.papers.engine.computations.infexion import (
    build_tree,
    compare_searches,
    estimate,
    positions_of_games,
    times,
)
from topple.papers.engine.plans import ScaledPaper, parse_scale
from topple.papers.paper import ItemCell, Number, Rate

PAPER = load_paper("infexion")
TABLE = next(item for item in PAPER.items if item.name == "table 1")


def value(cell: ItemCell) -> float:
    assert isinstance(cell.published, Number)
    return cell.published.value


def test_totals_follow_from_wins_and_losses() -> None:
    won = {
        (cell.row, cell.column): value(cell)
        for cell in TABLE.cells
        if cell.published is not None and cell.column != TOTAL
    }
    assert len(won) == 12
    for one, other in combinations(AGENTS, 2):
        assert {won[one, other], won[other, one]} == {0, 100}
    for agent, total in PUBLISHED_TOTALS.items():
        share = sum(percent for (row, _), percent in won.items() if row == agent) / 3
        assert total == int(share)  # as the paper rounds


def test_quick_and_full_players_differ_in_their_time_only() -> None:
    for games in PAPER.games:
        for name, quick in (games.quick_agents or {}).items():
            full = dict(topple.agent(games.agents[name]).options)
            other = dict(topple.agent(quick).options)
            given, shorter = full.pop("game_time", None), other.pop("game_time", None)
            assert full == other
            assert given is None or given == 60 * shorter


def test_full_games_are_10_of_180_seconds_with_either_colour() -> None:
    plan = ScaledPaper(PAPER, parse_scale("full")).plan("table 1")
    assert plan.n_games == PUBLISHED_GAMES
    assert plan.limits.game_seconds is None  # the agents keep their time themselves
    times_given = {agent.options.get("game_time") for agent in plan.agents}
    assert times_given == {None, 180}


def test_each_colour_is_measured() -> None:
    seats = next(item for item in PAPER.items if item.number == "Performance Evaluation")
    measures = [cell.measure for cell in seats.cells]
    assert all(isinstance(measure, Rate) for measure in measures)
    assert {measure.seat for measure in measures} == {"both", "first", "second"}  # type: ignore[union-attr]
    assert {measure.counts for measure in measures} == {"win", "draw", "score"}  # type: ignore[union-attr]


# -- searching a tree that stands --------------------------------------------------------------


def test_both_searches_find_the_same_and_minimax_sees_every_node() -> None:
    game = topple.load("infexion")
    for seed in range(4):
        position = random_position(game, 5 + 3 * seed, seed)
        both = compare_searches(build_tree(position, 3000, skip=True), game)
        assert both.alphabeta[2:] == both.minimax[2:]
        assert both.minimax.nodes == both.nodes <= 3000
        assert both.alphabeta.nodes < both.nodes
        assert 0 < both.share < 100


def test_the_tree_is_that_of_the_agent() -> None:
    position = random_position(topple.load("infexion"), 8, 1)
    search, seconds = build_tree(position, 2000, skip=False)
    decision = topple.agent("frontier:nodes=2000,skip=false").choose(position)
    assert isinstance(search, FrontierSearch)
    assert search.decision().move == decision.move
    assert search.n_nodes == decision.effort.nodes
    assert seconds > 0


def test_nodes_are_fixed_by_the_seed_compiled_or_not() -> None:
    given = {"nodes": 1500, "positions": 3, "every": 10}
    found = times(**given, seed=1)
    plain = times(**given, seed=1, compiled=False)
    assert found["nodes"] == plain["nodes"] == times(**given, seed=1)["nodes"]
    assert found["nodes"] != times(**given, seed=2)["nodes"]
    assert found["same"] is plain["same"] is True
    assert plain["seconds"]["minimax"]["value"] > found["seconds"]["minimax"]["value"]
    assert "share" in found
    assert "share" not in plain


def test_positions_of_games_are_distinct_and_not_over() -> None:
    positions = list(positions_of_games(topple.load("infexion"), 9, 20, seed=1))
    assert len(positions) == 9
    assert not any(position.is_over for position in positions)
    assert len({position.text for position in positions}) == 9


def test_progress_is_reported() -> None:
    told = []
    times(nodes=500, positions=2, every=10, seed=1, report=lambda *done: told.append(done))
    assert told == [(1, 2), (2, 2)]


def test_an_estimate_of_one_value_has_no_interval() -> None:
    assert estimate([3.0]) == {"value": 3.0}
    assert estimate([2.0, 2.0]) == pytest.approx({"value": 2.0, "low": 2.0, "high": 2.0})
