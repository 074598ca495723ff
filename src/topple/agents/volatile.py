"""volatile: an alpha-beta search guided by random games, which say how volatile a move is.

References
----------
.. [1] D. Jenkins and C. Frayn, "Highly volatile game tree search in Chain
   Reaction", section V.
"""

from dataclasses import dataclass

import numpy as np

from topple.agents.decision import (
    LOST,
    WON,
    Candidate,
    Decision,
    Effort,
    return_interval,
    with_shares,
)
from topple.agents.interface import EVALUATION, WEIGHTS, Agent
from topple.agents.montecarlo import (
    MOST_SAMPLES,
    dealt_to,
    make_scratch,
    make_streams,
    make_ties,
    mean_returns,
)
from topple.agents.search import Search
from topple.core.errors import Unsupported
from topple.core.spec import Option
from topple.game import Game, Position
from topple.kernels.flat import Counts, find_final_moves
from topple.kernels.values import WIN
from topple.kernels.volatile import (
    DOWN,
    INFINITY,
    TIMES,
    VolatileStack,
    begin_branch,
    continue_branch,
    sample_changes,
)
from topple.rules.interface import Returns

MOST_DEPTH = 6
SCALINGS = {"down": DOWN, "times": TIMES}


class Volatile(Agent):
    """Searches each move by alpha-beta in a window set by its random games."""

    NAME = "volatile"
    SUMMARY = "alpha-beta, scaled by the pay-off and widened by the volatility of random games"
    OPTIONS = (
        Option("samples", 20, int, "random games for each move", least=1, most=MOST_SAMPLES),
        Option("depth", 2, int, "moves to look ahead, this one included", least=1, most=MOST_DEPTH),
        Option(
            "scaling",
            "down",
            str,
            "down: the smaller the pay-off, the smaller every score; "
            "times: score times pay-off, of ended games too",
            choices=tuple(SCALINGS),
        ),
        EVALUATION,
        WEIGHTS,
    )
    KERNELS = (find_final_moves, sample_changes, begin_branch, continue_branch)
    MOST_PLAYERS = 2

    def check_game(self, game: Game) -> None:
        """Refuse a game for more than two players, or without a score."""
        super().check_game(game)
        if not hasattr(game.rules, "score"):
            raise Unsupported(f"{self.NAME} needs a score, and {game.name} has none")

    def search(self, position: Position, seed: int, memory: object = None) -> "VolatileSearch":
        """Begin to sample."""
        knowledge = self.knowledge(position.game)
        return VolatileSearch(
            position,
            seed,
            self.options["samples"],
            self.options["depth"],
            SCALINGS[self.options["scaling"]],
            knowledge,
        )

    def rehearse(self, game: Game) -> None:
        """Call every kernel, even if the first position has a winning move."""
        self.search(game.start(), 0).rehearse()


@dataclass(frozen=True)
class Branch(Candidate):
    """A move with statistics of its random games.

    Once the move has been searched, `value` is in the evaluation's units and
    `visits` counts nodes; before, they are the mean return and the number of games.
    """

    payoff: float = 0.0  # the share of wins, a draw counting half
    volatility: float = 0.0  # the mean change of score per ply


def make_stack(game: Game, depth: int) -> VolatileStack:
    """A stack for a search of so many plies."""
    rows, sizes = depth + 1, game.sizes
    return VolatileStack(
        here=np.zeros(2, dtype=np.int64),
        states=game.scratch_states(rows),
        moves=np.zeros((rows, sizes.moves), dtype=np.int32),
        n_moves=np.zeros(rows, dtype=np.int64),
        tried=np.zeros(rows, dtype=np.int64),
        alphas=np.zeros(rows),
        betas=np.zeros(rows),
        values=np.zeros(rows),
        lines=np.zeros((rows, rows), dtype=np.int32),
        lengths=np.zeros(rows, dtype=np.int64),
    )


class VolatileSearch(Search):
    """Samples of each move, then an alpha-beta search of each, the best pay-off first."""

    def __init__(
        self,
        position: Position,
        seed: int,
        samples: int,
        depth: int,
        scaling: int,
        knowledge: object,
    ) -> None:
        game = self.game = position.game
        self.player, self.root = position.player, game.scratch_state(position.state)
        self.samples, self.depth = samples, depth
        self.scaling, self.knowledge = scaling, knowledge
        self.moves = np.array(position.legal_moves(), dtype=np.int32)
        n = len(self.moves)
        self.streams, self.ties = make_streams(seed, self.moves), make_ties(seed, self.moves)
        self.totals, self.changes = np.zeros(n), np.zeros(n)
        self.visits = np.zeros(n, dtype=np.int64)
        self.stack, self.scratch = make_stack(game, depth), make_scratch(game)
        self.before = np.zeros(game.n_players)
        self.dealt = 0  # samples
        self.queue: list[int] = []  # the moves in the order of their search
        self.branches: list[Branch] = []  # searched so far
        self.lines: dict[int, tuple[int, ...]] = {}  # the expected replies to each move
        self.alpha = self.low = -INFINITY  # the best value so far; the lower end of the window
        self.payoffs: Returns = np.zeros(n)
        self.volatilities: Returns = np.zeros(n)
        self._look_for_a_win()

    def _look_for_a_win(self) -> None:
        """Search only a move that wins immediately, if there is one."""
        values, over = np.zeros(len(self.moves)), np.zeros(len(self.moves), dtype=np.int64)
        self.game.run(
            find_final_moves,
            self.root,
            self.scratch.child,
            self.game.sizes.state,
            self.moves,
            self.player,
            self.scratch.returns,
            values,
            over,
        )
        wins = [i for i in np.flatnonzero(over) if values[i] == 1.0]
        if wins:
            best = min(wins, key=self.ties.__getitem__)
            self.payoffs[best] = 1.0
            self.dealt, self.queue = self._n_samples, [int(best)]

    @property
    def _n_samples(self) -> int:
        return self.samples * len(self.moves)

    @property
    def is_done(self) -> bool:
        """Whether every branch has been searched."""
        return bool(self.queue) and len(self.branches) == len(self.queue)

    def advance(self, n: int) -> None:
        """Play about n random games or, once these are done, visit about n nodes."""
        while n > 0 and not self.is_done:
            if self.dealt < self._n_samples:
                dealt = min(self.dealt + n, self._n_samples)
                self._gather(dealt_to(len(self.moves), self.dealt, dealt))
                n -= dealt - self.dealt
                self.dealt = dealt
                if dealt == self._n_samples:
                    self._line_up()
            else:
                before = self._nodes
                self._search(n)
                n -= self._nodes - before

    def rehearse(self) -> None:
        """Call every kernel with hardly anything to do."""
        self._gather(np.zeros(len(self.moves), dtype=np.int64))
        self._begin(0)
        self._go_on(0, 0)

    def _gather(self, counts: Counts) -> None:
        self.game.run(
            sample_changes,
            self.root,
            self.scratch.state,
            self.game.sizes.state,
            self.moves,
            self.streams,
            counts,
            self.scratch.moves,
            self.player,
            self.scratch.returns,
            self.before,
            self.totals,
            self.changes,
        )
        self.visits += counts

    def _line_up(self) -> None:
        """Turn the samples into pay-offs and volatilities; queue the best pay-off first."""
        self.payoffs = (1 + mean_returns(self.totals, self.visits)) / 2
        self.volatilities = self.changes / self.visits
        self.queue = self._by_mean()

    def _by_mean(self) -> list[int]:
        means = mean_returns(self.totals, self.visits)
        keys = list(zip((-means).tolist(), self.ties, strict=True))
        return sorted(range(len(keys)), key=keys.__getitem__)

    @property
    def _nodes(self) -> int:
        return int(self.stack.here[1])

    def _search(self, n: int) -> None:
        """Visit up to n nodes, but at least about one, of the next branch in the queue."""
        i = self.queue[len(self.branches)]
        if self.stack.here[0] == 0:
            self._begin(i)
            n -= 1
        if self._go_on(i, n) == 0:
            self._finish(i)

    def _begin(self, i: int) -> None:
        """Begin a branch, with a window widened by its volatility."""
        volatility = float(self.volatilities[i])
        self.low = self.alpha - volatility
        self.game.run(
            begin_branch,
            self.root,
            self.game.sizes.state,
            int(self.moves[i]),
            self.player,
            float(self.payoffs[i]),
            self.scaling,
            self.knowledge,
            self.stack,
            self.low,
            INFINITY + volatility,
        )

    def _go_on(self, i: int, n: int) -> int:
        return int(
            self.game.run(
                continue_branch,
                self.game.sizes.state,
                self.player,
                float(self.payoffs[i]),
                self.scaling,
                self.knowledge,
                self.stack,
                n,
            )
        )

    def _finish(self, i: int) -> None:
        """Record the result of a branch."""
        value, move = float(self.stack.values[1]), int(self.moves[i])
        spent = self._nodes - sum(branch.visits for branch in self.branches)
        exact = value > self.low or spent == 1
        branch = Branch(
            move,
            value,
            spent,
            exact=exact,
            proven=self._proven(value, exact),
            payoff=float(self.payoffs[i]),
            volatility=float(self.volatilities[i]),
        )
        self.branches.append(branch)
        self.lines[move] = tuple(self.stack.lines[1, : self.stack.lengths[1]].tolist())
        self.alpha = max(self.alpha, value)

    def _proven(self, value: float, exact: bool) -> str | None:
        if value >= WIN - self.depth and exact:
            return WON
        return LOST if value <= self.depth - WIN else None

    def decision(self) -> Decision:
        """The best branch searched so far; before there is one, the best pay-off."""
        best_first = sorted(self.branches, key=lambda branch: (-branch.value, not branch.exact))
        candidates = with_shares(best_first or self._sampled())
        best = candidates[0]
        effort = Effort(int(self.visits.sum()), self._nodes, self.depth if self.branches else 0)
        proven = best.proven if best.proven == WON or self.is_done else None
        line = (best.move, *self.lines.get(best.move, ()))
        return Decision(best.move, best.value, candidates, line, effort, proven)

    def _sampled(self) -> list[Branch]:
        """The moves before any has been searched, the best pay-off first."""
        means = mean_returns(self.totals, self.visits).tolist()
        visits = np.maximum(self.visits, 1)
        volatilities = (self.changes / visits).tolist()
        return [
            Branch(
                int(self.moves[i]),
                means[i],
                int(self.visits[i]),
                interval=return_interval(means[i], int(self.visits[i])),
                payoff=(1 + means[i]) / 2,
                volatility=volatilities[i],
            )
            for i in self._by_mean()
        ]
