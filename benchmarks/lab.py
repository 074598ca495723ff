"""How the lab bears up: clicks beside searches, and fifty pages at once, on loopback.

    python -m benchmarks.lab [--pages 50] [--analyses 10] [--seconds 30] [--clicks 100]

A lab of its own is started as a user starts it. First one page clicks through a
game on a network of 100 vertices while an analysis and a tournament run. Then
so many pages are open: each loads the page with all its files, listens to a
job, and clicks now and then, while analyses wait in the queue. Errors make the
exit status 1; slowness is only shown.
"""

import argparse
import asyncio
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx2

import topple.lab

STATIC = Path(topple.lab.__file__).parent / "static"
BOARD = "ba:n=100,m=3,seed=1"
LINE = {"game": "spread-it", "board": BOARD}
ANALYSIS = {"kind": "think", **LINE, "agent": "uct:time=100", "seconds": 100.0}
CUP = {"kind": "tournament", "name": "load", "games": ["hex"], "boards": ["hex:7"],
       "agents": ["uct:time=0.1", "alphabeta:time=0.1"], "games_per_pairing": 4000}  # fmt: skip
PAUSE = 2.0  # seconds between two clicks of a page, on average
GOALS = {"page, first byte": 1.0, "click, one page": 0.1, "click": 0.1}  # seconds, by 95 in 100
PATIENCE = 60.0


class Tally:
    """How long requests took, by kind, and what went wrong."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}
        self.errors: dict[str, list[str]] = {}

    def add(self, kind: str, seconds: float, error: str | None = None) -> None:
        """Count a request."""
        self.seconds.setdefault(kind, []).append(seconds)
        if error is not None:
            self.errors.setdefault(kind, []).append(error)

    @property
    def n_errors(self) -> int:
        """How many requests went wrong."""
        return sum(map(len, self.errors.values()))


class Page:
    """An open page."""

    def __init__(self, client: httpx2.AsyncClient, tally: Tally, name: str) -> None:
        self.client, self.tally, self.name = client, tally, name
        self.moves: list[int] = []

    async def ask(self, kind: str, path: str, body: Any = None) -> Any:
        """Ask the lab; whatever is no answer counts as an error."""
        headers = {"X-Topple": "1", "X-Topple-Client": self.name}
        began, error, answer = time.perf_counter(), None, None
        try:
            method = "GET" if body is None else "POST"
            answer = await self.client.request(method, path, json=body, headers=headers)
            if answer.status_code != 200:
                error = f"{answer.status_code} {answer.text[:120]}"
        except httpx2.HTTPError as problem:
            error = f"{type(problem).__name__} {problem}"
        self.tally.add(kind, time.perf_counter() - began, error)
        is_data = answer is not None and error is None and "json" in answer.headers["content-type"]
        return answer.json() if answer is not None and is_data else None

    async def load(self) -> None:
        """Load the page with all its files, a few at a time as a browser does."""
        began = time.perf_counter()
        async with self.client.stream("GET", "/") as answer:
            self.tally.add("page, first byte", time.perf_counter() - began)
            await answer.aread()
        files = [path for path in STATIC.rglob("*") if path.is_file()]
        gate = asyncio.Semaphore(6)

        async def fetch(path: Path) -> None:
            async with gate:
                await self.ask("file", f"/{path.relative_to(STATIC)}")

        await asyncio.gather(*map(fetch, files))
        await self.ask("catalogue", "/api/catalogue")
        await self.ask("board", "/api/board", {"board": BOARD})

    async def click(self, kind: str) -> None:
        """Play the next move, from the beginning again when the game is over."""
        view = await self.ask(kind, "/api/view", {**LINE, "moves": self.moves, "steps": True})
        if view is None or view["over"]:
            self.moves = []
        else:
            self.moves.append(random.choice(view["legal"])["move"])

    async def listen(self, job: str) -> None:
        """Hold a stream of events open; it is an error if it breaks off."""
        began = time.perf_counter()
        try:
            async with self.client.stream("GET", f"/api/jobs/{job}/events", timeout=None) as answer:
                first = True
                async for line in answer.aiter_lines():
                    if line.startswith("data:") and first:
                        self.tally.add("event, the first", time.perf_counter() - began)
                        first = False
        except httpx2.HTTPError as problem:
            self.tally.add("event, the first", time.perf_counter() - began, repr(problem))


@asynccontextmanager
async def started(folder: str, tally: Tally) -> AsyncIterator[str]:
    """A lab of its own, as a user starts it; gives its address."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "topple.cli.main", "lab", "--no-browser", "--port", "0",
               "--folder", folder]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = await asyncio.to_thread(process.stdout.readline)
        tally.add("start to address", time.perf_counter() - began)
        found = re.search(r"http://\S+", line)
        assert found is not None, line
        yield found[0]
    finally:
        process.terminate()
        process.wait()


async def until_running(page: Page, job: str) -> None:
    """Wait until a job has said something: what it needs may have to be compiled first."""
    while not (await page.ask("job", f"/api/jobs/{job}"))["latest"]:
        await asyncio.sleep(0.2)


async def one_page(address: str, tally: Tally, n_clicks: int) -> str:
    """Click beside one analysis and a tournament; returns the tournament's job."""
    async with client_of(address) as client:
        page = Page(client, tally, "one")
        await page.load()
        cup = await page.ask("new job", "/api/jobs", CUP)
        analysis = await page.ask("new job", "/api/jobs", ANALYSIS)
        await until_running(page, cup["id"])
        await until_running(page, analysis["id"])
        await page.click("view, the first")
        for _ in range(n_clicks):
            await page.click("click, one page")
            await asyncio.sleep(0.1)
        return str(cup["id"])


async def many_pages(address: str, tally: Tally, cup: str, given: argparse.Namespace) -> None:
    """Open many pages, which load, listen and click, with analyses in the queue."""
    async with client_of(address) as client:
        pages = [Page(client, tally, f"page {number}") for number in range(given.pages)]
        await asyncio.gather(*(page.load() for page in pages))
        asked = [page.ask("new job", "/api/jobs", ANALYSIS) for page in pages[: given.analyses]]
        jobs = [cup, *(job["id"] for job in await asyncio.gather(*asked) if job)]
        streams = [
            asyncio.create_task(page.listen(jobs[number % len(jobs)]))
            for number, page in enumerate(pages)
        ]
        deadline = time.monotonic() + given.seconds

        async def use(page: Page) -> None:
            await asyncio.sleep(random.uniform(0, PAUSE))
            while time.monotonic() < deadline:
                await page.click("click")
                await asyncio.sleep(random.uniform(0, 2 * PAUSE))

        await asyncio.gather(*map(use, pages))
        for number, stream in enumerate(streams):
            if stream.done():
                tally.add("stream to the end", given.seconds, f"stream {number} broke off")
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)


def client_of(address: str) -> httpx2.AsyncClient:
    """Who asks; connections are kept as browsers keep them."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    return httpx2.AsyncClient(base_url=address, limits=limits, timeout=PATIENCE)


def show(tally: Tally) -> None:
    """Print what was measured, and how it compares with the goals."""
    print(f"{'':22}{'requests':>9}{'errors':>8}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}")
    for kind, seconds in tally.seconds.items():
        p95 = quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
        figures = "".join(f"{1000 * each:9.1f}" for each in (median(seconds), p95, max(seconds)))
        print(f"{kind:22}{len(seconds):9,}{len(tally.errors.get(kind, [])):8,}{figures}")
    for kind, goal in GOALS.items():
        seconds = tally.seconds.get(kind, [])
        within = sum(each <= goal for each in seconds)
        print(f"{kind}: {within:,} of {len(seconds):,} within {1000 * goal:,.0f} ms")
    for kind, errors in tally.errors.items():
        print(f"{kind}: {errors[0]}")
    print("no errors" if tally.n_errors == 0 else f"{tally.n_errors:,} errors")


async def measure(given: argparse.Namespace) -> int:
    """Start a lab and load it; returns the number of errors."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        async with started(folder, tally) as address:
            cup = await one_page(address, tally, given.clicks)
            await many_pages(address, tally, cup, given)
    show(tally)
    return tally.n_errors


def main() -> None:
    """Measure, print a table, and fail if anything went wrong."""
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--pages", type=int, default=50)
    reading.add_argument("--analyses", type=int, default=10)
    reading.add_argument("--seconds", type=float, default=30.0)
    reading.add_argument("--clicks", type=int, default=100)
    sys.exit(1 if asyncio.run(measure(reading.parse_args())) else 0)


if __name__ == "__main__":
    main()
