"""Sums of segments solved exactly: section 4 of the INFLUENCE paper (004_5138168074a2dbdc.txt).

A segment is a path on which L and R alternate and every arc goes from L to R (Definition 16). Here
it is one number, its length and its kind (Definition 18) together: an even segment is its length;
an odd one is its length if it has one L more (C_+), and minus its length if it has one R more
(C_-). 1 and -1 are single vertices. A sum of segments is a sorted tuple of such numbers.

The scores are found twice: by plain recursion, which knows nothing but the rules, and by a search
that uses what section 3 and Remark 17 prove. The search takes neither Proposition 19 nor Theorem
20 for granted, so that both can be checked with it. Rs(G) = -Ls(-G) leaves only Ls to be found.
"""

from bisect import insort
from collections.abc import Iterable, Iterator
from functools import cache

Sum = tuple[int, ...]
Move = tuple[int, Sum]  # the points that Left gains, and what remains of the segment


def read_sum(text: str) -> Sum:
    """5p+4 or segment:5p+4 as a sum: p is for C_+, an odd length without it is C_-."""
    parts = text.removeprefix("segment:").split("+")
    return tuple(sorted(read_segment(part) for part in parts))


def read_segment(text: str) -> int:
    """Definition 18: the length, with a minus sign for C_-."""
    length = int(text.removesuffix("p"))
    return length if length % 2 == 0 or text.endswith("p") else -length


def write_sum(pieces: Iterable[int]) -> str:
    """The text that `read_sum` reads, which is also the name of a board."""
    marks = [f"{abs(piece)}{'p' if piece % 2 == 1 and piece > 0 else ''}" for piece in pieces]
    return "segment:" + "+".join(marks)


def n_vertices(pieces: Iterable[int]) -> int:
    """|V(G)|."""
    return sum(abs(piece) for piece in pieces)


def opposite(piece: int) -> int:
    """Corollary 15: -H has L and R exchanged and its arcs turned; an even H is its own -H."""
    return piece if piece % 2 == 0 else -piece


def negative(pieces: Iterable[int]) -> Sum:
    """Corollary 15: the negative of a sum."""
    return tuple(sorted(opposite(piece) for piece in pieces))


def moves(piece: int) -> Iterator[Move]:
    """Section 2.1: Left takes an L vertex with its neighbours, for each L vertex in turn.

    Where a vertex remains on one side, the first of that side's remainder is L, since the
    neighbour that was taken is R: the remainder is even, or of C_+, or a single L vertex.
    """
    length = abs(piece)
    first = 1 if piece < 0 else 0  # C_- begins with R
    for vertex in range(first, length, 2):
        sides = (vertex, length - 1 - vertex)
        taken = 1 + sum(side > 0 for side in sides)
        yield taken, tuple(sorted(side - 1 for side in sides if side > 1))


# -- plain recursion ---------------------------------------------------------------------------


@cache
def plain_left_score(pieces: Sum) -> int:
    """Remark 4: Ls(G) by the rules alone; nothing is cancelled, and no move is left out."""
    if all(piece == -1 for piece in pieces):
        return -len(pieces)  # no L vertex is left: Right takes the rest
    return max(
        gain - plain_left_score(negative(others + remainder))
        for piece, others in choices(pieces)
        for gain, remainder in moves(piece)
    )


def plain_right_score(pieces: Sum) -> int:
    """Section 3.2: Rs(G) = -Ls(-G)."""
    return -plain_left_score(negative(pieces))


def choices(pieces: Sum) -> Iterator[tuple[int, Sum]]:
    """Each segment of the sum, equal ones once, and the sum of the others."""
    for index, piece in enumerate(pieces):
        if index == 0 or piece != pieces[index - 1]:
            yield piece, pieces[:index] + pieces[index + 1 :]


# -- what section 3 and Remark 17 save ---------------------------------------------------------


def add(pieces: list[int], piece: int) -> None:
    """Corollary 15: put a segment into the sorted list, or remove the opposite it cancels with."""
    if opposite(piece) in pieces:
        pieces.remove(opposite(piece))
    else:
        insort(pieces, piece)


def reduced(pieces: Iterable[int]) -> tuple[Sum, int]:
    """The sum with opposites cancelled, and its single vertices as points (section 2.2)."""
    segments: list[int] = []
    points = 0
    for piece in pieces:
        if abs(piece) == 1:
            points += piece
        else:
            add(segments, piece)
    return tuple(segments), points


@cache
def useful_moves(piece: int) -> tuple[Move, ...]:
    """The k-moves of section 4.1: forced vertices go to Left, 2-moves only on 2 (Remark 17).

    What remains is given as its negative, for Right's reply is Left's move there.
    """
    found = set()
    for taken, remainder in moves(piece):
        k = taken + remainder.count(1)
        if k > 2 or piece == 2:
            found.add((k, negative(part for part in remainder if part > 1)))
    return tuple(found)


class SegmentSolver:
    """Null-window search for Ls with a table of bounds, which all questions share."""

    def __init__(self) -> None:
        self.bounds: dict[Sum, tuple[int, int]] = {(): (0, 0)}
        self.settled = 1  # single segments up to this length have exact bounds

    def left_score(self, pieces: Iterable[int]) -> int:
        """Definition 2: Ls(G)."""
        position, points = reduced(pieces)
        self.settle_segments(max(map(abs, position), default=0))
        return points + self.search(position)

    def right_score(self, pieces: Iterable[int]) -> int:
        """Section 3.2: Rs(G) = -Ls(-G)."""
        return -self.left_score(negative(pieces))

    def settle_segments(self, longest: int) -> None:
        """Solve the single segments first: the bounds of sums are made of theirs."""
        for length in range(self.settled + 1, longest + 1):
            for piece in {length, opposite(length)}:
                self.search((piece,))
            self.settled = length

    def search(self, position: Sum) -> int:
        """Ask "is Ls >= t?" with t going up or down until the bounds meet."""
        low, high = self.bounds_of(position)
        t = 2
        while low < high:
            t = min(max(t, low + 1), high)
            t += 2 if self.at_least(position, t) else -2
            low, high = self.bounds[position]
        return low

    def at_least(self, position: Sum, t: int) -> bool:
        """Whether Ls(position) >= t; the answer is kept as a bound."""
        low, high = self.bounds_of(position)
        t += (t - low) % 2  # Lemma 5: Ls has the parity of |V|
        if low < t <= high:
            if self.some_move_reaches(position, t):
                low = t
            else:
                high = t - 2
            self.bounds[position] = (low, high)
        return low >= t

    def some_move_reaches(self, position: Sum, t: int) -> bool:
        """Whether gain - Ls(reply) >= t for some move: first by known bounds, then by search."""
        open_moves = []
        for reply, gain in replies(position).items():
            low, high = self.bounds_of(reply)
            if gain - high >= t:
                return True
            if gain - low >= t:
                open_moves.append((-gain, len(reply), reply))  # largest gain, fewest segments
        open_moves.sort()
        return any(not self.at_least(reply, 1 - t - loss) for loss, _, reply in open_moves)

    def bounds_of(self, position: Sum) -> tuple[int, int]:
        """What is known of Ls(position)."""
        if position not in self.bounds:
            self.bounds[position] = self.first_bounds(position)
        return self.bounds[position]

    def first_bounds(self, position: Sum) -> tuple[int, int]:
        """Corollary 14: one segment's Ls and the others' Rs <= Ls(sum) <= all the segments' Ls."""
        if len(position) == 1:
            return -abs(position[0]), abs(position[0])
        lows, highs = zip(*(self.bounds_of((piece,)) for piece in position), strict=True)
        # Section 3.2: Rs(G) = -Ls(-G).
        right_lows = [-self.bounds_of((opposite(piece),))[1] for piece in position]
        best_first = max(low - right for low, right in zip(lows, right_lows, strict=True))
        return sum(right_lows) + best_first, sum(highs)


def replies(position: Sum) -> dict[Sum, int]:
    """The reduced negatives of all that Left can leave, each with the most that it gains."""
    gains: dict[Sum, int] = {}
    for piece, others in choices(position):
        negated = negative(others)
        for gain, remainder in useful_moves(piece):
            left = list(negated)
            for part in remainder:
                add(left, part)
            reply = tuple(left)
            if gains.get(reply, 0) < gain:
                gains[reply] = gain
    return gains
