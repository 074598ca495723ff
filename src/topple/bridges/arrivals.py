"""What the rules of Spread-It's wider world depend on beside tokens and owners, as planes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.game import Game, Position
from topple.rules.spread_it.wide.board import (
    COLOUR,
    COLOUR_BITS,
    MOST_ORDER,
    WideBoard,
    order_at,
    taken_at,
)

Planes = NDArray[np.int32]


def has_arrivals(game: Game) -> bool:
    """Whether the order in which the colours arrived on a vertex matters in a game."""
    return isinstance(game.tables, WideBoard)


def has_changes(game: Game) -> bool:
    """Whether it matters how many times a vertex has taken a colour."""
    return has_arrivals(game) and game.tables.loyalty > 1


def arrivals(position: Position, counts: NDArray[Any]) -> Planes:
    """When each colour last arrived: 1 for the first of those there, and so on; 0 if not there.

    `counts` are the tokens of each player on each vertex; the result has their shape.

    >>> import topple
    >>> game = topple.load("spread-it", "path:3", players=3, tokens=2)
    >>> position = game.position("1g1b,2 Red 1-2-1")
    >>> arrivals(position, position.layers().counts)[:, 0].tolist()
    [2, 0, 1]
    """
    board = position.game.tables
    at = order_at(board)
    order = position.state[at : at + board.n]
    from_last = np.where(counts > 0, MOST_ORDER + 1, 0)  # an eighth colour follows from the others
    for place in range(MOST_ORDER):
        code = order >> (COLOUR_BITS * place) & COLOUR
        (there,) = code.nonzero()
        from_last[code[there] - 1, there] = place + 1
    from_last[counts == 0] = 0
    n_there = (from_last > 0).sum(axis=0)
    found: Planes = np.where(from_last > 0, n_there + 1 - from_last, 0).astype(np.int32)
    return found


def changes(position: Position) -> Planes:
    """How many times each vertex has taken a colour.

    >>> import topple
    >>> game = topple.load("spread-it", "path:3", loyalty=2, tokens=3)
    >>> changes(game.position("R1:,B2:1b,1 Red 2-2")).tolist()
    [1, 2, 0]
    """
    board = position.game.tables
    at = taken_at(board)
    found: Planes = position.state[at : at + board.n] >> COLOUR_BITS
    return found
