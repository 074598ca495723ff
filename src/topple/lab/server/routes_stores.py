"""Routes of stores: their standings and every game in them."""

from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import with_config
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from topple.arena.store.played import Result
from topple.core.errors import BadText, StoreError
from topple.lab import limits
from topple.lab.data.lab_database import NotFound, StoreFile, StoreStamp
from topple.lab.data.views import EXACT
from topple.lab.lab import Lab
from topple.lab.server.errors import ERRORS
from topple.lab.server.routes_play import LineReply, line_data

StoreName = Annotated[str, Path(min_length=1, max_length=200)]
GameKey = Annotated[str, Path(pattern=r"^[0-9a-f]{32}-[01]$")]
Offset = Annotated[int, Query(ge=0, le=limits.LARGEST_NUMBER)]
Limit = Annotated[int, Query(ge=1, le=limits.ROWS)]


@with_config(EXACT)
class StoreReply(TypedDict):
    """A store in a list."""

    name: str
    games: int
    agents: list[str]
    running: bool
    planned: int  # games of the tournament that was asked for last; 0: not known
    own: bool
    error: str | None


@with_config(EXACT)
class StandingsReply(TypedDict):
    """A summary of the games of a store."""

    name: str
    standings: dict[str, Any] | None
    letters: dict[str, str]
    plots: dict[str, str]
    asked: dict[str, Any] | None
    planned: int  # games of what was asked last; 0: not known
    tournaments: list[dict[str, Any]]


class RowReply(TypedDict):
    """A game of a store in a list."""

    key: str
    game: str
    board: str
    agents: list[str]
    returns: list[float]
    plies: int
    ending: str | None


@with_config(EXACT)
class RowsReply(TypedDict):
    """Some games of a store."""

    total: int
    offset: int
    rows: list[RowReply]


def store_routes(lab: Lab) -> APIRouter:
    """Stores that the lab has made, and those from the command line."""
    router = APIRouter(prefix="/api/stores", responses=ERRORS, tags=["stores"])

    @router.get("")
    def list_stores() -> list[StoreReply]:
        """The stores, with what is in them."""
        return [
            store_data(each, is_running(each.name), lab.database.tournament(each.name))
            for each in lab.database.stores()
        ]

    @router.get("/{name}")
    async def show_store(name: StoreName) -> StandingsReply:
        """A summary of the games of a store: crosstables, ratings, plots."""
        file, stamp, tournament = await run_in_threadpool(found, name)
        asked, planned = tournament or (None, 0)
        reply: StandingsReply = {
            "name": name,
            "standings": None,
            "letters": {},
            "plots": {},
            "asked": asked,
            "planned": planned,
            "tournaments": [],
        }
        if stamp is not None:
            key, task = ("report", name, stamp), {"store": str(file.path)}
            report = await lab.remembered_result(key, "report", task, f"the report on {name}")
            reply.update(report)
        return reply

    def found(
        name: str,
    ) -> tuple[StoreFile, StoreStamp | None, tuple[dict[str, Any], int] | None]:
        file = lab.database.store(name)
        return file, file.stamp(), lab.database.tournament(name)

    @router.get("/{name}/games")
    def list_store_games(name: StoreName, offset: Offset = 0, limit: Limit = 50) -> RowsReply:
        """Some games of a store, in its order."""
        file = lab.database.store(name)
        if not file.path.exists():
            return {"total": 0, "offset": offset, "rows": []}
        with file.open() as store:
            rows = [row_data(each) for each in islice(store.results(offset=offset), limit)]
            return {"total": store.n_games(), "offset": offset, "rows": rows}

    @router.get("/{name}/games/{key}")
    def show_store_game(name: StoreName, key: GameKey) -> LineReply:
        """A game of a store as a line of play."""
        file = lab.database.store(name)
        if not file.path.exists():
            raise NotFound(f"{name} has no games yet")
        pair, _, side = key.partition("-")
        with file.open() as store:
            played = store.game(pair, int(side))
        if played is None:
            raise NotFound(f"{name} has no such game")
        return line_data(lab, played.record)

    def is_running(name: str) -> bool:
        """Whether a tournament plays into a store."""
        return any(
            job.request.kind == "tournament"
            and job.state == "running"
            and job.request.asked.get("name") == name
            for job in lab.jobs.all()
        )

    return router


def store_data(
    file: StoreFile, is_running: bool, tournament: tuple[dict[str, Any], int] | None
) -> StoreReply:
    """A store in a list; if it cannot be read, its reply says why.

    `tournament` is what the page asked for last, with its number of games.
    """
    reply: StoreReply = {
        "name": file.name,
        "games": 0,
        "agents": [str(agent) for agent in tournament[0]["agents"]] if tournament else [],
        "running": is_running,
        "planned": tournament[1] if tournament else 0,
        "own": file.is_own,
        "error": None,
    }
    if not file.path.exists():
        return reply
    try:
        with file.open() as store:
            reply["games"] = store.n_games()
            tournaments = store.tournaments()
            asked = [settings.get("agents", []) for _, settings, _ in tournaments]
            if len(tournaments) > 1:  # how many of the games are the last one's is not known
                reply["planned"] = 0
        reply["agents"] = list(dict.fromkeys(str(agent) for each in asked for agent in each))
    except (StoreError, BadText) as error:
        reply["error"] = str(error)
    return reply


def row_data(result: Result) -> RowReply:
    """A game of a store in a list."""
    return {
        "key": f"{result.pair}-{result.side}",
        "game": result.game,
        "board": result.board,
        "agents": list(result.agents),
        "returns": list(result.returns),
        "plies": result.plies,
        "ending": result.ending,
    }
