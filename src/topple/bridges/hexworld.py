"""Hex games as HexWorld addresses: https://hexworld.org/board/#11c1,a1b2…"""

import re

from topple.bridges.hex.notation import (
    BLACK,
    FORFEIT,
    MIRRORED_SWAP,
    PASS,
    RESIGN,
    SWAP_SIDES,
    WHITE,
    NotatedMove,
    NotatedResult,
    check_size,
    from_record,
    to_record,
)
from topple.core.errors import BadText
from topple.game.record import RESIGNATION, Record
from topple.rules.hex import SWAP

ADDRESS = "https://hexworld.org/board/#"
LONGEST = 20_000  # characters of an address
DEFAULT_SIZE = "11"

_SIZE = re.compile(r"([0-9]{1,4})(?:x([0-9]{1,4}))?")
_MOVE = re.compile(r"([a-z]+[0-9]+)|:(s|S|p|rb|rw|fb|fw)")
_SIGNS = {"s": MIRRORED_SWAP, "S": SWAP_SIDES, "p": PASS}
_STOPS = {"r": RESIGN, "f": FORFEIT}


def is_address(text: str) -> bool:
    """Whether a text looks like a HexWorld address.

    >>> is_address("https://hexworld.org/board/#11,a1"), is_address("game.json")
    (True, False)
    """
    return "hexworld.org/" in text[:60].lower() or text.lstrip().startswith("#")


def read(address: str) -> Record:
    """Read the game of an address; how the board is turned and coloured is ignored.

    Raises
    ------
    BadText
        If it is not an address, its board is not square, or a player passed.
    BadRecord
        If a move cannot be played.

    Examples
    --------
    >>> read("https://hexworld.org/board/#4c1,a2:sc3d1:rb").moves
    ('a2', 'swap-pieces', 'c3', 'a4')
    """
    text = address.strip()
    if len(text) > LONGEST:
        raise BadText(f"an address of {len(text):,} characters is too long for HexWorld")
    _, sign, fragment = text.partition("#")
    if not sign:
        raise BadText(f"{text!r:.60} is no HexWorld address: it has no # with the game")
    # The view, the moves up to the one that is shown, and, after a comma, the later ones.
    view, _, moves = fragment.partition(",")
    return to_record(_size(view), _moves(moves.replace(",", "", 1)))


def _size(view: str) -> int:
    """The size that an address begins with, by default 11."""
    if not view[:1].isdecimal():
        view = DEFAULT_SIZE
    found = _SIZE.match(view)
    if found is None:
        raise BadText(f"{view!r:.40} does not begin with the size of a board")
    columns, rows = found[1], found[2] or found[1]
    return check_size(int(columns), int(rows))


def _moves(text: str) -> list[NotatedMove]:
    moves: list[NotatedMove] = []
    colour, place = BLACK, 0
    while place < len(text):
        found = _MOVE.match(text, place)
        if found is None:
            raise BadText(
                f"move {len(moves) + 1} of the address cannot be read: {text[place:]!r:.40}"
            )
        place = found.end()
        cell, sign = found.groups()
        if cell:
            moves.append(NotatedMove(colour, cell))
        elif sign in _SIGNS:
            moves.append(NotatedMove(colour, _SIGNS[sign]))
        else:
            moves.append(NotatedMove(WHITE if sign[1] == "w" else BLACK, _STOPS[sign[0]]))
        if sign != "S":  # after :S the players exchange colours, and White moves again
            colour = 1 - colour
    return moves


def write(record: Record) -> str:
    """Write a game of Hex as a HexWorld address.

    Raises
    ------
    BadText
        If it is not a game of Hex.
    BadRecord
        If it does not replay.

    Examples
    --------
    >>> write(read("#4,a2:sc3d1:rb"))
    'https://hexworld.org/board/#4c1,a2:sc3d1:rb'
    """
    size, notated, result = from_record(record)
    moves = "".join(":s" if move.text == SWAP else move.text for move in notated)
    return f"{ADDRESS}{size}c1,{moves}{_stop(result)}"


def _stop(result: NotatedResult | None) -> str:
    """The sign for the end of a game that its moves do not decide."""
    if result is None or not result.by:
        return ""
    sign = "r" if result.by == RESIGNATION else "f"
    return f":{sign}{'bw'[1 - result.winner]}"
