"""Positions as planes: complete, seen from each player, in the board's own form."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topple
from tests.games.changing_boards import changing
from topple.bridges.observation import MOST, Observer
from topple.game.game import Game
from topple.game.position import Position

GAMES = [
    ("hex:swap=true", "hex:3"),
    ("spread-it", "karate"),
    ("spread-it:loyalty=full", "ba:n=12,m=2,seed=1"),
    ("chain-reaction", "grid:2x3"),
    ("chain-reaction:players=3,surplus=keep", "grid:3x3"),
    ("infexion", "infexion:3"),
    ("influence", "segment:9"),
    ("influence:first=right", "segment:8"),
    ("spread-it:players=3,tokens=5", "cycle:5"),
    ("spread-it:players=4,tokens=6,accept=0.7,refused=stay", "complete:4"),
    ("spread-it:loyalty=3,turn=2,sinks=drop", "random-digraph:n=8,m=16,seed=1"),
]


def walk(game: Game, seed: int) -> list[Position]:
    """The positions of a random game."""
    random = np.random.default_rng(seed)
    positions = [game.start()]
    while not positions[-1].is_over and len(positions) < 400:
        positions.append(positions[-1].play(int(random.choice(positions[-1].legal_moves()))))
    return positions


@pytest.mark.parametrize(("spec", "board"), GAMES)
def test_positions_that_differ_look_different(spec: str, board: str) -> None:
    game = topple.load(spec, board)
    observer = Observer(game)
    for player in range(game.n_players):
        seen: dict[bytes, Position] = {}
        for seed in range(15):
            for position in walk(game, seed):
                look = observer.observe(position, player)
                assert look.shape == observer.shape
                assert look.dtype == np.float32
                assert look.min() >= 0
                assert look.max() <= MOST
                flags = look[[name not in observer.counted for name in observer.names]]
                assert set(np.unique(flags)) <= {0.0, 1.0}
                assert seen.setdefault(look.tobytes(), position) == position


@settings(deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(GAMES))
def test_planes_hold_what_the_position_says(seed: int, which: tuple[str, str]) -> None:
    game = topple.load(*which)
    observer = Observer(game)
    positions = walk(game, seed)
    position = positions[seed % len(positions)]
    for player in range(game.n_players):
        planes = dict(
            zip(observer.names, observer.observe(position, player).reshape(len(observer.names), -1),
                strict=True)
        )  # fmt: skip
        for vertex, cell in enumerate(position.contents()):
            assert planes["own"][vertex] == (cell.owner == player)
            assert planes["gone"][vertex] == cell.gone
            if cell.counts:
                assert planes["own pieces"][vertex] == cell.counts[player]
        turn = not position.is_over and position.player == player
        assert set(planes["own turn"].tolist()) == {float(turn)}
        for name, tally in position.tallies():
            assert set(planes[f"own {name} in all"].tolist()) == {float(tally[player])}


def test_other_players_come_in_the_order_of_their_turns() -> None:
    game = topple.load("chain-reaction:players=3", "grid:3x3")
    position = game.start().play("a1").play("b2").play("c3")
    names = Observer(game).names
    look = Observer(game).observe(position, 2)
    assert look[names.index("own pieces"), 2, 2] == 1
    assert look[names.index("1 ahead pieces"), 0, 0] == 1
    assert look[names.index("2 ahead pieces"), 1, 1] == 1


def test_the_order_of_arrival_is_seen_from_each_player() -> None:
    game = topple.load("spread-it:players=8,tokens=3", "complete:20")
    position = game.start()
    for _ in range(2):
        for player in (7, 0, 1, 2, 3, 4, 5, 6):  # Black, who begins, puts down his own first
            assert position.player == (player + 1) % 8
            position = position.play(0)
    names = Observer(game).names
    look = Observer(game).observe(position, 2)
    assert [look[names.index(f"{i} ahead arrival"), 0] for i in range(1, 6)] == [4, 5, 6, 7, 8]
    assert [look[names.index(f"{i} ahead arrival"), 0] for i in (6, 7)] == [1, 2]
    assert look[names.index("own arrival"), 0] == 3
    assert look[names.index("own arrival"), 1] == 0


def test_the_ply_of_a_board_that_changes_is_seen() -> None:
    board = changing("path:4", (3, "cycle:4"))
    game = topple.load("spread-it:tokens=4", board, compiled=False)
    observer = Observer(game)
    position = game.start().play(0).play(3).play(0)
    assert position.network == 1
    look = observer.observe(position, 0)
    assert set(look[observer.names.index("ply")].tolist()) == {3.0}


def test_names_differ() -> None:
    for spec, board in GAMES:
        names = Observer(topple.load(spec, board)).names
        assert len(set(names)) == len(names)


def test_what_was_seen_is_kept() -> None:
    game = topple.load("infexion", "infexion:3")
    observer = Observer(game)
    before = observer.observe(game.start(), 0)
    kept = before.copy()
    observer.observe(game.start().play("SPAWN(0, 0)"), 0)
    assert np.array_equal(before, kept)
