"""Routes of papers: what they report beside what was measured."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import with_config
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from topple.lab.data.lab_database import StoreFile, StoreStamp
from topple.lab.data.views import EXACT
from topple.lab.lab import Lab
from topple.lab.server.errors import ERRORS
from topple.papers import ALL

PaperName = Literal["spread-it", "chain-reaction", "infexion", "sds-hex", "influence"]
ScaleName = Literal["quick", "full"]
StoreQuery = Annotated[
    str | None,
    Query(max_length=200, description="a store by its name; by default the one named papers"),
]
PAPERS = "papers"  # the store that is used if it exists and no other is named
BRIEFLY = ("item", "kind", "number", "title", "section", "verdict", "n_games", "command")


@with_config(EXACT)
class PaperReply(TypedDict):
    """A paper in a list."""

    name: str
    title: str
    authors: str
    source: str
    scale: str
    store: str | None
    items: list[dict[str, Any]]


@with_config(EXACT)
class FindingsReply(PaperReply):
    """What was found of a paper, with charts."""

    charts: dict[str, str]


def paper_routes(lab: Lab) -> APIRouter:
    """The reproduction report, browsable."""
    router = APIRouter(prefix="/api/papers", responses=ERRORS, tags=["papers"])

    @router.get("")
    async def list_papers(scale: ScaleName = "quick", store: StoreQuery = None) -> list[PaperReply]:
        """Every paper with its items and how they compare."""
        file, papers = await findings(ALL, scale, store, with_charts=False)
        return [
            _paper(data, file, [{part: item[part] for part in BRIEFLY} for item in data["items"]])
            for data in papers
        ]

    @router.get("/{name}")
    async def show_paper(
        name: PaperName, scale: ScaleName = "quick", store: StoreQuery = None
    ) -> FindingsReply:
        """Published beside measured, item by item, with charts."""
        file, [data] = await findings(name, scale, store, with_charts=True)
        return {**_paper(data, file, data["items"]), "charts": data["charts"]}

    async def findings(
        paper: str, scale: str, store: str | None, *, with_charts: bool
    ) -> tuple[StoreFile | None, Any]:
        """What a store says of papers; without a store, only what was published."""
        file, stamp = await run_in_threadpool(found_store, store)
        path = None if file is None or stamp is None else str(file.path)
        task = {"paper": paper, "scale": scale, "store": path, "charts": with_charts}
        key = ("papers", paper, scale, path, stamp, with_charts)
        return file, await lab.remembered_result(key, "papers", task, "the report on papers")

    def found_store(name: str | None) -> tuple[StoreFile | None, StoreStamp | None]:
        database = lab.database
        file = database.find_store(PAPERS) if name is None else database.store(name)
        return file, None if file is None else file.stamp()

    return router


def _paper(data: Any, file: StoreFile | None, items: list[dict[str, Any]]) -> PaperReply:
    return {
        "name": data["paper"],
        "title": data["title"],
        "authors": data["authors"],
        "source": data["source"],
        "scale": data["scale"],
        "store": None if file is None else file.name,
        "items": [{"name": item["item"], **item} for item in items],
    }
