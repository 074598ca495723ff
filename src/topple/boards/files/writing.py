"""Boards written for other programs: GraphML, GEXF, GML, node-link JSON, edge lists."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from topple.boards.board import Board
from topple.boards.conversion import board_to_networkx
from topple.boards.edge_times import FROM, TO
from topple.core.errors import BadText, Unsupported, unknown
from topple.core.files import write_whole
from topple.core.lazy import lazy_module

nx = lazy_module("networkx")


def write_board(board: Board, path: str | Path) -> None:
    """Write a board as a network that other programs, and `file:PATH`, can read.

    Raises
    ------
    BadText
        If the ending of the file's name is none of these formats.
    Unsupported
        If the format cannot hold all of the board.
    ToppleError
        If the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from topple.boards import load_board
    >>> board = load_board("karate")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "karate.gexf")
    ...     write_board(board, file)
    ...     load_board(f"file:{file}") == board
    True
    """
    path = Path(path)
    graph = board_to_networkx(board)
    write_whole(path, network_text(graph, network_ending(path)).encode())


def network_ending(path: Path) -> str:
    """The ending of a file's name, in lower case, which decides the format.

    Raises
    ------
    BadText
        If there is no format with that ending.
    """
    ending = path.suffix.lower()
    if ending not in NETWORK_FORMATS:
        raise BadText(f"{path}: {unknown('ending of a network', ending, [*NETWORK_FORMATS])}")
    return ending


def network_text(graph: Any, ending: str) -> str:
    """Write a NetworkX graph in a format, with the same text every time.

    Raises
    ------
    Unsupported
        If the format cannot hold all of the graph.
    """
    return NETWORK_FORMATS[ending](graph)


def _graphml(graph: Any) -> str:
    return "\n".join(["<?xml version='1.0' encoding='utf-8'?>", *nx.generate_graphml(graph), ""])


def _gexf(graph: Any) -> str:
    """GEXF with coordinates as Gephi expects them, y upwards, and without the current date."""
    placed = graph.copy()
    for _, attributes in placed.nodes(data=True):
        if "x" in attributes and "y" in attributes:
            x, y = attributes.pop("x"), attributes.pop("y")
            attributes["viz"] = {"position": {"x": x, "y": -y, "z": 0.0}}
    lines = nx.generate_gexf(_with_spells(placed), version="1.3")
    text = re.sub(r' lastmodifieddate="[^"]*"', "", "\n".join(lines), count=1)
    text = text.replace(' timeformat="long"', ' timeformat="integer"', 1)  # GEXF's own word
    return f"<?xml version='1.0' encoding='utf-8'?>\n{text}\n"


def _with_spells(graph: Any) -> Any:
    """The graph with the times of its edges as GEXF has them.

    An edge that comes back is one edge with several spells, unless its other attributes change.
    """
    edges: dict[tuple[Any, Any], list[dict[str, Any]]] = {}
    for tail, head, attributes in graph.edges(data=True):
        edges.setdefault((tail, head), []).append(dict(attributes))
    if not any(FROM in each for listed in edges.values() for each in listed):
        return graph
    spans = {
        ends: [(each.pop(FROM, 0), each.pop(TO, None)) for each in listed]
        for ends, listed in edges.items()
    }
    changes = any(each != listed[0] for listed in edges.values() for each in listed)
    kinds = (nx.MultiGraph, nx.MultiDiGraph) if changes else (nx.Graph, nx.DiGraph)
    timed = kinds[graph.is_directed()](**graph.graph)
    timed.add_nodes_from(graph.nodes(data=True))
    for (tail, head), listed in edges.items():
        times = spans[tail, head]
        if changes or len(times) == 1:
            for each, (start, end) in zip(listed, times, strict=True):
                timed.add_edge(tail, head, **each, start=start, **_known(end=end))
        else:
            timed.add_edge(tail, head, **listed[0], spells=times)
    return timed


def _known(**attributes: Any) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not None}


def _gml(graph: Any) -> str:
    return "\n".join([*nx.generate_gml(graph), ""])


def _node_link(graph: Any) -> str:
    return f"{json.dumps(nx.node_link_data(graph, edges='edges'))}\n"


def _edge_list(graph: Any, separator: str) -> str:
    """Write one line for each edge: weight, probability and times if any edge has them.

    Raises
    ------
    Unsupported
        If a vertex has no edge or has attributes, which an edge list cannot hold.
    """
    kept = {"x", "y", "community"}  # which change no game
    lost = {name for _, attributes in graph.nodes(data=True) for name in attributes} - kept
    alone = [node for node, degree in graph.degree() if degree == 0]
    if lost or alone:
        what = f"{min(lost)} of the vertices" if lost else f"{alone[0]}, which has no edge"
        raise Unsupported(f"an edge list cannot hold {what}: write .graphml or .gexf")
    present = {name for *_, attributes in graph.edges(data=True) for name in attributes}
    columns = [name for name in ("weight", "p", FROM, TO) if name in present]
    stream = io.StringIO()
    lines = csv.writer(stream, delimiter=separator, lineterminator="\n")
    lines.writerow(("source", "target", *columns))
    for tail, head, attributes in graph.edges(data=True):
        lines.writerow((tail, head, *(attributes.get(name, "") for name in columns)))
    return stream.getvalue()


NETWORK_FORMATS: Mapping[str, Callable[[Any], str]] = {
    ".graphml": _graphml,
    ".gexf": _gexf,
    ".gml": _gml,
    ".json": _node_link,
    ".csv": lambda graph: _edge_list(graph, ","),
    ".tsv": lambda graph: _edge_list(graph, "\t"),
}
