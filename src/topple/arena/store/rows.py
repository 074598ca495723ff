"""Games as rows of a store, and back."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from topple.arena.store.checks import (
    LIGHT,
    MOST_DIGITS,
    Row,
    check_light,
    check_moves,
    check_rest,
    check_times,
    refuse,
)
from topple.arena.store.played import Part, PlayedGame, Result, digest_of
from topple.boards import Board
from topple.core.errors import StoreError
from topple.game.record import FORMAT, Record, read_json

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


class StoredAgent(NamedTuple):
    """An agent as a store has it."""

    spec: str
    name: str
    options: Mapping[str, Any]


class Contest(NamedTuple):
    """A game with its options on a board."""

    game: str  # its name
    options: Mapping[str, Any]  # all that have a value
    spec: str  # with the options that are not the default
    board: str  # its spec
    board_digest: str


class Pairing(NamedTuple):
    """Two agents in a contest; `agent` is the one that the pairing names first."""

    contest: Contest
    agent: StoredAgent
    opponent: StoredAgent

    def seats(self, side: int) -> tuple[StoredAgent, StoredAgent]:
        """The agents in the order of the seats."""
        return (self.opponent, self.agent) if side else (self.agent, self.opponent)


def json_text(value: object) -> str:
    """The one JSON text of some plain data, whatever the order of its keys.

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
    """The row of a game, held to the same checks as a row that is read.

    Raises
    ------
    StoreError
        If it is not a finished game of two, or a part of it is wrong.
    """
    record = game.record
    if record.result is None or len(record.result) != 2 or len(record.players) != 2:
        refuse(game.pair, game.side, "it is not a finished game of two players")
    ending, moves, times = record.ending, json_text(list(record.moves)), _microseconds(game)
    first, second = game.parts
    row = (
        game.pair, int(game.side), _seed_in(game.tournament_seed), int(game.opening_number),
        *map(float, record.result),
        None if ending is None else ending.by, None if ending is None else ending.player,
        len(record.moves), int(record.opening), int(first.moves), int(second.moves),
        float(first.seconds), float(second.seconds),
        int(first.simulations), int(second.simulations), int(first.nodes), int(second.nodes),
        digest_of(moves),
        None if ending is None else ending.detail, game.reason, _seed_in(record.seed),
        record.version, game.began, float(game.seconds), moves,
        json_text(times),
    )  # fmt: skip
    check_light(row[: len(LIGHT)])
    check_rest(row)
    check_times(row, times)
    return row


def read_result(row: Row, pairing: Pairing) -> Result:
    """The result that the light columns of a row tell.

    Raises
    ------
    StoreError
        If the row is wrong.
    """
    check_light(row)
    (pair, side, _, opening_number, return1, return2, ending, loser, plies, opening,
     moves1, moves2, seconds1, seconds2, simulations1, simulations2, nodes1, nodes2,
     digest) = row  # fmt: skip
    contest, (first, second) = pairing.contest, pairing.seats(side)
    return Result(
        contest.spec, contest.board, contest.board_digest, (first.spec, second.spec),
        pair, side, opening_number, (return1, return2), ending, loser, plies, opening,
        (moves1, moves2), (seconds1, seconds2), (simulations1, simulations2), (nodes1, nodes2),
        digest,
    )  # fmt: skip


def read_game(row: Row, pairing: Pairing, board: Board) -> PlayedGame:
    """The game that a whole row tells; `board` is the contest's.

    Raises
    ------
    StoreError
        If the row is wrong.
    """
    result = read_result(row[: len(LIGHT)], pairing)
    check_rest(row)
    tournament_seed = row[LIGHT.index("tournament_seed")]
    detail, reason, seed, version, began, seconds, moves_text, times_text = row[len(LIGHT) :]
    try:
        moves, times = read_json(moves_text), read_json(times_text)
        check_moves(row, moves)
        check_times(row, times)
        record = Record.from_data(
            {
                "format": FORMAT, "topple": version, "game": pairing.contest.game,
                "options": pairing.contest.options, "board": None,  # given below
                "players": list(result.agents), "seed": _seed_out(seed),
                "opening": result.opening, "moves": moves,
                "ending": _ending_data(result, detail), "result": list(result.returns),
            },
            board,
        )  # fmt: skip
    except StoreError:
        raise
    except ValueError as error:  # of JSON, or a BadRecord
        refuse(result.pair, result.side, str(error))
    return PlayedGame(
        result.pair, result.side, record, reason, _parts(result, pairing),
        _seed_out(tournament_seed), result.opening_number, began, seconds,
        tuple([each / 1e6 for each in times]),
    )  # fmt: skip


def _microseconds(game: PlayedGame) -> list[int]:
    """The time of each move; more digits than these would mean nothing."""
    try:
        return [int(each * 1e6 + 0.5) for each in game.move_seconds]
    except (ValueError, OverflowError):  # NaN, infinity
        refuse(game.pair, game.side, "a move's seconds are no time")


def _parts(result: Result, pairing: Pairing) -> tuple[Part, Part]:
    first, second = (
        Part(
            agent.name, agent.options, result.moves[seat], result.seconds[seat],
            result.simulations[seat], result.nodes[seat],
        )
        for seat, agent in enumerate(pairing.seats(result.side))
    )  # fmt: skip
    return first, second


def _ending_data(result: Result, detail: str | None) -> dict[str, Any] | None:
    if result.ending is None:
        return None
    return {"by": result.ending, "player": result.ending_player, "detail": detail or ""}


def _seed_in(seed: int | None) -> int | str | None:
    """A seed as SQLite can keep it: beyond 64 bits as text."""
    if seed is None or -(2**63) <= seed < 2**63:
        return None if seed is None else int(seed)
    if abs(seed) >= 10**MOST_DIGITS:
        raise StoreError(f"a seed has more than {MOST_DIGITS} digits")
    return str(seed)


def _seed_out(seed: int | str | None) -> Any:
    return int(seed) if isinstance(seed, str) else seed
