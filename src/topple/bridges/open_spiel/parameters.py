"""A game's board and options as parameters of OpenSpiel's, and back.

OpenSpiel writes a game as `name(key=value,key=value)`, where a value may hold neither
commas nor equals signs nor brackets. A board's text has all of them, so that inside such
a text `;` stands for a comma and `~` for an equals sign. The letters that would then mean
something else are written as in a web address: `%3B` for a semicolon.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Any
from urllib.parse import unquote

from topple.boards import load_board
from topple.core.errors import BadBoard, ToppleError
from topple.core.spec import Option
from topple.game.game import Game
from topple.game.game import load as load_topple

BOARD = "board"
NOT_GIVEN = -1  # a whole number that is derived from the rest: no option may be so small
WRITTEN = str.maketrans({
    ",": ";", "=": "~", **{letter: f"%{ord(letter):02X}" for letter in ";~%()\"\n"},
})  # fmt: skip
READ = str.maketrans({";": ",", "~": "="})


def board_text(spec: str) -> str:
    """A board's text as it stands in a text of OpenSpiel's.

    >>> board_text("ba:n=24,m=3,seed=1")
    'ba:n~24;m~3;seed~1'
    >>> board_text("file:my (old) net.gml")
    'file:my %28old%29 net.gml'
    """
    return spec.translate(WRITTEN)


def board_spec(text: str) -> str:
    """The text of a board, from what stands in one of OpenSpiel's or is written as usual.

    >>> board_spec("ba:n~24;m~3;seed~1"), board_spec("ba:n=24,m=3,seed=1")
    ('ba:n=24,m=3,seed=1', 'ba:n=24,m=3,seed=1')
    """
    if "," in text or "=" in text:
        return text  # handed over as a value, which no text of OpenSpiel's can be
    return unquote(text.translate(READ))


def parameters_of(rules: ModuleType) -> dict[str, Any]:
    """The parameters of a game with their defaults, whose types OpenSpiel goes by."""
    own = {option.name: _default(option) for option in rules.OPTIONS}
    return {BOARD: board_text(rules.BOARD), **own}


def _default(option: Option) -> Any:
    if option.default is not None:
        return option.default
    return "" if option.kind is str else option.kind(str(NOT_GIVEN))


def game_from(rules: ModuleType, given: Mapping[str, Any]) -> Game:
    """topple's game with such parameters.

    Raises
    ------
    BadText, BadBoard
        If one of them is wrong.
    """
    defaults = parameters_of(rules)
    chosen = {name: value for name, value in given.items() if value != defaults.get(name)}
    board = board_spec(str(chosen.pop(BOARD, defaults[BOARD])))
    return load_topple(rules.NAME, board, **chosen)


def parameters_from(game: Game, *, check: bool = True) -> dict[str, Any]:
    """The parameters that make a game again: those that are not the default.

    Raises
    ------
    BadBoard
        If it is checked and its board has no text that makes it again.
    """
    options = {option.name: option for option in game.rules.OPTIONS}
    given = {name: value for name, value in game.options.items() if value != options[name].default}
    if game.board.spec != game.rules.BOARD:
        if check:
            _check_board(game)
        given[BOARD] = board_text(game.board.spec)
    return given


def _check_board(game: Game) -> None:
    """OpenSpiel copies games by their texts, so that a board must have one."""
    if game.board.structural:
        return
    try:
        if load_board(game.board.spec) == game.board:
            return
    except ToppleError:
        pass
    raise BadBoard(f"OpenSpiel knows games by their texts, and {game.board.spec!r:.60} does not "
                   "make this board again: save it as a file and name that")  # fmt: skip
