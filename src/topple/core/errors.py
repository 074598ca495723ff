"""What can go wrong in a user's hands, and the sentences that say so.

Every error that topple raises on purpose is a `ToppleError`, and so a
`ValueError`. Its message is one line: what was wrong and what to do.
"""

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST_NAME = 60  # characters of what was typed that a message repeats


class ToppleError(ValueError):
    """The base of every error that topple raises on purpose."""


class BadText(ToppleError):
    """A text that cannot be read: a move, a position, an option, a name."""


class BadRecord(BadText):
    """A record that is damaged or does not replay to what it claims.

    `ply` is the number of the move at fault (the first move is 1), or None
    when the fault is not in a move.
    """

    def __init__(self, message: str, ply: int | None = None) -> None:
        super().__init__(message if ply is None else f"move {ply}: {message}")
        self.ply = ply


class IllegalMove(ToppleError):
    """A move that can be read but may not be played in this position."""


class Resigned(ToppleError):
    """An agent gives the game up instead of moving."""


class BadBoard(ToppleError):
    """A board that cannot be made, or that a game cannot be played on."""


class StoreError(ToppleError):
    """A store of games that cannot be opened, read or written; what was stored is kept."""


class Unsupported(ToppleError):
    """Something that this game, board or machine does not offer."""


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Say that a name is unknown, with the nearest valid one.

    >>> unknown("game", "hexx", ["hex", "infexion"])
    "unknown game 'hexx': did you mean 'hex'?"
    >>> unknown("game", "go", ["hex", "infexion"])
    "unknown game 'go': choose from hex, infexion"
    """
    known = list(known)
    name = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    near = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    if near:
        return f"unknown {what} {name!r}: did you mean {near[0]!r}?"
    if not known:
        return f"unknown {what} {name!r}: there is none to choose from"
    return f"unknown {what} {name!r}: choose from {', '.join(known)}"
