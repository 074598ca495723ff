"""Boards that grow: vertices join one after the other and prefer those of high degree."""

from topple.boards.board import Board, Later, check_networks, make_board
from topple.boards.kinds.random_networks import barabasi_albert
from topple.core.errors import BadText
from topple.core.spec import format_spec


def growing_board(n: int, m: int, first: int, every: int, step: int, seed: int) -> Board:
    """Let a network of Barabási and Albert grow while it is played on.

    All vertices are there from the start; those that have not joined yet have no edges. At
    last the network is that of `ba:n=…,m=…,seed=…`.

    Parameters
    ----------
    n
        The number of vertices.
    m
        The number of edges that each new vertex brings.
    first
        The number of vertices that have joined from the start.
    every
        The number of plies between two changes.
    step
        The number of vertices that join at each change.
    seed
        Fixes the network.

    Raises
    ------
    BadText
        If `first` is not above m, or not below n.
    BadBoard
        If the networks are too many or too large.

    Examples
    --------
    >>> board = growing_board(n=24, m=3, first=8, every=2, step=4, seed=1)
    >>> [(network.ply, len(network.successors) // 2) for network in board.networks]
    [(0, 15), (2, 27), (4, 39), (6, 51), (8, 63)]
    """
    if not m < first < n:
        raise BadText(f"first={first} must be above m={m} and below n={n}")
    n_changes = -(-(n - first) // step)
    joined = [min(first + step * change, n) for change in range(n_changes + 1)]
    check_networks(n, [m * (count - m) for count in joined])
    whole = barabasi_albert(n, m, 0, seed)
    # A vertex joins with the edges to those before it.
    networks = [
        Later(
            every * change,
            [[u for u in whole.neighbours(v) if u < count] if v < count else [] for v in range(n)],
        )
        for change, count in enumerate(joined)
    ]
    options = {"n": n, "m": m, "first": first, "every": every, "step": step, "seed": seed}
    return make_board(
        format_spec("growth", (), options),
        networks[0].neighbours,
        structural=False,
        stages=networks[1:],
    )
