"""Jobs: long work in worker processes, queued, watched, stopped, and found again."""

import itertools
import json
import secrets
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import wait
from typing import Any

from topple.core.errors import ToppleError
from topple.lab import limits
from topple.lab.work.worker_process import Hand

QUEUED, RUNNING, DONE, STOPPED, FAILED = "queued", "running", "done", "stopped", "failed"
OVER = (DONE, STOPPED, FAILED)
TOURNAMENT = "tournament"

# Who does what. A tournament has a process of its own, and so has what a page waits for.
HANDS, ARENA, CLERK = "hands", "arena", "clerk"
PLACES = {TOURNAMENT: ARENA, "board": CLERK, "report": CLERK, "papers": CLERK}

HEARTBEAT = 0.25  # seconds between two looks at the workers, at most
SLACK = 120.0  # seconds beyond its own limit that a task may take to load and to end
GRACE = 3.0  # seconds that a task has to stop when it is told to
ASKED_SECONDS = 120.0  # for what a request itself waits for


class TooManyJobs(ToppleError):
    """More work than the lab takes on at once."""


@dataclass
class Job:
    """A piece of long work. `version` grows with every change."""

    id: str
    kind: str
    title: str
    client: str
    task: Mapping[str, Any]
    asked: Mapping[str, Any]
    seconds: float | None  # that its task itself takes at most; None: no limit
    urgent: bool = False  # an agent's own turn, or a request that waits
    hidden: bool = False  # a request waits for it, and nobody else asks
    number: int = 0
    state: str = QUEUED
    latest: str | None = None  # JSON
    note: str | None = None  # what it waits for, in words
    error: str | None = None
    version: int = 0
    stopping: bool = False

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state in OVER

    def outcome(self) -> Any:
        """What has come of it.

        Raises
        ------
        ToppleError
            If that is nothing.
        """
        if self.latest is None or self.state != DONE:
            raise ToppleError(self.error or f"{self.title} was stopped")
        return json.loads(self.latest)


class Jobs:
    """The queue and the processes that work on it.

    Parameters
    ----------
    n_hands : int
        Worker processes for agents, reviews and exact values. While there are
        several, the last free one is kept for what is urgent.
    n_tables : int
        Processes that play the games of a tournament; one tournament runs at a time.
    """

    def __init__(self, n_hands: int, n_tables: int) -> None:
        self.n_hands, self.n_tables = n_hands, n_tables
        self._jobs: dict[str, Job] = {}
        self._hands: list[Hand] = []
        self._alone: dict[str, Hand] = {}  # the arena's process and the clerk's, while needed
        self._leaving: list[Hand] = []  # to be ended
        self._lock = threading.RLock()
        self._numbers = itertools.count(1)
        self._ear, self._bell = Pipe(duplex=False)
        self._is_closed = False
        self.is_leaving = False  # the server ends: nobody is told anything more
        self.changes = 0  # grows with whatever happens to any job
        self._thread = threading.Thread(target=self._run, name="topple-jobs", daemon=True)

    def start(self) -> None:
        """Start the worker processes and the thread that watches them."""
        self._hands = [Hand() for _ in range(self.n_hands)]
        self._thread.start()

    def close(self) -> None:
        """End everything; what was under way is lost, but for games in stores."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        self._ring()
        if self._thread.is_alive():
            self._thread.join()
        for hand in [*self._all_hands(), *self._leaving]:
            hand.end()
        for job in list(self._jobs.values()):
            if not job.is_over:
                self._end(job, STOPPED, None)

    # What requests ask for.

    def add(
        self,
        kind: str,
        task: Mapping[str, Any],
        *,
        asked: Mapping[str, Any],
        title: str,
        client: str = "",
        seconds: float | None = None,
        urgent: bool = False,
        hidden: bool = False,
    ) -> Job:
        """Put work into the queue.

        Raises
        ------
        TooManyJobs
            If too many jobs of this client, or of all, wait already.
        """
        with self._lock:
            waiting = [job for job in self._jobs.values() if job.state == QUEUED]
            if len(waiting) >= limits.WAITING:
                raise TooManyJobs(f"{len(waiting)} jobs are waiting: try again when some are done")
            own = sum(job.client == client for job in waiting)
            if own >= limits.WAITING_PER_CLIENT and not hidden:
                raise TooManyJobs(f"{own} jobs of this page are waiting: stop some of them first")
            number = next(self._numbers)
            job = Job(secrets.token_hex(8), kind, title, client, task, asked, seconds,
                      urgent, hidden, number)  # fmt: skip
            self._jobs[job.id] = job
            self.changes += 1
            self._forget_old()
        self._ring()
        return job

    def ask(self, kind: str, task: Mapping[str, Any], title: str) -> Job:
        """Have something done that a request waits for, before all that can wait."""
        return self.add(kind, task, asked={}, title=title, seconds=ASKED_SECONDS, urgent=True,
                        hidden=True)  # fmt: skip

    def find(self, name: str) -> Job | None:
        """The job of an id; None if there is none, or it is forgotten."""
        with self._lock:
            job = self._jobs.get(name)
            return None if job is None or job.hidden else job

    def all(self) -> list[Job]:
        """Every job that is remembered, in the order in which they were asked for."""
        with self._lock:
            return [job for job in self._jobs.values() if not job.hidden]

    def stop(self, name: str) -> None:
        """Stop a job: one that waits at once, one under way as soon as it can."""
        with self._lock:
            job = self._jobs.get(name)
            if job is None or job.is_over:
                return
            job.stopping = True
            if job.state == QUEUED:
                self._end(job, STOPPED, None)
        self._ring()

    def place(self, job: Job) -> int:
        """The place of a job in the queue, from 1; 0 if it is not waiting."""
        with self._lock:
            if job.state != QUEUED:
                return 0
            return [each.id for each in self._queue(_place_of(job))].index(job.id) + 1

    def told(self, job: Job, *, briefly: bool = False) -> str:
        """A job as JSON; briefly: a long latest word is left out."""
        with self._lock:
            latest = job.latest or "null"
            if briefly and len(latest) > limits.LARGE_LATEST:
                latest = "null"
            head = {
                "id": job.id, "kind": job.kind, "title": job.title, "state": job.state,
                "place": self.place(job), "asked": dict(job.asked), "error": job.error,
                "note": job.note,
            }  # fmt: skip
        return f'{json.dumps(head)[:-1]}, "latest": {latest}}}'

    def n_running(self, kind: str) -> int:
        """How many jobs of a kind are under way."""
        with self._lock:
            return sum(job.kind == kind and job.state == RUNNING for job in self._jobs.values())

    # The thread that watches.

    def _run(self) -> None:
        # Processes are begun and ended while nobody waits for the lock: that takes its time.
        while not self._is_closed:
            self._fill_places()
            with self._lock:
                self._hand_out()
            hands = self._all_hands()
            wait([self._ear, *(hand.connection for hand in hands),
                  *(hand.process.sentinel for hand in hands)], HEARTBEAT)  # fmt: skip
            while self._ear.poll():
                self._ear.recv_bytes()
            with self._lock:
                for hand in hands:
                    self._look_after(hand)
            while self._leaving:
                self._leaving.pop().end()

    def _fill_places(self) -> None:
        """Begin processes in the place of those that have ended, if there is work for them."""
        with self._lock:
            waiting = {_place_of(job) for job in self._jobs.values() if job.state == QUEUED}
        while HANDS in waiting and len(self._hands) < self.n_hands:
            self._hands.append(Hand())
        if ARENA in waiting and ARENA not in self._alone:
            self._alone[ARENA] = Hand(has_children=True)
        if CLERK in waiting and CLERK not in self._alone:
            self._alone[CLERK] = Hand(is_patient=False)

    def _all_hands(self) -> list[Hand]:
        return [*self._hands, *self._alone.values()]

    def _queue(self, place: str) -> list[Job]:
        """The jobs that wait for a place, in the order in which they are begun.

        What is urgent comes first, then whoever has least under way.
        """
        under_way: dict[str, int] = {}
        for job in self._jobs.values():
            if job.state == RUNNING:
                under_way[job.client] = under_way.get(job.client, 0) + 1
        waiting = [job for job in self._jobs.values()
                   if job.state == QUEUED and _place_of(job) == place]  # fmt: skip
        return sorted(
            waiting, key=lambda job: (not job.urgent, under_way.get(job.client, 0), job.number)
        )

    def _hand_out(self) -> None:
        """Begin what can be begun."""
        for job in self._queue(HANDS):
            free = [hand for hand in self._hands if hand.is_free]
            if not free or (len(free) == 1 and self.n_hands > 1 and not job.urgent):
                break
            self._begin(job, free[0])
        for place, hand in self._alone.items():
            waiting = self._queue(place)
            if waiting and hand.is_free:
                self._begin(waiting[0], hand)

    def _begin(self, job: Job, hand: Hand) -> None:
        seconds = None if job.seconds is None else job.seconds + SLACK
        hand.give(job.id, job.kind, job.task, seconds)
        job.state = RUNNING
        self._changed(job)

    def _look_after(self, hand: Hand) -> None:
        """Take what a hand has said, pass on what it should hear, replace it where it must be."""
        name = hand.task
        for message in hand.take():
            self._hear(message)
        if hand.task is None and name is not None and hand is self._alone.get(ARENA):
            self._let_go(hand)
            return
        if hand.has_fallen:
            self._fallen(hand, f"its process ended ({hand.last_words()}): is there enough memory?")
        elif hand.is_overdue:
            self._fallen(hand, "it did not come to an end in time, and was ended")
        elif hand.task is not None and self._jobs[hand.task].stopping:
            hand.stop(GRACE)

    def _hear(self, message: Mapping[str, Any]) -> None:
        job = self._jobs.get(message["id"])
        if job is None or job.is_over:
            return
        if "latest" in message:
            job.latest = message["latest"]
            self._changed(job)
        elif "note" in message:
            job.note = message["note"]
            self._changed(job)
        else:
            state = STOPPED if job.stopping else FAILED if message["error"] else DONE
            self._end(job, state, message["error"])

    def _fallen(self, hand: Hand, why: str) -> None:
        """Give up what a hand was doing; another takes its place when there is work."""
        job = None if hand.task is None else self._jobs.get(hand.task)
        if job is not None and not job.is_over:
            self._end(job, STOPPED if job.stopping else FAILED, None if job.stopping else why)
        self._let_go(hand)

    def _let_go(self, hand: Hand) -> None:
        self._leaving.append(hand)
        if hand in self._hands:
            self._hands.remove(hand)
        self._alone = {place: each for place, each in self._alone.items() if each is not hand}

    def _end(self, job: Job, state: str, error: str | None) -> None:
        job.state, job.error, job.note = state, error, None
        job.task = {}  # it may hold a large board
        self._changed(job)

    def _changed(self, job: Job) -> None:
        job.version += 1
        self.changes += 1

    def _forget_old(self) -> None:
        """Keep the jobs that are not over, and the last of those that are."""
        over = [name for name, job in self._jobs.items() if job.is_over]
        for name in over[: max(0, len(over) - limits.FINISHED)]:
            del self._jobs[name]

    def _ring(self) -> None:
        with suppress(OSError, ValueError):
            self._bell.send_bytes(b"!")


def _place_of(job: Job) -> str:
    return PLACES.get(job.kind, HANDS)
