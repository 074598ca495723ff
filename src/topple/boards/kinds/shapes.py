"""Networks of a simple shape: path, cycle, star, complete."""

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board, check_size, make_board


def path_board(n: int) -> Board:
    """Build a path of n vertices.

    >>> path_board(4).edges()
    [(0, 1), (1, 2), (2, 3)]
    """
    check_size(n, n - 1)
    neighbours = [[u for u in (v - 1, v + 1) if 0 <= u < n] for v in range(n)]
    places = np.column_stack([np.arange(n), np.zeros(n)]).astype(np.float64)
    return make_board(f"path:{n}", neighbours, places=places)


def cycle_board(n: int) -> Board:
    """Build a cycle of n vertices.

    >>> cycle_board(3).edges()
    [(0, 1), (0, 2), (1, 2)]
    """
    check_size(n, n)
    neighbours = [sorted([(v - 1) % n, (v + 1) % n]) for v in range(n)]
    return make_board(f"cycle:{n}", neighbours, places=ring_places(n))


def star_board(n: int) -> Board:
    """Build a star of n vertices: the first in the middle, the others around it.

    >>> star_board(4).edges()
    [(0, 1), (0, 2), (0, 3)]
    """
    check_size(n, n - 1)
    neighbours = [list(range(1, n)), *([0] for _ in range(1, n))]
    places = np.concatenate([np.zeros((1, 2)), ring_places(n - 1, least_radius=1.5)])
    return make_board(f"star:{n}", neighbours, places=places)


def complete_board(n: int) -> Board:
    """Build a network of n vertices in which each is joined to every other.

    >>> complete_board(4).n_edges
    6
    """
    check_size(n, n * (n - 1) // 2)
    neighbours = [[u for u in range(n) if u != v] for v in range(n)]
    return make_board(f"complete:{n}", neighbours, places=ring_places(n, least_radius=1.5))


def ring_places(n: int, least_radius: float = 0.0) -> NDArray[np.float64]:
    """Place n vertices on a circle, clockwise from the top, one unit apart or more."""
    radius = max(least_radius, 0.5 / np.sin(np.pi / n)) if n > 1 else least_radius
    turn = 2 * np.pi * np.arange(n) / max(n, 1)
    places = radius * np.column_stack([np.sin(turn), -np.cos(turn)])
    # Sine and cosine differ in the last digit between machines; rounding removes that.
    return np.round(places, 9) + 0.0
