"""Chain Reaction: the lead in pieces."""

from typing import NamedTuple

from topple.boards.board import Board
from topple.compiling.specialise import kernel
from topple.evaluations.interface import Evaluation, Weights, bounded
from topple.rules.chain_reaction import PIECES_OF, ChainReactionBoard
from topple.rules.interface import State

FEATURES = ("pieces", "own")
LEAD, OWN = range(2)
EVALUATIONS = {
    "pieces": Evaluation((1.0, 0.0), "the player's pieces less those of the strongest other"),
    "own": Evaluation((0.0, 1.0), "the player's pieces, whatever the others have"),
}


class ChainReactionKnowledge(NamedTuple):
    """The weights, which is all that the kernels need."""

    weights: Weights


def knowledge(board: Board, tables: ChainReactionBoard, weights: Weights) -> ChainReactionKnowledge:
    """The weights alone."""
    return ChainReactionKnowledge(weights)


@kernel
def evaluate(
    board: ChainReactionBoard, state: State, player: int, knowledge: ChainReactionKnowledge
) -> float:
    """The weighted sum of the lead in pieces and of the player's own."""
    own, strongest = state[PIECES_OF + player], 0
    for other in range(board.n_players):
        if other != player:
            strongest = max(strongest, state[PIECES_OF + other])
    return bounded(knowledge.weights[LEAD] * (own - strongest) + knowledge.weights[OWN] * own)
