"""Hex: two players join opposite sides of a rhombus of hexagons.

A row of stones is one number, bit c for column c. (r, c) touches (r, c±1), (r±1, c),
(r−1, c+1) and (r+1, c−1). The state also has, for each side, the stones that are joined
to the side's first edge. So a move costs no more than the stones that it newly joins, and
the game is won when these stones reach the other edge.
"""

from typing import Any, NamedTuple

import numpy as np

from topple.boards.board import Board
from topple.boards.kinds.hexes import hex_board
from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel
from topple.core.errors import BadBoard, BadText
from topple.core.spec import Option
from topple.rules.interface import (
    HEADER,
    PLAYER,
    RUNNING,
    STATUS,
    WON,
    GameLike,
    Moves,
    Sizes,
    State,
)
from topple.rules.text import Cell, Layers, parse_player, vertex_text

NAME = "hex"
TITLE = "Hex"
SUMMARY = "join your two sides of the board before the other does"
BOARD = "hex:11"
OPTIONS = (
    Option("swap", False, bool, "the second player may answer the first stone with swap-pieces"),
)

STONES = HEADER  # stones on the board
SWAPPED = HEADER + 1  # 1 once the players have exchanged sides
ROWS = HEADER + 2  # stones of X, then of O, then those joined to X's top, to O's left

X, O = 0, 1  # the side that joins top and bottom; the side that joins left and right
SWAP = "swap-pieces"
ROW_SHIFT, COLUMN_MASK = 5, 31  # a cell as row and column in one number


class HexBoard(NamedTuple):
    """What the kernels know of the board."""

    size: int
    swap: int


def players(options: dict[str, Any]) -> tuple[str, ...]:
    """The players in order: Blue begins as X, Red answers as O."""
    return ("Blue", "Red")


def tables(board: Board, options: dict[str, Any]) -> HexBoard:
    """Prepare a board, which must be `hex:n`."""
    if board.form != "hexes" or board != hex_board(board.rows):
        raise BadBoard(f"Hex is played on hex:n, not on {board.spec}")
    return HexBoard(board.rows, int(options["swap"]))


def sizes(board: HexBoard) -> Sizes:
    """The vectors' lengths: four planes of rows."""
    return Sizes(ROWS + 4 * board.size, 0, board.size**2 + board.swap)


@kernel
def start(board: HexBoard, state: State) -> None:
    """The empty board: nothing to set."""


@kernel
def may_swap(board: HexBoard, state: State) -> bool:
    """Whether the player to move may answer the only stone by swapping."""
    return bool(board.swap == 1 and state[STONES] == 1 and state[SWAPPED] == 0)


@kernel
def legal_moves(board: HexBoard, state: State, moves: Moves) -> int:
    """Every empty cell, row by row, and the swap as the last move."""
    size, n = board.size, 0
    for row in range(size):
        taken = state[ROWS + row] | state[ROWS + size + row]
        for column in range(size):
            moves[n] = row * size + column
            n += 1 - (taken >> column & 1)
    if may_swap(board, state):
        moves[n] = size * size
        n += 1
    return n


@kernel
def begin(board: HexBoard, state: State, move: int) -> None:
    """Place a stone of the mover's side, or exchange the sides."""
    size, player = board.size, state[PLAYER]
    state[PLAYER] = 1 - player
    if move == size * size:
        state[SWAPPED] = 1
        return
    side = player ^ state[SWAPPED]
    row, column = move // size, move % size
    stones = ROWS + side * size
    joined = ROWS + (2 + side) * size
    state[stones + row] |= 1 << column
    state[STONES] += 1
    if touches_joined(state, joined, size, row, column, side):
        state[joined + row] |= fill_sideways(1 << column, state[stones + row])
        flood(state, stones, joined, size, row)
        if reaches_far_edge(state, joined, size, side):
            state[STATUS] = WON + player


@kernel
def touches_joined(state: State, joined: int, size: int, row: int, column: int, side: int) -> bool:
    """Whether a cell is on its side's first edge or beside a joined stone."""
    if (row if side == X else column) == 0:
        return True
    beside = 1 << column
    touching = state[joined + row] & (beside << 1 | beside >> 1)
    if row > 0:
        touching |= state[joined + row - 1] & (beside | beside << 1)
    if row < size - 1:
        touching |= state[joined + row + 1] & (beside | beside >> 1)
    return bool(touching != 0)


@kernel
def fill_sideways(seeds: int, stones: int) -> int:
    """Extend `seeds` along the runs of `stones` in one row; both are rows of bits."""
    filled = seeds
    while True:
        wider = (filled | filled << 1 | filled >> 1) & stones
        if wider == filled:
            return filled
        filled = wider


@kernel
def flood(state: State, stones: int, joined: int, size: int, row: int) -> None:
    """Join every stone that is connected to the joined stones of `row`, changing `state`.

    `stones` and `joined` are the indices in `state` where the rows of a side begin.
    """
    dirty = 1 << row  # the rows whose joined stones have grown, as bits; none is above `row`
    while dirty:
        while not dirty >> row & 1:
            row += 1
        dirty ^= 1 << row
        here = state[joined + row]
        if row > 0:
            above = state[stones + row - 1]
            new = (here | here << 1) & above & ~state[joined + row - 1]
            if new:
                state[joined + row - 1] |= fill_sideways(new, above)
                dirty |= 1 << (row - 1)
        if row < size - 1:
            below_row = state[stones + row + 1]
            new = (here | here >> 1) & below_row & ~state[joined + row + 1]
            if new:
                state[joined + row + 1] |= fill_sideways(new, below_row)
                dirty |= 1 << (row + 1)
        row = max(row - 1, 0)


@kernel
def reaches_far_edge(state: State, joined: int, size: int, side: int) -> bool:
    """Whether the joined stones have reached the bottom (X) or the right edge (O)."""
    if side == X:
        return bool(state[joined + size - 1] != 0)
    reached = 0
    for row in range(size):
        reached |= state[joined + row]
    return bool(reached >> (size - 1) & 1)


@kernel
def playout(board: HexBoard, state: State, rng: Rng, moves: Moves) -> int:
    """Fill the board at random and see which side is joined; returns the number of plies.

    On a full board exactly one side is joined, and it is the side that would have been
    joined first; so it is enough to draw the cells that X gets. Changes `state`, which
    then has the full board in its rows of stones, `rng` and `moves`.
    """
    n_plies = 0
    while state[STATUS] == RUNNING and (state[STONES] == 0 or may_swap(board, state)):
        begin(board, state, moves[below(rng, legal_moves(board, state, moves))])
        n_plies += 1
    if state[STATUS] != RUNNING:
        return n_plies
    size = board.size
    n_empty = list_empty(board, state, moves)
    x_moves = state[PLAYER] ^ state[SWAPPED] == X
    for i in range((n_empty + x_moves) // 2):
        j = i + below(rng, n_empty - i)
        cell = moves[j]
        moves[j] = moves[i]
        state[ROWS + (cell >> ROW_SHIFT)] |= 1 << (cell & COLUMN_MASK)
    side = X if top_meets_bottom(state, size) else O
    for row in range(size):
        state[ROWS + size + row] = ~state[ROWS + row] & ((1 << size) - 1)
    state[STATUS] = WON + (side ^ state[SWAPPED])
    return n_plies + n_empty


@kernel
def list_empty(board: HexBoard, state: State, cells: Moves) -> int:
    """Write the empty cells into `cells`; returns their number.

    Row and column are packed into one number, so that no division is needed later.
    """
    size, n = board.size, 0
    for row in range(size):
        empty = ~(state[ROWS + row] | state[ROWS + size + row])
        for column in range(size):
            cells[n] = row << ROW_SHIFT | column
            n += empty >> column & 1
    return n


@kernel
def top_meets_bottom(state: State, size: int) -> bool:
    """Whether X's stones join top and bottom. Changes X's joined stones in `state`."""
    joined = ROWS + 2 * size
    state[joined] = state[ROWS]
    for row in range(1, size):
        state[joined + row] = 0
    flood(state, ROWS, joined, size, 0)
    return bool(state[joined + size - 1] != 0)


def move_text(game: GameLike, move: int) -> str:
    """Write a move: a cell, or the swap."""
    return SWAP if move == game.board.n_vertices else vertex_text(game, move)


def parse_move(game: GameLike, text: str) -> int:
    """Read a move that `move_text` wrote, in any case."""
    word = text.strip().lower()
    if word == SWAP and game.tables.swap:
        return game.board.n_vertices
    if word in game.board.vertex_of:
        return game.board.vertex_of[word]
    swap = f" or {SWAP}" if game.tables.swap else ""
    last = game.board.labels[-1]
    raise BadText(f"{text!r} is not a move of Hex: write a cell from a1 to {last}{swap}")


def cell_text(game: GameLike, state: State, vertex: int) -> str:
    """A cell as drawn: X, O or nothing."""
    size = game.board.rows
    for side, letter in enumerate("XO"):
        if state[ROWS + side * size + vertex // size] >> vertex % size & 1:
            return letter
    return ""


def cell(game: GameLike, state: State, vertex: int) -> Cell:
    """The owner of the stone on a cell; a swap gives the first stone to the other player."""
    size = game.board.rows
    for side in (X, O):
        if state[ROWS + side * size + vertex // size] >> vertex % size & 1:
            return Cell(int(side ^ state[SWAPPED]))
    return Cell()


def layers(game: GameLike, state: State) -> Layers:
    """The owners of the stones."""
    size, x = game.board.rows, int(state[SWAPPED])
    rows = state[ROWS : ROWS + 2 * size].reshape(2, size, 1)
    stones = (rows >> np.arange(size) & 1).reshape(2, -1)
    owners = np.where(stones[X], x, np.where(stones[O], 1 - x, -1)).astype(np.int32)
    return Layers(np.zeros((0, size**2), dtype=np.int32), owners, np.zeros(size**2, dtype=np.bool_))


def borders(game: GameLike, state: State) -> tuple[int, ...]:
    """The players who join top and bottom, and left and right."""
    x = int(state[SWAPPED])
    return x, 1 - x


def headline(game: GameLike, state: State) -> str:
    """The side that each player has."""
    x = int(state[SWAPPED])
    return f"X {game.players[x]} joins top and bottom, O {game.players[1 - x]} left and right"


def reason(game: GameLike, state: State) -> str:
    """Why the game is over."""
    side = (state[STATUS] - WON) ^ state[SWAPPED]
    return "top and bottom are joined" if side == X else "left and right are joined"


def position_text(game: GameLike, state: State) -> str:
    """Write a position: rows of X, O and dots, the player to move, the exchange of sides.

    For example `.../.X./... Red` or `.../.X./... Blue swapped`.
    """
    size = game.board.rows
    cells = [cell_text(game, state, vertex) or "." for vertex in range(size * size)]
    rows = ["".join(cells[row * size : (row + 1) * size]) for row in range(size)]
    swapped = " swapped" if state[SWAPPED] else ""
    return f"{'/'.join(rows)} {game.players[state[PLAYER]]}{swapped}"


def parse_position(game: GameLike, text: str, state: State) -> None:
    """Read what `position_text` wrote into `state`, which is all zero."""
    words = text.split()
    if len(words) not in (2, 3) or words[2:] not in ([], ["swapped"]):
        raise BadText("write a Hex position as rows, the player to move and perhaps 'swapped'")
    size = game.board.rows
    rows = words[0].split("/")
    if len(rows) != size or any(len(row) != size or set(row) - set("XO.") for row in rows):
        raise BadText(f"the board must be {size} rows of {size} cells X, O or . joined by /")
    player = parse_player(game, words[1])
    swapped = int(len(words) == 3)
    cells = "".join(rows)
    n_x, n_o = cells.count("X"), cells.count("O")
    if swapped and not (game.tables.swap and n_x + n_o >= 1):
        raise BadText("the sides cannot have been swapped in this position")
    if (n_x - n_o) != (player ^ swapped):
        raise BadText(f"{n_x} X and {n_o} O do not fit: X begins, and the sides take turns")
    state[SWAPPED] = swapped
    state[STONES] = n_x + n_o
    for side, letter in enumerate("XO"):
        for vertex, cell in enumerate(cells):
            state[ROWS + side * size + vertex // size] |= (cell == letter) << vertex % size
    _join(state, size)
    state[PLAYER] = player
    _decide(state, size, player, swapped)


def _join(state: State, size: int) -> None:
    """Find the stones that are joined to their side's first edge."""
    for side in (X, O):
        stones, joined = ROWS + side * size, ROWS + (2 + side) * size
        for row in range(size):
            edge = (1 << size) - 1 if side == X else 1
            if side == O or row == 0:
                seeds = int(state[stones + row]) & edge
                state[joined + row] |= fill_sideways(seeds, int(state[stones + row]))
        for row in range(size):
            flood(state, stones, joined, size, row)


def _decide(state: State, size: int, player: int, swapped: int) -> None:
    won = [side for side in (X, O) if reaches_far_edge(state, ROWS + (2 + side) * size, size, side)]
    if len(won) == 1:
        winner = won[0] ^ swapped
        if winner == player:
            raise BadText("a side is joined, but it is not the side that moved last")
        state[STATUS] = WON + winner
