"""Node Kayles, a game of your own: take a vertex and its neighbours; who cannot move has lost."""

import sys
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import topple
from topple.compiling import kernel
from topple.rules.interface import HEADER, PLAYER, STATUS, WON, GameLike, Moves, Sizes, State

NAME = "node-kayles"
TITLE = "Node Kayles"
SUMMARY = "take a vertex and its neighbours; who cannot move has lost"
OPTIONS = ()
BOARD = "grid:4x4"

GONE = HEADER  # 1 for each vertex that is gone


class KaylesBoard(NamedTuple):
    """What the kernels know of the board."""

    n: int
    neighbour_start: NDArray[np.int32]
    neighbours: NDArray[np.int32]


def players(options: dict[str, Any]) -> tuple[str, ...]:
    return ("First", "Second")


def tables(board: topple.Board, options: dict[str, Any]) -> KaylesBoard:
    if board.directed:
        raise topple.BadBoard(f"Node Kayles needs an undirected board, not {board.spec}")
    return KaylesBoard(board.n_vertices, board.successor_start, board.successors)


def sizes(board: KaylesBoard) -> Sizes:
    return Sizes(state=GONE + board.n, work=0, moves=board.n)


@kernel
def start(board: KaylesBoard, state: State) -> None:
    pass  # the state is all zero: nothing is gone, the first player moves


@kernel
def legal_moves(board: KaylesBoard, state: State, moves: Moves) -> int:
    n_moves = 0
    for vertex in range(board.n):
        moves[n_moves] = vertex
        n_moves += 1 - state[GONE + vertex]
    return n_moves


@kernel
def begin(board: KaylesBoard, state: State, move: int) -> None:
    state[GONE + move] = 1
    for i in range(board.neighbour_start[move], board.neighbour_start[move + 1]):
        state[GONE + board.neighbours[i]] = 1
    mover = state[PLAYER]
    state[PLAYER] = 1 - mover
    for vertex in range(board.n):
        if state[GONE + vertex] == 0:
            return
    state[STATUS] = WON + mover


def cell_text(game: GameLike, state: State, vertex: int) -> str:
    return "x" if state[GONE + vertex] else ""


topple.register(sys.modules[__name__])
