"""Lookahead: planes that say what each move would bring at once.

A network follows a cascade only as far as its layers reach. The rules follow it to its end, and
cheaply, since few moves of a position set one off. So the encodings of games with cascades play
those moves, of the player to move and of the next one, and write down what came of them.
"""

from typing import Any

from topple.compiling.specialise import kernel, noinline
from topple.nets.interface import Planes
from topple.rules.interface import NO_VERTEX, PLAYER, WON, State, begin, copy_position, step

EFFECTS = ("sets off a cascade", "gain", "lead after it", "length", "wins at once")
N_EFFECTS = len(EFFECTS)
GAIN_SCALE, MOST_GAIN = 8.0, 4.0
MOST_LENGTH = 4.0  # of a cascade, in steps by the vertices


def lookahead(who: str) -> tuple[str, ...]:
    """The names of the planes for the moves of one player."""
    return tuple(f"{who} move here: {effect}" for effect in EFFECTS)


@noinline
def try_move(
    board: Any, state: State, aside: State, n_state: int, player: int, move: int, most: int
) -> int:
    """Let a player move here in `aside`, as if it were their turn; returns the number of steps.

    The first `n_state` numbers of a state are the position. Changes `aside`. A move is cut after
    `most` steps, and what it has left in the scratch space is then the caller's to clear.
    """
    copy_position(state, aside, n_state)
    aside[PLAYER] = player
    begin(board, aside, move)
    n_steps = 0
    while step(board, aside) != NO_VERTEX:
        n_steps += 1
        if n_steps == most:
            break
    return n_steps


@kernel
def put_nothing(planes: Planes, n: int, at: int) -> None:
    """Write the effects of moves that set nothing off, for n vertices, from the plane `at` on."""
    for vertex in range(n):
        for effect in range(N_EFFECTS):
            planes[vertex, at + effect] = 0.0


@kernel
def put_effects(
    planes: Planes, n: int, vertex: int, at: int, n_steps: int, before: int, after: int, wins: bool
) -> None:
    """Write the effects of a move on a vertex; its player's lead was `before` and is `after`."""
    gain = (after - before) / GAIN_SCALE
    planes[vertex, at] = 1.0
    planes[vertex, at + 1] = max(-MOST_GAIN, min(gain, MOST_GAIN))
    planes[vertex, at + 2] = after / n
    planes[vertex, at + 3] = min(n_steps / n, MOST_LENGTH)
    planes[vertex, at + 4] = 1.0 if wins else 0.0


@kernel
def has_won(status: int, player: int) -> bool:
    """Whether a status says that a player has won alone."""
    return bool(status == WON + player)
