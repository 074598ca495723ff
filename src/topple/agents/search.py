"""A search in progress: it runs in small parts, so that it can be watched and stopped."""

import mmap
from abc import ABC, abstractmethod
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from topple.agents.decision import Decision
from topple.core.errors import BadModule
from topple.core.outside import place_of

MEGABYTE = 1 << 20
PART = 0.005  # seconds between two checks of the clock or for Ctrl-C
GROWTH = 4.0  # a part is at most this many times as large as the one before
MOST_UNITS = 1 << 40  # that a part can have; only a search that does no work gets so far
MOST_IDLE = 10_000  # parts of so many units that a search may take next to no time for
SMALL_ARRAY = 1 << 16  # bytes; smaller arrays get no mapping of their own


class Search(ABC):
    """A search for one move. How it is divided into parts never changes its answer."""

    @property
    @abstractmethod
    def is_done(self) -> bool:
        """Whether a limit of effort is reached, or nothing is left to find out."""

    @abstractmethod
    def advance(self, n: int) -> None:
        """Do about n units of work (simulations, nodes), without exceeding the limits."""

    @abstractmethod
    def decision(self) -> Decision:
        """The best answer so far."""

    def closing_time(self) -> float:
        """Roughly how many seconds `decision` takes once the search has ended."""
        return 0.0

    def memory(self) -> object:
        """What is worth keeping until the same player's next move in the same game."""
        return None

    def close(self) -> None:  # noqa: B027
        """Release threads and the like; most searches have none."""


def parts(search: Search, deadline: float | None) -> Iterator[None]:
    """Run a search part by part until it is done or the deadline is reached.

    The clock decides how large the parts are and when the deadline is reached;
    without a deadline it does not affect the answer.

    Raises
    ------
    BadModule
        If the search does nothing more, has no deadline and is never done.
    """
    n, left, n_idle = 1, PART, 0
    while not search.is_done and left > 0:
        began = perf_counter()
        search.advance(n)
        now = perf_counter()
        yield
        left = PART if deadline is None else deadline - now - search.closing_time()
        n = max(1, int(n * min(GROWTH, min(PART, left) / max(now - began, 1e-7))))
        if n > MOST_UNITS:
            n, n_idle = MOST_UNITS, n_idle + 1
            if deadline is None and n_idle > MOST_IDLE:
                raise BadModule(
                    f"{place_of(type(search).advance)}: is_done of {type(search).__name__} is not "
                    f"true after advance({MOST_UNITS:,}): it must become true when nothing is left "
                    "to do (see topple check)"
                )


def lazy_zeros(n: int, dtype: DTypeLike) -> NDArray[Any]:
    """N zeros in memory that the system provides page by page, as it is written to.

    A search may need much memory or little. Growing by copying would stop it for too
    long, and NumPy's own large arrays take pages of two megabytes, which is too much
    for a short search.

    Raises
    ------
    MemoryError
        If the machine does not have that much memory.
    """
    n_bytes = n * np.dtype(dtype).itemsize
    if n_bytes <= SMALL_ARRAY:
        return np.zeros(n, dtype=dtype)
    try:
        pages = _map_memory(n_bytes)
    except (OSError, OverflowError, ValueError):
        raise MemoryError(f"{n_bytes:,} bytes") from None
    return np.frombuffer(pages, dtype=dtype)


def _map_memory(n_bytes: int) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, n_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, n_bytes)  # Windows
