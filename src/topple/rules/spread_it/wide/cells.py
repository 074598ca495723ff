"""The text of a vertex: `1r2b` where a black token arrived last, `R:1r` with an owner."""

import re
from typing import NamedTuple

from topple.core.errors import BadText
from topple.rules.interface import State
from topple.rules.spread_it.wide.board import (
    COLOUR,
    COLOUR_BITS,
    MOST_ORDER,
    MOST_TOKENS,
    N_OWNED,
    WideBoard,
    coloured_at,
    on_board_at,
    order_at,
    taken_at,
    tokens_at,
    totals_at,
)

LETTERS = "brgyvotp"
CELL = re.compile(r"(?:([BRGYVOTP])([1-9][0-9]?)?:)?((?:[1-9][0-9]{0,8}[brgyvotp])*)")
STACK = re.compile(r"([0-9]+)([a-z])")


class CellText(NamedTuple):
    """What a vertex's text says."""

    colour: int | None  # that the vertex has taken
    times: int  # how often it has taken one
    stacks: tuple[tuple[int, int], ...]  # colour and number of tokens, the last arrival last


def read_cell(text: str, n_players: int, loyalty: int) -> CellText:
    """Read a vertex's text.

    Raises
    ------
    BadText
        If it cannot be read, or says what the game does not allow.
    """
    match = CELL.fullmatch(text)
    if not match or not text:
        raise BadText(f"{text!r:.60} is not a vertex: write for example 2b1r")
    stacks = tuple((LETTERS.index(letter), int(n)) for n, letter in STACK.findall(match[3]))
    colours = [colour for colour, _ in stacks]
    if len(set(colours)) < len(colours):
        raise BadText(f"{text!r:.60} names a colour twice")
    colour = None if match[1] is None else LETTERS.index(match[1].lower())
    if max([*colours, -1 if colour is None else colour], default=0) >= n_players:
        raise BadText(f"{text!r:.60} has a colour that nobody plays: there are {n_players} players")
    if colour is None:
        return CellText(None, 0, stacks)
    if loyalty == 0:
        raise BadText(f"{text!r:.60} has an owner, which needs another loyalty than zero")
    times = int(match[2] or loyalty) if loyalty > 1 else 1
    if times > loyalty or (loyalty == 1 and match[2]) or (loyalty > 1 and not match[2]):
        form = "R:1r" if loyalty == 1 else f"R1:1r, with a number from 1 to {loyalty}"
        raise BadText(f"{text!r:.60} does not say how often it has taken a colour: write {form}")
    return CellText(colour, times, stacks)


def write_cell(board: WideBoard, state: State, vertex: int, cell: CellText) -> None:
    """Put what a text says on an empty vertex.

    Raises
    ------
    BadText
        If more tokens lie on the board than a game can hold.
    """
    for place, (colour, n) in enumerate(reversed(cell.stacks)):
        state[tokens_at(board) + vertex * board.n_players + colour] = n
        state[totals_at(board) + vertex] += n
        state[on_board_at(board) + colour] += n
        if place < MOST_ORDER:
            state[order_at(board) + vertex] |= colour + 1 << COLOUR_BITS * place
        if sum(on_board_of(board, state)) > MOST_TOKENS // 2:
            raise BadText(f"more than {MOST_TOKENS // 2:,} tokens on the board are too many")
    if cell.colour is not None:
        state[taken_at(board) + vertex] = cell.times << COLOUR_BITS | cell.colour + 1
        state[coloured_at(board) + cell.colour] += 1
        state[N_OWNED] += cell.times == board.loyalty


def cell_words(board: WideBoard, state: State, vertex: int) -> str:
    """Write what is on a vertex; nothing if it is empty."""
    tokens = counts_of(board, state, vertex)
    order = int(state[order_at(board) + vertex])
    colours = []
    while order:
        colours.append((order & COLOUR) - 1)
        order >>= COLOUR_BITS
    colours += [c for c, n in enumerate(tokens) if n and c not in colours]
    stacks = "".join(f"{tokens[colour]}{LETTERS[colour]}" for colour in reversed(colours))
    if (colour := colour_of(board, state, vertex)) is None:
        return stacks
    times = str(int(state[taken_at(board) + vertex]) >> COLOUR_BITS) if board.loyalty > 1 else ""
    return f"{LETTERS[colour].upper()}{times}:{stacks}"


def counts_of(board: WideBoard, state: State, vertex: int) -> tuple[int, ...]:
    """The tokens of each colour on a vertex."""
    row = tokens_at(board) + vertex * board.n_players
    return tuple(int(n) for n in state[row : row + board.n_players])


def colour_of(board: WideBoard, state: State, vertex: int) -> int | None:
    """The colour that a vertex has taken."""
    if board.loyalty == 0:
        return None
    code = int(state[taken_at(board) + vertex]) & COLOUR
    return code - 1 if code else None


def on_board_of(board: WideBoard, state: State) -> tuple[int, ...]:
    """The tokens of each colour on the board."""
    at = on_board_at(board)
    return tuple(int(n) for n in state[at : at + board.n_players])
