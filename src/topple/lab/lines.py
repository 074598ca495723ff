"""Lines: a game, a board and moves, checked, replayed and remembered for the next request."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from topple.boards import Board
from topple.errors import BadText, IllegalMove
from topple.game import Game
from topple.lab import limits
from topple.lab.allowed import default_board, named_board, named_game
from topple.lab.recent import Recent
from topple.position import Position

KEPT = "kept:"  # what a board's name begins with that the lab itself keeps
BOARDS, GAMES, POSITIONS = 64, 64, 1024  # that are remembered
STRIDE = 64  # plies of a long line between two positions that are remembered

Moves = Sequence[int | str]


class Reached(NamedTuple):
    """Where a line of play leads."""

    position: Position
    moves: tuple[int, ...]
    movers: bytes  # the player who made each move
    before: Position | None  # the position before the last move; None without moves


class _Known(NamedTuple):
    position: Position
    movers: bytes


class Lines:
    """Boards, games and positions by the texts that requests name them by.

    Parameters
    ----------
    kept_board : callable
        Gives the board that the lab keeps under a digest; None if there is none.
    """

    def __init__(self, kept_board: Callable[[str], Board | None]) -> None:
        self._kept_board = kept_board
        self._boards: Recent[str, Board] = Recent(BOARDS)
        self._games: Recent[tuple[str, str], Game] = Recent(GAMES)
        self._positions: Recent[bytes, _Known] = Recent(POSITIONS)

    def board(self, text: str) -> Board:
        """The board of a spec, or one that the lab keeps.

        Raises
        ------
        BadText, BadBoard
            If there is none, or it is too large.
        """
        found = self._boards.get(text)
        if found is None:
            found = self._find_kept(text) if text.startswith(KEPT) else named_board(text)
            self._boards.put(text, found)
        return found

    def remember(self, text: str, board: Board) -> None:
        """Have a board at hand that will be asked for by this text."""
        self._boards.put(text, board)

    def _find_kept(self, text: str) -> Board:
        found = self._kept_board(text.removeprefix(KEPT))
        if found is None:
            raise BadText(f"{text!r:.60} is not kept here any more: upload its file again")
        return found

    def game(self, game: str, board: str | None) -> Game:
        """A game on a board, by default its own.

        Raises
        ------
        BadText, BadBoard
            If there is no such game, or it cannot be played there.
        """
        ground = self.board(default_board(game) if board is None else board)
        key = game.strip(), ground.digest
        found = self._games.get(key)
        if found is None:
            found = named_game(game, ground)
            self._games.put(key, found)
        return found

    def reach(self, game: Game, moves: Moves) -> Reached:
        """Play the moves of a line, from the last position on the way that is remembered.

        Raises
        ------
        BadText
            If a move cannot be read, or there are too many.
        IllegalMove
            If a move may not be played, saying which.
        """
        if len(moves) > limits.MOVES:
            raise BadText(f"{len(moves):,} moves are too many: at most {limits.MOVES:,}")
        numbers = tuple(_number(game, move, ply) for ply, move in enumerate(moves, start=1))
        keys = _keys(game, numbers)
        first, known = self._furthest(game, keys)
        before = None
        for ply in range(first, len(numbers)):
            before = known.position
            movers = known.movers + bytes([before.player])
            known = _Known(_play(before, numbers[ply], ply + 1), movers)
            if (ply + 1) % STRIDE == 0 or ply + 2 >= len(numbers):
                self._positions.put(keys[ply + 1], known)
        if numbers and before is None:
            before = self._before(game, numbers, keys)
        return Reached(known.position, numbers, known.movers, before)

    def _furthest(self, game: Game, keys: Sequence[bytes]) -> tuple[int, _Known]:
        for ply in range(len(keys) - 1, 0, -1):
            known = self._positions.get(keys[ply])
            if known is not None:
                return ply, known
        return 0, _Known(game.start(), b"")

    def _before(self, game: Game, numbers: tuple[int, ...], keys: Sequence[bytes]) -> Position:
        """The position before the last move, where that one itself was remembered."""
        known = self._positions.get(keys[-2])
        return self.reach(game, numbers[:-1]).position if known is None else known.position


def _number(game: Game, move: int | str, ply: int) -> int:
    if isinstance(move, int):
        return move
    try:
        return game.parse_move(move)
    except BadText as error:
        raise BadText(f"move {ply}: {error}") from None


def _play(position: Position, move: int, ply: int) -> Position:
    try:
        return position.play(move)
    except IllegalMove as error:
        raise IllegalMove(f"move {ply}: {error}") from None


def _keys(game: Game, numbers: Sequence[int]) -> list[bytes]:
    """What names each position of a line: the game, the board and all moves before it."""
    seen = blake2b(f"{game.spec} {game.board.digest}".encode(), digest_size=16)
    keys = [seen.digest()]
    for number in numbers:
        seen.update(b" %d" % number)
        keys.append(seen.digest())
    return keys
