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
    DRAWN, HEADER, NO_VERTEX, PLAYER, STATUS, WON, GameLike, Moves, Sizes, State, play_to_the_end,
)  # fmt: skip
from topple.rules.text import cells_text, parse_cells, parse_pair, parse_player, split_words
from topple.spec import Option

NAME = "influence"
TITLE = "INFLUENCE"
SUMMARY = "take a vertex of your label and all that it reaches, or that reaches it"
BOARD = "segment:40"
OPTIONS = (Option("first", "left", str, "who moves first", choices=("left", "right")),)

POINTS = HEADER  # of Left, of Right
WITH_LABEL = HEADER + 2  # vertices labelled L that are still there, then R
TAKEN = HEADER + 4  # 1 for each vertex that is gone

WORD = 64  # vertices that fit into one word of bits
NONE, ONE, TWO, FOUR = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(4)
ODD_BITS = np.uint64(0x5555555555555555)
PAIRS = np.uint64(0x3333333333333333)
NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
BYTES, TOP_BYTE = np.uint64(0x0101010101010101), np.uint64(56)

# A move on its way, counted from the end of the state proper.
WAITING, STACK = 0, 1


class InfluenceBoard(NamedTuple):
    """What the kernels know of the board."""

    n: int
    right_first: int
    labels: NDArray[np.int32]  # 0 for L, 1 for R
    with_label: NDArray[np.int32]  # the vertices labelled L, then those labelled R
    with_label_start: NDArray[np.int32]  # where each of the two begins, and the end
    successor_start: NDArray[np.int32]
    successors: NDArray[np.int32]
    predecessor_start: NDArray[np.int32]
    predecessors: NDArray[np.int32]
    label_bits: NDArray[np.uint64]  # the vertices labelled L, those labelled R
    reach_bits: NDArray[np.uint64]  # what Left takes with each vertex, then what Right takes


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
    with_label = np.argsort(labels, kind="stable").astype(np.int32)
    with_label_start = np.searchsorted(labels[with_label], [0, 1, 2]).astype(np.int32)
    label_bits, reach_bits = _bits(board)
    for array in (labels, with_label, with_label_start, label_bits, reach_bits):
        array.setflags(write=False)
    return InfluenceBoard(
        board.n_vertices, int(options["first"] == "right"), labels, with_label, with_label_start,
        board.successor_start, board.successors, board.predecessor_start, board.predecessors,
        label_bits, reach_bits,
    )  # fmt: skip


def _bits(board: Board) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Labels and reach as words of bits; no reach where the board does not fit into one."""
    if board.n_vertices > WORD:
        return np.zeros(2, dtype=np.uint64), np.zeros(0, dtype=np.uint64)
    label_bits = [sum(1 << v for v, own in enumerate(board.sides) if own == side) for side in "LR"]
    reach = [0] * (2 * board.n_vertices)
    for vertex in range(board.n_vertices):
        for reached in _reach(board, vertex):
            reach[vertex] |= 1 << reached
            reach[board.n_vertices + reached] |= 1 << vertex
    return np.array(label_bits, dtype=np.uint64), np.array(reach, dtype=np.uint64)


def _reach(board: Board, vertex: int) -> set[int]:
    """The vertices that can be reached from one, itself included."""
    reached, waiting = {vertex}, [vertex]
    while waiting:
        new = set(board.neighbours(waiting.pop())) - reached
        reached |= new
        waiting.extend(new)
    return reached


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
    """Draw vertices with the mover's label until one is still there.

    Over a game this takes about log(n) draws a move, where a list takes n steps.
    """
    first = board.with_label_start[state[PLAYER]]
    n_own = board.with_label_start[state[PLAYER] + 1] - first
    while True:
        vertex = board.with_label[first + below(rng, n_own)]
        if state[TAKEN + vertex] == 0:
            return int(vertex)


@kernel
def playout(board: InfluenceBoard, state: State, rng: Rng, moves: Moves) -> int:
    """Play to the end; a small board's vertices fit into the bits of one word.

    Leaves only STATUS and POINTS defined.
    """
    if board.n > WORD:
        return play_to_the_end(board, state, rng, moves)
    there, player, n_plies = NONE, state[PLAYER], 0
    for vertex in range(board.n):
        there |= np.uint64(1 - state[TAKEN + vertex]) << np.uint64(vertex)
    start_bits = there
    left_bits = NONE
    while there != NONE:
        own = there & board.label_bits[player]
        for _ in range(below(rng, count_bits(own))):
            own &= own - ONE  # leave out the lowest vertex
        lowest = own & ~(own - ONE)
        vertex = count_bits(lowest - ONE)
        taken = there & board.reach_bits[player * board.n + vertex]
        there ^= taken
        left_bits |= taken if player == 0 else NONE
        if there & board.label_bits[1 - player] != NONE:
            player = 1 - player
        n_plies += 1
    left = count_bits(left_bits)
    state[POINTS] += left
    state[POINTS + 1] += count_bits(start_bits) - left
    decide(state)
    return n_plies


@kernel
def count_bits(word: np.uint64) -> np.int64:
    """The number of bits that are set (in machine code, one instruction)."""
    word = word - ((word >> ONE) & ODD_BITS)
    word = (word & PAIRS) + ((word >> TWO) & PAIRS)
    word = (word + (word >> FOUR)) & NIBBLES
    return np.int64((word * BYTES) >> TOP_BYTE)


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
    if state[WITH_LABEL] + state[WITH_LABEL + 1] == 0:
        decide(state)


@kernel
def decide(state: State) -> None:
    """Count the points when everything is taken."""
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
