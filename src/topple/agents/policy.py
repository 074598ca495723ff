"""policy: a network's own move, without a search."""

import numpy as np

from topple.agents.decision import Candidate, Decision, Effort
from topple.agents.interface import Agent
from topple.agents.net_options import NET
from topple.agents.search import Search
from topple.compiling.rng import draw_word, make_rng
from topple.core.spec import Option
from topple.game import Game, Position
from topple.kernels.puct import evaluate_leaves, make_leaves
from topple.nets.forward import make_scratch
from topple.nets.shelf import net_for


class Policy(Agent):
    """Plays what a network finds most likely, or draws by its probabilities."""

    NAME = "policy"
    SUMMARY = "play the move that a network likes best, without a search"
    NEEDS_NET = True
    OPTIONS = (
        NET,
        Option(
            "temperature",
            0.0,
            float,
            "0 plays the most likely move, 1 draws by the network's probabilities, more is wilder",
            least=0,
            most=100,
        ),
    )
    KERNELS = (evaluate_leaves,)

    def check_game(self, game: Game) -> None:
        """Refuse a game without a network that fits it."""
        super().check_game(game)
        net_for(game, self.options["net"])

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Look once: that is the whole search. The seed draws, unless the temperature is 0."""
        return PolicySearch(self, position, seed)


class PolicySearch(Search):
    """One look at a position."""

    is_done = True

    def __init__(self, agent: Policy, position: Position, seed: int) -> None:
        game = position.game
        trained = net_for(game, agent.options["net"])
        sight, leaves = game.sight[1], make_leaves(game, 1, 1)
        scratch = make_scratch(trained.design, game)
        leaves.state[0] = game.scratch_state(position.state)
        game.run(evaluate_leaves, leaves, sight, trained.net, scratch, 0, 1)
        n_moves = int(leaves.n_moves[0])
        self.moves = leaves.moves[0, :n_moves].tolist()
        self.priors = leaves.priors[0, :n_moves].astype(np.float64)
        self.value = float(leaves.returns[0, position.player])
        self.chosen = self._choose(agent.options["temperature"], seed)

    def _choose(self, temperature: float, seed: int) -> int:
        """The index of the move to play."""
        best = int(np.argmax(self.priors))
        if temperature == 0:
            return best
        shares = (self.priors / self.priors[best]) ** (1 / temperature)
        with np.errstate(over="ignore"):  # the generator uses wrap-around arithmetic
            drawn = float(draw_word(make_rng(seed))) / 2.0**64
        index = int(np.searchsorted(np.cumsum(shares) / shares.sum(), drawn))
        return min(index, len(shares) - 1)  # the sums are rounded

    def advance(self, n: int) -> None:
        """Do nothing: the search is done."""

    def decision(self) -> Decision:
        """The chosen move, followed by the others in the order of their probabilities."""
        others = (i for i in range(len(self.moves)) if i != self.chosen)
        ranked = [self.chosen, *sorted(others, key=lambda i: -self.priors[i])]
        candidates = tuple(
            Candidate(self.moves[i], self.value, share=self.priors[i], prior=self.priors[i])
            for i in ranked
        )
        effort = Effort(nodes=1)
        move = self.moves[self.chosen]
        return Decision(move, self.value, candidates, (move,), effort)
