"""Random networks to learn on, a new one for each game.

The Spread-It paper learned on random synthetic graphs of 15 to 25 vertices. Its
own networks are of three classes, with about two to three edges per vertex; it does
not say on which of them it learned. Here the class, the number of vertices and the
density are drawn with equal chances.
"""

from collections.abc import Iterator
from random import Random

from topple.boards import Board
from topple.boards.kinds.random_networks import barabasi_albert, erdos_renyi, watts_strogatz

CLASSES = ("ba", "ws", "er")
LEAST, MOST = 15, 25  # vertices
DENSITIES = (2, 3)  # edges per vertex, approximately
REDIRECTED = 0.1  # the share of redirected edges in a small world: the default of `ws`
NETWORKS = f"networks of {LEAST} to {MOST} vertices"
MOST_SEED = 1_000_000_000


def networks(seed: int) -> Iterator[Board]:
    """An endless sequence of networks, the same for the same seed.

    >>> from itertools import islice
    >>> [board.spec for board in islice(networks(1), 2)]
    ['...:n=...,seed=...', '...:n=...,seed=...']
    """
    source = Random(seed)
    while True:
        yield draw_network(source)


def draw_network(source: Random, least: int = LEAST, most: int = MOST) -> Board:
    """Draw a connected random network of `least` to `most` vertices."""
    kind, n = source.choice(CLASSES), source.randint(least, most)
    density, seed = source.choice(DENSITIES), source.randrange(MOST_SEED)
    if kind == "ba":
        return barabasi_albert(n, density, 0.0, seed)
    if kind == "ws":
        return watts_strogatz(n, 2 * density, REDIRECTED, seed)
    return erdos_renyi(n, None, density * n, seed)
