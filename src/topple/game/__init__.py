"""The game as people use it: `Game`, `Position`, `Record` and perft, with every input checked.

Kernels work on vectors of numbers and trust their callers; this package is where text, moves
and boards from outside are checked before a kernel sees them.
"""

from topple.game.game import Game, load, random_position
from topple.game.position import Outcome, Position, Scene, Step
from topple.game.record import Record

__all__ = ["Game", "Outcome", "Position", "Record", "Scene", "Step", "load", "random_position"]
