"""Infexion: the ratio of power, an order of moves, and a greedy player.

They follow the α–β player and the greedy player of a project report on the game.
"""

from typing import NamedTuple

from topple.boards.board import Board
from topple.compiling.specialise import kernel
from topple.evaluations.interface import Evaluation, Weights, bounded
from topple.rules.infexion import CELLS, N_DIRECTIONS, POWER, InfexionBoard
from topple.rules.interface import PLAYER, Moves, State, legal_moves

FEATURES = ("ratio",)
EVALUATIONS = {
    "ratio": Evaluation((1.0,), "own power by the other's, at equal ratios own power"),
}

# Powers add up to at most 100 (on infexion:10), so two different ratios differ by at least
# 1/99², and two powers by at most 99.
TIE_BREAK = 1e-6

# The values of moves to a greedy player; a spread that takes stacks adds their number.
SAFE_SPAWN, OTHER_SPAWN, EMPTY_SPREAD = 2.0, 1.0, 0.0


class InfexionKnowledge(NamedTuple):
    """The weight, which is all that the kernels need."""

    weights: Weights


def knowledge(board: Board, tables: InfexionBoard, weights: Weights) -> InfexionKnowledge:
    """The weight alone."""
    return InfexionKnowledge(weights)


@kernel
def evaluate(
    board: InfexionBoard, state: State, player: int, knowledge: InfexionKnowledge
) -> float:
    """Own power divided by the opponent's (at least 1), plus a little for own power."""
    own, other = state[POWER + player], max(state[POWER + 1 - player], 1)
    return bounded(knowledge.weights[0] * (own / other + TIE_BREAK * own))


@kernel
def ordered_moves(board: InfexionBoard, state: State, moves: Moves) -> int:
    """Spreads, then spawns, without spreads of a single token onto an empty cell.

    If nothing else is legal, all legal moves.
    """
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
    """Best take most stacks, then spawn safely beside an own stack, then spawn anywhere."""
    if move >= board.n:
        n_taken = stacks_taken(board, state, move - board.n)
        return SAFE_SPAWN + n_taken if n_taken > 0 else EMPTY_SPREAD
    return SAFE_SPAWN if is_good_spawn(board, state, move) else OTHER_SPAWN


@kernel
def stacks_taken(board: InfexionBoard, state: State, spread: int) -> int:
    """The number of the opponent's stacks that a spread turns or removes."""
    player, direction = state[PLAYER], spread % N_DIRECTIONS
    cell, n_taken = spread // N_DIRECTIONS, 0
    for _ in range(state[CELLS + cell] >> 1):
        cell = board.next_cell[N_DIRECTIONS * cell + direction]
        stack = state[CELLS + cell]
        n_taken += (stack != 0) & (stack & 1 != player)
    return n_taken


@kernel
def is_good_spawn(board: InfexionBoard, state: State, spawn: int) -> bool:
    """Whether a cell is beside an own stack and out of reach of the opponent's spreads."""
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
