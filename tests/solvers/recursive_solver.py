"""A solver of plain recursion, for what stands on solvers: slow, and right on tiny boards."""

from functools import lru_cache

from topple.core.errors import BadText, Unsupported
from topple.game.game import Game
from topple.game.position import Position
from topple.solvers.solution import POINTS, RESULT, Bounds, MoveValue, Solution
from topple.solvers.solver import MEMORY, Arrays, Solver, Solving, SolvingProgress

MOST_VERTICES = 25


@lru_cache(maxsize=1_000_000)
def value_of(position: Position) -> int:
    """What a position is worth to its player to move, or to player 0 where it is over."""
    if position.is_over:
        outcome = position.outcome
        assert outcome is not None
        if position.game.name == "influence":
            assert outcome.leads is not None
            return outcome.leads[0]
        return 0 if outcome.winner is None else 1 - 2 * outcome.winner
    return max(value_of_move(position, move) for move in position.legal_moves())


def value_of_move(position: Position, move: int) -> int:
    """What a move is worth to the player who makes it."""
    after = position.play(move)
    seen_by = 0 if after.is_over else after.player
    return value_of(after) if seen_by == position.player else -value_of(after)


class PlainSolver(Solver):
    """Solves one move after another by recursion."""

    NAME = "plain"
    most_moves = 1_000_000  # that fit into the memory: the search is cut short behind them

    def __init__(self, game: Game, memory: int = MEMORY) -> None:
        super().__init__(game, memory)
        self.n_moves = 0

    @classmethod
    def suits(cls, game: Game) -> bool:
        """All of them."""
        return True

    def check(self, position: Position) -> None:
        """Refuse large boards."""
        super().check(position)
        if self.game.board.n_vertices > MOST_VERTICES:
            raise Unsupported(f"{self.game.board.spec} is too large for an exact answer: up to "
                              f"{MOST_VERTICES} vertices are feasible")  # fmt: skip

    def begin(self, position: Position, *, each: bool = False, scores: bool = False) -> Solving:
        """Begin with the first move."""
        return PlainSolving(self, position)

    def table(self) -> Arrays:
        """Nothing."""
        return {}

    def restore(self, arrays: Arrays) -> None:
        """Nothing."""
        if arrays:
            raise BadText("there is nothing to restore")


class PlainSolving(Solving):
    """A position whose moves are solved one by one."""

    def __init__(self, solver: PlainSolver, position: Position) -> None:
        self.solver, self.position = solver, position
        self.values: dict[int, int] = {}

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another move."""
        return self.solver.n_moves >= self.solver.most_moves

    @property
    def is_done(self) -> bool:
        """Whether each move is solved, or there is no more room."""
        return len(self.values) == len(self.position.legal_moves()) or self.is_full

    def advance(self, n: int) -> None:
        """Solve one more move."""
        move = self.position.legal_moves()[len(self.values)]
        self.values[move] = value_of_move(self.position, move)
        self.solver.n_moves += 1

    def solution(self) -> Solution:
        """What is proven."""
        game = self.position.game
        most = game.board.n_vertices if game.name == "influence" else 1
        moves = [
            MoveValue(move, Bounds(self.values[move], self.values[move]))
            if move in self.values
            else MoveValue(move, Bounds(-most, most))
            for move in self.position.legal_moves()
        ]
        moves.sort(key=lambda each: (-each.value.least, each.move))
        value = Bounds(moves[0].value.least, max(each.value.most for each in moves))
        unit = POINTS if game.name == "influence" else RESULT
        is_cut = len(self.values) < len(moves) and self.is_full
        return Solution(self.position, unit, value, tuple(moves), (), len(self.values),
                        len(self.values), "memory" if is_cut else None)  # fmt: skip

    def progress(self) -> SolvingProgress:
        """How many moves are solved."""
        return SolvingProgress(len(self.values), len(self.position.legal_moves()), "a move")
