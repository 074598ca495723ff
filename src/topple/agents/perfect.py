"""perfect: exact play, using the solver that suits the game."""

from topple.agents.decision import DRAWN, LOST, WON, Candidate, Decision, Effort
from topple.agents.interface import TIME, Agent
from topple.agents.search import Search
from topple.compiling.specialise import Kernel
from topple.core.spec import Option
from topple.game import Game, Position
from topple.solvers import MEMORY, Bounds, Solver, find_solver, solver_for


class Perfect(Agent):
    """Exact play."""

    NAME = "perfect"
    SUMMARY = "plays exactly: solves the position, or as much of it as the limits allow"
    OPTIONS = (
        Option("nodes", None, int, "positions to look at for each move", least=1, most=10**12),
        TIME,
        Option("memory", MEMORY, int, "megabytes for what is proven", least=1, most=1 << 20),
    )
    MOST_PLAYERS = 2

    def check_game(self, game: Game) -> None:
        """Refuse a game that cannot be solved, unless a limit ends the attempt.

        Some boards are too large even to begin.
        """
        super().check_game(game)
        solver = solver_for(game, memory=1)
        if self.options["nodes"] is None and self.options["time"] is None:
            solver.check(game.start())
        else:
            solver.begin(game.start())

    def kernels(self, game: Game) -> tuple[Kernel, ...]:
        """The kernels of the game's solver."""
        return find_solver(game).KERNELS

    def rehearse(self, game: Game) -> None:
        """Let the solver call its kernels."""
        solver_for(game, memory=1).rehearse()

    def search(self, position: Position, seed: int, memory: object = None) -> "PerfectSearch":
        """Begin to solve a position; the seed is not used."""
        if not isinstance(memory, Solver) or memory.game != position.game:
            memory = solver_for(position.game, self.options["memory"])
        return PerfectSearch(memory, position, self.options["nodes"])


class PerfectSearch(Search):
    """A position being solved, using what was proven at earlier moves of the game."""

    def __init__(self, solver: Solver, position: Position, nodes: int | None) -> None:
        self.solver, self.position, self.nodes_left = solver, position, nodes
        self.most_nodes = nodes
        self.solving = solver.begin(position)

    @property
    def is_done(self) -> bool:
        """Whether all best moves are proven, or a limit is reached."""
        return self.solving.is_done or self.nodes_left == 0

    def advance(self, n: int) -> None:
        """Look at about n more positions."""
        if self.most_nodes is None or self.nodes_left is None:
            self.solving.advance(n)
            return
        self.solving.advance(min(n, self.nodes_left))
        self.nodes_left = max(self.most_nodes - self.solving.solution().n_nodes, 0)

    def decision(self) -> Decision:
        """The first of the best moves, or of those that may be best."""
        solution = self.solving.solution()
        # Certain values come first: a proven draw before a move that may win or lose.
        moves = sorted(solution.moves, key=lambda each: (-each.value.least, -each.value.most))
        candidates = tuple(
            Candidate(
                each.move,
                float(each.value.most),
                exact=each.value.is_exact,
                proven=proven_of(each.value),
            )
            for each in moves
        )
        best = candidates[0]
        return Decision(
            move=best.move,
            value=best.value,
            candidates=candidates,
            variation=solution.line if best.move in solution.line[:1] else (best.move,),
            effort=Effort(nodes=solution.n_nodes),
            proven=best.proven,  # of the move: the winner may be known before a winning move is
        )

    def memory(self) -> object:
        """All that is proven so far, unless the memory is full."""
        return None if self.solving.solution().limit == "memory" else self.solver


def proven_of(value: Bounds) -> str | None:
    """What bounds of a value prove for the player to move.

    >>> proven_of(Bounds(0, 0)), proven_of(Bounds(-3, -1)), proven_of(Bounds(0, 1))
    ('drawn', 'lost', None)
    """
    if value.least > 0:
        return WON
    if value.most < 0:
        return LOST
    return DRAWN if value == Bounds(0, 0) else None
