"""Hex as a network sees it: one's own stones always join top and bottom."""

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.nets.interface import Planes, SeenGame, put_constant
from topple.nets.sight import Sight, make_sight
from topple.rules.hex import ROWS, STONES, SWAPPED, HexBoard
from topple.rules.interface import PLAYER, State

DYNAMIC = ("own stones", "other's stones", "empty", "this move or the next may swap")
FIXED = ("own first edge", "own last edge", "other's first edge", "other's last edge")
ACTIONS = 1


def net_name(game: SeenGame) -> str:
    """The shipped network for this game."""
    return "hex"


def board_actions(game: SeenGame) -> int:
    """The swap. A network always has it, so that the same one plays with and without."""
    return 1


def sight(game: SeenGame) -> tuple[str, Sight]:
    """The board as the side that joins top and bottom sees it, then as the other does."""
    size = game.tables.size
    views = (_edges(size), _edges(size)[:, (2, 3, 0, 1)])
    return "hexes", make_sight(game.board, "hexes", len(DYNAMIC), views)


def _edges(size: int) -> NDArray[np.float32]:
    row, column = np.divmod(np.arange(size * size), size)
    edges = (row == 0, row == size - 1, column == 0, column == size - 1)
    return np.column_stack(edges).astype(np.float32)


@kernel
def encode(board: HexBoard, state: State, planes: Planes, aside: State) -> None:
    """Write the planes of `DYNAMIC`."""
    size, side = board.size, state[PLAYER] ^ state[SWAPPED]
    for row in range(size):
        own = state[ROWS + side * size + row]
        other = state[ROWS + (1 - side) * size + row]
        for column in range(size):
            cell = row * size + column
            is_own, is_other = own >> column & 1, other >> column & 1
            planes[cell, 0] = is_own
            planes[cell, 1] = is_other
            planes[cell, 2] = 1 - is_own - is_other
    may_swap = board.swap == 1 and state[STONES] <= 1 and state[SWAPPED] == 0
    put_constant(planes, size * size, 3, 1.0 if may_swap else 0.0)


@kernel
def view_of(board: HexBoard, state: State) -> int:
    """1 for the side that joins left and right, whose board is mirrored."""
    return int(state[PLAYER] ^ state[SWAPPED])


@kernel
def fate_of(board: HexBoard, state: State, vertex: int) -> float:
    """The owner of the stone; nobody's if there is none."""
    row, column = vertex // board.size, vertex % board.size
    first = ROWS + state[SWAPPED] * board.size
    second = ROWS + (1 - state[SWAPPED]) * board.size
    own, other = state[first + row] >> column & 1, state[second + row] >> column & 1
    return float(own) - float(other)
