"""Matches drawn at random, with a truth that is known: what intervals must cover."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from topple.arena.statistics.pairs import DRAW, LOSS, WIN, Pairs

Chances = tuple[float, float, float]  # to win, draw and lose

RESULTS = (WIN, DRAW, LOSS)
CELLS = [(first, second) for first in RESULTS for second in RESULTS]


def simulate(
    as_first: Chances, as_second: Chances, correlation: float, n_pairs: int, n: int, seed: int
) -> NDArray[np.int64]:
    """Draw n matches; how many pairs of each ended in each of `CELLS`.

    The two games of a pair come from two normal numbers with this correlation: below
    0 an opening is good for whoever has the first move, above 0 for one of the agents.
    """
    rng = np.random.default_rng(seed)
    one = rng.standard_normal((n, n_pairs))
    two = correlation * one + np.sqrt(1 - correlation**2) * rng.standard_normal((n, n_pairs))
    cells = 3 * _results(one, as_first) + _results(two, as_second)
    numbered = cells + 9 * np.arange(n)[:, None]
    return np.bincount(numbered.ravel(), minlength=9 * n).reshape(n, 9)


def _results(luck: NDArray[np.float64], chances: Chances) -> NDArray[np.int64]:
    return np.searchsorted(norm.ppf(np.cumsum(chances)[:2]), luck)


def as_pairs(counts: NDArray[np.int64]) -> Pairs:
    """One simulated match."""
    return Pairs({cell: int(n) for cell, n in zip(CELLS, counts, strict=True) if n})


def matches(
    as_first: Chances, as_second: Chances, correlation: float, n_pairs: int, n: int, seed: int
) -> Iterator[Pairs]:
    """Simulated matches one by one."""
    for counts in simulate(as_first, as_second, correlation, n_pairs, n, seed):
        yield as_pairs(counts)


def davidson(lead: float, draw: float) -> Chances:
    """The first player's chances, with his lead as a logarithm of odds and Davidson's ν."""
    weights = np.array([np.exp(lead / 2), draw, np.exp(-lead / 2)])
    won, drawn, lost = weights / weights.sum()
    return float(won), float(drawn), float(lost)
