"""What matters of an INFLUENCE position: who reaches whom, with everything else taken out.

A move of Left removes the R vertices that the vertex reaches, and then every L
vertex that reaches no other (Remark 8). So only which L vertex reaches which R
vertex matters: the game is played on a bipartite graph. Forced vertices have no
neighbour there and are points; vertices with the same neighbours, as those of one
strongly connected component, always go together and become one with a weight.
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


class Field(NamedTuple):
    """The bipartite graph as kernels know it; read-only."""

    sides: NDArray[np.int64]  # shape (n,): 0 for L, 1 for R
    weights: NDArray[np.int64]  # shape (n,): how many vertices of the board each stands for
    reach: NDArray[np.uint64]  # shape (n, words): each one's neighbours, as bits


class Digraph:
    """A board as whole numbers of bits, one bit for each of its vertices."""

    def __init__(self, board: Board) -> None:
        reach = reach_on(board).words
        self.n = board.n_vertices
        self.sides = [int(side == "R") for side in board.sides]
        self.labelled = [sum(1 << v for v, own in enumerate(self.sides) if own == side)
                         for side in (0, 1)]  # fmt: skip
        self.own = [int.from_bytes(words.astype("<u8").tobytes(), "little") for words in reach]
        self.rivals = [own & self.labelled[1 - side]
                       for own, side in zip(self.own, self.sides, strict=True)]  # fmt: skip

    def there(self, position: Position) -> int:
        """The vertices that are still there."""
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
        self.groups = list(groups.values())  # the vertices of the board behind each one
        self.all = relevant
        self.field = _field(groups)

    @property
    def n(self) -> int:
        """The number of vertices of the bipartite graph."""
        return len(self.groups)

    @property
    def n_words(self) -> int:
        """The number of words that a set of its vertices fills."""
        return int(self.field.reach.shape[1])

    @cached_property
    def digest(self) -> NDArray[np.uint64]:
        """A fingerprint of the graph."""
        seen = hashlib.sha256()
        for array in self.field:
            seen.update(array.astype("<u8").tobytes())
        return np.frombuffer(seen.digest(), dtype="<u8").astype(np.uint64)

    def largest_irregular(self, relevant: int, few: int) -> int:
        """The size of the largest part with more than a few vertices that are all different.

        Vertices are alike if colours cannot tell them apart that are refined
        by the neighbours' colours, after one vertex got a colour of its own.
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
        """The vertices that hang together with one of a set, in it."""
        front = {next(iter(there))}
        part: set[int] = set()
        while front:
            part |= front
            front = {other for at in front for other in self._neighbours[at]} & there - part
        return part

    @cached_property
    def _neighbours(self) -> list[list[int]]:
        return [members(int.from_bytes(row.astype("<u8").tobytes(), "little"))
                for row in self.field.reach]  # fmt: skip

    def _n_colours(self, part: set[int], few: int) -> int:
        """How many vertices of a part can be told apart, counted until they are many."""
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
        """The set of vertices that stands for one of the board; None if there is none."""
        bits = 0
        for place, group in enumerate(self.groups):
            if group & relevant == group:
                bits |= 1 << place
            elif group & relevant:
                return None
        return None if relevant & ~self.all else as_words(bits, self.n_words)


def _field(groups: dict[tuple[int, int], int]) -> Field:
    """Join each group to those that hold its rivals."""
    sides = np.array([side for side, _ in groups], dtype=np.int64)
    weights = np.array([group.bit_count() for group in groups.values()], dtype=np.int64)
    place = {vertex: at for at, group in enumerate(groups.values()) for vertex in members(group)}
    n_words = max(1, -(-len(groups) // WORD))
    reach = np.zeros((len(groups), n_words), dtype=np.uint64)
    for at, (_, rivals) in enumerate(groups):
        reach[at] = as_words(sum(1 << other for other in {place[v] for v in members(rivals)}),
                             n_words)  # fmt: skip
    for array in (sides, weights, reach):
        array.setflags(write=False)
    return Field(sides, weights, reach)


def as_words(bits: int, n_words: int) -> NDArray[np.uint64]:
    """A whole number as words of bits, the lowest first."""
    return np.frombuffer(bits.to_bytes(8 * n_words, "little"), dtype="<u8").astype(np.uint64)
