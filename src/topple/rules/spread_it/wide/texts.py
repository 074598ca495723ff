"""Positions of the wider world as text and as numbers for code that knows no game."""

import re

import numpy as np

from topple.core.errors import BadText
from topple.rules.interface import PLAYER, GameLike, State
from topple.rules.spread_it.wide.board import (
    COLOUR,
    CUT,
    ENDED,
    ENDLESS,
    NETWORK,
    PLACED,
    WideBoard,
    coloured_at,
    left_at,
    taken_at,
    tokens_at,
    work_at,
)
from topple.rules.spread_it.wide.cells import (
    cell_words,
    colour_of,
    counts_of,
    on_board_of,
    read_cell,
    write_cell,
)
from topple.rules.spread_it.wide.tables import present_tables
from topple.rules.spread_it.wide.turns import decide
from topple.rules.spread_it.wide.vertices import is_ready, winner_at
from topple.rules.text import Cell, Counters, Layers, Tallies, cells_text, parse_cells, parse_player

FORM = "vertices, player to move, tokens left such as 5-5-4, then ply=, placed= and ended="
ENDS = {ENDLESS: "endless", CUT: "cut"}
TAIL = re.compile(r"(ply|placed|ended)=(\w{1,12})")


def cell_text(game: GameLike, state: State, vertex: int) -> str:
    """A vertex as drawn: `1r2b` is one red token and two black, of which one arrived last."""
    return cell_words(game.tables, state, vertex)


def cell(game: GameLike, state: State, vertex: int) -> Cell:
    """A vertex: the colour that it has taken, and its tokens."""
    board: WideBoard = game.tables
    return Cell(colour_of(board, state, vertex), counts_of(board, state, vertex))


def layers(game: GameLike, state: State) -> Layers:
    """The tokens of all players, and the colours taken."""
    board: WideBoard = game.tables
    n, at = board.n, tokens_at(board)
    counts = state[at : at + n * board.n_players].reshape(n, board.n_players).T
    owners = np.full(n, -1, dtype=np.int32)
    if board.loyalty:
        taken = state[taken_at(board) : taken_at(board) + n]
        owners = ((taken & COLOUR) - 1).astype(np.int32)
    return Layers(np.ascontiguousarray(counts), owners, np.zeros(n, dtype=np.bool_))


def tallies(game: GameLike, state: State) -> Tallies:
    """What decides the game, and the tokens left."""
    what, scores = _scores(game.tables, state)
    return ((what, scores), ("tokens left", _left(game.tables, state)))


def counters(game: GameLike, state: State) -> Counters:
    """The ply of a board that changes, and the tokens of this turn."""
    board: WideBoard = game.tables
    counted: Counters = ()
    if board.n_networks > 1:
        counted += (("ply", _ply(board, state)),)
    if board.turn > 1:
        counted += (("tokens of this turn", int(state[PLACED])),)
    return counted


def headline(game: GameLike, state: State) -> str:
    """The scores and the tokens left."""
    what, scores = _scores(game.tables, state)
    pairs = [
        ", ".join(f"{name} {n}" for name, n in zip(game.players, counts, strict=True))
        for counts in (scores, _left(game.tables, state))
    ]
    return f"{what}: {pairs[0]}; left: {pairs[1]}"


def _scores(board: WideBoard, state: State) -> tuple[str, tuple[int, ...]]:
    if not board.loyalty:
        return "tokens on the board", on_board_of(board, state)
    at = coloured_at(board)
    what = "vertices owned" if board.loyalty == 1 else "vertices of each colour"
    return what, tuple(int(n) for n in state[at : at + board.n_players])


def _left(board: WideBoard, state: State) -> tuple[int, ...]:
    at = left_at(board)
    return tuple(int(n) for n in state[at : at + board.n_players])


def _ply(board: WideBoard, state: State) -> int:
    return board.n_tokens - sum(_left(board, state))


def reason(game: GameLike, state: State) -> str:
    """Why the game is over."""
    if state[ENDED] == ENDLESS:
        return "an endless cascade"
    if state[ENDED] == CUT:
        return "a cascade was cut at its limit of firings"
    if not any(_left(game.tables, state)):
        return "the budgets are spent"
    return "every vertex is owned"


def step_text(game: GameLike, before: State, vertex: int, state: State) -> str:
    """What happened at a vertex: the colour in which it fired."""
    winner = winner_at(game.tables, before, vertex)
    return f"{game.board.labels[vertex]} fires {game.players[winner].lower()}"


def network(game: GameLike, state: State) -> int:
    """The index of the board's network at this point of the game."""
    board: WideBoard = game.tables
    return int(np.searchsorted(board.plies, _ply(board, state), side="right")) - 1


def view(game: GameLike, state: State) -> int | None:
    """The network that searches take for the only one; None if they see how it changes."""
    if game.options["foresight"] == "full" or game.tables.n_networks == 1:
        return None
    return network(game, state)


def view_tables(game: GameLike, view: int) -> WideBoard:
    """The game on one of its networks for all time."""
    return present_tables(game.tables, view)


def position_text(game: GameLike, state: State) -> str:
    """Write a position: the vertices, the player to move, the tokens left, and what else matters.

    For example `2,1b,3,1r2b,17 Red 5-5-4 ply=12`.
    """
    board: WideBoard = game.tables
    cells = cells_text([cell_words(board, state, vertex) for vertex in range(board.n)])
    words = [cells, game.players[state[PLAYER]], "-".join(map(str, _left(board, state)))]
    if len(game.board.networks) > 1:
        words.append(f"ply={_ply(board, state)}")
    if state[PLACED]:
        words.append(f"placed={state[PLACED]}")
    if state[ENDED]:
        words.append(f"ended={ENDS[int(state[ENDED])]}")
    return " ".join(words)


def parse_position(game: GameLike, text: str, state: State) -> None:
    """Read what `position_text` wrote into `state`, which is all zero."""
    board: WideBoard = game.tables
    words = text.split()
    matches = [match for word in words[3:] if (match := TAIL.fullmatch(word))]
    tail: dict[str, str] = {match[1]: match[2] for match in matches}
    if len(words) < 3 or len(tail) < len(words) - 3:
        raise BadText(f"write the position as: {FORM}")
    state[PLAYER] = parse_player(game, words[1])
    _read_left(board, words[2], state)
    _read_turn(game, tail, state)
    ended = {name: code for code, name in ENDS.items()}
    if (end := tail.get("ended")) is not None and end not in ended:
        raise BadText(f"ended={end} is neither endless nor cut")
    state[ENDED] = ended.get(end, 0) if end else 0
    for vertex, words_there in enumerate(parse_cells(words[0], board.n)):
        if words_there:
            cell_there = read_cell(words_there, board.n_players, board.loyalty)
            write_cell(board, state, vertex, cell_there)
    _check_tokens(game, state)
    decide(board, state)


def _read_left(board: WideBoard, text: str, state: State) -> None:
    """Read the tokens left, which must fit the budgets."""
    if not re.fullmatch(r"[0-9]{1,9}(-[0-9]{1,9})*", text):
        raise BadText(f"{text:.60} are not tokens left: write for example 5-5-4")
    left, budgets = list(map(int, text.split("-"))), _left(board, board.first)
    if len(left) != board.n_players or any(n > most for n, most in zip(left, budgets, strict=True)):
        whole = "-".join(map(str, budgets))
        raise BadText(f"{text:.60} tokens left do not fit: the budgets are {whole}")
    state[left_at(board) : left_at(board) + board.n_players] = left


def _read_turn(game: GameLike, tail: dict[str, str], state: State) -> None:
    """Check that the player, the tokens left and the ply can come together."""
    board: WideBoard = game.tables
    placed, ply = tail.get("placed", "0"), _ply(board, state)
    if tail.get("ply", str(ply)) != str(ply):
        raise BadText(f"ply={tail['ply']} does not fit the tokens left: {ply} were put down")
    left, player, expected = turn_at(board, ply)
    if not placed.isdecimal() or (left, player, expected) != (
        list(_left(board, state)),
        int(state[PLAYER]),
        int(placed),
    ):
        shown = f"{game.players[player]} {'-'.join(map(str, left))}"
        shown += f" placed={expected}" if expected else ""
        raise BadText(f"after {ply} tokens the turn and the tokens left must be: {shown}")
    state[PLACED] = expected


def turn_at(board: WideBoard, ply: int) -> tuple[list[int], int, int]:
    """What is left to each player, who moves, and the tokens of this turn, after so many plies."""
    budgets, n = _left(board, board.first), board.n_players

    def played(rounds: int) -> int:
        return sum(min(budget, rounds * board.turn) for budget in budgets)

    low, high = 0, max(budgets)  # the most full rounds that need at most `ply` tokens
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if played(middle) <= ply else (low, middle - 1)
    left = [max(budget - low * board.turn, 0) for budget in budgets]
    rest = ply - played(low)
    for player in range(n):
        if left[player] == 0:
            continue
        n_turn = min(board.turn, left[player])
        if rest < n_turn:
            left[player] -= rest
            return left, player, rest
        rest, left[player] = rest - n_turn, left[player] - n_turn
    return left, _after_the_end(board, budgets), 0


def _after_the_end(board: WideBoard, budgets: tuple[int, ...]) -> int:
    """The player after the one who put down the last token of all."""
    rounds = [-(-budget // board.turn) for budget in budgets]
    last = max(range(board.n_players), key=lambda player: (rounds[player], player))
    return (last + 1) % board.n_players


def _check_tokens(game: GameLike, state: State) -> None:
    """Refuse tokens that do not add up, and vertices that would have fired."""
    board: WideBoard = game.tables
    played = _ply(board, state) + sum(on_board_of(board, board.first))
    n_tokens = sum(on_board_of(board, state))
    if board.conserves and n_tokens != played:
        raise BadText(f"{n_tokens} tokens lie on the board, but there must be {played}")
    if state[ENDED]:
        if not n_tokens:
            raise BadText("a cascade cannot have ended a game without tokens on the board")
        return
    if not any(_left(board, state)):
        return  # a network that begins with the end of the game sets nothing off
    state[work_at(board) + NETWORK] = network(game, state)
    for vertex in range(board.n):
        if is_ready(board, state, vertex):
            raise BadText(f"{game.board.labels[vertex]} is at its threshold: it would have fired")
