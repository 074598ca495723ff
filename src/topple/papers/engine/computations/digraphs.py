"""INFLUENCE on other digraphs: figure 1, and the oriented trees of section 5.1."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from topple.boards.board import Board, make_board
from topple.boards.kinds.trees import tree_board
from topple.core.errors import Unsupported
from topple.game.game import load
from topple.papers.engine.computations.repeats import Told, say_nothing
from topple.solvers import Scores, solve
from topple.solvers.influence.reach import Digraph, members

# Figure 1 with the arcs that its text tells: u reaches w, y and z; v and x go together.
FIGURE_1 = {"u": "w", "v": "w", "w": "yz", "x": "v", "y": "", "z": ""}
FIGURE_1_LEFT = "uw"

Shape = tuple[Any, ...]  # of a tree: its root's side, then the shapes below it, sorted


def scores_of(board: Board) -> Scores:
    """Ls and Rs of a board, exactly.

    Raises
    ------
    Unsupported
        If it is too large.
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
    depths: Sequence[int], leaves: Sequence[int], report: Told = say_nothing
) -> dict[str, Any]:
    """Section 5.1: what Right gets of J_n^c, two copies of T_n^c, when Right moves first.

    Parameters
    ----------
    depths : sequence of int
        Every n, from 0 on without gaps.
    leaves : sequence of int
        Every c.
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
        **_holding("lemma_30", [(n, c) for n, c in cases
                                if first[c][n] > n + 1 + c + sum(first[c][:n])]),
        **_holding("corollary_31", [(n, c) for n, c in cases
                                    if first[c][n] > 2**n * (n + c) + 1]),
        **_holding("formula", [(n, c) for n, c in cases if first[c][n] != 2**n * (c + 2) - 1]),
    }  # fmt: skip


def _size(n: int, c: int) -> int:
    """|V(T_n^c)| as the paper has it."""
    return int(3 ** (n + 1) - 1) // 2 + c * int(3**n)


def _left_has(n: int, c: int) -> float:
    """The percentage of J_n^c's vertices that are labelled L."""
    return round(100 * float(3 ** (n + 1) - 1) / (2 * _size(n, c)), 1)


def _holding(name: str, against: Sequence[tuple[int, int]]) -> dict[str, Any]:
    return {name: not against, f"{name}_against": [f"n = {n}, c = {c}" for n, c in against]}


def leaves_pairs(n: int, c: int) -> bool:
    """Lemma 29: whichever leaf Right takes of T_n^c, what remains is J_0^c + … + J_{n−1}^c.

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
    """The trees of what is there of a board."""
    known: dict[int, Shape] = {}
    roots: set[int] = set()
    for vertex in sorted((v for v in members(there) if v < board.n_vertices), reverse=True):
        # A tree board numbers vertices level by level, so what is below comes first here.
        below = [v for v in board.neighbours(vertex) if there >> v & 1]
        known[vertex] = (board.sides[vertex], *sorted(known[v] for v in below))
        roots = (roots - set(below)) | {vertex}
    return [known[root] for root in roots]
