"""Computations of the Spread-It paper: sizes of networks, and the learning of appendix B."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from topple.arena.statistics.rates import wilson
from topple.boards import load_board
from topple.core.errors import BadText
from topple.core.means import FEWEST, Mean
from topple.learning.settings import LEARNING
from topple.learning.simulation import Simulation
from topple.learning.training import Training, make_settings
from topple.learning.training_file import read_simulation, simulation_data
from topple.papers.engine.computations.estimates import ReportProgress

DIGITS = 6

KeepPart = Callable[[str, object], None]  # keeps a partial result under a name
KeptPart = Callable[[str], Any]  # the partial result of a name, or None


def networks(boards: Sequence[str]) -> dict[str, Any]:
    """The sizes of undirected boards, and the smallest and largest of them.

    Examples
    --------
    >>> networks(["path:3", "star:5"])["most"]
    {'vertices': 5, 'edges': 4}
    >>> networks(["path:3"])["sizes"]
    {'path:3': {'vertices': 3, 'edges': 2, 'tokens': 1, 'top degrees': '2 and 1'}}
    """
    sizes = {text: _size(text) for text in boards}
    fewest, most = (
        {what: end(size[what] for size in sizes.values()) for what in ("vertices", "edges")}
        for end in (min, max)
    )
    return {"boards": list(boards), "fewest": fewest, "most": most, "sizes": sizes}


def _size(text: str) -> dict[str, Any]:
    """Vertices, edges, the tokens of both players together, and the two highest degrees."""
    board = load_board(text)
    degrees = sorted((len(board.neighbours(v)) for v in range(board.n_vertices)), reverse=True)
    return {
        "vertices": board.n_vertices,
        "edges": board.n_edges,
        "tokens": 2 * board.n_edges - board.n_vertices,
        "top degrees": " and ".join(map(str, degrees[:2])),
    }


def lms(
    simulations: int,
    games: int,
    rate: float = 0.05,
    seed: int = 1,
    loyalty: str = "zero",
    keep: float = 70.0,
    opponent: str = LEARNING,
    report: ReportProgress | None = None,
    workers: int = 1,
    keep_part: KeepPart | None = None,
    kept_part: KeptPart | None = None,
) -> dict[str, Any]:
    """Learn Spread-It's weights in several simulations, and average those that won often.

    Each simulation is kept as a partial result when it ends, and is not repeated if
    it was kept before.

    Returns
    -------
    dict
        `weights` are as learned. `normalised` ones are scaled so that their absolute
        values add up to 1, `scaled` ones so that they add up to as much as those of the
        published weights. `kept_share` is the percentage of simulations that won
        often enough. `x` and `series` are the mean weights by number of games.

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
    training = Training(settings, simulations, keep)
    if kept_part is not None:
        take_kept(training, kept_part)

    def ended(simulation: Simulation) -> None:
        if keep_part is not None:
            keep_part(part_name(simulation.number), simulation_data(simulation))

    training.run(workers, report, ended=ended)
    learned = training.result()
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
    """A share in percent, with Wilson's interval.

    >>> _share(8, 20)
    {'value': 40.0, 'low': 21.880653, 'high': 61.34185}
    """
    found = wilson(n / of, of)._asdict()
    return {end: round(100 * value, DIGITS) for end, value in found.items()}


def part_name(number: int) -> str:
    """The name that a simulation is kept under."""
    return f"simulation {number}"


def take_kept(training: Training, kept_part: KeptPart) -> None:
    """Add the kept simulations to a training run; damaged ones are left out, and so repeated."""
    for number in training.wanted:
        try:
            simulation = read_simulation(kept_part(part_name(number)), training.settings)
        except (KeyError, TypeError, ValueError, IndexError):
            continue
        if simulation.number == number:
            training.found[number] = simulation


def _rounded(means: Mapping[str, Mean]) -> dict[str, dict[str, float]]:
    """Estimates as data, without meaningless digits."""
    return {
        name: {end: round(value, DIGITS) for end, value in mean.data().items()}
        for name, mean in means.items()
    }
