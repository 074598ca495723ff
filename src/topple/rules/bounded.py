"""Random games that end: what a game from outside plays if it has no `playout` of its own.

Where the rules forget to set STATUS, a playout would never end, and a kernel hears no Ctrl-C.
"""

from typing import Any

from topple.compiling.rng import Rng
from topple.compiling.specialise import kernel
from topple.rules.interface import FAILED, RUNNING, STATUS, Moves, State, apply, random_move

MOST_PLIES = 100_000  # of a random game


@kernel
def playout(board: Any, state: State, rng: Rng, moves: Moves) -> int:
    """Play uniformly random moves to the end, as `topple.rules.interface.playout` does.

    After MOST_PLIES plies STATUS is FAILED.
    """
    n_plies = 0
    while state[STATUS] == RUNNING:
        if n_plies == MOST_PLIES:
            state[STATUS] = FAILED
            return FAILED
        apply(board, state, random_move(board, state, rng, moves))
        n_plies += 1
    return n_plies
