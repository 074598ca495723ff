"""Games of Hex in the notation of other programs: colours, cells, swaps and resignations.

Other programs name Black, who joins top and bottom, and White. They write a swap in one of two
ways. In the first the stone stays and the players exchange colours, as in topple: White, who
has just swapped, moves again under the same colour. In the second, used by SGF and HexWorld,
the players keep their colours: the stone changes its colour and is mirrored, and so is every
move after it.
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
SWAPS = (SWAP, SWAP_SIDES, "swap")  # as programs write it; some mean either kind
MIRRORED_SWAP = "mirrored swap"  # for formats in which a swap is known to be mirrored
RESIGN, FORFEIT, PASS = "resign", "forfeit", "pass"
LARGEST = 26  # rows


class NotatedMove(NamedTuple):
    """A move as another program writes it: whose it is, and a cell or one of the words above."""

    colour: int
    text: str


class NotatedResult(NamedTuple):
    """The result that a file states: which colour won, and how the other lost."""

    winner: int
    by: str = ""  # RESIGNATION, TIME, CRASH or ""


def check_size(columns: int, rows: int) -> int:
    """The size of a board, if topple supports it.

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
    """The cell mirrored in the long diagonal.

    >>> mirrored("c1"), mirrored("a11")
    ('a3', 'k1')
    """
    column, row = ord(cell[0]) - ord("a"), int(cell[1:])
    return f"{chr(ord('a') + row - 1)}{column + 1}"


def to_record(
    size: int,
    notated: Sequence[NotatedMove],
    players: tuple[str, str] = COLOURS,
    result: NotatedResult | None = None,
    *,
    swap: bool = False,
) -> Record:
    """The record of a game that another program has written.

    Parameters
    ----------
    size : int
        The number of rows.
    notated : sequence of NotatedMove
        All moves, perhaps with a resignation or a forfeit at the end.
    players : (str, str)
        Who begins, and the other player.
    result : NotatedResult, optional
        The stated result, which is checked.
    swap : bool
        Whether the game is played with the swap rule, even if nobody swaps.

    Raises
    ------
    BadText
        If a move cannot be read, or is made by the wrong colour.
    BadRecord
        If a move cannot be played, or the moves lead to another result.
    """
    game_text = NotatedGame(size, notated)
    game = plain_game(size, swap=swap or game_text.is_swapped)
    position, moves = game.start(), game_text.moves()
    for ply, move in enumerate(moves, start=1):
        try:
            position = position.play(move)
        except ValueError as error:
            raise BadRecord(str(error), ply) from None
    ending = None
    if position.outcome is None:
        ending = game_text.ending(result)
    elif result is not None and game_text.player(result.winner) != position.outcome.winner:
        winner = COLOURS[result.winner]
        raise BadRecord(f"it claims that {winner} won, but {position.result_text()}")
    return Record.at(position, moves, players, ending=ending)


def plain_game(size: int, *, swap: bool) -> Game:
    """Hex without compilation, which replaying one game is not worth."""
    return Game(find_rules("hex"), hex_board(size), {"swap": swap}, compiled=False)


class NotatedGame:
    """The moves of a game in another program's notation, with the kind of swap recognised."""

    def __init__(self, size: int, notated: Sequence[NotatedMove]) -> None:
        self.size = size
        self.stop = next((move for move in notated if move.text in (RESIGN, FORFEIT)), None)
        end = len(notated) if self.stop is None else list(notated).index(self.stop)
        if end + 1 < len(notated):
            raise BadText(f"move {end + 2} comes after {self.stop and self.stop.text}")
        self.notated = tuple(notated[:end])
        self.is_swapped = len(self.notated) > 1 and _is_swap(self.notated[1])
        self.keeps_stone = self.is_swapped and self._keeps_stone(notated)

    def _keeps_stone(self, notated: Sequence[NotatedMove]) -> bool:
        """Whether the swap leaves the stone where it is."""
        if notated[1].text in (SWAP_SIDES, MIRRORED_SWAP):
            return notated[1].text == SWAP_SIDES
        # The other words are used for both kinds: the colour of the next move decides.
        return len(notated) > 2 and notated[2].colour == WHITE

    def moves(self) -> list[str]:
        """The moves as topple writes them."""
        return [self._move(ply, notated) for ply, notated in enumerate(self.notated)]

    def _move(self, ply: int, notated: NotatedMove) -> str:
        if notated.text == PASS:
            raise BadText(f"move {ply + 1} is a pass, and topple's Hex has none")
        turn = ply % 2
        if self.keeps_stone and ply > 1:
            turn = 1 - turn
        if notated.colour != turn:
            owner, expected = COLOURS[notated.colour], COLOURS[turn]
            raise BadText(f"move {ply + 1} is {owner}'s, but it is {expected}'s turn")
        if _is_swap(notated):
            if ply != 1:
                raise BadText(f"move {ply + 1} is a swap: only the second move can be one")
            return SWAP
        cell = self._cell(ply, notated.text)
        is_mirrored = self.is_swapped and not self.keeps_stone and ply > 1
        return mirrored(cell) if is_mirrored else cell

    def _cell(self, ply: int, text: str) -> str:
        column, row = ord(text[:1] or "?") - ord("a"), text[1:]
        is_cell = 0 <= column < self.size and row.isdecimal() and row.isascii()
        if not (is_cell and 1 <= int(row[:9]) <= self.size):
            board = f"{self.size}×{self.size}"
            raise BadText(f"move {ply + 1}: {text!r:.40} is no cell of a board of {board}")
        return f"{text[0]}{int(row)}"

    def player(self, colour: int) -> int:
        """The player who has a colour at the end."""
        return 1 - colour if self.keeps_stone else colour

    def ending(self, result: NotatedResult | None) -> Ending | None:
        """The ending of a game that its moves do not decide; None if nothing is stated."""
        if self.stop is not None:
            by = RESIGNATION if self.stop.text == RESIGN else CRASH
            return _ending(by, self.player(self.stop.colour))
        if result is None:
            return None
        return _ending(result.by or RESIGNATION, self.player(1 - result.winner))


def _is_swap(move: NotatedMove) -> bool:
    return move.text in SWAPS or move.text == MIRRORED_SWAP


def _ending(by: str, loser: int) -> Ending:
    return Ending(by, loser, FORFEIT if by == CRASH else "")


def from_record(record: Record) -> tuple[int, list[NotatedMove], NotatedResult | None]:
    """A game in the notation of SGF and HexWorld: its size, moves with a mirrored swap, result.

    Raises
    ------
    BadText
        If it is not a game of Hex.
    BadRecord
        If it does not replay.
    """
    if record.game != "hex":
        raise BadText(f"a game of {record.game} cannot be written as one of Hex")
    record.replay(compiled=False)
    is_swapped = record.moves[1:2] == (SWAP,)
    notated = []
    for ply, move in enumerate(record.moves):
        text = mirrored(move) if is_swapped and ply > 1 else move
        notated.append(NotatedMove(ply % 2, text))
    return record.board.rows, notated, _result(record)


def with_side_colours(record: Record) -> list[NotatedMove]:
    """A game's moves with the colours of their sides: a swap mirrors nothing.

    >>> from topple import load
    >>> record = Record.of(load("hex", "hex:3", swap=True), ["a1", "swap-pieces", "b2"])
    >>> [f"{COLOURS[move.colour]} {move.text}" for move in with_side_colours(record)]
    ['Black a1', 'White swap-pieces', 'White b2']
    """
    is_swapped = record.moves[1:2] == (SWAP,)
    return [
        NotatedMove((ply % 2) ^ (is_swapped and ply > 1), move)
        for ply, move in enumerate(record.moves)
    ]


def _result(record: Record) -> NotatedResult | None:
    if record.result is None or record.result[0] == record.result[1]:
        return None
    by = "" if record.ending is None else record.ending.by
    return NotatedResult(record.result.index(max(record.result)), CRASH if by == ILLEGAL else by)
