"""Pairs: two games from one opening with sides swapped, the sampling unit of all statistics."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

WIN, DRAW, LOSS = "W", "D", "L"

# How an agent did as the first and as the second player; None: not played (yet).
PairResult = tuple[str | None, str | None]


class Tally(NamedTuple):
    """Games won, drawn and lost."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses


class Pairs:
    """How often each result of a pair came about, seen by one of the two agents.

    Two games from the same opening are not independent of each other: what is
    counted and drawn from are pairs. `repeats` of them are move for move the
    same as an earlier one, and tell nothing new.

    >>> pairs = Pairs({("W", "L"): 3, ("W", "W"): 1, ("D", None): 1})
    >>> pairs.tally, pairs.n_pairs
    (Tally(wins=5, draws=1, losses=3), 5)
    >>> pairs.as_first, pairs.as_second
    (Tally(wins=4, draws=1, losses=0), Tally(wins=1, draws=0, losses=3))
    >>> pairs.reversed().tally
    Tally(wins=3, draws=1, losses=5)
    """

    def __init__(
        self, counts: "Iterable[PairResult] | dict[PairResult, int] | None" = None, repeats: int = 0
    ) -> None:
        self.counts: Counter[PairResult] = Counter(counts)
        self.repeats = repeats

    def add(self, as_first: str | None, as_second: str | None) -> None:
        """Count one more pair."""
        self.counts[as_first, as_second] += 1

    @property
    def n_pairs(self) -> int:
        """All pairs, also those of which only one game was played."""
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
        """The same pairs seen by the other agent."""
        other = {WIN: LOSS, DRAW: DRAW, LOSS: WIN, None: None}
        turned: Counter[PairResult] = Counter()
        for (first, second), n in self.counts.items():
            turned[other[second], other[first]] += n
        return Pairs(turned, self.repeats)

    def __add__(self, other: "Pairs") -> "Pairs":
        return Pairs(self.counts + other.counts, self.repeats + other.repeats)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pairs):
            return NotImplemented
        return self.counts == other.counts and self.repeats == other.repeats

    def __hash__(self) -> int:
        return hash((frozenset(self.counts.items()), self.repeats))

    def __repr__(self) -> str:
        return f"Pairs({dict(self.counts)}, repeats={self.repeats})"
