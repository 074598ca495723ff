"""Boards from files: every format, every kind of bad input, and noise."""

import json
import os
import random
import re
import socket
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from topple.boards import Board, board_from_json, board_to_json, board_to_networkx, load_board
from topple.boards.files import edge_lists as edge_lists_module
from topple.boards.files import reading as files_module
from topple.boards.files.reading import EDGE_LISTS, MAX_FILE_BYTES, split_file_spec
from topple.core.errors import BadBoard, BadText, ToppleError

GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="t" for="node" attr.name="threshold" attr.type="int"/>
  <key id="s" for="node" attr.name="side" attr.type="string"><default>R</default></key>
  <key id="w" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="directed">
    <node id="ann"><data key="t">2</data><data key="s">L</data></node>
    <node id="bob"/>
    <node id="cid"><data key="s">l</data></node>
    <edge source="ann" target="bob"><data key="w">0.5</data></edge>
    <edge source="bob" target="cid"/>
  </graph>
</graphml>
"""
GML = """graph [
  node [ id 3 label "ann" threshold 2 ]
  node [ id 1 label "bob" ]
  node [ id 2 label "cid" ]
  edge [ source 3 target 1 weight 0.5 ]
  edge [ source 1 target 2 ]
]
"""
GEXF = """<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph>
  <nodes><node id="0" label="ann"/><node id="1" label="bob"/><node id="2" label="cid"/></nodes>
  <edges><edge id="0" source="0" target="1"/><edge id="1" source="1" target="2"/></edges>
</graph></gexf>
"""
CSV = "source,target,weight\nann,bob,0.5\nbob,cid,\n"
TSV = "ann\tbob\t0.5\nbob\tcid\n"
EDGES = "# a comment\nann bob 0.5\nbob cid\n"
NODE_LINK = """{"directed": false,
 "nodes": [{"id": "ann", "threshold": 2}, {"id": "bob"}, {"id": "cid"}],
 "edges": [{"source": "ann", "target": "bob", "weight": 0.5}, {"source": "bob", "target": "cid"}]}
"""
GOOD = {
    ".graphml": GRAPHML,
    ".gml": GML,
    ".csv": CSV,
    ".tsv": TSV,
    ".edges": EDGES,
    ".txt": EDGES,
    ".json": NODE_LINK,
}


@pytest.fixture
def load(tmp_path: Path):
    """Write a file and load it as a board."""

    def write_and_load(name: str, content: str | bytes, options: str = "") -> Board:
        file = tmp_path / name
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return load_board(f"file:{file}{options}")

    return write_and_load


@pytest.fixture
def refuse(load, tmp_path: Path):
    """Write a file, and check that loading it fails with one clear line that names it."""

    def write_and_refuse(name: str, content: str | bytes, reason: str, options: str = "") -> None:
        with pytest.raises(BadBoard, match=re.escape(reason)) as caught:
            load(name, content, options)
        message = str(caught.value)
        assert message.startswith(str(tmp_path / name))
        assert len(message.splitlines()) == 1
        assert len(message) < 600

    return write_and_refuse


# Good files


@pytest.mark.parametrize("ending", GOOD)
def test_every_format_gives_the_same_board(ending: str, load) -> None:
    board = load(f"net{ending}", GOOD[ending])
    assert board.labels == ("ann", "bob", "cid")
    assert board.edges() == [(0, 1), (1, 2)]
    assert board.edge_attributes[0, 1]["weight"] == 0.5
    assert "weight" not in board.edge_attributes.get((1, 2), {})
    assert board.directed == (ending == ".graphml")
    if ending in {".graphml", ".gml", ".json"}:
        assert board.thresholds.tolist()[0] == 2
    assert not board.structural
    assert board_from_json(json.loads(json.dumps(board_to_json(board)))) == board


def test_graphml_sides_and_defaults(load) -> None:
    assert load("net.graphml", GRAPHML).sides == "LRL"


def test_endings_in_capitals_and_byte_order_marks_are_fine(load) -> None:
    assert load("NET.CSV", b"\xef\xbb\xbf" + CSV.encode()).n_vertices == 3
    assert load("net.json", b"\xef\xbb\xbf" + NODE_LINK.encode()).n_vertices == 3


@pytest.mark.parametrize("text", ["karate", "miserables", "tree:n=1,c=2", "ba:n=30,m=2"])
@pytest.mark.parametrize("ending", ["graphml", "gml", "json"])
def test_boards_survive_files_written_by_networkx(text: str, ending: str, tmp_path: Path) -> None:
    board = load_board(text)
    graph = board_to_networkx(board)
    file = tmp_path / f"net.{ending}"
    if ending == "graphml":
        nx.write_graphml(graph, file)
    elif ending == "gml":
        nx.write_gml(graph, file)
    else:
        file.write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
    assert load_board(f"file:{file}") == board


def test_plain_edge_lists_of_networkx_are_read(tmp_path: Path) -> None:
    nx.write_edgelist(nx.cycle_graph(5), tmp_path / "net.edges")
    assert load_board(f"file:{tmp_path / 'net.edges'}").n_edges == 5
    nx.write_weighted_edgelist(nx.karate_club_graph(), tmp_path / "net.txt")
    assert load_board(f"file:{tmp_path / 'net.txt'}").edge_attributes[0, 1] == {"weight": 4.0}


def test_links_is_another_name_for_edges(load) -> None:
    assert load("net.json", NODE_LINK.replace('"edges"', '"links"')).n_edges == 2


def test_header_is_optional_and_columns_may_move(load) -> None:
    assert load("net.csv", "ann,bob\nbob,cid\n").n_edges == 2
    board = load("net.csv", 'Weight,Target,Kind,Source\n2,bob,"a, b",ann\n')
    assert board.labels == ("ann", "bob")
    assert board.edge_attributes[0, 1] == {"weight": 2.0, "kind": "a, b"}
    assert load("net.csv", "from,to\nann,bob\n").labels == ("ann", "bob")


def test_spreadsheet_csv_with_semicolons_quotes_and_blank_lines(load) -> None:
    board = load("net.csv", 'source;target\r\n"Ann; B.";bob\r\n\r\n;\r\nbob;cid\r\n')
    assert board.labels == ("Ann; B.", "bob", "cid")


REAL = "ann,bob,2\nbob,ann,3\nbob,cid,1\nann,bob,2\ncid,cid,4\n"


@pytest.mark.parametrize(
    ("ending", "mark"), [(".csv", ","), (".csv", ";"), (".tsv", "\t"), (".txt", " ")]
)
def test_real_edge_lists_are_merged_and_cleaned_and_this_is_said(
    ending: str, mark: str, load
) -> None:
    board = load(f"net{ending}", REAL.replace(",", mark))
    assert board.edges() == [(0, 1), (1, 2)]
    assert board.edge_attributes == {(0, 1): {"weight": 2.0}, (1, 2): {"weight": 1.0}}
    assert board.notes == ("2 repeated edges were merged, 1 loop dropped.",)


def test_both_directions_are_two_arcs(load) -> None:
    board = load("net.csv", REAL, ",directed=true")
    assert board.edges() == [(0, 1), (1, 0), (1, 2)]
    assert board.notes == ("1 repeated arc was merged, 1 loop dropped.",)
    assert load("net.csv", "a,b\nb,a\n", ",directed=true").notes == ()


def test_a_strict_board_says_so_and_comes_back(load, refuse) -> None:
    board = load("net.csv", CSV, ",strict=true")
    assert board.spec.endswith("net.csv,strict=true")
    assert load_board(board.spec) == board == load("net.csv", CSV)
    refuse("net.csv", REAL, "vertex 'cid' is joined to itself", ",strict=true")
    with pytest.raises(BadText, match="strict=true is for edge lists"):
        load("net.graphml", GRAPHML, ",strict=true")


def test_an_edge_list_of_loops_alone_has_no_edges(refuse) -> None:
    refuse("net.csv", "a,a\nb,b\n", "it has no edges but loops")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("net.csv", "ann;bob;1,5\nbob;cid;2\n"),
        ("net.csv", "# from a spreadsheet\n\nsource;target;weight\nann;bob;1,5\nbob;cid;2\n"),
        ("net.tsv", "ann\tbob\t1,5\nbob\tcid\t2\n"),
        ("net.csv", 'ann,bob,"1,5"\nbob,cid,2\n'),
    ],
)
def test_semicolons_and_decimal_commas_are_read(name: str, text: str, load) -> None:
    board = load(name, text)
    assert board.edge_attributes == {(0, 1): {"weight": 1.5}, (1, 2): {"weight": 2.0}}


@pytest.mark.parametrize(
    "text",
    [
        "person,friend,strength\nann,bob,2\n",
        "id,ego,alter,kind\n1,ann,bob,close\n",
        "ego;alter\n1;2\n2;3\n",
    ],
)
def test_a_header_of_other_names_is_told_what_columns_are_called(text: str, refuse) -> None:
    told = "line 1 looks like a header: call the columns source, target, weight"
    refuse("net.csv", text, told)
    refuse("net.csv", f"# comment\n{text}", told.replace("line 1", "line 2"))


def test_names_that_are_words_are_no_header(load) -> None:
    assert load("net.csv", "hub,1\nhub,2\nhub,3\n").n_vertices == 4
    assert load("net.csv", "ego,alter\nalter,3\n3,ego\n").n_vertices == 3


def test_vertices_keep_file_order_and_neighbours_ascend(load) -> None:
    board = load("net.csv", "z,m\nz,a\na,m\nb,z\n")
    assert board.labels == ("z", "m", "a", "b")
    assert [board.neighbours(v) for v in range(4)] == [[1, 2, 3], [0, 2], [0, 1], [0]]


def test_directed_edge_lists(load) -> None:
    board = load("net.csv", "a,b\nb,a\nc,d\n", ",directed=true")
    assert board.directed
    assert board.edges() == [(0, 1), (1, 0), (2, 3)]
    assert board.spec.endswith("net.csv,directed=true")
    assert load_board(board.spec) == board


def test_largest_component(load) -> None:
    board = load("net.csv", "x,y\na,b\nb,c\n", ",component=largest")
    assert board.labels == ("a", "b", "c")
    assert board.notes
    assert board.spec.endswith("net.csv,component=largest")
    assert load("net.csv", "a,b\n", ",component=largest").notes == ()


def test_labels_come_from_ids_unless_label_tells_all_apart(load) -> None:
    assert load("net.gml", GML.replace('"bob"', '"ann"')).labels == ("3", "1", "2")
    assert load("net.gml", GML.replace('label "bob"', "")).labels == ("3", "1", "2")


@pytest.mark.parametrize(
    "name",
    ["a,b.csv", "a=b.csv", "a:b.csv", "component=largest.csv", "x,component=1.csv", "ü n.csv"],
)
def test_paths_may_hold_the_signs_of_specs(name: str, load) -> None:
    assert load(name, CSV).n_vertices == 3
    assert load(name, CSV, " , component = largest , directed=false").n_vertices == 3


def test_options_are_taken_off_the_end() -> None:
    spec = split_file_spec("file: net.csv , component=largest,directed=true")
    assert spec.values == ("net.csv",)
    assert spec.options == {"component": "largest", "directed": "true"}


def test_a_relative_path_stays_relative(load, monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "net.csv").write_text(CSV)
    monkeypatch.chdir(tmp_path)
    assert load_board("file:net.csv").spec == "file:net.csv"


def test_a_path_is_a_board(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As `topple advise net.csv` takes it, so do `boards show`, `--board` and `topple.load`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for path in ("net.csv", "NET.CSV", "a,b=c.csv", "sub/net.csv", "grid 5x5.csv"):
        (tmp_path / path).write_text(CSV)
        assert load_board(path).spec == f"file:{path}"
        assert load_board(str(tmp_path / path)) == load_board(f"file:{path}")
    assert load_board("net.csv,directed=true").directed
    with pytest.raises(BadText, match="did you mean 'component'"):
        load_board("net.csv,componnent=largest")
    with pytest.raises(BadBoard, match=r"nothing\.csv: there is no such file"):
        load_board("nothing.csv")
    with pytest.raises(BadBoard, match=r"did you mean '\.graphml'"):
        load_board("net.graphm")
    with pytest.raises(BadText, match=r"unknown board 'net\.csv'"):
        load_board("net.csv", files=False)
    with pytest.raises(BadText, match="not allowed here"):
        load_board("file:net.csv", files=False)


def test_the_name_of_a_kind_wins_over_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "karate").write_text(CSV)
    assert load_board("karate").n_vertices == 34
    (tmp_path / "mynet").write_text(CSV)
    with pytest.raises(BadBoard, match="mynet: its name must end in its format"):
        load_board("mynet")
    for text in ("karat", "gird:5x5", "err:p=0.15"):
        with pytest.raises(BadText, match="unknown board"):
            load_board(text)


def test_a_record_names_no_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.csv").write_text(CSV)
    with pytest.raises(BadBoard, match="unknown board"):
        board_from_json("net.csv")


# Bad paths and options


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(BadBoard, match="there is no such file"):
        load_board(f"file:{tmp_path / 'none.csv'}")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(BadBoard, match="it is a folder"):
        load_board(f"file:{tmp_path / 'folder.csv'}")
    with pytest.raises(BadBoard, match="must end in its format"):
        load_board(f"file:{tmp_path}")


def test_an_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "net.csv"
    file.write_text(CSV)

    def deny(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", deny)
    with pytest.raises(BadBoard, match=r"cannot be read: Permission denied"):
        load_board(f"file:{file}")


def test_pipes_and_sockets_are_not_opened(tmp_path: Path, monkeypatch) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(BadBoard, match="not a plain file"):
        load_board(f"file:{tmp_path / 'pipe.csv'}")
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.csv")
        with pytest.raises(BadBoard, match="not a plain file"):
            load_board("file:s.csv")


@pytest.mark.parametrize("path", ["x" * 3000 + ".csv", "a/" * 1500 + "b.csv"])
def test_paths_that_no_file_can_have(path: str) -> None:
    with pytest.raises(BadBoard):
        load_board(f"file:{path}")


def test_unknown_endings_name_the_valid_ones(load) -> None:
    with pytest.raises(BadBoard, match=r"did you mean '\.graphml'"):
        load("net.graphm", GRAPHML)
    with pytest.raises(BadBoard, match=r"\.graphml, \.gexf, \.gml, \.json, \.csv"):
        load("net.xyzzy", GRAPHML)
    with pytest.raises(BadBoard, match="its name must end in its format"):
        load("net", CSV)
    with pytest.raises(BadBoard, match="unknown ending"):
        load("net.pickle", b"\x80\x04.")


def test_bad_options_are_explained(load) -> None:
    for option, message in [
        (",component=biggest", "unknown component 'biggest'"),
        (",directed=maybe", "neither true nor false"),
        (",component=all,component=all", "twice"),
    ]:
        with pytest.raises(BadText, match=message):
            load("net.csv", CSV, option)
    for option in (",componnent=largest", ",component=largest,componnent=largest"):
        with pytest.raises(BadText, match="did you mean 'component'"):
            load("net.csv", CSV, option)
    with pytest.raises(BadText, match="says so itself"):
        load("net.gml", GML, ",directed=true")


# Bad content


@pytest.mark.parametrize("ending", GOOD)
def test_empty_files(ending: str, refuse) -> None:
    refuse(f"net{ending}", b"", "it is empty")
    refuse(f"net{ending}", " \n\t\n", "it is empty")


@pytest.mark.parametrize("ending", GOOD)
def test_binary_garbage_and_wrong_encodings(ending: str, refuse) -> None:
    refuse(f"net{ending}", bytes(range(256)), "not UTF-8 text")
    refuse(f"net{ending}", GOOD[ending].encode("utf-16"), "not UTF-8 text")
    refuse(f"net{ending}", GOOD[ending].replace("ann", "Zoë").encode("latin-1"), "not UTF-8 text")
    refuse(f"net{ending}", "a\0b " + GOOD[ending], "zero bytes")


@pytest.mark.parametrize("ending", [".graphml", ".gml", ".json"])
def test_truncated_files(ending: str, refuse) -> None:
    text = GOOD[ending].strip()
    for end in (1, len(text) // 3, len(text) // 2, len(text) - 1):
        refuse(f"net{ending}", text[:end], "it is not")


@pytest.mark.parametrize(
    ("ending", "content", "reason"),
    [
        (".graphml", "hello", "not a GraphML graph"),
        (".graphml", "<html><body/></html>", "not a GraphML graph"),
        (".graphml", GML, "not a GraphML graph"),
        (".gml", GRAPHML, "not a GML graph"),
        (".gml", "hello", "not a GML graph"),
        (".gml", "graph 3", "not a GML graph"),
        (".gml", "a 1 b 2", "not a GML graph"),
        (".json", "[1, 2]", "not a node-link graph"),
        (".json", '"text"', "not a node-link graph"),
        (".json", "{}", "not a node-link graph"),
        (".json", "hello", "not JSON"),
        (".json", '{"nodes": [], "edges": 3}', 'no list of "edges"'),
        (".json", '{"nodes": [], "edges": []}', "no vertices"),
        (".json", '{"nodes": [{}], "edges": []}', 'has no "id"'),
        (".json", '{"nodes": [{"id": [1]}], "edges": []}', "text or a whole number"),
        (".json", '{"nodes": [{"id": 1}, {"id": 1}], "edges": []}', "two nodes have the id"),
        (".json", '{"nodes": [{"id": 1}], "edges": [{"source": 1}]}', 'no "target"'),
        (".json", '{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 2}]}', "no node"),
        (".json", '{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": {}}]}', "no node"),
        (".json", '{"nodes": [{"id": 1}], "edges": [], "directed": 1}', "true or false"),
        (".csv", "source,target\n", "no edge"),
        (".csv", "ann\nbob\n", "line 1 has one column"),
        (".csv", "ann,bob\nbob,\n", "line 2 lacks a source or a target"),
        (".csv", "a,b,1,2\n", "line 1 has 4 columns"),
        (".csv", 'a,b\n"c,d\n', "line"),
        (".csv", 'a,b\n"c"x,d\n', "line 2"),
        (".csv", "a,b\n" + "c" * 200_000 + ",d\n", "line 2"),
        (".txt", "ann bob\nbob ann cid\n", "the weight 'cid' is not a number"),
        (".txt", "a b {'weight': 3}\n", "columns"),
        (".tsv", "a,b\n", "line 1 has one column"),
        (".graphml", GRAPHML.replace(' id="bob"', ""), "no id"),
        (".graphml", GRAPHML.replace(' source="ann"', ""), "no id"),
        (".graphml", GRAPHML.replace(">2<", ">two<"), "not a GraphML graph"),
        (".graphml", GRAPHML.replace('key="w"', 'key="q"'), "not a GraphML graph"),
        (".gml", GML.replace("source 3", "source 9"), "not a GML graph"),
    ],
)
def test_things_that_are_not_graphs(ending: str, content: str, reason: str, refuse) -> None:
    refuse(f"net{ending}", content, reason)


@pytest.mark.parametrize(
    ("ending", "content"),
    [
        (".graphml", GRAPHML.replace('target="cid"', 'target="cod"')),
        (".graphml", GRAPHML.replace('"directed"', '"undirected"').replace('"cid"/', '"cod"/')),
        (".gexf", GEXF.replace('target="2"', 'target="cod"')),
        (".json", NODE_LINK.replace('"target": "cid"', '"target": "cod"')),
    ],
)
def test_an_edge_to_an_unknown_node_names_the_node(ending: str, content: str, refuse) -> None:
    assert "cod" in content
    refuse(f"net{ending}", content, "edge number 2: there is no node 'cod'")


def test_a_file_of_edges_alone_is_read(load) -> None:
    text = re.sub(r"<node .*?(?:/>|</node>)", "", GRAPHML)
    assert load("net.graphml", text).labels == ("ann", "bob", "cid")


@pytest.mark.parametrize(
    ("ending", "old", "new"),
    [
        (".graphml", 'source="bob" target="cid"', 'source="bob" target="bob"'),
        (".gml", "source 1 target 2", "source 1 target 1"),
        (".csv", "bob,cid", "bob,bob"),
        (".tsv", "bob\tcid", "bob\tbob"),
        (".txt", "bob cid", "bob bob"),
        (".json", '"bob", "target": "cid"', '"bob", "target": "bob"'),
    ],
)
def test_self_loops_name_the_vertex(ending: str, old: str, new: str, refuse) -> None:
    options = ",strict=true" if ending in EDGE_LISTS else ""
    refuse(
        f"net{ending}", GOOD[ending].replace(old, new), "vertex 'bob' is joined to itself", options
    )


EDGE_BOB_CID = '<edge source="bob" target="cid"/>'


@pytest.mark.parametrize(
    ("ending", "old", "new", "reason"),
    [
        (".graphml", EDGE_BOB_CID, EDGE_BOB_CID * 2, "arc 'bob' → 'cid' occurs more than once"),
        (
            ".graphml",
            EDGE_BOB_CID,
            EDGE_BOB_CID.replace("/>", ' id="e"/>') * 2,
            "parallel edges with the same id",
        ),
        (".gml", "edge [ source 1", "edge [ source 2 target 1 ] edge [ source 1", "duplicated"),
        (
            ".gml",
            "node [ id 3",
            "multigraph 1 edge [ source 2 target 1 ] node [ id 3",
            "'bob' – 'cid' occurs more than once",
        ),
        (".csv", "bob,cid,", "bob,cid,\nbob,cid,", "edge 'bob' – 'cid' occurs more than once"),
        (".csv", "bob,cid,", "bob,cid,\ncid,bob,", "edge 'cid' – 'bob' occurs more than once"),
        (
            ".json",
            '"edges": [',
            '"edges": [{"source": "cid", "target": "bob"},',
            "'bob' – 'cid' occurs more than once",
        ),
    ],
)
def test_parallel_edges_are_named(ending: str, old: str, new: str, reason: str, refuse) -> None:
    options = ",strict=true" if ending in EDGE_LISTS else ""
    refuse(f"net{ending}", GOOD[ending].replace(old, new), reason, options)


def test_several_components_name_the_largest_and_the_way_out(refuse) -> None:
    refuse(
        "net.csv",
        "x,y\na,b\nb,c\np,q\n",
        "the graph has 3 components; the largest has 3 of its 7 vertices, 'a' among them: "
        "component=largest selects it",
    )


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("0", "vertex 'ann' has threshold 0"),
        ("-1", "vertex 'ann' has threshold -1"),
        ("1.5", "not a whole number"),
        ('"many"', "not a whole number"),
        ("true", "not a whole number"),
        ("[2]", "not a whole number"),
        ("1e999", "not a whole number"),
        ("99999999999", "must be between 1 and 1,000,000,000"),
    ],
)
def test_bad_thresholds(value: str, reason: str, refuse) -> None:
    refuse("net.json", NODE_LINK.replace('"threshold": 2', f'"threshold": {value}'), reason)


def test_bad_sides(refuse) -> None:
    refuse("net.graphml", GRAPHML.replace(">l<", ">Left<"), "vertex 'cid' has side 'Left'")
    refuse(
        "net.graphml",
        GRAPHML.replace("<default>R</default>", ""),
        "1 of 3 vertices have no side, such as 'bob'",
    )
    refuse("net.json", NODE_LINK.replace('"threshold": 2', '"side": 3'), "write L or R")


@pytest.mark.parametrize("weight", ["nan", "inf", "-Infinity", "1e999", "heavy"])
def test_weights_must_be_numbers(weight: str, refuse) -> None:
    refuse("net.csv", CSV.replace("0.5", weight), "line 2: the weight")
    refuse("net.txt", EDGES.replace("0.5", weight), "line 2: the weight")


def test_weights_must_be_finite_in_every_format(refuse) -> None:
    refuse("net.graphml", GRAPHML.replace("0.5", "NaN"), "weight=nan")
    refuse("net.graphml", GRAPHML.replace("0.5", "1e999"), "weight=inf")
    refuse("net.gml", GML.replace("0.5", "NAN"), "weight=nan")
    refuse("net.gml", GML.replace("0.5", "+INF"), "weight=inf")
    refuse("net.json", NODE_LINK.replace("0.5", "NaN"), "NaN is not a number")
    refuse("net.json", NODE_LINK.replace("0.5", "1e999"), "weight=inf")


def test_labels_must_be_short_and_plain(refuse) -> None:
    refuse("net.json", NODE_LINK.replace("ann", "a\\u001b[1m"), "control character")
    refuse("net.json", NODE_LINK.replace("ann", "a\\nb"), "control character")
    refuse("net.json", NODE_LINK.replace("ann", "\\ud800"), "control character")
    refuse("net.json", NODE_LINK.replace("ann", " "), "empty label")
    refuse("net.json", NODE_LINK.replace('"bob"', '" ann"'), "two vertices are called 'ann'")
    refuse("net.csv", CSV.replace("ann", "a" * 81), "longer than 80 characters")
    refuse("net.csv", '"a\nb",c\n', "control character")
    refuse("net.txt", "a\x07 b\n", "control character")


# Too large


def test_large_files_are_not_read(refuse, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_FILE_BYTES == 64 * 1024 * 1024
    monkeypatch.setattr(files_module, "MAX_FILE_BYTES", 1024 * 1024)
    refuse("net.csv", b"a,b\n" * 300_000, "larger than 1 MiB")


def test_a_long_list_is_given_up_early(refuse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_lists_module, "MAX_EDGES", 1000)
    lines = [f"a,{v}" for v in range(1001)]
    refuse("net.csv", "\n".join([*lines, "not,an,edge,at,all"]), "more than 1,000 edges")
    monkeypatch.setattr(edge_lists_module, "MAX_VERTICES", 500)
    refuse("net.csv", "\n".join(lines), "more than 500 vertices")


def test_too_many_vertices_in_every_format(refuse) -> None:
    many = range(100_001)
    refuse("net.txt", "".join(f"a {v}\n" for v in many), "too many")
    nodes = ",".join(f'{{"id":{v}}}' for v in many)
    refuse("net.json", f'{{"nodes": [{nodes}], "edges": []}}', "too many")
    body = "".join(f'<node id="{v}"/>' for v in many)
    refuse("net.graphml", re.sub(r"<node.*</node>", body, GRAPHML, flags=re.DOTALL), "too many")


def test_too_many_values_are_refused_before_parsing(refuse) -> None:
    refuse("net.json", "[" * 5_000_000, "too many values")
    refuse("net.graphml", "<" * 9_000_000, "too many tags")


# Attacks


BOMB = """<?xml version="1.0"?>
<!DOCTYPE graphml [
 <!ENTITY a "aaaaaaaaaa">
 <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
 <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<graphml><graph><node id="&c;"/></graph></graphml>
"""


@pytest.mark.parametrize(
    "content",
    [
        BOMB,
        BOMB.replace("<!DOCTYPE", "<!doctype"),
        BOMB.replace("<!DOCTYPE", "<! DOCTYPE"),
        '<!DOCTYPE graphml SYSTEM "file:///etc/hostname"><graphml/>',
        '<!ENTITY x SYSTEM "file:///etc/hostname">' + GRAPHML,
        "<!-- <!DOCTYPE x> -->" + GRAPHML,
    ],
)
def test_document_types_and_entities_are_refused_before_parsing(
    content: str, refuse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nx, "parse_graphml", pytest.fail)
    refuse("net.graphml", content, "declares a document type or entities")


def test_a_declared_encoding_cannot_hide_a_document_type(refuse) -> None:
    hidden = BOMB.replace("<!DOCTYPE", "+ADwAIQ-DOCTYPE").replace("<!ENTITY", "+ADwAIQ-ENTITY")
    hidden = hidden.replace('"1.0"?>', '"1.0" encoding="UTF-7"?>', 1)
    refuse("net.graphml", hidden, "not a GraphML graph")
    refuse("net.graphml", b"\xff\xfe" + BOMB.encode("utf-16-le"), "not UTF-8")


def test_undeclared_entities_are_refused(refuse) -> None:
    refuse("net.graphml", GRAPHML.replace("ann", "&ann;"), "not a GraphML graph")


@pytest.mark.parametrize("depth", [2_000, 200_000])
def test_absurd_nesting(depth: int, refuse) -> None:
    refuse("net.json", "[" * depth + "]" * depth, "net.json: it")
    refuse("net.json", '{"nodes":' * depth + "1" + "}" * depth, "net.json: it")
    refuse("net.gml", "graph [ " * depth + "]" * depth, "not a GML graph")
    refuse("net.graphml", "<a>" * depth + "</a>" * depth, "not a GraphML graph")


def test_numbers_of_absurd_length(refuse) -> None:
    digits = "9" * 100_000
    refuse("net.json", NODE_LINK.replace(": 2}", f": {digits}}}"), "not JSON")
    refuse("net.gml", GML.replace("threshold 2", f"threshold {digits}"), "not a GML graph")
    refuse("net.graphml", GRAPHML.replace(">2<", f">{digits}<"), "not a GraphML graph")
    refuse("net.csv", CSV.replace("0.5", digits), "not a number")


def test_pickles_are_never_loaded(refuse, tmp_path: Path) -> None:
    # A protocol 0 pickle is plain text, and would run a command if it were loaded.
    target = tmp_path / "made"
    pickle = f"cos\nsystem\n(S'touch {target}'\ntR."
    for ending in GOOD:
        with pytest.raises(BadBoard):
            refuse_any(tmp_path / f"net{ending}", pickle)
    assert not target.exists()


def refuse_any(file: Path, content: str) -> None:
    file.write_text(content)
    load_board(f"file:{file}")


# Noise


def check_noise(file: Path, content: bytes) -> None:
    """Whatever is in the file: a board, or one clear line."""
    file.write_bytes(content)
    for options in ("", ",component=largest"):
        try:
            board = load_board(f"file:{file}{options}")
        except ToppleError as error:
            check_message(error, file)
        else:
            assert board_from_json(board_to_json(board)) == board


def check_message(error: ToppleError, file: Path) -> None:
    assert len(str(error).splitlines()) == 1
    assert file.name in str(error)


NOISE = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.mark.parametrize("ending", GOOD)
@NOISE
@given(content=st.one_of(st.binary(max_size=300), st.text(max_size=200).map(str.encode)))
def test_random_bytes_raise_only_topple_errors(ending: str, content: bytes, tmp_path: Path) -> None:
    check_noise(tmp_path / f"net{ending}", content)


@st.composite
def mutations(draw: st.DrawFn) -> list[tuple[str, float, bytes]]:
    """Some edits: what is done, where (as a share of the length), and with what."""
    edit = st.tuples(
        st.sampled_from(["cut", "insert", "replace", "repeat", "drop"]),
        st.floats(0, 1),
        st.one_of(
            st.binary(max_size=4),
            st.sampled_from([b'"', b"<", b">", b"[", b"]", b"{", b"}", b",", b"\n", b"-1", b"nan"]),
            st.sampled_from([b"1e999", b"null", b"true", b"side", b"threshold", b"&lt;", b"\0"]),
        ),
    )
    return draw(st.lists(edit, min_size=1, max_size=6))


def mutate(content: bytes, edits: list[tuple[str, float, bytes]]) -> bytes:
    for kind, share, piece in edits:
        at = int(share * len(content))
        if kind == "cut":
            content = content[:at]
        elif kind == "insert":
            content = content[:at] + piece + content[at:]
        elif kind == "replace":
            content = content[:at] + piece + content[at + len(piece) :]
        elif kind == "repeat":
            content = content[:at] + content[at // 2 : at] + content[at:]
        else:
            content = content[:at] + content[at + 1 + len(piece) * 5 :]
    return content


@pytest.mark.parametrize("ending", GOOD)
@NOISE
@given(edits=mutations())
@example(edits=[("cut", 0.5, b"")])
def test_damaged_files_raise_only_topple_errors(
    ending: str, edits: list[tuple[str, float, bytes]], tmp_path: Path
) -> None:
    check_noise(tmp_path / f"net{ending}", mutate(GOOD[ending].encode(), edits))


@pytest.mark.parametrize("ending", GOOD)
def test_swapped_words_raise_only_topple_errors(ending: str, tmp_path: Path) -> None:
    source = random.Random(ending)
    words = re.split(r"(\W+)", GOOD[ending])
    for _ in range(150):
        mixed = list(words)
        for _ in range(source.randint(1, 6)):
            one, other = source.randrange(len(mixed)), source.randrange(len(mixed))
            mixed[one], mixed[other] = mixed[other], mixed[one]
        check_noise(tmp_path / f"net{ending}", "".join(mixed).encode())


@pytest.mark.parametrize("ending", ["gml", "graphml"])
def test_a_million_vertices_are_refused_before_they_are_parsed(tmp_path: Path, ending: str) -> None:
    node = {"gml": "node [ id {} ]", "graphml": '<node id="{}"/>'}[ending]
    path = tmp_path / f"large.{ending}"
    path.write_text("graph [" + "\n".join(node.format(i) for i in range(200_000)) + "]")
    with pytest.raises(BadBoard, match="more than 100,000 vertices are too many"):
        load_board(f"file:{path}")
