"""The store: one SQLite file that holds every game whole, written as games end."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from topple.arena.store.facts import ComputedFact, read_fact, write_fact
from topple.arena.store.files import (
    has_groups,
    make_room_for_groups,
    open_for_reading,
    open_for_writing,
    open_temporary,
    store_errors,
)
from topple.arena.store.lookup_tables import LookupTables, PairingKey
from topple.arena.store.played import PlayedGame, Result
from topple.arena.store.rows import (
    COLUMNS,
    LIGHT,
    SEAT,
    FurtherSeat,
    Pairing,
    Row,
    check_seats,
    json_text,
    read_game,
    read_result,
    row_of,
    seat_rows_of,
)
from topple.boards import Board
from topple.core.errors import StoreError, ToppleError
from topple.game.record import read_json

Key = tuple[str, int]  # a game's pair and side
Wanted = Callable[[Pairing], bool]

_AT_ONCE = 256  # games read by one statement
_MOST_ASKED = 500  # pairs looked up by one statement
_INSERT = (
    f"INSERT INTO games (contest, agent, opponent, {', '.join(COLUMNS)}) "
    f"VALUES ({', '.join('?' * (3 + len(COLUMNS)))}) ON CONFLICT (pair, side) DO NOTHING"
)
_INSERT_SEAT = (
    f"INSERT INTO further_seats ({', '.join(SEAT)}) VALUES ({', '.join('?' * len(SEAT))}) "
    "ON CONFLICT (pair, side, seat) DO NOTHING"
)
_PLACE = "tournament_seed, opening_number, pair, side"  # orders the games of a pairing
_PLACED = tuple(LIGHT.index(name) for name in _PLACE.split(", "))


class Store:
    """Games in an SQLite file. Open one with `open_store`.

    A game is stored once, under its pair and side. The order in which games are read
    depends on the games alone, not on when they were stored: by game, options, board,
    agents (with more than two players those in the first two seats), tournament seed,
    opening and side. Every error is a `StoreError` of one line, and no error harms what is
    stored.
    """

    def __init__(self, connection: sqlite3.Connection, name: str, *, read_only: bool) -> None:
        self.name = name
        self.read_only = read_only
        self._connection = connection
        self._tables = LookupTables(connection)

    def add(self, games: Sequence[PlayedGame]) -> int:
        """Store games, all or none of them; returns how many were new.

        A game that is stored already is left as it is.

        Raises
        ------
        StoreError
            If a game is not a finished and sound game of two or more players, or the
            file cannot be written.
        """
        with self._named():
            rows = [row_of(game) for game in games]
        with self._writing():
            with self._named():
                keys = [self._tables.keys_of(game) for game in games]
                seats = [
                    row
                    for game, (_, agents) in zip(games, keys, strict=True)
                    for row in seat_rows_of(game, agents)
                ]
            before = self._connection.total_changes
            self._connection.executemany(
                _INSERT, [(*key, *row) for (key, _), row in zip(keys, rows, strict=True)]
            )
            n_new = self._connection.total_changes - before
            if seats:
                make_room_for_groups(self._connection)
                self._connection.executemany(_INSERT_SEAT, seats)
            return n_new

    def known(self, keys: Iterable[Key]) -> set[Key]:
        """The keys, among those given, whose games are stored."""
        wanted = set(keys)
        pairs = sorted({pair for pair, _ in wanted})
        found: set[Key] = set()
        for start in range(0, len(pairs), _MOST_ASKED):
            asked = pairs[start : start + _MOST_ASKED]
            places = ", ".join("?" * len(asked))
            found.update(
                self._all(f"SELECT pair, side FROM games WHERE pair IN ({places})", *asked)
            )
        return found & wanted

    def game(self, pair: str, side: int) -> PlayedGame | None:
        """One game, whole; None if it is not stored."""
        rows = self._all(
            f"SELECT contest, agent, opponent, {', '.join(COLUMNS)} FROM games "
            "WHERE pair = ? AND side = ?",
            pair,
            side,
        )
        for contest, agent, opponent, *row in rows:
            with self._named():
                pairing = self._tables.pairing((contest, agent, opponent))
                board = self._tables.board(pairing.contest.board_digest)
                further = self._further_seats([tuple(row)]).get((pair, side), ())
                return read_game(tuple(row), pairing, board, further)
        return None

    def games(self, wanted: Wanted | None = None) -> Iterator[PlayedGame]:
        """Every game, whole, in the order of the store.

        `wanted` is called with each pairing, two agents in a contest. If it returns
        False, the pairing's games are not read.
        """
        for rows, pairing, board in self._rows(COLUMNS, wanted):
            with self._named():
                further = self._further_seats(rows)
                games = [read_game(row, pairing, board, further.get(row[:2], ())) for row in rows]
            yield from games

    def results(self, wanted: Wanted | None = None, offset: int = 0) -> Iterator[Result]:
        """Every game, or the wanted ones, as statistics need it, in the order of the store.

        The first `offset` games are skipped without being read.
        """
        for rows, pairing, _ in self._rows(LIGHT, wanted, offset):
            with self._named():
                further = self._further_seats(rows)
                results = [read_result(row, pairing, further.get(row[:2], ())) for row in rows]
            yield from results

    def _further_seats(self, rows: Sequence[Row]) -> dict[Row, list[FurtherSeat]]:
        """The seats beyond the second of some games, by pair and side."""
        if not has_groups(self._connection):
            return {}
        pairs = list({row[0] for row in rows})
        found: dict[Row, list[Row]] = {}
        for row in self._all(
            f"SELECT {', '.join(SEAT)} FROM further_seats "
            f"WHERE pair IN ({', '.join('?' * len(pairs))}) ORDER BY pair, side, seat",
            *pairs,
        ):
            found.setdefault(row[:2], []).append(row)
        return {
            key: [FurtherSeat(self._tables.agent(seat.agent), seat) for seat in check_seats(seats)]
            for key, seats in found.items()
        }

    def reasons(self, wanted: Wanted | None = None) -> Iterator[tuple[Key, str]]:
        """Why each game ended, in words, with the game's key; in the order of the store.

        Raises
        ------
        StoreError
            If a reason is not plain text.
        """
        for rows, _, _ in self._rows((*LIGHT, "reason"), wanted):
            for pair, side, *_, reason in rows:
                if not isinstance(reason, str) or not reason.isprintable():
                    raise StoreError(
                        f"{self.name}: game {pair!s:.40} side {side!s:.4}: its reason "
                        "is not plain text"
                    )
                yield (pair, side), reason

    def _rows(
        self, columns: Sequence[str], wanted: Wanted | None, offset: int = 0
    ) -> Iterator[tuple[list[Row], Pairing, Board]]:
        """The rows in order from an offset, some at a time.

        No lock is held in between, so that others may write.
        """
        with self._named():
            pairings = self._tables.pairings()
        select = (
            f"SELECT {', '.join(columns)} FROM games "
            "WHERE contest = ? AND agent = ? AND opponent = ?"
        )
        for key, pairing in pairings:
            if wanted is not None and not wanted(pairing):
                continue
            place: tuple[Any, ...] = ()
            if offset:
                n_skipped, place = self._skip(key, offset)
                offset -= n_skipped
                if not place:
                    continue
            with self._named():
                board = self._tables.board(pairing.contest.board_digest)
            while True:
                after = f"AND ({_PLACE}) > (?, ?, ?, ?)" if place else ""
                rows = self._all(
                    f"{select} {after} ORDER BY {_PLACE} LIMIT {_AT_ONCE}", *key, *place
                )
                yield rows, pairing, board
                if len(rows) < _AT_ONCE:
                    break
                place = tuple(rows[-1][column] for column in _PLACED)

    def _skip(self, key: PairingKey, n: int) -> tuple[int, tuple[Any, ...]]:
        """Skip up to n games of a pairing, by the index alone.

        Returns how many were skipped, and the place of the last of them; the place is
        empty if the whole pairing was skipped.
        """
        games = "FROM games WHERE contest = ? AND agent = ? AND opponent = ?"
        [(n_games,)] = self._all(f"SELECT count(*) {games}", *key)
        if n_games <= n:
            return n_games, ()
        [place] = self._all(
            f"SELECT {_PLACE} {games} ORDER BY {_PLACE} LIMIT 1 OFFSET ?", *key, n - 1
        )
        return n, place

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read the store as it is now, even if other processes write into it meanwhile.

        Nothing can be written through this store until the end.
        """
        # Without a write-ahead log, others would have to wait.
        if self._all("PRAGMA journal_mode") != [("wal",)]:
            yield
            return
        self._all("BEGIN")
        try:
            self._all("SELECT 1 FROM games LIMIT 1")  # the first read fixes the state
            yield
        finally:
            self._connection.rollback()

    def boards(self) -> dict[str, Board]:
        """Every board that was played on, by its digest."""
        with self._named():
            return self._tables.boards()

    def n_games(self) -> int:
        """How many games are stored."""
        return int(self._all("SELECT count(*) FROM games")[0][0])

    def most_players(self) -> int:
        """The number of players of the game with most of them; 2 without games."""
        if not has_groups(self._connection):
            return 2
        [(last,)] = self._all("SELECT max(seat) FROM further_seats")
        return 2 if last is None else int(last) + 1

    def data_version(self) -> int:
        """A number that changes whenever something else than this object writes into the file."""
        return int(self._all("PRAGMA data_version")[0][0])

    def versions(self) -> set[str]:
        """The versions of topple that played the games."""
        found = self._all("SELECT DISTINCT substr(topple, 1, 40) FROM games LIMIT 1000")
        return {str(version) for (version,) in found}

    def remove(self, keys: Iterable[Key]) -> int:
        """Remove games; returns how many there were.

        Raises
        ------
        StoreError
            If the file cannot be written.
        """
        with self._writing():
            # Seats beyond the second go with their games, and are not counted.
            removed = self._connection.executemany(
                "DELETE FROM games WHERE pair = ? AND side = ?", keys
            )
            return max(0, removed.rowcount)

    def remember(self, settings: dict[str, Any]) -> int:
        """Note that a tournament was requested; returns its number.

        The same settings keep their number and the time of the first request.

        Raises
        ------
        StoreError
            If the settings are not plain JSON data, or the file cannot be written.
        """
        text, now = json_text(settings), datetime.now(UTC).isoformat(timespec="seconds")
        with self._writing():
            self._connection.execute(
                "INSERT INTO tournaments (settings, first_asked) VALUES (?, ?) "
                "ON CONFLICT (settings) DO NOTHING",
                (text, now),
            )
            return int(self._all("SELECT id FROM tournaments WHERE settings = ?", text)[0][0])

    def tournaments(self) -> list[tuple[int, dict[str, Any], str]]:
        """The tournaments requested: number, settings and first request (UTC, ISO 8601)."""
        asked = []
        for number, text, moment in self._all(
            "SELECT id, settings, first_asked FROM tournaments ORDER BY id"
        ):
            try:
                settings = read_json(text)
                datetime.fromisoformat(moment)
            except (TypeError, ValueError) as error:
                raise StoreError(f"{self.name}: tournament {number}: {error}") from None
            if not isinstance(settings, dict):
                raise StoreError(f"{self.name}: tournament {number}: its settings are no object")
            asked.append((number, settings, moment))
        return asked

    def save_fact(self, name: str, data: object, seconds: float = 0.0) -> None:
        """Store a computed fact; it replaces one of the same name.

        Raises
        ------
        StoreError
            If it is not plain JSON data, or the file cannot be written.
        """
        with self._writing(), self._named():
            write_fact(self._connection, name, data, seconds)

    def read_fact(self, name: str) -> ComputedFact | None:
        """The computed fact with a name; None if it is not stored.

        Raises
        ------
        StoreError
            If it is damaged.
        """
        with self._named():
            return read_fact(self._connection, name)

    def close(self) -> None:
        """Close the file. Everything that was added is in it already."""
        with store_errors(self.name):
            self._connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Store {self.name}>"

    def _all(self, statement: str, *values: Any) -> list[Row]:
        with store_errors(self.name):
            return self._connection.execute(statement, values).fetchall()

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Name the store in the message of every error."""
        with store_errors(self.name):
            try:
                yield
            except ToppleError as error:
                raise StoreError(f"{self.name}: {error}") from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction: all of it is stored or nothing."""
        if self.read_only:
            raise StoreError(f"{self.name} is open for reading only")
        with store_errors(self.name):
            if self._connection.in_transaction:
                raise StoreError(f"{self.name} is being read as a snapshot: write to it later")
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._tables.forget()  # ids given in this transaction do not hold
                with suppress(sqlite3.Error):
                    self._connection.rollback()
                raise


def open_store(
    path: Path | str | None, *, create: bool = True, read_only: bool = False, check: bool = True
) -> Store:
    """Open a store of games.

    Parameters
    ----------
    path : Path, str or None
        The file. None gives a temporary store, which is deleted when it is closed.
    create : bool
        Whether a new store is made if there is no file.
    read_only : bool
        Nothing is written; the store may be in a folder without write permission.
    check : bool
        Whether every page of the file is checked, which takes some seconds for a
        gigabyte. With False, for stores that are opened again and again, damage is
        reported when it is met.

    Raises
    ------
    StoreError
        If there is no store, or it is damaged, or there is no permission.

    Examples
    --------
    >>> with open_store(None) as store:
    ...     store.n_games()
    0
    """
    if path is None:
        with store_errors("the temporary store"):
            return Store(open_temporary(), "the temporary store", read_only=read_only)
    path = Path(path)
    with store_errors(str(path)):
        if read_only:
            return Store(open_for_reading(path, check=check), str(path), read_only=True)
        connection = open_for_writing(path, create=create, check=check)
        return Store(connection, str(path), read_only=False)
