"""The first moves of a game from outside, tried as plain Python with every write watched.

A wrong index or a number that is not whole would go unnoticed in compiled kernels, or end the
process. `load` tries a few moves; `topple check` plays whole games this way.
"""

import time
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from topple.core.errors import BadModule, ToppleError
from topple.core.outside import blame, place_of
from topple.core.text import error_line, shorten
from topple.rules.interface import (
    DRAWN,
    FAILED,
    NO_VERTEX,
    PLAYER,
    RUNNING,
    SHARED,
    STATUS,
    WON,
    State,
    apply,
    begin,
    legal_moves,
    start,
    step,
)
from topple.rules.soundness import check_functions

if TYPE_CHECKING:
    from topple.game.game import Game

SECONDS = 0.25  # of the trial that `load` makes; at least one move is tried
GAMES = 3
MOST_STEPS = 100_000  # of a move
SHOWN = 200  # characters of a position that a line repeats
RANGE = np.iinfo(np.int32)

_tried: set[tuple[Any, ...]] = set()


class WatchedVector(np.ndarray[Any, np.dtype[np.int32]]):
    """A vector that takes whole numbers only, at indices from 0."""

    def __setitem__(self, index: Any, value: Any) -> None:
        """Write a number, if it can be written."""
        _check_index(index)
        kind = np.asarray(value).dtype.kind
        if kind not in "iub":
            raise TypeError(
                f"{value!r:.40} is no whole number, and only whole numbers can be written into a "
                "vector: use // for division, or int()"
            )
        if kind != "b" and np.ndim(value) == 0 and not RANGE.min <= value <= RANGE.max:
            raise OverflowError(f"{value!r:.40} does not fit into the 32 bits of a number")
        super().__setitem__(index, value)

    def __getitem__(self, index: Any) -> Any:
        """Read a number, or a part of the vector."""
        _check_index(index)
        return super().__getitem__(index)


def _check_index(index: Any) -> None:
    if isinstance(index, float | np.floating):
        raise IndexError(f"the index {index} is no whole number: use //")
    if isinstance(index, int | np.integer) and index < 0:
        raise IndexError(f"the index {index} is below 0")


def watched(vector: NDArray[np.int32]) -> Any:
    """The same vector, every access watched."""
    return vector.view(WatchedVector)


def try_out(game: "Game") -> None:
    """Try a few moves of a game, once for each game and board.

    Raises
    ------
    BadModule
        If something is wrong: where, the position, and what to do.
    """
    case = (game.rules, game.board.spec, str(game.options))
    if case in _tried:
        return
    check_functions(game.rules)  # anew: when the module registered, some may have been missing
    trial = Trial(game)
    end = time.monotonic() + SECONDS
    for seed in range(GAMES):
        trial.play(seed, most=MOST_STEPS, end=end)
    _tried.add(case)


class Trial:
    """Games of random moves, played as plain Python and checked at every move."""

    def __init__(self, game: "Game") -> None:
        self.game = game.as_plain()
        self.rules, self.n = game.rules, game.sizes.state
        self.here = ""  # the position before the last call, as text

    def play(self, seed: int, most: int, end: float | None = None) -> bool:
        """Play one game; returns whether it was over within `most` plies and the time.

        Raises
        ------
        BadModule
            If something is wrong.
        """
        rng = Random(seed)
        state = self.start()
        for _ in range(most):
            if state[STATUS] != RUNNING:
                return True
            move = rng.choice(self.moves(state))
            state = self.after(state, move, rng.getrandbits(32))
            if end is not None and time.monotonic() > end:
                return False
        return bool(state[STATUS] != RUNNING)

    def start(self) -> State:
        """The first position, checked."""
        state = watched(self.game.scratch_state())
        self._call(start, state)
        self._check_state(start, state)
        if state[STATUS] != RUNNING:
            self._refuse(start, f"the game is over at once: STATUS is {state[STATUS]}")
        return self._position(state)

    def moves(self, state: State) -> list[int]:
        """The legal moves of a position, checked."""
        self._look_at(state)
        scratch, moves = watched(self._scratch(state)), watched(self.game.scratch_moves())
        n = self._call(legal_moves, scratch, moves)
        if not isinstance(n, int | np.integer):
            self._refuse(legal_moves, f"it returns {n!r:.40}: return the number of moves")
        if n <= 0:
            self._refuse(
                legal_moves,
                f"it gives {n} moves, but STATUS says that the game goes on: set state[STATUS] to "
                "DRAWN or WON + player in begin or step when no move is left",
            )
        if n > len(moves):
            self._refuse(
                legal_moves, f"it returns {n} moves, but Sizes.moves is {len(moves)}: raise it"
            )
        found = [int(move) for move in moves[:n]]
        self._check_moves(found)
        if not np.array_equal(scratch[: self.n], state[: self.n]):
            self._refuse(legal_moves, "it changes the position: only begin and step may")
        return found

    def after(self, state: State, move: int, draw: int) -> State:
        """The position after a move, checked."""
        self._look_at(state, move)
        after = watched(self._scratch(state, draw))
        self._call(begin, after, move)
        for _ in range(MOST_STEPS):
            vertex = self._call(step, after)
            if not isinstance(vertex, int | np.integer):
                self._refuse(step, f"it returns {vertex!r:.40}: return a vertex or NO_VERTEX")
            if vertex == NO_VERTEX or after[STATUS] == FAILED:
                break
            if not 0 <= vertex < self.game.board.n_vertices:
                self._refuse(step, f"it returns {vertex}, which is no vertex: at the end NO_VERTEX")
        else:
            self._refuse(
                step, f"a move has more than {MOST_STEPS:,} steps: return NO_VERTEX at last"
            )
        self._check_state(begin, after)
        self._check_apply(after, state, move, draw)
        return self._position(after)

    def _check_apply(self, after: State, state: State, move: int, draw: int) -> None:
        """A game's own `apply` does what its steps do."""
        if not hasattr(self.rules, "apply"):
            return
        at_once = watched(self._scratch(state, draw))
        self._call(apply, at_once, move)
        if not np.array_equal(at_once[: self.n], after[: self.n]):
            self._refuse(apply, "it leads elsewhere than begin and step")

    def _check_moves(self, moves: list[int]) -> None:
        if any(not 0 <= move < self.game.sizes.moves for move in moves):
            most = self.game.sizes.moves - 1
            self._refuse(
                legal_moves, f"its moves {_few(moves)} are not all from 0 to {most} (Sizes.moves)"
            )
        if len(set(moves)) < len(moves):
            self._refuse(legal_moves, f"it repeats a move: {_few(moves)}; write each move once")
        if moves != sorted(moves):
            self._refuse(legal_moves, f"its moves {_few(moves)} do not ascend: write them in order")

    def _check_state(self, function: Callable[..., Any], state: State) -> None:
        """The numbers of a position that kernels have just written."""
        if state[STATUS] == FAILED:
            return
        low = np.flatnonzero(np.asarray(state[: self.n]) < 0)
        if len(low):
            place = int(low[0])
            self._refuse(function, f"state[{place}] is {state[place]}: no number may be below 0")
        n_players = self.game.n_players
        if state[PLAYER] >= n_players:
            self._refuse(
                function,
                f"state[PLAYER] is {state[PLAYER]}, and the players are 0 to {n_players - 1}",
            )
        status = int(state[STATUS])
        is_shared = SHARED < status < SHARED + (1 << n_players) - 1
        if not (status in (RUNNING, DRAWN) or WON <= status < WON + n_players or is_shared):
            self._refuse(
                function, f"state[STATUS] is {status}: set it to RUNNING, DRAWN or WON + player"
            )

    def _scratch(self, state: State, draw: int = 0) -> State:
        return self.game.scratch_state(np.asarray(state), draw)

    def _position(self, state: State) -> State:
        return np.asarray(state[: self.n]).copy()

    def _look_at(self, state: State, move: int | None = None) -> None:
        """Note the position that is about to be used, for a message."""
        try:
            written = self.game.text_function("position_text")(self.game, state[: self.n])
            text = " ".join(str(written).split())
        except Exception:  # their own text function fails: the numbers do
            text = ".".join(map(str, state[: self.n]))
        played = "" if move is None else f", move {move}"
        self.here = f" (position {shorten(text, SHOWN)}{played})"

    def _call(self, function: Callable[..., Any], *rest: Any) -> Any:
        try:
            with np.errstate(over="ignore"):
                return self.game.kernels(function)(self.game.tables, *rest)
        except ToppleError:
            raise
        except Exception as error:
            where = blame(error) or f"{self.game.name}: {function.__name__}: {error_line(error)}"
            advice = ""
            if isinstance(error, IndexError):
                advice = "; is the index right, and is Sizes large enough?"
            elif "read-only" in str(error):
                advice = "; a kernel never writes to the board"
            raise BadModule(f"{where}{advice}{self.here}") from error

    def _refuse(self, function: Callable[..., Any], what: str) -> NoReturn:
        own = getattr(self.rules, function.__name__, function)
        raise BadModule(f"{place_of(own)}: {own.__name__}: {what}{self.here}")


def _few(moves: list[int]) -> str:
    return shorten(", ".join(map(str, moves)), 60)
