"""Bad requests: the lab answers each with a sentence and goes on."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.lab.lab_client import asked, refused
from topple.lab import limits

LINE = {"game": "hex", "board": "hex:3", "moves": [0]}
THINK = {"kind": "think", **LINE, "agent": "random"}
TOURNAMENT = {
    "kind": "tournament",
    "name": "t",
    "games": ["hex"],
    "boards": ["hex:3"],
    "agents": ["random", "greedy"],
    "games_per_pairing": 2,
}
WELL = {
    "/api/board": {"board": "grid:2x2"},
    "/api/view": LINE,
    "/api/record": {"record": "{}"},
    "/api/record/of": {**LINE, "players": ["A", "B"]},
    "/api/games": {**LINE, "players": ["A", "B"], "name": "n"},
    "/api/jobs": THINK,
}
NONSENSE: list[Any] = [
    None, True, -1, 0, 1.5, 1e400, 2**31, 10**30, "", " ", "\n", "\ud800", "\0", "é" * 5000,
    [], {}, [[]], [None], [True], ["x"], [1.5], [-1], {"a": 1}, "hex:" + "," * 300, ":", "=",
    "hex:swap", "a:b=c", "kept:0000000000000000",
]  # fmt: skip


def sent(lab: TestClient, path: str, body: Any) -> Any:
    content = json.dumps(body).encode()
    return lab.post(path, content=content, headers={"Content-Type": "application/json"})


@pytest.mark.parametrize("path", WELL)
def test_nonsense_in_any_part_never_breaks_the_lab(lab: TestClient, path: str) -> None:
    for part in WELL[path]:
        for nonsense in NONSENSE:
            answer = sent(lab, path, {**WELL[path], part: nonsense})
            assert answer.status_code < 500, (part, nonsense, answer.text)
            if answer.status_code != 200:
                refused(answer)


@pytest.mark.parametrize("path", WELL)
def test_bodies_that_are_no_objects_are_refused(lab: TestClient, path: str) -> None:
    for body in (b"", b"{", b"[]", b"null", b"\xff", b"[" * 50_000, b"1" * 6000, b'"x"', b"NaN"):
        refused(lab.post(path, content=body, headers={"Content-Type": "application/json"}))
    refused(sent(lab, path, {**WELL[path], "stranger": 1}), 422)


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/0",
        "/api/games/x",
        "/api/games/99999999999999999999",
        "/api/jobs/x",
        "/api/jobs/" + "x" * 500,
        "/api/jobs/x/events",
        "/api/stores/x",
        "/api/stores/..%2f..%2fx",
        "/api/stores/x/games",
        "/api/stores/x/games/y",
        f"/api/stores/x/games/{'0' * 32}-0",
        "/api/papers/x",
        "/api/papers?scale=none",
        "/api/papers?store=x",
        "/api/",
        "/api",
    ],
)
def test_paths_to_nothing_are_refused(lab: TestClient, path: str) -> None:
    refused(lab.get(path))


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_other_methods_are_refused(lab: TestClient, method: str) -> None:
    refused(lab.request(method, "/api/view"), 405)


@pytest.mark.parametrize(
    "change",
    [
        {"agent": "chess"}, {"agent": "uct:iterations=0"}, {"agent": "uct:memory=999999"},
        {"agent": "uct:threads=200"}, {"agent": "perfect:memory=2000"}, {"seconds": 0},
        {"seconds": limits.SECONDS + 1}, {"seconds": "nan"}, {"seed": -1}, {"kind": "shell"},
        {"moves": ["b1", "a1", "a2"], "board": "hex:2"}, {"agent": "tests.hoarder:x"},
        {"game": "chain-reaction:players=3", "board": "grid:3x3", "agent": "alphabeta"},
        {"agent": "puct:net=/etc/passwd"}, {"agent": "policy:net=../net.npz"},
        {"agent": "uct:evaluation=/etc/passwd"}, {"agent": "alphabeta:evaluation=nothing"},
    ],
)  # fmt: skip
def test_what_no_agent_can_do_is_refused_at_once(lab: TestClient, change: dict[str, Any]) -> None:
    refused(sent(lab, "/api/jobs", {**THINK, **change}))


@pytest.mark.parametrize(
    "change",
    [
        {"name": "../../etc"}, {"name": "a/b"}, {"name": ""}, {"name": "x" * 200},
        {"agents": ["random"]}, {"agents": ["random"] * 3}, {"agents": ["random", "nobody"]},
        {"boards": ["karate"]}, {"boards": ["file:x.csv"]}, {"games": ["hex", "nogame"]},
        {"games_per_pairing": 0}, {"games_per_pairing": 10**9}, {"plies": -1},
        {
            "games": ["chain-reaction:players=3"],
            "boards": ["grid:3x3"],
            "agents": ["alphabeta", "random"],
        },
        {"agents": ["random", "uct:time=1000"]}, {"boards": ["hex:3", "hex:3"]},
    ],
)  # fmt: skip
def test_tournaments_that_cannot_be_are_refused(lab: TestClient, change: dict[str, Any]) -> None:
    refused(sent(lab, "/api/jobs", {**TOURNAMENT, **change}))
    assert "t" not in [each["name"] for each in lab.get("/api/stores").json()]


def test_a_tournament_of_too_many_games_is_refused(lab: TestClient) -> None:
    many = {
        **TOURNAMENT,
        "games_per_pairing": limits.TOURNAMENT_GAMES,
        "agents": ["random", "greedy", "uct"],
    }
    assert "too many" in refused(sent(lab, "/api/jobs", many), 400)


def test_after_all_that_the_lab_still_plays(lab: TestClient) -> None:
    assert asked(lab, "/api/view", **LINE)["ply"] == 1
