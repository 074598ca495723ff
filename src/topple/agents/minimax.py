"""minimax: every line to a fixed depth, without pruning."""

import numpy as np

from topple.agents.decision import (
    WON,
    Decision,
    Effort,
    moves_of,
    proven_by_value,
    root_candidates,
    undecided,
)
from topple.agents.interface import EVALUATION, WEIGHTS, Agent
from topple.agents.search import Search
from topple.core.spec import Option
from topple.game.position import Position
from topple.kernels.minimax import HORIZON, NODES, ROOT_DONE, MinimaxStack, minimax
from topple.kernels.values import DECIDED


class Minimax(Agent):
    """Plain minimax, the baseline."""

    NAME = "minimax"
    SUMMARY = "look at every line to a fixed depth and evaluate its end: the plain baseline"
    OPTIONS = (
        Option("depth", 2, int, "moves to look ahead", least=1, most=100),
        EVALUATION,
        WEIGHTS,
    )
    KERNELS = (minimax,)
    MOST_PLAYERS = 2

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Begin a search; the seed is not used."""
        return MinimaxSearch(self, position)


class MinimaxSearch(Search):
    """A traversal of the whole tree."""

    def __init__(self, agent: Minimax, position: Position) -> None:
        game, depth = position.game, agent.options["depth"]
        self.game, self.position, self.depth = game, position, depth
        self.knowledge = agent.knowledge(game)
        plies, n_moves = depth + 2, game.sizes.moves
        self.stack = MinimaxStack(
            states=game.scratch_states(plies),
            moves=np.zeros((plies, n_moves), dtype=np.int32),
            n_moves=np.zeros(plies, dtype=np.int64),
            next_move=np.zeros(plies, dtype=np.int64),
            best=np.zeros(plies),
            best_move=np.zeros(plies, dtype=np.int64),
            variation=np.full((plies, plies), -1, dtype=np.int32),
            root_values=np.zeros(n_moves),
            root_nodes=np.zeros(n_moves, dtype=np.int64),
            counts=np.zeros(4, dtype=np.int64),
        )
        self.stack.states[0, : game.sizes.state] = position.state
        self.stack.best[0] = -np.inf
        self.is_finished = False

    @property
    def is_done(self) -> bool:
        """Whether the whole tree has been visited."""
        return self.is_finished

    def advance(self, n: int) -> None:
        """Visit n more nodes."""
        answer = self.game.run(
            minimax,
            self.stack,
            self.knowledge,
            self.position.player,
            self.game.sizes.state,
            self.depth,
            n,
        )
        self.is_finished = answer == 1

    def _proven(self, value: float) -> str | None:
        """What the value proves; before the end of the search only a win is certain."""
        if self.is_finished:
            return proven_by_value(value, bool(self.stack.counts[HORIZON] == 0))
        return WON if value > DECIDED else None

    def decision(self) -> Decision:
        """The best of the root's moves searched so far; before that, the first legal move."""
        stack, n = self.stack, int(self.stack.counts[ROOT_DONE])
        effort = Effort(nodes=int(stack.counts[NODES]), depth=self.depth if self.is_finished else 0)
        if n == 0:
            return undecided(self.position, effort)
        candidates = root_candidates(
            stack.moves[0, :n].tolist(),
            stack.root_values[:n].tolist(),
            stack.root_nodes[:n].tolist(),
            [True] * n,
        )
        value = float(stack.best[0])
        return Decision(
            move=int(stack.best_move[0]),
            value=value,
            candidates=candidates,
            variation=moves_of(stack.variation[0].tolist()),
            effort=effort,
            proven=self._proven(value),
        )
