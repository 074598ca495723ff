"""The tables of a store, and how a file proves to be one."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from topple.core.errors import StoreError

APPLICATION = 0x746F7070  # "topp": tells a store from other people's SQLite files
FORMAT = 1

# What a game's two seats have of their own; `first_moves` belongs to the first seat.
_SEATS = ", ".join(
    f"{seat}_{part} NOT NULL"
    for part in ("moves INTEGER", "seconds REAL", "simulations INTEGER", "nodes INTEGER")
    for seat in ("first", "second")
)

# Files of one format have the same tables, to the letter; the view is made anew where it differs.
# The small columns of a game stand before its moves, so that reading them touches no others.
# Seeds have no type: those beyond 64 bits are kept as text.
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
VIEW = """CREATE VIEW results AS SELECT
    pair, side, contests.spec AS game, boards.spec AS board,
    CASE side WHEN 0 THEN a.spec ELSE b.spec END AS first,
    CASE side WHEN 0 THEN b.spec ELSE a.spec END AS second,
    first_return, second_return, ending, reason, plies, opening, opening_number,
    tournament_seed, first_seconds, second_seconds, began, seconds
    FROM games JOIN contests ON contests.id = contest JOIN boards ON boards.id = contests.board
    JOIN agents AS a ON a.id = agent JOIN agents AS b ON b.id = opponent"""


def is_fresh(connection: sqlite3.Connection) -> bool:
    """Whether nothing has been written into the file yet."""
    n_objects = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return not n_objects and _marks(connection) == (0, 0)


def create_tables(connection: sqlite3.Connection) -> None:
    """Make a fresh file a store, unless another process has just done it."""
    with _transaction(connection):
        if is_fresh(connection):
            for statement in (*TABLES.values(), VIEW):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")


def renew_view(connection: sqlite3.Connection) -> None:
    """Give a store that another version of topple has made this version's view."""
    if _view(connection) == VIEW:
        return
    with _transaction(connection):
        connection.execute("DROP VIEW IF EXISTS results")
        connection.execute(VIEW)


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


def check_format(connection: sqlite3.Connection, name: str) -> None:
    """Refuse what is no store of this format.

    Tables, views and indexes that somebody has added are left alone; a trigger
    would have a say in what is stored. The view is not looked at: nothing here
    reads it.

    Raises
    ------
    StoreError
        If the file is somebody else's, of a newer format or not as it was made.
    """
    application, version = _marks(connection)
    if application != APPLICATION:
        raise StoreError(f"{name} is an SQLite file, but no store of topple's: name another file")
    if version > FORMAT:
        raise StoreError(f"{name} has format {version}, and this version of topple reads up to "
                         f"{FORMAT}: it needs a newer topple")  # fmt: skip
    found = {
        name: (kind, sql)
        for name, kind, sql in connection.execute("SELECT name, type, sql FROM sqlite_master")
    }
    altered = [each for each, sql in TABLES.items() if found.get(each, (None, None))[1] != sql]
    if found.get("results", ("view",))[0] != "view":
        altered.append("results")
    if version < FORMAT or altered:
        what = altered[0] if altered else f"format {version}"
        raise StoreError(f"{name} is damaged: its {what} is not as topple made it")
    if connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'trigger'").fetchone():
        raise StoreError(f"{name} has a trigger, which topple does not write into: drop it first")


def _marks(connection: sqlite3.Connection) -> tuple[int, int]:
    """The file's application and its format."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    return application, connection.execute("PRAGMA user_version").fetchone()[0]
