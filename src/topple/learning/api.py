"""Learning from Python."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from topple.boards import Board
from topple.errors import BadText
from topple.game import Game
from topple.kernels.learning import play_and_learn
from topple.learning.keeping import read_simulations, write_learned
from topple.learning.learned import Learned
from topple.learning.settings import (
    GAMES,
    KEEP,
    LEARNING,
    SEED,
    SIMULATIONS,
    Settings,
    make_settings,
)
from topple.learning.simulation import Report, Simulation, simulate
from topple.processes import Done, as_they_come
from topple.solvers.solver import Stop
from topple.spec import Option
from topple.warming import cold_kernels, warm

_simulations = Option("simulations", SIMULATIONS, int, "learners", least=1, most=100_000)
_workers = Option("workers", 1, int, "processes", least=1, most=10_000)
_keep = Option("keep", KEEP, float, "percent", least=0, most=100)


def learn(
    game: str | Game,
    *,
    board: str | Board | None = None,
    games: int = GAMES,
    simulations: int = SIMULATIONS,
    rate: float | None = None,
    seed: int = SEED,
    keep: float = KEEP,
    opponent: str = LEARNING,
    explore: float | None = None,
    workers: int = 1,
    out: str | Path | None = None,
    report: Callable[[int, int], None] | None = None,
) -> Learned:
    """Learn the weights of a game's features by playing, with the rule of least mean squares.

    With more than one worker, call it in a script under
    `if __name__ == "__main__":`, because worker processes import the script.

    Parameters
    ----------
    game : str or Game
        What is learned. A text without a board is played on its own board, or,
        where that is a random network, on a new one each game.
    board : str or Board, optional
        One board for all games.
    games, simulations : int
        Games that each learner plays, and how many learners there are.
    rate : float, optional
        The learning rate; by default 0.05, less where features are large.
    seed : int
        Fixes everything.
    keep : float
        Simulations in which the learner won fewer games, in percent, do not count.
    opponent : str
        What the second copy does: `"learning"`, `"frozen"`, `"same"`,
        `"random"`, or weights that it plays with.
    explore : float, optional
        The chance of a random move: by default 0, where all games are played on
        one board 0.1.
    workers : int
        Processes.
    out : path, optional
        A file that keeps every simulation; what it has already is not played again.
    report : callable, optional
        Is told how many games have been played, and of how many.

    Raises
    ------
    BadText, BadBoard, Unsupported
        If a setting makes no sense, or the game has nothing to learn.
    ToppleError
        If the file cannot be written.

    Examples
    --------
    >>> import topple
    >>> learned = topple.learn("influence", board="segment:9", games=50, simulations=2)
    >>> list(learned.weights), learned.weights_text
    (['score', 'reach'], '...')
    """
    settings = make_settings(
        game, board, games=games, rate=rate, seed=seed, opponent=opponent, explore=explore
    )
    _keep.read(keep)
    kept = {} if out is None else read_simulations(Path(out), settings)
    for _ in go_on(settings, simulations, kept, workers, report):
        if out is not None:
            keep_all(Path(out), settings, simulations, keep, kept)
    return learned_from(settings, simulations, keep, kept)


Kept = dict[int, Simulation]  # by their numbers


def learned_from(settings: Settings, simulations: int, keep: float, kept: Kept) -> Learned:
    """What the simulations that were asked for come to."""
    wanted = (kept[number] for number in range(simulations) if number in kept)
    return Learned(settings, tuple(wanted), keep)


def keep_all(path: Path, settings: Settings, simulations: int, keep: float, kept: Kept) -> None:
    """Write all simulations that there are, and what those asked for come to."""
    learned = learned_from(settings, simulations, keep, kept)
    write_learned(path, learned, (kept[number] for number in sorted(kept)))


def go_on(
    settings: Settings,
    simulations: int,
    kept: Kept,
    workers: int = 1,
    report: Callable[[int, int], None] | None = None,
    stop: Stop | None = None,
) -> Iterator[Simulation]:
    """Add the simulations that are missing, each given as it ends; `stop` ends them all.

    Raises
    ------
    BadText
        If the numbers make no sense.
    """
    missing = [n for n in range(_simulations.read(simulations)) if n not in kept]
    total = simulations * settings.games
    done = total - len(missing) * settings.games

    def count(n_games: int) -> None:
        nonlocal done
        done += n_games
        if report is not None:
            report(done, total)

    n_workers = min(_workers.read(workers), len(missing))
    run = _side_by_side if n_workers > 1 else _one_by_one
    with closing(run(settings, missing, n_workers, count, stop)) as coming:
        for simulation in coming:
            kept[simulation.number] = simulation
            yield simulation


Simulations = Iterator[Simulation]


def _one_by_one(
    settings: Settings, numbers: Sequence[int], workers: int, count: Report, stop: Stop | None
) -> Iterator[Simulation]:
    for number in numbers:
        simulation = simulate(settings, number, count, stop)
        if simulation is None:
            return
        yield simulation


def _side_by_side(
    settings: Settings, numbers: Sequence[int], workers: int, count: Report, stop: Stop | None
) -> Iterator[Simulation]:
    if cold_kernels(settings.game, [play_and_learn]):  # once for all workers
        warm(settings.game, [play_and_learn])
    items = [(settings, number) for number in numbers]

    def done(part: str) -> None:
        count(int(part))

    with closing(as_they_come(_work, items, workers, done)) as coming:
        for answer in coming:
            if stop is not None and stop.is_set():
                return
            if answer is not None:
                yield answer[1]


def _work(item: tuple[Settings, int], done: Done) -> Simulation:
    """Simulate in a process of its own."""
    simulation = simulate(*item, lambda n_games: done(str(n_games)))
    assert simulation is not None
    return simulation
