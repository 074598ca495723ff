"""Sequential tests, which end a match as soon as its question is answered.

The question is whether an agent leads by `elo0` (H0) or by `elo1` (H1). It is decided by the
generalised sequential probability ratio test on the results of pairs: among all
distributions over the five scores of a pair, the likelihood ratio compares the likeliest
with the one mean and the likeliest with the other. So it needs no model of draws, of the
first move or of how the games of a pair depend on each other.

References
----------
A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics
16 (1945); M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation
value of a distribution" (2020), which fishtest uses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, log, log1p
from typing import Any

from topple.arena.statistics.elo import score_of_elo
from topple.arena.statistics.pairs import DRAW, LOSS, WIN, Pairs
from topple.core.errors import BadText
from topple.core.lazy import lazy_module
from topple.core.spec import Option, parse_spec, read_options

optimize = lazy_module("scipy.optimize")

FARTHEST = 2000  # Elo; beyond it, scores hardly differ from 0 or 1
LEAST_RISK = 1e-9

OPTIONS = (
    Option("elo0", 0.0, float, "the lead in Elo under H0", least=-FARTHEST, most=FARTHEST),
    Option("elo1", 30.0, float, "the lead in Elo under H1", least=-FARTHEST, most=FARTHEST),
    Option("alpha", 0.05, float, "the risk of H1 where H0 holds", least=LEAST_RISK, most=1),
    Option("beta", 0.05, float, "the risk of H0 where H1 holds", least=LEAST_RISK, most=1),
)

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair
# Each score counts as seen this often before the first pair, which by itself is no evidence.
# Without it, scores that have not occurred yet would count as impossible. With the 0.001 that
# fishtest gives to such scores, error rates can exceed their bounds if most pairs are 1-1.
SEEN_BEFORE = 0.1

_POINTS = {WIN: 2, DRAW: 1, LOSS: 0}


@dataclass(frozen=True)
class Sprt:
    """A sequential test of the lead in Elo.

    Parameters
    ----------
    elo0, elo1 : float
        The leads under the two hypotheses, elo0 < elo1.
    alpha, beta : float
        The risk of accepting H1 although H0 is true, and of the reverse.

    Raises
    ------
    BadText
        If the numbers do not make a test.

    Examples
    --------
    >>> test = Sprt.parse("elo0=0,elo1=50")
    >>> str(test)
    'elo0=0,elo1=50,alpha=0.05,beta=0.05'
    >>> test.verdict(Pairs({("W", "L"): 40, ("W", "W"): 30}))
    'H1'
    """

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        read_options("sprt", OPTIONS, vars(self))
        if self.elo0 >= self.elo1:
            raise BadText(f"elo0={self.elo0:g} must be less than elo1={self.elo1:g}")
        if self.alpha + self.beta >= 1:
            raise BadText(
                f"alpha={self.alpha:g} and beta={self.beta:g} must be less than 1 together"
            )

    @classmethod
    def parse(cls, text: str) -> "Sprt":
        """Read `elo0=0,elo1=30,alpha=0.05,beta=0.05`; what is missing has these values.

        Raises
        ------
        BadText
            If it cannot be read or makes no test.
        """
        if not text.strip():
            return cls()
        spec = parse_spec(f"sprt:{text}")
        if spec.values:
            raise BadText(
                f"sprt cannot read {spec.values[0]!r}: write elo0=0,elo1=30,alpha=0.05,beta=0.05"
            )
        return cls(**read_options("sprt", OPTIONS, spec.options))

    def __str__(self) -> str:
        return ",".join(f"{name}={_text(value)}" for name, value in vars(self).items())

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log-likelihood ratio: H0 below the lower, H1 above the upper.

        >>> [round(bound, 3) for bound in Sprt().bounds]
        [-2.944, 2.944]
        """
        lower, upper = self.beta / (1 - self.alpha), (1 - self.beta) / self.alpha
        return log(lower), log(upper)

    def llr(self, pairs: Pairs) -> float:
        """The log-likelihood ratio of H1 to H0. Pairs with a game missing do not count.

        >>> round(Sprt(elo0=0, elo1=50).llr(Pairs({("W", "L"): 40, ("W", "D"): 10})), 2)
        2.72
        """
        counts = [0.0] * len(SCORES)
        for (first, second), n in pairs.evidence.items():
            if first is not None and second is not None:
                counts[_POINTS[first] + _POINTS[second]] += n
        seen_before = _log_ratio((SEEN_BEFORE,) * len(SCORES), self.elo0, self.elo1)
        seen = tuple(n + SEEN_BEFORE for n in counts)
        return _log_ratio(seen, self.elo0, self.elo1) - seen_before

    def verdict(self, pairs: Pairs) -> str | None:
        """The hypothesis that the pairs have decided for; None if they have not decided yet."""
        lower, upper = self.bounds
        llr = self.llr(pairs)
        return "H1" if llr >= upper else "H0" if llr <= lower else None


@lru_cache(maxsize=16)
def _log_ratio(counts: tuple[float, ...], elo0: float, elo1: float) -> float:
    score0, score1 = score_of_elo(elo0), score_of_elo(elo1)
    return _log_likelihood(counts, score1) - _log_likelihood(counts, score0)


def _log_likelihood(counts: Sequence[float], mean: float) -> float:
    """The greatest log-likelihood of a distribution with this mean, less that without it.

    Lagrange's conditions give the chances nᵢ/(N·(1 + x·(sᵢ − mean))), with the one x at
    which they have the mean.
    """
    terms = [(n, score - mean) for n, score in zip(counts, SCORES, strict=True)]
    (n_lost, lost), *others, (n_won, won) = terms

    def excess(x: float) -> float:
        # Σ nᵢ·leadᵢ/(1 + x·leadᵢ), times the two factors that would divide by zero at the ends.
        low, high = 1 + x * lost, 1 + x * won
        inner = sum([n * lead / (1 + x * lead) for n, lead in others])
        return n_lost * lost * high + n_won * won * low + inner * low * high

    x = optimize.brentq(excess, -1 / won, -1 / lost, xtol=1e-13)
    return -sum(n * log1p(x * lead) for n, lead in terms)


def _text(value: Any) -> str:
    return str(int(value)) if isfinite(value) and value == int(value) else str(value)
