"""What a game that is over has left to see: who took what, and the chain that has won."""

from collections import deque

import numpy as np

from topple.game import Position
from topple.lab.data.position_cache import PlayedLine
from topple.rules import hex as hex_rules

NOBODY = -1


def takers_of(line: PlayedLine) -> list[int]:
    """The player who took each vertex, -1 for those that are there; empty where none is taken.

    The moves are played once more, which costs little: each takes a vertex at least.
    """
    position = line.position
    if not position.is_over or not position.layers().gone.any():
        return []
    takers = np.full(position.game.board.n_vertices, NOBODY)
    here = position.game.start()
    gone = here.layers().gone
    for ply, player in enumerate(line.movers):
        here = here.play(line.text(ply))
        now = here.layers().gone
        takers[now & ~gone] = player
        gone = now
    found: list[int] = takers.tolist()
    return found


def winning_chain(position: Position) -> list[int]:
    """A shortest chain of the winner's stones from one side to the other; empty but in Hex.

    Examples
    --------
    >>> import topple
    >>> position = topple.load("hex", board="hex:2").start()
    >>> for move in ("a1", "b1", "a2"):
    ...     position = position.play(move)
    >>> winning_chain(position)
    [0, 2]
    """
    game, outcome = position.game, position.outcome
    if outcome is None or outcome.winner is None or game.name != hex_rules.NAME:
        return []
    size, winner = game.board.rows, outcome.winner
    own = position.layers().owners == winner
    joins_top = position.borders()[0] == winner
    across = [divmod(cell, size)[0 if joins_top else 1] for cell in range(size * size)]
    before: dict[int, int | None] = {
        cell: None for cell in range(size * size) if own[cell] and across[cell] == 0
    }
    waiting = deque(before)
    while waiting:
        cell = waiting.popleft()
        if across[cell] == size - 1:
            return _path(before, cell)
        for other in game.board.neighbours(cell):
            if own[other] and other not in before:
                before[other] = cell
                waiting.append(other)
    return []


def _path(before: dict[int, int | None], cell: int | None) -> list[int]:
    """The way to a cell, from its beginning."""
    path = []
    while cell is not None:
        path.append(cell)
        cell = before[cell]
    return path[::-1]
