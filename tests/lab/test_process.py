"""The lab as a process: it starts at once, serves its port, and leaves nothing behind."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import uvicorn

from tests.lab.lab_client import until
from topple.lab.server import serve
from topple.lab.server.serve import TimedProtocol

MAIN = (sys.executable, "-m", "topple.cli.main")
PATIENCE = 60.0  # seconds
FIRST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LONG = {"kind": "think", "game": "hex", "board": "hex:4", "agent": "uct:time=100,solver=false"}
CUP = {
    "kind": "tournament",
    "name": "cup",
    "games": ["hex"],
    "boards": ["hex:4"],
    "agents": ["random", "uct:time=0.05"],
    "games_per_pairing": 4000,
}


class Started:
    """A lab that was started from the command line."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address

    def url(self, path: str) -> str:
        """The address of a path, without the token."""
        return f"{self.address.partition('?')[0]}{path}"

    def ask(self, path: str, body: Any = None, cookie: str = "") -> Any:
        """The lab's reply."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"X-Topple": "1", "Content-Type": "application/json", "Cookie": cookie}
        with urlopen(Request(self.url(path), data, headers), timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    def running(self, *bodies: Any) -> None:
        """Start jobs, and wait until each has sent something."""
        for job in [self.ask("api/jobs", body) for body in bodies]:
            until(lambda job=job: self.ask(f"api/jobs/{job['id']}")["latest"])


@contextmanager
def started(folder: Path, *arguments: str, cache: Path | None = None) -> Iterator[Started]:
    """A lab on any free port; `cache` is where machine code is kept."""
    environment = {**os.environ, **({} if cache is None else {"TOPPLE_CACHE_DIR": str(cache)})}
    process = subprocess.Popen(
        [*MAIN, "lab", "--no-browser", "--port", "0", "--folder", str(folder), *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"topple lab: (http://\S+)\n", line)
        assert found is not None, line
        yield Started(process, found[1])
    finally:
        process.kill()
        process.communicate()


def family(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    everyone = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    children = [each for each in everyone if state_and_parent(each)[1] == pid]
    return children + [other for child in children for other in family(child)]


def state_and_parent(pid: int) -> tuple[str, int]:
    """The state of a process and the id of its parent."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return "gone", 0
    return state, int(parent)


def is_there(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for (Z) does not."""
    return state_and_parent(pid)[0] not in ("gone", "Z", "X")


def test_with_nothing_compiled_the_page_and_every_game_work_at_once(tmp_path: Path) -> None:
    with started(tmp_path / "lab", cache=tmp_path / "cache") as lab:
        with urlopen(lab.address, timeout=PATIENCE) as page:
            assert b"<html" in page.read()
        for game in ("spread-it", "chain-reaction", "infexion", "hex", "influence"):
            first = lab.ask("api/view", {"game": game})
            move = first["legal"][0]["move"]
            assert lab.ask("api/view", {"game": game, "moves": [move], "steps": True})["ply"] == 1
        job = lab.ask("api/jobs", {**LONG, "agent": "greedy"})
        note = until(lambda: (now := lab.ask(f"api/jobs/{job['id']}"))["note"] or now["latest"])
        assert note == "compiling hex for this machine (once) …"


@pytest.mark.parametrize(
    "sign",
    [
        signal.SIGKILL,
        pytest.param(signal.SIGINT, marks=pytest.mark.prove),
        pytest.param(signal.SIGTERM, marks=pytest.mark.prove),
    ],
)
def test_however_the_lab_ends_no_process_stays_behind(tmp_path: Path, sign: signal.Signals) -> None:
    with started(tmp_path) as lab:
        lab.running(LONG, CUP)
        others = family(lab.process.pid)
        assert len(others) >= 5  # workers, the arena's and its table
        lab.process.send_signal(sign)
        lab.process.wait(PATIENCE)
        until(lambda: not any(map(is_there, others)))
        assert lab.process.stderr is not None
        assert "Traceback" not in lab.process.stderr.read()
        assert lab.process.returncode == (0 if sign == signal.SIGINT else -sign)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """A lab that is served to other machines too."""
    with started(tmp_path_factory.mktemp("lab"), "--host", "0.0.0.0") as lab:
        yield lab


def test_the_page_the_api_and_events_are_served_at_the_printed_address(lab: Started) -> None:
    with urlopen(lab.address, timeout=PATIENCE) as page:
        assert b"<html" in page.read()
        token = page.headers["set-cookie"].partition(";")[0]
    job = lab.ask("api/jobs", {**LONG, "agent": "random"}, cookie=token)
    request = Request(lab.url(f"api/jobs/{job['id']}/events"), headers={"Cookie": token})
    with urlopen(request, timeout=PATIENCE) as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        lines = events.read().decode().splitlines()
    texts = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    assert json.loads(texts[-1])["state"] == "done"


def test_without_the_token_of_the_printed_address_nothing_is_served(lab: Started) -> None:
    for path in ("", "api/games", "js/main.js"):
        with pytest.raises(HTTPError, match="403"):
            urlopen(lab.url(path), timeout=PATIENCE)


def reply_of(address: tuple[str, int], request: bytes) -> bytes:
    """All that a server sends until it hangs up."""
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(request)
        answer = b""
        while part := connection.recv(65536):
            answer += part
        return answer


@pytest.fixture(scope="module")
def plain_server() -> Iterator[tuple[str, int]]:
    """A server with the lab's protocol and a short time for the head of a request."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serve, "HEAD_SECONDS", 0.3)
        config = uvicorn.Config(
            app,
            http=TimedProtocol,
            port=0,
            log_level="critical",
            lifespan="off",
            timeout_keep_alive=1,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run)
        thread.start()
        until(lambda: server.started)
        yield server.servers[0].sockets[0].getsockname()
        server.should_exit = True
        thread.join()


@pytest.mark.parametrize(
    "request_", [b"", b"G", b"GET / HTTP/1.1\r\nHost: x\r\n", FIRST + b"GET /"]
)
def test_connections_without_a_complete_request_are_closed(
    plain_server: tuple[str, int], request_: bytes
) -> None:
    assert reply_of(plain_server, request_).count(b"204") == request_.count(b"\r\n\r\n")


def test_complete_requests_are_answered(plain_server: tuple[str, int]) -> None:
    assert reply_of(plain_server, FIRST * 2).count(b"204") == 2


def test_endless_headers_and_paths_are_refused(plain_server: tuple[str, int]) -> None:
    for request in (b"GET /" + b"a" * 200_000, b"GET / HTTP/1.1\r\nX: " + b"a" * 200_000):
        with suppress(ConnectionError):  # hung up on before all was sent
            assert b"400" in reply_of(plain_server, request + b"\r\n\r\n")
