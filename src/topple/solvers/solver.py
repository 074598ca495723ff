"""Solver and Solving: what all kinds of exact search have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from time import perf_counter
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import Kernel
from topple.core.errors import Unsupported
from topple.core.stopping import Stop
from topple.game import Game, Position
from topple.solvers.solution import Solution

MEGABYTE = 1 << 20
MEMORY = 1024  # megabytes, by default
PART = 0.05  # seconds between two checks of the clock or for Ctrl-C
GROWTH = 4.0  # a part is at most this many times as large as the one before

Arrays = dict[str, NDArray[Any]]

CONTRADICTION = "the restored table contradicts itself: solve without it"


class MemoryFull(Exception):
    """A search needs more memory than it may use."""


class SolvingProgress(NamedTuple):
    """How many of a search's questions are settled."""

    done: int
    total: int
    what: str  # the current question in a few words: "a3" or "Ls >= 3"


class Solving(ABC):
    """A position being solved. How the work is divided into parts never changes the answer."""

    @property
    @abstractmethod
    def is_done(self) -> bool:
        """Whether everything asked is proven, or a limit is reached."""

    @abstractmethod
    def advance(self, n: int) -> None:
        """Visit about n more positions."""

    @abstractmethod
    def solution(self) -> Solution:
        """What is proven so far."""

    @abstractmethod
    def progress(self) -> SolvingProgress:
        """How many of the questions are settled."""


class Solver(ABC):
    """A way to solve positions of one game, which remembers what it has proven.

    Parameters
    ----------
    game : Game
        The game on its board.
    memory : int
        Megabytes for what it remembers. A search that needs more is cut short.
    """

    NAME: ClassVar[str]
    KERNELS: ClassVar[tuple[Kernel, ...]] = ()  # compiled ahead
    HAS_SCORES: ClassVar[bool] = False  # whether it can find Ls and Rs

    def __init__(self, game: Game, memory: int = MEMORY) -> None:
        self.game = game
        self.memory = memory

    @classmethod
    @abstractmethod
    def suits(cls, game: Game) -> bool:
        """Whether this solver can solve positions of a game."""

    def check(self, position: Position) -> None:
        """Refuse a position that is too large for an exact answer.

        Raises
        ------
        Unsupported
            If it is; the message says what is feasible and what to do instead.
        """
        if self.game.n_players > 2:
            raise Unsupported(
                f"exact play is for 2 players, and {self.game.spec} has {self.game.n_players}"
            )

    @abstractmethod
    def begin(self, position: Position, *, each: bool = False, scores: bool = False) -> Solving:
        """Begin to solve a position that is not over.

        This finds the value and all best moves; with `each`, the exact value of every
        move; with `scores`, Ls and Rs too, if the game has them.
        """

    def warm(self) -> None:
        """Compile or load what a search needs, before any clock runs."""
        if not all(kernel in self.game.kernels.called for kernel in self.KERNELS):
            self.rehearse()

    def rehearse(self) -> None:
        """Call every kernel of KERNELS once, with little to do."""
        solving = type(self)(self.game, memory=1).begin(self.game.start())
        solving.advance(1)
        solving.solution()

    @abstractmethod
    def table(self) -> Arrays:
        """Everything the solver remembers, as arrays for `restore`."""

    @abstractmethod
    def restore(self, arrays: Arrays) -> None:
        """Take over the table of another solver of the same game on the same board.

        The arrays may come from an untrusted file, so they are checked.

        Raises
        ------
        BadText
            If they are not a valid table, or need more memory than allowed.
        """


class SolverKernels(NamedTuple):
    """The kernels of a kind of solver, to be compiled ahead."""

    kind: type[Solver]

    def kernels(self, game: Game) -> tuple[Kernel, ...]:
        """The kernels of its searches."""
        return self.kind.KERNELS

    def warm(self, game: Game) -> None:
        """Compile or load them."""
        self.kind(game, memory=1).warm()


def advance_until(
    solving: Solving,
    deadline: float | None = None,
    stop: Stop | None = None,
    report: Callable[[Solving], None] | None = None,
) -> bool:
    """Run a search until it is done; return False if the deadline or `stop` came first.

    The clock decides how large the parts are, but does not affect what is proven.
    `report` is called after each part.
    """
    n = 1
    while not solving.is_done:
        began = perf_counter()
        if (stop is not None and stop.is_set()) or (deadline is not None and began >= deadline):
            return False
        solving.advance(n)
        if report is not None:
            report(solving)
        seconds = max(perf_counter() - began, 1e-6)
        n = max(1, int(n * min(GROWTH, PART / seconds)))
    return True


def largest_power_of_2(n: int) -> int:
    """The largest power of 2 that is at most n, and at least 1.

    >>> largest_power_of_2(1000)
    512
    """
    return 1 << max(n, 1).bit_length() - 1


def is_vector(array: object, dtype: type, n: int) -> bool:
    """Whether something is a one-dimensional array of n numbers of a type."""
    return isinstance(array, np.ndarray) and array.dtype == dtype and array.shape == (n,)
