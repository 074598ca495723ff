"""ProofSolver: small boards of every game for two, by questions with yes or no."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.errors import BadText, Unsupported
from topple.game import Game
from topple.kernels.proof import (
    BOUNDS,
    DONE,
    DRAW,
    FULL,
    IS_NEW,
    LOSS,
    NODES,
    NO_MOVE,
    PLY,
    TOO_DEEP,
    WIN,
    YES,
    ProofStack,
    Table,
    copy_entries,
    least_of,
    look_up,
    most_of,
    packed,
    prove,
    value_at_end,
    write_down,
)
from topple.position import Position
from topple.rules.interface import STATUS
from topple.solvers.solution import RESULT, Bounds, MoveValue, Solution
from topple.solvers.solver import MEMORY, Arrays, Progress, Solver, Solving, largest_power_of_2
from topple.solvers.symmetry import identity_of, symmetries_of

MEGABYTE = 1 << 20
ENTRY_BYTES = 16
FIRST_TABLE = 1 << 12  # entries
FIRST_PLIES = 64
STACK_SHARE = 4  # the stack gets at most one part in so many of the memory


def most_entries(n_places: int) -> int:
    """The entries that a table is filled with: a quarter stays free, so that all are found soon."""
    return n_places * 3 // 4


def make_table(n: int) -> Table:
    """An empty table of n places, a power of 2."""
    return Table(
        keys=np.zeros(n, dtype=np.uint64),
        checks=np.zeros(n, dtype=np.uint32),
        facts=np.zeros(n, dtype=np.int32),
        used=np.zeros(1, dtype=np.int64),
    )


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
    """

    NAME = "proof"
    KERNELS = (prove, look_up, write_down, copy_entries)

    def __init__(self, game: Game, memory: int = MEMORY, *, symmetric: bool = True) -> None:
        super().__init__(game, memory)
        self.symmetries = symmetries_of(game) if symmetric else identity_of(game)
        self.name = np.zeros(3, dtype=np.uint64)
        # While the table grows, the old one is there too: together three halves of the new.
        self.largest = largest_power_of_2(memory * MEGABYTE * 2 // 3 // ENTRY_BYTES)
        self.entries = make_table(min(FIRST_TABLE, self.largest))

    @classmethod
    def suits(cls, game: Game) -> bool:
        """It suits every game; those for more than two are refused when they begin."""
        return True

    def begin(
        self, position: Position, *, each: bool = False, scores: bool = False
    ) -> "ProofSolving":
        """Begin to solve a position; games of results have no scores."""
        Solver.check(self, position)
        return ProofSolving(self, position, each)

    @property
    def n_entries(self) -> int:
        """How many positions are remembered."""
        return int(self.entries.used[0])

    def grow(self) -> bool:
        """Double the table; False if the memory does not allow it."""
        n = 2 * len(self.entries.keys)
        if n > self.largest:
            return False
        larger = make_table(n)
        old = self.entries
        self.game.run(copy_entries, old.keys, old.checks, old.facts, larger)
        self.entries = larger
        return True

    def known(self, position: Position) -> Bounds:
        """What is proven of a position, for the player to move."""
        status = int(position.state[STATUS])
        if position.is_over:
            value = value_at_end(status, position.player)
            return Bounds(value, value)
        facts = self.game.run(
            look_up, self.game.room(position.state), self.entries, self.symmetries,
            self.game.sizes.state, self.name,
        )  # fmt: skip
        return Bounds(least_of(facts), most_of(facts)) if facts else Bounds(LOSS, WIN)

    def after(self, position: Position, move: int) -> Bounds:
        """What is proven of a move, for the player who makes it."""
        return self._seen_from(position, position.play(move))

    def _seen_from(self, position: Position, child: Position) -> Bounds:
        bounds = self.known(child)
        return bounds if child.player == position.player else -bounds

    def note(self, position: Position, value: Bounds) -> None:
        """Remember what is proven of a position, if there is room."""
        if self.n_entries >= most_entries(len(self.entries.keys)) and not self.grow():
            return
        old = self.known(position)
        value = Bounds(max(old.least, value.least), min(old.most, value.most))
        self.game.run(
            write_down, self.game.room(position.state), self.entries, self.symmetries,
            self.game.sizes.state, self.name, packed(value.least, value.most, NO_MOVE),
        )  # fmt: skip

    def line(self, position: Position, value: int) -> list[int]:
        """Best play from a position of known value, as far as it is proven."""
        moves = []
        while not position.is_over:
            for move in position.legal_moves():
                child = position.play(move)
                if self._seen_from(position, child).least >= value:
                    break
            else:
                if value > LOSS or self.known(position).most > LOSS:
                    break
                move = position.legal_moves()[0]
                child = position.play(move)
            moves.append(move)
            value = value if child.player == position.player else -value
            position = child
        return moves

    def table(self) -> Arrays:
        """All entries, one after the other."""
        there = self.entries.facts != 0
        return {
            "keys": self.entries.keys[there],
            "checks": self.entries.checks[there],
            "facts": self.entries.facts[there],
        }

    def restore(self, arrays: Arrays) -> None:
        """Remember the entries of another solver's table."""
        keys, checks, facts = (arrays.get(name) for name in ("keys", "checks", "facts"))


class ProofSolving(Solving):
    """A position being solved: of each move it is asked whether it wins, then whether it draws."""

    def __init__(self, solver: ProofSolver, position: Position, each: bool) -> None:
        game = solver.game
        self.solver, self.game, self.position, self.each = solver, game, position, each
        self.moves = position.legal_moves()
        self.children = [position.play(move) for move in self.moves]
        self.values = [solver._seen_from(position, child) for child in self.children]
        self.limit: str | None = None
        self.asked: tuple[int, int] | None = None  # move's index and target
        self.stack = make_stack(game, FIRST_PLIES)
        self._ask_next()

    @property
    def value(self) -> Bounds:
        return Bounds(max(v.least for v in self.values), max(v.most for v in self.values))

    def _is_needed(self, index: int, target: int) -> bool:
        bounds = self.values[index]
        if not bounds.least < target <= bounds.most:
            return False
        return self.each or target > self.value.least or target == WIN or False

    def _ask_next(self) -> None:
        self.asked = None
        for target in (WIN, DRAW):
            for index in range(len(self.moves)):
                if self._is_needed(index, target):
                    self.asked = index, target
                    self._begin_question(index, target)
                    return
        self.solver.note(self.position, self.value)

    def _begin_question(self, index: int, target: int) -> None:
        child, stack = self.children[index], self.stack
        stack.states[0, : self.game.sizes.state] = child.state
        same = child.player == self.position.player
        stack.targets[0] = target if same else 1 - target
        stack.counts[PLY] = 0
        stack.counts[IS_NEW] = 1

    @property
    def n_nodes(self) -> int:
        return int(self.stack.counts[NODES])

    @property
    def is_done(self) -> bool:
        return self.asked is None or self.limit is not None

    def advance(self, n: int) -> None:
        last = self.n_nodes + n
        solver = self.solver
        while not self.is_done and self.n_nodes < last:
            code = self.game.run(
                prove, self.stack, solver.entries, solver.symmetries,
                most_entries(len(solver.entries.keys)), self.game.sizes.state, last - self.n_nodes,
            )
            if code == DONE:
                self._end_question()
            elif code == FULL and not solver.grow():
                self.limit = "memory"
            elif code == TOO_DEEP:
                self.stack = longer_stack(self.game, self.stack)

    def _end_question(self) -> None:
        index, target = self.asked
        same = self.children[index].player == self.position.player
        yes = (self.stack.answers[0] == YES) == same
        bounds = self.values[index]
        self.values[index] = Bounds(target, bounds.most) if yes else Bounds(bounds.least, target - 1)
        self._ask_next()

    def progress(self): ...

    def solution(self) -> Solution:
        value = self.value
        order = sorted(range(len(self.moves)), key=lambda i: (-self.values[i].least, -self.values[i].most))
        line = ()
        return Solution(self.position, RESULT, value, tuple(MoveValue(self.moves[i], self.values[i]) for i in order),
            tuple(self.solver.line(self.position, value.least)) if value.is_exact else (), self.solver.n_entries, self.n_nodes, self.limit)


def make_stack(game, plies):
    w = game.sizes.moves
    z = lambda *s, d=np.int64: np.zeros(s, dtype=d)
    return ProofStack(states=game.rooms(plies), moves=z(plies,w,d=np.int32), merits=z(plies,w), child_keys=z(plies,w,d=np.uint64), child_checks=z(plies,w,d=np.uint32), child_views=z(plies,w,d=np.int32), is_same=z(plies,w,d=np.int8), n_moves=z(plies), in_hand=z(plies), keys=z(plies,d=np.uint64), checks=z(plies,d=np.uint32), views=z(plies), targets=z(plies), answers=z(plies), best_move=z(plies), killers=np.full((plies,2),-1,dtype=np.int32), history=z(2*w), name=z(3,d=np.uint64), counts=z(3))
