"""Training: the simulations that are wanted, played where they are missing, and stored."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path

from topple.boards import Board
from topple.boards.kinds.catalogue import find_kind
from topple.core.errors import BadText
from topple.core.processes import Done, as_they_come
from topple.core.spec import Option
from topple.core.stopping import Stop
from topple.game.game import Game, load
from topple.game.warm_up import cold_kernels, warm
from topple.learning.networks import CLASSES
from topple.learning.result import LearningResult
from topple.learning.settings import (
    EXPLORE,
    EXPLORE_OPTION,
    GAMES,
    GAMES_OPTION,
    KEEP,
    LEARNING,
    RATE,
    RATE_OPTION,
    SEED,
    SEED_OPTION,
    SIMULATIONS,
    LearningSettings,
    check_learnable,
    check_opponent,
)
from topple.learning.simulation import KERNELS, Report, Simulation, simulate, with_fitting_rate
from topple.learning.training_file import read_simulations, write_training_file

SIMULATIONS_OPTION = Option("simulations", SIMULATIONS, int, "learners", least=1, most=100_000)
WORKERS_OPTION = Option("workers", 1, int, "processes", least=1, most=10_000)
KEEP_OPTION = Option("keep", KEEP, float, "percent of games won", least=0, most=100)


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
) -> LearningResult:
    """Learn the weights of a game's features by playing, with the rule of least mean squares.

    With more than one worker, call it from a script under
    `if __name__ == "__main__":`, because worker processes import the script.

    Parameters
    ----------
    game : str or Game
        The game to learn. If it is a text and no board is given, all games are played
        on the game's default board or, if that is a random network, each on a new one.
    board : str or Board, optional
        The board of all games.
    games, simulations : int
        Games that each learner plays, and the number of learners.
    rate : float, optional
        The learning rate; by default 0.05, less if the features are large.
    seed : int
        Determines every game.
    keep : float
        Simulations in which the learner won a smaller percentage of games do not count.
    opponent : str
        What the second copy does: `"learning"`, `"frozen"`, `"same"`,
        `"random"`, or weights to play with.
    explore : float, optional
        The chance of a random move; by default 0.1 if all games are played on one
        board, otherwise 0.
    workers : int
        Number of processes.
    out : path, optional
        A file that stores every simulation; those it contains are not played again.
    report : callable, optional
        Called with the number of games played so far and the total.

    Raises
    ------
    BadText, BadBoard, Unsupported
        If a setting is wrong, or nothing can be learned in the game.
    ToppleError
        If the file cannot be read or written.

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
    training = Training(settings, simulations, keep, None if out is None else Path(out))
    training.run(workers, report)
    return training.result()


def make_settings(
    game: str | Game,
    board: str | Board | None = None,
    *,
    games: int = GAMES,
    rate: float | None = None,
    seed: int = SEED,
    opponent: str = LEARNING,
    explore: float | None = None,
) -> LearningSettings:
    """Check settings and fill in defaults; the default rate is 0.05, less for large features.

    Raises
    ------
    BadText
        If a value is wrong.
    Unsupported
        If the game has no features, or is not for two players.

    Examples
    --------
    >>> settings = make_settings("chain-reaction", "grid:3x3", rate=0.001)
    >>> settings.features, settings.board_text, settings.explore
    (('pieces', 'own'), 'grid:3x3', 0.1)
    """
    if isinstance(game, Game) and board is not None:
        raise BadText("the game has its board already: give the board to topple.load")
    chosen = game if isinstance(game, Game) else load(game, board)
    check_learnable(chosen)
    kind = find_kind(chosen.rules.BOARD).name
    on_networks = isinstance(game, str) and board is None and kind in CLASSES
    check_opponent(opponent, chosen)
    if explore is None:
        explore = 0.0 if on_networks else EXPLORE
    settings = LearningSettings(
        chosen,
        on_networks,
        GAMES_OPTION.read(games),
        RATE_OPTION.read(RATE if rate is None else rate),
        SEED_OPTION.read(seed),
        opponent,
        EXPLORE_OPTION.read(explore),
    )
    return with_fitting_rate(settings) if rate is None else settings


class Training:
    """Simulations under the same settings, numbered from 1.

    The settings and its number determine a simulation, so that training with more
    simulations repeats none of those in the file.

    Raises
    ------
    BadText
        If a number is wrong, or the file belongs to other settings.
    """

    def __init__(
        self, settings: LearningSettings, simulations: int, keep: float, out: Path | None = None
    ) -> None:
        self.settings, self.out = settings, out
        self.wanted = range(1, SIMULATIONS_OPTION.read(simulations) + 1)
        self.keep = KEEP_OPTION.read(keep)
        self.found = {} if out is None else read_simulations(out, settings)

    @property
    def missing(self) -> list[int]:
        """The numbers of the simulations still to be played."""
        return [number for number in self.wanted if number not in self.found]

    def result(self) -> LearningResult:
        """The result of the simulations so far; there must be at least one."""
        done = (self.found[number] for number in self.wanted if number in self.found)
        return LearningResult(self.settings, tuple(done), self.keep)

    def run(
        self,
        workers: int = 1,
        report: Callable[[int, int], None] | None = None,
        stop: Stop | None = None,
        ended: Callable[[Simulation], None] | None = None,
    ) -> bool:
        """Play the missing simulations, and write each to the file when it ends.

        `report` is called with the number of games played and the total, `ended`
        with each simulation when it ends. Setting `stop` abandons the simulations
        in progress. Returns whether all simulations are done.
        """
        games = self.settings.games
        done = (len(self.wanted) - len(self.missing)) * games

        def count(n_games: int) -> None:
            nonlocal done
            done += n_games
            if report is not None:
                report(done, len(self.wanted) * games)

        n_workers = min(WORKERS_OPTION.read(workers), len(self.missing))
        play = _simulate_in_parallel if n_workers > 1 else _simulate_in_turn
        with closing(play(self.settings, self.missing, n_workers, count, stop)) as simulations:
            for simulation in simulations:
                self.found[simulation.number] = simulation
                self.write()
                if ended is not None:
                    ended(simulation)
        self.write()
        return not self.missing

    def write(self) -> None:
        """Write the simulations so far to the file, if one was given.

        Raises
        ------
        ToppleError
            If it cannot be written.
        """
        if self.out is not None and any(number in self.found for number in self.wanted):
            simulations = [self.found[number] for number in sorted(self.found)]
            write_training_file(self.out, self.result(), simulations)


def _simulate_in_turn(
    settings: LearningSettings,
    numbers: Sequence[int],
    workers: int,
    count: Report,
    stop: Stop | None,
) -> Generator[Simulation, None, None]:
    for number in numbers:
        simulation = simulate(settings, number, count, stop)
        if simulation is None:
            return
        yield simulation


def _simulate_in_parallel(
    settings: LearningSettings,
    numbers: Sequence[int],
    workers: int,
    count: Report,
    stop: Stop | None,
) -> Generator[Simulation, None, None]:
    if cold_kernels(settings.game, KERNELS):  # once for all workers
        warm(settings.game, KERNELS)
    items = [(settings, number) for number in numbers]

    def done(part: str) -> None:
        count(int(part))

    with closing(as_they_come(_work, items, workers, done)) as answers:
        for answer in answers:
            if answer is not None:  # a simulation that has ended always counts
                yield answer[1]
            elif stop is not None and stop.is_set():
                return


def _work(item: tuple[LearningSettings, int], done: Done) -> Simulation:
    """Simulate in a worker process."""
    simulation = simulate(*item, lambda n_games: done(str(n_games)))
    assert simulation is not None
    return simulation
