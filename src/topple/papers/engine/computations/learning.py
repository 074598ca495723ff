"""The learning of appendix B of the Spread-It paper."""

from collections.abc import Callable, Mapping
from typing import Any

from topple.arena.statistics.rates import wilson
from topple.core.errors import BadText
from topple.core.means import FEWEST, Mean
from topple.learning.settings import LEARNING
from topple.learning.simulation import Simulation
from topple.learning.training import Training, make_settings
from topple.learning.training_file import read_simulation, simulation_data

DIGITS = 6

KeepPart = Callable[[str, object], None]  # keeps a part of the whole under a name
KeptPart = Callable[[str], Any]  # what was kept under a name, or None


def lms(
    simulations: int,
    games: int,
    rate: float = 0.05,
    seed: int = 1,
    loyalty: str = "zero",
    keep: float = 70.0,
    opponent: str = LEARNING,
    report: Callable[[int, int], None] | None = None,
    workers: int = 1,
    keep_part: KeepPart | None = None,
    kept_part: KeptPart | None = None,
) -> dict[str, Any]:
    """Learn Spread-It's weights in several simulations, and average those that won often.

    `weights` are as learned, `normalised` in a unit in which their sizes add up to
    1, `scaled` in one in which they are as large in all as the published ones.
    `kept_share` is how many of the simulations won often enough, in percent. `x` and
    `series` are the mean weights after so many games. Every simulation is kept
    as a part when it has ended, and not made again where it is there.

    Raises
    ------
    BadText
        If there are fewer than two simulations: no interval could be given.
    """
    if simulations < FEWEST:
        raise BadText(f"simulations={simulations} is too small: at least {FEWEST}")
    settings = make_settings(
        f"spread-it:loyalty={loyalty}", games=games, rate=rate, seed=seed, opponent=opponent
    )
    course = Training(settings, simulations, keep)
    if kept_part is not None:
        take_kept(course, kept_part)

    def ended(simulation: Simulation) -> None:
        if keep_part is not None:
            keep_part(part_name(simulation.number), simulation_data(simulation))

    course.run(workers, report, ended=ended)
    learned = course.result()
    curves = learned.curves()
    means = curves.weights.mean(axis=0)
    return {
        "weights": _rounded(learned.weights),
        "normalised": _rounded(learned.normalised),
        "scaled": _rounded(learned.scaled),
        "simulations": len(learned.simulations),
        "kept": len(learned.kept),
        "kept_share": _share(len(learned.kept), len(learned.simulations)),
        "averaged": len(learned.averaged),
        "averaging": learned.averaging,
        "win_rates": [round(each.win_rate, DIGITS) for each in learned.simulations],
        "x": curves.games.tolist(),
        "series": {
            feature: means[:, i].round(DIGITS).tolist()
            for i, feature in enumerate(learned.features)
        },
        "title": f"mean weights of {len(learned.averaged):,} simulations",
        "axes": ["games", "weight"],
    }


def _share(n: int, of: int) -> dict[str, float]:
    """How many of so many, in percent, with Wilson's interval.

    >>> _share(8, 20)
    {'value': 40.0, 'low': 21.880653, 'high': 61.34185}
    """
    found = wilson(n / of, of)._asdict()
    return {end: round(100 * value, DIGITS) for end, value in found.items()}


def part_name(number: int) -> str:
    """What a simulation is kept under."""
    return f"simulation {number}"


def take_kept(course: Training, kept_part: KeptPart) -> None:
    """Give a course the simulations that were kept; what is odd among them is made again."""
    for number in course.wanted:
        try:
            simulation = read_simulation(kept_part(part_name(number)), course.settings)
        except (KeyError, TypeError, ValueError, IndexError):
            continue
        if simulation.number == number:
            course.found[number] = simulation


def _rounded(means: Mapping[str, Mean]) -> dict[str, dict[str, float]]:
    """Estimates as data, without the digits that say nothing."""
    return {
        name: {end: round(value, DIGITS) for end, value in mean.data().items()}
        for name, mean in means.items()
    }
