"""The wider world's board and the layout of its states.

The colours that have tokens on a vertex are kept in the order in which they last arrived,
four bits for each, the last arrival in the lowest bits: this order decides ties.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.rules.interface import HEADER, State
from topple.rules.spread_it.board import place

MOST_PLAYERS = 8
MOST_ORDER = 7  # colours of which the order is kept: an eighth follows from them
COLOUR_BITS = 4
COLOUR = 15  # the bits of one colour: its player's index + 1, or 0 for none
ONES = 0x1111111  # a 1 for each of them
ORDER = 0xFFFFFFF  # all of their bits
ALL_CODES = 36  # the sum of eight colours' bits

# How a game ended before its tokens were spent.
ENDLESS, CUT = 1, 2

# The numbers of a position, before those of each player.
ENDED = HEADER  # 0, ENDLESS or CUT
PLACED = HEADER + 1  # tokens that the player to move has put down in this turn
N_OWNED = HEADER + 2  # vertices that have no change of colour left
PER_PLAYER = HEADER + 3  # for each player: tokens left, tokens on the board, vertices coloured

# A cascade's numbers, as offsets from `work_at`: zero between cascades, but for the generator.
N_READY, FIRINGS, N_FIRED, CHANGING, NETWORK, IS_KEPT, WITNESS, LAP, LAP_LENGTH = range(9)
GENERATOR = 9  # four numbers
N_NUMBERS = 13

# Keys of ready vertices: HALF + LANES · lead + LANES − 1 − (vertex modulo LANES).
LANES = 32  # vertices of a block, whose keys a processor can compare at a time
HALF = 1 << 30
MOST_TOKENS = 1 << 24  # on the board, so that every lead fits into a key
NEVER = (1 << 31) - 1  # the threshold of a sink


class WideBoard(NamedTuple):
    """What the kernels know of the board; networks follow one another in its arrays."""

    n: int
    n_players: int
    n_networks: int
    loyalty: int  # how many times a vertex can take a colour; 0: as often as it fires
    by_index: int  # whether the lowest index fires first
    drops: int  # whether sinks let tokens leave the game
    stays: int  # whether a token that is not taken stays where it was
    is_random: int  # whether some token may not be taken
    conserves: int  # whether tokens never vanish nor come from nowhere
    turn: int  # tokens that a player puts down in a turn
    n_tokens: int  # of all budgets
    most_firings: int  # of one cascade, unless its network needs no limit
    first: NDArray[np.int32]  # the first position
    plies: NDArray[np.int32]  # when each network begins
    refires: NDArray[np.int32]  # whether a cascade in which all have fired must go on
    is_strong: NDArray[np.int32]  # whether, besides, all fire in any endless cascade
    needs_limit: NDArray[np.int32]  # whether cascades may be cut
    successor_start: NDArray[np.int32]  # n + 1 for each network, and so on
    successors: NDArray[np.int32]
    shares: NDArray[np.uint64]  # like `successors`, on the scale of `chance.SURE`
    predecessor_start: NDArray[np.int32]
    predecessors: NDArray[np.int32]
    thresholds: NDArray[np.int32]  # n for each network; NEVER for a sink


def state_size(n: int, n_players: int, loyalty: int) -> int:
    """The length of a position on n vertices."""
    return PER_PLAYER + 3 * n_players + (n_players + 2 + (loyalty > 0)) * n


def work_size(n: int, n_players: int) -> int:
    """The length of the scratch space of a state on n vertices."""
    n_blocks = -(-n // LANES)
    return N_NUMBERS + (LANES + 1) * n_blocks + (n_players + 4) * n


# Where the parts of a state begin.


@kernel
def left_at(board: WideBoard) -> int:
    """The tokens left to each player."""
    return PER_PLAYER


@kernel
def on_board_at(board: WideBoard) -> int:
    """The tokens of each colour on the board."""
    return PER_PLAYER + board.n_players


@kernel
def coloured_at(board: WideBoard) -> int:
    """The vertices of each colour."""
    return PER_PLAYER + 2 * board.n_players


@kernel
def tokens_at(board: WideBoard) -> int:
    """The tokens on each vertex, one number for each colour."""
    return PER_PLAYER + 3 * board.n_players


@kernel
def totals_at(board: WideBoard) -> int:
    """The sum of the tokens on each vertex."""
    return PER_PLAYER + 3 * board.n_players + board.n_players * board.n


@kernel
def order_at(board: WideBoard) -> int:
    """The order in which the colours on each vertex last arrived."""
    return totals_at(board) + board.n


@kernel
def taken_at(board: WideBoard) -> int:
    """The colour of each vertex, and above it how many times it has taken one; with loyalty."""
    return totals_at(board) + 2 * board.n


@kernel
def work_at(board: WideBoard) -> int:
    """The scratch space, which begins with a cascade's numbers."""
    return totals_at(board) + (2 + int(board.loyalty > 0)) * board.n


@kernel
def keys_at(board: WideBoard) -> int:
    """The key of each vertex, 0 if it is not ready; blocks are filled up with zeros."""
    return work_at(board) + N_NUMBERS


@kernel
def n_blocks(board: WideBoard) -> int:
    """The number of blocks of keys."""
    return (board.n + LANES - 1) // LANES


@kernel
def blocks_at(board: WideBoard) -> int:
    """The largest key of each block, without the part that tells its vertices apart."""
    return keys_at(board) + LANES * n_blocks(board)


@kernel
def fired_at(board: WideBoard) -> int:
    """The vertices that have fired in this cascade, in order."""
    return blocks_at(board) + n_blocks(board)


@kernel
def marks_at(board: WideBoard) -> int:
    """1 for each vertex that has fired in this cascade."""
    return fired_at(board) + board.n


@kernel
def kept_at(board: WideBoard) -> int:
    """An earlier configuration: tokens, orders and colours taken."""
    return marks_at(board) + board.n


@kernel
def threshold_of(board: WideBoard, state: State, vertex: int) -> int:
    """The tokens at which a vertex fires in the present network."""
    network = state[place(work_at(board) + NETWORK)]
    return int(board.thresholds[place(network * board.n + vertex)])
