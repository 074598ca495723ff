"""Perft: the number of move sequences of a given length, the rules' fingerprint."""

from collections.abc import Iterator

import numpy as np

from topple.core.errors import BadText
from topple.game.position import Position
from topple.kernels.perft import count_leaves

DEEPEST = 100


def perft(position: Position, depth: int) -> int:
    """Count the sequences of `depth` legal moves; a finished game has no successors.

    >>> import topple
    >>> perft(topple.load("infexion").start(), 2)
    2352

    Raises
    ------
    BadText
        If the depth is negative or above DEEPEST.
    """
    if not 0 <= depth <= DEEPEST:
        raise BadText(f"depth {depth} must be between 0 and {DEEPEST}")
    game = position.game
    root = game.scratch_state(position.state)
    states = game.scratch_states(depth + 1)
    states[depth] = root
    moves = np.zeros((depth, game.sizes.moves), dtype=np.int32)
    return int(game.run(count_leaves, states, game.sizes.state, moves, depth))


def divide(position: Position, depth: int) -> Iterator[tuple[str, int]]:
    """Each first move with the count below it; the counts add up to `perft`.

    >>> import topple
    >>> list(divide(topple.load("hex", board="hex:2").start(), 2))
    [('a1', 3), ('b1', 3), ('a2', 3), ('b2', 3)]

    Raises
    ------
    BadText
        If the depth is below 1 or above DEEPEST.
    """
    if not 1 <= depth <= DEEPEST:
        raise BadText(f"depth {depth} must be between 1 and {DEEPEST}")
    for move in position.legal_moves():
        yield position.game.move_text(move), perft(position.play(move), depth - 1)
