"""A table: a worker process, the desk at which it can be watched, and the games it was handed."""

import os
import select
import signal
import time
from collections import deque
from contextlib import suppress
from math import inf
from multiprocessing.reduction import ForkingPickler
from typing import Any

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import MOST_PLIES, Sheets
from topple.arena.playing.shared_status import Desk
from topple.arena.playing.worker import work
from topple.core.processes import interrupts_held, worker_context

STOCK = 0.25  # seconds of games that a worker is handed ahead, so that it never waits
MOST_AHEAD = 50
SMALL = 2048  # bytes that any pipe takes which can be written to at all
PATIENCE = 1.0  # seconds after which a move that is due will not come any more


class Table:
    """A worker process with what it was handed, in the order in which it plays."""

    def __init__(self, plan: Plan) -> None:
        context = worker_context("topple.arena.playing.worker")
        self.desk = Desk(MOST_PLIES)
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, self.desk), daemon=True)
        with interrupts_held():
            self.process.start()
        theirs.close()  # the process has its own: the pipe ends when that one ends
        self.handed: deque[Fixture] = deque()
        self.began = time.time()  # when the first of them did
        self.mean = inf  # seconds per game, of late
        self.is_silent = False  # the pipe has ended, or brings nonsense
        self._send(ForkingPickler.dumps(plan))

    @property
    def has_room(self) -> bool:
        """Whether another fixture should be handed over ahead."""
        return len(self.handed) < max(1, min(MOST_AHEAD, int(STOCK / max(self.mean, 1e-6))))

    def hand(self, fixture: Fixture) -> bool:
        """Hand over a fixture; returns whether that could be done without waiting.

        A worker that is sending a sheet does not read. To wait for it while it
        waits for us would be the end of both.
        """
        data = ForkingPickler.dumps(fixture)
        if self.handed and not (len(data) <= SMALL and self._can_be_written):
            return False
        if not self.handed:
            self.began = time.time()
        self.handed.append(fixture)
        self._send(data)
        return True

    @property
    def _can_be_written(self) -> bool:
        return os.name == "posix" and bool(select.select([], [self.connection], [], 0)[1])

    def _send(self, data: Any) -> None:
        with suppress(OSError):  # where it has ended, whoever reads next will see
            self.connection.send_bytes(data)

    def collect(self) -> Sheets:
        """The sheets that lie ready."""
        sheets: Sheets = []
        try:
            while not self.is_silent and self.connection.poll():
                key, sheet = self.connection.recv()
                if key != self.handed[0].key:  # two processes speak: an agent has copied itself
                    raise ValueError
                self.began = time.time()
                self.mean = sheet.seconds if self.mean == inf else (self.mean + sheet.seconds) / 2
                sheets.append((self.handed.popleft(), sheet))
        except Exception:  # its end, perhaps in the middle of a sheet
            self.is_silent = True
        return sheets

    @property
    def has_fallen(self) -> bool:
        """Whether the process has ended, or cannot be heard any more."""
        return self.is_silent or not self.process.is_alive()

    @property
    def is_stuck(self) -> bool:
        """Whether the agent to move will not answer any more."""
        thinking = self.desk.thinking()
        return thinking is not None and time.monotonic() > thinking.deadline + PATIENCE

    def stop(self) -> Sheets:
        """End the process and all that its agents have started; returns what it had sent."""
        with suppress(ProcessLookupError, PermissionError, AttributeError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        return self.collect()

    def end(self) -> None:
        """End the process and be done with it."""
        self.stop()
        self.connection.close()
