"""A game's moves and random games, for searches to call.

If they were inlined, a search that plays moves in several places would become one huge
function, which compiles slowly and runs no faster. So these are not inlined.
"""

from typing import Any

from topple.compiling.chance import write_chance
from topple.compiling.rng import Rng, draw_word
from topple.compiling.specialise import kernel, noinline
from topple.rules.interface import Moves, State, apply, chance_at, legal_moves, playout


@noinline
def play_move(board: Any, state: State, move: int) -> None:
    """Play a legal move with all its consequences, changing `state`."""
    apply(board, state, move)


@noinline
def play_out(board: Any, state: State, rng: Rng, moves: Moves) -> int:
    """Play uniformly random moves to the end; returns the number of plies.

    Changes `state` and `rng`; `moves` is scratch space.
    """
    return playout(board, state, rng, moves)


@kernel
def renew_chance(board: Any, state: State, rng: Rng) -> None:
    """Set a state's generator from random numbers; without chance nothing is drawn."""
    at = chance_at(board)
    if at > 0:
        write_chance(state, at, draw_word(rng))


@kernel
def is_legal(board: Any, state: State, moves: Moves, move: int) -> bool:
    """Whether a move is legal; `moves` is scratch space."""
    n_moves, place = legal_moves(board, state, moves), 0
    while place < n_moves and moves[place] != move:
        place += 1
    return place < n_moves
