"""Files that topple 0.1.0 has written are opened by today's topple, with all that was put there.

They lie in `old_files`, and are never made anew: what users have on their disks is not either.
`store.jsonl` is what 0.1.0 exported from `store.db`.
"""

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.core.command_line import Ran, topple
from tests.lab.lab_client import asked, finished, got, lab_client

OLD = Path(__file__).parent / "old_files"
GRAPH = b"source,target\nann,bob\nbob,cid\ncid,ann\ncid,dan\n"  # what was uploaded to the lab
CUP = {
    "kind": "tournament",
    "name": "my cup",
    "games": ["hex"],
    "boards": ["hex:3"],
    "agents": ["random", "greedy"],
    "games_per_pairing": 6,
}


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a copy of all of them."""
    folder = tmp_path / "old"
    shutil.copytree(OLD, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def lab(old: Path) -> Iterator[TestClient]:
    with lab_client(old / "lab", stores=(old / "store.db",)) as client:
        yield client


def told(*arguments: str) -> Any:
    """What a command prints as JSON."""
    return json.loads(well(topple(*arguments, "--json")).out)


def well(ran: Ran) -> Ran:
    assert ran.status == 0, ran.err
    return ran


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def assert_holds(found: Any, expected: Any) -> None:
    """All that was there is there; more may be."""
    if isinstance(expected, dict):
        assert expected.keys() <= found.keys()
        for key, value in expected.items():
            assert_holds(found[key], value)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_holds(one, other)
    else:
        assert found == expected


# A store of games and computed facts.


def test_every_game_of_a_store_is_there_whole(old: Path) -> None:
    found = lines(well(topple("export", "store.db")).out)
    assert_holds(found, lines((old / "store.jsonl").read_text()))
    boards = Counter(
        each["board"] if isinstance(each["board"], str) else each["board"]["spec"] for each in found
    )
    assert boards == {"hex:3": 12, "segment:9": 12, "file:friends.csv": 2, "hex:5": 2}
    assert [each["ending"]["by"] for each in found if each["ending"]] == ["time", "time"]


def test_the_games_of_a_store_replay(old: Path) -> None:
    (old / "all.jsonl").write_text(well(topple("export", "store.db")).out)
    replayed = lines(well(topple("replay", "all.jsonl", "--json")).out)
    kept = lines((old / "store.jsonl").read_text())
    assert [each["result"] for each in replayed] == [each["result"] for each in kept]
    assert [each["plies"] for each in replayed] == [len(each["moves"]) for each in kept]


def test_a_store_is_reported(old: Path) -> None:
    assert "report: store-report" in well(topple("report", "store.db", "--format", "svg")).out
    assert (old / "store-report" / "report.html").exists()
    report = told("report", "store.db")
    assert report["versions"] == ["0.1.0"]
    assert report["games"] == 28
    scores = {each["agent"]: (each["games"], each["score"]) for each in report["ratings"]}
    assert scores == {
        "uct:iterations=50": (16, 0.625),
        "greedy": (20, 0.65),
        "random": (18, 0.277778),
        "uct:time=0.6,solver=false": (2, 0.0),
    }
    assert any("2 by time" in each for each in report["cautions"])


def test_a_tournament_finds_its_games_again(old: Path) -> None:
    command = (
        "tournament",
        "--game",
        "hex",
        "--game",
        "influence",
        "--board",
        "hex:3",
        "--board",
        "segment:9",
        "--agent",
        "uct:iterations=50",
        "--agent",
        "greedy",
        "--agent",
        "random",
        "--games",
        "4",
        "--seed",
        "7",
        "--workers",
        "1",
        "--db",
        "store.db",
    )
    assert told(*command)["games"] == 24
    exported = lines(well(topple("export", "store.db")).out)
    assert_holds(exported, lines((old / "store.jsonl").read_text()))


def test_what_was_computed_for_a_paper_is_there(old: Path) -> None:
    found = told("reproduce", "influence", "--figure", "1", "--stored", "--db", "store.db")
    cells = found[0]["items"][0]["cells"]
    assert [each["measured"]["value"] for each in cells] == [4, 2, 6, 0, 2, -6]
    assert {each["verdict"] for each in cells} == {"agrees"}


# Records.


def test_records_replay(old: Path) -> None:
    replayed = lines(well(topple("replay", "records.jsonl", "--json")).out)
    for found, kept in zip(replayed, lines((old / "records.jsonl").read_text()), strict=True):
        assert found["plies"] == len(kept["moves"])
        assert found["result"] == kept["result"]
        assert found.get("ending") == kept.get("ending")
    assert [(each["game"], each["board"], each["final"]) for each in replayed] == [
        ("hex", "hex:3", ".XX/OXX/OOO Blue"),
        ("chain-reaction:players=3", "grid:3x3", "B2,B3,2,B1,B2,B2,B3,B1 B 3"),
        ("infexion", "infexion:4", "3,r1,1,r2,3,r1,2,r1,3 Blue 9"),
        ("influence", "segment:9", "x,x,x,x,x,x,x,x,x Right 5-4"),
        ("spread-it:loyalty=full", "file:friends.csv", "B:2b,B:,B:2b,B:4b,R: Black 2-1"),
        ("hex:swap=true", "hex:3", "..X/XO./... Blue swapped"),
        ("hex", "hex:4", "..../OX../..../.... Blue"),
        ("hex", "hex:5", "...../...../...XO/...X./..... Red"),
    ]
    endings = well(topple("replay", "records.jsonl", "--quiet")).out
    assert "Red wins: Blue resigned" in endings
    assert "Blue wins: Red ran out of time (no move within 0.2 s)" in endings


# Checkpoints of the solvers.


@pytest.mark.parametrize(
    ("name", "board", "value", "best", "most"),
    [
        ("hex", "hex:4", 1, ["d1", "c2", "b3", "a4"], 16),
        ("chain-reaction", "grid:2x3", 1, ["a1", "b1", "c1", "a2", "b2", "c2"], 6),
        ("influence", "segment:18", 2, ["10", "12"], 0),
        ("spread-it", "cycle:5", 1, ["1", "2", "3", "4", "5"], 5),
    ],
)
def test_a_checkpoint_is_gone_on_from(
    old: Path, name: str, board: str, value: int, best: list[str], most: int
) -> None:
    file = f"{name}.topple"
    ran = well(topple("solve", name, "--board", board, "--checkpoint", file, "--json"))
    assert f"topple: going on from {file}" in ran.err
    found = json.loads(ran.out)
    assert (found["value"], found["best_moves"]) == (value, best)
    assert found["nodes"] <= most  # far fewer than without it


def test_a_sequence_is_gone_on_from(old: Path) -> None:
    command = ("solve", "influence", "--segments", "20", "--checkpoint", "segments.topple")
    ran = well(topple(*command, "--json"))
    assert "topple: going on from segments.topple" in ran.err
    found = json.loads(ran.out)
    assert [each["Ls"] for each in found["rows"]] == [
        -1,
        2,
        3,
        4,
        1,
        2,
        3,
        2,
        1,
        2,
        3,
        2,
        1,
        4,
        3,
        2,
        1,
        2,
        3,
        2,
    ]
    assert found["nodes"] == 0


# Learned weights.


def test_learning_goes_on(old: Path) -> None:
    before = json.loads((old / "learned.json").read_text())
    command = (
        "learn",
        "influence",
        "--board",
        "segment:9",
        "--games",
        "50",
        "--workers",
        "1",
        "--out",
        "learned.json",
    )
    same = well(topple(*command, "--simulations", "2", "--json"))
    assert "topple: going on from learned.json" in same.err
    assert_holds(json.loads(same.out), before["learned"])
    more = told(*command, "--simulations", "3")
    assert_holds(more["results"][:2], before["learned"]["results"])
    after = json.loads((old / "learned.json").read_text())
    assert after["settings"] == before["settings"]
    assert after["simulations"][:2] == before["simulations"]
    assert [each["number"] for each in after["simulations"]] == [1, 2, 3]


# The lab's folder.


def test_the_boards_of_a_lab_are_there(lab: TestClient) -> None:
    board = asked(lab, "/api/board", board="kept:30dde99762a65ca7", game="spread-it")
    assert board["labels"] == ["ann", "bob", "cid", "dan"]
    assert board["edges"] == [[0, 1], [0, 2], [1, 2], [2, 3]]
    again = lab.post("/api/upload?name=net.csv", content=GRAPH)
    assert again.json()["board"] == "kept:30dde99762a65ca7"


def test_the_games_of_a_lab_are_there(lab: TestClient) -> None:
    found = got(lab, "/api/games")
    assert [(each["id"], each["name"]) for each in found] == [(2, "given up"), (1, "on my graph")]
    first, second = (got(lab, f"/api/games/{number}") for number in (1, 2))
    assert_holds(
        first,
        {
            "game": "spread-it",
            "board": "kept:30dde99762a65ca7",
            "moves": [0, 1, 0],
            "players": ["human", "uct:iterations=50"],
            "ending": None,
            "result": None,
        },
    )
    assert_holds(
        second,
        {
            "game": "hex",
            "board": "hex:3",
            "moves": [0, 4],
            "players": ["Ann", "Bob"],
            "ending": {"by": "resignation", "player": 0},
            "result": [-1.0, 1.0],
        },
    )
    line = {each: first[each] for each in ("game", "board", "moves")}
    assert asked(lab, "/api/view", **line)["ply"] == 3


def test_the_stores_of_a_lab_are_there(lab: TestClient) -> None:
    found = {each["name"]: each for each in got(lab, "/api/stores")}
    assert {name: (each["games"], each["own"], each["error"]) for name, each in found.items()} == {
        "my cup": (6, True, None),
        "graph cup": (2, True, None),
        "store": (28, False, None),
    }
    for name, n in (("my cup", 6), ("graph cup", 2), ("store", 28)):
        rows = got(lab, f"/api/stores/{name}/games")["rows"]
        assert len(rows) == n
        line = got(lab, f"/api/stores/{name}/games/{rows[0]['key']}")
        view = asked(lab, "/api/view", **{each: line[each] for each in ("game", "board", "moves")})
        assert view["ply"] == rows[0]["plies"]
    standings = got(lab, "/api/stores/graph cup")
    assert standings["standings"]["games"] == 2
    assert_holds(standings["asked"], {"boards": ["kept:30dde99762a65ca7"], "games": ["spread-it"]})


def test_a_tournament_of_a_lab_goes_on(lab: TestClient) -> None:
    told = got(lab, "/api/stores/my cup")
    assert ({"kind": "tournament"} | told["asked"], told["planned"]) == (
        {**CUP, "plies": 2, "seed": 1},
        6,
    )
    before = got(lab, "/api/stores/my cup/games")["rows"]
    job = finished(lab, asked(lab, "/api/jobs", **{**CUP, "games_per_pairing": 8}))
    assert (job["state"], job["latest"]["played"]) == ("done", 8)
    after = [each["key"] for each in got(lab, "/api/stores/my cup/games")["rows"]]
    assert {each["key"] for each in before} < set(after)


def test_a_lab_shows_what_was_computed_for_a_paper(lab: TestClient) -> None:
    paper = got(lab, "/api/papers/influence?store=store")
    figure = next(each for each in paper["items"] if each["name"] == "figure 1")
    assert figure["verdict"] == "agrees"
