"""Routes of jobs: long work that is requested, watched and stopped."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from topple.agents import Agent
from topple.arena.planning.settings import plan_of
from topple.boards import board_to_json
from topple.core.errors import BadBoard, BadText, ToppleError
from topple.game.game import Game
from topple.lab import limits
from topple.lab.data.allowed import named_agent
from topple.lab.data.lab_database import NotFound
from topple.lab.data.position_cache import PlayedLine
from topple.lab.lab import Lab
from topple.lab.server.errors import ERRORS, JSON
from topple.lab.server.forms import (
    JobForm,
    ReviewForm,
    SolveForm,
    ThinkForm,
    TournamentForm,
)
from topple.lab.work.jobs import Job, JobQueue, JobReply, JobRequest, TooManyJobs
from topple.solvers import check_solvable, solver_for

MOST_SEED = 1_000_000_000
LEAST_LOOK = 0.1  # seconds that a review takes for a position, however short its time
LOOK_SECONDS = 0.05  # between two looks at a job that a page listens to
REST_SECONDS = 0.1  # between two events, at least

Client = Annotated[
    str,
    Header(
        alias="X-Topple-Client",
        max_length=limits.CLIENT,
        description="a name that the page chooses: the number of waiting jobs is limited for each",
    ),
]
EVENTS: dict[int | str, dict[str, Any]] = {200: {"description": "Events, each a job."}}
JobName = Annotated[str, Path(min_length=1, max_length=40)]


class EventStream(EventSourceResponse):
    """Server-sent events whose route describes errors as JSON, not as events."""

    media_type = ""


def job_routes(lab: Lab) -> APIRouter:
    """Jobs: think, review, solve, tournament."""
    router = APIRouter(prefix="/api/jobs", responses=ERRORS, tags=["jobs"])
    jobs = lab.jobs
    n_listeners = 0

    @router.post("", response_model=JobReply)
    async def add_job(form: JobForm, client: Client = "") -> Response:
        """Put work into the queue."""
        texts = form.boards if isinstance(form, TournamentForm) else [form.board]
        await lab.prepare_boards(texts)
        return await run_in_threadpool(added, form, client)

    def added(form: JobForm, client: str) -> Response:
        request = job_request(lab, form)._replace(asked=form.model_dump(exclude={"kind"}))
        return _response(jobs.json_of(jobs.add(request, client)))

    @router.get("", response_model=list[JobReply])
    def list_jobs() -> Response:
        """Every job that is remembered, oldest first; long results are left out."""
        return _response(f"[{','.join(jobs.json_of(job, is_brief=True) for job in jobs.all())}]")

    @router.get("/{name}", response_model=JobReply)
    def show_job(name: JobName) -> Response:
        """A job as it stands."""
        return _response(jobs.json_of(found(name)))

    async def listening(name: JobName) -> AsyncIterator[Job]:
        nonlocal n_listeners
        job = found(name)
        if n_listeners >= limits.LISTENERS:
            raise TooManyJobs(f"{n_listeners} pages are listening already: close some of them")
        n_listeners += 1
        try:
            yield job
        finally:
            n_listeners -= 1

    @router.get("/{name}/events", response_class=EventStream, responses=EVENTS)
    async def watch_job(job: Annotated[Job, Depends(listening)]) -> AsyncIterator[ServerSentEvent]:
        """A job as it goes on: server-sent events, each a job, the last when it is over."""
        async for text in changes_of(jobs, job):
            yield ServerSentEvent(raw_data=text)

    @router.delete("/{name}", response_model=JobReply)
    def stop_job(name: JobName) -> Response:
        """Stop a job; what it has found so far stays."""
        job = found(name)
        jobs.stop(job.id)
        return _response(jobs.json_of(job))

    def found(name: str) -> Job:
        job = jobs.find(name)
        if job is None:
            raise NotFound("there is no such job: the lab may have been restarted")
        return job

    return router


def _response(text: str) -> Response:
    return Response(text.encode("utf-8", "replace"), media_type=JSON)


async def changes_of(jobs: JobQueue, job: Job) -> AsyncIterator[str]:
    """A job as JSON, now and after each change of it or of its place, until it is over."""
    n_changes, last = -1, (-1, -1)
    while not jobs.is_leaving:
        if n_changes != jobs.changes:  # compares one number while nothing happens
            n_changes = jobs.changes
            now = job.version, jobs.place(job)
            if now != last:
                last = now
                yield jobs.json_of(job)
                if job.is_over and job.version == now[0]:
                    return
                await asyncio.sleep(REST_SECONDS)
                continue
        await asyncio.sleep(LOOK_SECONDS)


# What each form asks of a worker, checked before it is queued.


def job_request(lab: Lab, form: JobForm) -> JobRequest:
    """The task that a form asks for.

    Raises
    ------
    ToppleError
        If it cannot be done.
    """
    if isinstance(form, TournamentForm):
        return _tournament(lab, form)
    line = lab.positions.line(form.game, form.board, form.moves)
    if isinstance(form, ThinkForm):
        return _think(line, form)
    if isinstance(form, ReviewForm):
        return _review(line, form)
    return _solve(line, form)


def _think(line: PlayedLine, form: ThinkForm) -> JobRequest:
    agent = _agent_for(line, form.agent)
    _refuse_over(line)
    return JobRequest(
        kind="think",
        title=f"{agent.spec} thinks about {_game_text(line)}",
        task={**_agent_task(line, agent, form.seed), "seconds": form.seconds},
        seconds=form.seconds,
        is_urgent=form.turn,
    )


def _review(line: PlayedLine, form: ReviewForm) -> JobRequest:
    agent, plies = _agent_for(line, form.agent), len(line.moves)
    return JobRequest(
        kind="review",
        title=f"{agent.spec} reviews {plies} moves of {_game_text(line)}",
        task={**_agent_task(line, agent, form.seed), "seconds": form.seconds},
        seconds=max(form.seconds, LEAST_LOOK * plies),
    )


def _solve(line: PlayedLine, form: SolveForm) -> JobRequest:
    _refuse_over(line)
    game = line.position.game
    check_solvable(solver_for(game, memory=1), line.position, is_limited=True)
    return JobRequest(
        kind="solve",
        title=f"solving {_game_text(line)}",
        task={**_line_task(line), "seconds": form.seconds},
        seconds=form.seconds,
    )


def _game_text(line: PlayedLine) -> str:
    game = line.position.game
    return f"{game.title} on {game.board.spec:.60}, move {len(line.moves) + 1}"


def _refuse_over(line: PlayedLine) -> None:
    if line.position.is_over:
        raise BadText(f"the game is over: {line.position.result_text()}")


def _agent_for(line: PlayedLine, text: str) -> Agent:
    agent = named_agent(text)
    agent.check_game(line.position.game)
    return agent


def _agent_task(line: PlayedLine, agent: Agent, seed: int | None) -> dict[str, Any]:
    seed = secrets.randbelow(MOST_SEED) if seed is None else seed
    return {**_line_task(line), "agent": agent.spec, "seed": seed}


def _line_task(line: PlayedLine) -> dict[str, Any]:
    game = line.position.game
    return {
        "game": game.spec,
        "board": board_to_json(game.board),
        "moves": line.told_moves,
    }


def _tournament(lab: Lab, form: TournamentForm) -> JobRequest:
    games, agents = _contests(lab, form), [named_agent(text) for text in form.agents]
    settings = {
        "agents": [agent.spec for agent in agents],
        "contests": [
            {"game": game.spec, "board": game.board.spec, "digest": game.board.digest}
            for game in games
        ],
        "games": form.games_per_pairing,
        "plies": form.plies,
        "seed": form.seed,
        "move-time": limits.SECONDS,
    }
    plan = plan_of(settings, {game.board.digest: game.board for game in games})
    if plan.n_fixtures > limits.TOURNAMENT_GAMES:
        raise BadText(
            f"{plan.n_fixtures:,} games are too many: at most {limits.TOURNAMENT_GAMES:,}"
        )
    _refuse_slow(agents)
    store = lab.database.own_store(form.name)
    asked = form.model_dump(exclude={"kind"})
    lab.database.save_tournament(form.name, asked, plan.n_fixtures)
    return JobRequest(
        kind="tournament",
        title=form.name,
        task={
            "settings": settings,
            "boards": {game.board.digest: board_to_json(game.board) for game in games},
            "store": str(store.path),
            "workers": lab.settings.n_tournament_workers,
        },
    )


def _refuse_slow(agents: Sequence[Agent]) -> None:
    """An agent that takes longer for a move than the lab allows would lose every game."""
    for agent in agents:
        if (agent.options.get("time") or 0) > limits.SECONDS:
            raise BadText(f"{agent.spec} takes too long for a move: at most {limits.SECONDS:g} s")


def _contests(lab: Lab, form: TournamentForm) -> list[Game]:
    """Every game on each of the boards that it can be played on, by default on its own.

    Raises
    ------
    BadBoard
        If a game fits none of the boards, or a board none of the games.
    """
    if not form.boards:
        return [lab.positions.game(game, None) for game in form.games]
    games: list[Game] = []
    reasons: dict[str, ToppleError] = {}
    used: set[str] = set()
    for game in form.games:
        fitting = []
        for board in form.boards:
            try:
                fitting.append(lab.positions.game(game, board))
                used.add(board)
            except BadBoard as error:
                reasons[game] = reasons[board] = error
        if not fitting:
            raise reasons[game]
        games += fitting
    for board in form.boards:
        if board not in used:
            raise reasons[board]
    return games
