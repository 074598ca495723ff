"""Routes: long work that is asked for, watched and stopped."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Path
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from topple.lab import limits
from topple.lab.server.events import Events
from topple.lab.server.forms import JobForm, TournamentForm
from topple.lab.server.replies import JobReply
from topple.lab.server.responses import ERRORS, JSON, NotHere
from topple.lab.settings import Lab
from topple.lab.work.board_jobs import have_boards
from topple.lab.work.job_requests import prepared
from topple.lab.work.jobs import Job

Client = Annotated[
    str,
    Header(
        alias="X-Topple-Client",
        max_length=limits.CLIENT,
        description="a name of the page's own choice: so many jobs of each page may wait",
    ),
]
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "Events, each a job.", "content": {"text/event-stream": {}}}
}
JobName = Annotated[str, Path(min_length=1, max_length=40)]


def job_routes(lab: Lab) -> APIRouter:
    """Jobs: think, review, solve, tournament."""
    router = APIRouter(prefix="/api/jobs", responses=ERRORS, tags=["jobs"])
    jobs, events = lab.jobs, Events(lab.jobs)

    @router.post("", response_model=JobReply)
    async def add_job(form: JobForm, client: Client = "") -> Response:
        """Put work into the queue."""
        await have_boards(lab, form.boards if isinstance(form, TournamentForm) else [form.board])
        return await run_in_threadpool(added, form, client)

    def added(form: JobForm, client: str) -> Response:
        asked = prepared(lab, form)
        job = jobs.add(
            asked.kind,
            asked.task,
            asked=form.model_dump(exclude={"kind"}),
            title=asked.title,
            client=client,
            seconds=asked.seconds,
            urgent=asked.urgent,
        )
        return _told(jobs.told(job))

    @router.get("", response_model=list[JobReply])
    def list_jobs() -> Response:
        """Every job that is remembered, as asked for; long latest words are left out."""
        return _told(f"[{','.join(jobs.told(job, briefly=True) for job in jobs.all())}]")

    @router.get("/{name}", response_model=JobReply)
    def show_job(name: JobName) -> Response:
        """A job as it stands."""
        return _told(jobs.told(found(name)))

    @router.get("/{name}/events", response_class=StreamingResponse, responses=EVENTS)
    async def watch_job(name: JobName) -> StreamingResponse:
        """A job as it goes on: server-sent events, each a job, the last when it is over."""
        return StreamingResponse(events.of(found(name)), media_type="text/event-stream")

    @router.delete("/{name}", response_model=JobReply)
    def stop_job(name: JobName) -> Response:
        """Stop a job; what it has found so far stays."""
        job = found(name)
        jobs.stop(job.id)
        return _told(jobs.told(job))

    def found(name: str) -> Job:
        job = jobs.find(name)
        if job is None:
            raise NotHere("there is no such job: the lab may have been started anew")
        return job

    return router


def _told(text: str) -> Response:
    return Response(text.encode("utf-8", "replace"), media_type=JSON)
