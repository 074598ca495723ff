"""Routes: what papers report beside what was measured."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from topple.lab.data.lab_database import StoreFile
from topple.lab.server.replies import FindingsReply, PaperReply
from topple.lab.server.responses import ERRORS, answer
from topple.lab.server.routes_stores import Stamp, found, stamp
from topple.lab.settings import Lab
from topple.papers import ALL

PaperName = Literal["spread-it", "chain-reaction", "infexion", "sds-hex", "influence"]
ScaleName = Literal["quick", "full"]
StoreQuery = Annotated[
    str | None,
    Query(max_length=200, description="a store by its name; that called papers unless given"),
]
PAPERS = "papers"  # the store that is looked into, if there is one
BRIEFLY = ("item", "kind", "number", "title", "section", "verdict", "n_games", "command")


def paper_routes(lab: Lab) -> APIRouter:
    """The reproduction report, browsable."""
    router = APIRouter(prefix="/api/papers", responses=ERRORS, tags=["papers"])

    @router.get("", response_model=list[PaperReply])
    async def list_papers(scale: ScaleName = "quick", store: StoreQuery = None) -> Response:
        """Every paper with its items and how they compare."""
        file, findings = await look(lab, ALL, scale, store, charts=False)
        return answer([_brief(each, file) for each in findings])

    @router.get("/{name}", response_model=FindingsReply)
    async def show_paper(
        name: PaperName, scale: ScaleName = "quick", store: StoreQuery = None
    ) -> Response:
        """Published beside measured, item by item, with charts."""
        file, [data] = await look(lab, name, scale, store, charts=True)
        items = [{"name": item["item"], **item} for item in data["items"]]
        told = {**_head(data, file), "items": items, "charts": data["charts"]}
        return await run_in_threadpool(answer, told)  # it may be long

    return router


async def look(
    lab: Lab, paper: str, scale: str, store: str | None, *, charts: bool
) -> tuple[StoreFile | None, Any]:
    """What a store says of papers; without one, what was published alone."""
    file, seen = await run_in_threadpool(_looked_up, lab, store)
    path = None if file is None or seen is None else str(file.path)
    task = {"paper": paper, "scale": scale, "store": path, "charts": charts}
    key = ("papers", paper, scale, path, seen, charts)
    return file, await lab.remembered(key, "papers", task, "the report on papers")


def _looked_up(lab: Lab, store: str | None) -> tuple[StoreFile | None, Stamp]:
    file = lab.kept.store(PAPERS) if store is None else found(lab, store)
    return file, None if file is None else stamp(file)


def _head(data: dict[str, Any], file: StoreFile | None) -> dict[str, Any]:
    return {
        "name": data["paper"],
        "title": data["title"],
        "authors": data["authors"],
        "source": data["source"],
        "scale": data["scale"],
        "store": None if file is None else file.name,
    }


def _brief(data: dict[str, Any], file: StoreFile | None) -> dict[str, Any]:
    items = [
        {"name": item["item"], **{part: item[part] for part in BRIEFLY}} for item in data["items"]
    ]
    return {**_head(data, file), "items": items}
