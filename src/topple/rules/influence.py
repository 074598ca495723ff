"""INFLUENCE: take a vertex with all that it reaches, or with all that reaches it.

Left takes a vertex and everything that it reaches, Right a vertex and everything that reaches
it. So a path between two vertices on the board never passes a vertex that is gone, and the
cost of a move is proportional to what it takes.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel
from topple.core.errors import BadBoard, BadText
from topple.core.spec import Option
from topple.rules.interface import (
    DRAWN,
    HEADER,
    PLAYER,
    RUNNING,
    STATUS,
    WON,
    GameLike,
    Moves,
    Returns,
    Sizes,
    State,
)
from topple.rules.text import Cell, Layers, Tallies, parse_pair, parse_position_line, position_line

NAME = "influence"
TITLE = "INFLUENCE"
SUMMARY = "take a vertex of your label and all that it reaches, or that reaches it"
BOARD = "segment:41"  # an odd number of vertices, so that no game is drawn
OPTIONS = (Option("first", "left", str, "who moves first", choices=("left", "right")),)

POINTS = HEADER  # of Left, of Right
WITH_LABEL = HEADER + 2  # vertices labelled L that are on the board, then R
TAKEN = HEADER + 4  # 1 for each vertex that is gone

WORD = 64  # vertices that fit into one word of bits
NONE, ONE, TWO, FOUR = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(4)
ODD_BITS = np.uint64(0x5555555555555555)
PAIRS = np.uint64(0x3333333333333333)
NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
BYTES, TOP_BYTE = np.uint64(0x0101010101010101), np.uint64(56)


class InfluenceBoard(NamedTuple):
    """What the kernels know of the board."""

    n: int
    right_first: int
    labels: NDArray[np.int32]  # 0 for L, 1 for R
    with_label: NDArray[np.int32]  # the vertices labelled L, then those labelled R
    with_label_start: NDArray[np.int32]  # shape (3,): where each of the two begins, and the end
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
    if board.stages:
        raise BadBoard(f"INFLUENCE needs a board that stays as it is, and {board.spec} changes")
    if not board.sides:
        raise BadBoard(f"INFLUENCE needs a side L or R on every vertex, and {board.spec} has none")
    labels = np.array(["LR".index(side) for side in board.sides], dtype=np.int32)
    with_label = np.argsort(labels, kind="stable").astype(np.int32)
    with_label_start = np.searchsorted(labels[with_label], [0, 1, 2]).astype(np.int32)
    label_bits, reach_bits = _bits(board)
    for array in (labels, with_label, with_label_start, label_bits, reach_bits):
        array.setflags(write=False)
    return InfluenceBoard(
        n=board.n_vertices,
        right_first=int(options["first"] == "right"),
        labels=labels,
        with_label=with_label,
        with_label_start=with_label_start,
        successor_start=board.successor_start,
        successors=board.successors,
        predecessor_start=board.predecessor_start,
        predecessors=board.predecessors,
        label_bits=label_bits,
        reach_bits=reach_bits,
    )


def _bits(board: Board) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Labels and reach as words of bits; reach is empty if the board does not fit in one word."""
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
    """The vectors' lengths; the scratch space is for vertices whose arcs are to be followed."""
    return Sizes(TAKEN + board.n, board.n, board.n)


@kernel
def start(board: InfluenceBoard, state: State) -> None:
    """Nothing is taken; a first player without a vertex passes."""
    for vertex in range(board.n):
        state[WITH_LABEL + board.labels[vertex]] += 1
    state[PLAYER] = board.right_first
    if state[WITH_LABEL + state[PLAYER]] == 0:
        state[PLAYER] = 1 - state[PLAYER]


@kernel
def legal_moves(board: InfluenceBoard, state: State, moves: Moves) -> int:
    """Every vertex on the board with the mover's label."""
    player, n_moves = state[PLAYER], 0
    for vertex in range(board.n):
        moves[n_moves] = vertex
        n_moves += (state[TAKEN + vertex] == 0) & (board.labels[vertex] == player)
    return n_moves


@kernel
def playout(board: InfluenceBoard, state: State, rng: Rng, moves: Moves) -> int:
    """Play to the end; a board of at most 64 vertices is one word of bits."""
    if board.n > WORD:
        return play_from_lists(board, state, rng, moves)
    return play_with_bits(board, state, rng)


@kernel
def play_from_lists(board: InfluenceBoard, state: State, rng: Rng, moves: Moves) -> int:
    """Play to the end, drawing moves from a list for each label.

    A vertex that is gone is removed from its list when it is drawn, which is cheaper than
    removing all that a move takes. Changes `state`, `rng` and `moves`; returns the plies.
    """
    right = board.with_label_start[1]
    n_left, n_right, n_plies = right, board.n - right, 0
    for i in range(board.n):
        moves[i] = board.with_label[i]
    while state[STATUS] == RUNNING:
        player = state[PLAYER]
        place = below(rng, n_left) if player == 0 else right + below(rng, n_right)
        if state[TAKEN + moves[place]] == 0:
            begin(board, state, moves[place])
            n_plies += 1
        elif player == 0:
            n_left -= 1
            moves[place] = moves[n_left]
        else:
            n_right -= 1
            moves[place] = moves[right + n_right]
    return n_plies


@kernel
def play_with_bits(board: InfluenceBoard, state: State, rng: Rng) -> int:
    """Play to the end on a board of at most 64 vertices; returns the plies.

    Changes `rng`, and STATUS and POINTS in `state`; the rest of `state` is not updated.
    """
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
def count_bits(word: np.uint64) -> int:
    """The number of bits that are set; the compiler makes one instruction of it."""
    word = word - ((word >> ONE) & ODD_BITS)
    word = (word & PAIRS) + ((word >> TWO) & PAIRS)
    word = (word + (word >> FOUR)) & NIBBLES
    count: int = np.int64((word * BYTES) >> TOP_BYTE)  # type: ignore[assignment]
    return count


@kernel
def begin(board: InfluenceBoard, state: State, move: int) -> None:
    """Take a vertex with all that it reaches, or that reaches it, and end the turn."""
    player, waiting = state[PLAYER], TAKEN + board.n
    start, arcs = board.successor_start, board.successors
    if player == 1:
        start, arcs = board.predecessor_start, board.predecessors
    n_taken, n_right, n_waiting = 0, 0, 1
    state[TAKEN + move] = 1
    state[waiting] = move
    while n_waiting > 0:
        n_waiting -= 1
        vertex = state[waiting + n_waiting]
        n_taken += 1
        n_right += board.labels[vertex]
        for i in range(start[vertex], start[vertex + 1]):
            state[waiting + n_waiting] = arcs[i]
            n_waiting += 1 - state[TAKEN + arcs[i]]  # overwritten next if it is taken already
            state[TAKEN + arcs[i]] = 1
    state[POINTS + player] += n_taken
    state[WITH_LABEL] -= n_taken - n_right
    state[WITH_LABEL + 1] -= n_right
    end_turn(state)


@kernel
def end_turn(state: State) -> None:
    """Pass the turn to a player who can move, or decide the game."""
    other = 1 - state[PLAYER]
    if state[WITH_LABEL + other] > 0:
        state[PLAYER] = other
    if state[WITH_LABEL] + state[WITH_LABEL + 1] == 0:
        decide(state)


@kernel
def score(board: InfluenceBoard, state: State, scores: Returns) -> None:
    """The points of Left and Right."""
    scores[0] = state[POINTS]
    scores[1] = state[POINTS + 1]


@kernel
def decide(state: State) -> None:
    """Decide the game by the points, when everything is taken."""
    left, right = state[POINTS], state[POINTS + 1]
    if left == right:
        state[STATUS] = DRAWN
    else:
        state[STATUS] = WON + (0 if left > right else 1)


def cell_text(game: GameLike, state: State, vertex: int) -> str:
    """A vertex as drawn: its label, or nothing once it is gone."""
    return "" if state[TAKEN + vertex] else game.board.sides[vertex]


def cell(game: GameLike, state: State, vertex: int) -> Cell:
    """A vertex: the player who may take it, and whether it is gone."""
    return Cell("LR".index(game.board.sides[vertex]), gone=bool(state[TAKEN + vertex]))


def layers(game: GameLike, state: State) -> Layers:
    """The player who may take each vertex, and which vertices are gone."""
    n = game.tables.n
    gone = state[TAKEN : TAKEN + n] != 0
    return Layers(np.zeros((0, n), dtype=np.int32), game.tables.labels, gone)


def tallies(game: GameLike, state: State) -> Tallies:
    """The points of Left and Right."""
    return (("points", (int(state[POINTS]), int(state[POINTS + 1]))),)


def headline(game: GameLike, state: State) -> str:
    """The points and the number of vertices on the board."""
    left, right = state[POINTS], state[POINTS + 1]
    n_there = int(state[WITH_LABEL] + state[WITH_LABEL + 1])
    return f"points: Left {left}, Right {right}; {n_there} vertices are there"


def reason(game: GameLike, state: State) -> str:
    """Why the game is over."""
    left, right = state[POINTS], state[POINTS + 1]
    return f"all is taken, {left} to {right}"


def position_text(game: GameLike, state: State) -> str:
    """Write a position: x for each vertex taken, the player to move, the points.

    For example `3,x,x,12 Right 2-0`.
    """
    cells = ["x" if state[TAKEN + vertex] else "" for vertex in range(game.tables.n)]
    return position_line(game, state, cells, f"{state[POINTS]}-{state[POINTS + 1]}")


def parse_position(game: GameLike, text: str, state: State) -> None:
    """Read what `position_text` wrote into `state`, which is all zero."""
    board: InfluenceBoard = game.tables
    form = "vertices, player to move, points of Left and Right"
    cells, player, tail = parse_position_line(game, text, form)
    for vertex, cell in enumerate(cells):
        if cell not in ("", "x"):
            raise BadText(f"{cell!r} is not a vertex: write x where it is taken")
        state[TAKEN + vertex] = cell == "x"
        state[WITH_LABEL + board.labels[vertex]] += cell == ""
    _refuse_holes(game, state)
    points = parse_pair(tail)
    if sum(points) != state[TAKEN:].sum():
        raise BadText(f"{tail} points do not fit the {state[TAKEN:].sum()} vertices taken")
    state[POINTS], state[POINTS + 1] = points
    others = int(state[WITH_LABEL + 1 - player])
    if state[WITH_LABEL + player] == 0 and others > 0:
        raise BadText(f"{game.players[player]} has no vertex and passes")
    # Ending the opponent's turn passes it to this player and decides the game.
    state[PLAYER] = 1 - player
    end_turn(state)
    state[PLAYER] = player


def _refuse_holes(game: GameLike, state: State) -> None:
    """Refuse a vertex that is gone between two on the board: a move takes all on one side."""
    taken = [bool(gone) for gone in state[TAKEN : TAKEN + game.tables.n]]
    arcs = game.board.edges()
    waiting = [v for u, v in arcs if taken[v] and not taken[u]]
    seen = set(waiting)
    while waiting:
        for vertex in game.board.neighbours(waiting.pop()):
            if not taken[vertex]:
                raise BadText("a vertex is taken between two that are not: no move leads to that")
            if vertex not in seen:
                seen.add(vertex)
                waiting.append(vertex)
