"""OpenSpiel's games for topple's agents: two players, no chance, perfect information.

A position is the list of moves that led to it; OpenSpiel answers everything else. The kernels
therefore run as plain Python. `topple games` does not list this game.
"""

from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from topple.boards.board import Board
from topple.bridges.open_spiel_library import first_line, load_game, load_pyspiel
from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel
from topple.core.errors import BadBoard, BadText, Unsupported
from topple.core.spec import Option
from topple.core.text import plural
from topple.rules.interface import (
    DRAWN,
    FAILED,
    HEADER,
    PLAYER,
    RUNNING,
    STATUS,
    WON,
    GameLike,
    Moves,
    Sizes,
    State,
)

NAME = "open-spiel"
TITLE = "OpenSpiel"
SUMMARY = "any OpenSpiel game for two players without chance or hidden information"
OPTIONS = (Option("game", None, str, "its OpenSpiel text, in double quotes if it has commas"),)
BOARD = "hex:1"  # a single cell without meaning: these games bring their own boards
COMPILES = False

# The layout of a position behind the header.
PLIES = HEADER  # the number of moves so far
MOVES = HEADER + 1  # each move plus 1
MOVE_BYTES = np.dtype(np.int32).itemsize

START = "start"  # the text of the first position
LONGEST = 2_000  # plies that a position can hold
MOST_MOVES = 100_000  # different moves
MOST_NAMED = 40  # moves listed in the headline
MOST_CACHED = 20_000  # OpenSpiel states


class StateCache:
    """Recently used OpenSpiel states of a game, by their moves; callers must not change them."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.states: dict[bytes, Any] = {}

    def at(self, state: State) -> Any:
        """The OpenSpiel state after the moves of a position."""
        path = state[MOVES : MOVES + int(state[PLIES])].tobytes()
        found = self.states.get(path)
        return self._replayed(path) if found is None else found

    def after(self, state: State, move: int) -> Any:
        """The OpenSpiel state after one more move."""
        path = state[MOVES : MOVES + int(state[PLIES])].tobytes() + np.int32(move + 1).tobytes()
        found = self.states.get(path)
        if found is None:
            found = self._child(self.at(state), int(move))
            self._add(path, found)
        return found

    def _child(self, state: Any, move: int) -> Any:
        try:
            return state.child(move)
        except RuntimeError as error:  # the base class of OpenSpiel's errors
            reason = first_line(error)
            raise Unsupported(f"OpenSpiel's {self.game} has failed: {reason}") from None

    def _replayed(self, path: bytes) -> Any:
        """Replay the moves from the last state that is cached."""
        end = len(path)
        while end and path[:end] not in self.states:
            end -= MOVE_BYTES
        known = self.states.get(path[:end])
        state = self.game.new_initial_state() if known is None else known.clone()
        for move in np.frombuffer(path[end:], dtype=np.int32).tolist():
            state.apply_action(move - 1)
        self._add(path, state)
        return state

    def _add(self, path: bytes, state: Any) -> None:
        if len(self.states) >= MOST_CACHED:
            self.states.clear()
        self.states[path] = state


class SpielBoard(NamedTuple):
    """What the kernels know of the game."""

    game: Any  # pyspiel.Game
    states: StateCache
    length: int  # the most plies of a game
    moves: int  # the number of different moves


def title(options: dict[str, Any]) -> str:
    """Which game it is."""
    return f"OpenSpiel's {options['game']}"


def players(options: dict[str, Any]) -> tuple[str, ...]:
    """Names for OpenSpiel's players, which it only numbers."""
    return ("First", "Second")


def tables(board: Board, options: dict[str, Any]) -> SpielBoard:
    """Load the game and check that topple's agents can play it."""
    if options["game"] is None:
        raise BadText("open-spiel needs the name of a game: write open-spiel:game=tic_tac_toe")
    if board.n_vertices != 1:
        raise BadBoard(
            f"an OpenSpiel game brings its own board: leave out {board.spec} and "
            'write for example open-spiel:game="mnk(m=4,n=4,k=3)"'
        )
    game = load_game(options["game"])
    check_kind(options["game"], game)
    return SpielBoard(game, StateCache(game), game.max_game_length(), game.num_distinct_actions())


def check_kind(name: str, game: Any) -> None:
    """Refuse a game that topple's agents cannot play.

    Raises
    ------
    Unsupported
        With the first reason against it.
    """
    kind, given = load_pyspiel().GameType, game.get_type()
    length, moves = game.max_game_length(), game.num_distinct_actions()
    reasons = {
        "moves at the same time": given.dynamics != kind.Dynamics.SEQUENTIAL,
        "chance": given.chance_mode != kind.ChanceMode.DETERMINISTIC,
        "hidden information": given.information != kind.Information.PERFECT_INFORMATION,
        plural(game.num_players(), "player"): game.num_players() != 2,
        "players who win and lose together": given.utility == kind.Utility.IDENTICAL,
        "no moves": min(length, moves) < 1,
        f"up to {length:,} plies, more than {LONGEST:,}": length > LONGEST,
        f"{moves:,} different moves, more than {MOST_MOVES:,}": moves > MOST_MOVES,
    }
    for reason, holds in reasons.items():
        if holds:
            raise Unsupported(
                f"topple's agents cannot play OpenSpiel's {name:.60}: it has {reason}"
            )


def sizes(board: SpielBoard) -> Sizes:
    """A position holds the moves so far."""
    return Sizes(MOVES + board.length, 0, board.moves)


def note(state: State, spiel_state: Any) -> None:
    """Write into `state` who is to move in an OpenSpiel state, or how the game ended."""
    if spiel_state.is_terminal():
        state[STATUS] = status_of(spiel_state.returns())
    else:
        state[PLAYER] = spiel_state.current_player()
        state[STATUS] = RUNNING


def status_of(returns: list[float]) -> int:
    """The status for a pair of returns: the larger one wins, whatever the numbers are."""
    first, second = returns
    if first == second:
        return DRAWN
    return WON if first > second else WON + 1


def actions_of(spiel_state: Any) -> list[int]:
    """The legal actions of a state that is not over.

    Raises
    ------
    Unsupported
        If there are none: some OpenSpiel games accept parameters that make no sense.
    """
    actions: list[int] = spiel_state.legal_actions()
    if not actions:
        raise Unsupported(f"OpenSpiel's {spiel_state.get_game()} neither ends here nor goes on")
    return actions


@kernel
def start(board: SpielBoard, state: State) -> None:
    """Set `state` to the first position."""
    note(state, board.states.at(state))


@kernel
def legal_moves(board: SpielBoard, state: State, moves: Moves) -> int:
    """Write OpenSpiel's legal actions, ascending, into `moves`; returns their number."""
    actions = actions_of(board.states.at(state))
    moves[: len(actions)] = actions
    return len(actions)


@kernel
def begin(board: SpielBoard, state: State, move: int) -> None:
    """Play a move, which has no further steps, changing `state` in place."""
    n = int(state[PLIES])
    if n >= board.length:
        state[STATUS] = FAILED
        return
    after = board.states.after(state, move)
    state[MOVES + n] = move + 1
    state[PLIES] = n + 1
    note(state, after)


@kernel
def playout(board: SpielBoard, state: State, rng: Rng, moves: Moves) -> int:
    """Play random moves to the end; only the status is written into `state`."""
    spiel_state, n_plies = board.states.at(state).clone(), 0
    while not spiel_state.is_terminal():
        actions = actions_of(spiel_state)
        spiel_state.apply_action(actions[int(below(rng, len(actions)))])
        n_plies += 1
    state[STATUS] = status_of(spiel_state.returns())
    return n_plies


@kernel
def key(board: SpielBoard, state: State, n: int) -> np.uint64:
    """Hash a position with one library call: a Python loop over the moves would be slow."""
    digest = blake2b(state[:n].tobytes(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


def move_text(game: GameLike, move: int) -> str:
    """OpenSpiel's number of the move: its names for moves depend on the position."""
    return str(move)


def parse_move(game: GameLike, text: str) -> int:
    """Read OpenSpiel's number of a move."""
    stripped = text.strip()
    if not (stripped.isascii() and stripped.isdecimal() and len(stripped) <= 9):
        raise BadText(f"{text!r:.40} is no move: give OpenSpiel's number of one")
    if int(stripped) >= game.sizes.moves:
        raise BadText(f"there is no move {stripped}: moves run from 0 to {game.sizes.moves - 1}")
    return int(stripped)


def move_vertex(game: GameLike, move: int) -> None:
    """No move belongs to a vertex of the board."""


def position_text(game: GameLike, state: State) -> str:
    """A position as the moves that led to it."""
    path = state[MOVES : MOVES + int(state[PLIES])]
    return " ".join(str(move - 1) for move in path.tolist()) or START


def parse_position(game: GameLike, text: str, state: State) -> None:
    """Read what `position_text` wrote into `state` by playing the moves."""
    board: SpielBoard = game.tables
    start(board, state)
    path = [] if text.strip() == START else text.split()
    for ply, word in enumerate(path, 1):
        move = parse_move(game, word)
        if state[STATUS] != RUNNING:
            raise BadText(f"the game is over before its move {ply}")
        if move not in board.states.at(state).legal_actions():
            raise BadText(f"{move} is not legal as move {ply}")
        begin(board, state, move)


def picture(game: GameLike, state: State) -> str:
    """The position as OpenSpiel draws it."""
    return str(game.tables.states.at(state)).rstrip("\n")


def headline(game: GameLike, state: State) -> str:
    """The legal moves by number and OpenSpiel's name."""
    spiel_state = game.tables.states.at(state)
    if spiel_state.is_terminal():
        return ""
    player, moves = spiel_state.current_player(), spiel_state.legal_actions()
    named = [f"{move} {spiel_state.action_to_string(player, move)}" for move in moves[:MOST_NAMED]]
    if len(moves) > MOST_NAMED:
        named.append(f"… and {len(moves) - MOST_NAMED:,} more")
    return f"moves: {', '.join(named)}"


def reason(game: GameLike, state: State) -> str:
    """The returns that OpenSpiel gives the players."""
    returns = game.tables.states.at(state).returns()
    return f"OpenSpiel's returns are {returns[0]:g} and {returns[1]:g}"
