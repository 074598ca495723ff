"""Whether a game from outside says properly who plays it and how long its vectors are."""

import operator
from types import ModuleType
from typing import NoReturn

from topple.core.errors import BadModule
from topple.core.outside import place_of
from topple.rules.interface import HEADER, Sizes

MOST_PLAYERS = 8
MOST_NUMBERS = 1 << 28  # of a position, and moves


def check_players(rules: ModuleType, players: object) -> None:
    """Refuse what is no tuple of two to eight different names.

    Raises
    ------
    BadModule
        If it is anything else.
    """
    what = f"players(options) gives {players!r:.80}"
    if not isinstance(players, tuple) or not all(isinstance(name, str) for name in players):
        _refuse(rules, "players", f'{what}: return a tuple of names, such as ("First", "Second")')
    if not 2 <= len(players) <= MOST_PLAYERS or len(set(players)) < len(players):
        _refuse(rules, "players", f"{what}: return two to {MOST_PLAYERS} different names")


def check_tables(rules: ModuleType, tables: object) -> None:
    """Refuse what is no NamedTuple: kernels read its parts by their names.

    Raises
    ------
    BadModule
        If it is anything else.
    """
    if not (isinstance(tables, tuple) and hasattr(tables, "_fields")):
        what = f"tables(board, options) gives a {type(tables).__name__}"
        _refuse(rules, "tables", f"{what}: return a NamedTuple of arrays and numbers")


def check_sizes(rules: ModuleType, sizes: object) -> None:
    """Refuse what is no `Sizes` of whole numbers that can be lengths.

    Raises
    ------
    BadModule
        If it is anything else.
    """
    what = f"sizes(tables) gives {sizes!r:.80}"
    if not isinstance(sizes, Sizes):
        _refuse(rules, "sizes", f"{what}: return Sizes(state=…, work=…, moves=…)")
    for name, value, least in zip(sizes._fields, sizes, (HEADER, 0, 1), strict=True):
        try:
            number = operator.index(value)
        except TypeError:
            _refuse(rules, "sizes", f"{what}: {name} must be a whole number")
        if not least <= number <= MOST_NUMBERS:
            _refuse(rules, "sizes", f"{what}: {name} must be from {least} to {MOST_NUMBERS:,}")


def _refuse(rules: ModuleType, function: str, what: str) -> NoReturn:
    raise BadModule(f"{place_of(getattr(rules, function))}: {what}")
