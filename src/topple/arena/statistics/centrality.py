"""Centrality: the most and the least central vertices of a board."""

from typing import Any, NamedTuple

from topple.boards import Board
from topple.core.errors import BadText, Unsupported, unknown
from topple.core.lazy import lazy_module

nx = lazy_module("networkx")

SHARE = 0.2  # of the vertices that are the top, and that are the lowest
DIGITS = 9  # smaller differences between centralities are rounding errors

PATIENCE = 10_000  # iterations for the eigenvector

# The functions of NetworkX by the names that users type, with their arguments besides the graph.
MEASURES: dict[str, tuple[str, dict[str, Any]]] = {
    "degree": ("degree_centrality", {}),
    "pagerank": ("pagerank", {}),
    "eigenvector": ("eigenvector_centrality", {"max_iter": PATIENCE}),
    "betweenness": ("betweenness_centrality", {}),
    "closeness": ("closeness_centrality", {}),
}


class Groups(NamedTuple):
    """The vertices of a board by centrality."""

    top: frozenset[int]
    rest: frozenset[int]
    lowest: frozenset[int]


def centralities(board: Board, measure: str = "degree", **more: object) -> list[float]:
    """How central each vertex is, as NetworkX computes it; `more` goes to its function.

    >>> from topple.boards import load_board
    >>> centralities(load_board("path:3"))
    [0.5, 1.0, 0.5]

    Raises
    ------
    BadText
        If there is no such measure.
    Unsupported
        If the measure has no values on this board.
    """
    if measure not in MEASURES:
        raise BadText(unknown("centrality", measure, MEASURES))
    function, settings = MEASURES[measure]
    graph = nx.DiGraph() if board.directed else nx.Graph()  # without weights, which no game uses
    graph.add_nodes_from(range(board.n_vertices))
    graph.add_edges_from(board.edges())
    try:
        found = getattr(nx, function)(graph, **settings, **more)
    except nx.NetworkXException:
        raise Unsupported(f"{board.spec} has no {measure} centrality: choose another one") from None
    return [round(float(found[vertex]), DIGITS) for vertex in range(board.n_vertices)]


def central_groups(board: Board, measure: str = "degree") -> Groups:
    """The top fifth of the vertices, the lowest fifth, and the rest.

    Of equally central vertices, the one with the lower number counts as more central.

    >>> from topple.boards import load_board
    >>> groups = central_groups(load_board("star:5"))
    >>> sorted(groups.top), sorted(groups.rest), sorted(groups.lowest)
    ([0], [1, 2, 3], [4])
    """
    values = centralities(board, measure)
    ranked = sorted(range(board.n_vertices), key=lambda vertex: (-values[vertex], vertex))
    n = max(1, round(SHARE * board.n_vertices))
    top, others = ranked[:n], ranked[n:]
    return Groups(frozenset(top), frozenset(others[:-n]), frozenset(others[-n:]))
