"""What the arena itself costs: time outside games, two workers beside one, memory.

    python -m benchmarks.arena [--games 1500] [--rounds 3] [--memory 20000]

The agents take about 10 ms for a game, so that whatever the arena does between
games shows. Every run is stored on disk like a user's.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import topple
from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import Sheets
from topple.arena.playing.run import compile_plan, play_plan
from topple.arena.playing.worker_pool import WorkerPool
from topple.arena.statistics.standings import Standings
from topple.arena.store.played import Result
from topple.arena.store.store import open_store

SAMPLES = 10  # of memory in a run
BOARD, AGENTS = "hex:11", ("random", "greedy")


class TimedPool(WorkerPool):
    """A pool that adds up the time inside games."""

    busy = 0.0

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Sheets, None, None]:
        """Play, and look at the clock of each game."""
        for sheets in super().play(fixtures):
            self.busy += sum(sheet.seconds for _, sheet in sheets)
            yield sheets


class Run(NamedTuple):
    """One run of a plan."""

    games: int
    wall: float  # seconds from the first call to the last
    first: float  # seconds until the first games were there
    busy: float  # seconds inside games, of all workers
    memory: list[tuple[int, int]]  # MiB of the driver and of the largest worker

    @property
    def rate(self) -> float:
        """Games a second once the workers had started."""
        return self.games / (self.wall - self.first)


def plan_of(n_games: int, seed: int = 1) -> Plan:
    """A match of quick agents."""
    agents = tuple(topple.agent(name) for name in AGENTS)
    return Plan((topple.load("hex", BOARD),), agents, n_games=n_games, seed=seed)


def measure(plan: Plan, n_workers: int) -> Run:
    """Play a plan into a fresh store."""
    began, played, memory = time.perf_counter(), 0, []
    first = None
    every = max(1, plan.n_fixtures // SAMPLES)
    pool = TimedPool(plan, n_workers)

    def report(_: Standings, games: Sequence[Result]) -> None:
        nonlocal played, first
        if games and first is None:
            first = time.perf_counter() - began
        if (played + len(games)) // every > played // every:
            workers = [resident(worker.process.pid) for worker in pool.workers]
            memory.append((resident(os.getpid()), max(workers)))
        played += len(games)

    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "bench.db") as store:
        play_plan(plan, store, pool, report=report)
    return Run(played, time.perf_counter() - began, first or 0.0, pool.busy, memory)


def resident(pid: int) -> int:
    """A process's memory in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    kilobytes = next(line for line in lines if line.startswith("VmRSS")).split()[1]
    return int(kilobytes) // 1024


def show(n_workers: int, run: Run) -> None:
    """Print what came out."""
    idle = 1 - run.busy / (n_workers * run.wall)
    later = 1 - run.busy / (n_workers * (run.wall - run.first))
    print(f"{n_workers} at work: {run.games / run.wall:7.1f} games/s, "
          f"{1000 * run.busy / run.games:.1f} ms a game; not in games: {idle:.1%} of the time, "
          f"{later:.1%} after the start ({run.first:.1f} s)")  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1500, help="in each run")
    parser.add_argument("--rounds", type=int, default=3, help="of one worker and then two")
    parser.add_argument("--memory", type=int, default=20_000, help="games; 0: none")
    arguments = parser.parse_args()
    plan = plan_of(arguments.games)
    compile_plan(plan)
    ratios = []
    for _ in range(arguments.rounds):  # in turns: the machine's speed changes with the hour
        one, two = measure(plan, 1), measure(plan, 2)
        show(1, one)
        show(2, two)
        ratios.append(two.rate / one.rate)
    print(f"two by one, median: {median(ratios):.2f}")
    if arguments.memory:
        run = measure(plan_of(arguments.memory), 2)
        show(2, run)
        print("MiB of driver and worker on the way:", *(f"{a}/{b}" for a, b in run.memory))


if __name__ == "__main__":
    main()
