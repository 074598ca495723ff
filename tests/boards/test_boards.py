"""Boards by name: structure, order, seeds, round trips, places and pictures."""

import json
import random
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topple.boards import (
    BOARDS,
    Board,
    board_from_json,
    board_from_networkx,
    board_to_json,
    board_to_networkx,
    load_board,
    spring_places,
)
from topple.boards.board import MAX_EDGES, MAX_VERTICES, make_board
from topple.boards.kinds.random_networks import LimitedRandom, TooManyDrawsError
from topple.core.errors import BadBoard, BadText, ToppleError
from topple.present.boards.drawing import draw_board, picture

NAMED = [
    "grid:5x5",
    "grid:1x2",
    "grid:2x30",
    "torus:3x3",
    "torus:4x5",
    "hex:1",
    "hex:5",
    "infexion:3",
    "infexion:7",
    "path:9",
    "cycle:9",
    "star:9",
    "complete:6",
    "segment:17",
    "segment:1",
    "segment:10+17",
    "segment:5p+17p",
    "ring:12",
    "tree:n=2,c=4",
    "tree:n=0,c=1,copies=3",
    "ba:n=24,m=3,seed=1",
    "ws:n=24,k=4,p=0.1,seed=1",
    "er:n=24,p=0.15,seed=1",
    "er:n=24,m=70,seed=1",
    "lfr:n=250,seed=1",
    "karate",
    "miserables",
    "florentine",
    "davis",
    "random-digraph:n=40,m=80,seed=1",
    "sbm:n=24,communities=3,p_in=0.5,p_out=0.1,seed=1",
    "digraph:n=24,k=3,sinks=4,seed=3",
    "eulerian:n=24,k=3,seed=1",
    "rewiring:base=karate,every=10,share=0.1,changes=3,seed=1",
    'rewiring:base="eulerian:n=12,k=2,seed=1",every=5,share=0.3,changes=4,degrees=true,seed=1',
    "growth:n=24,m=3,first=8,every=2,step=4,seed=1",
]
RANDOM = [text for text in NAMED if "seed=" in text]


@pytest.fixture(scope="module", params=NAMED)
def board(request: pytest.FixtureRequest) -> Board:
    """Every kind of board but files."""
    return load_board(request.param)


def adjacency(board: Board) -> list[list[int]]:
    """Successors read from the arrays by hand."""
    start, flat = board.successor_start.tolist(), board.successors.tolist()
    return [flat[start[v] : start[v + 1]] for v in range(len(start) - 1)]


def check_message(error: ToppleError) -> None:
    """One line that is not empty."""
    assert str(error).strip()
    assert len(str(error).splitlines()) == 1


def names(board: Board, label: str) -> list[str]:
    return [board.labels[v] for v in board.neighbours(board.vertex_of[label])]


# What holds for every board


def test_every_kind_is_tested() -> None:
    assert {text.partition(":")[0] for text in NAMED} == set(BOARDS) - {"file", "snapshots"}


def test_arrays_are_consistent_int32_and_read_only(board: Board) -> None:
    n = board.n_vertices
    arrays = (
        board.successor_start,
        board.successors,
        board.predecessor_start,
        board.predecessors,
        board.thresholds,
    )
    for array in arrays:
        assert array.dtype == np.int32
        assert not array.flags.writeable
    assert len(board.successor_start) == len(board.predecessor_start) == n + 1
    assert board.successor_start[-1] == len(board.successors) == len(board.predecessors)
    assert len(board.thresholds) == n
    assert min(board.thresholds) >= 1
    assert len(set(board.labels)) == n


def test_predecessors_mirror_successors(board: Board) -> None:
    arcs = {(v, u) for v, each in enumerate(adjacency(board)) for u in each}
    start, flat = board.predecessor_start.tolist(), board.predecessors.tolist()
    back = {(u, v) for v in range(board.n_vertices) for u in flat[start[v] : start[v + 1]]}
    assert arcs == back
    if not board.directed:
        assert arcs == {(u, v) for v, u in arcs}


def test_boards_are_simple_and_undirected_ones_connected(board: Board) -> None:
    for vertex, each in enumerate(adjacency(board)):
        assert len(set(each)) == len(each)
        assert vertex not in each
    graph = nx.DiGraph() if board.directed else nx.Graph()
    graph.add_nodes_from(range(board.n_vertices))
    graph.add_edges_from(board.edges())
    assert graph.number_of_edges() == board.n_edges
    if not board.directed:
        for network in board.stages:  # a board that grows is connected at last
            starts = network.successor_start.tolist()
            flat = network.successors.tolist()
            for v in range(board.n_vertices):
                graph.add_edges_from((v, u) for u in flat[starts[v] : starts[v + 1]])
        assert nx.is_connected(graph)


def test_neighbours_of_networks_ascend(board: Board) -> None:
    if board.form == "network":
        assert all(each == sorted(each) for each in adjacency(board))


def test_thresholds_are_the_degree(board: Board) -> None:
    assert board.thresholds.tolist() == [max(len(each), 1) for each in adjacency(board)]


def test_sides_are_one_letter_per_vertex(board: Board) -> None:
    for_influence = ("segment", "ring", "tree", "random-digraph")
    has_sides = board.spec.startswith(for_influence)
    assert len(board.sides) == (board.n_vertices if has_sides else 0)
    assert set(board.sides) <= {"L", "R"}


def test_the_spec_makes_the_board_again(board: Board) -> None:
    again = load_board(board.spec)
    assert again == board
    assert again.spec == board.spec
    assert again.digest == board.digest
    assert hash(again) == hash(board)


def test_places_are_finite_apart_and_repeatable(board: Board) -> None:
    places = board.coordinates
    assert places.shape == (board.n_vertices, 2)
    assert np.isfinite(places).all()
    assert not places.flags.writeable
    assert len({tuple(place) for place in places.round(6).tolist()}) == board.n_vertices
    assert np.array_equal(places, load_board(board.spec).coordinates)


def test_json_round_trip(board: Board) -> None:
    data = json.loads(json.dumps(board_to_json(board)))
    assert isinstance(data, str) == board.structural
    again = board_from_json(data)
    assert again == board
    assert again.spec == board.spec
    assert again.structural == board.structural
    assert again.communities == board.communities


def test_networkx_round_trip_keeps_what_a_game_sees(board: Board) -> None:
    again = board_from_networkx(board_to_networkx(board), board.spec)
    assert again.labels == board.labels
    assert again.sides == board.sides
    assert again.thresholds.tolist() == board.thresholds.tolist()
    assert adjacency(again) == [sorted(each) for each in adjacency(board)]
    if not board.stages:  # the attributes of an edge that comes later are kept as well
        assert dict(again.edge_attributes) == dict(board.edge_attributes)
    if board.form == "network":
        assert again == board


# The kinds


def test_grid_matches_plain_adjacency() -> None:
    board = load_board("grid:3x4")
    assert (board.rows, board.columns, board.form) == (3, 4, "squares")
    for row in range(3):
        for column in range(4):
            beside = [(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)]
            expected = [r * 4 + c for r, c in beside if 0 <= r < 3 and 0 <= c < 4]
            assert board.neighbours(row * 4 + column) == expected
    assert board.labels[0] == "a1"
    assert board.labels[-1] == "d3"
    assert board.coordinates[board.vertex_of["d2"]].tolist() == [3.0, 1.0]


def test_grid_order_is_left_right_up_down() -> None:
    assert names(load_board("grid:5x5"), "c3") == ["b3", "d3", "c2", "c4"]
    assert names(load_board("torus:5x5"), "a1") == ["e1", "b1", "a5", "a2"]


def test_columns_go_on_after_z() -> None:
    assert load_board("grid:2x30").labels[25:28] == ("z1", "aa1", "ab1")


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("grid:5", "grid:5x5"),
        ("grid", "grid:5x5"),
        ("torus:4", "torus:4x4"),
        ("hex", "hex:11"),
        ("infexion", "infexion:7"),
        ("path:n=4", "path:4"),
        (" ba : n = 24 ", "ba:n=24,m=3,seed=1"),
        ("er:n=24", "er:n=24,p=0.15,seed=1"),
        ("segment:005p + 7", "segment:5p+7"),
        ("tree:n=1,c=2", "tree:n=1,c=2,copies=1"),
    ],
)
def test_short_forms_are_written_out(short: str, long: str) -> None:
    if long.startswith("er"):
        assert load_board(short).spec.startswith("er:n=24,p=0.15,seed=")
    else:
        assert load_board(short).spec == long


def test_torus_has_four_neighbours_everywhere() -> None:
    assert set(load_board("torus:3x5").degrees.tolist()) == {4}


def test_hex_neighbours_and_order() -> None:
    board = load_board("hex:11")
    assert names(board, "b2") == ["a2", "c2", "b1", "b3", "c1", "a3"]
    assert names(board, "a1") == ["b1", "a2"]
    assert names(board, "k1") == ["j1", "k2", "j2"]
    assert board.n_edges == 320
    # Each row is half a cell further right, so touching cells are one unit apart.
    for tail, head in board.edges():
        assert np.linalg.norm(board.coordinates[tail] - board.coordinates[head]) == pytest.approx(1)


@pytest.mark.parametrize("n", range(3, 11))
def test_infexion_has_six_different_neighbours(n: int) -> None:
    board = load_board(f"infexion:{n}")
    directions = [(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)]
    for r in range(n):
        for q in range(n):
            expected = [(r + dr) % n * n + (q + dq) % n for dr, dq in directions]
            assert board.neighbours(r * n + q) == expected
            assert len(set(expected)) == 6
            assert board.labels[r * n + q] == f"{r}-{q}"
    assert (board.rows, board.columns, board.form) == (n, n, "hexes")


@pytest.mark.parametrize(
    ("text", "graph"),
    [
        ("path:9", nx.path_graph(9)),
        ("cycle:9", nx.cycle_graph(9)),
        ("star:9", nx.star_graph(8)),
        ("complete:6", nx.complete_graph(6)),
    ],
)
def test_plain_shapes(text: str, graph: nx.Graph) -> None:
    board = load_board(text)
    assert adjacency(board) == [sorted(graph[v]) for v in range(len(graph))]
    assert board.labels == tuple(str(v + 1) for v in range(len(graph)))


@pytest.mark.parametrize("text", ["1", "2", "5", "5p", "8", "10+17", "5p+17p", "3+3p+4"])
def test_segments_follow_the_definition(text: str) -> None:
    board = load_board(f"segment:{text}")
    start = 0
    expected = set()
    for part in text.split("+"):
        length = int(part.rstrip("p"))
        sides = board.sides[start : start + length]
        assert all(one != other for one, other in pairwise(sides))
        surplus = sides.count("L") - sides.count("R")
        assert surplus == (0 if length % 2 == 0 else 1 if part.endswith("p") else -1)
        for v in range(start, start + length - 1):
            expected.add((v, v + 1) if board.sides[v] == "L" else (v + 1, v))
        start += length
    assert set(board.edges()) == expected
    assert board.labels == tuple(str(v + 1) for v in range(start))
    assert all(board.sides[tail] + board.sides[head] == "LR" for tail, head in expected)
    assert len(set(board.coordinates[:, 1].tolist())) == len(text.split("+"))


def test_ring_closes_an_even_segment() -> None:
    segment, ring = load_board("segment:12"), load_board("ring:12")
    assert ring.sides == segment.sides
    assert set(ring.edges()) - set(segment.edges()) == {(11, 0)}


@pytest.mark.parametrize(("n", "c", "copies"), [(0, 1, 1), (1, 2, 1), (2, 4, 1), (2, 4, 2)])
def test_trees_follow_the_paper(n: int, c: int, copies: int) -> None:
    board = load_board(f"tree:n={n},c={c},copies={copies}")
    assert board.n_vertices == copies * ((3 ** (n + 1) - 1) // 2 + c * 3**n)
    assert board.sides.count("R") == copies * c * 3**n
    degrees = board.degrees.tolist()
    assert sorted(degrees, reverse=True).count(0) == copies * c * 3**n
    graph = nx.DiGraph(board.edges())
    roots = [v for v in graph if graph.in_degree(v) == 0]
    assert len(roots) == copies
    for root in roots:
        level = nx.single_source_shortest_path_length(graph, root)
        for vertex, depth in level.items():
            assert degrees[vertex] == (3 if depth < n else c if depth == n else 0)
            assert board.sides[vertex] == ("R" if depth == n + 1 else "L")


@pytest.mark.parametrize(
    ("text", "graph"),
    [
        ("ba:n=24,m=3,seed=1", nx.barabasi_albert_graph(24, 3, seed=1)),
        ("ws:n=24,k=4,p=0.1,seed=1", nx.watts_strogatz_graph(24, 4, 0.1, seed=1)),
        ("er:n=24,p=0.3,seed=1", nx.fast_gnp_random_graph(24, 0.3, seed=1)),
        ("er:n=24,m=70,seed=1", nx.gnm_random_graph(24, 70, seed=1)),
        ("er:n=9,m=30,seed=1", nx.dense_gnm_random_graph(9, 30, seed=1)),
    ],
)
def test_random_networks_are_those_of_networkx(text: str, graph: nx.Graph) -> None:
    board = load_board(text)
    assert board.spec == text
    assert adjacency(board) == [sorted(graph[v]) for v in range(len(graph))]
    assert not board.structural
    assert board.notes == ()


def test_an_unconnected_draw_takes_the_next_seed_and_says_so() -> None:
    board = load_board("er:n=40,p=0.07,seed=1")
    used = int(board.spec.rpartition("=")[2])
    assert used > 1
    assert board.spec == f"er:n=40,p=0.07,seed={used}"
    assert board.notes == (f"Seed 1 gives no connected network; seed {used} was used.",)
    for seed in range(1, used):
        assert not nx.is_connected(nx.fast_gnp_random_graph(40, 0.07, seed=seed))


def test_lfr_carries_all_options_and_no_loops() -> None:
    board = load_board("lfr:n=250,seed=1")
    assert re.fullmatch(
        r"lfr:n=250,tau1=3,tau2=1.5,mu=0.1,average_degree=5,min_community=20,seed=\d+", board.spec
    )
    more = load_board("lfr:n=250,max_community=60,max_degree=40,seed=1")
    assert "max_degree=40,max_community=60" in more.spec


@pytest.mark.parametrize("text", RANDOM)
def test_other_seeds_give_other_boards(text: str) -> None:
    # Far apart, so that neither is reached from the other by trying on.
    assert load_board(re.sub(r"seed=\d+$", "seed=5000", text)) != load_board(text)


def test_global_random_state_does_not_matter() -> None:
    random.seed(1)
    np.random.seed(1)
    first = [load_board(text).digest for text in RANDOM]
    state = random.getstate()
    random.seed(2)
    np.random.seed(2)
    assert [load_board(text).digest for text in RANDOM] == first
    random.setstate(state)


def test_digests_do_not_change_between_releases() -> None:
    # A change here makes every stored record of these boards unreadable.
    known = {
        "grid:5x5": "bd5e719b5a1e9c39",
        "hex:11": "e4f1bd4fd5146be1",
        "infexion:7": "8d0f82a13a1ac6de",
        "segment:5p+17p": "da5dd4f413595adc",
        "tree:n=2,c=4": "4cbd07a8f8335574",
        "ba:n=24,m=3,seed=1": "745a4ad297709090",
        "lfr:n=250,seed=1": "41de9258d3e17a6a",
        "karate": "0e1be483ec447471",
        "random-digraph:n=40,m=80,seed=1": "274966908d83d349",
    }
    assert {text: load_board(text).digest for text in known} == known


def test_large_random_networks_are_quick_to_make() -> None:
    assert load_board("ba:n=30000,m=3").n_vertices == 30_000
    assert load_board("er:n=30000,p=0.0005").n_vertices == 30_000


def test_datasets_keep_names_and_weights() -> None:
    karate = load_board("karate")
    assert karate.labels == tuple(str(v) for v in range(1, 35))
    assert karate.n_edges == 78
    assert karate.edge_attributes[0, 1] == {"weight": 4}
    miserables = load_board("miserables")
    assert {"Valjean", "Javert"} <= set(miserables.labels)
    edge = sorted([miserables.vertex_of["Valjean"], miserables.vertex_of["Cosette"]])
    assert miserables.edge_attributes[edge[0], edge[1]] == {"weight": 31}
    assert "Medici" in load_board("florentine").labels
    assert "Evelyn Jefferson" in load_board("davis").labels


def test_bounded_randomness_is_that_of_the_standard_library() -> None:
    limited, plain = LimitedRandom(7), random.Random(7)
    for _ in range(50):
        assert limited.choice(range(1000)) == plain.choice(range(1000))
        assert limited.random() == plain.random()
    limited.draws_left = 3
    with pytest.raises(TooManyDrawsError):
        limited.sample(range(1000), 10)


def test_random_digraph_has_both_sides_and_no_opposite_copies() -> None:
    for seed in range(20):
        board = load_board(f"random-digraph:n=2,m=2,seed={seed}")
        assert set(board.sides) == {"L", "R"}
        assert set(board.edges()) == {(0, 1), (1, 0)}


# Bad specs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gird:5x5", "did you mean 'grid'"),
        ("Grid:5x5", "did you mean 'grid'"),
        ("", "names no board"),
        (":5", "names no board"),
        ("grid:", "empty part"),
        ("grid:5x5,5", "too much for grid"),
        ("grid:5x5,size=5x5", "'size' twice"),
        ("grid:axb", "write ROWSxCOLUMNS"),
        ("grid:-1x5", "write ROWSxCOLUMNS"),
        ("grid:1x1", "at least 1x2"),
        ("grid:0x7", "at least 1x2"),
        ("torus:2x5", "at least 3x3"),
        ("hex:0", "too small"),
        ("hex:27", "too large"),
        ("hex:x", "not a whole number"),
        ("infexion:2", "too small"),
        ("infexion:11", "too large"),
        ("path:1", "too small"),
        ("cycle:2", "too small"),
        ("segment:0", "cannot be read"),
        ("segment:4p", "p is for odd lengths"),
        ("segment:5+", "cannot be read"),
        ("segment:5q", "cannot be read"),
        ("ring:7", "even number"),
        ("tree:n=11", "too large"),
        ("tree:m=2", "unknown option of tree 'm'"),
        ("tree:2", "too much for tree"),
        ("ba:n=5,m=5", "m=5 is too large: a new vertex can join at most n-1 = 4 others"),
        ("ba:n=5,m=4,p=0.5", "with p a new vertex may join m+1 = 5, and can join at most n-1 = 4"),
        ("ba:nn=5", "did you mean 'n'"),
        ("ba:n=5,n=6", "twice"),
        ("ba:seed=-1", "too small"),
        ("ws:k=3", "must be even"),
        ("ws:n=4,k=4", "below n=4"),
        ("ws:p=1.5", "too large"),
        ("ws:p=nan", "not a number"),
        ("er:p=0.1,m=30", "exclude each other"),
        ("er:n=4,m=7", "too large"),
        ("lfr:n=10,min_community=20", "at most n=10"),
        ("random-digraph:n=3,m=7", "too large"),
        ("karate:3", "too much for karate"),
        ("karate:n=3", "unknown option of karate"),
        ("grid:5x5\n", None),
        ("grid:5\nx5", "one line"),
        ("x" * 5000, "one line"),
        ("file:", "no path"),
    ],
)
def test_bad_specs_are_explained(text: str, message: str | None) -> None:
    if message is None:
        with pytest.raises(BadText):
            load_board(text)
        return
    with pytest.raises(BadText, match=re.escape(message)):
        load_board(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("grid:1000x1000", "too many"),
        ("complete:3000", "too many"),
        ("segment:100001", "too many"),
        ("tree:n=10,c=9", "too many"),
        ("er:n=100000,p=1", "too many"),
        ("ba:n=100000,m=50000", "too many"),
        ("er:n=24,m=10", "at least m=23"),
        ("er:n=24,p=0", "cannot connect 24 vertices: raise p"),
        ("er:n=24,p=1e-300", "cannot connect 24 vertices: raise p"),
        ("er:n=24,p=0.01", "no connected network from seeds 1 to 100: raise p"),
        ("lfr:n=40,min_community=40", "no connected network"),
        ("lfr:n=250,average_degree=249", "cannot be met"),
        ("ws:n=200,k=198,p=1", "so close to n=200"),
    ],
)
def test_impossible_boards_are_explained(text: str, message: str) -> None:
    with pytest.raises(BadBoard, match=re.escape(message)):
        load_board(text)


def test_every_kind_has_an_example_that_loads_and_a_meaning() -> None:
    for name, kind in BOARDS.items():
        assert kind.name == name
        assert kind.meaning
        assert "\n" not in kind.meaning
        assert all(option.meaning for option in kind.options)
        if not kind.reads_files:
            board = load_board(kind.example)
            assert board.structural == kind.structural


def test_every_kind_and_option_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "boards.md").read_text(encoding="utf-8")
    for kind in BOARDS.values():
        assert f"`{kind.name}" in page
        # A value without a key is shown by the example itself.
        for option in kind.options:
            assert option.name == kind.bare or f"{option.name}" in page


def test_listing_the_kinds_imports_nothing_heavy() -> None:
    code = (
        "import sys; from topple.boards import BOARDS, load_board; load_board('hex:3');"
        "print([m for m in ('networkx', 'matplotlib', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


SPEC_PIECES = st.sampled_from(
    [
        *BOARDS,
        *(":", ",", "=", "n", "m", "p", "k", "seed", "size", "5x5", "5", "-1", "0", "0.5", "5p"),
        *("+", "x", "nan", "inf", "1e9", "\n", "\0", "largest", "é", "99999999"),
    ]
).filter(lambda piece: piece not in {"file", "snapshots"})


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=40), st.lists(SPEC_PIECES, max_size=12).map("".join)))
def test_any_text_loads_or_is_explained(text: str) -> None:
    try:
        board = load_board(text)
    except ToppleError as error:
        check_message(error)
    else:
        assert load_board(board.spec) == board


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["ba", "ws", "er"]),
    st.integers(3, 40),
    st.integers(1, 6),
    st.floats(0, 1),
    st.integers(0, 10**6),
)
def test_random_networks_restore_from_json(name: str, n: int, m: int, p: float, seed: int) -> None:
    options = {"ba": f"m={m}", "ws": f"k={2 * m},p={p}", "er": f"p={p}"}[name]
    try:
        board = load_board(f"{name}:n={n},{options},seed={seed}")
    except ToppleError:
        return
    assert board_from_json(json.loads(json.dumps(board_to_json(board)))) == board


# NetworkX graphs


def test_networkx_attributes_are_used() -> None:
    graph = nx.DiGraph()
    graph.add_node("u", side="L", threshold=2, x=1.0, y=2.0)
    graph.add_node("v", side="r", threshold="3", x=0, y=0)
    graph.add_edge("u", "v", weight=2.5)
    board = board_from_networkx(graph, "mine")
    assert board.sides == "LR"
    assert board.thresholds.tolist() == [2, 3]
    assert board.coordinates.tolist() == [[1.0, 2.0], [0.0, 0.0]]
    assert board.edge_attributes == {(0, 1): {"weight": 2.5}}
    assert (board.spec, board.structural) == ("mine", False)
    back = board_to_networkx(board)
    assert back.nodes["u"] == {"side": "L", "threshold": 2, "x": 1.0, "y": 2.0}
    assert back.edges["u", "v"] == {"weight": 2.5}
    assert board_from_json(board_to_json(board)) == board
    assert board_from_json(board_to_json(board)).coordinates.tolist() == board.coordinates.tolist()


def test_networkx_order_and_labels() -> None:
    graph = nx.Graph([("c", "a"), ("a", "b")])
    board = board_from_networkx(graph)
    assert board.labels == ("c", "a", "b")
    assert board.neighbours(1) == [0, 2]
    nx.set_node_attributes(graph, {"a": "A", "b": "B", "c": "C"}, "label")
    assert board_from_networkx(graph).labels == ("C", "A", "B")
    graph.nodes["b"]["label"] = "A"
    assert board_from_networkx(graph).labels == ("c", "a", "b")


def with_attributes(**attributes: object) -> nx.Graph:
    graph = nx.path_graph(["a", "b", "c"])
    graph.nodes["b"].update(attributes)
    return graph


def digraph_sides(*sides: str | None) -> nx.DiGraph:
    graph = nx.DiGraph(nx.path_graph(len(sides), create_using=nx.DiGraph))
    for vertex, side in enumerate(sides):
        if side is not None:
            graph.nodes[vertex]["side"] = side
    return graph


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.Graph(), "no vertices"),
        (nx.Graph([(1, 1), (1, 2)]), "'1' is joined to itself"),
        (nx.MultiGraph([(1, 2), (2, 1)]), "'1' – '2' occurs more than once"),
        (nx.MultiDiGraph([(1, 2), (1, 2)]), "'1' → '2' occurs more than once"),
        (nx.Graph([(1, 2), (3, 4), (4, 5)]), "2 components; the largest has 3 of its 5 vertices"),
        (nx.Graph([(1, "1")]), "two vertices are called '1'"),
        (nx.Graph([("", "a")]), "empty label"),
        (nx.Graph([("a\nb", "c")]), "control character"),
        (nx.Graph([("a\x1b[31m", "c")]), "control character"),
        (nx.Graph([("a" * 81, "c")]), "longer than 80"),
        (with_attributes(threshold=0), "must be between 1 and 1,000,000,000"),
        (with_attributes(threshold=-3), "must be between 1 and 1,000,000,000"),
        (with_attributes(threshold=10**5000), "must be between 1 and 1,000,000,000"),
        (with_attributes(threshold=1.5), "not a whole number"),
        (with_attributes(threshold="two"), "not a whole number"),
        (with_attributes(threshold=True), "not a whole number"),
        (with_attributes(threshold=float("inf")), "not a whole number"),
        (with_attributes(threshold=[1]), "not a whole number"),
        (with_attributes(side="L"), "2 of 3 vertices have no side, such as 'a'"),
        (digraph_sides("L", None), "1 of 2 vertices have no side"),
        (digraph_sides("L", "Left"), "write L or R"),
        (nx.Graph([(1, 2, {"weight": float("nan")})]), "weight=nan"),
        (nx.Graph([(1, 2, {"weight": float("-inf")})]), "weight=-inf"),
        ([(1, 2)], "list is not a NetworkX graph"),
    ],
)
def test_bad_graphs_are_explained(graph: object, message: str) -> None:
    with pytest.raises(BadBoard, match=re.escape(message)) as caught:
        board_from_networkx(graph)
    check_message(caught.value)


def test_multigraphs_without_parallel_edges_are_fine() -> None:
    assert board_from_networkx(nx.MultiDiGraph([(1, 2), (2, 1)])).n_edges == 2


def test_the_largest_component_can_be_taken() -> None:
    graph = nx.Graph([(5, 6), (1, 2, {"weight": 3}), (2, 3)])
    board = board_from_networkx(graph, component="largest")
    assert board.labels == ("1", "2", "3")
    assert board.edge_attributes == {(0, 1): {"weight": 3}}
    assert board.notes == ("The board is the largest of 2 components: 3 of its 5 vertices.",)


def test_a_directed_board_may_have_several_components() -> None:
    assert board_from_networkx(nx.DiGraph([(1, 2), (3, 4)])).n_vertices == 4


def test_places_need_a_number_for_every_vertex() -> None:
    graph = nx.path_graph(3)
    for x in (None, "left", float("nan"), 1e300):
        nx.set_node_attributes(graph, {0: x, 1: 1, 2: 2}, "x")
        nx.set_node_attributes(graph, 0, "y")
        assert board_from_networkx(graph).places is None


# JSON data


def written() -> dict[str, object]:
    graph = nx.path_graph(4)
    nx.set_node_attributes(graph, 3, "threshold")
    data = board_to_json(board_from_networkx(graph, "mine"))
    assert isinstance(data, dict)
    return data


def test_json_lists_only_uncommon_thresholds() -> None:
    graph = nx.path_graph(4)
    graph.nodes[1]["threshold"] = 2
    graph.nodes[2]["threshold"] = 5
    data = board_to_json(board_from_networkx(graph, "mine"))
    assert data == {
        "spec": "mine",
        "directed": False,
        "labels": ["0", "1", "2", "3"],
        "edges": [[0, 1], [1, 2], [2, 3]],
        "thresholds": [[2, 5]],
    }


@pytest.mark.parametrize(
    "change",
    [
        {"spec": 3},
        {"spec": ""},
        {"spec": "a\nb"},
        {"spec": "x" * 5000},
        {"directed": 1},
        {"directed": "false"},
        {"labels": "abcd"},
        {"labels": []},
        {"labels": ["a", "b", "c"]},
        {"labels": ["a", "b", "c", 4]},
        {"labels": ["a", "b", "c", "c"]},
        {"labels": ["a", "b", "c", " d"]},
        {"labels": ["a", "b", "c", "\x07"]},
        {"labels": ["a", "b", "c", "d" * 81]},
        {"edges": "no"},
        {"edges": [[0, 1]]},
        {"edges": [[0, 1], [1, 2], [2, 4]]},
        {"edges": [[0, 1], [1, 2], [2, -1]]},
        {"edges": [[0, 1], [1, 2], [2, 3.0]]},
        {"edges": [[0, 1], [1, 2], [2, True]]},
        {"edges": [[0, 1], [1, 2], [2, 3], [3, 2]]},
        {"edges": [[0, 1], [1, 2], [2, 3], [3, 3]]},
        {"edges": [[0, 1], [1, 2], [2, 3, 0]]},
        {"edges": [[0, 1], [1, 2], "23"]},
        {"edges": [[0, 1], [1, 2], [2, 10**5000]]},
        {"thresholds": 3},
        {"thresholds": [[0, 0]]},
        {"thresholds": [[0, 1.5]]},
        {"thresholds": [[0, True]]},
        {"thresholds": [[0, 10**12]]},
        {"thresholds": [[9, 1]]},
        {"thresholds": [[0, 2], [0, 2]]},
        {"thresholds": [0]},
        {"sides": "LR"},
        {"sides": "LRLX"},
        {"sides": ["L", "R", "L", "R"]},
        {"places": [[0, 0]]},
        {"places": [[0, 0], [1, 1], [2, 2], [3, float("nan")]]},
        {"places": [[0, 0], [1, 1], [2, 2], [3, 10**400]]},
        {"places": [[0, 0], [1, 1], [2, 2], [3, "3"]]},
        {"extra": 1},
    ],
)
def test_damaged_data_is_refused(change: dict[str, object]) -> None:
    data = {**written(), **change}
    with pytest.raises(BadBoard) as caught:
        board_from_json(data)
    check_message(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("missing", ["spec", "directed", "labels", "edges"])
def test_incomplete_data_is_refused(missing: str) -> None:
    data = written()
    del data[missing]
    with pytest.raises(BadBoard, match=f"{missing} is missing"):
        board_from_json(data)


@pytest.mark.parametrize("data", [None, 3, [], True, "gird:5x5", "grid:9999x9999", "hex:99", ""])
def test_other_data_is_refused(data: object) -> None:
    with pytest.raises(BadBoard):
        board_from_json(data)


def test_too_large_data_is_refused() -> None:
    labels = [str(v) for v in range(MAX_VERTICES + 1)]
    with pytest.raises(BadBoard, match="too many"):
        board_from_json({**written(), "labels": labels})
    with pytest.raises(BadBoard, match="too many"):
        board_from_json({**written(), "edges": [[0, 1]] * (MAX_EDGES + 1)})


def test_a_record_never_opens_a_file(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "net.csv"
    file.write_text("a,b\n")
    assert load_board(f"file:{file}").n_vertices == 2
    monkeypatch.setattr("topple.boards.files.reading.read_text", pytest.fail)
    for text in (f"file:{file}", f" file : {file}", f"file:{file},component=largest"):
        with pytest.raises(BadBoard, match="must be written out"):
            board_from_json(text)
    # As a name inside written-out data it is only a name.
    assert board_from_json({**written(), "spec": f"file:{file}"}).spec == f"file:{file}"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        JSON_VALUES,
        st.dictionaries(
            st.sampled_from(["spec", "directed", "labels", "edges", "thresholds", "sides"]),
            JSON_VALUES,
        ).map(lambda change: {**written(), **change}),
    )
)
def test_any_data_is_a_board_or_is_explained(data: object) -> None:
    try:
        board = board_from_json(data)
    except BadBoard as error:
        check_message(error)
    else:
        assert board_from_json(board_to_json(board)) == board


# Places and pictures


@pytest.mark.parametrize("text", ["ba:n=400,m=2", "ba:n=30000,m=3", "random-digraph:n=3000,m=900"])
def test_large_layouts_are_quick_and_repeatable(text: str) -> None:
    board = load_board(text)
    places = spring_places(board)
    assert np.isfinite(places).all()
    assert np.array_equal(places, spring_places(board))


def test_layout_leaves_global_random_state_alone() -> None:
    board = load_board("ba:n=200,m=2")
    before = (random.getstate(), np.random.get_state()[1].tolist())
    spring_places(board)
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_pictures_are_written_whole(ending: str, tmp_path) -> None:
    file = tmp_path / f"board.{ending}"
    draw_board(load_board("segment:5p+4"), file)
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert file.read_bytes().startswith(starts[ending])
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_every_board_can_be_drawn(board: Board) -> None:
    assert picture(board, "svg").startswith(b"<?xml")


def test_svg_is_the_same_every_time() -> None:
    board = load_board("florentine")
    first = picture(board, "svg")
    assert first == picture(replace(board), "svg")
    assert b"<dc:date>" not in first


def test_odd_labels_and_thresholds_can_be_drawn() -> None:
    graph = nx.path_graph(["$x_1$", "漢字", "a_b^{", "\\frac"])
    graph.nodes["漢字"]["threshold"] = 7
    assert picture(board_from_networkx(graph), "png").startswith(b"\x89PNG")


@pytest.mark.parametrize("places", [[(0, 0)] * 3, [(0, 0), (1e9, 0), (0, 1e9)], [(5, 5)] * 3])
def test_odd_places_can_be_drawn(places: list[tuple[float, float]]) -> None:
    board = make_board("odd", [[1], [0, 2], [1]], places=np.array(places, dtype=np.float64))
    assert picture(board, "png").startswith(b"\x89PNG")


def test_unknown_picture_endings_are_named(tmp_path) -> None:
    with pytest.raises(BadText, match=r"\.svg"):
        draw_board(load_board("hex:2"), tmp_path / "board.svgg")
    with pytest.raises(BadText, match=r"\.svg, \.png, \.pdf"):
        draw_board(load_board("hex:2"), tmp_path / "board")


def test_an_unwritable_picture_is_one_clear_line(tmp_path) -> None:
    (tmp_path / "taken.svg").mkdir()
    for path in (tmp_path / "missing" / "board.svg", tmp_path / "taken.svg", "nul\0byte.svg"):
        with pytest.raises(ToppleError, match="cannot be written") as caught:
            draw_board(load_board("hex:2"), path)
        check_message(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["taken.svg"]
