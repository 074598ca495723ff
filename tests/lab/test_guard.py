"""The guard: which hosts, origins, tokens, bodies and headers are accepted."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.lab.lab_client import ADDRESS, got, lab_client, refused
from topple.lab import limits
from topple.lab.lab import LabAddress
from topple.lab.server import guard
from topple.lab.server.guard import COOKIE, Guard

TOKEN = "a-secret-token"


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "LOCALHOST:8000"]
)
def test_requests_to_the_labs_own_names_are_accepted(lab: TestClient, host: str) -> None:
    assert lab.get("/api/games", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8000",
        "localhost:9000",
        "localhost",
        "",
        "127.0.0.1.evil.example:8000",
        "localhost:8000x",
        "192.168.0.7:8000",
        "localhost:-8000",
        "localhost:" + "8" * 5000,
        "localhost.:8000",
        "127.1:8000",
        "2130706433:8000",
        "[::1:8000",
        "localhost:8000:8000",
        "a@localhost:8000",
        "localhost:8000,evil.example",
    ],
)
def test_requests_to_other_names_are_refused(lab: TestClient, host: str) -> None:
    refused(lab.get("/api/games", headers={"Host": host}), 421)


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "https://localhost",
        "http://localhost:9000",
        "http://localhost:8000.evil.example",
        "file://",
        "https://localhost:8000",
        "localhost:8000",
        "",
        "http://localhost.:8000",
        "http://a@localhost:8000",
        "http://localhost:8000/page",
    ],
)
def test_requests_from_pages_of_other_sites_are_refused(lab: TestClient, origin: str) -> None:
    refused(lab.get("/api/games", headers={"Origin": origin}), 403)
    refused(lab.post("/api/view", json={"game": "hex"}, headers={"Origin": origin}), 403)


def test_requests_from_the_labs_own_page_are_accepted(lab: TestClient) -> None:
    for origin in ("http://localhost:8000", ADDRESS):
        assert lab.get("/api/games", headers={"Origin": origin}).status_code == 200


def test_of_several_origins_all_must_be_the_labs_own(lab: TestClient) -> None:
    for origins in (["http://evil.example"] * 2, [ADDRESS, "http://evil.example"]):
        headers = [("Origin", origin) for origin in origins]
        refused(lab.get("/api/games", headers=headers), 403)


@pytest.mark.parametrize("site", ["cross-site", "same-site", "elsewhere"])
def test_fetches_by_pages_of_other_sites_are_refused(lab: TestClient, site: str) -> None:
    refused(lab.get("/api/games", headers={"Sec-Fetch-Site": site}), 403)


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_fetches_by_the_page_and_typed_addresses_are_accepted(lab: TestClient, site: str) -> None:
    assert lab.get("/api/games", headers={"Sec-Fetch-Site": site}).status_code == 200


@pytest.mark.parametrize("value", [None, "0", "yes"])
def test_changes_need_a_header_that_no_form_sends(lab: TestClient, value: str | None) -> None:
    del lab.headers["X-Topple"]
    try:
        headers = {} if value is None else {"X-Topple": value}
        refused(lab.post("/api/view", json={"game": "hex"}, headers=headers), 403)
        refused(lab.delete("/api/games/1", headers=headers), 403)
    finally:
        lab.headers["X-Topple"] = "1"


def test_large_bodies_are_refused_whether_they_say_so_or_not(lab: TestClient) -> None:
    large = b" " * (limits.BODY_BYTES + 1)
    refused(lab.post("/api/view", content=large), 413)
    parts = (large[:1_000_000] for _ in range(5))
    refused(lab.post("/api/view", content=parts), 413)


def test_a_body_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.05)
    said: list[Any] = []

    async def app(*_: object) -> None:
        raise AssertionError("it has not come in")

    async def receive() -> Any:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b" ", "more_body": True}

    async def send(message: Any) -> None:
        said.append(message)

    headers = [(b"host", b"127.0.0.1:8000"), (b"x-topple", b"1")]
    scope = {"type": "http", "method": "POST", "path": "/api/view", "headers": headers}
    asyncio.run(Guard(app, LabAddress("127.0.0.1", 8000))(scope, receive, send))
    assert said[0]["status"] == 408


@pytest.mark.parametrize("path", ["/api/games", "/api/nowhere", "/"])
def test_every_answer_has_the_protective_headers(lab: TestClient, path: str) -> None:
    headers = lab.get(path).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers


def test_no_other_site_gets_permission_by_preflight(lab: TestClient) -> None:
    asked = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    answer = lab.options("/api/view", headers=asked)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_nothing_outside_the_page_can_be_fetched(lab: TestClient) -> None:
    for path in ("/../app.py", "/..%2fapp.py", "/%2e%2e/app.py", "/static/../../app.py"):
        answer = lab.get(path)
        assert answer.status_code == 404, path
        assert "FastAPI" not in answer.text


def test_the_description_is_served(lab: TestClient) -> None:
    told = got(lab, "/api/openapi.json")
    assert "/api/view" in told["paths"]
    refused(lab.get("/docs"), 404)


@pytest.fixture(scope="module")
def open_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    address = LabAddress("0.0.0.0", 8000, TOKEN)
    with lab_client(tmp_path_factory.mktemp("open"), address=address) as client:
        yield client


@pytest.mark.parametrize(
    "query", ["", "?token=", "?token=wrong", "?token=é", "?tokens=a-secret-token"]
)
def test_beyond_this_machine_a_token_guards_every_call(open_lab: TestClient, query: str) -> None:
    open_lab.cookies.clear()
    for path in ("/api/games", "/", "/js/main.js", "/api/jobs/x/events", "/api/openapi.json"):
        refused(open_lab.get(f"{path}{query}"), 403)
    refused(open_lab.post(f"/api/view{query}", json={"game": "hex"}), 403)


def test_the_first_page_load_sets_a_cookie(open_lab: TestClient) -> None:
    open_lab.cookies.clear()
    answer = open_lab.get(f"/api/catalogue?token={TOKEN}")
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}-8000={TOKEN};")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert open_lab.get("/api/games").status_code == 200
    open_lab.cookies.clear()


def test_a_lab_served_everywhere_accepts_addresses_and_no_foreign_names() -> None:
    async def nothing(*_: object) -> None: ...

    everywhere = Guard(nothing, LabAddress("0", 8000, TOKEN, "0.0.0.0"))
    assert everywhere.is_own_host("192.168.0.7:8000")
    assert everywhere.is_own_host("[fe80::1]:8000")
    assert not everywhere.is_own_host("evil.example:8000")
    named = Guard(nothing, LabAddress("lab.example", 8000, TOKEN, "203.0.113.5"))
    assert named.is_own_host("lab.example:8000")
    assert named.is_own_host("203.0.113.5:8000")
    assert not named.is_own_host("192.168.0.7:8000")
