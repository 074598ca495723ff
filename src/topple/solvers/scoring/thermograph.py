"""Thermographs: the scores of a game in which every move costs a tax.

With a tax of t points on each move, the scores of a game G are

    L(t) = the largest R(t) of a Left option, less t
    R(t) = the smallest L(t) of a Right option, plus t

up to the first t at which the two meet. For larger t nobody wants to move, and both stay
constant: the walls have become the mast. It begins at the temperature and stands at the mean
(Hanner 1959; drawn by Conway, On numbers and games, chapter 9). At t = 0 the walls are at Ls
and Rs. All numbers are exact fractions.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING

from topple.core.errors import BadText

if TYPE_CHECKING:
    from topple.solvers.scoring.value import Shape, Value

Point = tuple[Fraction, Fraction]  # a tax and the score at this tax
ZERO = Fraction(0)


@dataclass(frozen=True)
class Wall:
    """A score as a function of the tax: linear between its corners, constant after the last.

    Examples
    --------
    >>> wall = Wall(((Fraction(0), Fraction(3)), (Fraction(2), Fraction(1))))
    >>> print(*(wall.at(tax) for tax in (0, 1, Fraction(3, 2), 2, 100)))
    3 2 3/2 1 1
    """

    corners: tuple[Point, ...]  # by increasing tax, beginning with 0

    def at(self, tax: Fraction | int) -> Fraction:
        """The score at a tax, which cannot be negative."""
        if tax < 0:
            raise BadText(f"a tax cannot be negative: {tax}")
        for (low, start), (high, end) in pairwise(self.corners):
            if tax <= high:
                return start + (tax - low) * (end - start) / (high - low)
        return self.corners[-1][1]

    def shifted(self, by: int) -> "Wall":
        """The wall of the same game with a number added."""
        return Wall(tuple((tax, score + by) for tax, score in self.corners))


@dataclass(frozen=True)
class Thermograph:
    """Two walls that meet in a mast.

    Attributes
    ----------
    left, right : Wall
        Left's and Right's score for each tax.
    mean : Fraction
        The score of the mast.
    temperature : Fraction
        The tax at which the mast begins; 0 for a number, which is all mast.

    Examples
    --------
    >>> from topple.solvers.scoring import parse
    >>> drawn = parse("{3|{-1|-5}}").thermograph
    >>> print(drawn.mean, drawn.temperature)
    0 3
    >>> print(drawn)
    mean 0, temperature 3
    tax  0  2 3
    Ls   3  1 0
    Rs  -1 -1 0
    """

    left: Wall
    right: Wall

    @property
    def mean(self) -> Fraction:
        """The score of the mast."""
        return self.left.corners[-1][1]

    @property
    def temperature(self) -> Fraction:
        """The tax at which the mast begins."""
        return max(wall.corners[-1][0] for wall in (self.left, self.right))

    def shifted(self, by: int) -> "Thermograph":
        """The thermograph of the same game with a number added."""
        return Thermograph(self.left.shifted(by), self.right.shifted(by)) if by else self

    def taxes(self) -> list[Fraction]:
        """The taxes at which one of the walls has a corner."""
        return sorted({tax for wall in (self.left, self.right) for tax, _ in wall.corners})

    def __str__(self) -> str:
        taxes = self.taxes()
        rows = [["tax", *map(str, taxes)]]
        for name, wall in (("Ls", self.left), ("Rs", self.right)):
            rows.append([name, *(str(wall.at(tax)) for tax in taxes)])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [f"mean {self.mean}, temperature {self.temperature}"]
        for name, *cells in rows:
            padded = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
            lines.append(" ".join([name.ljust(widths[0]), *padded]))
        return "\n".join(lines)


def thermograph_of(shape: "Shape") -> Thermograph:
    """The thermograph of a shape, computed once."""
    if shape.thermograph is None:
        if shape.left:
            upper = _outermost((_walls(each).right for each in shape.left), max)
            lower = _outermost((_walls(each).left for each in shape.right), min)
            shape.thermograph = _meeting(upper, lower)
        else:
            mast = Wall(((ZERO, ZERO),))
            shape.thermograph = Thermograph(mast, mast)
    return shape.thermograph


def _walls(option: "Value") -> Thermograph:
    return thermograph_of(option.shape).shifted(option.shift)


def _outermost(walls: Iterable[Wall], choose: Callable[[Fraction, Fraction], Fraction]) -> Wall:
    """The largest or the smallest score of several walls at each tax, as `choose` says."""
    return reduce(lambda one, other: _better(one, other, choose), walls)


def _better(one: Wall, other: Wall, choose: Callable[[Fraction, Fraction], Fraction]) -> Wall:
    if one == other:
        return one
    taxes = sorted({tax for wall in (one, other) for tax, _ in wall.corners})
    gaps = [one.at(tax) - other.at(tax) for tax in taxes]
    crossings = [
        low + (high - low) * gap / (gap - end)
        for (low, gap), (high, end) in pairwise(zip(taxes, gaps, strict=True))
        if gap * end < 0
    ]
    return _wall((tax, choose(one.at(tax), other.at(tax))) for tax in sorted(taxes + crossings))


def _meeting(upper: Wall, lower: Wall) -> Thermograph:
    """The thermograph whose walls are upper − t and lower + t up to the tax t where they meet.

    upper − t never rises and lower + t never falls, so they meet once.
    """
    taxes = sorted({tax for wall in (upper, lower) for tax, _ in wall.corners})
    # Above the last corner both are constant, and 2t reaches the distance between them.
    taxes.append(taxes[-1] + abs(upper.at(taxes[-1]) - lower.at(taxes[-1])) / 2)
    gaps = [upper.at(tax) - lower.at(tax) - 2 * tax for tax in taxes]
    place = next(place for place, gap in enumerate(gaps) if gap <= 0)
    foot = taxes[place]
    if gaps[place] < 0:
        low, gap = taxes[place - 1], gaps[place - 1]
        foot = low + (foot - low) * gap / (gap - gaps[place])
    below = [*taxes[:place], foot]
    return Thermograph(
        _wall((tax, upper.at(tax) - tax) for tax in below),
        _wall((tax, lower.at(tax) + tax) for tax in below),
    )


def _wall(points: Iterable[Point]) -> Wall:
    """The wall through points, without those on a straight line."""
    corners: list[Point] = []
    for point in points:
        while len(corners) > 1 and _is_straight(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    while len(corners) > 1 and corners[-1][1] == corners[-2][1]:  # constant
        corners.pop()
    return Wall(tuple(corners))


def _is_straight(one: Point, middle: Point, other: Point) -> bool:
    return (middle[0] - one[0]) * (other[1] - one[1]) == (middle[1] - one[1]) * (other[0] - one[0])
