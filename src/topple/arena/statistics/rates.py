"""Rates of games won, drawn and lost, with intervals that take pairs as samples.

The two games of a pair share an opening and depend on each other: where the first player
nearly always wins, a hundred pairs are a hundred times 1-1, and the score is known far
better than from two hundred tosses of a coin. So a rate is a ratio of sums over clusters
(pairs or games), and its variance comes from the differences between clusters. Pairs that
repeat others do not count: all rates are computed from `Pairs.evidence`.
"""

from collections.abc import Iterable, Mapping
from math import inf, sqrt
from typing import NamedTuple

from topple.arena.statistics.pairs import DRAW, LOSS, WIN, Pairs
from topple.core.means import student_quantile

NORMAL_QUANTILE = student_quantile(inf)

# How much a game counts that was won, drawn or lost.
ALL = {WIN: 1.0, DRAW: 1.0, LOSS: 1.0}
DECIDED = {WIN: 1.0, DRAW: 0.0, LOSS: 1.0}
WON = {WIN: 1.0, DRAW: 0.0, LOSS: 0.0}
DRAWN = {WIN: 0.0, DRAW: 1.0, LOSS: 0.0}
LOST = {WIN: 0.0, DRAW: 0.0, LOSS: 1.0}
SCORED = {WIN: 1.0, DRAW: 0.5, LOSS: 0.0}


class Estimate(NamedTuple):
    """A value with the ends of its 95% interval."""

    value: float
    low: float
    high: float


class Ratio(NamedTuple):
    """A share of the trials, and how precisely the clusters determine it.

    `looseness` is the squared quantile over the effective number of trials: the
    interval holds every p with (value − p)² ≤ looseness · p(1 − p), which is
    Wilson's. It lies within [0, 1] and is never empty.
    """

    value: float
    looseness: float

    def estimate(self) -> Estimate:
        """The value with Wilson's interval.

        >>> Ratio(0.5, 1.96**2 / 100).estimate()  # 50 of 100 independent trials
        Estimate(value=0.5, low=0.4038..., high=0.5961...)
        """
        p, q = self
        centre = (p + q / 2) / (1 + q)
        half = sqrt(q * p * (1 - p) + q * q / 4) / (1 + q)
        low, high = centre - half, centre + half
        # Rounding errors could push an end beyond the value, or beyond 0 or 1.
        return Estimate(p, max(0.0, min(p, low)), min(1.0, max(p, high)))


def wilson(value: float, n_trials: int) -> Estimate:
    """A share of independent trials with Wilson's interval.

    >>> wilson(0.4, 20)
    Estimate(value=0.4, low=0.2188..., high=0.6134...)
    """
    return Ratio(value, NORMAL_QUANTILE**2 / n_trials).estimate()


def win_rate(pairs: Pairs) -> Estimate | None:
    """Games won out of all, the WR of the Spread-It paper; None without games.

    >>> win_rate(Pairs({("W", "L"): 30, ("W", "W"): 10, ("D", "L"): 10}))
    Estimate(value=0.5, low=..., high=...)
    """
    return _estimate(ratio(pairs, WON, ALL))


def draw_rate(pairs: Pairs) -> Estimate | None:
    """Games drawn out of all, the paper's DR; None without games."""
    return _estimate(ratio(pairs, DRAWN, ALL))


def win_loss_ratio(pairs: Pairs) -> Estimate | None:
    """Games won out of those not drawn, the paper's WLR; None where all are drawn."""
    return _estimate(ratio(pairs, WON, DECIDED))


def score_rate(pairs: Pairs) -> Estimate | None:
    """Points out of all games, a draw being half a point; None without games.

    Pairs that always end 1-1 determine it better than as many independent games:

    >>> score_rate(Pairs({("W", "L"): 50}))
    Estimate(value=0.5, low=0.48..., high=0.51...)
    >>> score_rate(Pairs({("W", None): 50, ("L", None): 50}))
    Estimate(value=0.5, low=0.40..., high=0.59...)
    """
    return _estimate(score_ratio(pairs))


def score_ratio(pairs: Pairs) -> Ratio | None:
    """The score with its looseness, from which Elo and LOS are computed."""
    return ratio(pairs, SCORED, ALL)


def share(units: Iterable[tuple[float, float]]) -> Estimate | None:
    """A share of trials that come in clusters, such as an agent's moves in each game.

    Each unit is a cluster's (hits, trials), with 0 ≤ hits ≤ trials. None without trials.

    Examples
    --------
    >>> share([(3, 10), (5, 10), (4, 20)])
    Estimate(value=0.3, low=..., high=...)
    """
    return _estimate(cluster_ratio((1.0, hits, trials) for hits, trials in units))


def ratio(pairs: Pairs, hits: Mapping[str, float], trials: Mapping[str, float]) -> Ratio | None:
    """Divide two sums over all pairs: how much each result counts as hits, and as trials."""
    clusters = []
    for result, n in pairs.evidence.items():
        played = [game for game in result if game is not None]
        clusters.append(
            (n, sum(hits[game] for game in played), sum(trials[game] for game in played))
        )
    return cluster_ratio(clusters)


def cluster_ratio(clusters: Iterable[tuple[float, float, float]]) -> Ratio | None:
    """Divide sums over clusters, and estimate how precisely the clusters determine the ratio.

    Parameters
    ----------
    clusters : iterable of (number, hits, trials)
        `number` clusters, not necessarily a whole number, with these hits and trials.

    Notes
    -----
    With p the ratio, the clusters' residuals hᵢ − p·tᵢ have a sum of squares S, and
    var(p) = S/T² by linearisation. S is made larger by what one more cluster of
    independent trials would be expected to add: at most t̄/4, and about all that
    independent trials give (T·p(1 − p)) where p is so near to 0 or 1 that S itself
    says little. That also replaces the usual m/(m − 1). Student's quantile allows for S
    being estimated. Even a few clusters determine the ratio at least as well as one trial
    from each would.
    """
    found = [cluster for cluster in clusters if cluster[0] > 0 and cluster[2] > 0]
    if not found:
        return None
    m = sum(n for n, _, _ in found)
    total = sum(n * t for n, _, t in found)
    p = min(1.0, sum(n * h for n, h, _ in found) / total)
    residuals = sum(n * (h - p * t) ** 2 for n, h, t in found)
    squares = sum(n * t * t for n, _, t in found)
    independent = total * p * (1 - p)
    one_more = total / m / 4
    design = one_more / (one_more + independent)
    if independent > 0:
        design += residuals / independent
    looseness = student_quantile(degrees_of_freedom(total, m)) ** 2 * design / total
    return Ratio(p, min(looseness, NORMAL_QUANTILE**2 * squares / total**2))


def degrees_of_freedom(n_trials: float, n_clusters: float) -> float:
    """The degrees of freedom of a variance that was estimated from clusters.

    A sum of t even trials has the kurtosis 3 − 2/t, so that the mean square of m
    sums is as variable as chi-squared with m·t/(t − 1) degrees of freedom: two for
    each pair of games. The variance of single trials follows from their mean.

    >>> degrees_of_freedom(200, 100), degrees_of_freedom(100, 100)
    (200.0, inf)
    """
    size = n_trials / n_clusters
    return n_trials / (size - 1) if size > 1 else inf


def _estimate(found: Ratio | None) -> Estimate | None:
    return found.estimate() if found is not None else None
