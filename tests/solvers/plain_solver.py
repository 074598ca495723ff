"""Exact play as plainly as can be: negamax over positions with a dictionary.

It stands beside topple's own solvers as a reference and shares no code with
them, and lets the command be tested whatever they are.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from topple.core.errors import BadText, Unsupported
from topple.game.game import Game
from topple.game.position import Position
from topple.rules.interface import PLAYER, key
from topple.solvers import (
    POINTS,
    RESULT,
    Bounds,
    MoveValue,
    Scores,
    Solution,
    Solver,
    Solving,
    SolvingProgress,
)
from topple.solvers.solver import Arrays

ROOM = 100  # bytes for a remembered position, roughly
MOST_MOVES = 30


class PlainSolving(Solving):
    """One position being solved, a generator that stops at each node."""

    def __init__(self, solver: "PlainSolver", position: Position, *, scores: bool) -> None:
        self.solver, self.position, self.scores = solver, position, scores
        self.moves = position.legal_moves()
        self.values: dict[int, Bounds] = {}
        self.sides: dict[int, int] = {}
        self.n_nodes = 0
        self.is_full = False
        self.work = self._work()
        self.finished = False

    @property
    def is_done(self) -> bool:
        return self.finished or self.is_full

    def advance(self, n: int) -> None:
        for _ in range(n):
            if self.is_done:
                return
            if next(self.work, "end") == "end":
                self.finished = True
            elif len(self.solver.known) * ROOM > self.solver.memory << 20:
                self.is_full = True

    def _work(self) -> Iterator[None]:
        for move in self.moves:
            after = self.position.play(move)
            sign = 1 if after.player == self.position.player else -1
            value = sign * (yield from self._value(after))
            self.values[move] = Bounds(value, value)
        if self.scores:
            for player in range(2):
                begun = begun_by(self.position, player)
                lead = yield from self._value(begun)
                self.sides[player] = lead if begun.player == 0 else -lead

    def _value(self, position: Position) -> Iterator[None]:
        """The value for the player to move, or where the game is over for the last one."""
        word = position.state.tobytes()
        if word not in self.solver.known:
            self.n_nodes += 1
            assert position.key is not None
            yield
            if position.is_over:
                self.solver.known[word] = self.solver.result(position)
            else:
                best = -(10**6)
                for move in position.legal_moves():
                    after = position.play(move)
                    value = yield from self._value(after)
                    best = max(best, value if after.player == position.player else -value)
                self.solver.known[word] = best
        return self.solver.known[word]

    def solution(self) -> Solution:
        most = self.solver.most
        unknown = Bounds(-most, most)
        each = [MoveValue(move, self.values.get(move, unknown)) for move in self.moves]
        each.sort(key=lambda one: (-one.value.least, -one.value.most, one.move))
        value = Bounds(max(one.value.least for one in each), max(one.value.most for one in each))
        return Solution(
            self.position, self.solver.unit, value, tuple(each), self._line(),
            len(self.solver.known), self.n_nodes, "memory" if self.is_full else None,
            self._scores() if self.scores else None,
        )  # fmt: skip

    def _line(self) -> tuple[int, ...]:
        """Best play as far as it is known."""
        position, line = self.position, []
        while not position.is_over:
            values = {}
            for move in position.legal_moves():
                after = position.play(move)
                if after.state.tobytes() not in self.solver.known:
                    return tuple(line)
                value = self.solver.known[after.state.tobytes()]
                values[move] = value if after.player == position.player else -value
            line.append(max(values, key=values.__getitem__))
            position = position.play(line[-1])
        return tuple(line)

    def _scores(self) -> Scores:
        left, right = self.position.scores or (0, 0)
        n = self.solver.game.board.n_vertices - left - right
        bounds = [
            Bounds(self.sides[player] - left + right, self.sides[player] - left + right)
            if player in self.sides
            else Bounds(-n, n)
            for player in range(2)
        ]
        return Scores(n, *bounds)

    def progress(self) -> SolvingProgress:
        waiting = [move for move in self.moves if move not in self.values]
        what = self.solver.game.move_text(waiting[0]) if waiting else "Rs"
        return SolvingProgress(len(self.values), len(self.moves), what)


def begun_by(position: Position, player: int) -> Position:
    """An INFLUENCE position with the given player to move, if that one has a vertex."""
    sides = position.game.board.sides
    cells = position.cells()
    if not any(cell and side == "LR"[player] for cell, side in zip(cells, sides, strict=True)):
        return position
    state = position.state.copy()
    state[PLAYER] = player
    return Position(position.game, state)


class PlainSolver(Solver):
    """Plain negamax, for small boards of games that always end."""

    NAME = "plain"
    KERNELS = (key,)
    HAS_SCORES = True

    def __init__(self, game: Game, memory: int = 1024) -> None:
        super().__init__(game, memory)
        self.known: dict[bytes, int] = {}
        self.unit = POINTS if game.name == "influence" else RESULT
        self.most = game.board.n_vertices if self.unit == POINTS else 1

    @classmethod
    def suits(cls, game: Game) -> bool:
        return True

    def check(self, position: Position) -> None:
        super().check(position)
        n = len(position.legal_moves())
        if n > MOST_MOVES:
            raise Unsupported(f"{n} moves are too many for an exact answer (about {MOST_MOVES} "
                              "are feasible): give --time for bounds")  # fmt: skip

    def result(self, position: Position) -> int:
        """The result of a game that is over, for the player who is named as to move."""
        outcome = position.outcome
        assert outcome is not None
        if self.unit == POINTS:
            assert outcome.leads is not None
            return outcome.leads[position.player]
        return int(np.sign(outcome.returns[position.player]))

    def begin(
        self, position: Position, *, each: bool = False, scores: bool = False
    ) -> PlainSolving:
        return PlainSolving(self, position, scores=scores and self.unit == POINTS)

    def table(self) -> Arrays:
        n = self.game.sizes.state
        words = np.frombuffer(b"".join(self.known), dtype=np.int32).reshape(-1, n)
        return {"words": words, "values": np.array(list(self.known.values()), dtype=np.int32)}

    def restore(self, arrays: Arrays) -> None:
        if set(arrays) != {"words", "values"}:
            raise BadText("it has other arrays than a table")
        words, values = arrays["words"], arrays["values"]
        if words.dtype != np.int32 or words.shape != (len(values), self.game.sizes.state):
            raise BadText("its positions are not those of the board")
        self.known = {word.tobytes(): int(value) for word, value in zip(words, values, strict=True)}


def reference(position: Position) -> Solution:
    """The solution of a small position."""
    solver = PlainSolver(position.game)
    solving = solver.begin(position, scores=position.game.name == "influence")
    solving.advance(10**9)
    return replace(solving.solution(), n_positions=0, n_nodes=0)
