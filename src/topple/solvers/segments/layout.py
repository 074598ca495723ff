"""Where the segments and rings of a board are, and what play has left of them."""

from typing import NamedTuple

from topple.boards.board import Board
from topple.game.position import Position
from topple.rules.influence import TAKEN
from topple.rules.interface import State
from topple.solvers.segments.pieces import Remains, take, take_from_ring

MOST_NEIGHBOURS = 2


class Chain(NamedTuple):
    """Vertices in a row, each with an arc from or to the next."""

    vertices: tuple[int, ...]
    is_ring: bool


def find_chains(board: Board) -> list[Chain] | None:
    """The components of a board as chains; None if one is no alternated path or cycle.

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
    """Follow paths from their ends, then the cycles that are left."""
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
    """The segments, rings and single vertices that are still there."""
    taken = position.state[TAKEN:]
    return [part for chain in chains for part in _parts(chain, taken)]


def _parts(chain: Chain, taken: State) -> list[Chain]:
    """The runs of a chain's vertices that are there; a ring is cut where one is gone."""
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
    """What a move on the vertex at a place of a segment or ring does to it."""
    n = len(part.vertices)
    return take_from_ring(n) if part.is_ring else take(place, n - 1 - place)
