"""Rows of a store: from games and back, checked whenever they are written or read."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import product
from math import inf, isfinite
from typing import Any, NamedTuple, NoReturn, get_args, get_type_hints

from topple.arena.store.played import Participant, PlayedGame, Result, digest_of
from topple.boards import Board
from topple.core.errors import StoreError
from topple.game.record import ENDINGS, FORMAT, LENGTH, Record, read_json

LONGEST_TEXT = 1000
MOST_SECONDS = 1e9
MOST_DIGITS = 400  # of a seed

Row = tuple[Any, ...]


class LightColumns(NamedTuple):
    """The columns of a game that statistics need, in the order in which they are read."""

    pair: str
    side: int
    tournament_seed: int | str  # text if it needs more than 64 bits
    opening_number: int
    first_return: float
    second_return: float
    ending: str | None
    ending_player: int | None
    ending_detail: str | None
    plies: int
    opening: int
    first_moves: int
    second_moves: int
    first_seconds: float
    second_seconds: float
    first_simulations: int
    second_simulations: int
    first_nodes: int
    second_nodes: int
    moves_digest: str


class HeavyColumns(NamedTuple):
    """The other columns, which only whole games need."""

    reason: str
    seed: int | str | None
    topple: str
    began: str
    seconds: float
    moves: str
    move_microseconds: str


LIGHT, HEAVY = LightColumns._fields, HeavyColumns._fields
COLUMNS = (*LIGHT, *HEAVY)

_TYPES = {
    name: get_args(kind) or (kind,)
    for columns in (LightColumns, HeavyColumns)
    for name, kind in get_type_hints(columns).items()
}
# Every combination of types that columns may have, so that one look-up checks them all.
_COMBINATIONS = {
    columns: frozenset(product(*(_TYPES[name] for name in columns))) for columns in (LIGHT, HEAVY)
}
_PAIR = re.compile("[0-9a-f]{32}")
_DIGEST = re.compile("[0-9a-f]{16}")
_LONG_NUMBER = re.compile(f"-?[1-9][0-9]{{18,{MOST_DIGITS - 1}}}")


def check_light(row: Row) -> LightColumns:
    """Name the light columns of a row, if they can belong to a game.

    Raises
    ------
    StoreError
        Otherwise; it names the game and what is wrong with it.
    """
    if tuple(map(type, row)) not in _COMBINATIONS[LIGHT]:
        _refuse_types(row, row, LIGHT)
    light = LightColumns._make(row)
    if (
        not _PAIR.fullmatch(light.pair)
        or light.side not in (0, 1)
        or not _DIGEST.fullmatch(light.moves_digest)
    ):
        refuse(light, "it lacks a proper pair, side or digest")
    if not (isfinite(light.first_return) and isfinite(light.second_return)):
        refuse(light, "its result is not a number")
    if not (0 <= light.first_seconds < inf and 0 <= light.second_seconds < inf):
        refuse(light, "its seconds are not a time")
    least = min(
        light.opening_number,
        light.opening,
        light.first_moves,
        light.second_moves,
        light.first_simulations,
        light.second_simulations,
        light.first_nodes,
        light.second_nodes,
    )
    if least < 0 or light.opening > light.plies:
        refuse(light, "one of its counts is below 0 or too large")
    has_loser = light.ending is not None and light.ending != LENGTH
    if (light.ending is not None and light.ending not in ENDINGS) or (
        light.ending_player in (0, 1)
    ) != has_loser:
        refuse(light, f"it ends by {light.ending!r:.40} of player {light.ending_player}")
    if light.ending_detail is not None:
        _check_text(light, light.ending_detail)
    _check_seed(light, light.tournament_seed)
    return light


def check_heavy(row: Row, light: LightColumns) -> HeavyColumns:
    """Name the heavy columns of a row, if they can belong to the game of its light ones.

    Raises
    ------
    StoreError
        Otherwise; it names the game and what is wrong with it.
    """
    if tuple(map(type, row)) not in _COMBINATIONS[HEAVY]:
        _refuse_types(light, row, HEAVY)
    heavy = HeavyColumns._make(row)
    _check_text(light, heavy.reason)
    _check_text(light, heavy.topple)
    if not 0 <= heavy.seconds < inf or not _is_moment(heavy.began):
        refuse(light, "it has no proper time")
    if digest_of(heavy.moves) != light.moves_digest:
        refuse(light, "its moves are not those that were stored")
    _check_seed(light, heavy.seed)
    return heavy


def _check_moves(light: LightColumns, moves: Any) -> None:
    """Refuse parsed moves that are not a list of as many as the row counts."""
    if not isinstance(moves, list) or len(moves) != light.plies:
        refuse(light, f"its moves are not the {light.plies:,} that it counts")


def _check_times(light: LightColumns, times: Any) -> None:
    """Refuse parsed microseconds of moves that are not a list of plausible times."""
    whole = isinstance(times, list) and set(map(type, times)) <= {int}
    if not whole or (times and not 0 <= min(times) <= max(times) < MOST_SECONDS * 1e6):
        refuse(light, "its moves' microseconds are not times")


def _check_text(light: LightColumns, text: str) -> None:
    if not text.isprintable() or len(text) > LONGEST_TEXT:
        refuse(light, f"{text!r:.60} is too long or not plain text")


def refuse(game: Row | PlayedGame, reason: str) -> NoReturn:
    """Raise a StoreError about a game, which is given by its row or whole.

    Raises
    ------
    StoreError
        Always.
    """
    pair, side = (game.pair, game.side) if isinstance(game, PlayedGame) else game[:2]
    raise StoreError(f"game {pair!s:.40} side {side!s:.4}: {reason}")


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return text.isprintable()


def _check_seed(light: LightColumns, seed: int | str | None) -> None:
    if isinstance(seed, str) and not _LONG_NUMBER.fullmatch(seed):
        refuse(light, f"its seed {seed!r:.40} is not a number")


def _refuse_types(game: Row, row: Row, columns: Sequence[str]) -> NoReturn:
    for value, name in zip(row, columns, strict=True):
        if type(value) not in _TYPES[name]:
            refuse(game, f"its {name} is {value!r:.40}")
    raise AssertionError("every column has a type that it may have")


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


class StoredAgent(NamedTuple):
    """An agent as a store has it."""

    spec: str
    name: str
    options: Mapping[str, Any]


class StoredContest(NamedTuple):
    """A game with its options on a board, as a store has it."""

    game: str  # its name
    options: Mapping[str, Any]  # including those left at their defaults
    spec: str  # with the options that are not the default
    board: str  # its spec
    board_digest: str


class Pairing(NamedTuple):
    """Two agents in a contest; `agent` is the one that the pairing names first."""

    contest: StoredContest
    agent: StoredAgent
    opponent: StoredAgent

    def seats(self, side: int) -> tuple[StoredAgent, StoredAgent]:
        """The agents in the order of the seats."""
        return (self.opponent, self.agent) if side else (self.agent, self.opponent)


def json_text(value: object) -> str:
    """Plain data as JSON, the same text whatever the order of its keys.

    Raises
    ------
    StoreError
        If it is not plain data.
    """
    try:
        return _encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"{value!r:.60} is not plain JSON data: {error}") from None


def row_of(game: PlayedGame) -> Row:
    """The row of a game, after the checks that a row must also pass when it is read.

    Raises
    ------
    StoreError
        If it is not a finished game of two players, or a value is wrong.
    """
    record, ending = game.record, game.record.ending
    if record.result is None or len(record.result) != 2 or len(record.players) != 2:
        refuse(game, "it is not a finished game of two players")
    moves, times = json_text(list(record.moves)), _microseconds(game)
    first, second = game.participants
    light = LightColumns(
        pair=game.pair,
        side=int(game.side),
        tournament_seed=_stored_seed(game.tournament_seed),
        opening_number=int(game.opening_number),
        first_return=float(record.result[0]),
        second_return=float(record.result[1]),
        ending=None if ending is None else ending.by,
        ending_player=None if ending is None else ending.player,
        ending_detail=None if ending is None else ending.detail,
        plies=len(record.moves),
        opening=int(record.opening),
        first_moves=int(first.moves),
        second_moves=int(second.moves),
        first_seconds=float(first.seconds),
        second_seconds=float(second.seconds),
        first_simulations=int(first.simulations),
        second_simulations=int(second.simulations),
        first_nodes=int(first.nodes),
        second_nodes=int(second.nodes),
        moves_digest=digest_of(moves),
    )
    heavy = HeavyColumns(
        reason=game.reason,
        seed=None if record.seed is None else _stored_seed(record.seed),
        topple=record.version,
        began=game.began,
        seconds=float(game.seconds),
        moves=moves,
        move_microseconds=json_text(times),
    )
    check_heavy(heavy, check_light(light))
    _check_times(light, times)
    return (*light, *heavy)


def read_result(row: Row, pairing: Pairing) -> Result:
    """The result that the light columns of a row hold.

    Raises
    ------
    StoreError
        If a value is wrong.
    """
    return _result(check_light(row), pairing)


def _result(light: LightColumns, pairing: Pairing) -> Result:
    contest, (first, second) = pairing.contest, pairing.seats(light.side)
    return Result(
        game=contest.spec,
        board=contest.board,
        board_digest=contest.board_digest,
        agents=(first.spec, second.spec),
        pair=light.pair,
        side=light.side,
        opening_number=light.opening_number,
        returns=(light.first_return, light.second_return),
        ending=light.ending,
        ending_player=light.ending_player,
        ending_detail=light.ending_detail,
        plies=light.plies,
        opening=light.opening,
        moves=(light.first_moves, light.second_moves),
        seconds=(light.first_seconds, light.second_seconds),
        simulations=(light.first_simulations, light.second_simulations),
        nodes=(light.first_nodes, light.second_nodes),
        moves_digest=light.moves_digest,
    )


def read_game(row: Row, pairing: Pairing, board: Board) -> PlayedGame:
    """The game that a whole row holds; `board` is the contest's board.

    Raises
    ------
    StoreError
        If a value is wrong.
    """
    light = check_light(row[: len(LIGHT)])
    heavy = check_heavy(row[len(LIGHT) :], light)
    result = _result(light, pairing)
    try:
        moves, times = read_json(heavy.moves), read_json(heavy.move_microseconds)
        _check_moves(light, moves)
        _check_times(light, times)
        record = Record.from_data(
            {
                "format": FORMAT,
                "topple": heavy.topple,
                "game": pairing.contest.game,
                "options": pairing.contest.options,
                "board": None,  # given below
                "players": list(result.agents),
                "seed": _seed(heavy.seed),
                "opening": light.opening,
                "moves": moves,
                "ending": _ending_data(light),
                "result": list(result.returns),
            },
            board,
        )
    except StoreError:
        raise
    except ValueError as error:  # of JSON, or a BadRecord
        refuse(light, str(error))
    return PlayedGame(
        pair=light.pair,
        side=light.side,
        record=record,
        reason=heavy.reason,
        participants=_participants(result, pairing),
        tournament_seed=_seed(light.tournament_seed),
        opening_number=light.opening_number,
        began=heavy.began,
        seconds=heavy.seconds,
        move_seconds=tuple([each / 1e6 for each in times]),
    )


def _microseconds(game: PlayedGame) -> list[int]:
    """The time of each move, rounded to microseconds."""
    try:
        return [int(each * 1e6 + 0.5) for each in game.move_seconds]
    except (ValueError, OverflowError):  # NaN, infinity
        refuse(game, "a move's seconds are not a time")


def _participants(result: Result, pairing: Pairing) -> tuple[Participant, Participant]:
    first, second = (
        Participant(
            agent.name,
            agent.options,
            result.moves[seat],
            result.seconds[seat],
            result.simulations[seat],
            result.nodes[seat],
        )
        for seat, agent in enumerate(pairing.seats(result.side))
    )
    return first, second


def _ending_data(light: LightColumns) -> dict[str, Any] | None:
    if light.ending is None:
        return None
    return {
        "by": light.ending,
        "player": light.ending_player,
        "detail": light.ending_detail or "",
    }


def _stored_seed(seed: int) -> int | str:
    """A seed as SQLite can hold it: as text if it needs more than 64 bits."""
    if -(2**63) <= seed < 2**63:
        return int(seed)
    if abs(seed) >= 10**MOST_DIGITS:
        raise StoreError(f"a seed has more than {MOST_DIGITS} digits")
    return str(seed)


def _seed(stored: int | str | None) -> Any:
    return int(stored) if isinstance(stored, str) else stored
