"""Games of Hex as others write them: colours, cells, swaps and resignations in a line.

Others name Black, who joins top and bottom, and White, and they write a swap in
two ways. In one the stone stays where it is and the players exchange their
colours, as they do here: White, who has just swapped, moves again under the same
colour. In the other, that of SGF and HexWorld, the players keep their colours: the
stone changes its own and is mirrored, and so is all that follows.
"""

from collections.abc import Sequence
from typing import NamedTuple

from topple.boards.kinds.hexes import hex_board
from topple.core.errors import BadRecord, BadText
from topple.game.game import Game
from topple.game.record import CRASH, ILLEGAL, RESIGNATION, Ending, Record
from topple.rules import find_rules
from topple.rules.hex import SWAP

BLACK, WHITE = 0, 1
COLOURS = ("Black", "White")
SWAP_SIDES = "swap-sides"  # the stone stays
SWAPS = (SWAP, SWAP_SIDES, "swap")  # as programs say it, and not all mean the same by it
MIRRORED_SWAP = "mirrored swap"  # no program's word: where it is known that one is meant
RESIGN, FORFEIT, PASS = "resign", "forfeit", "pass"
LARGEST = 26  # rows


class Word(NamedTuple):
    """What a line says of one move: whose it is, and the cell or what else was done."""

    colour: int
    text: str


class Claim(NamedTuple):
    """What a line says of the result: which colour won, and by what the other lost."""

    winner: int
    by: str = ""  # RESIGNATION, TIME, CRASH, or nothing


def check_size(columns: int, rows: int) -> int:
    """The size of a board, if topple has it.

    Raises
    ------
    BadText
        If it is not square, or too large.
    """
    if columns != rows:
        raise BadText(f"a board of {columns}×{rows} is not square: topple plays Hex on n×n")
    if not 1 <= rows <= LARGEST:
        raise BadText(f"a board of {rows}×{rows} is beyond 1×1 to {LARGEST}×{LARGEST}")
    return rows


def mirrored(cell: str) -> str:
    """The cell on the other side of the long diagonal.

    >>> mirrored("c1"), mirrored("a11")
    ('a3', 'k1')
    """
    column, row = ord(cell[0]) - ord("a"), int(cell[1:])
    return f"{chr(ord('a') + row - 1)}{column + 1}"


def to_record(
    size: int,
    words: Sequence[Word],
    players: tuple[str, str] = COLOURS,
    claim: Claim | None = None,
    *,
    swap: bool = False,
) -> Record:
    """The record of a game that others have written.

    Raises
    ------
    BadText
        If a move cannot be read, or is not the turn of its colour.
    BadRecord
        If a move cannot be played, or the claim is not what the moves lead to.
    """
    line = Line(size, words)
    game = plain_game(size, swap=swap or line.is_swapped)
    position, moves = game.start(), line.moves()
    for ply, move in enumerate(moves, start=1):
        try:
            position = position.play(move)
        except ValueError as error:
            raise BadRecord(str(error), ply) from None
    ending = None
    if position.outcome is None:
        ending = line.ending(claim)
    elif claim is not None and line.player(claim.winner) != position.outcome.winner:
        raise BadRecord(f"it claims that {COLOURS[claim.winner]} won, but {position.result_text()}")
    return Record.at(position, moves, players, ending=ending)


def plain_game(size: int, *, swap: bool) -> Game:
    """Hex on a board, as plain Python: to replay one game nothing need be compiled."""
    return Game(find_rules("hex"), hex_board(size), {"swap": swap}, compiled=False)


class Line:
    """The words of a game, with the swap understood."""

    def __init__(self, size: int, words: Sequence[Word]) -> None:
        self.size = size
        self.stop = next((w for w in words if w.text in (RESIGN, FORFEIT)), None)
        end = len(words) if self.stop is None else list(words).index(self.stop)
        if end + 1 < len(words):
            raise BadText(f"move {end + 2} comes after {self.stop and self.stop.text}")
        self.words = tuple(words[:end])
        self.is_swapped = len(self.words) > 1 and _is_swap(self.words[1])
        self.keeps_stone = self.is_swapped and self._keeps_stone(words)

    def _keeps_stone(self, words: Sequence[Word]) -> bool:
        """Whether the stone stays: else it is mirrored, with all that follows."""
        if words[1].text in (SWAP_SIDES, MIRRORED_SWAP):
            return words[1].text == SWAP_SIDES
        # Of the words that are used for both, whose turn it is then tells which is meant.
        return len(words) > 2 and words[2].colour == WHITE

    def moves(self) -> list[str]:
        """The moves as topple writes them."""
        return [self._move(ply, word) for ply, word in enumerate(self.words)]

    def _move(self, ply: int, word: Word) -> str:
        if word.text == PASS:
            raise BadText(f"move {ply + 1} is a pass: there is none in topple's Hex")
        turn = ply % 2
        if self.keeps_stone and ply > 1:
            turn = 1 - turn
        if word.colour != turn:
            raise BadText(f"move {ply + 1} is {COLOURS[word.colour]}'s, but it is "
                          f"{COLOURS[turn]}'s turn")  # fmt: skip
        if _is_swap(word):
            if ply != 1:
                raise BadText(f"move {ply + 1} is a swap: only the second move can be one")
            return SWAP
        cell = self._cell(ply, word.text)
        is_mirrored = self.is_swapped and not self.keeps_stone and ply > 1
        return mirrored(cell) if is_mirrored else cell

    def _cell(self, ply: int, text: str) -> str:
        column, row = ord(text[:1] or "?") - ord("a"), text[1:]
        if not (0 <= column < self.size and row.isdecimal() and row.isascii()):
            raise self._no_cell(ply, text)
        if not 1 <= int(row[:9]) <= self.size:
            raise self._no_cell(ply, text)
        return f"{text[0]}{int(row)}"

    def _no_cell(self, ply: int, text: str) -> BadText:
        return BadText(f"move {ply + 1}: {text!r:.40} is no cell of a board of "
                       f"{self.size}×{self.size}")  # fmt: skip

    def player(self, colour: int) -> int:
        """Who has a colour at the end."""
        return 1 - colour if self.keeps_stone else colour

    def ending(self, claim: Claim | None) -> Ending | None:
        """How a game ended that its moves do not end."""
        if self.stop is not None:
            by = RESIGNATION if self.stop.text == RESIGN else CRASH
            return _ending(by, self.player(self.stop.colour))
        if claim is None:
            return None
        return _ending(claim.by or RESIGNATION, self.player(1 - claim.winner))


def _is_swap(word: Word) -> bool:
    return word.text in SWAPS or word.text == MIRRORED_SWAP


def _ending(by: str, loser: int) -> Ending:
    return Ending(by, loser, FORFEIT if by == CRASH else "")


def from_record(record: Record) -> tuple[int, list[Word], Claim | None]:
    """A game as SGF and HexWorld have it: size, words with a mirrored swap, result.

    Raises
    ------
    BadText
        If it is no game of Hex.
    BadRecord
        If it does not replay.
    """
    if record.game != "hex":
        raise BadText(f"a game of {record.game} cannot be written as one of Hex")
    record.replay(compiled=False)
    is_swapped = record.moves[1:2] == (SWAP,)
    words = []
    for ply, move in enumerate(record.moves):
        text = mirrored(move) if is_swapped and ply > 1 else move
        words.append(Word(ply % 2, text))
    return record.board.rows, words, _claim(record)


def from_sides(record: Record) -> list[Word]:
    """A game's moves with the colours of their sides: a swap mirrors nothing.

    >>> from topple import load
    >>> record = Record.of(load("hex", "hex:3", swap=True), ["a1", "swap-pieces", "b2"])
    >>> [f"{COLOURS[word.colour]} {word.text}" for word in from_sides(record)]
    ['Black a1', 'White swap-pieces', 'White b2']
    """
    is_swapped = record.moves[1:2] == (SWAP,)
    return [
        Word((ply % 2) ^ (is_swapped and ply > 1), move) for ply, move in enumerate(record.moves)
    ]


def _claim(record: Record) -> Claim | None:
    if record.result is None or record.result[0] == record.result[1]:
        return None
    by = "" if record.ending is None else record.ending.by
    return Claim(record.result.index(max(record.result)), CRASH if by == ILLEGAL else by)
