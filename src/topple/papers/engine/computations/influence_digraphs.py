"""Computations of the INFLUENCE paper on other digraphs: figure 1 and section 5."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any, NamedTuple

from topple.boards.board import Board, make_board
from topple.boards.kinds.influence import tree_board
from topple.core.errors import Unsupported
from topple.game.game import load
from topple.papers.engine.computations.estimates import ReportProgress, no_report
from topple.solvers import Scores, solve
from topple.solvers.influence.reach import Digraph, members
from topple.solvers.influence.values import value_of_position

# Figure 1 with the arcs that the text implies: u reaches w, y and z; v and x are taken together.
FIGURE_1 = {"u": "w", "v": "w", "w": "yz", "x": "v", "y": "", "z": ""}
FIGURE_1_LEFT = "uw"

Shape = tuple[Any, ...]  # of a tree: the side of its root, then its subtrees' sorted shapes


def scores_of(board: Board) -> Scores:
    """The exact Ls and Rs of a board.

    Raises
    ------
    Unsupported
        If the board is too large.
    """
    scores = solve(load("influence", board).start(), scores=True).scores
    if scores is None or not (scores.left.is_exact and scores.right.is_exact):
        raise Unsupported(f"{board.spec}: {board.n_vertices} vertices are too many for its scores")
    return scores


def example() -> dict[str, int]:
    """Example 3: the scores of figure 1."""
    labels = list(FIGURE_1)
    board = make_board(
        "figure 1",
        [[labels.index(head) for head in heads] for heads in FIGURE_1.values()],
        labels=labels,
        directed=True,
        sides="".join("L" if label in FIGURE_1_LEFT else "R" for label in labels),
    )
    scores = scores_of(board)
    return {
        "left_first": scores.first_left.least,
        "right_second": scores.second_right.least,
        "right_first": scores.first_right.least,
        "left_second": scores.second_left.least,
        "Ls": scores.left.least,
        "Rs": scores.right.least,
    }


def trees(
    depths: Sequence[int], leaves: Sequence[int], report: ReportProgress = no_report
) -> dict[str, Any]:
    """Section 5.1: what Right gets when moving first on J_n^c, which is two copies of T_n^c.

    `depths` are all n, from 0 without gaps, and `leaves` all c.
    """
    first: dict[int, list[int]] = {c: [] for c in leaves}  # s₁ᴿ(J_n^c) for each n
    sizes: dict[int, list[int]] = {c: [] for c in leaves}
    done = 0
    for n in depths:
        for c in leaves:
            board = tree_board(n, c, copies=2)
            first[c].append(scores_of(board).first_right.least)
            sizes[c].append(board.n_vertices)
            done += 1
            report(done, len(depths) * len(leaves))
    percent = {
        c: [100 * won / size for won, size in zip(first[c], sizes[c], strict=True)] for c in leaves
    }
    cases = [(n, c) for n in depths for c in leaves]
    return {
        "title": "moving first on two trees",
        "axes": ["n", "vertices that Right gets, %"],
        "x": list(depths),
        "series": {f"c = {c}": [round(value, 3) for value in percent[c]] for c in leaves},
        "left_has": {str(c): [_left_has(n, c) for n in depths] for c in leaves},
        "left_gets": {str(c): [round(100 - value, 1) for value in percent[c]] for c in leaves},
        "falls": all(after < before for c in leaves for before, after in pairwise(percent[c])),
        **_holding("size", [(n, c) for n, c in cases if sizes[c][n] != 2 * _size(n, c)]),
        **_holding("lemma_29", [(n, c) for n, c in cases if not leaves_pairs(n, c)]),
        **_holding(
            "lemma_30", [(n, c) for n, c in cases if first[c][n] > n + 1 + c + sum(first[c][:n])]
        ),
        **_holding("corollary_31", [(n, c) for n, c in cases if first[c][n] > 2**n * (n + c) + 1]),
        **_holding("formula", [(n, c) for n, c in cases if first[c][n] != 2**n * (c + 2) - 1]),
    }


def _size(n: int, c: int) -> int:
    """|V(T_n^c)| by the paper's formula."""
    return int(3 ** (n + 1) - 1) // 2 + c * int(3**n)


def _left_has(n: int, c: int) -> float:
    """The percentage of J_n^c's vertices that are labelled L."""
    return round(100 * float(3 ** (n + 1) - 1) / (2 * _size(n, c)), 1)


def _holding(name: str, against: Sequence[tuple[int, int]]) -> dict[str, Any]:
    return {name: not against, f"{name}_against": [f"n = {n}, c = {c}" for n, c in against]}


def leaves_pairs(n: int, c: int) -> bool:
    """Lemma 29: J_0^c + … + J_{n−1}^c remains of T_n^c, whichever leaf Right takes.

    >>> leaves_pairs(2, 2)
    True
    """
    board = tree_board(n, c, copies=1)
    digraph = Digraph(board)
    everything = (1 << board.n_vertices) - 1
    expected = sorted(
        shape for k in range(n) for shape in _shapes(tree_board(k, c, copies=2), everything)
    )
    return all(
        sorted(_shapes(board, digraph.relevant(everything & ~digraph.own[leaf])[0])) == expected
        for leaf in members(digraph.labelled[1])
    )


def _shapes(board: Board, there: int) -> list[Shape]:
    """The shapes of the trees that a bit set of vertices forms on a tree board."""
    known: dict[int, Shape] = {}
    roots: set[int] = set()
    for vertex in sorted((v for v in members(there) if v < board.n_vertices), reverse=True):
        # A tree board numbers vertices level by level, so subtrees come before their roots here.
        below = [v for v in board.neighbours(vertex) if there >> v & 1]
        known[vertex] = (board.sides[vertex], *sorted(known[v] for v in below))
        roots = (roots - set(below)) | {vertex}
    return [known[root] for root in roots]


# -- quasi-paths: Theorem 33 of section 5.2 ---------------------------------------------------

SHORTEST_PATH = 2


class QuasiPath(NamedTuple):
    """A path whose arcs point to the right where `ahead` is true, and to the left elsewhere."""

    sides: str
    ahead: tuple[bool, ...]

    @property
    def mirrored(self) -> "QuasiPath":
        """The same graph, read from the other end."""
        return QuasiPath(self.sides[::-1], tuple(not on for on in reversed(self.ahead)))


class BoundTest(NamedTuple):
    """A collection of quasi-paths, and how many vertices Left gets when moving second."""

    text: str
    n: int
    n_left: int  # vertices labelled L
    won: int

    @property
    def of_bound(self) -> Fraction:
        """What Left gets, as a share of the (2 + u)/3 of the vertices that Theorem 33 allows."""
        return Fraction(3 * self.won, 2 * self.n + self.n_left)


def quasi_paths(
    longest: int,
    collections: int,
    most_paths: int,
    most_vertices: int,
    seed: int = 1,
    report: ReportProgress = no_report,
) -> dict[str, Any]:
    """Theorem 33 on all quasi-paths of up to `longest` vertices, and on random collections.

    A collection has up to `most_paths` paths of up to `most_vertices` vertices.
    """
    listed = [path for n in range(SHORTEST_PATH, longest + 1) for path in all_paths(n)]
    total = len(listed) + collections
    tested = []
    for path in listed:
        tested.append(_test_path(path))
        report(len(tested), total)
    rng = Random(seed)
    for _ in range(collections):
        n_paths = rng.randrange(2, most_paths + 1)
        lengths = [rng.randrange(SHORTEST_PATH, most_vertices + 1) for _ in range(n_paths)]
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
    """All relevant quasi-paths of n vertices, without mirror images.

    Relevant means that all sources are L and all sinks R: then no vertex is forced
    (Definition 6).

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
    """A random relevant quasi-path of n vertices, with few or many turns and few or many L."""
    turns, lefts = rng.random(), rng.random()
    ahead = [rng.random() < 0.5]
    while len(ahead) < n - 1:
        ahead.append(ahead[-1] != (rng.random() < turns))
    choices = [_sides_at(tuple(ahead), vertex) for vertex in range(n)]
    sides = [each[0] if len(each) == 1 or rng.random() < lefts else each[1] for each in choices]
    return QuasiPath("".join(sides), tuple(ahead))


def _sides_at(ahead: tuple[bool, ...], vertex: int) -> str:
    """The sides that a vertex may have: L for a source, R for a sink, either for others."""
    before, behind = ahead[max(0, vertex - 1) : vertex], ahead[vertex : vertex + 1]
    n_arriving = sum(before) + sum(not on for on in behind)
    if n_arriving == 0:
        return "L"
    return "R" if n_arriving == len(before) + len(behind) else "LR"


def _graph(paths: Iterable[QuasiPath]) -> tuple[list[list[int]], str]:
    """The successors and sides of the disjoint union of paths."""
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
    """A path as text, with an arrow for each arc.

    >>> path_text(QuasiPath("LRRL", (True, True, False)))
    'L>R>R<L'
    """
    arcs = [">" if on else "<" for on in path.ahead]
    return "".join(side + arc for side, arc in zip(path.sides, [*arcs, ""], strict=True))


def _test_path(path: QuasiPath) -> BoundTest:
    """Test a single path, whose scores follow from its value."""
    successors, sides = _graph([path])
    board = make_board("quasi-path", successors, directed=True, sides=sides)
    right = value_of_position(load("influence", board).start()).right_stop
    return BoundTest(path_text(path), len(sides), sides.count("L"), (len(sides) + int(right)) // 2)


def _test_together(paths: list[QuasiPath]) -> BoundTest:
    """Test a sum of paths, which is solved by search."""
    successors, sides = _graph(paths)
    board = make_board("quasi-paths", successors, directed=True, sides=sides)
    won = scores_of(board).second_left.least
    return BoundTest(" ".join(map(path_text, paths)), len(sides), sides.count("L"), won)
