"""The evaluation for games without a module of their own: the lead in score."""

from typing import Any, NamedTuple

import numpy as np

from topple.boards.board import Board
from topple.compiling.specialise import kernel
from topple.evaluations.interface import Evaluation, Weights, bounded
from topple.rules.interface import Returns, State, score

FEATURES = ("score",)
EVALUATIONS = {"score": Evaluation((1.0,), "the player's score less the best of the others'")}


class ScoreKnowledge(NamedTuple):
    """The weight, and scratch space."""

    weights: Weights
    scores: Returns  # scratch space: one per player


def knowledge(board: Board, tables: Any, weights: Weights) -> ScoreKnowledge:
    """The weight, and scratch space for the scores of at most eight players."""
    return ScoreKnowledge(weights, np.zeros(8))


@kernel
def evaluate(board: Any, state: State, player: int, knowledge: ScoreKnowledge) -> float:
    """The lead in score."""
    if knowledge.weights[0] == 0.0:
        return 0.0
    return bounded(knowledge.weights[0] * lead(board, state, player, knowledge.scores))


@kernel
def lead(board: Any, state: State, player: int, scores: Returns) -> float:
    """The player's score less the best of the others'."""
    for other in range(len(scores)):
        scores[other] = -1.0  # for players that the game does not have
    score(board, state, scores)
    best = -1.0
    for other in range(len(scores)):
        if other != player:
            best = max(best, scores[other])
    return float(scores[player] - best)
