"""WorkerProcess: a process that does one task at a time, and both ends of the pipe to it.

Messages are JSON. To the worker go `{"id", "kind", "task"}` and `{"stop": id}`; back come
`{"id", "latest"}` for what has been found so far, `{"id", "note"}` for what the task waits for,
and `{"id", "ended", "error"}` as the last message of a task.
"""

import json
import os
import queue
import signal
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from topple.core.processes import end_with_parent
from topple.lab import limits

NICE = 10  # clicks are answered before searches go on
JOIN_SECONDS = 2.0  # for a killed process to be gone


class WorkerProcess:
    """The server's side of a worker.

    Parameters
    ----------
    has_children : bool
        Whether its tasks start processes of their own, as a tournament does.
    has_low_priority : bool
        Whether the system prefers the server to it, as it should while searches run.

    Raises
    ------
    OSError
        If the process cannot be started.
    """

    def __init__(self, *, has_children: bool = False, has_low_priority: bool = True) -> None:
        # A forked copy of the server would inherit locks that the server's threads hold.
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=run_worker, args=(theirs, has_low_priority), daemon=not has_children
        )
        try:
            self.process.start()
        except BaseException:
            self.connection.close()
            raise
        finally:
            theirs.close()  # the process has its own copy: the pipe ends when the process does
        self.task: str | None = None  # the id of its task; None while it is free
        self.due: float | None = None  # when the task must have ended
        self._seconds: float | None = None  # that the task may take
        self._is_stopping = False
        # A process that is still starting does not read, and a pipe holds little: a thread waits.
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._send_outbox, daemon=True).start()

    def start_task(
        self, name: str, kind: str, task: Mapping[str, Any], seconds: float | None
    ) -> None:
        """Give it a task that may take at most `seconds`; None for no limit."""
        self.task, self._seconds, self._is_stopping = name, seconds, False
        self._set_due(seconds)
        self._send({"id": name, "kind": kind, "task": dict(task)})

    def stop_task(self, patience: float) -> None:
        """Tell it to stop its task; after `patience` seconds it is overdue."""
        if not self._is_stopping:
            self._is_stopping = True
            self._set_due(patience)
            self._send({"stop": self.task})

    def receive(self) -> list[dict[str, Any]]:
        """The messages since the last call; with the last message of a task it is free again."""
        messages: list[dict[str, Any]] = []
        with suppress(EOFError, OSError):
            while self.connection.poll():
                message = json.loads(self.connection.recv_bytes())
                messages.append(message)
                if "note" in message and not self._is_stopping:
                    self._set_due(limits.COMPILING_SECONDS if message["note"] else self._seconds)
                if message.get("ended"):
                    self.task = self.due = None
        return messages

    @property
    def is_overdue(self) -> bool:
        """Whether its task should have ended by now."""
        return self.due is not None and time.monotonic() > self.due

    @property
    def has_exited(self) -> bool:
        """Whether the process has ended."""
        return not self.process.is_alive()

    def kill(self) -> None:
        """End the process, whatever it does."""
        self._outbox.put(None)
        self.process.kill()
        self.process.join(JOIN_SECONDS)
        self.connection.close()

    def _set_due(self, seconds: float | None) -> None:
        self.due = None if seconds is None else time.monotonic() + seconds

    def _send(self, message: Mapping[str, Any]) -> None:
        self._outbox.put(json.dumps(message).encode())

    def _send_outbox(self) -> None:
        with suppress(OSError):  # the process has ended, which the server notices itself
            while (message := self._outbox.get()) is not None:
                self.connection.send_bytes(message)


# The rest runs in the worker.


class PipeOutput:
    """Sends what a task finds to the server."""

    def __init__(self, connection: Connection, task: str) -> None:
        self._connection, self._task = connection, task

    def send(self, latest: Any) -> None:
        """Send what has been found so far; it replaces what was sent before."""
        latest = json.dumps(latest, allow_nan=False)
        _send_message(self._connection, {"id": self._task, "latest": latest})

    def note(self, text: str | None) -> None:
        """Say what the task waits for; None when it goes on."""
        _send_message(self._connection, {"id": self._task, "note": text})


def run_worker(connection: Connection, has_low_priority: bool) -> None:
    """Do the tasks that come in until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C for all
    if has_low_priority and hasattr(os, "nice"):
        os.nice(NICE)
    _bound_memory(limits.WORKER_MEMORY)
    end_with_parent()
    inbox = _Inbox(connection)
    # Imported here because the server, which imports this module too, runs no tasks.
    from topple.lab.work.tasks import run_task

    while (message := inbox.tasks.get()) is not None:
        name = message["id"]
        output = PipeOutput(connection, name)
        error = run_task(message["kind"], message["task"], output, inbox.stops[name])
        _send_message(connection, {"id": name, "ended": True, "error": error})
        inbox.stops.pop(name, None)


class _Inbox:
    """Tasks in their order, and stop requests, which arrive while a task is done."""

    def __init__(self, connection: Connection) -> None:
        self.tasks: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self.stops: dict[str, threading.Event] = {}
        threading.Thread(target=self._receive, args=(connection,), daemon=True).start()

    def _receive(self, connection: Connection) -> None:
        try:
            while True:
                message = json.loads(connection.recv_bytes())
                if "stop" not in message:
                    self.stops[message["id"]] = threading.Event()
                    self.tasks.put(message)
                elif (stop := self.stops.get(message["stop"])) is not None:
                    stop.set()
        except (EOFError, OSError):
            self.tasks.put(None)  # the server has closed the connection


def _send_message(connection: Connection, message: dict[str, Any]) -> None:
    try:
        connection.send_bytes(json.dumps(message).encode())
    except (BrokenPipeError, ConnectionResetError):
        os._exit(1)  # the server has gone


def _bound_memory(megabytes: int) -> None:
    """Let a task that asks for too much fail before the machine runs out of memory."""
    try:
        import resource  # not on Windows

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = megabytes << 20
        bound = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_DATA, (bound, most))
    except (ImportError, OSError, ValueError):
        pass  # this system has no such limit
