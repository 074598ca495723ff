"""Errors that a user can cause or meet, each with one line: what was wrong and what to do.

Every error that topple raises on purpose is a `ToppleError`, and so a `ValueError`.
"""

from collections.abc import Iterable
from difflib import get_close_matches

from topple.core.text import shorten

LONGEST_NAME = 60  # characters of a typed name that a message repeats


class ToppleError(ValueError):
    """The base of every error that topple raises on purpose."""


class BadText(ToppleError):
    """A text that cannot be read: a move, a position, an option, a name."""


class BadRecord(BadText):
    """A record that is damaged, or whose moves do not lead to the result that it states.

    `ply` is the number of the wrong move (the first move is 1), or None if no move is wrong.
    """

    def __init__(self, message: str, ply: int | None = None) -> None:
        super().__init__(message if ply is None else f"move {ply}: {message}")
        self.ply = ply


class IllegalMove(ToppleError):
    """A move that can be read but may not be played in this position."""


class Resigned(ToppleError):
    """An agent gives the game up instead of moving."""


class BadBoard(ToppleError):
    """A board that cannot be made, or on which a game cannot be played."""


class StoreError(ToppleError):
    """A store of games that cannot be opened, read or written; it is left as it was."""


class BadModule(ToppleError, TypeError):
    """A game or an agent from outside that is written wrongly: where, and what to do."""


class ProcessDied(ToppleError):
    """A process that ended before its work was done."""


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
    name = shorten(name, LONGEST_NAME)
    near = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    if near:
        return f"unknown {what} {name!r}: did you mean {near[0]!r}?"
    if not known:
        return f"unknown {what} {name!r}: there are none to choose from"
    return f"unknown {what} {name!r}: choose from {', '.join(known)}"
