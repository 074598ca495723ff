"""Texts of moves and positions: helpers for all games, and the defaults.

A rules module may define any of

    move_text(game, move), parse_move(game, text)
    move_vertex(game, move)              the vertex that a move is made on, or None
    move_target(game, move)              the vertex that a move leads to, or None
    cell_text(game, state, vertex)       what is on a vertex, in short; "" if nothing
    cell(game, state, vertex)            the same as numbers: a `Cell`
    layers(game, state)                  the cells of all vertices as arrays: `Layers`
    tallies(game, state)                 counts for each player, by name
    counters(game, state)                counts that belong to no player, by name
    borders(game, state)                 the owners of top and bottom, and of left and right
    picture(game, state)                 the position for a terminal; by default its cells
    headline(game, state)                one line about the position
    position_text(game, state), parse_position(game, text, state)
    reason(game, state)                  why the game is over
    step_text(game, before, vertex, state)   what happened at a vertex

The functions whose names begin with `default_` replace those that it does not define.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.core.errors import BadText, unknown
from topple.rules.interface import DRAWN, PLAYER, STATUS, GameLike, State

LONGEST = 4_000_000  # characters of a position's text

Tallies = tuple[tuple[str, tuple[int, ...]], ...]  # names, each with a number per player
Counters = tuple[tuple[str, int], ...]  # names, each with a number


class Cell(NamedTuple):
    """What is on a vertex, as numbers, for code that knows no game."""

    owner: int | None = None  # the player to whom it belongs
    counts: tuple[int, ...] = ()  # tokens, pieces or power of each player; empty if none are
    gone: bool = False  # whether it has left the board


class Layers(NamedTuple):
    """What is on all vertices, as arrays, for programs that need many positions fast."""

    counts: NDArray[np.int32]  # shape (players, n), or (0, n) where nothing is counted
    owners: NDArray[np.int32]  # shape (n,): the player to whom each belongs, −1 for nobody
    gone: NDArray[np.bool_]  # shape (n,): whether it has left the board


def stack_of(n_players: int, owner: int, size: int) -> Cell:
    """The cell of a vertex that holds `size` pieces of one player.

    >>> stack_of(2, 1, 3)
    Cell(owner=1, counts=(0, 3), gone=False)
    """
    return Cell(owner, tuple(size if player == owner else 0 for player in range(n_players)))


def vertex_text(game: GameLike, move: int) -> str:
    """Write a move that is a vertex: its label."""
    return game.board.labels[move]


def parse_vertex(game: GameLike, text: str) -> int:
    """Read a move that is a vertex: its label, in any case if that is unambiguous.

    Raises
    ------
    BadText
        If no vertex has that label.
    """
    label = text.strip()
    if label in game.board.vertex_of:
        return game.board.vertex_of[label]
    same = [v for v, own in enumerate(game.board.labels) if own.lower() == label.lower()]
    if len(same) == 1:
        return same[0]
    if game.board.n_vertices > 30:
        first, last = game.board.labels[0], game.board.labels[-1]
        raise BadText(f"no vertex is called {label!r}: labels run from {first} to {last}")
    raise BadText(unknown("vertex", label, game.board.labels))


def default_move_vertex(game: GameLike, move: int) -> int | None:
    """The move itself, if it is a vertex."""
    return move if move < game.board.n_vertices else None


def parse_player(game: GameLike, text: str) -> int:
    """Read a player's name, in any case.

    Raises
    ------
    BadText
        If no player has that name.
    """
    names = [name.lower() for name in game.players]
    if text.lower() not in names:
        raise BadText(unknown("player", text, game.players))
    return names.index(text.lower())


def cells_text(cells: Sequence[str]) -> str:
    """Join the texts of the vertices by commas; a number stands for that many empty ones.

    >>> cells_text(["", "", "A1", "", "B2"])
    '2,A1,1,B2'
    """
    parts: list[str] = []
    n_empty = 0
    for cell in [*cells, None]:
        if cell == "":
            n_empty += 1
            continue
        if n_empty:
            parts.append(str(n_empty))
            n_empty = 0
        if cell:
            parts.append(cell)
    return ",".join(parts)


def parse_cells(text: str, n: int) -> list[str]:
    """Read what `cells_text` wrote, for a board of n vertices.

    >>> parse_cells("2,A1,1,B2", 5)
    ['', '', 'A1', '', 'B2']

    Raises
    ------
    BadText
        If the parts do not describe n vertices.
    """
    if len(text) > LONGEST:
        raise BadText(f"a position of {len(text):,} characters is too long")
    cells: list[str] = []
    for part in text.split(","):
        if re.fullmatch(r"[1-9][0-9]{0,6}", part):
            cells.extend([""] * min(int(part), n + 1))
        else:
            cells.append(part)
        if len(cells) > n:
            break
    if len(cells) != n or "" in text.split(","):
        raise BadText(f"the position does not describe the board's {n} vertices")
    return cells


def parse_pair(text: str) -> tuple[int, int]:
    """Read two whole numbers joined by a hyphen.

    >>> parse_pair("5-4")
    (5, 4)

    Raises
    ------
    BadText
        If it is anything else.
    """
    match = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", text)
    if not match:
        raise BadText(f"{text!r} is not a pair of numbers: write for example 5-4")
    return int(match[1]), int(match[2])


def parse_count(text: str, most: int, what: str) -> int:
    """Read a whole number from 0 to `most`.

    Raises
    ------
    BadText
        If it is anything else.
    """
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > most:
        raise BadText(f"{text!r} is not a number of {what} from 0 to {most}")
    return int(text)


def position_line(game: GameLike, state: State, cells: Sequence[str], tail: str) -> str:
    """Write a position as three words: the cells, the player to move, and the rest."""
    return f"{cells_text(cells)} {game.players[state[PLAYER]]} {tail}"


def parse_position_line(game: GameLike, text: str, form: str) -> tuple[list[str], int, str]:
    """Read what `position_line` wrote: the cells, the player to move, and the rest.

    Raises
    ------
    BadText
        If it is not three such words; `form` says what they should be.
    """
    words = text.split()
    if len(words) != 3:
        raise BadText(f"write the position as: {form}")
    cells = parse_cells(words[0], game.board.n_vertices)
    return cells, parse_player(game, words[1]), words[2]


# The defaults.


def default_position_text(game: GameLike, state: State) -> str:
    """Write the state's numbers, separated by dots."""
    return ".".join(str(number) for number in state)


def default_parse_position(game: GameLike, text: str, state: State) -> None:
    """Read the numbers that `default_position_text` wrote."""
    parts, n = text.strip().split("."), game.sizes.state
    if len(parts) != n or not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise BadText(f"write the position as {n} numbers separated by dots")
    state[:n] = [int(part) for part in parts]
    if state[0] >= len(game.players):
        raise BadText(f"there is no player {state[0]}")


def default_move_target(game: GameLike, move: int) -> int | None:
    """None: a move stays on its vertex."""
    return None


def default_cell(game: GameLike, state: State, vertex: int) -> Cell:
    """Nothing: the rules do not say what is on a vertex."""
    return Cell()


def layers_of(cells: Sequence[Cell]) -> Layers:
    """Cells as arrays.

    >>> layers_of([Cell(1, (0, 3)), Cell(None, (0, 0))]).counts
    array([[0, 0],
           [3, 0]], dtype=int32)
    """
    counts = np.array([cell.counts for cell in cells], dtype=np.int32).T
    owners = [-1 if cell.owner is None else cell.owner for cell in cells]
    gone = np.array([cell.gone for cell in cells])
    return Layers(counts, np.array(owners, dtype=np.int32), gone)


def stacks_of(
    n_players: int, owners: NDArray[np.int32], sizes: NDArray[np.int32]
) -> NDArray[np.int32]:
    """The pieces of each player, shape (players, n), if each vertex holds those of one player."""
    return np.where(owners == np.arange(n_players)[:, None], sizes, 0).astype(np.int32)


def default_tallies(game: GameLike, state: State) -> Tallies:
    """Nothing is counted."""
    return ()


def default_counters(game: GameLike, state: State) -> Counters:
    """Nothing is counted."""
    return ()


def default_borders(game: GameLike, state: State) -> tuple[int, ...]:
    """The sides of the board have no owners."""
    return ()


def default_cell_text(game: GameLike, state: State, vertex: int) -> str:
    """Nothing: the rules do not say what is on a vertex."""
    return ""


def default_headline(game: GameLike, state: State) -> str:
    """No headline."""
    return ""


def default_reason(game: GameLike, state: State) -> str:
    """The bare result."""
    return "draw" if state[STATUS] == DRAWN else "win"


def default_step_text(game: GameLike, before: State, vertex: int, state: State) -> str:
    """Name the vertex that acted."""
    return game.board.labels[vertex]
