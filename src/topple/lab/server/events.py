"""Server-sent events: a job told as it goes on."""

import asyncio
import time
from collections.abc import AsyncIterator

from topple.lab import limits
from topple.lab.work.jobs import Job, Jobs, TooManyJobs

LOOK = 0.05  # seconds between two looks at a job
REST = 0.1  # seconds between two words at least
ALIVE = 15.0  # seconds of silence after which a comment shows that all is well
RETRY = 2000  # milliseconds after which a page asks again that has lost its connection


class Events:
    """Who listens to jobs, and what they are told."""

    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs
        self.n_listeners = 0

    def of(self, job: Job) -> AsyncIterator[bytes]:
        """A job at once, then whenever it has changed, the last time when it is over.

        Raises
        ------
        TooManyJobs
            If too many listen already.
        """
        if self.n_listeners >= limits.LISTENERS:
            raise TooManyJobs(f"{self.n_listeners} pages are listening already: close some of them")
        return self._tell(job)

    async def _tell(self, job: Job) -> AsyncIterator[bytes]:
        self.n_listeners += 1
        try:
            yield f"retry: {RETRY}\n\n".encode()
            async for word in self._words(job):
                yield word
        finally:
            self.n_listeners -= 1

    async def _words(self, job: Job) -> AsyncIterator[bytes]:
        jobs = self.jobs
        changes, told, spoke = -1, (-1, -1), 0.0
        while not jobs.is_leaving:
            if changes != jobs.changes:  # a look at one number, while nothing happens
                changes = jobs.changes
                version, place = job.version, jobs.place(job)
                if (version, place) != told:
                    told, spoke = (version, place), time.monotonic()
                    yield f"id: {version}\ndata: {jobs.told(job)}\n\n".encode()
                    if job.is_over and job.version == version:
                        return
                    await asyncio.sleep(REST)
                    continue
            if time.monotonic() - spoke >= ALIVE:
                spoke = time.monotonic()
                yield b": still there\n\n"
            await asyncio.sleep(LOOK)
