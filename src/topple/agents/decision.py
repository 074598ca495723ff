"""What an agent decides: a move, and what it found out about the alternatives."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

from topple.game.position import Position
from topple.kernels.values import DECIDED
from topple.rules import interface

WON, DRAWN, LOST = "won", "drawn", "lost"  # `proven`, for the player to move

Z_95 = 1.959963984540054  # standard errors on either side of a 95% interval


@dataclass(frozen=True)
class Candidate:
    """A move that was considered.

    `value` is what the player to move can expect from it: a return between −1 and
    1 if games were simulated, or a number in the evaluation's own units. It is an
    upper bound if `exact` is false.
    """

    move: int
    value: float
    visits: int = 0  # simulations, nodes or agents spent on it
    share: float = 0.0  # of all visits
    interval: tuple[float, float] | None = None  # 95%, if games were simulated
    exact: bool = True
    proven: str | None = None  # WON, DRAWN or LOST for the player to move
    prior: float | None = None  # how likely a network finds the move, from 0 to 1


@dataclass(frozen=True)
class Effort:
    """What a decision cost. The time is ignored when two efforts are compared."""

    simulations: int = 0
    nodes: int = 0
    depth: int = 0
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class Decision:
    """An agent's answer. The time is ignored when two decisions are compared."""

    move: int
    value: float
    candidates: tuple[Candidate, ...]  # best first
    variation: tuple[int, ...]  # the expected moves, beginning with this one
    effort: Effort
    proven: str | None = None  # WON, DRAWN or LOST for the player to move

    def timed(self, seconds: float) -> "Decision":
        """This decision with the time that it took."""
        return replace(self, effort=replace(self.effort, seconds=seconds))


def proven_by_status(status: int, player: int) -> str | None:
    """What a status proves for a player; None while the game is running.

    A win that the player shares with others counts as drawn.
    """
    if status == interface.RUNNING:
        return None
    won = interface.winners(status)
    if not won >> player & 1:
        return LOST if won else DRAWN
    return WON if won == 1 << player else DRAWN


def with_shares(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates with their shares of all visits."""
    total = sum(candidate.visits for candidate in candidates)
    if not total:
        return tuple(candidates)
    return tuple(replace(each, share=each.visits / total) for each in candidates)


def proven_by_value(value: float, is_complete: bool) -> str | None:
    """What the value of a look-ahead proves for the player to move.

    `is_complete` says that every line reached the end of the game, so that no
    evaluation was used.
    """
    if value > DECIDED:
        return WON
    if value < -DECIDED:
        return LOST
    return DRAWN if is_complete else None


def root_candidates(
    moves: Sequence[int], values: Sequence[float], nodes: Sequence[int], exact: Sequence[bool]
) -> tuple[Candidate, ...]:
    """The root's moves, best first.

    All four sequences are in the order of the search; `nodes` counts the nodes
    visited up to and including each move.
    """
    found = []
    before = 0
    for move, value, after, is_exact in zip(moves, values, nodes, exact, strict=True):
        proven = proven_by_value(value, False) if is_exact or value < 0 else None
        found.append(Candidate(move, value, visits=after - before, exact=is_exact, proven=proven))
        before = after
    found.sort(key=lambda each: (-each.value, not each.exact))  # stable
    return with_shares(found)


def undecided(position: Position, effort: Effort) -> Decision:
    """The decision before any move has been searched: the first legal move."""
    moves = position.legal_moves()
    return Decision(moves[0], 0.0, tuple(Candidate(move, 0.0) for move in moves), moves[:1], effort)


def moves_of(row: Iterable[int]) -> tuple[int, ...]:
    """The moves of a variation up to the first negative number, its end mark."""
    moves = []
    for move in row:
        if move < 0:
            break
        moves.append(int(move))
    return tuple(moves)


def return_interval(mean: float, n: int) -> tuple[float, float] | None:
    """Wilson's 95% interval of a mean return between −1 and 1 over n games.

    Draws make a mean more certain than the interval says, never less.

    >>> [round(bound, 3) for bound in return_interval(0.0, 100)]
    [-0.192, 0.192]
    """
    if n == 0:
        return None
    share, z2 = (1 + mean) / 2, Z_95**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 / (1 + z2 / n) * sqrt(max(share * (1 - share) / n + z2 / (4 * n * n), 0.0))
    return 2 * max(middle - half, 0.0) - 1, 2 * min(middle + half, 1.0) - 1
