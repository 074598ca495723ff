"""SegmentSolver: INFLUENCE on sums of alternated segments and rings, exactly."""

from typing import ClassVar

import numpy as np

from topple.compiling.specialise import Kernel
from topple.core.errors import BadText, Unsupported
from topple.game.game import Game
from topple.game.position import Position
from topple.rules import influence
from topple.solvers.segments.heat import heat_piece, settle_piece
from topple.solvers.segments.layout import find_chains
from topple.solvers.segments.prover import MOST_VERTICES, Inquiry, Prover
from topple.solvers.segments.search import look, prove
from topple.solvers.segments.solving import SegmentSolving
from topple.solvers.segments.sums import SumSeen
from topple.solvers.segments.table import CROWDED, NOTE, are_entries, copy_entries, make_table
from topple.solvers.solver import MEMORY, Arrays, Solver

FEASIBLE = 200  # vertices that are left when pairs are cancelled
DAMAGED = "the table of sums of segments is damaged: solve without it"
REHEARSED = 16  # the shortest segment that takes a search


class SegmentSolver(Solver):
    """Solves INFLUENCE where the board falls into alternated segments and rings.

    Parameters
    ----------
    game : Game
        The game on its board.
    memory : int
        Megabytes for what is remembered.
    trusting : bool
        Whether Theorem 20 bounds what is not searched yet. It decides nothing
        that search would not find.

    Examples
    --------
    >>> import topple
    >>> game = topple.load("influence", "segment:10+17")
    >>> solving = SegmentSolver(game).begin(game.start(), scores=True)
    >>> while not solving.is_done:
    ...     solving.advance(1000)
    >>> solving.solution().scores.left
    Bounds(least=-1, most=-1)
    """

    NAME = "segments"
    KERNELS: ClassVar[tuple[Kernel, ...]] = (heat_piece, settle_piece, look, prove, copy_entries)
    HAS_SCORES = True

    def __init__(self, game: Game, memory: int = MEMORY, *, trusting: bool = True) -> None:
        super().__init__(game, memory)
        self.chains = find_chains(game.board) or []
        longest = max((len(chain.vertices) for chain in self.chains), default=1)
        self.prover = Prover(game.run, min(longest, MOST_VERTICES), memory, trusting=trusting)

    @classmethod
    def suits(cls, game: Game) -> bool:
        """Whether it is INFLUENCE, and every component an alternated path or cycle."""
        return game.rules is influence and find_chains(game.board) is not None

    def check(self, position: Position) -> None:
        """Refuse a sum of too many vertices."""
        super().check(position)
        seen = SumSeen(self.prover, self.chains, position)
        n = seen.n_in_pieces if seen.is_vast else seen.hardest
        if n > FEASIBLE:
            raise Unsupported(
                f"{n:,} vertices are left to solve on {self.game.board.spec:.40}, and about "
                f"{FEASIBLE} are feasible: set a time limit for bounds, or let an agent play"
            )

    def begin(
        self, position: Position, *, each: bool = False, scores: bool = False
    ) -> SegmentSolving:
        """Begin to solve a position that is not over."""
        return SegmentSolving(self.prover, self.chains, position, each=each, scores=scores)

    def rehearse(self) -> None:
        """Call every kernel once: settle a few segments, and let a table grow."""
        small = Prover(self.game.run, REHEARSED, memory=1)
        inquiry = Inquiry(small, REHEARSED)
        for _ in inquiry.settle(REHEARSED):
            inquiry.granted = 1 << 20
        small.grow()

    def table(self) -> Arrays:
        """The sums in the table, without gaps."""
        entries = self.prover.table.entries
        return {"entries": entries[entries[:, NOTE] != 0]}

    def restore(self, arrays: Arrays) -> None:
        """Remember the sums of a table."""
        entries = arrays.get("entries")
        if set(arrays) != {"entries"} or not are_entries(entries):
            raise BadText(DAMAGED)
        assert isinstance(entries, np.ndarray)
        slots = self.prover.room_for(len(entries))
        if not slots:
            raise BadText(
                f"a table of {len(entries):,} positions needs more than {self.memory} megabytes: "
                "allow more memory"
            )
        table = make_table(slots)
        if self.game.run(copy_entries, np.array(entries), table) == CROWDED:
            raise BadText(DAMAGED)
        self.prover.table = table
