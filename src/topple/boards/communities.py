"""Communities of a board: their sizes, and how much denser they are than chance."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.core.errors import BadBoard


def community_sizes(board: Board) -> dict[str, int]:
    """The number of vertices of each community, in the order in which they first appear.

    >>> from topple.boards import load_board
    >>> community_sizes(load_board("sbm:n=24,communities=3,seed=1"))
    {'1': 8, '2': 8, '3': 8}
    """
    return dict(Counter(board.communities))


def modularity(board: Board, network: int = 0) -> float:
    """How many more edges lie within the communities than chance would put there.

    It is the share of edges within communities, less the share expected if each vertex kept
    its degree and its edges went anywhere: the sum over communities of e/m − (d/2m)², where m is
    the number of edges, e of those within the community, and d the sum of its degrees. On a
    directed board (d/2m)² is (out-degrees)·(in-degrees)/m². Weights and probabilities do
    not count.

    Parameters
    ----------
    board
        A board with communities.
    network
        Which of its networks, if the board changes.

    Raises
    ------
    BadBoard
        If the board has no communities, or the network no edges.

    References
    ----------
    Newman and Girvan, Finding and evaluating community structure in networks, 2004; Leicht and
    Newman, Community structure in directed networks, 2008.

    Examples
    --------
    >>> from topple.boards import load_board
    >>> round(modularity(load_board("sbm:n=24,communities=3,p_in=1,p_out=0.02,seed=1")), 3)
    0.632
    """
    if not board.communities:
        raise BadBoard(f"{board.spec} has no communities")
    chosen = board.networks[network]
    n_arcs = len(chosen.successors)
    if not n_arcs:
        raise BadBoard(f"{board.spec} has no edges at ply {chosen.ply:,}")
    # On an undirected network each edge is two arcs, and both formulas are the same.
    numbers = _numbers(board.communities)
    tails = np.repeat(numbers, np.diff(chosen.successor_start))
    heads = numbers[chosen.successors]
    n = int(numbers.max()) + 1
    sent, received = np.bincount(tails, minlength=n), np.bincount(heads, minlength=n)
    expected = float((sent.astype(float) * received).sum()) / n_arcs**2
    return float((tails == heads).mean()) - expected


def _numbers(communities: Sequence[str]) -> NDArray[np.int64]:
    """The communities numbered from 0."""
    number: dict[str, int] = {}
    return np.array([number.setdefault(name, len(number)) for name in communities])
