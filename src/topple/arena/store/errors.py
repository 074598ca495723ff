"""What SQLite's errors mean for a store, in one line each."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from topple.core.errors import StoreError
from topple.core.text import one_line

_KEPT = "the games stored so far are kept"
_NOT_HERE = "{name} cannot be opened or written here: {reason}"
_MEANINGS = {
    sqlite3.SQLITE_FULL: f"{{name}}: the disk is full: {_KEPT}; make room and give the same "
    "command again",
    sqlite3.SQLITE_IOERR: f"{{name}}: {{reason}}: {_KEPT}; see to the disk (is it full?) and "
    "give the same command again",
    sqlite3.SQLITE_BUSY: f"{{name}} is held by another process: {_KEPT}; wait for it, then "
    "give the same command again",
    sqlite3.SQLITE_NOTADB: "{name} is no store: it is not an SQLite file",
    sqlite3.SQLITE_CORRUPT: "{name} is damaged ({reason}): take an earlier copy, or let SQLite's "
    "own tool save what is left (.recover)",
    sqlite3.SQLITE_READONLY: _NOT_HERE,
    sqlite3.SQLITE_PERM: _NOT_HERE,
    sqlite3.SQLITE_CANTOPEN: _NOT_HERE,
}


@contextmanager
def told(name: str) -> Iterator[None]:
    """Turn what SQLite raises into a StoreError that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(explain(name, error)) from None
    except (OverflowError, UnicodeError) as error:  # a value that SQLite has no room for
        raise StoreError(f"{name} cannot hold a value: {one_line(error)}") from None


def explain(name: str, error: sqlite3.Error) -> str:
    """One line on what is wrong and what to do."""
    meaning = _MEANINGS.get(kind_of(error), "{name}: {reason}")
    return meaning.format(name=name, reason=one_line(error))


def kind_of(error: sqlite3.Error) -> int:
    """The kind of error, as SQLite numbers them; -1 where it is a complaint of Python's."""
    if str(error).startswith("Could not decode"):
        return sqlite3.SQLITE_CORRUPT
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return -1 if code is None else code & 0xFF


def damaged(name: str, reason: str) -> str:
    """One line on a file that is not whole."""
    return _MEANINGS[sqlite3.SQLITE_CORRUPT].format(name=name, reason=one_line(reason))
