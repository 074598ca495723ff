"""INFLUENCE on any digraph, solved as a sum of parts."""

from typing import ClassVar

from topple.boards import load_board
from topple.compiling.specialise import Kernel
from topple.core.errors import Unsupported
from topple.evaluations.influence import MOST_VERTICES
from topple.game.game import Game
from topple.game.position import Position
from topple.rules import influence as rules
from topple.solvers.influence.memory import N_SUMS
from topple.solvers.influence.reach import Digraph, Reduced
from topple.solvers.influence.solving import InfluenceSolving
from topple.solvers.influence.space import KERNELS, Space
from topple.solvers.influence.sums import index_again
from topple.solvers.solver import MEGABYTE, MEMORY, Arrays, Solver

MOST_REDUCED = 1280  # vertices of the bipartite graph: more, and a single node takes many seconds

# A part that is larger, and in which many vertices are different, may take hours or more.
FEASIBLE, FEW = 128, 60
AGENT = "ask an agent (topple analyse)"


class InfluenceSolver(Solver):
    """Exact play of INFLUENCE on any digraph.

    Only which L vertex reaches which R vertex matters, so a position is reduced to a
    bipartite graph. That falls into parts, which are played as a sum. Parts that look alike
    are one kind, opposite ones cancel, and what is proven of a part holds wherever it occurs.

    References
    ----------
    Sections 2 and 3 of the INFLUENCE paper.

    Examples
    --------
    >>> import topple
    >>> from topple.solvers import advance_until
    >>> game = topple.load("influence", board="segment:5p+17p")
    >>> solving = InfluenceSolver(game).begin(game.start(), scores=True)
    >>> advance_until(solving)
    True
    >>> solving.solution().scores.left
    Bounds(least=6, most=6)
    """

    NAME = "influence"
    KERNELS: ClassVar[tuple[Kernel, ...]] = KERNELS
    HAS_SCORES = True

    def __init__(self, game: Game, memory: int = MEMORY) -> None:
        super().__init__(game, memory)
        self._digraph: Digraph | None = None
        self._space: Space | None = None

    @classmethod
    def suits(cls, game: Game) -> bool:
        """INFLUENCE, on any board."""
        return game.name == rules.NAME

    @property
    def digraph(self) -> Digraph:
        """The board as bits.

        Raises
        ------
        Unsupported
            If it is too large for that.
        """
        if self._digraph is None:
            n = self.game.board.n_vertices
            if n > MOST_VERTICES:
                raise Unsupported(f"exact play of INFLUENCE is for boards of up to "
                                  f"{MOST_VERTICES:,} vertices, and {self.game.board.spec} has "
                                  f"{n:,}: {AGENT}")  # fmt: skip
            self._digraph = Digraph(self.game.board)
        return self._digraph

    @property
    def space(self) -> Space:
        """Where positions of the game are searched."""
        if self._space is None:
            everything, _ = self.digraph.relevant((1 << self.digraph.n) - 1)
            self._space = self._make_space(everything)
        return self._space

    def _make_space(self, relevant: int) -> Space:
        reduced = Reduced(self.digraph, relevant)
        if reduced.n > MOST_REDUCED:
            raise Unsupported(f"exact play of INFLUENCE is for up to {MOST_REDUCED:,} vertices "
                              f"without forced ones and with like ones merged, and "
                              f"{self.game.board.spec} has {reduced.n:,}: {AGENT}")  # fmt: skip
        return Space(self.game, reduced, self.memory * MEGABYTE)

    def _space_of(self, position: Position) -> Space:
        """The space that a position is in: one of its own, if play does not lead to it."""
        relevant, _ = self.digraph.relevant(self.digraph.there(position))
        return (
            self._make_space(relevant) if self.space.reduced.mask(relevant) is None else self.space
        )

    def check(self, position: Position) -> None:
        """Refuse a position with a large part in which many vertices are different.

        Raises
        ------
        Unsupported
            If there is one, saying how large is feasible and what to do instead.
        """
        super().check(position)
        space = self._space_of(position)
        relevant, _ = self.digraph.relevant(self.digraph.there(position))
        n = space.reduced.largest_irregular(relevant, FEW)
        if n > FEASIBLE:
            raise Unsupported(f"{self.game.board.spec} leaves {n} vertices that hang together, and "
                              f"about {FEASIBLE} can be solved exactly: set a time limit for "
                              f"bounds, or {AGENT}")  # fmt: skip

    def begin(
        self, position: Position, *, each: bool = False, scores: bool = False
    ) -> InfluenceSolving:
        """Begin to solve a position that is not over.

        Raises
        ------
        Unsupported
            If the board is too large even for bounds.
        """
        return InfluenceSolving(
            self.digraph, self._space_of(position), position, each=each, scores=scores
        )

    def rehearse(self) -> None:
        """Call every kernel once, on a small board of the same game."""
        game = Game(self.game.rules, load_board("segment:5+4"), {}, self.game.kernels.compiled)
        small = InfluenceSolver(game)
        small.begin(game.start()).advance(1)
        game.run(index_again, small.space.memory, N_SUMS)

    def table(self) -> Arrays:
        """All that is proven of parts and sums of the board."""
        return self.space.table()

    def restore(self, arrays: Arrays) -> None:
        """Remember what a solver on the same board had in its table.

        Raises
        ------
        BadText
            If the arrays are no such table, or need more memory than allowed.
        """
        everything, _ = self.digraph.relevant((1 << self.digraph.n) - 1)
        space = self._make_space(everything)
        space.restore(arrays)
        self._space = space
