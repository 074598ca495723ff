"""Simulation: one learner, from its first game to its last."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from topple.compiling.rng import Rng, make_rng
from topple.core.errors import Unsupported
from topple.core.stopping import Stop
from topple.evaluations import read_weights
from topple.game.game import Game
from topple.game.warm_up import can_be_warmed
from topple.kernels.learning import (
    CHANCES,
    N_CUT,
    N_POSITIONS,
    N_UPDATES,
    Learners,
    play_and_learn,
)
from topple.learning.networks import networks
from topple.learning.settings import LEARNING, OPPONENTS, RANDOM, SAME, LearningSettings
from topple.rules.interface import WON

KERNELS = (play_and_learn,)
POINTS = 100  # recorded in the course of a simulation
LARGEST = 1e9  # absolute value of a weight
SAMPLE = 20  # random games that measure how large the features are
ON_BOARDS, ON_LOTS, ON_SAMPLE = range(3)  # uses of a simulation's seed
WINS, DRAWS, LOSSES = range(3)

Report = Callable[[int], None]  # called with the number of further games played


class TrainingPoint(NamedTuple):
    """The state of a simulation after a number of games."""

    games: int
    weights: tuple[float, ...]
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Simulation:
    """The course and the end of one learner."""

    number: int
    points: tuple[TrainingPoint, ...]  # the last one is the end
    opponent: tuple[float, ...]  # the weights of the second copy at the end
    lessons: int
    cut: int  # lessons that were cut short

    @property
    def weights(self) -> tuple[float, ...]:
        """The weights at the end."""
        return self.points[-1].weights

    @property
    def win_rate(self) -> float:
        """The percentage of games won."""
        return 100 * self.points[-1].wins / self.points[-1].games


def simulate(
    settings: LearningSettings, number: int, report: Report | None = None, stop: Stop | None = None
) -> Simulation | None:
    """Let a learner play all its games; None if `stop` was set before the end."""
    learners = make_learners(settings)
    lots = make_rng(settings.seed, number, ON_LOTS)
    boards = _games(settings, settings.seed, number, ON_BOARDS)
    recorded = set(recorded_games(settings.games))
    results, points = [0, 0, 0], []
    for n in range(1, settings.games + 1):
        if stop is not None and stop.is_set():
            return None
        swapped = (n - 1) % 2
        status = _play(next(boards), lots, learners, swapped)
        results[_result(status, swapped)] += 1
        if n in recorded:
            points.append(TrainingPoint(n, _finite(learners.weights[0]), *results))
            if report is not None:
                report(n - (points[-2].games if len(points) > 1 else 0))
    counts = learners.counts
    return Simulation(
        number,
        tuple(points),
        _finite(learners.weights[learners.rows[1]]),
        int(counts[N_UPDATES]),
        int(counts[N_CUT]),
    )


def recorded_games(games: int) -> list[int]:
    """The numbers of games after which a point is recorded; the last one is `games`.

    >>> recorded_games(4), len(recorded_games(10_000))
    ([1, 2, 3, 4], 100)
    """
    return sorted({-(-games * (k + 1) // POINTS) for k in range(POINTS)})


def with_fitting_rate(settings: LearningSettings) -> LearningSettings:
    """Lower the rate if the features are large, so that learning is stable.

    A lesson reduces the error of a position's value by the factor rate · ΣH². The
    rate is divided by the mean ΣH² in random games, if that is more than 1.
    """
    learners = make_learners(replace(settings, opponent=RANDOM, explore=1.0, rate=0.0))
    lots = make_rng(settings.seed, ON_SAMPLE)
    boards = _games(settings, settings.seed, ON_SAMPLE)
    for _ in range(SAMPLE):
        _play(next(boards), lots, learners, 0)
    mean = learners.squares[0] / learners.counts[N_POSITIONS]
    return replace(settings, rate=float(f"{settings.rate / max(1.0, mean):.2g}"))


def make_learners(settings: LearningSettings) -> Learners:
    """A learner and its copy, before their first game."""
    n, opponent = len(settings.features), settings.opponent
    weights = np.zeros((2, n))
    if opponent not in OPPONENTS:
        weights[1] = read_weights(opponent, settings.features)
    explore = round(CHANCES * settings.explore)
    return Learners(
        weights=weights,
        rows=np.array([0, 0 if opponent == SAME else 1]),
        rates=np.array([settings.rate, settings.rate if opponent == LEARNING else 0.0]),
        chances=np.array([explore, CHANCES if opponent == RANDOM else explore]),
        before=np.zeros((2, n)),
        has_moved=np.zeros(2, dtype=np.int64),
        now=np.zeros(n),
        squares=np.zeros(1),
        counts=np.zeros(3, dtype=np.int64),
    )


def _games(settings: LearningSettings, *path: int) -> Iterator[Game]:
    """The game of each round: always the same, or on a new network each time."""
    game = settings.game
    if not settings.on_networks:
        return repeat(game)
    seed = int(make_rng(*path)[0])
    return (Game(game.rules, each, game.options, game.kernels.compiled) for each in networks(seed))


def _play(game: Game, lots: Rng, learners: Learners, swapped: int) -> int:
    """Play one game from which the learners learn; returns its final status."""
    return int(game.run(play_and_learn, *_arguments(game, lots, learners, swapped)))


def _arguments(game: Game, lots: Rng, learners: Learners, swapped: int) -> tuple[Any, ...]:
    # One set of knowledge per feature: the kernel changes weights, which are part of it.
    alone = np.eye(len(learners.now))
    features = tuple(
        game.evaluations.knowledge(game.board, game.tables, weights) for weights in alone
    )
    room = (game.scratch_state(), game.scratch_state(), game.sizes.state, game.scratch_moves())
    return *room, lots, features, learners, swapped


def _result(status: int, swapped: int) -> int:
    """The index in WINS, DRAWS, LOSSES for the learner."""
    if status < WON:
        return DRAWS
    return WINS if status - WON == swapped else LOSSES


def _finite(weights: Any) -> tuple[float, ...]:
    """Weights as plain numbers.

    Raises
    ------
    Unsupported
        If one is larger than LARGEST, which means that learning diverges.
    """
    if not (np.abs(weights) <= LARGEST).all():
        raise Unsupported("the weights grow without bound: lower the rate")
    return tuple(float(weight) for weight in weights)


def _small_case(game: Game) -> tuple[Any, ...]:
    """Arguments for a quick game between two that move at random and learn nothing."""
    settings = LearningSettings(game, on_networks=False, opponent=RANDOM, explore=1.0, rate=0.0)
    return _arguments(game, make_rng(0), make_learners(settings), 0)


can_be_warmed(play_and_learn, _small_case)
