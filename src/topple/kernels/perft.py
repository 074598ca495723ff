"""Perft: the number of move sequences of a given length, a fingerprint of the rules."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.rules.interface import FAILED, RUNNING, STATUS, apply, copy_position, legal_moves


@kernel
def count_leaves(
    board: Any, states: NDArray[np.int32], n_state: int, moves: NDArray[np.int32], depth: int
) -> int:
    """Count the sequences of `depth` moves from the position in `states[depth]`, or FAILED.

    A finished game has no successors. `states` has depth + 1 rows and `moves`
    has depth rows; the rows below `depth` are scratch space.
    """
    if depth == 0:
        return 1
    state = states[depth]
    if state[STATUS] != RUNNING:
        return FAILED if state[STATUS] == FAILED else 0
    n_moves = legal_moves(board, state, moves[depth - 1])
    if depth == 1:
        return n_moves
    n_leaves = 0
    child = states[depth - 1]
    for i in range(n_moves):
        copy_position(state, child, n_state)
        apply(board, child, moves[depth - 1, i])
        below = count_leaves(board, states, n_state, moves, depth - 1)
        if below == FAILED:
            return FAILED
        n_leaves += below
    return n_leaves
