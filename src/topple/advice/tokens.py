"""Positions of Spread-It from tables of tokens."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from topple.boards import Board
from topple.boards.files.reading import read_text
from topple.core.errors import BadBoard, BadText, Unsupported, unknown
from topple.core.text import one_line, plural
from topple.game import Game, Position
from topple.rules.interface import PLAYER
from topple.rules.spread_it.board import BLACK, LEFT, ON_BOARD, OWNED, RED, TOKENS
from topple.rules.spread_it.rules import MOST_TOKENS, NAME
from topple.rules.spread_it.wide.board import WideBoard

# Names for the column of vertices; the first of them that the table has counts.
VERTEX_NAMES = ("vertex", "label", "node", "name", "id")
COLOURS = ("black", "red")
NO_OWNER = ("", "-", "none", "nobody")

COME_AND_GO = "where thresholds differ from degrees, tokens come and go"

Row = tuple[int, dict[str, str]]  # line number, cells by column


@dataclass(frozen=True)
class Tokens:
    """The tokens and owners of a board's vertices, by number; other vertices are empty."""

    counts: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # black and red
    owners: Mapping[int, int] = field(default_factory=dict)  # 0 is Black, 1 is Red

    @property
    def total(self) -> int:
        """The number of tokens on the board."""
        return sum(black + red for black, red in self.counts.values())


def read_tokens(game: Game, path: str | Path) -> Tokens:
    """Read a table with the columns vertex, black, red and, under full loyalty, owner.

    The first line names the columns, in any order; other columns are ignored. A vertex that is
    not listed is empty.

    Parameters
    ----------
    game : Game
        Spread-It on the board whose labels the table uses.
    path : path
        A CSV file in UTF-8 with commas, semicolons or tabs.

    Raises
    ------
    BadText
        If it is not such a table, or a vertex would fire; the message names the file and the
        line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import topple
    >>> game = topple.load("spread-it", board="karate")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "tokens.csv")
    ...     _ = file.write_text("vertex,black,red\\n34,2,1\\n1,0,3\\n")
    ...     read_tokens(game, file).counts
    {33: (2, 1), 0: (0, 3)}
    """
    try:
        return parse_tokens(game, read_text(Path(path)))
    except (BadBoard, BadText) as error:
        raise BadText(f"{path}: {error}") from None


def parse_tokens(game: Game, text: str) -> Tokens:
    """Read the text of such a table.

    Raises
    ------
    BadText
        As for `read_tokens`, without the file's name.
    """
    check_table(game)
    counts: dict[int, tuple[int, int]] = {}
    owners: dict[int, int] = {}
    line_of: dict[int, int] = {}
    n_tokens = 0
    for line, row in _rows(text):
        vertex = _vertex(game.board, line, row["vertex"])
        if vertex in line_of:
            label = game.board.labels[vertex]
            raise BadText(f"line {line}: {label} is there already, in line {line_of[vertex]}")
        line_of[vertex] = line
        black, red = (_count(line, colour, row[colour]) for colour in COLOURS)
        owner = _owner(game, line, row.get("owner", ""))
        if owner is not None:
            owners[vertex] = owner
        else:
            _check_at_rest(game.board, line, vertex, black + red)
        n_tokens += black + red
        if n_tokens > MOST_TOKENS:
            raise BadText(f"line {line}: more than {MOST_TOKENS:,} tokens are too many")
        counts[vertex] = (black, red)
    return Tokens(counts, owners)


def check_game(game: Game) -> None:
    """Raise Unsupported for any game but Spread-It."""
    if game.name != NAME:
        raise Unsupported(f"advice is for {NAME}, and this is {game.spec}")


def check_table(game: Game) -> None:
    """Refuse what a table of tokens cannot describe: in the wider world more than these count.

    Raises
    ------
    Unsupported
        If it is another game, or Spread-It's wider world.
    """
    check_game(game)
    if isinstance(game.tables, WideBoard):
        raise Unsupported(
            f"tables of tokens are for two players on a plain network, and this is {game.spec} on "
            f"{game.board.spec}: give the position as text (--position)"
        )


def _rows(text: str) -> Iterator[Row]:
    """The rows below the header, without empty ones."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    columns: list[str] | None = None
    try:
        for raw in reader:
            cells = [cell.strip() for cell in raw]
            if not any(cells):
                continue
            if columns is None:
                columns = _columns(reader.line_num, cells)
            elif len(cells) > len(columns):
                raise BadText(
                    f"line {reader.line_num} has {len(cells)} cells, and the first line names "
                    f"{len(columns)} columns"
                )
            else:
                missing = [""] * (len(columns) - len(cells))
                yield reader.line_num, dict(zip(columns, cells + missing, strict=True))
    except csv.Error as error:
        raise BadText(f"line {reader.line_num}: {one_line(error)}") from None


def _separator(text: str) -> str:
    """The separator of columns: the one that is most frequent in the first line."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=first.count)


def _columns(line: int, cells: list[str]) -> list[str]:
    """The names of the columns, with `vertex` for the column of vertices."""
    names = [cell.lower() for cell in cells]
    found = next((name for name in VERTEX_NAMES if name in names), None)
    missing = [*(["vertex"] if found is None else []), *(c for c in COLOURS if c not in names)]
    if missing:
        raise BadText(
            f"line {line} names no column {' and no column '.join(missing)}: the first line is "
            "vertex,black,red or vertex,black,red,owner"
        )
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise BadText(f"line {line} names the column {twice} twice")
    assert found is not None
    names = [f"other {name}" if name == "vertex" and name != found else name for name in names]
    names[names.index(found)] = "vertex"
    return [name or f"column {i}" for i, name in enumerate(names)]


def _vertex(board: Board, line: int, label: str) -> int:
    vertex = board.vertex_of.get(label)
    if vertex is not None:
        return vertex
    if not label:
        raise BadText(f"line {line} names no vertex")
    if board.n_vertices > 30:
        raise BadText(
            f"line {line}: no vertex is called {label[:80]!r}: labels run from "
            f"{board.labels[0]} to {board.labels[-1]}"
        )
    raise BadText(f"line {line}: {unknown('vertex', label[:80], board.labels)}")


def _count(line: int, colour: str, cell: str) -> int:
    if cell == "":
        return 0
    if not re.fullmatch(r"[0-9]{1,9}", cell):
        raise BadText(
            f"line {line}: {cell[:40]!r} is no number of {colour} tokens: write a whole number "
            "from 0"
        )
    return int(cell)


def _owner(game: Game, line: int, cell: str) -> int | None:
    name = cell.lower()
    if name in NO_OWNER:
        return None
    if not game.tables.full:
        raise BadText(f"line {line}: vertices have owners only under full loyalty")
    for player, colour in enumerate(COLOURS):
        if name in (colour, colour[0]):
            return player
    raise BadText(f"line {line}: {cell[:40]!r} is no owner: write black, red or nothing")


def _check_at_rest(board: Board, line: int, vertex: int, n_tokens: int) -> None:
    threshold = int(board.thresholds[vertex])
    if n_tokens >= threshold:
        raise BadText(
            f"line {line}: {board.labels[vertex]} fires at {threshold} and would not keep "
            f"{plural(n_tokens, 'token')}"
        )


def position_with(
    game: Game,
    tokens: Tokens,
    left: tuple[int, int] | None = None,
    player: int | None = None,
) -> Position:
    """The position with the given tokens on the board.

    Parameters
    ----------
    game : Game
        Spread-It on some board.
    tokens : Tokens
        As `read_tokens` reads them.
    left : (int, int), optional
        Tokens left to Black and Red; by default what the game gives minus what is on the
        board.
    player : int, optional
        Who is to move: 0 is Black, 1 is Red. By default it follows from the tokens, since
        Black begins.

    Raises
    ------
    BadText
        If the numbers do not match, or nothing is left to play.

    Examples
    --------
    >>> import topple
    >>> game = topple.load("spread-it", board="cycle:6", tokens=3)
    >>> position_with(game, Tokens({0: (1, 0), 2: (0, 1)})).text
    '1b,1,1r,3 Black 2-2'
    >>> position_with(game, Tokens({0: (1, 0)}), left=(1, 2)).text
    '1b,5 Red 1-2'
    """
    check_table(game)
    mover, (black, red) = _turn(game, tokens, left, player)
    state, n = game.scratch_state(), game.board.n_vertices
    for vertex, pair in tokens.counts.items():
        for colour in (BLACK, RED):
            state[TOKENS + colour * n + vertex] = pair[colour]
            state[ON_BOARD + colour] += pair[colour]
    for vertex, owner in tokens.owners.items():
        state[TOKENS + 2 * n + vertex] = owner + 1
        state[OWNED + owner] += 1
    state[PLAYER] = mover
    state[LEFT + BLACK], state[LEFT + RED] = black, red
    if game.tables.full and state[OWNED + BLACK] + state[OWNED + RED] == n:
        raise BadText("every vertex is owned: the game is over")
    if black + red == 0:
        raise BadText("no tokens are left: the game is over")
    return Position(game, state)


def _turn(
    game: Game, tokens: Tokens, left: tuple[int, int] | None, player: int | None
) -> tuple[int, tuple[int, int]]:
    """Who is to move, and the tokens left to Black and Red."""
    if left is None:
        return _turn_by_counts(game, tokens, player)
    if max(left) > MOST_TOKENS:
        raise BadText(f"more than {MOST_TOKENS:,} tokens are too many")
    if player is None and left[BLACK] != left[RED]:
        player = BLACK if left[BLACK] > left[RED] else RED
    if player is None:
        if not game.tables.conserves and tokens.total:
            raise BadText(f"{COME_AND_GO}: say who is to move (--player)")
        player = tokens.total % 2
    if left[player] - left[1 - player] not in (0, 1):
        names = game.players
        raise BadText(
            f"{names[player]} is to move with {left[player]} tokens left, and {names[1 - player]} "
            f"has {left[1 - player]}: the player to move has as many as the other or one more"
        )
    return player, left


def _turn_by_counts(game: Game, tokens: Tokens, player: int | None) -> tuple[int, tuple[int, int]]:
    """The same if the tokens left are not given."""
    given = game.tables.black_tokens + game.tables.red_tokens
    if not game.tables.conserves and tokens.total:
        raise BadText(f"{COME_AND_GO}: say how many are left (--left 5-4)")
    n_left = given - tokens.total
    if n_left < 0:
        raise BadText(
            f"{tokens.total:,} tokens are on the board, and the game gives {given:,}: say how "
            "many each player has from the start (--tokens) or left (--left)"
        )
    mover = tokens.total % 2 if player is None else player
    more, fewer = (n_left + 1) // 2, n_left // 2
    return mover, ((more, fewer) if mover == BLACK else (fewer, more))
