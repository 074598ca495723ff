"""A game that need not end: two players walk one stone about a network; home wins."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.compiling.specialise import kernel
from topple.rules.interface import HEADER, PLAYER, STATUS, WON, GameLike, Moves, Sizes, State

NAME = "wandering"
TITLE = "Wandering"
SUMMARY = "walk a stone from the last vertex to the first"
OPTIONS = ()
BOARD = "path:4"

VERTEX = HEADER


class WanderingBoard(NamedTuple):
    """What the kernels know of the board."""

    n: int
    neighbour_start: NDArray[np.int32]
    neighbours: NDArray[np.int32]


def players(options: dict[str, Any]) -> tuple[str, ...]:
    return ("First", "Second")


def tables(board: Board, options: dict[str, Any]) -> WanderingBoard:
    return WanderingBoard(board.n_vertices, board.successor_start, board.successors)


def sizes(board: WanderingBoard) -> Sizes:
    return Sizes(state=HEADER + 1, work=0, moves=board.n)


@kernel
def start(board: WanderingBoard, state: State) -> None:
    state[VERTEX] = board.n - 1


@kernel
def legal_moves(board: WanderingBoard, state: State, moves: Moves) -> int:
    first = board.neighbour_start[state[VERTEX]]
    n = board.neighbour_start[state[VERTEX] + 1] - first
    for i in range(n):
        moves[i] = board.neighbours[first + i]
    return int(n)


@kernel
def begin(board: WanderingBoard, state: State, move: int) -> None:
    state[VERTEX] = move
    if move == 0:
        state[STATUS] = WON + state[PLAYER]
    state[PLAYER] = 1 - state[PLAYER]


def cell_text(game: GameLike, state: State, vertex: int) -> str:
    return "o" if vertex == state[VERTEX] else ""
