"""Baselines: the vertices that a marketer without an opponent would choose.

The centralities rank all vertices independently of the position. The greedy choice of seeds is
that of Kempe, Kleinberg and Tardos: the vertex that adds most to the expected spread of the
present seeds in the linear threshold model. In that model a vertex joins when the share of its
neighbours that have joined reaches its threshold, drawn uniformly between 0 and 1. Of the
classical models it is the closest to Spread-It, whose vertices have thresholds too.

References
----------
.. [1] D. Kempe, J. Kleinberg and É. Tardos, "Maximizing the spread of influence
   through a social network", KDD 2003.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np

from topple.arena.statistics.centrality import DIGITS, centralities
from topple.boards import Board
from topple.compiling.rng import make_rng
from topple.game import Game, Position
from topple.game.warm_up import can_be_warmed
from topple.kernels.betweenness import add_betweenness
from topple.kernels.seeding import Ints, count_won

DEGREE, PAGERANK, BETWEENNESS, GREEDY = "degree", "pagerank", "betweenness", "greedy"
TITLES = {DEGREE: "degree", PAGERANK: "PageRank", BETWEENNESS: "betweenness", GREEDY: "greedy seed"}
SIMULATIONS = 1000  # draws of the linear threshold model

MOST_WORK = 3_000_000  # vertices times edges, up to which betweenness is exact
PIVOTS = 200  # sampled vertices beyond that


class Scores(NamedTuple):
    """A baseline's score for each vertex, and its choice."""

    name: str
    values: tuple[float, ...]
    choice: int

    def ranks(self, among: Sequence[int]) -> dict[int, int]:
        """The ranks of some vertices, from 1; equal values share the better rank.

        >>> Scores("degree", (3.0, 5.0, 3.0, 1.0), 1).ranks([0, 1, 2, 3])
        {0: 2, 1: 1, 2: 2, 3: 4}
        """
        ordered = sorted((self.values[vertex] for vertex in among), reverse=True)
        first: dict[float, int] = {}
        for place, value in enumerate(ordered, start=1):
            first.setdefault(value, place)
        return {vertex: first[self.values[vertex]] for vertex in among}


def all_baselines(position: Position, seed: int, n_draws: int = SIMULATIONS) -> list[Scores]:
    """The scores of each baseline in a position of Spread-It.

    The present seeds are the vertices on which the player to move has tokens, and those it
    owns. A vertex is not seeded twice: a baseline chooses the highest legal vertex that is not a
    seed, or the highest legal one if all are. The opponents' tokens are ignored, because these
    methods know no opponent. On a board that changes they look at its present network.

    >>> import topple
    >>> position = topple.load("spread-it", board="karate").start()
    >>> {each.name: position.game.move_text(each.choice) for each in all_baselines(position, 1)}
    {'degree': '34', 'pagerank': '34', 'betweenness': '1', 'greedy': '34'}
    """
    board, seeds = present_board(position), seeds_of(position)
    values = {
        DEGREE: [float(degree) for degree in board.degrees],
        PAGERANK: centralities(board, PAGERANK),
        BETWEENNESS: betweenness(position.game, board),
        GREEDY: added_spread(position.game, seeds, n_draws, seed, board),
    }
    legal = position.legal_moves()
    return [
        Scores(name, tuple(found), highest(found, legal, seeds)) for name, found in values.items()
    ]


def present_board(position: Position) -> Board:
    """The board as its network is now."""
    board = position.game.board
    if position.network == 0:
        return board
    present = board.networks[position.network]._asdict()
    del present["ply"]
    return replace(board, **present, stages=())


def seeds_of(position: Position) -> frozenset[int]:
    """The vertices that the player to move owns or has tokens on."""
    player = position.player
    return frozenset(
        vertex
        for vertex, cell in enumerate(position.contents())
        if cell.owner == player or (cell.owner is None and cell.counts[player] > 0)
    )


def highest(values: Sequence[float], legal: Sequence[int], seeds: Collection[int]) -> int:
    """The legal vertex with the highest value, preferably not a seed; ties go to the lower number.

    >>> highest([3.0, 5.0, 5.0], [0, 1, 2], {1}), highest([3.0, 5.0], [0, 1], {0, 1})
    (2, 1)
    """
    free = [vertex for vertex in legal if vertex not in seeds] or list(legal)
    return max(free, key=lambda vertex: (values[vertex], -vertex))


def is_sampled(board: Board) -> bool:
    """Whether betweenness is estimated because the board is large."""
    return board.n_vertices * board.n_edges > MOST_WORK


def betweenness(game: Game, board: Board) -> list[float]:
    """The betweenness of each vertex, estimated from a sample on large boards.

    The sample and the estimate are those of NetworkX with `k` and the seed 1; this is a hundred
    times as fast.
    """
    n = board.n_vertices
    n_sources = min(PIVOTS, n)
    if not is_sampled(board) or n_sources == n:
        return centralities(board, BETWEENNESS)
    sources = np.array(Random(1).sample(range(n), n_sources))
    totals = np.zeros(n)
    game.run(add_betweenness, *_path_arguments(board, sources), totals)
    # A path from a source does not lead through the source.
    n_paths = np.full(n, n_sources * (n - 2.0))
    n_paths[sources] -= n - 2.0
    return [round(each, DIGITS) for each in (totals / n_paths).tolist()]


def _path_arguments(board: Board, sources: Ints) -> tuple[object, ...]:
    n = board.n_vertices
    whole = [np.zeros(n, dtype=np.int64) for _ in range(2)]
    return board.successor_start, board.successors, sources, *whole, np.zeros(n), np.zeros(n)


def added_spread(
    game: Game, seeds: Collection[int], n_draws: int, seed: int, board: Board | None = None
) -> list[float]:
    """The mean number of vertices that each vertex would add as one more seed.

    On a directed network a vertex follows its predecessors, whose tokens reach it. `board` is the
    game's unless it is given.

    >>> import topple
    >>> star = topple.load("spread-it", board="star:5", tokens=1)
    >>> added_spread(star, [], 100, 1)[0]  # every leaf follows the centre
    5.0
    """
    board = game.board if board is None else board
    marks = np.zeros(board.n_vertices, dtype=np.int64)
    marks[list(seeds)] = 1
    won: Ints = np.zeros(board.n_vertices, dtype=np.int64)
    game.run(count_won, *_arguments(board, marks, n_draws, seed), won)
    return [float(each) for each in won / n_draws]


def _arguments(board: Board, marks: Ints, n_draws: int, seed: int) -> tuple[object, ...]:
    scratch = [np.zeros(board.n_vertices, dtype=np.int64) for _ in range(4)]
    start, neighbours = board.predecessor_start, board.predecessors
    return start, neighbours, marks, n_draws, make_rng(seed), *scratch


def _small_case(game: Game) -> tuple[object, ...]:
    marks = np.zeros(game.board.n_vertices, dtype=np.int64)
    return *_arguments(game.board, marks, 1, 0), np.zeros_like(marks)


can_be_warmed(count_won, _small_case)
can_be_warmed(
    add_betweenness,
    lambda game: (
        *_path_arguments(game.board, np.zeros(1, dtype=np.int64)),
        np.zeros(game.board.n_vertices),
    ),
)
