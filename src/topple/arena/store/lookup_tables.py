"""The tables that games refer to: boards, contests and agents, each stored once."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from topple.arena.store.played import Participant, PlayedGame
from topple.arena.store.rows import LONGEST_TEXT, Pairing, StoredAgent, StoredContest, json_text
from topple.boards import Board, board_from_json, board_to_json
from topple.core.errors import StoreError, ToppleError
from topple.core.spec import format_spec
from topple.game.record import Record, read_json
from topple.rules import find_rules

PairingKey = tuple[int, int, int]  # the ids of contest, agent and opponent


class LookupTables:
    """The boards, contests and agents of a store. What was looked up is remembered."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._ids: dict[tuple[str, ...], int] = {}  # of contests and agents
        self._boards: dict[str, Board] = {}  # by digest; all games that are read share them
        self._stored_agents: dict[int, StoredAgent] = {}

    def forget(self) -> None:
        """Forget the ids: some of them may come from a transaction that has failed."""
        self._ids.clear()
        self._stored_agents.clear()

    def keys_of(self, game: PlayedGame) -> tuple[PairingKey, tuple[int, ...]]:
        """The ids that a game's row refers to, and those of the agents in further seats.

        New boards, contests and agents are stored.
        """
        record = game.record
        # As text, because True, 1 and 1.0 would be the same key, but are different options.
        key = (record.game, repr(record.options), record.board.digest)
        contest = self._ids.get(key)
        if contest is None:
            contest = self._ids[key] = self._contest_id(record)
        first, second, *further = map(self._agent_id, record.players, game.participants)
        if game.side and not further:
            return (contest, second, first), ()
        return (contest, first, second), tuple(further)

    def _contest_id(self, record: Record) -> int:
        board = self._id("boards", {"digest": record.board.digest}, **_columns(record.board))
        return self._id(
            "contests",
            {"game": record.game, "options": json_text(dict(record.options)), "board": board},
            spec=game_spec(record.game, record.options),
        )

    def _agent_id(self, spec: str, part: Participant) -> int:
        key = (spec, part.agent, repr(part.options))
        if key not in self._ids:
            options = json_text(dict(part.options))
            self._ids[key] = self._id(
                "agents", {"spec": spec, "name": part.agent, "options": options}
            )
        return self._ids[key]

    def _id(self, table: str, unique: Mapping[str, Any], **rest: Any) -> int:
        """The id of the row with the unique values. If there is none, it is added with the rest."""
        row = {**unique, **rest}
        self._connection.execute(
            f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))}) "
            f"ON CONFLICT ({', '.join(unique)}) DO NOTHING",
            tuple(row.values()),
        )
        same = " AND ".join(f"{column} = ?" for column in unique)
        found = self._connection.execute(
            f"SELECT id FROM {table} WHERE {same}", tuple(unique.values())
        )
        return int(found.fetchone()[0])

    def pairings(self) -> list[tuple[PairingKey, Pairing]]:
        """All pairings with games, sorted by game, options, board and agents."""
        keys = self._connection.execute("SELECT DISTINCT contest, agent, opponent FROM games")
        found = self._pairings(keys.fetchall())
        return sorted(found.items(), key=lambda each: _order(each[1]))

    def pairing(self, key: PairingKey) -> Pairing:
        """The pairing with these ids."""
        return self._pairings([key])[key]

    def _pairings(self, keys: Iterable[PairingKey]) -> dict[PairingKey, Pairing]:
        agents, contests = self._agents(), self._contests()
        found = {}
        for key in keys:
            contest, agent, opponent = key
            if contest not in contests or not {agent, opponent} <= set(agents):
                raise StoreError(
                    f"a game refers to contest {contest}, agents {agent} and "
                    f"{opponent}, which are not all there"
                )
            found[key] = Pairing(contests[contest], agents[agent], agents[opponent])
        return found

    def agent(self, number: int) -> StoredAgent:
        """The agent with an id."""
        if number not in self._stored_agents:
            self._stored_agents = self._agents()
        if number not in self._stored_agents:
            raise StoreError(f"a game refers to agent {number}, which is not there")
        return self._stored_agents[number]

    def _agents(self) -> dict[int, StoredAgent]:
        agents = {}
        for number, spec, name, options in self._connection.execute(
            "SELECT id, spec, name, options FROM agents"
        ):
            what = f"agent {number}"
            agents[number] = StoredAgent(
                _text(what, spec), _text(what, name), _object(what, options)
            )
        return agents

    def _contests(self) -> dict[int, StoredContest]:
        contests = {}
        for number, game, options, spec, board, digest in self._connection.execute(
            "SELECT contests.id, game, options, contests.spec, boards.spec, digest "
            "FROM contests LEFT JOIN boards ON boards.id = board"
        ):
            what = f"contest {number}"
            contests[number] = StoredContest(
                _text(what, game),
                _object(what, options),
                _text(what, spec),
                str(board),
                _text(what, digest),
            )
        return contests

    def boards(self) -> dict[str, Board]:
        """Every board by its digest."""
        digests = self._connection.execute("SELECT digest FROM boards ORDER BY digest").fetchall()
        return {digest: self.board(digest) for (digest,) in digests}

    def board(self, digest: str) -> Board:
        """The board with a digest, read and checked once."""
        if digest not in self._boards:
            spec, data = self._connection.execute(
                "SELECT spec, data FROM boards WHERE digest = ?", (digest,)
            ).fetchone()
            try:
                board = board_from_json(read_json(data))
            except (TypeError, ValueError) as error:
                raise StoreError(f"board {digest}: {error}") from None
            if board.digest != digest or board.spec != spec:
                raise StoreError(f"board {digest}: it is not the one that was stored")
            self._boards[digest] = board
        return self._boards[digest]


def game_spec(name: str, options: Mapping[str, Any]) -> str:
    """A game's name, with the options that are not at their defaults."""
    chosen = {
        option.name: options[option.name]
        for option in find_rules(name).OPTIONS
        if options.get(option.name, option.default) != option.default
    }
    return format_spec(name, (), chosen)


def _columns(board: Board) -> dict[str, str]:
    """A board's row, after a check that it gives the same board when it is read."""
    data = board_to_json(board)
    try:
        if board_from_json(data) != board:
            raise StoreError(f"board {board.spec:.60} is a different board when it is read again")
    except ToppleError as error:
        raise StoreError(f"board {board.spec:.60} cannot be stored: {error}") from None
    return {"spec": board.spec, "data": json_text(data)}


def _order(pairing: Pairing) -> tuple[str, ...]:
    contest = pairing.contest
    agents = [
        part
        for agent in (pairing.agent, pairing.opponent)
        for part in (agent.spec, agent.name, json_text(agent.options))
    ]
    return (contest.game, json_text(contest.options), contest.board, contest.board_digest, *agents)


def _text(what: str, value: object) -> str:
    if not isinstance(value, str) or not value.isprintable() or len(value) > LONGEST_TEXT:
        raise StoreError(f"{what}: {value!r:.60} is not a name")
    return value


def _object(what: str, text: object) -> dict[str, Any]:
    """Parse options, a JSON object of plain values."""
    try:
        value = read_json(text)  # type: ignore[arg-type]  # what is no text is refused
    except (TypeError, ValueError) as error:
        raise StoreError(f"{what}: its options are not JSON: {error}") from None
    plain = (str, int, float, type(None))
    if not isinstance(value, dict) or not all(isinstance(v, plain) for v in value.values()):
        raise StoreError(f"{what}: its options are not an object of plain values")
    return value
