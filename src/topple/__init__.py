"""topple: a lab for games of influence on graphs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Nothing heavy is imported until it is asked for: `topple --help` must be quick.
_HOMES = {
    "load": "topple.game.game",
    "Game": "topple.game.game",
    "Position": "topple.game.position",
    "Outcome": "topple.game.position",
    "Step": "topple.game.position",
    "Record": "topple.game.record",
    "agent": "topple.agents",
    "Agent": "topple.agents",
    "Decision": "topple.agents",
    "register_agent": "topple.agents",
    "solve": "topple.solvers",
    "Solution": "topple.solvers",
    "learn": "topple.learning.training",
    "match": "topple.arena.api",
    "tournament": "topple.arena.api",
    "reproduce": "topple.papers.api",
    "advise": "topple.advice.api",
    "Board": "topple.boards",
    "load_board": "topple.boards",
    "register": "topple.rules",
    "ToppleError": "topple.core.errors",
    "BadText": "topple.core.errors",
    "BadRecord": "topple.core.errors",
    "BadBoard": "topple.core.errors",
    "BadModule": "topple.core.errors",
    "IllegalMove": "topple.core.errors",
    "StoreError": "topple.core.errors",
    "Unsupported": "topple.core.errors",
}
__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604

if TYPE_CHECKING:
    from topple.advice.api import advise
    from topple.agents import Agent, Decision, agent, register_agent
    from topple.arena.api import match, tournament
    from topple.boards import Board, load_board
    from topple.core.errors import (
        BadBoard,
        BadModule,
        BadRecord,
        BadText,
        IllegalMove,
        StoreError,
        ToppleError,
        Unsupported,
    )
    from topple.game.game import Game, load
    from topple.game.position import Outcome, Position, Step
    from topple.game.record import Record
    from topple.learning.training import learn
    from topple.papers.api import reproduce
    from topple.rules import register
    from topple.solvers import Solution, solve


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'topple' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
