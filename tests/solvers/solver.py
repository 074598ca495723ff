"""Plain minimax for two players as a kernel, to ask small boards who wins."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.game.position import Position
from topple.rules.interface import (
    PLAYER,
    RUNNING,
    STATUS,
    WON,
    apply,
    copy_position,
    key,
    legal_moves,
)

TABLE = 1 << 22
LOSS, DRAW, WIN = 1, 2, 3  # for the player to move; 0 is unknown


@kernel
def value_of(
    board: Any,
    states: NDArray[np.int32],
    n_state: int,
    moves: NDArray[np.int32],
    depth: int,
    keys: NDArray[np.uint64],
    values: NDArray[np.int32],
) -> int:
    """The value of the position in `states[depth]` for the player to move."""
    state = states[depth]
    if state[STATUS] != RUNNING:
        if state[STATUS] < WON:
            return DRAW
        return WIN if state[STATUS] - WON == state[PLAYER] else LOSS
    word = key(board, state, n_state)
    slot = np.int64(word & np.uint64(TABLE - 1))
    if keys[slot] == word and values[slot] != 0:
        return int(values[slot])
    best = LOSS
    child = states[depth - 1]
    for i in range(legal_moves(board, state, moves[depth - 1])):
        copy_position(state, child, n_state)
        apply(board, child, moves[depth - 1, i])
        value = value_of(board, states, n_state, moves, depth - 1, keys, values)
        if child[PLAYER] != state[PLAYER]:
            value = LOSS + WIN - value
        best = max(best, value)
        if best == WIN:
            break
    keys[slot] = word
    values[slot] = best
    return best


def solve(position: Position, depth: int) -> int:
    """LOSS, DRAW or WIN for the player to move, in a game of at most `depth` more plies."""
    game = position.game
    states = game.scratch_states(depth + 1)
    states[depth, : game.sizes.state] = position.state
    moves = np.zeros((depth, game.sizes.moves), dtype=np.int32)
    keys, values = np.zeros(TABLE, dtype=np.uint64), np.zeros(TABLE, dtype=np.int32)
    return int(game.run(value_of, states, game.sizes.state, moves, depth, keys, values))


def winning_first_moves(position: Position, depth: int) -> set[str]:
    """The first moves after which the other player has lost."""
    game = position.game
    return {
        game.move_text(move)
        for move in position.legal_moves()
        if solve(position.play(move), depth - 1) == LOSS
    }
