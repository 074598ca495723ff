"""Scoring games of Milnor's universe, beside a twin that simplifies nothing.

What the theory proves (Milnor 1953, Hanner 1959, Ettinger 1996) is checked on every small game
and on random larger ones, with sums played out by plain search.
"""

import copy
import gc
import pickle
import random
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from tests.reference import scoring as twin
from topple.core.errors import BadText, Unsupported
from topple.solvers import scoring
from topple.solvers.scoring import (
    Value,
    draw,
    game,
    number,
    parse,
    plot_thermograph,
    sketch,
    value_of,
)
from topple.solvers.scoring.value import DEEPEST, MOST_ENDS

FEW = list(twin.games_over([1, ((5,), (0,)), ((8,), (-1,)), ((3,), (1,))], 2))
DEEP = ((9,), (((2,), (-2,)),))
ALL_SMALL = [  # every set of these options, and every two of those
    *twin.games_over([1, ((5,), (0,)), ((8,), (-1,)), ((3,), (1,)), DEEP], 5),
    *twin.games_over([0, 1, 2, ((3,), (0,)), ((3,), (1,)), ((4,), (-1,))], 2),
]


def value(tree):
    """The value of a tree."""
    if isinstance(tree, int):
        return number(tree)
    return game(map(value, tree[0]), map(value, tree[1]))


def tree_of(found):
    """A value as a tree: its canonical form, written out."""
    if found.is_number:
        return found.left_stop
    return tuple(map(tree_of, found.left)), tuple(map(tree_of, found.right))


def random_tree(rng, depth, widest=3, ends=6):
    """A random game of the universe."""
    if depth == 0 or rng.random() < 0.2:
        return rng.randint(-ends, ends)
    while True:
        left, right = (
            tuple(random_tree(rng, depth - 1, widest, ends) for _ in range(rng.randint(1, widest)))
            for _ in range(2)
        )
        if twin.left_score((left, right)) >= twin.right_score((left, right)):
            return left, right


def random_trees(seed, n, depth, **size):
    """So many of them, none a mere number."""
    rng = random.Random(seed)
    trees = []
    while len(trees) < n:
        tree = random_tree(rng, depth, **size)
        if not isinstance(tree, int):
            trees.append(tree)
    return trees


# -- the theory, on every small game -------------------------------------------------------------


def test_one_game_is_at_least_another_if_it_is_so_in_every_sum():
    """Milnor's test says what the order means; the sums are with every game of the same kind."""
    games = [-1, 0, 1, 3, -3, *FEW]
    values = [value(tree) for tree in games]
    scores = [
        [score(one, rest) for rest in games for score in (twin.left_score, twin.right_score)]
        for one in games
    ]
    n_orders = {True: 0, False: 0}
    for i, j in product(range(len(games)), repeat=2):
        in_every_sum = all(a >= b for a, b in zip(scores[i], scores[j], strict=True))
        assert in_every_sum == twin.at_least(games[i], games[j])
        assert in_every_sum == (values[i] >= values[j]) == (values[j] <= values[i])
        assert (scores[i] == scores[j]) == (values[i] is values[j]) == (values[i] == values[j])
        n_orders[in_every_sum] += 1
    assert min(n_orders.values()) > 1000


def test_every_small_game_has_one_simplest_form():
    """Equal by plain search if and only if one object; and the form cannot be simpler."""
    forms = {}
    for tree in ALL_SMALL:
        found = value(tree)
        if found not in forms:
            forms[found] = tree_of(found)
            assert twin.in_universe(forms[found])
            assert twin.is_simplest(forms[found])
        assert twin.is_equal(tree, forms[found])
        assert len(twin.positions(forms[found])) <= len(twin.positions(tree))
    assert len(ALL_SMALL) > 1200
    assert len(forms) > 200
    for one, other in product(forms.values(), repeat=2):
        assert (one is other) == twin.is_equal(one, other)


def test_reversing_through_a_number_leaves_nothing_behind():
    """An answer of 1 to {9|1} leaves Left no better off than {…|2}; one of 0 does in {…|-3}."""
    tree = ((5, ((9,), (1,))), (2,))
    assert twin.at_least(tree, 1)
    assert twin.is_equal(tree, ((5,), (2,)))
    assert str(value(tree)) == "{5|2}"
    tree = ((2, ((9,), (0,))), (-3, ((4,), (-9,))))
    assert twin.is_equal(tree, ((2, ((9,), (0,))), (-3,)))  # 4 is at least the game
    assert not twin.is_equal(tree, ((2,), (-3,)))
    assert str(value(tree)) == "{{9|0},2|-3}"


def test_a_game_whose_stops_are_one_is_a_number():
    for text in ("{0|0}", "{{5|0}|{0|-5}}", "{{9|0},-3|{{4|0}|-1},7}"):
        assert parse(text) is number(0)


# -- random games --------------------------------------------------------------------------------


def test_canonical_sums_have_the_scores_of_the_sum():
    rng = random.Random(1)
    for _ in range(80):
        trees = [random_tree(rng, 3, widest=2, ends=9) for _ in range(rng.randint(1, 3))]
        total = sum(map(value, trees), number(0))
        assert total.left_stop == twin.left_score(*trees)
        assert total.right_stop == twin.right_score(*trees)
        assert total.incentive == total.left_stop - total.right_stop


def test_a_game_and_its_negative_make_nothing():
    for tree in random_trees(2, 60, 3, widest=2):
        found = value(tree)
        assert twin.left_score(tree, twin.negative(tree)) == 0
        assert twin.right_score(tree, twin.negative(tree)) == 0
        assert value(twin.negative(tree)) is -found
        assert found - found is number(0)
        opposite = -found
        assert -opposite is found
        assert (opposite.left_stop, opposite.right_stop) == (-found.right_stop, -found.left_stop)


def test_random_games_are_simplest_and_equal_to_what_they_were():
    for tree in random_trees(3, 60, 3):
        form = tree_of(value(tree))
        assert twin.is_equal(tree, form)
        assert twin.is_simplest(form)
        assert len(twin.positions(form)) <= len(twin.positions(tree))
        assert len(list(value(tree).positions())) == len(twin.positions(form))
        assert value(tree).depth == twin.depth(form) <= twin.depth(tree)


def test_comparison_agrees_with_plain_search():
    trees = random_trees(4, 28, 3, widest=2, ends=3)
    seen = set()
    for one, other in product(trees, trees):
        a, b = value(one), value(other)
        more, less = twin.at_least(one, other), twin.at_least(other, one)
        assert (a >= b, a <= b) == (more, less)
        assert (a > b, a < b) == (more and not less, less and not more)
        assert (a == b) == (more and less)
        assert a.is_confused_with(b) == (not more and not less)
        seen.add((more, less))
    assert len(seen) == 4


def test_the_order_is_partial_and_goes_with_sums():
    values = [value(tree) for tree in random_trees(5, 14, 2, ends=3)]
    for a, b in product(values, values):
        assert (a >= b) == (a - b >= 0) == (-b >= -a)
        for c in values:
            assert not (a >= b >= c) or a >= c
            assert (a >= b) == (a + c >= b + c)


def test_values_are_a_group():
    for a, b, c in zip(*[iter(value(tree) for tree in random_trees(6, 60, 2))] * 3, strict=True):
        assert a + b is b + a
        assert (a + b) + c is a + (b + c)
        assert a + 0 is a
        assert (a + b) - b is a
        assert a + a + a is 3 * a is a * 3
        assert -2 * a is -(a + a)
        assert 5 - a is -(a - 5)
        assert 0 * a is number(0)


def test_milnors_bounds_hold_for_sums():
    values = [value(tree) for tree in random_trees(7, 30, 3)]
    for a, b in zip(values[::2], values[1::2], strict=True):
        total = a + b
        assert max(a.left_stop + b.right_stop, a.right_stop + b.left_stop) <= total.left_stop
        assert total.left_stop <= a.left_stop + b.left_stop
        assert a.right_stop + b.right_stop <= total.right_stop
        assert total.right_stop <= min(a.left_stop + b.right_stop, a.right_stop + b.left_stop)


# -- thermographs --------------------------------------------------------------------------------


def test_thermographs_follow_the_definition():
    """At every tax of a grid on which all corners lie, on trees that were not simplified."""
    for tree in [*random_trees(8, 40, 3), *random_trees(9, 10, 4, widest=2)]:
        fine, most = 2 ** twin.depth(tree), 13
        drawn = value(tree).thermograph
        left, right = twin.taxed(tree, fine, most)
        for i in range(fine * most + 1):
            assert drawn.left.at(Fraction(i, fine)) == left[i]
            assert drawn.right.at(Fraction(i, fine)) == right[i]
        first = next(i for i in range(len(left)) if left[i] == right[i])
        assert (drawn.temperature, drawn.mean) == (Fraction(first, fine), left[first])


def test_walls_begin_at_the_stops_and_meet_in_the_mast():
    for tree in random_trees(10, 40, 3):
        found = value(tree)
        drawn = found.thermograph
        assert (drawn.left.at(0), drawn.right.at(0)) == (found.left_stop, found.right_stop)
        foot = found.temperature
        assert drawn.left.at(foot) == drawn.right.at(foot) == drawn.left.at(foot + 99) == found.mean
        assert (foot == 0) == found.is_number
        assert foot == 0 or drawn.left.at(foot * 99 / 100) > drawn.right.at(foot * 99 / 100)
        assert (-found).thermograph.left.at(foot / 2) == -drawn.right.at(foot / 2)


def test_means_add_up_and_sums_are_not_hotter_than_their_parts():
    values = [value(tree) for tree in random_trees(11, 60, 3)]
    for a, b in zip(values[::2], values[1::2], strict=True):
        total = a + b
        assert total.mean == a.mean + b.mean
        assert total.temperature <= max(a.temperature, b.temperature)
        assert total.right_stop <= total.mean <= total.left_stop


def test_the_mean_is_what_one_of_many_copies_is_worth():
    """Ls(nG) is at least n times the mean, and more by no more than the temperature."""
    for tree in random_trees(12, 12, 2, widest=2, ends=5):
        found = value(tree)
        for n in (1, 2, 3):
            excess = twin.left_score(*[tree] * n) - n * found.mean
            assert 0 <= excess <= found.temperature
        for n in (10, 33):
            many = n * found
            assert 0 <= many.left_stop - n * found.mean <= found.temperature
            assert 0 <= n * found.mean - many.right_stop <= found.temperature


# -- by hand -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b"), [(3, -1), (2, -2), (7, 4), (0, -1)])
def test_a_switch(a, b):
    found = game([a], [b])
    assert (found.left_stop, found.right_stop, found.incentive) == (a, b, a - b)
    assert found.mean == Fraction(a + b, 2)
    assert found.temperature == Fraction(a - b, 2)
    assert str(found) == f"{{{a}|{b}}}"
    assert found + found is number(a + b)


def test_two_switches_are_played_the_hotter_first():
    """{a|b} + {c|d} with a − b > c − d: Left gets a and d, Right gets b and c."""
    total = game([10], [-4]) + game([3], [1])
    assert str(total) == "{{13|11}|{-1|-3}}"
    assert (total.left_stop, total.right_stop) == (11, -1)
    assert (total.mean, total.temperature) == (5, 7)


def test_a_threat_is_answered():
    """{20|5||0} is at 5 or 0: Left's move threatens 20 and is answered."""
    found = parse("{{20|5}|0}")
    assert (found.left_stop, found.right_stop) == (5, 0)
    assert (found.mean, found.temperature) == (5, 5)
    drawn = found.thermograph
    assert drawn.left.corners == ((0, 5),)
    assert drawn.right.corners == ((0, 0), (5, 5))


def test_many_switches_are_added_quickly():
    """Forty of them, written out, have 2**40 ends: Left and Right take turns."""
    temperatures = range(1, 41)
    total = sum((game([t], [-t]) for t in temperatures), number(0))
    assert total.shape.n_ends == 2**40
    assert total.left_stop == sum((-1) ** i * t for i, t in enumerate(reversed(temperatures)))
    assert (total.mean, total.temperature) == (0, 40)
    assert len(str(total)) < 2000
    assert "ends" in repr(total)
    assert pickle.loads(pickle.dumps(total)) is total


# -- one object for each value -------------------------------------------------------------------


def test_equal_values_are_one_object_however_they_were_made():
    first = game([3], [game([-1], [-5])])
    assert first is parse("{3,2|{-1|-5},8}") is parse("{4|{0|-4}}") - 1
    assert pickle.loads(pickle.dumps(first)) is copy.deepcopy(first) is copy.copy(first) is first
    assert len({first, parse("{3|{-1|-5}}"), number(2), 2}) == 2
    assert number(2) == 2 != number(3)
    assert number(3) != "3"
    del first
    gc.collect()
    assert parse("{3|{-1|-5}}") is game([3], [game([-1], [-5])])


def test_values_never_change():
    with pytest.raises(AttributeError):
        number(1).shift = 2


def test_values_go_with_whole_numbers_and_nothing_else():
    hot = game([3], [-1])
    assert all((hot > -2, hot >= -1, hot < 4, hot <= 3))
    assert not any((hot >= 0, hot <= 0, hot > 3, hot < -1, hot == 3))
    assert number(3) >= 3
    assert not number(3) > 3
    for wrong in ("1", 1.5, None):
        for attempt in (
            lambda w: hot + w, lambda w: hot - w, lambda w: w - hot, lambda w: hot * w,
            lambda w: hot >= w, lambda w: hot < w,
        ):  # fmt: skip
            with pytest.raises(TypeError):
                attempt(wrong)
        with pytest.raises(BadText, match="whole number"):
            game([wrong], [0])


# -- text ----------------------------------------------------------------------------------------


def test_what_is_written_is_read():
    for tree in random_trees(13, 60, 3, widest=2):
        found = value(tree)
        text = str(found)
        assert parse(text) is found
        assert parse(text.replace("{", " { ").replace(",", " , ").replace("-", "−")) is found
        assert eval(repr(found)) is found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a number or { is missing at the end"),
        ("{", "a number or { is missing at the end"),
        ("{3", "| is missing at the end"),
        ("{3|", "a number or { is missing at the end"),
        ("{3|-1", "} is missing at the end"),
        ("{3|-1}}", "there is a surplus }"),
        ("{3|-1} 4", "it ends before '4'"),
        ("{3,|1}", "a number or { is missing before '|'"),
        ("{3 4|1}", "| is missing before '4'"),
        ("{3}", "| is missing before '}'"),
        ("{3|1|0}", "} is missing before '|'"),
        ("{1.5|0}", "| is missing before '.'"),
        ("three", "a number or { is missing before 't'"),
        ("{|}", "neither player has an option: a game that is over is a number"),
        ("{3|}", "Left can move and Right cannot: both must have options, or neither"),
        ("{|3}", "Right can move and Left cannot: both must have options, or neither"),
        ("{-1|1}", "zugzwang: Ls = -1 is less than Rs = 1, so nobody wants to move"),
        ("{5|{0|{-3|4}}}", "zugzwang: Ls = -3 is less than Rs = 4, so nobody wants to move"),
        ("9" * 19, "a number has at most 18 digits"),
        ("{" * 5000, f"games may be nested {DEEPEST} deep"),
        ("²", "a number or { is missing before '²'"),
    ],
)
def test_nonsense_is_refused_in_one_line(text, why):
    with pytest.raises(BadText) as refusal:
        parse(text)
    message = str(refusal.value)
    assert message.endswith(f" is not a game: {why}")
    assert "\n" not in message
    assert len(message) < 160


def test_any_text_is_read_or_refused():
    rng = random.Random(14)
    n_read = 0
    for _ in range(3000):
        text = "".join(rng.choice("{}|,-0123 {|}") for _ in range(rng.randint(1, 12)))
        try:
            n_read += isinstance(parse(text), Value)
        except BadText:
            continue
    assert n_read > 20


def chain(depth, base):
    """A threat to end the game with more than all that it decides, and so on, so many deep."""
    found = number(0)
    for i in range(1, depth + 1):
        found = game([base**i], [found]) if i % 2 else game([found], [-(base**i)])
    return found


def test_games_that_last_too_long_are_refused():
    deep = chain(DEEPEST, 2)
    assert deep.depth == DEEPEST
    assert deep - deep == 0
    assert deep >= deep - 1
    assert copy.deepcopy(deep) is deep
    assert deep.temperature > 0
    with pytest.raises(Unsupported, match=f"{DEEPEST + 1} moves"):
        chain(DEEPEST + 1, 2)
    with pytest.raises(Unsupported, match=f"{DEEPEST + 1} moves"):
        deep + chain(DEEPEST, 3)


# -- any game's positions ------------------------------------------------------------------------


def heap_options(sign):
    def options(position):
        coins, lead = position
        return [(coins - n, lead + sign * n) for n in (1, 3) if n <= coins]

    return options


def lead(position):
    return position[1]


def test_positions_of_any_game_have_values():
    """Take one or three coins, as many as there are points for: by trees, and split."""

    def tree(coins, ahead):
        if coins == 0:
            return ahead
        takes = [n for n in (1, 3) if n <= coins]
        return tuple(tuple(tree(coins - n, ahead + sign * n) for n in takes) for sign in (1, -1))

    known = {}
    for coins in range(9):
        found = value_of((coins, 2), heap_options(1), heap_options(-1), lead)
        assert found is value(tree(coins, 2))
        again = value_of(
            (coins, 2), heap_options(1), heap_options(-1), lead, known=known,
            split=lambda position: (position[1], [(position[0], 0)]),
        )  # fmt: skip
        assert again is found
    assert set(known) == {(coins, 0) for coins in range(9)}


def test_long_games_need_no_deep_stack():
    found = value_of(3000, lambda n: [n - 1] if n else [], lambda n: [n - 1] if n else [], int)
    assert found == 0


def test_games_outside_the_universe_are_refused_with_the_position():
    with pytest.raises(BadText, match=r"^'start': Left can move and Right cannot"):
        value_of("start", lambda p: ["end"] * (p == "start"), lambda p: [], len)
    with pytest.raises(BadText, match=r"^1: zugzwang: Ls = -1 is less than Rs = 1"):
        value_of(1, lambda p: [-2] * (p == 1), lambda p: [2] * (p == 1), lambda p: p // 2)


def test_games_without_end_and_with_too_many_positions_are_refused():
    with pytest.raises(Unsupported, match="leads back"):
        value_of(0, lambda n: [(n + 1) % 7], lambda n: [(n + 2) % 7], int)
    with pytest.raises(Unsupported, match="more than 10 positions"):
        value_of((20, 0), heap_options(1), heap_options(-1), lead, most=10)


def test_the_theory_names_no_game():
    for path in Path(scoring.__file__).parent.glob("*.py"):
        text = path.read_text("utf-8").lower()
        for name in ("influence", "topple.rules", "topple.game.game", "topple.game.position"):
            assert name not in text, path.name


# -- drawing -------------------------------------------------------------------------------------


def test_thermographs_are_drawn_in_every_format(tmp_path):
    hot = parse("{{{9|6}|1}|{-2|-9}}")
    for ending, start in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        draw(hot, tmp_path / f"one{ending}")
        assert (tmp_path / f"one{ending}").read_bytes().startswith(start)
    draw(hot, tmp_path / "two.svg", title=str(hot))
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    with pytest.raises(BadText, match=r"unknown picture ending '.gif'"):
        draw(hot, tmp_path / "three.gif")
    assert len(list(tmp_path.iterdir())) == 4


def test_a_drawing_shows_the_corners():
    hot = parse("{{{9|6}|1}|{-2|-9}}")
    axes = plot_thermograph(hot.thermograph, "hot").axes[0, 0]
    mast, left, right, foot = axes.get_lines()
    drawn = hot.thermograph
    for line, wall in ((left, drawn.left), (right, drawn.right)):
        points = {(float(tax), float(score)) for score, tax in line.get_xydata()}
        assert points == {*wall.corners, (drawn.temperature, drawn.mean)}
    assert tuple(foot.get_xydata()[0]) == (drawn.mean, drawn.temperature)
    assert set(mast.get_xdata()) == {drawn.mean}
    assert axes.xaxis_inverted()


def test_sketches_fit_a_terminal_and_stand_on_the_stops():
    for tree in [7, ((99999,), (-5,)), ((10**15,), (-(10**15),)), *random_trees(15, 30, 3)]:
        drawn = value(tree).thermograph
        lines = sketch(drawn).splitlines()
        assert max(map(len, lines)) <= 80
        assert len(lines) <= 30
        ground = lines[-2]
        assert ground.strip().startswith("0 ")
        marks = ground[ground.index("0") + 2 :]
        assert len(marks.split()) == (1 if value(tree).is_number else 2) or "|" in marks
        assert lines[-1].split() == list(dict.fromkeys(
            [str(value(tree).left_stop), str(value(tree).right_stop)]))  # fmt: skip


def test_a_value_is_taken_from_a_number_and_not_the_other_way_round() -> None:
    hot = game([3], [-2])
    assert 10 - hot == parse("{12|7}")
    assert hot - 10 == parse("{-7|-12}")
    assert 1 - number(3) == -2


@pytest.mark.parametrize("by", [1, 2, 5])
def test_zugzwang_is_refused_however_small(by: int) -> None:
    with pytest.raises(BadText, match=f"zugzwang: Ls = 0 is less than Rs = {by}"):
        game([0], [by])


def test_a_game_may_be_nested_as_deep_as_is_said_and_no_deeper() -> None:
    def nested(depth: int) -> str:
        return "{" * depth + "0" + "|0}" * depth

    assert parse(nested(DEEPEST)) == 0
    with pytest.raises(BadText, match=f"nested {DEEPEST} deep"):
        parse(nested(DEEPEST + 1))


def test_no_more_ends_are_written_than_there_is_room_for() -> None:
    def tree(depth: int, middle: int) -> Value:
        if depth == 0:
            return number(middle)
        by = 3**depth
        return game([tree(depth - 1, middle + by)], [tree(depth - 1, middle - by)])

    large = tree(9, 0)
    assert large.shape.n_ends == 512 > MOST_ENDS
    ends = re.findall(r"-?\d+|…", str(large))
    assert "…" in ends
    assert len(ends) <= MOST_ENDS


def test_a_negative_tax_is_refused() -> None:
    drawn = game([3], [-1]).thermograph
    assert drawn.left.at(0) == 3
    assert drawn.left.at(Fraction(1, 2)) == Fraction(5, 2)
    with pytest.raises(BadText, match="cannot be negative: -1"):
        drawn.left.at(-1)


def test_as_many_positions_are_valued_as_are_allowed() -> None:
    def fewer(n: int) -> list[int]:
        return [n - 1] if n else []

    assert value_of(9, fewer, fewer, int, most=10) == 0
