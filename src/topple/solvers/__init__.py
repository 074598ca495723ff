"""Exact play: solvers prove what positions are worth.

`solve` picks the solver that suits a game. There is one folder for each kind of solver, and
`scoring` computes values of scoring games. Further modules judge moves (`oracle`, `regret`) and
store what a solver has proven (`checkpoint`).
"""

from dataclasses import replace
from importlib import import_module
from time import perf_counter

from topple.core.errors import BadText, Unsupported
from topple.game import Game, Position
from topple.solvers.solution import POINTS, RESULT, Bounds, MoveValue, Scores, Solution
from topple.solvers.solver import (
    MEMORY,
    Solver,
    Solving,
    SolvingProgress,
    advance_until,
)

__all__ = [
    "MEMORY",
    "POINTS",
    "RESULT",
    "Bounds",
    "MoveValue",
    "Scores",
    "Solution",
    "Solver",
    "Solving",
    "SolvingProgress",
    "advance_until",
    "check_solvable",
    "find_solver",
    "solve",
    "solver_for",
    "suitable_solvers",
    "why_unsolvable",
]

# The first solver that suits a game solves it; the last one suits every game.
_classes: list[str] = [
    "topple.solvers.segments.solver:SegmentSolver",
    "topple.solvers.influence.solver:InfluenceSolver",
    "topple.solvers.hex.solver:HexSolver",
    "topple.solvers.proof.solver:ProofSolver",
]


def why_unsolvable(game: Game) -> str | None:
    """Why no position of a game can be solved exactly, in one line; None if some may be.

    >>> import topple
    >>> why_unsolvable(topple.load("spread-it", "path:4", players=3))
    'exact play is for 2 players, and spread-it:players=3 has 3'
    """
    if game.n_players > 2:
        return f"exact play is for 2 players, and {game.spec} has {game.n_players}"
    if game.has_chance:
        return (
            f"exact play is for games without chance, and {game.spec} on {game.board.spec} has it: "
            "ask an agent such as uct"
        )
    if game.options.get("foresight") == "none" and len(game.board.networks) > 1:
        return (
            f"exact play looks ahead to the end, and {game.spec} hides how {game.board.spec} will "
            "change: leave out foresight=none"
        )
    return None


def suitable_solvers(game: Game) -> list[type[Solver]]:
    """All solvers that suit a game, the preferred one first.

    Raises
    ------
    Unsupported
        If the game has more than two players or chance, or hides what comes.
    """
    if (why := why_unsolvable(game)) is not None:
        raise Unsupported(why)
    homes = [home.partition(":") for home in _classes]
    known: list[type[Solver]] = [getattr(import_module(home[0]), home[2]) for home in homes]
    return [each for each in known if each.suits(game)]


def find_solver(game: Game) -> type[Solver]:
    """The class of the solver that suits a game best.

    Raises
    ------
    Unsupported
        As for `suitable_solvers`.
    """
    return suitable_solvers(game)[0]  # the last one suits every game


def solver_for(game: Game, memory: int = MEMORY) -> Solver:
    """A new solver that suits a game, with an empty memory."""
    return find_solver(game)(game, memory)


def check_solvable(solver: Solver, position: Position, *, is_limited: bool = False) -> None:
    """Refuse a position that is over or too large to solve.

    Raises
    ------
    BadText
        If the game is over.
    Unsupported
        If the position is too large for an exact answer and the search has no limit.
    """
    if position.is_over:
        raise BadText(f"there is nothing to solve, the game is over: {position.result_text()}")
    if not is_limited:
        solver.check(position)


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
        A position that is not over.
    each : bool
        Whether to find the exact value of every move, not only of the best.
    scores : bool
        Whether to find Ls and Rs as well, in INFLUENCE.
    time : float, optional
        Seconds after which to stop and return the bounds proven so far.
    memory : int
        Megabytes for what the solver remembers.

    Raises
    ------
    BadText
        If the game is over.
    Unsupported
        If the position is too large for an exact answer and there is no time
        limit, or if the game is not for two players or has chance.

    Examples
    --------
    >>> import topple
    >>> game = topple.load("hex", board="hex:3")
    >>> solution = topple.solve(game.start(), each=True)
    >>> solution.value
    Bounds(least=1, most=1)
    >>> [game.move_text(move) for move in solution.best_moves]
    ['c1', 'a2', 'b2', 'c2', 'a3']
    """
    solver = solver_for(position.game, memory)
    check_solvable(solver, position, is_limited=time is not None)
    solver.warm()
    solving = solver.begin(position, each=each, scores=scores)
    if advance_until(solving, None if time is None else perf_counter() + time):
        return solving.solution()
    return replace(solving.solution(), limit="time")
