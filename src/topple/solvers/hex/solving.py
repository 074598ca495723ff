"""HexSolving: one Hex position being solved, move by move, and then a line of best play."""

from collections.abc import Iterator

import numpy as np

from topple.core.errors import BadText
from topple.game.position import Position
from topple.rules.hex import SWAPPED
from topple.rules.interface import PLAYER
from topple.solvers.hex.connections import NONE
from topple.solvers.hex.fill import Words
from topple.solvers.hex.frame import colours
from topple.solvers.hex.memory import HexMemory
from topple.solvers.hex.search import (
    FULL,
    IS_LEAVING,
    NODES,
    PLY,
    RUNNING,
    Room,
    Stack,
    search,
)
from topple.solvers.hex.table import Key
from topple.solvers.solution import RESULT, Bounds, MoveValue, Solution
from topple.solvers.solver import Progress, Solving

LOSS, WIN, UNKNOWN = Bounds(-1, -1), Bounds(1, 1), Bounds(-1, 1)
PLIES = 64


def _zeros(*shape: int) -> Words:
    return np.zeros(shape, dtype=np.int64)


def make_stack() -> Stack:
    """An empty stack."""
    numbers = [_zeros(PLIES) for _ in range(10)]
    return Stack(
        stones=_zeros(PLIES, 2),
        captured=_zeros(PLIES, 2),
        side=numbers[0],
        must=numbers[1],
        carrier=numbers[2],
        winner=numbers[3],
        best_move=numbers[4],
        key=Key(numbers[5], numbers[6], numbers[7]),
        moves=_zeros(PLIES, 64),
        merits=_zeros(PLIES, 64),
        n_moves=numbers[8],
        next_move=numbers[9],
        counts=_zeros(3),
    )


def from_centre(size: int, vertices: tuple[int, ...]) -> list[int]:
    """Cells in the order of their distance from the centre of the board.

    >>> from_centre(3, tuple(range(9)))
    [4, 1, 2, 3, 5, 6, 7, 0, 8]
    """

    def distance(vertex: int) -> tuple[int, int]:
        down, right = (2 * part - size + 1 for part in divmod(vertex, size))
        return max(abs(down), abs(right), abs(down + right)), vertex

    return sorted(vertices, key=distance)


class HexSolving(Solving):
    """The value of every move, then a line. `cells` are the moves to look at, if not all."""

    def __init__(
        self, memory: HexMemory, position: Position, cells: tuple[int, ...] | None = None
    ) -> None:
        self.position = position
        self.memory = memory
        self.size = position.game.board.rows
        self.stack = make_stack()
        self.room = Room(_zeros(2, 64), _zeros(3, 64), _zeros(4), _zeros(2, 64))
        self.limit: str | None = None
        self.line: list[int] = []
        self.values = dict.fromkeys(position.legal_moves(), UNKNOWN)
        self._cells = from_centre(self.size, cells if cells is not None else position.legal_moves())
        self._done = False
        self._left = 0  # positions to look at before the next pause
        self._asking = "the position"
        self._work = self._steps()

    @property
    def is_done(self) -> bool:
        """Whether every move's value and a line are proven, or the memory is full."""
        return self._done

    def advance(self, n: int) -> None:
        """Look at about n more positions."""
        self._left = n
        if not self._done:
            next(self._work)

    def _steps(self) -> Iterator[None]:
        """All the work, with a pause where n positions have been looked at."""
        yield from self._find_values()
        if self.limit is None:
            self._asking = "a line of best play"
            yield from self._find_line()
        self._done = True
        yield

    def _find_values(self) -> Iterator[None]:
        """Find the value of each move."""
        swap = self.size**2
        if self._is_begun_with_swap():
            # The second player takes the better side, whatever the first stone is.
            self.values = dict.fromkeys(self.values, LOSS)
            return
        for move in self._cells:
            if move == swap or self.values[move] != UNKNOWN:
                continue
            self._asking = self.position.game.move_text(move)
            yield from self._search(self.position, move)
            if self.limit is not None:
                return
            if self._winner() == self._side(self.position):
                self.values[move] = WIN
            else:
                self._lose(move)
        if swap in self.values:
            self.values[swap] = LOSS if WIN in self.values.values() else WIN

    def _lose(self, move: int) -> None:
        """A move loses, and so do all that the refutation does not need."""
        needed = set(self._carrier())
        for other in self.values:
            if other != self.size**2 and other not in needed and self.values[other] == UNKNOWN:
                self.values[other] = LOSS
        self.values[move] = LOSS

    def _is_begun_with_swap(self) -> bool:
        """Whether the first stone is to be put, and the second player may swap."""
        n_cells = self.size**2
        return (
            bool(self.position.game.tables.swap)
            and len(self.values) == n_cells > 1
            and not (colours(self.position).any())
        )

    def _find_line(self) -> Iterator[None]:
        """Find best play: the winner's moves from proofs, the loser's inside the carrier."""
        position = self.position
        known = [move for move in self._cells if self.values[move] == WIN]
        if known:
            position = self._play(position, known[0])
        elif self._is_begun_with_swap():
            position = self._play(position, self._cells[0])
        while not position.is_over:
            yield from self._search(position)
            if self.limit is not None:
                return
            wins = self._winner() == self._side(position)
            if not wins and self._may_swap(position):
                position = self._play(position, self.size**2)
                continue
            move = int(self.stack.best_move[0]) if wins else NONE
            if move == NONE:
                position = self._play(position, self._busiest())
            else:
                position = self._play(position, self.memory.frame.vertices[move])

    def _play(self, position: Position, move: int) -> Position:
        self.line.append(move)
        return position.play(move)

    def _busiest(self) -> int:
        """The cell of the carrier that touches most of it: where either side would play.

        A side that has won even if the other moves first may move anywhere, but
        nearer the end inside the carrier; one that has lost must try there.
        """
        near = self.memory.frame.network.near[0]
        carrier = int(self.stack.carrier[0])
        cells = [cell for cell in range(64) if carrier >> cell & 1]
        if not cells:
            raise BadText("what was restored is wrong: solve it anew")
        cell = max(cells, key=lambda cell: (int(near[cell] & carrier).bit_count(), -cell))
        return self.memory.frame.vertices[cell]

    def _search(self, position: Position, move: int | None = None) -> Iterator[None]:
        """Search a position, or the one after a move, until it is proven or memory is full."""
        stack, counts = self.stack, self.stack.counts
        board, side = colours(position), self._side(position)
        if move is not None:
            board[move] = 1 + side
        stack.stones[0] = self.memory.frame.stones(board)
        stack.side[0] = side if move is None else 1 - side
        counts[PLY] = counts[IS_LEAVING] = 0
        status = RUNNING
        while status in (RUNNING, FULL):
            while self._left <= 0:
                yield
            before = int(counts[NODES])
            status = self.memory.game.run(
                search, self.memory.frame.network, stack, self.room, self.memory.table,
                int(move is not None), self._left,
            )  # fmt: skip
            self._left -= int(counts[NODES]) - before
            if status == FULL and not self.memory.grow():
                self.limit = "memory"
                return

    def _winner(self) -> int:
        """The side that wins what was searched last."""
        return int(self.stack.winner[0])

    def _carrier(self) -> list[int]:
        """The cells of the winner's carrier there."""
        carrier = int(self.stack.carrier[0])
        return [v for cell, v in enumerate(self.memory.frame.vertices) if carrier >> cell & 1]

    @staticmethod
    def _side(position: Position) -> int:
        """The side to move."""
        return int(position.state[PLAYER] ^ position.state[SWAPPED])

    @staticmethod
    def _may_swap(position: Position) -> bool:
        return position.game.board.n_vertices in position.legal_moves()

    def _best(self) -> Bounds:
        """The value of the best move; on an empty board it is known who wins, if not how."""
        if self._is_begun_with_swap():
            return LOSS
        if not colours(self.position).any() and not self.position.game.tables.swap:
            return WIN
        values = self.values.values()
        return Bounds(max(v.least for v in values), max(v.most for v in values))

    def solution(self) -> Solution:
        """What is proven so far."""
        moves = [MoveValue(move, value) for move, value in self.values.items()]
        moves.sort(key=lambda each: (-each.value.least, -each.value.most, each.move))
        return Solution(
            position=self.position,
            unit=RESULT,
            value=self._best(),
            moves=tuple(moves),
            line=tuple(self.line),
            n_positions=self.memory.n_entries,
            n_nodes=int(self.stack.counts[NODES]),
            limit=self.limit,
        )

    def progress(self) -> Progress:
        """How many moves have a proven value."""
        settled = sum(value.is_exact for value in self.values.values())
        return Progress(settled, len(self.values), self._asking)
