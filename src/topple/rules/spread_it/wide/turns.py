"""Whose turn it is, and who has won."""

from topple.compiling.specialise import kernel
from topple.rules.interface import (
    DRAWN,
    FAILED,
    PLAYER,
    SHARED,
    STATUS,
    WON,
    Returns,
    State,
)
from topple.rules.spread_it.board import place
from topple.rules.spread_it.wide.board import (
    ENDED,
    MOST_TOKENS,
    N_OWNED,
    PLACED,
    WideBoard,
    coloured_at,
    left_at,
    on_board_at,
)


@kernel
def pass_turn(board: WideBoard, state: State) -> None:
    """Pass the turn, after its last token, to the next player who has tokens left."""
    left, player, n = left_at(board), state[PLAYER], board.n_players
    state[PLACED] += 1
    if state[PLACED] < board.turn and state[place(left + player)] > 0:
        return
    state[PLACED] = 0
    chosen, tried = after(player, n), 1
    while tried < n and state[place(left + chosen)] == 0:
        chosen, tried = after(chosen, n), tried + 1
    state[PLAYER] = chosen if state[place(left + chosen)] > 0 else after(player, n)


@kernel
def after(player: int, n_players: int) -> int:
    """The next player in order; without a division, which would be the slowest part of a turn."""
    return player + 1 if player + 1 < n_players else 0


@kernel
def ply_of(board: WideBoard, state: State) -> int:
    """The number of tokens that have been put down."""
    ply = board.n_tokens
    for player in range(board.n_players):
        ply -= state[place(left_at(board) + player)]
    return int(ply)


@kernel
def score(board: WideBoard, state: State, scores: Returns) -> None:
    """Tokens on the board, or vertices of each colour where there is loyalty."""
    at = coloured_at(board) if board.loyalty > 0 else on_board_at(board)
    for player in range(board.n_players):
        scores[player] = state[place(at + player)]


@kernel
def decide(board: WideBoard, state: State) -> None:
    """Decide a game that has ended."""
    # The turn is with a player who has tokens left, if there is one.
    is_on = state[place(left_at(board) + state[PLAYER])] > 0
    if state[ENDED] == 0 and is_on and (board.loyalty == 0 or state[N_OWNED] < board.n):
        if board.conserves == 0 and n_on_board(board, state) > MOST_TOKENS // 2:
            state[STATUS] = FAILED
        return
    at = coloured_at(board) if board.loyalty > 0 else on_board_at(board)
    most, sharers = 0, 0
    for player in range(board.n_players):
        most = max(most, state[place(at + player)])
    for player in range(board.n_players):
        if state[ENDED] == 0:
            shares = state[place(at + player)] == most
        else:
            shares = state[place(on_board_at(board) + player)] > 0
        sharers |= int(shares) << player
    state[STATUS] = status_of(board.n_players, sharers)


@kernel
def n_on_board(board: WideBoard, state: State) -> int:
    """The number of tokens on the board."""
    n = 0
    for player in range(board.n_players):
        n += state[place(on_board_at(board) + player)]
    return n


@kernel
def status_of(n_players: int, sharers: int) -> int:
    """The STATUS when some players, a bit for each, share the win."""
    n, last = 0, 0
    for player in range(n_players):
        if sharers >> player & 1:
            n, last = n + 1, player
    if n == 1:
        return WON + last
    return DRAWN if n == n_players else SHARED + sharers
