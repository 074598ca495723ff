"""INFLUENCE on any digraph, solved: sums of parts, as the paper's theory says."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from topple.boards import load_board
from topple.compiling import Kernel
from topple.errors import BadText, Unsupported
from topple.evaluations.influence import MOST_VERTICES
from topple.game import Game
from topple.position import Position
from topple.rules import influence as rules
from topple.rules.influence import POINTS as POINTS_AT
from topple.solvers.influence_reach import Digraph, Reduced, members
from topple.solvers.influence_search import (
    ANSWER,
    ASK,
    FINISHED,
    NODES,
    PLY,
    SOLVE,
    YES,
    Stack,
    search,
)
from topple.solvers.influence_space import MemoryIsFull, Parts, Space
from topple.solvers.solution import POINTS, Bounds, MoveValue, Scores, Solution
from topple.solvers.solver import MEMORY, Arrays, Progress, Solver, Solving

MEGABYTE: Final = 1 << 20
MOST_REDUCED = 2048  # vertices of the bipartite graph


@dataclass
class _Child:
    """What a move leads to, seen by the player who then moves."""

    shift: int  # the mover's lead without what is still to be played for
    parts: Parts | None  # None until there is room to note them

    def value(self, bounds: Bounds) -> Bounds:
        return (-bounds).shifted(self.shift)


class InfluenceSolver(Solver):
    """Exact play of INFLUENCE on any digraph."""

    NAME = "influence"
    HAS_SCORES = True
    KERNELS: ClassVar[tuple[Kernel, ...]] = (search,)

    def __init__(self, game: Game, memory: int = MEMORY) -> None:
        super().__init__(game, memory)
        self._digraph: Digraph | None = None
        self._shared: Space | None = None

    @classmethod
    def suits(cls, game: Game) -> bool:
        """INFLUENCE, on whatever board."""
        return game.name == rules.NAME

    @property
    def digraph(self) -> Digraph:
        if self._digraph is None:
            if self.game.board.n_vertices > MOST_VERTICES:
                raise Unsupported("too large")
            self._digraph = Digraph(self.game.board)
        return self._digraph

    @property
    def space(self) -> Space:
        if self._shared is None:
            everything, _ = self.digraph.relevant((1 << self.digraph.n) - 1)
            self._shared = self._make_space(everything)
        return self._shared

    def _make_space(self, relevant: int) -> Space:
        reduced = Reduced(self.digraph, relevant)
        return Space(self.game, reduced, self.memory * MEGABYTE)

    def space_of(self, position: Position) -> Space:
        relevant, _ = self.digraph.relevant(self.digraph.there(position))
        if self.space.reduced.mask(relevant) is None:
            return self._make_space(relevant)
        return self.space

    def begin(self, position: Position, *, each: bool = False, scores: bool = False) -> Solving:
        return InfluenceSolving(self, position, each, scores)

    def table(self) -> Arrays:
        return {}

    def restore(self, arrays: Arrays) -> None:
        pass


class InfluenceSolving(Solving):
    def __init__(self, solver: InfluenceSolver, position: Position, each: bool, scores: bool) -> None:
        self.position, self.each, self.wants_scores = position, each, scores
        self.digraph, self.space = solver.digraph, solver.space_of(position)
        self.stack: Stack = self.space.stack()
        self.side = 1 - 2 * position.player
        self.there = self.digraph.there(position)
        relevant, forced = self.digraph.relevant(self.there)
        left, right = position.state[POINTS_AT : POINTS_AT + 2].tolist()
        self.forced = forced
        self.lead = self.side * (left - right)
        self.parts = self._seen_by(position.player, self.space.split(relevant))
        self.children: dict[int, _Child] = {}
        self.line: list[int] = []
        self.limit: str | None = None
        self.questions = self._questions()
        self.done = 0
        self.total = 1 + len(position.legal_moves())
        self.what = "value"
        self._is_done = False
        self._next()

    def _seen_by(self, player: int, parts: Parts) -> Parts:
        return parts if player == 0 else self.space.negative(parts)

    def _child(self, position: Position, move: int, there: int) -> _Child:
        player = position.player
        taken = self.digraph.own[move] & there
        relevant, forced = self.digraph.relevant(there & ~taken)
        left, right = position.state[POINTS_AT : POINTS_AT + 2].tolist()
        side = 1 - 2 * player
        shift = side * (left - right + forced) + taken.bit_count()
        return _Child(shift, self._seen_by(1 - player, self.space.split(relevant)))

    def _next(self) -> None:
        try:
            next(self.questions)
        except StopIteration:
            self._is_done = True

    def _put(self, parts: Parts, want: int, target: int = 0) -> None:
        for i, kind in enumerate(parts):
            self.stack.parts[0, i] = kind
        self.stack.n_parts[0] = len(parts)
        self.stack.wants[0] = want
        self.stack.target[0] = target
        self.stack.counts[PLY] = 0

    def _questions(self) -> Iterator[None]:
        self._put(self.parts, SOLVE)
        yield
        self.done = 1
        for move in self.position.legal_moves():
            self.children[move] = self._child(self.position, move, self.there)
        value = self.value().least
        for move, child in self.children.items():
            self.what = self.position.game.move_text(move)
            if self.each:
                self._put(child.parts, SOLVE)
                yield
            elif child.value(self.space.bounds(child.parts)).most >= value:
                self._put(child.parts, ASK, child.shift - value + 1)
                yield
            self.done += 1
        if self.wants_scores:
            self._put(self.space.negative(self.parts), SOLVE)
            yield
        yield from self._follow(value)

    def _follow(self, value: int) -> Iterator[None]:
        position = self.position
        while not position.is_over:
            there = self.digraph.there(position)
            for move in sorted(position.legal_moves(), key=lambda m: -(self.digraph.own[m] & there).bit_count()):
                child = self._child(position, move, there)
                target = child.shift - value + 1
                self._put(child.parts, ASK, target)
                yield
                if self.stack.counts[ANSWER] != YES:
                    break
            else:
                raise AssertionError
            after = position.play(move)
            self.line.append(move)
            value = value if after.player == position.player else -value
            position = after

    @property
    def is_done(self) -> bool:
        return self._is_done

    def advance(self, n: int) -> None:
        while n > 0 and not self._is_done:
            before = int(self.stack.counts[NODES])
            try:
                if self.space.search(self.stack, n) == FINISHED:
                    self._next()
            except MemoryIsFull:
                self.limit = "memory"
                self._is_done = True
            n -= int(self.stack.counts[NODES]) - before

    def value(self) -> Bounds:
        return self.space.bounds(self.parts).shifted(self.lead + self.side * self.forced)

    def progress(self) -> Progress:
        return Progress(self.done, self.total, self.what)

    def solution(self) -> Solution:
        value = self.value()
        moves = []
        for move, child in self.children.items():
            moves.append(MoveValue(move, child.value(self.space.bounds(child.parts))))
        moves.sort(key=lambda each: (-each.value.least, -each.value.most, each.move))
        scores = None
        if self.wants_scores:
            own = self.space.bounds(self.parts)
            other = -self.space.bounds(self.space.negative(self.parts))
            if self.side < 0:
                own, other = -other, -own
            scores = Scores(self.there.bit_count(), own.shifted(self.forced), other.shifted(self.forced))
        return Solution(self.position, POINTS, value, tuple(moves), tuple(self.line),
                        self.space.n_positions, int(self.stack.counts[NODES]), self.limit, scores)
