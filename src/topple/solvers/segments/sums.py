"""A position as a sum of pieces, seen by the player to move."""

from functools import cached_property
from typing import NamedTuple

from topple.game.position import Position
from topple.rules.influence import POINTS
from topple.solvers.segments.layout import Chain, remains, what_is_left
from topple.solvers.segments.pieces import (
    LARGEST_SCORE,
    TAKEN_FROM_RING,
    Remains,
    ring_code,
    segment_code,
)
from topple.solvers.segments.prover import MOST_VERTICES, Prover, Sum
from topple.solvers.solution import Bounds

SINGLE = 0  # the code of a single vertex, which is no piece
PASS = Remains(0, 0, 0)  # what taking a single vertex does: it was counted already


class Choice(NamedTuple):
    """A kind of move: all moves that gain the same and leave the same."""

    gain: int
    rest: Sum


class SumSeen:
    """What is there in a position, as a sum in which the player to move is Left."""

    def __init__(self, prover: Prover, chains: list[Chain], position: Position) -> None:
        self.prover = prover
        self.position = position
        self.parts = what_is_left(chains, position)
        own, other = (int(points) for points in position.state[POINTS : POINTS + 2])
        self.taken = own - other if position.player == 0 else other - own
        singles = (part.vertices[0] for part in self.parts if len(part.vertices) == 1)
        self.singles = sum(1 if self._is_own(vertex) else -1 for vertex in singles)

    def _is_own(self, vertex: int) -> bool:
        return bool(self.position.game.tables.labels[vertex] == self.position.player)

    @property
    def points(self) -> int:
        """What the player leads by for sure: points taken, and single vertices."""
        return self.taken + self.singles

    @property
    def n_vertices(self) -> int:
        """How many are there."""
        return sum(len(part.vertices) for part in self.parts)

    @property
    def n_in_pieces(self) -> int:
        """How many of them are in pieces; single ones are points."""
        return sum(len(part.vertices) for part in self.parts if len(part.vertices) > 1)

    @property
    def is_vast(self) -> bool:
        """Whether so much is there that nothing but theorems is known of it."""
        return self.n_in_pieces > MOST_VERTICES

    @cached_property
    def hardest(self) -> int:
        """The vertices of the largest sum that a question is about: this one, or after a move."""
        sums = [self.sum, *(choice.rest for choice in self.choices.values())]
        return max(self.prover.size(each) for each in sums)

    @cached_property
    def codes(self) -> list[int]:
        """The code of each part."""
        return [self._code(part) for part in self.parts]

    def _code(self, part: Chain) -> int:
        n = len(part.vertices)
        if part.is_ring:
            return ring_code(n, self.prover.longest)
        return segment_code(n, minus=not self._is_own(part.vertices[0])) if n > 1 else SINGLE

    @cached_property
    def sum(self) -> Sum:
        """The pieces, pairs cancelled."""
        return self.prover.reduced(code for code in self.codes if code != SINGLE)

    @cached_property
    def needs(self) -> int:
        """The length up to which single segments are settled first."""
        return max(
            (len(part.vertices) - (TAKEN_FROM_RING if part.is_ring else 0) for part in self.parts),
            default=1,
        )

    @cached_property
    def choices(self) -> dict[int, Choice]:
        """The kind of every legal move, by its vertex."""
        found: dict[int, Choice] = {}
        known: dict[tuple[int, Remains], Choice] = {}
        for part, code in zip(self.parts, self.codes, strict=True):
            for place, vertex in enumerate(part.vertices):
                if not self._is_own(vertex):
                    continue
                left = PASS if code == SINGLE else remains(part, place)
                if (code, left) not in known:
                    known[code, left] = self._choice(code, left)
                found[vertex] = known[code, left]
        return dict(sorted(found.items()))

    def _choice(self, code: int, left: Remains) -> Choice:
        rest = [each for each in self.codes if each != SINGLE]
        if code != SINGLE:
            rest.remove(code)
        rest += [segment_code(n) for n in (left.first, left.second) if n]
        return Choice(left.gain, self.prover.reduced(rest))

    def vast_bounds(self) -> tuple[Bounds, Bounds]:
        """Bounds of Ls and Rs of a vast sum: those of its pieces by Theorem 20, added up."""
        n = sum(len(part.vertices) > 1 for part in self.parts)
        parity = (self.n_vertices + self.singles) % 2
        best, rest = LARGEST_SCORE * n, LARGEST_SCORE * (n - 1)
        best, rest = best - (best + parity) % 2, rest - (rest + parity) % 2
        return Bounds(-rest, best), Bounds(-best, rest)
