"""topple: a lab for games of influence on graphs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Nothing heavy is imported until it is asked for: `topple --help` must be quick.
_HOMES = {
    "load": "topple.game",
    "Game": "topple.game",
    "Position": "topple.position",
    "Outcome": "topple.position",
    "Step": "topple.position",
    "Record": "topple.record",
    "agent": "topple.agents",
    "Agent": "topple.agents",
    "Decision": "topple.agents",
    "register_agent": "topple.agents",
    "solve": "topple.solvers",
    "Solution": "topple.solvers",
    "learn": "topple.learning.api",
    "match": "topple.arena.api",
    "tournament": "topple.arena.api",
    "reproduce": "topple.reproduction.api",
    "advise": "topple.advice.api",
    "Board": "topple.boards",
    "load_board": "topple.boards",
    "register": "topple.rules",
    "ToppleError": "topple.errors",
    "BadText": "topple.errors",
    "BadRecord": "topple.errors",
    "BadBoard": "topple.errors",
    "IllegalMove": "topple.errors",
    "StoreError": "topple.errors",
    "Unsupported": "topple.errors",
}
__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604

if TYPE_CHECKING:
    from topple.advice.api import advise
    from topple.agents import Agent, Decision, agent, register_agent
    from topple.arena.api import match, tournament
    from topple.boards import Board, load_board
    from topple.errors import (
        BadBoard,
        BadRecord,
        BadText,
        IllegalMove,
        StoreError,
        ToppleError,
        Unsupported,
    )
    from topple.game import Game, load
    from topple.learning.api import learn
    from topple.position import Outcome, Position, Step
    from topple.record import Record
    from topple.reproduction.api import reproduce
    from topple.rules import register
    from topple.solvers import Solution, solve


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'topple' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
