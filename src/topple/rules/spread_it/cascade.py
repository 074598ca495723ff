"""Spread-It's cascades: firing vertices, and recognising cascades that never end."""

from topple.compiling.specialise import kernel, noinline
from topple.rules.interface import DRAWN, RUNNING, STATUS, WON, State
from topple.rules.spread_it.board import (
    BLACK,
    ENDLESS,
    FIRED,
    FIRINGS,
    HAS_FIRED,
    HEAP,
    KEPT,
    LAP,
    LAP_LENGTH,
    LAST,
    N_FIRED,
    N_NUMBERS,
    N_READY,
    ON_BOARD,
    OWNED,
    READY,
    RED,
    TOKENS,
    WITNESS,
    SpreadItBoard,
    place,
    vector_at,
    work_at,
)
from topple.rules.spread_it.ready import (
    key_at,
    queue_if_ready,
    take_first,
    vertex_of_largest_key,
    weight_of_lead,
)

LONGEST_LAP = 1 << 30  # firings; doubling it again would overflow


@kernel
def put_token(board: SpreadItBoard, state: State, vertex: int, colour: int) -> None:
    """Put a new token on a vertex of a board on which no vertex is ready, changing `state`."""
    n = board.n
    state[place(TOKENS + colour * n + vertex)] += 1
    state[place(ON_BOARD + colour)] += 1
    state[place(vector_at(board, LAST) + vertex)] = colour
    tokens = state[place(TOKENS + vertex)] + state[place(TOKENS + n + vertex)]
    if tokens >= board.thresholds[vertex]:
        key = key_at(vertex, 0, 0)  # its lead does not matter, as there is no other key
        state[place(vector_at(board, READY) + vertex)] = key if board.by_keys == 1 else 1
        state[place(vector_at(board, HEAP))] = vertex
        state[place(work_at(board) + N_READY)] = 1


@kernel
def cascade(board: SpreadItBoard, state: State) -> None:
    """Let vertices fire until the cascade is over."""
    while not is_over(board, state):
        fire_next(board, state)
    clear(board, state)


@kernel
def is_over(board: SpreadItBoard, state: State) -> bool:
    """Whether a cascade is over: no vertex is ready, or the cascade is known to be endless."""
    n_ready = state[place(work_at(board) + N_READY)]
    return bool(n_ready == 0 or state[STATUS] != RUNNING)


@kernel
def fire_next(board: SpreadItBoard, state: State) -> int:
    """Fire the next vertex, changing `state`; returns the vertex."""
    if board.by_keys == 1:
        vertex = vertex_of_largest_key(board, state)
        fire_by_key(board, state, vertex)
    else:
        vertex = fire_from_heap(board, state)
    if board.full == 0:
        check_endless(board, state, vertex)
    return vertex


@kernel
def fire_by_key(board: SpreadItBoard, state: State, vertex: int) -> None:
    """Fire the vertex with the largest key: send one token to each neighbour.

    The loop has no branches, because a processor could seldom predict what a token changes.
    """
    n, weight, winner = board.n, weight_of_lead(board, state), winner_at(board, state, vertex)
    winners, losers = TOKENS + winner * n, TOKENS + (1 - winner) * n
    ready, last_at, owners = vector_at(board, READY), vector_at(board, LAST), TOKENS + 2 * n
    weight = weight if winner == BLACK else -weight
    first = board.neighbour_start[place(vertex)]
    last = board.neighbour_start[place(vertex + 1)]
    n_sent, n_joined = 0, 0
    for i in range(first, last):
        other = board.neighbours[place(i)]
        takes = 1 if board.full == 0 else int(state[place(owners + other)] == 0)
        won, lost = state[place(winners + other)] + takes, state[place(losers + other)]
        state[place(winners + other)] = won
        state[place(last_at + other)] = winner
        missing = board.thresholds[place(other)] - won - lost
        state[place(ready + other)] = key_at(other, weight * (won - lost), missing) * takes
        n_joined += takes * int(missing == 0)
        n_sent += takes
    rest = convert(board, state, vertex, winner, last - first - n_sent, n_sent)
    missing = 1 if board.full == 1 else board.thresholds[place(vertex)] - rest
    state[place(ready + vertex)] = key_at(vertex, weight * rest, missing)
    state[work_at(board) + N_READY] += n_joined - int(missing > 0)
    if board.full == 1:
        own(board, state, vertex, winner)
    else:
        mark_fired(board, state, vertex)


@noinline
def fire_from_heap(board: SpreadItBoard, state: State) -> int:
    """Take the first vertex off the heap and send one token to each of its neighbours."""
    n, vertex = board.n, take_first(board, state)
    winner = winner_at(board, state, vertex)
    first, last = board.neighbour_start[vertex], board.neighbour_start[vertex + 1]
    n_stay = 0  # tokens that stay, because the neighbours are owned
    if board.full == 1:
        own(board, state, vertex, winner)
        for i in range(first, last):
            n_stay += state[TOKENS + 2 * n + board.neighbours[i]] != 0
    else:
        mark_fired(board, state, vertex)
    convert(board, state, vertex, winner, n_stay, last - first - n_stay)
    for i in range(first, last):
        other = board.neighbours[i]
        if board.full == 0 or state[TOKENS + 2 * n + other] == 0:
            state[TOKENS + winner * n + other] += 1
            state[vector_at(board, LAST) + other] = winner
            queue_if_ready(board, state, other)
    if board.full == 0:
        queue_if_ready(board, state, vertex)
    return vertex


@kernel
def winner_at(board: SpreadItBoard, state: State, vertex: int) -> int:
    """The colour that a firing vertex takes: the majority, at a tie the last arrival."""
    black, red = state[place(TOKENS + vertex)], state[place(TOKENS + board.n + vertex)]
    if black == red:
        return int(state[place(vector_at(board, LAST) + vertex)])
    return BLACK if black > red else RED


@kernel
def convert(
    board: SpreadItBoard, state: State, vertex: int, winner: int, n_stay: int, n_sent: int
) -> int:
    """Turn a firing vertex's tokens to the winner's colour and count those that it sends.

    Returns the number of tokens that are left on it.
    """
    n, loser = board.n, 1 - winner
    won, lost = (
        state[place(TOKENS + winner * n + vertex)],
        state[place(TOKENS + loser * n + vertex)],
    )
    rest = won + lost - board.thresholds[vertex] + n_stay
    state[place(TOKENS + winner * n + vertex)] = rest
    state[place(TOKENS + loser * n + vertex)] = 0
    state[place(ON_BOARD + winner)] += rest + n_sent - won
    state[place(ON_BOARD + loser)] -= lost
    return int(rest)


@kernel
def own(board: SpreadItBoard, state: State, vertex: int, winner: int) -> None:
    """Give a vertex that fires to the winner."""
    state[place(TOKENS + 2 * board.n + vertex)] = winner + 1
    state[place(OWNED + winner)] += 1


@kernel
def mark_fired(board: SpreadItBoard, state: State, vertex: int) -> None:
    """Count a firing, and the vertex if it is its first in this cascade."""
    work, mark = work_at(board), vector_at(board, HAS_FIRED) + vertex
    n_fired = state[place(work + N_FIRED)]
    state[place(work + FIRINGS)] += 1
    if state[place(mark)] == 0:
        state[place(mark)] = 1
        state[place(vector_at(board, FIRED) + n_fired)] = vertex
        state[place(work + N_FIRED)] = n_fired + 1


@kernel
def clear(board: SpreadItBoard, state: State) -> None:
    """Reset the scratch space for the next cascade."""
    work, marks, fired = work_at(board), vector_at(board, HAS_FIRED), vector_at(board, FIRED)
    if state[place(work + N_READY)] > 0:  # only if the cascade was endless
        for vertex in range(board.n):
            state[place(vector_at(board, READY) + vertex)] = 0
    for i in range(state[place(work + N_FIRED)]):
        state[marks + state[fired + i]] = 0
    for i in range(N_NUMBERS):
        state[place(work + i)] = 0


# Endless cascades. Once every vertex has fired and no threshold exceeds its degree, the
# cascade never ends: the vertex whose last firing is the oldest has since received a token
# from each neighbour, so it fires again. Then either one colour takes the whole board or a
# configuration recurs. Brent's method finds that: store a configuration, compare every later
# one with it, and replace it after 1, 2, 4, 8 … firings. The last vertex found to differ is
# remembered (WITNESS), so that most comparisons examine one vertex only.


@kernel
def check_endless(board: SpreadItBoard, state: State, vertex: int) -> None:
    """Decide a cascade that is endless or has reached its limit; `vertex` has just fired."""
    work = work_at(board)
    endless = state[work + N_FIRED] == board.n and board.can_refire == 1
    cut = board.conserves == 0 and state[work + FIRINGS] >= board.most_firings
    if state[work + N_READY] == 0 or not (endless or cut):
        return
    if state[ON_BOARD + RED] == 0:
        state[STATUS] = WON + BLACK
    elif state[ON_BOARD + BLACK] == 0:
        state[STATUS] = WON + RED
    elif cut or recurs(board, state, vertex):
        state[STATUS] = DRAWN


@kernel
def recurs(board: SpreadItBoard, state: State, vertex: int) -> bool:
    """Whether the configuration equals the stored one, which is replaced when it is due."""
    work = work_at(board)
    if state[work + ENDLESS] == 0:
        store_configuration(board, state, 1)
        return False
    if not differs(board, state, state[work + WITNESS]):
        state[work + WITNESS] = find_difference(board, state, vertex)
        if state[work + WITNESS] == board.n:
            return True
    state[work + LAP] += 1
    if state[work + LAP] == state[work + LAP_LENGTH]:
        store_configuration(board, state, min(2 * state[work + LAP_LENGTH], LONGEST_LAP))
    return False


@kernel
def store_configuration(board: SpreadItBoard, state: State, lap_length: int) -> None:
    """Store the configuration, to compare the next `lap_length` ones with it."""
    n, kept, last = board.n, vector_at(board, KEPT), vector_at(board, LAST)
    for i in range(2 * n):
        state[kept + i] = state[TOKENS + i]
    for i in range(n):
        state[kept + 2 * n + i] = state[last + i]
    work = work_at(board)
    state[work + ENDLESS] = 1
    state[work + WITNESS] = 0
    state[work + LAP] = 0
    state[work + LAP_LENGTH] = lap_length


@kernel
def find_difference(board: SpreadItBoard, state: State, vertex: int) -> int:
    """A vertex that differs from the stored configuration, or n; `vertex` is tried first."""
    if differs(board, state, vertex):
        return vertex
    other = 0
    while other < board.n and not differs(board, state, other):
        other += 1
    return other


@kernel
def differs(board: SpreadItBoard, state: State, vertex: int) -> bool:
    """Whether a vertex differs from the stored configuration."""
    n, kept = board.n, vector_at(board, KEPT)
    return bool(
        state[TOKENS + vertex] != state[kept + vertex]
        or state[TOKENS + n + vertex] != state[kept + n + vertex]
        or state[vector_at(board, LAST) + vertex] != state[kept + 2 * n + vertex]
    )
