"""Elo: the difference in strength that a score between two agents corresponds to."""

from math import inf, log, log10, sqrt, tanh
from statistics import NormalDist

from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.rates import NORMAL_QUANTILE, Estimate, score_ratio

ELO_PER_LOGIT = 400 / log(10)


def elo_of_score(score: float) -> float:
    """The lead in Elo at which a score between 0 and 1 is expected.

    >>> round(elo_of_score(0.75), 2)
    190.85
    >>> elo_of_score(1.0)
    inf
    """
    if score <= 0:
        return -inf
    if score >= 1:
        return inf
    return 400 * log10(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """The expected score for a lead in Elo, the inverse of `elo_of_score`.

    >>> score_of_elo(0.0)
    0.5
    >>> round(score_of_elo(400), 4)
    0.9091
    """
    return (1 + tanh(elo / ELO_PER_LOGIT / 2)) / 2


def elo_difference(pairs: Pairs) -> Estimate | None:
    """The lead in Elo that corresponds to the score, with the score's interval as Elo.

    Infinite where every game was won or lost; None without games.

    >>> elo_difference(Pairs({("W", "L"): 30, ("W", "W"): 10, ("L", "L"): 10}))
    Estimate(value=0.0, low=-62.07..., high=62.07...)
    """
    score = score_ratio(pairs)
    if score is None:
        return None
    return Estimate(*(elo_of_score(end) for end in score.estimate()))


def los(pairs: Pairs) -> float:
    """The likelihood of superiority: how certain it is that the agent is the stronger one.

    It is the level at which the score's one-sided interval just excludes 1/2, so it exceeds
    97.5% exactly if the 95% interval lies above 1/2.

    >>> los(Pairs({("W", "L"): 30}))
    0.5
    >>> round(los(Pairs({("W", "L"): 30, ("W", "W"): 6, ("L", "L"): 2})), 2)
    0.92
    """
    score = score_ratio(pairs)
    if score is None:
        return 0.5
    return NormalDist().cdf(NORMAL_QUANTILE * (2 * score.value - 1) / sqrt(score.looseness))
