"""The result of learning: the weights that several simulations found, averaged."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.core.means import FEWEST, Mean, mean_of
from topple.learning.settings import KEEP, LearningSettings
from topple.learning.simulation import Simulation

DIGITS = 4  # after the point, in the weights of a spec


@dataclass(frozen=True)
class LearningResult:
    """The weights that simulations have learned.

    The simulations in which the learner won at least `keep` percent of its games are
    averaged; if there are fewer than two of them, all simulations are.
    """

    settings: LearningSettings
    simulations: tuple[Simulation, ...]  # at least one
    keep: float = KEEP

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the game's features."""
        return self.settings.features

    @property
    def kept(self) -> tuple[Simulation, ...]:
        """The simulations in which the learner won at least `keep` percent of its games."""
        return tuple(each for each in self.simulations if each.win_rate >= self.keep)

    @property
    def averaged(self) -> tuple[Simulation, ...]:
        """The simulations whose weights are averaged."""
        return self.kept if len(self.kept) >= FEWEST else self.simulations

    @property
    def averaging(self) -> str:
        """A sentence that says which simulations are averaged, and why."""
        n, n_kept = len(self.simulations), len(self.kept)
        if n == 1:
            won = "won" if n_kept else "did not win"
            return (
                f"the only simulation {won} at least {self.keep:g}% of its games: its weights count"
            )
        whose = "its" if n_kept == 1 else "their"
        won = f"{n_kept:,} of {n:,} simulations won at least {self.keep:g}% of {whose} games"
        if n_kept >= FEWEST:
            return f"{won}: these are averaged"
        return f"{won}: fewer than two, so all are averaged"

    @property
    def weights(self) -> dict[str, Mean]:
        """The mean final weight of each feature."""
        return self._means([each.weights for each in self.averaged])

    @property
    def normalised(self) -> dict[str, Mean]:
        """The mean weights after each simulation's weights are scaled to a total size of 1."""
        return self.in_size(1.0)

    @property
    def scaled(self) -> dict[str, Mean]:
        """The mean weights after each simulation's are scaled to the size of the built-in ones.

        Weights that differ only by a positive factor choose the same moves.
        """
        return self.in_size(sum(map(abs, self.settings.built_in)))

    def in_size(self, size: float) -> dict[str, Mean]:
        """The mean weights after each simulation's are scaled to a total size of `size`.

        Each simulation is scaled by itself: a common factor would depend on the means, and
        the intervals would ignore that it varies too. If the simulations disagree, the
        sizes of the means add up to less.
        """
        return self._means([resized(each.weights, size) for each in self.averaged])

    def _means(self, weights: Sequence[Sequence[float]]) -> dict[str, Mean]:
        """The mean of each feature's weight."""
        columns = zip(*weights, strict=True)
        return {name: mean_of(values) for name, values in zip(self.features, columns, strict=True)}

    @property
    def weights_text(self) -> str:
        """The scaled weights in the form that agents take."""
        return "/".join(_typed(mean.value) for mean in self.scaled.values())

    @property
    def agent(self) -> str:
        """The spec of an agent that plays with the scaled weights."""
        return f"alphabeta:depth=4,weights={self.weights_text}"

    def curves(self) -> "Curves":
        """The mean weights and win rates of the averaged simulations, game by game."""
        return Curves.of(self.averaged)

    def data(self) -> dict[str, Any]:
        """The whole result as plain data."""
        return {
            **self.settings.identity(),
            "keep": self.keep,
            "kept": [each.number for each in self.kept],
            "averaged": [each.number for each in self.averaged],
            "averaging": self.averaging,
            "weights": {name: mean._asdict() for name, mean in self.weights.items()},
            "normalised": {name: mean._asdict() for name, mean in self.normalised.items()},
            "scaled": {name: mean._asdict() for name, mean in self.scaled.items()},
            "built_in": dict(zip(self.features, self.settings.built_in, strict=True)),
            "agent": self.agent,
            "results": [result_data(each) for each in self.simulations],
        }


def resized(weights: Sequence[float], size: float) -> list[float]:
    """Scale weights so that their absolute values add up to `size`; zeros stay zeros.

    >>> resized([1.0, -3.0], 2.0)
    [0.5, -1.5]
    """
    total = sum(map(abs, weights))
    return [weight / total * size if total > 0 else 0.0 for weight in weights]


def result_data(simulation: Simulation) -> dict[str, Any]:
    """The end of one simulation as plain data."""
    last = simulation.points[-1]
    return {
        "number": simulation.number,
        "wins": last.wins,
        "draws": last.draws,
        "losses": last.losses,
        "weights": list(last.weights),
        "opponent": list(simulation.opponent),
        "lessons": simulation.lessons,
        "cut": simulation.cut,
    }


class Curves(NamedTuple):
    """Weights and wins of several simulations in the course of their games."""

    games: NDArray[np.int64]  # shape (points,)
    weights: NDArray[np.float64]  # shape (simulations, points, features)
    wins: NDArray[np.int64]  # shape (simulations, points): so far

    @classmethod
    def of(cls, simulations: Sequence[Simulation]) -> "Curves":
        """The curves of simulations that have their points at the same games."""
        points = [each.points for each in simulations]
        weights = np.array([[point.weights for point in each] for each in points])
        return cls(
            np.array([0, *(point.games for point in points[0])]),
            np.concatenate([np.zeros_like(weights[:, :1]), weights], axis=1),
            np.array([[0, *(point.wins for point in each)] for each in points]),
        )

    def win_rates(self, n_spans: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The middles of at most `n_spans` spans of games, and the percentages won in them.

        >>> curves = Curves(np.array([0, 2, 4]), np.zeros((1, 3, 1)), np.array([[0, 1, 3]]))
        >>> [part.tolist() for part in curves.win_rates(2)]
        [[1.0, 3.0], [[50.0, 100.0]]]
        """
        last = len(self.games) - 1
        ends = sorted({last * span // n_spans for span in range(n_spans + 1)})
        games, wins = self.games[ends], self.wins[:, ends]
        return (games[1:] + games[:-1]) / 2, 100 * np.diff(wins, axis=1) / np.diff(games)


def _typed(value: float) -> str:
    """A number in as few characters as possible.

    >>> _typed(0.3150), _typed(-0.00001), _typed(2.0)
    ('0.315', '0', '2')
    """
    text = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
