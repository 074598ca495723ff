"""How a check fails: one line with the place, what is wrong, and the position."""

from typing import NoReturn

from topple.core.errors import BadModule
from topple.core.outside import place_of
from topple.core.text import shorten
from topple.game.game import Game
from topple.game.position import Position
from topple.rules.soundness import file_of

SHOWN = 200  # characters of a position that a line repeats


def fail_game(game: Game, function: str, what: str, position: Position | None = None) -> NoReturn:
    """Say what is wrong with a function of a game's rules.

    Raises
    ------
    BadModule
        Always.
    """
    own = getattr(game.rules, function, None)
    where = place_of(own) if callable(own) else file_of(game.rules)
    raise BadModule(f"{where}: {function}: {what}{at(position)}")


def at(position: Position | None) -> str:
    """The end of a line: the position that it is about, as text, if there is one."""
    if position is None:
        return ""
    try:
        text = " ".join(position.text.split())
    except Exception:  # the text function may be what is wrong
        text = ".".join(map(str, position.state))
    return f" (position {shorten(text, SHOWN)})"
