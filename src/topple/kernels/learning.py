"""Learning weights by self-play: one game between two players, each of whom may learn.

Both are called learners, whether they learn or not. Learner 0 moves first, unless the seats
are swapped.
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

FINAL = 100.0  # the value of a won game; a lost game has its negative
CHANCES = 1 << 16  # probabilities are multiples of 1 / CHANCES

N_POSITIONS, N_UPDATES, N_CUT = range(3)  # indices of `Learners.counts`


class Learners(NamedTuple):
    """The two players. The fields after `chances` are scratch space or results."""

    weights: Numbers  # shape (2, features)
    rows: Counts  # shape (2,): the row of `weights` that each of them plays with
    rates: Numbers  # shape (2,): learning rates, 0 for a player that does not learn
    chances: Counts  # shape (2,): of a random move, as multiples of 1 / CHANCES
    before: Numbers  # shape (2, features): the features when each was last to move
    has_moved: Counts  # shape (2,): whether each has been to move in this game
    now: Numbers  # shape (features,)
    squares: Numbers  # shape (1,): the sum of the squares of all features in all positions
    counts: Counts  # shape (3,): positions, updates, updates whose step was cut


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
    """Play a game from the start, with an update at every turn; returns its last STATUS.

    `state` is all zero, `child` and `moves` are scratch space. `features` is a
    tuple with one evaluation's knowledge for each single feature. Changes `learners`,
    `rng` and `state`.
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
    """Write a player's features, in a position that is not over, into `values`."""
    for i in range(len(values)):
        values[i] = evaluate(board, state, player, features[i])


@kernel
def weighted_sum(weights: Numbers, features: Numbers) -> float:
    """The sum of the features times their weights."""
    value = 0.0
    for i in range(len(weights)):
        value += weights[i] * features[i]
    return value


@kernel
def final_target(status: int, player: int) -> float:
    """The value of a game that is over for a player."""
    if status < WON:
        return 0.0
    return FINAL if status == WON + player else -FINAL


@kernel
def learn_from_last_turn(learners: Learners, learner: int) -> None:
    """Update from the learner's last turn towards this one, and remember this one."""
    now = learners.now
    update_weights(learners, learner, weighted_sum(learners.weights[learners.rows[learner]], now))
    learners.counts[N_POSITIONS] += 1
    learners.squares[0] += weighted_sum(now, now)
    learners.has_moved[learner] = 1
    for i in range(len(now)):
        learners.before[learner, i] = now[i]


@kernel
def update_weights(learners: Learners, learner: int, target: float) -> None:
    """Move the value of the learner's last turn towards `target`.

    The rule of least mean squares: every weight grows by the rate times the error times
    its feature. A step that would overshoot is cut so that it hits the target.
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
    """The move with the highest value, drawn among equals; or FAILED.

    An immediate win is best and an immediate loss worst. With the learner's probability
    it is a random legal move. Changes `rng`; `child`, `moves` and `learners.now` are
    scratch space.
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
