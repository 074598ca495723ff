"""Evaluations of positions: one module for each game, with the register that finds them.

`interface` is the contract that they keep, and `score` serves games without a module of their
own. An evaluation is a weighted sum of a game's features.
"""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from topple.core.errors import BadText, Unsupported, unknown
from topple.evaluations import score
from topple.evaluations.interface import Evaluation, check_evaluations

if TYPE_CHECKING:
    from topple.boards.board import Board

_modules: dict[str, ModuleType | str] = {
    "spread-it": "topple.evaluations.spread_it",
    "chain-reaction": "topple.evaluations.chain_reaction",
    "infexion": "topple.evaluations.infexion",
    "hex": "topple.evaluations.hex",
    "influence": "topple.evaluations.influence",
}

NONE = Evaluation((), "0 in every position that is not over")


def register_evaluations(game: str, module: ModuleType) -> ModuleType:
    """Register a module of evaluations for a game; returns the module.

    Raises
    ------
    TypeError
        If the module does not keep the contract of `topple.evaluations.interface`.
    """
    check_evaluations(module)
    _modules[game] = module
    return module


def knowledge_of(game: str) -> ModuleType:
    """The module of a game's evaluations; `score` for a game without one."""
    module = _modules.get(game, score)
    if isinstance(module, str):
        module = _modules[game] = import_module(module)
    return module


def evaluations_of(game: str, module: ModuleType | None = None) -> Mapping[str, Evaluation]:
    """The evaluations of a game by name, its default first and `none` last."""
    own = (module or knowledge_of(game)).EVALUATIONS
    return {**own, "none": NONE}


class EvaluatedGame(Protocol):
    """The attributes of a game that its evaluations may use."""

    name: str
    rules: ModuleType
    evaluations: ModuleType
    board: "Board"
    tables: Any


def make_knowledge(game: EvaluatedGame, name: str | None, weights: str | None) -> Any:
    """The weights and tables of an evaluation, which the kernels take.

    Raises
    ------
    BadText
        If the game has no evaluation of that name, or the weights cannot be read.
    Unsupported
        If none is named and the game has none by default.
    """
    if name is not None and weights is not None:
        raise BadText("give an evaluation or weights, not both")
    module = game.evaluations
    known = dict(evaluations_of(game.name, module))
    if module is score and not hasattr(game.rules, "score"):
        del known["score"]
    if name is None and len(known) == 1:
        raise Unsupported(f"{game.name} has no evaluation: evaluation=none sees decided games only")
    name = name or next(iter(known))
    if name not in known:
        raise BadText(unknown(f"evaluation of {game.name}", name, known))
    chosen = known[name].weights or (0.0,) * len(module.FEATURES)
    if weights is not None:
        chosen = read_weights(weights, module.FEATURES)
    return module.knowledge(game.board, game.tables, np.array(chosen, dtype=np.float64))


def read_weights(text: str, features: tuple[str, ...]) -> tuple[float, ...]:
    """Read weights as they are typed: numbers separated by slashes.

    >>> read_weights("0.27/-0.08/0", ("parity", "stability", "mobility"))
    (0.27, -0.08, 0.0)

    Raises
    ------
    BadText
        If there is not one finite number up to 1000 for each feature.
    """
    try:
        numbers = tuple(float(part) for part in text.split("/"))
    except ValueError:
        numbers = ()
    if (
        len(numbers) != len(features)
        or not np.isfinite(numbers).all()
        or np.abs(numbers).max() > 1e3
    ):
        form = "/".join(features)
        raise BadText(
            f"weights={text[:40]} must be {len(features)} numbers up to 1000 separated by /: {form}"
        )
    return numbers
