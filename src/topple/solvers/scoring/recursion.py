"""From the rules of a game to the values of its positions."""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from topple.core.errors import BadText, Unsupported
from topple.solvers.scoring.value import Value, game, number

P = TypeVar("P", bound=Hashable)  # a position of any game

Sum = tuple[int, tuple[P, ...]]  # points, and positions to be valued and added
SHORT = 60  # characters of a position that a message repeats


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
    """The value of a position of any scoring game of Milnor's universe.

    Parameters
    ----------
    position : hashable
        Positions that are equal are valued once.
    left_options, right_options : callable
        The positions that Left, or Right, can move to. Both or neither can move.
    score : callable
        By how much Left is ahead in a position where nobody can move.
    split : callable, optional
        The points that are settled in a position, and the positions, independent of
        each other, whose sum the rest is. Those are not split again. It saves most
        of the work in a game that falls apart.
    known : dict, optional
        The values that are known already; those found are added.
    most : int, optional
        Positions to value at most.

    Raises
    ------
    BadText
        If the game is outside Milnor's universe, with the position that is at fault.
    Unsupported
        If a position can come back, so that play need not end; if there are more
        positions than `most`.

    Examples
    --------
    A heap of coins: take one or two, until none is left. A position is the number of
    coins and Left's lead.

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

    The lead is a number that is settled, and two heaps would be a sum:

    >>> def split(position):
    ...     coins, lead = position
    ...     return lead, [(coins, 0)] if coins else []
    >>> print(value_of((3, 7), left, right, lambda position: position[1], split=split))
    {{10|8}|{6|4}}
    """
    search = _Search(left_options, right_options, score, split, known, most)
    return search.value(position)


class _Search(Generic[P]):
    """Positions valued from the ends upwards, with a stack of its own: play may be long."""

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
        """Value a position that is not to be split, after all that it leads to."""
        waiting = [position]
        under_way: dict[P, tuple[list[Sum[P]], ...]] = {}  # each one leads to the next
        while waiting:
            position = waiting[-1]
            if position in self.known:
                waiting.pop()
            elif position in under_way:
                self.known[position] = self._value(position, *under_way.pop(position))
            else:
                options = tuple([self._sum_of(option) for option in choices(position)]
                                for choices in self.choices)  # fmt: skip
                under_way[position] = options
                new = {part for side in options for _, parts in side for part in parts}
                if any(part in under_way for part in new):
                    raise Unsupported(f"{_short(position)} leads back to a position before it: "
                                      "values are for games that end")  # fmt: skip
                waiting.extend(part for part in new if part not in self.known)

    def _value(self, position: P, left: list[Sum[P]], right: list[Sum[P]]) -> Value:
        """The value of a position whose options are known."""
        self.n_valued += 1
        if self.most is not None and self.n_valued > self.most:
            raise Unsupported(f"there are more than {self.most:,} positions to value: too many")
        if not left and not right:
            return number(self.score(position))
        try:
            return game([self._add(each) for each in left], [self._add(each) for each in right])
        except BadText as error:
            raise BadText(f"{_short(position)}: {error}") from None


def _short(position: object) -> str:
    text = " ".join(repr(position).split())
    return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"
