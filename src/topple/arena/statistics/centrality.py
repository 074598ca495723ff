"""Centrality: which vertices of a board are its most and its least central ones."""

from typing import Any, NamedTuple

from topple.boards import Board
from topple.core.errors import BadText, Unsupported, unknown

SHARE = 0.2  # of the vertices are the top, as many the lowest
DIGITS = 9  # beyond these, differences between centralities are errors of rounding

PATIENCE = 10_000  # steps of the iteration behind an eigenvector

# The functions of NetworkX by the names that people type, with what they are told beyond the graph.
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
    """How central each vertex is, as NetworkX computes it, told more if need be.

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
    import networkx as nx

    if measure not in MEASURES:
        raise BadText(unknown("centrality", measure, MEASURES))
    function, settings = MEASURES[measure]
    graph = nx.DiGraph() if board.directed else nx.Graph()  # bare: no game sees weights of edges
    graph.add_nodes_from(range(board.n_vertices))
    graph.add_edges_from(board.edges())
    try:
        found = getattr(nx, function)(graph, **settings, **more)
    except nx.NetworkXException:
        raise Unsupported(f"{board.spec} has no {measure} centrality: choose another one") from None
    return [round(float(found[vertex]), DIGITS) for vertex in range(board.n_vertices)]


def central_groups(board: Board, measure: str = "degree") -> Groups:
    """The top and the lowest fifth of the vertices and the rest.

    Of equally central vertices the one with the lower number is the more central.

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
