"""The Plackett–Luce model of games of which only the winners are observed, with shared wins.

The players T of a game win it together with a chance in the proportion
δ_t · (Π_{i∈T} α_i)^{1/t}, where t is their number: the model of Davidson and Luce. δ_1 is 1,
and a t that never occurs has δ_t = 0. The logarithm of α_i is the strength of the agent plus
the worth of its seat. For two players this is Davidson's model (`davidson.py`), with ν = δ_2.
It is log-linear, so the likelihood is concave.

References
----------
D. Firth, I. Kosmidis and H. Turner, "Davidson-Luce model for multi-item choice with ties",
arXiv:1909.07123 (2019); R. L. Plackett, "The analysis of permutations", Applied Statistics
24 (1975).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import inf

import numpy as np

from topple.arena.statistics.davidson import PRIOR, Numbers
from topple.arena.statistics.groups import WeightedGame
from topple.arena.statistics.newton import Array, Slopes, climb, sandwich


class Winners:
    """The sets of seats that can win a game of p players together, and what depends on them.

    With every set comes a row of `features`: for each seat its share of the win, then for
    each number of winners from 2 to p whether it is theirs.
    """

    def __init__(self, n_players: int, numbers: Iterable[int]) -> None:
        self.n_players = n_players
        self.sets = [
            seats for n in sorted({1, *numbers}) for seats in combinations(range(n_players), n)
        ]
        self.place = {seats: i for i, seats in enumerate(self.sets)}
        self.features = np.zeros((len(self.sets), 2 * n_players - 1))
        for row, seats in zip(self.features, self.sets, strict=True):
            row[list(seats)] = 1 / len(seats)
            if len(seats) > 1:
                row[n_players + len(seats) - 2] = 1.0


@dataclass(frozen=True)
class GroupGames:
    """Games as arrays, repeats not counted."""

    n_agents: int
    winners: Winners
    seats: Numbers  # A x p: the agents in the seats, for each way of sitting
    wins: Array  # A x sets: how often each set of seats has won
    groups: Numbers  # A: which sit together, whatever their seats
    # O x A x sets, but sparse: for each game its opening, its place in `wins`, its weight.
    openings: Numbers
    arrangements: Numbers
    won: Numbers
    weights: Array
    n_openings: int

    @classmethod
    def count(cls, agents: list[str], clusters: Iterable[list[WeightedGame]]) -> "GroupGames":
        """Number the agents in the order of the list, and count their games."""
        place = {agent: i for i, agent in enumerate(agents)}
        listed = [games for games in clusters if games]
        sizes = {len(game.winners) for games in listed for game, _ in games}
        n_players = len(listed[0][0].game.agents)
        winners = Winners(n_players, sizes)
        sitting: dict[tuple[str, ...], int] = {}
        rows = [
            (
                opening,
                sitting.setdefault(game.agents, len(sitting)),
                winners.place[game.winners],
                weight,
            )
            for opening, games in enumerate(listed)
            for game, weight in games
        ]
        openings, arrangements, won = np.array([row[:3] for row in rows], np.int64).T
        weights = np.array([row[3] for row in rows])
        wins = np.zeros((len(sitting), len(winners.sets)))
        np.add.at(wins, (arrangements, won), weights)
        seats = np.array([[place[agent] for agent in table] for table in sitting], np.int64)
        _, groups = np.unique(np.sort(seats, axis=1), axis=0, return_inverse=True)
        return cls(
            len(agents),
            winners,
            seats,
            wins,
            np.asarray(groups, np.int64).ravel(),
            openings,
            arrangements,
            won,
            weights,
            len(listed),
        )

    @property
    def n_games(self) -> Array:
        """A: the games of each way of sitting."""
        return np.asarray(self.wins.sum(axis=1))

    def games_of_agents(self) -> Array:
        """For each agent the games that it was in, each seat of its own counting as one."""
        counts = np.zeros(self.n_agents)
        np.add.at(counts, self.seats, self.n_games[:, None])
        return counts

    def openings_of_agents(self) -> Array:
        """For each agent the openings that it played from, repeats not counted."""
        weights, squares = np.zeros((2, self.n_openings, self.n_agents))
        at = self.openings[:, None], self.seats[self.arrangements]
        np.add.at(weights, at, self.weights[:, None])
        np.add.at(squares, at, self.weights[:, None] ** 2)
        return np.asarray(_ratio(squares, weights).sum(axis=0))

    @property
    def worth(self) -> Array:
        """O: how many different openings each one stands for, between 0 and 1."""
        weights = _sums(self.openings, self.weights, self.n_openings)
        squares = _sums(self.openings, self.weights**2, self.n_openings)
        return _ratio(squares, weights)


@dataclass(frozen=True)
class PlackettLuce:
    """The fitted model of k agents in games of p players."""

    # k + 1 + p + p − 1: the agents, the prior's opponent (fixed at 0), the seats (the last
    # one fixed at 0), the logarithms of δ_2 … δ_p.
    parameters: Array
    covariance: Array  # zero for what is not fitted
    n_agents: int
    n_players: int

    @property
    def tied(self) -> Array:
        """δ_2 … δ_p."""
        return np.asarray(np.exp(self.parameters[self.n_agents + 1 + self.n_players :]))

    @classmethod
    def fit(cls, games: GroupGames) -> "PlackettLuce":
        """Maximise the likelihood. A δ whose number of winners never occurs is 0."""
        k, p = games.n_agents, games.winners.n_players
        occurs = games.winners.features[:, p:].any(axis=0)
        free = np.ones(k + 2 * p, np.bool_)
        free[k] = free[k + p] = False
        free[k + 1 + p :] = occurs
        start = np.zeros(k + 2 * p)
        seats, wins = _with_prior(games)
        parameters, information = climb(
            start, free, lambda here: _slopes(here, k, games.winners, seats, wins)
        )
        covariance = sandwich(information, _meat(parameters, games), free)
        parameters[k + 1 + p :][~occurs] = -inf
        return cls(parameters, covariance, k, p)


def _with_prior(games: GroupGames) -> tuple[Numbers, Array]:
    """Who sat where and how often each set of seats has won, with imagined games.

    Every agent plays a round, once in each seat, with others of strength 0; each of them
    wins equally often. As in Davidson's model this keeps strengths finite.
    """
    k, p = games.n_agents, games.winners.n_players
    seats = np.full((k * p, p), k)
    seats[np.arange(k * p), np.tile(np.arange(p), k)] = np.repeat(np.arange(k), p)
    wins = np.zeros((k * p, len(games.winners.sets)))
    wins[:, [len(each) == 1 for each in games.winners.sets]] = PRIOR / p
    return np.concatenate([games.seats, seats]), np.concatenate([games.wins, wins])


def _places(seats: Numbers, k: int) -> Numbers:
    """A x 2p−1 x 2: which parameters belong to each feature; a seat has an agent and a worth."""
    n, p = seats.shape
    worth = np.tile(np.arange(k + 1, k + 1 + p), (n, 1))
    tied = np.tile(np.arange(k + 1 + p, k + 2 * p), (n, 1))
    return np.concatenate([np.stack([seats, worth], axis=2), np.stack([tied, tied], axis=2)], 1)


def _chances(parameters: Array, k: int, winners: Winners, seats: Numbers) -> Array:
    """A x sets: the logarithms of the chances to win of all sets of seats."""
    p = winners.n_players
    strengths = parameters[seats] + parameters[k + 1 : k + 1 + p]
    tied = np.broadcast_to(parameters[k + 1 + p :], (len(seats), p - 1))
    weights = np.concatenate([strengths, tied], axis=1) @ winners.features.T
    return np.asarray(weights - np.logaddexp.reduce(weights, axis=1, keepdims=True))


def _slopes(parameters: Array, k: int, winners: Winners, seats: Numbers, wins: Array) -> Slopes:
    logarithms = _chances(parameters, k, winners, seats)
    chances = np.exp(logarithms)
    n = wins.sum(axis=1)
    local = (wins - n[:, None] * chances) @ winners.features
    gradient = _spread_vectors(local, seats, k).sum(axis=0)
    likelihood = float((wins * np.where(wins > 0, logarithms, 0.0)).sum())
    blocks = n[:, None, None] * _blocks(chances, winners)
    return Slopes(likelihood, gradient, _spread(blocks, seats, k))


def _blocks(chances: Array, winners: Winners) -> Array:
    """A x 2p−1 x 2p−1: the information of one game about its features."""
    means = chances @ winners.features
    squares = (chances[:, None, :] * winners.features.T) @ winners.features
    return np.asarray(squares - means[:, :, None] * means[:, None, :])


def _spread_vectors(local: Array, seats: Numbers, k: int) -> Array:
    """Spread numbers for each feature over all parameters, one row for each."""
    p = seats.shape[1]
    rows = np.zeros((len(local), k + 2 * p))
    at = np.arange(len(local))[:, None]
    np.add.at(rows, (at, seats), local[:, :p])
    rows[:, k + 1 : k + 1 + p] = local[:, :p]
    rows[:, k + 1 + p :] = local[:, p:]
    return rows


def _spread(blocks: Array, seats: Numbers, k: int) -> Array:
    """Sum the information about features into a matrix over all parameters."""
    p = seats.shape[1]
    places = _places(seats, k)
    total = np.zeros((k + 2 * p, k + 2 * p))
    for one in (0, 1):
        for other in (0, 1):
            part = blocks.copy()
            if one:
                part[:, p:, :] = 0.0  # those that belong to one parameter alone
            if other:
                part[:, :, p:] = 0.0
            at = places[:, :, one][:, :, None], places[:, :, other][:, None, :]
            np.add.at(total, at, part)
    return total


def _meat(parameters: Array, games: GroupGames) -> Array:
    """The meat of the sandwich: how the openings differ from what the model expects.

    As in Davidson's model, for each agent about what one more opening of independent games
    would add is added.
    """
    k, winners = games.n_agents, games.winners
    chances = np.exp(_chances(parameters, k, winners, games.seats))
    expected = chances @ winners.features
    surplus = winners.features[games.won] - expected[games.arrangements]
    rows = _spread_vectors(surplus, games.seats[games.arrangements], k)
    sums = np.zeros((games.n_openings, rows.shape[1]))
    np.add.at(sums, games.openings, games.weights[:, None] * rows)
    meat = np.einsum("oi,oj->ij", sums / games.worth[:, None], sums)
    return np.asarray(meat + _one_more_opening(games, chances))


def _one_more_opening(games: GroupGames, chances: Array) -> Array:
    """The information of independent games, scaled to one opening for each agent."""
    p, k = games.winners.n_players, games.n_agents
    n = games.n_games
    blocks = n[:, None, None] * _blocks(chances, games.winners)
    variance = np.trace(blocks[:, :p, :p], axis1=1, axis2=2) / p
    own = games.openings_of_agents()
    most = n * (1 / p) * (1 - 1 / p) * (1 / own[games.seats]).mean(axis=1)
    n_groups = int(games.groups.max()) + 1
    most = _sums(games.groups, most, n_groups)
    weight = _ratio(most, most + _sums(games.groups, variance, n_groups))[games.groups]
    return _spread(weight[:, None, None] * blocks, games.seats, k)


def _sums(places: Numbers, numbers: Array, n: int) -> Array:
    """The sum of the numbers in each of n places."""
    return np.asarray(np.bincount(places, numbers, n), np.float64)


def _ratio(above: Array, below: Array) -> Array:
    """A quotient that is 0 where both are."""
    return np.asarray(np.divide(above, below, out=np.zeros_like(below), where=below > 0))
