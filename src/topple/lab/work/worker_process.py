"""A hand: the server's side of a worker process."""

import json
import queue
import signal
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import get_context
from typing import Any

from topple.lab import limits
from topple.lab.work.worker import work

COMPILING = limits.COMPILING_SECONDS
FAREWELL = 2.0  # seconds for a process to be gone once it was ended


class Hand:
    """A worker process that does one task at a time.

    Parameters
    ----------
    has_children : bool
        Whether its task starts processes of its own, as a tournament does.
    is_patient : bool
        Whether it lets the server go first, as searches do.
    """

    def __init__(self, *, has_children: bool = False, is_patient: bool = True) -> None:
        # A copy of the server would inherit the locks of its threads.
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=work, args=(theirs, is_patient), daemon=not has_children
        )
        self.process.start()
        theirs.close()  # the process has its own: the pipe ends when that one ends
        self.task: str | None = None  # the id of what is being done
        self.due: float | None = None  # when it must have ended
        self._seconds: float | None = None  # that its task may take
        self.is_told_to_stop = False
        # A process that is still starting does not read: nobody is to wait for it.
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._post, daemon=True).start()

    @property
    def is_free(self) -> bool:
        """Whether it has nothing to do."""
        return self.task is None

    def give(self, name: str, kind: str, task: Mapping[str, Any], seconds: float | None) -> None:
        """Hand over a task that takes at most so many seconds."""
        self.task, self.is_told_to_stop = name, False
        self._seconds = seconds
        self._set_clock(seconds)
        self._send({"id": name, "kind": kind, "task": dict(task)})

    def stop(self, patience: float) -> None:
        """Tell it to stop what it does; it is overdue when the patience is over."""
        if not self.is_told_to_stop:
            self.is_told_to_stop = True
            self.due = time.monotonic() + patience
            self._send({"stop": self.task})

    def take(self) -> list[dict[str, Any]]:
        """What it has said since the last look; the task has ended with its last word."""
        said: list[dict[str, Any]] = []
        with suppress(EOFError, OSError):
            while self.connection.poll():
                message = json.loads(self.connection.recv_bytes())
                said.append(message)
                if "note" in message and not self.is_told_to_stop:
                    self._set_clock(COMPILING if message["note"] else self._seconds)
                if message.get("ended"):
                    self.task = self.due = None
        return said

    @property
    def is_overdue(self) -> bool:
        """Whether it should have ended its task by now."""
        return self.due is not None and time.monotonic() > self.due

    @property
    def has_fallen(self) -> bool:
        """Whether its process has ended."""
        return not self.process.is_alive()

    def last_words(self) -> str:
        """How its process ended."""
        status = self.process.exitcode
        if status is not None and status < 0:
            with suppress(ValueError):
                return signal.Signals(-status).name
        return f"exit status {status}"

    def end(self) -> None:
        """End the process, whatever it does."""
        self._outbox.put(None)
        self.process.kill()
        self.process.join(FAREWELL)
        self.connection.close()

    def _set_clock(self, seconds: float | None) -> None:
        """The task has so many seconds from now on."""
        self.due = None if seconds is None else time.monotonic() + seconds

    def _send(self, message: Mapping[str, Any]) -> None:
        self._outbox.put(json.dumps(message).encode())

    def _post(self) -> None:
        """Send what lies in the outbox, as fast as the process reads."""
        with suppress(OSError):  # where it has ended, the next look shows it
            while (message := self._outbox.get()) is not None:
                self.connection.send_bytes(message)
