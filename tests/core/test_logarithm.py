"""The logarithm: right to the last digits, compiled or not."""

import math

import pytest

import topple
from topple.compiling.logarithm import ln


def test_it_is_the_natural_logarithm() -> None:
    numbers = [*range(1, 3000), 10**6, 2**31, 10**15, 0.5, 0.001, 1e-9, 1.4142, 0.7072, math.e]
    for number in numbers:
        assert ln(float(number)) == pytest.approx(math.log(number), rel=1e-14, abs=1e-15)


def test_compiled_it_is_the_same_to_the_last_bit() -> None:
    own = topple.load("hex", "hex:2").kernels(ln)
    for number in range(1, 5000):
        assert own(float(number)) == ln(float(number))
