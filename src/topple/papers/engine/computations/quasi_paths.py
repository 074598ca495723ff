"""Quasi-paths of INFLUENCE: Theorem 33 of section 5.2."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, NamedTuple

from topple.boards.board import make_board
from topple.game.game import load
from topple.papers.engine.computations.digraphs import scores_of
from topple.papers.engine.computations.repeats import Told, say_nothing
from topple.solvers.influence.values import value_of_position

SHORTEST = 2


class QuasiPath(NamedTuple):
    """A path whose arcs lead to the right where `ahead` says so, and back elsewhere."""

    sides: str
    ahead: tuple[bool, ...]

    @property
    def mirrored(self) -> "QuasiPath":
        """The same graph, read from its other end."""
        return QuasiPath(self.sides[::-1], tuple(not on for on in reversed(self.ahead)))


class Tested(NamedTuple):
    """A collection of quasi-paths, and how many vertices Left gets moving second."""

    text: str
    n: int
    n_left: int  # vertices labelled L
    won: int

    @property
    def of_bound(self) -> Fraction:
        """What Left gets out of what Theorem 33 allows, (2 + u)/3 of the vertices."""
        return Fraction(3 * self.won, 2 * self.n + self.n_left)


def quasi_paths(
    longest: int,
    collections: int,
    most_paths: int,
    most_vertices: int,
    seed: int = 1,
    report: Told = say_nothing,
) -> dict[str, Any]:
    """Theorem 33 on every quasi-path up to a length and on random collections of longer ones.

    Parameters
    ----------
    longest : int
        Vertices of the longest path in the complete list.
    collections, most_paths, most_vertices : int
        How many collections, and how many paths of how many vertices they have.
    """
    listed = [path for n in range(SHORTEST, longest + 1) for path in all_paths(n)]
    total = len(listed) + collections
    tested = []
    for path in listed:
        tested.append(_test_path(path))
        report(len(tested), total)
    rng = Random(seed)
    for _ in range(collections):
        n_paths = rng.randrange(2, most_paths + 1)
        lengths = [rng.randrange(SHORTEST, most_vertices + 1) for _ in range(n_paths)]
        tested.append(_test_together([random_path(n, rng) for n in lengths]))
        report(len(tested), total)
    few_left = [each for each in tested if 2 * each.n_left < each.n]
    nearest = max(tested, key=lambda each: each.of_bound)
    against = [each.text for each in tested if each.of_bound > 1]
    return {
        "longest": longest,
        "n_paths": len(listed),
        "n_collections": collections,
        "holds": not against,
        "counterexamples": against,
        "nearest": round(100 * float(nearest.of_bound), 1),
        "nearest_text": nearest.text,
        "most_of_few": round(100 * max(each.won / each.n for each in few_left), 1),
        "few_get_5_of_6": all(6 * each.won <= 5 * each.n for each in few_left),
    }


def all_paths(n: int) -> Iterator[QuasiPath]:
    """Every relevant quasi-path of n vertices, one of each with its mirror image.

    No vertex is forced just if all sources are L and all sinks R (Definition 6).

    >>> [len(list(all_paths(n))) for n in range(2, 6)]
    [1, 4, 9, 30]
    """
    for ahead in product((True, False), repeat=n - 1):
        choices = [_sides_at(ahead, vertex) for vertex in range(n)]
        for sides in product(*choices):
            path = QuasiPath("".join(sides), ahead)
            if path <= path.mirrored:
                yield path


def random_path(n: int, rng: Random) -> QuasiPath:
    """A relevant quasi-path of n vertices: with few turns or many, with few L or many."""
    turns, lefts = rng.random(), rng.random()
    ahead = [rng.random() < 0.5]
    while len(ahead) < n - 1:
        ahead.append(ahead[-1] != (rng.random() < turns))
    choices = [_sides_at(tuple(ahead), vertex) for vertex in range(n)]
    sides = [each[0] if len(each) == 1 or rng.random() < lefts else each[1] for each in choices]
    return QuasiPath("".join(sides), tuple(ahead))


def _sides_at(ahead: tuple[bool, ...], vertex: int) -> str:
    """The sides that a vertex may have: L for a source, R for a sink, both for others."""
    before, behind = ahead[max(0, vertex - 1) : vertex], ahead[vertex : vertex + 1]
    n_arriving = sum(before) + sum(not on for on in behind)
    if n_arriving == 0:
        return "L"
    return "R" if n_arriving == len(before) + len(behind) else "LR"


def _graph(paths: Iterable[QuasiPath]) -> tuple[list[list[int]], str]:
    """Successors and sides of paths beside each other."""
    successors: list[list[int]] = []
    sides = ""
    for path in paths:
        start = len(sides)
        successors += [[] for _ in path.sides]
        sides += path.sides
        for at, on in enumerate(path.ahead, start=start):
            tail, head = (at, at + 1) if on else (at + 1, at)
            successors[tail].append(head)
    return successors, sides


def path_text(path: QuasiPath) -> str:
    """A path as people draw it.

    >>> path_text(QuasiPath("LRRL", (True, True, False)))
    'L>R>R<L'
    """
    arcs = [">" if on else "<" for on in path.ahead]
    return "".join(side + arc for side, arc in zip(path.sides, [*arcs, ""], strict=True))


def _test_path(path: QuasiPath) -> Tested:
    """The value of a single path has its scores."""
    successors, sides = _graph([path])
    board = make_board("quasi-path", successors, directed=True, sides=sides)
    right = value_of_position(load("influence", board).start()).right_stop
    return Tested(path_text(path), len(sides), sides.count("L"), (len(sides) + int(right)) // 2)


def _test_together(paths: list[QuasiPath]) -> Tested:
    """A sum of paths is solved by search."""
    successors, sides = _graph(paths)
    board = make_board("quasi-paths", successors, directed=True, sides=sides)
    won = scores_of(board).second_left.least
    return Tested(" ".join(map(path_text, paths)), len(sides), sides.count("L"), won)
