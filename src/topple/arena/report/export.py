"""Games for other programs: as JSON, one object per line, or as CSV, one row per game."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from topple.arena.statistics.groups import SEAT_NAMES
from topple.arena.store.played import Participant, PlayedGame
from topple.boards import board_to_json
from topple.game.record import FORMAT

_ARENA_COLUMNS = ("pair", "side", "tournament_seed", "opening_number", "reason")
_PARTICIPANT_COLUMNS = ("agent", "options", "moves", "simulations", "nodes")


def columns(n_players: int = 2, *, times: bool = True) -> tuple[str, ...]:
    """The columns of a table of games with up to so many players."""
    seats = SEAT_NAMES[:n_players]
    found = (
        *_ARENA_COLUMNS,
        *("format", "topple", "game", "options", "board", "board_digest"),
        *(f"{seat}_player" for seat in seats),
        *("seed", "opening", "plies", "moves", "ending", "ending_player", "ending_detail"),
        *(f"{seat}_return" for seat in seats),
        *(f"{seat}_{column}" for seat in seats for column in _PARTICIPANT_COLUMNS),
    )
    if not times:
        return found
    return (*found, *(f"{seat}_seconds" for seat in seats), "began", "seconds", "move_seconds")


def jsonl_lines(games: Iterable[PlayedGame], *, times: bool = True) -> Iterator[str]:
    """Each game as a line of JSON: its record, and everything else under `arena`.

    `Record.from_json` reads such a line. Without `times` the lines of a game
    are the same whenever it is played.

    Examples
    --------
    >>> from topple.arena.store.store import open_store
    >>> with open_store(None) as store:
    ...     list(jsonl_lines(store.games()))
    []
    """
    boards: dict[str, Any] = {}  # turning a network into data takes longer than a game
    for game in games:
        board = game.record.board
        if board.digest not in boards:
            boards[board.digest] = board_to_json(board)
        data = {
            **game.record.to_data(boards[board.digest]),
            "arena": arena_data(game, times=times),
        }
        yield f"{json.dumps(data, allow_nan=False)}\n"


def arena_data(game: PlayedGame, *, times: bool = True) -> dict[str, Any]:
    """What a store knows about a game beyond its record, as plain JSON data."""
    data: dict[str, Any] = {
        **{name: getattr(game, name) for name in _ARENA_COLUMNS},
        "agents": [_participant_data(part, times=times) for part in game.participants],
    }
    if times:
        data["began"] = game.began
        data["seconds"] = game.seconds
        data["move_seconds"] = list(game.move_seconds)
    return data


def _participant_data(part: Participant, *, times: bool) -> dict[str, Any]:
    data = {
        "agent": part.agent,
        "options": dict(part.options),
        "moves": part.moves,
        "simulations": part.simulations,
        "nodes": part.nodes,
    }
    if times:
        data["seconds"] = part.seconds
    return data


def csv_lines(
    games: Iterable[PlayedGame], *, times: bool = True, n_players: int = 2
) -> Iterator[str]:
    """A line with the names of the columns, then a line of values for each game.

    Moves and options are JSON, because a label may contain a blank. A board is
    given by name only. There are columns for `n_players` players; a game of fewer leaves
    some empty.

    Examples
    --------
    >>> from topple.arena.store.store import open_store
    >>> with open_store(None) as store:
    ...     [header] = csv_lines(store.games(), times=False)
    >>> header.split(",")[:4]
    ['pair', 'side', 'tournament_seed', 'opening_number']
    """
    writer: Any = csv.writer(_Line(), lineterminator="\n")
    names = columns(n_players, times=times)
    yield writer.writerow(names)
    for game in games:
        row = csv_row(game)
        yield writer.writerow([row.get(name) for name in names])


class _Line:
    """A file that returns what the csv module writes to it."""

    def write(self, line: str) -> str:
        return line


def csv_row(game: PlayedGame) -> dict[str, Any]:
    """The value of each column for a game; None where there is none."""
    record, ending = game.record, game.record.ending
    row = {
        **{name: getattr(game, name) for name in _ARENA_COLUMNS},
        "format": FORMAT,
        "topple": record.version,
        "game": record.game,
        "options": json.dumps(dict(record.options)),
        "board": record.board.spec,
        "board_digest": record.board.digest,
        "seed": record.seed,
        "opening": record.opening,
        "plies": len(record.moves),
        "moves": json.dumps(record.moves),
        "ending": None if ending is None else ending.by,
        "ending_player": None if ending is None else ending.player,
        "ending_detail": None if ending is None else ending.detail,
        "began": game.began,
        "seconds": game.seconds,
        "move_seconds": json.dumps(game.move_seconds),
    }
    returns = record.result or (None,) * len(record.players)
    for place, (seat, part) in enumerate(zip(SEAT_NAMES, game.participants, strict=False)):
        row[f"{seat}_player"] = record.players[place]
        row[f"{seat}_return"] = returns[place]
        for name, value in _participant_data(part, times=True).items():
            row[f"{seat}_{name}"] = json.dumps(value) if name == "options" else value
    return row


LINES: dict[str, Callable[..., Iterator[str]]] = {"jsonl": jsonl_lines, "csv": csv_lines}
