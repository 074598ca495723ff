"""Networks of other programs: boards and positions written, and read again."""

import io
import json
import re
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import topple
from tests.bridges.test_observation import GAMES, walk
from topple.boards import Board, board_to_networkx, load_board, write_board
from topple.boards.files.markup import read_gexf
from topple.boards.files.reading import board_from_upload
from topple.boards.files.writing import network_text
from topple.bridges.networks import position_to_networkx, write_position
from topple.cli.app import app
from topple.core.errors import BadBoard, BadText, ToppleError, Unsupported

BOARDS = ["karate", "segment:7", "ba:n=20,m=2,seed=3", "tree:n=2,c=3"]
HOLD_ALL = [".graphml", ".gexf", ".gml", ".json"]
GEXF = (
    '<gexf xmlns="{space}" xmlns:viz="{space}/viz" version="1.3"><graph defaultedgetype="{kind}">'
    '<attributes class="node"><attribute id="0" title="threshold" type="integer"/></attributes>'
    '<nodes><node id="a" label="Ann"><attvalues><attvalue for="0" value="2"/></attvalues>'
    '<viz:position x="1.5" y="2.5" z="0"/></node>'
    '<node id="b" label="Bob"><viz:position x="3" y="-4" z="0"/></node></nodes>'
    '<edges><edge id="0" source="a" target="b" weight="2.0"/></edges></graph></gexf>'
)


def edges_of(board: Board) -> set[frozenset[str] | tuple[str, str]]:
    """The edges by label."""
    pairs = [(board.labels[tail], board.labels[head]) for tail, head in board.edges()]
    return {pair if board.directed else frozenset(pair) for pair in pairs}


@pytest.mark.parametrize("ending", HOLD_ALL)
@pytest.mark.parametrize("spec", BOARDS)
def test_boards_come_back(spec: str, ending: str, tmp_path: Path) -> None:
    board = load_board(spec)
    write_board(board, tmp_path / f"board{ending}")
    again = load_board(f"file:{tmp_path / f'board{ending}'}")
    assert again == board
    if board.places is not None:
        assert again.places is not None
        assert np.allclose(again.places, board.places)


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_edge_lists_come_back_with_weights(ending: str, tmp_path: Path) -> None:
    graph = nx.Graph()
    graph.add_edge("ann, the first", "bob", weight=2.5)
    graph.add_edge("bob", "cid", weight=1.0)
    board = topple.load("spread-it:tokens=2", graph).board
    write_board(board, tmp_path / f"board{ending}")
    again = load_board(f"file:{tmp_path / f'board{ending}'}")
    assert edges_of(again) == edges_of(board)
    weights = [attributes["weight"] for attributes in again.edge_attributes.values()]
    assert sorted(map(float, weights)) == [1.0, 2.5]


def test_an_edge_list_says_what_it_cannot_hold(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="cannot hold side of the vertices"):
        write_board(load_board("segment:5"), tmp_path / "board.csv")
    graph = nx.DiGraph([("a", "b")])
    graph.add_node("c")
    with pytest.raises(Unsupported, match="cannot hold c, which has no edge"):
        network_text(graph, ".tsv")
    assert list(tmp_path.iterdir()) == []


def test_an_ending_that_tells_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadText, match="ending of a network"):
        write_board(load_board("karate"), tmp_path / "board.xlsx")


@pytest.mark.parametrize("ending", [*HOLD_ALL, ".csv", ".tsv"])
def test_the_same_board_gives_the_same_text(ending: str) -> None:
    graph = board_to_networkx(load_board("karate"))
    text = network_text(graph, ending)
    assert network_text(graph, ending) == text
    assert not re.search("lastmodified", text)


@pytest.mark.parametrize(
    "space", ["http://www.gexf.net/1.2draft", "http://gexf.net/1.3", "http://www.gexf.net/1.3"]
)
def test_gephi_s_labels_thresholds_and_places_are_read(space: str) -> None:
    board = board_from_upload("net.gexf", GEXF.format(space=space, kind="undirected").encode())
    assert board.labels == ("Ann", "Bob")
    assert board.thresholds.tolist() == [2, 1]
    if space == "http://gexf.net/1.3":  # the other files name their places otherwise
        assert board.places is not None
        assert board.places.tolist() == [[1.5, -2.5], [3, 4]]


def test_directed_gexf_is_directed() -> None:
    draft = read_gexf(GEXF.format(space="http://gexf.net/1.3", kind="directed"))
    assert draft.directed
    assert draft.edges == [(0, 1)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<gexf>", "not a GEXF graph"),
        ("no xml at all", "not a GEXF graph"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><gexf/>', "declares a document type"),
        ('<gexf xmlns="http://gexf.net/1.3" version="1.3"/>', "not a GEXF graph"),
        (
            GEXF.format(space="http://gexf.net/1.3", kind="undirected").replace('id="b" ', ""),
            "",
        ),
    ],
)
def test_damaged_gexf_is_refused_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(BadBoard) as raised:
        board_from_upload("net.gexf", text.encode())
    assert reason in str(raised.value)
    assert "\n" not in str(raised.value)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(GAMES), st.sampled_from(HOLD_ALL))
def test_positions_keep_tokens_and_owners(seed: int, which: tuple[str, str], ending: str) -> None:
    game = topple.load(*which)
    positions = walk(game, seed)
    position = positions[seed % len(positions)]
    graph = position_to_networkx(position)
    again = reread(network_text(graph, ending), ending)
    assert set(again.nodes) == set(game.board.labels)
    for label, cell in zip(game.board.labels, position.contents(), strict=True):
        node = again.nodes[label]
        assert node["owner"] == ("nobody" if cell.owner is None else game.players[cell.owner])
        assert bool(node.get("taken", False)) == cell.gone
        for name, count in zip(game.players, cell.counts, strict=False):
            assert node[f"tokens_{name.lower()}"] == count
        assert node.get("tokens", 0) == sum(cell.counts)


def reread(text: str, ending: str) -> "nx.Graph[str]":
    """What NetworkX makes of a text, with labels as nodes."""
    if ending == ".graphml":
        return nx.parse_graphml(text)
    if ending == ".gexf":
        return nx.read_gexf(io.BytesIO(text.encode()))
    if ending == ".gml":
        return nx.parse_gml(text)
    return nx.node_link_graph(json.loads(text), edges="edges")


def test_the_network_s_own_attributes_lead_back_to_the_position(tmp_path: Path) -> None:
    game = topple.load("spread-it", "karate")
    position = walk(game, 5)[30]
    write_position(position, tmp_path / "state.graphml")
    told = nx.read_graphml(tmp_path / "state.graphml").graph
    assert game.position(told["position"]) == position
    assert told["game"] == "spread-it"
    assert told["to_move"] == game.players[position.player]
    assert load_board(f"file:{tmp_path / 'state.graphml'}") == game.board


def run(*words: str) -> tuple[int, str]:
    """What a command exits with and prints."""
    try:
        result = CliRunner().invoke(app, words, catch_exceptions=False)
    except ToppleError as error:  # what the program says, with status 2
        return 2, str(error)
    return result.exit_code, result.output


def test_a_saved_game_becomes_a_network_at_any_ply(tmp_path: Path) -> None:
    game = topple.load("chain-reaction", "grid:2x2")
    record = topple.Record.of(game, ["a1", "b2", "b1"], players=("Ann", "Bob"))
    file = tmp_path / "game.json"
    file.write_text(record.to_json() + "\n")
    status, text = run("convert", str(file), "--to", "graphml")
    assert status == 0
    assert [nx.parse_graphml(text).nodes[v]["tokens"] for v in ("a1", "b1", "a2", "b2")] == [
        1, 1, 0, 1,
    ]  # fmt: skip
    status, text = run("convert", str(file), "--to", "gexf", "--ply", "1")
    assert status == 0
    assert reread(text, ".gexf").nodes["b2"]["owner"] == "nobody"
    out = tmp_path / "game.graphml"
    assert run("convert", str(file), "--to", "graphml", "--out", str(out))[0] == 0
    assert out.read_text().startswith("<?xml")


def test_bad_requests_for_networks_are_refused(tmp_path: Path) -> None:
    game = topple.load("hex", "hex:2")
    record = topple.Record.of(game, ["a1"], players=("Ann", "Bob"))
    file = tmp_path / "game.json"
    file.write_text(record.to_json() + "\n")
    status, text = run("convert", str(file), "--to", "graphml", "--ply", "2")
    assert status == 2
    assert "has 1 moves: --ply 2 is too many" in text
    status, text = run("convert", str(file), "--ply", "1")
    assert status == 2
    assert "--ply is for networks" in text
    file.write_text(f"{record.to_json()}\n{record.to_json()}\n")
    status, text = run("convert", str(file), "--to", "gexf")
    assert status == 2
    assert "holds 2 games" in text


def test_a_board_is_written_from_the_command_line(tmp_path: Path) -> None:
    status, text = run("boards", "show", "karate", "--out", str(tmp_path / "k.gexf"))
    assert status == 0
    assert "network:" in text
    assert load_board(f"file:{tmp_path / 'k.gexf'}") == load_board("karate")
