"""The oriented trees of the INFLUENCE paper, on which few L vertices win much."""

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board, check_size, make_board


def tree_board(n: int, c: int, copies: int) -> Board:
    """Build the oriented tree of depth n + 1, once or more often.

    Vertices of levels 0 … n−1 have 3 successors, those of level n have c;
    the leaves are R, all others L.

    Parameters
    ----------
    n, c
        As in the paper's T_n^c.
    copies
        How many trees stand side by side; two make the paper's J_n^c.

    Raises
    ------
    BadBoard
        If there are more than `MAX_VERTICES` vertices.

    References
    ----------
    Section 5.1 of the INFLUENCE paper.

    Examples
    --------
    >>> board = tree_board(n=1, c=2, copies=1)
    >>> board.n_vertices, board.sides
    (10, 'LLLLRRRRRR')
    >>> board.neighbours(0), board.neighbours(1)
    ([1, 2, 3], [4, 5])
    """
    size = (3 ** (n + 1) - 1) // 2 + c * 3**n
    check_size(size * copies, (size - 1) * copies)
    n_leaves = c * 3**n
    successors = _successors(n, c)
    places = _tree_places(n, c)
    beside = np.zeros((copies, 1, 2))
    beside[:, 0, 0] = np.arange(copies) * (n_leaves + 1)
    return make_board(
        f"tree:n={n},c={c},copies={copies}",
        [[copy * size + v for v in each] for copy in range(copies) for each in successors],
        directed=True,
        sides=("L" * (size - n_leaves) + "R" * n_leaves) * copies,
        places=(places + beside).reshape(-1, 2),
    )


def _successors(n: int, c: int) -> list[list[int]]:
    """The successors of each vertex of one tree, level by level."""
    successors: list[list[int]] = []
    following = 1
    for level in range(n + 1):
        children = 3 if level < n else c
        for _ in range(3**level):
            successors.append(list(range(following, following + children)))
            following += children
    return successors + [[] for _ in range(c * 3**n)]


def _tree_places(n: int, c: int) -> NDArray[np.float64]:
    """Leaves one unit apart on the lowest level, every other vertex above its own."""
    n_leaves = c * 3**n
    # A tree is far wider than deep: this keeps it about three times as wide as high.
    drop = max(1.5, n_leaves / (3.0 * (n + 1)))
    levels = [3**level for level in range(n + 1)] + [n_leaves]
    return np.concatenate(
        [
            np.column_stack(
                [(np.arange(k) + 0.5) * n_leaves / k - 0.5, np.full(k, level * drop)],
            )
            for level, k in enumerate(levels)
        ]
    )
