"""Means of independent values, with 95% intervals."""

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.core.lazy import lazy_module

special = lazy_module("scipy.special")

LEVEL = 0.95
FEWEST = 2  # values that have an interval


class Mean(NamedTuple):
    """A mean with the ends of its 95% interval; a single value has no interval."""

    value: float
    low: float | None = None
    high: float | None = None

    def data(self) -> dict[str, float]:
        """The numbers that are known, by name.

        >>> Mean(4.0).data(), Mean(2.0, 1.0, 3.0).data()
        ({'value': 4.0}, {'value': 2.0, 'low': 1.0, 'high': 3.0})
        """
        return {name: number for name, number in self._asdict().items() if number is not None}


def mean_of(values: Sequence[float] | NDArray[np.float64]) -> Mean:
    """The mean of independent values, with Student's interval.

    A single value has no interval, because it does not show how values vary.

    >>> mean_of([1.0, 2.0, 3.0]), mean_of([4.0])
    (Mean(value=2.0, low=-0.48..., high=4.48...), Mean(value=4.0, low=None, high=None))
    """
    n, value = len(values), float(np.mean(values))
    if n < FEWEST:
        return Mean(value)
    half = student_quantile(n - 1) * float(np.std(values, ddof=1)) / sqrt(n)
    return Mean(value, value - half, value + half)


@lru_cache(maxsize=4096)
def student_quantile(degrees: float) -> float:
    """The quantile of Student's t that leaves 2.5% on each side.

    >>> student_quantile(3), student_quantile(float("inf"))
    (3.18..., 1.95...)
    """
    if degrees >= 1e6:
        return NormalDist().inv_cdf((1 + LEVEL) / 2)
    return float(special.stdtrit(degrees, (1 + LEVEL) / 2))
