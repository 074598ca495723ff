"""Quick games after each of several moves of a position, fixed by the seed and their number."""

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.advice.result import UNPLAYED
from topple.compiling.rng import Rng, make_rng
from topple.core.stopping import Stop
from topple.game import Game, Position
from topple.game.warm_up import can_be_warmed
from topple.kernels.quick_games import Results, Seeds, play_games
from topple.rules.interface import Moves, Returns, State

PART_SECONDS = 0.05  # intended time of one part of the work
MOST_PART = 50  # games of a part
POLL_SECONDS = 0.2  # between two checks whether to stop

# Rough costs of looking at a move, from which the total time is estimated: the second for each
# vertex, unless the position keeps a journal.
LOOK_SECONDS, VERTEX_SECONDS = 5e-7, 6e-9

Report = Callable[[int], None]  # receives the number of games that have just ended


class ThreadScratch(NamedTuple):
    """The scratch arrays of one thread, in the order of `play_games`'s arguments."""

    child: State
    state: State
    trial: State
    rng: Rng
    moves: Moves
    returns: Returns
    knowledge: Any


def make_scratch(game: Game) -> ThreadScratch:
    """Scratch arrays for one thread."""
    return ThreadScratch(
        game.scratch_state(),
        game.scratch_state(),
        game.scratch_state(),
        make_rng(0),
        game.scratch_moves(),
        np.zeros(game.n_players),
        game.knowledge(),
    )


def _arguments(
    game: Game,
    root: State,
    move: int,
    looks: int,
    seeds: Seeds,
    results: Results,
    scratch: ThreadScratch,
) -> tuple[object, ...]:
    """The arguments of `play_games`."""
    child, state, trial, *others = scratch
    sizes = child, state, trial, game.sizes.state
    return (game.scratch_state(root), *sizes, move, looks, seeds, results, *others)


class QuickGames:
    """Games between two quick players, after each of several moves.

    Games of the same stage and number begin with the same random numbers after every move. A
    game does not depend on the other moves, on the order, or on the number of threads.
    """

    def __init__(self, position: Position, looks: int, seed: int, threads: int) -> None:
        self.game, self.root, self.looks = position.game, position.state, looks
        self.seed, self.threads = seed, threads
        self.scratch: SimpleQueue[ThreadScratch] = SimpleQueue()
        for _ in range(threads):
            self.scratch.put(make_scratch(self.game))
        self.part = max(1, min(MOST_PART, int(PART_SECONDS / game_seconds(position, looks))))

    def play(
        self,
        stage: int,
        moves: Sequence[int],
        numbers: tuple[int, int],
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> NDArray[np.int8]:
        """Play the games first … last − 1 of a stage after each move.

        Returns the results for the player to move, shape (moves, games): 1 won, 0 drawn,
        −1 lost, UNPLAYED if `stop` was set before the game.
        """
        first, last = numbers
        seeds = np.array([make_rng(self.seed, stage, number)[0] for number in range(first, last)])
        results = np.full((len(moves), last - first), UNPLAYED, dtype=np.int8)
        parts = [
            (move, seeds[begin : begin + self.part], results[row, begin : begin + self.part])
            for begin in range(0, last - first, self.part)
            for row, move in enumerate(moves)
        ]
        pool = ThreadPoolExecutor(self.threads)
        try:
            waiting = {pool.submit(self._play_part, *part) for part in parts}
            self._await(waiting, stop, report)
        finally:
            # Parts under way may take long and are not waited for, hence the copy below.
            pool.shutdown(wait=False, cancel_futures=True)
        return results.copy()

    def _await(self, waiting: set[Future[int]], stop: Stop | None, report: Report | None) -> None:
        """Wait for all parts, or until `stop` is set."""
        while waiting and not (stop is not None and stop.is_set()):
            ended, waiting = wait(waiting, POLL_SECONDS, FIRST_COMPLETED)
            n_games = sum(part.result() for part in ended)
            if report is not None and n_games:
                report(n_games)

    def _play_part(self, move: int, seeds: Seeds, results: Results) -> int:
        """Play one part and write its results in one step; returns the number of games."""
        scratch = self.scratch.get()
        try:
            part = np.zeros(len(seeds), dtype=np.int8)
            self.game.run(
                play_games,
                *_arguments(self.game, self.root, move, self.looks, seeds, part, scratch),
            )
            results[:] = part
        finally:
            self.scratch.put(scratch)
        return len(seeds)


def game_seconds(position: Position, looks: int) -> float:
    """A rough upper estimate of the seconds of a quick game on one core."""
    n_plies = sum(dict(position.tallies())["tokens left"])
    n_seen = position.game.board.n_vertices if position.game.journal is None else 0
    return n_plies * looks * (LOOK_SECONDS + VERTEX_SECONDS * n_seen)


def _small_case(game: Game) -> tuple[object, ...]:
    start = game.start()
    seeds, results = np.array([make_rng(0)[0]])[:0], np.zeros(0, dtype=np.int8)
    move = start.legal_moves()[0]
    return _arguments(game, start.state, move, 1, seeds, results, make_scratch(game))


can_be_warmed(play_games, _small_case)
