"""Saved games: reading files with line numbers, writing them whole or not at all."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from topple.bridges.hex import game_files as hex_files
from topple.bridges.hexworld import is_address
from topple.core.errors import BadRecord, BadText, ToppleError
from topple.game.game import Game
from topple.game.position import Position
from topple.game.record import LONGEST, Record


class SavedGame(NamedTuple):
    """A record and where it was found; an error in it names the place."""

    place: str  # such as `games.jsonl line 3`
    record: Record

    def load_game(self) -> Game:
        """The game that was played."""
        with named_place(self.place):
            return self.record.load_game()

    def positions(self) -> Iterator[Position]:
        """Every position of the game, the moves and the result checked."""
        with named_place(self.place):
            yield from self.record.positions()

    def replay(self) -> Position:
        """The last position, every move and the result checked."""
        with named_place(self.place):
            return self.record.replay()


@contextmanager
def named_place(place: str) -> Iterator[None]:
    """Say in any error of a record where the record is."""
    try:
        yield
    except BadText as error:
        raise BadRecord(f"{place}: {error}") from None


def read_games(name: str) -> Iterator[SavedGame]:
    """Each saved game of a file (`-`: of stdin), one a line.

    SGF, addresses of HexWorld's in a file, and such an address itself are read too.

    Raises
    ------
    BadRecord
        If a line is no record or there is none at all.
    """
    if name == "-":
        yield from _games_of(sys.stdin.buffer, "stdin")
    elif is_address(name):
        yield from _foreign_games(name.encode(), "the address")
    else:
        with Path(name).open("rb") as stream:
            yield from _games_of(stream, name)


def _games_of(stream: BinaryIO, name: str) -> Iterator[SavedGame]:
    """The games of a file: records, or what another Hex program has written."""
    found = False
    number = 0
    while line := stream.readline(4 * LONGEST):
        if not found and hex_files.is_foreign(line):
            yield from _foreign_games(line + stream.read(hex_files.LARGEST), name)
            return
        number += 1
        if line.strip():
            found = True
            yield _read_line(line, f"{name} line {number}")
    if not found:
        raise BadRecord(f"{name} holds no record")


def _foreign_games(content: bytes, name: str) -> Iterator[SavedGame]:
    """The games that another Hex program has written."""
    from topple.core.progress import report_line

    with named_place(name):
        games = hex_files.read_games(content)
    for number, (record, n_variations) in enumerate(games, start=1):
        place = name if len(games) == 1 else f"{name} game {number}"
        if n_variations:
            lines = "1 variation is" if n_variations == 1 else f"{n_variations:,} variations are"
            report_line(f"{place}: {lines} left out, the main line alone is read")
        yield SavedGame(place, record)


def _read_line(line: bytes, place: str) -> SavedGame:
    with named_place(place):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            raise BadRecord("the record is not UTF-8 text") from None
        return SavedGame(place, Record.from_json(text.strip()))


def read_one_game(name: str) -> SavedGame:
    """The saved game of a file that holds just one.

    Raises
    ------
    BadRecord
        If it is damaged or not alone.
    """
    games = list(read_games(name))
    if len(games) > 1:
        raise BadRecord(f"{name} holds {len(games)} games: give a file with one")
    return games[0]


def check_writable(path: Path) -> None:
    """Refuse early a place where no record can be written.

    Raises
    ------
    ToppleError
        If the folder does not exist, or something that is no file is in the way.
    """
    if path.exists() and not path.is_file():
        raise ToppleError(f"{path} is not a file")
    if not path.parent.is_dir():
        raise ToppleError(f"{path} cannot be written: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise ToppleError(f"{path} cannot be written: the folder {path.parent} is read-only")


def file_exists(path: Path) -> ToppleError:
    """The refusal to replace a file."""
    return ToppleError(f"{path} exists already: choose another name (only --save --force replaces)")


def write_record(record: Record, path: Path, *, force: bool = False) -> None:
    """Write a record as one line; a different file stays unless `force` is set.

    Raises
    ------
    ToppleError
        If a different file is there already or the file cannot be written.
    """
    from topple.core.files import write_whole

    check_writable(path)
    content = f"{record.to_json()}\n".encode()
    if path.exists() and not force and path.read_bytes() != content:
        raise file_exists(path)
    write_whole(path, content)
