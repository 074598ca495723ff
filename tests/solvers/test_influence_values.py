"""INFLUENCE positions as values: against plain recursion, the paper's Table 1, and by hand."""

import random
from fractions import Fraction

import pytest

import topple
from tests.reference.influence import LEFT, RIGHT, Influence
from tests.reference.segments import plain_left_score, plain_right_score, read_sum
from topple.boards.board import make_board
from topple.core.errors import Unsupported
from topple.solvers.influence.values import value_of_position
from topple.solvers.scoring import game, number

# Table 1 of the paper: Ls(S_n) and Rs(S_n) for n = 1..28; an odd S_n is in C_-.
TABLE_1 = [
    (-1, -1), (2, -2), (3, -3), (4, -4), (1, -5), (2, -2), (3, -1), (2, -2), (1, -3), (2, -2),
    (3, -1), (2, -2), (1, -3), (4, -4), (3, -3), (2, -2), (1, -3), (2, -2), (3, -3), (2, -2),
    (1, -5), (4, -4), (3, -3), (2, -2), (1, -3), (2, -2), (3, -3), (2, -2),
]  # fmt: skip


def start(spec):
    return topple.load("influence", spec, compiled=False).start()


def segment(lengths):
    return value_of_position(start(f"segment:{lengths}"))


def random_digraph(rng, n):
    """Labels and arcs at random, cycles and all; half of them with L before R, so that few
    vertices are forced.
    """
    sides = "".join(rng.choice("LR") for _ in range(n))
    easy = rng.random() < 0.5
    successors = [
        [head for head in range(n) if head != tail and rng.random() < 1.6 / n
         and (easy or (sides[tail], sides[head]) == ("L", "R"))]
        for tail in range(n)
    ]  # fmt: skip
    return successors, sides


def board_of(successors, sides):
    return make_board("random", successors, directed=True, sides=sides)


def relevant_value(twin, there):
    """The value by section 2.2 alone: no components, and no move left out."""
    points = 0
    for side, sign in ((LEFT, 1), (RIGHT, -1)):
        forced = {vertex for vertex in twin.own(there, side)
                  if twin.taken(there, side, vertex) <= set(twin.own(there, side))}  # fmt: skip
        points += sign * len(forced)
        there = there - forced
    if not there:
        return number(points)
    lefts, rights = (
        [sign * len(taken) + relevant_value(twin, there - taken)
         for vertex in twin.own(there, side) for taken in [twin.taken(there, side, vertex)]]
        for side, sign in ((LEFT, 1), (RIGHT, -1))
    )  # fmt: skip
    return game(lefts, rights) + points


@pytest.mark.parametrize("n", range(1, len(TABLE_1) + 1))
def test_segments_have_the_scores_of_table_1(n):
    found = segment(n)
    assert (found.left_stop, found.right_stop) == TABLE_1[n - 1]


def test_small_segments_by_hand():
    """A move in the middle of n takes three vertices and leaves two pieces, one at an end two."""
    assert segment(1) is -segment("1p") is number(-1)
    for n in (2, 3, 4):
        assert segment(n) is game([n], [-n])
    assert segment("3p") is segment(3)
    assert segment(5) is game([game([5], [1])], [-5])
    assert segment(6) is game([game([6], [2])], [game([-2], [-6])])
    assert segment(7) is game([3], [game([-1], [-7])])
    assert (segment(7).mean, segment(7).temperature) == (Fraction(-1, 2), Fraction(7, 2))


@pytest.mark.parametrize("n", range(2, 20))
def test_segments_are_negatives_of_their_mirror_images(n):
    """Corollary 15."""
    if n % 2 == 0:
        assert segment(n) is -segment(n)
        assert segment(f"{n}+{n}") == 0
    else:
        assert segment(f"{n}p") is -segment(n)
        assert segment(f"{n}p+{n}") == 0


def test_segments_obey_the_laws_that_the_page_states():
    """docs/scoring-games.md: an even S_n beside the one before it; means and temperatures."""
    assert segment(9) is segment(2) - 1
    assert segment(13) is segment(6) - 1
    for n in range(5, 32):
        found, k = segment(n), Fraction(2) ** (1 - (n + 1) // 4)
        assert n % 4 != 2 or found is segment(n - 2) + segment(2)
        assert found.mean == {0: 0, 1: -1, 2: 0, 3: -1 + k}[n % 4]
        if n >= 8:
            assert found.temperature == (4 - k if n % 4 == 3 else 2 if n % 8 < 3 else 4)


@pytest.mark.parametrize(
    ("lengths", "left"), [("10+17", -1), ("5p+17p", 6), ("4+6", None), ("3+4+5p+2", None)]
)
def test_sums_of_segments(lengths, left):
    found = segment(lengths)
    assert found is sum((segment(part) for part in lengths.split("+")), number(0))
    if left is not None:
        assert found.left_stop == left
    else:
        pieces = read_sum(lengths)
        assert found.left_stop == plain_left_score(pieces)
        assert found.right_stop == plain_right_score(pieces)


def test_random_digraphs_have_the_scores_of_plain_recursion():
    """Forced vertices, components and included moves change neither Ls nor Rs, nor the value."""
    rng = random.Random(7)
    n_hot = 0
    for _ in range(150):
        successors, sides = random_digraph(rng, rng.randint(1, 8))
        twin = Influence(successors, sides)
        game_ = topple.load("influence", board_of(successors, sides), compiled=False)
        found = value_of_position(game_.start())
        assert (found.left_stop, found.right_stop) == (twin.left_score(), twin.right_score())
        assert found is relevant_value(twin, twin.start().alive)
        n_hot += not found.is_number
    assert n_hot > 50


def test_positions_in_the_middle_of_a_game():
    """What is taken does not count; whose turn it is has no say."""
    first = start("segment:9")
    board = first.game.board
    twin = Influence([list(board.neighbours(vertex)) for vertex in range(9)], board.sides)
    for move in first.legal_moves():
        after = first.play(move)
        alive = frozenset(range(9)) - twin.taken(frozenset(range(9)), LEFT, move)
        found = value_of_position(after)
        assert found.left_stop == twin.left_score(alive)
        assert found.right_stop == twin.right_score(alive)
    over = start("segment:2").play(1)
    assert over.is_over
    assert value_of_position(over) == 0


def test_the_paper_s_first_figure():
    """u→w, v→w, x→v, w→y, w→z; u and w are L: v and x are Right's for certain."""
    board = board_of([[2], [2], [4, 5], [1], [], []], "LRLRRR")
    found = value_of_position(topple.load("influence", board, compiled=False).start())
    assert found is game([4], [-4]) - 2


def test_large_boards_and_other_games_are_refused_in_one_line():
    for spec in ("segment:80", "segment:2000", "segment:24+25"):
        with pytest.raises(Unsupported, match=r"too large for its value: up to 48 vertices") as no:
            value_of_position(start(spec))
        assert "\n" not in str(no.value)
    assert value_of_position(start("segment:" + "+".join("1" * 500))) == -500
    with pytest.raises(Unsupported, match="this is a position of hex"):
        value_of_position(topple.load("hex", "hex:3", compiled=False).start())


def test_boards_with_too_many_positions_are_refused(monkeypatch):
    monkeypatch.setattr("topple.solvers.influence.values.MOST_POSITIONS", 20)
    with pytest.raises(Unsupported, match="too large for its value"):
        value_of_position(start("ring:24"))
