"""Chain Reaction: overfull squares explode and turn their neighbours."""

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.compiling.specialise import kernel
from topple.core.errors import BadBoard, BadText
from topple.core.spec import Option
from topple.rules.interface import (
    FAILED,
    HEADER,
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
from topple.rules.text import (
    Cell,
    Counters,
    Layers,
    Tallies,
    parse_count,
    parse_player,
    parse_position_line,
    position_line,
    stack_of,
    stacks_of,
)

NAME = "chain-reaction"
TITLE = "Chain Reaction"
SUMMARY = "overfill a square and its pieces burst over the neighbours"
BOARD = "grid:5x5"
OPTIONS = (
    Option("players", 2, int, "how many play", least=2, most=8),
    Option(
        "surplus",
        "drop",
        str,
        "an exploding square is emptied (drop) or loses only its capacity (keep)",
        choices=("drop", "keep"),
    ),
)

MOST_PLAYERS = 8
MOVED = HEADER  # how many players have moved at least once
TOTAL = HEADER + 1  # pieces on the board
PIECES_OF = HEADER + 2  # pieces of each player
CELLS = PIECES_OF + MOST_PLAYERS  # colours (0, or player + 1), then pieces

# The state of a cascade, as offsets from the end of the position.
FIRST = 0  # the square just played + 1, until it has been examined
HEAD, WAITING = 1, 2  # the ring's first place and its number of squares
NEIGHBOUR = 3  # which neighbour of the square at the head is next
RING = 4  # squares that have exploded and whose neighbours are still to be examined


class ChainReactionBoard(NamedTuple):
    """What the kernels know of the board."""

    n: int
    n_players: int
    keep: int
    ring: int  # the length of the ring
    neighbour_start: NDArray[np.int32]
    neighbours: NDArray[np.int32]


def players(options: dict[str, Any]) -> tuple[str, ...]:
    """The players are called A, B, C …"""
    return tuple("ABCDEFGH"[: options["players"]])


def tables(board: Board, options: dict[str, Any]) -> ChainReactionBoard:
    """Prepare a board: undirected, with a vertex and an edge for each player.

    With fewer pieces than edges every cascade ends. So no cascade is endless in the
    first round, before all have moved, if there are at least as many edges as players.
    """
    if board.directed:
        raise BadBoard(f"Chain Reaction needs an undirected board, and {board.spec} is directed")
    if board.stages:
        raise BadBoard(
            f"Chain Reaction needs a board that stays as it is, and {board.spec} changes"
        )
    n_players = options["players"]
    if n_players > min(board.n_vertices, board.n_edges):
        raise BadBoard(
            f"{board.spec} is too small for {n_players} players: "
            "it needs at least as many vertices and edges"
        )
    keep = int(options["surplus"] == "keep")
    ring = 4 * board.n_edges + 64  # random games on all kinds of boards need at most 1.5 m
    return ChainReactionBoard(
        board.n_vertices, n_players, keep, ring, board.successor_start, board.successors
    )


def sizes(board: ChainReactionBoard) -> Sizes:
    """The vectors' lengths."""
    return Sizes(CELLS + 2 * board.n, RING + board.ring, board.n)


@kernel
def start(board: ChainReactionBoard, state: State) -> None:
    """The empty board: nothing to set."""


@kernel
def legal_moves(board: ChainReactionBoard, state: State, moves: Moves) -> int:
    """Every square that is empty or the mover's own."""
    own, n = state[PLAYER] + 1, 0
    for square in range(board.n):
        colour = state[CELLS + square]
        moves[n] = square
        n += (colour == 0) | (colour == own)
    return n


@kernel
def begin(board: ChainReactionBoard, state: State, move: int) -> None:
    """Put the piece down; its square is the first in the queue."""
    n, player = board.n, state[PLAYER]
    state[MOVED] = min(state[MOVED] + 1, board.n_players)
    state[CELLS + move] = player + 1
    state[CELLS + n + move] += 1
    state[PIECES_OF + player] += 1
    state[TOTAL] += 1
    state[CELLS + 2 * n + FIRST] = move + 1


@kernel
def is_full(board: ChainReactionBoard, state: State, square: int) -> bool:
    """Whether a square holds at least its capacity."""
    capacity = board.neighbour_start[square + 1] - board.neighbour_start[square]
    return bool(state[CELLS + board.n + square] >= capacity)


@kernel
def explode(board: ChainReactionBoard, state: State, square: int) -> None:
    """Send a square's pieces to its neighbours, which all turn to the mover.

    By the rules each explosion appends the square's neighbours, in their order, to a
    queue. So it is enough to store the exploded squares, in a ring. Sets STATUS to
    FAILED if the ring is full.
    """
    n, player = board.n, state[PLAYER]
    work = CELLS + 2 * n
    first, last = board.neighbour_start[square], board.neighbour_start[square + 1]
    leaving = last - first
    surplus = state[CELLS + n + square] - leaving
    gone = surplus if board.keep == 0 else 0
    state[CELLS + n + square] = surplus - gone
    state[CELLS + square] = player + 1 if surplus > gone else 0
    state[TOTAL] -= gone
    state[PIECES_OF + player] -= gone
    for i in range(first, last):
        neighbour = board.neighbours[i]
        turn(state, n, neighbour, player)
    if state[work + WAITING] == board.ring:
        state[STATUS] = FAILED
        return
    end = state[work + HEAD] + state[work + WAITING]
    state[work + RING + (end if end < board.ring else end - board.ring)] = square
    state[work + WAITING] += 1


@kernel
def turn(state: State, n: int, square: int, player: int) -> None:
    """Add a piece that has arrived from a neighbour, and turn the square to the mover."""
    colour = state[CELLS + square]
    pieces = state[CELLS + n + square]
    if colour != 0 and colour != player + 1:
        state[PIECES_OF + colour - 1] -= pieces
        state[PIECES_OF + player] += pieces
    state[CELLS + square] = player + 1
    state[CELLS + n + square] = pieces + 1


@kernel
def decided(board: ChainReactionBoard, state: State) -> bool:
    """Whether all have moved and only the mover's colour is left."""
    everyone = state[MOVED] == board.n_players
    return bool(everyone and state[PIECES_OF + state[PLAYER]] == state[TOTAL])


@kernel
def step(board: ChainReactionBoard, state: State) -> int:
    """Explode the next full square in the queue."""
    work = CELLS + 2 * board.n
    while not decided(board, state) and state[STATUS] == RUNNING:
        square = next_in_queue(board, state)
        if square == NO_VERTEX:
            break
        if is_full(board, state, square):
            explode(board, state, square)
            return square
    state[work + FIRST] = state[work + HEAD] = state[work + WAITING] = state[work + NEIGHBOUR] = 0
    end_turn(board, state)
    return NO_VERTEX


@kernel
def next_in_queue(board: ChainReactionBoard, state: State) -> int:
    """Take the next square from the queue: the one played, then neighbours of exploded ones."""
    work = CELLS + 2 * board.n
    if state[work + FIRST] != 0:
        square = state[work + FIRST] - 1
        state[work + FIRST] = 0
        return int(square)
    while state[work + WAITING] > 0:
        source = state[work + RING + state[work + HEAD]]
        at = board.neighbour_start[source] + state[work + NEIGHBOUR]
        if at < board.neighbour_start[source + 1]:
            state[work + NEIGHBOUR] += 1
            return int(board.neighbours[at])
        head = state[work + HEAD] + 1
        state[work + HEAD] = head if head < board.ring else 0
        state[work + WAITING] -= 1
        state[work + NEIGHBOUR] = 0
    return NO_VERTEX


@kernel
def score(board: ChainReactionBoard, state: State, scores: Returns) -> None:
    """Each player's pieces."""
    for player in range(board.n_players):
        scores[player] = state[PIECES_OF + player]


@kernel
def end_turn(board: ChainReactionBoard, state: State) -> None:
    """Declare the winner, and pass the turn to the next player who is not out."""
    player = state[PLAYER]
    if decided(board, state):
        state[STATUS] = WON + player
    player = following(board, player)
    while state[MOVED] == board.n_players and state[PIECES_OF + player] == 0:
        player = following(board, player)
    state[PLAYER] = player


@kernel
def following(board: ChainReactionBoard, player: int) -> int:
    """The next player in order."""
    return player + 1 if player + 1 < board.n_players else 0


def cell_text(game: GameLike, state: State, vertex: int) -> str:
    """A square as drawn: the player's letter and the number of pieces."""
    colour = state[CELLS + vertex]
    return f"{game.players[colour - 1]}{state[CELLS + game.tables.n + vertex]}" if colour else ""


def cell(game: GameLike, state: State, vertex: int) -> Cell:
    """A square: its owner and number of pieces."""
    colour, n_players = state[CELLS + vertex], len(game.players)
    if not colour:
        return Cell(counts=(0,) * n_players)
    return stack_of(n_players, int(colour) - 1, int(state[CELLS + game.tables.n + vertex]))


def layers(game: GameLike, state: State) -> Layers:
    """The pieces of each player, and the owners of the squares."""
    n = game.tables.n
    owners = state[CELLS : CELLS + n] - 1
    pieces = stacks_of(len(game.players), owners, state[CELLS + n : CELLS + 2 * n])
    return Layers(pieces, owners, np.zeros(n, dtype=np.bool_))


def tallies(game: GameLike, state: State) -> Tallies:
    """How many pieces each player has."""
    return (("pieces", tuple(int(state[PIECES_OF + p]) for p in range(len(game.players)))),)


def counters(game: GameLike, state: State) -> Counters:
    """How many players have moved; no player is out before all have."""
    return (("players moved", int(state[MOVED])),)


def headline(game: GameLike, state: State) -> str:
    """How many pieces each player has."""
    pieces = zip(game.players, state[PIECES_OF:], strict=False)
    return "pieces: " + ", ".join(f"{name} {count}" for name, count in pieces)


def reason(game: GameLike, state: State) -> str:
    """Why the game is over."""
    return "only one colour is left"


def step_text(game: GameLike, before: State, vertex: int, state: State) -> str:
    """What happened at a square."""
    return f"{game.board.labels[vertex]} explodes"


def position_text(game: GameLike, state: State) -> str:
    """Write a position: the squares, the player to move, how many have moved.

    For example `2,A1,3,B2,18 A 2`.
    """
    cells = [cell_text(game, state, square) for square in range(game.tables.n)]
    return position_line(game, state, cells, str(state[MOVED]))


def parse_position(game: GameLike, text: str, state: State) -> None:
    """Read what `position_text` wrote into `state`, which is all zero."""
    board: ChainReactionBoard = game.tables
    form = "squares, player to move, number of players that have moved"
    cells, state[PLAYER], tail = parse_position_line(game, text, form)
    for square, cell in enumerate(cells):
        if cell:
            _parse_square(game, cell, square, state)
    state[MOVED] = moved = parse_count(tail, board.n_players, "players that have moved")
    if moved < board.n_players and state[PLAYER] != moved:
        raise BadText(f"with {moved} players moved, it is {game.players[moved]}'s turn")
    strangers = [int(state[PIECES_OF + p]) for p in range(moved, board.n_players)]
    if any(strangers):
        raise BadText("a player who has not moved yet has pieces on the board")
    if moved == board.n_players:
        _decide(game, state)
    for square in range(board.n):
        if state[STATUS] == RUNNING and is_full(board, state, square):
            raise BadText(f"{game.board.labels[square]} is full: it would have exploded")


def _parse_square(game: GameLike, cell: str, square: int, state: State) -> None:
    match = re.fullmatch(r"([A-H])([1-9][0-9]{0,5})", cell)
    if not match:
        raise BadText(f"{cell!r} is not a square: write for example A2")
    player = parse_player(game, match[1])
    state[CELLS + square] = player + 1
    state[CELLS + game.tables.n + square] = int(match[2])
    state[PIECES_OF + player] += int(match[2])
    state[TOTAL] += int(match[2])
    most = 2 * game.board.n_edges - game.board.n_vertices + 1  # one more than can be stable
    if state[TOTAL] > most:
        raise BadText(f"more than {most} pieces cannot lie on {game.board.spec}")


def _decide(game: GameLike, state: State) -> None:
    """Decide whether a game in which all have moved is over."""
    holders = [p for p in range(len(game.players)) if state[PIECES_OF + p]]
    if not holders:
        raise BadText("everyone has moved, but there are no pieces")
    if len(holders) == 1:
        if state[PLAYER] != holders[0]:
            raise BadText(f"only {game.players[holders[0]]} is left: the others cannot be to move")
        state[STATUS] = WON + holders[0]
        return
    if state[PIECES_OF + state[PLAYER]] == 0:
        raise BadText(f"{game.players[state[PLAYER]]} is out and cannot be to move")
