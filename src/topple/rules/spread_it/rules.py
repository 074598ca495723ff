"""Spread-It: tokens, thresholds and cascades on a network."""

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from topple.boards.board import Board
from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel
from topple.core.errors import BadBoard, BadText
from topple.rules.interface import (
    DRAWN,
    FAILED,
    NO_VERTEX,
    PLAYER,
    RUNNING,
    STATUS,
    WON,
    GameLike,
    Moves,
    Returns,
    Sizes,
    State,
)
from topple.rules.spread_it.board import (
    BLACK,
    LEFT,
    ON_BOARD,
    OWNED,
    RED,
    TOKENS,
    SpreadItBoard,
    work_size,
)
from topple.rules.spread_it.cascade import cascade, clear, fire_next, is_over, put_token
from topple.rules.spread_it.options import OPTIONS, is_wide
from topple.rules.spread_it.ready import have_keys
from topple.rules.text import Cell, Layers, Tallies, parse_pair, parse_position_line, position_line

NAME = "spread-it"
TITLE = "Spread-It"
SUMMARY = "place tokens on a network; a vertex at its threshold fires"
BOARD = "ba:n=24,m=3,seed=1"
__all__ = ["OPTIONS"]

MOST_TOKENS = 1 << 30  # on the board, so that no count can overflow


def variant(board: Board, options: dict[str, Any]) -> ModuleType | None:
    """The rules that play these options on this board, if it is not this module."""
    uncertain = any(n.accept is not None and bool((n.accept < 1).any()) for n in board.networks)
    changes = len(board.stages) > 0
    if is_wide(options, directed=board.directed, changes=changes, uncertain=uncertain):
        return import_module("topple.rules.spread_it.wide.rules")
    return None


def read_files(options: dict[str, Any]) -> dict[str, Any]:
    """The options, with the contents of a file that `seeds` names instead of its name."""
    seeds = options.get("seeds")
    if not isinstance(seeds, str | Path) or not str(seeds) or "=" in str(seeds):
        return options
    from topple.rules.spread_it.wide.tables import seeds_from_file

    return {**options, "seeds": seeds_from_file(str(seeds))}


def players(options: dict[str, Any]) -> tuple[str, ...]:
    """The players in order: Black begins."""
    return ("Black", "Red")


def tables(board: Board, options: dict[str, Any]) -> SpreadItBoard:
    """Prepare a board: undirected, with at least one token to play."""
    black, red = _budgets(board, options["tokens"])
    spread = board.degrees - board.thresholds
    by_index = options["order"] == "index"
    most_tokens = None if spread.any() else black + red
    return SpreadItBoard(
        n=board.n_vertices,
        full=int(options["loyalty"] == "full"),
        by_index=int(by_index),
        by_keys=int(have_keys(board.n_vertices, by_index, most_tokens)),
        black_tokens=black,
        red_tokens=red,
        conserves=int(not spread.any()),
        can_refire=int((spread >= 0).all()),
        most_firings=_most_firings(board, options["firings"], int(spread.max())),
        neighbour_start=board.successor_start,
        neighbours=board.successors,
        thresholds=board.thresholds,
    )


def _budgets(board: Board, tokens: int | None) -> tuple[int, int]:
    if tokens is not None:
        return tokens, tokens
    budget = 2 * board.n_edges - board.n_vertices
    if budget < 1:
        raise BadBoard(
            f"{board.spec} gives the players no tokens (2m − n = {budget}): set tokens=N"
        )
    return (budget + 1) // 2, budget // 2


def _most_firings(board: Board, firings: int | None, growth: int) -> int:
    """The limit on the firings of a cascade, low enough that no count can overflow."""
    chosen = 1000 * (board.n_vertices + 100) if firings is None else firings
    return min(chosen, MOST_TOKENS // 2 // max(growth, 1))


def sizes(board: SpreadItBoard) -> Sizes:
    """The vectors' lengths."""
    state = TOKENS + (2 + board.full) * board.n
    return Sizes(state, work_size(board.n), board.n)


@kernel
def start(board: SpreadItBoard, state: State) -> None:
    """No tokens on the board, and both budgets full."""
    state[LEFT + BLACK] = board.black_tokens
    state[LEFT + RED] = board.red_tokens


@kernel
def legal_moves(board: SpreadItBoard, state: State, moves: Moves) -> int:
    """Every vertex; under full loyalty, every vertex without an owner."""
    n = board.n
    if board.full == 0:
        for vertex in range(n):
            moves[vertex] = vertex
        return n
    n_moves = 0
    for vertex in range(n):
        moves[n_moves] = vertex
        n_moves += state[TOKENS + 2 * n + vertex] == 0
    return n_moves


@kernel
def random_move(board: SpreadItBoard, state: State, rng: Rng, moves: Moves) -> int:
    """Draw vertices until one is legal: on average about log(n) draws per move of a game."""
    owners = TOKENS + 2 * board.n
    while True:
        vertex = below(rng, board.n)
        if board.full == 0 or state[owners + vertex] == 0:
            return int(vertex)


@kernel
def begin(board: SpreadItBoard, state: State, move: int) -> None:
    """Put down the token."""
    state[LEFT + state[PLAYER]] -= 1
    put_token(board, state, move, state[PLAYER])


@kernel
def step(board: SpreadItBoard, state: State) -> int:
    """Fire the next ready vertex, unless the cascade is over or known to be endless."""
    if is_over(board, state):
        clear(board, state)
        pass_turn(board, state)
        return NO_VERTEX
    return fire_next(board, state)


@kernel
def apply(board: SpreadItBoard, state: State, move: int) -> None:
    """Put down the token, which mostly fires nothing, and let the cascade run."""
    begin(board, state, move)
    if not is_over(board, state):
        cascade(board, state)
    pass_turn(board, state)


@kernel
def pass_turn(board: SpreadItBoard, state: State) -> None:
    """Pass the turn to the other player, and decide the game if it ends here."""
    state[PLAYER] = 1 - state[PLAYER]
    if state[STATUS] == RUNNING:
        decide(board, state)
    if state[STATUS] == RUNNING and has_grown_too_far(board, state):
        state[STATUS] = FAILED


@kernel
def has_grown_too_far(board: SpreadItBoard, state: State) -> bool:
    """Whether one more cascade could overflow the counts of tokens."""
    most = max(state[ON_BOARD + BLACK], state[ON_BOARD + RED])
    return bool(board.conserves == 0 and most > MOST_TOKENS // 2)


@kernel
def score(board: SpreadItBoard, state: State, scores: Returns) -> None:
    """Tokens on the board, or owned vertices under full loyalty."""
    at = OWNED if board.full == 1 else ON_BOARD
    scores[BLACK] = state[at + BLACK]
    scores[RED] = state[at + RED]


@kernel
def decide(board: SpreadItBoard, state: State) -> None:
    """Decide a game in which the budgets are spent or every vertex is owned."""
    spent = state[LEFT + BLACK] == 0 and state[LEFT + RED] == 0
    owned = board.full == 1 and state[OWNED + BLACK] + state[OWNED + RED] == board.n
    if not spent and not owned:
        return
    at = OWNED if board.full == 1 else ON_BOARD
    if state[at + BLACK] == state[at + RED]:
        state[STATUS] = DRAWN
    else:
        state[STATUS] = WON + (BLACK if state[at + BLACK] > state[at + RED] else RED)


def cell_text(game: GameLike, state: State, vertex: int) -> str:
    """A vertex as drawn: its owner, if any, then its black and red tokens.

    `2b1r` is two black tokens and one red, `R:1r` a vertex owned by Red.
    """
    n = game.tables.n
    black, red = state[TOKENS + vertex], state[TOKENS + n + vertex]
    owner = "BR"[state[TOKENS + 2 * n + vertex] - 1] if owned_at(game, state, vertex) else ""
    tokens = (f"{black}b" if black else "") + (f"{red}r" if red else "")
    return f"{owner}:{tokens}" if owner else tokens


def cell(game: GameLike, state: State, vertex: int) -> Cell:
    """A vertex: its owner, if it can have one, and its black and red tokens."""
    n = game.tables.n
    owner = int(state[TOKENS + 2 * n + vertex]) - 1 if owned_at(game, state, vertex) else None
    return Cell(owner, (int(state[TOKENS + vertex]), int(state[TOKENS + n + vertex])))


def layers(game: GameLike, state: State) -> Layers:
    """The tokens of both, and the owners where there are some."""
    n = game.tables.n
    owners = state[TOKENS + 2 * n : TOKENS + 3 * n] - 1 if game.tables.full else np.full(n, -1)
    counts = state[TOKENS : TOKENS + 2 * n].reshape(2, n)
    return Layers(counts, owners.astype(np.int32), np.zeros(n, dtype=np.bool_))


def tallies(game: GameLike, state: State) -> Tallies:
    """What decides the game, and the tokens left."""
    at = OWNED if game.tables.full else ON_BOARD
    what = "vertices owned" if game.tables.full else "tokens on the board"
    return (
        (what, (int(state[at + BLACK]), int(state[at + RED]))),
        ("tokens left", (int(state[LEFT + BLACK]), int(state[LEFT + RED]))),
    )


def owned_at(game: GameLike, state: State, vertex: int) -> bool:
    """Whether a vertex has an owner."""
    return bool(game.tables.full and state[TOKENS + 2 * game.tables.n + vertex])


def headline(game: GameLike, state: State) -> str:
    """The score and the tokens left."""
    at = OWNED if game.tables.full else ON_BOARD
    black, red = state[at + BLACK], state[at + RED]
    what = "vertices owned" if game.tables.full else "tokens on the board"
    return f"{what}: Black {black}, Red {red}; left: Black {state[LEFT]}, Red {state[LEFT + 1]}"


def reason(game: GameLike, state: State) -> str:
    """Why the game is over."""
    if is_endless(game, state):
        return "an endless cascade"
    if game.tables.full and state[OWNED + BLACK] + state[OWNED + RED] == game.tables.n:
        return "every vertex is owned"
    return "the budgets are spent"


def is_endless(game: GameLike, state: State) -> bool:
    """Whether a vertex is at its threshold, which only an endless cascade leaves behind."""
    n = game.tables.n
    tokens = state[TOKENS : TOKENS + n] + state[TOKENS + n : TOKENS + 2 * n]
    return bool(not game.tables.full and (tokens >= game.board.thresholds).any())


def step_text(game: GameLike, before: State, vertex: int, state: State) -> str:
    """What happened at a vertex: the colour in which it fired."""
    n = game.tables.n
    if game.tables.full:
        winner = state[TOKENS + 2 * n + vertex] - 1
    else:
        black = slice(TOKENS, TOKENS + n)
        neighbours = game.board.neighbours(vertex)
        winner = RED if (state[black] - before[black])[neighbours].sum() == 0 else BLACK
    return f"{game.board.labels[vertex]} fires {game.players[winner].lower()}"


def position_text(game: GameLike, state: State) -> str:
    """Write a position: the vertices, the player to move, the tokens left.

    For example `2,1b,3,2b1r,17 Red 5-5`.
    """
    cells = [cell_text(game, state, vertex) for vertex in range(game.tables.n)]
    return position_line(game, state, cells, f"{state[LEFT]}-{state[LEFT + 1]}")


def parse_position(game: GameLike, text: str, state: State) -> None:
    """Read what `position_text` wrote into `state`, which is all zero."""
    board: SpreadItBoard = game.tables
    form = "vertices, player to move, tokens left to Black and Red"
    cells, player, tail = parse_position_line(game, text, form)
    for vertex, cell in enumerate(cells):
        if cell:
            _parse_vertex(game, cell, vertex, state)
    state[PLAYER] = player
    black, red = parse_pair(tail)
    played = (board.black_tokens - black, board.red_tokens - red)
    if min(played) < 0 or played[0] - played[1] != player:
        budgets = f"{board.black_tokens}-{board.red_tokens}"
        raise BadText(f"{tail} tokens left do not fit: the budgets are {budgets}, and Black begins")
    n_tokens = state[ON_BOARD] + state[ON_BOARD + 1]
    if board.conserves and n_tokens != sum(played):
        raise BadText(f"{n_tokens} tokens lie on the board, but {sum(played)} have been played")
    state[LEFT], state[LEFT + 1] = black, red
    if is_endless(game, state):
        _decide_endless(state)
    else:
        decide(board, state)


def _parse_vertex(game: GameLike, cell: str, vertex: int, state: State) -> None:
    n = game.tables.n
    owner = "([BR]):" if game.tables.full else "()"
    match = re.fullmatch(rf"(?:{owner})?(?:([1-9][0-9]{{0,8}})b)?(?:([1-9][0-9]{{0,8}})r)?", cell)
    if not match:
        raise BadText(f"{cell!r} is not a vertex: write for example 2b1r")
    for colour in (BLACK, RED):
        tokens = int(match[2 + colour] or 0)
        if state[ON_BOARD : ON_BOARD + 2].sum(dtype=np.int64) + tokens > MOST_TOKENS:
            raise BadText(f"more than {MOST_TOKENS:,} tokens on the board are too many")
        state[TOKENS + colour * n + vertex] = tokens
        state[ON_BOARD + colour] += tokens
    if match[1]:
        state[TOKENS + 2 * n + vertex] = "BR".index(match[1]) + 1
        state[OWNED + "BR".index(match[1])] += 1
    tokens = state[TOKENS + vertex] + state[TOKENS + n + vertex]
    if game.tables.full and not match[1] and tokens >= game.board.thresholds[vertex]:
        raise BadText(f"{game.board.labels[vertex]} is at its threshold: it would have fired")


def _decide_endless(state: State) -> None:
    """Decide an endless cascade: a single colour on the board wins, two colours draw."""
    if state[ON_BOARD + BLACK] and state[ON_BOARD + RED]:
        state[STATUS] = DRAWN
    else:
        state[STATUS] = WON + (BLACK if state[ON_BOARD + BLACK] else RED)
