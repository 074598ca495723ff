"""What exact search has found out: proven values, or proven bounds where it was cut short."""

from dataclasses import dataclass
from typing import NamedTuple

from topple.game.position import Position

RESULT = "result"  # 1 for a win, 0 for a draw, −1 for a loss
POINTS = "points"  # the lead at the end of the game, whatever was taken before included


class Bounds(NamedTuple):
    """Where a value is proven to lie, both ends included.

    >>> Bounds(1, 1).is_exact, -Bounds(-1, 3)
    (True, Bounds(least=-3, most=1))
    """

    least: int
    most: int

    @property
    def is_exact(self) -> bool:
        """Whether only one value is left."""
        return self.least == self.most

    def __neg__(self) -> "Bounds":
        """The same value seen from the other side."""
        return Bounds(-self.most, -self.least)

    def shifted(self, by: int) -> "Bounds":
        """The bounds of a value that is so much more."""
        return Bounds(self.least + by, self.most + by)


class MoveValue(NamedTuple):
    """What a move is worth to the player who makes it."""

    move: int
    value: Bounds


class Scores(NamedTuple):
    """The scores of an INFLUENCE position, whoever begins; the names are the theory's.

    >>> scores = Scores(6, Bounds(2, 2), Bounds(-6, -6))
    >>> scores.first_left, scores.second_left
    (Bounds(least=4, most=4), Bounds(least=0, most=0))
    """

    n_vertices: int  # still there
    left: Bounds  # Ls, the lead of Left if Left begins
    right: Bounds  # Rs, the lead of Left if Right begins

    @property
    def first_left(self) -> Bounds:
        """s1 of Left: the vertices that Left gets as the first to move."""
        return self._share(self.left)

    @property
    def second_right(self) -> Bounds:
        """s2 of Right: the vertices that Right gets as the second to move."""
        return self._share(-self.left)

    @property
    def second_left(self) -> Bounds:
        """s2 of Left: the vertices that Left gets as the second to move."""
        return self._share(self.right)

    @property
    def first_right(self) -> Bounds:
        """s1 of Right: the vertices that Right gets as the first to move."""
        return self._share(-self.right)

    def _share(self, lead: Bounds) -> Bounds:
        """The vertices of who leads by so many, when all are shared out."""
        return Bounds((self.n_vertices + lead.least) // 2, (self.n_vertices + lead.most) // 2)


@dataclass(frozen=True)
class Solution:
    """What is proven of a position. All values are those for the player to move."""

    position: Position
    unit: str  # RESULT or POINTS
    value: Bounds
    moves: tuple[MoveValue, ...]  # every legal move: best first, then as they are numbered
    line: tuple[int, ...]  # best play of both sides to the end, as far as it is proven
    n_positions: int  # different positions that are remembered
    n_nodes: int  # positions looked at, some of them several times
    limit: str | None = None  # "time", "memory" or "size" where that ended the search first
    scores: Scores | None = None  # of INFLUENCE, where they were asked for

    @property
    def is_exact(self) -> bool:
        """Whether the value is proven."""
        return self.value.is_exact

    @property
    def best_moves(self) -> tuple[int, ...]:
        """The moves that are proven to be best; none while the value is not proven."""
        if not self.is_exact:
            return ()
        return tuple(each.move for each in self.moves if each.value == self.value)

    @property
    def has_all_best(self) -> bool:
        """Whether `best_moves` are all there are: every other move is proven to be worse."""
        return self.is_exact and all(
            each.value == self.value or each.value.most < self.value.least for each in self.moves
        )
