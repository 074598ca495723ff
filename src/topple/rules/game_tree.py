"""A game tree drawn on the board: Max and Min go from the root to a leaf in turn.

It is for tests of searches, because its values can be worked out by hand. `topple games` does
not list it.
"""

from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board, make_board
from topple.compiling.specialise import kernel
from topple.core.errors import BadBoard
from topple.rules.interface import (
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
from topple.rules.text import parse_vertex, vertex_text

NAME = "game-tree"
TITLE = "Game tree"
SUMMARY = "go from the root of a tree to a leaf; L leaves are Max's, R leaves Min's"
OPTIONS = ()
BOARD = "tree:n=1,c=2,copies=1"

VERTEX = HEADER  # the vertex that the game has reached
MAX, MIN = 0, 1

Nested: TypeAlias = "Sequence[Nested] | Fraction | float"


class TreeBoard(NamedTuple):
    """What the kernels know of the board."""

    root: int
    child_start: NDArray[np.int32]  # shape (vertices + 1,)
    children: NDArray[np.int32]
    player: NDArray[np.int32]  # who moves at each vertex, shape (vertices,)
    status: NDArray[np.int32]  # of the game at each vertex


def players(options: dict[str, Any]) -> tuple[str, ...]:
    """Max begins."""
    return ("Max", "Min")


def tables(board: Board, options: dict[str, Any]) -> TreeBoard:
    """Prepare a board: a tree of arcs that lead away from its root, with sides."""
    roots = [v for v in range(board.n_vertices) if not len(_predecessors(board, v))]
    if not board.directed or len(roots) != 1 or not board.sides or board.n_vertices < 2:
        raise BadBoard(f"a game tree needs arcs, one root, a move and sides, unlike {board.spec}")
    depth = np.full(board.n_vertices, -1, dtype=np.int32)
    depth[roots[0]] = 0
    waiting = deque(roots)
    while waiting:
        vertex = waiting.popleft()
        for child in board.neighbours(vertex):
            if len(_predecessors(board, child)) > 1:
                raise BadBoard(f"two arcs lead to vertex {board.labels[child]!r}: no tree")
            depth[child] = depth[vertex] + 1
            waiting.append(child)
    if depth.min() < 0:
        raise BadBoard(f"not every vertex of {board.spec} can be reached from its root")
    winner = np.array([MAX if side == "L" else MIN for side in board.sides], dtype=np.int32)
    status = np.where(board.degrees == 0, WON + winner, RUNNING).astype(np.int32)
    children = board.successors.copy()
    for vertex in range(board.n_vertices):  # so that legal moves ascend
        children[board.successor_start[vertex] : board.successor_start[vertex + 1]].sort()
    return TreeBoard(roots[0], board.successor_start, children, depth % 2, status)


def _predecessors(board: Board, vertex: int) -> NDArray[np.int32]:
    start = board.predecessor_start
    return board.predecessors[start[vertex] : start[vertex + 1]]


def sizes(board: TreeBoard) -> Sizes:
    """A position is a vertex, and so is a move."""
    return Sizes(state=HEADER + 1, work=0, moves=len(board.player))


@kernel
def start(board: TreeBoard, state: State) -> None:
    """Stand at the root."""
    state[VERTEX] = board.root


@kernel
def legal_moves(board: TreeBoard, state: State, moves: Moves) -> int:
    """The vertices below."""
    first = board.child_start[state[VERTEX]]
    n = board.child_start[state[VERTEX] + 1] - first
    for i in range(n):
        moves[i] = board.children[first + i]
    return int(n)


@kernel
def begin(board: TreeBoard, state: State, move: int) -> None:
    """Go to a vertex below; a leaf decides the game."""
    state[VERTEX] = move
    state[PLAYER] = board.player[move]
    state[STATUS] = board.status[move]


def cell_text(game: GameLike, state: State, vertex: int) -> str:
    """A mark at the vertex that the game has reached."""
    return "*" if vertex == state[VERTEX] else ""


def position_text(game: GameLike, state: State) -> str:
    """Write a position: the label of its vertex."""
    return vertex_text(game, int(state[VERTEX]))


def parse_position(game: GameLike, text: str, state: State) -> None:
    """Read what `position_text` wrote into `state`."""
    begin(game.tables, state, parse_vertex(game, text))


def board_from_tree(nested: Nested) -> Board:
    """Build the board of a game tree whose leaves are probabilities.

    Parameters
    ----------
    nested : sequence of sequences … of probabilities
        What follows each move. A probability is a Fraction, or a number that is
        replaced by the simplest fraction near it. It becomes a position with as many
        last moves as the denominator; Max wins after as many of them as the numerator.
        So random play wins with that probability.

    Raises
    ------
    BadBoard
        If a probability is not between 0 and 1, or the tree is too large.

    Examples
    --------
    Max's first move leads to an even game, the second lets Min choose:

    >>> import topple
    >>> board = board_from_tree([1 / 2, [0, 1]])
    >>> topple.load("game-tree", board).start().play("2").play("2.1").play("2.1.1").result_text()
    'Min wins: the leaf is R'
    """
    children: list[list[int]] = []
    labels: list[str] = []
    sides: list[str] = []

    def add(label: str, side: str) -> int:
        children.append([])
        labels.append(label)
        sides.append(side)
        return len(labels) - 1

    def grow(vertex: int, what: Nested) -> None:
        prefix = f"{labels[vertex]}." if vertex else ""
        if isinstance(what, Sequence):
            for i, each in enumerate(what):
                children[vertex].append(add(f"{prefix}{i + 1}", "R"))
                grow(children[vertex][-1], each)
            return
        chance = Fraction(what).limit_denominator(1000)
        if not 0 <= chance <= 1:
            raise BadBoard(f"a leaf is worth {what}: it must be between 0 and 1")
        for i in range(chance.denominator):
            side = "L" if i < chance.numerator else "R"
            children[vertex].append(add(f"{prefix}{i + 1}", side))

    grow(add("root", "R"), nested)
    return make_board(
        "tree of chances",
        children,
        labels=labels,
        directed=True,
        sides="".join(sides),
        structural=False,
    )


def reason(game: GameLike, state: State) -> str:
    """The side of the leaf."""
    return f"the leaf is {'LR'[state[STATUS] - WON]}"
