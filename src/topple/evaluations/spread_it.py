"""Spread-It: five features of a position and their weighted sum.

They are the features of the game's paper, made precise in docs/evaluations.md. Each is
computed for Black and changes its sign for Red. Three of them have a variant that counts
what the player has, not the lead in it.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.compiling.specialise import kernel
from topple.core.lazy import lazy_module
from topple.evaluations.interface import Evaluation, Weights, bounded
from topple.rules.interface import State
from topple.rules.journal import changed_index, has_journal, n_changes
from topple.rules.spread_it.board import BLACK, ON_BOARD, OWNED, RED, TOKENS, SpreadItBoard

nx = lazy_module("networkx")

FEATURES = ("parity", "stability", "mobility", "hubs", "general")
PARITY, STABILITY, MOBILITY, HUBS, GENERAL, OWN_STABILITY, OWN_MOBILITY, OWN_HUBS = range(8)
EVALUATIONS = {
    "linear": Evaluation((0.27, -0.08, 0.0, 0.315, 0.495), "the weighted sum of all five"),
    "parity": Evaluation((1.0, 0.0, 0.0, 0.0, 0.0), "the lead in tokens, or in owned vertices"),
    "stability": Evaluation((0.0, 1.0, 0.0, 0.0, 0.0), "tokens that cannot be turned or may be"),
    "mobility": Evaluation((0.0, 0.0, 1.0, 0.0, 0.0), "vertices that a token would win or lead"),
    "hubs": Evaluation((0.0, 0.0, 0.0, 1.0, 0.0), "vertices led, by PageRank and by tokens"),
    "general": Evaluation((0.0, 0.0, 0.0, 0.0, 1.0), "vertices led, more so when near to firing"),
    # Other readings of the paper, whose features cannot be weighted or learned by users.
    "own-stability": Evaluation(
        (*(0.0,) * 5, 1.0, 0.0, 0.0), "own tokens far from firing less those that are due"
    ),
    "own-mobility": Evaluation((*(0.0,) * 5, 0.0, 1.0, 0.0), "mobility, the player's own alone"),
    "own-hubs": Evaluation((*(0.0,) * 5, 0.0, 0.0, 1.0), "hubs, the player's own alone"),
    "own-linear": Evaluation(
        (0.27, 0.0, 0.0, 0.0, 0.495, -0.08, 0.0, 0.315), "linear, with own stability and hubs"
    ),
}
N_WEIGHTS = OWN_HUBS + 1

DAMPING, TOLERANCE = 0.85, 1e-6  # of PageRank, as in NetworkX
MOST_DENSE = 64  # vertices of a board whose edges fit into a small matrix
DIGITS = 12  # of PageRank; later ones may differ between machines
REMAINING = 2.0  # the weight of the tokens on a vertex, where leading on it weighs 1


class SpreadItKnowledge(NamedTuple):
    """The weights, and the numbers that hubs and general add up.

    Both features add, with the leader's sign, a number for each vertex and a number for
    each token on it. So one pass over the board computes both.
    """

    weights: Weights
    n_places: int  # the sum of all thresholds
    vertex_worth: float  # the weighted value of leading on a vertex
    token_worth: NDArray[np.float64]  # shape (n,): of each token on a vertex that a player leads
    has_own: bool  # whether a feature counts what the player has, not the lead
    own_worth: NDArray[np.float64]  # shape (n,): of each token where the player leads
    seen: NDArray[np.int64]  # scratch space, shape (n + 1,): the last look that saw each vertex


def knowledge(board: Board, tables: SpreadItBoard, weights: Weights) -> SpreadItKnowledge:
    """Combine the weights of hubs and general into one number for each vertex."""
    weights = np.pad(weights, (0, N_WEIGHTS - len(weights)))
    vertex_worth = weights[GENERAL] / (1 + REMAINING) / board.n_vertices
    full_worth = np.full(board.n_vertices, REMAINING * vertex_worth)
    own_worth = np.zeros(board.n_vertices)
    if weights[HUBS] != 0.0 or weights[OWN_HUBS] != 0.0:
        full_worth += weights[HUBS] * pagerank(board)
        own_worth += weights[OWN_HUBS] * pagerank(board)
    return SpreadItKnowledge(
        weights,
        int(board.thresholds.sum()),
        float(vertex_worth),
        full_worth / board.thresholds,
        bool(weights[OWN_STABILITY:].any()),
        own_worth / board.thresholds,
        np.zeros(board.n_vertices + 1, dtype=np.int64),
    )


@lru_cache(maxsize=16)
def pagerank(board: Board) -> NDArray[np.float64]:
    """The PageRank of each vertex; they add up to 1.

    >>> from topple.boards import load_board
    >>> pagerank(load_board("path:3")).round(3).tolist()
    [0.257, 0.486, 0.257]
    """
    ranks = _dense_ranks(board) if board.n_vertices <= MOST_DENSE else _sparse_ranks(board)
    rounded = ranks.round(DIGITS)
    rounded.setflags(write=False)
    return rounded


def _dense_ranks(board: Board) -> NDArray[np.float64]:
    """PageRank by the same steps as NetworkX, but ten times as fast on small boards."""
    n, degrees = board.n_vertices, board.degrees
    tails = np.repeat(np.arange(n), degrees)
    links = np.zeros((n, n))
    links[tails, board.successors] = 1.0 / degrees[tails]
    is_alone = degrees == 0
    ranks, change = np.full(n, 1.0 / n), np.inf
    while change >= n * TOLERANCE:
        spread = ranks @ links + ranks[is_alone].sum() / n
        before, ranks = ranks, DAMPING * spread + (1 - DAMPING) / n
        change = float(np.abs(ranks - before).sum())
    return ranks


def _sparse_ranks(board: Board) -> NDArray[np.float64]:
    graph = nx.Graph()
    graph.add_nodes_from(range(board.n_vertices))
    graph.add_edges_from(board.edges())
    ranks = nx.pagerank(graph, alpha=DAMPING, tol=TOLERANCE)
    return np.array([ranks[vertex] for vertex in graph])


@kernel
def evaluate(
    board: SpreadItBoard, state: State, player: int, knowledge: SpreadItKnowledge
) -> float:
    """The weighted sum of the features; a feature without weight is not computed."""
    weights, value = knowledge.weights, 0.0
    if weights[PARITY] != 0.0:
        value += weights[PARITY] * parity(board, state) / board.n
    if weights[STABILITY] != 0.0:
        value += weights[STABILITY] * stability(board, state) / knowledge.n_places
    if weights[MOBILITY] != 0.0:
        value += weights[MOBILITY] * mobility(board, state) / board.n
    if weights[HUBS] != 0.0 or weights[GENERAL] != 0.0:
        value += hubs_and_general(board, state, knowledge)
    value = value if player == BLACK else -value
    if knowledge.has_own:
        value += own_features(board, state, player, knowledge)
    return bounded(value)


@kernel
def base_value(
    board: SpreadItBoard, state: State, player: int, knowledge: SpreadItKnowledge
) -> float:
    """On large boards, the value of the position that moves are tried from; else 0."""
    return evaluate(board, state, player, knowledge) if has_journal(state) else 0.0


@kernel
def value_beyond(
    board: SpreadItBoard, state: State, tried: State, player: int, knowledge: SpreadItKnowledge
) -> float:
    """On large boards, what the vertices that have changed add; else the value.

    The sum is rounded otherwise than the difference of two values.
    """
    if not has_journal(state):
        return evaluate(board, tried, player, knowledge)
    n, weights, n_entries = board.n, knowledge.weights, n_changes(state, tried)
    if n_entries < 0 or knowledge.has_own:
        before = evaluate(board, state, player, knowledge)
        return evaluate(board, tried, player, knowledge) - before
    knowledge.seen[n] += 1
    look, stable, mobile, led = knowledge.seen[n], 0, 0, 0.0
    for i in range(n_entries):
        index = changed_index(tried, i) - TOKENS
        if index < 0 or knowledge.seen[index % n] == look:
            continue
        vertex = index % n
        knowledge.seen[vertex] = look
        stable += stability_at(board, tried, vertex) - stability_at(board, state, vertex)
        mobile += mobility_at(board, tried, vertex) - mobility_at(board, state, vertex)
        led += worth_at(board, tried, vertex, knowledge)
        led -= worth_at(board, state, vertex, knowledge)
    value = weights[PARITY] * (parity(board, tried) - parity(board, state)) / n
    value += weights[STABILITY] * stable / knowledge.n_places + weights[MOBILITY] * mobile / n + led
    return float(value if player == BLACK else -value)


@kernel
def parity(board: SpreadItBoard, state: State) -> int:
    """Black's lead in tokens on the board, or in owned vertices."""
    at = OWNED if board.full == 1 else ON_BOARD
    return int(state[at + BLACK] - state[at + RED])


@kernel
def owner_at(board: SpreadItBoard, state: State, vertex: int) -> int:
    """1 where Black owns a vertex, −1 where Red does, else 0."""
    if board.full == 0:
        return 0
    owner = state[TOKENS + 2 * board.n + vertex]
    return int(owner == BLACK + 1) - int(owner == RED + 1)


@kernel
def stability(board: SpreadItBoard, state: State) -> int:
    """Black's stable tokens less the unstable ones, less the same of Red's.

    The other colour can turn tokens by firing their vertex with at least half of its
    threshold. Tokens that it can turn with one more token are unstable; those for which
    it needs two more are neither stable nor unstable.
    """
    total = 0
    for vertex in range(board.n):
        total += stability_at(board, state, vertex)
    return total


@kernel
def stability_at(board: SpreadItBoard, state: State, vertex: int) -> int:
    """What a vertex adds to the stability."""
    threshold = board.thresholds[vertex]
    owner = owner_at(board, state, vertex)
    black, red = state[TOKENS + vertex], state[TOKENS + board.n + vertex]
    undecided = min(threshold - black - red - 2, 1)
    blacks = black * (1 if 2 * black > threshold else undecided)
    reds = red * (1 if 2 * red > threshold else undecided)
    return int(blacks - reds if owner == 0 else owner * threshold)


@kernel
def mobility(board: SpreadItBoard, state: State) -> int:
    """The vertices on which a black token would lead or win, less those where a red one would."""
    total = 0
    for vertex in range(board.n):
        total += mobility_at(board, state, vertex)
    return total


@kernel
def mobility_at(board: SpreadItBoard, state: State, vertex: int) -> int:
    """What a vertex adds to the mobility."""
    if owner_at(board, state, vertex) != 0:
        return 0
    black, red = state[TOKENS + vertex], state[TOKENS + board.n + vertex]
    fires = int(black + red + 1 >= board.thresholds[vertex])
    return int(black + fires >= red) - int(red + fires >= black)


@kernel
def hubs_and_general(board: SpreadItBoard, state: State, knowledge: SpreadItKnowledge) -> float:
    """The weighted sum of hubs and general: the value of each vertex with the leader's sign."""
    total = 0.0
    for vertex in range(board.n):
        total += worth_at(board, state, vertex, knowledge)
    return total


@kernel
def worth_at(
    board: SpreadItBoard, state: State, vertex: int, knowledge: SpreadItKnowledge
) -> float:
    """What a vertex adds to hubs and general."""
    black, red = state[TOKENS + vertex], state[TOKENS + board.n + vertex]
    owner = owner_at(board, state, vertex)
    leader = int(black > red) - int(black < red) if owner == 0 else owner
    tokens = black + red if owner == 0 else board.thresholds[vertex]
    return float(leader * (knowledge.vertex_worth + tokens * knowledge.token_worth[vertex]))


@kernel
def own_features(
    board: SpreadItBoard, state: State, player: int, knowledge: SpreadItKnowledge
) -> float:
    """The weighted sum of the player's own stability, mobility and hubs.

    Whoever leads on a vertex, its tokens are unstable if one more token fires it, and
    neither stable nor unstable if two more do.
    """
    n, weights = board.n, knowledge.weights
    stable, mobile, led = 0, 0, 0.0
    for vertex in range(n):
        threshold = board.thresholds[vertex]
        owner = owner_at(board, state, vertex) * (1 if player == BLACK else -1)
        own, other = state[TOKENS + player * n + vertex], state[TOKENS + (1 - player) * n + vertex]
        missing = threshold - own - other
        if owner != 0:
            stable += threshold * int(owner > 0)
            led += threshold * int(owner > 0) * knowledge.own_worth[vertex]
        else:
            stable += own * min(missing - 2, 1)
            mobile += int(own + int(missing == 1) >= other)
            led += (own + other) * int(own > other) * knowledge.own_worth[vertex]
    led += weights[OWN_STABILITY] * stable / knowledge.n_places
    return float(led + weights[OWN_MOBILITY] * mobile / n)
