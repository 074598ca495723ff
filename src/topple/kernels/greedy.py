"""One move of lookahead: the value of each legal move."""

from typing import Any

from topple.compiling.rng import Rng
from topple.compiling.specialise import kernel
from topple.evaluations.interface import Weights, base_value, greed, value_beyond
from topple.kernels.moves import play_move, renew_chance
from topple.kernels.values import decided_value
from topple.rules.interface import (
    FAILED,
    PLAYER,
    RUNNING,
    STATUS,
    Moves,
    State,
    copy_position,
    legal_moves,
)


@kernel
def rate_moves(
    board: Any,
    root: State,
    child: State,
    n_state: int,
    moves: Moves,
    values: Weights,
    statuses: Moves,
    knowledge: Any,
    by_greed: bool,
    rng: Rng,
    n_draws: int,
) -> int:
    """Write the legal moves, their values for the mover and the STATUS after each of them.

    Returns the number of moves, or FAILED. `moves`, `values` and `statuses` have shape
    (moves,); `child` is scratch space. A move that does not end the game is rated by the
    game's `greed` if `by_greed`, else by evaluating the position that it leads to. With chance
    each move is played `n_draws` times: its value is the mean, and its STATUS counts as
    RUNNING, since other draws may lead elsewhere. Then `rng` is changed.
    """
    player = root[PLAYER]
    base = base_value(board, root, player, knowledge)
    n_moves = legal_moves(board, root, moves)
    for i in range(n_moves):
        total = 0.0
        for _ in range(n_draws):
            copy_position(root, child, n_state)
            renew_chance(board, child, rng)
            play_move(board, child, moves[i])
            statuses[i] = child[STATUS]
            if child[STATUS] == FAILED:
                return FAILED
            if child[STATUS] != RUNNING:
                total += decided_value(child, player, 1)
            elif by_greed:
                total += base + greed(board, root, moves[i], child, knowledge)
            else:
                total += base + value_beyond(board, root, child, player, knowledge)
        values[i] = total / n_draws
        if n_draws > 1:
            statuses[i] = RUNNING
    return n_moves
