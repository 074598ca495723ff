"""The lab inside the test's own process, asked as its page asks it."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from topple.lab.server.app import make_app
from topple.lab.server.guard import Door
from topple.lab.settings import Settings

DOOR = Door("127.0.0.1", 8000)
ADDRESS = "http://127.0.0.1:8000"
PATIENCE = 600.0  # seconds: what is compiled for the first time on a busy machine takes its time


@contextmanager
def lab_client(
    folder: Path, *, door: Door = DOOR, stores: tuple[Path, ...] = (), n_hands: int = 1
) -> Iterator[TestClient]:
    """A lab that runs until the end of the block."""
    app = make_app(Settings(folder, door, stores, n_hands=n_hands, n_tables=1))
    headers = {"X-Topple": "1"}
    with TestClient(app, ADDRESS, headers=headers, raise_server_exceptions=False) as client:
        yield client


def asked(client: TestClient, path: str, **body: Any) -> Any:
    """What a POST answers, which must be well."""
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def got(client: TestClient, path: str) -> Any:
    """What a GET answers, which must be well."""
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: Any, status: int | None = None) -> str:
    """The one clear sentence of a refusal."""
    assert 400 <= answer.status_code < 500 or answer.status_code == status, answer.text
    assert status is None or answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert list(answer.json()) == ["error"]
    assert error
    assert "\n" not in error
    assert "Traceback" not in error
    return str(error)


def until(is_so: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait until something is so, and return it."""
    deadline = time.monotonic() + seconds
    while not (found := is_so()):
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.02)
    return found


def finished(client: TestClient, job: Any) -> Any:
    """A job when it is over."""

    def over() -> Any:
        now = got(client, f"/api/jobs/{job['id']}")
        return now if now["state"] in ("done", "stopped", "failed") else None

    return until(over)


def events(client: TestClient, job: Any) -> list[Any]:
    """Everything that is told of a job until it is over."""
    with client.stream("GET", f"/api/jobs/{job['id']}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = list(answer.iter_lines())
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
