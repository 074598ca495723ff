"""Firing vertices."""

import numpy as np

from topple.compiling.chance import GAMMA, SURE, drawn, read_chance, write_chance
from topple.compiling.specialise import kernel
from topple.rules.interface import State
from topple.rules.spread_it.board import place
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
    NEVER,
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
    return bool(state[place(work_at(board) + N_READY)] == 0 or state[ENDED] != 0)


@kernel
def fire_next(board: WideBoard, state: State) -> int:
    """Fire the next vertex, changing `state`; returns the vertex."""
    vertex = next_to_fire(board, state)
    winner = winner_at(board, state, vertex)
    rest = state[place(totals_at(board) + vertex)] - threshold_of(board, state, vertex)
    empty(board, state, vertex)
    n_stay, n_arrived, drew = send(board, state, vertex, winner)
    state[place(on_board_at(board) + winner)] += rest + n_stay + n_arrived
    leave(board, state, vertex, winner, rest + n_stay)
    mark_fired(board, state, vertex)
    if board.loyalty > 0:
        take(board, state, vertex, winner)
    refresh(board, state, vertex)
    if board.loyalty != 1:
        check_endless(board, state, vertex, drew)
    return vertex


@kernel
def empty(board: WideBoard, state: State, vertex: int) -> None:
    """Take all tokens off a vertex, and out of the counts of the whole board."""
    row, on_board = tokens_at(board) + vertex * board.n_players, on_board_at(board)
    for colour in range(board.n_players):
        state[place(on_board + colour)] -= state[place(row + colour)]
        state[place(row + colour)] = 0


@kernel
def leave(board: WideBoard, state: State, vertex: int, winner: int, n: int) -> None:
    """Leave n tokens of the winner's colour on a vertex that has fired."""
    state[place(tokens_at(board) + vertex * board.n_players + winner)] = n
    state[place(totals_at(board) + vertex)] = n
    state[place(order_at(board) + vertex)] = winner + 1 if n > 0 else 0


@kernel
def send(board: WideBoard, state: State, vertex: int, winner: int) -> tuple[int, int, bool]:
    """Send one token to each successor.

    Returns how many stay on the vertex, how many arrive, and whether chance decided about one.
    The loop hardly has branches, because a processor could seldom predict what a token changes.
    """
    work = work_at(board)
    network, generator, word = int(state[place(work + NETWORK)]), work + GENERATOR, GAMMA
    first = board.successor_start[place(network * (board.n + 1) + vertex)]
    last = board.successor_start[place(network * (board.n + 1) + vertex + 1)]
    if board.is_random == 1:
        word = read_chance(state, generator)
    n_stay, n_arrived, n_draws, n_joined = 0, 0, 0, 0
    for i in range(first, last):
        other = int(board.successors[place(i)])
        is_open = 1 - int(is_owned(board, state, other))
        arrives = is_open
        if board.is_random == 1:
            share = board.shares[place(i)]
            draws = is_open * int(share < SURE)
            word = word + GAMMA * np.uint64(draws)
            arrives = is_open * int(drawn(word) < share)
            n_draws += draws
            n_stay += board.stays * (is_open - arrives)
        n_stay += 1 - is_open
        if board.drops == 1:
            arrives *= 1 - int(is_sink(board, network, other))
        n_arrived += arrives
        n_joined += arrive(board, state, other, winner, arrives, network * board.n)
    state[place(work + N_READY)] += n_joined
    if n_draws > 0:
        write_chance(state, generator, word)
    return n_stay, n_arrived, n_draws > 0


@kernel
def is_sink(board: WideBoard, network: int, vertex: int) -> bool:
    """Whether a vertex has no successors in a network."""
    return bool(board.thresholds[place(network * board.n + vertex)] == NEVER)


@kernel
def take(board: WideBoard, state: State, vertex: int, winner: int) -> None:
    """Give a vertex that has fired the winner's colour; with its last change it is owned."""
    at, coloured = taken_at(board) + vertex, coloured_at(board)
    colour, times = state[place(at)] & COLOUR, (state[place(at)] >> COLOUR_BITS) + 1
    if colour == winner + 1:
        return
    if colour > 0:
        state[place(coloured + colour - 1)] -= 1
    state[place(coloured + winner)] += 1
    state[place(at)] = times << COLOUR_BITS | winner + 1
    if times == board.loyalty:
        state[N_OWNED] += 1
        if board.loyalty > 1:
            refresh_predecessors(board, state, vertex)


@kernel
def refresh_predecessors(board: WideBoard, state: State, vertex: int) -> None:
    """A vertex has become owned, so those that send to it may no longer be ready."""
    at = state[place(work_at(board) + NETWORK)] * (board.n + 1) + vertex
    for i in range(board.predecessor_start[place(at)], board.predecessor_start[place(at + 1)]):
        refresh(board, state, board.predecessors[place(i)])


@kernel
def mark_fired(board: WideBoard, state: State, vertex: int) -> None:
    """Count a firing, and the vertex if it is its first in this cascade."""
    work, mark = work_at(board), marks_at(board) + vertex
    state[place(work + FIRINGS)] += 1
    if board.loyalty != 1 and state[place(mark)] == 0:
        n_fired = state[place(work + N_FIRED)]
        state[place(mark)] = 1
        state[place(fired_at(board) + n_fired)] = vertex
        state[place(work + N_FIRED)] = n_fired + 1


@kernel
def clear(board: WideBoard, state: State) -> None:
    """Reset the scratch space for the next cascade; the network and the generator stay."""
    work, marks, fired = work_at(board), marks_at(board), fired_at(board)
    if state[place(work + FIRINGS)] == 0:
        return
    if state[place(work + N_READY)] > 0:  # only if the cascade was ended
        for vertex in range(board.n):
            state[place(keys_at(board) + vertex)] = 0
        for block in range(n_blocks(board)):
            state[place(blocks_at(board) + block)] = 0
    for i in range(state[place(work + N_FIRED)]):
        state[place(marks + state[place(fired + i)])] = 0
    state[place(work + N_READY)] = 0
    state[place(work + FIRINGS)] = 0
    state[place(work + N_FIRED)] = 0
    state[place(work + IS_KEPT)] = 0
    state[place(work + WITNESS)] = 0
    state[place(work + LAP)] = 0
    state[place(work + LAP_LENGTH)] = 0
