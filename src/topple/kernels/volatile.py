"""The change of scores in random games, and an alpha-beta search that can be resumed."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.evaluations.interface import evaluate
from topple.kernels.flat import Counts, Streams
from topple.kernels.moves import play_move
from topple.kernels.values import decided_value
from topple.rules.interface import (
    FAILED,
    PLAYER,
    RUNNING,
    STATUS,
    Moves,
    Returns,
    State,
    copy_position,
    legal_moves,
    outcome,
    random_move,
    score,
)

INFINITY = 1e9  # above every value
DOWN, TIMES = 0, 1  # how scores are scaled by a pay-off


@kernel
def sample_changes(
    board: Any,
    root: State,
    state: State,
    n_state: int,
    moves: Moves,
    streams: Streams,
    counts: Counts,
    scratch_moves: Moves,
    player: int,
    scores: Returns,
    before: Returns,
    totals: Returns,
    changes: Returns,
) -> int:
    """Play counts[i] random games that begin with moves[i]; returns their number, or FAILED.

    Adds the player's returns to totals[i], and the mean change of the two scores per ply
    to changes[i]. The games are played move by move, because every position is scored.
    Changes `streams`; `state`, `scratch_moves`, `scores` and `before` are scratch space.
    """
    n_games = 0
    for i in range(len(moves)):
        for _ in range(counts[i]):
            copy_position(root, state, n_state)
            score(board, state, before)
            n_plies, changed, move = 0, 0.0, int(moves[i])
            while True:
                play_move(board, state, move)
                n_plies += 1
                changed += score_change(board, state, scores, before)
                if state[STATUS] != RUNNING:
                    break
                move = random_move(board, state, streams[i], scratch_moves)
            if state[STATUS] == FAILED:
                return FAILED
            outcome(board, state, scores)
            totals[i] += scores[player]
            changes[i] += changed / n_plies
        n_games += counts[i]
    return n_games


@kernel
def score_change(board: Any, state: State, scores: Returns, before: Returns) -> float:
    """Half of the change of the two scores since `before`, which is then overwritten."""
    score(board, state, scores)
    change = abs(scores[0] - before[0]) + abs(scores[1] - before[1])
    before[0] = scores[0]
    before[1] = scores[1]
    return float(change / 2)


class VolatileStack(NamedTuple):
    """The state of an alpha-beta search. Row p is the position p plies below the root."""

    here: NDArray[np.int64]  # shape (2,): the current ply, 0 for none; the nodes so far
    states: NDArray[np.int32]  # shape (depth + 1, state and work)
    moves: NDArray[np.int32]  # shape (depth + 1, moves)
    n_moves: NDArray[np.int64]  # shape (depth + 1,), as the next five
    tried: NDArray[np.int64]
    alphas: NDArray[np.float64]
    betas: NDArray[np.float64]
    values: NDArray[np.float64]  # the best so far
    lines: NDArray[np.int32]  # shape (depth + 1, depth + 1): the expected moves
    lengths: NDArray[np.int64]  # of the lines


@kernel
def begin_branch(
    board: Any,
    root: State,
    n_state: int,
    move: int,
    player: int,
    payoff: float,
    scaling: int,
    knowledge: Any,
    stack: VolatileStack,
    alpha: float,
    beta: float,
) -> int:
    """Begin the search of the position after a move, within a window; returns 1, or FAILED."""
    copy_position(root, stack.states[1], n_state)
    play_move(board, stack.states[1], move)
    if stack.states[1, STATUS] == FAILED:
        return FAILED
    stack.alphas[1] = alpha
    stack.betas[1] = beta
    open_node(board, stack, 1, player, payoff, scaling, knowledge)
    stack.here[0] = 1
    stack.here[1] += 1
    return 1


@kernel
def continue_branch(
    board: Any,
    n_state: int,
    player: int,
    payoff: float,
    scaling: int,
    knowledge: Any,
    stack: VolatileStack,
    n_nodes: int,
) -> int:
    """Visit at most `n_nodes` nodes of the current branch; returns its ply, or FAILED.

    At ply 0 the branch is done: values[1] is its value if that is within the window, an
    upper bound if it is below the window and a lower bound if it is above.
    """
    ply, last = stack.here[0], stack.here[1] + n_nodes
    while ply > 0:
        if stack.tried[ply] < stack.n_moves[ply] and stack.alphas[ply] < stack.betas[ply]:
            if stack.here[1] == last:
                break
            child = stack.states[ply + 1]
            copy_position(stack.states[ply], child, n_state)
            play_move(board, child, stack.moves[ply, stack.tried[ply]])
            if child[STATUS] == FAILED:
                return FAILED
            stack.tried[ply] += 1
            stack.alphas[ply + 1] = stack.alphas[ply]
            stack.betas[ply + 1] = stack.betas[ply]
            ply += 1
            open_node(board, stack, ply, player, payoff, scaling, knowledge)
            stack.here[1] += 1
        else:
            ply -= 1
            if ply > 0:
                take_value(stack, ply, player)
    stack.here[0] = ply
    return int(ply)


@kernel
def open_node(
    board: Any,
    stack: VolatileStack,
    ply: int,
    player: int,
    payoff: float,
    scaling: int,
    knowledge: Any,
) -> None:
    """List the moves of a position, or evaluate it where the search ends."""
    state = stack.states[ply]
    stack.tried[ply] = 0
    stack.n_moves[ply] = 0
    stack.lengths[ply] = 0
    is_over = state[STATUS] != RUNNING
    if is_over and scaling == DOWN:
        stack.values[ply] = decided_value(state, player, ply)
    elif is_over or ply == len(stack.states) - 1:
        value = evaluate(board, state, player, knowledge)
        stack.values[ply] = scaled(value, payoff, scaling)
    else:
        stack.values[ply] = -INFINITY if state[PLAYER] == player else INFINITY
        stack.n_moves[ply] = legal_moves(board, state, stack.moves[ply])


@kernel
def scaled(value: float, payoff: float, scaling: int) -> float:
    """A score times a pay-off; scaled DOWN, a smaller pay-off makes losses larger."""
    if scaling == DOWN and value < 0.0:
        return value * (2.0 - payoff)
    return value * payoff


@kernel
def take_value(stack: VolatileStack, ply: int, player: int) -> None:
    """Update a node with the value of the move that was tried last."""
    value = stack.values[ply + 1]
    maximises = stack.states[ply, PLAYER] == player
    if value > stack.values[ply] if maximises else value < stack.values[ply]:
        stack.values[ply] = value
        stack.lines[ply, 0] = stack.moves[ply, stack.tried[ply] - 1]
        for i in range(stack.lengths[ply + 1]):
            stack.lines[ply, i + 1] = stack.lines[ply + 1, i]
        stack.lengths[ply] = stack.lengths[ply + 1] + 1
    if maximises:
        stack.alphas[ply] = max(stack.alphas[ply], value)
    else:
        stack.betas[ply] = min(stack.betas[ply], value)
