"""Spread-It on every small connected graph, against plain recursion."""

from itertools import islice

import networkx as nx
import pytest

import topple
from tests.core import command_line
from tests.solvers.exact_values import Values
from tests.solvers.solver import DRAW, LOSS, WIN, solve
from topple.boards.board import Board, make_board
from topple.solvers.small_graphs import SmallGraph, numberings, survey

CONNECTED = [1, 1, 2, 6, 21]  # graphs of 1, 2, … vertices: OEIS A001349


def board_of(row: SmallGraph) -> Board:
    """The board again, from the row's own words."""
    beside: list[list[int]] = [[] for _ in range(row.n_vertices)]
    for edge in row.edges.split():
        u, v = (int(label) - 1 for label in edge.split("-"))
        beside[u].append(v)
        beside[v].append(u)
    return make_board("graph", [sorted(each) for each in beside])


def test_every_connected_graph_is_there_once() -> None:
    rows = list(survey(5))
    assert [sum(row.n_vertices == n for row in rows) for n in range(1, 6)] == CONNECTED
    for row in rows:
        graph = nx.Graph([edge.split("-") for edge in row.edges.split()])
        graph.add_nodes_from(str(v + 1) for v in range(row.n_vertices))
        assert nx.is_connected(graph)
        assert graph.number_of_edges() == row.n_edges
        assert nx.is_isomorphic(graph, nx.graph_atlas(row.number))
        if row.name:
            named = topple.load_board(row.name)
            assert nx.is_isomorphic(graph, nx.Graph(named.edges()))
    assert len({row.number for row in rows}) == len(rows)


@pytest.mark.parametrize("loyalty", ["zero", "full"])
def test_graphs_without_tokens_are_named_as_such(loyalty: str) -> None:
    for row in survey(5, loyalty):
        budget = 2 * row.n_edges - row.n_vertices
        if row.refusal is None:
            assert row.tokens == (budget - budget // 2, budget // 2)
            assert row.winner == {1: "Black", 0: "draw", -1: "Red"}[row.value or 0]
            assert row.best
            assert row.n_positions > 0
        else:
            assert budget < 1
            assert (row.value, row.winner, row.best, row.n_positions) == (None, "", (), 0)
            with pytest.raises(topple.BadBoard, match="no tokens"):
                topple.load("spread-it", board_of(row), loyalty=loyalty)


@pytest.mark.parametrize("loyalty", ["zero", "full"])
def test_up_to_four_vertices_plain_recursion_says_the_same(loyalty: str) -> None:
    for row in survey(4, loyalty):
        if row.refusal is None and row.tokens[0] < 4:
            game = topple.load("spread-it", board_of(row), loyalty=loyalty)
            values = Values(game)
            truth = values.of_moves(values.twin.start())
            assert row.value == max(truth)
            best = [str(v + 1) for v, value in enumerate(truth) if value == max(truth)]
            assert list(row.best) == best


@pytest.mark.prove
@pytest.mark.parametrize("loyalty", ["zero", "full"])
def test_plain_minimax_says_the_same_of_five_vertices(loyalty: str) -> None:
    for row in survey(5, loyalty):
        if row.n_vertices == 5:
            start = topple.load("spread-it", board_of(row), loyalty=loyalty).start()
            assert solve(start, sum(row.tokens)) == {-1: LOSS, 0: DRAW, 1: WIN}[row.value or 0]


@pytest.mark.parametrize("loyalty", ["zero", "full"])
def test_the_numbering_of_the_vertices_does_not_matter_up_to_five(loyalty: str) -> None:
    for row in islice(survey(5, loyalty), 2, None, 3):
        assert numberings(row.number, loyalty) == {row.value}


def test_what_cannot_be_surveyed_is_refused() -> None:
    for most in (0, 7, 100):
        with pytest.raises(topple.BadText, match="ask for 1 to 6"):
            survey(most)
    with pytest.raises(topple.BadText, match="loyalty"):
        survey(3, "half")
    with pytest.raises(topple.BadBoard):
        numberings(3)


def test_a_refused_survey_says_what_may_stand_beside_it() -> None:
    for game_, flag, beside in (
        ("influence", "--segments", "--memory, --checkpoint, --plot and --json"),
        ("spread-it", "--graphs", "--json"),
    ):
        ran = command_line.topple("solve", game_, flag, "3", "--each")
        assert f"{flag} asks for all boards at once: beside it stand {beside} alone" in ran.err
