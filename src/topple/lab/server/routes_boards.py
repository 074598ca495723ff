"""Routes of boards: the catalogue of all that can be chosen, boards, and uploaded graphs."""

import json
from types import ModuleType
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import with_config
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from typing_extensions import TypedDict

from topple import __version__
from topple.agents import find_agent
from topple.agents.catalogue import (
    AgentDescription,
    BoardKindDescription,
    GameDescription,
    describe_agent,
    describe_game,
    describe_kind,
)
from topple.boards import Board, load_board
from topple.core.errors import BadText
from topple.core.text import is_plain
from topple.evaluations import evaluations_of
from topple.game import load
from topple.lab import limits
from topple.lab.data.allowed import fitting_kinds, own_agents, own_games, own_kinds
from topple.lab.data.position_cache import KEPT, board_name
from topple.lab.data.views import EXACT, BoardReply, board_data
from topple.lab.lab import Lab
from topple.lab.server.errors import ERRORS, JSON
from topple.lab.server.forms import BoardForm
from topple.nets.shelf import has_net
from topple.rules import find_rules

FileName = Annotated[
    str, Query(min_length=1, max_length=200, description="its extension gives the format")
]
Directed = Annotated[bool, Query(description="for edge lists: each line is an arc")]
Strict = Annotated[
    bool, Query(description="for edge lists: repeated edges and loops are refused, not cleaned")
]
ANY_FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


class EvaluationReply(TypedDict):
    """A named evaluation of a game."""

    name: str
    meaning: str


class GameKindReply(GameDescription):
    """A game that can be played."""

    boards: list[str]  # the kinds that it can be played on, its own first
    seats: list[str]  # the names of its players, of as many as can play
    free: list[str]  # the options whose choices are examples: they take other texts, too
    evaluations: list[EvaluationReply]
    has_net: bool  # whether a network is shipped for it on its own board


@with_config(EXACT)
class KeptBoardReply(TypedDict):
    """A network that was opened before, with its name."""

    board: str
    name: str


@with_config(EXACT)
class CatalogueReply(TypedDict):
    """All that can be chosen, and the limits."""

    version: str
    games: list[GameKindReply]
    agents: list[AgentDescription]
    boards: list[BoardKindDescription]
    limits: dict[str, float]


def board_routes(lab: Lab) -> APIRouter:
    """What can be chosen, and boards to draw."""
    router = APIRouter(prefix="/api", responses=ERRORS, tags=["boards"])
    everything = json.dumps(catalogue(), ensure_ascii=False, separators=(",", ":")).encode()

    @router.get("/catalogue", response_model=CatalogueReply)
    def show_catalogue() -> Response:
        """All games, agents and kinds of boards with their options, and the limits."""
        return Response(everything, media_type=JSON)  # it never changes

    @router.post("/board")
    async def show_board(form: BoardForm) -> BoardReply:
        """A board to draw; with a game it is checked that it can be played there."""
        await lab.prepare_boards([form.board])
        return await run_in_threadpool(drawn, form)

    def drawn(form: BoardForm) -> BoardReply:
        board = lab.positions.board(form.board)
        game = None if form.game is None else lab.positions.game(form.game, form.board)
        return board_data(board, board_name(form.board, board), game)

    @router.post("/upload", openapi_extra=ANY_FILE)
    async def upload(
        request: Request, name: FileName, directed: Directed = False, strict: Strict = False
    ) -> BoardReply:
        """A graph file, kept as a board."""
        # The body is read as it is, whatever type it claims: a JSON file is not a form of ours.
        if not is_plain(name):
            raise BadText("the file's name is not plain text")
        content = await request.body()
        board = await lab.uploaded_board(name, content, directed=directed, strict=strict)
        return await run_in_threadpool(stored, board)

    @router.get("/boards")
    def list_boards() -> list[KeptBoardReply]:
        """The networks that were opened last, latest first."""
        kept = lab.database.latest_boards(limits.LISTED_BOARDS)
        return [{"board": f"{KEPT}{digest}", "name": name} for digest, name in kept]

    def stored(board: Board) -> BoardReply:
        kept = f"{KEPT}{lab.database.keep_board(board)}"
        lab.positions.add_board(kept, board)
        return board_data(board, kept)

    return router


def catalogue() -> CatalogueReply:
    """All that can be chosen."""
    return {
        "version": __version__,
        "games": [_game_kind(name) for name in own_games()],
        "agents": [describe_agent(find_agent(name)) for name in own_agents()],
        "boards": [describe_kind(kind) for kind in own_kinds()],
        "limits": limits.limits_data(),
    }


def _seats(rules: ModuleType) -> tuple[str, ...]:
    """The names of a game's players when as many play as can."""
    most = {option.name: option.default for option in rules.OPTIONS}
    most |= {option.name: option.most for option in rules.OPTIONS if option.name == "players"}
    if hasattr(rules, "variant"):  # others may have the rules for so many
        rules = rules.variant(load_board(rules.BOARD), most) or rules
    names: tuple[str, ...] = rules.players(most)
    return names


def _game_kind(name: str) -> GameKindReply:
    rules = find_rules(name)
    return {
        **describe_game(rules),
        "boards": list(fitting_kinds(name)),
        "seats": list(_seats(rules)),
        "free": [option.name for option in rules.OPTIONS if option.choices and option.reader],
        "evaluations": [
            {"name": evaluation, "meaning": each.meaning}
            for evaluation, each in evaluations_of(name).items()
        ],
        "has_net": has_net(load(name)),
    }
