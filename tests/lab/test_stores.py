"""Tournaments, stores of games and papers in the lab."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import topple
from tests.lab.lab_client import asked, finished, got, lab_client, refused, until

CUP = {
    "kind": "tournament",
    "name": "my cup",
    "games": ["hex"],
    "boards": ["hex:3"],
    "agents": ["random", "greedy"],
    "games_per_pairing": 6,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store from the command line."""
    path = tmp_path_factory.mktemp("elsewhere") / "results.db"
    topple.tournament(
        [topple.load("chain-reaction", board="grid:3x3")],
        ["random", "greedy", "montecarlo:samples=2"],
        games=4,
        workers=1,
        db=path,
    )
    return path


@pytest.fixture(scope="module")
def lab(folder: Path, elsewhere: Path) -> Iterator[TestClient]:
    with lab_client(folder, stores=(elsewhere,)) as client:
        yield client


@pytest.fixture(scope="module")
def cup(lab: TestClient) -> Any:
    """The job of a tournament that was played into the store "my cup"."""
    return finished(lab, asked(lab, "/api/jobs", **CUP))


def test_a_tournament_is_played_into_a_store(lab: TestClient, cup: Any) -> None:
    assert cup["state"] == "done", cup
    assert (cup["latest"]["played"], cup["latest"]["of"]) == (6, 6)
    assert cup["latest"]["standings"]["games"] == 6
    store = next(each for each in got(lab, "/api/stores") if each["name"] == "my cup")
    assert (store["games"], store["agents"]) == (6, ["random", "greedy"])
    assert not store["running"]
    told = got(lab, "/api/stores/my cup")
    assert told["standings"]["games"] == 6
    assert "<svg" in told["plots"]["ratings"]
    assert told["tournaments"][0]["games"] == 6
    assert {"kind": "tournament", **told["asked"]} == {**CUP, "plies": 2, "seed": 1}
    assert told["planned"] == store["planned"] == 6


def test_every_game_of_a_store_can_be_opened(lab: TestClient, cup: Any) -> None:
    page = got(lab, "/api/stores/my cup/games?offset=2&limit=3")
    assert (page["total"], page["offset"], len(page["rows"])) == (6, 2, 3)
    assert page["rows"] == got(lab, "/api/stores/my cup/games")["rows"][2:5]
    for row in page["rows"]:
        game = got(lab, f"/api/stores/my cup/games/{row['key']}")
        line = {part: game[part] for part in ("game", "board", "moves")}
        view = asked(lab, "/api/view", **line)
        assert view["over"]
        assert view["result"]["returns"] == game["result"]


def test_stores_are_there_after_a_restart_and_their_tournaments_go_on(
    lab: TestClient, cup: Any, folder: Path
) -> None:
    with lab_client(folder) as again:
        told = got(again, "/api/stores/my cup")
        assert told["asked"]["agents"] == CUP["agents"]
        assert told["planned"] == told["standings"]["games"] == 6
        more = {"kind": "tournament", **told["asked"], "games_per_pairing": 8}
        found = finished(again, asked(again, "/api/jobs", **more))
        assert found["latest"]["played"] == 8
        assert got(again, "/api/stores/my cup/games")["total"] == 8


def test_a_tournament_is_stopped_and_goes_on(lab: TestClient) -> None:
    body = {
        **CUP,
        "name": "long",
        "games_per_pairing": 4000,
        "boards": ["hex:5"],
        "agents": ["random", "uct:time=0.02"],
    }
    job = asked(lab, "/api/jobs", **body)

    def some() -> Any:
        now = got(lab, f"/api/jobs/{job['id']}")
        assert now["state"] in ("queued", "running"), now
        return now["latest"] and now["latest"]["played"] > 2

    until(some)
    assert next(e for e in got(lab, "/api/stores") if e["name"] == "long")["running"]
    lab.delete(f"/api/jobs/{job['id']}")
    stopped = finished(lab, job)
    assert stopped["state"] == "stopped"
    played = got(lab, "/api/stores/long/games")["total"]
    assert 2 < played < 4000
    again = asked(lab, "/api/jobs", **body)
    first = until(lambda: got(lab, f"/api/jobs/{again['id']}")["latest"])
    assert first["played"] >= played
    lab.delete(f"/api/jobs/{again['id']}")
    finished(lab, again)


def test_stores_from_the_command_line_are_read_and_never_written(lab: TestClient) -> None:
    store = next(each for each in got(lab, "/api/stores") if each["name"] == "results")
    assert (store["games"], store["own"]) == (12, False)
    told = got(lab, "/api/stores/results")
    assert "<svg" in told["plots"]["crosstable-1"]
    assert "elsewhere" in refused(lab.post("/api/jobs", json={**CUP, "name": "results"}), 400)


def test_a_store_that_is_named_but_not_played_yet_is_empty(lab: TestClient) -> None:
    lab.app.state.lab.database.own_store("new")  # type: ignore[attr-defined]
    assert got(lab, "/api/stores/new")["standings"] is None
    assert got(lab, "/api/stores/new/games")["rows"] == []
    refused(lab.get(f"/api/stores/new/games/{'0' * 32}-0"), 404)


def test_a_damaged_store_says_so_and_the_rest_is_listed(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"nothing of a store" * 100)
    with lab_client(tmp_path / "lab", stores=(damaged,)) as client:
        [store] = got(client, "/api/stores")
        assert store["error"]
        refused(client.get("/api/stores/damaged"), 503)


def test_papers_can_be_browsed(lab: TestClient) -> None:
    papers = got(lab, "/api/papers")
    assert [paper["name"] for paper in papers] == [
        "spread-it",
        "chain-reaction",
        "infexion",
        "sds-hex",
        "influence",
    ]
    assert papers[0]["items"][0]["verdict"] == "not measured yet"
    one = got(lab, "/api/papers/influence")
    assert one["items"][0]["cells"]
