"""A stand-in until the game's own evaluations are there."""

from topple.evaluations.score import EVALUATIONS, FEATURES, evaluate, knowledge

__all__ = ["EVALUATIONS", "FEATURES", "evaluate", "knowledge"]
