"""Ratings of agents from games of more than two players, in Elo."""

from math import comb

import numpy as np

from topple.arena.statistics.davidson import Numbers
from topple.arena.statistics.elo import ELO_PER_LOGIT
from topple.arena.statistics.groups import GroupResults
from topple.arena.statistics.newton import Array
from topple.arena.statistics.plackett_luce import GroupGames, PlackettLuce
from topple.arena.statistics.rates import Estimate
from topple.arena.statistics.ratings import Rating, Ratings, connected, estimates


def fit_group_ratings(results: GroupResults) -> Ratings | None:
    """Rate agents by all games of more than two players that they played.

    Returns
    -------
    Ratings or None
        In Elo: if wins were never shared, an agent with a lead of 400 over another would win
        ten times as often from the same seat. The intervals come from a sandwich covariance
        with openings as clusters. None if the games have different numbers of players.
    """
    if results.n_players is None:
        return None
    agents = sorted(
        {agent for part in results.parts for game in part.counts for agent in game.agents}
    )
    games = GroupGames.count(agents, results.clusters())
    model = PlackettLuce.fit(games)
    groups = _groups(games)
    elos = _elos(games, model, groups)
    rows = [
        Rating(agent, elo, sum(results.tally(agent)), results.score(agent))
        for agent, elo in zip(agents, elos, strict=False)
    ]
    rows.sort(key=lambda row: (-row.elo.value, row.agent))
    seats = tuple(elos[len(agents) :])
    tied = tuple(map(float, model.tied))
    return Ratings(rows, tied[0], seats[0], int(groups.max()) + 1, seats, tied)


def steepness(tied: Array) -> tuple[float, Array]:
    """How much shared wins flatten scores near equality, and its slope for each log δ.

    It is the variance of a seat's share of the win between equal players, in units of that
    without shared wins: so much less does a lead change the score. With two players it is
    2/(2 + ν).
    """
    p = len(tied) + 1
    weights = np.array([p, *(comb(p, t) * each for t, each in enumerate(tied, start=2))], float)
    chances = weights / weights.sum()
    parts = 1 / np.arange(1, p + 1)
    mean = float(chances @ parts)
    slopes = chances[1:] * (parts[1:] - mean) / (1 - 1 / p)
    return (mean - 1 / p) / (1 - 1 / p), slopes


def _groups(games: GroupGames) -> Numbers:
    """The number of each agent's group. Games connect the agents of a group."""
    first = np.repeat(games.seats[:, 0], games.seats.shape[1])
    return connected(games.n_agents, first, games.seats.ravel())


def _elos(games: GroupGames, model: PlackettLuce, groups: Numbers) -> list[Estimate]:
    """Each agent's Elo relative to its group's mean, then each seat's relative to theirs."""
    k, p = games.n_agents, games.winners.n_players
    same = groups[:, None] == groups[None, :]
    above = np.zeros((k + p, k + 2 * p))
    above[:k, :k] = np.eye(k) - same / same.sum(axis=1, keepdims=True)
    above[k:, k + 1 : k + 1 + p] = np.eye(p) - 1 / p
    steep, slope = steepness(model.tied)
    unscaled = above[:, : k + 1 + p] @ model.parameters[: k + 1 + p]
    slopes = ELO_PER_LOGIT * steep * above
    slopes[:, k + 1 + p :] = ELO_PER_LOGIT * unscaled[:, None] * slope
    n_games = [*games.games_of_agents(), *[games.n_games.sum()] * p]
    n_openings = [*games.openings_of_agents(), *[games.worth.sum()] * p]
    values = ELO_PER_LOGIT * steep * unscaled
    return estimates(values, slopes, model.covariance, n_games, n_openings)
