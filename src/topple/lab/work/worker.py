"""A worker: a process that does the tasks it is handed, and stops when it is told to."""

import json
import os
import queue
import signal
import threading
from multiprocessing.connection import Connection
from typing import Any

from topple.core.processes import end_with_parent
from topple.lab import limits

NICE = 10  # clicks are answered before searches go on


class Saying:
    """What a task says of itself."""

    def __init__(self, connection: Connection, task: str) -> None:
        self._connection, self._task = connection, task

    def __call__(self, latest: Any) -> None:
        """Tell what has been found so far."""
        latest = json.dumps(latest, allow_nan=False)
        _send(self._connection, {"id": self._task, "latest": latest})

    def note(self, text: str | None) -> None:
        """Tell what has to be waited for; None when that is over."""
        _send(self._connection, {"id": self._task, "note": text})


def work(connection: Connection, is_patient: bool) -> None:
    """Do what comes in until nothing more does. Messages are JSON both ways."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server hears Ctrl-C for all
    if is_patient and hasattr(os, "nice"):
        os.nice(NICE)
    _bound_memory(limits.WORKER_MEMORY)
    end_with_parent()
    inbox = _Inbox(connection)
    from topple.lab.work.tasks import do  # the long part, while nobody waits yet

    while (message := inbox.tasks.get()) is not None:
        name = message["id"]

        say = Saying(connection, name)
        error = do(message["kind"], message["task"], say, inbox.sign_of(name))
        _send(connection, {"id": name, "ended": True, "error": error})
        inbox.forget(name)


class _Inbox:
    """Tasks in their order, and signs to stop that come while one is done."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.tasks: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self.signs: dict[str, threading.Event] = {}
        threading.Thread(target=self._listen, daemon=True).start()

    def sign_of(self, name: str) -> threading.Event:
        return self.signs[name]

    def forget(self, name: str) -> None:
        self.signs.pop(name, None)

    def _listen(self) -> None:
        try:
            while True:
                message = json.loads(self.connection.recv_bytes())
                if "stop" in message:
                    sign = self.signs.get(message["stop"])
                    if sign is not None:
                        sign.set()
                else:
                    self.signs[message["id"]] = threading.Event()
                    self.tasks.put(message)
        except (EOFError, OSError):
            self.tasks.put(None)  # nobody speaks any more


def _send(connection: Connection, message: dict[str, Any]) -> None:
    try:
        connection.send_bytes(json.dumps(message).encode())
    except (BrokenPipeError, ConnectionResetError):
        os._exit(1)  # nobody listens any more


def _bound_memory(megabytes: int) -> None:
    """Let a task that asks for too much fail, before the machine has nothing left."""
    try:
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = megabytes << 20
        bound = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_DATA, (bound, most))
    except (ImportError, OSError, ValueError):
        pass  # this system has no such bound
