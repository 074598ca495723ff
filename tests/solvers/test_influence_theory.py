"""What the INFLUENCE paper (004_5138168074a2dbdc.txt) proves and computes, RULES.md section 5.

Sums of segments are solved by reference/segments.py, other graphs by the slow twin's recursion,
and small boards by best play of topple's own game: the three must agree.
"""

import random
from functools import cache
from itertools import product

import networkx as nx
import pytest

import topple
from tests.reference.influence import LEFT, RIGHT, Influence, reach
from tests.reference.perft import segments as segment_graph
from tests.reference.segments import (
    SegmentSolver,
    moves,
    n_vertices,
    negative,
    opposite,
    plain_left_score,
    plain_right_score,
    read_sum,
    useful_moves,
    write_sum,
)
from tests.solvers.samples import few_of

SOLVER = SegmentSolver()  # one table of bounds for all tests

# Table 1: Ls(S_n) and Rs(S_n) for n = 1..19, then for n = 20..38; an odd S_n is in C_-.
TABLE_1_LEFT = [
    *(-1, 2, 3, 4, 1, 2, 3, 2, 1, 2, 3, 2, 1, 4, 3, 2, 1, 2, 3),
    *(2, 1, 4, 3, 2, 1, 2, 3, 2, 1, 4, 3, 2, 1, 2, 3, 2, 1, 2),
]
TABLE_1_RIGHT = [
    *(-1, -2, -3, -4, -5, -2, -1, -2, -3, -2, -1, -2, -3, -4, -3, -2, -3, -2, -3),
    *(-2, -5, -4, -3, -2, -3, -2, -3, -2, -5, -4, -3, -2, -3, -2, -3, -2, -5, -2),
]


def scores(pieces):
    """(Ls, Rs) of a sum of segments, by null-window search."""
    if isinstance(pieces, str):
        pieces = read_sum(pieces)
    return SOLVER.left_score(pieces), SOLVER.right_score(pieces)


def segment_scores(n):
    """(Ls(S_n), Rs(S_n)): section 4.3 takes an odd S_n from C_-."""
    return scores((opposite(n),))


def both_kinds(n):
    """The segments of n vertices: one if n is even, else that of C_+ and that of C_-."""
    return sorted({n, opposite(n)})


def sums(total, longest=None):
    """All sums of segments and single vertices with so many vertices in all."""
    if total == 0:
        yield ()
    for length in range(1, min(total, longest or total) + 1):
        for rest in sums(total - length, length):
            for piece in both_kinds(length):
                if not rest or abs(rest[0]) < length or piece <= rest[0]:
                    yield (piece, *rest)


# -- agreement ---------------------------------------------------------------------------------


def remembering(successors, labels):
    """The slow twin, made to remember the scores that its recursion has found."""
    twin = Influence(successors, labels)
    twin.s1, twin.s2 = cache(twin.s1), cache(twin.s2)
    return twin


def best_play(board, first, compiled):
    """Left's points minus Right's when both play topple's own game as well as possible."""
    known = {}

    def difference(position):
        if position.text not in known:
            known[position.text] = result(position)
        return known[position.text]

    def result(position):
        if position.is_over:
            left, right = position.scores
            return left - right
        best = max if position.player == LEFT else min
        return best(difference(position.play(move)) for move in position.legal_moves())

    game = topple.load("influence", board=board, first=first, compiled=compiled)
    return difference(game.start())


def topple_scores(board, compiled=True):
    """(Ls, Rs) by best play of topple's own game."""
    return best_play(board, "left", compiled), best_play(board, "right", compiled)


def all_agree(pieces, compiled=True):
    """Whether solver, twin and topple find the same scores."""
    board = write_sum(pieces)
    twin = remembering(*segment_graph(board))
    found = scores(pieces)
    return found == (twin.left_score(), twin.right_score()) == topple_scores(board, compiled)


def test_sums_up_to_a_total_of_5_are_all_listed_once():
    # The generating function is the product of 1/(1 - x^n), squared for odd n.
    assert [len(list(sums(total))) for total in range(6)] == [1, 2, 4, 8, 14, 24]
    assert len({tuple(sorted(s)) for s in sums(5)}) == 24


@pytest.mark.parametrize("total", range(1, 19))
def test_cancelling_and_pruning_change_no_score_of_a_small_sum(total):
    solver = SegmentSolver()  # a table without smaller sums, so that it has to search
    for pieces in sums(total):
        assert solves_like_plain_recursion(solver, pieces), write_sum(pieces)


def solves_like_plain_recursion(solver, pieces):
    found = solver.left_score(pieces), solver.right_score(pieces)
    position = tuple(sorted(pieces))
    return found == (plain_left_score(position), plain_right_score(position))


@pytest.mark.parametrize("seed", range(10))
def test_cancelling_and_pruning_change_no_score_of_a_larger_sum(seed):
    rng = random.Random(seed)
    for _ in range(20):
        pieces = rng.choices([*range(2, 13), -3, -5, -7, -9, -11], k=rng.randrange(2, 5))
        if n_vertices(pieces) > 30:
            continue  # too much for plain recursion
        assert solves_like_plain_recursion(SegmentSolver(), pieces), write_sum(pieces)


@pytest.mark.parametrize("n", few_of(range(2, 46), *range(2, 37), 41))
def test_cancelling_and_pruning_change_no_score_of_a_segment(n):
    for piece in both_kinds(n):
        assert solves_like_plain_recursion(SegmentSolver(), (piece,)), write_sum((piece,))


@pytest.mark.parametrize("n", range(1, 13))
def test_solver_twin_and_topple_agree_on_segments(n):
    for piece in both_kinds(n):
        assert all_agree((piece,)), write_sum((piece,))


@pytest.mark.parametrize("total", range(2, 9))
def test_solver_twin_and_topple_agree_on_all_small_sums(total):
    # The same rules without compiling: loading them for each board would take most of the time.
    for pieces in sums(total):
        assert all_agree(pieces, compiled=False), write_sum(pieces)


@pytest.mark.parametrize("total", few_of(range(9, 13), 9, 11))
def test_solver_twin_and_topple_agree_on_some_larger_sums(total):
    for pieces in random.Random(total).sample(list(sums(total)), 10):
        assert all_agree(pieces), write_sum(pieces)


def test_figure_1_on_a_networkx_graph():
    graph = nx.DiGraph(["uw", "vw", "xv", "wy", "wz"])
    nx.set_node_attributes(graph, dict.fromkeys(graph, "R") | {"u": "L", "w": "L"}, "side")
    assert topple_scores(graph) == (2, -6)


# -- section 3: what the segment solver rests on -----------------------------------------------


def test_corollary_12_nobody_wants_to_pass():
    for total in range(1, 15):
        for pieces in sums(total):
            position = tuple(sorted(pieces))
            assert plain_left_score(position) >= plain_right_score(position), position


def test_corollary_14_bounds_the_score_of_a_sum():
    rng = random.Random(14)
    for _ in range(300):
        g, h = (tuple(sorted(rng.choice(list(sums(rng.randrange(2, 9)))))) for _ in range(2))
        left_score = plain_left_score(tuple(sorted(g + h)))
        assert plain_left_score(g) + plain_right_score(h) <= left_score
        assert plain_right_score(g) + plain_left_score(h) <= left_score
        assert left_score <= plain_left_score(g) + plain_left_score(h)


def test_corollary_15_opposite_sums_cancel():
    for total in range(1, 9):
        for pieces in sums(total):
            position = tuple(sorted(pieces + negative(pieces)))
            assert plain_left_score(position) == plain_right_score(position) == 0, position


# -- section 4.1: sums of segments -------------------------------------------------------------


def forced(twin, alive):
    """Definition 6: the vertices that one player will get whatever happens."""
    return {
        vertex
        for vertex in alive
        for arcs in [twin.successors if twin.labels[vertex] == "L" else twin.predecessors]
        if {twin.labels[other] for other in reach(arcs, alive, vertex)} == {twin.labels[vertex]}
    }


def is_relevant(graph):
    """Definition 6: no vertex is forced."""
    twin = Influence(*graph)
    return not forced(twin, twin.start().alive)


def removed(twin, vertex):
    """Definition 7: Rmv(G, vertex), for the player whose label the vertex has."""
    alive = twin.start().alive
    taken = twin.taken(alive, "LR".index(twin.labels[vertex]), vertex)
    return taken | forced(twin, alive - taken)


def k_of_the_move(n, i):
    """Section 4.1, Classification of moves: k for the vertex number i = 0..n-1 of a segment."""
    left, right = i, n - 1 - i  # vertices on either side
    if n == 3:
        return 3
    if left == 0 or right == 0:
        return 2
    if left == 2 and right == 2:
        return 5
    return 4 if left == 2 or right == 2 else 3


def test_figure_3_has_the_moves_that_section_4_1_tells():
    successors = [[], [0, 2], [], [2, 4], [], [], [5]]  # the integers 1 to 5, then 7 and 8
    twin = Influence(successors, "RLRLRRL")
    integers = (1, 2, 3, 4, 5, 7, 8)
    k = {integer: len(removed(twin, vertex)) for vertex, integer in enumerate(integers)}
    assert k == {1: 2, 2: 3, 3: 5, 4: 3, 5: 2, 7: 2, 8: 2}


@pytest.mark.parametrize("n", range(2, 21))
def test_section_4_1_moves_take_2_to_5_vertices(n):
    for piece in both_kinds(n):
        twin = Influence(*segment_graph(write_sum((piece,))))
        assert [len(removed(twin, i)) for i in range(n)] == [k_of_the_move(n, i) for i in range(n)]
        lefts = [k_of_the_move(n, i) for i in range(n) if twin.labels[i] == "L"]
        assert lefts == [taken + rest.count(1) for taken, rest in moves(piece)]
        assert {k for k, _ in useful_moves(piece)} == ({2} if n == 2 else set(lefts) - {2})


def class_of(pieces):
    """Definition 18: = without odd segments, + or - with one of them, None with more."""
    odd = [piece for piece in pieces if piece % 2 == 1]
    if len(odd) > 1:
        return None
    return ("+" if odd[0] > 0 else "-") if odd else "="


PROPOSITION_19 = {
    "=": ({0, 2, 4}, {0, -2, -4}),
    "+": ({1, 3, 5}, {1, -1, -3}),
    "-": ({-1, 1, 3}, {-1, -3, -5}),
}


def in_proposition_19(pieces):
    left_scores, right_scores = PROPOSITION_19[class_of(pieces)]
    left_score, right_score = scores(pieces)
    return left_score in left_scores and right_score in right_scores


def even_sums(total):
    """The sums of C_= with so many vertices."""
    return (pieces for pieces in sums(total) if all(piece % 2 == 0 for piece in pieces))


def test_proposition_19_on_every_small_sum():
    n_sums = 0
    for evens in (pieces for total in range(0, 13, 2) for pieces in even_sums(total)):
        assert in_proposition_19(evens), write_sum(evens)
        for length in range(3, 24, 2):
            for odd in both_kinds(length):
                assert in_proposition_19((*evens, odd)), write_sum((*evens, odd))
                n_sums += 1
    assert n_sums > 600


def random_sum(rng, total):
    """A sum of C_=, C_+ or C_- with at least so many vertices."""
    pieces = [rng.choice([0, 1, -1]) * (2 * rng.randrange(1, 12) + 1)]
    while n_vertices(pieces) < total:
        pieces.append(2 * rng.randrange(1, 12))
    return tuple(sorted(piece for piece in pieces if piece))


@pytest.mark.parametrize("seed", few_of(range(10), 0, 1))
def test_proposition_19_on_random_sums(seed):
    rng = random.Random(seed)
    for _ in range(40):
        pieces = random_sum(rng, rng.randrange(10, 60))
        assert in_proposition_19(pieces), write_sum(pieces)


def test_section_4_1_the_sum_of_10_and_17_has_left_score_minus_1():
    assert class_of(read_sum("10+17")) == "-"
    assert scores("10+17")[0] == -1
    assert scores("10+17p")[1] == 1  # its negative


def test_section_4_1_the_sum_of_two_odd_segments_5_and_17_has_left_score_6():
    assert class_of(read_sum("5p+17p")) is None
    assert scores("5p+17p")[0] == 6


def test_section_4_1_each_value_of_proposition_19_is_reached():
    reached = {
        "=": [scores(text) for text in ("2+2", "2", "4")],
        "+": [scores(text) for text in ("5p", "3p", "7p", "10+17p")],
        "-": [scores(text) for text in ("5", "3", "7", "10+17")],
    }
    for name, found in reached.items():
        assert tuple(map(set, zip(*found, strict=True))) == PROPOSITION_19[name]


def test_proposition_19_sums_of_twos_are_worth_0_or_2():
    for n_segments in range(1, 9):
        position = (2,) * n_segments
        assert plain_left_score(position) == scores(position)[0] == 2 * (n_segments % 2)


# -- section 4.2: single segments --------------------------------------------------------------


@pytest.mark.parametrize("n", range(2, 61))
def test_theorem_20(n):
    if n % 2 == 0:
        left_score, right_score = scores((n,))
        assert left_score in {2, 4}
        assert right_score in {-2, -4}
        return
    left_score, right_score = scores((-n,))
    assert left_score in ({3} if n // 2 % 2 == 1 else {1, 3})  # |L| = (n - 1)/2
    assert right_score in {-1, -3, -5}
    left_score, right_score = scores((n,))
    assert left_score in {1, 3, 5}
    assert right_score in ({-3} if (n + 1) // 2 % 2 == 0 else {-1, -3})  # |L| = (n + 1)/2


def test_theorem_20_each_value_is_reached():
    even, plus, minus = (
        [scores((sign * n,)) for n in lengths]
        for sign, lengths in ((1, range(2, 61, 2)), (1, range(3, 61, 2)), (-1, range(3, 61, 2)))
    )
    assert [set(found) for found in zip(*even, strict=True)] == [{2, 4}, {-2, -4}]
    assert [set(found) for found in zip(*plus, strict=True)] == [{1, 3, 5}, {-1, -3}]
    assert [set(found) for found in zip(*minus, strict=True)] == [{1, 3}, {-1, -3, -5}]


@pytest.mark.parametrize("k", range(1, 11))
def test_lemma_23_points_1_and_2(k):
    # The search cancels equal segments beforehand, so plain recursion must show this.
    assert plain_right_score((2 * k, 2 * k)) == 0
    assert plain_right_score((-2 * k - 1, 2 * k + 1)) == 0


@pytest.mark.parametrize("k", range(1, 21))
def test_lemma_23_points_3_to_5(k):
    assert scores((2 * k, 2 * k + 2))[1] == -2
    assert scores((2 * k, 2 * k + 1))[1] == -1
    if k > 1:  # one vertex is no segment
        assert scores((2 * k - 1, 2 * k))[1] >= -1


def cycle(n):
    """Definition 16, C^cycle: L and R alternate, and each L has arcs to both its neighbours."""
    arcs = [[(v - 1) % n, (v + 1) % n] if v % 2 == 0 else [] for v in range(n)]
    return arcs, "LR" * (n // 2)


def in_corollary_24(n, left_score):
    return left_score in ({0} if n // 2 % 2 == 1 else {0, 2})  # |L| = n/2


@pytest.mark.parametrize("n", range(6, 13, 2))
def test_corollary_24_on_cycles(n):
    left_score = Influence(*cycle(n)).left_score()
    assert in_corollary_24(n, left_score)
    assert topple_scores(f"ring:{n}") == (left_score, -left_score)
    assert left_score == 3 + scores((n - 3,))[1]


@pytest.mark.parametrize("n", range(14, 81, 2))
def test_corollary_24_on_cycles_too_long_for_the_twin(n):
    # All first moves are alike: they take three vertices and leave a segment of C_+.
    assert in_corollary_24(n, 3 + scores((n - 3,))[1])


def test_corollary_24_does_not_hold_on_the_cycle_of_four():
    # The first move leaves a single L vertex, which is no segment (Definition 16).
    assert Influence(*cycle(4)).left_score() == 4
    assert topple_scores("ring:4") == (4, -4)


# -- section 4.3: the score sequence -----------------------------------------------------------


@pytest.mark.parametrize("n", range(1, 39))
def test_table_1(n):
    published = TABLE_1_LEFT[n - 1], TABLE_1_RIGHT[n - 1]
    position = (opposite(n),)
    assert segment_scores(n) == published
    assert (plain_left_score(position), plain_right_score(position)) == published


def test_section_4_3_the_right_score_of_segment_77_is_minus_5():
    assert segment_scores(77) == (1, -5)


def test_section_4_3_the_sequences_have_period_4_from_38_to_76_and_not_at_77():
    assert all(segment_scores(n) == segment_scores(n + 4) for n in range(38, 73))
    assert segment_scores(73) == (1, -3)
    assert segment_scores(73) != segment_scores(77)


def test_section_4_3_the_conjectures_hold_up_to_80():
    for n in range(5, 81):
        left_score, right_score = segment_scores(n)
        if n % 4 == 1:
            assert left_score == 1  # Conjecture 26
        if n % 4 == 0:
            assert left_score == 2  # Conjecture 27
        if n % 2 == 0 and n > 30:
            assert (left_score, right_score) == (2, -2)  # the last (4, -4) is at n = 30
    assert segment_scores(30) == (4, -4)


# -- section 5.1: position versus number -------------------------------------------------------


def grow_tree(n, c, successors):
    """Put T_n^c at the end of the successor lists, and return its root."""
    root = len(successors)
    successors.append([])
    n_children = 3 if n > 0 else c
    for _ in range(n_children):
        if n > 0:
            child = grow_tree(n - 1, c, successors)
        else:
            child = len(successors)
            successors.append([])
        successors[root].append(child)
    return root


def trees(depths, c):
    """The sum of the trees T_n^c of section 5.1: the leaves are R, all others are L."""
    successors = []
    for n in depths:
        grow_tree(n, c, successors)
    return successors, ["L" if heads else "R" for heads in successors]


def shapes(twin, alive):
    """The trees of a forest, each as nested sorted tuples, in sorted order."""

    def shape(vertex):
        children = (shape(head) for head in twin.successors[vertex] if head in alive)
        return (twin.labels[vertex], *sorted(children))

    heads = {head for vertex in alive for head in twin.successors[vertex]}
    return sorted(shape(vertex) for vertex in alive - heads)


def test_section_5_1_the_trees_have_the_size_that_is_told():
    for n, c in product(range(5), range(1, 6)):
        successors, labels = trees([n], c)
        assert len(successors) == (3 ** (n + 1) - 1) // 2 + c * 3**n
        assert labels.count("R") == c * 3**n
        assert is_relevant((successors, labels))
    assert len(trees([2], 4)[0]) == 49  # figure 4


@pytest.mark.parametrize(("n", "c"), list(product(range(5), range(1, 5))))
def test_lemma_29(n, c):
    twin = Influence(*trees([n], c))
    pairs = Influence(*trees([*range(n), *range(n)], c))  # J_0 + ... + J_{n-1}
    expected = shapes(pairs, pairs.start().alive)
    for leaf in twin.own(twin.start().alive, RIGHT):
        rest = twin.start().alive - removed(twin, leaf)
        assert shapes(twin, rest) == expected


def twin_right_first(depths, c):
    """s_1^R of a sum of trees by the twin's recursion."""
    twin = remembering(*trees(depths, c))
    return twin.s1(twin.start().alive, RIGHT)


@cache
def right_first(counts, c):
    """s_1^R of the sum of counts[n] trees T_n^c: Right's moves are those of Lemma 29."""
    rests = {n: tuple(k + 2 for k in counts[:n]) for n, count in enumerate(counts) if count}
    return max(
        (
            n + 1 + c + right_second((*rest, counts[n] - 1, *counts[n + 1 :]), c)
            for n, rest in rests.items()
        ),
        default=0,
    )


@cache
def right_second(counts, c):
    """s_2^R of the same: Left takes a whole tree, which includes all else (Corollary 13)."""
    depths = [n for n, count in enumerate(counts) if count]
    return min(
        (right_first((*counts[:n], counts[n] - 1, *counts[n + 1 :]), c) for n in depths),
        default=0,
    )


def right_first_on_pair(n, c):
    """s_1^R(J_n^c)."""
    return right_first((0,) * n + (2,), c)


@pytest.mark.parametrize(
    ("depths", "c"),
    [
        *(([0, 0], c) for c in range(1, 7)),
        *(([1, 1], c) for c in (1, 2)),
        *(([1, 0, 0], c) for c in (1, 2, 3)),
        *(([1], c) for c in (1, 2, 3)),
        ([2], 1),
    ],
)
def test_corollary_13_trees_are_taken_whole(depths, c):
    counts = tuple(depths.count(n) for n in range(max(depths) + 1))
    assert twin_right_first(depths, c) == right_first(counts, c)


@pytest.mark.parametrize(("n", "c"), list(product(range(5), range(1, 6))))
def test_lemma_30(n, c):
    others = sum(right_first_on_pair(i, c) for i in range(n))
    assert right_first_on_pair(n, c) <= n + 1 + c + others


@pytest.mark.parametrize(("n", "c"), list(product(range(5), range(1, 6))))
def test_corollary_31(n, c):
    assert right_first_on_pair(n, c) <= 2**n * (n + c) + 1


@pytest.mark.parametrize("c", [1, 2])
def test_corollary_31_by_the_twin(c):
    assert twin_right_first([0, 0], c) <= c + 1
    assert twin_right_first([1, 1], c) <= 2 * (1 + c) + 1


def test_theorem_28_few_vertices_are_labelled_l_and_yet_left_takes_nearly_all():
    n, c, epsilon = 4, 9, 1 / 7
    successors, labels = trees([n, n], c)
    assert labels.count("L") / len(labels) <= epsilon
    assert 1 - right_first_on_pair(n, c) / len(successors) >= 1 - epsilon


# -- section 5.2: quasi-paths ------------------------------------------------------------------


def quasi_path(labels, forward):
    """A path whose arcs go on where `forward` says so, and back elsewhere."""
    successors = [[] for _ in labels]
    for vertex, on in enumerate(forward):
        tail, head = (vertex, vertex + 1) if on else (vertex + 1, vertex)
        successors[tail].append(head)
    return successors, "".join(labels)


def together(graphs):
    """The disjoint union of graphs."""
    successors, labels = [], ""
    for arcs, sides in graphs:
        successors += [[len(labels) + head for head in heads] for heads in arcs]
        labels += sides
    return successors, labels


@cache
def quasi_paths(n):
    """Definition 32: all the relevant quasi-paths with n vertices."""
    kinds = product(product("LR", repeat=n), product([True, False], repeat=n - 1))
    return [path for path in (quasi_path(*kind) for kind in kinds) if is_relevant(path)]


def in_theorem_33(graph):
    twin = remembering(*graph)
    n, n_left = len(twin.labels), twin.labels.count("L")
    return 3 * twin.s2(twin.start().alive, LEFT) <= 2 * n + n_left


@pytest.mark.parametrize("n", few_of(range(2, 9), *range(2, 8)))
def test_theorem_33_on_every_small_quasi_path(n):
    assert all(in_theorem_33(path) for path in quasi_paths(n))


@pytest.mark.parametrize("seed", few_of(range(10), 0, 1))
def test_theorem_33_on_random_collections(seed):
    rng = random.Random(seed)
    for _ in range(40):
        lengths = rng.choices(range(2, 8), k=rng.randrange(2, 5))
        graph = together(rng.choice(quasi_paths(n)) for n in lengths)
        assert is_relevant(graph)
        assert in_theorem_33(graph)
