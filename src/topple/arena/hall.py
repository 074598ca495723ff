"""The hall: worker processes on this machine, watched while they play."""

import os
import signal
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from math import inf
from multiprocessing import get_all_start_methods, get_context, resource_tracker
from multiprocessing.connection import wait
from typing import Any

from topple.arena.desk import Desk
from topple.arena.plan import Fixture, Plan
from topple.arena.playing import MOST_PLIES, Scoresheet, broken_off, late
from topple.arena.worker import work
from topple.errors import ToppleError
from topple.record import CRASH, TIME, Ending

Sheets = list[tuple[Fixture, Scoresheet]]

STOCK = 0.25  # seconds of games that a worker is handed ahead, so that it never waits
MOST_AHEAD = 50
PAUSE = 0.05  # seconds between two collections: sheets are stored by the handful
HEARTBEAT = 0.25  # seconds between two looks at the workers, at most
PATIENCE = 1.0  # seconds after which a move that is due will not come any more
CHANCES = 2  # times that a game may end its worker before it counts


def n_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Table:
    """A worker process, its desk, and the fixtures that it was handed."""

    def __init__(self, plan: Plan) -> None:
        context = worker_context()
        self.desk = Desk(MOST_PLIES)
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, self.desk), daemon=True)
        with interrupts_held():
            self.process.start()
        theirs.close()  # the process has its own: the pipe ends when that one ends
        self.handed: deque[Fixture] = deque()
        self.mean = inf  # seconds per game, of late
        self._send(plan)

    @property
    def has_room(self) -> bool:
        """Whether another fixture should be handed over ahead."""
        return len(self.handed) < max(1, min(MOST_AHEAD, int(STOCK / max(self.mean, 1e-6))))

    def hand(self, fixture: Fixture) -> None:
        """Hand over a fixture."""
        self.handed.append(fixture)
        self._send(fixture)

    def _send(self, what: object) -> None:
        # Where it has ended, whoever reads next will see.
        with suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send(what)

    def collect(self) -> Iterator[tuple[Fixture, Scoresheet]]:
        """The sheets that lie ready.

        Raises
        ------
        EOFError
            If the worker has ended.
        """
        while self.connection.poll():
            try:
                sheet = self.connection.recv()
            except ConnectionResetError:
                raise EOFError from None
            self.mean = sheet.seconds if self.mean == inf else (self.mean + sheet.seconds) / 2
            yield self.handed.popleft(), sheet

    @property
    def is_stuck(self) -> bool:
        """Whether the agent to move will not answer any more."""
        thinking = self.desk.thinking()
        return thinking is not None and time.monotonic() > thinking.deadline + PATIENCE

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class Hall:
    """Tables at which fixtures are played, side by side.

    An agent that does not answer in time, or takes its process down with it,
    loses that game; another process goes on with the next.
    """

    def __init__(self, plan: Plan, n_tables: int | None = None) -> None:
        self.plan = plan
        self.n_tables = n_tables or n_cores()
        self.tables: list[Table] = []
        self.waiting: Iterator[Fixture] = iter(())
        self.returned: deque[Fixture] = deque()  # added, or handed to a worker that has ended
        self.falls: Counter[tuple[str, int]] = Counter()  # workers that a game has ended
        self.collected = 0.0

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Sheets, None, None]:
        """Play all fixtures; the sheets come as the games end, now and then none.

        Closing the iterator ends the games under way.
        """
        self.waiting = iter(fixtures)
        try:
            while self.hand_out():
                yield self.collect()
        finally:
            self.close()

    def add(self, fixtures: Iterable[Fixture]) -> None:
        """Take in more to play: with `hand_out` and `collect`, for who keeps the tables."""
        self.returned.extend(fixtures)

    def close(self) -> None:
        """End all workers."""
        for table in self.tables:
            table.end()
        self.tables = []

    def _next(self) -> Fixture | None:
        return self.returned.popleft() if self.returned else next(self.waiting, None)

    def hand_out(self) -> bool:
        """See that nobody runs out of games; returns whether any is under way."""
        for place in range(self.n_tables):
            while place >= len(self.tables) or self.tables[place].has_room:
                fixture = self._next()
                if fixture is None:
                    return any(table.handed for table in self.tables)
                if place >= len(self.tables):
                    self.tables.append(Table(self.plan))
                self.tables[place].hand(fixture)
        return True

    def collect(self) -> Sheets:
        """Wait for sheets, and see who is still there."""
        wait([table.connection for table in self.tables], HEARTBEAT)
        time.sleep(max(0.0, self.collected + PAUSE - time.monotonic()))
        self.collected = time.monotonic()
        sheets: Sheets = []
        for place, table in enumerate(self.tables):
            try:
                sheets.extend(table.collect())
                if table.is_stuck:
                    sheets.extend(self._late(place))
            except EOFError:
                sheets.extend(self._fallen(place))
        return sheets

    def _late(self, place: int) -> Sheets:
        """End a worker whose agent does not answer."""
        table = self.tables[place]
        thinking = table.desk.thinking()
        if thinking is None:  # it has just answered
            return []
        fixture = table.handed.popleft()
        self._replace(place)
        ending = Ending(TIME, thinking.seat, late(thinking.limit))
        return [(fixture, self._broken_off(fixture, thinking.moves, ending))]

    def _fallen(self, place: int) -> Sheets:
        """Find out whose fault it is that a worker has ended."""
        table = self.tables[place]
        table.process.join()
        status, thinking = table.process.exitcode, table.desk.thinking()
        fixture = table.handed[0] if table.handed else None
        if fixture is not None:
            self.falls[fixture.key] += 1
            if self.falls[fixture.key] >= CHANCES:
                if thinking is None:
                    raise ToppleError(f"a worker has ended {CHANCES} times ({_told(status)}) with "
                                      "nobody to move: is there enough memory, and can agents "
                                      "of your own be imported by name?")  # fmt: skip
                table.handed.popleft()
                self._replace(place)
                ending = Ending(CRASH, thinking.seat, f"its process ended: {_told(status)}")
                return [(fixture, self._broken_off(fixture, thinking.moves, ending))]
        self._replace(place)
        return []

    def _replace(self, place: int) -> None:
        """Put a new worker in the place of one that ends; its games are played again."""
        table = self.tables[place]
        self.returned.extend(table.handed)
        table.end()
        self.tables[place] = Table(self.plan)

    def _broken_off(self, fixture: Fixture, moves: tuple[int, ...], ending: Ending) -> Scoresheet:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return broken_off(self.plan.games[fixture.game], moves, ending, now)


def _told(status: int | None) -> str:
    """An exit status in words."""
    if status is not None and status < 0:
        try:
            return signal.Signals(-status).name
        except ValueError:
            return f"signal {-status}"
    return f"exit status {status}"


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back until the end; processes started meanwhile never hear it.

    The first process hears it for all. One that has just been started would not
    know yet that it should not.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it would let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def worker_context() -> Any:
    """How worker processes are started: quickly, and never as a copy of this process.

    A copy would inherit the locks that the threads of a progress bar hold.
    """
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(["topple.arena.worker"])
    return context
