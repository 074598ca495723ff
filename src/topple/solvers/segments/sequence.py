"""The score sequence of segments: Ls(S_n) and Rs(S_n) for n = 1, 2, 3, …

For odd n, S_n is the segment of C₋, as in section 4.3 of the paper.
"""

from typing import NamedTuple

from topple.core.errors import BadText
from topple.game.game import load
from topple.solvers.segments.prover import MOST_VERTICES, Inquiry
from topple.solvers.segments.solver import SegmentSolver
from topple.solvers.solution import Bounds, Scores
from topple.solvers.solver import MEMORY, SolvingProgress


class SegmentRow(NamedTuple):
    """The scores of one segment."""

    n: int
    left: int  # Ls
    right: int  # Rs


class SequenceSolving:
    """The sequence being computed, one segment after the other; it can be stopped at any time.

    Examples
    --------
    >>> sequence = SequenceSolving(9)
    >>> while not sequence.is_done:
    ...     sequence.advance(1000)
    >>> sequence.rows()[-2:]
    (SegmentRow(n=8, left=2, right=-2), SegmentRow(n=9, left=1, right=-3))
    """

    def __init__(self, last: int, memory: int = MEMORY, *, compiled: bool = True) -> None:
        if not 1 <= last <= MOST_VERTICES:
            raise BadText(
                f"the last segment must have between 1 and {MOST_VERTICES} vertices, not {last}"
            )
        self.last = last
        game = load("influence", f"segment:{last}", compiled=compiled)
        self.solver = SegmentSolver(game, memory)
        self.limit: str | None = None  # "memory" if that ended it
        self._inquiry = Inquiry(self.solver.prover, last)
        self._work = self._inquiry.settle(last)
        self._is_done = False

    @property
    def is_done(self) -> bool:
        """Whether all segments are solved, or the memory is full."""
        return self._is_done

    @property
    def n_nodes(self) -> int:
        """The number of positions visited."""
        return self._inquiry.n_nodes

    @property
    def n_positions(self) -> int:
        """The number of different positions in the table."""
        return self.solver.prover.n_positions

    def advance(self, n: int) -> None:
        """Visit about n more positions."""
        if not self._is_done:
            self._is_done, self.limit = self._inquiry.advance(self._work, n)

    def progress(self) -> SolvingProgress:
        """How many segments are solved."""
        done = min(self.solver.prover.n_settled, self.last)
        return SolvingProgress(done, self.last, f"segment {min(done + 1, self.last)}")

    def rows(self) -> tuple[SegmentRow, ...]:
        """The segments solved so far."""
        scores = self.solver.prover.scores[: self.last + 1]
        return tuple(SegmentRow(n, *both) for n, both in enumerate(scores) if n > 0)


def score_sequence(last: int, memory: int = MEMORY, *, compiled: bool = True) -> SequenceSolving:
    """Begin to compute Ls(S_n) and Rs(S_n) for n = 1 … last.

    >>> score_sequence(5).progress()
    SolvingProgress(done=1, total=5, what='segment 2')
    """
    return SequenceSolving(last, memory, compiled=compiled)


def segment_scores(n: int, sequence: SequenceSolving | None = None) -> Scores:
    """Ls(S_n) and Rs(S_n), with s1 and s2 of both players.

    Parameters
    ----------
    n : int
        The number of vertices; an odd segment is of C₋.
    sequence : SequenceSolving, optional
        A sequence that reaches n, whose results are used.

    Examples
    --------
    >>> segment_scores(21).right
    Bounds(least=-5, most=-5)
    """
    sequence = sequence or score_sequence(n)
    if n > sequence.last:
        raise BadText(f"the sequence ends at {sequence.last}, before {n}")
    while sequence.progress().done < n and not sequence.is_done:
        sequence.advance(1 << 16)
    if sequence.progress().done < n:
        raise BadText(f"{sequence.solver.memory} megabytes are not enough for segment {n}")
    row = sequence.rows()[n - 1]
    return Scores(n, Bounds(row.left, row.left), Bounds(row.right, row.right))
