"""OpenSpiel's games for topple's agents: two players, no chance, nothing hidden.

A position is the moves that led to it, and OpenSpiel is asked for the rest. So the kernels
run as plain Python. `topple games` does not list it.
"""

from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from topple.boards.board import Board
from topple.bridges.from_open_spiel.library import load_pyspiel, load_theirs
from topple.bridges.from_open_spiel.memory import MOVES, PLIES, StateMemory
from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel
from topple.core.errors import BadBoard, BadText, Unsupported
from topple.core.spec import Option
from topple.rules.interface import (
    DRAWN,
    FAILED,
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
SUMMARY = "any game of OpenSpiel's for two, without chance and with nothing hidden"
OPTIONS = (
    Option("game", None, str, "its text there, in double quotes where it has commas"),
)  # fmt: skip
BOARD = "hex:1"  # a single cell, which means nothing: these games bring their own boards
COMPILES = False

START = "start"  # the text of the first position
LONGEST = 2_000  # plies that a position has room for
MOST_MOVES = 100_000  # different ones
MOST_NAMED = 40  # moves that the headline names


class SpielBoard(NamedTuple):
    """What the kernels know of the game."""

    game: Any  # pyspiel.Game
    memory: StateMemory
    length: int  # plies at most
    moves: int  # different ones


def title(options: dict[str, Any]) -> str:
    """Which game it is."""
    return f"OpenSpiel's {options['game']}"


def players(options: dict[str, Any]) -> tuple[str, ...]:
    """OpenSpiel numbers its players."""
    return ("First", "Second")


def tables(board: Board, options: dict[str, Any]) -> SpielBoard:
    """Load a game and see whether topple's agents can play it."""
    if options["game"] is None:
        raise BadText("open-spiel needs the name of a game: write open-spiel:game=tic_tac_toe")
    if board.n_vertices != 1:
        raise BadBoard(f"a game of OpenSpiel's brings its own board: leave {board.spec} out and "
                       'write for example open-spiel:game="mnk(m=4,n=4,k=3)"')  # fmt: skip
    game = load_theirs(options["game"])
    check_kind(options["game"], game)
    length, moves = game.max_game_length(), game.num_distinct_actions()
    return SpielBoard(game, StateMemory(game), length, moves)


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
        f"{game.num_players()} player{'s' * (game.num_players() != 1)}": game.num_players() != 2,
        "players who win and lose together": given.utility == kind.Utility.IDENTICAL,
        "no moves": min(length, moves) < 1,
        f"up to {length:,} plies, more than {LONGEST:,}": length > LONGEST,
        f"{moves:,} different moves, more than {MOST_MOVES:,}": moves > MOST_MOVES,
    }
    for reason, holds in reasons.items():
        if holds:
            raise Unsupported(f"topple's agents cannot play {name:.60} of OpenSpiel's: "
                              f"it has {reason}")  # fmt: skip


def sizes(board: SpielBoard) -> Sizes:
    """A position is the moves so far."""
    return Sizes(MOVES + board.length, 0, board.moves)


def note(state: State, theirs: Any) -> None:
    """Write down who is to move in a state of OpenSpiel's, or how the game has ended."""
    if theirs.is_terminal():
        state[STATUS] = status_of(theirs.returns())
    else:
        state[PLAYER] = theirs.current_player()
        state[STATUS] = RUNNING


def status_of(returns: list[float]) -> int:
    """The player with the larger return has won, whatever the returns are."""
    first, second = returns
    if first == second:
        return DRAWN
    return WON if first > second else WON + 1


def actions_of(theirs: Any) -> list[int]:
    """What may be played in a state that is not over.

    Raises
    ------
    Unsupported
        If nothing may: some of OpenSpiel's games take parameters that make no sense.
    """
    actions: list[int] = theirs.legal_actions()
    if not actions:
        raise Unsupported(f"OpenSpiel's {theirs.get_game()} neither ends here nor goes on")
    return actions


@kernel
def start(board: SpielBoard, state: State) -> None:
    """No moves yet."""
    note(state, board.memory.at(state))


@kernel
def legal_moves(board: SpielBoard, state: State, moves: Moves) -> int:
    """OpenSpiel's own, which ascend."""
    actions = actions_of(board.memory.at(state))
    moves[: len(actions)] = actions
    return len(actions)


@kernel
def begin(board: SpielBoard, state: State, move: int) -> None:
    """Play a move, which has no steps."""
    n = int(state[PLIES])
    if n >= board.length:
        state[STATUS] = FAILED
        return
    theirs = board.memory.after(state, move)
    state[MOVES + n] = move + 1
    state[PLIES] = n + 1
    note(state, theirs)


@kernel
def playout(board: SpielBoard, state: State, rng: Rng, moves: Moves) -> int:
    """Random moves to the end on one state of OpenSpiel's; the vector keeps the result alone."""
    theirs, n_plies = board.memory.at(state).clone(), 0
    while not theirs.is_terminal():
        actions = actions_of(theirs)
        theirs.apply_action(actions[int(below(rng, len(actions)))])
        n_plies += 1
    state[STATUS] = status_of(theirs.returns())
    return n_plies


@kernel
def key(board: SpielBoard, state: State, n: int) -> np.uint64:
    """Hash the moves at once: a loop over them would take Python long."""
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
    """Moves are made on no vertex of topple's."""


def position_text(game: GameLike, state: State) -> str:
    """Write a position: the moves that led to it."""
    path = state[MOVES : MOVES + int(state[PLIES])]
    return " ".join(str(move - 1) for move in path.tolist()) or START


def parse_position(game: GameLike, text: str, state: State) -> None:
    """Read what `position_text` wrote into `state`: its moves are played."""
    board: SpielBoard = game.tables
    start(board, state)
    path = [] if text.strip() == START else text.split()
    for ply, word in enumerate(path, 1):
        move = parse_move(game, word)
        if state[STATUS] != RUNNING:
            raise BadText(f"the game is over before its move {ply}")
        if move not in board.memory.at(state).legal_actions():
            raise BadText(f"{move} is not legal as move {ply}")
        begin(board, state, move)


def picture(game: GameLike, state: State) -> str:
    """The position as OpenSpiel draws it."""
    return str(game.tables.memory.at(state)).rstrip("\n")


def headline(game: GameLike, state: State) -> str:
    """The last move and those that may follow, by number and by OpenSpiel's name."""
    theirs = game.tables.memory.at(state)
    if theirs.is_terminal():
        return ""
    player, moves = theirs.current_player(), theirs.legal_actions()
    named = [f"{move} {theirs.action_to_string(player, move)}" for move in moves[:MOST_NAMED]]
    if len(moves) > MOST_NAMED:
        named.append(f"… and {len(moves) - MOST_NAMED:,} more")
    return f"moves: {', '.join(named)}"


def reason(game: GameLike, state: State) -> str:
    """What OpenSpiel gives the players."""
    returns = game.tables.memory.at(state).returns()
    return f"OpenSpiel's returns are {returns[0]:g} and {returns[1]:g}"
