"""Canonical form: the options that matter, and nothing else.

Left options are looked at here; a Right option is a Left option of the negative game, so that
each function says `sign`: 1 for Left, −1 for Right.

- An option is **dominated** if another one is at least as good. It is left out.
- A Left option A is **reversible** if Right can answer it with an A^R ≤ G, which leaves Left no
  better off than before. Left's options of that A^R stand in for A.
- A reversible option may be answered with a number, which has no options. Then nothing stands in:
  from n ≤ Rs(G) < Ls(G) it follows that another option reaches Ls(G), and where there are moves
  elsewhere they are as good as A. Only where Ls(G) = Rs(G) would nothing be left to move to, and
  such a game is its number: G − Ls(G) has both stops 0.

What remains is unique. If G = H and neither is a number, Right moves in H − G to H − A, and Left
has an answer that keeps Rs ≥ 0: either B − A with an option B ≥ A of H, or H − A^R, and that A
would be reversible. So every option of G is at most one of H and the other way round, and among
options that do not dominate each other this makes them the same.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from topple.solvers.scoring.order import at_least
from topple.solvers.scoring.shape import Shape, find_shape, sorted_options

if TYPE_CHECKING:
    from topple.solvers.scoring.value import Value


def simplest(left: "Iterable[Value]", right: "Iterable[Value]") -> Shape:
    """The canonical form of {left | right}, a game with Rs = 0 < Ls."""
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


def undominated(options: "Iterable[Value]", sign: int) -> "list[Value]":
    """The options that no other one is at least as good as, for Left (1) or Right (−1)."""
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


def _without_reversible(options: "list[Value]", whole: Shape, sign: int) -> "list[Value]":
    """The options, with what stands in for those that are reversible; the same list if none is."""
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
    """The answer that leaves the mover no better off than the whole game did, if there is one."""
    if sign > 0:
        for answer in option.shape.right:
            if at_least(whole, answer.shape, -(answer.shift + option.shift)):
                return answer + option.shift
    else:
        for answer in option.shape.left:
            if at_least(answer.shape, whole, answer.shift + option.shift):
                return answer + option.shift
    return None
