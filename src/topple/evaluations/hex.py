"""Hex: the stones that each side still needs, and the electrical resistance between its edges."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.compiling.logarithm import ln
from topple.compiling.specialise import kernel
from topple.evaluations.interface import Evaluation, Weights, bounded
from topple.rules.hex import ROWS, SWAPPED, HexBoard, X, fill_sideways
from topple.rules.interface import State

FEATURES = ("connection", "resistance")
CONNECTION, RESISTANCE = range(2)
EVALUATIONS = {
    "connection": Evaluation((1.0, 0.0), "the stones that the other needs less those one needs"),
    "resistance": Evaluation((0.0, 1.0), "the logarithm of the other's resistance by one's own"),
}

STONE = 1e-7  # the resistance of an own stone, in that of an empty cell
FLOATING = 1e-6  # a smaller pivot means that no current reaches the cell
LEAST_CURRENT = 1e-9  # so that a logarithm can be taken

Numbers = NDArray[np.float64]


class HexKnowledge(NamedTuple):
    """The weights, and scratch space."""

    weights: Weights
    reached: NDArray[np.int64]  # shape (size,): rows of bits
    band: Numbers  # shape (cells, size + 1): the band of the matrix of conductances
    source: Numbers  # shape (cells,): current in from the first edge
    sink: Numbers  # shape (cells,): current out to the far edge


def knowledge(board: Board, tables: HexBoard, weights: Weights) -> HexKnowledge:
    """The weights, and scratch space for both features."""
    size = tables.size
    n = size * size
    return HexKnowledge(
        weights,
        np.zeros(size, dtype=np.int64),
        np.zeros((n, size + 1)),
        np.zeros(n),
        np.zeros(n),
    )


@kernel
def evaluate(board: HexBoard, state: State, player: int, knowledge: HexKnowledge) -> float:
    """The weighted sum of both features, for the side that the player has now."""
    weights, value = knowledge.weights, 0.0
    side = player ^ state[SWAPPED]
    if weights[CONNECTION] != 0.0:
        own = stones_needed(board, state, side, knowledge.reached)
        other = stones_needed(board, state, 1 - side, knowledge.reached)
        value += weights[CONNECTION] * (other - own)
    if weights[RESISTANCE] != 0.0:
        own_current = ln(current(board, state, side, knowledge))
        other_current = ln(current(board, state, 1 - side, knowledge))
        value += weights[RESISTANCE] * (own_current - other_current)
    return bounded(value)


# Connection: the cells that n more stones can reach, as rows of bits that grow from the edge.


@kernel
def stones_needed(board: HexBoard, state: State, side: int, reached: NDArray[np.int64]) -> int:
    """The least number of stones that join a side's edges; size² if no number does."""
    size, joined = board.size, ROWS + (2 + side) * board.size
    for row in range(size):
        reached[row] = state[joined + row]
    for n_stones in range(1, size * size):
        if not grow(board, state, side, reached, n_stones == 1):
            break
        while follow_stones(state, ROWS + side * size, size, reached):
            pass
        if is_at_far_edge(size, side, reached):
            return n_stones
    return size * size


@kernel
def grow(
    board: HexBoard, state: State, side: int, reached: NDArray[np.int64], from_edge: bool
) -> bool:
    """Add every cell beside `reached` without an opposing stone; returns whether any was new."""
    size, every = board.size, (1 << board.size) - 1
    others = ROWS + (1 - side) * size
    above, has_grown = 0, False
    for row in range(size):
        here = reached[row]
        under = reached[row + 1] if row + 1 < size else 0
        near = here | here << 1 | here >> 1 | above | above >> 1 | under | under << 1
        if from_edge and side != X:
            near |= 1
        elif from_edge and row == 0:
            near = every
        reached[row] = here | (near & every & ~state[others + row])
        has_grown |= reached[row] != here
        above = here
    return has_grown


@kernel
def follow_stones(state: State, stones: int, size: int, reached: NDArray[np.int64]) -> bool:
    """Add own stones beside `reached`, in one pass down and up; returns whether any was new."""
    has_grown = False
    for i in range(2 * size):
        row = i if i < size else 2 * size - 1 - i
        here = reached[row]
        above = reached[row - 1] if row > 0 else 0
        under = reached[row + 1] if row + 1 < size else 0
        near = here | here << 1 | here >> 1 | above | above >> 1 | under | under << 1
        new = near & state[stones + row] & ~here
        if new != 0:
            reached[row] = here | fill_sideways(new, state[stones + row])
            has_grown = True
    return has_grown


@kernel
def is_at_far_edge(size: int, side: int, reached: NDArray[np.int64]) -> bool:
    """Whether the bottom (X) or the right edge (O) is reached."""
    if side == X:
        return bool(reached[size - 1] != 0)
    any_row = 0
    for row in range(size):
        any_row |= reached[row]
    return bool(any_row >> (size - 1) & 1)


# Resistance: the first edge has potential 1 and the far edge 0. A cell touches only cells
# at most `size` places after it, so Gaussian elimination stays within a band.


@kernel
def current(board: HexBoard, state: State, side: int, knowledge: HexKnowledge) -> float:
    """The current from edge to edge at potential 1, which is 1 / resistance."""
    set_up(board, state, side, knowledge)
    return max(eliminate(board, knowledge), LEAST_CURRENT)


@kernel
def resistance_of(board: HexBoard, state: State, side: int, row: int, column: int) -> float:
    """The resistance of a cell to a side; negative for an opposing stone or no cell."""
    size = board.size
    if row == size or column < 0 or column == size:
        return -1.0
    if state[ROWS + (1 - side) * size + row] >> column & 1:
        return -1.0
    return STONE if state[ROWS + side * size + row] >> column & 1 else 1.0


@kernel
def set_up(board: HexBoard, state: State, side: int, knowledge: HexKnowledge) -> None:
    """Write the conductances between cells and to the edges into `knowledge`."""
    size, band = board.size, knowledge.band
    for cell in range(size * size):
        knowledge.source[cell] = knowledge.sink[cell] = 0.0
        for i in range(size + 1):
            band[cell, i] = 0.0
    for cell in range(size * size):
        row, column = cell // size, cell % size
        own = resistance_of(board, state, side, row, column)
        if own < 0.0:
            continue
        place = row if side == X else column
        if place == 0:
            knowledge.source[cell] = 1.0 / own
            band[cell, 0] += 1.0 / own
        if place == size - 1:
            knowledge.sink[cell] = 1.0 / own
            band[cell, 0] += 1.0 / own
        link(board, state, side, band, cell, own, 0, 1)
        link(board, state, side, band, cell, own, 1, -1)
        link(board, state, side, band, cell, own, 1, 0)


@kernel
def link(
    board: HexBoard,
    state: State,
    side: int,
    band: Numbers,
    cell: int,
    own: float,
    down: int,
    right: int,
) -> None:
    """Add the conductance between a cell and a later neighbour: their resistances in series."""
    size = board.size
    other = resistance_of(board, state, side, cell // size + down, cell % size + right)
    if other >= 0.0:
        step = down * size + right
        conductance = 1.0 / (own + other)
        band[cell, 0] += conductance
        band[cell + step, 0] += conductance
        band[cell, step] -= conductance


@kernel
def eliminate(board: HexBoard, knowledge: HexKnowledge) -> float:
    """Eliminate cell by cell and return the current into the sink.

    With L = U'DU the current is s' L⁻¹ t = Σ (U'⁻¹s)ᵢ (U'⁻¹t)ᵢ / Dᵢ. No term is negative,
    so no digits are lost by cancellation.
    """
    size, band = board.size, knowledge.band
    n, total = size * size, 0.0
    source, sink = knowledge.source, knowledge.sink
    for cell in range(n):
        pivot = band[cell, 0]
        if pivot < FLOATING:
            continue
        total += source[cell] * sink[cell] / pivot
        for i in range(1, min(size, n - 1 - cell) + 1):
            factor = band[cell, i] / pivot
            if factor == 0.0:
                continue
            source[cell + i] -= factor * source[cell]
            sink[cell + i] -= factor * sink[cell]
            for k in range(size + 1 - i):
                band[cell + i, k] -= factor * band[cell, i + k]
    return total
