"""Lessons: results with the estimates of later positions, and whose the vertices were."""

import numpy as np
import pytest

import topple
from tests.agents.small_positions import running_position
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels.self_play import UNIT
from topple.nets.interface import slot_of
from topple.nets.shelf import slots_of
from topple.rules.spread_it.board import TOKENS
from topple.training.lessons import End, Lesson, make_lesson


def played(game: Game, seed: int) -> list[Position]:
    """The positions of a random game, its end included."""
    positions, random = [running_position(game, 0, seed)], np.random.default_rng(seed)
    while not positions[-1].is_over:
        positions.append(positions[-1].play(int(random.choice(positions[-1].legal_moves()))))
    return positions


def lesson_of(positions: list[Position], estimates: np.ndarray | None, share: float) -> Lesson:
    game, last = positions[0].game, positions[-1]
    n = game.n_players
    policy = np.zeros((len(positions) - 1, slots_of(game)), dtype=np.uint16)
    policy[:, game.run(slot_of, positions[0].legal_moves()[0])] = UNIT
    rewards = ((n - 1) * np.array(last.returns()) + 1) / n
    scores = np.zeros(n) if last.scores is None else np.array(last.scores, float)
    end = End(rewards, scores, game.scratch_state(last.state))
    states = np.array([position.state for position in positions[:-1]])
    return make_lesson(game, states, policy, end, estimates, share)


def by_player(results: np.ndarray, player: int, n: int) -> np.ndarray:
    """Results that do not depend on who looks: of two, what the first player's are."""
    if n == 2:
        return results if player == 0 else results[::-1]
    return np.roll(results, player)


@pytest.mark.parametrize(
    ("spec", "board"),
    [("hex", "hex:3"), ("chain-reaction:players=3", "grid:2x3"), ("influence", "segment:8")],
)
def test_results_are_blended_with_all_later_estimates(spec: str, board: str) -> None:
    game = topple.load(spec, board, compiled=False)
    positions, share = played(game, 4), 0.3
    n_positions, n_results = len(positions) - 1, 3
    random = np.random.default_rng(1)
    estimates = random.dirichlet(np.ones(n_results), n_positions).astype(np.float32)
    plain = lesson_of(positions, None, share).results
    assert (plain == lesson_of(positions, estimates, 0.0).results).all()
    found = lesson_of(positions, estimates, share).results
    movers = [position.player for position in positions[:-1]]
    assert len(set(movers)) > 1
    last = by_player(plain[-1], movers[-1], game.n_players)
    for k in range(n_positions):
        expected, left = np.zeros(n_results), 1.0
        for later in range(k + 1, n_positions):
            seen = by_player(estimates[later], movers[later], game.n_players)
            expected += left * share * seen
            left *= 1 - share
        expected += left * last
        assert by_player(found[k], movers[k], game.n_players) == pytest.approx(expected, abs=1e-5)
        assert found[k].sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("swap", [False, True])
def test_in_hex_a_cell_belongs_to_whose_stone_is_there(swap: bool) -> None:
    game = topple.load("hex:swap=true", "hex:2", compiled=False)
    position = game.start().play("b1")
    for move in ("swap-pieces", "a1", "b2") if swap else ("a1", "b2"):
        position = position.play(move)
    while not position.is_over:
        position = position.play(position.legal_moves()[0])
    lesson = lesson_of([game.start(), game.start().play("b1"), position], None, 0.0)
    expected = [{"X": 1, "O": -1}.get(cell, 0) for cell in position.cells()]
    if swap:  # the second player has had the stones that join top and bottom since
        expected = [-each for each in expected]
    assert lesson.fates[0].tolist() == expected
    assert lesson.fates[1].tolist() == [-each for each in expected]


def test_under_full_loyalty_a_vertex_belongs_to_its_owner() -> None:
    game = topple.load("spread-it:loyalty=full", "karate")
    positions = played(game, 3)
    lesson, (black, red) = lesson_of(positions, None, 0.0), positions[-1].scores or (0, 0)
    for k, position in enumerate(positions[:-1]):
        own, other = (black, red) if position.player == 0 else (red, black)
        assert (lesson.fates[k] == 1).sum() == own
        assert (lesson.fates[k] == -1).sum() == other


def test_under_zero_loyalty_a_vertex_belongs_to_its_tokens() -> None:
    game = topple.load("spread-it", "cycle:5")
    positions = played(game, 5)
    lesson = lesson_of(positions, None, 0.0)
    black, red = positions[-1].state[TOKENS : TOKENS + 10].reshape(2, 5)
    expected = (black - red) / np.maximum(2, black + red)
    assert expected.any()
    for k, position in enumerate(positions[:-1]):
        sign = 1 if position.player == 0 else -1
        assert lesson.fates[k] == pytest.approx(sign * expected, abs=1e-3)
