"""INFLUENCE: take a vertex with all that it reaches, or all that reaches it.

A vertex leaves the board together with everything that Left reaches from it,
or that reaches it for Right; so a path between two vertices that are still
there never runs through one that is gone, and a move costs what it takes.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.compiling import kernel
from topple.errors import BadBoard, BadText
from topple.rng import Rng, below
from topple.rules.interface import (
    DRAWN, HEADER, NO_VERTEX, PLAYER, STATUS, WON, GameLike, Moves, Sizes, State,
)  # fmt: skip
from topple.rules.text import cells_text, parse_cells, parse_pair, parse_player, split_words
from topple.spec import Option

NAME = "influence"
TITLE = "INFLUENCE"
SUMMARY = "take a vertex of your label and all that it reaches, or that reaches it"
BOARD = "segment:17"
OPTIONS = (Option("first", "left", str, "who moves first", choices=("left", "right")),)

POINTS = HEADER  # of Left, of Right
WITH_LABEL = HEADER + 2  # vertices labelled L that are still there, then R
TAKEN = HEADER + 4  # 1 for each vertex that is gone

# A move on its way, counted from the end of the state proper.
WAITING, STACK = 0, 1


class InfluenceBoard(NamedTuple):
    """What the kernels know of the board."""

    n: int
    right_first: int
    labels: NDArray[np.int32]  # 0 for L, 1 for R
    successor_start: NDArray[np.int32]
    successors: NDArray[np.int32]
    predecessor_start: NDArray[np.int32]
    predecessors: NDArray[np.int32]


def players(options: dict[str, Any]) -> tuple[str, ...]:
    """Left is the first player by index, whoever moves first."""
    return ("Left", "Right")


def tables(board: Board, options: dict[str, Any]) -> InfluenceBoard:
    """Prepare a board: directed, every vertex labelled L or R."""
    if not board.directed:
        raise BadBoard(f"INFLUENCE needs a directed board, and {board.spec} is undirected")
    if not board.sides:
        raise BadBoard(f"INFLUENCE needs a side L or R on every vertex, and {board.spec} has none")
    labels = np.array(["LR".index(side) for side in board.sides], dtype=np.int32)
    labels.setflags(write=False)
    return InfluenceBoard(
        board.n_vertices, int(options["first"] == "right"), labels, board.successor_start,
        board.successors, board.predecessor_start, board.predecessors,
    )  # fmt: skip


def sizes(board: InfluenceBoard) -> Sizes:
    """The vectors' lengths: a stack of vertices to work in."""
    return Sizes(TAKEN + board.n, STACK + board.n, board.n)


@kernel
def start(board: InfluenceBoard, state: State) -> None:
    """Nothing is taken; who has no vertex waits."""
    for vertex in range(board.n):
        state[WITH_LABEL + board.labels[vertex]] += 1
    state[PLAYER] = board.right_first
    if state[WITH_LABEL + state[PLAYER]] == 0:
        state[PLAYER] = 1 - state[PLAYER]


@kernel
def legal_moves(board: InfluenceBoard, state: State, moves: Moves) -> int:
    """Every vertex with the mover's label that is still there."""
    player, n_moves = state[PLAYER], 0
    for vertex in range(board.n):
        moves[n_moves] = vertex
        n_moves += (state[TAKEN + vertex] == 0) & (board.labels[vertex] == player)
    return n_moves


@kernel
def random_move(board: InfluenceBoard, state: State, rng: Rng, moves: Moves) -> int:
    """Draw a place among the legal moves, then find the vertex that stands there."""
    player = state[PLAYER]
    place = below(rng, state[WITH_LABEL + player])
    vertex = -1
    while place >= 0:
        vertex += 1
        place -= (state[TAKEN + vertex] == 0) & (board.labels[vertex] == player)
    return vertex


@kernel
def begin(board: InfluenceBoard, state: State, move: int) -> None:
    """Mark the chosen vertex; the steps take it and what hangs on it."""
    claim(board, state, move)


@kernel
def claim(board: InfluenceBoard, state: State, vertex: int) -> None:
    """Take a vertex off the board for the mover, its neighbours still to be looked at."""
    work = TAKEN + board.n
    state[TAKEN + vertex] = 1
    state[WITH_LABEL + board.labels[vertex]] -= 1
    state[POINTS + state[PLAYER]] += 1
    state[work + STACK + state[work + WAITING]] = vertex
    state[work + WAITING] += 1


@kernel
def step(board: InfluenceBoard, state: State) -> int:
    """Look at one taken vertex and claim what it reaches, or what reaches it."""
    work = TAKEN + board.n
    if state[work + WAITING] == 0:
        end_turn(board, state)
        return NO_VERTEX
    state[work + WAITING] -= 1
    vertex = state[work + STACK + state[work + WAITING]]
    if state[PLAYER] == 0:
        for i in range(board.successor_start[vertex], board.successor_start[vertex + 1]):
            if state[TAKEN + board.successors[i]] == 0:
                claim(board, state, board.successors[i])
    else:
        for i in range(board.predecessor_start[vertex], board.predecessor_start[vertex + 1]):
            if state[TAKEN + board.predecessors[i]] == 0:
                claim(board, state, board.predecessors[i])
    return int(vertex)


@kernel
def end_turn(board: InfluenceBoard, state: State) -> None:
    """Hand the turn to who can move, or count the points."""
    other = 1 - state[PLAYER]
    if state[WITH_LABEL + other] > 0:
        state[PLAYER] = other
    if state[WITH_LABEL] + state[WITH_LABEL + 1] > 0:
        return
    left, right = state[POINTS], state[POINTS + 1]
    if left == right:
        state[STATUS] = DRAWN
    else:
        state[STATUS] = WON + (0 if left > right else 1)


def cell_text(game: GameLike, state: State, vertex: int) -> str:
    """A vertex as drawn: its label while it is there."""
    return "" if state[TAKEN + vertex] else game.board.sides[vertex]


def scores(game: GameLike, state: State) -> tuple[int, ...]:
    """The points of Left and Right."""
    return (int(state[POINTS]), int(state[POINTS + 1]))


def headline(game: GameLike, state: State) -> str:
    """The points and the number of vertices that are still there."""
    left, right = scores(game, state)
    n_there = int(state[WITH_LABEL] + state[WITH_LABEL + 1])
    return f"points: Left {left}, Right {right}; {n_there} vertices are there"


def reason(game: GameLike, state: State) -> str:
    """Why the game is over."""
    left, right = scores(game, state)
    return f"all is taken, {left} to {right}"


def step_text(game: GameLike, before: State, vertex: int, state: State) -> str:
    """What happened at a vertex."""
    return f"{game.board.labels[vertex]} is taken"


def position_text(game: GameLike, state: State) -> str:
    """Write a position: x for each vertex taken, the player to move, the points.

    For example `3,x,x,12 Right 2-0`.
    """
    cells = cells_text(["x" if state[TAKEN + v] else "" for v in range(game.tables.n)])
    return f"{cells} {game.players[state[PLAYER]]} {state[POINTS]}-{state[POINTS + 1]}"


def parse_position(game: GameLike, text: str, state: State) -> None:
    """Read what `position_text` wrote into `state`, which is all zero."""
    board: InfluenceBoard = game.tables
    words = split_words(text, 3, "vertices, player to move, points of Left and Right")
    for vertex, cell in enumerate(parse_cells(words[0], board.n)):
        if cell not in ("", "x"):
            raise BadText(f"{cell!r} is not a vertex: write x where it is taken")
        state[TAKEN + vertex] = cell == "x"
        state[WITH_LABEL + board.labels[vertex]] += cell == ""
    points = parse_pair(words[2])
    if sum(points) != state[TAKEN:].sum():
        raise BadText(f"{words[2]} points do not fit the {state[TAKEN:].sum()} vertices taken")
    state[POINTS], state[POINTS + 1] = points
    player = parse_player(game, words[1])
    others = int(state[WITH_LABEL + 1 - player])
    if state[WITH_LABEL + player] == 0 and others > 0:
        raise BadText(f"{game.players[player]} has no vertex and waits")
    # Ending the other's turn hands it to this player and decides the game.
    state[PLAYER] = 1 - player
    end_turn(board, state)
    state[PLAYER] = player
