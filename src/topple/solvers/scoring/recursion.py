"""Values of the positions of any scoring game, computed from its rules."""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from topple.core.errors import BadText, Unsupported
from topple.core.text import shorten
from topple.solvers.scoring.value import Value, game, number

P = TypeVar("P", bound=Hashable)  # a position of any game

Sum = tuple[int, tuple[P, ...]]  # points, and positions whose values are added
SHORT = 60  # characters of a position in a message


def value_of(
    position: P,
    left_options: Callable[[P], Iterable[P]],
    right_options: Callable[[P], Iterable[P]],
    score: Callable[[P], int],
    *,
    split: Callable[[P], tuple[int, Iterable[P]]] | None = None,
    known: dict[P, Value] | None = None,
    most: int | None = None,
) -> Value:
    """The value of a position of a scoring game in Milnor's universe.

    Parameters
    ----------
    position : hashable
        Equal positions are evaluated once.
    left_options, right_options : callable
        The positions that Left, or Right, can move to. Both players or neither can move.
    score : callable
        Left's lead in a position in which nobody can move.
    split : callable, optional
        Divides a position into points that are settled and independent positions whose
        sum is the rest. These are not split again. In a game that falls apart, this
        saves most of the work.
    known : dict, optional
        Values that are already known; new ones are added.
    most : int, optional
        The largest number of positions to evaluate.

    Raises
    ------
    BadText
        If the game is outside Milnor's universe; the message names the position.
    Unsupported
        If a position can recur, so that play need not end, or if there are more
        positions than `most`.

    Examples
    --------
    A heap of coins from which players take one or two until none is left. A position
    consists of the number of coins and Left's lead.

    >>> def left(position):
    ...     coins, lead = position
    ...     return [(coins - n, lead + n) for n in (1, 2) if n <= coins]
    >>> def right(position):
    ...     coins, lead = position
    ...     return [(coins - n, lead - n) for n in (1, 2) if n <= coins]
    >>> for n in range(5):
    ...     print(value_of((n, 0), left, right, lambda position: position[1]))
    0
    {1|-1}
    {2|-2}
    {{3|1}|{-1|-3}}
    0

    The lead is settled, so it can be split off:

    >>> def split(position):
    ...     coins, lead = position
    ...     return lead, [(coins, 0)] if coins else []
    >>> print(value_of((3, 7), left, right, lambda position: position[1], split=split))
    {{10|8}|{6|4}}
    """
    search = _Search(left_options, right_options, score, split, known, most)
    return search.value(position)


class _Search(Generic[P]):
    """Evaluation from the ends upwards, with an explicit stack since play may be long."""

    def __init__(
        self,
        left_options: Callable[[P], Iterable[P]],
        right_options: Callable[[P], Iterable[P]],
        score: Callable[[P], int],
        split: Callable[[P], tuple[int, Iterable[P]]] | None,
        known: dict[P, Value] | None,
        most: int | None,
    ) -> None:
        self.choices = (left_options, right_options)
        self.score = score
        self.split = split
        self.known = {} if known is None else known
        self.most = most
        self.n_valued = 0

    def value(self, position: P) -> Value:
        """The value of a position, split or not."""
        whole = self._sum_of(position)
        for part in whole[1]:
            self._settle(part)
        return self._add(whole)

    def _sum_of(self, position: P) -> Sum[P]:
        if self.split is None:
            return 0, (position,)
        points, parts = self.split(position)
        return points, tuple(parts)

    def _add(self, whole: Sum[P]) -> Value:
        points, parts = whole
        total = number(points)
        for part in parts:
            total += self.known[part]
        return total

    def _settle(self, position: P) -> None:
        """Evaluate a position that cannot be split, after all positions it leads to."""
        waiting = [position]
        under_way: dict[P, tuple[list[Sum[P]], ...]] = {}  # each leads to the next
        while waiting:
            position = waiting[-1]
            if position in self.known:
                waiting.pop()
            elif position in under_way:
                self.known[position] = self._value(position, *under_way.pop(position))
            else:
                options = tuple(
                    [self._sum_of(option) for option in choices(position)]
                    for choices in self.choices
                )
                under_way[position] = options
                new = {part for side in options for _, parts in side for part in parts}
                if any(part in under_way for part in new):
                    raise Unsupported(
                        f"{_short(position)} leads back to an earlier position: "
                        "values are for games that end"
                    )
                waiting.extend(part for part in new if part not in self.known)

    def _value(self, position: P, left: list[Sum[P]], right: list[Sum[P]]) -> Value:
        """The value of a position whose options are known."""
        self.n_valued += 1
        if self.most is not None and self.n_valued > self.most:
            raise Unsupported(f"there are more than {self.most:,} positions to evaluate")
        if not left and not right:
            return number(self.score(position))
        try:
            return game([self._add(each) for each in left], [self._add(each) for each in right])
        except BadText as error:
            raise BadText(f"{_short(position)}: {error}") from None


def _short(position: object) -> str:
    return shorten(" ".join(repr(position).split()), SHORT)
