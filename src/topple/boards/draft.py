"""Draft: a graph as the user gave it, and the checks that turn it into a board."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board, check_size, make_board
from topple.core.errors import BadBoard
from topple.core.text import MAX_LABEL, one_line

MAX_THRESHOLD = 1_000_000_000
MAX_PLACE = 1e9  # larger coordinates would lose their digits when a board is drawn

Edge = tuple[int, int]


@dataclass
class Draft:
    """Vertices and edges in the order given, not checked yet.

    `edges` may hold loops and repetitions; `edge_attributes` is keyed by the
    edge as given. `vertex_attributes` is empty or has one entry per vertex.
    """

    directed: bool
    names: list[str]
    edges: list[Edge]
    vertex_attributes: Sequence[Mapping[str, Any]] = ()
    edge_attributes: dict[Edge, Mapping[str, Any]] = field(default_factory=dict)

    def values(self, attribute: str) -> list[Any]:
        """The value of an attribute at each vertex, None where it has none."""
        found = [each.get(attribute) for each in self.vertex_attributes]
        found = [None if isinstance(value, str) and not value.strip() else value for value in found]
        return found or [None] * len(self.names)


def board_from_draft(
    draft: Draft, spec: str, *, component: str = "all", notes: tuple[str, ...] = ()
) -> Board:
    """Check a draft and build its board, neighbours in ascending order.

    Parameters
    ----------
    draft
        The graph as the user gave it.
    spec
        The text that names the board.
    component
        `largest` keeps the largest component only; with `all`, an undirected
        graph must be connected.
    notes
        Sentences for the user that the board carries.

    Raises
    ------
    BadBoard
        If the graph is empty, too large, not simple, not connected, or has a
        label, threshold, side or weight that cannot be used.

    Examples
    --------
    >>> board_from_draft(Draft(False, ["a", "b"], [(0, 1)]), "pair")
    <Board pair: 2 vertices, 1 edges>
    """
    check_size(len(draft.names), len(draft.edges))
    labels = read_labels(draft)
    _refuse_loops(draft.edges, labels)
    _refuse_parallel(draft, labels)
    _refuse_endless_numbers(draft, labels)
    thresholds = _read_thresholds(draft, labels)
    sides = _read_sides(draft, labels)
    places = _read_places(draft)

    kept, took = _kept_vertices(draft, labels, component)
    neighbours = _neighbours(draft, kept)
    new = {vertex: index for index, vertex in enumerate(kept)}
    return make_board(
        spec,
        neighbours,
        labels=[labels[v] for v in kept],
        directed=draft.directed,
        thresholds=[
            thresholds[v] or max(len(each), 1) for v, each in zip(kept, neighbours, strict=True)
        ],
        sides="".join(sides[v] for v in kept) if sides else "",
        structural=False,
        places=None if places is None else places[kept],
        edge_attributes=_kept_attributes(draft, new),
        notes=notes + took,
    )


def read_labels(draft: Draft) -> list[str]:
    """Take the `label` attributes if every vertex has one and all differ, else the names.

    Raises
    ------
    BadBoard
        If a label is empty, longer than `MAX_LABEL`, not one plain line, or given
        to two vertices.
    """
    given = draft.values("label")
    labels = draft.names
    if None not in given:
        texts = [str(label) for label in given]
        labels = texts if len(set(texts)) == len(texts) else labels
    labels = [label.strip(" ") for label in labels]
    _check_labels(labels)
    return labels


def _check_labels(labels: list[str]) -> None:
    seen: set[str] = set()
    for vertex, label in enumerate(labels):
        if not label:
            raise BadBoard(f"vertex number {vertex + 1} has an empty label")
        if len(label) > MAX_LABEL:
            start = one_line(label, 24)
            raise BadBoard(f"the label {start!r} is longer than {MAX_LABEL} characters")
        if not label.isprintable() or label != label.strip():
            raise BadBoard(
                f"the label {label!r} has a control character, or a blank at its start or end"
            )
        if label in seen:
            raise BadBoard(f"two vertices are called {label!r}: labels must differ")
        seen.add(label)


def edge_text(edge: Edge, labels: Sequence[str], directed: bool) -> str:
    """Write an edge with the labels of its ends."""
    return f"{labels[edge[0]]!r} {'→' if directed else '–'} {labels[edge[1]]!r}"


def _refuse_loops(edges: list[Edge], labels: list[str]) -> None:
    for tail, head in edges:
        if tail == head:
            raise BadBoard(f"vertex {labels[tail]!r} is joined to itself: remove such edges")


def _refuse_parallel(draft: Draft, labels: list[str]) -> None:
    seen: set[Edge] = set()
    for tail, head in draft.edges:
        edge = (tail, head) if draft.directed else (min(tail, head), max(tail, head))
        if edge in seen:
            what = "arc" if draft.directed else "edge"
            text = edge_text((tail, head), labels, draft.directed)
            raise BadBoard(f"the {what} {text} occurs more than once: keep one")
        seen.add(edge)


def _refuse_endless_numbers(draft: Draft, labels: list[str]) -> None:
    for edge, attributes in draft.edge_attributes.items():
        for name, value in attributes.items():
            if isinstance(value, float) and not math.isfinite(value):
                text = edge_text(edge, labels, draft.directed)
                raise BadBoard(f"the edge {text} has {one_line(name, 24)}={value}: not a number")


def _read_thresholds(draft: Draft, labels: list[str]) -> list[int]:
    """The threshold of each vertex, 0 where none is given."""
    return [
        0 if value is None else _whole_threshold(value, label)
        for value, label in zip(draft.values("threshold"), labels, strict=True)
    ]


def _whole_threshold(value: Any, label: str) -> int:
    try:
        threshold = int(value)
        whole = not isinstance(value, bool) and (isinstance(value, str) or threshold == value)
    except (TypeError, ValueError, OverflowError):
        threshold, whole = 0, False
    if not whole:
        shown = one_line(value, 24)
        raise BadBoard(f"vertex {label!r} has threshold {shown}: not a whole number")
    if not 1 <= threshold <= MAX_THRESHOLD:
        shown = one_line(value, 24)
        raise BadBoard(
            f"vertex {label!r} has threshold {shown}: it must be between 1 and {MAX_THRESHOLD:,}"
        )
    return threshold


def _read_sides(draft: Draft, labels: list[str]) -> list[str]:
    """The side of each vertex, or an empty list if no vertex has one."""
    given = draft.values("side")
    without = [label for label, side in zip(labels, given, strict=True) if side is None]
    if len(without) == len(labels):
        return []
    for label, side in zip(labels, given, strict=True):
        if side is not None and str(side).strip().upper() not in {"L", "R"}:
            raise BadBoard(f"vertex {label!r} has side {one_line(side, 24)!r}: write L or R")
    if without:
        raise BadBoard(
            f"{len(without)} of {len(labels)} vertices have no side, such as {without[0]!r}: "
            "give every vertex L or R, or none of them"
        )
    return [str(side).strip().upper() for side in given]


def _read_places(draft: Draft) -> NDArray[np.float64] | None:
    """The x and y of each vertex, or None unless every vertex has both."""
    try:
        places = np.array([draft.values("x"), draft.values("y")], dtype=np.float64).T
    except (TypeError, ValueError, OverflowError):
        return None
    if places.shape != (len(draft.names), 2):  # lists, not numbers
        return None
    # NaN fails this comparison too.
    return places.copy() if bool(np.all(np.abs(places) <= MAX_PLACE)) else None


def _kept_vertices(
    draft: Draft, labels: list[str], component: str
) -> tuple[list[int], tuple[str, ...]]:
    """The vertices of the board, ascending, and a note if some were left out."""
    everything = list(range(len(labels)))
    if draft.directed and component != "largest":  # a directed board may have several parts
        return everything, ()
    components = _components(draft)
    if len(components) == 1:
        return everything, ()
    largest = max(components, key=len)  # the first of those of equal size
    share = f"{len(largest):,} of its {len(labels):,} vertices"
    if component == "largest":
        note = f"The board is the largest of {len(components):,} components: {share}."
        return sorted(largest), (note,)
    raise BadBoard(
        f"the graph has {len(components):,} components; the largest has {share}, "
        f"{labels[min(largest)]!r} among them: component=largest selects it"
    )


def _components(draft: Draft) -> list[list[int]]:
    """The connected components, whichever way the arcs point."""
    beside: list[list[int]] = [[] for _ in draft.names]
    for tail, head in draft.edges:
        beside[tail].append(head)
        beside[head].append(tail)
    components: list[list[int]] = []
    seen = [False] * len(beside)
    for start in range(len(beside)):
        if seen[start]:
            continue
        seen[start] = True
        reached = [start]
        for vertex in reached:  # the list grows during the loop
            for other in beside[vertex]:
                if not seen[other]:
                    seen[other] = True
                    reached.append(other)
        components.append(reached)
    return components


def _neighbours(draft: Draft, kept: list[int]) -> list[list[int]]:
    """Ascending neighbours of the kept vertices, renumbered from 0."""
    new = {vertex: index for index, vertex in enumerate(kept)}
    neighbours: list[list[int]] = [[] for _ in kept]
    for tail, head in draft.edges:
        if tail in new:  # and then the head is too: a component has no edge out of it
            neighbours[new[tail]].append(new[head])
            if not draft.directed:
                neighbours[new[head]].append(new[tail])
    return [sorted(each) for each in neighbours]


def _kept_attributes(draft: Draft, new: Mapping[int, int]) -> dict[Edge, dict[str, Any]]:
    kept: dict[Edge, dict[str, Any]] = {}
    for (tail, head), attributes in draft.edge_attributes.items():
        if attributes and tail in new:
            edge = (new[tail], new[head])
            kept[edge if draft.directed else (min(edge), max(edge))] = dict(attributes)
    return kept
