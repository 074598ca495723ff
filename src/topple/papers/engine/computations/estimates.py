"""What computations share: progress reports, and estimates and curves of repeated runs."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from topple.core.means import mean_of

ReportProgress = Callable[[int, int], None]  # called with what is done, and out of how much

MIDDLE = (2.5, 97.5)  # the percentiles between which a band lies


def no_report(done: int, of: int) -> None:
    """Report progress to nobody."""


def estimate(values: Sequence[float] | NDArray[np.float64]) -> dict[str, float]:
    """The mean of independent runs with its 95% interval, which a single run does not have.

    >>> estimate([1.0, 2.0, 3.0]), estimate([4.0])
    ({'value': 2.0, 'low': -0.48..., 'high': 4.48...}, {'value': 4.0})
    """
    return mean_of(values).data()


def curve(runs: ArrayLike) -> Any:
    """A curve from an array of shape (runs, points), as plain data.

    For a single run, its points; for several, their mean with the band that holds the
    middle 95% of them.

    >>> curve([[1, 2]])
    [1.0, 2.0]
    """
    values = np.asarray(runs, dtype=np.float64)
    if len(values) == 1:
        return rounded(values[0])
    low, high = np.percentile(values, MIDDLE, axis=0)
    return {"value": rounded(values.mean(axis=0)), "low": rounded(low), "high": rounded(high)}


def rounded(values: NDArray[np.float64]) -> list[float]:
    """Plain floats with as many digits as a picture shows."""
    return [round(float(value), 4) for value in values]


def runs_text(n: int) -> str:
    """Describe how many runs a picture shows.

    >>> runs_text(1), runs_text(100)
    ('one run', 'mean of 100 runs, band of 95%')
    """
    return "one run" if n == 1 else f"mean of {n:,} runs, band of 95%"
