"""Jobs: started, watched, stopped and found again; and processes that fail."""

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import TypeAdapter

from tests.lab.lab_client import asked, events, finished, got, lab_client, refused, until
from topple.lab import lab as lab_module
from topple.lab import limits
from topple.lab.lab import Lab, LabSettings
from topple.lab.server.routes_jobs import changes_of
from topple.lab.work import jobs as jobs_module
from topple.lab.work.jobs import JobQueue, JobReply, JobRequest, TooManyJobs

JOB = TypeAdapter(JobReply)
THINK = JobRequest("think", "an agent thinks", {"board": "large"})
HEX = {"game": "hex", "board": "hex:3", "moves": ["b2"]}
LONG = {"kind": "think", **HEX, "agent": "uct:time=100,solver=false"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with lab_client(tmp_path_factory.mktemp("lab")) as client:
        yield client


def started(lab: TestClient, **body: Any) -> Any:
    job = asked(lab, "/api/jobs", **body)
    JOB.validate_python(job)
    return job


def stop(lab: TestClient, job: Any) -> Any:
    assert lab.delete(f"/api/jobs/{job['id']}").status_code == 200
    return finished(lab, job)


def running(lab: TestClient, job: Any) -> Any:
    """A job that is under way and has said something."""
    return until(lambda: (now := got(lab, f"/api/jobs/{job['id']}"))["latest"] and now)


def test_the_events_of_a_search_lead_to_its_decision(lab: TestClient) -> None:
    job = started(lab, kind="think", **HEX, agent="uct:iterations=3000", seed=7)
    told = events(lab, job)
    assert told[-1]["state"] == "done"
    assert told[-1]["error"] is None
    decision = told[-1]["latest"]
    assert decision["unit"] == "return"
    assert decision["effort"]["simulations"] > 0
    assert decision["move"] == decision["candidates"][0]["move"]
    assert decision["text"] == decision["candidates"][0]["text"]
    assert decision["variation"][0]["move"] == decision["move"]
    assert {
        "move",
        "text",
        "vertex",
        "value",
        "visits",
        "share",
        "prior",
        "interval",
        "exact",
        "proven",
    } <= set(decision["candidates"][0])


def test_the_same_seed_gives_the_same_answer(lab: TestClient) -> None:
    found = [
        finished(lab, started(lab, kind="think", **HEX, agent="uct:iterations=500", seed=3))
        for _ in range(2)
    ]
    decisions = [each["latest"] for each in found]
    for decision in decisions:
        del decision["effort"]
    assert decisions[0] == decisions[1]


def test_evaluations_and_points_have_their_own_units(lab: TestClient) -> None:
    by_eye = finished(lab, started(lab, kind="think", **HEX, agent="greedy"))
    assert by_eye["latest"]["unit"] == "evaluation"
    line = {"game": "influence", "board": "segment:6", "moves": []}
    exactly = finished(lab, started(lab, kind="think", **line, agent="perfect"))
    assert exactly["latest"]["unit"] == "score"


def test_a_search_is_seen_while_it_runs_and_stops_when_told_to(lab: TestClient) -> None:
    job = started(lab, **LONG)
    assert running(lab, job)["state"] == "running"
    ended = stop(lab, job)
    assert ended["state"] == "stopped"
    assert ended["latest"]["candidates"]


def test_a_search_ends_when_its_time_is_over_whatever_the_agent_wants(lab: TestClient) -> None:
    job = finished(lab, started(lab, **LONG, seconds=0.3))
    assert job["state"] == "done"
    assert job["latest"]["effort"]["seconds"] < 30


def test_a_job_is_found_again_by_another_page(lab: TestClient) -> None:
    job = started(lab, kind="think", **HEX, agent="random")
    finished(lab, job)
    found = [each for each in got(lab, "/api/jobs") if each["id"] == job["id"]]
    assert found[0]["asked"]["agent"] == "random"
    assert found[0]["state"] == "done"


def test_jobs_wait_in_their_order_and_urgent_ones_go_first(lab: TestClient) -> None:
    first = started(lab, **LONG)
    running(lab, first)
    rest = [started(lab, kind="think", **HEX, agent="random") for _ in range(3)]
    places = [got(lab, f"/api/jobs/{job['id']}")["place"] for job in rest]
    assert places == [1, 2, 3]
    urgent = started(lab, kind="think", **HEX, agent="random", turn=True)
    assert urgent["place"] == 1
    assert stop(lab, rest[2])["state"] == "stopped"
    stop(lab, first)
    assert [finished(lab, job)["state"] for job in rest] == ["done", "done", "stopped"]


def test_the_waiting_jobs_of_a_page_are_limited(lab: TestClient) -> None:
    first = started(lab, **LONG)
    running(lab, first)
    page = {"X-Topple-Client": "one page"}
    body = {"kind": "think", **HEX, "agent": "random"}
    waiting = [
        lab.post("/api/jobs", json=body, headers=page).json()
        for _ in range(limits.WAITING_PER_CLIENT)
    ]
    assert "of this page" in refused(lab.post("/api/jobs", json=body, headers=page), 429)
    other = started(lab, **body)
    for job in (first, *waiting, other):
        stop(lab, job)


def test_the_waiting_and_the_remembered_jobs_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = JobQueue(n_workers=1)  # not started

    def add(client: str) -> str:
        return jobs.add(THINK, client).id

    names = [add(str(number)) for number in range(limits.WAITING)]
    with pytest.raises(TooManyJobs):
        add("one more")
    monkeypatch.setattr(limits, "FINISHED", 5)
    for name in names:
        jobs.stop(name)
    add("again")
    assert len(jobs.all()) == 6
    assert jobs.find(names[0]) is None
    jobs.close()


@pytest.mark.parametrize(
    "agent",
    [
        "uct:iterations=2000000000,memory=1024,solver=false",
        "frontier:nodes=1000000000,width=1000000000",
        "sds-tree:agents=10000000",
        "minimax:depth=100",
    ],
)
def test_an_agent_with_endless_options_ends_with_its_time(lab: TestClient, agent: str) -> None:
    line = {"game": "hex", "board": "hex:9", "moves": []}
    job = finished(lab, started(lab, kind="think", **line, agent=agent, seconds=0.3))
    assert job["state"] == "done", job["error"]
    assert job["latest"]["candidates"]


def test_a_worker_cannot_take_all_memory() -> None:
    program = (
        "import numpy\n"
        "from topple.lab.work.worker_process import _bound_memory\n"
        "_bound_memory(1024)\n"
        "try:\n    numpy.ones(10**9)\nexcept MemoryError:\n    print('refused')\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert ran.stdout == b"refused\n"


def test_a_job_that_is_over_holds_no_board() -> None:
    jobs = JobQueue(n_workers=1)  # not started
    job = jobs.add(THINK)
    jobs.stop(job.id)
    assert job.request.task == {}
    jobs.close()


def test_the_number_of_event_streams_is_limited(
    lab: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = finished(lab, started(lab, kind="think", **HEX, agent="random"))
    monkeypatch.setattr(limits, "LISTENERS", 0)
    assert "listening" in refused(lab.get(f"/api/jobs/{job['id']}/events"), 429)
    monkeypatch.setattr(limits, "LISTENERS", 1)
    for _ in range(3):  # whoever has heard the end listens no more
        assert events(lab, job)[-1]["state"] == "done"


def test_events_show_every_change_once() -> None:
    jobs = JobQueue(n_workers=1)  # not started
    first, second = (jobs.add(THINK) for _ in range(2))

    async def heard() -> list[tuple[str, int]]:
        changes = []
        async for text in changes_of(jobs, second):
            now = json.loads(text)
            changes.append((now["state"], now["place"]))
            jobs.stop(first.id if len(changes) == 1 else second.id)
        return changes

    assert asyncio.run(heard()) == [("queued", 2), ("queued", 1), ("stopped", 0)]
    jobs.close()


def test_what_a_page_waits_for_does_not_wait_for_searches(lab: TestClient) -> None:
    job = started(lab, **LONG)
    running(lab, job)  # the only worker is busy
    assert asked(lab, "/api/board", board="er:n=210,p=0.04,seed=3")["vertices"] == 210
    stop(lab, job)


def test_a_worker_that_dies_fails_its_job_and_is_replaced(lab: TestClient) -> None:
    job = started(lab, **LONG)
    running(lab, job)
    os.kill(worker(lab).process.pid, signal.SIGKILL)
    ended = finished(lab, job)
    assert ended["state"] == "failed"
    assert "SIGKILL" in ended["error"]
    again = finished(lab, started(lab, kind="think", **HEX, agent="random"))
    assert again["state"] == "done"


def test_a_worker_that_does_not_stop_is_killed(
    lab: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "GRACE", 0.3)
    job = started(lab, **LONG)
    running(lab, job)
    os.kill(worker(lab).process.pid, signal.SIGSTOP)
    assert stop(lab, job)["state"] == "stopped"
    assert finished(lab, started(lab, kind="think", **HEX, agent="random"))["state"] == "done"


def worker(lab: TestClient) -> Any:
    return lab.app.state.lab.jobs._pools["searches"][0]  # type: ignore[attr-defined]


@pytest.fixture
def no_processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[JobQueue]:
    """A queue that can start no process; each attempt fails for another reason."""
    attempts = itertools.count(1)

    def fails(**_: object) -> None:
        raise OSError(f"out of memory, attempt {next(attempts)}")

    monkeypatch.setattr(jobs_module, "WorkerProcess", fails)
    jobs = JobQueue(n_workers=2)
    jobs.start()
    yield jobs
    jobs.close()


def test_a_job_without_a_process_fails_with_a_sentence_and_so_does_the_next(
    no_processes: JobQueue,
) -> None:
    errors = []
    for kind in ("think", "think", "tournament", "board"):
        job = no_processes.add(THINK._replace(kind=kind))
        until(lambda job=job: job.is_over)
        assert job.state == "failed"
        assert job.error is not None
        assert job.error.startswith("no process could be started: out of memory, attempt ")
        errors.append(job.error)
    assert len(set(errors)) == 4


def test_whatever_goes_wrong_among_the_processes_the_jobs_end_and_the_next_ones_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problems = iter([RuntimeError("a bug"), OSError("no more files")])

    def fails(*_: object) -> None:
        problem = next(problems, None)
        if problem is not None:
            raise problem

    jobs = JobQueue(n_workers=1)
    monkeypatch.setattr(jobs, "_fill_pool", lambda pool: None)
    monkeypatch.setattr(jobs, "_begin_jobs", fails)
    first = jobs.add(THINK)
    jobs.start()
    until(lambda: first.is_over)
    second = jobs.add(THINK)
    until(lambda: second.is_over)
    assert [first.error, second.error] == [
        "the lab failed at this: RuntimeError: a bug",
        "the lab failed at this: OSError: no more files",
    ]
    third = jobs.add(THINK)
    jobs.stop(third.id)
    assert third.state == "stopped"
    jobs.close()


def test_a_late_waiter_does_not_forget_a_newer_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = Lab(LabSettings(tmp_path))
    sleepers: list[asyncio.Event] = []

    async def sleep(_: float) -> None:
        sleepers.append(asyncio.Event())
        await sleepers[-1].wait()

    def ask() -> "asyncio.Task[Any]":
        return asyncio.create_task(lab.shared_result(("key",), "report", {}, "a report"))

    async def scenario() -> int:
        first, second = ask(), ask()
        while len(sleepers) < 2:
            await real_sleep(0)
        finish()
        sleepers[0].set()
        assert await first == 1
        third = ask()  # a new job, for the first one has ended
        while len(sleepers) < 3:
            await real_sleep(0)
        sleepers[1].set()
        assert await second == 1
        fourth = ask()
        while len(sleepers) < 4:
            await real_sleep(0)
        finish()
        for sleeper in sleepers:
            sleeper.set()
        assert [await third, await fourth] == [1, 1]
        return len(lab.jobs._jobs)

    def finish() -> None:
        for job in lab.jobs._jobs.values():
            if not job.is_over:
                job.latest = "1"
                lab.jobs._end(job, "done", None)

    real_sleep = asyncio.sleep
    monkeypatch.setattr(lab_module.asyncio, "sleep", sleep)
    try:
        assert asyncio.run(scenario()) == 2
    finally:
        lab.close()


def test_a_game_is_reviewed_ply_by_ply(lab: TestClient) -> None:
    line = {"game": "hex", "board": "hex:3", "moves": ["a1", "b2", "c1", "c2"]}
    told = events(lab, started(lab, kind="review", **line, agent="uct:iterations=2000", seconds=5))
    latest = told[-1]["latest"]
    assert told[-1]["state"] == "done"
    assert (latest["done"], latest["of"], len(latest["values"])) == (5, 5, 5)
    assert all(value is not None for value in latest["values"])
    for mistake in latest["mistakes"]:
        assert mistake["move"] != mistake["best"]
        low, high = mistake["interval"]
        assert 0 < low <= mistake["loss"] <= high
        assert mistake["grade"] in ("slip", "mistake", "blunder")


def test_a_finished_game_can_be_reviewed(lab: TestClient) -> None:
    line = {"game": "hex", "board": "hex:2", "moves": ["b1", "a1", "a2"]}
    found = finished(lab, started(lab, kind="review", **line, agent="perfect", seconds=2))
    assert found["latest"]["values"][-1] == 1.0


def test_a_position_is_solved(lab: TestClient) -> None:
    line = {"game": "hex", "board": "hex:3", "moves": []}
    found = finished(lab, started(lab, kind="solve", **line, seconds=20))
    assert found["state"] == "done", found
    assert found["latest"]["solved"]
    assert found["latest"]["value_text"] == "Blue wins"
    best = {each["text"] for each in found["latest"]["moves"] if each["value"] == 1}
    assert best == {"c1", "a2", "b2", "c2", "a3"}


def test_what_cannot_be_solved_is_refused(lab: TestClient) -> None:
    over = {"game": "hex", "board": "hex:2", "moves": ["b1", "a1", "a2"]}
    refused(lab.post("/api/jobs", json={"kind": "solve", **over}), 400)
    three = {"game": "chain-reaction:players=3", "board": "grid:3x3"}
    refused(lab.post("/api/jobs", json={"kind": "solve", **three}), 400)


def test_a_closed_lab_leaves_no_process_behind(tmp_path: Path) -> None:
    with lab_client(tmp_path) as client:
        process = worker(client).process
        running(client, started(client, **LONG))
    assert not process.is_alive()
