"""Advice: moves with their chances, baselines beside them, and what can be concluded."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.arena.statistics.rates import Estimate, cluster_ratio
from topple.core.means import student_quantile
from topple.game.position import Position

Games = NDArray[np.int8]  # shape (games,): 1 won, 0 drawn, −1 lost

# Agresti and Min's two pairs more: one that agrees, half a one either way.
EXTRA_PAIRS, EXTRA_SQUARES = 2.0, 1.0


@dataclass(frozen=True)
class Rated:
    """A move with its win probability, in which a draw counts half."""

    vertex: int
    label: str
    wins: Estimate
    drawn: float  # the share of drawn games
    games: int  # 0 where the move ends the game
    behind: Estimate  # the first choice's win probability less this one's, game by game
    ranks: Mapping[str, int]  # its place by each baseline, 1 the highest
    proven: str | None = None  # won, drawn or lost, where exact play is known

    @property
    def is_told_apart(self) -> bool:
        """Whether the first choice is better, or worse, beyond what chance explains."""
        return self.behind.low > 0 or self.behind.high < 0

    def data(self) -> dict[str, Any]:
        """All of it as plain data."""
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
    """Whom a baseline chooses, and how that choice fares."""

    name: str
    title: str
    choice: Rated
    values: tuple[float, ...]  # that it gives to each vertex

    @property
    def loss(self) -> Estimate:
        """How much its choice loses: win probability of the first choice less its own."""
        return self.choice.behind

    def data(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {"name": self.name, "choice": self.choice.data(), "values": list(self.values)}


@dataclass(frozen=True)
class Advice:
    """What to play next, with what is known of it. `topple.advise` gives one."""

    position: Position
    rows: tuple[Rated, ...]  # the first choice first
    baselines: tuple[Baseline, ...]
    seed: int
    looks: int
    n_draws: int
    n_played: int  # games in all
    tried: Mapping[int, float]  # the moves tried, with their wins in the games of the choosing
    is_fresh: bool  # whether the numbers come from games that had no say in the choice
    is_complete: bool  # whether nothing stopped it

    @property
    def first(self) -> Rated:
        """The first choice."""
        return self.rows[0]

    @property
    def n_legal(self) -> int:
        """How many moves there are."""
        return len(self.position.legal_moves())

    def data(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
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


def win_probability(games: Games) -> Estimate:
    """Wins and half the draws out of all games, with Wilson's 95% interval.

    >>> win_probability(np.array([1] * 60 + [-1] * 40))
    Estimate(value=0.6, low=0.5..., high=0.69...)
    """
    counts = [(float((games == result).sum()), (1 + result) / 2, 1.0) for result in (1, 0, -1)]
    found = cluster_ratio(counts)
    if found is None:
        return Estimate(0.5, 0.0, 1.0)  # nothing is known
    return found.estimate()


def difference(games: Games, others: Games) -> Estimate:
    """How much more the first games win than the others of the same numbers, with its 95% interval.

    The interval is Student's for the mean of paired differences, with Agresti and
    Min's pairs added, so that a few games that all agree do not settle it.

    >>> difference(np.array([1] * 50 + [-1] * 50), np.array([-1] * 100))
    Estimate(value=0.5, low=0.39..., high=0.59...)
    >>> difference(np.array([1] * 20), np.array([1] * 20))
    Estimate(value=0.0, low=-0.09..., high=0.09...)

    References
    ----------
    .. [1] A. Agresti and Y. Min, "Simple improved confidence intervals for comparing
       matched proportions", Statistics in Medicine 24, 2005.
    """
    n_pairs = min(len(games), len(others))
    if n_pairs == 0:
        return Estimate(0.0, -1.0, 1.0)
    gaps = (games[:n_pairs].astype(np.float64) - others[:n_pairs]) / 2
    n, value = n_pairs + EXTRA_PAIRS, float(gaps.mean())
    middle = float(gaps.sum()) / n
    squares = float((gaps**2).sum()) + EXTRA_SQUARES
    spread = sqrt(max(squares / n - middle**2, 0.0))
    half = student_quantile(n - 1) * spread / sqrt(n)
    low, high = max(-1.0, middle - half), min(1.0, middle + half)
    return Estimate(value, min(low, value), max(high, value))
