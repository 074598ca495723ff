"""LabDatabase: boards, games and stores in a folder on disk, which survive restarts."""

import json
import re
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from pydantic import with_config
from typing_extensions import TypedDict

from topple.arena.store.files import APPLICATION as STORE_APPLICATION
from topple.arena.store.files import LAB_APPLICATION
from topple.arena.store.store import Store, open_store
from topple.boards import Board, board_from_json, board_to_json
from topple.core.errors import BadText, StoreError, ToppleError
from topple.game.record import Record, read_json
from topple.lab import limits
from topple.lab.data.views import EXACT

FILE = "lab.db"
VERSION = 1
TABLES = {"boards", "games", "stores", "asked"}
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

_PLANNED = "planned"  # stored beside a tournament's settings: its number of games
_GAMES_SIZE = "SELECT count(*), coalesce(sum(length(record)), 0) FROM games"
# The least recently used boards go, once there are too many or they take up too much.
_DROP_BOARDS = """
DELETE FROM boards WHERE digest IN (
    SELECT digest FROM (
        SELECT digest, row_number() OVER latest AS place, sum(length(data)) OVER latest AS size
        FROM boards WINDOW latest AS (ORDER BY kept DESC ROWS UNBOUNDED PRECEDING)
    ) WHERE place > ? OR (size > ? AND place > 1)
)
"""

# A store's name is shown and typed; its file has another one.
_STORE_NAME = re.compile(rf"\w(?:[\w .+-]{{0,{limits.NAME - 2}}}\w)?")

StoreStamp = tuple[int, ...]


class NotFound(ToppleError):
    """Something that was asked for by its name does not exist."""


class GameSummary(TypedDict):
    """What a list of games shows of a game."""

    game: str
    board: str
    plies: int
    result_text: str
    players: list[str]


@with_config(EXACT)
class GameReply(GameSummary):
    """A kept game in a list."""

    id: int
    name: str
    saved: str


class StoreFile(NamedTuple):
    """A store of games that the page may look into."""

    name: str
    path: Path
    is_own: bool  # made here, so that tournaments may play into it

    def open(self) -> Store:
        """Open the store for reading, even while somebody plays into it."""
        return open_store(self.path, read_only=True, check=False)

    def stamp(self) -> StoreStamp | None:
        """Numbers that change with every change of the store; None while it has no file."""
        if not self.path.exists():
            return None
        log = self.path.with_name(f"{self.path.name}-wal")
        moments = [path.stat().st_mtime_ns for path in (self.path, log) if path.exists()]
        with self.open() as store:
            return store.n_games(), *moments


class LabDatabase:
    """Boards, games and the names of stores, in a folder. Thread-safe.

    Parameters
    ----------
    folder : Path
        The folder; it is made if it does not exist.
    others : sequence of Path
        Stores from elsewhere, which are only read.

    Raises
    ------
    ToppleError
        If the folder cannot be used, or one of the stores does not exist.
    """

    def __init__(self, folder: Path, others: Sequence[Path] = ()) -> None:
        self.folder = folder
        self._lock = Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise ToppleError(f"{folder} cannot be made: {error.strerror}") from None
        self._connection = _open(folder / FILE)
        self._others = _existing(others)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    # Boards.

    def keep_board(self, board: Board) -> str:
        """Store a board; returns its digest."""
        data = json.dumps(board_to_json(board), ensure_ascii=False)
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO boards SELECT ?, ?, coalesce(max(kept), 0) + 1 FROM boards",
                (board.digest, data),
            )
            connection.execute(_DROP_BOARDS, (limits.KEPT_BOARDS, limits.KEPT_BOARD_BYTES))
        return board.digest

    def board(self, digest: str) -> Board | None:
        """The stored board of a digest; None if there is none.

        Raises
        ------
        BadBoard
            If it is damaged.
        """
        rows = self._all("SELECT data FROM boards WHERE digest = ?", digest)
        return board_from_json(_json(rows[0][0])) if rows else None

    def latest_boards(self, most: int) -> list[tuple[str, str]]:
        """The digests and names of the boards that were kept last, latest first."""
        found = self._all(
            "SELECT digest, coalesce(json_extract(data, '$.spec'), '') FROM boards"
            " WHERE json_type(data) = 'object' ORDER BY kept DESC LIMIT ?",
            most,
        )
        return [(digest, name) for digest, name in found if name]

    # Games.

    def keep_game(self, name: str, record: Record, summary: GameSummary) -> int:
        """Store a game under a new number, which is returned.

        Raises
        ------
        BadText
            If there are too many games already.
        """
        saved = datetime.now(UTC).isoformat(timespec="seconds")
        summary_text = json.dumps(summary, ensure_ascii=False)
        with self._writing() as connection:
            n, n_bytes = connection.execute(_GAMES_SIZE).fetchone()
            if n >= limits.KEPT_GAMES:
                raise BadText(f"{n:,} games are kept already: remove some first")
            if n_bytes >= limits.KEPT_GAME_BYTES:
                raise BadText(f"the games that are kept take up {n_bytes:,} bytes: remove some")
            added = connection.execute(
                "INSERT INTO games (saved, name, summary, record) VALUES (?, ?, ?, ?)",
                (saved, name, summary_text, record.to_json()),
            )
            return int(added.lastrowid or 0)

    def games(self) -> list[GameReply]:
        """A summary of every game, the last one first."""
        rows = self._all("SELECT id, saved, name, summary FROM games ORDER BY id DESC")
        return [
            {"id": number, "name": name, "saved": saved, **_summary(summary)}
            for number, saved, name, summary in rows
        ]

    def game(self, number: int) -> tuple[str, Record]:
        """A game's name and its record.

        Raises
        ------
        NotFound
            If there is no such game.
        BadRecord
            If it is damaged.
        """
        rows = self._all("SELECT name, record FROM games WHERE id = ?", number)
        if not rows:
            raise NotFound(f"game {number} is not kept here")
        return str(rows[0][0]), Record.from_json(rows[0][1])

    def remove_game(self, number: int) -> None:
        """Forget a game.

        Raises
        ------
        NotFound
            If there is no such game.
        """
        with self._writing() as connection:
            if not connection.execute("DELETE FROM games WHERE id = ?", (number,)).rowcount:
                raise NotFound(f"game {number} is not kept here")

    # Stores.

    def stores(self) -> list[StoreFile]:
        """The stores that were made here, by name, then those from elsewhere."""
        rows = self._all("SELECT name, file FROM stores ORDER BY name")
        own = [StoreFile(name, self.folder / file, True) for name, file in rows]
        return [*own, *_named_files(self._others, [name for name, _ in rows])]

    def find_store(self, name: str) -> StoreFile | None:
        """The store of a name; None if there is none."""
        return next((each for each in self.stores() if each.name == name), None)

    def store(self, name: str) -> StoreFile:
        """The store of a name.

        Raises
        ------
        NotFound
            If there is none.
        """
        found = self.find_store(name)
        if found is None:
            raise NotFound("there is no store of that name")
        return found

    def own_store(self, name: str) -> StoreFile:
        """The store of a name that tournaments may play into; a new name makes a new store.

        Raises
        ------
        BadText
            If the name is not allowed, belongs to a store from elsewhere, or there
            are too many stores.
        """
        known = self.stores()
        found = next((each for each in known if each.name == name), None)
        if found is not None and not found.is_own:
            raise BadText(f"{name} comes from elsewhere and is only read: choose another name")
        if found is not None:
            return found
        if not _STORE_NAME.fullmatch(name):
            raise BadText(
                f"a store's name has at most {limits.NAME} characters: "
                "letters, digits, blanks and . + - _"
            )
        if len(known) >= limits.KEPT_STORES:
            raise BadText(f"{limits.KEPT_STORES} stores are kept already: play into one of them")
        file = f"store-{secrets.token_hex(8)}.db"
        with self._writing() as connection:
            connection.execute("INSERT OR IGNORE INTO stores VALUES (?, ?)", (name, file))
        return self.own_store(name)

    def save_tournament(self, store: str, settings: Mapping[str, Any], n_games: int) -> None:
        """Save the last tournament requested for a store, so that the page can continue it."""
        text = json.dumps({**settings, _PLANNED: n_games}, ensure_ascii=False)
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO asked VALUES (?, ?)", (store, text))

    def tournament(self, store: str) -> tuple[dict[str, Any], int] | None:
        """The last tournament requested for a store: settings and number of games, or None."""
        rows = self._all("SELECT tournament FROM asked WHERE store = ?", store)
        if not rows:
            return None
        settings = dict(_json(rows[0][0]))
        return settings, int(settings.pop(_PLANNED, 0))

    # The file.

    def _all(self, query: str, *values: object) -> list[Any]:
        with self._lock, _errors_named(self.folder / FILE):
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is stored or nothing."""
        with self._lock, _errors_named(self.folder / FILE), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection


def _open(path: Path) -> sqlite3.Connection:
    with _errors_named(path):
        connection = sqlite3.connect(
            path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        try:
            _check_format(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_SCHEMA)
            connection.execute(f"PRAGMA application_id = {LAB_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        except BaseException:
            connection.close()
            raise
        return connection


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is neither new nor a lab's database of this version or an older one."""
    application, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version")
    )
    tables = {
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not name.startswith("sqlite_")
    }
    is_new = application == version == 0 and tables <= TABLES
    # Earlier versions gave it the id of the arena's stores: the tables tell them apart.
    is_old = application == STORE_APPLICATION and tables == TABLES
    if not (is_new or is_old or application == LAB_APPLICATION):
        raise StoreError(f"{path} is not a lab's database: name another folder with --folder")
    if version > VERSION:
        raise StoreError(f"{path} was written by a newer topple: update this one")


@contextmanager
def _errors_named(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into a StoreError of one line that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from None


def _json(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError as error:
        raise StoreError(f"the lab's database is damaged: {error}") from None


def _summary(text: str) -> GameSummary:
    found: GameSummary = _json(text)
    return found


def _existing(paths: Sequence[Path]) -> list[Path]:
    for path in paths:
        if not path.is_file():
            raise ToppleError(f"{path}: there is no such store")
    return list(paths)


def _named_files(paths: Sequence[Path], taken: Sequence[str]) -> list[StoreFile]:
    """Files under different names: their own, with a number where that one is taken."""
    files: list[StoreFile] = []
    for path in paths:
        names, name, number = {*taken, *(each.name for each in files)}, path.stem, 1
        while name in names:
            number += 1
            name = f"{path.stem} {number}"
        files.append(StoreFile(name, path, False))
    return files
