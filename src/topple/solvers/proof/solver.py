"""ProofSolver: small boards of every game for two players, by proof of each move's result."""

from topple.core.errors import IllegalMove
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels.proof.search import prove
from topple.kernels.proof.table import copy_entries, look_up, store_position
from topple.solvers.proof.feasible import check_size
from topple.solvers.proof.memory import ProofMemory
from topple.solvers.proof.solving import ProofSolving
from topple.solvers.solution import Bounds
from topple.solvers.solver import MEMORY, Arrays, Solver


class ProofSolver(Solver):
    """Proof by alpha-beta with a table that forgets nothing.

    Parameters
    ----------
    game : Game
        Any game for two players.
    memory : int
        Megabytes for the table.
    symmetric : bool
        Whether positions that are the same but for a symmetry share an entry.

    Examples
    --------
    >>> import topple
    >>> from topple.solvers import advance_until
    >>> game = topple.load("chain-reaction", board="grid:2x3")
    >>> solving = ProofSolver(game).begin(game.start())
    >>> advance_until(solving)
    True
    >>> solving.solution().value
    Bounds(least=1, most=1)
    """

    NAME = "proof"
    KERNELS = (prove, look_up, store_position, copy_entries)

    def __init__(self, game: Game, memory: int = MEMORY, *, symmetric: bool = True) -> None:
        super().__init__(game, memory)
        self.proven = ProofMemory(game, memory, symmetric)

    @classmethod
    def suits(cls, game: Game) -> bool:
        """All games suit; those for more than two are refused when a search begins."""
        return True

    def check(self, position: Position) -> None:
        """Refuse a position of a game that is known here and too large."""
        super().check(position)
        check_size(position)

    def begin(
        self, position: Position, *, each: bool = False, scores: bool = False
    ) -> ProofSolving:
        """Begin to solve a position; a game of results has no Ls and Rs.

        Raises
        ------
        IllegalMove
            If the game is over.
        Unsupported
            If more than two play.
        """
        if position.is_over:
            raise IllegalMove(f"the game is over: {position.result_text()}")
        Solver.check(self, position)
        return ProofSolving(self.proven, position, each)

    def rehearse(self) -> None:
        """Call every kernel once."""
        start = self.game.start()
        other = ProofSolver(self.game, memory=1)
        solving = other.begin(start)
        solving.advance(len(solving.moves) + 1)
        other.proven.note(start, Bounds(-1, 1))
        other.restore(other.table())

    def table(self) -> Arrays:
        """All entries, one after the other."""
        return self.proven.arrays()

    def restore(self, arrays: Arrays) -> None:
        """Remember what another solver had proven."""
        self.proven.restore(arrays)
