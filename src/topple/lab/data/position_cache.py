"""PositionCache: boards, games and positions by the texts of requests, checked and remembered.

The server keeps no sessions: each request names a game, a board and all moves. Positions
met before are remembered, so that the next click replays one move and not the whole game.

Positions are shown at once even if a game was never compiled on this machine: until its
machine code is loaded, its rules run as plain Python. Compiling happens in a worker process.
"""

import threading
import time
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from cachetools import LRUCache

from topple.boards import Board
from topple.core.errors import BadText, IllegalMove, ToppleError
from topple.game import Game, Position, load
from topple.game.position import new_draw
from topple.game.warm_up import RULES, cold_kernels, warm
from topple.lab import limits
from topple.lab.data.allowed import check_listed_game, default_board, named_board, named_game
from topple.rules.interface import NO_VERTEX, begin, step

KEPT = "kept:"  # begins the names of boards that are stored in the lab's database
BOARDS, GAMES, POSITIONS = 64, 64, 1024  # that are remembered
STRIDE = 64  # plies between two remembered positions of a long line

Moves = Sequence[int | str]


class PlayedLine(NamedTuple):
    """The moves of a game and the position that they lead to."""

    position: Position
    moves: tuple[int, ...]
    movers: bytes  # the player who made each move
    before: Position | None  # the position before the last move; None without moves
    draws: tuple[int | None, ...]  # of the moves; None in a game without chance

    def text(self, ply: int) -> str:
        """A move as records keep it: in a game with chance with its draw, as `ann~7f3a01c2`."""
        return self.position.game.move_text(self.moves[ply], self.draws[ply])

    @property
    def texts(self) -> list[str]:
        """All moves as records keep them."""
        return [self.text(ply) for ply in range(len(self.moves))]

    @property
    def told_moves(self) -> list[int | str]:
        """The moves as requests repeat them: numbers, in a game with chance texts with draws."""
        return [*self.texts] if self.position.game.has_chance else [*self.moves]


class RetryLater(ToppleError):
    """Something has to be compiled or replayed first; the same request will succeed later."""


class _TooSlow(Exception):
    """Rules as plain Python take too long for this line."""


class _Known(NamedTuple):
    position: Position
    movers: bytes


class _Drawn(NamedTuple):
    """A move with its draw, None in a game without chance."""

    number: int
    draw: int | None


class CompiledRules:
    """The games whose rules run compiled in this process; others are loaded in the background.

    Parameters
    ----------
    compile_rules : callable
        Compiles the rules of the named game in another process and returns when that is done;
        raises ToppleError if it cannot be done.
    """

    def __init__(self, compile_rules: Callable[[str], None]) -> None:
        self._compile_rules = compile_rules
        self._ready: set[str] = set()
        self._loading: dict[str, threading.Event] = {}  # set when an attempt has ended
        self._lock = threading.Lock()

    def is_ready(self, game: str) -> bool:
        """Whether the rules of a game run compiled; if not, loading them begins."""
        if game in self._ready:
            return True
        with self._lock:
            if game not in self._loading:
                self._loading[game] = threading.Event()
                threading.Thread(target=self._load, args=(game,), daemon=True).start()
        return game in self._ready

    def wait(self, game: str, seconds: float) -> bool:
        """Wait at most `seconds` for the rules of a game; returns whether they run compiled."""
        if not self.is_ready(game):
            loading = self._loading.get(game)  # None if the attempt has failed already
            if loading is not None:
                loading.wait(seconds)
        return game in self._ready

    def _load(self, name: str) -> None:
        try:
            game = load(name)
            if cold_kernels(game, RULES):
                self._compile_rules(name)
            if not cold_kernels(game, RULES):
                warm(game, RULES)
                self._ready.add(name)
        except ToppleError:
            pass  # the rules go on running as plain Python
        finally:
            with self._lock:
                ended = self._loading[name]
                if name not in self._ready:
                    del self._loading[name]  # the next request that needs them tries again
            ended.set()


class PositionCache:
    """Boards, games and positions by the texts that requests name them by. Thread-safe.

    Parameters
    ----------
    kept_board : callable
        Returns the stored board of a digest; None if there is none.
    compiled_rules : CompiledRules, optional
        Says which games have compiled rules. Without it rules are compiled here when first run.
    """

    def __init__(
        self,
        kept_board: Callable[[str], Board | None],
        compiled_rules: CompiledRules | None = None,
    ) -> None:
        self._kept_board = kept_board
        self._compiled_rules = compiled_rules
        self._lock = threading.Lock()  # of the three caches
        self._boards: LRUCache[str, Board] = LRUCache(BOARDS)
        self._games: LRUCache[tuple[str, str, bool], Game] = LRUCache(GAMES)
        self._positions: LRUCache[bytes, _Known] = LRUCache(POSITIONS)

    def has_board(self, text: str) -> bool:
        """Whether a board is remembered."""
        with self._lock:
            return text in self._boards

    def add_board(self, text: str, board: Board) -> None:
        """Remember a board under the text that requests will name it by."""
        with self._lock:
            self._boards[text] = board

    def board(self, text: str) -> Board:
        """The board of a spec, or one that is stored in the database.

        Raises
        ------
        BadText, BadBoard
            If there is no such board, or it is too large.
        """
        with self._lock:
            found = self._boards.get(text)
        if found is None:
            found = self._find_kept(text) if text.startswith(KEPT) else named_board(text)
            self.add_board(text, found)
        return found

    def _find_kept(self, text: str) -> Board:
        found = self._kept_board(text.removeprefix(KEPT))
        if found is None:
            raise BadText(f"{text!r:.60} is not stored here any more: upload its file again")
        return found

    def game(self, game: str, board: str | None) -> Game:
        """A game on a board, by default its own; its rules may still run as plain Python.

        Raises
        ------
        BadText, BadBoard
            If there is no such game, or it cannot be played there.
        """
        found = self.board(default_board(game) if board is None else board)
        name = check_listed_game(game)
        compiled = self._compiled_rules is None or self._compiled_rules.is_ready(name)
        return self._game_on(game, found, compiled)

    def _game_on(self, game: str, board: Board, compiled: bool) -> Game:
        key = game.strip(), board.digest, compiled
        with self._lock:
            found = self._games.get(key)
        if found is None:
            found = named_game(game, board, compiled=compiled)
            with self._lock:
                self._games[key] = found
        return found

    def line(self, game: str, board: str | None, moves: Moves) -> PlayedLine:
        """The game on the board with these moves played.

        Raises
        ------
        BadText, BadBoard
            If there is no such game or board, they do not go together, or a move cannot be read.
        IllegalMove
            If a move may not be played; the message says which.
        RetryLater
            If rules have to be compiled first, or there was no time to replay all moves.
        """
        return self.replay(self.game(game, board), moves)

    def replay(self, game: Game, moves: Moves) -> PlayedLine:
        """Play the moves of a line, beginning at the last remembered position on the way.

        In a game with chance a move without a draw gets a new one.

        Raises
        ------
        BadText, IllegalMove, RetryLater
            As for `line`.
        """
        if len(moves) > limits.MOVES:
            raise BadText(f"{len(moves):,} moves are too many: at most {limits.MOVES:,}")
        drawn = tuple(_drawn(game, move, ply) for ply, move in enumerate(moves, start=1))
        try:
            return self._replay(game, drawn)
        except _TooSlow:
            return self._replay(self._with_compiled_rules(game), drawn)

    def _with_compiled_rules(self, game: Game) -> Game:
        rules = self._compiled_rules
        if rules is not None and not rules.wait(game.name, limits.RULES_SECONDS):
            raise RetryLater(
                f"{game.name} is being compiled for this machine (once), and this line is too long "
                "to replay before that: try again in a minute"
            )
        return self._game_on(game.spec, game.board, True)

    def _replay(self, game: Game, drawn: tuple[_Drawn, ...]) -> PlayedLine:
        keys = _keys(game, drawn)
        known, before = self._play_on(game, drawn, keys)
        if drawn and before is None:  # the last position itself was remembered
            before = self._play_on(game, drawn[:-1], keys[:-1])[0].position
        moves, draws = tuple(each.number for each in drawn), tuple(each.draw for each in drawn)
        return PlayedLine(known.position, moves, known.movers, before, draws)

    def _play_on(
        self, game: Game, drawn: tuple[_Drawn, ...], keys: Sequence[bytes]
    ) -> tuple[_Known, Position | None]:
        """The last position, and the one before it if the last move was played just now."""
        began, before = time.monotonic(), None
        first, known = self._last_known(game, keys)
        for ply in range(first, len(drawn)):
            before = known.position
            movers = known.movers + bytes([before.player])
            known = _Known(_play(before, drawn[ply], ply + 1, began), movers)
            is_late = time.monotonic() - began > limits.LINE_SECONDS and ply + 1 < len(drawn)
            if (ply + 1) % STRIDE == 0 or ply + 2 >= len(drawn) or is_late:
                with self._lock:
                    self._positions[keys[ply + 1]] = known
            if is_late:
                raise RetryLater(
                    f"{ply + 1:,} of {len(drawn):,} moves are replayed: ask again to go on"
                )
        return known, before

    def _last_known(self, game: Game, keys: Sequence[bytes]) -> tuple[int, _Known]:
        """The last remembered position of a line, and the number of moves before it."""
        with self._lock:
            plies = range(len(keys) - 1, 0, -1)
            found = ((ply, self._positions.get(keys[ply])) for ply in plies)
            ply, known = next(((ply, known) for ply, known in found if known), (0, None))
        if known is None:
            return 0, _Known(game.start(), b"")
        if known.position.game is not game:
            # It was reached with another Game object, maybe before the rules were compiled.
            known = known._replace(position=Position(game, known.position.state))
        return ply, known


def board_name(text: str | None, board: Board) -> str:
    """What the page calls a board that a request named `text`: its stored name or its spec."""
    return text if text is not None and text.startswith(KEPT) else board.spec


def _drawn(game: Game, move: int | str, ply: int) -> _Drawn:
    """A move with its draw: the one in its text, or a new one in a game with chance."""
    draw = None
    try:
        if isinstance(move, str):
            draw = game.split_draw(move)[1]
            move = game.parse_move(move)
    except BadText as error:
        reason = _wrong_draw(game, str(move)) or error
        raise BadText(f"move {ply}: {reason}") from None
    if draw is None and game.has_chance:
        draw = new_draw()
    return _Drawn(move, draw)


def _wrong_draw(game: Game, text: str) -> str:
    """What is wrong with the draw of a move that cannot be read; empty if nothing is."""
    if "~" not in text or game.split_draw(text)[1] is not None:
        return ""
    if not game.has_chance:
        return f"{text!r:.100} has a draw, and {game.spec:.60} has no chance"
    return f"{text!r:.100} has no draw of up to eight hexadecimal digits, such as ~7f3a01c2"


def _play(position: Position, move: _Drawn, ply: int, began: float) -> Position:
    try:
        if position.game.kernels.compiled:
            return position.play(move.number, move.draw)
        return _play_plainly(position, move, began + limits.PLAIN_SECONDS)
    except IllegalMove as error:
        raise IllegalMove(f"move {ply}: {error}") from None


def _play_plainly(position: Position, move: _Drawn, deadline: float) -> Position:
    """Play by plain Python, step by step, while there is time: a long cascade may take minutes."""
    number, game = position.check_move(move.number), position.game
    state = game.scratch_state(position.state, move.draw or 0)
    game.run(begin, state, number)
    while game.run(step, state) != NO_VERTEX:
        if time.monotonic() > deadline:
            raise _TooSlow
    if time.monotonic() > deadline:
        raise _TooSlow
    return Position(game, state)


def _keys(game: Game, drawn: Sequence[_Drawn]) -> list[bytes]:
    """A key for each position of a line, made of the game, the board and all moves before it."""
    seen = blake2b(f"{game.spec} {game.board.digest}".encode(), digest_size=16)
    keys = [seen.digest()]
    for move in drawn:
        drawn_there = b"" if move.draw is None else b"~%d" % move.draw
        seen.update(b" %d%b" % (move.number, drawn_there))
        keys.append(seen.digest())
    return keys
