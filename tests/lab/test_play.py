"""The lab's boards, positions, records and kept games."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from fastapi.testclient import TestClient
from pydantic import TypeAdapter

import topple
from tests.lab.lab_client import asked, got, lab_client, refused
from topple.boards import BOARDS, Board, load_board
from topple.boards.files.reading import board_from_upload
from topple.core.errors import BadBoard, ToppleError
from topple.game.record import Record
from topple.lab import lab as lab_module
from topple.lab import limits
from topple.lab.data import position_cache
from topple.lab.data.allowed import named_board
from topple.lab.server.routes_boards import CatalogueReply

GAMES = {
    "spread-it": "florentine",
    "spread-it:loyalty=full": "karate",
    "chain-reaction:players=3": "grid:3x4",
    "infexion": "infexion:4",
    "hex:swap=true": "hex:3",
    "influence": "segment:9",
}


def test_the_catalogue_names_all_there_is(lab: TestClient) -> None:
    told = got(lab, "/api/catalogue")
    TypeAdapter(CatalogueReply).validate_python(told)
    assert [each["name"] for each in told["games"]] == [
        "spread-it",
        "chain-reaction",
        "infexion",
        "hex",
        "influence",
    ]
    assert "uct" in [each["name"] for each in told["agents"]]
    assert "file" not in [each["name"] for each in told["boards"]]
    assert told["limits"]["vertices"] == limits.VERTICES


def test_the_catalogue_says_which_boards_fit_a_game_its_own_first(lab: TestClient) -> None:
    told = got(lab, "/api/catalogue")
    boards = {each["name"]: load_board(each["example"]) for each in told["boards"]}
    for game in told["games"]:
        assert game["boards"][0] == game["board"].partition(":")[0]
        assert set(game["boards"]) == {name for name in boards if fits(game["name"], boards[name])}
    asked(lab, "/api/board", board="hex:4", game="hex")
    refused(lab.post("/api/board", json={"board": "karate", "game": "hex"}), 400)


def fits(game: str, board: Board) -> bool:
    """Whether a game can be played on a board."""
    try:
        topple.load(game, board)
    except BadBoard:
        return False
    return True


@pytest.mark.parametrize(
    "spec",
    [
        "grid:5x5",
        "torus:4x4",
        "hex:5",
        "infexion:7",
        "karate",
        "ba:n=24,m=3,seed=1",
        "segment:10+5p",
    ],
)
def test_a_board_has_all_that_is_needed_to_draw_it(lab: TestClient, spec: str) -> None:
    told = asked(lab, "/api/board", board=spec)
    board = load_board(spec)
    assert told["digest"] == board.digest
    assert told["edges"] == [list(edge) for edge in board.edges()]
    assert told["wraps"] == spec.startswith(("torus", "infexion"))
    assert len(told["places"]) == told["vertices"] == board.n_vertices
    assert all(0 <= number <= 1 for place in told["places"] for number in place)
    assert asked(lab, "/api/board", board=told["board"])["digest"] == board.digest


def test_a_board_can_be_checked_for_a_game(lab: TestClient) -> None:
    asked(lab, "/api/board", board="hex:4", game="hex")
    answer = lab.post("/api/board", json={"board": "grid:4x4", "game": "hex"})
    assert "Hex is played on hex:n" in refused(answer, 400)


@pytest.mark.parametrize(
    "spec",
    [
        "file:/etc/passwd",
        "file:x.csv",
        "kept:../../etc/passwd",
        "kept:",
        "gird:3x3",
        "grid:",
        "grid:99999x99999",
        "path:2001",
        "complete:2000",
        "er:n=2000,p=1",
        "er:n=2000,m=500000",
        "tree:n=10,c=1000",
        "segment:9999",
        "ba:n=2000,m=900",
    ],
)
def test_boards_from_files_and_large_ones_are_refused(lab: TestClient, spec: str) -> None:
    refused(lab.post("/api/board", json={"board": spec}), 400)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_can_be_looked_at(lab: TestClient, game: str) -> None:
    moves: list[int] = []
    view = asked(lab, "/api/view", game=game, board=GAMES[game], moves=[])
    for _ in range(30):
        if view["over"]:
            break
        before = view["cells"]
        moves.append(view["legal"][len(moves) % len(view["legal"])]["move"])
        view = asked(lab, "/api/view", game=game, board=GAMES[game], moves=moves, steps=True)
        assert view["ply"] == len(moves) == len(view["moves"])
        assert view["steps_cut"] or played_back(before, view) == view["cells"]
    position = topple.load(game, board=GAMES[game]).start()
    for move in moves:
        position = position.play(move)
    assert view["text"] == position.text
    assert view["tallies"] == [
        {"name": name, "values": list(values)} for name, values in position.tallies()
    ]
    assert bool(view["tallies"]) != game.startswith("hex")
    assert view["over"] == position.is_over
    assert [each["move"] for each in view["legal"]] == list(position.legal_moves())


def played_back(cells: list[Any], view: Any) -> list[Any]:
    """The cells after all changes that a view tells."""
    now = list(cells)
    for changes in [view["placed"], *(step["changes"] for step in view["steps"])]:
        for vertex, cell in changes:
            now[vertex] = cell
    return now


def test_moves_may_be_texts(lab: TestClient) -> None:
    by_text = asked(lab, "/api/view", game="hex", board="hex:3", moves=["b2", "A1"])
    by_number = asked(lab, "/api/view", game="hex", board="hex:3", moves=[4, 0])
    assert by_text == by_number
    assert [each["text"] for each in by_text["moves"]] == ["b2", "a1"]


def test_spreads_say_where_they_go(lab: TestClient) -> None:
    line = ["SPAWN(0, 0)", "SPAWN(2, 2)"]
    view = asked(lab, "/api/view", game="infexion", board="infexion:4", moves=line)
    spreads = [each for each in view["legal"] if each["to"] is not None]
    assert len(spreads) == 6
    assert all(each["vertex"] == 0 for each in spreads)


def test_a_result_is_told(lab: TestClient) -> None:
    view = asked(lab, "/api/view", game="hex", board="hex:2", moves=["b1", "a1", "a2"])
    assert view["over"]
    assert view["result"]["winner"] == 0
    assert view["result"]["returns"] == [1.0, -1.0]
    assert view["legal"] == []


def test_a_game_has_a_board_by_default(lab: TestClient) -> None:
    assert asked(lab, "/api/view", game="infexion")["board"] == "infexion:7"


@pytest.mark.parametrize(
    "line",
    [
        {"game": "chess", "board": "grid:3x3", "moves": []},
        {"game": "hex:swap=maybe", "board": "hex:3", "moves": []},
        {"game": "hex", "board": "karate", "moves": []},
        {"game": "hex", "board": "hex:3", "moves": [0, 0]},
        {"game": "hex", "board": "hex:3", "moves": [9]},
        {"game": "hex", "board": "hex:3", "moves": ["z9"]},
        {"game": "hex", "board": "hex:2", "moves": ["b1", "a1", "a2", "b2"]},
        {"game": "spread-it", "board": "file:a.csv", "moves": []},
    ],
)
def test_a_bad_line_is_refused_in_a_sentence(lab: TestClient, line: dict[str, Any]) -> None:
    refused(lab.post("/api/view", json=line), 400)


def test_a_line_that_is_too_long_is_refused(lab: TestClient) -> None:
    line = {"game": "hex", "board": "hex:3", "moves": [0] * (limits.MOVES + 1)}
    refused(lab.post("/api/view", json=line), 422)


def test_a_long_cascade_is_cut(lab: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STEPS", 1)
    line = ["a1", "b2", "b1", "a2", "a1"]
    view = asked(lab, "/api/view", game="chain-reaction", board="grid:2x2", moves=line, steps=True)
    assert len(view["steps"]) <= 1


GRAPHML = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">
<node id="ann"/><node id="bob"/><node id="cid"/><edge source="ann" target="bob"/>
<edge source="bob" target="cid"/><edge source="cid" target="ann"/></graph></graphml>"""


def upload(lab: TestClient, name: str, content: str | bytes, **how: str) -> Any:
    return lab.post(
        "/api/upload",
        params={"name": name, **how},
        content=content,
        headers={"content-type": "application/octet-stream"},
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("net.graphml", GRAPHML),
        ("net.csv", "ann,bob\nbob,cid\ncid,ann\n"),
        ("a folder/../net.csv", "ann,bob\nbob,cid\ncid,ann\n"),
    ],
)
def test_an_uploaded_graph_can_be_played_on(lab: TestClient, name: str, content: str) -> None:
    told = upload(lab, name, content).json()
    assert told["board"].startswith("kept:")
    assert told["labels"] == ["ann", "bob", "cid"]
    view = asked(lab, "/api/view", game="spread-it", board=told["board"], moves=["bob"])
    assert view["board"] == told["board"]


def test_of_a_graph_in_parts_the_largest_is_the_board(lab: TestClient) -> None:
    told = upload(lab, "parts.csv", "a,b\nb,c\nc,a\nx,y\n").json()
    assert told["vertices"] == 3
    assert "largest" in told["notes"][0]


def test_an_uploaded_edge_list_is_cleaned_unless_it_is_to_be_strict(lab: TestClient) -> None:
    real = "a;b;1,5\nb;a;1,5\nb;c;2\nc;c;1\n"
    told = upload(lab, "net.csv", real).json()
    assert (told["n_edges"], told["labels"]) == (2, ["a", "b", "c"])
    assert told["notes"] == ["1 repeated edge was merged, 1 loop dropped."]
    assert "joined to itself" in refused(upload(lab, "net.csv", real, strict="true"))
    headed = refused(upload(lab, "net.csv", "id,friend,since\n1,2,1999\n"))
    assert headed.endswith("line 1 looks like a header: call the columns source, target, weight")


ENTITIES = """<!DOCTYPE graphml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]>
<graphml><graph edgedefault="undirected"><node id="&b;"/></graph></graphml>"""
OUTSIDE = """<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]><graphml><graph><node id="&x;"/>
</graph></graphml>"""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("net.graphml", ENTITIES),
        ("net.graphml", OUTSIDE),
        ("net.graphml", "<graphml"),
        ("net.exe", "a,b"),
        ("net", "a,b"),
        ("net.csv", ""),
        ("net.csv", b"\xff\xfe\x00"),
        ("net.json", "[" * 100_000),
        ("net.gml", "graph ["),
        ("net.csv", "a\0b"),
        ("big.csv", "\n".join(f"{v},{v + 1}" for v in range(limits.VERTICES + 1))),
        ("two\nlines.csv", "a,b"),
    ],
)
def test_bad_files_are_refused_in_a_sentence(
    lab: TestClient, name: str, content: str | bytes
) -> None:
    refused(upload(lab, name, content))


def test_a_large_file_is_read_and_laid_out_by_a_worker(
    lab: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_here(*_: object) -> None:
        raise AssertionError("the server itself reads it")

    monkeypatch.setattr(lab_module, "read_upload", not_here)
    ring = "".join(f"vertex {v},vertex {(v + 1) % 1500}\n" for v in range(1500))
    monkeypatch.setattr(lab_module, "QUICKLY_READ", 1000)
    told = upload(lab, "ring.csv", ring).json()
    assert told["vertices"] == 1500
    monkeypatch.setattr(Board, "coordinates", property(not_here))
    again = lab.app.state.lab.database.board(told["digest"])  # type: ignore[attr-defined]
    assert again.places is not None  # nobody lays it out a second time
    assert len(told["places"]) == 1500


def test_a_large_network_is_drawn_by_a_worker(
    lab: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_here(*_: object) -> None:
        raise AssertionError("the server itself draws it")

    monkeypatch.setattr(position_cache, "named_board", not_here)
    spec = "er:n=220,p=0.03,seed=1"
    told = asked(lab, "/api/board", board=spec)
    expected = load_board(spec)
    assert (told["digest"], told["spec"]) == (expected.digest, expected.spec)
    assert told["notes"] == list(expected.notes)
    view = asked(lab, "/api/view", game="spread-it", board=spec, moves=[0])
    assert view["ply"] == 1


def test_boards_that_are_too_large_are_refused_before_they_are_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def not_built(**_: object) -> None:
        raise AssertionError("it is built")

    for spec in (
        "grid:45x45",
        "torus:9999",
        "path:2001",
        "segment:1999+2",
        "ring:2002",
        "tree:n=5,c=300",
        "tree:n=0,c=1,copies=1001",
        "complete:300",
        "ba:n=1000000000",
        "ba:n=2000,m=30",
        "ws:n=2000,k=60",
        "er:n=2000,p=0.1",
        "lfr:n=20000",
        "random-digraph:n=2000,m=900000",
        "star:99999999999999999999",
    ):
        kind = BOARDS[spec.partition(":")[0]]
        monkeypatch.setitem(BOARDS, kind.name, replace(kind, build=not_built))
        with pytest.raises(ToppleError, match=r"at most|too large"):
            named_board(spec)


def test_a_record_comes_back_as_it_was(lab: TestClient) -> None:
    line = {"game": "hex:swap=true", "board": "hex:3", "moves": ["b2", "swap-pieces", "a1"]}
    told = asked(
        lab,
        "/api/record/of",
        **line,
        players=["Ann", "uct:time=1"],
        ending={"by": "resignation", "player": 1},
    )
    assert Record.from_json(told["record"]).replay().game.board.spec == "hex:3"
    back = asked(lab, "/api/record", record=told["record"])
    assert back["moves"] == [4, 9, 0]
    assert back["players"] == ["Ann", "uct:time=1"]
    assert back["ending"] == {"by": "resignation", "player": 1, "detail": ""}
    assert "Blue wins" in back["result_text"]


@pytest.mark.parametrize("form", ["sgf", "hexworld"])
def test_a_game_of_hex_goes_to_other_programs_and_comes_back(lab: TestClient, form: str) -> None:
    line = {"game": "hex", "board": "hex:3", "moves": ["b2", "a1", "c1", "c3", "a3"]}
    told = asked(lab, "/api/record/of", **line, players=["Ann", "Bob"], form=form)
    back = asked(lab, "/api/record", record=told["record"])
    assert back["moves"] == [4, 0, 2, 8, 6]
    assert back["result"] == [1.0, -1.0]


@pytest.mark.parametrize("form", ["graphml", "gexf"])
def test_a_position_is_taken_along_as_a_network(lab: TestClient, form: str) -> None:
    line = {"game": "spread-it:loyalty=full", "board": "karate", "moves": ["12", "34"]}
    told = asked(lab, "/api/record/of", **line, players=["Ann", "Bob"], form=form)["record"]
    board = board_from_upload(f"state.{form}", told.encode())
    assert (board.n_vertices, board.n_edges) == (34, 78)
    read = nx.read_graphml if form == "graphml" else nx.read_gexf
    nodes = read(io.BytesIO(told.encode())).nodes
    assert nodes["12"]["owner"] == "Black"  # it has one neighbour: its first token fires
    assert nodes["34"]["tokens_red"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[1]SZ[19])",
        "((",
        "(;GM[11]SZ[3];B[a1];B[a1])",
        "(;GM[11]SZ[3])(;GM[11]SZ[3])",
        "https://hexworld.org/board/#99",
    ],
)
def test_damaged_games_of_other_programs_are_refused(lab: TestClient, text: str) -> None:
    refused(lab.post("/api/record", json={"record": text}), 400)


def test_another_game_has_no_sgf(lab: TestClient) -> None:
    form = {"game": "infexion", "moves": [], "players": ["A", "B"], "form": "sgf"}
    refused(lab.post("/api/record/of", json=form), 400)


def test_a_record_on_a_board_of_its_own_keeps_the_board(lab: TestClient) -> None:
    kept = upload(lab, "own.csv", "p,q\nq,r\nr,p\n").json()["board"]
    told = asked(
        lab, "/api/record/of", game="spread-it", board=kept, moves=["p"], players=["Ann", "Bob"]
    )
    assert asked(lab, "/api/record", record=told["record"])["board"] == kept


@pytest.mark.parametrize("record", ["{}", "nonsense", "[]", "null", '{"format": 1}', "[" * 5000])
def test_damaged_records_are_refused(lab: TestClient, record: str) -> None:
    refused(lab.post("/api/record", json={"record": record}), 400)


def test_a_record_that_lies_is_refused(lab: TestClient) -> None:
    game = topple.load("hex", board="hex:2")
    line = Record.of(game, ["b1", "a1", "a2"], ["A", "B"]).to_json()
    refused(lab.post("/api/record", json={"record": line.replace("[1.0, -1.0]", "[-1.0, 1.0]")}))
    refused(lab.post("/api/record", json={"record": line.replace('"hex"', '"chess"', 1)}))


def test_a_game_is_kept_found_and_forgotten(lab: TestClient) -> None:
    kept = asked(
        lab,
        "/api/games",
        name="my game",
        game="hex",
        board="hex:2",
        moves=["b1", "a1", "a2"],
        players=["Ann", "Bob"],
    )
    first = got(lab, "/api/games")[0]
    assert (first["id"], first["name"], first["plies"]) == (kept["id"], "my game", 3)
    assert "Blue wins" in first["result_text"]
    game = got(lab, f"/api/games/{kept['id']}")
    assert game["name"] == "my game"
    assert lab.delete(f"/api/games/{kept['id']}").status_code == 200
    refused(lab.get(f"/api/games/{kept['id']}"), 404)
    refused(lab.delete(f"/api/games/{kept['id']}"), 404)


def test_a_game_with_the_wrong_number_of_players_is_refused(lab: TestClient) -> None:
    line = {"name": "x", "game": "hex", "board": "hex:2", "moves": [], "players": ["A", "B", "C"]}
    refused(lab.post("/api/games", json=line), 400)


def test_no_more_games_are_kept_than_there_is_room_for(
    lab: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "KEPT_GAMES", len(got(lab, "/api/games")))
    line = {"name": "x", "game": "hex", "board": "hex:2", "moves": [], "players": ["A", "B"]}
    assert "remove some" in refused(lab.post("/api/games", json=line), 400)


def test_games_and_boards_are_there_after_a_restart(tmp_path: Path) -> None:
    with lab_client(tmp_path) as before:
        board = upload(before, "net.csv", "a,b\nb,c\nc,a\n").json()["board"]
        kept = asked(
            before,
            "/api/games",
            name="later",
            game="chain-reaction",
            board=board,
            moves=["a", "b"],
            players=["Ann", "Bob"],
        )
    with lab_client(tmp_path) as after:
        game = got(after, f"/api/games/{kept['id']}")
        assert (game["board"], game["moves"]) == (board, [0, 1])
        view = asked(after, "/api/view", game=game["game"], board=board, moves=game["moves"])
        assert view["ply"] == 2
