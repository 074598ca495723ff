"""Draft: a graph as the user gave it, and the checks that turn it into a board."""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board, Later, check_networks, check_schedule, make_board
from topple.core.errors import BadBoard
from topple.core.text import MAX_LABEL, one_line

MAX_THRESHOLD = 1_000_000_000
MAX_PLACE = 1e9  # larger coordinates would lose their digits when a board is drawn

Edge = tuple[int, int]


@dataclass
class Draft:
    """Vertices and edges in the order given, not checked yet.

    `edges` may hold loops and repetitions; `edge_attributes` is keyed by the
    edge as given. `vertex_attributes` is empty or has one entry per vertex. `stages` has the
    later networks of a graph that changes, over the same vertices, each with its ply; of
    their vertices' attributes only the thresholds are read. `notes` are sentences for the user
    on how the graph was read.
    """

    directed: bool
    names: list[str]
    edges: list[Edge]
    vertex_attributes: Sequence[Mapping[str, Any]] = ()
    edge_attributes: dict[Edge, Mapping[str, Any]] = field(default_factory=dict)
    stages: Sequence[tuple[int, "Draft"]] = ()
    notes: tuple[str, ...] = ()

    @property
    def networks(self) -> list[tuple[int, "Draft"]]:
        """The networks with the plies at which they begin."""
        return [(0, self), *self.stages]

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
        label, threshold, side, weight or probability that cannot be used. A graph that
        changes must be connected by the edges of all times together.

    Examples
    --------
    >>> board_from_draft(Draft(False, ["a", "b"], [(0, 1)]), "pair")
    <Board pair: 2 vertices, 1 edges>
    """
    check_networks(len(draft.names), [len(network.edges) for _, network in draft.networks])
    check_schedule([ply for ply, _ in draft.stages])
    labels = read_labels(draft)
    for ply, network in draft.networks:
        with _named_ply(ply):
            _refuse_loops(network.edges, labels)
            _refuse_parallel(network, labels)
            _refuse_endless_numbers(network, labels)
    sides = _read_sides(draft, labels)
    places = _read_places(draft)
    communities, unusable = _read_communities(draft, labels)

    kept, took = _kept_vertices(draft, labels, component)
    first, *later = [_network(ply, network, labels, kept) for ply, network in draft.networks]
    return make_board(
        spec,
        first.neighbours,
        labels=[labels[v] for v in kept],
        directed=draft.directed,
        thresholds=first.thresholds,
        sides="".join(sides[v] for v in kept) if sides else "",
        structural=False,
        places=None if places is None else places[kept],
        edge_attributes=_kept_attributes(draft, kept),
        notes=notes + draft.notes + took + unusable,
        accept=first.accept,
        stages=later,
        communities=[communities[v] for v in kept] if communities else (),
    )


@contextmanager
def _named_ply(ply: int) -> Iterator[None]:
    """Say of which later network an error speaks."""
    try:
        yield
    except BadBoard as error:
        raise BadBoard(f"from ply {ply:,} on, {error}" if ply else str(error)) from None


def _network(ply: int, draft: Draft, labels: list[str], kept: list[int]) -> Later:
    """The kept vertices of one network, neighbours in ascending order."""
    with _named_ply(ply):
        thresholds = _read_thresholds(draft, labels)
        accept = _read_accept(draft, labels)
    new = {vertex: index for index, vertex in enumerate(kept)}
    neighbours = _neighbours(draft, new)
    shares = {_between((new[t], new[h]), draft): p for (t, h), p in accept.items() if t in new}
    return Later(
        ply,
        neighbours,
        [thresholds[v] or max(len(each), 1) for v, each in zip(kept, neighbours, strict=True)],
        [
            shares.get(_between((tail, head), draft), 1.0)
            for tail, each in enumerate(neighbours)
            for head in each
        ]
        if shares
        else None,
    )


def _between(edge: Edge, draft: Draft) -> Edge:
    """An arc as it is, an edge with its lower end first."""
    return edge if draft.directed or edge[0] < edge[1] else (edge[1], edge[0])


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
        edge = _between((tail, head), draft)
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


def _read_accept(draft: Draft, labels: list[str]) -> dict[Edge, float]:
    """The probability of each edge that has one."""
    accept: dict[Edge, float] = {}
    for edge, attributes in draft.edge_attributes.items():
        given = attributes.get("p")
        if given is not None and str(given).strip():
            accept[edge] = _probability(given, edge_text(edge, labels, draft.directed))
    return accept


def _probability(given: Any, edge: str) -> float:
    try:
        p = math.nan if isinstance(given, bool) else float(given)
    except (TypeError, ValueError, OverflowError):
        p = math.nan
    if not 0 <= p <= 1:
        shown = one_line(given, 24)
        raise BadBoard(f"the edge {edge} has p={shown}: a probability is a number from 0 to 1")
    return p


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


def _read_communities(draft: Draft, labels: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """The name of each vertex's community; without them, and with a note, if one has none."""
    given = draft.values("community")
    without = [label for label, value in zip(labels, given, strict=True) if value is None]
    if len(without) == len(labels):
        return [], ()
    if without:
        reason = f"{len(without):,} of {len(labels):,} vertices have none, such as {without[0]!r}"
        return [], (f"The communities are left out: {reason}.",)
    if all(isinstance(value, set | frozenset) for value in given):
        sets = {id(value): frozenset(value) for value in given}  # as NetworkX' LFR graphs have
        return numbered([sets[id(value)] for value in given]), ()
    names = [_community_name(value) for value in given]
    for label, name, value in zip(labels, names, given, strict=True):
        if not name:
            reason = f"vertex {label!r} has community {one_line(value, 24)}: not a name or a number"
            return [], (f"The communities are left out: {reason}.",)
    return names, ()


def _community_name(value: Any) -> str:
    """A community as a short text, empty if it cannot be used."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    name = value.strip() if isinstance(value, str) else one_line(value)
    return name if is_short(name) else ""


def is_short(name: str) -> bool:
    """Whether a name can stand in a table: not empty, not long, no control characters.

    >>> is_short("Ann"), is_short(" "), is_short("a" * 1000)
    (True, False, False)
    """
    return 0 < len(name) <= MAX_LABEL and name.isprintable() and name == name.strip()


def numbered(groups: Sequence[Hashable]) -> list[str]:
    """Names 1, 2 … for groups, in the order in which they first appear.

    >>> numbered(["x", "y", "x"])
    ['1', '2', '1']
    """
    number: dict[Hashable, int] = {}
    return [str(number.setdefault(group, len(number) + 1)) for group in groups]


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
    """The components connected by the edges of all times, whichever way the arcs point."""
    beside: list[list[int]] = [[] for _ in draft.names]
    for _, network in draft.networks:
        for tail, head in network.edges:
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


def _neighbours(draft: Draft, new: Mapping[int, int]) -> list[list[int]]:
    """Ascending neighbours of the kept vertices, which have new numbers."""
    neighbours: list[list[int]] = [[] for _ in new]
    for tail, head in draft.edges:
        if tail in new:  # and then the head is too: a component has no edge out of it
            neighbours[new[tail]].append(new[head])
            if not draft.directed:
                neighbours[new[head]].append(new[tail])
    return [sorted(each) for each in neighbours]


def _kept_attributes(draft: Draft, kept: list[int]) -> dict[Edge, dict[str, Any]]:
    """The attributes of each edge, as it has them when it is first there."""
    new = {vertex: index for index, vertex in enumerate(kept)}
    found: dict[Edge, dict[str, Any]] = {}
    for _, network in draft.networks:
        for (tail, head), attributes in network.edge_attributes.items():
            if attributes and tail in new:
                found.setdefault(_between((new[tail], new[head]), draft), dict(attributes))
    return found
