"""SegmentSolving: one position being solved, question by question."""

from collections.abc import Generator

from topple.core.errors import BadText
from topple.game.position import Position
from topple.solvers.segments.layout import Chain
from topple.solvers.segments.pieces import LARGEST_SCORE
from topple.solvers.segments.prover import CONTRADICTION, Inquiry, Prover, Work
from topple.solvers.segments.sums import Choice, SumSeen
from topple.solvers.solution import POINTS, Bounds, MoveValue, Scores, Solution
from topple.solvers.solver import Progress, Solving


class SegmentSolving(Solving):
    """Settles single segments first, then the position, each move, and a line of best play.

    Nothing is kept here but the line: what is proven is what the prover knows.
    """

    def __init__(
        self, prover: Prover, chains: list[Chain], position: Position, *, each: bool, scores: bool
    ) -> None:
        self.prover, self.chains = prover, chains
        self.each, self.with_scores = each, scores
        self.seen = SumSeen(prover, chains, position)
        self.limit = "size" if self.seen.is_vast else None
        self.line: list[int] = []
        self._is_done = self.seen.is_vast
        self._n_answered = 0
        self._what = ""
        if not self.seen.is_vast:
            # A move on one of two pieces that cancel leaves the other: count all that is there.
            self.inquiry = Inquiry(prover, self.seen.n_in_pieces)
            self._settled_before = min(prover.n_settled, self.seen.needs)
            self._work = self._run()

    @property
    def is_done(self) -> bool:
        """Whether all that was asked is proven, or the memory is full."""
        return self._is_done

    def advance(self, n: int) -> None:
        """Look at about n more positions."""
        if not self._is_done:
            self._is_done, self.limit = self.inquiry.carry_on(self._work, n)

    def _run(self) -> Work:
        """Everything that is asked, in order."""
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
        for choice, vertex in self._kinds().items():
            self._what = seen.position.game.move_text(vertex)
            if self.each:
                yield from inquiry.right_score(choice.rest)
            else:
                yield from inquiry.right_at_least(choice.rest, value - choice.gain)
            self._n_answered += 1
        self._what = "line"
        yield from self._find_line(seen.points + value)
        self._n_answered += 1

    def _kinds(self) -> dict[Choice, int]:
        """Every kind of move, with one such move."""
        return {choice: vertex for vertex, choice in self.seen.choices.items()}

    # -- a line of best play ---------------------------------------------------------------------

    def _find_line(self, lead: int) -> Work:
        """Play a best move for either side until the game is over."""
        position, seen = self.seen.position, self.seen
        while not position.is_over:
            move = yield from self._best_move(seen, lead - seen.points)
            if move is None:
                raise BadText(CONTRADICTION)
            self.line.append(move)
            before, position = position.player, position.play(move)
            lead = lead if position.player == before else -lead
            seen = SumSeen(self.prover, self.chains, position)

    def _best_move(self, seen: SumSeen, value: int) -> Generator[None, None, int | None]:
        """A move that reaches the value: one that is known to, else the first that is found to."""
        kinds = {choice: vertex for vertex, choice in reversed(seen.choices.items())}
        for vertex, choice in seen.choices.items():
            if choice.gain + self.inquiry.right_bounds(choice.rest).least >= value:
                return vertex
        for choice in sorted(kinds, key=lambda each: -each.gain):
            if (yield from self.inquiry.right_at_least(choice.rest, value - choice.gain)):
                return kinds[choice]
        return None

    # -- what is proven --------------------------------------------------------------------------

    def progress(self) -> Progress:
        """How far it is."""
        if self.seen.is_vast:
            return Progress(0, 1, "")
        needed = self.seen.needs - self._settled_before
        settled = min(self.prover.n_settled, self.seen.needs) - self._settled_before
        total = needed + 1 + self.with_scores + len(self._kinds()) + 1
        return Progress(settled + self._n_answered, total, self._what)

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
        """What is known of Ls and Rs of the sum, as the player to move sees it."""
        seen = self.seen
        if seen.is_vast:
            return seen.vast_bounds()
        least, most = self.inquiry.bounds(seen.sum)
        for choice in self._kinds():
            least = max(least, choice.gain + self.inquiry.right_bounds(choice.rest).least)
        right_least, right_most = self.inquiry.right_bounds(seen.sum)
        if seen.sum == self.prover.negative(seen.sum):
            least, most = max(least, -right_most), min(most, -right_least)
            right_least, right_most = -most, -least
        # Nobody is worse off for moving first.
        least, right_most = max(least, right_least), min(right_most, most)
        return Bounds(least, max(least, most)), Bounds(right_least, max(right_least, right_most))

    def _scores(self, left: Bounds, right: Bounds) -> Scores:
        """Ls and Rs of what is there, which Left sees as it is and Right mirrored."""
        seen = self.seen
        left, right = left.shifted(seen.singles), right.shifted(seen.singles)
        if seen.position.player == 1:
            left, right = -right, -left
        return Scores(seen.n_vertices, left, right)

    def _move_values(self, value: Bounds) -> tuple[MoveValue, ...]:
        """What is known of every legal move: best first, then by number."""
        seen = self.seen
        if seen.is_vast:
            # A move leaves one piece more at most.
            worst = seen.points - seen.vast_bounds()[0].most - 2 * LARGEST_SCORE
            legal = seen.position.legal_moves()
            found = [MoveValue(move, Bounds(worst, value.most)) for move in legal]
        else:
            known = {choice: self._choice_value(choice, value) for choice in self._kinds()}
            found = [MoveValue(move, known[choice]) for move, choice in seen.choices.items()]
        return tuple(
            sorted(found, key=lambda each: (-each.value.least, -each.value.most, each.move))
        )

    def _choice_value(self, choice: Choice, value: Bounds) -> Bounds:
        """What is known of a kind of move, which is worth no more than the position."""
        least, most = self.inquiry.right_bounds(choice.rest).shifted(choice.gain + self.seen.points)
        return Bounds(least, max(least, min(most, value.most)))
