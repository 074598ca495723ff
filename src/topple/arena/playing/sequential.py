"""A match under a sequential test, which ends as soon as the games have decided it."""

from collections.abc import Iterable

from topple.arena.planning.plan import Plan
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.standings import outcome
from topple.arena.store.played import Result


class SequentialMatch:
    """The pairs of a match in the order of the plan, up to the first that is not complete.

    The test takes them in this order, whatever the order in which they were played,
    so that the number of workers does not change where it stops.
    """

    def __init__(self, plan: Plan) -> None:
        assert plan.sprt is not None
        self.sprt = plan.sprt
        self.keys = list(plan.game_keys())
        self.planned = set(self.keys)
        # The pairing's first agent need not be the one that was named first.
        self.turned = plan.groups[0] != (0, 1)
        self.played: dict[tuple[str, int], Result] = {}  # all planned games that were added
        self.seen: set[tuple[str, str]] = set()
        self.pairs = Pairs()  # from the view of the agent that was named first
        self.n_pairs = 0  # that the test has taken
        self.verdict: str | None = None

    def add(self, results: Iterable[Result]) -> str | None:
        """Add games in any order; returns the verdict, or None while there is none.

        Games of other plans are ignored. So are games that are there already.
        """
        self.played |= {(r.pair, r.side): r for r in results if (r.pair, r.side) in self.planned}
        while self.verdict is None:
            keys = self.keys[2 * self.n_pairs : 2 * self.n_pairs + 2]
            if len(keys) < 2 or not all(key in self.played for key in keys):
                break
            self._take(*(self.played[key] for key in keys))
            self.n_pairs += 1
            self.verdict = self.sprt.verdict(self.pairs)
        return self.verdict

    @property
    def llr(self) -> float:
        """The log-likelihood ratio so far."""
        return self.sprt.llr(self.pairs)

    def surplus(self) -> list[tuple[str, int]]:
        """The keys of all planned games beyond the pair that decided; empty without a verdict."""
        return [] if self.verdict is None else self.keys[2 * self.n_pairs :]

    def _take(self, straight: Result, swapped: Result) -> None:
        """Count a pair. A repetition of an earlier pair adds no evidence."""
        moves = straight.moves_digest, swapped.moves_digest
        # In the straight game the pairing's first agent has the first seat.
        if self.turned:
            self.pairs.add(outcome(swapped, 0), outcome(straight, 1))
        else:
            self.pairs.add(outcome(straight, 0), outcome(swapped, 1))
        self.pairs.repeats += moves in self.seen
        self.seen.add(moves)
