"""Board: a graph with labels, thresholds and coordinates, as compact read-only arrays."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.core.errors import BadBoard

MAX_VERTICES = 100_000
MAX_EDGES = 1_000_000  # of all networks of a board together
MAX_NETWORKS = 1_000
MAX_NETWORK_VERTICES = 2_000_000  # the vertices, counted once for each network
MAX_PLY = 1_000_000_000

Ints = NDArray[np.int32]
Shares = NDArray[np.float64]


class Stage(NamedTuple):
    """The network of a changing board from a ply on; the arrays are those of `Board`."""

    ply: int
    successor_start: Ints
    successors: Ints
    predecessor_start: Ints
    predecessors: Ints
    thresholds: Ints
    accept: Shares | None = None


class Later(NamedTuple):
    """A later network of a board that changes, as `make_board` takes it."""

    ply: int
    neighbours: Sequence[Sequence[int]]
    thresholds: Sequence[int] | None = None
    accept: Sequence[float] | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """A graph to play on: read-only arrays that rules and kernels share.

    Vertices are 0 … n−1. The neighbours of v are
    `successors[successor_start[v]:successor_start[v + 1]]`; on an undirected
    board predecessors and successors are the same arrays. The order of a
    vertex's neighbours is part of the board: left, right, up, down on grids,
    ascending on networks.

    The arrays of a board that changes are those of its first network, from ply 0 on; `stages`
    has the later ones in the order of their plies.

    Boards are equal if they are the same to every game: equal labels, edges in the same
    order, equal thresholds and sides, equal probabilities, equal stages.
    """

    spec: str  # the text that names this board
    form: str  # how it is drawn: "squares", "hexes" or "network"
    labels: tuple[str, ...]
    directed: bool
    successor_start: Ints  # shape (n + 1,)
    successors: Ints  # shape (edges,) or, undirected, (2 · edges,)
    predecessor_start: Ints
    predecessors: Ints
    thresholds: Ints  # shape (n,), each at least 1
    sides: str = ""  # one "L" or "R" per vertex, or empty
    rows: int = 0  # of a board of squares or hexes, else 0
    columns: int = 0
    structural: bool = True  # whether `spec` makes the same board on any machine
    places: NDArray[np.float64] | None = None  # coordinates, shape (n, 2), if known
    edge_attributes: Mapping[tuple[int, int], Mapping[str, Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # sentences for the user
    accept: Shares | None = None  # like `successors`: the probability that an arc takes a token
    stages: tuple[Stage, ...] = ()  # the later networks of a board that changes
    communities: tuple[str, ...] = ()  # the name of each vertex's community, or empty

    @property
    def n_vertices(self) -> int:
        """The number of vertices."""
        return len(self.labels)

    @property
    def n_edges(self) -> int:
        """The number of edges, or of arcs where the board is directed."""
        return len(self.successors) if self.directed else len(self.successors) // 2

    @cached_property
    def degrees(self) -> Ints:
        """The number of neighbours (successors, where directed) of each vertex."""
        degrees = np.diff(self.successor_start).astype(np.int32)
        degrees.setflags(write=False)
        return degrees

    @cached_property
    def coordinates(self) -> NDArray[np.float64]:
        """Where to draw each vertex: x to the right, y down, shape (n, 2)."""
        if self.places is not None:
            return self.places
        from topple.boards.layout import spring_places  # which imports this module

        return spring_places(self)

    @cached_property
    def vertex_of(self) -> Mapping[str, int]:
        """The vertex with each label."""
        return {label: vertex for vertex, label in enumerate(self.labels)}

    @cached_property
    def digest(self) -> str:
        """A hash of everything that a game can see of the board, 16 hexadecimal digits."""
        seen = hashlib.sha256()
        arrays = (self.successor_start, self.successors, self.thresholds)
        names = repr((self.labels, self.directed, self.sides)).encode()
        parts = [names, *(array.tobytes() for array in arrays)]
        if self.accept is not None:
            parts += [b"accept", self.accept.tobytes()]
        for stage in self.stages:
            arrays = (stage.successor_start, stage.successors, stage.thresholds)
            shares = b"" if stage.accept is None else stage.accept.tobytes()
            parts += [repr(stage.ply).encode(), *(array.tobytes() for array in arrays), shares]
        for part in parts:
            seen.update(len(part).to_bytes(8, "little") + part)
        return seen.hexdigest()[:16]

    @property
    def networks(self) -> tuple[Stage, ...]:
        """The networks of the board in the order of their plies; the first begins at ply 0."""
        own = (self.successor_start, self.successors, self.predecessor_start, self.predecessors)
        return (Stage(0, *own, self.thresholds, self.accept), *self.stages)

    def neighbours(self, vertex: int) -> list[int]:
        """The neighbours (successors, where directed) of a vertex, in board order."""
        start, end = self.successor_start[vertex], self.successor_start[vertex + 1]
        return [int(neighbour) for neighbour in self.successors[start:end]]

    def edges(self) -> list[tuple[int, int]]:
        """Every edge once (lower vertex first), or every arc."""
        return [
            (vertex, neighbour)
            for vertex in range(self.n_vertices)
            for neighbour in self.neighbours(vertex)
            if self.directed or vertex < neighbour
        ]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # Copied and unpickled arrays are writable.
        for part in (*state.values(), *(each for stage in self.stages for each in stage)):
            if isinstance(part, np.ndarray):
                part.setflags(write=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        edges = "arcs" if self.directed else "edges"
        return f"<Board {self.spec}: {self.n_vertices} vertices, {self.n_edges} {edges}>"


def make_board(
    spec: str,
    neighbours: Sequence[Sequence[int]],
    *,
    form: str = "network",
    labels: Sequence[str] | None = None,
    directed: bool = False,
    thresholds: Sequence[int] | None = None,
    sides: str = "",
    rows: int = 0,
    columns: int = 0,
    structural: bool = True,
    places: NDArray[np.float64] | None = None,
    edge_attributes: Mapping[tuple[int, int], Mapping[str, Any]] | None = None,
    notes: tuple[str, ...] = (),
    accept: Sequence[float] | None = None,
    stages: Sequence[Later] = (),
    communities: Sequence[str] = (),
) -> Board:
    """Build a board from lists of neighbours, whose order is kept.

    Labels default to 1 … n, thresholds to the degree (at least 1). An undirected edge
    is in the lists of both its ends. `accept` has a probability for each neighbour, one list
    after the other; where all are 1 the board has none. The other arguments are the fields
    of `Board`. A later network that differs in nothing from the one before it is left out.

    Raises
    ------
    BadBoard
        If there are too many vertices, edges or networks, a neighbour does not exist, a
        threshold is below 1, a probability is not one, a later network does not begin
        later, or labels, sides or communities do not fit.
    """
    n = len(neighbours)
    check_schedule([stage.ply for stage in stages])
    check_networks(n, [_n_edges(each, directed) for each in (neighbours, *(s[1] for s in stages))])
    labels = tuple(str(v + 1) for v in range(n)) if labels is None else tuple(labels)
    _check_names(n, labels, sides, communities)
    first, *later = [
        _stage(each, n, directed) for each in (Later(0, neighbours, thresholds, accept), *stages)
    ]
    if places is not None:
        places.setflags(write=False)
    return Board(
        spec,
        form,
        labels,
        directed,
        *first[1:-1],
        sides=sides,
        rows=rows,
        columns=columns,
        structural=structural,
        places=places,
        edge_attributes=edge_attributes or {},
        notes=notes,
        accept=first.accept,
        stages=tuple(b for a, b in pairwise((first, *later)) if not _are_same(a, b)),
        communities=tuple(communities),
    )


def _are_same(one: Stage, other: Stage) -> bool:
    """Whether two networks differ in nothing but their plies."""
    pairs = zip(one[1:], other[1:], strict=True)
    return all(
        a is b or (a is not None and b is not None and np.array_equal(a, b)) for a, b in pairs
    )


def _n_edges(neighbours: Sequence[Sequence[int]], directed: bool) -> int:
    return sum(map(len, neighbours)) // (1 if directed else 2)


def _stage(network: Later, n: int, directed: bool) -> Stage:
    """The arrays of a network, read-only. Refuse what does not fit: kernels check nothing."""
    if len(network.neighbours) != n:
        raise BadBoard(f"the network of ply {network.ply:,} does not have {n} vertices")
    start, flat = _flatten(network.neighbours)
    back_start, back = _flatten(_reversed(network.neighbours)) if directed else (start, flat)
    if network.thresholds is None:
        limits = np.maximum(np.diff(start), 1).astype(np.int32)
    else:
        limits = np.array(network.thresholds, dtype=np.int32)
    if len(limits) != n:
        raise BadBoard(f"there must be {n} thresholds, one for each vertex")
    if len(flat) and not 0 <= flat.min() <= flat.max() < n:
        raise BadBoard(f"a neighbour does not exist: vertices are 0 to {n - 1}")
    if limits.min() < 1:
        raise BadBoard("a threshold is below 1")
    accept = None
    if network.accept is not None:
        accept = _probabilities(network.accept, start, flat, directed)
    arrays = (start, flat, back_start, back, limits)
    for array in arrays if accept is None else (*arrays, accept):
        array.setflags(write=False)
    return Stage(network.ply, *arrays, accept)


def _probabilities(
    accept: Sequence[float], start: Ints, flat: Ints, directed: bool
) -> Shares | None:
    """The probabilities of the arcs, or None if all are 1."""
    shares = np.array(accept, dtype=np.float64) + 0.0  # there is no -0
    if shares.shape != flat.shape:
        raise BadBoard(f"there must be {len(flat)} probabilities, one for each neighbour")
    if not bool(np.all((shares >= 0) & (shares <= 1))):
        raise BadBoard("a probability is not between 0 and 1")
    if not directed:
        n = len(start) - 1
        tails = np.repeat(np.arange(n), np.diff(start))
        there, back = np.argsort(tails * n + flat), np.argsort(flat.astype(np.int64) * n + tails)
        if not np.array_equal(shares[there], shares[back]):
            raise BadBoard("an edge has two probabilities: only arcs can differ by direction")
    return None if bool(np.all(shares == 1)) else shares


def _check_names(n: int, labels: tuple[str, ...], sides: str, communities: Sequence[str]) -> None:
    if len(labels) != n or len(sides) not in (0, n) or len(communities) not in (0, n):
        raise BadBoard(f"there must be {n} labels, sides and communities, one for each vertex")
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            raise BadBoard(f"two vertices are called {label!r}: labels must differ")
        seen.add(label)
    if set(sides) - set("LR"):
        raise BadBoard("a side is neither L nor R")


def check_size(n_vertices: int, n_edges: int) -> None:
    """Refuse a board that is empty or too large to play on.

    Raises
    ------
    BadBoard
        If there is no vertex, or more than `MAX_VERTICES` or `MAX_EDGES`.
    """
    if n_vertices < 1:
        raise BadBoard("the board has no vertices")
    if n_vertices > MAX_VERTICES:
        raise BadBoard(f"{n_vertices:,} vertices are too many: at most {MAX_VERTICES:,}")
    if n_edges > MAX_EDGES:
        raise BadBoard(f"{n_edges:,} edges are too many: at most {MAX_EDGES:,}")


def check_networks(n_vertices: int, n_edges: Sequence[int]) -> None:
    """Refuse the networks of a board, each with so many edges, if they are too large.

    Raises
    ------
    BadBoard
        If there is no vertex, too many networks, or more than `MAX_EDGES` in all of them.
    """
    check_size(n_vertices, n_edges[0])
    n_networks = len(n_edges)
    if n_networks > MAX_NETWORKS:
        raise BadBoard(f"{n_networks:,} networks are too many: at most {MAX_NETWORKS:,}")
    if sum(n_edges) > MAX_EDGES:
        raise BadBoard(
            f"{n_networks:,} networks with {sum(n_edges):,} edges in all are too large: "
            f"at most {MAX_EDGES:,}"
        )
    if n_networks > 1 and n_networks * n_vertices > MAX_NETWORK_VERTICES:
        raise BadBoard(
            f"{n_networks:,} networks of {n_vertices:,} vertices are too large: "
            f"at most {MAX_NETWORK_VERTICES // n_vertices:,}"
        )


def check_schedule(plies: Sequence[int]) -> None:
    """Refuse later networks that do not begin one after the other.

    Raises
    ------
    BadBoard
        If a ply is not above the one before it, or above `MAX_PLY`.
    """
    before = 0
    for ply in plies:
        if ply == before:
            raise BadBoard(f"two networks begin at ply {ply:,}: one is enough")
        if ply < before:
            raise BadBoard(
                f"a network begins at ply {ply:,} after that of ply {before:,}: "
                "put them in the order of their plies"
            )
        if ply > MAX_PLY:
            raise BadBoard(f"ply {ply:,} is too late: at most {MAX_PLY:,}")
        before = ply


def _flatten(neighbours: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    start = np.zeros(len(neighbours) + 1, dtype=np.int32)
    np.cumsum([len(each) for each in neighbours], out=start[1:])
    flat = np.array([u for each in neighbours for u in each], dtype=np.int32)
    return start, flat


def _reversed(successors: Sequence[Iterable[int]]) -> list[list[int]]:
    predecessors: list[list[int]] = [[] for _ in successors]
    for vertex, each in enumerate(successors):
        for successor in each:
            predecessors[successor].append(vertex)
    return predecessors
