"""A match under a sequential test: it stops as soon as the games say enough."""

from collections.abc import Iterable

from topple.arena.planning.plan import Plan
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.standings import outcome
from topple.arena.store.played import Result
from topple.arena.store.store import Store


class SequentialMatch:
    """The pairs of a match in the order of the plan, as far as there is no gap.

    The test looks at them in that order, whatever the order in which they were
    played: where it stops does not depend on how many workers there are.
    """

    def __init__(self, plan: Plan, store: Store) -> None:
        assert plan.sprt is not None
        self.sprt = plan.sprt
        self.keys = list(plan.game_keys())
        self.planned = set(self.keys)
        # The pairing's first agent need not be the one that was named first.
        self.turned = plan.pairings[0] != (0, 1)
        self.played: dict[tuple[str, int], Result] = {}  # still to be looked at
        self.seen: set[tuple[str, str]] = set()
        self.pairs = Pairs()  # as the agent sees them that was named first
        self.n_pairs = 0  # that the test has looked at
        self.verdict: str | None = None
        self._look(store.results())

    def add(self, results: Iterable[Result]) -> str | None:
        """Take in games that were played; returns the verdict, as soon as there is one."""
        self._look(results)
        return self.verdict

    @property
    def llr(self) -> float:
        """The evidence so far."""
        return self.sprt.llr(self.pairs)

    def superfluous(self) -> list[tuple[str, int]]:
        """The games that were played beyond the one that decided."""
        return [] if self.verdict is None else self.keys[2 * self.n_pairs :]

    def _look(self, results: Iterable[Result]) -> None:
        """Go on through the pairs until one is missing, or there is a verdict."""
        self.played |= {(r.pair, r.side): r for r in results if (r.pair, r.side) in self.planned}
        while self.verdict is None:
            keys = self.keys[2 * self.n_pairs : 2 * self.n_pairs + 2]
            if len(keys) < 2 or not all(key in self.played for key in keys):
                return
            self._take(*(self.played.pop(key) for key in keys))
            self.n_pairs += 1
            self.verdict = self.sprt.verdict(self.pairs)

    def _take(self, straight: Result, swapped: Result) -> None:
        """Count a pair; one that is an earlier one again is no evidence of its own."""
        moves = straight.moves_digest, swapped.moves_digest
        # The pairing's first agent sits in the first seat of the game that is straight.
        if self.turned:
            self.pairs.add(outcome(swapped, 0), outcome(straight, 1))
        else:
            self.pairs.add(outcome(straight, 0), outcome(swapped, 1))
        self.pairs.repeats += moves in self.seen
        self.seen.add(moves)
