"""INFLUENCE: the lead in points, and what one move can take."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.compiling.specialise import kernel
from topple.core.errors import Unsupported
from topple.core.lazy import lazy_module
from topple.evaluations.interface import Evaluation, Weights, bounded
from topple.rules.influence import NONE, POINTS, TAKEN, WORD, InfluenceBoard, count_bits
from topple.rules.interface import State

nx = lazy_module("networkx")

FEATURES = ("score", "reach")
SCORE, REACH = range(2)
EVALUATIONS = {
    "score": Evaluation((1.0, 0.0), "the lead in points"),
    "reach": Evaluation((0.0, 1.0), "the most that one's next move could take, less the other's"),
}

MOST_VERTICES = 8192  # whose reach takes 8 MiB


class Reach(NamedTuple):
    """What the owner of each vertex takes with it on the full board; read-only."""

    words: NDArray[np.uint64]  # shape (n, ⌈n / 64⌉), as bits
    counts: NDArray[np.int64]  # shape (n,): the numbers of bits
    order: NDArray[np.int64]  # shape (n,): vertices labelled L, then R, each by falling count


class InfluenceKnowledge(NamedTuple):
    """The weights, the reach of each vertex, and scratch space."""

    weights: Weights
    reach: Reach
    there: NDArray[np.uint64]  # shape (⌈n / 64⌉,): scratch space for the vertices on the board


def knowledge(board: Board, tables: InfluenceBoard, weights: Weights) -> InfluenceKnowledge:
    """The weights, and what every vertex takes if `reach` has a weight.

    Raises
    ------
    Unsupported
        If `reach` has a weight and the board is too large for it.
    """
    if weights[REACH] == 0.0:
        return InfluenceKnowledge(weights, _reach([], ""), np.zeros(0, dtype=np.uint64))
    if board.n_vertices > MOST_VERTICES:
        raise Unsupported(
            f"reach is for boards of up to {MOST_VERTICES:,} vertices, "
            f"and {board.spec} has {board.n_vertices:,}: use score"
        )
    reach = reach_on(board)
    return InfluenceKnowledge(weights, reach, np.zeros(reach.words.shape[1], dtype=np.uint64))


@lru_cache(maxsize=8)
def reach_on(board: Board) -> Reach:
    """What Left takes with each vertex labelled L, and Right with each labelled R.

    >>> from topple.boards import load_board
    >>> reach_on(load_board("segment:5")).counts.tolist()
    [2, 3, 3, 3, 2]
    """
    arcs = board.edges()
    forwards = _closure(board.n_vertices, arcs)
    backwards = _closure(board.n_vertices, [(head, tail) for tail, head in arcs])
    own = [forwards[v] if side == "L" else backwards[v] for v, side in enumerate(board.sides)]
    return _reach(own, board.sides)


def _closure(n: int, arcs: list[tuple[int, int]]) -> list[int]:
    """The vertices that each vertex reaches, itself included, as the bits of a whole number."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(arcs)
    reach = [1 << vertex for vertex in range(n)]
    has_grown = True
    order = list(nx.dfs_postorder_nodes(graph))
    while has_grown:  # in this order, one pass is enough if there is no cycle
        has_grown = False
        for vertex in order:
            before = reach[vertex]
            for head in graph[vertex]:
                reach[vertex] |= reach[head]
            has_grown |= reach[vertex] != before
    return reach


def _reach(own: list[int], sides: str) -> Reach:
    """Turn bits into words; count them; order each side's vertices by falling count."""
    n_words = -(-len(own) // WORD)
    as_bytes = b"".join(bits.to_bytes(8 * n_words, "little") for bits in own)
    words = np.frombuffer(as_bytes, dtype="<u8").astype(np.uint64).reshape(len(own), n_words)
    counts = np.array([bits.bit_count() for bits in own], dtype=np.int64)
    order = sorted(range(len(own)), key=lambda vertex: (sides[vertex], -counts[vertex]))
    reach = Reach(words, counts, np.array(order, dtype=np.int64))
    for part in reach:
        part.setflags(write=False)
    return reach


@kernel
def evaluate(
    board: InfluenceBoard, state: State, player: int, knowledge: InfluenceKnowledge
) -> float:
    """The weighted sum of the lead in points and the lead in what one move can take."""
    weights, value = knowledge.weights, 0.0
    if weights[SCORE] != 0.0:
        value += weights[SCORE] * (state[POINTS + player] - state[POINTS + 1 - player])
    if weights[REACH] != 0.0:
        list_vertices(board, state, knowledge.there)
        own = largest_taking(board, state, player, knowledge)
        other = largest_taking(board, state, 1 - player, knowledge)
        value += weights[REACH] * (own - other)
    return bounded(value)


@kernel
def list_vertices(board: InfluenceBoard, state: State, there: NDArray[np.uint64]) -> None:
    """Write the vertices on the board into `there` as bits."""
    for word in range(len(there)):
        there[word] = NONE
    for vertex in range(board.n):
        bit = np.uint64(1 - state[TAKEN + vertex]) << np.uint64(vertex % WORD)
        there[vertex // WORD] |= bit


@kernel
def largest_taking(
    board: InfluenceBoard, state: State, player: int, knowledge: InfluenceKnowledge
) -> int:
    """The most vertices that a player can take with one move; 0 if the player cannot move."""
    reach, there, most = knowledge.reach, knowledge.there, 0
    for i in range(board.with_label_start[player], board.with_label_start[player + 1]):
        vertex = reach.order[i]
        if reach.counts[vertex] <= most:  # all later ones reach no more, even on a full board
            break
        if state[TAKEN + vertex] == 0:
            n_taken = 0
            for word in range(len(there)):
                n_taken += count_bits(there[word] & reach.words[vertex, word])
            most = max(most, n_taken)
    return most
