"""Pieces, which are alternated paths and cycles: their numbers, moves and bounds.

Single vertices are points and never pieces. A segment of even length is its own negative, and
so are rings and the segments of three vertices, of which the first mover takes all three. An
odd segment with L at its ends (C₊) is the negative of the one with R at its ends (C₋). A piece
and its negative cancel (Corollary 15), so that no sum contains both.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NOTHING = 0  # no piece
PLUS, MINUS, RING = range(3)  # kinds: C₊ or even, C₋, a ring
SHORTEST_RING, TAKEN_FROM_RING = 4, 3
LARGEST_SCORE = 5  # of one segment or ring, by Theorem 20 and Corollary 24
SELF_NEGATIVE = 3  # the odd length at which C₊ and C₋ are the same game

UNIT = 8  # walls are counted in eighths of a point
HEATS = 5 * UNIT + 1  # taxes of 0, 1/8 … 5 points a move
USED_HEATS = (0, 2 * UNIT, 4 * UNIT)  # the taxes at which sums are bounded
# Last index of `walls`: the lower bound of R, the upper bound of L, by how much L is at least
# above the first, and by how much R is at most below the second.
RIGHT_LEAST, LEFT_MOST, ABOVE_LEAST, BELOW_MOST = range(4)

GOLDEN = 0x9E3779B97F4A7C15
WORD = (1 << 64) - 1


class Pieces(NamedTuple):
    """All pieces for the kernels. A piece's index is its `code`."""

    size: NDArray[np.int32]  # vertices
    negative: NDArray[np.int32]
    words: NDArray[np.uint64]  # the key of a sum is the sum of its pieces' words
    checks: NDArray[np.uint64]  # a second, independent hash
    move_start: NDArray[np.int32]  # index of Left's first move that is not dominated
    move_count: NDArray[np.int32]
    move_gain: NDArray[np.int32]  # points that Left takes or is certain to get
    move_first: NDArray[np.int32]  # what the move leaves, as codes or NOTHING
    move_second: NDArray[np.int32]
    walls: NDArray[np.int32]  # shape (codes, 3, 4): bounds at USED_HEATS


class Thermographs(NamedTuple):
    """Bounds of every piece's walls in eighths, each of shape (codes, HEATS)."""

    left_least: NDArray[np.int32]
    left_most: NDArray[np.int32]
    right_least: NDArray[np.int32]
    right_most: NDArray[np.int32]
    scaffold: NDArray[np.int32]  # shape (6, HEATS): scratch space


class Remains(NamedTuple):
    """The effect of a move on a piece: points for the mover, and the lengths that remain."""

    gain: int  # including single vertices that remain, which the mover gets
    first: int  # 0 if nothing remains; never more than `second`
    second: int


def segment_code(length: int, minus: bool = False) -> int:
    """The code of a segment of at least two vertices; `minus` for C₋ if the length is odd.

    >>> segment_code(8), segment_code(5), segment_code(5, minus=True), segment_code(3, minus=True)
    (16, 10, 11, 6)
    """
    return 2 * length + (minus and length % 2 == 1 and length != SELF_NEGATIVE)


def ring_code(length: int, longest: int) -> int:
    """The code of a ring, if the longest piece has `longest` vertices."""
    return 2 * (longest + 1) + length


def negative_code(code: int, longest: int) -> int:
    """The code of a piece's negative."""
    length = code // 2
    is_ring = code >= 2 * (longest + 1)
    return code if is_ring or length % 2 == 0 or length == SELF_NEGATIVE else code ^ 1


def take(before: int, behind: int) -> Remains:
    """The effect of taking a vertex that has so many vertices of the segment on either side.

    Its neighbours are taken with it, and the mover is certain to get a single vertex that
    remains beyond a neighbour (section 4.1 of the paper).

    >>> take(0, 3), take(2, 5)
    (Remains(gain=2, first=0, second=2), Remains(gain=4, first=0, second=4))
    """
    gain = 1
    left = [0, 0]
    for side, n in enumerate((before, behind)):
        gain += n if n <= 2 else 1
        left[side] = n - 1 if n > 2 else 0
    return Remains(gain, min(left), max(left))


def take_from_ring(length: int) -> Remains:
    """The effect of a move on a ring: the mover owns both ends of the remaining segment.

    >>> take_from_ring(4), take_from_ring(12)
    (Remains(gain=4, first=0, second=0), Remains(gain=3, first=0, second=9))
    """
    left = length - TAKEN_FROM_RING
    return Remains(length, 0, 0) if left == 1 else Remains(TAKEN_FROM_RING, 0, left)


def left_moves(length: int, minus: bool) -> list[Remains]:
    """Left's moves on a segment that may be best: large gains first, then even cuts.

    A move that gains two points is dominated unless the segment has two vertices (Remark 17).
    """
    first = 1 if minus or length == SELF_NEGATIVE else 0  # of the L vertices
    found = {take(vertex, length - 1 - vertex) for vertex in range(first, length, 2)}
    useful = [each for each in found if each.gain > 2 or length == 2]
    return sorted(useful, key=lambda each: (-each.gain, each.second - each.first))


def make_pieces(longest: int) -> Pieces:
    """All pieces of up to `longest` vertices with their moves, but without their walls."""
    n_codes = 3 * (longest + 1)
    moves: list[list[Remains]] = [[] for _ in range(n_codes)]
    size = np.zeros(n_codes, dtype=np.int32)
    words, checks = np.zeros((2, n_codes), dtype=np.uint64)
    for length in range(2, longest + 1):
        for kind, code in _codes(length, longest).items():
            size[code] = length
            words[code] = mixed(3 * length + kind)
            checks[code] = mixed(GOLDEN ^ (3 * length + kind))
            is_ring = kind == RING
            moves[code] = [take_from_ring(length)] if is_ring else left_moves(length, kind == MINUS)
    count = np.array([len(each) for each in moves], dtype=np.int32)
    flat = [move for each in moves for move in each]
    return Pieces(
        size=size,
        negative=np.array([negative_code(c, longest) for c in range(n_codes)], dtype=np.int32),
        words=words,
        checks=checks,
        move_start=(np.cumsum(count) - count).astype(np.int32),
        move_count=count,
        move_gain=np.array([move.gain for move in flat], dtype=np.int32),
        move_first=np.array([_remainder(move.first) for move in flat], dtype=np.int32),
        move_second=np.array([_remainder(move.second) for move in flat], dtype=np.int32),
        walls=np.zeros((n_codes, len(USED_HEATS), 4), dtype=np.int32),
    )


def make_thermographs(pieces: Pieces, *, trusting: bool) -> Thermographs:
    """The widest bounds of all pieces' walls, which are also written into `pieces.walls`.

    Nobody leads by more than the number of vertices of a piece or, if `trusting`, by more
    than Theorem 20 and Corollary 24 allow.
    """
    bound = UNIT * pieces.size
    if trusting:
        bound = np.minimum(bound, UNIT * LARGEST_SCORE)
    pieces.walls[:, :, LEFT_MOST] = bound[:, None]
    pieces.walls[:, :, RIGHT_LEAST] = -bound[:, None]

    def at_all_heats(values: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.repeat(values[:, None], HEATS, axis=1)

    return Thermographs(
        at_all_heats(-bound),
        at_all_heats(bound),
        at_all_heats(-bound),
        at_all_heats(bound),
        scaffold=np.zeros((6, HEATS), dtype=np.int32),
    )


def _codes(length: int, longest: int) -> dict[int, int]:
    """The codes of the pieces of a length, by kind."""
    codes = {PLUS: segment_code(length)}
    if segment_code(length, minus=True) != codes[PLUS]:
        codes[MINUS] = segment_code(length, minus=True)
    if length % 2 == 0 and length >= SHORTEST_RING:
        codes[RING] = ring_code(length, longest)
    return codes


def _remainder(length: int) -> int:
    """The code of what Left's move leaves: a segment with L at one or both of its ends."""
    return segment_code(length) if length else NOTHING


def mixed(word: int) -> int:
    """Hash a number to 64 bits with the last step of splitmix64.

    >>> mixed(1) != mixed(2)
    True
    """
    word = (word + 1) * GOLDEN & WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31
