"""What must hold of exact play and stood unguarded: found by changing the code on purpose."""

import re
from fractions import Fraction

import pytest

from topple.errors import BadText
from topple.solvers.scoring import game, number, parse, value_of
from topple.solvers.scoring.value import DEEPEST, MOST_ENDS, Value

# -- values --------------------------------------------------------------------------------------


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
    with pytest.raises(BadText, match="may not be negative, and -1 is"):
        drawn.left.at(-1)


def test_as_many_positions_are_valued_as_are_allowed() -> None:
    def fewer(n: int) -> list[int]:
        return [n - 1] if n else []

    assert value_of(9, fewer, fewer, int, most=10) == 0
