"""A search under way: it goes on in small parts, so that it can be watched and stopped."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from time import perf_counter

from topple.agents.decision import Decision

MEGABYTE = 1 << 20
PART = 0.005  # seconds between two looks at the clock or for Ctrl-C
GROWTH = 4.0  # of one part against the one before, at most


class Search(ABC):
    """One search for a move. How it is cut into parts never changes its answer."""

    @property
    @abstractmethod
    def is_done(self) -> bool:
        """Whether the limits of effort are reached, or nothing is left to find out."""

    @abstractmethod
    def advance(self, n: int) -> None:
        """Do about n units of work (simulations, nodes), never beyond the limits."""

    @abstractmethod
    def decision(self) -> Decision:
        """The best answer so far."""

    def closing_time(self) -> float:
        """Seconds, roughly, that the answer takes once the search has ended."""
        return 0.0

    def memory(self) -> object:
        """What is worth keeping until the same player's next move in the same game."""
        return None

    def close(self) -> None:  # noqa: B027
        """Let go of threads and the like; most searches have none."""


def parts(search: Search, deadline: float | None) -> Iterator[None]:
    """Carry a search on, part by part, until it is done or the deadline has come.

    The clock sizes the parts and holds the deadline. Where there is none, it
    has no say in the answer.
    """
    n, left = 1, PART
    while not search.is_done and left > 0:
        began = perf_counter()
        search.advance(n)
        now = perf_counter()
        yield
        left = PART if deadline is None else deadline - now - search.closing_time()
        n = max(1, int(n * min(GROWTH, min(PART, left) / max(now - began, 1e-7))))
