"""Exact play: each way of solving in a file of its own, found by the game it suits."""

from dataclasses import replace
from importlib import import_module
from time import perf_counter

from topple.game import Game
from topple.position import Position
from topple.solvers.solution import POINTS, RESULT, Bounds, MoveValue, Scores, Solution
from topple.solvers.solver import (
    MEMORY,
    Progress,
    Solver,
    Solving,
    advance_until,
)

__all__ = [
    "MEMORY", "POINTS", "RESULT", "Bounds", "MoveValue", "Progress", "Scores", "Solution",
    "Solver", "Solving", "advance_until", "find_solver", "solve", "solver_for",
]  # fmt: skip

# The first one that suits a game solves it; the last one suits all.
_classes: list[str] = ["topple.solvers.influence:InfluenceSolver"]


def find_solver(game: Game) -> type[Solver]:
    """The class of the solver that suits a game."""
    for home in _classes:
        module, _, name = home.partition(":")
        found: type[Solver] = getattr(import_module(module), name)
        if found.suits(game):
            return found
    raise AssertionError("the last solver suits every game")


def solver_for(game: Game, memory: int = MEMORY) -> Solver:
    """The solver that suits a game, with nothing in its memory."""
    return find_solver(game)(game, memory)


def solve(
    position: Position,
    *,
    each: bool = False,
    scores: bool = False,
    time: float | None = None,
    memory: int = MEMORY,
) -> Solution:
    """Solve a position.

    Parameters
    ----------
    position : Position
        One that is not over.
    each : bool
        Whether to find the exact value of every move, not of the best alone.
    scores : bool
        Whether to find INFLUENCE's Ls and Rs as well.
    time : float, optional
        Seconds after which to stop with the bounds that are proven by then.
    memory : int
        Megabytes for what is remembered.

    Raises
    ------
    Unsupported
        If the position is too large for an exact answer and there is no time limit.
    """
    solver = solver_for(position.game, memory)
    if time is None:
        solver.check(position)
    solver.warm()
    solving = solver.begin(position, each=each, scores=scores)
    if advance_until(solving, None if time is None else perf_counter() + time):
        return solving.solution()
    return replace(solving.solution(), limit="time")
