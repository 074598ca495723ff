"""Value: what a game of Milnor's universe is worth, in canonical form."""

import operator
from collections.abc import Iterable, Iterator
from fractions import Fraction
from threading import Lock
from typing import Any, Final, NoReturn
from weakref import WeakValueDictionary

from topple.core.errors import BadText, Unsupported
from topple.solvers.scoring.canonical import simplest
from topple.solvers.scoring.order import at_least
from topple.solvers.scoring.shape import Shape, find_shape
from topple.solvers.scoring.thermograph import Thermograph, thermograph_of

MOST_BITS = 4096  # of a whole number
DEEPEST = 100  # moves: recursion is this deep, twice as deep in a sum
MOST_SUMS = 500_000  # that are remembered
MOST_ENDS = 200  # of a game that is written out whole

_lock: Final = Lock()
_END: Final = find_shape((), ())


class Value:
    """The value of a game: options for Left and Right, a whole number at the ends.

    It never changes, and it is in canonical form: games that are equal, that is
    which may stand for each other in every sum, have one `Value`, the same object.
    Make values with `number`, `game`, `parse` and `value_of`, not with the class.

    Values are added, subtracted, negated, multiplied with whole numbers and
    compared; where a value is expected, a whole number will do. The order is
    partial: of two games that are confused neither is at least the other.

    References
    ----------
    J. Milnor, Sums of positional games, 1953. O. Hanner, Mean play of sums of
    positional games, 1959. J. M. Ettinger, Topics in combinatorial games, 1996.
    U. Larsson, R. J. Nowakowski, C. P. Santos, Scoring games: the state of play,
    2017.

    Examples
    --------
    >>> hot = game([3], [-1])
    >>> hot, hot.left_stop, hot.right_stop, hot.mean, hot.temperature
    (parse('{3|-1}'), 3, -1, Fraction(1, 1), Fraction(2, 1))
    >>> print(hot + game([5], [-5]), hot + hot, hot - hot)
    {{8|4}|{-2|-6}} 2 0
    >>> hot >= -1, hot >= 0, hot.is_confused_with(0)
    (True, False, True)
    """

    __slots__ = ("__weakref__", "shape", "shift")
    shape: Shape  # what it shares with all it differs from by a number
    shift: int  # that number: its Rs

    def __new__(cls, shape: Shape, shift: int) -> "Value":
        """The one object for a canonical shape and a shift."""
        found = _values.get((shape, shift))
        if found is None:
            new = object.__new__(cls)
            object.__setattr__(new, "shape", shape)
            object.__setattr__(new, "shift", shift)
            with _lock:
                found = _values.setdefault((shape, shift), new)
        return found

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a value never changes")

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and pickled, it is still the one object of its value."""
        return Value, (self.shape, self.shift)

    # -- what it is ----------------------------------------------------------------------------

    @property
    def is_number(self) -> bool:
        """Whether it is a number: nobody gains anything by moving."""
        return self.shape is _END

    @property
    def left(self) -> tuple["Value", ...]:
        """Left's options, sorted by their stops; none if it is a number."""
        return tuple(Value(option.shape, option.shift + self.shift) for option in self.shape.left)

    @property
    def right(self) -> tuple["Value", ...]:
        """Right's options, sorted by their stops; none if it is a number."""
        return tuple(Value(option.shape, option.shift + self.shift) for option in self.shape.right)

    @property
    def left_stop(self) -> int:
        """Ls, the score if Left begins."""
        return self.shift + self.shape.left_stop

    @property
    def right_stop(self) -> int:
        """Rs, the score if Right begins."""
        return self.shift

    @property
    def incentive(self) -> int:
        """Ls − Rs, what it is worth to be the first; 0 for numbers alone."""
        return self.shape.left_stop

    @property
    def depth(self) -> int:
        """The moves of the longest play, by whomever they are made."""
        return self.shape.depth

    @property
    def thermograph(self) -> Thermograph:
        """The scores that are left where every move costs a tax, for each tax."""
        return thermograph_of(self.shape).shifted(self.shift)

    @property
    def mean(self) -> Fraction:
        """What one of many equal games is worth: Ls(nG) / n for large n."""
        return thermograph_of(self.shape).mean + self.shift

    @property
    def temperature(self) -> Fraction:
        """The tax at which nobody cares to move any more; 0 for a number."""
        return thermograph_of(self.shape).temperature

    def positions(self) -> Iterator["Value"]:
        """Every different value that play may lead through, this one first."""
        seen, waiting = {self}, [self]
        while waiting:
            value = waiting.pop()
            yield value
            new = dict.fromkeys(each for each in value.left + value.right if each not in seen)
            seen.update(new)
            waiting.extend(new)

    # -- arithmetic ----------------------------------------------------------------------------

    def __add__(self, other: "Value | int") -> "Value":
        """The sum: who is to move chooses in which of the two."""
        if isinstance(other, int):
            return Value(self.shape, self.shift + int(other))
        if not isinstance(other, Value):
            return NotImplemented
        if other.is_number:
            return Value(self.shape, self.shift + other.shift)
        if self.is_number:
            return Value(other.shape, self.shift + other.shift)
        both = _sum(self.shape, other.shape)
        return Value(both.shape, both.shift + self.shift + other.shift)

    __radd__ = __add__

    def __neg__(self) -> "Value":
        """The same with the players' parts exchanged."""
        return _negative(self.shape) + -self.shift

    def __sub__(self, other: "Value | int") -> "Value":
        """The sum with the other's negative; 0 exactly if the two are equal."""
        return self + -other if isinstance(other, Value | int) else NotImplemented

    def __rsub__(self, other: int) -> "Value":
        return -self + other if isinstance(other, int) else NotImplemented

    def __mul__(self, n: int) -> "Value":
        """The sum of n copies, or of −n negatives."""
        if not isinstance(n, int):
            return NotImplemented
        if n < 0:
            return -self * -n
        total, power = number(0), self
        while n:
            if n % 2:
                total += power
            n //= 2
            if n:
                power += power
        return total

    __rmul__ = __mul__

    # -- comparison ----------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Whether one may stand for the other in every sum."""
        if isinstance(other, int):
            return self.is_number and self.shift == other
        return self is other if isinstance(other, Value) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.shift) if self.is_number else object.__hash__(self)

    def __ge__(self, other: "Value | int") -> bool:
        """Whether Left would rather have this one than the other, or as soon, in every sum."""
        if isinstance(other, int):
            return self.right_stop >= other
        if not isinstance(other, Value):
            return NotImplemented
        return at_least(self.shape, other.shape, self.shift - other.shift)

    def __le__(self, other: "Value | int") -> bool:
        if isinstance(other, int):
            return self.left_stop <= other
        return other.__ge__(self) if isinstance(other, Value) else NotImplemented

    def __gt__(self, other: "Value | int") -> bool:
        return self >= other and self != other

    def __lt__(self, other: "Value | int") -> bool:
        return self <= other and self != other

    def is_confused_with(self, other: "Value | int") -> bool:
        """Whether neither is at least the other: who is to move decides, or the sum."""
        return not self >= other and not self <= other

    # -- text ----------------------------------------------------------------------------------

    def __str__(self) -> str:
        return _text(self, MOST_ENDS)

    def __repr__(self) -> str:
        if self.shape.n_ends <= MOST_ENDS:
            return f"parse('{self}')"
        return f"<Value: Ls {self.left_stop}, Rs {self.right_stop}, {self.shape.n_ends:,} ends>"


_values: Final[WeakValueDictionary[tuple[Shape, int], Value]] = WeakValueDictionary()
_sums: Final[dict[tuple[Shape, Shape], Value]] = {}
_negatives: Final[dict[Shape, Value]] = {}


def number(n: int) -> Value:
    """A game that is over, with Left so many points ahead.

    Raises
    ------
    BadText
        If it is no whole number.

    Examples
    --------
    >>> number(3) + number(-5) == -2
    True
    """
    return Value(_END, _whole(n))


def game(left: Iterable[Value | int], right: Iterable[Value | int]) -> Value:
    """The value of a game by its options.

    Raises
    ------
    BadText
        If only one player can move, or if it is better not to move (zugzwang):
        such games are outside Milnor's universe.
    Unsupported
        If play may last longer than `DEEPEST` moves.

    Examples
    --------
    >>> print(game([3, 1], [game([-1], [-5])]))
    {3|{-1|-5}}
    >>> print(game([0], [0]))
    0
    >>> game([], [1])
    Traceback (most recent call last):
    ...
    topple.core.errors.BadText: Right can move and Left cannot: both must have options, or neither
    >>> game([-1], [1])
    Traceback (most recent call last):
    ...
    topple.core.errors.BadText: zugzwang: Ls = -1 is less than Rs = 1, and nobody would like to move
    """
    lefts, rights = _values_of(left), _values_of(right)
    if not lefts or not rights:
        raise BadText(_one_sided(bool(lefts), bool(rights)))
    left_stop = max(option.right_stop for option in lefts)
    right_stop = min(option.left_stop for option in rights)
    if left_stop < right_stop:
        raise BadText(f"zugzwang: Ls = {left_stop} is less than Rs = {right_stop}, "
                      "and nobody would like to move")  # fmt: skip
    if left_stop == right_stop:
        return Value(_END, right_stop)
    shape = simplest([option + -right_stop for option in lefts],
                     [option + -right_stop for option in rights])  # fmt: skip
    if shape.depth > DEEPEST:
        raise Unsupported(f"play may last {shape.depth} moves: values are computed up to {DEEPEST}")
    return Value(shape, right_stop)


def _one_sided(has_left: bool, has_right: bool) -> str:
    if has_left or has_right:
        can, cannot = ("Left", "Right") if has_left else ("Right", "Left")
        return f"{can} can move and {cannot} cannot: both must have options, or neither"
    return "neither player has an option: a game that is over is a number"


def _values_of(options: Iterable[Value | int]) -> list[Value]:
    return [each if isinstance(each, Value) else number(each) for each in options]


def _whole(n: int) -> int:
    try:
        whole = operator.index(n)
    except TypeError:
        raise BadText(f"{n!r} is no value: an end is a whole number") from None
    if whole.bit_length() > MOST_BITS:
        raise BadText(f"an end of {whole.bit_length():,} bits is too large: {MOST_BITS:,} at most")
    return whole


def _sum(one: Shape, other: Shape) -> Value:
    """The sum of two shapes that are no numbers."""
    if other.digest < one.digest:
        one, other = other, one
    found = _sums.get((one, other))
    if found is None:
        a, b = Value(one, 0), Value(other, 0)
        if b.shape is _negative(one).shape:
            found = number(-_negative(one).shift)
        else:
            lefts = [each + b for each in a.left] + [a + each for each in b.left]
            rights = [each + b for each in a.right] + [a + each for each in b.right]
            found = game(lefts, rights)
        if len(_sums) >= MOST_SUMS:
            _sums.clear()
        _sums[one, other] = found
    return found


def _negative(shape: Shape) -> Value:
    """The negative of a shape: canonical again, since its options only change sides."""
    found = _negatives.get(shape)
    if found is None:
        value = Value(shape, 0)
        found = value
        if not value.is_number:
            found = game([-each for each in value.right], [-each for each in value.left])
        if len(_negatives) >= MOST_SUMS:
            _negatives.clear()
        _negatives[shape] = found
    return found


def _text(value: Value, room: int) -> str:
    """A value written out, with … for games that have more ends than there is room for."""
    if value.is_number:
        return str(value.shift)
    if room < 2:
        return "…"
    room = room if value.shape.n_ends <= room else room // len(value.left + value.right)
    sides = (",".join(_text(each, room) for each in side) for side in (value.left, value.right))
    return "{" + "|".join(sides) + "}"
