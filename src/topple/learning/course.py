"""Course: the simulations that are wanted, those that there are, and the file that keeps them."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path

from topple.core.processes import Done, as_they_come
from topple.core.spec import Option
from topple.core.stopping import Stop
from topple.game.warm_up import cold_kernels, warm
from topple.learning.keeping import read_simulations, write_learned
from topple.learning.learned import Learned
from topple.learning.settings import KEEP, SIMULATIONS, Settings
from topple.learning.simulation import KERNELS, Report, Simulation, simulate

_simulations = Option("simulations", SIMULATIONS, int, "learners", least=1, most=100_000)
_workers = Option("workers", 1, int, "processes", least=1, most=10_000)
_keep = Option("keep", KEEP, float, "percent of games won", least=0, most=100)


class Course:
    """Simulations under the same settings, numbered from 1.

    Each is fixed by the settings and its number, so that a course with more of
    them contains the one with fewer.

    Raises
    ------
    BadText
        If a number makes no sense, or the file belongs to other settings.
    """

    def __init__(
        self, settings: Settings, simulations: int, keep: float, out: Path | None = None
    ) -> None:
        self.settings, self.out = settings, out
        self.wanted = range(1, _simulations.read(simulations) + 1)
        self.keep = _keep.read(keep)
        self.found = {} if out is None else read_simulations(out, settings)

    @property
    def missing(self) -> list[int]:
        """The numbers of the simulations that are still to be made."""
        return [number for number in self.wanted if number not in self.found]

    def learned(self) -> Learned:
        """What the simulations that there are come to; at least one must be there."""
        there = (self.found[number] for number in self.wanted if number in self.found)
        return Learned(self.settings, tuple(there), self.keep)

    def run(
        self,
        workers: int = 1,
        report: Callable[[int, int], None] | None = None,
        stop: Stop | None = None,
        ended: Callable[[Simulation], None] | None = None,
    ) -> bool:
        """Make the simulations that are missing, and keep each as it ends.

        `report` is told how many games have been played, and of how many; `ended`
        is given each simulation as it ends. When `stop` is set the simulations
        under way are given up. Returns whether none is missing.
        """
        games = self.settings.games
        done = (len(self.wanted) - len(self.missing)) * games

        def count(n_games: int) -> None:
            nonlocal done
            done += n_games
            if report is not None:
                report(done, len(self.wanted) * games)

        n_workers = min(_workers.read(workers), len(self.missing))
        make = _side_by_side if n_workers > 1 else _one_by_one
        with closing(make(self.settings, self.missing, n_workers, count, stop)) as coming:
            for simulation in coming:
                self.found[simulation.number] = simulation
                self.write()
                if ended is not None:
                    ended(simulation)
        self.write()
        return not self.missing

    def write(self) -> None:
        """Keep what there is in the file, if there is one.

        Raises
        ------
        ToppleError
            If it cannot be written.
        """
        if self.out is not None and any(number in self.found for number in self.wanted):
            all_of_them = [self.found[number] for number in sorted(self.found)]
            write_learned(self.out, self.learned(), all_of_them)


def _one_by_one(
    settings: Settings, numbers: Sequence[int], workers: int, count: Report, stop: Stop | None
) -> Generator[Simulation, None, None]:
    for number in numbers:
        simulation = simulate(settings, number, count, stop)
        if simulation is None:
            return
        yield simulation


def _side_by_side(
    settings: Settings, numbers: Sequence[int], workers: int, count: Report, stop: Stop | None
) -> Generator[Simulation, None, None]:
    if cold_kernels(settings.game, KERNELS):  # once for all workers
        warm(settings.game, KERNELS)
    items = [(settings, number) for number in numbers]

    def done(part: str) -> None:
        count(int(part))

    with closing(as_they_come(_work, items, workers, done)) as coming:
        for answer in coming:
            if answer is not None:  # what has ended is never given up
                yield answer[1]
            elif stop is not None and stop.is_set():
                return


def _work(item: tuple[Settings, int], done: Done) -> Simulation:
    """Simulate in a process of its own."""
    simulation = simulate(*item, lambda n_games: done(str(n_games)))
    assert simulation is not None
    return simulation
