"""INFLUENCE as a network sees it: what is left, and what each vertex would take.

Right sees the digraph with its arcs reversed, so that the mover always takes what it reaches.
"""

import numpy as np

from topple.compiling.specialise import kernel
from topple.nets.interface import Planes, SeenGame, put_constant
from topple.nets.sight import Sight, make_sight
from topple.rules.influence import POINTS, TAKEN, WITH_LABEL, InfluenceBoard
from topple.rules.interface import PLAYER, State

DYNAMIC = (
    "own on the board",
    "other's on the board",
    "gone",
    "what it would take, own",
    "what it would take, other's",
    "what it would take, by what is left",
    "own lead by the vertices",
    "own left by the vertices",
    "other's left by the vertices",
)
FIXED = ("successors", "predecessors", "the root of the number of vertices")
ACTIONS = 1
SCALE = 8.0


def net_name(game: SeenGame) -> str:
    """The shipped network for this game."""
    return "influence"


def board_actions(game: SeenGame) -> int:
    """Every move has a vertex."""
    return 0


def sight(game: SeenGame) -> tuple[str, Sight]:
    """The digraph as Left sees it, then reversed as Right does."""
    board = game.board
    ins = np.diff(board.predecessor_start)
    size = np.full(board.n_vertices, np.sqrt(board.n_vertices) / SCALE)
    left = np.column_stack([board.degrees / SCALE, ins / SCALE, size])
    sight = make_sight(board, "digraph", len(DYNAMIC), [left, left[:, (1, 0, 2)]])
    return "digraph", sight


@kernel
def encode(board: InfluenceBoard, state: State, planes: Planes, aside: State) -> None:
    """Write the planes of `DYNAMIC`."""
    n, player = board.n, state[PLAYER]
    left = state[WITH_LABEL] + state[WITH_LABEL + 1]
    for vertex in range(n):
        is_here = state[TAKEN + vertex] == 0
        is_own = board.labels[vertex] == player
        planes[vertex, 0] = 1.0 if is_here and is_own else 0.0
        planes[vertex, 1] = 1.0 if is_here and not is_own else 0.0
        planes[vertex, 2] = 0.0 if is_here else 1.0
        gain = 0.0
        if is_here:
            gain = count_taken(board, state, vertex, int(board.labels[vertex]))
        planes[vertex, 3] = gain / SCALE if is_own else 0.0
        planes[vertex, 4] = 0.0 if is_own else gain / SCALE
        planes[vertex, 5] = gain / max(left, 1)
    put_constant(planes, n, 6, (state[POINTS + player] - state[POINTS + 1 - player]) / n)
    put_constant(planes, n, 7, state[WITH_LABEL + player] / n)
    put_constant(planes, n, 8, state[WITH_LABEL + 1 - player] / n)


@kernel
def count_taken(board: InfluenceBoard, state: State, vertex: int, player: int) -> float:
    """How many vertices a player would take with a vertex. Leaves the state as it was."""
    waiting = TAKEN + board.n
    state[waiting] = vertex
    state[TAKEN + vertex] = 1
    n_taken, i = 1, 0
    while i < n_taken:
        reached = state[waiting + i]
        i += 1
        starts = board.successor_start if player == 0 else board.predecessor_start
        ends = board.successors if player == 0 else board.predecessors
        for place in range(starts[reached], starts[reached + 1]):
            other = ends[place]
            if state[TAKEN + other] == 0:
                state[TAKEN + other] = 1
                state[waiting + n_taken] = other
                n_taken += 1
    for i in range(n_taken):
        state[TAKEN + state[waiting + i]] = 0
        state[waiting + i] = 0
    return float(n_taken)


@kernel
def view_of(board: InfluenceBoard, state: State) -> int:
    """1 for Right, who sees every arc reversed."""
    return int(state[PLAYER])
