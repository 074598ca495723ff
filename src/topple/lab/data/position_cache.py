"""Lines: a game, a board and moves, checked, replayed and remembered for the next request."""

import time
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from topple.boards import Board
from topple.core.errors import BadText, IllegalMove, ToppleError
from topple.game.game import Game
from topple.game.position import Position
from topple.lab import limits
from topple.lab.data.allowed import check_listed_game, default_board, named_board, named_game
from topple.lab.data.recent import Recent
from topple.lab.work.loading import Loading
from topple.rules.interface import NO_VERTEX, begin, step

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


class NotReady(ToppleError):
    """Something that has to be compiled or replayed first, which is under way."""


class _Slow(Exception):
    """Plain rules take too long for this."""


class _Known(NamedTuple):
    position: Position
    movers: bytes


class Lines:
    """Boards, games and positions by the texts that requests name them by.

    Parameters
    ----------
    kept_board : callable
        Gives the board that the lab keeps under a digest; None if there is none.
    loading : Loading, optional
        Fetches machine code; without it, rules are compiled here when they are first run.
    """

    def __init__(
        self, kept_board: Callable[[str], Board | None], loading: Loading | None = None
    ) -> None:
        self._kept_board = kept_board
        self._loading = loading
        self._boards: Recent[str, Board] = Recent(BOARDS)
        self._games: Recent[tuple[str, str, bool], Game] = Recent(GAMES)
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

    def knows(self, text: str) -> bool:
        """Whether a board is at hand."""
        return self._boards.get(text) is not None

    def remember(self, text: str, board: Board) -> None:
        """Have a board at hand that will be asked for by this text."""
        self._boards.put(text, board)

    def _find_kept(self, text: str) -> Board:
        found = self._kept_board(text.removeprefix(KEPT))
        if found is None:
            raise BadText(f"{text!r:.60} is not kept here any more: upload its file again")
        return found

    def game(self, game: str, board: str | None) -> Game:
        """A game on a board, by default its own; its rules may still run as plain Python.

        Raises
        ------
        BadText, BadBoard
            If there is no such game, or it cannot be played there.
        """
        ground = self.board(default_board(game) if board is None else board)
        name = check_listed_game(game)
        return self._made(game, ground, self._loading is None or self._loading.is_ready(name))

    def _made(self, game: str, board: Board, compiled: bool) -> Game:
        key = game.strip(), board.digest, compiled
        found = self._games.get(key)
        if found is None:
            found = named_game(game, board, compiled=compiled)
            self._games.put(key, found)
        return found

    def _compiled(self, game: Game) -> Game:
        """The same game with compiled rules, which may have to be waited for."""
        if self._loading is not None and not self._loading.wait(game.name, limits.RULES_SECONDS):
            raise NotReady(f"{game.name} is being compiled for this machine (once), and this line "
                           "is too long without: try again in a minute")  # fmt: skip
        return self._made(game.spec, game.board, True)

    def reach(self, game: Game, moves: Moves) -> Reached:
        """Play the moves of a line, from the last position on the way that is remembered.

        Raises
        ------
        BadText
            If a move cannot be read, or there are too many.
        IllegalMove
            If a move may not be played, saying which.
        NotReady
            If it takes compiled rules, and they are not there yet.
        """
        if len(moves) > limits.MOVES:
            raise BadText(f"{len(moves):,} moves are too many: at most {limits.MOVES:,}")
        numbers = tuple(_number(game, move, ply) for ply, move in enumerate(moves, start=1))
        try:
            return self._reach(game, numbers)
        except _Slow:
            return self._reach(self._compiled(game), numbers)

    def _reach(self, game: Game, numbers: tuple[int, ...]) -> Reached:
        keys = _keys(game, numbers)
        first, known = self._furthest(game, keys)
        began, before = time.monotonic(), None
        for ply in range(first, len(numbers)):
            before = known.position
            movers = known.movers + bytes([before.player])
            known = _Known(_play(before, numbers[ply], ply + 1, began), movers)
            is_late = time.monotonic() - began > limits.LINE_SECONDS and ply + 1 < len(numbers)
            if (ply + 1) % STRIDE == 0 or ply + 2 >= len(numbers) or is_late:
                self._positions.put(keys[ply + 1], known)
            if is_late:
                raise NotReady(f"{ply + 1:,} of {len(numbers):,} moves are replayed: ask again to "
                               "go on")  # fmt: skip
        if numbers and before is None:
            before = self._before(game, numbers, keys)
        return Reached(known.position, numbers, known.movers, before)

    def _furthest(self, game: Game, keys: Sequence[bytes]) -> tuple[int, _Known]:
        for ply in range(len(keys) - 1, 0, -1):
            known = self._positions.get(keys[ply])
            if known is not None:
                return ply, _Known(_of(game, known.position), known.movers)
        return 0, _Known(game.start(), b"")

    def _before(self, game: Game, numbers: tuple[int, ...], keys: Sequence[bytes]) -> Position:
        """The position before the last move, where that one itself was remembered."""
        known = self._positions.get(keys[-2])
        if known is None:
            return self._reach(game, numbers[:-1]).position
        return _of(game, known.position)


def _number(game: Game, move: int | str, ply: int) -> int:
    if isinstance(move, int):
        return move
    try:
        return game.parse_move(move)
    except BadText as error:
        raise BadText(f"move {ply}: {error}") from None


def _of(game: Game, position: Position) -> Position:
    """The position in this game, which has been met while its rules still ran plain, or before."""
    return position if position.game is game else Position(game, position.state)


def _play(position: Position, move: int, ply: int, began: float) -> Position:
    try:
        if position.game.kernels.compiled:
            return position.play(move)
        return _play_plainly(position, move, began + limits.PLAIN_SECONDS)
    except IllegalMove as error:
        raise IllegalMove(f"move {ply}: {error}") from None


def _play_plainly(position: Position, move: int, deadline: float) -> Position:
    """Play by plain Python step by step, which may be slow, as long as there is time."""
    number, game = position.check_move(move), position.game
    state = game.scratch_state(position.state)
    game.run(begin, state, number)
    while game.run(step, state) != NO_VERTEX:
        if time.monotonic() > deadline:
            raise _Slow
    if time.monotonic() > deadline:
        raise _Slow
    return Position(game, state)


def _keys(game: Game, numbers: Sequence[int]) -> list[bytes]:
    """What names each position of a line: the game, the board and all moves before it."""
    seen = blake2b(f"{game.spec} {game.board.digest}".encode(), digest_size=16)
    keys = [seen.digest()]
    for number in numbers:
        seen.update(b" %d" % number)
        keys.append(seen.digest())
    return keys
