"""Infexion: the ratio of power, spreads before spawns, and a player who takes what he can.

After the α–β and the greedy player of a project report on the game.
"""

from typing import NamedTuple

from topple.boards.board import Board
from topple.compiling.specialise import kernel
from topple.evaluations.bounds import bounded
from topple.evaluations.interface import Evaluation, Weights
from topple.rules.infexion import CELLS, N_DIRECTIONS, POWER, InfexionBoard
from topple.rules.interface import PLAYER, Moves, State, legal_moves

FEATURES = ("ratio",)
EVALUATIONS = {
    "ratio": Evaluation((1.0,), "own power by the other's, at equal ratios own power"),
}

# Powers add up to at most 100 (on infexion:10), so two ratios that differ do so
# by at least 1/99², and two own powers by at most 99.
TIE_BREAK = 1e-6

# What a greedy player likes: above these, the number of stacks taken.
SAFE_SPAWN, OTHER_SPAWN, EMPTY_SPREAD = 2.0, 1.0, 0.0


class InfexionKnowledge(NamedTuple):
    """What the kernels know."""

    weights: Weights


def knowledge(board: Board, tables: InfexionBoard, weights: Weights) -> InfexionKnowledge:
    """Nothing but the weight."""
    return InfexionKnowledge(weights)


@kernel
def evaluate(
    board: InfexionBoard, state: State, player: int, knowledge: InfexionKnowledge
) -> float:
    """Own power by the other's, which counts at least 1, and a little for own power."""
    own, other = state[POWER + player], max(state[POWER + 1 - player], 1)
    return bounded(knowledge.weights[0] * (own / other + TIE_BREAK * own))


@kernel
def ordered_moves(board: InfexionBoard, state: State, moves: Moves) -> int:
    """Spreads, then spawns; no single token spreads onto an empty cell, if it can be helped."""
    n, n_moves, own = board.n, 0, state[PLAYER]
    for cell in range(n):
        stack = state[CELLS + cell]
        if stack == 0 or stack & 1 != own:
            continue
        for direction in range(N_DIRECTIONS):
            next_cell = board.next_cell[N_DIRECTIONS * cell + direction]
            moves[n_moves] = n + N_DIRECTIONS * cell + direction
            n_moves += (stack >> 1 > 1) | (state[CELLS + next_cell] != 0)
    if state[POWER] + state[POWER + 1] < n:
        for cell in range(n):
            moves[n_moves] = cell
            n_moves += state[CELLS + cell] == 0
    return n_moves if n_moves > 0 else legal_moves(board, state, moves)


@kernel
def greed(
    board: InfexionBoard, state: State, move: int, child: State, knowledge: InfexionKnowledge
) -> float:
    """Take most stacks; else spawn beside an own stack and out of reach; else spawn anywhere."""
    if move >= board.n:
        n_taken = stacks_taken(board, state, move - board.n)
        return SAFE_SPAWN + n_taken if n_taken > 0 else EMPTY_SPREAD
    return SAFE_SPAWN if is_good_spawn(board, state, move) else OTHER_SPAWN


@kernel
def stacks_taken(board: InfexionBoard, state: State, spread: int) -> int:
    """How many of the other's stacks a spread turns or removes."""
    player, direction = state[PLAYER], spread % N_DIRECTIONS
    cell, n_taken = spread // N_DIRECTIONS, 0
    for _ in range(state[CELLS + cell] >> 1):
        cell = board.next_cell[N_DIRECTIONS * cell + direction]
        stack = state[CELLS + cell]
        n_taken += (stack != 0) & (stack & 1 != player)
    return n_taken


@kernel
def is_good_spawn(board: InfexionBoard, state: State, spawn: int) -> bool:
    """Tell whether a cell lies beside an own stack and no spread of the other's reaches it."""
    player, is_beside = state[PLAYER], False
    for direction in range(N_DIRECTIONS):
        cell = spawn
        for distance in range(1, board.size):
            cell = board.next_cell[N_DIRECTIONS * cell + direction]
            stack = state[CELLS + cell]
            if stack == 0:
                continue
            if stack & 1 == player:
                is_beside |= distance == 1
            elif stack >> 1 >= distance:
                return False
    return is_beside
