"""montecarlo and pruning: random games after each move.

References
----------
.. [1] D. Jenkins and C. Frayn, "Highly volatile game tree search in Chain
   Reaction", sections III and IV.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

import numpy as np

from topple.agents.decision import (
    DRAWN,
    LOST,
    WON,
    Candidate,
    Decision,
    Effort,
    return_interval,
    with_shares,
)
from topple.agents.interface import TIME, Agent
from topple.agents.search import Search
from topple.compiling.rng import make_rng
from topple.core.spec import Option
from topple.game import Game, Position
from topple.kernels.flat import Counts, Streams, find_final_moves, sample
from topple.rules.interface import Moves, Returns, State

SAMPLES = 100
UNLIMITED = 2**40  # samples for each move: more than any clock allows
MOST_SAMPLES = 1_000_000_000
DIGITS = 12  # to which means are rounded

THREADS = Option("threads", 1, int, "how many cores to use", least=1, most=256)


class MonteCarlo(Agent):
    """Plays random games after each move and takes the move that fares best."""

    NAME = "montecarlo"
    SUMMARY = "play random games after each move and take the move that fares best"
    OPTIONS = (
        Option(
            "samples",
            None,
            int,
            f"random games for each move: {SAMPLES}, or as many as the time allows",
            least=1,
            most=MOST_SAMPLES,
        ),
        TIME,
        THREADS,
    )
    KERNELS = (find_final_moves, sample)
    PLAYS_CHANCE = True

    def search(self, position: Position, seed: int, memory: object = None) -> "FlatSearch":
        """Begin to sample."""
        samples = self.options["samples"]
        if samples is None:
            samples = SAMPLES if self.options["time"] is None else UNLIMITED
        return FlatSearch(position, seed, samples, 1, self.options["threads"])

    def rehearse(self, game: Game) -> None:
        """Call every kernel, even if the first position has a winning move."""
        self.search(game.start(), 0).rehearse()


class Pruning(MonteCarlo):
    """Plays random games in rounds; after each round the worst moves drop out."""

    NAME = "pruning"
    SUMMARY = "play random games in rounds, after which the worst moves so far drop out"
    OPTIONS = (
        Option(
            "samples",
            SAMPLES,
            int,
            "random games for a move that reaches the last round",
            least=1,
            most=MOST_SAMPLES,
        ),
        Option("rounds", 5, int, "number of rounds", least=1, most=1000),
        THREADS,
    )

    def search(self, position: Position, seed: int, memory: object = None) -> "FlatSearch":
        """Begin to sample."""
        options = self.options
        return FlatSearch(position, seed, options["samples"], options["rounds"], options["threads"])


class Scratch(NamedTuple):
    """The arrays that one thread works in."""

    child: State
    state: State
    moves: Moves
    returns: Returns


def make_scratch(game: Game) -> Scratch:
    """Arrays for one thread."""
    return Scratch(
        game.scratch_state(), game.scratch_state(), game.scratch_moves(), np.zeros(game.n_players)
    )


def make_streams(seed: int, moves: Moves) -> Streams:
    """A random stream for each move, which depends on the seed and the move only."""
    return np.array([make_rng(seed, move) for move in moves.tolist()])


def make_ties(seed: int, moves: Moves) -> list[int]:
    """A number for each move, to break ties; it depends on the seed and the move only."""
    return [int(make_rng(seed, move, 0)[0]) for move in moves.tolist()]


def dealt_to(n: int, first: int, last: int) -> Counts:
    """How many of the turns first … last − 1 each of n players gets, if they take turns.

    >>> dealt_to(3, 2, 6).tolist()
    [1, 1, 2]
    """
    places = np.arange(n)
    return (last - places + n - 1) // n - (first - places + n - 1) // n


def mean_returns(totals: Returns, visits: Counts) -> Returns:
    """The mean return of each move, 0 for a move without samples.

    Means are rounded so that equal results compare equal: sums of thirds are inexact.
    """
    means: Returns = (totals / np.maximum(visits, 1)).round(DIGITS)
    return means


def capacity(most: int, done: int, rounds: int) -> int:
    """How many candidates at most take part after `done` of the rounds.

    `most` is the largest possible number of legal moves on the board.

    >>> [capacity(25, done, 5) for done in range(5)]
    [25, 20, 15, 10, 5]
    """
    return -(-most * (rounds - done) // rounds)


class FlatSearch(Search):
    """Random games after each move, in one round or more.

    The candidates take turns within a round. Each has its own random stream, so
    that its games do not depend on the other candidates or on their order.
    """

    def __init__(
        self, position: Position, seed: int, samples: int, rounds: int, threads: int
    ) -> None:
        game = self.game = position.game
        self.player, self.root = position.player, game.scratch_state(position.state)
        self.samples, self.rounds, self.threads = samples, rounds, threads
        self.scratches = [make_scratch(game) for _ in range(threads)]
        self.moves = np.array(position.legal_moves(), dtype=np.int32)
        n = len(self.moves)
        self.streams, self.ties = make_streams(seed, self.moves), make_ties(seed, self.moves)
        self.totals, self.visits = np.zeros(n), np.zeros(n, dtype=np.int64)
        self.over = np.zeros(n, dtype=np.int64)  # 1 if the move ends the game
        scratch = self.scratches[0]
        game.run(
            find_final_moves,
            self.root,
            scratch.child,
            game.sizes.state,
            self.moves,
            self.player,
            scratch.returns,
            self.totals,
            self.over,
        )
        self.done = 0  # rounds
        self.reached = np.zeros(n, dtype=np.int64)  # rounds that each move has survived
        self.dealt = 0  # samples of this round
        self.live = np.flatnonzero(self.over == 0)  # indices of the moves in this round
        self.is_won = bool((self.totals[self.over == 1] == 1.0).any())

    @property
    def is_done(self) -> bool:
        """Whether all rounds are over, a move is known to win, or all results are known."""
        return self.is_won or self.done == self.rounds or not len(self.live)

    def advance(self, n: int) -> None:
        """Play about n random games."""
        while n > 0 and not self.is_done:
            n_live = len(self.live)
            quota = n_live * (self._samples_after(self.done + 1) - self._samples_after(self.done))
            dealt = min(self.dealt + n, quota)
            counts = np.zeros(len(self.moves), dtype=np.int64)
            counts[self.live] = dealt_to(n_live, self.dealt, dealt)
            self._play(counts)
            n -= dealt - self.dealt
            self.dealt = dealt
            if dealt == quota:
                self._end_round()

    def rehearse(self) -> None:
        """Call the sampling kernel without any games to play."""
        self._play_some(slice(None), self.scratches[0], np.zeros(len(self.moves), dtype=np.int64))

    def _samples_after(self, rounds: int) -> int:
        """Samples of a move that has survived so many rounds; early rounds get the remainder."""
        return -(-self.samples * rounds // self.rounds)

    def _play(self, counts: Counts) -> None:
        """Play `counts[i]` games for candidate i."""
        busy = np.flatnonzero(counts)
        parts = [part for part in np.array_split(busy, self.threads) if len(part)]
        slices = [slice(int(part[0]), int(part[-1]) + 1) for part in parts]
        if len(slices) == 1:
            self._play_some(slices[0], self.scratches[0], counts)
        elif slices:
            list(self._pool.map(self._play_some, slices, self.scratches, repeat(counts)))
        self.visits += counts

    def _play_some(self, some: slice, scratch: Scratch, counts: Counts) -> None:
        self.game.run(
            sample,
            self.root,
            scratch.child,
            scratch.state,
            self.game.sizes.state,
            self.moves[some],
            self.streams[some],
            counts[some],
            scratch.moves,
            self.player,
            scratch.returns,
            self.totals[some],
        )

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads)

    def close(self) -> None:
        """End the threads."""
        if self.threads > 1:
            self._pool.shutdown()

    def _end_round(self) -> None:
        """Select the best moves so far, as many as the next round holds."""
        self.done, self.dealt = self.done + 1, 0
        if self.done == self.rounds:
            return
        n_going = capacity(self.game.sizes.moves, self.done, self.rounds)
        # Moves that dropped out earlier do not come back.
        n_going = min(n_going, int((self.reached == self.done - 1).sum()))
        going = self.order()[:n_going]
        self.reached[going] = self.done
        self.live = np.array(sorted(i for i in going if not self.over[i]), dtype=np.int64)

    def order(self) -> list[int]:
        """The candidates, best first: those that survived more rounds are better."""
        means = mean_returns(self.totals, self.visits)
        keys = list(zip((-self.reached).tolist(), (-means).tolist(), self.ties, strict=True))
        return sorted(range(len(keys)), key=keys.__getitem__)

    def decision(self) -> Decision:
        """The move with the best mean so far."""
        means = mean_returns(self.totals, self.visits).tolist()
        candidates = with_shares([self._candidate(i, means[i]) for i in self.order()])
        best = candidates[0]
        is_proven = best.proven == WON or bool(self.over.all())
        effort = Effort(simulations=int(self.visits.sum()))
        proven = best.proven if is_proven else None
        return Decision(best.move, best.value, candidates, (best.move,), effort, proven)

    def _candidate(self, i: int, mean: float) -> Candidate:
        move, visits = int(self.moves[i]), int(self.visits[i])
        if self.over[i]:
            return Candidate(move, mean, proven=proven_by_return(mean))
        return Candidate(move, mean, visits, interval=return_interval(mean, visits))


def proven_by_return(value: float) -> str:
    """What a certain return proves for the player to move."""
    return WON if value > 0 else LOST if value < 0 else DRAWN
