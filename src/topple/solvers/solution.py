"""The results of exact search: proven values, or proven bounds if it was cut short."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from topple.game.position import Position

RESULT = "result"  # 1 for a win, 0 for a draw, −1 for a loss
POINTS = "points"  # the lead at the end of the game, including all points taken before


class Bounds(NamedTuple):
    """The interval in which a value is proven to lie, both ends included.

    >>> Bounds(1, 1).is_exact, -Bounds(-1, 3)
    (True, Bounds(least=-3, most=1))
    """

    least: int
    most: int

    @property
    def is_exact(self) -> bool:
        """Whether only one value is possible."""
        return self.least == self.most

    def __neg__(self) -> "Bounds":
        """The bounds of the same value for the opponent."""
        return Bounds(-self.most, -self.least)

    def shifted(self, by: int) -> "Bounds":
        """The bounds of a value that is larger by `by`."""
        return Bounds(self.least + by, self.most + by)


class MoveValue(NamedTuple):
    """What a move is worth to the player who makes it."""

    move: int
    value: Bounds


def best_first(moves: Iterable[MoveValue]) -> tuple[MoveValue, ...]:
    """Sort moves by their lower and then their upper bounds, best first, then by number."""
    return tuple(sorted(moves, key=lambda each: (-each.value.least, -each.value.most, each.move)))


class Scores(NamedTuple):
    """The scores of an INFLUENCE position for either first mover, with the theory's names.

    >>> scores = Scores(6, Bounds(2, 2), Bounds(-6, -6))
    >>> scores.first_left, scores.second_left
    (Bounds(least=4, most=4), Bounds(least=0, most=0))
    """

    n_vertices: int  # still on the board
    left: Bounds  # Ls, the lead of Left if Left moves first
    right: Bounds  # Rs, the lead of Left if Right moves first

    @property
    def first_left(self) -> Bounds:
        """s1 of Left: the vertices that Left gets by moving first."""
        return self._share(self.left)

    @property
    def second_right(self) -> Bounds:
        """s2 of Right: the vertices that Right gets by moving second."""
        return self._share(-self.left)

    @property
    def second_left(self) -> Bounds:
        """s2 of Left: the vertices that Left gets by moving second."""
        return self._share(self.right)

    @property
    def first_right(self) -> Bounds:
        """s1 of Right: the vertices that Right gets by moving first."""
        return self._share(-self.right)

    def _share(self, lead: Bounds) -> Bounds:
        """The vertices of a player who leads by `lead` when all are taken."""
        return Bounds((self.n_vertices + lead.least) // 2, (self.n_vertices + lead.most) // 2)


@dataclass(frozen=True)
class Solution:
    """What is proven about a position. All values are for the player to move."""

    position: Position
    unit: str  # RESULT or POINTS
    value: Bounds
    moves: tuple[MoveValue, ...]  # every legal move, in the order of `best_first`
    line: tuple[int, ...]  # best play of both sides, as far as it is proven
    n_positions: int  # different positions in the solver's memory
    n_nodes: int  # positions visited, some of them several times
    limit: str | None = None  # "time", "memory" or "size" if that ended the search
    scores: Scores | None = None  # in INFLUENCE, if requested

    @property
    def is_exact(self) -> bool:
        """Whether the value is proven."""
        return self.value.is_exact

    @property
    def best_moves(self) -> tuple[int, ...]:
        """The moves that are proven to be best; empty while the value is not proven."""
        if not self.is_exact:
            return ()
        return tuple(each.move for each in self.moves if each.value == self.value)

    @property
    def has_all_best(self) -> bool:
        """Whether `best_moves` is complete: every other move is proven to be worse."""
        return self.is_exact and all(
            each.value == self.value or each.value.most < self.value.least for each in self.moves
        )
