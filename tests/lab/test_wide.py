"""Games of Spread-It's wider world in the lab: draws, many players, boards that change."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from fastapi.testclient import TestClient
from pydantic import TypeAdapter

import topple
from tests.lab.lab_client import asked, finished, got, refused
from topple.boards import Board, load_board
from topple.boards.board import Stage, make_board
from topple.core.errors import BadBoard
from topple.game import Position
from topple.game.record import Record
from topple.lab import limits
from topple.lab.data.allowed import check_size
from topple.lab.data.position_cache import PositionCache
from topple.lab.data.views import BoardReply, ViewReply, board_data, view_data
from topple.rules.spread_it.wide import tables

# Three who point at each other, with a sink behind the third.
ARCS = [[1, 2], [0, 2], [0, 1, 3], []]
LABELS = ("ann", "bob", "cid", "dora")
CHANCE = "spread-it:players=3,accept=0.8,tokens=6"


def digraph() -> Board:
    return make_board("small digraph", ARCS, labels=LABELS, directed=True, structural=False)


def changed(board: Board, ply: int, arcs: list[list[int]]) -> Board:
    """The board with another network from a ply on."""
    other = make_board("later", arcs, labels=board.labels, directed=board.directed)
    return replace(board, stages=(*board.stages, Stage(ply, *network_of(other))))


def network_of(board: Board) -> tuple[Any, ...]:
    return (*board.networks[0][1:6], board.accept)


@pytest.fixture
def board(lab: TestClient) -> str:
    """The name of a small directed board that the lab knows."""
    return remembered(lab, digraph())


def remembered(lab: TestClient, board: Board) -> str:
    """The name under which the lab now knows a board."""
    name = f"kept:{board.digest}"
    lab.app.state.lab.positions.add_board(name, board)  # type: ignore[attr-defined]
    return name


def played_out(lab: TestClient, game: str, board: str) -> Any:
    """The last view of a game whose moves are all given without a draw."""
    moves: list[int | str] = []
    while True:
        view = asked(lab, "/api/view", game=game, board=board, moves=moves, steps=True)
        TypeAdapter(ViewReply).validate_python(view)
        moves = [each["text"] for each in view["moves"]]
        if view["over"]:
            return view
        moves.append(view["legal"][len(moves) % len(view["legal"])]["move"])


# Draws


def test_a_move_without_a_draw_gets_one_and_keeps_it(lab: TestClient, board: str) -> None:
    view = asked(lab, "/api/view", game=CHANCE, board=board, moves=["ann"])
    assert view["chance"]
    (made,) = view["moves"]
    label, _, draw = made["text"].partition("~")
    assert (label, made["move"], len(draw)) == ("ann", 0, 8)
    again = asked(lab, "/api/view", game=CHANCE, board=board, moves=[made["text"], 1])
    assert again["moves"][0] == made
    assert all("~" not in each["text"] for each in again["legal"])


def test_two_moves_without_draws_get_different_ones(lab: TestClient, board: str) -> None:
    views = [asked(lab, "/api/view", game=CHANCE, board=board, moves=[0]) for _ in range(3)]
    assert len({view["moves"][0]["text"] for view in views}) > 1


def test_the_same_texts_lead_to_the_same_game_with_the_same_steps(
    lab: TestClient, board: str
) -> None:
    view = played_out(lab, CHANCE, board)
    texts = [each["text"] for each in view["moves"]]
    assert asked(lab, "/api/view", game=CHANCE, board=board, moves=texts, steps=True) == view
    position = topple.load(CHANCE, digraph(), compiled=False).start()
    fired = []
    for text in texts:
        fired = [step.vertex for step in position.steps(text)]
        position = position.play(text)
    assert view["text"] == position.text
    assert [step["vertex"] for step in view["steps"]] == fired
    assert view["result"]["text"] == position.result_text()
    before = asked(lab, "/api/view", game=CHANCE, board=board, moves=texts[:-1])
    assert shown_after(before["cells"], view) == view["cells"]


def shown_after(cells: list[Any], view: Any) -> list[Any]:
    """The cells after the last move's steps."""
    for changes in [view["placed"], *(step["changes"] for step in view["steps"])]:
        for vertex, cell in changes:
            cells[vertex] = cell
    return cells


def test_another_draw_leads_to_another_position(lab: TestClient) -> None:
    name = remembered(lab, digraph())
    game = "spread-it:accept=0.5,tokens=6"
    begun = ["ann~0", "bob~0"]
    cells = {
        str(asked(lab, "/api/view", game=game, board=name, moves=[*begun, f"ann~{draw}"])["cells"])
        for draw in range(8)
    }
    assert len(cells) > 1


@pytest.mark.parametrize(
    "move",
    [
        "ann~",
        "ann~xyz",
        "ann~7F3A01C2",
        "ann~123456789",
        "ann~-1",
        "ann~~1",
        "~7f3a01c2",
        "ann~1~g",
    ],
)
def test_a_malformed_draw_is_refused_in_a_sentence(lab: TestClient, board: str, move: str) -> None:
    body = {"game": CHANCE, "board": board, "moves": [move]}
    assert "move 1" in refused(lab.post("/api/view", json=body), 400)


def test_a_draw_in_a_game_without_chance_is_refused(lab: TestClient, board: str) -> None:
    body = {"game": "spread-it:players=3", "board": board, "moves": ["ann~7f3a01c2"]}
    assert "no chance" in refused(lab.post("/api/view", json=body), 400)


def test_a_move_text_has_a_bound(lab: TestClient, board: str) -> None:
    body = {"game": CHANCE, "board": board, "moves": ["a" * (limits.MOVE_TEXT + 1)]}
    refused(lab.post("/api/view", json=body), 422)


def test_without_chance_moves_stay_as_they_were(lab: TestClient) -> None:
    view = asked(lab, "/api/view", game="spread-it", board="florentine", moves=[0, 1])
    assert not view["chance"]
    assert [each["text"] for each in view["moves"]] == [*load_board("florentine").labels[:2]]
    line = {"game": "spread-it", "board": "florentine", "moves": [0, 1], "players": ["A", "B"]}
    record = asked(lab, "/api/record/of", **line)["record"]
    assert asked(lab, "/api/record", record=record)["moves"] == [0, 1]


def test_records_and_kept_games_keep_the_draws(lab: TestClient, board: str) -> None:
    view = played_out(lab, CHANCE, board)
    texts = [each["text"] for each in view["moves"]]
    line = {"game": CHANCE, "board": board, "moves": texts, "players": ["A", "B", "C"]}
    told = asked(lab, "/api/record/of", **line)["record"]
    assert json.loads(told)["moves"] == texts
    again = asked(lab, "/api/record", record=told)
    assert again["moves"] == texts
    assert again["result_text"] == view["result"]["text"]
    assert Record.from_json(told).replay(compiled=False).text == view["text"]
    number = asked(lab, "/api/games", **line, name="A game of chance")["id"]
    assert got(lab, f"/api/games/{number}")["moves"] == texts


def test_a_record_that_has_lost_its_draws_is_refused(lab: TestClient, board: str) -> None:
    line = {"game": CHANCE, "board": board, "players": ["A", "B", "C"]}
    record = json.loads(asked(lab, "/api/record/of", **line, moves=["ann"])["record"])
    record["moves"] = ["ann"]
    answer = lab.post("/api/record", json={"record": json.dumps(record)})
    assert "has no draw" in refused(answer, 400)


def test_agents_answer_without_draws_from_the_position_that_was_drawn(
    lab: TestClient, board: str
) -> None:
    moves = ["ann~1", "bob~2", "ann~3"]
    body = {"game": CHANCE, "board": board, "moves": moves, "agent": "random", "seed": 1}
    thought = finished(lab, asked(lab, "/api/jobs", kind="think", **body))
    assert thought["state"] == "done", thought
    assert "~" not in json.dumps(thought["latest"])
    reviewed = finished(lab, asked(lab, "/api/jobs", kind="review", **body, seconds=5))
    assert reviewed["state"] == "done", reviewed
    assert reviewed["latest"]["done"] == len(moves) + 1
    assert "~" not in json.dumps(reviewed["latest"])


def test_a_line_that_is_replayed_as_plain_python_has_the_same_draws() -> None:
    game = topple.load(CHANCE, digraph(), compiled=False)
    line = PositionCache(lambda digest: None).replay(game, [0, 1, 0, 1, 0])
    position = game.start()
    for text in line.texts:
        position = position.play(text)
    assert position == line.position


# Players and options


@pytest.mark.parametrize("players", [3, 5, 8])
def test_many_can_play(lab: TestClient, board: str, players: int) -> None:
    game = f"spread-it:players={players},tokens=2"
    view = played_out(lab, game, board)
    assert len(view["players"]) == players == len(view["result"]["returns"])
    assert all(len(tally["values"]) == players for tally in view["tallies"])


def test_those_who_share_a_win_are_named(lab: TestClient) -> None:
    path = remembered(lab, make_board("ring", [[2, 1], [0, 2], [1, 0]], labels=("a", "b", "c")))
    view = asked(
        lab, "/api/view", game="spread-it:players=4,tokens=1,loyalty=full", board=path, moves=[]
    )
    assert view["result"] is None
    game = "spread-it:players=3,tokens=3/3/1"
    view = asked(lab, "/api/view", game=game, board=path, moves=[0, 1, 2])
    while not view["over"]:
        view = asked(
            lab,
            "/api/view",
            game=game,
            board=path,
            moves=[*(each["move"] for each in view["moves"]), view["legal"][-1]["move"]],
        )
    assert view["result"]["winners"]
    names = [view["players"][player] for player in view["result"]["winners"]]
    assert all(name in view["result"]["text"] for name in names)
    assert (view["result"]["winner"] is None) == (len(names) != 1)


def test_the_catalogue_tells_all_seats_and_open_choices(lab: TestClient) -> None:
    games = {each["name"]: each for each in got(lab, "/api/catalogue")["games"]}
    assert games["spread-it"]["seats"] == list(
        topple.load("spread-it:players=8,tokens=1", digraph(), compiled=False).players
    )
    assert len(games["chain-reaction"]["seats"]) == 8
    assert games["hex"]["seats"] == games["hex"]["players"]
    assert games["spread-it"]["free"] == ["loyalty"]
    assert games["hex"]["free"] == []


@pytest.mark.parametrize(
    "options",
    ["players=9", "players=1", "accept=1.5", "accept=x", "tokens=5/x", "loyalty=101", "turn=0"],
)
def test_bad_options_are_refused_in_a_sentence(lab: TestClient, board: str, options: str) -> None:
    refused(lab.post("/api/view", json={"game": f"spread-it:{options}", "board": board}), 400)


def test_seeds_are_text_and_never_a_path(
    lab: TestClient, board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_read(*_: object, **__: object) -> None:
        raise AssertionError("the lab reads a file")

    monkeypatch.setattr(tables, "seeds_from_file", not_read)
    seeds = tmp_path / "seeds.csv"
    seeds.write_text("vertex,cell\nann,1b\n")
    monkeypatch.chdir(tmp_path)
    Path("ann=1b").write_text("vertex,cell\nbob,1r\n")
    for text in (str(seeds), "seeds.csv", "./seeds.csv", "/etc/passwd", f"x={seeds}"):
        body = {"game": f"spread-it:seeds={text}", "board": board}
        refused(lab.post("/api/view", json=body), 400)
        refused(lab.post("/api/board", json=body), 400)
    view = asked(lab, "/api/view", game="spread-it:seeds=ann=1b", board=board)
    assert view["cells"][:2] == [[-1, 0, 1, 0], [-1, 0, 0, 0]]
    record = json.loads(
        asked(
            lab,
            "/api/record/of",
            game="spread-it:seeds=ann=1b",
            board=board,
            moves=[],
            players=["A", "B"],
        )["record"]
    )
    record["options"]["seeds"] = str(seeds)
    refused(lab.post("/api/record", json={"record": json.dumps(record)}), 400)


# Boards


def test_a_board_tells_its_networks_and_probabilities() -> None:
    first = digraph()
    shares = np.linspace(0.4, 1, len(first.successors))
    board = changed(replace(first, accept=shares), 3, [[1], [2], [3], [0]])
    told = board_data(board, "x")
    TypeAdapter(BoardReply).validate_python(told)
    assert told["edges"] == [list(edge) for edge in first.edges()]
    assert told["accept"] == [round(float(share), 6) for share in shares]
    assert told["later"] == [
        {
            "ply": 3,
            "edges": [[0, 1], [1, 2], [2, 3], [3, 0]],
            "thresholds": [1, 1, 1, 1],
            "accept": told["later"][0]["accept"],
        }
    ]


def test_an_undirected_edge_is_told_once_with_its_probability() -> None:
    board = make_board("square", [[1, 3], [0, 2], [1, 3], [2, 0]])
    shares = {(0, 1): 0.5, (0, 3): 0.25, (1, 2): 1.0, (2, 3): 0.75}
    arcs = [(v, u) for v in range(4) for u in board.neighbours(v)]
    accept = np.array([shares[min(v, u), max(v, u)] for v, u in arcs])
    told = board_data(replace(board, accept=accept), "x")
    pairs = [(tail, head) for tail, head in told["edges"]]
    assert dict(zip(pairs, told["accept"], strict=True)) == shares


def test_a_position_tells_its_network_and_when_the_next_one_comes() -> None:
    everyone = [[u for u in range(4) if u != v] for v in range(4)]
    first = make_board("everyone", everyone, directed=True, structural=False)
    board = changed(changed(first, 3, everyone), 5, everyone)
    seen = told_networks("spread-it:tokens=9", board, 7)
    assert seen == [(0, 3), (0, 2), (0, 1), (1, 2), (1, 1), (2, None), (2, None)]
    hidden = told_networks("spread-it:tokens=9,foresight=none", board, 7)
    assert hidden == [(network, None) for network, _ in seen]
    short = told_networks("spread-it:tokens=2", board, 4)
    assert short == [(0, 3), (0, 2), (0, 1), (1, None)], "the second change comes too late"


def told_networks(game: str, board: Board, n: int) -> list[tuple[int, int | None]]:
    """The network and the plies to the next one at the start and after each move."""
    loaded = topple.load(game, board, compiled=False)
    cache, told = PositionCache(lambda digest: None), []
    moves: list[int] = []
    for _ in range(n):
        line = cache.replay(loaded, moves)
        view = view_data(line, "x", with_steps=True)
        told.append((view["network"], view["changes_in"]))
        if view["over"]:
            break
        moves.append(view["legal"][0]["move"])
    return told


def test_too_many_networks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    board = changed(changed(digraph(), 3, ARCS), 5, ARCS)
    check_size(board)
    monkeypatch.setattr(limits, "NETWORKS", 2)
    with pytest.raises(BadBoard, match="3 networks are too many"):
        check_size(board)
    monkeypatch.setattr(limits, "NETWORKS", 3)
    monkeypatch.setattr(limits, "NETWORK_EDGES", 20)
    with pytest.raises(BadBoard, match="21 edges of all networks"):
        check_size(board)


class Holding(NamedTuple):
    """What a position says of a community."""

    community: str
    size: int
    vertices: tuple[int, ...]
    tokens: tuple[int, ...]


def test_who_holds_a_community_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    held = (Holding("east", 2, (1, 0), (3, 0)), Holding("west", 2, (0, 0), (0, 0)))
    monkeypatch.setattr(Position, "holdings", lambda self: held, raising=False)
    board = replace(digraph(), communities=("east", "east", "west", "west"))
    game = topple.load("spread-it", board, compiled=False)
    view = view_data(PositionCache(lambda digest: None).replay(game, []), "x", with_steps=False)
    assert board_data(board, "x")["communities"] == ["east", "east", "west", "west"]
    assert view["holdings"] == [
        {"community": "east", "size": 2, "vertices": [1, 0], "tokens": [3, 0]},
        {"community": "west", "size": 2, "vertices": [0, 0], "tokens": [0, 0]},
    ]
    plain = topple.load("spread-it", digraph(), compiled=False)
    line = PositionCache(lambda digest: None).replay(plain, [])
    assert view_data(line, "x", with_steps=False)["holdings"] == []
