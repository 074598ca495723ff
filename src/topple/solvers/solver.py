"""Solver and Solving: what all ways of exact search have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from time import perf_counter
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import Kernel
from topple.core.errors import Unsupported
from topple.core.stopping import Stop
from topple.game.game import Game
from topple.game.position import Position
from topple.solvers.solution import Solution

MEGABYTE = 1 << 20
MEMORY = 1024  # megabytes for what is remembered, unless told otherwise
PART = 0.05  # seconds between two looks at the clock or for Ctrl-C
GROWTH = 4.0  # of one part against the one before, at most

Arrays = dict[str, NDArray[Any]]


class Progress(NamedTuple):
    """How far a search is: so many of its questions are settled."""

    done: int
    total: int
    what: str  # that is being asked now, in a few words: "a3" or "Ls >= 3"


class Solving(ABC):
    """One position being solved. How the work is cut into parts never changes the answer."""

    @property
    @abstractmethod
    def is_done(self) -> bool:
        """Whether all that was asked is proven, or the memory is full."""

    @abstractmethod
    def advance(self, n: int) -> None:
        """Look at about n more positions."""

    @abstractmethod
    def solution(self) -> Solution:
        """What is proven so far."""

    @abstractmethod
    def progress(self) -> Progress:
        """How far it is."""


class Solver(ABC):
    """A way to solve the positions of one game; what it proves it remembers.

    Parameters
    ----------
    game : Game
        The game on its board.
    memory : int
        Megabytes for what is remembered. A search that needs more is cut short.
    """

    NAME: ClassVar[str]
    KERNELS: ClassVar[tuple[Kernel, ...]] = ()  # what a search runs, to be compiled ahead
    HAS_SCORES: ClassVar[bool] = False  # whether Ls and Rs can be asked for

    def __init__(self, game: Game, memory: int = MEMORY) -> None:
        self.game = game
        self.memory = memory

    @classmethod
    @abstractmethod
    def suits(cls, game: Game) -> bool:
        """Whether this solver knows how to solve positions of a game."""

    def check(self, position: Position) -> None:
        """Refuse a position that is too large for an exact answer.

        Raises
        ------
        Unsupported
            If it is, saying how large is feasible and what to do instead.
        """
        if self.game.n_players > 2:
            raise Unsupported(f"exact play is for 2 players, and {self.game.spec} has "
                              f"{self.game.n_players}")  # fmt: skip

    @abstractmethod
    def begin(self, position: Position, *, each: bool = False, scores: bool = False) -> Solving:
        """Begin to solve a position that is not over.

        The value and all best moves are asked for; with `each` the exact value
        of every move; with `scores` Ls and Rs too, where the game has them.
        """

    def warm(self) -> None:
        """Compile or load what a search needs, so that no clock runs meanwhile."""
        if not all(kernel in self.game.kernels.called for kernel in self.KERNELS):
            self.rehearse()

    def rehearse(self) -> None:
        """Call every kernel of KERNELS once, with little to do."""
        solving = type(self)(self.game, memory=1).begin(self.game.start())
        solving.advance(1)
        solving.solution()

    @abstractmethod
    def table(self) -> Arrays:
        """All that is remembered, as arrays that `restore` takes."""

    @abstractmethod
    def restore(self, arrays: Arrays) -> None:
        """Remember what a solver of the same game on the same board had in its table.

        The arrays may come from anybody's file.

        Raises
        ------
        BadText
            If they are not what `table` gives, or need more memory than allowed.
        """


class SolverKernels(NamedTuple):
    """What a kind of solver runs, to be compiled ahead."""

    kind: type[Solver]

    def kernels(self, game: Game) -> tuple[Kernel, ...]:
        """The kernels of its searches."""
        return self.kind.KERNELS

    def warm(self, game: Game) -> None:
        """Call each of them once."""
        self.kind(game, memory=1).warm()


def advance_until(
    solving: Solving,
    deadline: float | None = None,
    stop: Stop | None = None,
    report: Callable[[Solving], None] | None = None,
) -> bool:
    """Carry a search on until it is done; False if the deadline or `stop` came first.

    The clock sizes the parts; it has no say in what is proven.
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
    """The largest power of 2 that is at most n; 1 at the least.

    >>> largest_power_of_2(1000)
    512
    """
    return 1 << max(n, 1).bit_length() - 1


def is_vector(array: object, dtype: type, n: int) -> bool:
    """Whether something is an array of n numbers of a kind."""
    return isinstance(array, np.ndarray) and array.dtype == dtype and array.shape == (n,)
