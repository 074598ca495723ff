"""Infexion as a network sees it: a plane for each power of each player's stacks."""

import numpy as np

from topple.compiling.specialise import kernel
from topple.nets.interface import Planes, SeenGame, put_constant
from topple.nets.sight import Sight, make_sight
from topple.rules.infexion import ACTIONS as PLAYED
from topple.rules.infexion import CELLS, N_DIRECTIONS, POWER, InfexionBoard
from topple.rules.interface import PLAYER, State

POWERS = 6  # stacks with a plane of their own; larger boards have more, in the last one
DYNAMIC = (
    *(f"own stack of {power}" for power in range(1, POWERS + 1)),
    *(f"other's stack of {power}" for power in range(1, POWERS + 1)),
    "own power by the board's size",
    "other's power by the board's size",
    "own power in all by the cells",
    "other's power in all by the cells",
    "spawning is allowed",
    "actions by the cells",
    "the last actions",
    "own seat is the first",
)
ACTIONS = 1 + N_DIRECTIONS  # spawn here, or spread in each direction
LAST_ACTIONS = 16.0


def net_name(game: SeenGame) -> str:
    """The shipped network for this game."""
    return "infexion"


def board_actions(game: SeenGame) -> int:
    """Every move has a cell."""
    return 0


def sight(game: SeenGame) -> tuple[str, Sight]:
    """The torus, on which no cell differs from another."""
    return "torus", make_sight(
        game.board, "torus", len(DYNAMIC), [np.zeros((game.tables.n, 0), dtype=np.float32)]
    )


@kernel
def encode(board: InfexionBoard, state: State, planes: Planes, aside: State) -> None:
    """Write the planes of `DYNAMIC`."""
    n, player = board.n, state[PLAYER]
    for cell in range(n):
        for plane in range(2 * POWERS + 2):
            planes[cell, plane] = 0.0
        stack = state[CELLS + cell]
        if stack != 0:
            power, other = stack >> 1, (stack & 1) ^ player
            planes[cell, POWERS * other + min(power, POWERS) - 1] = 1.0
            planes[cell, 2 * POWERS + other] = power / board.size
    at = 2 * POWERS + 2
    own, others = state[POWER + player], state[POWER + 1 - player]
    left = n * board.size - state[PLAYED]
    put_constant(planes, n, at, own / n)
    put_constant(planes, n, at + 1, others / n)
    put_constant(planes, n, at + 2, 1.0 if own + others < n else 0.0)
    put_constant(planes, n, at + 3, state[PLAYED] / n)
    put_constant(planes, n, at + 4, max(0.0, 1.0 - left / LAST_ACTIONS))
    put_constant(planes, n, at + 5, 1.0 - player)


@kernel
def slot_of(board: InfexionBoard, move: int) -> int:
    """Spawns come first among the moves; here each cell has its spawn and its spreads."""
    n = board.n
    if move < n:
        return move * (1 + N_DIRECTIONS)
    spread = move - n
    return spread // N_DIRECTIONS * (1 + N_DIRECTIONS) + 1 + spread % N_DIRECTIONS
