"""JobQueue: long work in worker processes, queued, watched and stopped."""

import itertools
import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import wait
from typing import Any, Literal, NamedTuple, cast

from pydantic import with_config
from typing_extensions import TypedDict

from topple.core.errors import ToppleError
from topple.core.processes import exit_text
from topple.core.text import error_line, one_line
from topple.lab import limits
from topple.lab.data.views import EXACT
from topple.lab.work.worker_process import WorkerProcess

JobKind = Literal["think", "review", "solve", "tournament"]
JobState = Literal["queued", "running", "done", "stopped", "failed"]

# Pools of processes. Tournaments have a pool of their own, and so has what requests wait for.
SEARCHES, TOURNAMENTS, REQUESTS = "searches", "tournaments", "requests"
POOLS = {
    "tournament": TOURNAMENTS,
    "board": REQUESTS,
    "report": REQUESTS,
    "papers": REQUESTS,
}  # of each kind of task; searches otherwise

HEARTBEAT = 0.25  # seconds between two looks at the workers, at most
SLACK = 120.0  # seconds beyond its own limit that a task may take to load and to end
GRACE = 3.0  # seconds that a task has to stop when it is told to
REQUEST_SECONDS = 120.0  # for what a request itself waits for


@with_config(EXACT)
class JobReply(TypedDict):
    """A piece of long work."""

    id: str
    kind: JobKind
    title: str
    state: JobState
    place: int
    asked: dict[str, Any]
    latest: Any
    error: str | None
    note: str | None  # what it waits for, such as a compiler


class TooManyJobs(ToppleError):
    """More work than the lab takes on at once."""


class JobRequest(NamedTuple):
    """A task to be done in a worker process."""

    kind: str  # one of tasks.KINDS
    title: str
    task: Mapping[str, Any]
    asked: Mapping[str, Any] = {}  # what the page asked for, to be shown
    seconds: float | None = None  # that the task itself may take; None: no limit
    is_urgent: bool = False  # an agent's own turn, or something that a request waits for
    is_hidden: bool = False  # a request waits for it, and no page sees it


@dataclass(eq=False)
class Job:
    """A request in the queue or under way, with what has come of it so far."""

    request: JobRequest
    client: str
    number: int
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: JobState = "queued"
    latest: str | None = None  # JSON
    note: str | None = None
    error: str | None = None
    version: int = 0  # grows with every change
    is_stopping: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the job has ended."""
        return self.state not in ("queued", "running")

    @property
    def pool(self) -> str:
        """The pool of processes that does such work."""
        return POOLS.get(self.request.kind, SEARCHES)

    def result(self) -> Any:
        """The last result of a job that is done.

        Raises
        ------
        ToppleError
            If it has failed or was stopped.
        """
        if self.latest is None or self.state != "done":
            raise ToppleError(self.error or f"{self.request.title} was stopped")
        return json.loads(self.latest)


class JobQueue:
    """The jobs, and the processes that do them. Thread-safe.

    Parameters
    ----------
    n_workers : int
        Processes for agents, reviews and exact values. If there are several, the last
        free one is kept for urgent jobs.
    """

    def __init__(self, n_workers: int) -> None:
        self._sizes = {SEARCHES: n_workers, TOURNAMENTS: 1, REQUESTS: 1}
        self._start: dict[str, Callable[[], WorkerProcess]] = {
            SEARCHES: WorkerProcess,
            TOURNAMENTS: partial(WorkerProcess, has_children=True),
            REQUESTS: partial(WorkerProcess, has_low_priority=False),
        }
        self._pools: dict[str, list[WorkerProcess]] = {pool: [] for pool in self._sizes}
        self._to_kill: list[WorkerProcess] = []
        self._jobs: dict[str, Job] = {}
        self._lock = threading.RLock()
        self._numbers = itertools.count(1)
        self._bell_out, self._bell_in = Pipe(duplex=False)  # wakes the watching thread
        self._is_closed = False
        self.is_leaving = False  # the server is shutting down: event streams end
        self.changes = 0  # grows with every change of any job
        self._thread = threading.Thread(target=self._watch, name="topple-jobs", daemon=True)

    def start(self) -> None:
        """Start the processes for searches, and the thread that watches all processes."""
        with suppress(OSError):  # then the first job says why
            self._fill_pool(SEARCHES)
        self._thread.start()

    def close(self) -> None:
        """End everything; the work under way is lost, except for games in stores."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        self._ring()
        if self._thread.is_alive():
            self._thread.join()
        for worker in [*self._workers(), *self._to_kill]:
            worker.kill()
        for job in list(self._jobs.values()):
            if not job.is_over:
                self._end(job, "stopped", None)

    # For requests.

    def add(self, request: JobRequest, client: str = "") -> Job:
        """Put a job into the queue; `client` names the page that asks.

        Raises
        ------
        TooManyJobs
            If too many jobs of this client, or of all, are waiting already.
        """
        with self._lock:
            waiting = [job for job in self._jobs.values() if job.state == "queued"]
            if len(waiting) >= limits.WAITING:
                raise TooManyJobs(f"{len(waiting)} jobs are waiting: try again when some are done")
            own = sum(job.client == client for job in waiting)
            if own >= limits.WAITING_PER_CLIENT and not request.is_hidden:
                raise TooManyJobs(f"{own} jobs of this page are waiting: stop some of them first")
            job = Job(request, client, next(self._numbers))
            self._jobs[job.id] = job
            self.changes += 1
            self._forget_old()
        self._ring()
        return job

    def add_for_request(self, kind: str, task: Mapping[str, Any], title: str) -> Job:
        """Put something into the queue that a request waits for: it is urgent and hidden."""
        return self.add(
            JobRequest(kind, title, task, seconds=REQUEST_SECONDS, is_urgent=True, is_hidden=True)
        )

    def find(self, name: str) -> Job | None:
        """The job of an id; None if there is none, or it is forgotten."""
        with self._lock:
            job = self._jobs.get(name)
            return None if job is None or job.request.is_hidden else job

    def all(self) -> list[Job]:
        """Every job that is remembered, oldest first."""
        with self._lock:
            return [job for job in self._jobs.values() if not job.request.is_hidden]

    def stop(self, name: str) -> None:
        """Stop a job: at once if it is queued, otherwise as soon as its task notices."""
        with self._lock:
            job = self._jobs.get(name)
            if job is None or job.is_over:
                return
            job.is_stopping = True
            if job.state == "queued":
                self._end(job, "stopped", None)
        self._ring()

    def place(self, job: Job) -> int:
        """The place of a job in its queue, from 1; 0 if it is not queued."""
        with self._lock:
            return self._queue(job.pool).index(job) + 1 if job.state == "queued" else 0

    def json_of(self, job: Job, *, is_brief: bool = False) -> str:
        """A job as JSON of the shape `JobReply`; a brief one leaves out a long latest result."""
        with self._lock:
            latest = job.latest or "null"
            if is_brief and len(latest) > limits.LARGE_LATEST:
                latest = "null"
            reply: JobReply = {
                "id": job.id,
                "kind": cast(JobKind, job.request.kind),
                "title": job.request.title,
                "state": job.state,
                "place": self.place(job),
                "asked": dict(job.request.asked),
                "error": job.error,
                "note": job.note,
                "latest": None,
            }
        # The latest result is JSON already, often long, and asked for again and again.
        return f"{json.dumps(reply).removesuffix('null}')}{latest}}}"

    # The thread that watches the processes.

    def _watch(self) -> None:
        while not self._is_closed:
            try:
                self._watch_once()
            except Exception as error:  # whatever happens, jobs must not wait forever
                with self._lock:
                    for job in [job for job in self._jobs.values() if not job.is_over]:
                        self._end(
                            job, "failed", f"the lab failed at this: {error_line(error, 300)}"
                        )
                    for worker in self._workers():
                        self._replace(worker)
                time.sleep(HEARTBEAT)

    def _watch_once(self) -> None:
        # Processes are started and killed outside the lock: requests must not wait for that.
        for pool in self._pools:
            self._start_missing(pool)
        with self._lock:
            for pool in self._pools:
                self._begin_jobs(pool)
        workers = self._workers()
        sentinels = [worker.process.sentinel for worker in workers]
        connections = [worker.connection for worker in workers]
        wait([self._bell_out, *connections, *sentinels], HEARTBEAT)
        while self._bell_out.poll():
            self._bell_out.recv_bytes()
        with self._lock:
            for worker in workers:
                self._check(worker)
        while self._to_kill:
            self._to_kill.pop().kill()

    def _start_missing(self, pool: str) -> None:
        """Start the missing processes of a pool with queued jobs; without any, the jobs fail."""
        with self._lock:
            if not self._queue(pool):
                return
        try:
            self._fill_pool(pool)
        except OSError as error:
            with self._lock:
                for job in [] if self._pools[pool] else self._queue(pool):
                    self._end(job, "failed", f"no process could be started: {one_line(error, 300)}")

    def _fill_pool(self, pool: str) -> None:
        while len(self._pools[pool]) < self._sizes[pool]:
            self._pools[pool].append(self._start[pool]())

    def _workers(self) -> list[WorkerProcess]:
        return [worker for pool in self._pools.values() for worker in pool]

    def _queue(self, pool: str) -> list[Job]:
        """The queued jobs of a pool: urgent ones first, then the clients with least under way."""
        under_way: dict[str, int] = {}
        for job in self._jobs.values():
            if job.state == "running":
                under_way[job.client] = under_way.get(job.client, 0) + 1
        queued = [job for job in self._jobs.values() if job.state == "queued" and job.pool == pool]
        return sorted(
            queued,
            key=lambda job: (
                not job.request.is_urgent,
                under_way.get(job.client, 0),
                job.number,
            ),
        )

    def _begin_jobs(self, pool: str) -> None:
        """Give queued jobs to free processes."""
        for job in self._queue(pool):
            free = [worker for worker in self._pools[pool] if worker.task is None]
            is_last = len(free) == 1 and self._sizes[pool] > 1
            if not free or (is_last and not job.request.is_urgent):
                return
            seconds = job.request.seconds
            limit = None if seconds is None else seconds + SLACK
            free[0].start_task(job.id, job.request.kind, job.request.task, limit)
            job.state = "running"
            self._changed(job)

    def _check(self, worker: WorkerProcess) -> None:
        """Take a process's messages, tell it to stop if need be, and replace one that failed."""
        name = worker.task
        for message in worker.receive():
            self._take(message)
        if name is not None and worker.task is None and worker in self._pools[TOURNAMENTS]:
            self._replace(worker)  # tournaments are rare, and its memory is needed elsewhere
        elif worker.has_exited:
            reason = (
                f"its process ended ({exit_text(worker.process.exitcode)}): is there enough memory?"
            )
            self._fail(worker, reason)
        elif worker.is_overdue:
            self._fail(worker, "it did not end in time and was killed")
        elif worker.task is not None and self._jobs[worker.task].is_stopping:
            worker.stop_task(GRACE)

    def _take(self, message: Mapping[str, Any]) -> None:
        job = self._jobs.get(message["id"])
        if job is None or job.is_over:
            return
        if "latest" in message:
            job.latest = message["latest"]
            self._changed(job)
        elif "note" in message:
            job.note = message["note"]
            self._changed(job)
        elif job.is_stopping:
            self._end(job, "stopped", message["error"])
        else:
            self._end(job, "failed" if message["error"] else "done", message["error"])

    def _fail(self, worker: WorkerProcess, reason: str) -> None:
        """End the job of a process that has failed, and the process."""
        job = None if worker.task is None else self._jobs.get(worker.task)
        if job is not None and not job.is_over:
            if job.is_stopping:
                self._end(job, "stopped", None)
            else:
                self._end(job, "failed", reason)
        self._replace(worker)

    def _replace(self, worker: WorkerProcess) -> None:
        """Remove a process from its pool; another is started when there is work."""
        self._to_kill.append(worker)
        for pool in self._pools.values():
            if worker in pool:
                pool.remove(worker)

    def _end(self, job: Job, state: JobState, error: str | None) -> None:
        job.state, job.error, job.note = state, error, None
        job.request = job.request._replace(task={})  # it may hold a large board
        self._changed(job)

    def _changed(self, job: Job) -> None:
        job.version += 1
        self.changes += 1

    def _forget_old(self) -> None:
        """Forget the oldest of the jobs that have ended, if they are too many."""
        over = [name for name, job in self._jobs.items() if job.is_over]
        for name in over[: max(0, len(over) - limits.FINISHED)]:
            del self._jobs[name]

    def _ring(self) -> None:
        with suppress(OSError, ValueError):
            self._bell_in.send_bytes(b"!")
