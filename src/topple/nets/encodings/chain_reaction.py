"""Chain Reaction as a network sees it: how full each square is, whose, and what explodes."""

import numpy as np

from topple.compiling.specialise import kernel
from topple.nets.interface import Planes, SeenGame, put_constant
from topple.nets.lookahead import N_EFFECTS, has_won, lookahead, put_effects, put_nothing, try_move
from topple.nets.sight import Sight, make_sight
from topple.rules.chain_reaction import CELLS, MOVED, PIECES_OF, TOTAL, ChainReactionBoard
from topple.rules.interface import PLAYER, STATUS, State

FILLS = 3  # planes for squares that lack 1, 2 or 3 pieces
PER_PLAYER = 2 + FILLS
GLOBAL = ("not all have moved", "surplus is kept", "all pieces by the squares")
ENDLESS = 1 << 30  # steps: every explosion is followed to its end
MOST_DEGREE = 8.0  # larger ones look like this one


def dynamic(n_players: int) -> tuple[str, ...]:
    """The planes of a position for so many players; the player to move comes first."""
    planes: list[str] = []
    for seat in range(n_players):
        who = "own" if seat == 0 else f"{seat} ahead:"
        planes += [f"{who} pieces by capacity", *(f"{who} lacks {1 + i}" for i in range(FILLS))]
        planes.append(f"{who} pieces in all by the squares")
    return (*planes, *GLOBAL, *lookahead("own"), *lookahead("next player's"))


DYNAMIC = dynamic(2)
FIXED = ("degree", "corner", "edge", "inside", "the root of the number of squares")
ACTIONS = 1


def net_name(game: SeenGame) -> str:
    """The shipped network for this game."""
    return "chain-reaction" if len(game.players) == 2 else f"chain-reaction-{len(game.players)}"


def board_actions(game: SeenGame) -> int:
    """Every move has a square."""
    return 0


def sight(game: SeenGame) -> tuple[str, Sight]:
    """A grid with its four directions; any other board as a network."""
    kind = "grid" if game.board.form == "squares" else "network"
    degrees = game.board.degrees
    size = np.sqrt(game.board.n_vertices) / MOST_DEGREE
    classes = [degrees == 2, degrees == 3, degrees >= 4]
    scaled = np.minimum(degrees, MOST_DEGREE) / MOST_DEGREE
    fixed = np.column_stack([scaled, *classes, np.full(len(degrees), size)])
    planes = len(dynamic(len(game.players)))
    return kind, make_sight(game.board, kind, planes, [fixed])


@kernel
def encode(board: ChainReactionBoard, state: State, planes: Planes, aside: State) -> None:
    """Write the planes of `dynamic`."""
    n, n_players, player = board.n, board.n_players, state[PLAYER]
    for square in range(n):
        for plane in range(PER_PLAYER * n_players):
            planes[square, plane] = 0.0
        colour, pieces = state[CELLS + square], state[CELLS + n + square]
        if colour != 0:
            at = PER_PLAYER * ((colour - 1 - player + n_players) % n_players)
            capacity = board.neighbour_start[square + 1] - board.neighbour_start[square]
            missing = max(1, capacity - pieces)
            planes[square, at] = pieces / capacity
            if missing <= FILLS:
                planes[square, at + missing] = 1.0
    for seat in range(n_players):
        pieces = state[PIECES_OF + (player + seat) % n_players]
        put_constant(planes, n, PER_PLAYER * seat + PER_PLAYER - 1, pieces / n)
    at = PER_PLAYER * n_players
    put_constant(planes, n, at, 1.0 if state[MOVED] < n_players else 0.0)
    put_constant(planes, n, at + 1, float(board.keep))
    put_constant(planes, n, at + 2, state[TOTAL] / n)
    following = (player + 1) % n_players
    write_explosions(board, state, planes, aside, at + len(GLOBAL), player)
    write_explosions(board, state, planes, aside, at + len(GLOBAL) + N_EFFECTS, following)


@kernel
def write_explosions(
    board: ChainReactionBoard, state: State, planes: Planes, aside: State, at: int, player: int
) -> None:
    """Write what each move of a player would bring, from the plane `at` on."""
    n = board.n
    put_nothing(planes, n, at)
    before = lead_of(state, player)
    for square in range(n):
        colour, pieces = state[CELLS + square], state[CELLS + n + square]
        capacity = board.neighbour_start[square + 1] - board.neighbour_start[square]
        if (colour == 0 or colour == player + 1) and pieces + 1 >= capacity:
            n_steps = try_move(board, state, aside, CELLS + 2 * n, player, square, ENDLESS)
            if n_steps > 0:
                wins = has_won(aside[STATUS], player)
                after = lead_of(aside, player)
                put_effects(planes, n, square, at, n_steps, before, after, wins)


@kernel
def lead_of(state: State, player: int) -> int:
    """A player's pieces less those of all others."""
    return int(2 * state[PIECES_OF + player] - state[TOTAL])
