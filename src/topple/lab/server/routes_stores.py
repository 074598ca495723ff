"""Routes: stores of games, their standings and every game in them."""

from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from topple.arena.store.store import Store, open_store
from topple.core.errors import BadText, StoreError
from topple.lab import limits
from topple.lab.data.lab_database import StoreFile
from topple.lab.server.replies import LineReply, RowsReply, StandingsReply, StoreReply
from topple.lab.server.responses import ERRORS, NotHere, answer
from topple.lab.server.routes_play import line_data
from topple.lab.settings import Lab
from topple.lab.work.jobs import RUNNING, TOURNAMENT

StoreName = Annotated[str, Path(min_length=1, max_length=200)]
GameKey = Annotated[str, Path(pattern=r"^[0-9a-f]{32}-[01]$")]
Offset = Annotated[int, Query(ge=0, le=limits.LARGEST_NUMBER)]
Stamp = tuple[int, ...] | None
Limit = Annotated[int, Query(ge=1, le=limits.ROWS)]


def store_routes(lab: Lab) -> APIRouter:
    """Stores that the lab has made, and those from the command line."""
    router = APIRouter(prefix="/api/stores", responses=ERRORS, tags=["stores"])

    @router.get("", response_model=list[StoreReply])
    def list_stores() -> Response:
        """The stores, with what is in them."""
        return answer([store_data(lab, each) for each in lab.kept.stores()])

    @router.get("/{name}", response_model=StandingsReply)
    async def show_store(name: StoreName) -> Response:
        """What the games of a store come to: crosstables, ratings, plots."""
        file, seen, asked = await run_in_threadpool(looked_up, name)
        data: dict[str, Any] = {}
        if seen is not None:
            key, task = ("report", name, seen), {"store": str(file.path)}
            data = await lab.remembered(key, "report", task, f"the report on {name}")
        tournament, planned = asked or (None, 0)
        told = {**EMPTY, **data, "name": name, "asked": tournament, "planned": planned}
        return await run_in_threadpool(answer, told)  # it may be long

    def looked_up(name: str) -> tuple[StoreFile, Stamp, tuple[dict[str, Any], int] | None]:
        file = found(lab, name)
        return file, stamp(file), lab.kept.asked(name)

    @router.get("/{name}/games", response_model=RowsReply)
    def list_store_games(name: StoreName, offset: Offset = 0, limit: Limit = 50) -> Response:
        """Some games of a store, in its order."""
        file = found(lab, name)
        if not file.path.exists():
            return answer({"total": 0, "offset": offset, "rows": []})
        with opened(file) as store:
            rows = [row_data(each) for each in islice(store.results(), offset, offset + limit)]
            return answer({"total": store.n_games(), "offset": offset, "rows": rows})

    @router.get("/{name}/games/{key}", response_model=LineReply)
    def show_store_game(name: StoreName, key: GameKey) -> Response:
        """A game of a store as a line of play."""
        file = found(lab, name)
        if not file.path.exists():
            raise NotHere(f"{name} has no games yet")
        pair, _, side = key.partition("-")
        with opened(file) as store:
            played = store.game(pair, int(side))
        if played is None:
            raise NotHere(f"{name} has no such game")
        return answer(line_data(lab, played.record))

    return router


EMPTY: dict[str, Any] = {"standings": None, "letters": {}, "plots": {}, "tournaments": []}


def found(lab: Lab, name: str) -> StoreFile:
    """The store of a name.

    Raises
    ------
    NotHere
        If there is none.
    """
    file = lab.kept.store(name)
    if file is None:
        raise NotHere("there is no store of that name")
    return file


def opened(file: StoreFile) -> Store:
    """A store to read; whoever plays into it goes on."""
    return open_store(file.path, read_only=True, check=False)


def stamp(file: StoreFile) -> Stamp:
    """What changes when games or facts are added; None before the first."""
    if not file.path.exists():
        return None
    log = file.path.with_name(f"{file.path.name}-wal")
    moments = [path.stat().st_mtime_ns for path in (file.path, log) if path.exists()]
    with opened(file) as store:
        return store.n_games(), *moments


def store_data(lab: Lab, file: StoreFile) -> dict[str, Any]:
    """A store in a list; one that cannot be read says why."""
    told: dict[str, Any] = {
        "name": file.name,
        "games": 0,
        "agents": [],
        "running": is_running(lab, file.name),
        "own": file.is_own,
        "error": None,
    }
    if not file.path.exists():
        return told
    try:
        with opened(file) as store:
            told["games"] = store.n_games()
            asked = [settings.get("agents", []) for _, settings, _ in store.tournaments()]
        agents = dict.fromkeys(str(agent) for each in asked for agent in each)
        told["agents"] = list(agents)
    except (StoreError, BadText) as error:
        told["error"] = str(error)
    return told


def is_running(lab: Lab, name: str) -> bool:
    """Whether a tournament plays into a store."""
    return any(
        job.kind == TOURNAMENT and job.state == RUNNING and job.asked.get("name") == name
        for job in lab.jobs.all()
    )


def row_data(result: Any) -> dict[str, Any]:
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
