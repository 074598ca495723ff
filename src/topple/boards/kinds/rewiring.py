"""Boards that are rewired again and again: a share of their edges moves at given plies."""

import random
from collections.abc import Iterator, Sequence

from topple.boards.board import Board, Later, check_networks, make_board
from topple.core.errors import BadBoard
from topple.core.spec import format_spec
from topple.core.text import number_text, plural

Edge = tuple[int, int]

TRIES = 50  # for each edge that is to move
MOST_TRIES = 2_000_000  # for all of them, so that a hopeless board takes seconds


class WiredArcs:
    """Edges or arcs that can be moved one by one, without loops or repetitions."""

    def __init__(self, n: int, edges: Sequence[Edge], *, directed: bool) -> None:
        self.n = n
        self.directed = directed
        self._tries_left = MOST_TRIES
        self.edges = list(edges)
        self._there = {self._key(edge) for edge in edges}
        self._beside: list[dict[int, int]] = [{} for _ in range(n)]  # how often, either way
        for edge in edges:
            self._join(edge)

    def _key(self, edge: Edge) -> Edge:
        return edge if self.directed or edge[0] < edge[1] else (edge[1], edge[0])

    def _join(self, edge: Edge) -> None:
        for one, other in (edge, edge[::-1]):
            self._beside[one][other] = self._beside[one].get(other, 0) + 1

    def _part(self, edge: Edge) -> None:
        for one, other in (edge, edge[::-1]):
            self._beside[one][other] -= 1
            if not self._beside[one][other]:
                del self._beside[one][other]

    def _tries(self) -> Iterator[None]:
        """As many tries as an edge has, and as are left to all of them."""
        for _ in range(TRIES):
            if self._tries_left:
                self._tries_left -= 1
                yield

    def move(self, place: int, source: random.Random) -> bool:
        """Move one end of an edge, the head of an arc, to a random vertex; False if it cannot."""
        for _ in self._tries():
            tail, head = self.edges[place]
            if not self.directed and source.random() < 0.5:
                tail, head = head, tail
            if self._replace({place: (tail, source.randrange(self.n))}, (tail, head)):
                return True
        return False

    def exchange(self, place: int, source: random.Random) -> bool:
        """Let an edge exchange ends with a random other one, so that all degrees stay."""
        for _ in self._tries():
            other = source.randrange(len(self.edges))
            (a, b), (c, d) = self.edges[place], self.edges[other]
            if not self.directed and source.random() < 0.5:
                c, d = d, c
            if other != place and self._replace({place: (a, d), other: (c, b)}, (a, c)):
                return True
        return False

    def _replace(self, moved: dict[int, Edge], kept: Edge) -> bool:
        """Put edges elsewhere, unless one is a loop or there already, or `kept` fall apart."""
        old = {place: self.edges[place] for place in moved}
        were = {self._key(edge) for edge in old.values()}
        new = {self._key(edge) for edge in moved.values()}
        if len(new) < len(moved) or any(tail == head for tail, head in new):
            return False
        if new & self._there:
            return False
        self._swap(old, were, moved, new)
        if not self._are_connected(*kept):
            self._swap(moved, new, old, were)
            return False
        return True

    def _swap(
        self, old: dict[int, Edge], were: set[Edge], moved: dict[int, Edge], new: set[Edge]
    ) -> None:
        for place, edge in moved.items():
            self._part(old[place])
            self._join(edge)
            self.edges[place] = edge
        self._there -= were
        self._there |= new

    def _are_connected(self, one: int, other: int) -> bool:
        """Whether a path leads from one vertex to another, whichever way arcs point."""
        reached, edge = ({one}, {other}), [[one], [other]]
        while edge[0] and edge[1]:
            side = len(edge[0]) > len(edge[1])  # the smaller one grows
            grown = []
            for vertex in edge[side]:
                for neighbour in self._beside[vertex]:
                    if neighbour in reached[not side]:
                        return True
                    if neighbour not in reached[side]:
                        reached[side].add(neighbour)
                        grown.append(neighbour)
            edge[side] = grown
        return one == other

    def is_connected(self) -> bool:
        """Whether the network is in one piece, whichever way arcs point."""
        reached, found = {0}, [0]
        for vertex in found:  # the list grows during the loop
            for neighbour in self._beside[vertex]:
                if neighbour not in reached:
                    reached.add(neighbour)
                    found.append(neighbour)
        return len(reached) == self.n

    def neighbours(self) -> list[list[int]]:
        """The neighbours of each vertex, ascending."""
        lists: list[list[int]] = [[] for _ in range(self.n)]
        for tail, head in self.edges:
            lists[tail].append(head)
            if not self.directed:
                lists[head].append(tail)
        return [sorted(each) for each in lists]


def rewired_board(
    base: Board, every: int, share: float, changes: int, degrees: bool, seed: int
) -> Board:
    """Let a share of a board's edges move every so many plies.

    A moved edge keeps one of its ends, an arc its tail, and its probability; the other end is
    any vertex. The number of edges stays, and a network in one piece stays in one piece. A
    vertex whose threshold is its degree has its new degree as its new threshold.

    Parameters
    ----------
    base
        The first network.
    every
        The number of plies between two changes.
    share
        The share of the edges that move at each change, at least one edge.
    changes
        How many times the network changes.
    degrees
        Whether every vertex keeps its degree: edges exchange ends with one another.
    seed
        Fixes every random choice.

    Raises
    ------
    BadBoard
        If the base changes already or has too few edges, or its networks are too large.

    Examples
    --------
    >>> from topple.boards import load_board
    >>> board = rewired_board(load_board("karate"), 10, 0.1, 3, degrees=False, seed=1)
    >>> board.spec
    'rewiring:karate,every=10,share=0.1,changes=3,degrees=false,seed=1'
    >>> [(network.ply, len(network.successors) // 2) for network in board.networks]
    [(0, 78), (10, 78), (20, 78), (30, 78)]
    """
    if base.stages:
        raise BadBoard(f"{base.spec} changes already: rewire a board that does not")
    check_networks(base.n_vertices, [base.n_edges] * (changes + 1))
    if base.n_edges < 2:
        raise BadBoard(f"{base.spec} has {plural(base.n_edges, 'edge')}: too few to rewire")
    source = random.Random(seed)
    chances = _chances(base)
    arcs = WiredArcs(base.n_vertices, base.edges(), directed=base.directed)
    n_moved = max(1, round(share * base.n_edges))
    networks = [_later(base, 0, arcs, chances)]
    n_stuck = 0
    for change in range(1, changes + 1):
        n_stuck += _rewire(arcs, n_moved, degrees, source)
        networks.append(_later(base, change * every, arcs, chances))
    note = f"{plural(n_stuck, 'edge')} stayed where it was: no move keeps the network in one piece."
    if n_stuck != 1:
        note = note.replace("it was", "they were")
    first, *stages = networks
    options = {"every": every, "share": number_text(share), "changes": changes}
    return make_board(
        _rewired_spec(base.spec, options | {"degrees": degrees, "seed": seed}),
        first.neighbours,
        labels=base.labels,
        directed=base.directed,
        thresholds=first.thresholds,
        sides=base.sides,
        structural=False,
        places=base.coordinates.copy() if base.form != "network" else base.places,
        edge_attributes=base.edge_attributes,
        notes=base.notes + ((note,) if n_stuck else ()),
        accept=first.accept,
        stages=stages,
        communities=base.communities,
    )


def _rewired_spec(base: str, options: dict[str, object]) -> str:
    """The base without its key where it can do without."""
    if any(sign in base for sign in '=,"'):
        return format_spec("rewiring", (), {"base": base, **options})
    return format_spec("rewiring", (base,), options)


def _rewire(arcs: WiredArcs, n_moved: int, degrees: bool, source: random.Random) -> int:
    """Move edges; returns how many could not move."""
    chosen = source.sample(range(len(arcs.edges)), n_moved)
    if degrees:  # an exchange moves two edges
        exchanges = chosen[: (n_moved + 1) // 2]
        return sum(not arcs.exchange(place, source) for place in exchanges)
    return sum(not arcs.move(place, source) for place in chosen)


def _chances(base: Board) -> list[float] | None:
    """The probability of each edge in the order of `Board.edges`."""
    if base.accept is None:
        return None
    arcs = ((tail, head) for tail in range(base.n_vertices) for head in base.neighbours(tail))
    pairs = zip(arcs, base.accept.tolist(), strict=True)
    return [p for (tail, head), p in pairs if base.directed or tail < head]


def _later(base: Board, ply: int, arcs: WiredArcs, chances: list[float] | None) -> Later:
    """The network as the arcs are now."""
    neighbours = arcs.neighbours()
    thresholds = [
        max(len(each), 1) if usual else given
        for each, given, usual in zip(
            neighbours,
            base.thresholds.tolist(),
            (base.thresholds == base.degrees.clip(1)).tolist(),
            strict=True,
        )
    ]
    accept = None
    if chances is not None:
        of_arc: dict[Edge, float] = {}
        for (tail, head), p in zip(arcs.edges, chances, strict=True):
            of_arc[tail, head] = p
            if not arcs.directed:
                of_arc[head, tail] = p
        accept = [of_arc[tail, head] for tail, each in enumerate(neighbours) for head in each]
    return Later(ply, neighbours, thresholds, accept)
