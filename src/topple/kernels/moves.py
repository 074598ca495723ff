"""A game's moves and random games, for searches to call.

If they were inlined, a search that plays moves in several places would become one huge
function, which compiles slowly and runs no faster. So these are not inlined.
"""

from typing import Any

from topple.compiling.rng import Rng
from topple.compiling.specialise import noinline
from topple.rules.interface import Moves, State, apply, playout


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
