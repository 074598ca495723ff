"""Spread-It's cascades: which vertex fires, what it sends, and how it ends.

The rules name, for each vertex, the colour of the last token that arrived. It
decides ties when a vertex fires, and a vertex at rest must receive a token
before it fires; so it matters only within a cascade and is kept among the
working numbers, not in the position.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling import kernel
from topple.rules.interface import DRAWN, HEADER, PLAYER, STATUS, WON, State

BLACK, RED = 0, 1
LEFT = HEADER  # tokens left to Black, to Red
ON_BOARD = HEADER + 2  # black tokens, red tokens on the board
OWNED = HEADER + 4  # vertices owned by Black, by Red
TOKENS = HEADER + 6  # black tokens per vertex, then red; full loyalty: then owner + 1

# A cascade's working numbers, counted from `work_at`: zero between cascades.
N_READY, FIRINGS, N_FIRED, ENDLESS, DIFFERENCES, LAP, LAP_LENGTH = range(7)
N_NUMBERS = 7
# Behind them vectors of one number per vertex, found by `vector_at`.
READY = 0  # a heap of the vertices at their threshold, the next to fire on top
PLACE = 1  # where in the heap a vertex stands, + 1; 0 if it is not ready
FIRED = 2  # the vertices that have fired in this cascade, in order
HAS_FIRED = 3  # 1 for each of them
LAST = 4  # the colour of the last token that arrived
KEPT = 5  # a configuration to compare with: black tokens, red tokens, last arrivals
N_VECTORS = 8

LONGEST_LAP = 1 << 30  # firings; doubling further would overflow


class SpreadItBoard(NamedTuple):
    """What the kernels know of the board."""

    n: int
    full: int  # whether loyalty is full
    by_index: int  # whether the lowest index fires first
    black_tokens: int
    red_tokens: int
    conserves: int  # whether every threshold is the degree
    can_refire: int  # whether no threshold exceeds the degree
    most_firings: int  # of one cascade, unless it conserves tokens
    neighbour_start: NDArray[np.int32]
    neighbours: NDArray[np.int32]
    thresholds: NDArray[np.int32]


@kernel
def work_at(board: SpreadItBoard) -> int:
    """Where the working numbers begin."""
    return TOKENS + (2 + board.full) * board.n


@kernel
def vector_at(board: SpreadItBoard, vector: int) -> int:
    """Where one of the working vectors begins."""
    return work_at(board) + N_NUMBERS + vector * board.n


# The ready vertices: a binary heap, so that a cascade costs what it changes.


@kernel
def fires_before(board: SpreadItBoard, state: State, vertex: int, other: int) -> bool:
    """Tell which of two ready vertices fires first."""
    if board.by_index == 0:
        n = board.n
        lead = state[TOKENS + vertex] - state[TOKENS + n + vertex]
        other_lead = state[TOKENS + other] - state[TOKENS + n + other]
        if lead != other_lead:
            return bool((lead > other_lead) == (state[PLAYER] == BLACK))
    return bool(vertex < other)


@kernel
def put(board: SpreadItBoard, state: State, place: int, vertex: int) -> None:
    """Write a vertex into a place of the heap."""
    state[vector_at(board, READY) + place] = vertex
    state[vector_at(board, PLACE) + vertex] = place + 1


@kernel
def sift_up(board: SpreadItBoard, state: State, place: int, vertex: int) -> int:
    """Move a vertex towards the top as far as it belongs; returns its place."""
    heap = vector_at(board, READY)
    while place > 0:
        parent = (place - 1) // 2
        if not fires_before(board, state, vertex, state[heap + parent]):
            break
        put(board, state, place, state[heap + parent])
        place = parent
    put(board, state, place, vertex)
    return place


@kernel
def sift_down(board: SpreadItBoard, state: State, place: int, vertex: int) -> None:
    """Move a vertex away from the top as far as it belongs."""
    heap, n_ready = vector_at(board, READY), state[work_at(board) + N_READY]
    while 2 * place + 1 < n_ready:
        child = 2 * place + 1
        if child + 1 < n_ready and fires_before(
            board, state, state[heap + child + 1], state[heap + child]
        ):
            child += 1
        if not fires_before(board, state, state[heap + child], vertex):
            break
        put(board, state, place, state[heap + child])
        place = child
    put(board, state, place, vertex)


@kernel
def queue_if_ready(board: SpreadItBoard, state: State, vertex: int) -> None:
    """Give a vertex whose tokens have changed its place among the ready ones."""
    n, work = board.n, work_at(board)
    place = state[vector_at(board, PLACE) + vertex] - 1
    if place < 0:
        if state[TOKENS + vertex] + state[TOKENS + n + vertex] < board.thresholds[vertex]:
            return
        place = state[work + N_READY]
        state[work + N_READY] += 1
    sift_down(board, state, sift_up(board, state, place, vertex), vertex)


@kernel
def take_first(board: SpreadItBoard, state: State) -> int:
    """Take the next vertex to fire off the heap."""
    heap, work = vector_at(board, READY), work_at(board)
    vertex = state[heap]
    state[vector_at(board, PLACE) + vertex] = 0
    state[work + N_READY] -= 1
    if state[work + N_READY] > 0:
        sift_down(board, state, 0, state[heap + state[work + N_READY]])
    return int(vertex)


# Firing.


@kernel
def arrive(board: SpreadItBoard, state: State, vertex: int, colour: int) -> None:
    """Let a new token come to a vertex, which may be ready then."""
    count_difference(board, state, vertex, -1)
    state[TOKENS + colour * board.n + vertex] += 1
    state[ON_BOARD + colour] += 1
    state[vector_at(board, LAST) + vertex] = colour
    count_difference(board, state, vertex, 1)
    queue_if_ready(board, state, vertex)


@kernel
def fire(board: SpreadItBoard, state: State, vertex: int) -> None:
    """Let a vertex, just taken off the heap, send one token to each neighbour."""
    n = board.n
    mark_fired(board, state, vertex)
    winner = winner_at(board, state, vertex)
    first, last = board.neighbour_start[vertex], board.neighbour_start[vertex + 1]
    rest = state[TOKENS + vertex] + state[TOKENS + n + vertex] - board.thresholds[vertex]
    if board.full == 1:
        state[TOKENS + 2 * n + vertex] = winner + 1
        state[OWNED + winner] += 1
        for i in range(first, last):  # an owned neighbour takes no token: it stays here
            rest += state[TOKENS + 2 * n + board.neighbours[i]] != 0
    leave(board, state, vertex, winner, rest)
    for i in range(first, last):
        neighbour = board.neighbours[i]
        if board.full == 0 or state[TOKENS + 2 * n + neighbour] == 0:
            arrive(board, state, neighbour, winner)
    if board.full == 0:
        queue_if_ready(board, state, vertex)


@kernel
def winner_at(board: SpreadItBoard, state: State, vertex: int) -> int:
    """The colour that a firing vertex takes: the majority, at a tie the last arrival."""
    black, red = state[TOKENS + vertex], state[TOKENS + board.n + vertex]
    if black == red:
        return int(state[vector_at(board, LAST) + vertex])
    return BLACK if black > red else RED


@kernel
def leave(board: SpreadItBoard, state: State, vertex: int, winner: int, rest: int) -> None:
    """Leave `rest` tokens of the winner's colour on a vertex, and nothing else."""
    n = board.n
    count_difference(board, state, vertex, -1)
    state[ON_BOARD + BLACK] -= state[TOKENS + vertex]
    state[ON_BOARD + RED] -= state[TOKENS + n + vertex]
    state[TOKENS + winner * n + vertex] = rest
    state[TOKENS + (1 - winner) * n + vertex] = 0
    state[ON_BOARD + winner] += rest
    count_difference(board, state, vertex, 1)


@kernel
def mark_fired(board: SpreadItBoard, state: State, vertex: int) -> None:
    """Count a firing, and the vertex if it is its first in this cascade."""
    work, marks = work_at(board), vector_at(board, HAS_FIRED)
    state[work + FIRINGS] += 1
    if state[marks + vertex] == 0:
        state[marks + vertex] = 1
        state[vector_at(board, FIRED) + state[work + N_FIRED]] = vertex
        state[work + N_FIRED] += 1


@kernel
def clear(board: SpreadItBoard, state: State) -> None:
    """Make the working numbers ready for the next cascade."""
    work, heap, fired = work_at(board), vector_at(board, READY), vector_at(board, FIRED)
    for i in range(state[work + N_READY]):
        state[vector_at(board, PLACE) + state[heap + i]] = 0
    for i in range(state[work + N_FIRED]):
        state[vector_at(board, HAS_FIRED) + state[fired + i]] = 0
    for i in range(N_NUMBERS):
        state[work + i] = 0


# Cascades without end. Once every vertex has fired and no threshold exceeds its
# degree, the cascade goes on for ever: the vertex whose last firing is the
# oldest has since received a token from each neighbour, so it fires again. Then
# either one colour takes the whole board or the configuration recurs, which
# Brent's method finds: keep a configuration, compare every later one with it,
# and renew it after 1, 2, 4, 8 … firings. The number of vertices that differ
# from it is kept up to date, so that a comparison looks at one number.


@kernel
def look_for_the_end(board: SpreadItBoard, state: State) -> None:
    """Decide a cascade that has no end, or that is cut."""
    work = work_at(board)
    endless = state[work + N_FIRED] == board.n and board.can_refire == 1
    cut = board.conserves == 0 and state[work + FIRINGS] >= board.most_firings
    if state[work + N_READY] == 0 or not (endless or cut):
        return
    if state[ON_BOARD + RED] == 0:
        state[STATUS] = WON + BLACK
    elif state[ON_BOARD + BLACK] == 0:
        state[STATUS] = WON + RED
    elif cut or recurs(board, state):
        state[STATUS] = DRAWN


@kernel
def recurs(board: SpreadItBoard, state: State) -> bool:
    """Tell whether the configuration is the one that was kept; renew that in time."""
    work = work_at(board)
    if state[work + ENDLESS] == 0:
        keep_configuration(board, state, 1)
        return False
    if state[work + DIFFERENCES] == 0:
        return True
    state[work + LAP] += 1
    if state[work + LAP] == state[work + LAP_LENGTH]:
        keep_configuration(board, state, min(2 * state[work + LAP_LENGTH], LONGEST_LAP))
    return False


@kernel
def keep_configuration(board: SpreadItBoard, state: State, lap_length: int) -> None:
    """Keep the configuration to compare the next `lap_length` ones with it."""
    n, kept, last = board.n, vector_at(board, KEPT), vector_at(board, LAST)
    for i in range(2 * n):
        state[kept + i] = state[TOKENS + i]
    for i in range(n):
        state[kept + 2 * n + i] = state[last + i]
    work = work_at(board)
    state[work + ENDLESS] = 1
    state[work + DIFFERENCES] = 0
    state[work + LAP] = 0
    state[work + LAP_LENGTH] = lap_length


@kernel
def count_difference(board: SpreadItBoard, state: State, vertex: int, by: int) -> None:
    """In an endless cascade, count a vertex that differs from the kept one in or out."""
    work = work_at(board)
    if state[work + ENDLESS] == 0:
        return
    n, kept = board.n, vector_at(board, KEPT)
    if (
        state[TOKENS + vertex] != state[kept + vertex]
        or state[TOKENS + n + vertex] != state[kept + n + vertex]
        or state[vector_at(board, LAST) + vertex] != state[kept + 2 * n + vertex]
    ):
        state[work + DIFFERENCES] += by
