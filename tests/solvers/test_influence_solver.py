"""INFLUENCE solved on any digraph, against plain recursion and what the paper proves."""

import random
from dataclasses import replace
from functools import cache

import networkx as nx
import numpy as np
import pytest

import topple
from tests.reference.influence import Influence
from tests.reference.remark_1 import Remark1
from tests.reference.segments import plain_left_score, plain_right_score, write_sum
from tests.solvers.test_influence_theory import (
    TABLE_1_LEFT,
    TABLE_1_RIGHT,
    in_corollary_24,
    is_relevant,
    quasi_path,
    right_first_on_pair,
    together,
    trees,
)
from topple.compiling import specialise
from topple.compiling.specialise import Specialised, kernel
from topple.core.errors import BadBoard, BadText, Unsupported
from topple.game.game import load
from topple.solvers import Bounds, advance_until, solve, solver_for
from topple.solvers.influence import kinds, parts, sums
from topple.solvers.influence.memory import N_KINDS, WEIGHT
from topple.solvers.influence.solver import FEASIBLE, InfluenceSolver
from topple.solvers.influence.table import is_table

# -- digraphs ----------------------------------------------------------------------------------


def digraph(n, arcs, labels):
    """A labelled digraph for topple."""
    graph = nx.DiGraph()
    graph.add_nodes_from((v, {"side": labels[v]}) for v in range(n))
    graph.add_edges_from(arcs)
    return graph


def parts_of(graph):
    """Number of vertices, arcs and labels of a labelled digraph."""
    return len(graph), list(graph.edges), [graph.nodes[v]["side"] for v in range(len(graph))]


def random_digraph(rng, n):
    """Any density; isolated and forced vertices and cycles come by themselves.

    In every second one all arcs go from L to R: those keep most of their vertices when
    they are reduced.
    """
    labels = rng.choices("LR", k=n)
    n_arcs = rng.choice([n // 2, n, 3 * n // 2, 2 * n, 3 * n]) if n > 1 else 0
    arcs = [rng.sample(range(n), 2) for _ in range(n_arcs)]
    if rng.random() < 0.5:
        arcs = [sorted(arc, key=labels.__getitem__) for arc in arcs]
        arcs = [(tail, head) for tail, head in arcs if labels[tail] != labels[head]]
    return digraph(n, arcs, labels)


def negative(graph):
    """Corollary 15: L and R exchanged, arcs turned."""
    n, arcs, labels = parts_of(graph)
    return digraph(n, [arc[::-1] for arc in arcs], ["R" if side == "L" else "L" for side in labels])


def disjoint(rng, *graphs):
    """The sum of digraphs, with its vertices in any order."""
    graph = nx.disjoint_union_all(graphs)
    order = rng.sample(range(len(graph)), len(graph))
    mixed = nx.relabel_nodes(graph, dict(zip(range(len(graph)), order, strict=True)), copy=True)
    return digraph(*parts_of(mixed))


def random_board(rng):
    """Up to 12 vertices, every second one a sum: H + (-H) or H + H, with something else."""
    n = rng.randrange(2, 13)
    if rng.random() < 0.5:
        return random_digraph(rng, n)
    if rng.random() < 0.7:
        half = random_digraph(rng, rng.randrange(1, n // 2 + 1))
        other = half if rng.random() < 0.3 else negative(half)
        rest = n - 2 * len(half)
        return disjoint(rng, half, other, *[random_digraph(rng, rest)] * (rest > 0))
    n_first = rng.randrange(1, n)
    return disjoint(rng, random_digraph(rng, n_first), random_digraph(rng, n - n_first))


def some_position(rng, game):
    """A position that play leads to, not over."""
    position = game.start()
    for _ in range(rng.choice([0, 0, 1, 2])):
        after = position.play(rng.choice(position.legal_moves()))
        if after.is_over:
            break
        position = after
    return position


def bits_there(position):
    return sum(1 << v for v, cell in enumerate(position.cells()) if cell)


def solved(position, solver=None, **asked):
    """The solution of a position, whole."""
    solving = (solver or InfluenceSolver(position.game)).begin(position, **asked)
    assert advance_until(solving)
    return solving.solution()


def scores_on(board, **options):
    """Ls and Rs of a board."""
    scores = solved(topple.load("influence", board=board, **options).start(), scores=True).scores
    assert scores.left.is_exact
    assert scores.right.is_exact
    return scores.left.least, scores.right.least


# -- against plain recursion -------------------------------------------------------------------


def test_plain_recursion_is_the_twins():
    rng = random.Random(1)
    for _ in range(40):
        n, arcs, labels = parts_of(random_digraph(rng, rng.randrange(1, 8)))
        heads = [[head for tail, head in arcs if tail == v] for v in range(n)]
        twin, plain = Influence(heads, labels), Remark1(n, arcs, labels)
        assert plain.left_score(plain.all) == twin.left_score()
        assert plain.right_score(plain.all) == twin.right_score()


def plain_values(plain, position):
    """What each move is worth to the player who makes it, at the end of the game."""
    there, (left, right) = bits_there(position), position.scores
    if position.player == 0:
        taken = {move: plain.succ(there, move) for move in position.legal_moves()}
        return {move: left - right + t.bit_count() + plain.right_score(there & ~t)
                for move, t in taken.items()}  # fmt: skip
    taken = {move: plain.pred(there, move) for move in position.legal_moves()}
    return {move: right - left + t.bit_count() - plain.left_score(there & ~t)
            for move, t in taken.items()}  # fmt: skip


def lead_after(position, line):
    """The lead of who is to move, after a line that must end the game."""
    player = position.player
    for move in line:
        position = position.play(move)
    assert position.is_over
    return position.scores[player] - position.scores[1 - player]


def check_against_plain(position, plain, each, solver=None):
    values, there = plain_values(plain, position), bits_there(position)
    best = max(values.values())
    solution = solved(position, solver, each=each, scores=True)
    assert solution.value == (best, best)
    assert solution.best_moves == tuple(m for m, value in values.items() if value == best)
    assert sorted(each.move for each in solution.moves) == list(position.legal_moves())
    for move, bounds in solution.moves:
        assert bounds.least <= values[move] <= bounds.most
        assert bounds.is_exact or not each
        assert bounds.most < best or values[move] == best
    assert lead_after(position, solution.line) == best
    scores, n = solution.scores, there.bit_count()
    first, second = plain.first(there), plain.second(there)
    assert scores.left == (2 * first - n,) * 2
    assert scores.right == (2 * second - n,) * 2
    assert (scores.first_left, scores.second_right) == ((first,) * 2, (n - first,) * 2)
    assert (scores.second_left, scores.first_right) == ((second,) * 2, (n - second,) * 2)


@pytest.mark.parametrize("seed", range(10))
def test_values_moves_scores_and_lines_are_those_of_plain_recursion(seed):
    rng = random.Random(seed)
    for number in range(50):
        graph = random_board(rng)
        plain = Remark1(*parts_of(graph))
        game = topple.load("influence", board=graph, first=rng.choice(["left", "right"]))
        check_against_plain(some_position(rng, game), plain, each=number % 2 == 0)
        # Corollary 12, on every position that was met.
        met = plain.firsts.keys() | plain.seconds.keys()
        assert all(plain.first(alive) >= plain.second(alive) for alive in met)


def test_one_solver_solves_all_positions_of_a_game():
    rng = random.Random(7)
    for _ in range(10):
        graph = random_digraph(rng, 10)
        game, plain = topple.load("influence", board=graph), Remark1(*parts_of(graph))
        solver = InfluenceSolver(game)
        for _ in range(8):
            check_against_plain(some_position(rng, game), plain, each=True, solver=solver)


def test_figure_1():
    graph = nx.DiGraph(["uw", "vw", "xv", "wy", "wz"])
    nx.set_node_attributes(graph, dict.fromkeys(graph, "R") | {"u": "L", "w": "L"}, "side")
    assert scores_on(graph) == scores_on(graph, first="right") == (2, -6)
    solution = solved(topple.load("influence", board=graph).start())
    assert [solution.position.game.move_text(move) for move in solution.best_moves] == ["u", "w"]


def test_a_player_without_vertices_waits():
    graph = digraph(4, [(0, 1), (0, 2)], "LLLR")
    game = topple.load("influence", board=graph, first="right")
    after = game.start().play("3")
    solution = solved(after, scores=True)
    assert after.player == 0
    assert solution.value == (2, 2)
    assert solution.scores.left == solution.scores.right == (3, 3)
    assert lead_after(after, solution.line) == 2
    alone = topple.load("influence", board=digraph(3, [(0, 1)], "RRR")).start()
    assert (alone.player, solved(alone).value) == (1, (3, 3))


def test_positions_that_play_does_not_lead_to_are_solved_too():
    # Vertices 0 and 1 always go together in play: one has a weight of 2. Here 0 is gone alone.
    graph = digraph(5, [(0, 2), (1, 2), (3, 2), (3, 4)], "LLRLR")
    game, plain = topple.load("influence", board=graph), Remark1(*parts_of(graph))
    solver = InfluenceSolver(game)
    for text in ("x,4 Left 1-0", "x,4 Right 0-1", "5 Left 0-0"):
        check_against_plain(game.position(text), plain, each=True, solver=solver)


# -- what the paper proves ---------------------------------------------------------------------


@pytest.mark.parametrize("n", range(1, 39))
def test_table_1(n):
    assert scores_on(f"segment:{n}") == (TABLE_1_LEFT[n - 1], TABLE_1_RIGHT[n - 1])


def test_sums_of_section_4_1():
    assert scores_on("segment:10+17")[0] == -1
    assert scores_on("segment:5p+17p")[0] == 6


def random_pieces(rng, total):
    """Segments with up to so many vertices in all, equal and opposite ones among them."""
    pieces = []
    while total > 1:
        n = rng.randrange(2, min(total, 11) + 1)
        n_copies = 2 if rng.random() < 0.3 and 2 * n <= total else 1
        pieces += [n if n % 2 == 0 else rng.choice([n, -n])] * n_copies
        total -= n * n_copies
    return tuple(sorted(pieces))


@pytest.mark.parametrize("seed", range(10))
def test_sums_of_segments_are_those_of_plain_recursion(seed):
    rng = random.Random(seed)
    for _ in range(12):
        pieces = random_pieces(rng, rng.randrange(8, 25))
        assert scores_on(write_sum(pieces)) == (plain_left_score(pieces), plain_right_score(pieces))


@pytest.mark.parametrize("n", range(14, 41, 2))
def test_corollary_24(n):
    left, right = scores_on(f"ring:{n}")
    assert in_corollary_24(n, left)
    assert right == -left


@pytest.mark.parametrize("seed", range(10))
def test_corollaries_14_and_15_on_larger_digraphs(seed):
    rng = random.Random(seed)
    first, second = (random_digraph(rng, rng.randrange(10, 25)) for _ in range(2))
    (left, right), (other_left, other_right) = scores_on(first), scores_on(second)
    sum_left, sum_right = scores_on(disjoint(rng, first, second))
    assert max(left + other_right, right + other_left) <= sum_left <= left + other_left
    assert right + other_right <= sum_right <= min(left + other_right, right + other_left)
    assert left >= right
    assert scores_on(negative(first)) == (-right, -left)
    assert scores_on(disjoint(rng, first, negative(first))) == (0, 0)
    assert scores_on(disjoint(rng, first, second, negative(first))) == (other_left, other_right)


@pytest.mark.parametrize(("n", "c"), [(0, 9), (1, 5), (2, 1), (2, 4), (3, 1), (3, 2), (4, 1)])
def test_corollary_31_and_the_recursion_of_lemma_29(n, c):
    game = topple.load("influence", board=f"tree:n={n},c={c},copies=2")
    solution = solved(game.start(), scores=True)
    right_first = solution.scores.first_right
    assert right_first == (right_first_on_pair(n, c),) * 2
    assert right_first.most <= 2**n * (n + c) + 1


@pytest.mark.parametrize("c", [1, 3])
def test_lemma_29(c):
    game = topple.load("influence", board=f"tree:n=3,c={c}", first="right")
    start = game.start()
    after = start.play(start.legal_moves()[-1])
    rest = solved(after, scores=True).scores
    successors, labels = trees([0, 0, 1, 1, 2, 2], c)
    arcs = [(tail, head) for tail, heads in enumerate(successors) for head in heads]
    left, right = scores_on(digraph(len(labels), arcs, labels))
    # Right's forced leaves, the brothers of the one taken, are still there.
    assert (rest.left, rest.right) == ((left - c + 1,) * 2, (right - c + 1,) * 2)


@pytest.mark.parametrize("seed", range(8))
def test_theorem_33_on_long_quasi_paths(seed):
    rng = random.Random(seed)
    paths = []
    while len(paths) < 3:
        n = rng.randrange(9, 16)
        path = quasi_path(rng.choices("LR", k=n), rng.choices([True, False], k=n - 1))
        paths += [path] * is_relevant(path)
    successors, labels = together(paths)
    arcs = [(tail, head) for tail, heads in enumerate(successors) for head in heads]
    n, right = len(labels), scores_on(digraph(len(labels), arcs, labels))[1]
    assert 3 * (n + right) // 2 <= 2 * n + labels.count("L")


# -- each reduction is at work -----------------------------------------------------------------


def solver_on(board, **options):
    return InfluenceSolver(topple.load("influence", board=board, **options))


def solved_at_once(board):
    """Whether the value needs no search at all."""
    solver = solver_on(board)
    return solver.begin(solver.game.start()).solution().is_exact


def test_forced_vertices_are_points():
    assert solved_at_once(digraph(60, [], "LR" * 30))
    assert solved_at_once(digraph(60, [(v, v + 1) for v in range(59)], "R" * 30 + "L" * 30))
    assert not solved_at_once(digraph(2, [(0, 1)], "LR"))


def test_strongly_connected_components_become_one_vertex_of_each_side():
    rng = random.Random(5)
    cycle = [(v, (v + 1) % 100) for v in range(100)]
    solver = solver_on(digraph(100, cycle, rng.choices("LR", k=100)))
    assert solver.space.reduced.n == 2
    assert solved(solver.game.start(), solver).value == (100, 100)


def test_opposite_components_cancel_without_search():
    rng = random.Random(15)
    for _ in range(20):
        graph = random_digraph(rng, 30)
        assert solved_at_once(disjoint(rng, graph, negative(graph)))
    assert solved_at_once("segment:40+40")  # their own negatives
    assert solved_at_once("tree:n=2,c=3") is False


def test_parts_with_equal_scores_are_numbers_and_others_are_not():
    rng = random.Random(12)
    # Ls = 1 and Rs = -1: the least that the two can differ.
    arcs = [(0, 3), (0, 4), (1, 3), (1, 5), (2, 4), (2, 5), (2, 6)]
    nearly = digraph(7, arcs, "LLLRRRR")
    ring = digraph(6, [(0, 1), (2, 1), (2, 3), (4, 3), (4, 5), (0, 5)], "LRLRLR")
    assert scores_on(nearly) == (1, -1)
    assert scores_on(ring) == (0, 0)
    for part in (nearly, ring):
        for _ in range(15):
            graph = disjoint(rng, part, random_digraph(rng, 12 - len(part)))
            plain = Remark1(*parts_of(graph))
            check_against_plain(topple.load("influence", board=graph).start(), plain, each=True)


def kinds_to_the_value(board):
    """How many kinds of parts there are while the value is searched for."""
    solver = solver_on(board)
    solving = solver.begin(solver.game.start())
    n_kinds = 0
    while solving.progress().done == 0:
        n_kinds = int(solver.space.memory.counts[N_KINDS]) - 1
        solving.advance(1)
    return n_kinds


def test_only_trees_come_from_trees():
    # Lemma 29, if Left plays nothing but roots (Corollary 13) and like parts are one kind.
    for n in (2, 3):
        assert kinds_to_the_value(f"tree:n={n},c=2,copies=3") == n + 1


def test_only_segments_come_from_segments_and_rings():
    # Two to n vertices; an odd segment and its negative are one kind.
    assert kinds_to_the_value("segment:30") <= 29
    assert kinds_to_the_value("ring:30") <= 1 + 26


def test_every_bound_has_the_parity_of_lemma_5_and_obeys_corollary_12():
    for board in ("segment:17+12", "tree:n=2,c=2", "random-digraph:n=60,m=60,seed=2"):
        solver = solver_on(board)
        solving = solver.begin(solver.game.start())
        solving.advance(200)
        memory = solver.space.memory
        rows = memory.kinds[1 : memory.counts[N_KINDS]]
        assert ((rows[:, :4] + rows[:, [WEIGHT]]) % 2 == 0).all()
        assert (rows[:, 0] <= rows[:, 1]).all()
        assert (rows[:, 2] <= rows[:, 3]).all()
        assert (rows[:, 0] >= rows[:, 2]).all()


def test_boards_of_more_than_64_vertices_use_several_words():
    rng = random.Random(64)
    small, n_reduced = [], 0
    while n_reduced <= 64:
        graph = random_digraph(rng, 12)
        n = solver_on(graph).space.reduced.n
        small += [graph] * (n > 7)
        n_reduced += n * (n > 7)
    solver = solver_on(disjoint(rng, *small))
    assert solver.space.reduced.n_words > 1
    plains = [Remark1(*parts_of(graph)) for graph in small]
    solution = solved(solver.game.start(), solver, scores=True)
    lefts = [plain.left_score(plain.all) for plain in plains]
    rights = [plain.right_score(plain.all) for plain in plains]
    first = max(left - right for left, right in zip(lefts, rights, strict=True))
    assert sum(rights) + first <= solution.value.least <= sum(lefts)
    assert lead_after(solution.position, solution.line) == solution.value.least


@kernel
def always_the_same(word):
    """A hash than which none is worse."""
    return np.uint64(0)


def test_the_worst_of_hashes_makes_no_answer_wrong(monkeypatch):
    for module in (kinds, parts, sums):
        monkeypatch.setattr(module, "mix", always_the_same)
    # What games share was bound to the other hash, and must not be bound to this one for long.
    monkeypatch.setattr(specialise, "shared", cache(specialise.shared.__wrapped__))
    rng = random.Random(99)
    lattices = [nx.DiGraph(lattice(3)), negative(lattice(3))]
    boards = [*(write_sum(random_pieces(rng, 13)) for _ in range(12)), *lattices]
    for board in boards:
        game = topple.load("influence", board=board, compiled=False)
        game.kernels = Specialised(game.rules, False, game.evaluations)
        plain = Remark1(game.board.n_vertices, game.board.edges(), game.board.sides)
        check_against_plain(game.start(), plain, each=True)


# -- cut short ---------------------------------------------------------------------------------


BOARDS = ["segment:10+7p", "ring:14", "tree:n=1,c=3,copies=2", "random-digraph:n=60,m=60,seed=2"]


@pytest.mark.parametrize("board", BOARDS)
def test_bounds_hold_at_every_cut(board):
    start = topple.load("influence", board=board).start()
    truth = solved(start, each=True, scores=True)
    values = dict(truth.moves)
    for each in (False, True):
        solving = InfluenceSolver(start.game).begin(start, each=each, scores=True)
        before = Bounds(-(10**6), 10**6)
        while not solving.is_done:
            found = solving.solution()
            for bounds, value in (
                (found.value, truth.value),
                *((bounds, values[move]) for move, bounds in found.moves),
                (found.scores.left, truth.scores.left),
                (found.scores.right, truth.scores.right),
            ):
                assert bounds.least <= value.least <= bounds.most
            assert set(found.best_moves) <= set(truth.best_moves)
            assert before.least <= found.value.least <= found.value.most <= before.most
            assert found.line == truth.line[: len(found.line)]
            before = found.value
            solving.advance(1)


def test_corollary_14_bounds_the_value_from_the_beginning():
    game = topple.load("influence", board="segment:7+9+11")
    solver = InfluenceSolver(game)
    assert solver.begin(game.start()).solution().value == (-27, 27)
    # Each piece alone: (Ls, Rs) are (3, -1), (1, -3) and (3, -1) by Table 1.
    for before, there, after in ((0, 7, 20), (7, 9, 11), (16, 11, 0)):
        cells = ["x"] * before + [str(there)] + ["x"] * after
        alone = game.position(f"{','.join(cells)} Left {before + after}-0")
        assert solved(alone, solver, scores=True).scores.left.least == (1 if there == 9 else 3)
    least, most = -1 - 3 - 1 + 4, 3 + 1 + 3
    assert solver.begin(game.start()).solution().value == (least, most)


@pytest.mark.parametrize("board", BOARDS)
def test_cutting_changes_nothing(board):
    start = topple.load("influence", board=board).start()
    whole = solved(start, scores=True)
    for n in (1, 7, 1000):
        solving = InfluenceSolver(start.game).begin(start, scores=True)
        while not solving.is_done:
            solving.advance(n)
        assert solving.solution() == whole
    assert solving.progress().done == solving.progress().total


@pytest.mark.parametrize(
    "board", ["segment:6+5p", "ring:8", "tree:n=1,c=2", "random-digraph:n=20,m=20,seed=3"]
)
def test_uncompiled_is_the_same(board):
    found = [
        solved(topple.load("influence", board=board, compiled=compiled).start(), each=True)
        for compiled in (True, False)
    ]
    assert replace(found[0], position=found[1].position) == found[1]


def test_without_memory_bounds_remain():
    start = topple.load("influence", board="segment:60").start()
    solving = InfluenceSolver(start.game, memory=0).begin(start, scores=True)
    assert advance_until(solving)
    solution = solving.solution()
    assert solution.limit == "memory"
    assert solution.value.least <= 2 <= solution.value.most
    assert solution.scores.right.least <= -2 <= solution.scores.right.most
    assert not solution.is_exact
    assert solution.best_moves == ()


def test_more_memory_is_taken_only_when_it_is_needed():
    start = topple.load("influence", board="segment:60").start()
    assert solved(start, InfluenceSolver(start.game, memory=64)).limit is None


def test_a_time_limit_leaves_bounds():
    position = topple.load("influence", board=lattice(12)).start()
    solution = solve(position, time=0.05)
    assert solution.limit == "time"
    assert solution.value.least < solution.value.most


# -- tables ------------------------------------------------------------------------------------


def half_solved(board):
    """A solver that was stopped in the middle, and what solving takes in all."""
    start = topple.load("influence", board=board).start()
    whole = solved(start, scores=True)
    solver = InfluenceSolver(start.game)
    solver.begin(start, scores=True).advance(whole.n_nodes // 2)
    return start, solver, whole


@pytest.mark.parametrize(
    "board", ["segment:30", "tree:n=2,c=2", "random-digraph:n=200,m=200,seed=1"]
)
def test_what_was_proven_is_restored(board):
    start, solver, whole = half_solved(board)
    other = InfluenceSolver(start.game)
    other.restore(solver.table())
    found = solved(start, other, scores=True)
    assert (found.value, found.best_moves, found.scores) == (
        whole.value, whole.best_moves, whole.scores,
    )  # fmt: skip
    assert lead_after(start, found.line) == whole.value.least
    assert found.n_nodes < whole.n_nodes
    full = InfluenceSolver(start.game)
    full.restore(other.table())
    assert solved(start, full, scores=True).n_nodes < whole.n_nodes // 4


def damaged(table):
    """Tables in which one thing is wrong."""
    for name in table:
        yield "missing", {key: array for key, array in table.items() if key != name}
        yield "kind", table | {name: table[name].astype(np.float64)}
        yield "length", table | {name: table[name][:-1]}
        yield "shape", table | {name: table[name][None]}
    yield "other", dict.fromkeys(table, 7)
    for name, value in [("parts", 0), ("parts", 1), ("parts", 2**64 - 1), ("part_bounds", 10**6),
                        ("part_bounds", -(2**31)), ("sum_at", -1), ("sum_at", 2**62),
                        ("sum_parts", 0), ("sum_parts", 10**6), ("sum_parts", -(2**31)),
                        ("sum_bounds", 2**31 - 1), ("sum_bounds", -(10**6))]:  # fmt: skip
        array = table[name].copy()
        array.reshape(-1)[len(array) // 2] = value
        yield f"{name} {value}", table | {name: array}
    bounds = table["part_bounds"].copy()
    bounds[0] = bounds[0] + 1
    yield "parity", table | {"part_bounds": bounds}
    bounds = table["part_bounds"][:, [1, 0, 2, 3]]
    yield "least and most", table | {"part_bounds": bounds}
    sum_parts = table["sum_parts"].copy()
    sum_parts[:2] = 1, -1
    yield "opposite", table | {"sum_parts": sum_parts}
    yield "extra", table | {"more": table["parts"]}


def test_damaged_tables_are_refused():
    start, solver, whole = half_solved("segment:30")
    table = solver.table()
    for what, arrays in damaged(table):
        fresh = InfluenceSolver(start.game)
        with pytest.raises(BadText) as caught:
            fresh.restore(arrays)
        assert "\n" not in str(caught.value), what
        assert fresh.space.n_positions == 0
    assert solved(start, solver, scores=True).value == whole.value


def test_a_table_of_another_board_is_refused():
    _, solver, _ = half_solved("segment:30")
    for board in ("segment:28", "segment:100", "ring:30"):
        with pytest.raises(BadText):
            solver_on(board).restore(solver.table())


def test_a_table_larger_than_the_memory_is_refused():
    start, solver, _ = half_solved("segment:60")
    with pytest.raises(BadText, match="memory"):
        InfluenceSolver(start.game, memory=0).restore(solver.table())


def test_wrong_bounds_in_a_table_give_an_answer_of_the_right_form_or_an_error():
    start, solver, _ = half_solved("segment:30")
    table, rng = solver.table(), np.random.default_rng(1)
    n_refused = n_answered = 0
    for _ in range(20):
        wrong = {name: array.copy() for name, array in table.items()}
        for name in ("part_bounds", "sum_bounds"):
            wrong[name] += 2 * rng.integers(-1, 2, wrong[name].shape).astype(np.int32)
        misled = InfluenceSolver(start.game)
        try:
            misled.restore(wrong)
            solving = misled.begin(start, each=True, scores=True)
            solving.advance(10**6)
        except BadText:
            n_refused += 1
            continue
        n_answered += 1
        found = solving.solution()
        assert solving.is_done
        assert {each.move for each in found.moves} == set(start.legal_moves())
        assert -30 <= found.value.least <= found.value.most <= 30
    assert n_refused + n_answered == 20
    assert n_refused > 0


# -- what is too large, and what is no board ---------------------------------------------------


@cache
def lattice(n):
    """Squares that alternate like a chess board, each L with arcs to all its neighbours."""
    graph = nx.DiGraph()
    for u, v in nx.grid_2d_graph(n, n).edges:
        graph.add_edge(*((u, v) if sum(u) % 2 == 0 else (v, u)))
    nx.set_node_attributes(graph, {v: "LR"[sum(v) % 2] for v in graph}, "side")
    return nx.convert_node_labels_to_integers(graph)


def test_a_board_that_is_too_large_is_refused_with_advice():
    position = topple.load("influence", board=lattice(15)).start()
    with pytest.raises(Unsupported) as caught:
        solve(position)
    message = str(caught.value)
    assert "\n" not in message
    for word in ("225", str(FEASIBLE), "time limit", "agent"):
        assert word in message
    with pytest.raises(Unsupported, match="9,841"):
        solve(topple.load("influence", board="tree:n=7,c=3,copies=1").start(), time=1)


@pytest.mark.parametrize(
    "board", ["tree:n=4,copies=2", "random-digraph:n=200,m=200,seed=1", "segment:80"]
)
def test_what_is_feasible_is_not_refused(board):
    solver = solver_on(board)
    solver.check(solver.game.start())


def test_a_ring_is_judged_by_what_it_breaks_into():
    solver = solver_on("ring:1000")
    with pytest.raises(Unsupported, match="1000"):
        solver.check(solver.game.start())


def test_the_solver_is_found_for_the_game():
    assert isinstance(solver_for(topple.load("influence", "tree:n=1,c=2")), InfluenceSolver)
    assert not InfluenceSolver.suits(topple.load("hex", board="hex:3"))


@pytest.mark.parametrize("sides", [[None, "R"], ["L", None]])
def test_half_labelled_files_are_refused(tmp_path, sides):
    graph = nx.DiGraph([("a", "b")])
    nx.set_node_attributes(graph, {v: s for v, s in zip("ab", sides, strict=True) if s}, "side")
    nx.write_graphml(graph, tmp_path / "half.graphml")
    with pytest.raises(
        BadBoard, match=r"1 of 2 vertices have no side, .* give every vertex L or R"
    ):
        topple.load("influence", board=f"file:{tmp_path / 'half.graphml'}")


def test_unlabelled_files_are_refused(tmp_path):
    nx.write_graphml(nx.DiGraph([("a", "b")]), tmp_path / "plain.graphml")
    with pytest.raises(BadBoard, match="needs a side L or R on every vertex"):
        topple.load("influence", board=f"file:{tmp_path / 'plain.graphml'}")


def test_a_sum_of_more_parts_than_the_board_has_vertices_is_refused() -> None:
    start = load("influence", "segment:9", compiled=False).start()
    solver = InfluenceSolver(start.game)
    advance_until(solver.begin(start))
    table = solver.table()
    own = np.flatnonzero(table["part_bounds"][:, 0] > 0)
    assert len(own)
    for n, bad in ((2, False), (solver.space.reduced.n + 1, True)):
        weight = n * 2
        claim = np.array([[-weight, weight, -weight, weight]], dtype=np.int32)
        forged = table | {
            "sum_at": np.array([0, n], dtype=np.int64),
            "sum_parts": np.ones(n, dtype=np.int32),
            "sum_bounds": claim,
        }
        del forged["graph"]
        assert is_table(forged, solver.space.reduced.n, solver.space.reduced.n_words) is not bad
