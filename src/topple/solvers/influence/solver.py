"""InfluenceSolver: INFLUENCE on any digraph, solved as a sum of parts."""

from collections.abc import Generator
from typing import ClassVar, NamedTuple

from topple.boards import load_board
from topple.compiling.specialise import Kernel
from topple.core.errors import BadText, Unsupported
from topple.evaluations.influence import MOST_VERTICES
from topple.game import Game, Position
from topple.rules import influence as rules
from topple.rules.influence import POINTS as POINTS_AT
from topple.solvers.influence.memory import N_SUMS
from topple.solvers.influence.reach import Digraph, Reduced
from topple.solvers.influence.search import (
    ANSWER,
    ASK,
    FINISHED,
    N_PARTS,
    NODES,
    PLY,
    SOLVE,
    TARGET,
    WANTS,
    YES,
)
from topple.solvers.influence.space import KERNELS, Parts, Space
from topple.solvers.influence.sums import index_again
from topple.solvers.solution import POINTS, Bounds, MoveValue, Scores, Solution, best_first
from topple.solvers.solver import (
    CONTRADICTION,
    MEGABYTE,
    MEMORY,
    Arrays,
    MemoryFull,
    Solver,
    Solving,
    SolvingProgress,
)

Asking = Generator[None, None, None]  # each step pushes a question


class Outlook(NamedTuple):
    """A position seen by the player to move."""

    lead: int  # including forced vertices
    parts: Parts  # what is still undecided


class InfluenceSolving(Solving):
    """One position of INFLUENCE being solved.

    The value is approached from both sides; then each move is asked whether it is as
    good, and a line of best play is found.
    """

    def __init__(
        self, digraph: Digraph, space: Space, position: Position, *, each: bool, scores: bool
    ) -> None:
        self._digraph, self._space, self._position = digraph, space, position
        self._each, self._wants_scores = each, scores
        self._stack = space.stack()
        self._root: Outlook | None = None
        self._children: dict[int, Outlook] = {}
        self._line: list[int] = []
        self._limit: str | None = None
        self._is_done = False
        self._what = ""
        self._n_done, self._n_questions = 0, 2 + len(position.legal_moves()) + int(scores)
        self._questions = self._ask_all()
        self._go_on()

    # -- progress ----------------------------------------------------------------------------

    @property
    def is_done(self) -> bool:
        """Whether everything asked is proven, or the memory is full."""
        return self._is_done

    def advance(self, n: int) -> None:
        """Visit about n more positions."""
        while n > 0 and not self._is_done:
            before = int(self._stack.counts[NODES])
            try:
                has_answer = self._space.search(self._stack, n) == FINISHED
            except MemoryFull:
                self._stop_for_memory()
                return
            if has_answer:
                self._go_on()
            n -= int(self._stack.counts[NODES]) - before

    def _go_on(self) -> None:
        """Push the next question."""
        try:
            next(self._questions)
        except StopIteration:
            self._is_done = True
        except MemoryFull:
            self._stop_for_memory()

    def _stop_for_memory(self) -> None:
        self._limit = "memory"
        self._is_done = True

    # -- the questions -----------------------------------------------------------------------

    def _ask_all(self) -> Asking:
        """Ask all questions, one after the other."""
        position = self._position
        self._root = root = self._outlook(position, self._digraph.there(position), position.player)
        yield from self._name("value", self._solve(root.parts))
        for move in position.legal_moves():
            self._children[move] = self._after(position, move)
        value = self._value(root).least
        for move, child in self._children.items():
            text = position.game.move_text(move)
            if self._each:
                yield from self._name(text, self._put(child.parts, SOLVE))
            else:
                yield from self._name(text, self._ask(child, value))
        if self._wants_scores:
            other = "Rs" if position.player == 0 else "Ls"
            yield from self._name(other, self._solve(self._space.negative(root.parts)))
        yield from self._name("line", self._follow(value))

    def _name(self, what: str, asking: Asking) -> Asking:
        """Ask a question under a name for `progress`, and count it as done."""
        self._what = what
        yield from asking
        self._n_done += 1

    def _put(self, parts: Parts, wants: int, target: int = 0) -> Asking:
        """Push one question; its answer is available when the generator continues."""
        stack = self._stack
        for place, kind in enumerate(parts):
            stack.parts[0, place] = kind
        stack.plies[0, N_PARTS] = len(parts)
        stack.plies[0, WANTS] = wants
        stack.plies[0, TARGET] = target
        stack.counts[PLY] = 0
        yield

    def _ask(self, child: Outlook, value: int) -> Asking:
        """Ask whether a move is worth less than `value` to the player who made it."""
        yield from self._put(child.parts, ASK, 1 - value - child.lead)

    def _solve(self, parts: Parts) -> Asking:
        """Find Ls of a sum, after finding Ls and Rs of its parts."""
        if len(parts) > 1:
            for kind in dict.fromkeys(parts):
                yield from self._close_in((kind,))
                yield from self._close_in(self._space.negative((kind,)))
        yield from self._close_in(parts)

    def _close_in(self, parts: Parts) -> Asking:
        """Find Ls of a sum by asking from both sides in turn.

        Bounds that are far from the value are quick to prove, so that good bounds are
        available early if the search is cut short.
        """
        least, most = self._space.bounds(parts)
        guess, from_above = 0, True  # few games strongly favour a player
        while least < most:
            guess = min(max(guess, least), most)
            half = (most - guess + 1) // 2 if from_above else -((guess - least) // 2)
            target = max(guess + half, least + 1)
            yield from self._put(parts, ASK, target)
            if self._stack.counts[ANSWER] == YES:
                least = target
            else:
                most = target - 1
            known = self._space.bounds(parts)
            least, most = max(least, known.least), min(most, known.most)
            from_above = not from_above

    def _follow(self, value: int) -> Asking:
        """Find moves that keep the value, until the end of the game."""
        position = self._position
        while not position.is_over:
            children = {move: self._after(position, move) for move in self._promising(position)}
            known = [move for move, child in children.items() if self._value(child).most <= -value]
            for move in known[:1] or children:
                yield from self._ask(children[move], value)
                if self._stack.counts[ANSWER] != YES:
                    break
            else:
                raise BadText(CONTRADICTION)
            self._line.append(move)
            after = position.play(move)
            value = value if after.player == position.player else -value
            position = after

    # -- positions ---------------------------------------------------------------------------

    def _outlook(self, position: Position, there: int, player: int, gain: int = 0) -> Outlook:
        """A position with a set of remaining vertices, seen by a player."""
        relevant, forced = self._digraph.relevant(there)
        left, right = position.state[POINTS_AT : POINTS_AT + 2].tolist()
        parts = self._space.split(relevant)
        if player == 0:
            return Outlook(left - right + forced - gain, parts)
        return Outlook(right - left - forced - gain, self._space.negative(parts))

    def _after(self, position: Position, move: int) -> Outlook:
        """What a move leaves, seen by the opponent, as if it were the opponent's turn."""
        there = self._digraph.there(position)
        taken = self._digraph.own[move] & there
        return self._outlook(position, there & ~taken, 1 - position.player, taken.bit_count())

    def _promising(self, position: Position) -> list[int]:
        """The moves that may be best, those that take most first; one if all are forced."""
        there = self._digraph.there(position)
        first: dict[int, int] = {}  # of the moves with the same rivals, the one that takes most
        n_taken = {m: (self._digraph.own[m] & there).bit_count() for m in position.legal_moves()}
        for move in sorted(n_taken, key=lambda move: -n_taken[move]):
            first.setdefault(self._digraph.rivals[move] & there, move)
        relevant = [move for rivals, move in first.items() if rivals]
        return relevant or list(first.values())

    # -- what is proven ----------------------------------------------------------------------

    def _value(self, outlook: Outlook) -> Bounds:
        """The bounds of the final lead of the player who sees the position so."""
        return self._space.bounds(outlook.parts).shifted(outlook.lead)

    def progress(self) -> SolvingProgress:
        """How many of the questions are settled."""
        return SolvingProgress(self._n_done, self._n_questions, self._what)

    def solution(self) -> Solution:
        """What is proven so far."""
        value, moves = self._values()
        return Solution(
            position=self._position,
            unit=POINTS,
            value=value,
            moves=moves,
            line=tuple(self._line),
            n_positions=self._space.n_positions,
            n_nodes=int(self._stack.counts[NODES]),
            limit=self._limit,
            scores=self._scores(),
        )

    def _values(self) -> tuple[Bounds, tuple[MoveValue, ...]]:
        """The bounds of the value and of every move."""
        left, right = self._position.state[POINTS_AT : POINTS_AT + 2].tolist()
        n = self._digraph.there(self._position).bit_count()
        lead = left - right if self._position.player == 0 else right - left
        value = Bounds(lead - n, lead + n) if self._root is None else self._value(self._root)
        found = []
        for move in self._position.legal_moves():
            child = self._children.get(move)
            bounds = Bounds(lead - n, lead + n) if child is None else -self._value(child)
            found.append(MoveValue(move, Bounds(bounds.least, min(bounds.most, value.most))))
        value = Bounds(max(value.least, *(each.value.least for each in found)), value.most)
        return value, best_first(found)

    def _scores(self) -> Scores | None:
        """Ls and Rs of what is on the board, if requested."""
        if not self._wants_scores:
            return None
        there = self._digraph.there(self._position)
        n, (relevant, forced) = there.bit_count(), self._digraph.relevant(there)
        if self._root is None:
            n_open = relevant.bit_count()
            return Scores(n, *[Bounds(forced - n_open, forced + n_open)] * 2)
        own = self._space.bounds(self._root.parts)
        other = -self._space.bounds(self._space.negative(self._root.parts))
        if self._position.player == 1:
            own, other = -other, -own
        return Scores(n, own.shifted(forced), other.shifted(forced))


MOST_REDUCED = 1280  # vertices of the bipartite graph; for more, a single node takes many seconds

# A larger part with more than FEW different vertices may take hours or more.
FEASIBLE, FEW = 128, 60
AGENT = "ask an agent (topple analyse)"


class InfluenceSolver(Solver):
    """Exact play of INFLUENCE on any digraph.

    Only which L vertex reaches which R vertex matters, so a position is reduced to a
    bipartite graph. Its connected parts form a sum. Equal parts are of one kind, opposite
    parts cancel, and what is proven about a part holds wherever it occurs.

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
            If it is too large.
        """
        if self._digraph is None:
            n = self.game.board.n_vertices
            if n > MOST_VERTICES:
                raise Unsupported(
                    f"exact play of INFLUENCE is for boards of up to {MOST_VERTICES:,} vertices, "
                    f"and {self.game.board.spec} has {n:,}: {AGENT}"
                )
            self._digraph = Digraph(self.game.board)
        return self._digraph

    @property
    def space(self) -> Space:
        """The search space of the first position, in which most positions are searched."""
        if self._space is None:
            everything, _ = self.digraph.relevant((1 << self.digraph.n) - 1)
            self._space = self._make_space(everything)
        return self._space

    def _make_space(self, relevant: int) -> Space:
        reduced = Reduced(self.digraph, relevant)
        if reduced.n > MOST_REDUCED:
            raise Unsupported(
                f"exact play of INFLUENCE is for up to {MOST_REDUCED:,} vertices after forced ones "
                f"are removed and equal ones merged, and {self.game.board.spec} has "
                f"{reduced.n:,}: {AGENT}"
            )
        return Space(self.game, reduced, self.memory * MEGABYTE)

    def _space_of(self, position: Position) -> Space:
        """The space of a position, a separate one if play cannot lead to the position."""
        relevant, _ = self.digraph.relevant(self.digraph.there(position))
        is_within = self.space.reduced.mask(relevant) is not None
        return self.space if is_within else self._make_space(relevant)

    def check(self, position: Position) -> None:
        """Refuse a position with a large part in which many vertices are different.

        Raises
        ------
        Unsupported
            If there is one; the message says what is feasible and what to do instead.
        """
        super().check(position)
        space = self._space_of(position)
        relevant, _ = self.digraph.relevant(self.digraph.there(position))
        n = space.reduced.largest_irregular(relevant, FEW)
        if n > FEASIBLE:
            raise Unsupported(
                f"{self.game.board.spec} has a connected part of {n} vertices, and about "
                f"{FEASIBLE} can be solved exactly: set a time limit for bounds, or {AGENT}"
            )

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
        """All that is proven about parts and sums of the board."""
        return self.space.table()

    def restore(self, arrays: Arrays) -> None:
        """Take over the table of another solver on the same board.

        Raises
        ------
        BadText
            If the arrays are not such a table, or need more memory than allowed.
        """
        everything, _ = self.digraph.relevant((1 << self.digraph.n) - 1)
        space = self._make_space(everything)
        space.restore(arrays)
        self._space = space
