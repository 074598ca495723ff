"""Scoring games: the values of games in which points are counted, as Milnor saw them.

Two players, Left and Right, move in turn until nobody can; then Left is ahead by a whole
number of points, or behind. Milnor's universe holds the games in which, at every moment,

- both players can move or neither can (the games are dicot), and
- nobody would rather not move: Ls ≥ Rs (no zugzwang).

There, as in the theory of games where the last move wins, every game has a negative, equal
games form a group with a partial order, and every game has one simplest form. `Value` is that
form; see docs/scoring-games.md.

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
    "Thermograph", "Value", "Wall", "draw", "game", "number", "parse", "plot_thermograph",
    "sketch", "value_of",
]  # fmt: skip
