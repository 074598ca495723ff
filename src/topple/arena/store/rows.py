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


class SeatColumns(NamedTuple):
    """The columns of a seat beyond the second, in a game of more than two players."""

    pair: str
    side: int
    seat: int
    agent: int  # its id
    seat_return: float
    moves: int
    seconds: float
    simulations: int
    nodes: int


LIGHT, HEAVY, SEAT = LightColumns._fields, HeavyColumns._fields, SeatColumns._fields
COLUMNS = (*LIGHT, *HEAVY)

_TYPES = {
    name: get_args(kind) or (kind,)
    for columns in (LightColumns, HeavyColumns)
    for name, kind in get_type_hints(columns).items()
}
_SEAT_TYPES = tuple(get_type_hints(SeatColumns).values())
# Every combination of types that columns may have, so that one look-up checks them all.
_COMBINATIONS = {
    columns: frozenset(product(*(_TYPES[name] for name in columns))) for columns in (LIGHT, HEAVY)
}
_PAIR = re.compile("[0-9a-f]{32}")
_DIGEST = re.compile("[0-9a-f]{16}")
_LONG_NUMBER = re.compile(f"-?[1-9][0-9]{{18,{MOST_DIGITS - 1}}}")


def check_light(row: Row, n_players: int = 2) -> LightColumns:
    """Name the light columns of a row, if they can belong to a game of so many players.

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
        or light.side not in range(n_players)
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
        light.ending_player in range(n_players)
    ) != has_loser:
        refuse(light, f"it ends by {light.ending!r:.40} of player {light.ending_player}")
    if light.ending_detail is not None:
        _check_text(light, light.ending_detail)
    _check_seed(light, light.tournament_seed)
    return light


def check_seats(rows: Sequence[Row]) -> list[SeatColumns]:
    """Name the columns of a game's seats beyond the second, if they can belong to it.

    Raises
    ------
    StoreError
        Otherwise; it names the game and what is wrong with it.
    """
    seats = []
    for place, row in enumerate(rows, start=2):
        if tuple(map(type, row)) != _SEAT_TYPES:
            refuse(row, f"its seat {row[2]!s:.4} has a value of a wrong type")
        seat = SeatColumns._make(row)
        counts = seat.moves, seat.simulations, seat.nodes
        is_sound = isfinite(seat.seat_return) and 0 <= seat.seconds < inf and min(counts) >= 0
        if seat.seat != place or not is_sound:
            refuse(row, f"its seat {seat.seat} is not as topple stores it")
        seats.append(seat)
    return seats


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

    def is_named(self, game: str | None) -> bool:
        """Whether a text names the game, such as `hex`, or with its options; None names all."""
        return game in (None, self.spec, self.game)


class Pairing(NamedTuple):
    """Two agents in a contest; `agent` is the one that the pairing names first.

    With more than two players they are the agents in the first two seats.
    """

    contest: StoredContest
    agent: StoredAgent
    opponent: StoredAgent


class FurtherSeat(NamedTuple):
    """A seat beyond the second, in a game of more than two players."""

    agent: StoredAgent
    columns: SeatColumns


def _agents(pairing: Pairing, side: int, further: Sequence[FurtherSeat]) -> list[StoredAgent]:
    """The agents in the order of the seats."""
    agents = [pairing.agent, pairing.opponent]
    if further:
        return agents + [seat.agent for seat in further]
    return agents[::-1] if side else agents


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
        If it is not a finished game of two or more players, or a value is wrong.
    """
    record, ending = game.record, game.record.ending
    n_players = len(game.participants)
    if record.result is None or n_players < 2:
        refuse(game, "it is not a finished game of two or more players")
    if len(record.result) != n_players or len(record.players) != n_players:
        refuse(game, "it has not as many players as results and participants")
    moves, times = json_text(list(record.moves)), _microseconds(game)
    first, second = game.participants[:2]
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
    check_heavy(heavy, check_light(light, n_players))
    _check_times(light, times)
    return (*light, *heavy)


def seat_rows_of(game: PlayedGame, agents: Sequence[int]) -> list[Row]:
    """The rows of a game's seats beyond the second, after the checks of `row_of`.

    `agents` are the ids of the agents in these seats.

    Raises
    ------
    StoreError
        If a value is wrong.
    """
    assert game.record.result is not None
    rows: list[Row] = [
        SeatColumns(
            pair=game.pair,
            side=int(game.side),
            seat=seat,
            agent=agent,
            seat_return=float(game.record.result[seat]),
            moves=int(part.moves),
            seconds=float(part.seconds),
            simulations=int(part.simulations),
            nodes=int(part.nodes),
        )
        for seat, (agent, part) in enumerate(
            zip(agents, game.participants[2:], strict=True), start=2
        )
    ]
    return list(check_seats(rows))


def read_result(row: Row, pairing: Pairing, further: Sequence[FurtherSeat] = ()) -> Result:
    """The result that the light columns of a row hold, and those of further seats.

    Raises
    ------
    StoreError
        If a value is wrong.
    """
    return _result(check_light(row, 2 + len(further)), pairing, further)


def _result(light: LightColumns, pairing: Pairing, further: Sequence[FurtherSeat]) -> Result:
    contest, agents = pairing.contest, _agents(pairing, light.side, further)
    more = [seat.columns for seat in further]
    return Result(
        game=contest.spec,
        board=contest.board,
        board_digest=contest.board_digest,
        agents=tuple([agent.spec for agent in agents]),
        pair=light.pair,
        side=light.side,
        opening_number=light.opening_number,
        returns=(light.first_return, light.second_return, *[each.seat_return for each in more]),
        ending=light.ending,
        ending_player=light.ending_player,
        ending_detail=light.ending_detail,
        plies=light.plies,
        opening=light.opening,
        moves=(light.first_moves, light.second_moves, *[each.moves for each in more]),
        seconds=(light.first_seconds, light.second_seconds, *[each.seconds for each in more]),
        simulations=(
            light.first_simulations,
            light.second_simulations,
            *[each.simulations for each in more],
        ),
        nodes=(light.first_nodes, light.second_nodes, *[each.nodes for each in more]),
        moves_digest=light.moves_digest,
        tournament_seed=int(light.tournament_seed),
    )


def read_game(
    row: Row, pairing: Pairing, board: Board, further: Sequence[FurtherSeat] = ()
) -> PlayedGame:
    """The game that a whole row holds, and further seats; `board` is the contest's board.

    Raises
    ------
    StoreError
        If a value is wrong.
    """
    light = check_light(row[: len(LIGHT)], 2 + len(further))
    heavy = check_heavy(row[len(LIGHT) :], light)
    result = _result(light, pairing, further)
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
        participants=_participants(result, _agents(pairing, light.side, further)),
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


def _participants(result: Result, agents: Sequence[StoredAgent]) -> tuple[Participant, ...]:
    return tuple(
        Participant(
            agent.name,
            agent.options,
            result.moves[seat],
            result.seconds[seat],
            result.simulations[seat],
            result.nodes[seat],
        )
        for seat, agent in enumerate(agents)
    )


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
