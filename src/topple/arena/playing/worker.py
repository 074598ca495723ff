"""A worker process, which plays the games that it is sent one after the other, and its handle."""

import os
import select
import signal
import sys
import time
from collections import deque
from contextlib import suppress
from io import TextIOWrapper
from math import inf
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import MOST_PLIES, Sheets, play_fixture
from topple.arena.playing.shared_status import SharedStatus
from topple.core.processes import end_with_parent, interrupts_held, worker_context

STOCK = 0.25  # seconds of games that a worker is sent ahead, so that it never waits
MOST_AHEAD = 50
SMALL = 2048  # bytes that fit into any pipe that can be written to at all
PATIENCE = 1.0  # seconds after its deadline until a move is given up


def work(connection: Connection, status: SharedStatus) -> None:
    """Receive a plan and then fixtures, and send back a score sheet for each, until None comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process handles Ctrl-C for all
    if hasattr(os, "setsid"):
        os.setsid()  # processes that agents start join this group, and end with it
        os.register_at_fork(after_in_child=connection.close)  # only this process may answer
    end_with_parent(with_group=True)
    os.dup2(2, 1)  # what agents print must not mix with results
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # or it would be lost if the process is killed
    try:
        plan = connection.recv()
        while (fixture := connection.recv()) is not None:
            agents = [plan.agents[seat] for seat in fixture.seats]
            game = plan.games[fixture.game]
            sheet = play_fixture(game, agents, fixture, plan.limits, status)
            connection.send((fixture.key, sheet))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the pool has closed the connection


class WorkerHandle:
    """A worker process, its status, and the fixtures that it was sent, in playing order."""

    def __init__(self, plan: Plan) -> None:
        context = worker_context(__name__)
        self.status = SharedStatus(MOST_PLIES)
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, self.status), daemon=True)
        with interrupts_held():
            self.process.start()
        theirs.close()  # only the process holds its end now, so the pipe ends with the process
        self.fixtures: deque[Fixture] = deque()  # sent, and not yet played
        self.began = time.time()  # when the first of them began
        self.mean = inf  # seconds per game, lately
        self.is_broken = False  # the pipe has ended, or delivers nonsense
        self._send(ForkingPickler.dumps(plan))

    @property
    def has_room(self) -> bool:
        """Whether the worker should be sent another fixture ahead."""
        return len(self.fixtures) < max(1, min(MOST_AHEAD, int(STOCK / max(self.mean, 1e-6))))

    def send(self, fixture: Fixture) -> bool:
        """Send a fixture; returns False if that could have blocked, so that nothing was sent.

        A worker that is sending a sheet does not read. If both sides waited for each
        other to read, neither would ever go on.
        """
        data = ForkingPickler.dumps(fixture)
        if self.fixtures and not (len(data) <= SMALL and self._is_writable):
            return False
        if not self.fixtures:
            self.began = time.time()
        self.fixtures.append(fixture)
        self._send(data)
        return True

    @property
    def _is_writable(self) -> bool:
        return os.name == "posix" and bool(select.select([], [self.connection], [], 0)[1])

    def _send(self, data: Any) -> None:
        with suppress(OSError):  # if the process has ended, the next read will notice
            self.connection.send_bytes(data)

    def receive(self) -> Sheets:
        """The sheets that have arrived, without waiting."""
        sheets: Sheets = []
        try:
            while not self.is_broken and self.connection.poll():
                key, sheet = self.connection.recv()
                if key != self.fixtures[0].key:  # an agent has copied the process: two answer
                    raise ValueError
                self.began = time.time()
                self.mean = sheet.seconds if self.mean == inf else (self.mean + sheet.seconds) / 2
                sheets.append((self.fixtures.popleft(), sheet))
        except Exception:  # the process has ended, perhaps while it was sending
            self.is_broken = True
        return sheets

    @property
    def has_died(self) -> bool:
        """Whether the process has ended, or its pipe is broken."""
        return self.is_broken or not self.process.is_alive()

    @property
    def is_overdue(self) -> bool:
        """Whether the agent to move is so late that no answer will come."""
        game = self.status.read()
        return game is not None and time.monotonic() > game.deadline + PATIENCE

    def kill(self) -> Sheets:
        """End the process and everything that its agents started; returns what it had sent."""
        with suppress(ProcessLookupError, PermissionError, AttributeError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        return self.receive()

    def close(self) -> None:
        """End the process and close the connection."""
        self.kill()
        self.connection.close()
