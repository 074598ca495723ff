"""SegmentSolver: INFLUENCE on sums of alternated segments and rings, exactly."""

from collections.abc import Generator
from typing import ClassVar

import numpy as np

from topple.compiling.specialise import Kernel
from topple.core.errors import BadText, Unsupported
from topple.game import Game, Position
from topple.rules import influence
from topple.solvers.segments.heat import heat_piece, settle_piece
from topple.solvers.segments.pieces import LARGEST_SCORE
from topple.solvers.segments.position_sum import Chain, MoveKind, PositionSum, find_chains
from topple.solvers.segments.prover import MOST_VERTICES, Inquiry, Prover, Work
from topple.solvers.segments.search import look, prove
from topple.solvers.segments.table import CROWDED, NOTE, are_entries, copy_entries, make_table
from topple.solvers.solution import POINTS, Bounds, MoveValue, Scores, Solution, best_first
from topple.solvers.solver import CONTRADICTION, MEMORY, Arrays, Solver, Solving, SolvingProgress


class SegmentSolving(Solving):
    """Settles single segments first, then the position, each move, and a line of best play.

    Only the line is stored here; everything else that is proven is in the prover.
    """

    def __init__(
        self, prover: Prover, chains: list[Chain], position: Position, *, each: bool, scores: bool
    ) -> None:
        self.prover, self.chains = prover, chains
        self.each, self.with_scores = each, scores
        self.seen = PositionSum(prover, chains, position)
        self.limit = "size" if self.seen.is_vast else None
        self.line: list[int] = []
        self._is_done = self.seen.is_vast
        self._n_answered = 0
        self._what = ""
        if not self.seen.is_vast:
            # A move on one of two pieces that cancel leaves the other, so count both.
            self.inquiry = Inquiry(prover, self.seen.n_in_pieces)
            self._settled_before = min(prover.n_settled, self.seen.needs)
            self._work = self._run()

    @property
    def is_done(self) -> bool:
        """Whether everything asked is proven, or the memory is full."""
        return self._is_done

    def advance(self, n: int) -> None:
        """Visit about n more positions."""
        if not self._is_done:
            self._is_done, self.limit = self.inquiry.advance(self._work, n)

    def _run(self) -> Work:
        """Ask all questions in order."""
        inquiry, seen = self.inquiry, self.seen
        while self.prover.n_settled < seen.needs:
            self._what = f"segment {self.prover.n_settled + 1}"
            yield from inquiry.settle_next()
        self._what = "value"
        value = yield from inquiry.left_score(seen.sum)
        self._n_answered += 1
        if self.with_scores:
            self._what = "value if the other begins"
            yield from inquiry.right_score(seen.sum)
            self._n_answered += 1
        for kind, vertex in self._kinds().items():
            self._what = seen.position.game.move_text(vertex)
            if self.each:
                yield from inquiry.right_score(kind.rest)
            else:
                yield from inquiry.right_at_least(kind.rest, value - kind.gain)
            self._n_answered += 1
        self._what = "line"
        yield from self._find_line(seen.points + value)
        self._n_answered += 1

    def _kinds(self) -> dict[MoveKind, int]:
        """Every kind of move, with one such move."""
        return {kind: vertex for vertex, kind in self.seen.kinds.items()}

    # -- a line of best play ---------------------------------------------------------------------

    def _find_line(self, lead: int) -> Work:
        """Append best moves of both sides to the line until the game is over."""
        position, seen = self.seen.position, self.seen
        while not position.is_over:
            move = yield from self._best_move(seen, lead - seen.points)
            if move is None:
                raise BadText(CONTRADICTION)
            self.line.append(move)
            before, position = position.player, position.play(move)
            lead = lead if position.player == before else -lead
            seen = PositionSum(self.prover, self.chains, position)

    def _best_move(self, seen: PositionSum, value: int) -> Generator[None, None, int | None]:
        """A move that reaches the value: a known one if possible, else the first one found."""
        vertices = {kind: vertex for vertex, kind in reversed(seen.kinds.items())}
        for vertex, kind in seen.kinds.items():
            if kind.gain + self.inquiry.right_bounds(kind.rest).least >= value:
                return vertex
        for kind in sorted(vertices, key=lambda each: -each.gain):
            if (yield from self.inquiry.right_at_least(kind.rest, value - kind.gain)):
                return vertices[kind]
        return None

    # -- what is proven --------------------------------------------------------------------------

    def progress(self) -> SolvingProgress:
        """How many of the questions are settled."""
        if self.seen.is_vast:
            return SolvingProgress(0, 1, "")
        needed = self.seen.needs - self._settled_before
        settled = min(self.prover.n_settled, self.seen.needs) - self._settled_before
        total = needed + 1 + self.with_scores + len(self._kinds()) + 1
        return SolvingProgress(settled + self._n_answered, total, self._what)

    def solution(self) -> Solution:
        """What is proven so far."""
        seen = self.seen
        left, right = self._both_scores()
        value = left.shifted(seen.points)
        return Solution(
            position=seen.position,
            unit=POINTS,
            value=value,
            moves=self._move_values(value),
            line=tuple(self.line),
            n_positions=self.prover.n_positions,
            n_nodes=0 if seen.is_vast else self.inquiry.n_nodes,
            limit=self.limit,
            scores=self._scores(left, right) if self.with_scores else None,
        )

    def _both_scores(self) -> tuple[Bounds, Bounds]:
        """The bounds of Ls and Rs of the sum, seen by the player to move."""
        seen = self.seen
        if seen.is_vast:
            return seen.vast_bounds()
        least, most = self.inquiry.bounds(seen.sum)
        for kind in self._kinds():
            least = max(least, kind.gain + self.inquiry.right_bounds(kind.rest).least)
        right_least, right_most = self.inquiry.right_bounds(seen.sum)
        if seen.sum == self.prover.negative(seen.sum):
            least, most = max(least, -right_most), min(most, -right_least)
            right_least, right_most = -most, -least
        # Moving first is never worse.
        least, right_most = max(least, right_least), min(right_most, most)
        return Bounds(least, max(least, most)), Bounds(right_least, max(right_least, right_most))

    def _scores(self, left: Bounds, right: Bounds) -> Scores:
        """Ls and Rs of what is on the board, which are mirrored if Right is to move."""
        seen = self.seen
        left, right = left.shifted(seen.singles), right.shifted(seen.singles)
        if seen.position.player == 1:
            left, right = -right, -left
        return Scores(seen.n_vertices, left, right)

    def _move_values(self, value: Bounds) -> tuple[MoveValue, ...]:
        """The bounds of every legal move, best first."""
        seen = self.seen
        if seen.is_vast:
            # A move increases the number of pieces by at most one.
            worst = seen.points - seen.vast_bounds()[0].most - 2 * LARGEST_SCORE
            legal = seen.position.legal_moves()
            found = [MoveValue(move, Bounds(worst, value.most)) for move in legal]
        else:
            known = {kind: self._kind_value(kind, value) for kind in self._kinds()}
            found = [MoveValue(move, known[kind]) for move, kind in seen.kinds.items()]
        return best_first(found)

    def _kind_value(self, kind: MoveKind, value: Bounds) -> Bounds:
        """The bounds of a kind of move, which is worth no more than the position."""
        least, most = self.inquiry.right_bounds(kind.rest).shifted(kind.gain + self.seen.points)
        return Bounds(least, max(least, min(most, value.most)))


FEASIBLE = 200  # vertices that remain after pairs are cancelled
DAMAGED = "the table of sums of segments is damaged: solve without it"
REHEARSED = 16  # the length of the shortest segment that needs a search


class SegmentSolver(Solver):
    """Solves INFLUENCE on boards that consist of alternated segments and rings.

    If it is `trusting`, the bounds of Theorem 20 are used before anything is searched. They
    save work, but search would find them too.

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
        """Whether the game is INFLUENCE and every component is an alternated path or cycle."""
        return game.rules is influence and find_chains(game.board) is not None

    def check(self, position: Position) -> None:
        """Refuse a sum with too many vertices."""
        super().check(position)
        seen = PositionSum(self.prover, self.chains, position)
        n = seen.n_in_pieces if seen.is_vast else seen.hardest
        if n > FEASIBLE:
            raise Unsupported(
                f"{n:,} vertices remain to be solved on {self.game.board.spec:.40}, and about "
                f"{FEASIBLE} are feasible: set a time limit for bounds, or let an agent play"
            )

    def begin(
        self, position: Position, *, each: bool = False, scores: bool = False
    ) -> SegmentSolving:
        """Begin to solve a position that is not over."""
        return SegmentSolving(self.prover, self.chains, position, each=each, scores=scores)

    def rehearse(self) -> None:
        """Call every kernel once: settle a few segments, then let the table grow."""
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
        """Take over the sums of another table."""
        entries = arrays.get("entries")
        if set(arrays) != {"entries"} or not are_entries(entries):
            raise BadText(DAMAGED)
        assert isinstance(entries, np.ndarray)
        slots = self.prover.n_slots_for(len(entries))
        if not slots:
            raise BadText(
                f"a table of {len(entries):,} positions needs more than {self.memory} megabytes: "
                "allow more memory"
            )
        table = make_table(slots)
        if self.game.run(copy_entries, np.array(entries), table) == CROWDED:
            raise BadText(DAMAGED)
        self.prover.table = table
