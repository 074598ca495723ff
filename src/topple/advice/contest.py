"""Quick games after moves of a position: each is fixed by the seed and its number alone."""

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.rng import Rng, make_rng
from topple.core.stopping import Stop
from topple.game.game import Game
from topple.game.position import Position
from topple.game.warm_up import can_be_warmed
from topple.kernels.quick_games import Results, Seeds, play_games
from topple.rules.interface import Moves, Returns, State
from topple.rules.spread_it.board import LEFT

UNPLAYED = 9  # in the place of a result
PART_SECONDS = 0.05  # that one part of the work is meant to take
MOST_PART = 50  # games of a part
HEARTBEAT = 0.2  # seconds between two looks at whether to stop

# What a look costs, roughly, to tell how long all will take.
LOOK_SECONDS, VERTEX_SECONDS = 2e-7, 6e-9

Report = Callable[[int], None]  # is told how many more games are over


class GameScratch(NamedTuple):
    """What one thread needs to work in."""

    child: State
    state: State
    trial: State
    rng: Rng
    moves: Moves
    returns: Returns
    knowledge: Any


def make_scratch(game: Game) -> GameScratch:
    """Room for one thread."""
    return GameScratch(
        game.scratch_state(),
        game.scratch_state(),
        game.scratch_state(),
        make_rng(0),
        game.scratch_moves(),
        np.zeros(game.n_players),
        game.knowledge(),
    )


class Contest:
    """Games between two quick players, after each of some moves.

    Games of the same number and stage begin with the same random numbers
    whichever move they follow, and are the same games whoever else plays, in
    whichever order and on however many threads.
    """

    def __init__(self, position: Position, looks: int, seed: int, threads: int) -> None:
        self.game, self.root, self.looks = position.game, position.state, looks
        self.seed, self.threads = seed, threads
        self.scratches: SimpleQueue[GameScratch] = SimpleQueue()
        for _ in range(threads):
            self.scratches.put(make_scratch(self.game))
        part = PART_SECONDS / game_seconds(position, looks)
        self.part = max(1, min(MOST_PART, int(part)))

    def play(
        self,
        stage: int,
        moves: Sequence[int],
        games: tuple[int, int],
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> NDArray[np.int8]:
        """Play the games first … last − 1 of a stage after each move.

        Returns how each ended for the player to move, shape (moves, games): 1
        won, 0 drawn, −1 lost, UNPLAYED if `stop` was set before.
        """
        first, last = games
        seeds = np.array([make_rng(self.seed, stage, game)[0] for game in range(first, last)])
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
            # A part under way may be long: nobody waits for it.
            pool.shutdown(wait=False, cancel_futures=True)
        return results.copy()

    def _await(self, waiting: "set[Future[int]]", stop: Stop | None, report: Report | None) -> None:
        """Wait for all parts, or until it is enough."""
        while waiting and not (stop is not None and stop.is_set()):
            ended, waiting = wait(waiting, HEARTBEAT, FIRST_COMPLETED)
            n_games = sum(part.result() for part in ended)
            if report is not None and n_games:
                report(n_games)

    def _play_part(self, move: int, seeds: Seeds, results: Results) -> int:
        scratch = self.scratches.get()
        try:
            ended = np.zeros(len(seeds), dtype=np.int8)
            self.game.run(
                play_games,
                self.game.scratch_state(self.root),
                scratch.child,
                scratch.state,
                scratch.trial,
                self.game.sizes.state,
                move,
                self.looks,
                seeds,
                ended,
                scratch.rng,
                scratch.moves,
                scratch.returns,
                scratch.knowledge,
            )
            results[:] = ended
        finally:
            self.scratches.put(scratch)
        return len(seeds)


def game_seconds(position: Position, looks: int) -> float:
    """About how long a quick game takes at most, on one core."""
    n_plies = int(position.state[LEFT] + position.state[LEFT + 1])
    return n_plies * looks * (LOOK_SECONDS + VERTEX_SECONDS * position.game.board.n_vertices)


def _small_case(game: Game) -> tuple[object, ...]:
    start, scratch = game.start(), make_scratch(game)
    seeds = np.array([make_rng(0)[0]])
    return (
        game.scratch_state(start.state),
        scratch.child,
        scratch.state,
        scratch.trial,
        game.sizes.state,
        start.legal_moves()[0],
        1,
        seeds[:0],
        np.zeros(0, dtype=np.int8),
        scratch.rng,
        scratch.moves,
        scratch.returns,
        scratch.knowledge,
    )


can_be_warmed(play_games, _small_case)
