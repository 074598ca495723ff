"""Scoring games: the values of games in which points are counted, following Milnor.

Two players, Left and Right, move in turn until neither can; then Left leads by a whole
number of points, which may be negative. Milnor's universe contains the games in which at
every moment

- both players can move or neither can (the games are dicot), and
- moving is never worse than not moving: Ls ≥ Rs (no zugzwang).

As in the theory of games that the last move wins, these games form a partially ordered group,
and each has one simplest form. `Value` is that form; see docs/scoring-games.md.

>>> from topple.solvers.scoring import game, number, parse
>>> hot = game([3], [game([-1], [-5])])
>>> hot is parse("{3|{-1|-5}}"), hot.left_stop, hot.right_stop
(True, 3, -1)
"""

from topple.solvers.scoring.drawing import draw, plot_thermograph, sketch
from topple.solvers.scoring.recursion import value_of
from topple.solvers.scoring.text import parse
from topple.solvers.scoring.thermograph import Thermograph, Wall
from topple.solvers.scoring.value import Value, game, number

__all__ = [
    "Thermograph",
    "Value",
    "Wall",
    "draw",
    "game",
    "number",
    "parse",
    "plot_thermograph",
    "sketch",
    "value_of",
]
