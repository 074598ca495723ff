"""Alternated directed paths and cycles, the segments of the INFLUENCE paper."""

import re

import numpy as np

from topple.boards.board import Board, check_size, make_board
from topple.boards.kinds.shapes import ring_places
from topple.core.errors import BadText

_SEGMENT = re.compile(r"([0-9]{1,7})(p?)")
LINE_GAP = 2.0  # from one segment of a sum down to the next


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
        _successors([length for length, _ in segments], sides),
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


def _successors(lengths: list[int], sides: str) -> list[list[int]]:
    successors: list[list[int]] = []
    for length in lengths:
        start = len(successors)
        end = start + length
        successors += [
            [u for u in (v - 1, v + 1) if start <= u < end] if sides[v] == "L" else []
            for v in range(start, end)
        ]
    return successors
