"""Scoring games, the slow twin: Milnor's definitions, by plain recursion over trees.

A game is a whole number, or a pair of tuples: Left's options and Right's options. A sum is a
tuple of games that is played as it stands. Nothing is simplified.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

Tree = int | tuple[tuple["Tree", ...], tuple["Tree", ...]]

_scores: dict[tuple[tuple[Tree, ...], int], int] = {}


def left_score(*parts: Tree) -> int:
    """Ls of a sum: Left begins and takes the best; ends are added up."""
    return _score(parts, 0)


def right_score(*parts: Tree) -> int:
    """Rs of a sum."""
    return _score(parts, 1)


def _score(parts: tuple[Tree, ...], mover: int) -> int:
    known = _scores.get((parts, mover))
    if known is None:
        after = [
            _score((*parts[:i], option, *parts[i + 1 :]), 1 - mover)
            for i, part in enumerate(parts)
            if not isinstance(part, int)
            for option in part[mover]
        ]
        known = (max, min)[mover](after) if after else sum(parts)
        _scores[parts, mover] = known
    return known


def negative(tree: Tree) -> Tree:
    """The players' parts exchanged."""
    if isinstance(tree, int):
        return -tree
    left, right = tree
    return tuple(map(negative, right)), tuple(map(negative, left))


def at_least(one: Tree, other: Tree) -> bool:
    """Milnor's test: Left does not lose one − other, moving second."""
    return right_score(one, negative(other)) >= 0


def is_equal(one: Tree, other: Tree) -> bool:
    """Nobody wins the difference."""
    return at_least(one, other) and at_least(other, one)


def in_universe(tree: Tree) -> bool:
    """Both can move or neither, and nobody would rather pass, here and wherever play may lead."""
    if isinstance(tree, int):
        return True
    left, right = tree
    return (
        bool(left) == bool(right)
        and all(map(in_universe, left + right))
        and left_score(tree) >= right_score(tree)
    )


def games_over(options: list[Tree], most: int) -> Iterator[Tree]:
    """Every game of the universe with 1 to `most` of these options for Left, of their negatives
    for Right. The negative of each is another one.
    """
    lefts, rights = (
        [side for n in range(1, most + 1) for side in combinations(pool, n)]
        for pool in (options, list(map(negative, options)))
    )
    for left, right in product(lefts, rights):
        if left_score((left, right)) >= right_score((left, right)):
            yield left, right


def positions(tree: Tree) -> set[Tree]:
    """Every different tree that play may lead to, itself included."""
    if isinstance(tree, int):
        return {tree}
    return {tree}.union(*map(positions, tree[0] + tree[1]))


def depth(tree: Tree) -> int:
    """The moves of the longest play."""
    return 0 if isinstance(tree, int) else 1 + max(map(depth, tree[0] + tree[1]))


def is_simplest(tree: Tree) -> bool:
    """No option, here or later, is dominated or reversible; a game is no number in disguise."""
    if isinstance(tree, int):
        return True
    left, right = tree
    dominated = any(one != other and at_least(one, other) for one in left for other in left)
    dominated |= any(one != other and at_least(other, one) for one in right for other in right)
    reversible = any(at_least(tree, answer) for one in left for answer in _side(one, 1))
    reversible |= any(at_least(answer, tree) for one in right for answer in _side(one, 0))
    return (
        not dominated
        and not reversible
        and left_score(tree) > right_score(tree)
        and all(map(is_simplest, left + right))
    )


def _side(tree: Tree, player: int) -> tuple[Tree, ...]:
    return () if isinstance(tree, int) else tree[player]


def taxed(tree: Tree, fine: int, most: int) -> tuple[list[Fraction], list[Fraction]]:
    """Left's and Right's scores at the taxes 0, 1/fine, 2/fine … most, from the definition.

    All corners lie on the grid if fine is 2 to the game's depth: slopes are whole numbers, and
    meeting halves a distance.
    """
    n = fine * most + 1
    if isinstance(tree, int):
        return [Fraction(tree)] * n, [Fraction(tree)] * n
    after_left = [taxed(option, fine, most)[1] for option in tree[0]]
    after_right = [taxed(option, fine, most)[0] for option in tree[1]]
    left, right = [], []
    for i in range(n):
        if left and left[-1] == right[-1]:
            left.append(left[-1])
            right.append(right[-1])
            continue
        tax = Fraction(i, fine)
        left.append(max(scores[i] for scores in after_left) - tax)
        right.append(min(scores[i] for scores in after_right) + tax)
        assert left[-1] >= right[-1], "the grid is too coarse"
    return left, right
