"""GraphML, GEXF and GML, read by NetworkX after checks that it does not make."""

import io
import re
import warnings
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from topple.boards.board import MAX_EDGES, MAX_VERTICES
from topple.boards.conversion import draft_from_networkx
from topple.boards.draft import Draft
from topple.boards.edge_times import FROM, TO
from topple.core.errors import BadBoard
from topple.core.lazy import lazy_module
from topple.core.text import one_line

nx = lazy_module("networkx")

# A document type may declare entities that expand endlessly or read other files.
_DECLARATION = re.compile(r"<!\s*(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)", re.IGNORECASE)
_NODE_TAG, _EDGE_TAG = re.compile(r"<node\b"), re.compile(r"<edge\b")
_SPELL_TAG = re.compile(r"<(?:\w+:)?spell\b")
_GML_NODE, _GML_EDGE = re.compile(r"\bnode\s*\["), re.compile(r"\bedge\s*\[")
_MAX_TAGS = 8 * (MAX_VERTICES + MAX_EDGES)


def read_graphml(text: str) -> Draft:
    """Read a graph from GraphML.

    Raises
    ------
    BadBoard
        If the text is not GraphML, declares a document type or entities, or has an
        edge to a node that it does not declare.

    Examples
    --------
    >>> draft = read_graphml(
    ...     '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
    ...     '<node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>'
    ... )
    >>> draft.names, draft.edges, draft.directed
    (['a', 'b'], [(0, 1)], True)
    """
    _check_tags(text)
    graph = _parse("GraphML", lambda: nx.parse_graphml(text, node_type=_node_id))
    _check_ends(text)
    for name, value in graph.graph.get("node_default", {}).items():
        for _, attributes in graph.nodes(data=True):
            attributes.setdefault(name, value)
    if graph.is_multigraph() and len(set(graph.edges())) == graph.number_of_edges():
        # NetworkX has merged parallel edges because their ids are equal.
        raise BadBoard("it has parallel edges with the same id: keep one of each")
    return draft_from_networkx(graph)


def read_gexf(text: str) -> Draft:
    """Read a graph from GEXF, the format of Gephi.

    An edge with spells, or with a start or an end, is there at those times only. The times of
    nodes mean nothing.

    Raises
    ------
    BadBoard
        If the text is not GEXF, declares a document type or entities, or has an
        edge to a node that it does not declare.

    Examples
    --------
    >>> read_gexf(
    ...     '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph>'
    ...     '<nodes><node id="0" label="ann"/><node id="1" label="bob"/></nodes>'
    ...     '<edges><edge id="0" source="0" target="1"/></edges></graph></gexf>'
    ... ).values("label")
    ['ann', 'bob']
    """
    _check_tags(text)
    text = text.replace("http://www.gexf.net/1.3", "http://gexf.net/1.3")  # as Gephi 0.9 writes it
    content = _parse("GEXF", lambda: _one_spell_each(text))
    graph = _parse("GEXF", lambda: nx.read_gexf(io.BytesIO(content), node_type=_node_id))
    _check_ends(text)
    for *_, attributes in graph.edges(data=True):
        attributes.pop("spells", None)
        for theirs, ours in (("start", FROM), ("end", TO)):
            if theirs in attributes:
                attributes[ours] = attributes.pop(theirs)
    for _, attributes in graph.nodes(data=True):
        place = attributes.get("viz", {}).get("position")
        if place:  # Gephi's y grows upwards
            attributes.setdefault("x", place["x"])
            attributes.setdefault("y", -place["y"])
    return draft_from_networkx(graph)


def read_gml(text: str) -> Draft:
    """Read a graph from GML.

    Raises
    ------
    BadBoard
        If the text is not GML.

    Examples
    --------
    >>> read_gml("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]").edges
    [(0, 1)]
    """
    _check_counts(len(_GML_NODE.findall(text)), len(_GML_EDGE.findall(text)))
    graph = _parse("GML", lambda: nx.parse_gml(text, label="id"))
    return draft_from_networkx(graph)


def _check_tags(text: str) -> None:
    """Refuse XML that is dangerous or too large to parse."""
    if _DECLARATION.search(text):
        raise BadBoard(
            "it declares a document type or entities, which are not allowed: remove them"
        )
    if text.count("<") > _MAX_TAGS:
        raise BadBoard("it has too many tags for a graph")
    _check_counts(len(_NODE_TAG.findall(text)), len(_EDGE_TAG.findall(text)))
    _check_counts(0, len(_SPELL_TAG.findall(text)))


def _check_ends(text: str) -> None:
    """Refuse an edge to a node that the file does not declare.

    NetworkX would add the node, and a misspelt name would be a vertex of its own. A file that
    declares no nodes at all is read as a list of edges.
    """
    elements = list(ElementTree.fromstring(text.encode()).iter())
    names = {each.get("id") for each in elements if _local_name(each) == "node"}
    edges = (each for each in elements if _local_name(each) == "edge")
    for number, edge in enumerate(edges if names else (), start=1):
        for end in (edge.get("source"), edge.get("target")):
            if end not in names:
                raise BadBoard(f"edge number {number}: there is no node {one_line(end, 24)!r}")


def _one_spell_each(text: str) -> bytes:
    """GEXF in which each edge has one start and end as texts, listed anew for each of its spells.

    NetworkX reads times as numbers of the file's time format, and cannot read a spell that is
    open at one end.
    """
    root = ElementTree.fromstring(text.encode())
    elements = list(root.iter())
    for graph in (each for each in elements if _local_name(each) == "graph"):
        graph.set("timeformat", "date")
    for parent in (each for each in elements if _local_name(each) == "edges"):
        for edge in list(parent):
            spells = [each for each in edge.iter() if _local_name(each) == "spell"]
            for number, spell in enumerate(spells):
                copy = ElementTree.Element(edge.tag, {**edge.attrib, **spell.attrib})
                copy.extend(part for part in edge if _local_name(part) != "spells")
                if number:  # a second edge of the same id would replace the first
                    copy.attrib.pop("id", None)
                parent.append(copy)
            if spells:
                parent.remove(edge)
    return ElementTree.tostring(root)


def _local_name(element: ElementTree.Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def _check_counts(n_nodes: int, n_edges: int) -> None:
    """Refuse a graph that is too large before parsing it, which would take minutes."""
    if n_nodes > MAX_VERTICES:
        raise BadBoard(f"more than {MAX_VERTICES:,} vertices are too many")
    if n_edges > MAX_EDGES:
        raise BadBoard(f"more than {MAX_EDGES:,} edges are too many")


def _parse(form: str, parse: Callable[[], Any]) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as ports, which do not matter here
            return parse()
    # These parsers raise whatever goes wrong inside them: KeyError, AttributeError,
    # IndexError, RecursionError … All mean that the file is not a graph.
    except Exception as error:
        reason = one_line(error) or type(error).__name__
        raise BadBoard(f"it is not a {form} graph that can be read: {reason}") from None


def _node_id(text: str | None) -> str:
    if text is None:
        raise ValueError("a node has no id, or an edge no source or target")
    return text
