"""Saved games: reading files with line numbers, and writing them completely or not at all."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from topple.bridges.hex import game_files as hex_files
from topple.bridges.hexworld import is_address
from topple.core.errors import BadRecord, BadText, ToppleError
from topple.core.files import write_whole
from topple.core.progress import report_line
from topple.core.text import plural
from topple.game import Game, Position
from topple.game.record import LONGEST, Record


class SavedGame(NamedTuple):
    """A record and the place where it was found, which its errors name."""

    place: str  # such as `games.jsonl line 3`
    record: Record

    def load_game(self) -> Game:
        """The game that was played."""
        with named_place(self.place):
            return self.record.load_game()

    def positions(self) -> Iterator[Position]:
        """Every position of the game; checks the moves and the result."""
        with named_place(self.place):
            yield from self.record.positions()

    def replay(self) -> Position:
        """The last position; checks every move and the result."""
        with named_place(self.place):
            return self.record.replay()


@contextmanager
def named_place(place: str) -> Iterator[None]:
    """Prefix any error of a record with the record's place."""
    try:
        yield
    except BadText as error:
        raise BadRecord(f"{place}: {error}") from None


def read_games(name: str) -> Iterator[SavedGame]:
    """Each saved game of a file, or of stdin for `-`, one per line.

    Also reads SGF and HexWorld addresses, in a file or as `name` itself.

    Raises
    ------
    BadRecord
        If a line is not a record, or there is none.
    """
    if name == "-":
        yield from _games_of(sys.stdin.buffer, "stdin")
    elif is_address(name):
        yield from _foreign_games(name.encode(), "the address")
    else:
        with Path(name).open("rb") as stream:
            yield from _games_of(stream, name)


def _games_of(stream: BinaryIO, name: str) -> Iterator[SavedGame]:
    """The games of a file: records, or another Hex program's games."""
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
    """The games of another Hex program."""
    with named_place(name):
        games = hex_files.read_games(content)
    for number, (record, n_variations) in enumerate(games, start=1):
        place = name if len(games) == 1 else f"{name} game {number}"
        if n_variations:
            left_out = plural(n_variations, "variation is", "variations are")
            report_line(f"{place}: {left_out} left out, only the main line is read")
        yield SavedGame(place, record)


def _read_line(line: bytes, place: str) -> SavedGame:
    with named_place(place):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            raise BadRecord("the record is not UTF-8 text") from None
        return SavedGame(place, Record.from_json(text.strip()))


def read_one_game(name: str) -> SavedGame:
    """The saved game of a file that holds exactly one.

    Raises
    ------
    BadRecord
        If it is damaged, or one of several.
    """
    games = list(read_games(name))
    if len(games) > 1:
        raise BadRecord(f"{name} holds {len(games)} games: give a file with one")
    return games[0]


def check_writable(path: Path) -> None:
    """Refuse a path where no file can be written.

    Raises
    ------
    ToppleError
        If the folder does not exist or is read-only, or the path is not a file.
    """
    if path.exists() and not path.is_file():
        raise ToppleError(f"{path} is not a file")
    if not path.parent.is_dir():
        raise ToppleError(f"{path} cannot be written: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise ToppleError(f"{path} cannot be written: the folder {path.parent} is read-only")


def file_exists(path: Path) -> ToppleError:
    """The error for a file that would be replaced."""
    return ToppleError(f"{path} exists already: choose another name (only --save --force replaces)")


def write_record(record: Record, path: Path, *, force: bool = False) -> None:
    """Write a record as one line; a different file is only replaced if `force` is set.

    Raises
    ------
    ToppleError
        If a different file is there already or the file cannot be written.
    """
    check_writable(path)
    content = f"{record.to_json()}\n".encode()
    if path.exists() and not force and path.read_bytes() != content:
        raise file_exists(path)
    write_whole(path, content)
