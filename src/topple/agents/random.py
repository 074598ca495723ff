"""random: any legal move, all equally likely."""

import numpy as np

from topple.agents.decision import Candidate, Decision, Effort
from topple.agents.interface import Agent
from topple.agents.search import Search
from topple.compiling.rng import below, make_rng
from topple.game.position import Position


class Random(Agent):
    """Draws a legal move."""

    NAME = "random"
    SUMMARY = "draw any legal move, each as likely as the others"
    PLAYS_CHANCE = True

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Draw a move: that is the whole search."""
        return RandomSearch(position, seed)


class RandomSearch(Search):
    """A move drawn at random."""

    is_done = True

    def __init__(self, position: Position, seed: int) -> None:
        self.moves = moves = position.legal_moves()
        with np.errstate(over="ignore"):  # the generator uses wrap-around arithmetic
            self.move = moves[int(below(make_rng(seed), len(moves)))]

    def advance(self, n: int) -> None:
        """Do nothing: the search is done."""

    def decision(self) -> Decision:
        """The move that was drawn; all moves were equally likely."""
        share = 1 / len(self.moves)
        ranked = [self.move, *(move for move in self.moves if move != self.move)]
        candidates = tuple(Candidate(move, 0.0, share=share) for move in ranked)
        return Decision(self.move, 0.0, candidates, (self.move,), Effort())
