"""greedy: the move that looks best one move ahead."""

import numpy as np

from topple.agents.decision import (
    WON,
    Candidate,
    Decision,
    Effort,
    proven_by_status,
    with_shares,
)
from topple.agents.interface import EVALUATION, WEIGHTS, Agent
from topple.agents.search import Search
from topple.compiling.rng import below, make_rng
from topple.game.position import Position
from topple.kernels.greedy import rate_moves

DRAWS = 16  # of each move, in a game with chance


class Greedy(Agent):
    """Looks one move ahead.

    A move that wins immediately is rated highest, one that loses immediately lowest.
    Other moves are rated by the game's own measure of greed or, if an evaluation
    or weights are given, by evaluating the position after the move. With chance a
    rating is the mean over a few draws. The seed decides between equals.
    """

    NAME = "greedy"
    SUMMARY = "play the move that looks best at once"
    OPTIONS = (EVALUATION, WEIGHTS)
    KERNELS = (rate_moves,)
    PLAYS_CHANCE = True

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Rate all moves: that is the whole search."""
        return GreedySearch(self, position, seed)


class GreedySearch(Search):
    """All moves rated."""

    is_done = True

    def __init__(self, agent: Greedy, position: Position, seed: int) -> None:
        game = position.game
        self.player = position.player
        self.moves, self.statuses = game.scratch_moves(), game.scratch_moves()
        self.values = np.zeros(len(self.moves))
        by_greed = agent.options["evaluation"] is None and agent.options["weights"] is None
        self.n_moves: int = game.run(
            rate_moves,
            game.scratch_state(position.state),
            game.scratch_state(),
            game.sizes.state,
            self.moves,
            self.values,
            self.statuses,
            agent.knowledge(game),
            by_greed,
            make_rng(seed, 0),
            DRAWS if game.has_chance else 1,
        )
        values = self.values[: self.n_moves]
        best = np.flatnonzero(values == values.max())
        with np.errstate(over="ignore"):  # the generator uses wrap-around arithmetic
            self.chosen = int(best[int(below(make_rng(seed), len(best)))])

    def advance(self, n: int) -> None:
        """Do nothing: the search is done."""

    def decision(self) -> Decision:
        """The best move, followed by the others in the order of their ratings."""
        others = (i for i in range(self.n_moves) if i != self.chosen)
        ranked = [self.chosen, *sorted(others, key=lambda i: -self.values[i])]
        candidates = with_shares([self._candidate(i) for i in ranked])
        first = candidates[0]
        effort = Effort(nodes=self.n_moves, depth=1)
        # Only a win is certain as long as another move may be better than its rating.
        is_settled = first.proven == WON or all(each.proven for each in candidates)
        proven = first.proven if is_settled else None
        return Decision(first.move, first.value, candidates, (first.move,), effort, proven)

    def _candidate(self, i: int) -> Candidate:
        proven = proven_by_status(int(self.statuses[i]), self.player)
        return Candidate(int(self.moves[i]), float(self.values[i]), visits=1, proven=proven)
