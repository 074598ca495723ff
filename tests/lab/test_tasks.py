"""The tasks of worker processes: what they send, and which clocks run meanwhile."""

import threading
from typing import Any

import pytest

from topple.boards import board_to_json, load_board
from topple.game import warm_up
from topple.lab.work import tasks
from topple.lab.work.worker_process import WorkerProcess

THINK = {
    "game": "hex",
    "board": board_to_json(load_board("hex:3")),
    "moves": [4],
    "agent": "greedy",
    "seed": 1,
    "seconds": 5.0,
}


class Output:
    """Keeps what a task sends."""

    def __init__(self) -> None:
        self.latest: list[Any] = []
        self.notes: list[str | None] = []

    def send(self, latest: Any) -> None:
        self.latest.append(latest)

    def note(self, text: str | None) -> None:
        self.notes.append(text)


def test_a_task_notes_that_it_compiles_and_when_that_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(warm_up, "cold_kernels", lambda game, kernels: list(kernels))
    output = Output()
    assert tasks.run_task("think", THINK, output, threading.Event()) is None
    assert output.notes == ["compiling hex for this machine (once) …", None]
    assert output.latest


def test_a_task_with_nothing_to_compile_notes_nothing() -> None:
    tasks.run_task("think", THINK, Output(), threading.Event())
    output = Output()
    assert tasks.run_task("think", THINK, output, threading.Event()) is None
    assert output.notes == []


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"agent": "nobody"}, "unknown agent 'nobody'"),
        ({"moves": [0, 0]}, "a1 is not legal"),
        ({"seconds": None}, "the lab failed at this: TypeError"),
    ],
)
def test_a_task_that_fails_says_why_in_one_line(change: dict[str, Any], error: str) -> None:
    found = tasks.run_task("think", {**THINK, **change}, Output(), threading.Event())
    assert found is not None
    assert error in found
    assert "\n" not in found


def test_no_clock_runs_while_something_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = WorkerProcess.__new__(WorkerProcess)
    worker._is_stopping, worker.task, worker._seconds = False, "a", 1.0
    messages = [b'{"id": "a", "note": "compiling"}']

    class Pipe:
        """Holds the worker's messages."""

        def poll(self) -> bool:
            return bool(messages)

        def recv_bytes(self) -> bytes:
            return messages.pop()

    monkeypatch.setattr(worker, "connection", Pipe(), raising=False)
    worker._set_due(-1.0)
    assert worker.is_overdue
    worker.receive()
    assert not worker.is_overdue
    assert worker.due is not None
    due_while_compiling = worker.due
    messages.append(b'{"id": "a", "note": null}')
    worker.receive()
    assert worker.due < due_while_compiling
