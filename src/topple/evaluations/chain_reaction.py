"""Chain Reaction: who has the most pieces."""

from typing import NamedTuple

from topple.boards.board import Board
from topple.compiling import kernel
from topple.evaluations.bounds import bounded
from topple.evaluations.interface import Evaluation, Weights
from topple.rules.chain_reaction import PIECES_OF, ChainReactionBoard
from topple.rules.interface import State

FEATURES = ("pieces",)
EVALUATIONS = {
    "pieces": Evaluation((1.0,), "the player's pieces less those of the strongest other player"),
}


class ChainReactionKnowledge(NamedTuple):
    """What the kernels know."""

    weights: Weights


def knowledge(board: Board, tables: ChainReactionBoard, weights: Weights) -> ChainReactionKnowledge:
    """Nothing but the weight."""
    return ChainReactionKnowledge(weights)


@kernel
def evaluate(
    board: ChainReactionBoard, state: State, player: int, knowledge: ChainReactionKnowledge
) -> float:
    """The player's pieces less those of the strongest other player."""
    strongest = 0
    for other in range(board.n_players):
        if other != player:
            strongest = max(strongest, state[PIECES_OF + other])
    return bounded(knowledge.weights[0] * (state[PIECES_OF + player] - strongest))
