"""Games after a move between players that look one move ahead, each from its own seed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.rng import Rng
from topple.compiling.specialise import kernel, noinline
from topple.evaluations.interface import base_value, value_beyond
from topple.kernels.moves import play_move, renew_chance
from topple.kernels.values import decided_value
from topple.rules.interface import (
    FAILED,
    PLAYER,
    RUNNING,
    STATUS,
    Moves,
    Returns,
    State,
    chance_at,
    copy_position,
    outcome,
    random_move,
)

Seeds = NDArray[np.uint64]  # shape (games,): the generator's state at the start of each game
Results = NDArray[np.int8]  # shape (games,): 1 won, 0 drawn or shared, −1 lost


@kernel
def play_games(
    board: Any,
    root: State,
    child: State,
    state: State,
    trial: State,
    n_state: int,
    move: int,
    n_looks: int,
    seeds: Seeds,
    results: Results,
    rng: Rng,
    scratch_moves: Moves,
    returns: Returns,
    knowledge: Any,
) -> int:
    """Play a game after `move` for each seed; returns their number, or FAILED.

    All players choose by `quick_move`. Writes into `results` how each game ended for the
    player to move at the root. Each game draws from its own stream, so that it does not
    depend on the others; with chance it plays the first move anew. `child`, `state`, `trial`,
    `rng`, `scratch_moves` and `returns` are scratch space.
    """
    player = root[PLAYER]
    copy_position(root, child, n_state)
    play_move(board, child, move)
    if child[STATUS] == FAILED:
        return FAILED
    for game in range(len(seeds)):
        rng[0] = seeds[game]
        if chance_at(board) > 0:
            renew_chance(board, state, rng)
            renew_chance(board, trial, rng)
            copy_position(root, state, n_state)
            play_move(board, state, move)
        else:
            copy_position(child, state, n_state)
        while state[STATUS] == RUNNING:
            chosen = quick_move(
                board, state, trial, n_state, n_looks, rng, scratch_moves, knowledge
            )
            play_move(board, state, chosen)
        if state[STATUS] == FAILED:
            return FAILED
        outcome(board, state, returns)
        results[game] = int(returns[player] == 1.0) - int(returns[player] < 0.0)
    return len(seeds)


@noinline
def quick_move(
    board: Any,
    state: State,
    trial: State,
    n_state: int,
    n_looks: int,
    rng: Rng,
    scratch_moves: Moves,
    knowledge: Any,
) -> int:
    """Draw `n_looks` legal moves, look one move ahead at each, and return the best.

    A move that ends the game has its exact value, any other the value of the evaluation;
    the first of equals is taken. With one look it is a random move. Changes `rng`;
    `trial` and `scratch_moves` are scratch space.
    """
    player, best = state[PLAYER], -np.inf
    chosen = random_move(board, state, rng, scratch_moves)
    if n_looks == 1:
        return chosen
    move = chosen
    for look in range(n_looks):
        if look > 0:
            move = random_move(board, state, rng, scratch_moves)
        copy_position(state, trial, n_state)
        play_move(board, trial, move)
        if trial[STATUS] == RUNNING:
            value = value_beyond(board, state, trial, player, knowledge)
        else:
            value = decided_value(trial, player, 1) - base_value(board, state, player, knowledge)
        if value > best:
            best, chosen = value, move
    return chosen
