"""Computations of the INFLUENCE paper on segments and rings: table 1 and section 4."""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from topple.core.errors import Unsupported
from topple.game.game import load
from topple.papers.engine.computations.estimates import ReportProgress, no_report
from topple.solvers.segments.findings import conjectures, find_irregular, find_period
from topple.solvers.segments.pieces import left_moves, ring_code, segment_code
from topple.solvers.segments.prover import Inquiry, Prover
from topple.solvers.solver import MEMORY, MemoryFull

POSITIONS_PER_STEP = 1 << 20  # searched between two progress reports

Found = TypeVar("Found")


class Segment(NamedTuple):
    """A segment. One of odd length is in C₊ or C₋; for even lengths `is_plus` is False.

    >>> str(Segment(17)), str(Segment(5, is_plus=True))
    ('17', '5p')
    """

    length: int
    is_plus: bool = False

    def __str__(self) -> str:
        return f"{self.length}p" if self.is_plus else f"{self.length}"


def sum_text(segments: Iterable[Segment]) -> str:
    """A sum in the notation of boards.

    >>> sum_text([Segment(10), Segment(17)])
    '10+17'
    """
    return "+".join(map(str, segments))


def both_kinds(length: int) -> tuple[Segment, ...]:
    """The segments of a length: one if it is even, else one of C₋ and one of C₊."""
    return (Segment(length), Segment(length, is_plus=True))[: 1 + length % 2]


def even_sums(total: int, longest: int | None = None) -> Iterator[tuple[Segment, ...]]:
    """All sums of even segments with a total number of vertices; for 0, the empty sum.

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

    The search assumes neither Theorem 20 nor Proposition 19. It uses section 3 of the
    paper: passing never helps, and opposite segments cancel.

    Examples
    --------
    >>> scores = SumScores(longest=17, largest=27)
    >>> scores.of_sum([Segment(10), Segment(17)])
    (-1, -3)
    """

    def __init__(
        self, longest: int, largest: int, memory: int = MEMORY, report: ReportProgress = no_report
    ) -> None:
        self.longest, self.memory = longest, memory
        game = load("influence", "segment:2")
        self._prover = Prover(game.run, longest, memory, trusting=False)
        self._inquiry = Inquiry(self._prover, largest)
        self._settle(report)

    def _settle(self, report: ReportProgress) -> None:
        """Solve all single segments first: their scores give the bounds of sums."""
        while self._prover.n_settled < self.longest:
            self._finish(self._inquiry.settle_next())
            report(self._prover.n_settled, self.longest)

    def _finish(self, work: Generator[None, None, Found]) -> Found:
        while True:
            self._inquiry.granted = POSITIONS_PER_STEP
            try:
                next(work)
            except StopIteration as ended:
                found: Found = ended.value
                return found
            except MemoryFull:
                raise Unsupported(
                    f"{self.memory} megabytes are not enough for segments up to {self.longest}"
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


# -- single segments: table 1, Theorem 20 and section 4.3 ------------------------------------

Scored = tuple[int, int, int]  # n, Ls, Rs

PUBLISHED_LAST = 80  # the longest segment that the authors' program solved
REGULAR = (38, 76)  # the range in which they saw a period of 4
LAST_OF_FOUR = 30  # the last (4, −4) that they saw
LEAST_REPEATS = 1  # of a period, for it to count


def segments(last: int, memory: int = MEMORY, report: ReportProgress = no_report) -> dict[str, Any]:
    """Ls and Rs of the segments up to `last`, and whether the statements of section 4 hold."""
    rows = SumScores(last, last, memory, report).of_segments()
    return {
        "title": f"segments of 1 to {last} vertices",
        "axes": ["n", "score"],
        "x": [n for n, _, _ in rows],
        "series": {"Ls": [left for _, left, _ in rows], "Rs": [right for _, _, right in rows]},
        "last": last,
        "theorem_20": _theorem_20(rows),
        "sequence": _sequence(rows),
    }


def _theorem_20(rows: Sequence[Scored]) -> dict[str, Any]:
    """The values of Ls and Rs in each class; a single vertex is no segment."""
    even = [row for row in rows if row[0] % 2 == 0]
    minus = [row for row in rows if row[0] % 2 == 1 and row[0] > 1]
    plus = [(n, -right, -left) for n, left, right in minus]  # the negatives of C₋
    odd_left = [row for row in minus if row[0] // 2 % 2 == 1]  # of C₋, |L| = (n − 1)/2
    even_left = [row for row in plus if (row[0] + 1) // 2 % 2 == 0]  # of C₊, |L| = (n + 1)/2
    return {
        "even": _values(even),
        "minus": _values(minus),
        "plus": _values(plus),
        "minus_odd": _values(odd_left),
        "plus_even": _values(even_left),
        "first_wins": all(left > 0 > right for _, left, right in (*even, *minus, *plus)),
        "most": max(max(left, -right) for _, left, right in (*even, *minus)),
    }


def _values(rows: Iterable[Scored]) -> dict[str, str]:
    rows = list(rows)
    return {
        "Ls": values_text(left for _, left, _ in rows),
        "Rs": values_text(right for _, _, right in rows),
    }


def values_text(values: Iterable[int]) -> str:
    """The distinct values in increasing order, with proper minus signs.

    >>> values_text([3, -1, 1, 3])
    '−1, 1, 3'
    """
    return ", ".join(f"{value}" for value in sorted(set(values))).replace("-", "−")


def _sequence(rows: Sequence[Scored]) -> dict[str, Any]:
    """Whether the statements of section 4.3 hold, also beyond the published range."""
    scores = {n: (left, right) for n, left, right in rows}
    fours = [n for n, both in scores.items() if both == (4, -4)]
    _, conjecture_26, conjecture_27 = conjectures(rows)
    first, last = REGULAR
    return {
        "right_77": scores[77][1] if 77 in scores else "not computed",
        "period_4_to_76": last in scores
        and all(scores[n] == scores[n + 4] for n in range(first, last - 3)),
        "none_to_80": find_period(rows[:PUBLISHED_LAST], LEAST_REPEATS) is None,
        "last_four": fours[-1],
        "even_after_30": values_text(
            scores[n][0] for n in scores if n > LAST_OF_FOUR and n % 2 == 0
        ),
        "rare": ", ".join(str(n) for n in find_irregular(rows)),
        "conjecture_26": _case(conjecture_26.counterexamples),
        "conjecture_27": _case(conjecture_27.counterexamples),
        # Theorem 20 gives 3 for n = 3 mod 4; section 4.3 prints 1 mod 4.
        "as_printed": _case(
            n for n in scores if n % 4 == 1 and n not in (1, 5) and scores[n][0] != 3
        ),
        "as_proved": _case(n for n in scores if n % 4 == 3 and scores[n][0] != 3),
        **_period(rows),
    }


def _case(counterexamples: Iterable[int]) -> dict[str, Any]:
    against = list(counterexamples)
    return {"holds": not against, "counterexamples": against, "n_against": len(against)}


def _period(rows: Sequence[Scored]) -> dict[str, Any]:
    """The period at the end of the sequence, if there is one."""
    found = find_period(rows, LEAST_REPEATS)
    if found is None:
        return {"is_periodic": False, "period": "none", "period_length": 0, "period_start": 0}
    times = found.n_repeats + 1
    text = f"{found.length}, from n = {found.start} on, {times} times to n = {found.last}"
    return {
        "is_periodic": True,
        "period": text,
        "period_length": found.length,
        "period_start": found.start,
    }


# -- sums and rings: Proposition 19, Lemma 23, Corollary 24 -----------------------------------

EVEN, PLUS, MINUS = "even", "plus", "minus"  # C₌, C₊, C₋

# Proposition 19: the values of Ls and Rs in each class.
ALLOWED = {
    EVEN: ({0, 2, 4}, {0, -2, -4}),
    PLUS: ({1, 3, 5}, {1, -1, -3}),
    MINUS: ({-1, 1, 3}, {-1, -3, -5}),
}
TIGHT = (Segment(10), Segment(17))  # section 4.1: Ls = −1
BEYOND = (Segment(5, is_plus=True), Segment(17, is_plus=True))  # two odd ones: Ls = 6
SHORTEST_RING = 4


def sums(most: int, report: ReportProgress = no_report) -> dict[str, Any]:
    """All sums of segments with at most one odd segment, of up to `most` vertices in all."""
    largest = max(most, sum(each.length for each in BEYOND))
    scores = SumScores(max(most, 17), largest)
    found: dict[str, Counter[tuple[int, int]]] = {kind: Counter() for kind in ALLOWED}
    against, first_tight = [], ""
    for total in range(2, most + 1):
        for kind, segments in _sums_of(total):
            left, right = scores.of_sum(segments)
            found[kind][left, right] += 1
            if kind == MINUS and left == -1 and not first_tight:
                first_tight = sum_text(segments)
            if left not in ALLOWED[kind][0] or right not in ALLOWED[kind][1]:
                against.append(f"{sum_text(segments)}: {left}, {right}")
        report(total, most)
    return {
        **{kind: _summary(each) for kind, each in found.items()},
        "most": most,
        "n_sums": sum(each.total() for each in found.values()),
        "holds": not against,
        "counterexamples": against,
        "tight": scores.of_sum(TIGHT)[0],
        "first_tight": first_tight or "none",
        "beyond": scores.of_sum(BEYOND)[0],
    }


def _sums_of(total: int) -> Iterator[tuple[str, tuple[Segment, ...]]]:
    """The sums with a total number of vertices, each with its class (Definition 18)."""
    if total % 2 == 0:
        yield from ((EVEN, evens) for evens in even_sums(total))
        return
    for odd in range(3, total + 1, 2):
        for evens in even_sums(total - odd):
            for segment in both_kinds(odd):
                yield PLUS if segment.is_plus else MINUS, (segment, *evens)


def _summary(found: Counter[tuple[int, int]]) -> dict[str, Any]:
    return {
        "Ls": values_text(left for left, _ in found),
        "Rs": values_text(right for _, right in found),
        "n_sums": found.total(),
    }


def pairs(last: int, plain_last: int, report: ReportProgress = no_report) -> dict[str, Any]:
    """Lemma 23: sums of two segments of nearly the same length, for k up to `last`.

    The search assumes points 1 and 2, since it cancels opposite segments. So a plain
    recursion checks them as well, for k up to `plain_last`.
    """
    scores = SumScores(2 * last + 2, 4 * last + 2)
    against: dict[int, list[int]] = {point: [] for point in range(1, 6)}
    for k in range(1, last + 1):
        for point, segments in _pairs_of(k).items():
            right = scores.of_sum(segments)[1]
            expected = {1: 0, 2: 0, 3: -2, 4: -1, 5: -1}[point]
            if right < expected or (point < 5 and right != expected):
                against[point].append(k)
        report(k, last)
    plainly = [
        k
        for k in range(1, plain_last + 1)
        for point in (1, 2)
        if plain_left_score(_pairs_of(k)[point]) != 0
    ]
    return {
        "last": last,
        **{f"point_{point}": not found for point, found in against.items()},
        "counterexamples": [f"point {p}, k = {k}" for p, found in against.items() for k in found],
        "plainly": not plainly,
        "plain_last": plain_last,
    }


def _pairs_of(k: int) -> dict[int, tuple[Segment, ...]]:
    """The sums of Lemma 23 by point; point 5 needs k > 1, since one vertex is no segment."""
    even, plus = Segment(2 * k), Segment(2 * k + 1, is_plus=True)
    found: dict[int, tuple[Segment, ...]] = {
        1: (even, even),
        2: (Segment(2 * k + 1), plus),
        3: (even, Segment(2 * k + 2)),
        4: (even, plus),
        5: (even, Segment(2 * k - 1, is_plus=True)),
    }
    return found if k > 1 else {point: found[point] for point in range(1, 5)}


def plain_left_score(segments: tuple[Segment, ...]) -> int:
    """Ls of a sum by exhaustive recursion, without cancelling.

    >>> plain_left_score((Segment(10), Segment(7)))
    3
    """
    return _plain(tuple(sorted(segments)))


@cache
def _plain(segments: tuple[Segment, ...]) -> int:
    """Left's best lead: the gain of a move minus the opponent's best lead, with sides swapped."""
    leads = []
    for at, segment in enumerate(segments):
        others = segments[:at] + segments[at + 1 :]
        for move in left_moves(segment.length, minus=not segment.is_plus):
            # The remaining segments have L at both ends, or at one end.
            rest = (Segment(n, n % 2 == 1) for n in (move.first, move.second) if n)
            leads.append(move.gain - _plain(_negative((*others, *rest))))
    return max(leads, default=0)


def _negative(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    return tuple(sorted(Segment(n, is_plus=n % 2 == 1 and not is_plus) for n, is_plus in segments))


def rings(last: int, report: ReportProgress = no_report) -> dict[str, Any]:
    """Corollary 24: Ls of all rings of up to `last` vertices."""
    scores = SumScores(last, last, report=report)
    found = {n: scores.of_ring(n)[0] for n in range(SHORTEST_RING, last + 1, 2)}
    against = [n for n, left in found.items() if left not in {0, 2}]
    odd = [left for n, left in found.items() if n // 2 % 2 == 1]  # |L| = n/2
    return {
        "title": f"rings of {SHORTEST_RING} to {last} vertices",
        "axes": ["n", "Ls"],
        "x": list(found),
        "series": {"Ls": list(found.values())},
        "last": last,
        "values": values_text(found.values()),
        "values_after_4": values_text(left for n, left in found.items() if n > SHORTEST_RING),
        "holds": not against,
        "counterexamples": ", ".join(map(str, against)) or "none",
        "values_odd": values_text(odd),
        "holds_for_odd": set(odd) == {0},
        "only_4_is_against": against == [SHORTEST_RING],
        "of_4": found[SHORTEST_RING],
    }
