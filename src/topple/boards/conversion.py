"""Boards from NetworkX graphs, and back."""

from typing import Any

import numpy as np

from topple.boards.board import Board
from topple.boards.draft import Draft, board_from_draft
from topple.core.errors import BadBoard
from topple.core.lazy import lazy_module
from topple.core.text import MAX_SPEC, is_plain

nx = lazy_module("networkx")


def board_from_networkx(graph: Any, spec: str = "graph", *, component: str = "all") -> Board:
    """Build a board from a NetworkX graph.

    Vertices keep the graph's order. Their labels are the nodes as text, or the
    attribute `label` if every node has one and all differ. The attributes
    `threshold`, `side`, `x` and `y` of nodes are used, and the attributes of
    edges are kept.

    Parameters
    ----------
    graph
        A Graph or DiGraph, or a multigraph without parallel edges.
    spec
        The text that names the board in tables and records.
    component
        `largest` keeps the largest component only; with `all`, an undirected graph
        must be connected.

    Raises
    ------
    BadBoard
        If the graph is empty, too large, not simple, undirected and not
        connected, or has an attribute that cannot be used.

    Examples
    --------
    >>> import networkx as nx
    >>> board_from_networkx(nx.petersen_graph(), "petersen")
    <Board petersen: 10 vertices, 15 edges>
    """
    if not all(hasattr(graph, name) for name in ("nodes", "edges", "is_directed")):
        raise BadBoard(f"{type(graph).__name__} is not a NetworkX graph")
    if not is_plain(spec) or not 0 < len(spec) <= MAX_SPEC:
        raise BadBoard(f"a board's name is one line of up to {MAX_SPEC:,} characters")
    return board_from_draft(draft_from_networkx(graph), spec, component=component)


def board_to_networkx(board: Board) -> Any:
    """Turn a board into a NetworkX graph whose nodes are the board's labels.

    Nodes have the attributes `side`, `x` and `y` if the board has them, and
    `threshold` where it is not the degree. The order of neighbours is lost.

    Examples
    --------
    >>> from topple.boards import load_board
    >>> graph = board_to_networkx(load_board("grid:2x2"))
    >>> list(graph.edges)
    [('a1', 'b1'), ('a1', 'a2'), ('b1', 'b2'), ('a2', 'b2')]
    """
    graph = nx.DiGraph() if board.directed else nx.Graph()
    graph.add_nodes_from(board.labels)
    for vertex, threshold in uncommon_thresholds(board):
        graph.nodes[board.labels[vertex]]["threshold"] = threshold
    for label, side in zip(board.labels, board.sides, strict=False):
        graph.nodes[label]["side"] = side
    if board.places is not None:
        for label, (x, y) in zip(board.labels, board.places.tolist(), strict=True):
            graph.nodes[label].update(x=x, y=y)
    graph.add_edges_from(
        (board.labels[tail], board.labels[head], dict(board.edge_attributes.get((tail, head), {})))
        for tail, head in board.edges()
    )
    return graph


def uncommon_thresholds(board: Board) -> list[tuple[int, int]]:
    """Every vertex whose threshold is not its degree, with that threshold."""
    uncommon = np.flatnonzero(board.thresholds != np.maximum(board.degrees, 1))
    return [(int(vertex), int(board.thresholds[vertex])) for vertex in uncommon]


def draft_from_networkx(graph: Any) -> Draft:
    """The nodes and edges of a NetworkX graph, not checked yet."""
    index = {node: vertex for vertex, node in enumerate(graph.nodes)}
    edges = [
        ((index[tail], index[head]), attributes)
        for tail, head, attributes in graph.edges(data=True)
    ]
    return Draft(
        directed=graph.is_directed(),
        names=[str(node) for node in graph.nodes],
        edges=[edge for edge, _ in edges],
        vertex_attributes=[attributes for _, attributes in graph.nodes(data=True)],
        edge_attributes={edge: attributes for edge, attributes in edges if attributes},
    )
