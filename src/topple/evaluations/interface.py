"""The contract between what is known about a game and the searches that use it.

A game's module under `topple.evaluations` defines

    FEATURES               the names of its features, one weight each
    EVALUATIONS            the evaluations by name, the default first
    knowledge(board, tables, weights)
                           a NamedTuple of arrays and numbers for the kernels,
                           its field `weights` among them; arrays that kernels
                           change (scratch space) are made anew on each call
    evaluate (below)

and may define the other kernels below, which have working defaults. A game
without such a module is searched with `none`, which calls every position even,
or `score`, the lead in its own score.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.compiling.specialise import contract
from topple.rules.interface import PLAYER, Moves, State, legal_moves

LARGEST = 1e5  # no evaluation is as large as this: decided games count more

Weights = NDArray[np.float64]  # shape (features,)


class Evaluation(NamedTuple):
    """A named evaluation: the weighted sum of a game's features."""

    weights: tuple[float, ...]
    meaning: str


class EvaluationModule(Protocol):
    """What a game's module of evaluations offers to Python."""

    FEATURES: tuple[str, ...]
    EVALUATIONS: Mapping[str, Evaluation]

    def knowledge(self, board: Board, tables: Any, weights: Weights) -> Any:
        """What the kernels are given."""


@contract
def evaluate(board: Any, state: State, player: int, knowledge: Any) -> float:
    """How good a position that is not over is for a player, whoever is to move.

    Larger is better; always between −LARGEST and LARGEST. Changes nothing but
    the scratch space that `knowledge` brings.
    """
    return 0.0


@contract
def ordered_moves(board: Any, state: State, moves: Moves) -> int:
    """Write the moves worth looking at into `moves`, the likely best first.

    Returns their number, at least one. A game that knows no better lists its
    legal moves.
    """
    return legal_moves(board, state, moves)


@contract
def greed(board: Any, state: State, move: int, child: State, knowledge: Any) -> float:
    """How much a greedy player likes a move that leads from `state` to `child`."""
    return evaluate(board, child, state[PLAYER], knowledge)


CONTRACT = (evaluate, ordered_moves, greed)


def check_evaluations(module: ModuleType) -> None:
    """Refuse a module that does not keep the contract, naming what is missing.

    Raises
    ------
    TypeError
        If a required name is missing or a contract function is not a kernel.
    """
    required = ("FEATURES", "EVALUATIONS", "knowledge", "evaluate")
    missing = [name for name in required if not hasattr(module, name)]
    if missing:
        raise TypeError(f"{module.__name__} has no evaluations: it lacks {', '.join(missing)}")
    for function in CONTRACT:
        own = getattr(module, function.__name__, function)
        if "is_kernel" not in own.__dict__:
            raise TypeError(f"{module.__name__}.{function.__name__} needs the @kernel mark")
