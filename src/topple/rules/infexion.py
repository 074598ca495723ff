"""Infexion: spawn stacks on a torus of hexagons, spread them over the opponent's.

The game is played on 7×7. On n×n its numbers scale: powers are 1 to n − 1, spawning needs
a total power below n², and the game ends after n³ actions.
"""

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.boards.kinds.hexes import INFEXION_DIRECTIONS as DIRECTIONS
from topple.boards.kinds.hexes import infexion_board
from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel
from topple.core.errors import BadBoard, BadText
from topple.core.spec import Option
from topple.rules.interface import (
    DRAWN,
    HEADER,
    NO_VERTEX,
    PLAYER,
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
    parse_position_line,
    position_line,
    stack_of,
    stacks_of,
)

NAME = "infexion"
TITLE = "Infexion"
SUMMARY = "spawn stacks and spread them over the other's until none is left"
BOARD = "infexion:7"
OPTIONS: tuple[Option, ...] = ()

ACTIONS = HEADER  # actions played
POWER = HEADER + 1  # total power of Red, then of Blue
CELLS = HEADER + 3  # 0 if empty, else 2 · power + colour

# The state of a spread, as offsets from the end of the position: tokens left to drop, the
# cell reached, the direction.
LEFT, PLACE, DIRECTION = 0, 1, 2
N_DIRECTIONS = 6
MARGIN = 2  # the lead in power that wins


class InfexionBoard(NamedTuple):
    """What the kernels know of the board."""

    size: int
    n: int
    next_cell: NDArray[np.int32]  # shape (6 n,): the neighbour of each cell in each direction


def players(options: dict[str, Any]) -> tuple[str, ...]:
    """The players in order: Red begins."""
    return ("Red", "Blue")


def tables(board: Board, options: dict[str, Any]) -> InfexionBoard:
    """Prepare a board, which must be `infexion:n`."""
    if board.form != "hexes" or board != infexion_board(board.rows):
        raise BadBoard(f"Infexion is played on infexion:n, not on {board.spec}")
    return InfexionBoard(board.rows, board.n_vertices, board.successors)


def sizes(board: InfexionBoard) -> Sizes:
    """The vectors' lengths: a spawn per cell, a spread per cell and direction."""
    return Sizes(CELLS + board.n, 3, board.n + N_DIRECTIONS * board.n)


@kernel
def start(board: InfexionBoard, state: State) -> None:
    """The empty board: nothing to set."""


@kernel
def legal_moves(board: InfexionBoard, state: State, moves: Moves) -> int:
    """Spawns on empty cells, while the total power allows them, then spreads of own stacks."""
    n, n_moves, own = board.n, 0, state[PLAYER]
    if state[POWER] + state[POWER + 1] < n:
        for cell in range(n):
            moves[n_moves] = cell
            n_moves += state[CELLS + cell] == 0
    for cell in range(n):
        stack = state[CELLS + cell]
        if stack != 0 and stack & 1 == own:
            for direction in range(N_DIRECTIONS):
                moves[n_moves] = n + N_DIRECTIONS * cell + direction
                n_moves += 1
    return n_moves


@kernel
def random_move(board: InfexionBoard, state: State, rng: Rng, moves: Moves) -> int:
    """Draw an index among the legal moves, then find the move with that index."""
    n, own = board.n, state[PLAYER]
    n_empty, n_own = 0, 0
    for cell in range(n):
        stack = state[CELLS + cell]
        moves[n_empty] = cell
        n_empty += stack == 0
        moves[n + n_own] = cell
        n_own += (stack != 0) & (stack & 1 == own)
    n_spawns = n_empty if state[POWER] + state[POWER + 1] < n else 0
    place = below(rng, n_spawns + N_DIRECTIONS * n_own)
    if place < n_spawns:
        return int(moves[place])
    place -= n_spawns
    return int(n + N_DIRECTIONS * moves[n + place // N_DIRECTIONS] + place % N_DIRECTIONS)


@kernel
def begin(board: InfexionBoard, state: State, move: int) -> None:
    """Spawn, or lift the stack that is to spread."""
    n, player = board.n, state[PLAYER]
    work = CELLS + n
    if move < n:
        state[CELLS + move] = 2 + player
        state[POWER + player] += 1
        return
    cell = (move - n) // N_DIRECTIONS
    power = state[CELLS + cell] >> 1
    state[CELLS + cell] = 0
    state[POWER + player] -= power
    state[work + LEFT] = power
    state[work + PLACE] = cell
    state[work + DIRECTION] = (move - n) % N_DIRECTIONS


@kernel
def step(board: InfexionBoard, state: State) -> int:
    """Drop one token of the spreading stack on the next cell."""
    work = CELLS + board.n
    if state[work + LEFT] == 0:
        end_turn(board, state)
        return NO_VERTEX
    player = state[PLAYER]
    place = N_DIRECTIONS * state[work + PLACE] + state[work + DIRECTION]
    cell = board.next_cell[place]
    state[work + PLACE] = cell
    state[work + LEFT] -= 1
    stack = state[CELLS + cell]
    power = stack >> 1
    state[POWER + (stack & 1)] -= power
    if power + 1 == board.size:
        state[CELLS + cell] = 0
    else:
        state[CELLS + cell] = 2 * (power + 1) + player
        state[POWER + player] += power + 1
    return int(cell)


@kernel
def score(board: InfexionBoard, state: State, scores: Returns) -> None:
    """Each side's total power."""
    scores[0] = state[POWER]
    scores[1] = state[POWER + 1]


@kernel
def end_turn(board: InfexionBoard, state: State) -> None:
    """Count the action, decide the game if it ends here, and pass the turn on."""
    work = CELLS + board.n
    state[work + PLACE] = state[work + DIRECTION] = 0
    state[PLAYER] = 1 - state[PLAYER]
    state[ACTIONS] += 1
    red, blue = state[POWER], state[POWER + 1]
    if state[ACTIONS] < 2:
        return
    if red == 0 or blue == 0 or state[ACTIONS] == board.size * board.n:
        state[STATUS] = DRAWN
        if red >= blue + MARGIN:
            state[STATUS] = WON
        elif blue >= red + MARGIN:
            state[STATUS] = WON + 1


def move_text(game: GameLike, move: int) -> str:
    """Write a move: `SPAWN(r, q)` or `SPREAD(r, q, dr, dq)`."""
    n, size = game.tables.n, game.tables.size
    if move < n:
        return f"SPAWN({move // size}, {move % size})"
    cell, direction = divmod(move - n, N_DIRECTIONS)
    dr, dq = DIRECTIONS[direction]
    return f"SPREAD({cell // size}, {cell % size}, {dr}, {dq})"


def move_vertex(game: GameLike, move: int) -> int:
    """The cell that a move spawns on or spreads from."""
    n = game.tables.n
    return move if move < n else (move - n) // N_DIRECTIONS


def move_target(game: GameLike, move: int) -> int | None:
    """The first cell that a spread reaches; None for a spawn."""
    n = game.tables.n
    return None if move < n else int(game.tables.next_cell[move - n])


def parse_move(game: GameLike, text: str) -> int:
    """Read a move, in any case and with any spaces."""
    n, size = game.tables.n, game.tables.size
    squeezed = re.sub(r"\s+", "", text).upper().replace("−", "-")
    match = re.fullmatch(r"(SPAWN|SPREAD)\((-?[0-9]{1,3}(?:,-?[0-9]{1,3}){1,3})\)", squeezed)
    numbers = [int(number) for number in match[2].split(",")] if match else []
    if not match or len(numbers) != (2 if match[1] == "SPAWN" else 4):
        raise BadText(
            f"{text!r} is not a move of Infexion: write SPAWN(r, q) or SPREAD(r, q, dr, dq)"
        )
    if not all(0 <= number < size for number in numbers[:2]):
        raise BadText(f"{text!r} is off the board: r and q run from 0 to {size - 1}")
    cell = numbers[0] * size + numbers[1]
    if match[1] == "SPAWN":
        return int(cell)
    direction = (numbers[2], numbers[3])
    if direction not in DIRECTIONS:
        known = ", ".join(map(str, DIRECTIONS))
        raise BadText(f"{direction} is not a direction: choose from {known}")
    return int(n + N_DIRECTIONS * cell + DIRECTIONS.index(direction))


def cell_text(game: GameLike, state: State, vertex: int) -> str:
    """A cell as drawn: r or b and the stack's power."""
    stack = int(state[CELLS + vertex])
    return f"{'rb'[stack & 1]}{stack >> 1}" if stack else ""


def cell(game: GameLike, state: State, vertex: int) -> Cell:
    """A cell's owner and power; an empty cell has neither."""
    stack = int(state[CELLS + vertex])
    return stack_of(2, stack & 1, stack >> 1) if stack else Cell(counts=(0, 0))


def layers(game: GameLike, state: State) -> Layers:
    """The power of both sides, and the owners of the stacks."""
    stacks = state[CELLS : CELLS + game.tables.n]
    owners = np.where(stacks == 0, -1, stacks & 1).astype(np.int32)
    return Layers(stacks_of(2, owners, stacks >> 1), owners, np.zeros(len(stacks), dtype=np.bool_))


def tallies(game: GameLike, state: State) -> Tallies:
    """The power of both sides."""
    return (("power", (int(state[POWER]), int(state[POWER + 1]))),)


def counters(game: GameLike, state: State) -> Counters:
    """The number of actions played, which is limited."""
    return (("actions", int(state[ACTIONS])),)


def headline(game: GameLike, state: State) -> str:
    """The power of both sides and the number of actions played."""
    red, blue = state[POWER], state[POWER + 1]
    return f"power: Red {red}, Blue {blue}; {state[ACTIONS]} actions played"


def reason(game: GameLike, state: State) -> str:
    """Why the game is over."""
    red, blue = state[POWER], state[POWER + 1]
    if red == 0 or blue == 0:
        return "a side has no power left"
    return f"{state[ACTIONS]} actions have been played"


def step_text(game: GameLike, before: State, vertex: int, state: State) -> str:
    """What happened at a cell."""
    label = game.board.labels[vertex]
    old, new = cell_text(game, before, vertex), cell_text(game, state, vertex)
    return f"{label} {old or 'empty'} becomes {new or 'empty'}"


def position_text(game: GameLike, state: State) -> str:
    """Write a position: the cells, the player to move, the actions played.

    For example `28,r2,4,b1,15 Red 12`.
    """
    cells = [cell_text(game, state, cell) for cell in range(game.tables.n)]
    return position_line(game, state, cells, str(state[ACTIONS]))


def parse_position(game: GameLike, text: str, state: State) -> None:
    """Read what `position_text` wrote into `state`, which is all zero."""
    board: InfexionBoard = game.tables
    form = "cells, player to move, number of actions played"
    cells, player, tail = parse_position_line(game, text, form)
    for cell, stack in enumerate(cells):
        if not stack:
            continue
        match = re.fullmatch(r"([rb])([1-9])", stack)
        if not match or int(match[2]) >= board.size:
            most = board.size - 1
            raise BadText(f"{stack!r} is not a stack: write for example r2, power at most {most}")
        colour = "rb".index(match[1])
        state[CELLS + cell] = 2 * int(match[2]) + colour
        state[POWER + colour] += int(match[2])
    actions = parse_count(tail, board.size * board.n, "actions")
    if actions % 2 != player:
        raise BadText(f"after {actions} actions it is not {game.players[player]}'s turn")
    if state[POWER : POWER + 2].sum() > min(board.n, actions):
        raise BadText("there is more power on the board than could have been spawned")
    if actions == 1 and state[POWER] != 1:
        raise BadText("after one action the board holds one red stack")
    # Ending the previous turn sets the counters and decides the game.
    state[PLAYER], state[ACTIONS] = 1 - player, actions - 1
    if actions:
        end_turn(board, state)
    else:
        state[PLAYER], state[ACTIONS] = 0, 0
