"""Scores of sums of INFLUENCE's segments, as computations ask for them."""

from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple, TypeVar

from topple.core.errors import Unsupported
from topple.game.game import load
from topple.papers.engine.computations.repeats import Told, say_nothing
from topple.solvers.segments.pieces import ring_code, segment_code
from topple.solvers.segments.prover import Inquiry, MemoryFull, Prover
from topple.solvers.solver import MEMORY

PART = 1 << 20  # positions between two looks at how far it is

Found = TypeVar("Found")


class Segment(NamedTuple):
    """A segment; of odd length it is of C₊ or else of C₋, of even length `is_plus` is False.

    >>> str(Segment(17)), str(Segment(5, is_plus=True))
    ('17', '5p')
    """

    length: int
    is_plus: bool = False

    def __str__(self) -> str:
        return f"{self.length}p" if self.is_plus else f"{self.length}"


def sum_text(segments: Iterable[Segment]) -> str:
    """A sum as boards write it.

    >>> sum_text([Segment(10), Segment(17)])
    '10+17'
    """
    return "+".join(map(str, segments))


def both_kinds(length: int) -> tuple[Segment, ...]:
    """The segments of a length: one if it is even, else that of C₋ and that of C₊."""
    return (Segment(length), Segment(length, is_plus=True))[: 1 + length % 2]


def even_sums(total: int, longest: int | None = None) -> Iterator[tuple[Segment, ...]]:
    """All sums of even segments with so many vertices in all, those of no vertices included.

    >>> [sum_text(each) for each in even_sums(6)]
    ['2+2+2', '4+2', '6']
    """
    if total == 0:
        yield ()
    for length in range(2, min(total, longest or total) + 1, 2):
        for rest in even_sums(total - length, length):
            yield (Segment(length), *rest)


class SumScores:
    """Ls and Rs of segments, rings and sums of segments, by exact search.

    Theorem 20 and Proposition 19 are not assumed. What search rests on is section 3
    of the paper: nobody wants to pass, and opposite segments cancel.

    Examples
    --------
    >>> scores = SumScores(longest=17, largest=27)
    >>> scores.of_sum([Segment(10), Segment(17)])
    (-1, -3)
    """

    def __init__(
        self, longest: int, largest: int, memory: int = MEMORY, report: Told = say_nothing
    ) -> None:
        self.longest, self.memory = longest, memory
        game = load("influence", "segment:2")
        self._prover = Prover(game.run, longest, memory, trusting=False)
        self._inquiry = Inquiry(self._prover, largest)
        self._settle(report)

    def _settle(self, report: Told) -> None:
        """Solve all single segments first: the bounds of sums are made of theirs."""
        while self._prover.n_settled < self.longest:
            self._finish(self._inquiry.settle_next())
            report(self._prover.n_settled, self.longest)

    def _finish(self, work: Generator[None, None, Found]) -> Found:
        while True:
            self._inquiry.granted = PART
            try:
                next(work)
            except StopIteration as ended:
                found: Found = ended.value
                return found
            except MemoryFull:
                raise Unsupported(
                    f"{self.memory} megabytes do not suffice for segments up to {self.longest}"
                ) from None

    def of_segments(self) -> list[tuple[int, int, int]]:
        """The sequence of section 4.3: n, Ls and Rs of S_1, S_2, …; an odd one is of C₋."""
        known = self._prover.scores[1 : self.longest + 1]
        return [(n, left, right) for n, (left, right) in enumerate(known, start=1)]

    def of_sum(self, segments: Iterable[Segment]) -> tuple[int, int]:
        """Ls and Rs of a sum of segments of two vertices or more."""
        codes = [segment_code(each.length, minus=not each.is_plus) for each in segments]
        return self._both(self._prover.reduced(codes))

    def of_ring(self, length: int) -> tuple[int, int]:
        """Ls and Rs of a ring."""
        return self._both((ring_code(length, self.longest),))

    def _both(self, codes: tuple[int, ...]) -> tuple[int, int]:
        left = self._finish(self._inquiry.left_score(codes))
        return left, self._finish(self._inquiry.right_score(codes))
