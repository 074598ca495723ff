"""Advice: rated moves, baselines to compare them with, and the statistics behind them."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.arena.statistics.rates import Estimate, cluster_ratio
from topple.core.means import student_quantile
from topple.game.position import Position

# The results of games by their number, shape (games,): 1 won, 0 drawn, −1 lost, or UNPLAYED.
Games = NDArray[np.int8]
UNPLAYED = 9

# Agresti and Min add two pairs: one that agrees, and half a pair either way.
EXTRA_PAIRS, EXTRA_SQUARES = 2.0, 1.0


@dataclass(frozen=True)
class Rated:
    """A move with its win probability, in which draws count half."""

    vertex: int
    label: str
    wins: Estimate
    drawn: float  # the share of drawn games
    games: int  # 0 if the move ends the game
    behind: Estimate  # the first choice's win probability minus this one's, paired by game
    ranks: Mapping[str, int]  # its rank by each baseline, from 1
    proven: str | None = None  # won, drawn or lost, if exact play is known

    @property
    def is_told_apart(self) -> bool:
        """Whether the first choice is better or worse beyond what chance explains."""
        return self.behind.low > 0 or self.behind.high < 0

    def data(self) -> dict[str, Any]:
        """The fields as plain data."""
        return {
            "vertex": self.label,
            "win_probability": self.wins._asdict(),
            "drawn": self.drawn,
            "games": self.games,
            "behind_first_choice": self.behind._asdict(),
            "ranks": dict(self.ranks),
            "proven": self.proven,
        }


@dataclass(frozen=True)
class Baseline:
    """The choice of a baseline, and its win probability."""

    name: str
    title: str
    choice: Rated
    values: tuple[float, ...]  # the score of each vertex

    @property
    def loss(self) -> Estimate:
        """The first choice's win probability minus its own choice's."""
        return self.choice.behind

    def data(self) -> dict[str, Any]:
        """The fields as plain data."""
        return {"name": self.name, "choice": self.choice.data(), "values": list(self.values)}


@dataclass(frozen=True)
class Advice:
    """What to play next, and why. `topple.advise` returns one."""

    position: Position
    rows: tuple[Rated, ...]  # the first choice first
    baselines: tuple[Baseline, ...]
    seed: int
    looks: int
    n_draws: int
    n_played: int  # games in all
    tried: Mapping[int, float]  # win probabilities of the moves tried, in the choosing games
    is_fresh: bool  # whether the numbers come from games that did not influence the choice
    is_complete: bool  # whether it was not stopped

    @property
    def first(self) -> Rated:
        """The first choice."""
        return self.rows[0]

    @property
    def n_legal(self) -> int:
        """The number of legal moves."""
        return len(self.position.legal_moves())

    def data(self) -> dict[str, Any]:
        """All fields as plain data, for JSON."""
        game, position = self.position.game, self.position
        return {
            "game": game.spec,
            "board": game.board.spec,
            "position": position.text,
            "player": game.players[position.player],
            "first_choice": self.first.label,
            "moves": [row.data() for row in self.rows],
            "baselines": [each.data() for each in self.baselines],
            "vertices": list(game.board.labels),
            "legal_moves": self.n_legal,
            "moves_tried": len(self.tried),
            "games_played": self.n_played,
            "fresh_games": self.is_fresh,
            "complete": self.is_complete,
            "seed": self.seed,
            "looks": self.looks,
            "simulations": self.n_draws,
        }


def played(games: Games) -> Games:
    """The results of the games that were played."""
    found: Games = games[games != UNPLAYED]
    return found


def win_probability(games: Games) -> Estimate:
    """Wins plus half the draws out of the games played, with Wilson's 95% interval.

    >>> win_probability(np.array([1] * 60 + [-1] * 40))
    Estimate(value=0.6, low=0.5..., high=0.69...)
    """
    counts = [(float((games == result).sum()), (1 + result) / 2, 1.0) for result in (1, 0, -1)]
    found = cluster_ratio(counts)
    if found is None:
        return Estimate(0.5, 0.0, 1.0)  # no games
    return found.estimate()


def difference(games: Games, others: Games) -> Estimate:
    """How much more the first games win than the others, with a 95% interval.

    Games are paired by their number; those that only one side has played are left out. The
    interval is Student's for the mean of paired differences, with Agresti and Min's pairs added,
    so that a few games that all agree do not settle it.

    >>> difference(np.array([1] * 50 + [-1] * 50), np.array([-1] * 100))
    Estimate(value=0.5, low=0.39..., high=0.59...)
    >>> difference(np.array([1] * 20), np.array([1] * 20))
    Estimate(value=0.0, low=-0.09..., high=0.09...)
    >>> difference(np.array([UNPLAYED, 1]), np.array([-1, 1])).value
    0.0

    References
    ----------
    .. [1] A. Agresti and Y. Min, "Simple improved confidence intervals for comparing
       matched proportions", Statistics in Medicine 24, 2005.
    """
    n_both = min(len(games), len(others))
    games, others = games[:n_both], others[:n_both]
    pairs = (games != UNPLAYED) & (others != UNPLAYED)
    if not pairs.any():
        return Estimate(0.0, -1.0, 1.0)
    gaps = (games[pairs].astype(np.float64) - others[pairs]) / 2
    n, value = len(gaps) + EXTRA_PAIRS, float(gaps.mean())
    middle = float(gaps.sum()) / n
    squares = float((gaps**2).sum()) + EXTRA_SQUARES
    spread = sqrt(max(squares / n - middle**2, 0.0))
    half = student_quantile(n - 1) * spread / sqrt(n)
    low, high = max(-1.0, middle - half), min(1.0, middle + half)
    return Estimate(value, min(low, value), max(high, value))
