"""Simulation: a learner from its first game to its last."""

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
    N_LESSONS,
    N_POSITIONS,
    Learners,
    play_and_learn,
)
from topple.learning.networks import networks
from topple.learning.settings import LEARNING, OPPONENTS, RANDOM, SAME, Settings
from topple.rules.interface import WON

KERNELS = (play_and_learn,)
POINTS = 100  # at which a simulation is looked at
LARGEST = 1e9  # of all weights
SAMPLE = 20  # random games that show how large features are
ON_BOARDS, ON_LOTS, ON_SAMPLE = range(3)  # what a simulation's seeds are for
WINS, DRAWS, LOSSES = range(3)

Report = Callable[[int], None]  # is told how many more games have been played


class Point(NamedTuple):
    """Where a simulation stood after so many games."""

    games: int
    weights: tuple[float, ...]
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Simulation:
    """What one learner came to."""

    number: int
    points: tuple[Point, ...]  # the last one at the end
    opponent: tuple[float, ...]  # the weights of the second copy at the end
    lessons: int
    cut: int  # lessons that were cut short

    @property
    def weights(self) -> tuple[float, ...]:
        """The weights at the end."""
        return self.points[-1].weights

    @property
    def win_rate(self) -> float:
        """Games won in percent."""
        return 100 * self.points[-1].wins / self.points[-1].games


def simulate(
    settings: Settings, number: int, report: Report | None = None, stop: Stop | None = None
) -> Simulation | None:
    """Let a learner play all its games; None where it was stopped before."""
    learners = make_learners(settings)
    lots = make_rng(settings.seed, number, ON_LOTS)
    boards = _games(settings, settings.seed, number, ON_BOARDS)
    looks = set(looked_at(settings.games))
    results, points = [0, 0, 0], []
    for n in range(1, settings.games + 1):
        if stop is not None and stop.is_set():
            return None
        swapped = (n - 1) % 2
        status = _play(next(boards), lots, learners, swapped)
        results[_result(status, swapped)] += 1
        if n in looks:
            points.append(Point(n, _finite(learners.weights[0]), *results))
            if report is not None:
                report(n - (points[-2].games if len(points) > 1 else 0))
    counts = learners.counts
    return Simulation(number, tuple(points), _finite(learners.weights[learners.rows[1]]),
                      int(counts[N_LESSONS]), int(counts[N_CUT]))  # fmt: skip


def looked_at(games: int) -> list[int]:
    """The games after which a simulation is looked at, the last one among them.

    >>> looked_at(4), len(looked_at(10_000))
    ([1, 2, 3, 4], 100)
    """
    return sorted({-(-games * (k + 1) // POINTS) for k in range(POINTS)})


def with_fitting_rate(settings: Settings) -> Settings:
    """Lower the rate where features are large, so that learning stays calm.

    A lesson moves a position's worth by rate · ΣH² of what is missing. The rate
    is divided by the mean ΣH² in random games, if that is more than 1.
    """
    learners = make_learners(replace(settings, opponent=RANDOM, explore=1.0, rate=0.0))
    lots = make_rng(settings.seed, ON_SAMPLE)
    boards = _games(settings, settings.seed, ON_SAMPLE)
    for _ in range(SAMPLE):
        _play(next(boards), lots, learners, 0)
    mean = learners.squares[0] / learners.counts[N_POSITIONS]
    return replace(settings, rate=float(f"{settings.rate / max(1.0, mean):.2g}"))


def make_learners(settings: Settings) -> Learners:
    """A learner and its copy before their first game."""
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


def _games(settings: Settings, *path: int) -> Iterator[Game]:
    """The game of the settings, on a new network each time unless it has its board."""
    game = settings.game
    if not settings.on_networks:
        return repeat(game)
    seed = int(make_rng(*path)[0])
    return (Game(game.rules, each, game.options, game.kernels.compiled) for each in networks(seed))


def _play(game: Game, lots: Rng, learners: Learners, swapped: int) -> int:
    """Play one game from which the learners learn; returns how it ended."""
    return int(game.run(play_and_learn, *_arguments(game, lots, learners, swapped)))


def _arguments(game: Game, lots: Rng, learners: Learners, swapped: int) -> tuple[Any, ...]:
    # Each feature alone: the kernel cannot fold new weights into a game's tables.
    alone = np.eye(len(learners.now))
    features = tuple(
        game.evaluations.knowledge(game.board, game.tables, weights) for weights in alone
    )
    room = (game.room(), game.room(), game.sizes.state, game.move_room())
    return *room, lots, features, learners, swapped


def _result(status: int, swapped: int) -> int:
    """How a game ended for the learner."""
    if status < WON:
        return DRAWS
    return WINS if status - WON == swapped else LOSSES


def _finite(weights: Any) -> tuple[float, ...]:
    """Weights as plain numbers.

    Raises
    ------
    Unsupported
        If they have run away.
    """
    if not (np.abs(weights) <= LARGEST).all():
        raise Unsupported("the weights grow beyond all bounds: lower the rate")
    return tuple(float(weight) for weight in weights)


def _small_case(game: Game) -> tuple[Any, ...]:
    """A game between two who move at random and learn nothing: soon over."""
    settings = Settings(game, on_networks=False, opponent=RANDOM, explore=1.0, rate=0.0)
    return _arguments(game, make_rng(0), make_learners(settings), 0)


can_be_warmed(play_and_learn, _small_case)
