"""The learning of appendix B of the Spread-It paper."""

from collections.abc import Callable, Mapping
from typing import Any

from topple.errors import BadText
from topple.learning.api import learn
from topple.learning.settings import LEARNING
from topple.means import FEWEST, Mean

DIGITS = 6


def lms(
    simulations: int,
    games: int,
    rate: float = 0.05,
    seed: int = 1,
    loyalty: str = "zero",
    keep: float = 70.0,
    opponent: str = LEARNING,
    report: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Learn Spread-It's weights in several simulations, and average those that won often.

    `weights` are as learned, `normalised` in a unit in which their sizes add up to
    1, `scaled` in one in which they are as large in all as the published ones. `x`
    and `series` are the mean weights after so many games.

    Raises
    ------
    BadText
        If there are fewer than two simulations: no interval could be given.
    """
    if simulations < FEWEST:
        raise BadText(f"simulations={simulations} is too small: at least {FEWEST}")
    learned = learn(
        f"spread-it:loyalty={loyalty}", games=games, simulations=simulations, rate=rate,
        seed=seed, keep=keep, opponent=opponent, report=report,
    )  # fmt: skip
    curves = learned.curves()
    means = curves.weights.mean(axis=0)
    return {
        "weights": _rounded(learned.weights),
        "normalised": _rounded(learned.normalised),
        "scaled": _rounded(learned.scaled),
        "simulations": len(learned.simulations),
        "kept": len(learned.kept),
        "averaged": len(learned.averaged),
        "win_rates": [round(each.win_rate, DIGITS) for each in learned.simulations],
        "x": curves.games.tolist(),
        "series": {
            feature: means[:, i].round(DIGITS).tolist()
            for i, feature in enumerate(learned.features)
        },
        "title": f"mean weights of {len(learned.averaged):,} simulations",
        "axes": ["games", "weight"],
    }


def _rounded(means: Mapping[str, Mean]) -> dict[str, dict[str, float]]:
    """Estimates as data, without the digits that say nothing."""
    return {
        name: {end: round(value, DIGITS) for end, value in mean.data().items()}
        for name, mean in means.items()
    }
