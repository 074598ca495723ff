"""Recognising cascades that never end.

Where no threshold exceeds the number of predecessors and every vertex has fired, the cascade
never ends: the vertex whose last firing is the oldest has since received a token from each
predecessor, so it fires again. This needs zero loyalty and edges that always pass tokens on.

Otherwise the configuration decides. Brent's method finds that it recurs: keep one, compare
every later one with it, and replace it after 1, 2, 4, 8 … firings. A draw forgets it. The last
vertex found to differ is remembered, so that most comparisons look at one vertex only. Where
every vertex fires in an endless cascade, comparing begins only when all have fired.
"""

from topple.compiling.specialise import kernel
from topple.rules.interface import State
from topple.rules.spread_it.board import place
from topple.rules.spread_it.wide.board import (
    CUT,
    ENDED,
    ENDLESS,
    FIRINGS,
    IS_KEPT,
    LAP,
    LAP_LENGTH,
    N_FIRED,
    N_READY,
    NETWORK,
    WITNESS,
    WideBoard,
    kept_at,
    on_board_at,
    order_at,
    taken_at,
    tokens_at,
    work_at,
)

LONGEST_LAP = 1 << 30  # firings; doubling it again would overflow


@kernel
def check_endless(board: WideBoard, state: State, vertex: int, drew: bool) -> None:
    """End a cascade that is known to be endless or has reached its limit.

    `vertex` has just fired; `drew` says whether chance had a part in it.
    """
    work = work_at(board)
    if state[place(work + N_READY)] == 0:
        return
    network = state[place(work + NETWORK)]
    is_known = board.refires[place(network)] == 1 and state[place(work + N_FIRED)] == board.n
    if is_known and n_colours(board, state) == 1:
        state[ENDED] = ENDLESS
    elif drew:
        state[place(work + IS_KEPT)] = 0
    elif (is_known or board.is_strong[place(network)] == 0) and recurs(board, state, vertex):
        state[ENDED] = ENDLESS
    is_long = (
        board.needs_limit[place(network)] == 1
        and state[place(work + FIRINGS)] >= board.most_firings
    )
    if is_long and state[ENDED] == 0:
        state[ENDED] = ENDLESS if is_known else CUT


@kernel
def n_colours(board: WideBoard, state: State) -> int:
    """The number of colours with tokens on the board."""
    n = 0
    for colour in range(board.n_players):
        n += state[place(on_board_at(board) + colour)] > 0
    return n


@kernel
def recurs(board: WideBoard, state: State, vertex: int) -> bool:
    """Whether the configuration equals the kept one, which is replaced when it is due."""
    work = work_at(board)
    if state[place(work + IS_KEPT)] == 0:
        keep_configuration(board, state, 1)
        return False
    if not differs(board, state, state[place(work + WITNESS)]):
        state[place(work + WITNESS)] = find_difference(board, state, vertex)
        if state[place(work + WITNESS)] == board.n:
            return True
    state[place(work + LAP)] += 1
    if state[place(work + LAP)] == state[place(work + LAP_LENGTH)]:
        keep_configuration(board, state, min(2 * state[place(work + LAP_LENGTH)], LONGEST_LAP))
    return False


@kernel
def keep_configuration(board: WideBoard, state: State, lap_length: int) -> None:
    """Keep the configuration, to compare the next `lap_length` ones with it."""
    n, n_tokens, kept = board.n, board.n_players * board.n, kept_at(board)
    for i in range(n_tokens):
        state[place(kept + i)] = state[place(tokens_at(board) + i)]
    for i in range(n):
        state[place(kept + n_tokens + i)] = state[place(order_at(board) + i)]
    if board.loyalty > 0:
        for i in range(n):
            state[place(kept + n_tokens + n + i)] = state[place(taken_at(board) + i)]
    work = work_at(board)
    state[place(work + IS_KEPT)] = 1
    state[place(work + WITNESS)] = 0
    state[place(work + LAP)] = 0
    state[place(work + LAP_LENGTH)] = lap_length


@kernel
def find_difference(board: WideBoard, state: State, vertex: int) -> int:
    """A vertex that differs from the kept configuration, or n; `vertex` is tried first."""
    if differs(board, state, vertex):
        return vertex
    other = 0
    while other < board.n and not differs(board, state, other):
        other += 1
    return other


@kernel
def differs(board: WideBoard, state: State, vertex: int) -> bool:
    """Whether a vertex differs from the kept configuration."""
    n_players, kept, tokens = board.n_players, kept_at(board), tokens_at(board)
    for i in range(vertex * n_players, vertex * n_players + n_players):
        if state[place(tokens + i)] != state[place(kept + i)]:
            return True
    orders = kept + n_players * board.n
    if state[place(order_at(board) + vertex)] != state[place(orders + vertex)]:
        return True
    if board.loyalty == 0:
        return False
    return bool(state[place(taken_at(board) + vertex)] != state[place(orders + board.n + vertex)])
