"""Opening a store's file: made where it is wanted, refused where it is no store."""

import os
import sqlite3
import time
from pathlib import Path

from topple.arena.store.errors import damaged, kind_of
from topple.arena.store.schema import check_format, create_tables, is_fresh, renew_view
from topple.core.errors import StoreError
from topple.game.record import LONGEST

PATIENCE = 60.0  # seconds to wait for another process's writing
_PAUSE = 0.01  # seconds between two attempts where SQLite does not wait itself


def open_temporary() -> sqlite3.Connection:
    """A store in a file of SQLite's own, which is gone with the connection."""
    connection = _connect("")
    create_tables(connection)
    return connection


def open_for_writing(path: Path, *, create: bool, check: bool) -> sqlite3.Connection:
    """Open a store to read and to write, or make a new one.

    Raises
    ------
    StoreError
        If the file is no whole store, or may not be written.
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
    """Open a store that nothing is written into, also where nothing could be.

    Raises
    ------
    StoreError
        If there is no whole store, or it may not be read.
    """
    if not _check_path(path):
        raise _missing(path)
    if not _may(path, os.R_OK):
        raise StoreError(f"{path} cannot be read: no permission")
    uri = path.absolute().as_uri()
    try:
        # SQLite's mode=ro would leave files beside the store where it can, and this one
        # does with reading where nothing can be written.
        return _open_to_read(path, f"{uri}?mode=rw", check=check)
    except sqlite3.OperationalError as error:
        if kind_of(error) not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            raise
        # The folder takes no index of the log; without a log there is nothing to index.
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise StoreError(f"{path} has games in {log.name}, and its folder is read-only: "
                             f"copy both to another folder") from None  # fmt: skip
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
    # Transactions are begun and ended by name: Python's own would begin some too late.
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 * LONGEST)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _use_log(connection: sqlite3.Connection) -> None:
    """Write ahead into a log: readers and a writer do not wait for each other.

    A commit is then safe from the end of the process without waiting for the
    disk; after a power failure the last ones may be missing, and the file is good.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            break
        except sqlite3.OperationalError as error:
            # SQLite does not wait here: two that change it would wait for each other.
            if kind_of(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
    if mode == "wal":  # not so on some network disks
        connection.execute("PRAGMA synchronous = NORMAL")


def _check_store(connection: sqlite3.Connection, path: Path, *, pages: bool) -> None:
    """Refuse what is no store and, if its pages are to be looked at, what is damaged."""
    if is_fresh(connection):
        raise StoreError(f"{path} is no store: it is empty")
    check_format(connection, str(path))
    if pages and (verdict := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise StoreError(damaged(str(path), verdict))


def _check_path(path: Path) -> bool:
    """Whether there is a file; anything else in its place is refused."""
    try:
        if "\0" in str(path):
            raise StoreError(f"{path} is no name for a file")
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
    """Whether this process may do something with a file or folder."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _missing(path: Path) -> StoreError:
    return StoreError(f"there is no store {path}")
