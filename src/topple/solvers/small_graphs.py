"""The winner of Spread-It on every small connected graph.

The graphs and their numbers are those of the atlas of Read and Wilson. Ties between
vertices that are ready to fire go to the lower index, so the winner may depend on how
the vertices are numbered. `survey` uses the numbering of the atlas, counted from 1, and
`numberings` tries all numberings.
"""

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from topple.boards.board import Board, make_board
from topple.core.errors import BadBoard, BadText
from topple.core.lazy import lazy_module
from topple.game.game import Game, load
from topple.solvers.proof.solver import ProofSolver
from topple.solvers.solver import advance_until

nx = lazy_module("networkx")

if TYPE_CHECKING:
    import networkx

LARGEST = 7  # vertices of the graphs in the atlas
FEASIBLE = 6  # vertices of those that are all solved within minutes
MEMORY = 1024  # megabytes; small graphs need only a few


class SmallGraph(NamedTuple):
    """A graph and, unless Spread-It cannot be played on it, the result of best play."""

    number: int  # in the atlas
    name: str  # the spec of a board that is the same graph, if there is one
    n_vertices: int
    n_edges: int
    edges: str  # "1-2 1-3"
    tokens: tuple[int, int]  # of Black and of Red
    refusal: str | None  # why it cannot be played
    value: int | None  # 1 if Black wins, 0 for a draw, −1 if Red wins
    best: tuple[str, ...]  # Black's best first moves
    n_positions: int

    @property
    def winner(self) -> str:
        """The winner of best play: `Black`, `Red` or `draw`."""
        if self.value is None:
            return ""
        return ("draw", "Black", "Red")[self.value]


def survey(most: int = 5, loyalty: str = "zero") -> Iterator[SmallGraph]:
    """Solve Spread-It on all connected graphs of up to `most` vertices.

    Raises
    ------
    BadText
        If the loyalty does not exist, or the graphs are too large.

    Examples
    --------
    >>> [(each.name, each.winner) for each in survey(3)]
    [('', ''), ('path:2', ''), ('path:3', 'Black'), ('cycle:3', 'Black')]
    """
    if not 1 <= most <= FEASIBLE:
        raise BadText(
            f"graphs of up to {most} vertices cannot all be solved: ask for 1 to {FEASIBLE}"
        )
    load("spread-it", "cycle:3", loyalty=loyalty)  # raises BadText for an unknown loyalty
    return (_solved(number, graph, loyalty) for number, graph in _connected(most))


def n_connected(most: int) -> int:
    """The number of connected graphs of up to `most` vertices.

    >>> n_connected(5)
    31
    """
    return len(_connected(most))


def numberings(number: int, loyalty: str = "zero") -> set[int]:
    """The set of values of a graph of the atlas over all numberings of its vertices.

    Raises
    ------
    BadBoard
        If Spread-It cannot be played on it.

    Examples
    --------
    >>> numberings(7)  # a triangle
    {1}
    """
    graph = dict(_connected(LARGEST))[number]
    boards = {_board(number, graph, order) for order in permutations(range(len(graph)))}
    return {_value(load("spread-it", board, loyalty=loyalty))[0] for board in boards}


@cache
def _connected(most: int) -> list[tuple[int, "networkx.Graph"]]:
    """The connected graphs of the atlas with their numbers, by vertices and then edges."""
    atlas = nx.graph_atlas_g()
    return [
        (number, graph)
        for number, graph in enumerate(atlas)
        if 1 <= len(graph) <= most and nx.is_connected(graph)
    ]


def _board(number: int, graph: "networkx.Graph", order: tuple[int, ...]) -> Board:
    """A graph as a board, in which vertex v of the atlas has index `order[v]`."""
    beside: list[list[int]] = [[] for _ in order]
    for u, v in graph.edges:
        beside[order[u]].append(order[v])
        beside[order[v]].append(order[u])
    return make_board(f"atlas graph {number}", [sorted(each) for each in beside], structural=False)


def _solved(number: int, graph: "networkx.Graph", loyalty: str) -> SmallGraph:
    board = _board(number, graph, tuple(range(len(graph))))
    n, m = board.n_vertices, board.n_edges
    budget = max(2 * m - n, 0)
    row = SmallGraph(
        number,
        _name(graph),
        n,
        m,
        _edges_text(board),
        ((budget + 1) // 2, budget // 2),
        None,
        None,
        (),
        0,
    )
    try:
        game = load("spread-it", board, loyalty=loyalty)
    except BadBoard:
        return row._replace(refusal="no tokens: 2m − n < 1")
    value, best, n_positions = _value(game)
    return row._replace(value=value, best=best, n_positions=n_positions)


def _value(game: Game) -> tuple[int, tuple[str, ...], int]:
    solving = ProofSolver(game, MEMORY).begin(game.start())
    advance_until(solving)
    found = solving.solution()
    best = tuple(game.move_text(move) for move in found.best_moves)
    return found.value.least, best, found.n_positions


def _edges_text(board: Board) -> str:
    return " ".join(f"{board.labels[u]}-{board.labels[v]}" for u, v in board.edges())


def _name(graph: "networkx.Graph") -> str:
    """The spec of the board that is the same graph; empty if there is none."""
    n, degrees = len(graph), sorted(degree for _, degree in graph.degree)
    if n == 1:
        return ""
    if degrees == [1, 1, *[2] * (n - 2)]:
        return f"path:{n}"
    if degrees == [2] * n:
        return f"cycle:{n}"
    if degrees == [*[1] * (n - 1), n - 1]:
        return f"star:{n}"
    return f"complete:{n}" if degrees == [n - 1] * n else ""
