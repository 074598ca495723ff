"""Boards with probabilities, later networks and communities: files, generators, round trips."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import topple
from topple.boards import (
    Board,
    board_from_json,
    board_from_networkx,
    board_to_json,
    board_to_networkx,
    community_sizes,
    load_board,
    modularity,
    rewired_board,
    spring_places,
    write_board,
)
from topple.boards import board as board_module
from topple.boards.board import Later, make_board
from topple.boards.files.reading import board_from_upload
from topple.boards.kinds.catalogue import names_files
from topple.core.errors import BadBoard, BadText, ToppleError, Unsupported
from topple.lab.data import allowed

TIMED = "source,target,p,from,to\nann,bob,0.5,,\nbob,cid,,,10\ncid,dan,0.25,0,4\nann,cid,,5,\n"
TIMED += "cid,dan,1,8,\n"
TIMED_NETWORKS = {
    0: {"ann-bob": 0.5, "bob-cid": 1, "cid-dan": 0.25},
    4: {"ann-bob": 0.5, "bob-cid": 1},
    5: {"ann-bob": 0.5, "bob-cid": 1, "ann-cid": 1},
    8: {"ann-bob": 0.5, "bob-cid": 1, "ann-cid": 1, "cid-dan": 1},
    10: {"ann-bob": 0.5, "ann-cid": 1, "cid-dan": 1},
}
GEXF = """<gexf xmlns="http://gexf.net/1.3" version="1.3">
<graph defaultedgetype="{kind}" mode="dynamic" timeformat="{timeformat}">
<attributes class="edge" mode="static"><attribute id="0" title="p" type="double"/></attributes>
<nodes><node id="n1" label="ann" start="0" end="9"/><node id="n2" label="bob"/>
<node id="n3" label="cid"><spells><spell start="0"/></spells></node></nodes>
<edges><edge id="0" source="n1" target="n2" end="6"/>
<edge id="1" source="n2" target="n3"><attvalues><attvalue for="0" value="0.5"/></attvalues>
<spells><spell end="3"/><spell start="5" end="7"/><spell start="9"/></spells></edge>
<edge id="2" source="n1" target="n3" start="2.0" end="Infinity"/></edges></graph></gexf>
"""


def networks_of(board: Board) -> dict[int, dict[str, float]]:
    """Each network by its ply: the edges by the labels of their ends, with probabilities."""
    found = {}
    for network in board.networks:
        starts, flat = network.successor_start.tolist(), network.successors.tolist()
        shares = [1] * len(flat) if network.accept is None else network.accept.tolist()
        found[network.ply] = {
            "-".join((board.labels[v], board.labels[flat[place]])): shares[place]
            for v in range(board.n_vertices)
            for place in range(starts[v], starts[v + 1])
            if board.directed or v < flat[place]
        }
    return found


def one_line(error: BaseException) -> str:
    """The message of an error, which is one line."""
    assert len(str(error).splitlines()) == 1
    return str(error)


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Board]:
    """Write a file and load it."""

    def write_and_load(name: str, content: str, options: str = "") -> Board:
        (tmp_path / name).write_text(content)
        return load_board(f"file:{tmp_path / name}{options}")

    return write_and_load


# Probabilities


def test_the_attribute_p_is_the_probability_in_every_format(load) -> None:
    graph = nx.Graph()
    graph.add_edge("ann", "bob", p=0.25)
    graph.add_edge("bob", "cid")
    texts = {
        ".graphml": "\n".join(nx.generate_graphml(graph)),
        ".gexf": "\n".join(nx.generate_gexf(graph)),
        ".gml": "\n".join(nx.generate_gml(graph)),
        ".json": json.dumps(nx.node_link_data(graph, edges="edges")),
        ".csv": "source,target,p\nann,bob,0.25\nbob,cid,\n",
        ".tsv": "source\ttarget\tp\nann\tbob\t0.25\nbob\tcid\t1\n",
    }
    expected = board_from_networkx(graph)
    assert networks_of(expected) == {0: {"ann-bob": 0.25, "bob-cid": 1}}
    assert expected.accept is not None
    assert expected.accept.tolist() == [0.25, 0.25, 1, 1]
    assert not expected.accept.flags.writeable
    for ending, text in texts.items():
        assert load(f"net{ending}", text) == expected, ending


def test_arcs_both_ways_have_their_own_probabilities() -> None:
    board = board_from_networkx(nx.DiGraph([("a", "b", {"p": 0.5}), ("b", "a", {"p": "0.75"})]))
    assert networks_of(board) == {0: {"a-b": 0.5, "b-a": 0.75}}
    assert board_from_json(board_to_json(board)) == board


def test_certain_edges_are_as_without_probabilities() -> None:
    certain = board_from_networkx(nx.Graph([("a", "b", {"p": 1}), ("b", "c", {"p": 1.0})]))
    assert certain.accept is None
    assert certain == board_from_networkx(nx.Graph([("a", "b"), ("b", "c")]))


@pytest.mark.parametrize("p", ["1.5", "-0.1", "often", "nan", "inf", "1e999"])
def test_other_probabilities_are_refused_in_one_line(p: str, load) -> None:
    with pytest.raises(BadBoard) as caught:
        load("net.csv", f"source,target,p\nann,bob,{p}\n")
    message = one_line(caught.value)
    assert f"the edge 'ann' – 'bob' has p={p}: a probability is a number from 0 to 1" in message


@pytest.mark.parametrize("p", [True, [0.5], 2, -1e-9, 10**400, float("nan")])
def test_other_values_of_p_are_refused(p: object) -> None:
    with pytest.raises(BadBoard, match="has p="):
        board_from_networkx(nx.Graph([("a", "b", {"p": p})]))


# Edges with times


def test_an_edge_list_with_times_is_a_board_that_changes(load) -> None:
    board = load("net.csv", TIMED)
    assert networks_of(board) == TIMED_NETWORKS
    assert board.labels == ("ann", "bob", "cid", "dan")
    assert [network.thresholds.tolist() for network in board.networks] == [
        [1, 2, 2, 1], [1, 2, 1, 1], [2, 2, 2, 1], [2, 2, 3, 1], [2, 1, 2, 1],
    ]  # fmt: skip
    assert all(not array.flags.writeable for array in board.stages[0][1:] if array is not None)
    assert load("net.tsv", TIMED.replace(",", "\t")) == board
    assert load("other.csv", TIMED.replace("source,target", "src,dst")) == board
    assert board_from_upload("net.csv", TIMED.encode()) == board


def test_from_and_to_alone_are_still_the_ends(load) -> None:
    assert load("net.csv", "from,to\nann,bob\n").labels == ("ann", "bob")


def test_gexf_spells_and_starts_are_times(load) -> None:
    expected = {
        0: {"ann-bob": 1, "bob-cid": 0.5},
        2: {"ann-bob": 1, "bob-cid": 0.5, "ann-cid": 1},
        3: {"ann-bob": 1, "ann-cid": 1},
        5: {"ann-bob": 1, "bob-cid": 0.5, "ann-cid": 1},
        6: {"bob-cid": 0.5, "ann-cid": 1},
        7: {"ann-cid": 1},
        9: {"bob-cid": 0.5, "ann-cid": 1},
    }
    for kind in ("undirected", "directed"):
        for timeformat in ("integer", "double", "date"):
            board = load("net.gexf", GEXF.format(kind=kind, timeformat=timeformat))
            assert networks_of(board) == expected
            assert board.directed == (kind == "directed")


def test_given_thresholds_hold_at_all_times() -> None:
    graph = nx.Graph([("a", "b"), ("b", "c", {"from": 3})])
    graph.nodes["b"]["threshold"] = 5
    board = board_from_networkx(graph)
    assert [network.thresholds.tolist() for network in board.networks] == [[1, 5, 1], [1, 5, 1]]
    assert board_from_networkx(board_to_networkx(board)) == board


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("a,b,0.5,", "has from=0.5: a ply is a whole number from 0 to 1,000,000,000"),
        ("a,b,-1,", "has from=-1.0: a ply"),
        ("a,b,monday,", "has from=monday: a ply"),
        ("a,b,,99999999999", "has to=99999999999.0: a ply"),
        ("a,b,9,3", "the edge 'a' – 'b' is there from ply 9 to ply 3: from must be less than to"),
        ("a,b,3,3", "from must be less than to"),
        ("a,b,0,5\nb,a,4,9", "the edge 'a' – 'b' is listed twice for ply 4"),
        ("a,b,0,5\na,b,,", "the edge 'a' – 'b' is listed twice for ply 0"),
        ("a,b,2,5", "no edge is there at ply 0: the first network begins there"),
        ("a,a,0,5", "joined to itself"),
        ("a,b,0,\nc,d,5,", "2 components"),
    ],
)
def test_bad_times_are_refused_in_one_line(lines: str, message: str, load) -> None:
    with pytest.raises(BadBoard, match=re.escape(message)) as caught:
        load("net.csv", f"source,target,from,to\n{lines}\n")
    one_line(caught.value)


def test_a_vertex_without_an_edge_at_any_time_is_refused() -> None:
    graph = nx.DiGraph([("a", "b", {"from": 0, "to": 5}), ("b", "a", {"from": 3})])
    graph.add_node("eve")
    with pytest.raises(BadBoard, match="vertex 'eve' has no edge in any network: remove it"):
        board_from_networkx(graph)


def test_dates_are_no_plies(load) -> None:
    text = GEXF.format(kind="undirected", timeformat="date").replace('"6"', '"2010-01-31"')
    with pytest.raises(BadBoard, match="has to=2010-01-31: a ply is a whole number"):
        load("net.gexf", text)


def test_the_bounds_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def graph(n: int) -> "nx.Graph[str]":
        return nx.Graph([("a", "b"), *(("b", f"c{i}", {"from": i + 1}) for i in range(n))])

    with pytest.raises(BadBoard, match="1,001 networks are too many: at most 1,000"):
        board_from_networkx(graph(1000))
    monkeypatch.setattr(board_module, "MAX_EDGES", 20)
    with pytest.raises(BadBoard, match="6 networks with 21 edges in all are too large: at most 20"):
        board_from_networkx(graph(5))
    monkeypatch.setattr(board_module, "MAX_NETWORK_VERTICES", 10)
    with pytest.raises(BadBoard, match="4 networks of 5 vertices are too large: at most 2"):
        board_from_networkx(graph(3))


@pytest.mark.parametrize(
    ("plies", "message"),
    [
        ([5, 3], "a network begins at ply 3 after that of ply 5"),
        ([5, 5], "two networks begin at ply 5"),
        ([0], "two networks begin at ply 0"),
        ([10**10], "ply 10,000,000,000 is too late"),
    ],
)
def test_schedules_go_forwards(plies: list[int], message: str) -> None:
    with pytest.raises(BadBoard, match=message):
        make_board("x", [[1], [0]], stages=[Later(ply, [[], []]) for ply in plies])


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        (Later(5, [[1], [0], []]), "does not have 2 vertices"),
        (Later(5, [[1], [2]]), "a neighbour does not exist"),
        (Later(5, [[1], [0]], [1]), "2 thresholds"),
        (Later(5, [[1], [0]], [1, 0]), "a threshold is below 1"),
        (Later(5, [[1], [0]], None, [0.5]), "2 probabilities"),
        (Later(5, [[1], [0]], None, [0.5, 1.5]), "not between 0 and 1"),
        (Later(5, [[1], [0]], None, [0.5, float("nan")]), "not between 0 and 1"),
        (Later(5, [[1], [0]], None, [0.5, 0.25]), "an edge has two probabilities"),
    ],
)
def test_parts_that_do_not_fit_are_refused(stage: Later, message: str) -> None:
    with pytest.raises(BadBoard, match=message):
        make_board("x", [[1], [0]], stages=[stage])


def test_a_network_that_changes_nothing_is_left_out() -> None:
    board = make_board("x", [[1], [0]], stages=[Later(3, [[1], [0]]), Later(5, [[], []])])
    assert [stage.ply for stage in board.stages] == [5]


# Round trips


def random_changing_board(seed: int, directed: bool) -> Board:
    """A small board whose edges come, go and come back, some with other probabilities."""
    source = random.Random(seed)
    graph = nx.MultiDiGraph() if directed else nx.MultiGraph()
    graph.add_nodes_from("abcdef")
    for tail in "abcdef":
        for head in "abcdef":
            if tail == head or (not directed and tail > head):
                continue
            if source.random() < 0.4 or ord(head) == ord(tail) + 1:
                times = sorted(source.sample(range(12), 4))
                times[0] = 0 if head == "b" else times[0]
                graph.add_edge(tail, head, **{"from": times[0], "to": times[1]})
                if source.random() < 0.7:
                    more = {"from": times[2]} | ({"to": times[3]} if source.random() < 0.5 else {})
                    graph.add_edge(tail, head, **more)
    for *_, attributes in graph.edges(data=True):
        if seed % 3:  # one number for all, or different ones at different times
            attributes["p"] = source.choice([1, 0.5, 0.25]) if seed % 3 == 2 else 0.3
    for vertex in "abcdef":
        graph.nodes[vertex]["community"] = source.choice(["red", "green"])
    return board_from_networkx(graph, "mine")


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_changing_boards_survive_everything(seed: int, directed: bool, tmp_path: Path) -> None:
    board = random_changing_board(seed, directed)
    assert board.stages
    data = json.loads(json.dumps(board_to_json(board)))
    again = board_from_json(data)
    assert again == board
    assert again.communities == board.communities
    assert board_to_json(again) == data
    assert board_from_networkx(board_to_networkx(board)) == board
    for ending in (".graphml", ".gexf", ".gml", ".json"):
        write_board(board, tmp_path / f"net{ending}")
        again = load_board(f"file:{tmp_path / f'net{ending}'}")
        assert again == board, ending
        assert again.communities == board.communities
    for ending in (".csv", ".tsv"):  # whose vertices may be in another order
        write_board(board, tmp_path / f"net{ending}")
        options = ",directed=true" if directed else ""
        again = load_board(f"file:{tmp_path / f'net{ending}'}{options}")
        assert sorted_ends(again) == sorted_ends(board)


def sorted_ends(board: Board) -> dict[int, dict[str, float]]:
    """The networks, with the ends of undirected edges in alphabetical order."""
    return {
        ply: {e if board.directed else "-".join(sorted(e.split("-"))): p for e, p in edges.items()}
        for ply, edges in networks_of(board).items()
    }


def test_gexf_for_gephi_has_one_edge_with_spells(tmp_path: Path) -> None:
    graph = nx.MultiGraph([("a", "b"), ("b", "c")])
    graph["b"]["c"][0].update({"from": 0, "to": 4})
    graph.add_edge("b", "c", **{"from": 6})
    write_board(board_from_networkx(graph), tmp_path / "net.gexf")
    text = (tmp_path / "net.gexf").read_text()
    assert len(re.findall(r"<edge ", text)) == 2
    assert len(re.findall(r"<spell ", text)) == 2
    assert 'mode="dynamic"' in text
    assert 'timeformat="integer"' in text


def test_json_lists_what_changes() -> None:
    graph = nx.Graph([("a", "b", {"p": 0.5}), ("b", "c", {"to": 4}), ("a", "c", {"from": 2})])
    graph.nodes["a"]["community"] = graph.nodes["b"]["community"] = 1
    graph.nodes["c"]["community"] = 2.0
    assert board_to_json(board_from_networkx(graph, "mine")) == {
        "spec": "mine",
        "directed": False,
        "labels": ["a", "b", "c"],
        "edges": [[0, 1], [1, 2]],
        "communities": ["1", "1", "2"],
        "accept": [[0, 1, 0.5]],
        "stages": [{"ply": 2, "added": [[0, 2]]}, {"ply": 4, "removed": [[1, 2]]}],
    }


def test_json_keeps_thresholds_that_no_other_format_can_hold(tmp_path: Path) -> None:
    board = make_board(
        "x", [[1], [0]], stages=[Later(4, [[1], [0]], [3, 1])], structural=False, labels="ab"
    )
    assert board_from_json(board_to_json(board)) == board
    with pytest.raises(Unsupported, match="the threshold of 'a' changes and is not its degree"):
        write_board(board, tmp_path / "net.graphml")


def written() -> dict[str, object]:
    return {
        "spec": "mine",
        "directed": False,
        "labels": ["a", "b", "c"],
        "edges": [[0, 1], [1, 2]],
        "communities": ["x", "x", "y"],
        "accept": [[0, 1, 0.5]],
        "stages": [{"ply": 2, "added": [[0, 2]], "accept": [[0, 2, 0.25]]}],
    }


@pytest.mark.parametrize(
    "change",
    [
        {"communities": ["x"]},
        {"communities": ["x", "x", 3]},
        {"communities": ["x", "x", ""]},
        {"communities": ["x", "x", "y\n"]},
        {"communities": ["x", "x", "y" * 81]},
        {"communities": "xxy"},
        {"accept": 3},
        {"accept": [[0, 1]]},
        {"accept": [[0, 1, "0.5"]]},
        {"accept": [[0, 1, 1.5]]},
        {"accept": [[0, 1, float("nan")]]},
        {"accept": [[0, 2, 0.5]]},
        {"accept": [[0, 9, 0.5]]},
        {"accept": [[[], 1, 0.5]]},
        {"stages": {}},
        {"stages": [3]},
        {"stages": [{}]},
        {"stages": [{"ply": "2"}]},
        {"stages": [{"ply": True}]},
        {"stages": [{"ply": 0, "removed": [[0, 1]]}]},
        {"stages": [{"ply": -4, "removed": [[0, 1]]}]},
        {"stages": [{"ply": 10**12, "removed": [[0, 1]]}]},
        {"stages": [{"ply": 4, "removed": [[0, 1]]}, {"ply": 3, "added": [[0, 1]]}]},
        {"stages": [{"ply": 4, "removed": [[0, 1]]}, {"ply": 4, "added": [[0, 1]]}]},
        {"stages": [{"ply": 2, "added": [[0, 1]]}]},
        {"stages": [{"ply": 2, "removed": [[0, 2]]}]},
        {"stages": [{"ply": 2, "added": [[1, 1]]}]},
        {"stages": [{"ply": 2, "added": [[0, 3]]}]},
        {"stages": [{"ply": 2, "added": 3}]},
        {"stages": [{"ply": 2, "thresholds": [[0, 0]]}]},
        {"stages": [{"ply": 2, "accept": [[0, 2, 0.5]]}]},
        {"stages": [{"ply": 2, "edges": []}]},
        {"stages": [{"ply": ply} for ply in range(1, 1001)]},
    ],
)
def test_damaged_data_is_refused(change: dict[str, object]) -> None:
    assert board_from_json(written()).communities == ("x", "x", "y")
    with pytest.raises(BadBoard) as caught:
        board_from_json({**written(), **change})
    assert len(one_line(caught.value)) < 400


def test_a_bomb_of_networks_is_refused_early() -> None:
    """Few bytes of data that stand for many edges."""
    n = 2001
    data = {
        "spec": "x",
        "directed": True,
        "labels": [str(v) for v in range(n)],
        "edges": [[0, v] for v in range(1, n)],
        "stages": [{"ply": ply, "accept": [[0, 1, 1 / ply]]} for ply in range(2, 999)],
    }
    with pytest.raises(BadBoard, match="501 networks with 1,002,000 edges in all are too large"):
        board_from_json(data)


# Snapshots


def test_snapshots_are_networks_over_the_union_of_vertices(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("a,1.csv", "b.graphml", "c.json"))
    one.write_text("source,target,p\nbob,ann,0.5\n")
    graph = nx.Graph([("cid", "ann")])
    graph.nodes["ann"].update(threshold=4, community="x")
    nx.write_graphml(graph, two)
    third = nx.Graph()
    third.add_nodes_from(["ann", "cid", "bob"])
    third.add_edges_from([("ann", "bob"), ("bob", "cid")])
    three.write_text(json.dumps(nx.node_link_data(third, edges="edges")))
    board = load_board(f"snapshots:{one}@0, {two}@7,{three}@9")
    assert board.labels == ("bob", "ann", "cid")
    assert networks_of(board) == {
        0: {"bob-ann": 0.5}, 7: {"ann-cid": 1}, 9: {"bob-ann": 1, "bob-cid": 1},
    }  # fmt: skip
    assert [network.thresholds.tolist() for network in board.networks] == [
        [1, 1, 1], [1, 4, 1], [2, 1, 1],
    ]  # fmt: skip
    assert load_board(board.spec) == board
    assert board_from_json(board_to_json(board)) == board
    assert not names_files("karate")
    assert names_files(board.spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("snapshots:", "snapshots has no files: write snapshots:a.csv@0,b.csv@10"),
        ("snapshots:{0}/a.csv", "does not end in a ply: write snapshots:a.csv@0,b.csv@10"),
        ("snapshots:{0}/a.csv@0,{0}/b.csv", "does not end in a ply"),
        ("snapshots:{0}/a.csv@5,{0}/b.csv@9", "the first network begins at ply 5"),
        ("snapshots:{0}/a.csv@0,{0}/b.csv@9,{0}/a.csv@3", "begins at ply 3 after that of ply 9"),
        ("snapshots:{0}/a.csv@0,{0}/b.csv@3,{0}/a.csv@3", "two networks begin at ply 3"),
        ("snapshots:{0}/a.csv@0,{0}/b.csv@-3", "does not end in a ply"),
        ("snapshots:{0}/a.csv@0,{0}/none.csv@3", "none.csv: there is no such file"),
        ("snapshots:{0}/a.csv@0,{0}/b.xyz@3", "unknown ending"),
        ("snapshots:{0}/a.csv@0,{0}/t.csv@3", "t.csv: its edges have times"),
        ("snapshots:{0}/a.csv@0,{0}/d.json@3", "some are directed and some are not"),
        ("snapshots:{0}/d.json@0,directed=true", "directed=true is for edge lists"),
        ("snapshots:{0}/d.json@0,{0}/e.json@3", "vertex 'eve' has no edge in any network"),
        ("snapshots:{0}/a.csv@0,{0}/c.csv@3", "2 components"),
    ],
)
def test_bad_snapshots_are_refused_in_one_line(spec: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("ann,bob\n")
    (tmp_path / "b.csv").write_text("ann,bob\nbob,cid\n")
    (tmp_path / "c.csv").write_text("dan,eve\n")
    (tmp_path / "t.csv").write_text(TIMED)
    node_link = '{{"directed": true, "nodes": [{{"id": "ann"}}, {{"id": "{}"}}], "edges": {}}}'
    arc = '[{"source": "ann", "target": "bob"}]'
    (tmp_path / "d.json").write_text(node_link.format("bob", arc))
    (tmp_path / "e.json").write_text(node_link.format("eve", "[]"))
    with pytest.raises(ToppleError, match=re.escape(message)) as caught:
        load_board(spec.format(tmp_path))
    one_line(caught.value)


def test_the_largest_part_of_all_snapshots_can_be_taken(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("ann,bob\ndan,eve\n")
    (tmp_path / "b.csv").write_text("bob,cid\n")
    board = load_board(f"snapshots:{tmp_path}/a.csv@0,{tmp_path}/b.csv@3,component=largest")
    assert board.labels == ("ann", "bob", "cid")
    assert load_board(board.spec) == board


@pytest.mark.parametrize(
    "text",
    [
        "file:{}",
        "snapshots:{}@0",
        "rewiring:base={}",
        "rewiring:file:{}",
        'rewiring:base="file:{},component=largest"',
        "rewiring:base=rewiring:file:{}",
        "rewiring:base=snapshots:{}@0",
    ],
)
def test_requests_name_no_files(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "net.csv").write_text("ann,bob\nbob,cid\n")
    text = text.format(tmp_path / "net.csv")
    monkeypatch.setattr("topple.boards.files.reading.read_text", pytest.fail)
    monkeypatch.setattr("topple.boards.files.snapshots.read_text", pytest.fail)
    with pytest.raises(BadText, match="not allowed here"):
        load_board(text, files=False)
    with pytest.raises(BadText, match="the lab opens no files by name"):
        allowed.named_board(text)
    with pytest.raises(BadText, match="the lab opens no files by name"):
        allowed.is_quickly_drawn(text)
    with pytest.raises(BadBoard, match="must be written out"):
        board_from_json(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('rewiring:base="ba:n=5000,m=3"', "5,000 vertices are too many"),
        ("rewiring:base=complete:900", "edges are too many"),
        ('rewiring:base="ba:n=1500,m=3",changes=100', "edges of all networks are too many"),
        ("sbm:n=2000,p_in=1,p_out=1", "edges are too many"),
        ("digraph:n=2000,k=1000", "edges are too many"),
        ("eulerian:n=3000", "vertices are too many"),
    ],
)
def test_boards_that_are_too_large_for_the_page(text: str, message: str) -> None:
    with pytest.raises(BadBoard, match=message):
        allowed.named_board(text)


def test_the_page_draws_the_new_kinds() -> None:
    assert allowed.named_board("rewiring:base=grid:4x4,changes=2").n_vertices == 16
    assert allowed.is_quickly_drawn("rewiring:base=karate")
    assert not allowed.is_quickly_drawn('rewiring:base="ba:n=900"')
    assert "snapshots" not in {kind.name for kind in allowed.own_kinds()}


# Generators


@pytest.mark.parametrize("text", ["karate", "path:12", "ba:n=40,m=2", "eulerian:n=15,k=2"])
@pytest.mark.parametrize("degrees", [False, True])
def test_rewiring_moves_edges_and_keeps_what_it_promises(text: str, degrees: bool) -> None:
    base = load_board(text)
    board = rewired_board(base, 7, 0.2, 6, degrees, seed=3)
    assert [network.ply for network in board.networks] == [0, 7, 14, 21, 28, 35, 42]
    first, *later = networks_of(board).values()
    assert first == networks_of(base)[0]
    n_moved = round(0.2 * base.n_edges)
    before = first
    for network, edges in zip(board.stages, later, strict=True):
        assert len(edges) == base.n_edges
        assert 0 < len(edges.keys() - before.keys()) <= n_moved + (n_moved % 2 if degrees else 0)
        out = np.diff(network.successor_start)
        if degrees or base.directed:
            assert out.tolist() == base.degrees.tolist()
        if degrees:
            into = np.diff(network.predecessor_start)
            assert into.tolist() == np.diff(base.predecessor_start).tolist()
        assert network.thresholds.tolist() == out.clip(1).tolist()
        graph = nx.Graph([edge.split("-") for edge in edges])
        assert len(graph) == base.n_vertices
        assert nx.is_connected(graph)
        before = edges


def test_rewired_digraphs_that_keep_their_degrees_stay_eulerian() -> None:
    board = load_board('rewiring:base="eulerian:n=20,k=2",degrees=true,share=0.5,changes=8')
    assert len(board.stages) == 8
    for edges in networks_of(board).values():
        graph = nx.DiGraph([edge.split("-") for edge in edges])
        assert nx.is_strongly_connected(graph)
        assert nx.is_eulerian(graph)


def test_a_rewired_board_keeps_labels_probabilities_and_thresholds() -> None:
    graph = nx.cycle_graph(["a", "b", "c", "d", "e", "f"])
    for number, (*_, attributes) in enumerate(graph.edges(data=True)):
        attributes["p"] = (number + 1) / 10
    nx.set_node_attributes(graph, "x", "community")
    graph.nodes["c"]["threshold"] = 4
    board = rewired_board(board_from_networkx(graph), 3, 0.5, 4, degrees=False, seed=1)
    assert board.labels == tuple("abcdef")
    assert set(board.communities) == {"x"}
    for network, edges in zip(board.networks, networks_of(board).values(), strict=True):
        assert sorted(edges.values()) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
        assert network.thresholds[2] == 4


def test_a_rewired_grid_is_drawn_as_it_was() -> None:
    base, board = load_board("grid:4x5"), load_board("rewiring:grid:4x5")
    assert board.form == "network"
    assert board.coordinates.tolist() == base.coordinates.tolist()
    assert board.labels == base.labels


def test_edges_that_cannot_move_are_counted() -> None:
    board = load_board("rewiring:complete:5,changes=2,share=0.3")
    assert board.stages == ()
    assert board.notes == (
        "6 edges stayed where they were: no move keeps the network in one piece.",
    )


def test_growth_ends_as_ba_and_new_vertices_bring_their_edges() -> None:
    board = load_board("growth:n=20,m=2,first=5,every=3,step=4,seed=7")
    networks = networks_of(board)
    assert list(networks) == [0, 3, 6, 9, 12]
    assert networks[12] == networks_of(load_board("ba:n=20,m=2,seed=7"))[0]
    for edges, joined in zip(networks.values(), [5, 9, 13, 17, 20], strict=True):
        assert len(edges) == 2 * (joined - 2)
        assert {int(end) for edge in edges for end in edge.split("-")} == set(range(1, joined + 1))
    for before, after in zip(networks.values(), list(networks.values())[1:], strict=False):
        assert before.items() < after.items()


def test_the_layout_of_a_board_that_grows_is_that_of_all_its_edges() -> None:
    grown = spring_places(load_board("growth:n=20,m=2,first=5,seed=7"))
    assert np.allclose(grown, spring_places(load_board("ba:n=20,m=2,seed=7")))


def test_a_planted_partition_has_the_edges_that_it_should() -> None:
    board = load_board("sbm:n=901,communities=3,p_in=0.1,p_out=0.01,seed=2")
    assert community_sizes(board) == {"1": 301, "2": 300, "3": 300}
    same = Counter(board.communities[u] == board.communities[v] for u, v in board.edges())
    inside = (301 * 300 + 2 * 300 * 299) // 2
    outside = 901 * 900 // 2 - inside
    for count, pairs, p in ((same[True], inside, 0.1), (same[False], outside, 0.01)):
        assert abs(count - pairs * p) < 5 * (pairs * p * (1 - p)) ** 0.5
    degrees = np.array(list(nx.Graph(board.edges()).degree()))[:, 1]
    assert degrees.min() > 5


def test_extreme_partitions() -> None:
    cliques = load_board("sbm:n=12,communities=3,p_in=1,p_out=0.05,seed=1")
    inside = [board for board in cliques.edges() if board[0] // 4 == board[1] // 4]
    assert len(inside) == 18
    assert load_board("sbm:n=6,communities=2,p_in=0,p_out=1").n_edges == 9
    assert load_board("sbm:n=6,communities=6,p_in=0,p_out=1").n_edges == 15


def test_digraphs_have_their_arcs_and_sinks() -> None:
    board = load_board("digraph:n=30,k=4,sinks=6,seed=5")
    assert Counter(board.degrees.tolist()) == {4: 24, 0: 6}
    graph = nx.DiGraph(board.edges())
    assert len(graph) == 30
    assert nx.is_weakly_connected(graph)
    assert board.thresholds.tolist() == board.degrees.clip(1).tolist()


@pytest.mark.parametrize(("n", "k"), [(2, 1), (7, 1), (7, 6), (12, 2), (40, 3)])
def test_eulerian_digraphs_are_balanced_and_strongly_connected(n: int, k: int) -> None:
    for seed in (1, 2):
        board = load_board(f"eulerian:n={n},k={k},seed={seed}")
        graph = nx.DiGraph(board.edges())
        assert graph.number_of_edges() == n * k
        assert set(dict(graph.out_degree()).values()) == {k}
        assert set(dict(graph.in_degree()).values()) == {k}
        assert nx.is_strongly_connected(graph)


def test_the_generators_draw_the_same_boards_on_every_machine() -> None:
    known = {
        "rewiring:base=karate,every=10,share=0.1,changes=10,seed=1": "a8b34d003ebfbe66",
        "rewiring:grid:4x4,degrees=true,changes=3,seed=2": "615e57fec6c38405",
        "growth:n=24,m=3,first=8,every=2,step=2,seed=1": "f5808e3b7c10026a",
        "sbm:n=24,communities=3,p_in=0.5,p_out=0.1,seed=1": "f0461f2c1073c00a",
        "digraph:n=24,k=3,sinks=4,seed=3": "0c3ec3f7759b18b5",
        "eulerian:n=24,k=3,seed=1": "cabc7a9a9fdf2801",
    }
    assert {text: load_board(text).digest for text in known} == known


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rewiring:path:2", "path:2 has 1 edge: too few to rewire"),
        ("rewiring:base=rewiring", "changes already: rewire a board that does not"),
        ("rewiring:share=1.5", "too large"),
        ("rewiring:changes=0", "too small"),
        ("rewiring:changes=1000", "changes=1000 is too large: at most 999"),
        ("rewiring:every=0", "too small"),
        ("rewiring:gird:5x5", "did you mean 'grid'"),
        ("rewiring:base=", "empty part"),
        ("rewiring:complete:1000", "in all are too large: at most 1,000,000"),
        ("growth:first=3", "first=3 must be above m=3 and below n=24"),
        ("growth:first=24", "first=24 must be above m=3 and below n=24"),
        ("growth:n=5000,step=1", "networks are too many: at most 1,000"),
        ("growth:n=100000,step=200", "in all are too large: at most 1,000,000"),
        ("sbm:communities=25", "communities=25 is too large: at most n=24"),
        ("sbm:p_in=2", "too large"),
        ("sbm:p_in=0,p_out=0", "no connected network from seeds 1 to 100: raise p_in or p_out"),
        ("sbm:n=100000,p_in=0.5", "too many"),
        ("digraph:k=24", "a vertex can have at most n-1 = 23 successors"),
        ("digraph:sinks=24", "sinks=24 is too large: at most n-1 = 23"),
        ("digraph:n=30,k=1,sinks=3", "no digraph in one piece from seeds 1 to 100: raise k"),
        ("eulerian:k=24", "at most n-1 = 23 successors"),
        ("eulerian:n=90000", "270,000 arcs are too many for eulerian: at most 200,000"),
    ],
)
def test_bad_generators_are_explained(text: str, message: str) -> None:
    with pytest.raises(ToppleError, match=re.escape(message)) as caught:
        load_board(text)
    one_line(caught.value)


# Communities


def test_communities_come_from_an_attribute_of_vertices(load) -> None:
    text = (
        '{"nodes": [{"id": "a", "community": "x"}, {"id": "b", "community": 2}], '
        '"edges": [{"source": "a", "target": "b"}]}'
    )
    assert load("net.json", text).communities == ("x", "2")
    partial = load("net.json", text.replace(', "community": 2', ""))
    assert partial.communities == ()
    assert partial.notes == (
        "The communities are left out: 1 of 2 vertices have none, such as 'b'.",
    )
    for value in ("true", '{"x": 1}', '"a\\u0007b"', f'"{"y" * 81}"'):
        board = load("net.json", text.replace("2}]", f"{value}}}]"))
        assert board.communities == ()
        assert "vertex 'b' has community" in board.notes[0]


def test_communities_change_no_game() -> None:
    graph = nx.path_graph(3)
    plain = board_from_networkx(graph)
    nx.set_node_attributes(graph, "x", "community")
    assert board_from_networkx(graph) == plain


def test_lfr_boards_have_the_communities_that_networkx_drew() -> None:
    board = load_board("lfr:n=250,seed=1")
    seed = int(board.spec.rpartition("=")[2])
    graph = nx.LFR_benchmark_graph(250, 3, 1.5, 0.1, 5, min_community=20, seed=seed)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    for vertex, found in graph.nodes(data="community"):
        assert found == {u for u, name in enumerate(board.communities) if
                         name == board.communities[vertex]}  # fmt: skip
    assert board_from_networkx(graph).communities == board.communities
    assert board.communities[0] == "1"


@pytest.mark.parametrize("text", ["lfr:n=250,seed=4", "sbm:n=24", "sbm:n=60,communities=7"])
def test_modularity_is_that_of_networkx(text: str) -> None:
    board = load_board(text)
    groups = groups_of(board)
    graph = nx.Graph(board.edges())
    assert modularity(board) == pytest.approx(nx.community.modularity(graph, groups, weight=None))


def groups_of(board: Board) -> list[set[int]]:
    groups: dict[str, set[int]] = {}
    for vertex, name in enumerate(board.communities):
        groups.setdefault(name, set()).add(vertex)
    return list(groups.values())


def test_modularity_of_arcs_and_of_each_network() -> None:
    board = random_changing_board(4, directed=True)
    for number, network in enumerate(board.networks):
        graph = nx.DiGraph()
        graph.add_nodes_from(range(board.n_vertices))
        tails = np.repeat(np.arange(board.n_vertices), np.diff(network.successor_start))
        graph.add_edges_from(zip(tails.tolist(), network.successors.tolist(), strict=True))
        if graph.number_of_edges():
            expected = nx.community.modularity(graph, groups_of(board), weight=None)
            assert modularity(board, number) == pytest.approx(expected)


def test_modularity_needs_communities() -> None:
    with pytest.raises(BadBoard, match="karate has no communities"):
        modularity(load_board("karate"))


# Games


@pytest.mark.parametrize("text", ["rewiring:cycle:6,every=2,share=0.4,changes=3,seed=1",
                                  "growth:n=8,m=2,first=4,every=2,step=2,seed=1",
                                  "digraph:n=8,k=2,sinks=2,seed=1"])  # fmt: skip
def test_spread_it_can_be_played_on_them(text: str) -> None:
    game = topple.load("spread-it:players=3", load_board(text), compiled=False)
    source = random.Random(1)
    position = game.start()
    networks = {position.network}
    while not position.is_over:
        position = position.play(source.choice(position.legal_moves()))
        networks.add(position.network)
    assert (len(networks) > 1) == bool(game.board.stages)
    again = board_from_json(board_to_json(game.board))
    assert again.digest == game.board.digest
