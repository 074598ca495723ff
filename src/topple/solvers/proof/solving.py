"""A position being solved by questions: does this move win? Does it draw?"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.core.errors import Unsupported
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels.proof.search import (
    DONE,
    FULL,
    IS_NEW,
    NODES,
    PLY,
    TOO_DEEP,
    ProofStack,
    prove,
    value_at_end,
)
from topple.kernels.proof.table import DRAW, LOSS, NO_MOVE, WIN, YES
from topple.rules.interface import STATUS
from topple.solvers.proof.memory import UNKNOWN, ProofMemory
from topple.solvers.solution import RESULT, Bounds, MoveValue, Solution
from topple.solvers.solver import MEGABYTE, Progress, Solving

FIRST_PLIES = 32
STACK_SHARE = 4  # the path to the node in hand gets one part in so many of the memory


class ProofSolving(Solving):
    """A position being solved: each move is asked whether it wins, then whether it draws.

    Without `each`, none is asked for a draw once another is known to win.
    """

    def __init__(self, memory: ProofMemory, position: Position, each: bool) -> None:
        self.memory, self.position, self.each = memory, position, each
        self.game = position.game
        self.moves = position.legal_moves()
        self.values = [UNKNOWN] * len(self.moves)  # each for the player to move
        self.n_met = 0  # moves that have been played once
        self.stack = make_stack(self.game, FIRST_PLIES)
        self.asked: tuple[int, int] | None = None  # the move's index, the target
        self.is_answered = False
        self.limit: str | None = None
        self.last: Solution | None = None  # when all is done

    @property
    def value(self) -> Bounds:
        """What is proven of the position."""
        least, most = zip(*self.values, strict=True)
        return Bounds(max(least), max(most))

    @property
    def n_nodes(self) -> int:
        """Positions looked at."""
        return self.n_met + int(self.stack.counts[NODES])

    @property
    def is_done(self) -> bool:
        """Whether all is answered, or the memory is full."""
        return self.is_answered or self.limit is not None

    def advance(self, n: int) -> None:
        """Look at n more positions."""
        last = self.n_nodes + n
        while not self.is_done and self.n_nodes < last:
            if self.n_met < len(self.moves):
                self._meet_next()
            elif self.asked is None:
                self._ask_next()
            else:
                self._go_on(last - self.n_nodes)

    def _meet_next(self) -> None:
        """See what is known of a move without a search."""
        self.values[self.n_met] = self.memory.known_after(self.position, self.moves[self.n_met])
        self.n_met += 1

    def _is_open(self, index: int, target: int) -> bool:
        least, most = self.values[index]
        return least < target <= most and (self.each or target >= self.value.least)

    def _ask_next(self) -> None:
        """Put the next question, unless there is none left."""
        for target in (WIN, DRAW):
            for index, move in enumerate(self.moves):
                if self._is_open(index, target):
                    self.asked = index, target
                    self._begin_question(self.position.play(move), target)
                    return
        self.is_answered = True
        self.memory.note(self.position, self.value)

    def _begin_question(self, child: Position, target: int) -> None:
        stack = self.stack
        stack.states[0, : self.game.sizes.state] = child.state
        self.is_same = child.player == self.position.player
        stack.targets[0] = target if self.is_same else 1 - target
        stack.counts[PLY] = 0
        stack.counts[IS_NEW] = 1

    def _go_on(self, n: int) -> None:
        memory = self.memory
        code = self.game.run(
            prove, self.stack, memory.table, memory.symmetries, memory.most_entries,
            self.game.sizes.state, n,
        )  # fmt: skip
        if code == DONE:
            self._take_answer()
        elif code == TOO_DEEP:
            self._go_deeper()
        elif code == FULL and not memory.grow():
            self.limit = "memory"

    def _take_answer(self) -> None:
        assert self.asked is not None
        index, target = self.asked
        least, most = self.values[index]
        said_yes = (self.stack.answers[0] == YES) == self.is_same
        self.values[index] = Bounds(target, most) if said_yes else Bounds(least, target - 1)
        self.asked = None

    def _go_deeper(self) -> None:
        """Make room for longer lines, unless a line has come back to where it was.

        Raises
        ------
        Unsupported
            If it has: then the line has no end.
        """
        stack = self.stack
        path = stack.keys[: int(stack.counts[PLY]) + 1]
        if len(np.unique(path)) < len(path):
            raise Unsupported(f"positions of {self.game.name} may recur: exact play is for games "
                              "that come to an end")  # fmt: skip
        plies = len(stack.states)
        most_bytes = self.memory.megabytes * MEGABYTE // STACK_SHARE
        if sum(part.nbytes for part in stack) * 2 > most_bytes:
            self.limit = "memory"
            return
        longer = make_stack(self.game, 2 * plies)
        parts: Iterable[tuple[NDArray[Any], NDArray[Any]]] = zip(longer, stack, strict=True)
        for new, old in parts:
            new[: len(old)] = old
        self.stack = longer

    def progress(self) -> Progress:
        """How many of the questions of all moves are settled."""
        total = 2 * len(self.moves)
        n_open = sum(
            self._is_open(index, target)
            for index in range(len(self.moves))
            for target in (WIN, DRAW)
        )
        what = self.game.move_text(self.moves[self.asked[0]]) if self.asked else ""
        return Progress(total - n_open, total, what)

    def solution(self) -> Solution:
        """What is proven so far."""
        if self.is_done and self.last is None:
            self.last = self._solution()
        return self.last or self._solution()

    def _solution(self) -> Solution:
        value, values = self.value, self.values
        order = sorted(range(len(values)), key=lambda i: (-values[i].least, -values[i].most))
        return Solution(
            position=self.position,
            unit=RESULT,
            value=value,
            moves=tuple(MoveValue(self.moves[i], values[i]) for i in order),
            line=self._line(self.moves[order[0]]) if value.is_exact else (),
            n_positions=self.memory.n_entries,
            n_nodes=self.n_nodes,
            limit=self.limit,
        )

    def _line(self, move: int) -> tuple[int, ...]:
        """Best play from a best move on, the first of equal moves, as far as it is proven."""
        position, line, value = self.position, [move], self.value.least
        met = set()
        while True:
            child = position.play(move)
            value = value if child.player == position.player else -value
            position = child
            if position.is_over or position in met:
                return tuple(line)
            met.add(position)
            best = self._move_worth(position, value)
            if best is None:
                return tuple(line)
            move = best
            line.append(move)

    def _move_worth(self, position: Position, value: int) -> int | None:
        """A move that keeps a value, if the position is proven to have it.

        The first one, but who can win at once does, and who must lose does not let
        the other win at once, if that can be helped.
        """
        if self.memory.known(position) != Bounds(value, value):
            return None
        keeping = [
            move
            for move in position.legal_moves()
            if self.memory.known_after(position, move).least >= value
        ]
        for move in keeping:
            child = position.play(move)
            if value == WIN and child.is_over:
                return move
            if value == LOSS and not child.is_over and not wins_at_once(child, child.player):
                return move
        return keeping[0] if keeping else None


def wins_at_once(position: Position, player: int) -> bool:
    """Whether a player, who is to move, has a move that wins the game.

    >>> import topple
    >>> wins_at_once(topple.load("hex", "hex:2").position("X./O. Blue"), 0)
    False
    """
    for move in position.legal_moves():
        child = position.play(move)
        if child.is_over and value_at_end(int(child.state[STATUS]), player) == WIN:
            return True
    return False


def make_stack(game: Game, plies: int) -> ProofStack:
    """An empty stack for lines of so many moves."""
    n_moves = game.sizes.moves

    def zeros(n: int) -> NDArray[np.int64]:
        return np.zeros(n, dtype=np.int64)

    return ProofStack(
        states=game.scratch_states(plies),
        moves=np.zeros((plies, n_moves), dtype=np.int32),
        merits=np.zeros((plies, n_moves), dtype=np.int64),
        child_keys=np.zeros((plies, n_moves), dtype=np.uint64),
        child_checks=np.zeros((plies, n_moves), dtype=np.uint32),
        child_views=np.zeros((plies, n_moves), dtype=np.int32),
        is_same=np.zeros((plies, n_moves), dtype=np.int8),
        n_moves=zeros(plies),
        n_seen=zeros(plies),
        n_kept=zeros(plies),
        in_hand=zeros(plies),
        keys=np.zeros(plies, dtype=np.uint64),
        checks=np.zeros(plies, dtype=np.uint32),
        views=zeros(plies),
        targets=zeros(plies),
        answers=zeros(plies),
        best_move=zeros(plies),
        hash_move=zeros(plies),
        killers=np.full((plies, 2), NO_MOVE, dtype=np.int32),
        history=zeros(2 * n_moves),
        name=np.zeros(3, dtype=np.uint64),
        counts=zeros(3),
    )
