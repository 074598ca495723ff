"""Boards from NetworkX graphs, and back."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from topple.boards.board import Board, Stage
from topple.boards.draft import Draft, board_from_draft
from topple.boards.edge_times import draft_of_edges
from topple.core.errors import BadBoard, Unsupported
from topple.core.lazy import lazy_module
from topple.core.text import MAX_SPEC, is_plain

nx = lazy_module("networkx")


def board_from_networkx(graph: Any, spec: str = "graph", *, component: str = "all") -> Board:
    """Build a board from a NetworkX graph.

    Vertices keep the graph's order. Their labels are the nodes as text, or the
    attribute `label` if every node has one and all differ. The attributes
    `threshold`, `side`, `community`, `x` and `y` of nodes are used, and the attributes of
    edges are kept: `p` is the probability that a token is taken, `from` and `to` are the
    plies between which the edge is there.

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

    Nodes have the attributes `side`, `community`, `x` and `y` if the board has them, and
    `threshold` where it is not the degree. Edges have their attributes, and the probability
    `p` where it is not 1. The order of neighbours is lost.

    The edges of a board that changes are those of all times: `from` is the ply from which one
    is there, and `to`, if it does not stay, the ply from which it is not. If an edge comes
    back, or its probability changes, the graph is a multigraph.

    Raises
    ------
    Unsupported
        If a threshold changes with the network and is not the degree.

    Examples
    --------
    >>> from topple.boards import load_board
    >>> graph = board_to_networkx(load_board("grid:2x2"))
    >>> list(graph.edges)
    [('a1', 'b1'), ('a1', 'a2'), ('b1', 'b2'), ('a2', 'b2')]
    """
    spans = _spans(board)
    several = len({(span.tail, span.head) for span in spans}) < len(spans)
    kinds = (nx.MultiGraph, nx.MultiDiGraph) if several else (nx.Graph, nx.DiGraph)
    graph = kinds[board.directed]()
    graph.add_nodes_from(board.labels)
    for vertex, threshold in _lasting_thresholds(board):
        graph.nodes[board.labels[vertex]]["threshold"] = threshold
    for name, values in (("side", board.sides), ("community", board.communities)):
        for label, value in zip(board.labels, values, strict=False):
            graph.nodes[label][name] = value
    if board.places is not None:
        for label, (x, y) in zip(board.labels, board.places.tolist(), strict=True):
            graph.nodes[label].update(x=x, y=y)
    for span in spans:
        attributes = _span_attributes(board, span)
        graph.add_edge(board.labels[span.tail], board.labels[span.head], **attributes)
    return graph


class Span(NamedTuple):
    """An edge or arc, from when to when it is there, and its probability."""

    tail: int
    head: int
    p: float
    begin: int
    end: int | None  # None: it stays


def _spans(board: Board) -> list[Span]:
    """The edges of all networks, in the order in which they begin."""
    spans: list[Span] = []
    place: dict[tuple[int, int], int] = {}  # in `spans`, of the edges of the network before
    for network in board.networks:
        now: dict[tuple[int, int], int] = {}
        for tail, head, p in arcs_of(network):
            if not board.directed and tail > head:
                continue
            at = place.pop((tail, head), None)
            if at is None or spans[at].p != p:
                if at is not None:
                    spans[at] = spans[at]._replace(end=network.ply)
                at = len(spans)
                spans.append(Span(tail, head, p, network.ply, None))
            now[tail, head] = at
        for at in place.values():
            spans[at] = spans[at]._replace(end=network.ply)
        place = now
    return spans


def _span_attributes(board: Board, span: Span) -> dict[str, Any]:
    attributes = dict(board.edge_attributes.get((span.tail, span.head), {}))
    if span.p != 1 or "p" in attributes:
        attributes["p"] = span.p
    if board.stages:
        attributes["from"] = span.begin
        if span.end is not None:
            attributes["to"] = span.end
    return attributes


def arcs_of(network: Stage) -> Iterator[tuple[int, int, float]]:
    """Every arc of a network with its probability; an undirected edge is two arcs."""
    degrees = np.diff(network.successor_start)
    tails = np.repeat(np.arange(len(degrees)), degrees).tolist()
    shares = [1.0] * len(tails) if network.accept is None else network.accept.tolist()
    return zip(tails, network.successors.tolist(), shares, strict=True)


def uncommon_thresholds(network: Board | Stage) -> list[tuple[int, int]]:
    """Every vertex whose threshold is not its degree, with that threshold."""
    degrees = np.diff(network.successor_start)
    uncommon = np.flatnonzero(network.thresholds != np.maximum(degrees, 1))
    return [(int(vertex), int(network.thresholds[vertex])) for vertex in uncommon]


def _lasting_thresholds(board: Board) -> list[tuple[int, int]]:
    """Every vertex whose threshold is not its degree, with a threshold that holds at all times.

    Raises
    ------
    Unsupported
        If such a vertex has different thresholds in different networks.
    """
    uncommon: dict[int, int] = {}
    for network in board.networks:
        uncommon.update(uncommon_thresholds(network))
    for vertex, threshold in uncommon.items():
        if any(int(network.thresholds[vertex]) != threshold for network in board.networks):
            raise Unsupported(
                f"the threshold of {board.labels[vertex]!r} changes and is not its degree, which "
                "no network file can hold: save a game on the board instead"
            )
    return list(uncommon.items())


def draft_from_networkx(graph: Any) -> Draft:
    """The nodes and edges of a NetworkX graph, not checked yet.

    Raises
    ------
    BadBoard
        If the times of edges cannot be used.
    """
    index = {node: vertex for vertex, node in enumerate(graph.nodes)}
    edges = [
        ((index[tail], index[head]), attributes)
        for tail, head, attributes in graph.edges(data=True)
    ]
    return draft_of_edges(
        directed=graph.is_directed(),
        names=[str(node) for node in graph.nodes],
        edges=edges,
        vertex_attributes=[attributes for _, attributes in graph.nodes(data=True)],
    )
