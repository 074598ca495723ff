"""The vertices that are ready to fire, and the one that fires next.

On boards of up to a thousand vertices each ready vertex has a key, a positive number that
is larger the sooner the vertex fires. A token that arrives writes one number, and the next
vertex is the one with the largest key, which a processor finds by comparing many keys at a
time. This is faster than keeping the vertices sorted. On larger boards, scanning all keys
would cost more than a firing does. There, and where leads may be too large for a key, the
ready vertices are in a binary heap, which makes a firing cost its degree plus a logarithm.
"""

import numpy as np

from topple.compiling.specialise import kernel
from topple.rules.interface import PLAYER, State
from topple.rules.spread_it.board import (
    BLACK,
    HEAP,
    LANES,
    N_READY,
    READY,
    TOKENS,
    SpreadItBoard,
    vector_at,
    work_at,
)

# A key is HALF + MOST_KEYS · lead + MOST_KEYS − 1 − vertex, so that it is positive.
MOST_KEYS = 1 << 10
MOST_LEAD = (1 << 20) - 1
HALF = 1 << 30


def have_keys(n: int, by_index: bool, most_tokens: int | None) -> bool:
    """Whether n vertices and `most_tokens` (None: unlimited) fit into keys."""
    fits = by_index or (most_tokens is not None and most_tokens <= MOST_LEAD)
    return n <= MOST_KEYS and fits


@kernel
def weight_of_lead(board: SpreadItBoard, state: State) -> int:
    """The amount by which each token of Black's lead on a vertex changes its key."""
    if board.by_index == 1:
        return 0
    return MOST_KEYS if state[PLAYER] == BLACK else -MOST_KEYS


@kernel
def key_at(vertex: int, lead: int, missing: int) -> int:
    """The key of a vertex with a weighted lead that is `missing` tokens short; 0 if not ready."""
    return HALF + lead + (MOST_KEYS - 1 - vertex) if missing <= 0 else 0


@kernel
def vertex_of_largest_key(board: SpreadItBoard, state: State) -> int:
    """The vertex that fires next.

    The loop runs over a view whose length is a multiple of LANES, so that the compiler
    can compare many keys at a time.
    """
    first = vector_at(board, READY)
    keys = state[first : first + ((board.n - 1) | (LANES - 1)) + 1]
    largest = np.int32(0)
    for i in range(len(keys)):
        largest = max(largest, keys[i])
    return MOST_KEYS - 1 - (int(largest) & (MOST_KEYS - 1))


# The heap: the vertex on top fires first, and no vertex fires before its parent.


@kernel
def queue_if_ready(board: SpreadItBoard, state: State, vertex: int) -> None:
    """Move a vertex whose tokens have changed to its place in the heap, if it is ready."""
    n, work = board.n, work_at(board)
    at = state[vector_at(board, READY) + vertex] - 1
    if at < 0:
        if state[TOKENS + vertex] + state[TOKENS + n + vertex] < board.thresholds[vertex]:
            return
        at = state[work + N_READY]
        state[work + N_READY] += 1
    sift_down(board, state, sift_up(board, state, at, vertex), vertex)


@kernel
def take_first(board: SpreadItBoard, state: State) -> int:
    """Remove the next vertex to fire from the heap, and return it."""
    heap, work = vector_at(board, HEAP), work_at(board)
    vertex = state[heap]
    state[vector_at(board, READY) + vertex] = 0
    state[work + N_READY] -= 1
    if state[work + N_READY] > 0:
        sift_down(board, state, 0, state[heap + state[work + N_READY]])
    return int(vertex)


@kernel
def fires_before(board: SpreadItBoard, state: State, vertex: int, other: int) -> bool:
    """Whether a ready vertex fires before another one."""
    if board.by_index == 0:
        n = board.n
        lead = state[TOKENS + vertex] - state[TOKENS + n + vertex]
        other_lead = state[TOKENS + other] - state[TOKENS + n + other]
        if lead != other_lead:
            return bool((lead > other_lead) == (state[PLAYER] == BLACK))
    return bool(vertex < other)


@kernel
def put(board: SpreadItBoard, state: State, at: int, vertex: int) -> None:
    """Put a vertex at an index of the heap."""
    state[vector_at(board, HEAP) + at] = vertex
    state[vector_at(board, READY) + vertex] = at + 1


@kernel
def sift_up(board: SpreadItBoard, state: State, at: int, vertex: int) -> int:
    """Move a vertex up the heap to its place; returns its index."""
    heap = vector_at(board, HEAP)
    while at > 0:
        parent = (at - 1) // 2
        if not fires_before(board, state, vertex, state[heap + parent]):
            break
        put(board, state, at, state[heap + parent])
        at = parent
    put(board, state, at, vertex)
    return at


@kernel
def sift_down(board: SpreadItBoard, state: State, at: int, vertex: int) -> None:
    """Move a vertex down the heap to its place."""
    heap, n_ready = vector_at(board, HEAP), state[work_at(board) + N_READY]
    while 2 * at + 1 < n_ready:
        child = 2 * at + 1
        if child + 1 < n_ready and fires_before(
            board, state, state[heap + child + 1], state[heap + child]
        ):
            child += 1
        if not fires_before(board, state, state[heap + child], vertex):
            break
        put(board, state, at, state[heap + child])
        at = child
    put(board, state, at, vertex)
