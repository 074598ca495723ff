"""What a game's row must be like, whether it is written or read."""

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import product
from math import inf, isfinite
from typing import Any, NoReturn

from topple.arena.store.played import digest_of
from topple.core.errors import StoreError
from topple.game.record import ENDINGS, LENGTH

LONGEST_TEXT = 1000
MOST_SECONDS = 1e9
MOST_DIGITS = 400  # of a seed

# In this order in every row; what statistics need comes first.
LIGHT = (
    "pair", "side", "tournament_seed", "opening_number", "first_return", "second_return",
    "ending", "ending_player", "plies", "opening", "first_moves", "second_moves",
    "first_seconds", "second_seconds", "first_simulations", "second_simulations",
    "first_nodes", "second_nodes", "moves_digest",
)  # fmt: skip
REST = (
    "ending_detail", "reason", "seed", "topple", "began", "seconds", "moves", "move_microseconds",
)  # fmt: skip
COLUMNS = (*LIGHT, *REST)

Row = tuple[Any, ...]

_TEXTS = ("pair", "moves_digest", "reason", "topple", "began", "moves", "move_microseconds")
_NUMBERS = ("first_return", "second_return", "first_seconds", "second_seconds", "seconds")
_KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(COLUMNS, (int,)),
    **dict.fromkeys(_TEXTS, (str,)),
    **dict.fromkeys(_NUMBERS, (float,)),
    "tournament_seed": (int, str),
    "seed": (int, str, type(None)),
    "ending": (str, type(None)),
    "ending_player": (int, type(None)),
    "ending_detail": (str, type(None)),
}
# Every mixture of kinds that a row may have: one look tells whether all are right.
_SHAPES = {
    columns: frozenset(product(*(_KINDS[name] for name in columns))) for columns in (LIGHT, REST)
}
_PAIR = re.compile("[0-9a-f]{32}")
_DIGEST = re.compile("[0-9a-f]{16}")
_LONG_NUMBER = re.compile(f"-?[1-9][0-9]{{18,{MOST_DIGITS - 1}}}")


def check_light(row: Row) -> None:
    """Refuse the light columns of a row if they cannot be of a game.

    Raises
    ------
    StoreError
        With the game named.
    """
    if tuple(map(type, row)) not in _SHAPES[LIGHT]:
        _refuse_kinds(row, LIGHT)
    (pair, side, seed, opening_number, return1, return2, ending, loser, plies, opening,
     moves1, moves2, seconds1, seconds2, simulations1, simulations2, nodes1, nodes2,
     digest) = row  # fmt: skip
    if not _PAIR.fullmatch(pair) or side not in (0, 1) or not _DIGEST.fullmatch(digest):
        refuse(pair, side, "it lacks a proper pair, side or digest")
    if not (isfinite(return1) and isfinite(return2)):
        refuse(pair, side, "its result is no number")
    if not (0 <= seconds1 < inf and 0 <= seconds2 < inf):
        refuse(pair, side, "its seconds are no time")
    least = min(opening_number, opening, moves1, moves2, simulations1, simulations2, nodes1, nodes2)
    if least < 0 or opening > plies:
        refuse(pair, side, "one of its counts is below 0 or too large")
    has_loser = ending is not None and ending != LENGTH
    if (ending is not None and ending not in ENDINGS) or (loser in (0, 1)) != has_loser:
        refuse(pair, side, f"it ends by {ending!r:.40} of player {loser}")
    _check_seed(seed, row)


def check_rest(row: Row) -> None:
    """Refuse a whole row, of which the light columns are right, if the rest is not.

    Raises
    ------
    StoreError
        With the game named.
    """
    rest = row[len(LIGHT) :]
    if tuple(map(type, rest)) not in _SHAPES[REST]:
        _refuse_kinds(row, COLUMNS)
    detail, reason, seed, version, began, seconds, moves, _ = rest
    pair, side, digest = row[0], row[1], row[len(LIGHT) - 1]
    for text in (detail or "", reason, version):
        if not text.isprintable() or len(text) > LONGEST_TEXT:
            refuse(pair, side, f"{text!r:.60} is too long or not plain text")
    if not 0 <= seconds < inf or not _is_moment(began):
        refuse(pair, side, "it has no proper time")
    if digest_of(moves) != digest:
        refuse(pair, side, "its moves are not those that were stored")
    _check_seed(seed, row)


def check_moves(row: Row, moves: Any) -> None:
    """Refuse moves, already read, that do not go with their row.

    Raises
    ------
    StoreError
        With the game named.
    """
    plies = row[LIGHT.index("plies")]
    if not isinstance(moves, list) or len(moves) != plies:
        refuse(row[0], row[1], f"its moves are not the {plies:,} that it counts")


def check_times(row: Row, times: Any) -> None:
    """Refuse microseconds of moves that are no times.

    Raises
    ------
    StoreError
        With the game named.
    """
    whole = isinstance(times, list) and set(map(type, times)) <= {int}
    if not whole or (times and not 0 <= min(times) <= max(times) < MOST_SECONDS * 1e6):
        refuse(row[0], row[1], "its moves' microseconds are no times")


def refuse(pair: object, side: object, reason: str) -> NoReturn:
    """Raise what is wrong with a game."""
    raise StoreError(f"game {pair!s:.40} side {side!s:.4}: {reason}")


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return text.isprintable()


def _check_seed(seed: int | str | None, row: Row) -> None:
    if isinstance(seed, str) and not _LONG_NUMBER.fullmatch(seed):
        refuse(row[0], row[1], f"its seed {seed!r:.40} is no number")


def _refuse_kinds(row: Row, columns: Sequence[str]) -> NoReturn:
    for value, name in zip(row, columns, strict=True):
        if type(value) not in _KINDS[name]:
            refuse(row[0], row[1], f"its {name} is {value!r:.40}")
    raise AssertionError("every column is of its kind")
