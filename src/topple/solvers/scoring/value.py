"""Value: a game of Milnor's universe in canonical form, with its arithmetic and order.

Games that differ by a whole number share a `Shape`: G + n is G with n added to every end, and
the same moves are good for the same reasons. So a value is a shape, whose Rs is 0, and a shift.
Tables of sums and comparisons are kept for shapes and serve all their shifts.
"""

import operator
from collections.abc import Iterable, Iterator
from fractions import Fraction
from hashlib import blake2b
from threading import Lock
from typing import Any, Final, NoReturn
from weakref import WeakValueDictionary

from topple.core.errors import BadText, Unsupported
from topple.solvers.scoring.thermograph import Thermograph, thermograph_of

_lock: Final = Lock()

Options = tuple["Value", ...]


class Shape:
    """A game whose Rs is 0. `find_shape` returns the same object for the same options.

    Attributes
    ----------
    left, right : tuple of Value
        The options, sorted; empty at an end, which is the number 0.
    left_stop : int
        Ls, which is the incentive since Rs is 0.
    depth : int
        The number of moves in the longest play.
    n_ends : int
        The number of ends of the game written out as a tree.
    digest : bytes
        Ten bytes that depend only on the form, to sort by.
    canonical : Shape, optional
        Its canonical form, once known. The shape of a `Value` is its own canonical form.
    thermograph : Thermograph, optional
        Once computed.
    """

    __slots__ = (
        "__weakref__",
        "canonical",
        "depth",
        "digest",
        "left",
        "left_stop",
        "n_ends",
        "right",
        "thermograph",
    )

    def __init__(self, left: Options, right: Options) -> None:
        self.left = left
        self.right = right
        self.left_stop = max((option.right_stop for option in left), default=0)
        options = (*left, *right)
        self.depth: int = max((1 + option.shape.depth for option in options), default=0)
        self.n_ends: int = sum(option.shape.n_ends for option in options) or 1
        self.digest = _digest(left, right)
        self.canonical: Shape | None = None
        self.thermograph: Thermograph | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return find_shape, (self.left, self.right)


_shapes: Final[WeakValueDictionary[tuple[Options, Options], Shape]] = WeakValueDictionary()


def find_shape(left: Options, right: Options) -> Shape:
    """The one shape with these options, which must be sorted and have Rs = 0."""
    found = _shapes.get((left, right))
    if found is None:
        with _lock:
            found = _shapes.setdefault((left, right), Shape(left, right))
    return found


def sorted_options(options: Iterable["Value"]) -> Options:
    """Options in the order in which they are written: by their stops, largest first."""

    def key(option: "Value") -> tuple[int, int, bytes]:
        return -option.left_stop, -option.right_stop, option.shape.digest

    return tuple(sorted(options, key=key))


def _digest(left: Options, right: Options) -> bytes:
    mill = blake2b(digest_size=10)
    for mark, options in ((b"L", left), (b"R", right)):
        for option in options:
            mill.update(b"%b%b%d;" % (mark, option.shape.digest, option.shift))
    return mill.digest()


MOST = 2_000_000  # cached comparisons: a few hundred megabytes

# For shapes G and H: the least lead for which G + lead ≥ H is proven to hold, and the largest
# for which it is proven not to.
_proven: Final[dict[tuple["Shape", "Shape"], tuple[int, int]]] = {}


def at_least(g: Shape, h: Shape, lead: int) -> bool:
    """Whether G + lead ≥ H: Left prefers G + lead to H, or is indifferent, in every sum.

    In Milnor's universe G ≥ H holds exactly if Rs(G − H) ≥ 0 (Milnor 1953; Ettinger 1996),
    so that no other sums need to be examined. Right begins in G + lead − H and wins unless
    Left, who moves next, gets at least 0. Scores are whole numbers, so Left gets at least 0
    in X − Y unless Y − 1 ≥ X.
    """
    if g is h:
        return lead >= 0
    # Both shapes have Rs = 0. G ≥ H implies that both stops of G are at least those of H.
    if lead < 0 or g.left_stop + lead < h.left_stop:
        return False
    if lead >= h.left_stop:
        return True
    enough, too_little = _proven.get((g, h), (h.left_stop, -1))
    if lead >= enough:
        return True
    if lead <= too_little:
        return False
    holds = not _right_wins(g, h, lead)
    if len(_proven) >= MOST:
        _proven.clear()
    enough, too_little = _proven.get((g, h), (h.left_stop, -1))
    _proven[g, h] = (min(enough, lead), too_little) if holds else (enough, max(too_little, lead))
    return holds


def _right_wins(g: Shape, h: Shape, lead: int) -> bool:
    """Whether Right has a first move in G + lead − H after which Left loses."""
    for option in g.right:
        if at_least(h, option.shape, -(lead + option.shift) - 1):
            return True
    # A loop and not any(…), whose extra frames would make the deep recursion deeper.
    for option in h.left:  # noqa: SIM110 -- each a move of Right in −H
        if at_least(option.shape, g, -(lead - option.shift) - 1):
            return True
    return False


def simplest(left: Iterable["Value"], right: Iterable["Value"]) -> Shape:
    """The canonical form of {left | right}, a game with Rs = 0 < Ls.

    The functions below look at Left's options with sign 1. A Right option is a Left option
    of the negative game, and is treated with sign −1.

    - An option is **dominated** if another one is at least as good. It is left out.
    - A Left option A is **reversible** if Right can answer it with an A^R ≤ G, which leaves
      Left no better off than before. A is replaced by Left's options of that A^R.
    - If that answer is a number, it has no options and nothing replaces A. From
      n ≤ Rs(G) < Ls(G) it follows that another option reaches Ls(G), and if there are moves
      elsewhere, they are as good as A. Only if Ls(G) = Rs(G) would no option remain, and such
      a game equals its number: G − Ls(G) has both stops 0.

    The remaining options are unique. If G = H and neither is a number, Right moves in H − G
    to H − A, and Left has an answer that keeps Rs ≥ 0: either B − A with an option B ≥ A of H,
    or H − A^R, and then A would be reversible. So every option of G is at most one of H and
    vice versa; since no option dominates another one, the options are the same.
    """
    lefts, rights = undominated(left, 1), undominated(right, -1)
    whole = find_shape(sorted_options(lefts), sorted_options(rights))
    if whole.canonical is None:
        new_lefts = _without_reversible(lefts, whole, 1)
        new_rights = _without_reversible(rights, whole, -1)
        whole.canonical = whole
        if new_lefts is not lefts or new_rights is not rights:
            lefts, rights = undominated(new_lefts, 1), undominated(new_rights, -1)
            whole.canonical = find_shape(sorted_options(lefts), sorted_options(rights))
            whole.canonical.canonical = whole.canonical
    return whole.canonical


def undominated(options: Iterable["Value"], sign: int) -> list["Value"]:
    """The options without those that are dominated, for Left (sign 1) or Right (−1)."""
    kept: list[Value] = []
    for option in dict.fromkeys(options):
        if any(_as_good(other, option, sign) for other in kept):
            continue
        kept = [other for other in kept if not _as_good(option, other, sign)]
        kept.append(option)
    return kept


def _as_good(one: "Value", other: "Value", sign: int) -> bool:
    if sign < 0:
        one, other = other, one
    return at_least(one.shape, other.shape, one.shift - other.shift)


def _without_reversible(options: list["Value"], whole: Shape, sign: int) -> "list[Value]":
    """The options with reversible ones replaced; the same list if none is reversible."""
    waiting = options[::-1]
    kept: dict[Value, None] = {}
    changed = False
    while waiting:
        option = waiting.pop()
        answer = _reversing(option, whole, sign)
        if answer is None:
            kept[option] = None
        else:
            changed = True
            waiting.extend(answer.left if sign > 0 else answer.right)
    return list(kept) if changed else options


def _reversing(option: "Value", whole: Shape, sign: int) -> "Value | None":
    """The opponent's answer that reverses an option; None if there is none."""
    if sign > 0:
        for answer in option.shape.right:
            if at_least(whole, answer.shape, -(answer.shift + option.shift)):
                return answer + option.shift
    else:
        for answer in option.shape.left:
            if at_least(answer.shape, whole, answer.shift + option.shift):
                return answer + option.shift
    return None


MOST_BITS = 4096  # of a whole number
DEEPEST = 100  # moves; the recursion is this deep, and twice as deep in a sum
MOST_SUMS = 500_000  # cached
MOST_ENDS = 200  # of a game that is written out in full

_END: Final = find_shape((), ())


class Value:
    """The value of a game: options for Left and Right, a whole number at the ends.

    A value is immutable and in canonical form. Equal games, which can replace each
    other in every sum, are represented by the same `Value` object. Make values with
    `number`, `game`, `parse` and `value_of`, not with the class.

    Values can be added, subtracted, negated, multiplied by whole numbers and
    compared; a whole number is accepted wherever a value is. The order is partial:
    two games are confused if neither is at least the other.

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
    shape: Shape  # shared by all values that differ from it by a number
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
        """Copies and unpickled values are the same object, too."""
        return Value, (self.shape, self.shift)

    # -- properties ----------------------------------------------------------------------------

    @property
    def is_number(self) -> bool:
        """Whether it is a number, in which nobody gains anything by moving."""
        return self.shape is _END

    @property
    def left(self) -> tuple["Value", ...]:
        """Left's options, sorted by their stops; empty for a number."""
        return tuple(Value(option.shape, option.shift + self.shift) for option in self.shape.left)

    @property
    def right(self) -> tuple["Value", ...]:
        """Right's options, sorted by their stops; empty for a number."""
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
        """Ls − Rs, the worth of moving first; 0 only for numbers."""
        return self.shape.left_stop

    @property
    def depth(self) -> int:
        """The number of moves in the longest play."""
        return self.shape.depth

    @property
    def thermograph(self) -> Thermograph:
        """The scores as functions of a tax on each move."""
        return thermograph_of(self.shape).shifted(self.shift)

    @property
    def mean(self) -> Fraction:
        """The worth of one of many equal games: Ls(nG) / n for large n."""
        return thermograph_of(self.shape).mean + self.shift

    @property
    def temperature(self) -> Fraction:
        """The tax from which moving gains nothing; 0 for a number."""
        return thermograph_of(self.shape).temperature

    def positions(self) -> Iterator["Value"]:
        """Every different value that play can lead to, beginning with this one."""
        seen, waiting = {self}, [self]
        while waiting:
            value = waiting.pop()
            yield value
            new = dict.fromkeys(each for each in value.left + value.right if each not in seen)
            seen.update(new)
            waiting.extend(new)

    # -- arithmetic ----------------------------------------------------------------------------

    def __add__(self, other: "Value | int") -> "Value":
        """The sum, in which each move is made in one of the two games."""
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
        """The game with the roles of Left and Right exchanged."""
        return _negative(self.shape) + -self.shift

    def __sub__(self, other: "Value | int") -> "Value":
        """The sum with the other's negative; 0 if and only if the two are equal."""
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
        """Whether one can replace the other in every sum."""
        if isinstance(other, int):
            return self.is_number and self.shift == other
        return self is other if isinstance(other, Value) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.shift) if self.is_number else object.__hash__(self)

    def __ge__(self, other: "Value | int") -> bool:
        """Whether this one is at least as good for Left as the other in every sum."""
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
        """Whether neither is at least the other, so that it depends which is better."""
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
    """A game that is over, with Left n points ahead.

    Raises
    ------
    BadText
        If n is not a whole number.

    Examples
    --------
    >>> number(3) + number(-5) == -2
    True
    """
    return Value(_END, _whole(n))


def game(left: Iterable[Value | int], right: Iterable[Value | int]) -> Value:
    """The value of a game with the given options.

    Raises
    ------
    BadText
        If only one player can move, or if not moving is better (zugzwang), since
        such games are outside Milnor's universe.
    Unsupported
        If play can last more than `DEEPEST` moves.

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
    topple.core.errors.BadText: zugzwang: Ls = -1 is less than Rs = 1, so nobody wants to move
    """
    lefts, rights = _values_of(left), _values_of(right)
    if not lefts or not rights:
        raise BadText(_one_sided(bool(lefts), bool(rights)))
    left_stop = max(option.right_stop for option in lefts)
    right_stop = min(option.left_stop for option in rights)
    if left_stop < right_stop:
        raise BadText(
            f"zugzwang: Ls = {left_stop} is less than Rs = {right_stop}, so nobody wants to move"
        )
    if left_stop == right_stop:
        return Value(_END, right_stop)
    shape = simplest(
        [option + -right_stop for option in lefts], [option + -right_stop for option in rights]
    )
    if shape.depth > DEEPEST:
        raise Unsupported(f"play can last {shape.depth} moves: values are computed up to {DEEPEST}")
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
        raise BadText(f"{n!r} is not a value: an end is a whole number") from None
    if whole.bit_length() > MOST_BITS:
        raise BadText(f"an end of {whole.bit_length():,} bits is too large: {MOST_BITS:,} at most")
    return whole


def _sum(one: Shape, other: Shape) -> Value:
    """The sum of two shapes that are not numbers."""
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
    """The negative of a shape, which is canonical too, since options only change sides."""
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


def _text(value: Value, most_ends: int) -> str:
    """A value written out, with … for options that have too many ends."""
    if value.is_number:
        return str(value.shift)
    if most_ends < 2:
        return "…"
    if value.shape.n_ends > most_ends:
        most_ends //= len(value.left + value.right)
    sides = (
        ",".join(_text(each, most_ends) for each in side) for side in (value.left, value.right)
    )
    return "{" + "|".join(sides) + "}"
