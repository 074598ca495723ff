"""Sums of INFLUENCE's segments, and rings: Proposition 19, Lemma 23, Corollary 24."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from topple.papers.engine.computations.repeats import Told, say_nothing
from topple.papers.engine.computations.sequence import values_text
from topple.papers.engine.computations.sums import (
    Segment,
    SumScores,
    both_kinds,
    even_sums,
    sum_text,
)
from topple.solvers.segments.pieces import left_moves

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


def sums(most: int, report: Told = say_nothing) -> dict[str, Any]:
    """Every sum of segments up to so many vertices with at most one odd segment.

    Parameters
    ----------
    most : int
        Vertices in all.
    """
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
    """The sums with so many vertices, each with its class (Definition 18)."""
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


def pairs(last: int, plain_last: int, report: Told = say_nothing) -> dict[str, Any]:
    """Lemma 23: sums of two segments of nearly the same length.

    Search takes points 1 and 2 for granted, since opposite segments cancel. So
    plain recursion shows them once more, as far as it goes.

    Parameters
    ----------
    last, plain_last : int
        The largest k, by search and by plain recursion.
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
        k for k in range(1, plain_last + 1) for point in (1, 2)
        if plain_left_score(_pairs_of(k)[point]) != 0
    ]  # fmt: skip
    return {
        "last": last,
        **{f"point_{point}": not found for point, found in against.items()},
        "counterexamples": [f"point {p}, k = {k}" for p, found in against.items() for k in found],
        "plainly": not plainly,
        "plain_last": plain_last,
    }


def _pairs_of(k: int) -> dict[int, tuple[Segment, ...]]:
    """The sums that Lemma 23 speaks of, by its points; one vertex is no segment."""
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
    """Ls of a sum by trying everything; nothing cancels.

    >>> plain_left_score((Segment(10), Segment(7)))
    3
    """
    return _plain(tuple(sorted(segments)))


@cache
def _plain(segments: tuple[Segment, ...]) -> int:
    """Left's best lead: what a move gains, less what the other then leads by, sides swapped."""
    leads = []
    for at, segment in enumerate(segments):
        others = segments[:at] + segments[at + 1 :]
        for move in left_moves(segment.length, minus=not segment.is_plus):
            # What is left has L at both ends, or at one.
            rest = (Segment(n, n % 2 == 1) for n in (move.first, move.second) if n)
            leads.append(move.gain - _plain(_negative((*others, *rest))))
    return max(leads, default=0)


def _negative(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    return tuple(sorted(Segment(n, is_plus=n % 2 == 1 and not is_plus) for n, is_plus in segments))


def rings(last: int, report: Told = say_nothing) -> dict[str, Any]:
    """Corollary 24: Ls of all rings up to a length.

    Parameters
    ----------
    last : int
        The longest ring.
    """
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
