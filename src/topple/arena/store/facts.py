"""Computed facts: results in a store that were computed, not played, each under a name."""

import sqlite3
from datetime import UTC, datetime
from math import inf
from typing import Any, NamedTuple

from topple import __version__
from topple.arena.store.rows import LONGEST_TEXT, json_text
from topple.core.errors import StoreError
from topple.game.record import read_json

# Made for the first fact. Stores with and without this table have the same format.
TABLE = """CREATE TABLE computed (
    name TEXT PRIMARY KEY, data TEXT, topple TEXT, made TEXT, seconds REAL)"""


class ComputedFact(NamedTuple):
    """A computed fact as a store has it."""

    data: Any  # plain JSON data
    seconds: float  # that the computation took
    version: str  # of topple
    made: str  # UTC, ISO 8601


def write_fact(connection: sqlite3.Connection, name: str, data: object, seconds: float) -> None:
    """Store a fact; it replaces one of the same name.

    Raises
    ------
    StoreError
        If it is not plain JSON data, or has no proper time.
    """
    if not 0 <= seconds < inf:
        raise StoreError(f"computed fact {name:.60}: {seconds} is not a time")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    row = (name, json_text(data), __version__, now, float(seconds))
    if not _is_made(connection):
        connection.execute(TABLE)
    connection.execute(
        "INSERT INTO computed VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET "
        "data = excluded.data, topple = excluded.topple, made = excluded.made, "
        "seconds = excluded.seconds",
        row,
    )


def read_fact(connection: sqlite3.Connection, name: str) -> ComputedFact | None:
    """The fact with a name; None if there is none.

    Raises
    ------
    StoreError
        If it is damaged.
    """
    if not _is_made(connection):
        return None
    found = connection.execute(
        "SELECT data, seconds, topple, made FROM computed WHERE name = ?", (name,)
    ).fetchone()
    return None if found is None else _checked(name, *found)


def _is_made(connection: sqlite3.Connection) -> bool:
    """Whether the table is there. Another table of this name is refused."""
    found = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'computed'").fetchone()
    if found is not None and found[0] != TABLE:
        raise StoreError("its table of computed facts is not as topple makes it")
    return found is not None


def _checked(
    name: str, text: object, seconds: object, version: object, made: object
) -> ComputedFact:
    what = f"computed fact {name:.60}"
    try:
        data = read_json(text)  # type: ignore[arg-type]  # what is no text is refused
        json_text(data)  # refuses numbers that are too large, such as 1e999
        datetime.fromisoformat(made)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise StoreError(f"{what}: {error}") from None
    if not isinstance(seconds, float) or not 0 <= seconds < inf:
        raise StoreError(f"{what}: {seconds!r:.40} is not a time")
    if not _is_plain(version) or not _is_plain(made):
        raise StoreError(f"{what}: it does not say which topple made it, and when")
    return ComputedFact(data, seconds, str(version), str(made))


def _is_plain(text: object) -> bool:
    return isinstance(text, str) and text.isprintable() and len(text) <= LONGEST_TEXT
