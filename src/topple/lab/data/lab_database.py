"""Kept: a folder on disk with boards, games and stores, which survives restarts."""

import json
import os
import re
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from topple.boards import Board, board_from_json, board_to_json
from topple.core.errors import BadText, StoreError, ToppleError
from topple.game.record import Record, read_json
from topple.lab import limits

FILE = "lab.db"
APPLICATION, VERSION = 0x746F7070, 1
PATIENCE = 5.0  # seconds to wait for another process that writes

_SCHEMA = """
CREATE TABLE IF NOT EXISTS boards (
    digest TEXT PRIMARY KEY, data TEXT NOT NULL, kept INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY AUTOINCREMENT, saved TEXT NOT NULL, name TEXT NOT NULL,
    summary TEXT NOT NULL, record TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS stores (name TEXT PRIMARY KEY, file TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS asked (store TEXT PRIMARY KEY, tournament TEXT NOT NULL);
"""

_PLANNED = "planned"  # beside what was asked: how many games that is
_ROOM = "SELECT count(*), coalesce(sum(length(record)), 0) FROM games"
# The boards that were not used longest go, once there are too many or they take up too much.
_DROP_BOARDS = """
DELETE FROM boards WHERE digest IN (
    SELECT digest FROM (
        SELECT digest, row_number() OVER latest AS place, sum(length(data)) OVER latest AS room
        FROM boards WINDOW latest AS (ORDER BY kept DESC ROWS UNBOUNDED PRECEDING)
    ) WHERE place > ? OR (room > ? AND place > 1)
)
"""

# A store's name is shown and typed; its file has another one.
_STORE_NAME = re.compile(r"\w(?:[\w .+-]{0,58}\w)?")


class StoreFile(NamedTuple):
    """A store of games that the page may look into."""

    name: str
    path: Path
    is_own: bool  # made here, so that tournaments may play into it


def data_folder() -> Path:
    """Where the lab keeps things unless another folder is named: the user's data folder.

    Raises
    ------
    ToppleError
        If the user has no home.
    """
    try:
        user = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    except RuntimeError:
        raise ToppleError(
            "there is no home to keep games in: name a folder with --folder"
        ) from None
    return Path(user) / "topple" / "lab"


class Kept:
    """What the lab keeps on disk. Several threads may use it.

    Parameters
    ----------
    folder : Path
        Where; it is made if it does not exist.
    others : sequence of Path
        Stores from elsewhere that are only read.

    Raises
    ------
    ToppleError
        If the folder cannot be used, or a store is not there.
    """

    def __init__(self, folder: Path, others: Sequence[Path] = ()) -> None:
        self.folder = folder
        self._lock = Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise ToppleError(f"{folder} cannot be made: {error.strerror}") from None
        self._connection = _open(folder / FILE)
        self._others = _files(others)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    # Boards.

    def keep_board(self, board: Board) -> str:
        """Keep a board; returns its digest."""
        data = json.dumps(board_to_json(board), ensure_ascii=False)
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO boards SELECT ?, ?, coalesce(max(kept), 0) + 1 FROM boards",
                (board.digest, data),
            )
            connection.execute(_DROP_BOARDS, (limits.KEPT_BOARDS, limits.KEPT_BOARD_BYTES))
        return board.digest

    def board(self, digest: str) -> Board | None:
        """The board that is kept under a digest; None if there is none.

        Raises
        ------
        BadBoard
            If it is damaged.
        """
        rows = self._all("SELECT data FROM boards WHERE digest = ?", digest)
        return board_from_json(_json(rows[0][0])) if rows else None

    # Games.

    def keep_game(self, name: str, record: Record, summary: Mapping[str, Any]) -> int:
        """Keep a game under a new number; `summary` is what a list of games tells of it.

        Raises
        ------
        BadText
            If there are too many games already.
        """
        saved = datetime.now(UTC).isoformat(timespec="seconds")
        told = json.dumps(dict(summary), ensure_ascii=False)
        with self._writing() as connection:
            n, n_bytes = connection.execute(_ROOM).fetchone()
            if n >= limits.KEPT_GAMES:
                raise BadText(f"{n:,} games are kept already: remove some first")
            if n_bytes >= limits.KEPT_GAME_BYTES:
                raise BadText(f"the games that are kept take up {n_bytes:,} bytes: remove some")
            added = connection.execute(
                "INSERT INTO games (saved, name, summary, record) VALUES (?, ?, ?, ?)",
                (saved, name, told, record.to_json()),
            )
            return int(added.lastrowid or 0)

    def games(self) -> list[dict[str, Any]]:
        """What is told of every game, the last one first."""
        rows = self._all("SELECT id, saved, name, summary FROM games ORDER BY id DESC")
        return [
            {"id": number, "name": name, "saved": saved, **_json(summary)}
            for number, saved, name, summary in rows
        ]

    def game(self, number: int) -> tuple[str, Record] | None:
        """A game's name and its record; None if there is none.

        Raises
        ------
        BadRecord
            If it is damaged.
        """
        rows = self._all("SELECT name, record FROM games WHERE id = ?", number)
        return (str(rows[0][0]), Record.from_json(rows[0][1])) if rows else None

    def remove_game(self, number: int) -> bool:
        """Forget a game; returns whether it was there."""
        with self._writing() as connection:
            return connection.execute("DELETE FROM games WHERE id = ?", (number,)).rowcount > 0

    # Stores.

    def stores(self) -> list[StoreFile]:
        """The stores that were made here, by name, then those from elsewhere."""
        rows = self._all("SELECT name, file FROM stores ORDER BY name")
        own = [StoreFile(name, self.folder / file, True) for name, file in rows]
        return [*own, *_named_files(self._others, [name for name, _ in rows])]

    def store(self, name: str) -> StoreFile | None:
        """The store of a name; None if there is none."""
        return next((each for each in self.stores() if each.name == name), None)

    def own_store(self, name: str) -> StoreFile:
        """The store of a name that tournaments may play into; it is named here if it is new.

        Raises
        ------
        BadText
            If the name is no plain name, is that of a store from elsewhere, or
            there are too many.
        """
        known = self.stores()
        found = next((each for each in known if each.name == name), None)
        if found is not None and not found.is_own:
            raise BadText(f"{name} comes from elsewhere and is only read: choose another name")
        if found is not None:
            return found
        if not _STORE_NAME.fullmatch(name):
            raise BadText("a store's name has up to 60 letters, digits, blanks and . + - _ only")
        if len(known) >= limits.KEPT_STORES:
            raise BadText(f"{limits.KEPT_STORES} stores are kept already: play into one of them")
        file = f"store-{secrets.token_hex(8)}.db"
        with self._writing() as connection:
            connection.execute("INSERT OR IGNORE INTO stores VALUES (?, ?)", (name, file))
        return self.own_store(name)

    def remember_asked(self, store: str, tournament: Mapping[str, Any], n_games: int) -> None:
        """Note what was last asked to be played into a store, so that it can go on."""
        text = json.dumps({**tournament, _PLANNED: n_games}, ensure_ascii=False)
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO asked VALUES (?, ?)", (store, text))

    def asked(self, store: str) -> tuple[dict[str, Any], int] | None:
        """What was last asked to be played into a store, and its number of games.

        None if nothing was.
        """
        rows = self._all("SELECT tournament FROM asked WHERE store = ?", store)
        if not rows:
            return None
        told = dict(_json(rows[0][0]))
        return told, int(told.pop(_PLANNED, 0))

    # The file.

    def _all(self, question: str, *values: object) -> list[Any]:
        with self._lock, _told(self.folder / FILE):
            return self._connection.execute(question, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is kept or nothing."""
        with self._lock, _told(self.folder / FILE), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection


def _open(path: Path) -> sqlite3.Connection:
    with _told(path):
        connection = sqlite3.connect(
            path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        application, version = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        if (application, version) not in ((0, 0), (APPLICATION, VERSION)):
            connection.close()
            raise StoreError(f"{path} is not the lab's own, or of a newer topple")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(_SCHEMA)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        return connection


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say in one line what the file would not do."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from None


def _json(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError as error:
        raise StoreError(f"what is kept is damaged: {error}") from None


def _files(paths: Sequence[Path]) -> list[Path]:
    for path in paths:
        if not path.is_file():
            raise ToppleError(f"{path}: there is no such store")
    return list(paths)


def _named_files(paths: Sequence[Path], taken: Sequence[str]) -> list[StoreFile]:
    """Files under names that differ: their own, with a number where one is taken."""
    files: list[StoreFile] = []
    for path in paths:
        names, name, number = {*taken, *(each.name for each in files)}, path.stem, 1
        while name in names:
            number += 1
            name = f"{path.stem} {number}"
        files.append(StoreFile(name, path, False))
    return files
