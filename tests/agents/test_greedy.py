"""greedy: one look ahead, wins first, losses last, the seed among equals."""

import numpy as np
import pytest

import topple
from tests.reference.minimax import move_values
from topple.evaluations.interface import greed
from topple.game.game import random_position
from topple.rules.interface import apply

BOARDS = [
    ("spread-it", "grid:2x3"),
    ("chain-reaction", "grid:2x3"),
    ("chain-reaction:players=3", "grid:3x3"),
    ("infexion", "infexion:3"),
    ("hex", "hex:3"),
    ("influence", "segment:3p+4"),
]


@pytest.mark.parametrize(("name", "board"), BOARDS)
def test_the_best_rated_move_is_played(name: str, board: str) -> None:
    """By the game's own greed, unless an evaluation is named."""
    game = topple.load(name, board)
    default = next(iter(topple.evaluations.evaluations_of(game.name)))
    knowledge = game.knowledge()
    for plies in range(6):
        position = random_position(game, plies, seed=plies)
        if position.is_over:
            continue
        evaluated = topple.agent("greedy", evaluation=default).choose(position)
        values = {each.move: each.value for each in evaluated.candidates}
        if game.n_players == 2:
            expected = move_values(position, 1)
            for move, value in expected.items():  # decided games: 1 ply away or none
                assert values[move] == pytest.approx(value, abs=1.0 if abs(value) > 1e5 else 1e-9)
        assert evaluated.value == max(values.values()) == values[evaluated.move]

        greedy = topple.agent("greedy").choose(position)
        for each in greedy.candidates:
            child = game.scratch_state(position.state)
            game.run(apply, child, each.move)
            if each.proven is None:
                liked = game.run(
                    greed, game.scratch_state(position.state), each.move, child, knowledge
                )
                assert each.value == pytest.approx(liked)
        assert greedy.value == max(each.value for each in greedy.candidates)
        assert sorted(each.move for each in greedy.candidates) == list(position.legal_moves())
        assert greedy.candidates[0].move == greedy.move
        assert sum(each.share for each in greedy.candidates) == pytest.approx(1.0)


def test_a_win_is_taken_whatever_else_looks_good() -> None:
    position = topple.load("hex", "hex:3").position("X.O/XO./... Blue")
    decision = topple.agent("greedy").choose(position)
    assert position.play(decision.move).outcome.winner == position.player
    assert decision.value == 1e6 - 1
    assert decision.proven == "won"
    assert {each.proven for each in decision.candidates} == {"won", None}


def test_a_loss_comes_last() -> None:
    """The last token ends the game, one way or another."""
    game, losses = topple.load("spread-it", "grid:2x3"), 0
    for seed in range(40):
        position = random_position(game, 7, seed)
        if position.is_over:
            continue
        results = {move: position.play(move).outcome for move in position.legal_moves()}
        lost = {m for m, end in results.items() if end and end.winner == 1 - position.player}
        if not lost or len(lost) == len(results):
            continue
        losses += 1
        decision = topple.agent("greedy").choose(position)
        assert decision.move not in lost
        tail = decision.candidates[-len(lost) :]
        assert {each.move for each in tail} == lost
        assert all(each.proven == "lost" and each.value == 1 - 1e6 for each in tail)
    assert losses > 0


def test_the_seed_draws_among_equals_and_nothing_else() -> None:
    position = topple.load("infexion", "infexion:3").start()
    agent = topple.agent("greedy:evaluation=none")
    drawn = [agent.choose(position, seed).move for seed in range(40)]
    assert set(drawn) == set(position.legal_moves())
    assert drawn == [agent.choose(position, seed).move for seed in range(40)]


def test_a_draw_at_hand_proves_nothing_while_another_move_goes_on() -> None:
    game = topple.load("spread-it:loyalty=full", "grid:2x3")
    decision = topple.agent("greedy").choose(game.position("1,2r,R:,1b,1b1r,1r Black 1-1"))
    assert {each.proven for each in decision.candidates} == {"drawn", "lost", None}
    assert decision.candidates[0].proven == "drawn"
    assert decision.proven is None


def test_any_number_of_players() -> None:
    game = topple.load("chain-reaction:players=4", "grid:3x3")
    players = [topple.agent("greedy").begin(seed) for seed in range(4)]
    position, ply = game.start(), 0
    while not position.is_over:
        position = position.play(players[position.player].choose(position, ply).move)
        ply += 1
    assert position.outcome.winner in range(4)


def test_weights_stand_for_an_evaluation() -> None:
    game = topple.load("chain-reaction", "grid:3x3")
    position = random_position(game, 5, seed=1)
    n_features = len(topple.evaluations.knowledge_of("chain-reaction").FEATURES)
    against = "/".join(["-1"] * n_features)
    decision = topple.agent("greedy", weights=against).choose(position)
    expected = {
        move: position.play(move).evaluate(weights=against, player=position.player)
        for move in position.legal_moves()
        if not position.play(move).is_over
    }
    values = {each.move: each.value for each in decision.candidates if each.proven is None}
    assert values == pytest.approx(expected)


def test_uncompiled_it_plays_the_same() -> None:
    for seed in range(5):
        decisions = []
        for compiled in (True, False):
            game = topple.load("infexion", "infexion:3", compiled=compiled)
            position = random_position(game, 4, seed)
            decisions.append(topple.agent("greedy").choose(position, seed))
        assert decisions[0].move == decisions[1].move
        values = [np.array([each.value for each in d.candidates]) for d in decisions]
        assert values[0] == pytest.approx(values[1])


def test_a_game_that_is_over_is_refused() -> None:
    over = topple.load("hex", "hex:2").position("XO/X. Red")
    assert over.is_over
    with pytest.raises(topple.IllegalMove, match="the game is over"):
        topple.agent("greedy").choose(over)
