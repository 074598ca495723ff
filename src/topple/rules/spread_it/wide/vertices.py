"""What lies on a vertex, and which vertices are ready to fire.

Each ready vertex has a key that is larger the sooner it fires. Keys are in blocks, and the
largest of each block is kept, so that the next vertex is found by looking at one number for
each block and at the keys of one block.
"""

import numpy as np

from topple.compiling.specialise import kernel
from topple.rules.interface import PLAYER, State
from topple.rules.spread_it.board import place
from topple.rules.spread_it.wide.board import (
    ALL_CODES,
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
    work = work_at(board)
    first = int(state[place(work + NETWORK)]) * board.n
    state[place(on_board_at(board) + colour)] += 1
    n_joined = arrive(board, state, vertex, colour, 1, first)
    state[place(work + N_READY)] += n_joined


@kernel
def arrive(
    board: WideBoard, state: State, vertex: int, colour: int, n_tokens: int, first: int
) -> int:
    """Let one token arrive on a vertex, or none, all but its share in the counts of the board.

    The thresholds of the present network begin at index `first`. Returns whether the vertex
    has become ready and is still to be counted.
    """
    row, at = tokens_at(board) + vertex * board.n_players, totals_at(board) + vertex
    state[place(row + colour)] += n_tokens
    total = state[place(at)] + n_tokens
    state[place(at)] = total
    order = int(state[place(order_at(board) + vertex)])
    front = moved_to_front(order, colour + 1)
    state[place(order_at(board) + vertex)] = front if n_tokens > 0 else order
    is_full = total >= board.thresholds[place(first + vertex)]
    if board.loyalty > 1:
        if is_full:
            refresh(board, state, vertex)
        return 0
    ready = int(is_full) * (1 - int(is_owned(board, state, vertex)))
    if board.n_players > 2 and ready == 0:  # a lead among many takes longer than a branch
        return set_key(board, state, vertex, 0)
    return set_key(board, state, vertex, key_when_ready(board, state, vertex) * ready)


@kernel
def moved_to_front(order: int, code: int) -> int:
    """An order of arrivals with one colour moved or added to the front.

    >>> [hex(moved_to_front(order, 2)) for order in (0x321, 0x1, 0, 0x2345671, 0x1345678)]
    ['0x312', '0x12', '0x2', '0x3456712', '0x3456782']
    """
    # The lowest set bit of `found` is the highest of the four bits that hold the colour. Where
    # the colour is not found, everything is before it.
    others = order ^ (code * ONES)
    found = (others - ONES) & ~others & (ONES << 3)
    lowest = found & -found
    before = order & ((lowest >> 3) - 1)
    behind = order & -(lowest << 1)
    return (behind | (before << COLOUR_BITS) | code) & ORDER


@kernel
def winner_at(board: WideBoard, state: State, vertex: int) -> int:
    """The colour that a firing vertex takes: the most tokens, at a tie the last arrival."""
    row = tokens_at(board) + vertex * board.n_players
    order = int(state[place(order_at(board) + vertex)])
    winner = (order & COLOUR) - 1
    if board.n_players == 2:
        lead = state[place(row + winner)] - state[place(row + 1 - winner)]
        return winner if lead >= 0 else 1 - winner
    most, rest = np.int32(0), order
    while rest > 0:
        colour = (rest & COLOUR) - 1
        if state[place(row + colour)] > most:
            winner, most = colour, state[place(row + colour)]
        rest >>= COLOUR_BITS
    if board.n_players > MOST_ORDER and order > ORDER >> COLOUR_BITS:
        colour = first_of_eight(order)
        winner = colour if state[place(row + colour)] > most else winner
    return winner


@kernel
def first_of_eight(order: int) -> int:
    """The colour that arrived first of eight: the one that is missing in their order.

    >>> first_of_eight(0x1345678), first_of_eight(0x7654321)
    (1, 7)
    """
    missing = ALL_CODES
    for _ in range(MOST_ORDER):
        missing -= order & COLOUR
        order >>= COLOUR_BITS
    return missing - 1


@kernel
def is_owned(board: WideBoard, state: State, vertex: int) -> bool:
    """Whether a vertex has no change of colour left."""
    if board.loyalty == 0:
        return False
    return bool(state[place(taken_at(board) + vertex)] >> COLOUR_BITS == board.loyalty)


@kernel
def is_ready(board: WideBoard, state: State, vertex: int) -> bool:
    """Whether a vertex can fire."""
    if state[place(totals_at(board) + vertex)] < threshold_of(board, state, vertex):
        return False
    if board.loyalty == 0:
        return True
    if is_owned(board, state, vertex):
        return False
    if board.loyalty == 1:
        return True
    colour = state[place(taken_at(board) + vertex)] & COLOUR
    return bool(winner_at(board, state, vertex) + 1 != colour) or has_open(board, state, vertex)


@kernel
def has_open(board: WideBoard, state: State, vertex: int) -> bool:
    """Whether a vertex has a successor that is not owned."""
    at = state[place(work_at(board) + NETWORK)] * (board.n + 1) + vertex
    for i in range(board.successor_start[place(at)], board.successor_start[place(at + 1)]):
        if not is_owned(board, state, board.successors[place(i)]):
            return True
    return False


@kernel
def refresh(board: WideBoard, state: State, vertex: int) -> None:
    """Bring the key of a vertex up to date."""
    key = key_when_ready(board, state, vertex) if is_ready(board, state, vertex) else 0
    state[place(work_at(board) + N_READY)] += set_key(board, state, vertex, key)


@kernel
def key_when_ready(board: WideBoard, state: State, vertex: int) -> int:
    """The key of a vertex, if it is ready."""
    key = HALF + LANES - 1 - (vertex & (LANES - 1))
    if board.by_index == 1:
        return key
    return key + LANES * lead_at(board, state, vertex)


@kernel
def lead_at(board: WideBoard, state: State, vertex: int) -> int:
    """The mover's tokens less the most of any other colour."""
    mover, row = int(state[PLAYER]), tokens_at(board) + vertex * board.n_players
    if board.n_players == 2:
        return int(state[place(row + mover)] - state[place(row + 1 - mover)])
    most = np.int32(0)
    for colour in range(board.n_players):
        if colour != mover:
            most = max(most, state[place(row + colour)])
    return int(state[place(row + mover)]) - int(most)


@kernel
def set_key(board: WideBoard, state: State, vertex: int, key: int) -> int:
    """Write a vertex's key and keep the largest of its block.

    Returns 1 if the vertex has become ready, -1 if it no longer is, else 0.
    """
    at = keys_at(board) + vertex
    old = int(state[place(at)])
    state[place(at)] = key
    if board.n > LANES:  # the largest key of a single block is found when it is needed
        keep_largest(board, state, vertex // LANES, key, old)
    return int(key > 0) - int(old > 0)


@kernel
def keep_largest(board: WideBoard, state: State, block: int, key: int, old: int) -> None:
    """Keep the largest key of a block in which `key` has replaced `old`."""
    at = blocks_at(board) + block
    if key // LANES >= state[place(at)]:
        state[place(at)] = key // LANES
    elif old // LANES == state[place(at)]:
        state[place(at)] = largest_key(board, state, block) // LANES


@kernel
def largest_key(board: WideBoard, state: State, block: int) -> int:
    """The largest key of a block.

    The loop runs over a view of a length that the compiler does not know: it would write out
    32 comparisons, instead of comparing many keys at a time.
    """
    first = keys_at(board) + block * LANES
    keys, largest = state[first : first + LANES], np.int32(0)
    for i in range(len(keys)):
        largest = max(largest, keys[i])
    return int(largest)


@kernel
def next_to_fire(board: WideBoard, state: State) -> int:
    """The ready vertex with the largest lead, among equals the lowest index."""
    blocks, best = blocks_at(board), 0
    for block in range(1, n_blocks(board)):
        if state[place(blocks + block)] > state[place(blocks + best)]:
            best = block
    key = largest_key(board, state, best)
    return best * LANES + LANES - 1 - (key & (LANES - 1))
