"""Learning by playing: one game of two players who weigh features and may correct the weights.

Both are called learners, whether they learn or not. Learner 0 has the first
seat, unless seats are swapped.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel, noinline
from topple.evaluations.interface import evaluate
from topple.kernels.moves import play_move
from topple.kernels.values import decided_value
from topple.rules.interface import (
    FAILED,
    PLAYER,
    RUNNING,
    STATUS,
    WON,
    Moves,
    State,
    copy_position,
    legal_moves,
    start,
)

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]

FINAL = 100.0  # what a won game is worth; a lost one is worth as much less than nothing
CHANCES = 1 << 16  # a chance is counted in parts of this

N_POSITIONS, N_UPDATES, N_CUT = range(3)  # what `Learners.counts` counts


class Learners(NamedTuple):
    """The two players, who outlive a game; all but weights, rates, rows and chances is room."""

    weights: Numbers  # shape (2, features)
    rows: Counts  # shape (2,): the weights that each of them plays with
    rates: Numbers  # shape (2,): 0 for one who does not learn
    chances: Counts  # shape (2,): of a random move, in parts of CHANCES
    before: Numbers  # shape (2, features): where each was to move last
    has_moved: Counts  # shape (2,): whether he was in this game
    now: Numbers  # shape (features,)
    squares: Numbers  # shape (1,): of all features in all positions, added up
    counts: Counts  # shape (3,): positions, lessons, lessons that were cut short


@kernel
def play_and_learn(
    board: Any,
    state: State,
    child: State,
    n_state: int,
    moves: Moves,
    rng: Rng,
    features: Any,
    learners: Learners,
    swapped: int,
) -> int:
    """Play a game from the start with a lesson at every turn; returns how it ended.

    `state` is all zero, `child` and `moves` are scratch space. `features` is a
    tuple of knowledges, each of which weighs one feature alone. Changes the
    learners.
    """
    start(board, state)
    learners.has_moved[0] = learners.has_moved[1] = 0
    while state[STATUS] == RUNNING:
        learner = state[PLAYER] ^ swapped
        note_features(board, state, state[PLAYER], features, learners.now)
        learn_from_last_turn(learners, learner)
        move = choose(board, state, child, n_state, moves, rng, features, learners, learner)
        if move == FAILED:
            return FAILED
        play_move(board, state, move)
    for learner in range(2):
        update_weights(learners, learner, final_target(state[STATUS], learner ^ swapped))
    return int(state[STATUS])


@noinline
def note_features(board: Any, state: State, player: int, features: Any, values: Numbers) -> None:
    """Write a player's features in a position that is not over."""
    for i in range(len(values)):
        values[i] = evaluate(board, state, player, features[i])


@kernel
def weighted_sum(weights: Numbers, features: Numbers) -> float:
    """The weighted sum."""
    value = 0.0
    for i in range(len(weights)):
        value += weights[i] * features[i]
    return value


@kernel
def final_target(status: int, player: int) -> float:
    """What a game that is over was worth to a player."""
    if status < WON:
        return 0.0
    return FINAL if status == WON + player else -FINAL


@kernel
def learn_from_last_turn(learners: Learners, learner: int) -> None:
    """Learn from the position that a learner was to move in before, and remember this one."""
    now = learners.now
    update_weights(learners, learner, weighted_sum(learners.weights[learners.rows[learner]], now))
    learners.counts[N_POSITIONS] += 1
    learners.squares[0] += weighted_sum(now, now)
    learners.has_moved[learner] = 1
    for i in range(len(now)):
        learners.before[learner, i] = now[i]


@kernel
def update_weights(learners: Learners, learner: int, target: float) -> None:
    """Bring the worth of the position before nearer to what came of it.

    The rule of least mean squares: every weight grows by the rate times the
    error times its feature. Where that would overshoot, it goes as far as the target.
    """
    rate = learners.rates[learner]
    if learners.has_moved[learner] == 0 or rate == 0.0:
        return
    weights, before = learners.weights[learners.rows[learner]], learners.before[learner]
    squares = weighted_sum(before, before)
    learners.counts[N_UPDATES] += 1
    if rate * squares > 1.0:
        learners.counts[N_CUT] += 1
        rate = 1.0 / squares
    step = rate * (target - weighted_sum(weights, before))
    for i in range(len(weights)):
        weights[i] += step * before[i]


@kernel
def choose(
    board: Any,
    state: State,
    child: State,
    n_state: int,
    moves: Moves,
    rng: Rng,
    features: Any,
    learners: Learners,
    learner: int,
) -> int:
    """The move that leads to the highest worth, by lot among equals; or FAILED.

    A win at once is best and a loss at once worst. As often as the learner's
    chance says it is any legal move.
    """
    player, weights = state[PLAYER], learners.weights[learners.rows[learner]]
    n_moves = legal_moves(board, state, moves)
    chance = learners.chances[learner]
    if chance > 0 and below(rng, CHANCES) < chance:
        return int(moves[below(rng, n_moves)])
    best, n_best, chosen = -np.inf, 0, moves[0]
    for i in range(n_moves):
        copy_position(state, child, n_state)
        play_move(board, child, moves[i])
        if child[STATUS] == FAILED:
            return FAILED
        if child[STATUS] == RUNNING:
            note_features(board, child, player, features, learners.now)
            value = weighted_sum(weights, learners.now)
        else:
            value = decided_value(child, player, 1)
        if value > best:
            best, n_best, chosen = value, 1, moves[i]
        elif value == best:
            n_best += 1
            if below(rng, n_best) == 0:
                chosen = moves[i]
    return int(chosen)
