"""Openings: is a game at a point where it can be played on?"""

from typing import Any

from topple.compiling.specialise import kernel
from topple.rules.interface import RUNNING, STATUS, Moves, State, apply, copy_position, legal_moves


@kernel
def can_end(board: Any, state: State, child: State, n_state: int, moves: Moves) -> bool:
    """Tell whether some move ends the game at once; the game is not over.

    Changes `child` and `moves`, which are room to work in.
    """
    n_moves = legal_moves(board, state, moves)
    for i in range(n_moves):
        copy_position(state, child, n_state)
        apply(board, child, moves[i])
        if child[STATUS] != RUNNING:
            return True
    return False
