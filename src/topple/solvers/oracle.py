"""Oracle: the exact value of every move in a position."""

from dataclasses import replace
from time import perf_counter

from topple.core.errors import Unsupported
from topple.core.stopping import Stop
from topple.game import Game, Position
from topple.solvers import MEMORY, Solution, Solver, advance_until, solver_for

MOST_SOLUTIONS = 10_000  # cached in addition to what the solver remembers


class Oracle:
    """The exact value of every move, in any position of one game on its board.

    One solver answers all questions, so that what it proves for one position
    helps with the next.

    Parameters
    ----------
    game : Game
        The game on its board.
    memory : int
        Megabytes for what the solver remembers.
    time : float, optional
        Seconds for each position. Without a limit, positions that are too large
        are refused.

    Raises
    ------
    Unsupported
        If the game is not for two players or has chance.

    Examples
    --------
    >>> import topple
    >>> game = topple.load("hex", board="hex:2")
    >>> solution = Oracle(game).judge(game.start())
    >>> solution.value, [game.move_text(move) for move in solution.best_moves]
    (Bounds(least=1, most=1), ['b1', 'a2'])
    """

    def __init__(self, game: Game, memory: int = MEMORY, time: float | None = None) -> None:
        self.game, self.memory, self.time = game, memory, time
        self.solver: Solver = solver_for(game, memory)
        self._is_fresh = True  # the solver's memory is empty
        self._known: dict[bytes, Solution] = {}

    def check(self, position: Position | None = None) -> None:
        """Refuse a position, by default the first of the game, that is too large to solve.

        Raises
        ------
        Unsupported
            If it is; the message says what to do instead.
        """
        self.solver.check(self.game.start() if position is None else position)

    def warm(self) -> None:
        """Compile or load what is needed, before any clock runs."""
        self.solver.warm()

    def judge(self, position: Position, stop: Stop | None = None) -> Solution:
        """Solve a position and each of its moves.

        If a limit or `stop` ends the search early, some values are only bounds:
        see `is_settled`.

        Raises
        ------
        Unsupported
            If the position belongs to another game, or is too large and there is
            no time limit.
        """
        if position.game is not self.game and position.game != self.game:
            raise Unsupported(
                f"this oracle knows {self.game.spec} on {self.game.board.spec}, not "
                f"{position.game.spec} on {position.game.board.spec}"
            )
        key = position.state.tobytes()
        if key in self._known:
            return self._known[key]
        if self.time is None:
            self.check(position)
        self.warm()
        was_fresh = self._is_fresh
        solution = self._solve(position, stop)
        if solution.limit == "memory" and not is_settled(solution) and not was_fresh:
            # Earlier positions may have filled the memory: try again with an empty one.
            self.solver = solver_for(self.game, self.memory)
            solution = self._solve(position, stop)
        if is_settled(solution) or stop is None or not stop.is_set():
            self._keep(key, solution)
        return solution

    def _solve(self, position: Position, stop: Stop | None) -> Solution:
        self._is_fresh = False
        solving = self.solver.begin(position, each=True)
        deadline = None if self.time is None else perf_counter() + self.time
        if advance_until(solving, deadline, stop) or (stop is not None and stop.is_set()):
            return solving.solution()
        return replace(solving.solution(), limit="time")

    def _keep(self, key: bytes, solution: Solution) -> None:
        if len(self._known) >= MOST_SOLUTIONS:
            del self._known[next(iter(self._known))]
        self._known[key] = solution


def is_settled(solution: Solution) -> bool:
    """Whether the values of the position and of each of its moves are proven."""
    return solution.is_exact and all(each.value.is_exact for each in solution.moves)
