"""Moves that nobody has told: found out from the positions before and after them."""

from topple.game.position import Position

GUESSED = 2  # moves at most


def moves_between(before: Position, after: Position, n: int) -> list[int] | None:
    """The moves, n of them, that lead from one position to another.

    None if there are none, or so many that it would take too long to look.

    >>> import topple
    >>> first = topple.load("hex", board="hex:3").start()
    >>> moves_between(first, first.play("b2").play("a1"), 2), moves_between(first, first, 1)
    ([4, 0], None)
    """
    if n == 0:
        return [] if before == after else None
    if not 0 < n <= GUESSED:
        return None
    for move in before.legal_moves():
        rest = moves_between(before.play(move), after, n - 1)
        if rest is not None:
            return [move, *rest]
    return None
