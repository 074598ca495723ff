"""Hex games as HexWorld's addresses: https://hexworld.org/board/#11c1,a1b2…"""

import re

from topple.bridges.hex.game_lines import (
    BLACK,
    FORFEIT,
    MIRRORED_SWAP,
    PASS,
    RESIGN,
    SWAP_SIDES,
    WHITE,
    Claim,
    Word,
    check_size,
    from_record,
    to_record,
)
from topple.core.errors import BadText
from topple.game.record import RESIGNATION, Record
from topple.rules.hex import SWAP

ADDRESS = "https://hexworld.org/board/#"
LONGEST = 20_000  # characters of an address
USUAL_SIZE = "11"

_SIZE = re.compile(r"([0-9]{1,4})(?:x([0-9]{1,4}))?")
_MOVE = re.compile(r"([a-z]+[0-9]+)|:(s|S|p|rb|rw|fb|fw)")
_SIGNS = {"s": MIRRORED_SWAP, "S": SWAP_SIDES, "p": PASS}
_STOPS = {"r": RESIGN, "f": FORFEIT}


def is_address(text: str) -> bool:
    """Whether a text looks like one of HexWorld's addresses.

    >>> is_address("https://hexworld.org/board/#11,a1"), is_address("game.json")
    (True, False)
    """
    return "hexworld.org/" in text[:60].lower() or text.lstrip().startswith("#")


def read(address: str) -> Record:
    """Read the game of an address. How HexWorld should draw it has no say.

    Raises
    ------
    BadText
        If it is none, or its board is not square, or someone has passed.
    BadRecord
        If a move cannot be played.

    Examples
    --------
    >>> read("https://hexworld.org/board/#4c1,a2:sc3d1:rb").moves
    ('a2', 'swap-pieces', 'c3', 'a4')
    """
    text = address.strip()
    if len(text) > LONGEST:
        raise BadText(f"an address of {len(text):,} characters is too long for one of HexWorld's")
    _, sign, fragment = text.partition("#")
    if not sign:
        raise BadText(f"{text!r:.60} is no address of HexWorld's: it has no # with the game")
    # Looks, the moves up to the one that is shown, and those after it.
    looks, _, moves = fragment.partition(",")
    size = _size(looks)
    return to_record(size, _words(moves.replace(",", "", 1)))


def _size(looks: str) -> int:
    """The size that an address begins with; 11 where it says nothing."""
    if not looks[:1].isdecimal():
        looks = USUAL_SIZE
    found = _SIZE.match(looks)
    if found is None:
        raise BadText(f"{looks!r:.40} does not begin with the size of a board")
    columns, rows = found[1], found[2] or found[1]
    return check_size(int(columns), int(rows))


def _words(moves: str) -> list[Word]:
    words: list[Word] = []
    colour, place = BLACK, 0
    while place < len(moves):
        found = _MOVE.match(moves, place)
        if found is None:
            raise BadText(f"move {len(words) + 1} of the address cannot be read: "
                          f"{moves[place:]!r:.40}")  # fmt: skip
        place = found.end()
        cell, sign = found.groups()
        if cell:
            words.append(Word(colour, cell))
        elif sign in _SIGNS:
            words.append(Word(colour, _SIGNS[sign]))
        else:
            words.append(Word(WHITE if sign[1] == "w" else BLACK, _STOPS[sign[0]]))
        if sign != "S":  # then the players exchange colours, and White moves again
            colour = 1 - colour
    return words


def write(record: Record) -> str:
    """Write a game of Hex as an address that HexWorld shows.

    Raises
    ------
    BadText
        If it is no game of Hex.
    BadRecord
        If it does not replay.

    Examples
    --------
    >>> write(read("#4,a2:sc3d1:rb"))
    'https://hexworld.org/board/#4c1,a2:sc3d1:rb'
    """
    size, words, claim = from_record(record)
    moves = "".join(":s" if word.text == SWAP else word.text for word in words)
    return f"{ADDRESS}{size}c1,{moves}{_stop(claim)}"


def _stop(claim: Claim | None) -> str:
    """How a game ended that its moves do not end."""
    if claim is None or not claim.by:
        return ""
    sign = "r" if claim.by == RESIGNATION else "f"
    return f":{sign}{'bw'[1 - claim.winner]}"
