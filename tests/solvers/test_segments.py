"""Sums of segments and rings solved exactly, beside the paper, its twins and plain recursion."""

import json
import random
from functools import cache
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import topple
from tests.core import command_line
from tests.reference.influence import LEFT, Influence
from tests.reference.segments import (
    choices,
    moves,
    negative,
    plain_left_score,
    plain_right_score,
    write_sum,
)
from topple.core.errors import BadText, Unsupported
from topple.game.game import load
from topple.solvers import find_solver, solve
from topple.solvers.segments import solver as segments
from topple.solvers.segments import table as segments_table
from topple.solvers.segments.findings import conjectures, find_irregular, find_period
from topple.solvers.segments.pieces import HEATS, UNIT, make_pieces
from topple.solvers.segments.prover import Inquiry, Prover
from topple.solvers.segments.sequence import score_sequence, segment_scores
from topple.solvers.segments.solver import FEASIBLE, SegmentSolver
from topple.solvers.segments.table import FULLEST, KEY_LOW, NOTE
from topple.solvers.solution import Bounds

# Table 1 of the paper: Ls(S_n) and Rs(S_n) for n = 1..19, then for n = 20..38.
TABLE_1_LEFT = [
    *(-1, 2, 3, 4, 1, 2, 3, 2, 1, 2, 3, 2, 1, 4, 3, 2, 1, 2, 3),
    *(2, 1, 4, 3, 2, 1, 2, 3, 2, 1, 4, 3, 2, 1, 2, 3, 2, 1, 2),
]
TABLE_1_RIGHT = [
    *(-1, -2, -3, -4, -5, -2, -1, -2, -3, -2, -1, -2, -3, -4, -3, -2, -3, -2, -3),
    *(-2, -5, -4, -3, -2, -3, -2, -3, -2, -5, -4, -3, -2, -3, -2, -3, -2, -5, -2),
]


def finish(solving, part=10_000):
    while not solving.is_done:
        solving.advance(part)
    return solving


@cache
def sequence(last):
    return finish(score_sequence(last))


def scores(board, **options):
    """(Ls, Rs) of a board."""
    game = topple.load("influence", board, **options)
    found = finish(SegmentSolver(game).begin(game.start(), scores=True)).solution().scores
    assert found.left.is_exact
    assert found.right.is_exact
    return found.left.least, found.right.least


# -- the paper -----------------------------------------------------------------------------------


def test_table_1():
    rows = sequence(80).rows()[:38]
    assert [row.n for row in rows] == list(range(1, 39))
    assert [row.left for row in rows] == TABLE_1_LEFT
    assert [row.right for row in rows] == TABLE_1_RIGHT


def test_section_4_3_segment_77_breaks_the_period_of_4():
    found = {n: both for n, *both in sequence(80).rows()}
    assert all(found[n] == found[n + 4] for n in range(38, 73))
    assert found[77] == [1, -5] != found[73]
    assert found[80] == [2, -2]


def test_section_4_1_sums_that_are_named():
    assert scores("segment:10+17")[0] == -1
    assert scores("segment:5p+17p")[0] == 6


@pytest.mark.parametrize("k", range(1, 11))
def test_lemma_23(k):
    assert scores(f"segment:{2 * k}+{2 * k}") == (0, 0)
    assert scores(f"segment:{2 * k + 1}+{2 * k + 1}p") == (0, 0)
    assert scores(f"segment:{2 * k}+{2 * k + 2}")[1] == -2
    assert scores(f"segment:{2 * k}+{2 * k + 1}p")[1] == -1
    if k > 1:
        assert scores(f"segment:{2 * k}+{2 * k - 1}p")[1] >= -1


def test_theorem_20_on_every_segment_to_80():
    for n, left, right in sequence(80).rows()[1:]:
        if n % 2 == 0:
            assert left in {2, 4}
            assert right in {-2, -4}
        else:
            assert left in ({3} if n // 2 % 2 == 1 else {1, 3})
            assert right in {-1, -3, -5}


@pytest.mark.parametrize("n", range(4, 41, 4))
def test_corollary_24_on_rings(n):
    # All first moves are alike: they take three vertices and leave a segment of C_+.
    expected = 3 + plain_right_score((n - 3,)) if n > 4 else 4
    assert scores(f"ring:{n}") == (expected, -expected)
    assert n == 4 or expected in {0, 2}


@pytest.mark.parametrize("n", range(6, 41, 4))
def test_corollary_24_on_rings_with_an_odd_number_of_each_label(n):
    assert scores(f"ring:{n}") == (0, 0)


# -- plain recursion -----------------------------------------------------------------------------


def random_pieces(rng, total, longest=13):
    """Segments with signed lengths, as the reference has them; several odd ones may be there."""
    pieces = []
    while sum(map(abs, pieces)) < total:
        n = rng.randrange(1, longest)
        pieces.append(n if n % 2 == 0 else rng.choice([n, -n]))
    return tuple(sorted(pieces))


@pytest.mark.parametrize("seed", range(40))
def test_random_sums_have_the_scores_of_plain_recursion(seed):
    pieces = random_pieces(random.Random(seed), 6 + seed % 20)
    assert scores(write_sum(pieces)) == (plain_left_score(pieces), plain_right_score(pieces))


@pytest.mark.parametrize("n", range(2, 45, 3))
def test_single_segments_have_the_scores_of_plain_recursion(n):
    for piece in {n, -n if n % 2 else n}:
        assert scores(write_sum((piece,))) == (
            plain_left_score((piece,)), plain_right_score((piece,)),
        )  # fmt: skip


def twin_of(position):
    """The slow twin on a position's board, remembering what its recursion has found."""
    board = position.game.board
    successors = [board.neighbours(vertex) for vertex in range(board.n_vertices)]
    twin = Influence(successors, board.sides)
    twin.s1, twin.s2 = cache(twin.s1), cache(twin.s2)
    return twin


def there(position):
    return frozenset(v for v, cell in enumerate(position.cells()) if cell)


def lead_of_mover(position):
    left, right = position.scores
    return left - right if position.player == LEFT else right - left


def plain_value(twin, position, move):
    """What a move is worth to its player by Remark 1, points already taken included."""
    alive, player = there(position), position.player
    taken = twin.taken(alive, player, move)
    rest = alive - taken
    own, other = twin.s2(rest, player), twin.s1(rest, 1 - player)
    return lead_of_mover(position) + len(taken) + own - other


def random_position(seed):
    """Some moves into a game on a small sum or ring."""
    rng = random.Random(seed)
    board = write_sum(random_pieces(rng, rng.randrange(5, 16), 10))
    if seed % 4 == 3:
        board = f"ring:{rng.randrange(4, 17, 2)}"
    position = topple.load("influence", board, first=rng.choice(["left", "right"])).start()
    for _ in range(seed % 5):
        after = position.play(rng.choice(position.legal_moves()))
        if after.is_over:
            break
        position = after
    return position


@pytest.mark.parametrize("seed", range(60))
def test_moves_and_lines_of_random_positions(seed):
    position = random_position(seed)
    twin = twin_of(position)
    plain = {move: plain_value(twin, position, move) for move in position.legal_moves()}
    best = max(plain.values())
    quick, full = solve(position), solve(position, each=True, scores=True)
    for solution in (quick, full):
        assert solution.value == Bounds(best, best)
        assert sorted(solution.best_moves) == [m for m, v in plain.items() if v == best]
        assert sorted(move for move, _ in solution.moves) == list(plain)
        assert all(b.least <= plain[move] <= b.most for move, b in solution.moves)
        assert lead_at_the_end(position, solution.line) == best
        assert solution.line[0] in solution.best_moves
    assert {move: value.least for move, value in full.moves} == plain
    assert all(value.is_exact for _, value in full.moves)
    values = [value.least for _, value in full.moves]
    assert values == sorted(values, reverse=True)
    left, right = twin.left_score(there(position)), twin.right_score(there(position))
    assert full.scores.left == Bounds(left, left)
    assert full.scores.right == Bounds(right, right)
    assert full.scores.n_vertices == len(there(position))
    assert left >= right  # Corollary 12


def lead_at_the_end(position, line):
    player = position.player
    for move in line:
        position = position.play(move)
    assert position.is_over
    left, right = position.scores
    return left - right if player == LEFT else right - left


def test_a_line_on_a_long_segment_ends_with_the_lead_that_is_proven():
    position = topple.load("influence", "segment:60", first="right").start()
    solution = solve(position)
    assert lead_at_the_end(position, solution.line) == solution.value.least == 2


def test_corollary_12_on_every_sum_that_is_met():
    prover, inquiry = prover_for(60)
    met = set()
    inquiry.at_least, ask = watched(inquiry, met), inquiry.at_least
    run_all(inquiry, inquiry.settle(60))
    inquiry.at_least = ask
    assert len(met) > 100
    for sum_ in sorted(met):
        left, right = inquiry.left_score(sum_), inquiry.right_score(sum_)
        assert run_all(inquiry, left) >= run_all(inquiry, right)
    assert prover.n_settled == 60


def watched(inquiry, met):
    ask = inquiry.at_least

    def at_least(sum_, threshold):
        met.add(sum_)
        return (yield from ask(sum_, threshold))

    return at_least


def prover_for(longest, **options):
    game = topple.load("influence", "segment:2")
    prover = Prover(game.run, longest, memory=64, **options)
    return prover, Inquiry(prover, longest)


def run_all(inquiry, work):
    """What a generator of questions returns, whatever it takes."""
    while True:
        inquiry.granted = 1 << 20
        try:
            next(work)
        except StopIteration as end:
            return end.value


# -- what pruning rests on -----------------------------------------------------------------------


def test_nothing_hangs_on_theorem_20():
    trusting, inquiry = prover_for(60)
    run_all(inquiry, inquiry.settle(60))
    doubting, other = prover_for(60, trusting=False)
    run_all(other, other.settle(60))
    assert trusting.scores == doubting.scores


def test_dominated_moves_are_never_better_than_those_that_are_kept():
    prover, inquiry = prover_for(45)
    run_all(inquiry, inquiry.settle(45))
    full = make_pieces(45)
    n_dropped = 0
    for length in range(2, prover.n_trimmed + 1):
        for piece in {length, -length if length % 2 and length != 3 else length}:
            code = 2 * length + (piece < 0)
            kept = [plain_move(*move) for move in prover.moves(code)]
            count = int(full.move_count[code])
            n_dropped += count - len(kept)
            for i in range(full.move_start[code], full.move_start[code] + count):
                rest = [int(c) for c in (full.move_first[i], full.move_second[i]) if c]
                move = plain_move(int(full.move_gain[i]), rest)
                assert any(is_as_good(other, move) for other in kept), (piece, move)
    assert n_dropped > 10


def plain_move(gain, codes):
    return gain, tuple(code // 2 for code in codes)


def is_as_good(one, other):
    """H ≥ K if Right, moving first, cannot make H − K negative; by plain recursion."""
    difference = tuple(sorted((*one[1], *negative(other[1]))))
    return one[0] - other[0] + plain_right_score(difference) >= 0


def test_walls_of_small_pieces_are_those_of_their_thermographs():
    prover, inquiry = prover_for(14)
    run_all(inquiry, inquiry.settle(14))
    for length in range(2, 15):
        for code in {2 * length, 2 * length + (length % 2 and length != 3)}:
            piece = -length if code % 2 else length
            left, right = thermograph((piece,))
            heat = prover.heat
            assert (heat.left_least[code] <= left).all()
            assert (left <= heat.left_most[code]).all()
            assert (heat.right_least[code] <= right).all()
            assert (right <= heat.right_most[code]).all()
            assert heat.left_least[code, 0] == left[0]
            assert heat.right_most[code, 0] == right[0]


@cache
def thermograph(pieces):
    """The walls of a sum of pieces with signed lengths, in eighths, from its options' walls."""
    taxes = np.arange(HEATS)
    lefts, rights = scaffolds(pieces), scaffolds(negative(pieces))
    if not lefts or not rights:
        points = UNIT * sum(pieces)
        return np.full(HEATS, points), np.full(HEATS, points)
    left = np.max(lefts, axis=0) - taxes
    right = -(np.max(rights, axis=0) - taxes)
    crossed = np.flatnonzero(left <= right)
    if len(crossed):
        t = crossed[0]
        # Walls have slopes of 0 and 1 between eighths: they meet at t or half an eighth before.
        mean = (min(left[t - 1], right[t]) + max(right[t - 1], left[t])) / 2 if t else left[0]
        left, right = np.where(taxes < t, left, mean), np.where(taxes < t, right, mean)
    return left, right


def scaffolds(pieces):
    """For each of Left's moves the gain plus the right wall of what remains."""
    return [
        UNIT * gain + thermograph(tuple(sorted(others + remainder)))[1]
        for piece, others in choices(pieces)
        if piece != -1
        for gain, remainder in moves(piece)
    ]


# -- boards --------------------------------------------------------------------------------------


def influence_on(arcs, sides):
    graph = nx.DiGraph()
    graph.add_nodes_from((vertex, {"side": side}) for vertex, side in enumerate(sides))
    graph.add_edges_from(arcs)
    return topple.load("influence", graph)


def test_boards_are_known_by_their_arcs_and_labels_not_by_their_names():
    assert SegmentSolver.suits(influence_on([(0, 3), (2, 3), (2, 1)], "LRLR"))
    assert SegmentSolver.suits(influence_on([(0, 1), (0, 3), (2, 1), (2, 3)], "LRLR"))
    assert SegmentSolver.suits(influence_on([], "LRL"))
    assert find_solver(topple.load("influence", "ring:8")) is SegmentSolver


@pytest.mark.parametrize(
    ("arcs", "sides"),
    [
        ([(1, 0)], "LR"),  # from R to L
        ([(0, 1)], "LL"),
        ([(0, 1), (0, 2), (0, 3)], "LRRR"),  # a star
        ([(0, 1), (1, 0)], "LR"),
        ([(0, 1), (1, 2)], "LRR"),
    ],
)
def test_other_digraphs_do_not_suit(arcs, sides):
    assert not SegmentSolver.suits(influence_on(arcs, sides))


def test_other_games_do_not_suit():
    assert not SegmentSolver.suits(topple.load("hex", "hex:3"))


def test_a_shuffled_ring_is_followed_round():
    order = [5, 2, 7, 0, 3, 6, 1, 4]
    sides = ["L"] * 8
    for place, vertex in enumerate(order):
        sides[vertex] = "LR"[place % 2]
    near = [*pairwise(order), (order[-1], order[0])]
    arcs = [(u, v) if sides[u] == "L" else (v, u) for u, v in near]
    game = influence_on(arcs, sides)
    solution = solve(game.start(), each=True, scores=True)
    assert (solution.scores.left.least, solution.scores.right.least) == scores("ring:8")
    assert lead_at_the_end(game.start(), solution.line) == solution.value.least


def test_what_is_hopeless_is_refused_in_a_line_that_helps():
    long = topple.load("influence", f"segment:{FEASIBLE + 2}").start()
    with pytest.raises(Unsupported, match="are feasible: set a time limit"):
        solve(long)
    half = FEASIBLE // 2 + 1
    pair = topple.load("influence", f"segment:{half}+{half}p").start()
    SegmentSolver(pair.game).check(pair)  # they cancel, and a move takes two vertices


@pytest.mark.parametrize("board", ["segment:3000", "segment:601+701p+3", "ring:1000"])
def test_a_vast_board_gets_the_bounds_of_theorem_20(board):
    position = topple.load("influence", board).start()
    solving = SegmentSolver(position.game).begin(position, each=True, scores=True)
    assert solving.is_done
    solution = solving.solution()
    assert solution.limit == "size"
    assert not solution.is_exact
    assert -20 < solution.value.least < solution.value.most < 20
    assert all(bounds.most == solution.value.most for _, bounds in solution.moves)
    assert all(-30 < bounds.least < solution.value.least for _, bounds in solution.moves)
    assert sorted(move for move, _ in solution.moves) == list(position.legal_moves())
    assert solution.value.least % 2 == solution.value.most % 2 == position.game.board.n_vertices % 2


def test_bounds_of_a_long_segment_that_is_cut_short_are_those_of_theorem_20_or_narrower():
    position = topple.load("influence", "segment:300").start()
    solution = solve(position, time=0.01)
    assert solution.limit == "time"
    assert 0 <= solution.value.least <= solution.value.most <= 5


# -- a search in parts ---------------------------------------------------------------------------


def test_bounds_are_honest_at_every_cut():
    position = topple.load("influence", "segment:9+9+13p+6").start().play("2")
    solver = SegmentSolver(position.game)
    final = finish(solver.begin(position, each=True, scores=True)).solution()
    solving = SegmentSolver(position.game).begin(position, each=True, scores=True)
    exact = dict(final.moves)
    n_cuts = 0
    while not solving.is_done:
        solving.advance(1)
        now = solving.solution()
        n_cuts += 1
        assert now.value.least <= final.value.least <= now.value.most
        for move, (least, most) in now.moves:
            assert least <= exact[move].least <= most
        assert now.scores.left.least <= final.scores.left.least <= now.scores.left.most
        assert now.scores.right.least <= final.scores.right.least <= now.scores.right.most
        assert now.line == final.line[: len(now.line)]
        done, total, _ = solving.progress()
        assert done <= total
    assert n_cuts > 10
    assert done == total


@pytest.mark.parametrize("part", [1, 7, 1000])
def test_cutting_the_work_changes_nothing(part):
    game = topple.load("influence", "segment:41+10")
    whole = finish(SegmentSolver(game).begin(game.start(), scores=True), 1 << 30).solution()
    parts = finish(SegmentSolver(game).begin(game.start(), scores=True), part).solution()
    assert whole == parts
    assert whole.n_nodes > 100


def test_two_positions_in_turns_are_solved_like_one_after_the_other():
    game = topple.load("influence", "segment:34")
    first, second = game.start(), game.start().play("10")
    solver = SegmentSolver(game)
    one, two = solver.begin(first), solver.begin(second, each=True)
    while not (one.is_done and two.is_done):
        one.advance(3)
        two.advance(2)
    assert one.solution().moves == solve(first).moves
    assert two.solution().moves == solve(second, each=True).moves


def test_a_second_question_profits_from_the_first():
    game = topple.load("influence", "segment:50")
    solver = SegmentSolver(game)
    cold = finish(solver.begin(game.start())).solution()
    again = finish(solver.begin(game.start())).solution()
    assert again.n_nodes == 0 < cold.n_nodes
    assert again.moves == cold.moves
    assert again.line == cold.line


def test_uncompiled_it_finds_the_same():
    game, plain = (topple.load("influence", "segment:21+6", compiled=c) for c in (True, False))
    ours = finish(SegmentSolver(game).begin(game.start(), each=True)).solution()
    slow = finish(SegmentSolver(plain).begin(plain.start(), each=True), 50).solution()
    assert (slow.value, slow.moves, slow.line) == (ours.value, ours.moves, ours.line)
    assert (slow.n_nodes, slow.n_positions) == (ours.n_nodes, ours.n_positions)


@pytest.mark.parametrize("board", ["segment:1", "ring:4", "segment:30"])
def test_rehearsing_calls_every_kernel_on_any_board(board):
    solver = SegmentSolver(topple.load("influence", board))
    solver.game.kernels.called.difference_update(SegmentSolver.KERNELS)
    solver.warm()
    assert solver.game.kernels.called >= set(SegmentSolver.KERNELS)
    assert solver.prover.n_positions == 0


# -- memory --------------------------------------------------------------------------------------


def test_a_table_grows_and_loses_nothing():
    solver = SegmentSolver(topple.load("influence", "segment:76"))
    finish(solver.begin(solver.game.start()))
    prover = solver.prover
    assert len(prover.table.entries) > 1 << 12
    found = solver.table()["entries"]
    assert len(found) == prover.n_positions > 1 << 12
    assert len(np.unique(found, axis=0)) == len(found)


def test_a_full_memory_leaves_honest_bounds(monkeypatch):
    monkeypatch.setattr("topple.solvers.segments.prover.MEGABYTE", 1 << 13)
    monkeypatch.setattr("topple.solvers.segments.prover.FIRST_SIZE", 1 << 8)
    position = topple.load("influence", "segment:70").start()
    solution = solve(position, memory=1)
    assert solution.limit == "memory"
    assert not solution.is_exact
    assert solution.line == ()
    exact = solve(position, each=True)
    assert solution.value.least <= exact.value.least <= solution.value.most
    found = dict(solution.moves)
    assert all(found[m].least <= value.least <= found[m].most for m, value in exact.moves)
    assert solution.n_positions * 12 <= 1 << 13


def test_a_restored_table_goes_on_where_the_other_stopped():
    game = topple.load("influence", "segment:70")
    cut, whole = SegmentSolver(game), SegmentSolver(game)
    solving = cut.begin(game.start())
    for _ in range(20):
        solving.advance(200)
    assert not solving.is_done
    again = SegmentSolver(game)
    again.restore(cut.table())
    rest = finish(again.begin(game.start())).solution()
    full = finish(whole.begin(game.start())).solution()
    assert rest.moves == full.moves
    assert rest.n_nodes < full.n_nodes - 2000
    done = SegmentSolver(game)
    done.restore(whole.table())
    assert finish(done.begin(game.start())).solution().n_nodes == 0


GOOD = np.array([[1, 2, (7 << 16) | (126 << 8) | 130]], dtype=np.uint32)


@pytest.mark.parametrize(
    "arrays",
    [
        {},
        {"entries": GOOD, "more": GOOD},
        {"entries": GOOD.astype(np.int64)},
        {"entries": GOOD[0]},
        {"entries": GOOD[:, :2].copy()},
        {"entries": np.asfortranarray(np.repeat(GOOD, 2, axis=0))},
        {"entries": np.array([[1, 2, (130 << 8) | 126]], dtype=np.uint32)},  # least above most
        {"entries": np.array([[1, 2, (127 << 8) | 130]], dtype=np.uint32)},  # two parities
        {"entries": np.zeros((2, 3), dtype=np.uint32)},  # no entry at all
        {"entries": None},
    ],
)
def test_arrays_that_are_no_table_are_refused(arrays):
    solver = SegmentSolver(topple.load("influence", "segment:9"))
    with pytest.raises(BadText, match="damaged"):
        solver.restore(arrays)
    solver.restore({"entries": GOOD})
    assert solver.prover.n_positions == 1


def test_a_table_larger_than_the_memory_is_refused():
    solver = SegmentSolver(topple.load("influence", "segment:9"), memory=1)
    with pytest.raises(BadText, match="allow more memory"):
        solver.restore({"entries": np.repeat(GOOD, 1 << 17, axis=0)})


# -- the sequence --------------------------------------------------------------------------------


def test_the_sequence_can_be_cut_and_carried_on():
    whole, parts = score_sequence(50), score_sequence(50)
    finish(whole, 1 << 30)
    rows = ()
    while not parts.is_done:
        parts.advance(10)
        assert parts.rows()[: len(rows)] == rows
        rows = parts.rows()
        assert parts.progress().done == len(rows)
    assert rows == whole.rows()
    assert len(rows) == 50
    assert parts.n_nodes == whole.n_nodes
    assert parts.limit is None


def test_a_restored_sequence_is_quick():
    first = finish(score_sequence(60))
    second = score_sequence(60)
    second.solver.restore(first.solver.table())
    assert finish(second).rows() == first.rows()
    assert second.n_nodes == 0 < first.n_nodes


def test_a_sequence_ends_when_the_memory_is_full(monkeypatch):
    monkeypatch.setattr("topple.solvers.segments.prover.MEGABYTE", 1 << 13)
    monkeypatch.setattr("topple.solvers.segments.prover.FIRST_SIZE", 1 << 8)
    short = finish(score_sequence(80, memory=1))
    assert short.limit == "memory"
    n = short.progress().done
    assert 20 < n < 80
    assert short.rows() == sequence(80).rows()[:n]
    with pytest.raises(BadText, match="megabytes are not enough"):
        segment_scores(80, short)


def test_scores_of_one_segment():
    found = segment_scores(5)
    assert (found.left, found.right) == (Bounds(1, 1), Bounds(-5, -5))
    assert found.first_right == Bounds(5, 5)
    assert segment_scores(77, sequence(80)).right == Bounds(-5, -5)


@pytest.mark.parametrize("last", [0, -1, 601])
def test_a_sequence_that_cannot_be_is_refused(last):
    with pytest.raises(BadText, match="between 1 and 600"):
        score_sequence(last)


def test_asking_beyond_a_sequence_is_refused():
    with pytest.raises(BadText, match="ends at 80"):
        segment_scores(81, sequence(80))


# -- findings ------------------------------------------------------------------------------------


def made_up(values, first=1):
    return [(n, value, -value) for n, value in enumerate(values, start=first)]


def test_a_period_is_found_with_its_beginning():
    assert find_period(made_up([9, 8, 1, 2, 3, 1, 2, 3, 1, 2, 3])) == (3, 3, 11)
    assert find_period(made_up([9, 8, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1])).n_repeats == 2
    assert find_period(made_up([1, 2] * 2 + [5] + [1, 2] * 3, first=10)) == (15, 2, 20)
    assert find_period(made_up([4, 4, 4])) == (1, 1, 3)


def test_of_several_periods_the_one_that_explains_most_is_told():
    # The end alone has period 1; with the seldom 5 the whole has period 4.
    assert find_period(made_up([8, *[1, 1, 1, 5] * 3, 1, 1, 1])) == (2, 4, 16)


def test_a_stretch_that_comes_again_too_seldom_is_no_period():
    assert find_period(made_up([1, 2, 3, 1, 2, 3])) is None
    assert find_period(made_up([1, 2, 3, 1, 2, 3]), repeats=1) == (1, 3, 6)
    assert find_period(made_up([1, 2, 3, 1, 2, 3, 1, 2, 4])) is None
    assert find_period([]) is None


def test_a_change_in_one_score_alone_breaks_a_period():
    rows = [(n, 1, -3) for n in range(1, 13)]
    assert find_period(rows).start == 1
    rows[5] = (6, 1, -5)
    assert find_period(rows).start == 7


def test_irregular_scores_are_those_of_section_4_3():
    published = list(zip(range(1, 39), TABLE_1_LEFT, TABLE_1_RIGHT, strict=True))
    assert find_irregular(published) == (4, 5, 14, 21, 22, 29, 30, 37)


def test_conjectures_name_their_counterexamples():
    rows = [list(row) for row in sequence(80).rows()]
    assert all(finding.holds for finding in conjectures(rows))
    assert [finding.number for finding in conjectures(rows)] == [25, 26, 27]
    rows[44][1] = 3  # n = 45
    rows[39][1] = 4  # n = 40
    found = conjectures(rows)
    assert [finding.counterexamples for finding in found] == [(), (45,), (40,)]
    assert "fails at n = 45" in found[1].text
    assert "no period up to n = 80" in found[0].text
    assert all(len(finding.text) <= 80 for finding in found)


def test_a_period_is_told_with_conjecture_25():
    ends = [(n, 1 + (n % 40 == 0), 0) for n in range(100, 300)]
    assert len(conjectures(ends)[0].text) <= 80
    rows = made_up([7, *[1, 2, 3] * 4])
    assert "period 3 from n = 2, 4 times to n = 13" in conjectures(rows)[0].text


def test_a_table_whose_entries_crowd_together_is_refused():
    game = topple.load("influence", "segment:40")
    entries = np.zeros((1 << 17, 3), dtype=np.uint32)
    entries[:, KEY_LOW] = np.arange(len(entries))
    entries[:, NOTE] = 1 << 16 | 128 << 8 | 128
    with pytest.raises(BadText, match="damaged"):
        SegmentSolver(game).restore({"entries": entries})


def lied_about(solver, low, high):
    """A solver's table with other bounds for all sums."""
    entries = solver.table()["entries"].copy()
    entries[:, NOTE] = entries[:, NOTE] >> 16 << 16 | (low + 128) << 8 | high + 128
    return {"entries": entries}


@pytest.mark.parametrize(("low", "high"), [(1, 3), (126, 126), (-127, -127)])
def test_bounds_that_cannot_be_are_refused_when_they_are_met(low, high):
    game = topple.load("influence", "segment:40")
    known = SegmentSolver(game)
    finish(known.begin(game.start()))
    liar = SegmentSolver(game)
    liar.restore(lied_about(known, low, high))
    with pytest.raises(BadText, match="the restored table contradicts itself"):
        finish(liar.begin(game.start(), each=True, scores=True))


def test_an_even_segment_has_opposite_bounds_at_every_moment():
    game = topple.load("influence", "segment:60")
    solving = SegmentSolver(game).begin(game.start(), scores=True)
    while not solving.is_done:
        scores = solving.solution().scores
        assert scores.left == -scores.right
        solving.advance(7)
    assert solving.solution().scores.left == Bounds(2, 2)


def test_single_vertices_are_points_however_many_there_are():
    game = topple.load("influence", "segment:" + "+".join(["1"] * 700))
    solution = finish(SegmentSolver(game).begin(game.start(), scores=True)).solution()
    assert solution.scores.left == solution.scores.right == Bounds(-700, -700)
    assert solution.limit is None


def test_a_restored_table_has_room_to_go_on():
    game = topple.load("influence", "segment:100")
    prover = SegmentSolver(game, memory=1).prover
    for n in (10_000, 30_000, 34_000):
        assert FULLEST * prover.n_slots_for(n) >= 1.2 * n
    assert not prover.n_slots_for(80_000)


def test_segments_are_refused_from_just_beyond_what_is_feasible() -> None:
    for n, fits in ((segments.FEASIBLE, True), (segments.FEASIBLE + 1, False)):
        start = load("influence", f"segment:{n}").start()
        solver = segments.SegmentSolver(start.game)
        if fits:
            solver.check(start)
        else:
            with pytest.raises(topple.Unsupported, match=f"{n} vertices"):
                solver.check(start)


def test_bounds_of_a_vast_board_know_parity_and_who_begins() -> None:
    start = load("influence", "segment:610").start()
    solver = segments.SegmentSolver(start.game, memory=1)
    found = solver.begin(start, scores=True).solution()
    assert found.limit is not None
    assert found.scores == (610, Bounds(0, 4), Bounds(-4, 0))  # on an even segment Rs = -Ls
    for vertex in start.legal_moves()[:2] + start.legal_moves()[-3:]:
        after = solver.begin(start.play(vertex), scores=True)
        assert after.is_done
        assert [bound % 2 for bound in after.solution().value] == [0, 0]


def test_sums_that_share_a_key_are_told_apart_by_the_check() -> None:
    table = segments_table.make_table(8)
    key = np.uint64(3 << 40 | 5)
    for check, score in ((1, -3), (2, 5)):
        segments_table.store(table, key, np.uint64(check << 48), score, score)
    places = [segments_table.find_entry(table, key, np.uint64(n << 48)) for n in (1, 2, 3)]
    assert [segments_table.entry_low(table, place) for place in places[:2]] == [-3, 5]
    assert places[2] < 0
    assert table.counts[0] == 2


def test_a_checkpoint_of_the_sequence_serves_any_number(tmp_path: Path) -> None:
    kept = str(tmp_path / "kept")
    command = ("solve", "influence", "--checkpoint", kept, "--json", "--segments")
    assert command_line.topple(*command, "20").status == 0
    longer = command_line.topple(*command, "24")
    assert longer.status == 0
    assert f"going on from {kept}" in longer.err
    assert len(json.loads(longer.out)["rows"]) == 24


def test_a_sequence_that_fills_the_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topple.solvers.segments.prover.MEGABYTE", 1 << 13)
    monkeypatch.setattr("topple.solvers.segments.prover.FIRST_SIZE", 1 << 8)
    command = ("solve", "influence", "--memory", "1", "--segments", "70")
    found = json.loads(command_line.topple(*command, "--json").out)
    assert found["limit"] == "memory"
    assert 20 < len(found["rows"]) < 70
    told = command_line.topple(*command).out
    assert f"INFLUENCE on segments, {len(found['rows'])} of 70 solved\n" in told
    assert "stopped by the memory limit of 1 MB" in told
