"""Boards for INFLUENCE: alternated directed paths and cycles, and oriented trees."""

import re

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board, check_size, make_board
from topple.boards.kinds.shapes import ring_places
from topple.core.errors import BadText

_SEGMENT = re.compile(r"([0-9]{1,7})(p?)")
LINE_GAP = 2.0  # between the rows of a sum of segments


def segment_board(lengths: str) -> Board:
    """Build a segment, or a sum of segments, for the game INFLUENCE.

    A segment is a path on which L and R vertices alternate, and every arc
    leads from an L vertex to an R vertex.

    Parameters
    ----------
    lengths
        Numbers of vertices joined by +. A segment of odd length has one more
        R than L (class C₋); with the suffix p it has one more L (class C₊).

    Raises
    ------
    BadText
        If the lengths cannot be read, or p follows an even length.
    BadBoard
        If there are more than `MAX_VERTICES` vertices.

    References
    ----------
    Definitions 16 and 18 of the INFLUENCE paper.

    Examples
    --------
    >>> board = segment_board("5+3p")
    >>> board.sides
    'RLRLRLRL'
    >>> board.edges()
    [(1, 0), (1, 2), (3, 2), (3, 4), (5, 6), (7, 6)]
    """
    segments = [_read_segment(part.strip()) for part in lengths.split("+")]
    check_size(sum(length for length, _ in segments), 0)
    sides = "".join(_alternate(length, first) for length, first in segments)
    return make_board(
        "segment:" + "+".join(_segment_text(*segment) for segment in segments),
        _segment_successors([length for length, _ in segments], sides),
        directed=True,
        sides=sides,
        places=np.array(
            [(x, LINE_GAP * y) for y, (length, _) in enumerate(segments) for x in range(length)],
            dtype=np.float64,
        ),
    )


def ring_board(n: int) -> Board:
    """Build an alternated directed cycle, for the game INFLUENCE.

    Parameters
    ----------
    n
        The number of vertices, even and at least 4.

    Raises
    ------
    BadText
        If n is odd: L and R could not alternate.

    References
    ----------
    The class of cycles in Definition 16 of the INFLUENCE paper.

    Examples
    --------
    >>> ring_board(4).edges()
    [(1, 0), (1, 2), (3, 0), (3, 2)]
    """
    if n % 2:
        raise BadText(f"ring:{n} is odd: L and R alternate, so write an even number")
    check_size(n, n)
    successors = [sorted([v - 1, (v + 1) % n]) if v % 2 else [] for v in range(n)]
    sides = _alternate(n, "R")
    return make_board(f"ring:{n}", successors, directed=True, sides=sides, places=ring_places(n))


def _read_segment(text: str) -> tuple[int, str]:
    """Read one length as (number of vertices, side of the first vertex)."""
    found = _SEGMENT.fullmatch(text)
    if found is None or int(found[1]) < 1:
        raise BadText(f"segment length {text!r} cannot be read: write for example 17 or 10+5p")
    length, plus = int(found[1]), found[2]
    if plus and length % 2 == 0:
        raise BadText(f"segment length {text!r}: p is for odd lengths, which have one L more")
    # The paper's odd integers are R, and labels run from 1.
    return length, "L" if plus else "R"


def _segment_text(length: int, first: str) -> str:
    return f"{length}p" if first == "L" else f"{length}"


def _alternate(length: int, first: str) -> str:
    pair = "LR" if first == "L" else "RL"
    return (pair * (length // 2 + 1))[:length]


def _segment_successors(lengths: list[int], sides: str) -> list[list[int]]:
    successors: list[list[int]] = []
    for length in lengths:
        start = len(successors)
        end = start + length
        successors += [
            [u for u in (v - 1, v + 1) if start <= u < end] if sides[v] == "L" else []
            for v in range(start, end)
        ]
    return successors


def tree_board(n: int, c: int, copies: int) -> Board:
    """Build the oriented tree of depth n + 1, once or more often.

    Vertices of levels 0 … n−1 have 3 successors, those of level n have c;
    the leaves are R, all others L.

    Parameters
    ----------
    n, c
        As in the paper's T_n^c.
    copies
        The number of trees; two make the paper's J_n^c.

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
    successors = _tree_successors(n, c)
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


def _tree_successors(n: int, c: int) -> list[list[int]]:
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
    """Leaves one unit apart on the lowest level, every other vertex centred above its own."""
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
