"""What is on the vertices and what is counted, as numbers, for all five games."""

from types import ModuleType

import numpy as np
import pytest

import topple
from topple.game.game import random_position
from topple.game.position import Position
from topple.rules.text import Cell, layers_of

GAMES = {
    "spread-it": "karate",
    "spread-it:loyalty=full": "florentine",
    "chain-reaction": "grid:4x4",
    "chain-reaction:players=3": "grid:4x4",
    "infexion": "infexion:5",
    "hex:swap=true": "hex:4",
    "influence": "segment:17",
}


@pytest.fixture(params=GAMES, ids=list(GAMES))
def start(request: pytest.FixtureRequest) -> Position:
    """The first position of a game."""
    return topple.load(request.param, board=GAMES[request.param]).start()


def line(position: Position, seed: int) -> list[Position]:
    """Positions of a random game."""
    return [random_position(position.game, n, seed) for n in range(0, 40, 3)]


def test_a_cell_is_empty_exactly_where_its_text_is(start: Position) -> None:
    for position in line(start, 5):
        for cell, text in zip(position.contents(), position.cells(), strict=True):
            is_empty = cell.gone or (not any(cell.counts) and cell.owner is None)
            assert is_empty == (text == ""), (cell, text)


def test_layers_are_the_cells_as_arrays(start: Position) -> None:
    for position in line(start, 9):
        layers, cells = position.layers(), layers_of(position.contents())
        for own, told in zip(layers, cells, strict=True):
            assert own.dtype == told.dtype
            assert np.array_equal(own, told)


def test_counts_have_a_number_for_each_player(start: Position) -> None:
    for position in line(start, 6):
        for cell in position.contents():
            assert len(cell.counts) in (0, position.game.n_players)
            assert cell.owner is None or 0 <= cell.owner < position.game.n_players


def test_scenes_end_with_the_position_that_the_move_leads_to(start: Position) -> None:
    n_moves = 0
    for position in line(start, 7):
        for move in position.legal_moves()[:4]:
            *_, last = position.scenes(move)
            assert last.contents == position.play(move).contents()
            n_moves += 1
    assert n_moves > 5


def test_scenes_follow_the_steps(start: Position) -> None:
    position = [each for each in line(start, 8) if not each.is_over][-1]
    assert position.legal_moves()
    for move in position.legal_moves()[:3]:
        first, *rest = position.scenes(move)
        assert (first.vertex, first.text) == (None, "")
        told = [(step.vertex, step.text) for step in position.steps(move)]
        assert [(scene.vertex, scene.text) for scene in rest] == told


def test_what_is_counted_is_the_score(start: Position) -> None:
    for position in line(start, 9):
        tallies = dict(position.tallies())
        if position.scores is None:
            assert tallies == {}
        else:
            assert next(iter(tallies.values())) == position.scores


def test_spread_it_counts_tokens_left() -> None:
    position = topple.load("spread-it:tokens=3", board="grid:2x2").start().play(0)
    assert dict(position.tallies())["tokens left"] == (2, 3)


def test_spread_it_owners_are_those_of_full_loyalty() -> None:
    position = topple.load("spread-it:loyalty=full,tokens=3", board="star:4").start()
    position = position.play("2")
    assert position.contents()[1].owner == 0
    assert position.contents()[0] == Cell(None, (1, 0))


def test_a_swap_hands_the_stone_over() -> None:
    game = topple.load("hex", board="hex:3", swap=True)
    placed = game.start().play("b2")
    assert placed.contents()[4] == Cell(0)
    swapped = placed.play("swap-pieces")
    assert swapped.contents()[4] == Cell(1)
    assert swapped.play("a1").contents()[0] == Cell(0)
    assert swapped.borders() == (1, 0)


def test_influence_marks_what_is_gone() -> None:
    position = topple.load("influence", board="segment:5").start()
    after = position.play(position.legal_moves()[0])
    gone = sum(cell.gone for cell in after.contents())
    assert gone == sum(after.tallies()[0][1]) > 0


def test_a_spread_goes_to_the_next_cell() -> None:
    position = topple.load("infexion").start().play("SPAWN(3, 3)").play("SPAWN(0, 0)")
    game = position.game
    spreads = [move for move in position.legal_moves() if game.move_target(move) is not None]
    assert len(spreads) == 6
    for move in spreads:
        _, step = position.scenes(move)
        assert step.vertex == game.move_target(move)


def test_only_spreads_go_anywhere() -> None:
    for name in ("hex", "spread-it", "chain-reaction", "influence"):
        assert topple.load(name).move_target(0) is None


def test_a_game_from_outside_has_working_defaults(node_kayles: ModuleType) -> None:
    position = topple.load("node-kayles", board="path:4").start()
    assert position.contents() == (Cell(),) * 4
    assert position.borders() == ()
    assert position.game.move_target(0) is None


def test_a_game_without_reasons_ends_in_one_word(node_kayles: ModuleType) -> None:
    """The default reason would only repeat the result: "Second wins: win"."""
    assert not hasattr(node_kayles, "reason")
    start = topple.load("node-kayles", board="path:4").start()
    end = start.play("1").play("4")
    assert end.result_text() == "Second wins"
    assert end.outcome is not None
    assert end.outcome.reason == "win"
    assert topple.load("hex", "hex:1").start().play("a1").result_text() == (
        "Blue wins: top and bottom are joined"
    )
