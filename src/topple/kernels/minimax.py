"""Plain minimax to a fixed depth: no pruning, no table, no ordering.

It is the baseline that every other search must agree with. It has its own stack, so that it
can stop and continue at any node.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.evaluations.interface import evaluate
from topple.kernels.moves import play_move
from topple.kernels.values import decided_value
from topple.rules.interface import (
    FAILED,
    PLAYER,
    RUNNING,
    STATUS,
    copy_position,
    legal_moves,
)


class MinimaxStack(NamedTuple):
    """The path from the root to the current node, with a row or a number for each ply."""

    states: NDArray[np.int32]  # shape (depth + 2, state)
    moves: NDArray[np.int32]  # shape (depth + 2, moves)
    n_moves: NDArray[np.int64]
    next_move: NDArray[np.int64]  # index of the current move
    best: NDArray[np.float64]
    best_move: NDArray[np.int64]
    variation: NDArray[np.int32]  # shape (depth + 2, depth + 2): best moves from each ply on
    root_values: NDArray[np.float64]  # shape (moves,): by index of the root's move
    root_nodes: NDArray[np.int64]
    counts: NDArray[np.int64]  # shape (4,), below


PLY, NODES, ROOT_DONE, HORIZON = range(4)  # HORIZON: 1 if a node was evaluated


@kernel
def minimax(
    board: Any, stack: MinimaxStack, knowledge: Any, player: int, n_state: int, depth: int, n: int
) -> int:
    """Visit n more nodes; returns 1 when the whole tree has been visited, 0 before, or FAILED.

    Values are for `player`, who is to move at the root. A new search begins with counts
    of 0 and the root's position in the first row. Changes `stack` and the scratch space in
    `knowledge`.
    """
    counts = stack.counts
    while n > 0:
        n -= 1
        ply = counts[PLY]
        counts[NODES] += 1
        state = stack.states[ply]
        stack.variation[ply, ply] = -1
        if state[STATUS] == FAILED:
            return FAILED
        if state[STATUS] != RUNNING:
            stack.best[ply] = decided_value(state, player, ply)
        elif ply == depth:
            counts[HORIZON] = 1
            stack.best[ply] = evaluate(board, state, player, knowledge)
        else:
            stack.n_moves[ply] = legal_moves(board, state, stack.moves[ply])
            stack.next_move[ply] = 0
            stack.best[ply] = -np.inf if state[PLAYER] == player else np.inf
            play_next(board, stack, n_state, ply)
            continue
        if back_up(board, stack, player, n_state):
            return 1
    return 0


@kernel
def play_next(board: Any, stack: MinimaxStack, n_state: int, ply: int) -> None:
    """Go down one ply with the current move."""
    copy_position(stack.states[ply], stack.states[ply + 1], n_state)
    play_move(board, stack.states[ply + 1], stack.moves[ply, stack.next_move[ply]])
    stack.counts[PLY] = ply + 1


@kernel
def back_up(board: Any, stack: MinimaxStack, player: int, n_state: int) -> bool:
    """Pass values up until a node has a move left, and play it; returns if the root is done."""
    counts = stack.counts
    while counts[PLY] > 0:
        counts[PLY] -= 1
        ply = counts[PLY]
        take_value(stack, ply, player)
        stack.next_move[ply] += 1
        if stack.next_move[ply] < stack.n_moves[ply]:
            play_next(board, stack, n_state, ply)
            return False
    return True


@kernel
def take_value(stack: MinimaxStack, ply: int, player: int) -> None:
    """Update a node with the value of its child, if that is better for the player to move."""
    value, move = stack.best[ply + 1], stack.moves[ply, stack.next_move[ply]]
    if ply == 0:
        done = stack.counts[ROOT_DONE]
        stack.root_values[done] = value
        stack.root_nodes[done] = stack.counts[NODES]
        stack.counts[ROOT_DONE] += 1
    maximises = stack.states[ply, PLAYER] == player
    if value > stack.best[ply] if maximises else value < stack.best[ply]:
        stack.best[ply] = value
        stack.best_move[ply] = move
        stack.variation[ply, ply] = move
        for i in range(ply + 1, stack.variation.shape[1]):
            stack.variation[ply, i] = stack.variation[ply + 1, i]
            if stack.variation[ply + 1, i] < 0:
                break
