"""Server-sent events: a job told as it goes on."""

import asyncio
import time
from collections.abc import AsyncIterator

from topple.lab.jobs import Job, Jobs

LOOK = 0.05  # seconds between two looks at a job
REST = 0.1  # seconds between two words at least
ALIVE = 15.0  # seconds of silence after which a comment shows that all is well
RETRY = 2000  # milliseconds after which a page asks again that has lost its connection


async def job_events(jobs: Jobs, job: Job) -> AsyncIterator[bytes]:
    """A job at once, then whenever it has changed, the last time when it is over."""
    yield f"retry: {RETRY}\n\n".encode()
    told, spoke = -1, 0.0
    while not jobs.is_leaving:
        version, place = job.version, jobs.place(job)
        seen = hash((version, place))
        if seen != told:
            told, spoke = seen, time.monotonic()
            yield f"id: {version}\ndata: {jobs.told(job)}\n\n".encode()
            if job.is_over and job.version == version:
                return
            await asyncio.sleep(REST)
            continue
        if time.monotonic() - spoke >= ALIVE:
            spoke = time.monotonic()
            yield b": still there\n\n"
        await asyncio.sleep(LOOK)
