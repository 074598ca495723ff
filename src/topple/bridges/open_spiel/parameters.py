"""A game's board and options as OpenSpiel parameters, and back.

OpenSpiel writes a game as `name(key=value,key=value)`, where a value may not contain commas,
equals signs or brackets. A board's text may contain all of these, so inside such a text `;`
replaces a comma and `~` an equals sign. Characters that would become ambiguous are escaped as
in a web address: `%3B` for a semicolon. Other texts, such as Spread-It's seeds, are written the
same way.

A parameter has one type, and OpenSpiel takes `2` for a number wherever it stands. So a number that
an option reads as text is written `_2`; and Spread-It's `tokens` are a number, while budgets that
differ, `20/12`, are a parameter of their own.
"""

import re
from collections.abc import Mapping
from types import ModuleType
from typing import Any
from urllib.parse import unquote

from topple.boards import load_board
from topple.core.errors import BadBoard, BadText, ToppleError
from topple.core.spec import Option
from topple.game import Game
from topple.game import load as load_topple

BOARD = "board"
TOKENS, BUDGETS = "tokens", "budgets"
NOT_GIVEN = -1  # for a whole number without a default: no option is as small as this
ESCAPES = {letter: f"%{ord(letter):02X}" for letter in ';~%()"\n'}
NUMBER = re.compile("_[0-9]+")  # of an option that reads texts
WRITTEN = str.maketrans({",": ";", "=": "~", **ESCAPES})
READ = str.maketrans({";": ",", "~": "="})


def board_text(spec: str) -> str:
    """A board's text, escaped for OpenSpiel.

    >>> board_text("ba:n=24,m=3,seed=1")
    'ba:n~24;m~3;seed~1'
    >>> board_text("file:my (old) net.gml")
    'file:my %28old%29 net.gml'
    """
    return spec.translate(WRITTEN)


def board_spec(text: str) -> str:
    """The text of a board, from one that is escaped for OpenSpiel or not.

    >>> board_spec("ba:n~24;m~3;seed~1"), board_spec("ba:n=24,m=3,seed=1")
    ('ba:n=24,m=3,seed=1', 'ba:n=24,m=3,seed=1')
    """
    if "," in text or "=" in text:
        return text  # not escaped: no text that OpenSpiel parses can contain these
    return unquote(text.translate(READ))


def parameters_of(rules: ModuleType) -> dict[str, Any]:
    """The parameters of a game with their defaults; OpenSpiel takes the types from these."""
    own = {option.name: _default(option) for option in rules.OPTIONS}
    if isinstance(own.get(TOKENS), str):
        own |= {TOKENS: NOT_GIVEN, BUDGETS: ""}
    return {BOARD: board_text(rules.BOARD), **own}


def _default(option: Option) -> Any:
    if option.default is not None:
        return option.default
    return "" if option.kind is str else option.kind(str(NOT_GIVEN))


def game_from(rules: ModuleType, given: Mapping[str, Any]) -> Game:
    """The topple game with the given parameters.

    Raises
    ------
    BadText, BadBoard
        If one of them is wrong.
    """
    defaults = parameters_of(rules)
    chosen = {name: value for name, value in given.items() if value != defaults.get(name)}
    board = board_spec(str(chosen.pop(BOARD, defaults[BOARD])))
    if BUDGETS in chosen and TOKENS in chosen:
        raise BadText(f"{TOKENS} and {BUDGETS} say the same: give one of them")
    options = {TOKENS if name == BUDGETS else name: _read(v) for name, v in chosen.items()}
    return load_topple(rules.NAME, board, **options)


def _read(value: Any) -> Any:
    """An option's value from a parameter."""
    if not isinstance(value, str):
        return value
    return value[1:] if NUMBER.fullmatch(value) else board_spec(value)


def _written(option: Option, value: Any) -> Any:
    """An option's value as a parameter."""
    if option.kind is not str or not isinstance(value, str):
        return value
    return f"_{value}" if value.isdecimal() else board_text(value)


def parameters_from(game: Game, *, check: bool = True) -> dict[str, Any]:
    """The parameters that recreate a game: those that differ from the defaults.

    Raises
    ------
    BadBoard
        If `check` is set and no text recreates its board.
    """
    options = {option.name: option for option in game.rules.OPTIONS}
    given = {
        name: _written(options[name], value)
        for name, value in game.options.items()
        if value != options[name].default
    }
    if isinstance(given.get(TOKENS), str):
        given[BUDGETS] = given.pop(TOKENS)
    if game.board.spec != game.rules.BOARD:
        if check:
            _check_board(game)
        given[BOARD] = board_text(game.board.spec)
    return given


def _check_board(game: Game) -> None:
    """Refuse a board without a text, because OpenSpiel copies games by their texts."""
    if game.board.structural:
        return
    try:
        if load_board(game.board.spec) == game.board:
            return
    except ToppleError:
        pass
    raise BadBoard(
        f"OpenSpiel copies games by their text, and {game.board.spec!r:.60} does not "
        "recreate this board: save it as a file and name the file"
    )
