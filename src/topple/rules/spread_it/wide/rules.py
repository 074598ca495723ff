"""Spread-It for more players, and on directed, uncertain and changing networks."""

from typing import Any

from topple.boards.board import Board
from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel
from topple.rules.interface import (
    NO_VERTEX,
    PLAYER,
    RUNNING,
    STATUS,
    Moves,
    Sizes,
    State,
)
from topple.rules.spread_it.board import place
from topple.rules.spread_it.options import OPTIONS
from topple.rules.spread_it.wide.board import (
    CHANGING,
    GENERATOR,
    N_READY,
    NETWORK,
    WideBoard,
    left_at,
    state_size,
    threshold_of,
    totals_at,
    work_at,
    work_size,
)
from topple.rules.spread_it.wide.cascade import clear, fire_next, is_over, is_sink
from topple.rules.spread_it.wide.tables import make_tables
from topple.rules.spread_it.wide.texts import (
    cell,
    cell_text,
    counters,
    headline,
    layers,
    network,
    parse_position,
    position_text,
    reason,
    step_text,
    tallies,
    view,
    view_tables,
)
from topple.rules.spread_it.wide.turns import decide, pass_turn, ply_of, score
from topple.rules.spread_it.wide.vertices import is_owned, put, refresh

__all__ = [
    "OPTIONS",
    "cell",
    "cell_text",
    "counters",
    "headline",
    "layers",
    "network",
    "parse_position",
    "position_text",
    "reason",
    "score",
    "step_text",
    "tallies",
    "view",
    "view_tables",
]

NAME = "spread-it"
TITLE = "Spread-It"
SUMMARY = "place tokens on a network; a vertex at its threshold fires"
BOARD = "ba:n=24,m=3,seed=1"
EVALUATIONS = "score"  # the features of the game for two look at its own layout
ENCODING = ""  # networks see the game for two only
PLAYERS = ("Black", "Red", "Green", "Yellow", "Violet", "Orange", "Teal", "Pink")


def players(options: dict[str, Any]) -> tuple[str, ...]:
    """The players in order: Black begins."""
    return PLAYERS[: options["players"]]


def tables(board: Board, options: dict[str, Any]) -> WideBoard:
    """Prepare a board."""
    return make_tables(board, options)


def sizes(board: WideBoard) -> Sizes:
    """The vectors' lengths."""
    state = state_size(board.n, board.n_players, board.loyalty)
    return Sizes(state, work_size(board.n, board.n_players), board.n)


@kernel
def chance_at(board: WideBoard) -> int:
    """The generator, if some token may not be taken."""
    return work_at(board) + GENERATOR if board.is_random == 1 else 0


@kernel
def start(board: WideBoard, state: State) -> None:
    """The budgets, and what lies on the board at first."""
    for i in range(len(board.first)):
        state[i] = board.first[i]


@kernel
def legal_moves(board: WideBoard, state: State, moves: Moves) -> int:
    """Every vertex that is not owned."""
    n_moves = 0
    for vertex in range(board.n):
        moves[n_moves] = vertex
        n_moves += int(not is_owned(board, state, vertex))
    return n_moves


@kernel
def random_move(board: WideBoard, state: State, rng: Rng, moves: Moves) -> int:
    """Draw vertices until one is legal: on average about log(n) draws per move of a game."""
    while True:
        vertex = below(rng, board.n)
        if not is_owned(board, state, vertex):
            return int(vertex)


@kernel
def begin(board: WideBoard, state: State, move: int) -> None:
    """Put down the token."""
    network = present_network(board, state)
    state[place(work_at(board) + NETWORK)] = network
    state[place(left_at(board) + state[PLAYER])] -= 1
    if board.drops == 0 or not is_sink(board, network, move):
        put(board, state, move, state[PLAYER])


@kernel
def step(board: WideBoard, state: State) -> int:
    """Fire the next ready vertex, of the move's cascade or of one that a new network sets off."""
    if is_over(board, state) and not goes_on(board, state):
        return NO_VERTEX
    return fire_next(board, state)


@kernel
def apply(board: WideBoard, state: State, move: int) -> None:
    """Put down the token, which mostly fires nothing, and let the cascades run."""
    begin(board, state, move)
    while not is_over(board, state) or goes_on(board, state):
        fire_next(board, state)


@kernel
def goes_on(board: WideBoard, state: State) -> bool:
    """End a cascade; returns whether a change of the network sets off another one."""
    clear(board, state)
    changing = work_at(board) + CHANGING
    is_first = state[place(changing)] == 0
    if is_first:
        pass_turn(board, state)
    decide(board, state)
    if is_first and board.n_networks > 1 and state[STATUS] == RUNNING:
        state[place(changing)] = 1
        if change_network(board, state):
            return True
    state[place(changing)] = 0
    return False


@kernel
def present_network(board: WideBoard, state: State) -> int:
    """The index of the network at this ply, which is mostly the last one or the next."""
    if board.n_networks == 1:
        return 0
    ply, index = ply_of(board, state), int(state[place(work_at(board) + NETWORK)])
    while board.plies[place(index)] > ply:
        index -= 1
    while index + 1 < board.n_networks and board.plies[place(index + 1)] <= ply:
        index += 1
    return index


@kernel
def change_network(board: WideBoard, state: State) -> bool:
    """Begin the network that is due now, if any; returns whether a vertex is ready then."""
    work, index = work_at(board), present_network(board, state)
    if index == state[place(work + NETWORK)]:
        return False
    state[place(work + NETWORK)] = index
    for vertex in range(board.n):
        if state[place(totals_at(board) + vertex)] >= threshold_of(board, state, vertex):
            refresh(board, state, vertex)
    return bool(state[place(work + N_READY)] > 0)
