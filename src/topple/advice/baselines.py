"""Baselines: whom a marketer would have chosen who knows of no opponent.

The centralities rank all vertices once and for all. The greedy choice of seeds is
that of Kempe, Kleinberg and Tardos: the vertex that adds most to the expected
spread of the seeds that there are, in the linear threshold model. In that model a
vertex joins when the share of its neighbours that have joined reaches a threshold
of its own, drawn evenly between 0 and 1: of the classical models the nearest to
Spread-It, whose vertices have thresholds too.

References
----------
.. [1] D. Kempe, J. Kleinberg and É. Tardos, "Maximizing the spread of influence
   through a social network", KDD 2003.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from topple.arena.statistics.centrality import centralities
from topple.boards import Board
from topple.compiling.rng import make_rng
from topple.game.game import Game
from topple.game.position import Position
from topple.game.warm_up import can_be_warmed
from topple.kernels.seeding import Ints, count_won

DEGREE, PAGERANK, BETWEENNESS, GREEDY = "degree", "pagerank", "betweenness", "greedy"
TITLES = {DEGREE: "degree", PAGERANK: "PageRank", BETWEENNESS: "betweenness", GREEDY: "greedy seed"}
SIMULATIONS = 1000  # draws of the linear threshold model

MOST_WORK = 3_000_000  # vertices times edges up to which betweenness is exact
PIVOTS = 200  # vertices whose shortest paths are counted beyond that


class Scores(NamedTuple):
    """What a baseline gives to each vertex, and whom it chooses."""

    name: str
    values: tuple[float, ...]
    choice: int

    def ranks(self, among: Sequence[int]) -> dict[int, int]:
        """The places of some vertices, 1 the highest; equals share the better place.

        >>> Scores("degree", (3.0, 5.0, 3.0, 1.0), 1).ranks([0, 1, 2, 3])
        {0: 2, 1: 1, 2: 2, 3: 4}
        """
        ordered = sorted((self.values[vertex] for vertex in among), reverse=True)
        first: dict[float, int] = {}
        for place, value in enumerate(ordered, start=1):
            first.setdefault(value, place)
        return {vertex: first[self.values[vertex]] for vertex in among}


def all_baselines(position: Position, seed: int, n_draws: int = SIMULATIONS) -> list[Scores]:
    """What each baseline says in a position of Spread-It.

    The seeds that there are: the vertices where the player to move has tokens or
    that it owns. Nobody is seeded twice, so that a baseline takes the highest legal
    vertex without own tokens; where there is none, the highest legal one. The
    opponent's tokens count for nothing, since these methods know no opponent.

    >>> import topple
    >>> position = topple.load("spread-it", board="karate").start()
    >>> {each.name: position.game.move_text(each.choice) for each in all_baselines(position, 1)}
    {'degree': '34', 'pagerank': '34', 'betweenness': '1', 'greedy': '34'}
    """
    board, seeds = position.game.board, seeds_of(position)
    values = {
        DEGREE: [float(degree) for degree in board.degrees],
        PAGERANK: centralities(board, PAGERANK),
        BETWEENNESS: betweenness(board),
        GREEDY: added_spread(position.game, seeds, n_draws, seed),
    }
    legal = position.legal_moves()
    return [
        Scores(name, tuple(found), highest(found, legal, seeds)) for name, found in values.items()
    ]


def seeds_of(position: Position) -> frozenset[int]:
    """The vertices that the player to move has tokens on, or owns."""
    player = position.player
    return frozenset(
        vertex
        for vertex, cell in enumerate(position.contents())
        if cell.owner == player or (cell.owner is None and cell.counts[player] > 0)
    )


def highest(values: Sequence[float], legal: Sequence[int], seeds: Collection[int]) -> int:
    """The legal vertex with the highest value that is no seed yet, if there is one.

    Of equals the one with the lower number.

    >>> highest([3.0, 5.0, 5.0], [0, 1, 2], {1}), highest([3.0, 5.0], [0, 1], {0, 1})
    (2, 1)
    """
    free = [vertex for vertex in legal if vertex not in seeds] or list(legal)
    return max(free, key=lambda vertex: (values[vertex], -vertex))


def is_sampled(board: Board) -> bool:
    """Whether betweenness is estimated, because the board is large."""
    return board.n_vertices * board.n_edges > MOST_WORK


def betweenness(board: Board) -> list[float]:
    """How many shortest paths lead through each vertex; on large boards a sample of them."""
    if not is_sampled(board):
        return centralities(board, BETWEENNESS)
    return centralities(board, BETWEENNESS, k=min(PIVOTS, board.n_vertices), seed=1)


def added_spread(game: Game, seeds: Collection[int], n_draws: int, seed: int) -> list[float]:
    """How many more vertices each would win as one more seed, on average over the draws.

    >>> import topple
    >>> star = topple.load("spread-it", board="star:5", tokens=1)
    >>> added_spread(star, [], 100, 1)[0]  # every leaf follows the middle
    5.0
    """
    board = game.board
    marks = np.zeros(board.n_vertices, dtype=np.int64)
    marks[list(seeds)] = 1
    won: Ints = np.zeros(board.n_vertices, dtype=np.int64)
    game.run(count_won, *_arguments(board, marks, n_draws, seed), won)
    return [float(each) for each in won / n_draws]


def _arguments(board: Board, marks: Ints, n_draws: int, seed: int) -> tuple[object, ...]:
    room = [np.zeros(board.n_vertices, dtype=np.int64) for _ in range(4)]
    start, neighbours = board.successor_start, board.successors
    return start, neighbours, marks, n_draws, make_rng(seed), *room


def _small_case(game: Game) -> tuple[object, ...]:
    nobody = np.zeros(game.board.n_vertices, dtype=np.int64)
    return *_arguments(game.board, nobody, 1, 0), nobody.copy()


can_be_warmed(count_won, _small_case)
