"""Routes: the catalogue, boards and uploaded graphs."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from topple import __version__
from topple.agents import find_agent
from topple.agents.catalogue import describe_agent, describe_game, describe_kind
from topple.boards import Board
from topple.core.errors import BadText
from topple.core.text import is_plain
from topple.evaluations import evaluations_of
from topple.lab import limits
from topple.lab.data.allowed import fitting_kinds, own_agents, own_games, own_kinds
from topple.lab.data.position_cache import KEPT
from topple.lab.data.views import board_data
from topple.lab.server.forms import BoardForm
from topple.lab.server.replies import BoardReply, CatalogueReply
from topple.lab.server.responses import ERRORS, answer
from topple.lab.settings import Lab
from topple.lab.work.board_jobs import have_boards, uploaded
from topple.rules import find_rules

FileName = Annotated[
    str, Query(min_length=1, max_length=200, description="its ending tells the format")
]
Directed = Annotated[bool, Query(description="of edge lists: a line is an arc")]
ANY_FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


def board_routes(lab: Lab) -> APIRouter:
    """What can be chosen, and boards to draw."""
    router = APIRouter(prefix="/api", responses=ERRORS, tags=["boards"])
    told = catalogue()

    @router.get("/catalogue", response_model=CatalogueReply)
    def tell_catalogue() -> Response:
        """All games, agents and kinds of boards with their options, and the limits."""
        return answer(told)

    @router.post("/board", response_model=BoardReply)
    async def show_board(form: BoardForm) -> Response:
        """A board to draw; with a game it is checked that it can be played there."""
        await have_boards(lab, [form.board])
        return await run_in_threadpool(shown, form)

    def shown(form: BoardForm) -> Response:
        board = lab.lines.board(form.board)
        if form.game is not None:
            lab.lines.game(form.game, form.board)
        return answer(board_data(board, board_name(form.board, board)))

    @router.post("/upload", response_model=BoardReply, openapi_extra=ANY_FILE)
    async def upload(request: Request, name: FileName, directed: Directed = False) -> Response:
        """A graph file, kept as a board."""
        # Read as it is, whatever it says of itself: a file of JSON is no form of ours.
        if not is_plain(name):
            raise BadText("the file's name is not plain text")
        board = await uploaded(lab, name, await request.body(), directed)
        return await run_in_threadpool(keep, board)

    def keep(board: Board) -> Response:
        kept = f"{KEPT}{lab.kept.keep_board(board)}"
        lab.lines.remember(kept, board)
        return answer(board_data(board, kept))

    return router


def board_name(text: str, board: Board) -> str:
    """What the page calls a board from now on: its one spec, or what it is kept under."""
    return text if text.startswith(KEPT) else board.spec


def catalogue() -> dict[str, Any]:
    """All that can be chosen."""
    games = []
    for name in own_games():
        told = [
            {"name": evaluation, "meaning": each.meaning}
            for evaluation, each in evaluations_of(name).items()
        ]
        game = describe_game(find_rules(name))
        games.append({**game, "evaluations": told, "boards": list(fitting_kinds(name))})
    return {
        "version": __version__,
        "games": games,
        "agents": [describe_agent(find_agent(name)) for name in own_agents()],
        "boards": [describe_kind(kind) for kind in own_kinds()],
        "limits": limits.limits_data(),
    }
