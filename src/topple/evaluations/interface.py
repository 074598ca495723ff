"""The contract between a game's evaluations and the searches that use them.

A game's module under `topple.evaluations` defines

    FEATURES               the names of its features, one weight each
    EVALUATIONS            the evaluations by name, the default first
    knowledge(board, tables, weights)
                           a NamedTuple of arrays and numbers for the kernels,
                           including a field `weights`; scratch space is made
                           anew on each call
    evaluate (below)

and may define the other kernels below, which have working defaults. A game
without such a module has the evaluations `none`, 0 in every position, and, if the
rules define `score`, the lead in that.
"""

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import contract, kernel
from topple.rules.interface import PLAYER, Moves, State, legal_moves

LARGEST = 1e5  # every evaluation is smaller: decided games count more
MOST = LARGEST - 1.0

Weights = NDArray[np.float64]  # shape (features,)


class Evaluation(NamedTuple):
    """A named evaluation: the weighted sum of a game's features."""

    weights: tuple[float, ...]
    meaning: str


@kernel
def bounded(value: float) -> float:
    """Cut a value so that it stays between −LARGEST and LARGEST; −0 becomes 0."""
    return min(max(value, -MOST), MOST) + 0.0


@contract
def evaluate(board: Any, state: State, player: int, knowledge: Any) -> float:
    """The value for a player of a position that is not over, whoever is to move.

    Larger is better; the value is always between −LARGEST and LARGEST. Changes nothing
    but the scratch space in `knowledge`.
    """
    return 0.0


@contract
def ordered_moves(board: Any, state: State, moves: Moves) -> int:
    """Write the moves worth searching into `moves`, the most promising first.

    Returns their number, at least one. By default these are the legal moves.
    """
    return legal_moves(board, state, moves)


@contract
def base_value(board: Any, state: State, player: int, knowledge: Any) -> float:
    """What `value_beyond` leaves out: the same number for all that is tried from `state`."""
    return 0.0


@contract
def value_beyond(board: Any, state: State, tried: State, player: int, knowledge: Any) -> float:
    """The value of `tried`, less the base value of `state`.

    `tried` was copied from `state` before a move was played in it, so that an evaluation that
    adds up vertices need only look at those that have changed since. Changes nothing but the
    scratch space in `knowledge`.
    """
    return evaluate(board, tried, player, knowledge)


@contract
def greed(board: Any, state: State, move: int, child: State, knowledge: Any) -> float:
    """The value to a greedy player of a move that leads from `state` to `child`, less the base."""
    return value_beyond(board, state, child, state[PLAYER], knowledge)


CONTRACT = (evaluate, ordered_moves, base_value, value_beyond, greed)


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
