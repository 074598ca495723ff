"""Random games after each move of one position, with a random stream for each move."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.kernels.moves import play_move, play_out, renew_chance
from topple.rules.interface import (
    FAILED,
    STATUS,
    Moves,
    Returns,
    State,
    chance_at,
    copy_position,
    outcome,
)

Counts = NDArray[np.int64]  # shape (candidates,)
Streams = NDArray[np.uint64]  # shape (candidates, 1): a generator's state for each move


@kernel
def find_final_moves(
    board: Any,
    root: State,
    child: State,
    n_state: int,
    moves: Moves,
    player: int,
    returns: Returns,
    totals: Returns,
    over: Counts,
) -> int:
    """Find the moves that end the game; returns their number, or FAILED.

    For these, sets `over` to 1 and `totals` to the player's return; both have the shape of
    `moves`. With chance no move is sure to end the game. `child` and `returns` are scratch
    space.
    """
    n_over = 0
    if chance_at(board) > 0:
        return n_over
    for i in range(len(moves)):
        copy_position(root, child, n_state)
        play_move(board, child, moves[i])
        if child[STATUS] == FAILED:
            return FAILED
        if outcome(board, child, returns):
            over[i] = 1
            totals[i] = returns[player]
            n_over += 1
    return n_over


@kernel
def sample(
    board: Any,
    root: State,
    child: State,
    state: State,
    n_state: int,
    moves: Moves,
    streams: Streams,
    counts: Counts,
    scratch_moves: Moves,
    player: int,
    returns: Returns,
    totals: Returns,
) -> int:
    """Play counts[i] random games after moves[i]; returns their number, or FAILED.

    Adds the player's returns to totals[i]. The games of a move draw from the move's own
    stream, so that they do not depend on the other moves. With chance each game plays its
    move anew. Changes `streams`; `child`, `state`, `scratch_moves` and `returns` are scratch
    space.
    """
    n_games = 0
    for i in range(len(moves)):
        if counts[i] == 0:
            continue
        copy_position(root, child, n_state)
        play_move(board, child, moves[i])
        if child[STATUS] == FAILED:
            return FAILED
        for _ in range(counts[i]):
            if chance_at(board) > 0:
                copy_position(root, state, n_state)
                renew_chance(board, state, streams[i])
                play_move(board, state, moves[i])
            else:
                copy_position(child, state, n_state)
            play_out(board, state, streams[i], scratch_moves)
            if state[STATUS] == FAILED:
                return FAILED
            outcome(board, state, returns)
            totals[i] += returns[player]
        n_games += counts[i]
    return n_games
