"""What lies on a vertex, and which vertices are ready to fire.

Each ready vertex has a key that is larger the sooner it fires. Keys are in blocks, and the
largest of each block is kept, so that the next vertex is found by looking at one number for
each block and at the keys of one block.
"""

import numpy as np

from topple.compiling.specialise import kernel
from topple.rules.interface import PLAYER, State
from topple.rules.spread_it.wide.board import (
    COLOUR,
    COLOUR_BITS,
    HALF,
    LANES,
    MOST_ORDER,
    N_READY,
    NETWORK,
    ONES,
    ORDER,
    WideBoard,
    blocks_at,
    keys_at,
    n_blocks,
    on_board_at,
    order_at,
    taken_at,
    threshold_of,
    tokens_at,
    totals_at,
    work_at,
)


@kernel
def put(board: WideBoard, state: State, vertex: int, colour: int) -> None:
    """Put down a token of a colour on a vertex, which may make it ready."""
    state[on_board_at(board) + colour] += 1
    arrive(board, state, vertex, colour, state[work_at(board) + NETWORK] * board.n)


@kernel
def arrive(board: WideBoard, state: State, vertex: int, colour: int, first: int) -> None:
    """Let a token arrive on a vertex, all but its share in the colour's tokens on the board.

    The thresholds of the present network begin at index `first`.
    """
    state[tokens_at(board) + vertex * board.n_players + colour] += 1
    total = state[totals_at(board) + vertex] + 1
    state[totals_at(board) + vertex] = total
    at = order_at(board) + vertex
    order = int(state[at])
    if order & COLOUR != colour + 1:
        state[at] = moved_to_front(order, colour + 1)
    if total >= board.thresholds[first + vertex]:
        refresh(board, state, vertex)


@kernel
def moved_to_front(order: int, code: int) -> int:
    """An order of arrivals with one colour moved or added to the front.

    >>> [hex(moved_to_front(order, 2)) for order in (0x321, 0x1, 0, 0x2345671, 0x1345678)]
    ['0x312', '0x12', '0x2', '0x3456712', '0x3456782']
    """
    # The lowest set bit of `found` is the highest of the four bits that hold the colour.
    others = order ^ (code * ONES)
    found = (others - ONES) & ~others & (ONES << 3)
    if found == 0:
        return ((order << COLOUR_BITS) & ORDER) | code
    lowest = found & -found
    before = order & ((lowest >> 3) - 1)
    behind = order & ~((lowest << 1) - 1)
    return behind | (before << COLOUR_BITS) | code


@kernel
def winner_at(board: WideBoard, state: State, vertex: int) -> int:
    """The colour that a firing vertex takes: the most tokens, at a tie the last arrival."""
    row = tokens_at(board) + vertex * board.n_players
    most = state[row]
    for colour in range(1, board.n_players):
        most = max(most, state[row + colour])
    order = state[order_at(board) + vertex]
    for _ in range(MOST_ORDER):
        code = order & COLOUR
        if code == 0:
            break
        if state[row + code - 1] == most:
            return int(code - 1)
        order >>= COLOUR_BITS
    colour = 0  # eight colours are there, and the one that arrived first has most
    while state[row + colour] != most:
        colour += 1
    return colour


@kernel
def is_owned(board: WideBoard, state: State, vertex: int) -> bool:
    """Whether a vertex has no change of colour left."""
    if board.loyalty == 0:
        return False
    return bool(state[taken_at(board) + vertex] >> COLOUR_BITS == board.loyalty)


@kernel
def is_ready(board: WideBoard, state: State, vertex: int) -> bool:
    """Whether a vertex can fire."""
    if state[totals_at(board) + vertex] < threshold_of(board, state, vertex):
        return False
    if board.loyalty == 0:
        return True
    if is_owned(board, state, vertex):
        return False
    if board.loyalty == 1:
        return True
    colour = state[taken_at(board) + vertex] & COLOUR
    return bool(winner_at(board, state, vertex) + 1 != colour) or has_open(board, state, vertex)


@kernel
def has_open(board: WideBoard, state: State, vertex: int) -> bool:
    """Whether a vertex has a successor that is not owned."""
    at = state[work_at(board) + NETWORK] * (board.n + 1) + vertex
    for i in range(board.successor_start[at], board.successor_start[at + 1]):
        if not is_owned(board, state, board.successors[i]):
            return True
    return False


@kernel
def refresh(board: WideBoard, state: State, vertex: int) -> None:
    """Bring the key of a vertex up to date."""
    key = 0
    if is_ready(board, state, vertex):
        key = HALF + LANES - 1 - (vertex & (LANES - 1))
        if board.by_index == 0:
            key += LANES * lead_at(board, state, vertex)
    set_key(board, state, vertex, key)


@kernel
def lead_at(board: WideBoard, state: State, vertex: int) -> int:
    """The mover's tokens less the most of any other colour."""
    mover, row = state[PLAYER], tokens_at(board) + vertex * board.n_players
    most = np.int32(0)
    for colour in range(board.n_players):
        if colour != mover:
            most = max(most, state[row + colour])
    return int(state[row + mover]) - int(most)


@kernel
def set_key(board: WideBoard, state: State, vertex: int, key: int) -> None:
    """Write a vertex's key, and keep the largest of its block and the number of ready ones."""
    at, block = keys_at(board) + vertex, blocks_at(board) + vertex // LANES
    old = int(state[at])
    state[at] = key
    state[work_at(board) + N_READY] += int(key > 0) - int(old > 0)
    if board.n <= LANES:
        return  # a single block, whose largest key is found when it is needed
    if key // LANES >= state[block]:
        state[block] = key // LANES
    elif old // LANES == state[block]:
        state[block] = largest_key(board, state, vertex // LANES) // LANES


@kernel
def largest_key(board: WideBoard, state: State, block: int) -> int:
    """The largest key of a block; the length of the view lets the compiler use wide registers."""
    first = keys_at(board) + block * LANES
    keys = state[first : first + LANES]
    largest = np.int32(0)
    for i in range(LANES):
        largest = max(largest, keys[i])
    return int(largest)


@kernel
def next_to_fire(board: WideBoard, state: State) -> int:
    """The ready vertex with the largest lead, among equals the lowest index."""
    blocks, best = blocks_at(board), 0
    for block in range(1, n_blocks(board)):
        if state[blocks + block] > state[blocks + best]:
            best = block
    key = largest_key(board, state, best)
    return best * LANES + LANES - 1 - (key & (LANES - 1))
