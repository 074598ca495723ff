"""Pairs: two games from one opening with sides swapped, the sampling unit of all statistics."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from math import isclose
from typing import NamedTuple

WIN, DRAW, LOSS = "W", "D", "L"

# An agent's results as the first and as the second player; None: not played (yet).
PairResult = tuple[str | None, str | None]
Evidence = dict[PairResult, float]


FINGERPRINT = 12  # bytes: two pairs of a million are confused once in 10¹⁶ times


def fingerprint(*digests: str) -> bytes:
    """A fingerprint of games that belong together, by which repeats are found."""
    return hashlib.blake2b("/".join(digests).encode(), digest_size=FINGERPRINT).digest()


class Tally(NamedTuple):
    """Games won, drawn and lost.

    >>> str(Tally(16, 0, 4)), Tally(16, 0, 4).score
    ('16-0-4', 0.8)
    """

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The share of the points, a draw being half a point; None without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    def __str__(self) -> str:
        return f"{self.wins}-{self.draws}-{self.losses}"


class Pairs:
    """How often each result of a pair occurred, from the view of one of the two agents.

    Two games from the same opening are not independent, so pairs are counted. `repeats`
    of them are move for move the same as an earlier one and add no information: see
    `evidence`.

    Pairs of several pairings or contests are added with `+`. What is counted in place, by
    `add` and in `repeats`, must be of one pairing in one contest.

    >>> pairs = Pairs({("W", "L"): 3, ("W", "W"): 1, ("D", None): 1})
    >>> pairs.tally, pairs.n_pairs
    (Tally(wins=5, draws=1, losses=3), 5)
    >>> print(pairs.as_first, pairs.as_second, pairs.reversed().tally)
    4-1-0 1-0-3 3-1-5
    """

    def __init__(
        self, counts: Iterable[PairResult] | dict[PairResult, int] | None = None, repeats: int = 0
    ) -> None:
        self.counts: Counter[PairResult] = Counter(counts)
        self.repeats = repeats
        self._evidence: Evidence | None = None  # if it does not follow from counts and repeats

    def add(self, as_first: str | None, as_second: str | None) -> None:
        """Count one more pair."""
        self.counts[as_first, as_second] += 1
        if self._evidence is not None:
            self._evidence[as_first, as_second] = self._evidence.get((as_first, as_second), 0) + 1

    @property
    def evidence(self) -> Evidence:
        """How many pairs there are of each result, without repeats.

        Within a pairing all results are scaled alike, so that rates do not change. A sum
        has the sum of the evidence: in it a pairing weighs as much as its different
        pairs, not as much as all of its games.

        >>> Pairs({("W", "L"): 6, ("D", "L"): 2}, repeats=4).evidence
        {('W', 'L'): 3.0, ('D', 'L'): 1.0}
        >>> (Pairs({("W", "W"): 100}, repeats=99) + Pairs({("W", "L"): 5})).evidence
        {('W', 'W'): 1.0, ('W', 'L'): 5.0}
        """
        if self._evidence is not None:
            return dict(self._evidence)
        n = self.n_pairs
        worth = max(1, n - self.repeats) / n if n else 1.0
        return {result: worth * count for result, count in self.counts.items() if count}

    @property
    def n_pairs(self) -> int:
        """All pairs, including those with only one game played."""
        return sum(self.counts.values())

    @property
    def as_first(self) -> Tally:
        """The games as the first player."""
        return self._tally((0,))

    @property
    def as_second(self) -> Tally:
        """The games as the second player."""
        return self._tally((1,))

    @property
    def tally(self) -> Tally:
        """All games."""
        return self._tally((0, 1))

    def _tally(self, places: tuple[int, ...]) -> Tally:
        found: Counter[str | None] = Counter()
        for result, n in self.counts.items():
            for place in places:
                found[result[place]] += n
        return Tally(found[WIN], found[DRAW], found[LOSS])

    def reversed(self) -> "Pairs":
        """The same pairs from the view of the other agent."""
        other = {WIN: LOSS, DRAW: DRAW, LOSS: WIN, None: None}
        return self._seen_as(lambda first, second: (other[second], other[first]))

    def in_seat(self, seat: int) -> "Pairs":
        """The games as the first player alone (0), or as the second (1).

        >>> Pairs({("W", "L"): 3, ("W", "W"): 1, ("D", None): 1}).in_seat(0)
        Pairs({('W', None): 4, ('D', None): 1}, repeats=0)
        """
        if seat == 0:
            return self._seen_as(lambda first, _: (first, None))
        return self._seen_as(lambda _, second: (None, second))

    def _seen_as(self, view: Callable[[str | None, str | None], PairResult]) -> "Pairs":
        seen = Pairs(repeats=self.repeats)
        for result, n in self.counts.items():
            seen.counts[view(*result)] += n
        if self._evidence is not None:
            seen._evidence = {}
            for result, worth in self._evidence.items():
                place = view(*result)
                seen._evidence[place] = seen._evidence.get(place, 0) + worth
        return seen

    def __add__(self, other: "Pairs") -> "Pairs":
        total = Pairs(self.counts + other.counts, self.repeats + other.repeats)
        if total.repeats:
            one, two = self.evidence, other.evidence
            total._evidence = {each: one.get(each, 0) + two.get(each, 0) for each in total.counts}
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pairs):
            return NotImplemented
        if (self.counts, self.repeats) != (other.counts, other.repeats):
            return False
        one, two = self.evidence, other.evidence
        return all(
            isclose(one[each], two[each]) for each in one
        )  # sums depend slightly on their order

    def __hash__(self) -> int:
        return hash((frozenset((+self.counts).items()), self.repeats))

    def __repr__(self) -> str:
        return f"Pairs({dict(self.counts)}, repeats={self.repeats})"
