"""The essence of an INFLUENCE position: which vertices reach which vertices of the other label.

A move of Left removes the R vertices that the vertex reaches, and then every L
vertex that reaches no other (Remark 8). So only which L vertex reaches which R
vertex matters: the game is played on a bipartite graph. Forced vertices have no
neighbours there and are points. Vertices with the same neighbours, such as those of
one strongly connected component, are always taken together, and become one vertex
with a weight.
"""

import hashlib
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.evaluations.influence import reach_on
from topple.game.position import Position
from topple.rules.influence import TAKEN, WORD


class ReachGraph(NamedTuple):
    """The bipartite graph for the kernels; read-only."""

    sides: NDArray[np.int64]  # shape (n,): 0 for L, 1 for R
    weights: NDArray[np.int64]  # shape (n,): how many vertices of the board each represents
    reach: NDArray[np.uint64]  # shape (n, words): each one's neighbours, as bits


class Digraph:
    """A board whose sets of vertices are Python integers with one bit per vertex."""

    def __init__(self, board: Board) -> None:
        reach = reach_on(board).words
        self.n = board.n_vertices
        self.sides = [int(side == "R") for side in board.sides]
        self.labelled = [
            sum(1 << v for v, own in enumerate(self.sides) if own == side) for side in (0, 1)
        ]
        self.own = [int.from_bytes(words.astype("<u8").tobytes(), "little") for words in reach]
        self.rivals = [
            own & self.labelled[1 - side] for own, side in zip(self.own, self.sides, strict=True)
        ]

    def there(self, position: Position) -> int:
        """The vertices that are not taken."""
        gone = position.state[TAKEN : TAKEN + self.n]
        return sum(1 << vertex for vertex in np.flatnonzero(gone == 0).tolist())

    def relevant(self, there: int) -> tuple[int, int]:
        """The vertices that are not forced, and Left's lead in those that are (section 2.2)."""
        relevant = lead = 0
        for vertex in members(there):
            if self.rivals[vertex] & there:
                relevant |= 1 << vertex
            else:
                lead += 1 - 2 * self.sides[vertex]
        return relevant, lead


def members(bits: int) -> list[int]:
    """The vertices of a set, ascending.

    >>> members(0b10110)
    [1, 2, 4]
    """
    found = []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return found


class Reduced:
    """The bipartite graph of a set of relevant vertices of a digraph."""

    def __init__(self, digraph: Digraph, relevant: int) -> None:
        groups: dict[tuple[int, int], int] = {}
        for vertex in members(relevant):
            same = digraph.sides[vertex], digraph.rivals[vertex] & relevant
            groups[same] = groups.get(same, 0) | 1 << vertex
        self.groups = list(groups.values())  # the vertices of the board that each one represents
        self.all = relevant
        self.graph = _graph(groups)

    @property
    def n(self) -> int:
        """The number of vertices of the bipartite graph."""
        return len(self.groups)

    @property
    def n_words(self) -> int:
        """The number of words of a set of its vertices."""
        return int(self.graph.reach.shape[1])

    @cached_property
    def digest(self) -> NDArray[np.uint64]:
        """A fingerprint of the graph."""
        seen = hashlib.sha256()
        for array in self.graph:
            seen.update(array.astype("<u8").tobytes())
        return np.frombuffer(seen.digest(), dtype="<u8").astype(np.uint64)

    def largest_irregular(self, relevant: int, few: int) -> int:
        """The size of the largest part with more than `few` vertices that all differ.

        Vertices differ if their colours do after one vertex has got a colour of its own
        and all colours have been refined by those of the neighbours.
        """
        waiting = {at for at, group in enumerate(self.groups) if group & relevant}
        most = 0
        while waiting:
            part = self._part(waiting)
            waiting -= part
            if len(part) > most and self._n_colours(part, few) > few:
                most = len(part)
        return most

    def _part(self, there: set[int]) -> set[int]:
        """A connected component of a set of vertices."""
        front = {next(iter(there))}
        part: set[int] = set()
        while front:
            part |= front
            front = {other for at in front for other in self._neighbours[at]} & there - part
        return part

    @cached_property
    def _neighbours(self) -> list[list[int]]:
        return [
            members(int.from_bytes(row.astype("<u8").tobytes(), "little"))
            for row in self.graph.reach
        ]

    def _n_colours(self, part: set[int], few: int) -> int:
        """The number of distinguishable vertices of a part, counted until it exceeds `few`."""
        neighbours = {at: [v for v in self._neighbours[at] if v in part] for at in part}
        marked = min(part, key=lambda at: (len(neighbours[at]), at))
        colours = {at: int(at == marked) for at in part}
        n_before, n = 0, 1
        while n_before < n <= few:
            seen: dict[tuple[int, ...], int] = {}
            for at in part:
                around = sorted(colours[other] for other in neighbours[at])
                seen.setdefault((colours[at], *around), len(seen))
            colours = {
                at: seen[colours[at], *sorted(colours[other] for other in neighbours[at])]
                for at in part
            }
            n_before, n = n, len(seen)
        return n

    def mask(self, relevant: int) -> NDArray[np.uint64] | None:
        """The set of vertices that represents a set of the board's; None if there is none."""
        bits = 0
        for place, group in enumerate(self.groups):
            if group & relevant == group:
                bits |= 1 << place
            elif group & relevant:
                return None
        return None if relevant & ~self.all else as_words(bits, self.n_words)


def _graph(groups: dict[tuple[int, int], int]) -> ReachGraph:
    """The graph in which each group is joined to the groups of its rivals."""
    sides = np.array([side for side, _ in groups], dtype=np.int64)
    weights = np.array([group.bit_count() for group in groups.values()], dtype=np.int64)
    place = {vertex: at for at, group in enumerate(groups.values()) for vertex in members(group)}
    n_words = max(1, -(-len(groups) // WORD))
    reach = np.zeros((len(groups), n_words), dtype=np.uint64)
    for at, (_, rivals) in enumerate(groups):
        joined = {place[vertex] for vertex in members(rivals)}
        reach[at] = as_words(sum(1 << other for other in joined), n_words)
    for array in (sides, weights, reach):
        array.setflags(write=False)
    return ReachGraph(sides, weights, reach)


def as_words(bits: int, n_words: int) -> NDArray[np.uint64]:
    """An integer as words of 64 bits, the lowest first."""
    return np.frombuffer(bits.to_bytes(8 * n_words, "little"), dtype="<u8").astype(np.uint64)
