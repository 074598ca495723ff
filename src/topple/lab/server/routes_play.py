"""Routes of play: positions, records and kept games."""

from typing import Annotated, NotRequired

from fastapi import APIRouter, Path
from pydantic import with_config
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from topple.bridges.hex import game_files as hex_files
from topple.bridges.networks import position_text
from topple.core.errors import BadRecord, BadText
from topple.core.spec import format_spec
from topple.core.text import is_plain
from topple.game import Game
from topple.game.record import Ending, Record
from topple.lab import limits
from topple.lab.data.lab_database import GameReply, GameSummary
from topple.lab.data.position_cache import PlayedLine, PositionCache, board_name
from topple.lab.data.views import EXACT, ViewReply, view_data
from topple.lab.lab import Lab
from topple.lab.server.errors import ERRORS
from topple.lab.server.forms import GameForm, PlayedForm, RecordForm, TakenForm, ViewForm

GameNumber = Annotated[int, Path(ge=1, le=limits.LARGEST_NUMBER)]


class EndingReply(TypedDict):
    """What ended a game before its rules did."""

    by: str
    player: int | None
    detail: str


@with_config(EXACT)
class LineReply(TypedDict):
    """A game that was played: its line, who played, how it ended."""

    game: str
    board: str
    moves: list[int | str]  # numbers; in a game with chance texts with their draws
    players: list[str]
    ending: EndingReply | None
    result: list[float] | None
    result_text: str
    opening: int
    name: NotRequired[str | None]


@with_config(EXACT)
class RecordReply(TypedDict):
    """A record as topple writes it."""

    record: str


@with_config(EXACT)
class KeptReply(TypedDict):
    """The number of a game that is kept now."""

    id: int


def play_routes(lab: Lab) -> APIRouter:
    """Positions to look at, records to load and save, games to keep."""
    router = APIRouter(prefix="/api", responses=ERRORS, tags=["play"])

    @router.post("/view")
    async def view(form: ViewForm) -> ViewReply:
        """The position that a line of play leads to."""
        await lab.prepare_boards([form.board])
        return await run_in_threadpool(viewed, form)

    def viewed(form: ViewForm) -> ViewReply:
        line = lab.positions.line(form.game, form.board, form.moves)
        name = board_name(form.board, line.position.game.board)
        return view_data(line, name, with_steps=form.steps)

    @router.post("/record")
    def read_record(form: RecordForm) -> LineReply:
        """A record's line of play, checked by replaying it."""
        return line_data(lab, read_game(form.record))

    @router.post("/record/of")
    async def write_record(form: TakenForm) -> RecordReply:
        """The record of a line of play: one line of JSON, unless another form is asked for."""
        await lab.prepare_boards([form.board])
        return {"record": await run_in_threadpool(record_text, lab.positions, form)}

    @router.get("/games")
    def list_games() -> list[GameReply]:
        """The games that are kept, the last one first."""
        return lab.database.games()

    @router.post("/games")
    async def keep_game(form: GameForm) -> KeptReply:
        """Keep a game."""
        if not is_plain(form.name):
            raise BadText("a game's name is one line of plain text")
        await lab.prepare_boards([form.board])
        return await run_in_threadpool(kept, form)

    def kept(form: GameForm) -> KeptReply:
        line, record = played(lab.positions, form)
        game = line.position.game
        summary: GameSummary = {
            "game": game.spec,
            "board": board_name(form.board, game.board),
            "plies": len(line.moves),
            "players": form.players,
            "result_text": result_text(line, record.ending),
        }
        return {"id": lab.database.keep_game(form.name, record, summary)}

    @router.get("/games/{number}")
    def show_game(number: GameNumber) -> LineReply:
        """A kept game."""
        name, record = lab.database.game(number)
        return {**line_data(lab, record), "name": name}

    @router.delete("/games/{number}")
    def remove_game(number: GameNumber) -> KeptReply:
        """Forget a kept game."""
        lab.database.remove_game(number)
        return {"id": number}

    return router


def played(positions: PositionCache, form: PlayedForm) -> tuple[PlayedLine, Record]:
    """A line of play and its record, with the players and the ending of the form.

    Raises
    ------
    BadText, BadBoard, IllegalMove, BadRecord
        If it is no such line, or the players or the ending do not go with it.
    """
    line = positions.line(form.game, form.board, form.moves)
    game = line.position.game
    if len(form.players) != game.n_players:
        raise BadRecord(
            f"{len(form.players)} players are named, and {game.spec} has {game.n_players}"
        )
    ending = None if form.ending is None else Ending(**form.ending.model_dump())
    return line, Record.at(line.position, line.texts, form.players, ending=ending)


def record_text(positions: PositionCache, form: TakenForm) -> str:
    """A line of play in the form that is asked for; as a network, its last position.

    Raises
    ------
    BadText, BadBoard, IllegalMove, BadRecord
        As for `played`, or if the game has no such form.
    """
    line, record = played(positions, form)
    if form.form == "json":
        return record.to_json()
    if form.form in hex_files.FORMS:
        return hex_files.write_game(record, form.form)
    return position_text(line.position, f".{form.form}")


def read_game(text: str) -> Record:
    """A record, or the one game in a text of another Hex program.

    Raises
    ------
    BadText, BadRecord
        If it is neither.
    """
    is_foreign = hex_files.is_foreign(text.encode("utf-8", "replace"))
    return hex_files.read_game(text) if is_foreign else Record.from_json(text)


def result_text(line: PlayedLine, ending: Ending | None) -> str:
    """How a game ended, in words."""
    if ending is not None:
        return ending.text(line.position.game.players)
    return line.position.result_text()


def line_data(lab: Lab, record: Record) -> LineReply:
    """A record as a line of play; its moves, result and board are checked.

    Raises
    ------
    BadRecord, BadBoard, BadText
        If it does not replay, or names a game that is not topple's own.
    """
    board = lab.name_of_board(record.board)
    # Looked up by its spec, as requests do, so that only topple's own games are found.
    game = lab.positions.game(format_spec(record.game, (), dict(record.options)), board)
    if len(record.moves) > limits.MOVES:
        raise BadRecord(f"{len(record.moves):,} moves are too many: at most {limits.MOVES:,}")
    _check_draws(game, record)
    line = lab.positions.replay(game, record.moves)
    record.check_end(line.position)
    ending = record.ending
    return {
        "game": game.spec,
        "board": board,
        "moves": line.told_moves,
        "players": list(record.players),
        "ending": None if ending is None else _ending(ending),
        "result": None if record.result is None else list(record.result),
        "result_text": result_text(line, ending),
        "opening": record.opening,
    }


def _check_draws(game: Game, record: Record) -> None:
    """Refuse a record of a game with chance that has lost its draws: it replays to anything."""
    for ply, move in enumerate(record.moves, start=1):
        if game.has_chance and game.split_draw(move)[1] is None:
            raise BadRecord(f"{move:.60} has no draw, and the game has chance", ply)


def _ending(ending: Ending) -> EndingReply:
    return {"by": ending.by, "player": ending.player, "detail": ending.detail}
