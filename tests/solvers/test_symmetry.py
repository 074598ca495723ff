"""Symmetries: what holds of a position holds of its image, in every position."""

import itertools

import pytest

import topple
from tests.agents.small_positions import running_position
from tests.solvers.exact_values import Values
from topple.boards.board import make_board
from topple.game.position import Position
from topple.rules.interface import STATUS
from topple.solvers import Solution, advance_until
from topple.solvers.proof.solver import ProofSolver
from topple.solvers.proof.symmetry import Symmetries, automorphisms, is_bipartite, symmetries_of

SYMMETRIC = [
    ("chain-reaction", "grid:2x3"), ("chain-reaction", "cycle:4"), ("chain-reaction", "star:5"),
    ("chain-reaction", "complete:4"), ("chain-reaction:surplus=keep", "complete:4"),
    ("chain-reaction:surplus=keep", "cycle:5"), ("chain-reaction:surplus=keep", "grid:2x3"),
    ("influence", "ring:6"), ("influence", "segment:3+3"), ("influence", "tree:n=1,c=2"),
]  # fmt: skip


def solution_of(solver: ProofSolver, position: Position) -> Solution:
    solving = solver.begin(position, each=True)
    assert advance_until(solving)
    return solving.solution()


def image(symmetries: Symmetries, s: int, position: Position) -> Position:
    return Position(position.game, position.state[symmetries.places[s]].copy())


def check_symmetries(position: Position, symmetries: Symmetries) -> None:
    """Every symmetry takes a position's moves to its image's, and what follows to what follows."""
    for s in range(len(symmetries.places)):
        seen = image(symmetries, s, position)
        moves = [int(symmetries.moves[s, move]) for move in position.legal_moves()]
        assert sorted(moves) == list(seen.legal_moves())
        assert image(symmetries, int(symmetries.inverse[s]), seen) == position
        for move, there in zip(position.legal_moves(), moves, strict=True):
            child, seen_child = position.play(move), seen.play(there)
            assert child.state[STATUS] == seen_child.state[STATUS]
            if not child.is_over:
                assert image(symmetries, s, child) == seen_child


@pytest.mark.parametrize(("spec", "board"), SYMMETRIC)
def test_symmetries_hold_in_every_position_of_small_boards(spec: str, board: str) -> None:
    game = topple.load(spec, board)
    symmetries = symmetries_of(game)
    for position, _ in Values(game).positions():
        check_symmetries(position, symmetries)


@pytest.mark.parametrize(
    ("spec", "board", "n"),
    [("infexion", "infexion:3", 108), ("infexion", "infexion:4", 16),
     ("chain-reaction", "grid:4x4", 8), ("chain-reaction", "grid:3x4", 4),
     ("chain-reaction:surplus=keep", "grid:5x5", 8), ("chain-reaction:surplus=keep", "cycle:7", 14),
     ("chain-reaction:surplus=keep", "complete:7", 120), ("influence", "ring:20", 20),
     ("chain-reaction", "cycle:7", 1), ("chain-reaction", "torus:3x3", 9),
     ("spread-it", "grid:3x3", 1), ("hex", "hex:3", 1), ("influence", "segment:9", 2),
     ("influence", "segment:8", 1)],
)  # fmt: skip
def test_symmetries_hold_along_random_games(spec: str, board: str, n: int) -> None:
    game = topple.load(spec, board)
    symmetries = symmetries_of(game)
    assert len(symmetries.places) == n
    for seed in range(8):
        check_symmetries(running_position(game, seed % 4, seed), symmetries)


@pytest.mark.parametrize(("spec", "board"), [*SYMMETRIC, ("chain-reaction", "grid:2x4"),
                                             ("infexion", "infexion:3")])  # fmt: skip
def test_symmetric_search_finds_the_same_values_with_less(spec: str, board: str) -> None:
    game = topple.load(spec, board)
    start = game.start() if game.name != "infexion" else running_position(game, 19, 1)
    found, plain = (
        solution_of(ProofSolver(game, symmetric=symmetric), start) for symmetric in (True, False)
    )
    assert found.moves == plain.moves
    assert found.n_positions <= plain.n_positions
    if board in ("grid:2x4", "infexion:3"):
        assert found.n_positions < plain.n_positions / 2
    if len(symmetries_of(game).places) > 1:
        assert found.n_nodes <= plain.n_nodes


def test_a_board_s_symmetry_is_none_of_spread_it() -> None:
    """Why Spread-It is solved without: a tie goes to the lower index, and it decides the game."""
    game = topple.load("spread-it", "grid:2x3")
    position = game.position("1r,1b,1,1r,2r,1b Black 1-1")
    mirrored = game.position("1,1b,1r,1b,2r,1r Black 1-1")
    assert position.play("a1").result_text() == "draw: an endless cascade"
    assert mirrored.play("c1").result_text() == "Black wins: an endless cascade"


def test_dropped_pieces_break_the_symmetry_of_a_board_with_triangles() -> None:
    """Why those of `surplus=drop` must keep the order there: which of 2 and 3 is emptied first?"""
    triangles = make_board("graph", [[1, 2, 3], [0, 2], [0, 1], [0, 4, 5], [3, 5], [3, 4]])
    assert [0, 2, 1, 3, 4, 5] in automorphisms(triangles)
    drop, keep = (
        topple.load("chain-reaction", triangles, surplus=surplus) for surplus in ("drop", "keep")
    )
    assert len(symmetries_of(drop).places) == 1
    assert len(symmetries_of(keep).places) == 8
    # 2 and 3 exchanged, and what follows is not what follows with 2 and 3 exchanged.
    assert drop.position("A2,B1,A1,A1,B1,A1 A 2").play("1").text == "A2,A1,1,A2,B1,A1 B 2"
    assert drop.position("A2,A1,B1,A1,B1,A1 A 2").play("1").text == "A2,A1,1,A2,B1,A1 B 2"


def brute_automorphisms(board: topple.Board) -> list[list[int]]:
    n = board.n_vertices
    arcs = {(u, v) for u in range(n) for v in board.neighbours(u)}
    return [
        list(p) for p in itertools.permutations(range(n)) if {(p[u], p[v]) for u, v in arcs} == arcs
    ]


@pytest.mark.parametrize(
    "spec",
    ["path:5", "cycle:6", "star:5", "complete:5", "grid:2x3", "segment:6", "ring:4",
     "random-digraph:n=6,m=8,seed=1", "ba:n=7,m=2,seed=1", "er:n=7,p=0.5,seed=3"],
)  # fmt: skip
def test_automorphisms_are_those_that_brute_force_finds(spec: str) -> None:
    board = topple.load_board(spec)
    assert sorted(automorphisms(board)) == sorted(brute_automorphisms(board))


def test_too_many_automorphisms_are_cut_to_a_group() -> None:
    found = automorphisms(topple.load_board("complete:8"))
    assert len(found) == 120
    group = {tuple(each) for each in found}
    products = {tuple(a[b[v]] for v in range(8)) for a, b in itertools.product(found, repeat=2)}
    assert products == group


def test_bipartite_boards_are_told_from_others() -> None:
    for spec in ("grid:3x4", "cycle:6", "star:6", "torus:4x4"):
        assert is_bipartite(topple.load_board(spec))
    for spec in ("cycle:7", "complete:3", "torus:3x4"):
        assert not is_bipartite(topple.load_board(spec))


@pytest.mark.parametrize(
    ("given", "message"),
    [(([0, 1, 2, 2], [0, 1]), "no permutation"), (([1, 0, 2, 3], [0, 1]), "moves the player"),
     (([0, 1, 2, 3], [1, 1]), "no permutation")],
)  # fmt: skip
def test_wrong_symmetries_from_outside_are_refused(
    given: tuple[list[int], list[int]], message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    game = topple.load("chain-reaction", "grid:2x2")
    places = [*given[0], *range(4, game.sizes.state)]
    moves = [*given[1], *range(2, game.sizes.moves)]
    monkeypatch.setattr(game.rules, "symmetries", lambda game: [(places, moves)], raising=False)
    with pytest.raises(ValueError, match=message):
        symmetries_of(game)


def test_a_symmetry_without_its_way_back_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = topple.load("chain-reaction", "cycle:3")
    n, cells = 3, game.sizes.state - 6
    turn = [*range(cells), *(cells + (v + 1) % n for v in range(n)),
            *(cells + n + (v + 1) % n for v in range(n))]  # fmt: skip
    monkeypatch.setattr(game.rules, "symmetries", lambda game: [(turn, [2, 0, 1])], raising=False)
    with pytest.raises(ValueError, match="without the one that leads back"):
        symmetries_of(game)


def test_as_many_automorphisms_are_given_as_are_allowed() -> None:
    board = topple.load_board("complete:4")
    for most, found in ((24, 24), (23, 6), (6, 6), (5, 2), (1, 1)):
        given = automorphisms(board, most=most)
        assert len(given) == found
        assert len({tuple(each) for each in given}) == found
        assert [0, 1, 2, 3] in given
