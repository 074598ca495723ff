"""A worker: a process that does the tasks it is handed, and stops when it is told to."""

import json
import os
import queue
import signal
import threading
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from typing import Any

NICE = 10  # clicks are answered before searches go on


class Stopping:
    """The sign to stop of one task."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Ask the task to stop."""
        self._event.set()

    def is_set(self) -> bool:
        """Whether the task is to stop."""
        return self._event.is_set()


def work(connection: Connection) -> None:
    """Do what comes in until nothing more does. Messages are JSON both ways."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server hears Ctrl-C for all
    if hasattr(os, "nice"):
        os.nice(NICE)
    _end_with_parent()
    inbox = _Inbox(connection)
    from topple.lab.tasks import do  # the long part, while nobody waits yet

    while (message := inbox.tasks.get()) is not None:
        name = message["id"]

        def say(latest: Any, name: str = name) -> None:
            _send(connection, {"id": name, "latest": json.dumps(latest, allow_nan=False)})

        error = do(message["kind"], message["task"], say, inbox.sign_of(name))
        _send(connection, {"id": name, "ended": True, "error": error})
        inbox.forget(name)


class _Inbox:
    """Tasks in their order, and signs to stop that come while one is done."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.tasks: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self.signs: dict[str, Stopping] = {}
        threading.Thread(target=self._listen, daemon=True).start()

    def sign_of(self, name: str) -> Stopping:
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
                    self.signs[message["id"]] = Stopping()
                    self.tasks.put(message)
        except (EOFError, OSError):
            self.tasks.put(None)  # nobody speaks any more


def _send(connection: Connection, message: dict[str, Any]) -> None:
    try:
        connection.send_bytes(json.dumps(message).encode())
    except (BrokenPipeError, ConnectionResetError):
        os._exit(1)  # nobody listens any more


def _end_with_parent() -> None:
    """Never outlive the server, however that one ends."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
