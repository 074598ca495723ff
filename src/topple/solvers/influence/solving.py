"""One position of INFLUENCE being solved: which questions are asked, and what they prove."""

from collections.abc import Generator
from typing import NamedTuple

from topple.core.errors import BadText
from topple.game.position import Position
from topple.rules.influence import POINTS as POINTS_AT
from topple.solvers.influence.reach import Digraph
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
from topple.solvers.influence.space import MemoryIsFull, Parts, Space
from topple.solvers.solution import POINTS, Bounds, MoveValue, Scores, Solution
from topple.solvers.solver import Progress, Solving

Asking = Generator[None, None, None]  # each step puts a question on the stack


class Outlook(NamedTuple):
    """A position as a player sees it who is to move."""

    lead: int  # with the vertices that are forced
    parts: Parts  # what is still to be played for


class InfluenceSolving(Solving):
    """One position of INFLUENCE being solved.

    The value is closed in on from both ends; then each move is asked whether it is as
    good, and the line follows what is proven.
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

    # -- how it goes on ----------------------------------------------------------------------

    @property
    def is_done(self) -> bool:
        """Whether all that was asked is proven, or the memory is full."""
        return self._is_done

    def advance(self, n: int) -> None:
        """Look at about n more positions."""
        while n > 0 and not self._is_done:
            before = int(self._stack.counts[NODES])
            try:
                has_answer = self._space.search(self._stack, n) == FINISHED
            except MemoryIsFull:
                self._stop_for_memory()
                return
            if has_answer:
                self._go_on()
            n -= int(self._stack.counts[NODES]) - before

    def _go_on(self) -> None:
        """Come to the next question."""
        try:
            next(self._questions)
        except StopIteration:
            self._is_done = True
        except MemoryIsFull:
            self._stop_for_memory()

    def _stop_for_memory(self) -> None:
        self._limit = "memory"
        self._is_done = True

    # -- the questions -----------------------------------------------------------------------

    def _ask_all(self) -> Asking:
        """Ask all there is to ask, one question after the other."""
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
        """Ask under a name, and count it as done."""
        self._what = what
        yield from asking
        self._n_done += 1

    def _put(self, parts: Parts, wants: int, target: int = 0) -> Asking:
        """Put one question on the stack: the answer is there when this goes on."""
        stack = self._stack
        for place, kind in enumerate(parts):
            stack.parts[0, place] = kind
        stack.plies[0, N_PARTS] = len(parts)
        stack.plies[0, WANTS] = wants
        stack.plies[0, TARGET] = target
        stack.counts[PLY] = 0
        yield

    def _ask(self, child: Outlook, value: int) -> Asking:
        """Ask whether a move fails to be worth so much to the player who made it."""
        yield from self._put(child.parts, ASK, 1 - value - child.lead)

    def _solve(self, parts: Parts) -> Asking:
        """Find Ls of a sum, after Ls and Rs of its parts."""
        if len(parts) > 1:
            for kind in dict.fromkeys(parts):
                yield from self._close_in((kind,))
                yield from self._close_in(self._space.negative((kind,)))
        yield from self._close_in(parts)

    def _close_in(self, parts: Parts) -> Asking:
        """Find Ls of a sum from both ends by turns.

        What is far from the truth is proven soon, so that good bounds are there
        early, if the search should be cut short.
        """
        least, most = self._space.bounds(parts)
        guess, from_above = 0, True  # few games favour a player much
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
        """Find moves that keep the value, to the end of the game."""
        position = self._position
        while not position.is_over:
            children = {move: self._after(position, move) for move in self._promising(position)}
            known = [move for move, child in children.items() if self._value(child).most <= -value]
            for move in known[:1] or children:
                yield from self._ask(children[move], value)
                if self._stack.counts[ANSWER] != YES:
                    break
            else:
                raise BadText("what was restored is wrong: solve it anew")
            self._line.append(move)
            after = position.play(move)
            value = value if after.player == position.player else -value
            position = after

    # -- positions ---------------------------------------------------------------------------

    def _outlook(self, position: Position, there: int, player: int, gain: int = 0) -> Outlook:
        """How a player sees a position of which some vertices are there."""
        relevant, forced = self._digraph.relevant(there)
        left, right = position.state[POINTS_AT : POINTS_AT + 2].tolist()
        parts = self._space.split(relevant)
        if player == 0:
            return Outlook(left - right + forced - gain, parts)
        return Outlook(right - left - forced - gain, self._space.negative(parts))

    def _after(self, position: Position, move: int) -> Outlook:
        """How the other player sees what a move leaves, whose turn it is wherever it matters."""
        there = self._digraph.there(position)
        taken = self._digraph.own[move] & there
        return self._outlook(position, there & ~taken, 1 - position.player, taken.bit_count())

    def _promising(self, position: Position) -> list[int]:
        """The moves that may be best, those that take most first; one alone if all is forced."""
        there = self._digraph.there(position)
        first: dict[int, int] = {}  # the move that takes most of those with the same rivals
        n_taken = {m: (self._digraph.own[m] & there).bit_count() for m in position.legal_moves()}
        for move in sorted(n_taken, key=lambda move: -n_taken[move]):
            first.setdefault(self._digraph.rivals[move] & there, move)
        relevant = [move for rivals, move in first.items() if rivals]
        return relevant or list(first.values())

    # -- what is proven ----------------------------------------------------------------------

    def _value(self, outlook: Outlook) -> Bounds:
        """Between which values the lead at the end is, for who sees it so."""
        return self._space.bounds(outlook.parts).shifted(outlook.lead)

    def progress(self) -> Progress:
        """How many of the moves and other questions are settled."""
        return Progress(self._n_done, self._n_questions, self._what)

    def solution(self) -> Solution:
        """What is proven so far."""
        value, moves = self._values()
        return Solution(
            self._position, POINTS, value, moves, tuple(self._line), self._space.n_positions,
            int(self._stack.counts[NODES]), self._limit, self._scores(),
        )  # fmt: skip

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
        found.sort(key=lambda each: (-each.value.least, -each.value.most, each.move))
        return value, tuple(found)

    def _scores(self) -> Scores | None:
        """Ls and Rs of what is still there."""
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
