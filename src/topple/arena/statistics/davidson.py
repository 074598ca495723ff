"""Davidson's model of games between agents of unequal strength, fitted to counts of pairs.

With a = (strength of the first player) − (strength of the second) + (worth of the first
move), the first player wins, draws and loses with chances in the proportion
e^(a/2) : ν : e^(−a/2). That is log-linear, so the likelihood is concave and Newton's
method finds its one maximum.

References
----------
R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired
comparison experiments", JASA 65 (1970); R. R. Davidson and R. J. Beaver, "On extending
the Bradley-Terry model to incorporate within-pair order effects", Biometrics 33 (1977).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, inf

import numpy as np
from numpy.typing import NDArray

from topple.arena.statistics.newton import Array, Slopes, climb, sandwich
from topple.arena.statistics.pairs import DRAW, LOSS, WIN, Pairs

Numbers = NDArray[np.int64]

# The weight of an imagined pair of games of every agent against an agent of strength 0, half
# won and half lost. It keeps the strength finite of agents that never lost, or never won.
PRIOR = 0.25

_RESULTS = (WIN, DRAW, LOSS, None)
_POINTS = np.array([1.0, 0.5, 0.0])
_DRAWN = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class Games:
    """The results of P pairings of agents as arrays, repeats not counted."""

    n_agents: int
    first: Numbers  # P: the agent whose view is taken
    second: Numbers  # P
    pairs: Array  # P x 4 x 4: how many pairs ended W, D, L or not at all, for either game

    @classmethod
    def count(cls, agents: list[str], results: Mapping[tuple[str, str], Pairs]) -> "Games":
        """Number the agents in the order of the list, and count their results."""
        place = {agent: i for i, agent in enumerate(agents)}
        column = {result: i for i, result in enumerate(_RESULTS)}
        pairs = np.zeros((len(results), 4, 4))
        for p, found in enumerate(results.values()):
            for (as_first, as_second), n in found.evidence.items():
                pairs[p, column[as_first], column[as_second]] += n
        ends = np.array([[place[a], place[b]] for a, b in results], np.int64).reshape(-1, 2)
        return cls(len(agents), ends[:, 0], ends[:, 1], pairs)

    @property
    def as_first(self) -> Array:
        """P x 3: won, drawn and lost as the first player."""
        return np.asarray(self.pairs.sum(axis=2)[:, :3])

    @property
    def as_second(self) -> Array:
        """P x 3: won, drawn and lost by the other agent as the first player."""
        return np.asarray(self.pairs.sum(axis=1)[:, 2::-1])

    @property
    def n_games(self) -> Array:
        """P: the games of each pairing."""
        return np.asarray(self.as_first.sum(axis=1) + self.as_second.sum(axis=1))

    @property
    def n_pairs(self) -> Array:
        """P: the pairs of each pairing of which a game was played."""
        return np.asarray(self.pairs.sum(axis=(1, 2)) - self.pairs[:, 3, 3])

    def per_agent(self, numbers: Array) -> Array:
        """Sum a number of each pairing over an agent's pairings with others."""
        others = np.where(self.first != self.second, numbers, 0.0)
        ends = np.concatenate([self.first, self.second])
        return np.asarray(np.bincount(ends, np.tile(others, 2), self.n_agents), np.float64)


@dataclass(frozen=True)
class Davidson:
    """The fitted model of k agents."""

    # k + 3: the agents, the prior's opponent (fixed at 0), the first move, log ν.
    parameters: Array
    covariance: Array  # k + 3 x k + 3, zero for what is not fitted

    @property
    def draw(self) -> float:
        """Davidson's ν."""
        return exp(self.parameters[-1])

    @classmethod
    def fit(cls, games: Games) -> "Davidson":
        """Maximise the likelihood. Without draws ν is 0 and not fitted."""
        k = games.n_agents
        first, second, counts = _with_prior(games)
        drawn = bool(counts[:, 1].any())
        free = np.ones(k + 3, np.bool_)
        free[k], free[-1] = False, drawn
        parameters = np.zeros(k + 3)
        parameters[-1] = 0.0 if drawn else -inf
        parameters, information = climb(
            parameters, free, lambda here: _slopes(here, first, second, counts)
        )
        return cls(parameters, sandwich(information, _meat(parameters, games), free))


def _with_prior(games: Games) -> tuple[Numbers, Numbers, Array]:
    """Who was first, who was second, and how often the first won, drew and lost."""
    k = games.n_agents
    agents, average = np.arange(k), np.full(k, k)
    first = np.concatenate([games.first, games.second, agents, average])
    second = np.concatenate([games.second, games.first, average, agents])
    prior = np.tile([PRIOR / 2, 0.0, PRIOR / 2], (2 * k, 1))
    return first, second, np.concatenate([games.as_first, games.as_second, prior])


def _chances(parameters: Array, first: Numbers, second: Numbers) -> Array:
    """The logarithms of the first player's chances to win, draw and lose."""
    lead = parameters[first] - parameters[second] + parameters[-2]
    weights = np.stack([lead / 2, np.full(len(lead), parameters[-1]), -lead / 2], axis=1)
    return np.asarray(weights - np.logaddexp.reduce(weights, axis=1, keepdims=True))


def _slopes(parameters: Array, first: Numbers, second: Numbers, counts: Array) -> Slopes:
    k = len(parameters) - 3
    logarithms = _chances(parameters, first, second)
    chances = np.exp(logarithms)
    n = counts.sum(axis=1)
    surplus = counts - n[:, None] * chances
    points = surplus @ _POINTS
    gradient = np.zeros(k + 3)
    np.add.at(gradient, first, points)
    np.subtract.at(gradient, second, points)
    gradient[-2:] = points.sum(), surplus[:, 1].sum()
    blocks = n[:, None, None] * _blocks(chances, np.ones(len(first)))
    likelihood = float((counts * np.where(counts > 0, logarithms, 0.0)).sum())
    return Slopes(likelihood, gradient, _spread(blocks, first, second, k))


def _blocks(chances: Array, signs: Array) -> Array:
    """G x 3 x 3: the information of one game about (lead, first move, log ν).

    `signs` is −1 where the lead is the second player's.
    """
    score, drawn = chances @ _POINTS, chances[:, 1]
    variance = chances @ _POINTS**2 - score**2
    together = drawn * (0.5 - score)
    rows = [
        [variance, signs * variance, signs * together],
        [signs * variance, variance, together],
        [signs * together, together, drawn * (1 - drawn)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def _spread(blocks: Array, first: Numbers, second: Numbers, k: int) -> Array:
    """Sum the information about leads into a matrix over all parameters."""
    parts = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, 0, 1]])
    at = np.stack([first, second, np.full(len(first), k + 1), np.full(len(first), k + 2)], axis=1)
    total = np.zeros((k + 3, k + 3))
    np.add.at(total, (at[:, :, None], at[:, None, :]), parts @ blocks @ parts.T)
    return total


def _meat(parameters: Array, games: Games) -> Array:
    """The meat of the sandwich: how the pairs differ from what the model expects.

    As for a single rate (`rates.cluster_ratio`), something is added, so that the variance
    is not 0 if all pairs are alike: for each agent about what one more pair of independent
    games would add.
    """
    chances = np.exp(_chances(parameters, games.first, games.second))
    turned = np.exp(_chances(parameters, games.second, games.first))
    points, drawn = np.zeros((2, len(chances), 4)), np.zeros((2, len(chances), 4))
    for game, expected in enumerate((chances, turned)):
        seen = slice(None, 3) if game == 0 else slice(2, None, -1)  # as the one who is first
        points[game, :, seen] = _POINTS - (expected @ _POINTS)[:, None]
        drawn[game, :, seen] = _DRAWN - expected[:, 1][:, None]
    one, two = points[0][:, :, None], points[1][:, None, :]
    draws = drawn[0][:, :, None] + drawn[1][:, None, :]
    slopes = np.stack([one - two, one + two, draws], axis=3)
    blocks = np.einsum("pab,pabx,paby->pxy", games.pairs, slopes, slopes)
    blocks += _one_more_pair(games, chances, turned)
    return _spread(blocks, games.first, games.second, games.n_agents)


def _one_more_pair(games: Games, chances: Array, turned: Array) -> Array:
    """P x 3 x 3: the information of independent games, scaled to one pair for each agent."""
    information, variance = np.zeros((len(chances), 3, 3)), np.zeros(len(chances))
    for expected, counts, sign in ((chances, games.as_first, 1), (turned, games.as_second, -1)):
        blocks = counts.sum(axis=1)[:, None, None] * _blocks(expected, np.full(len(expected), sign))
        information += blocks
        variance += blocks[:, 0, 0]
    mirrors = np.where(games.first == games.second, games.n_pairs, 0.0)
    own = games.per_agent(games.n_pairs) + np.bincount(games.first, mirrors, games.n_agents)
    own = np.where(own > 0, own, 1.0)
    most = games.n_games / 4 * (1 / own[games.first] + 1 / own[games.second]) / 2
    weight = np.divide(most, most + variance, out=np.zeros_like(most), where=variance > 0)
    return np.asarray(weight[:, None, None] * information)
