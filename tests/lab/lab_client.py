"""The lab inside the test's own process, asked as its page asks it."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from topple.lab.lab import LabAddress, LabSettings
from topple.lab.server.app import make_app

HERE = LabAddress("127.0.0.1", 8000)
ADDRESS = "http://127.0.0.1:8000"
PATIENCE = 600.0  # seconds: compiling for the first time on a busy machine may take minutes


@contextmanager
def lab_client(
    folder: Path, *, address: LabAddress = HERE, stores: tuple[Path, ...] = (), n_workers: int = 1
) -> Iterator[TestClient]:
    """A lab that runs until the end of the block."""
    settings = LabSettings(folder, address, stores, n_workers=n_workers, n_tournament_workers=1)
    app = make_app(settings)
    headers = {"X-Topple": "1"}
    with TestClient(app, ADDRESS, headers=headers, raise_server_exceptions=False) as client:
        yield client


def asked(client: TestClient, path: str, **body: Any) -> Any:
    """The result of a POST, which must succeed."""
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def got(client: TestClient, path: str) -> Any:
    """The result of a GET, which must succeed."""
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: Any, status: int | None = None) -> str:
    """The one sentence of a refusal."""
    assert 400 <= answer.status_code < 500 or answer.status_code == status, answer.text
    assert status is None or answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert list(answer.json()) == ["error"]
    assert error
    assert "\n" not in error
    assert "Traceback" not in error
    return str(error)


def until(is_so: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait until a condition holds, and return its value."""
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
    """All events of a job until it is over."""
    with client.stream("GET", f"/api/jobs/{job['id']}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = list(answer.iter_lines())
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
