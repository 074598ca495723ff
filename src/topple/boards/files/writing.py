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
    lines = nx.generate_gexf(placed, version="1.3")
    text = re.sub(r' lastmodifieddate="[^"]*"', "", "\n".join(lines), count=1)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{text}\n"


def _gml(graph: Any) -> str:
    return "\n".join([*nx.generate_gml(graph), ""])


def _node_link(graph: Any) -> str:
    return f"{json.dumps(nx.node_link_data(graph, edges='edges'))}\n"


def _edge_list(graph: Any, separator: str) -> str:
    """Write one line for each edge, with its weight if any edge has one.

    Raises
    ------
    Unsupported
        If a vertex has no edge or has attributes, which an edge list cannot hold.
    """
    kept = {"x", "y"}  # coordinates may be lost
    lost = {name for _, attributes in graph.nodes(data=True) for name in attributes} - kept
    alone = [node for node, degree in graph.degree() if degree == 0]
    if lost or alone:
        what = f"{min(lost)} of the vertices" if lost else f"{alone[0]}, which has no edge"
        raise Unsupported(f"an edge list cannot hold {what}: write .graphml or .gexf")
    weighted = any("weight" in attributes for *_, attributes in graph.edges(data=True))
    columns = ("source", "target", "weight") if weighted else ("source", "target")
    stream = io.StringIO()
    lines = csv.writer(stream, delimiter=separator, lineterminator="\n")
    lines.writerow(columns)
    for tail, head, attributes in graph.edges(data=True):
        lines.writerow((tail, head, attributes.get("weight", ""))[: len(columns)])
    return stream.getvalue()


NETWORK_FORMATS: Mapping[str, Callable[[Any], str]] = {
    ".graphml": _graphml,
    ".gexf": _gexf,
    ".gml": _gml,
    ".json": _node_link,
    ".csv": lambda graph: _edge_list(graph, ","),
    ".tsv": lambda graph: _edge_list(graph, "\t"),
}
