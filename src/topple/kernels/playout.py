"""Random games, and whether a game can end with the next move."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.rng import Rng
from topple.compiling.specialise import kernel
from topple.kernels.moves import renew_chance
from topple.rules.interface import (
    FAILED,
    RUNNING,
    STATUS,
    Moves,
    Returns,
    State,
    apply,
    copy_position,
    legal_moves,
    outcome,
    playout,
    random_move,
)


@kernel
def playouts(
    board: Any,
    root: State,
    state: State,
    n_state: int,
    rng: Rng,
    moves: Moves,
    returns: Returns,
    totals: Returns,
    n_games: int,
) -> int:
    """Play random games from `root`; returns the total number of plies, or FAILED.

    Adds each game's returns to `totals`, shape (players,). Changes `rng`; `state`, `moves`
    and `returns` are scratch space.
    """
    n_plies = 0
    for _ in range(n_games):
        copy_position(root, state, n_state)
        renew_chance(board, state, rng)
        n_plies += playout(board, state, rng, moves)
        if state[STATUS] == FAILED:
            return FAILED
        outcome(board, state, returns)
        for player in range(len(returns)):
            totals[player] += returns[player]
    return n_plies


@kernel
def random_game(board: Any, state: State, rng: Rng, moves: Moves, played: NDArray[np.int32]) -> int:
    """Play one random game from `state` move by move; unlike a playout, without shortcuts.

    Writes the moves into `played` and stops when that is full; returns their number, or
    FAILED. Changes `state` and `rng`; `moves` is scratch space.
    """
    n_plies = 0
    while state[STATUS] == RUNNING and n_plies < len(played):
        move = random_move(board, state, rng, moves)
        played[n_plies] = move
        apply(board, state, move)
        n_plies += 1
    return FAILED if state[STATUS] == FAILED else n_plies


@kernel
def can_end(board: Any, state: State, child: State, n_state: int, moves: Moves) -> bool:
    """Whether some legal move ends the game, which is not over yet.

    `child` and `moves` are scratch space.
    """
    n_moves = legal_moves(board, state, moves)
    for i in range(n_moves):
        copy_position(state, child, n_state)
        apply(board, child, moves[i])
        if child[STATUS] != RUNNING:
            return True
    return False
