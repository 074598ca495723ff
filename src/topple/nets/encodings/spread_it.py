"""Spread-It as a network sees it: tokens beside thresholds, owners, budgets, cascades."""

import numpy as np

from topple.compiling.specialise import kernel
from topple.nets.interface import Planes, SeenGame, put_constant
from topple.nets.lookahead import N_EFFECTS, has_won, lookahead, put_effects, put_nothing, try_move
from topple.nets.sight import Sight, make_sight
from topple.rules.interface import PLAYER, STATUS, State
from topple.rules.spread_it.board import LEFT, ON_BOARD, OWNED, TOKENS, SpreadItBoard, work_at
from topple.rules.spread_it.cascade import clear

MISSING = 3  # planes for vertices that lack 1, 2 or 3 tokens
DYNAMIC = (
    "own tokens by the threshold",
    "other's tokens by the threshold",
    "own tokens",
    "other's tokens",
    *(f"lacks {1 + i}" for i in range(MISSING)),
    "lacks, by the threshold",
    "own vertex",
    "other's vertex",
    "free or zero loyalty",
    "own seat is the first",
    "own tokens left by the vertices",
    "other's tokens left by the vertices",
    "lead in tokens by the vertices",
    "lead in vertices by the vertices",
    "tokens on the board by the vertices",
    "the last turns",
    *lookahead("own"),
    *lookahead("other's"),
)
FIXED = (
    "degree",
    "one by the degree",
    "the root of the degree",
    "threshold",
    "threshold by the degree",
    "the root of the number of vertices",
    "edges by vertices",
    "full loyalty",
    "the lowest index fires first",
)
ACTIONS = 1
SCALE = 8.0
LAST_TURNS = 4.0
MORE_FIRINGS = 32  # than vertices: then a cascade that is tried is cut


def net_name(game: SeenGame) -> str:
    """The shipped network for this game."""
    return f"spread-it-{game.options['loyalty']}"


def board_actions(game: SeenGame) -> int:
    """Every move has a vertex."""
    return 0


def sight(game: SeenGame) -> tuple[str, Sight]:
    """The network, whatever the form of the board."""
    board, tables = game.board, game.tables
    degrees = np.maximum(board.degrees, 1)
    ones = np.ones(board.n_vertices)
    fixed = np.column_stack(
        [
            board.degrees / SCALE,
            1.0 / degrees,
            np.sqrt(degrees) / SCALE,
            board.thresholds / SCALE,
            np.minimum(board.thresholds / degrees, SCALE),
            ones * np.sqrt(board.n_vertices) / SCALE,
            ones * board.n_edges / board.n_vertices / SCALE,
            ones * tables.full,
            ones * tables.by_index,
        ]
    )
    return "network", make_sight(board, "network", len(DYNAMIC), [fixed])


@kernel
def encode(board: SpreadItBoard, state: State, planes: Planes, aside: State) -> None:
    """Write the planes of `DYNAMIC`."""
    n, player = board.n, state[PLAYER]
    own_at, other_at, owners = TOKENS + player * n, TOKENS + (1 - player) * n, TOKENS + 2 * n
    for vertex in range(n):
        own, other = state[own_at + vertex], state[other_at + vertex]
        threshold = board.thresholds[vertex]
        missing = max(1, threshold - own - other)
        planes[vertex, 0] = min(own / threshold, SCALE)
        planes[vertex, 1] = min(other / threshold, SCALE)
        planes[vertex, 2] = own / SCALE
        planes[vertex, 3] = other / SCALE
        for i in range(MISSING):
            planes[vertex, 4 + i] = 1.0 if missing == 1 + i else 0.0
        planes[vertex, 4 + MISSING] = missing / threshold
        owner = state[owners + vertex] if board.full == 1 else 0
        planes[vertex, 5 + MISSING] = 1.0 if owner == player + 1 else 0.0
        planes[vertex, 6 + MISSING] = 1.0 if owner == 2 - player else 0.0
        planes[vertex, 7 + MISSING] = 1.0 if owner == 0 else 0.0
    at, scale = 8 + MISSING, 1.0 / n
    own, other = state[ON_BOARD + player], state[ON_BOARD + 1 - player]
    own_left, other_left = state[LEFT + player], state[LEFT + 1 - player]
    put_constant(planes, n, at, 1.0 - player)
    put_constant(planes, n, at + 1, own_left * scale)
    put_constant(planes, n, at + 2, other_left * scale)
    put_constant(planes, n, at + 3, (own - other) * scale)
    put_constant(planes, n, at + 4, (state[OWNED + player] - state[OWNED + 1 - player]) * scale)
    put_constant(planes, n, at + 5, (own + other) * scale)
    turns = own_left + other_left
    put_constant(planes, n, at + 6, max(0.0, 1.0 - turns / LAST_TURNS))
    write_cascades(board, state, planes, aside, at + 7, player)
    write_cascades(board, state, planes, aside, at + 7 + N_EFFECTS, 1 - player)


@kernel
def write_cascades(
    board: SpreadItBoard, state: State, planes: Planes, aside: State, at: int, player: int
) -> None:
    """Write what each move of a player would bring, from the plane `at` on."""
    n = board.n
    put_nothing(planes, n, at)
    left = state[LEFT + player]
    if left == 0:
        return
    is_last = left == 1 and state[LEFT + 1 - player] == 0  # then every move ends the game
    before = lead_of(board, state, player)
    for vertex in range(n):
        tokens = state[TOKENS + vertex] + state[TOKENS + n + vertex]
        is_free = board.full == 0 or state[TOKENS + 2 * n + vertex] == 0
        if is_free and (is_last or tokens + 1 >= board.thresholds[vertex]):
            most = n + MORE_FIRINGS
            n_steps = try_move(board, state, aside, work_at(board), player, vertex, most)
            if n_steps == most:
                clear(board, aside)
            wins = has_won(aside[STATUS], player)
            after = lead_of(board, aside, player)
            put_effects(planes, n, vertex, at, n_steps, before, after, wins)


@kernel
def lead_of(board: SpreadItBoard, state: State, player: int) -> int:
    """A player's lead in what decides the game: vertices under full loyalty, else tokens."""
    at = OWNED if board.full == 1 else ON_BOARD
    return int(state[at + player] - state[at + 1 - player])


@kernel
def fate_of(board: SpreadItBoard, state: State, vertex: int) -> float:
    """The owner under full loyalty, else whose tokens there are more of, by their number."""
    n = board.n
    if board.full == 1:
        owner = state[TOKENS + 2 * n + vertex]
        return 0.0 if owner == 0 else 3.0 - 2.0 * float(owner)
    first, second = state[TOKENS + vertex], state[TOKENS + n + vertex]
    return float((first - second) / max(board.thresholds[vertex], first + second))
