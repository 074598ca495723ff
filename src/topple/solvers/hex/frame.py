"""Frame: the cells that a search of Hex uses, numbered from 0.

On small boards these are all cells, so that every position of the game fits. On larger
boards they are the empty cells of some position, whose stones have become links between
them; then only positions that follow from it fit.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topple.boards.kinds.hexes import HEX_DIRECTIONS
from topple.game.position import Position
from topple.rules.hex import ROWS, O, X
from topple.solvers.hex.bits import BOTTOM, MOST_CELLS, TOP
from topple.solvers.hex.fill import HexNetwork

EMPTY, X_STONE, O_STONE = range(3)
LARGEST_WHOLE = 7  # rows of the largest board of at most MOST_CELLS cells

Board = NDArray[np.int8]  # shape (cells of the board,): EMPTY, X_STONE or O_STONE


def colours(position: Position) -> Board:
    """The content of each cell of the board."""
    size = position.game.board.rows
    rows = np.asarray(position.state[ROWS : ROWS + 2 * size]).reshape(2, size, 1)
    x, o = (rows >> np.arange(size) & 1).reshape(2, -1)
    return (x * X_STONE + o * O_STONE).astype(np.int8)


class Frame:
    """The empty cells of a board with stones."""

    def __init__(self, size: int, board: Board) -> None:
        self.size = size
        self.board = board
        self.vertices: list[int] = np.flatnonzero(board == EMPTY).tolist()
        self.network = make_network(size, board, self.vertices)

    def holds(self, board: Board) -> bool:
        """Whether a board contains all stones of the frame."""
        return bool(((self.board == EMPTY) | (self.board == board)).all())

    def stones(self, board: Board) -> tuple[int, int]:
        """The stones of X and O on the frame's cells, as bits."""
        x, o = (
            sum(1 << cell for cell, vertex in enumerate(self.vertices) if board[vertex] == colour)
            for colour in (X_STONE, O_STONE)
        )
        return x, o


def frame_for(size: int, board: Board) -> Frame:
    """The frame for a board: all cells of a small board, otherwise the empty ones."""
    if size <= LARGEST_WHOLE:
        return Frame(size, np.zeros(size * size, dtype=np.int8))
    return Frame(size, board)


def make_network(size: int, board: Board, vertices: Sequence[int]) -> HexNetwork:
    """The network of a frame of at most MOST_CELLS cells, for the kernels."""
    assert len(vertices) <= MOST_CELLS
    near = np.zeros((2, 64), dtype=np.int64)
    for side, colour in ((X, X_STONE), (O, O_STONE)):
        touching = neighbours(size, side)
        bits = {vertex: cell for cell, vertex in enumerate(vertices)}
        bits |= {size * size: TOP, size * size + 1: BOTTOM}
        for vertex, bit in bits.items():
            linked = _linked(vertex, touching, board == colour, bits)
            near[side, bit] = sum(1 << other for other in linked - {bit})
    turned, mirrored = np.arange(64), np.arange(64)
    n = size * size
    is_whole = len(vertices) == n
    if is_whole:
        turned[:n] = np.arange(n)[::-1]
        mirrored[:n] = np.arange(n).reshape(size, size).T.ravel()
    cells = np.array([(1 << len(vertices)) - 1], dtype=np.int64)
    return HexNetwork(near, turned, mirrored, cells, np.array([is_whole], dtype=np.int64))


def neighbours(size: int, side: int) -> list[set[int]]:
    """What each cell touches, followed by what the side's two edges touch."""
    n = size * size
    touching: list[set[int]] = [set() for _ in range(n + 2)]
    for row in range(size):
        for column in range(size):
            vertex = row * size + column
            for down, right in HEX_DIRECTIONS:
                if 0 <= row + down < size and 0 <= column + right < size:
                    touching[vertex].add((row + down) * size + column + right)
            along = row if side == X else column
            for edge, place in ((n, 0), (n + 1, size - 1)):
                if along == place:
                    touching[vertex].add(edge)
                    touching[edge].add(vertex)
    return touching


def _linked(
    vertex: int, touching: list[set[int]], is_own: NDArray[np.bool_], bits: dict[int, int]
) -> set[int]:
    """The bits of what a cell or edge touches, directly or through stones of the side."""
    found: set[int] = set()
    seen, waiting = {vertex}, [vertex]
    while waiting:
        for beside in touching[waiting.pop()] - seen:
            seen.add(beside)
            if beside in bits:
                found.add(bits[beside])
            elif is_own[beside]:
                waiting.append(beside)
    return found
