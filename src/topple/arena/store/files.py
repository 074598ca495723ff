"""The SQLite file of a store: its tables, how it is opened and checked, what its errors mean."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from topple.core.errors import StoreError
from topple.core.text import one_line
from topple.game.record import LONGEST

_KEPT = "the games stored so far are kept"
_NOT_HERE = "{name} cannot be opened or written here: {reason}"
_MEANINGS = {
    sqlite3.SQLITE_FULL: f"{{name}}: the disk is full: {_KEPT}; make room and give the same "
    "command again",
    sqlite3.SQLITE_IOERR: f"{{name}}: {{reason}}: {_KEPT}; check the disk (is it full?) and "
    "give the same command again",
    sqlite3.SQLITE_BUSY: f"{{name}} is held by another process: {_KEPT}; wait for it, then "
    "give the same command again",
    sqlite3.SQLITE_NOTADB: "{name} is not a store: it is not an SQLite file",
    sqlite3.SQLITE_CORRUPT: "{name} is damaged ({reason}): take an earlier copy, or let SQLite's "
    "own tool save what is left (.recover)",
    sqlite3.SQLITE_READONLY: _NOT_HERE,
    sqlite3.SQLITE_PERM: _NOT_HERE,
    sqlite3.SQLITE_CANTOPEN: _NOT_HERE,
}


@contextmanager
def store_errors(name: str) -> Iterator[None]:
    """Turn errors of SQLite into a StoreError that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(explain(name, error)) from None
    except (OverflowError, UnicodeError) as error:  # a value that SQLite cannot store
        raise StoreError(f"{name} cannot hold a value: {one_line(error)}") from None


def explain(name: str, error: sqlite3.Error) -> str:
    """An error of SQLite on one line: what is wrong and what to do."""
    meaning = _MEANINGS.get(kind_of(error), "{name}: {reason}")
    return meaning.format(name=name, reason=one_line(error))


def kind_of(error: sqlite3.Error) -> int:
    """The number that SQLite gives a kind of error; -1 for errors of Python's own."""
    if str(error).startswith("Could not decode"):
        return sqlite3.SQLITE_CORRUPT
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return -1 if code is None else code & 0xFF


def damaged(name: str, reason: str) -> str:
    """The message about a damaged file."""
    return _MEANINGS[sqlite3.SQLITE_CORRUPT].format(name=name, reason=one_line(reason))


APPLICATION = 0x746F7070  # "topp": tells a store from other people's SQLite files
LAB_APPLICATION = 0x746F706C  # "topl": a lab's database
FORMAT = 1
GROUPS_FORMAT = 2  # of files with games of more than two players, which have one more table

# The columns of each of the two seats; `first_moves` belongs to the first.
_SEATS = ", ".join(
    f"{seat}_{part} NOT NULL"
    for part in ("moves INTEGER", "seconds REAL", "simulations INTEGER", "nodes INTEGER")
    for seat in ("first", "second")
)

# All files of a format have these tables, to the letter. The view is replaced if it differs.
# A game's small columns come before its moves, so that they can be read without the moves.
# Seeds have no type, because those of more than 64 bits are stored as text.
TABLES = {
    "boards": """CREATE TABLE boards (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, data TEXT NOT NULL)""",
    "contests": """CREATE TABLE contests (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, spec TEXT NOT NULL,
    board INTEGER NOT NULL REFERENCES boards, UNIQUE (game, options, board))""",
    "agents": """CREATE TABLE agents (
    id INTEGER PRIMARY KEY, spec TEXT NOT NULL, name TEXT NOT NULL, options TEXT NOT NULL,
    UNIQUE (spec, name, options))""",
    "games": f"""CREATE TABLE games (
    pair TEXT NOT NULL, side INTEGER NOT NULL,
    contest INTEGER NOT NULL REFERENCES contests,
    agent INTEGER NOT NULL REFERENCES agents, opponent INTEGER NOT NULL REFERENCES agents,
    tournament_seed NOT NULL, opening_number INTEGER NOT NULL,
    first_return REAL NOT NULL, second_return REAL NOT NULL,
    ending TEXT, ending_player INTEGER, ending_detail TEXT, reason TEXT NOT NULL,
    plies INTEGER NOT NULL, opening INTEGER NOT NULL,
    {_SEATS},
    seed, topple TEXT NOT NULL, began TEXT NOT NULL, seconds REAL NOT NULL,
    moves_digest TEXT NOT NULL, moves TEXT NOT NULL, move_microseconds TEXT NOT NULL,
    PRIMARY KEY (pair, side))""",
    "games_in_order": """CREATE INDEX games_in_order ON games (
    contest, agent, opponent, tournament_seed, opening_number, pair, side)""",
    "tournaments": """CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY, settings TEXT NOT NULL UNIQUE, first_asked TEXT NOT NULL)""",
}
# The third seat and those after it; the first two are in the game's own row.
FURTHER_SEATS = """CREATE TABLE further_seats (
    pair TEXT NOT NULL, side INTEGER NOT NULL, seat INTEGER NOT NULL,
    agent INTEGER NOT NULL REFERENCES agents, seat_return REAL NOT NULL,
    moves INTEGER NOT NULL, seconds REAL NOT NULL,
    simulations INTEGER NOT NULL, nodes INTEGER NOT NULL,
    PRIMARY KEY (pair, side, seat),
    FOREIGN KEY (pair, side) REFERENCES games (pair, side) ON DELETE CASCADE)"""
VIEW = """CREATE VIEW results AS SELECT
    pair, side, contests.spec AS game, boards.spec AS board,
    CASE side WHEN 0 THEN a.spec ELSE b.spec END AS first,
    CASE side WHEN 0 THEN b.spec ELSE a.spec END AS second,
    first_return, second_return, ending, reason, plies, opening, opening_number,
    tournament_seed, first_seconds, second_seconds, began, seconds
    FROM games JOIN contests ON contests.id = contest JOIN boards ON boards.id = contests.board
    JOIN agents AS a ON a.id = agent JOIN agents AS b ON b.id = opponent"""
# With more than two players `agent` and `opponent` are those in the first two seats.
_SIDE = """CASE WHEN EXISTS (SELECT 1 FROM further_seats AS f
        WHERE f.pair = games.pair AND f.side = games.side) THEN 0 ELSE side END"""
VIEW_WITH_GROUPS = VIEW.replace("CASE side", f"CASE {_SIDE}")


def is_fresh(connection: sqlite3.Connection) -> bool:
    """Whether nothing has been written into the file yet."""
    n_objects = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return not n_objects and _marks(connection) == (0, 0)


def create_tables(connection: sqlite3.Connection) -> None:
    """Make a fresh file a store, unless another process has just done that."""
    with _transaction(connection):
        if is_fresh(connection):
            for statement in (*TABLES.values(), VIEW):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")


def has_groups(connection: sqlite3.Connection) -> bool:
    """Whether the file has the table for more than two players."""
    return _marks(connection)[1] >= GROUPS_FORMAT


def make_room_for_groups(connection: sqlite3.Connection) -> None:
    """Add the table for more than two players, within a transaction, unless it is there.

    Versions of topple that do not know the table then refuse the file, instead of taking
    its games for games of two players.
    """
    if has_groups(connection):
        return
    connection.execute(FURTHER_SEATS)
    connection.execute("DROP VIEW IF EXISTS results")
    connection.execute(VIEW_WITH_GROUPS)
    connection.execute(f"PRAGMA user_version = {GROUPS_FORMAT}")


def renew_view(connection: sqlite3.Connection) -> None:
    """Replace the view of a store that another version of topple has made."""
    view = VIEW_WITH_GROUPS if has_groups(connection) else VIEW
    if _view(connection) == view:
        return
    with _transaction(connection):
        connection.execute("DROP VIEW IF EXISTS results")
        connection.execute(view)


def _view(connection: sqlite3.Connection) -> str | None:
    """The SQL of the view, if there is one."""
    found = connection.execute(
        "SELECT sql FROM sqlite_master WHERE type = 'view' AND name = 'results'"
    ).fetchone()
    return None if found is None else str(found[0])


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _is_of_lab(connection: sqlite3.Connection) -> bool:
    """Whether a file has the tables of a lab's database; old ones carry the id of stores."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    return "asked" in tables and "contests" not in tables


def check_format(connection: sqlite3.Connection, name: str) -> None:
    """Refuse a file that is not a store of this format.

    Other tables, views and indexes in the file are left alone. A trigger is refused,
    because it could change what is stored. The view is not checked, because topple
    does not read it.

    Raises
    ------
    StoreError
        If it is another program's file, of a newer format, or altered.
    """
    application, version = _marks(connection)
    if application == LAB_APPLICATION or (application == APPLICATION and _is_of_lab(connection)):
        raise StoreError(
            f"{name} is the database of a lab, with saved games and boards, and not a store of "
            "games: name one of the store-….db files beside it"
        )
    if application != APPLICATION:
        raise StoreError(
            f"{name} is an SQLite file, but not a store of topple's: name another file"
        )
    if version > GROUPS_FORMAT:
        raise StoreError(
            f"{name} has format {version}, and this version of topple reads up to "
            f"{GROUPS_FORMAT}: it needs a newer topple"
        )
    found = {
        name: (kind, sql)
        for name, kind, sql in connection.execute("SELECT name, type, sql FROM sqlite_master")
    }
    tables = TABLES | ({"further_seats": FURTHER_SEATS} if version == GROUPS_FORMAT else {})
    altered = [each for each, sql in tables.items() if found.get(each, (None, None))[1] != sql]
    if found.get("results", ("view",))[0] != "view":
        altered.append("results")
    if version < FORMAT or altered:
        what = altered[0] if altered else f"format {version}"
        raise StoreError(f"{name} is damaged: its {what} is not as topple made it")
    if connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'trigger'").fetchone():
        raise StoreError(
            f"{name} has a trigger, and topple does not write into such a file: drop it first"
        )


def _marks(connection: sqlite3.Connection) -> tuple[int, int]:
    """The file's application and its format."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    return application, connection.execute("PRAGMA user_version").fetchone()[0]


PATIENCE = 60.0  # seconds to wait for another process to finish writing
_PAUSE = 0.01  # seconds between two attempts when SQLite itself does not wait


def open_temporary() -> sqlite3.Connection:
    """A store in a temporary file of SQLite's, which is deleted with the connection."""
    connection = _connect("")
    create_tables(connection)
    return connection


def open_for_writing(path: Path, *, create: bool, check: bool) -> sqlite3.Connection:
    """Open a store for reading and writing, or make a new one.

    Raises
    ------
    StoreError
        If the file is not a store or is damaged, or may not be written.
    """
    is_there = _check_path(path)
    if not is_there and not create:
        raise _missing(path)
    _check_writable(path)
    connection = _connect(f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}")
    try:
        if create and is_fresh(connection):
            _use_log(connection)
            create_tables(connection)
        _check_store(connection, path, pages=check)
        _use_log(connection)
        renew_view(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path, *, check: bool) -> sqlite3.Connection:
    """Open a store for reading, even in a folder without write permission.

    Raises
    ------
    StoreError
        If there is no store, or it is damaged or may not be read.
    """
    if not _check_path(path):
        raise _missing(path)
    if not _may(path, os.R_OK):
        raise StoreError(f"{path} cannot be read: no permission")
    uri = path.absolute().as_uri()
    try:
        # With mode=ro SQLite would leave files beside the store if it can write there.
        # With mode=rw it removes them, and falls back to reading if it cannot write.
        return _open_to_read(path, f"{uri}?mode=rw", check=check)
    except sqlite3.OperationalError as error:
        if kind_of(error) not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            raise
        # SQLite cannot make the log's index in this folder, but without a log it needs none.
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise StoreError(
                f"{path} has games in {log.name}, and its folder is read-only: "
                f"copy both to another folder"
            ) from None
        return _open_to_read(path, f"{uri}?immutable=1", check=check)


def _open_to_read(path: Path, uri: str, *, check: bool) -> sqlite3.Connection:
    connection = _connect(uri)
    try:
        connection.execute("PRAGMA query_only = ON")
        _check_store(connection, path, pages=check)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(uri: str) -> sqlite3.Connection:
    # Transactions are explicit: Python would begin some of them too late.
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 * LONGEST)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _use_log(connection: sqlite3.Connection) -> None:
    """Use a write-ahead log, so that readers and a writer do not wait for each other.

    A commit then survives the end of the process without waiting for the disk. After a
    power failure the last commits may be missing, but the file is sound.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            break
        except sqlite3.OperationalError as error:
            # SQLite does not wait here, because two processes could wait for each other.
            if kind_of(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
    if mode == "wal":  # some network disks do not allow it
        connection.execute("PRAGMA synchronous = NORMAL")


def _check_store(connection: sqlite3.Connection, path: Path, *, pages: bool) -> None:
    """Refuse a file that is not a store; with `pages`, check every page for damage."""
    if is_fresh(connection):
        raise StoreError(f"{path} is not a store: it is empty")
    check_format(connection, str(path))
    if pages and (verdict := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise StoreError(damaged(str(path), verdict))


def _check_path(path: Path) -> bool:
    """Whether there is a file. Anything else in its place is refused."""
    try:
        if "\0" in str(path):
            raise StoreError(f"{path} is not the name of a file")
        if path.is_dir():
            raise StoreError(f"{path} is a folder: name a file in it")
        if path.exists() and not path.is_file():
            raise StoreError(f"{path} is not a file")
        return path.is_file()
    except OSError as error:
        raise StoreError(f"{path} cannot be opened: {error.strerror}") from None


def _check_writable(path: Path) -> None:
    folder = path.absolute().parent
    if not folder.is_dir():
        raise StoreError(f"{path} cannot be made: there is no folder {folder}")
    if path.exists() and not _may(path, os.R_OK | os.W_OK):
        raise StoreError(f"{path} cannot be written: no permission")
    if not _may(folder, os.W_OK | os.X_OK):
        raise StoreError(f"{path} cannot be written: its folder is read-only")


def _may(path: Path, mode: int) -> bool:
    """Whether this process has permission for a file or folder."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _missing(path: Path) -> StoreError:
    return StoreError(f"there is no store {path}")
