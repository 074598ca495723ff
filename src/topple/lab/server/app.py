"""The lab as an application: its routes, the page's files, and the guard in front of both."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.staticfiles import StaticFiles

from topple import __version__
from topple.lab.lab import Lab, LabSettings
from topple.lab.server.errors import add_error_handlers
from topple.lab.server.guard import Guard
from topple.lab.server.routes_boards import board_routes
from topple.lab.server.routes_jobs import job_routes
from topple.lab.server.routes_papers import paper_routes
from topple.lab.server.routes_play import play_routes
from topple.lab.server.routes_stores import store_routes

STATIC = Path(__file__).parents[1] / "static"
ABOUT = "Play, analyse and compare games of influence on graphs."


def make_app(settings: LabSettings) -> FastAPI:
    """Make the application; its workers start and end with it.

    Raises
    ------
    ToppleError
        If the lab's folder cannot be used.
    """
    lab = Lab(settings)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(lab.jobs.start)
        try:
            yield
        finally:
            await run_in_threadpool(lab.close)

    app = FastAPI(
        title="topple lab",
        version=__version__,
        description=ABOUT,
        lifespan=life,
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages would load scripts from other sites
        redoc_url=None,
        telemetry={"auto_configure": False},  # nothing that happens here is reported
    )
    app.state.lab = lab
    app.add_middleware(Guard, address=settings.address)
    add_error_handlers(app)
    for routes in (board_routes, play_routes, job_routes, store_routes, paper_routes):
        app.include_router(routes(lab))
    if STATIC.is_dir():
        app.mount("/", StaticFiles(directory=STATIC, html=True), name="page")
    return app
