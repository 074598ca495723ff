"""Node-link JSON, the format of NetworkX, D3 and many graph tools."""

import json
from typing import Any, NoReturn

from topple.boards.board import MAX_EDGES, MAX_VERTICES, check_size
from topple.boards.draft import Draft
from topple.boards.edge_times import draft_of_edges
from topple.core.errors import BadBoard
from topple.core.text import one_line

# Each vertex and edge is one object; the factor allows lists inside them.
_MAX_BRACKETS = 4 * (MAX_VERTICES + MAX_EDGES)


def read_node_link(text: str) -> Draft:
    """Read a graph from node-link JSON.

    Raises
    ------
    BadBoard
        If the text is not JSON, or not a graph in node-link form.

    Examples
    --------
    >>> draft = read_node_link(
    ...     '{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 2}]}'
    ... )
    >>> draft.names, draft.edges
    (['1', '2'], [(0, 1)])
    """
    data = parse_json(text)
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        raise BadBoard('it is not a node-link graph: {"nodes": [...], "edges": [...]} is expected')
    links = data.get("edges", data.get("links"))
    if not isinstance(links, list):
        raise BadBoard('it has no list of "edges"')
    check_size(len(data["nodes"]), len(links))
    directed = data.get("directed", False)
    if not isinstance(directed, bool):
        raise BadBoard(f'"directed" is {one_line(directed, 24)}: write true or false')
    vertex_of = _read_nodes(data["nodes"])
    return draft_of_edges(
        directed=directed,
        names=[str(name) for name in vertex_of],
        edges=[
            (_read_ends(link, number, vertex_of), _attributes(link))
            for number, link in enumerate(links, 1)
        ],
        vertex_attributes=data["nodes"],
    )


def parse_json(text: str) -> Any:
    """Parse strict JSON of limited size and depth.

    Raises
    ------
    BadBoard
        If the text is not JSON, contains NaN or Infinity, or is nested too deeply.
    """
    if text.count("{") + text.count("[") > _MAX_BRACKETS:
        raise BadBoard("it has too many values for a graph")
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise BadBoard("its JSON is nested too deeply") from None
    except ValueError as error:
        raise BadBoard(f"it is not JSON: {one_line(error)}") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _read_nodes(nodes: list[Any]) -> dict[str | int, int]:
    vertex_of: dict[str | int, int] = {}
    for number, node in enumerate(nodes, start=1):
        if not isinstance(node, dict) or "id" not in node:
            raise BadBoard(f'node number {number} has no "id"')
        name = node["id"]
        if not _is_name(name):
            raise BadBoard(f"node number {number}: the id must be text or a whole number")
        if name in vertex_of:
            raise BadBoard(f"two nodes have the id {one_line(name, 24)!r}")
        vertex_of[name] = number - 1
    return vertex_of


def _read_ends(link: Any, number: int, vertex_of: dict[str | int, int]) -> tuple[int, int]:
    if not isinstance(link, dict) or "source" not in link or "target" not in link:
        raise BadBoard(f'edge number {number} has no "source" or no "target"')
    for name in (link["source"], link["target"]):
        if not _is_name(name) or name not in vertex_of:
            raise BadBoard(f"edge number {number}: there is no node {one_line(name, 24)!r}")
    return vertex_of[link["source"]], vertex_of[link["target"]]


def _is_name(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _attributes(link: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in link.items() if key not in {"source", "target", "key"}}
