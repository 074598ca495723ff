"""The contract between a game's rules and everything that uses them.

A game is a module. Its kernels are plain functions of two things:

- `board`: a NamedTuple of read-only arrays and numbers made once by the
  module's `tables`;
- `state`: one flat int32 vector. Its first `sizes.state` numbers are the
  position: equal positions have equal numbers, and none is negative. The
  `sizes.work` numbers after them are scratch space. Between calls these are zero,
  unless the game says that their values do not matter. Copying a position copies
  the first part only.

A module must define

    NAME, TITLE, SUMMARY   what people type; a heading; one line about the game
    OPTIONS, BOARD         its options and the board it is played on by default
    players(options)       the players' names, in order of their indices
    tables(board, options) the NamedTuple above; raises BadBoard for an unsuitable board
    sizes(tables)          the lengths of the vectors
    start, legal_moves, begin (below)

and may define the other contract functions below and the text functions of
`topple.rules.text`, which have working defaults, and `symmetries(game)`, which makes
exact play faster (`topple.solvers.proof.symmetry`). Rules of several games may define
`title(options)`. Rules that Numba cannot compile set `COMPILES = False`: then
everything runs as plain Python.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.compiling.rng import Rng, below
from topple.compiling.specialise import contract, kernel

State = NDArray[np.int32]  # shape (sizes.state + sizes.work,)
Moves = NDArray[np.int32]  # shape (sizes.moves,)
Returns = NDArray[np.float64]  # shape (number of players,)

# The first numbers of every state.
PLAYER = 0  # the index of the player to move
STATUS = 1  # RUNNING, DRAWN, WON + the winner's index, or SHARED + the winners' bits
HEADER = 2  # where a game's own numbers begin

RUNNING = 0
DRAWN = 1
WON = 2
SHARED = 16  # several players, but not all, share the win: bit i of the rest is player i's
FAILED = -2  # STATUS or return value of a kernel that ran out of space: do not use the state

NO_VERTEX = -1

HASH_START = np.uint64(0x9E3779B97F4A7C15)
HASH_FACTOR = np.uint64(0xD6E8FEB86659FD93)
HASH_SHIFT = np.uint64(32)


class Sizes(NamedTuple):
    """The lengths of a game's vectors on one board."""

    state: int  # numbers of the position
    work: int  # numbers of scratch space, after them
    moves: int  # moves are 0 … moves − 1


class GameLike(Protocol):
    """The attributes of a game that its text functions may use."""

    board: Board
    options: dict[str, Any]
    tables: Any
    sizes: Sizes
    players: tuple[str, ...]


@contract
def start(board: Any, state: State) -> None:
    """Set up the first position in `state`, which is all zero."""
    raise NotImplementedError


@contract
def legal_moves(board: Any, state: State, moves: Moves) -> int:
    """Write the legal moves into `moves`, in ascending order; returns their number.

    Called only while the game is not over; at least one move is legal then.
    """
    raise NotImplementedError


@contract
def begin(board: Any, state: State, move: int) -> None:
    """Play a legal move up to its first consequence, changing `state`.

    A game whose moves have no steps plays the whole move here.
    """
    raise NotImplementedError


@contract
def step(board: Any, state: State) -> int:
    """Do the next step of the move that `begin` began, changing `state`.

    Returns the vertex that acted. After the last step, passes the turn on, decides
    whether the game is over, and returns NO_VERTEX.
    """
    return NO_VERTEX


@contract
def apply(board: Any, state: State, move: int) -> None:
    """Play a legal move with all its consequences, changing `state`."""
    begin(board, state, move)
    while step(board, state) != NO_VERTEX:
        pass


@contract
def outcome(board: Any, state: State, returns: Returns) -> bool:
    """Write one return per player into `returns`; returns whether the game is over.

    The winner gets 1 and the others share −1; if several share the win, what the others lose
    is shared among them. All get 0 if the game is drawn or not over.
    """
    status = state[STATUS]
    for player in range(len(returns)):
        returns[player] = -1.0 / (len(returns) - 1) if status >= WON else 0.0
    if status >= SHARED:
        share_win(status - SHARED, returns)
    elif status >= WON:
        returns[status - WON] = 1.0
    return bool(status != RUNNING)


@kernel
def share_win(sharers: int, returns: Returns) -> None:
    """Give the players whose bits are set what the others lose."""
    n_players, n_sharers = len(returns), 0
    for player in range(n_players):
        n_sharers += sharers >> player & 1
    for player in range(n_players):
        if sharers >> player & 1:
            returns[player] = (n_players - n_sharers) / (n_sharers * (n_players - 1.0))


@kernel
def winners(status: int) -> int:
    """A bit for each player who has won, alone or with others; 0 for a draw or no end."""
    if status >= SHARED:
        return status - SHARED
    return 1 << (status - WON) if status >= WON else 0


@contract
def chance_at(board: Any) -> int:
    """Where the generator begins in a state, if moves may depend on chance; else 0.

    The rules draw from it; see `topple.compiling.chance`. It lies in the scratch space, and
    unlike other scratch space it keeps its value between calls.
    """
    return 0


@contract
def score(board: Any, state: State, scores: Returns) -> None:
    """Write one score per player: tokens, pieces, power or points.

    A game without scores does not define it. It must also work on the state that a
    playout leaves.
    """
    for player in range(len(scores)):
        scores[player] = 0.0


@contract
def random_move(board: Any, state: State, rng: Rng, moves: Moves) -> int:
    """Draw a legal move uniformly. Changes `rng`; `moves` is scratch space."""
    return int(moves[below(rng, legal_moves(board, state, moves))])


@contract
def playout(board: Any, state: State, rng: Rng, moves: Moves) -> int:
    """Play uniformly random moves to the end; returns the number of plies.

    Changes `state`, whose STATUS then says how the game ended, and `rng`; `moves` is
    scratch space. Rules that replace this by a shortcut must give STATUS and scores the
    same distribution, and may leave the rest of the state undefined.
    """
    n_plies = 0
    while state[STATUS] == RUNNING:
        apply(board, state, random_move(board, state, rng, moves))
        n_plies += 1
    return n_plies


@contract
def copy_position(source: State, target: State, n: int) -> None:
    """Copy the first n numbers of `source` into `target`, whose other numbers stay.

    No game replaces it, but on large boards `topple.rules.journal` does.
    """
    for i in range(n):
        target[i] = source[i]


@contract
def key(board: Any, state: State, n: int) -> np.uint64:
    """Hash the first n numbers of a state: equal positions have equal keys."""
    word = HASH_START
    for i in range(n):
        word = (word ^ np.uint64(state[i])) * HASH_FACTOR
        word ^= word >> HASH_SHIFT
    return word


CONTRACT = (
    start,
    legal_moves,
    begin,
    step,
    apply,
    outcome,
    score,
    chance_at,
    random_move,
    playout,
    key,
)
REQUIRED_DATA = ("NAME", "TITLE", "SUMMARY", "OPTIONS", "BOARD")
REQUIRED = (*REQUIRED_DATA, "players", "tables", "sizes", "start", "legal_moves", "begin")
