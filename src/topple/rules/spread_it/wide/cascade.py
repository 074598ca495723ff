"""Firing vertices."""

from topple.compiling.chance import GAMMA, SURE, drawn, read_chance, write_chance
from topple.compiling.specialise import kernel
from topple.rules.interface import State
from topple.rules.spread_it.wide.board import (
    COLOUR,
    COLOUR_BITS,
    ENDED,
    FIRINGS,
    GENERATOR,
    IS_KEPT,
    LAP,
    LAP_LENGTH,
    N_FIRED,
    N_OWNED,
    N_READY,
    NETWORK,
    WITNESS,
    WideBoard,
    blocks_at,
    coloured_at,
    fired_at,
    keys_at,
    marks_at,
    n_blocks,
    on_board_at,
    order_at,
    taken_at,
    threshold_of,
    tokens_at,
    totals_at,
    work_at,
)
from topple.rules.spread_it.wide.endless import check_endless
from topple.rules.spread_it.wide.vertices import (
    arrive,
    is_owned,
    next_to_fire,
    refresh,
    winner_at,
)


@kernel
def is_over(board: WideBoard, state: State) -> bool:
    """Whether a cascade is over: no vertex is ready, or it is known to be endless or cut."""
    return bool(state[work_at(board) + N_READY] == 0 or state[ENDED] != 0)


@kernel
def fire_next(board: WideBoard, state: State) -> int:
    """Fire the next vertex, changing `state`; returns the vertex."""
    vertex = next_to_fire(board, state)
    winner = winner_at(board, state, vertex)
    n_before, threshold = state[totals_at(board) + vertex], threshold_of(board, state, vertex)
    convert(board, state, vertex, winner)
    n_stay, drew = send(board, state, vertex, winner)
    set_tokens(board, state, vertex, winner, n_before - threshold + n_stay)
    mark_fired(board, state, vertex)
    if board.loyalty > 0:
        take(board, state, vertex, winner)
    refresh(board, state, vertex)
    if board.loyalty != 1:
        check_endless(board, state, vertex, drew)
    return vertex


@kernel
def convert(board: WideBoard, state: State, vertex: int, winner: int) -> None:
    """Turn all tokens on a vertex to the winner's colour, in the counts of the whole board."""
    row, on_board = tokens_at(board) + vertex * board.n_players, on_board_at(board)
    for colour in range(board.n_players):
        n_turned = state[row + colour]
        state[row + colour] = 0
        state[on_board + colour] -= n_turned
        state[on_board + winner] += n_turned
    state[row + winner] = state[totals_at(board) + vertex]


@kernel
def set_tokens(board: WideBoard, state: State, vertex: int, winner: int, n: int) -> None:
    """Leave n tokens of the winner's colour on a vertex that has fired."""
    change = n - state[totals_at(board) + vertex]
    state[on_board_at(board) + winner] += change
    state[tokens_at(board) + vertex * board.n_players + winner] = n
    state[totals_at(board) + vertex] = n
    state[order_at(board) + vertex] = winner + 1 if n > 0 else 0


@kernel
def send(board: WideBoard, state: State, vertex: int, winner: int) -> tuple[int, bool]:
    """Send one token to each successor.

    Returns how many stay on the vertex, and whether chance decided about one.
    """
    n, network = board.n, state[work_at(board) + NETWORK]
    first = board.successor_start[network * (n + 1) + vertex]
    last = board.successor_start[network * (n + 1) + vertex + 1]
    generator, word = work_at(board) + GENERATOR, GAMMA
    if board.is_random == 1:
        word = read_chance(state, generator)
    n_stay, n_arrived, drew = 0, 0, False
    for i in range(first, last):
        other = board.successors[i]
        if is_owned(board, state, other):
            n_stay += 1
            continue
        if board.is_random == 1 and board.shares[i] < SURE:
            drew = True
            word = word + GAMMA
            if drawn(word) >= board.shares[i]:
                n_stay += board.stays
                continue
        if board.drops == 0 or not is_sink(board, state, other):
            arrive(board, state, other, winner, network * n)
            n_arrived += 1
    state[on_board_at(board) + winner] += n_arrived
    if drew:
        write_chance(state, generator, word)
    return n_stay, drew


@kernel
def is_sink(board: WideBoard, state: State, vertex: int) -> bool:
    """Whether a vertex has no successors in the present network."""
    at = state[work_at(board) + NETWORK] * (board.n + 1) + vertex
    return bool(board.successor_start[at] == board.successor_start[at + 1])


@kernel
def take(board: WideBoard, state: State, vertex: int, winner: int) -> None:
    """Give a vertex that has fired the winner's colour; with its last change it is owned."""
    at, coloured = taken_at(board) + vertex, coloured_at(board)
    colour, times = state[at] & COLOUR, (state[at] >> COLOUR_BITS) + 1
    if colour == winner + 1:
        return
    if colour > 0:
        state[coloured + colour - 1] -= 1
    state[coloured + winner] += 1
    state[at] = times << COLOUR_BITS | winner + 1
    if times == board.loyalty:
        state[N_OWNED] += 1
        if board.loyalty > 1:
            refresh_predecessors(board, state, vertex)


@kernel
def refresh_predecessors(board: WideBoard, state: State, vertex: int) -> None:
    """A vertex has become owned, so those that send to it may no longer be ready."""
    at = state[work_at(board) + NETWORK] * (board.n + 1) + vertex
    for i in range(board.predecessor_start[at], board.predecessor_start[at + 1]):
        refresh(board, state, board.predecessors[i])


@kernel
def mark_fired(board: WideBoard, state: State, vertex: int) -> None:
    """Count a firing, and the vertex if it is its first in this cascade."""
    work, mark = work_at(board), marks_at(board) + vertex
    state[work + FIRINGS] += 1
    if state[mark] == 0:
        state[mark] = 1
        state[fired_at(board) + state[work + N_FIRED]] = vertex
        state[work + N_FIRED] += 1


@kernel
def clear(board: WideBoard, state: State) -> None:
    """Reset the scratch space for the next cascade; the network and the generator stay."""
    work, marks, fired = work_at(board), marks_at(board), fired_at(board)
    if state[work + N_READY] > 0:  # only if the cascade was ended
        for vertex in range(board.n):
            state[keys_at(board) + vertex] = 0
        for block in range(n_blocks(board)):
            state[blocks_at(board) + block] = 0
    for i in range(state[work + N_FIRED]):
        state[marks + state[fired + i]] = 0
    state[work + N_READY] = 0
    state[work + FIRINGS] = 0
    state[work + N_FIRED] = 0
    state[work + IS_KEPT] = 0
    state[work + WITNESS] = 0
    state[work + LAP] = 0
    state[work + LAP_LENGTH] = 0
