"""Routes: positions, records and kept games."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from topple.bridges.hex import formats as hex_files
from topple.bridges.networks import position_text
from topple.core.errors import BadRecord, BadText
from topple.core.spec import format_spec
from topple.core.text import is_plain
from topple.game.game import Game
from topple.game.record import Ending, Record
from topple.lab import limits
from topple.lab.data.position_cache import Lines, Reached
from topple.lab.data.views import view_data
from topple.lab.server.forms import GameForm, PlayedForm, RecordForm, TakenForm, ViewForm
from topple.lab.server.replies import GameReply, KeptReply, LineReply, RecordReply, ViewReply
from topple.lab.server.responses import ERRORS, NotHere, answer
from topple.lab.server.routes_boards import board_name
from topple.lab.settings import Lab
from topple.lab.work.board_jobs import have_boards

GameNumber = Annotated[int, Path(ge=1, le=limits.LARGEST_NUMBER)]


def play_routes(lab: Lab) -> APIRouter:
    """Positions to look at, records to load and save, games to keep."""
    router = APIRouter(prefix="/api", responses=ERRORS, tags=["play"])

    @router.post("/view", response_model=ViewReply)
    async def view(form: ViewForm) -> Response:
        """The position that a line of play leads to."""
        await have_boards(lab, [form.board])
        return await run_in_threadpool(viewed, form)

    def viewed(form: ViewForm) -> Response:
        game = lab.lines.game(form.game, form.board)
        reached = lab.lines.reach(game, form.moves)
        name = board_name(form.board or game.board.spec, game.board)
        return answer(view_data(reached, name, steps=form.steps))

    @router.post("/record", response_model=LineReply)
    def read_record(form: RecordForm) -> Response:
        """A record's line of play, checked by replaying it."""
        return answer(line_data(lab, read_game(form.record)))

    @router.post("/record/of", response_model=RecordReply)
    async def write_record(form: TakenForm) -> Response:
        """The record of a line of play: one line of JSON, unless another form is asked for."""
        await have_boards(lab, [form.board])
        return answer({"record": await run_in_threadpool(taken, lab.lines, form)})

    @router.get("/games", response_model=list[GameReply])
    def list_games() -> Response:
        """The games that are kept, the last one first."""
        return answer(lab.kept.games())

    @router.post("/games", response_model=KeptReply)
    async def keep_game(form: GameForm) -> Response:
        """Keep a game."""
        if not is_plain(form.name):
            raise BadText("a game's name is one line of plain text")
        await have_boards(lab, [form.board])
        return await run_in_threadpool(kept, form)

    def kept(form: GameForm) -> Response:
        reached, record = played(lab.lines, form)
        game = reached.position.game
        summary = {
            "game": game.spec,
            "board": board_name(form.board or game.board.spec, game.board),
            "plies": len(reached.moves),
            "players": form.players,
            "result_text": result_text(reached, record.ending),
        }
        return answer({"id": lab.kept.keep_game(form.name, record, summary)})

    @router.get("/games/{number}", response_model=LineReply)
    def show_game(number: GameNumber) -> Response:
        """A kept game."""
        found = lab.kept.game(number)
        if found is None:
            raise NotHere(f"game {number} is not kept here")
        name, record = found
        return answer({**line_data(lab, record), "name": name})

    @router.delete("/games/{number}", response_model=KeptReply)
    def remove_game(number: GameNumber) -> Response:
        """Forget a kept game."""
        if not lab.kept.remove_game(number):
            raise NotHere(f"game {number} is not kept here")
        return answer({"id": number})

    return router


def played(lines: Lines, form: PlayedForm) -> tuple[Reached, Record]:
    """A line of play with who played it, as a record.

    Raises
    ------
    BadText, BadBoard, IllegalMove, BadRecord
        If it is no such line, or does not go with its players and its ending.
    """
    game = lines.game(form.game, form.board)
    reached = lines.reach(game, form.moves)
    ending = None if form.ending is None else Ending(**form.ending.model_dump())
    check_players(game, form.players)
    moves = [game.move_text(move) for move in reached.moves]
    return reached, Record.at(reached.position, moves, form.players, ending=ending)


def taken(lines: Lines, form: TakenForm) -> str:
    """A line of play in the form that is asked for; as a network, its last position.

    Raises
    ------
    BadText, BadBoard, IllegalMove, BadRecord
        As for `played`, or if it is not a game of that form.
    """
    reached, record = played(lines, form)
    if form.form == "json":
        return record.to_json()
    if form.form in hex_files.FORMS:
        return hex_files.write_game(record, form.form)
    return position_text(reached.position, f".{form.form}")


def read_game(text: str) -> Record:
    """A record, or the one game that another Hex program has written.

    Raises
    ------
    BadText, BadRecord
        If it is neither.
    """
    is_foreign = hex_files.is_foreign(text.encode("utf-8", "replace"))
    return hex_files.read_game(text) if is_foreign else Record.from_json(text)


def check_players(game: Game, players: list[str]) -> None:
    """Refuse another number of players than play.

    Raises
    ------
    BadRecord
        Then.
    """
    if len(players) != game.n_players:
        raise BadRecord(f"{len(players)} players are named, and {game.spec} has {game.n_players}")


def result_text(reached: Reached, ending: Ending | None) -> str:
    """How a game ended, in words."""
    if ending is not None:
        return ending.text(reached.position.game.players)
    return reached.position.result_text()


def line_data(lab: Lab, record: Record) -> dict[str, Any]:
    """A record as a line of play; its moves, result and board are checked.

    Raises
    ------
    BadRecord, BadBoard, BadText
        If it does not replay, or names what is not topple's own.
    """
    board = lab.name_of(record.board)
    # The game is found by its spec as requests name it, so that only topple's own are.
    game = lab.lines.game(_spec(record), board)
    if len(record.moves) > limits.MOVES:
        raise BadRecord(f"{len(record.moves):,} moves are too many: at most {limits.MOVES:,}")
    reached = lab.lines.reach(game, record.moves)
    record.check_end(reached.position)
    return {
        "game": game.spec,
        "board": board,
        "moves": list(reached.moves),
        "players": list(record.players),
        "ending": None if record.ending is None else asdict(record.ending),
        "result": None if record.result is None else list(record.result),
        "result_text": result_text(reached, record.ending),
        "opening": record.opening,
    }


def _spec(record: Record) -> str:
    return format_spec(record.game, (), dict(record.options))
