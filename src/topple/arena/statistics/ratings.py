"""Ratings of agents from all their games, in Elo: the model of Bradley and Terry with draws."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from topple.arena.statistics.davidson import Davidson, Games, Numbers
from topple.arena.statistics.elo import ELO_PER_LOGIT
from topple.arena.statistics.newton import Array
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.rates import Estimate, degrees_of_freedom, score_rate
from topple.core.lazy import lazy_module
from topple.core.means import student_quantile

sparse = lazy_module("scipy.sparse")
csgraph = lazy_module("scipy.sparse.csgraph")


class Rating(NamedTuple):
    """An agent's strength in Elo, with its number of games and its score."""

    agent: str
    elo: Estimate
    games: int  # with other agents
    score: Estimate | None  # None: it has met no other agent


class Ratings(NamedTuple):
    """The ratings of all agents, the best first, and the parameters that they share.

    `draw` is Davidson's ν: two equal agents draw at most ν/(2 + ν) of their games.
    `first_move` is what moving first is worth, in Elo. Ratings can be compared
    within a group of agents that games connect, directly or through others. Each group has
    the mean 0, and `n_groups` is the number of groups.

    With more than two players `seats` has what each seat is worth, relative to their mean,
    and `tied` the model's δ of wins shared by 2, 3 … players.
    """

    rows: list[Rating]
    draw: float
    first_move: Estimate
    n_groups: int
    seats: tuple[Estimate, ...] = ()
    tied: tuple[float, ...] = ()


def fit_ratings(results: Mapping[tuple[str, str], Pairs]) -> Ratings:
    """Rate agents by all games that they played against each other.

    Parameters
    ----------
    results : mapping from (agent, agent) to Pairs
        The pairs from the view of the first of the two agents. Games of an agent with
        itself only affect draws and the first move.

    Returns
    -------
    Ratings
        In Elo: between agents of about equal strength, and if moving first were worth
        nothing, a lead would give the score that `score_of_elo` computes. The intervals
        come from a sandwich covariance with pairs as clusters.

    Examples
    --------
    >>> ratings = fit_ratings({
    ...     ("uct", "greedy"): Pairs({("W", "L"): 30, ("W", "W"): 20}),
    ...     ("greedy", "random"): Pairs({("W", "L"): 20, ("W", "W"): 30}),
    ... })
    >>> [row.agent for row in ratings.rows]
    ['uct', 'greedy', 'random']
    """
    agents = sorted({agent for pairing in results for agent in pairing})
    if not agents:
        return Ratings([], 0.0, Estimate(0.0, -inf, inf), 0)
    games = Games.count(agents, results)
    model = Davidson.fit(games)
    groups = _groups(games)
    *elos, first_move = _elos(games, model, groups)
    rows = [_row(agent, elo, results) for agent, elo in zip(agents, elos, strict=True)]
    rows.sort(key=lambda row: (-row.elo.value, row.agent))
    return Ratings(rows, model.draw, first_move, int(groups.max()) + 1)


def _row(agent: str, elo: Estimate, results: Mapping[tuple[str, str], Pairs]) -> Rating:
    played = Pairs()
    for (one, other), pairs in results.items():
        if agent in (one, other) and one != other:
            played += pairs if agent == one else pairs.reversed()
    return Rating(agent, elo, played.tally.games, score_rate(played))


def _groups(games: Games) -> Numbers:
    """The number of each agent's group. Games connect the agents of a group."""
    met = games.n_games > 0
    return connected(games.n_agents, games.first[met], games.second[met])


def connected(n_agents: int, first: Numbers, second: Numbers) -> Numbers:
    """The number of each agent's group, from pairs of agents that have met."""
    edges = (np.ones(len(first)), (first, second))
    graph = sparse.coo_array(edges, shape=(n_agents, n_agents))
    return np.asarray(csgraph.connected_components(graph, directed=False)[1], np.int64)


def _elos(games: Games, model: Davidson, groups: Numbers) -> list[Estimate]:
    """Each agent's Elo relative to its group's mean, then the worth of the first move."""
    k = games.n_agents
    same = groups[:, None] == groups[None, :]
    above = np.zeros((k + 1, k + 3))
    above[:k, :k] = np.eye(k) - same / same.sum(axis=1, keepdims=True)
    above[k, k + 1] = 1.0
    # With draws a lead changes the score less; near equality this makes up for it.
    scale = ELO_PER_LOGIT * 2 / (2 + model.draw)
    values = scale * (above[:, :-1] @ model.parameters[:-1])
    slopes = scale * above
    slopes[:, -1] = -values * model.draw / (2 + model.draw)
    n_games = [*games.per_agent(games.n_games), games.n_games.sum()]
    n_pairs = [*games.per_agent(games.n_pairs), games.n_pairs.sum()]
    return estimates(values, slopes, model.covariance, n_games, n_pairs)


def estimates(
    values: Array,
    slopes: Array,
    covariance: Array,
    n_games: Sequence[float],
    n_clusters: Sequence[float],
) -> list[Estimate]:
    """Values with intervals, from their slopes for each parameter and its covariance.

    Behind each value are games that come in clusters, such as pairs.
    """
    variances = np.einsum("ij,jk,ik->i", slopes, covariance, slopes)
    deviations = np.sqrt(np.maximum(variances, 0.0))  # rounding errors may leave them below 0
    numbers = zip(values, deviations, n_games, n_clusters, strict=True)
    return [_estimate(*map(float, each)) for each in numbers]


def _estimate(value: float, deviation: float, n_games: float, n_clusters: float) -> Estimate:
    if n_games == 0:
        return Estimate(0.0, -inf, inf)
    half = deviation * student_quantile(degrees_of_freedom(n_games, n_clusters))
    return Estimate(value + 0.0, value - half, value + half)  # 0.0, never −0.0
