"""What an agent answers: a move, with the reasons for it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

from topple.rules import interface

WON, DRAWN, LOST = "won", "drawn", "lost"  # what may be proven, for the player to move

CERTAINTY = 1.959963984540054  # standard errors either side of 95%


@dataclass(frozen=True)
class Candidate:
    """A move that was looked at.

    `value` is what the player to move may expect of it: a return between −1 and
    1 where games were simulated, the evaluation's own units where it was
    evaluated. It is an upper bound if `exact` is false.
    """

    move: int
    value: float
    visits: int = 0  # simulations, nodes or agents spent on it
    share: float = 0.0  # of the effort
    interval: tuple[float, float] | None = None  # 95%, where games were simulated
    exact: bool = True
    proven: str | None = None  # WON, DRAWN or LOST for the player to move


@dataclass(frozen=True)
class Effort:
    """What a decision has cost. Two efforts are equal whatever time they took."""

    simulations: int = 0
    nodes: int = 0
    depth: int = 0
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class Decision:
    """An agent's answer. Equal decisions are equal whatever time they took."""

    move: int
    value: float
    candidates: tuple[Candidate, ...]  # best first
    variation: tuple[int, ...]  # the expected moves, this one first
    effort: Effort
    proven: str | None = None  # WON, DRAWN or LOST for the player to move

    def timed(self, seconds: float) -> "Decision":
        """This decision with the time that it took."""
        return replace(self, effort=replace(self.effort, seconds=seconds))


def proven_by_status(status: int, player: int) -> str | None:
    """What the status that a game ends with means for a player; None while it is running."""
    if status == interface.RUNNING:
        return None
    if status == interface.DRAWN:
        return DRAWN
    return WON if status == interface.WON + player else LOST


def with_shares(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates with their shares of all visits."""
    total = sum(candidate.visits for candidate in candidates)
    if not total:
        return tuple(candidates)
    return tuple(replace(each, share=each.visits / total) for each in candidates)


def return_interval(mean: float, n: int) -> tuple[float, float] | None:
    """Wilson's 95% interval of a mean return between −1 and 1 over n games.

    Draws make a mean more certain than this says, never less.

    >>> [round(bound, 3) for bound in return_interval(0.0, 100)]
    [-0.192, 0.192]
    """
    if n == 0:
        return None
    share, z2 = (1 + mean) / 2, CERTAINTY**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = CERTAINTY / (1 + z2 / n) * sqrt(max(share * (1 - share) / n + z2 / (4 * n * n), 0.0))
    return 2 * max(middle - half, 0.0) - 1, 2 * min(middle + half, 1.0) - 1
