"""Shape: what games that differ by a number have in common.

G + n, where n is a whole number, is G with n added to every end: the same moves are good
for the same reasons. So a value is a shape, whose Rs is 0, and a shift. Tables of sums and
comparisons are kept for shapes and serve all their shifts.
"""

from collections.abc import Iterable
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from topple.solvers.scoring.thermograph import Thermograph
    from topple.solvers.scoring.value import Value

    Options = tuple[Value, ...]

_lock: Final = Lock()


class Shape:
    """A game whose Rs is 0. `find_shape` gives one object for the same options.

    Attributes
    ----------
    left, right : tuple of Value
        The options, sorted; none at an end, which is the number 0.
    left_stop : int
        Ls. Since Rs is 0, this is the incentive.
    depth : int
        The moves of the longest play.
    n_ends : int
        The ends of the game written out as a tree.
    digest : bytes
        Ten bytes that depend on the form alone, to sort by.
    canonical : Shape, optional
        Its canonical form, once it is known; values have only shapes that are their own.
    thermograph : Thermograph, optional
        Once it was asked for.
    """

    __slots__ = (
        "__weakref__", "canonical", "depth", "digest", "left", "left_stop", "n_ends", "right",
        "thermograph",
    )  # fmt: skip

    def __init__(self, left: "Options", right: "Options") -> None:
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


_shapes: Final[WeakValueDictionary[tuple["Options", "Options"], Shape]] = WeakValueDictionary()


def find_shape(left: "Options", right: "Options") -> Shape:
    """The one shape with these options, which must be sorted and have Rs = 0."""
    found = _shapes.get((left, right))
    if found is None:
        with _lock:
            found = _shapes.setdefault((left, right), Shape(left, right))
    return found


def sorted_options(options: "Iterable[Value]") -> "Options":
    """Options in the order they are written: by their stops, the largest first."""
    return tuple(sorted(options, key=lambda option: (
        -option.left_stop, -option.right_stop, option.shape.digest)))  # fmt: skip


def _digest(left: "Options", right: "Options") -> bytes:
    mill = blake2b(digest_size=10)
    for mark, options in ((b"L", left), (b"R", right)):
        for option in options:
            mill.update(b"%b%b%d;" % (mark, option.shape.digest, option.shift))
    return mill.digest()
