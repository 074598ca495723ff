"""Edges that are there for a time: from the plies of each to one network after the other."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from topple.boards.board import MAX_PLY, check_networks
from topple.boards.draft import Draft, Edge, edge_text
from topple.core.errors import BadBoard
from topple.core.text import one_line

FROM, TO = "from", "to"


class Timed(NamedTuple):
    """An edge with its other attributes; it is there at the plies from `begin` to before `end`."""

    edge: Edge
    attributes: Mapping[str, Any]
    begin: int
    end: int  # above MAX_PLY if it stays


def draft_of_edges(
    directed: bool,
    names: list[str],
    edges: Sequence[tuple[Edge, Mapping[str, Any]]],
    vertex_attributes: Sequence[Mapping[str, Any]] = (),
) -> Draft:
    """A draft of edges with attributes, of which `from` and `to` say when an edge is there.

    An edge is there at every ply from `from` on and before `to`; without them from the start
    and for ever. It may be listed several times if its times do not overlap.

    Raises
    ------
    BadBoard
        If a time is not a ply, an edge ends before it begins, its times overlap, no edge is
        there at ply 0, or a vertex has no edge at any time.

    Examples
    --------
    >>> draft = draft_of_edges(
    ...     False, ["a", "b", "c"], [((0, 1), {}), ((1, 2), {"from": 5, "to": 9})]
    ... )
    >>> [(ply, network.edges) for ply, network in draft.networks]
    [(0, [(0, 1)]), (5, [(0, 1), (1, 2)]), (9, [(0, 1)])]
    """
    if not any(has_times(attributes) for _, attributes in edges):
        return Draft(
            directed,
            names,
            [edge for edge, _ in edges],
            vertex_attributes,
            {edge: attributes for edge, attributes in edges if attributes},
        )
    timed = [_timed(edge, each, edge_text(edge, names, directed)) for edge, each in edges]
    _refuse_overlaps(timed, names, directed)
    refuse_unnamed(names, (each.edge for each in timed))
    plies = sorted({0, *(each.begin for each in timed), *(each.end for each in timed)})
    if plies[-1] > MAX_PLY:
        plies.pop()
    networks = _networks(timed, plies, len(names))
    if not networks[0]:
        raise BadBoard("no edge is there at ply 0: the first network begins there")
    first, *later = [
        Draft(
            directed,
            names,
            [each.edge for each in network],
            vertex_attributes,
            {each.edge: each.attributes for each in network if each.attributes},
        )
        for network in networks
    ]
    first.stages = list(zip(plies[1:], later, strict=True))
    return first


def has_times(attributes: Mapping[str, Any]) -> bool:
    """Whether an edge says from when or to when it is there."""
    return FROM in attributes or TO in attributes


def refuse_unnamed(names: Sequence[str], edges: Iterable[Edge]) -> None:
    """Refuse a vertex that has no edge at any time.

    Raises
    ------
    BadBoard
        If there is one.
    """
    named = {vertex for edge in edges for vertex in edge}
    for vertex, name in enumerate(names):
        if vertex not in named:
            raise BadBoard(f"vertex {name!r} has no edge in any network: remove it")


def _timed(edge: Edge, attributes: Mapping[str, Any], text: str) -> Timed:
    begin = _ply(attributes.get(FROM), FROM, text, 0)
    end = _ply(attributes.get(TO), TO, text, MAX_PLY + 1)
    if begin >= end:
        raise BadBoard(
            f"the edge {text} is there from ply {begin:,} to ply {end:,}: from must be less than to"
        )
    others = {name: value for name, value in attributes.items() if name not in {FROM, TO}}
    return Timed(edge, others, begin, end)


def _ply(value: Any, name: str, edge: str, default: int) -> int:
    """A time as a ply; nothing, and what is infinite, stands for the start or for ever."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return default
    try:
        time = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        time = math.nan
    if math.isinf(time) and (time > 0) == (name == TO):
        return default
    if not (0 <= time <= MAX_PLY and time.is_integer()):
        raise BadBoard(
            f"the edge {edge} has {name}={one_line(value, 24)}: "
            f"a ply is a whole number from 0 to {MAX_PLY:,}"
        )
    return int(time)


def _refuse_overlaps(timed: list[Timed], names: list[str], directed: bool) -> None:
    """Refuse an edge that is there twice at a ply."""
    spans: dict[Edge, list[tuple[int, int]]] = {}
    for each in timed:
        key = each.edge if directed else (min(each.edge), max(each.edge))
        spans.setdefault(key, []).append((each.begin, each.end))
    for edge, times in spans.items():
        times.sort()
        for before, after in pairwise(times):
            if after[0] < before[1]:
                text = edge_text(edge, names, directed)
                raise BadBoard(
                    f"the edge {text} is listed twice for ply {after[0]:,}: "
                    "its times must not overlap"
                )


def _networks(timed: list[Timed], plies: list[int], n: int) -> list[list[Timed]]:
    """The edges that are there from each ply on."""
    spans = [(bisect_left(plies, each.begin), bisect_left(plies, each.end)) for each in timed]
    sizes = [0] * (len(plies) + 1)
    for first, end in spans:
        sizes[first] += 1
        sizes[end] -= 1
    for place in range(len(plies)):
        sizes[place + 1] += sizes[place]
    check_networks(n, sizes[:-1])  # before they are made
    networks: list[list[Timed]] = [[] for _ in plies]
    for each, (first, end) in zip(timed, spans, strict=True):
        for network in networks[first:end]:
            network.append(each)
    return networks
