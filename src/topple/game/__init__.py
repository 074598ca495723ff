"""The game as people use it: `Game`, `Position`, `Record` and perft.

Kernels work on vectors of numbers and trust their callers. This package checks the text, moves
and boards that come from outside before a kernel sees them. `warm_up` compiles kernels ahead.
"""

from topple.game.game import Game, load, random_position
from topple.game.position import Outcome, Position, Scene, Step
from topple.game.record import Record

__all__ = ["Game", "Outcome", "Position", "Record", "Scene", "Step", "load", "random_position"]
