"""The exponential: right to the last digits, compiled or not."""

import math

import numpy as np
import pytest

import topple
from topple.compiling.exponential import LEAST, MOST, exp

NUMBERS = [
    *np.linspace(-40.0, 40.0, 2001).tolist(),
    *np.linspace(LEAST, MOST, 301).tolist(),
    *(sign * 10.0**power for power in range(-320, 1) for sign in (-1, 1)),
    *(k * math.log(2) / 2 for k in range(-21, 22)),  # where the number of doublings changes
    0.0,
]


def test_it_is_the_exponential() -> None:
    for number in NUMBERS:
        # The doublings are taken off with one rounding: half a bit of the number itself.
        bound = 2e-15 + 2e-16 * abs(number)
        assert exp(number) == pytest.approx(math.exp(number), rel=bound, abs=0)


def test_zero_gives_exactly_one() -> None:
    assert exp(0.0) == 1.0


def test_numbers_outside_count_as_the_last_ones_inside() -> None:
    assert exp(-1e300) == exp(-math.inf) == exp(LEAST) > 0
    assert exp(1e300) == exp(math.inf) == exp(MOST) < math.inf


def test_compiled_it_is_the_same_to_the_last_bit() -> None:
    own = topple.load("hex", "hex:2").kernels(exp)
    for number in [*NUMBERS, -1e300, 1e300]:
        assert own(number) == exp(number)
