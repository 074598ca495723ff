"""A position as a sum of segments and rings, seen by the player to move."""

from functools import cached_property
from typing import NamedTuple

from topple.boards.board import Board
from topple.game.position import Position
from topple.rules.influence import POINTS, TAKEN
from topple.rules.interface import State
from topple.solvers.segments.pieces import (
    LARGEST_SCORE,
    TAKEN_FROM_RING,
    Remains,
    ring_code,
    segment_code,
    take,
    take_from_ring,
)
from topple.solvers.segments.prover import MOST_VERTICES, Prover, Sum
from topple.solvers.solution import Bounds

MOST_NEIGHBOURS = 2


class Chain(NamedTuple):
    """Vertices in a row, each with an arc from or to the next."""

    vertices: tuple[int, ...]
    is_ring: bool


def find_chains(board: Board) -> list[Chain] | None:
    """The components of a board as chains; None unless all are alternated paths or cycles.

    Every arc must lead from an L to an R vertex (Definition 16).

    >>> from topple.boards import load_board
    >>> find_chains(load_board("segment:3+2"))
    [Chain(vertices=(0, 1, 2), is_ring=False), Chain(vertices=(3, 4), is_ring=False)]
    >>> find_chains(load_board("ring:4"))
    [Chain(vertices=(0, 1, 2, 3), is_ring=True)]
    """
    if not board.directed or not board.sides:
        return None
    neighbours: list[list[int]] = [[] for _ in range(board.n_vertices)]
    for tail, head in board.edges():
        if board.sides[tail] + board.sides[head] != "LR":
            return None
        neighbours[tail].append(head)
        neighbours[head].append(tail)
    if any(len(each) > MOST_NEIGHBOURS or len(set(each)) < len(each) for each in neighbours):
        return None
    return _walk(neighbours)


def _walk(neighbours: list[list[int]]) -> list[Chain]:
    """Follow paths from their ends, then the remaining cycles."""
    chains = []
    seen = [False] * len(neighbours)
    ends = [vertex for vertex, near in enumerate(neighbours) if len(near) < MOST_NEIGHBOURS]
    for start in (*ends, *range(len(neighbours))):
        if seen[start]:
            continue
        is_ring = len(neighbours[start]) == MOST_NEIGHBOURS
        row, vertex = [start], start
        seen[start] = True
        while new := [other for other in neighbours[vertex] if not seen[other]]:
            vertex = min(new)
            seen[vertex] = True
            row.append(vertex)
        chains.append(Chain(tuple(row), is_ring))
    return sorted(chains, key=lambda chain: min(chain.vertices))


def what_is_left(chains: list[Chain], position: Position) -> list[Chain]:
    """The segments, rings and single vertices that are still on the board."""
    taken = position.state[TAKEN:]
    return [part for chain in chains for part in _parts(chain, taken)]


def _parts(chain: Chain, taken: State) -> list[Chain]:
    """The runs of a chain's vertices that are not taken; a ring is cut at a taken one."""
    row, is_ring = chain
    gone = [place for place, vertex in enumerate(row) if taken[vertex]]
    if not gone:
        return [chain]
    if is_ring:
        row = row[gone[0] :] + row[: gone[0]]
    runs: list[list[int]] = [[]]
    for vertex in row:
        if taken[vertex]:
            runs.append([])
        else:
            runs[-1].append(vertex)
    return [Chain(tuple(run), is_ring=False) for run in runs if run]


def remains(part: Chain, place: int) -> Remains:
    """The effect of a move on the vertex at an index of a segment or ring."""
    n = len(part.vertices)
    return take_from_ring(n) if part.is_ring else take(place, n - 1 - place)


SINGLE = 0  # the code of a single vertex, which is not a piece
PASS = Remains(0, 0, 0)  # the effect of taking a single vertex, which is counted already


class MoveKind(NamedTuple):
    """All moves that gain the same and leave the same."""

    gain: int
    rest: Sum


class PositionSum:
    """The rest of a position as a sum in which the player to move is Left."""

    def __init__(self, prover: Prover, chains: list[Chain], position: Position) -> None:
        self.prover = prover
        self.position = position
        self.parts = what_is_left(chains, position)
        own, other = (int(points) for points in position.state[POINTS : POINTS + 2])
        self.taken = own - other if position.player == 0 else other - own
        singles = (part.vertices[0] for part in self.parts if len(part.vertices) == 1)
        self.singles = sum(1 if self._is_own(vertex) else -1 for vertex in singles)

    def _is_own(self, vertex: int) -> bool:
        return bool(self.position.game.tables.labels[vertex] == self.position.player)

    @property
    def points(self) -> int:
        """The player's certain lead: points taken, and single vertices."""
        return self.taken + self.singles

    @property
    def n_vertices(self) -> int:
        """The number of vertices on the board."""
        return sum(len(part.vertices) for part in self.parts)

    @property
    def n_in_pieces(self) -> int:
        """The number of vertices in pieces, without single vertices, which are points."""
        return sum(len(part.vertices) for part in self.parts if len(part.vertices) > 1)

    @property
    def is_vast(self) -> bool:
        """Whether the sum is too large to search, so that only theorems bound it."""
        return self.n_in_pieces > MOST_VERTICES

    @cached_property
    def hardest(self) -> int:
        """The size of the largest sum to be searched: this one, or one after a move."""
        sums = [self.sum, *(kind.rest for kind in self.kinds.values())]
        return max(self.prover.size(each) for each in sums)

    @cached_property
    def codes(self) -> list[int]:
        """The code of each part."""
        return [self._code(part) for part in self.parts]

    def _code(self, part: Chain) -> int:
        n = len(part.vertices)
        if part.is_ring:
            return ring_code(n, self.prover.longest)
        return segment_code(n, minus=not self._is_own(part.vertices[0])) if n > 1 else SINGLE

    @cached_property
    def sum(self) -> Sum:
        """The codes of the pieces, without those that cancel."""
        return self.prover.reduced(code for code in self.codes if code != SINGLE)

    @cached_property
    def needs(self) -> int:
        """The length up to which single segments must be solved first."""
        return max(
            (len(part.vertices) - (TAKEN_FROM_RING if part.is_ring else 0) for part in self.parts),
            default=1,
        )

    @cached_property
    def kinds(self) -> dict[int, MoveKind]:
        """The kind of every legal move, by vertex."""
        found: dict[int, MoveKind] = {}
        known: dict[tuple[int, Remains], MoveKind] = {}
        for part, code in zip(self.parts, self.codes, strict=True):
            for place, vertex in enumerate(part.vertices):
                if not self._is_own(vertex):
                    continue
                left = PASS if code == SINGLE else remains(part, place)
                if (code, left) not in known:
                    known[code, left] = self._kind(code, left)
                found[vertex] = known[code, left]
        return dict(sorted(found.items()))

    def _kind(self, code: int, left: Remains) -> MoveKind:
        rest = [each for each in self.codes if each != SINGLE]
        if code != SINGLE:
            rest.remove(code)
        rest += [segment_code(n) for n in (left.first, left.second) if n]
        return MoveKind(left.gain, self.prover.reduced(rest))

    def vast_bounds(self) -> tuple[Bounds, Bounds]:
        """Bounds of Ls and Rs of a vast sum: the sum of the bounds by Theorem 20."""
        n = sum(len(part.vertices) > 1 for part in self.parts)
        parity = (self.n_vertices + self.singles) % 2
        best, rest = LARGEST_SCORE * n, LARGEST_SCORE * (n - 1)
        best, rest = best - (best + parity) % 2, rest - (rest + parity) % 2
        return Bounds(-rest, best), Bounds(-best, rest)
