"""HexSolver: who wins at Hex, by a search of must-play regions on sets of bits."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from topple.compiling.specialise import Kernel
from topple.core.errors import BadText, Unsupported
from topple.game import Game, Position
from topple.rules.hex import SWAPPED
from topple.rules.interface import PLAYER
from topple.solvers.hex.bits import MOST_CELLS
from topple.solvers.hex.connections import NONE
from topple.solvers.hex.fill import Words
from topple.solvers.hex.frame import EMPTY, LARGEST_WHOLE, Frame, colours, frame_for
from topple.solvers.hex.memory import WORDS, HexMemory, read_arrays
from topple.solvers.hex.search import (
    FULL,
    IS_LEAVING,
    NODES,
    PLY,
    RUNNING,
    HexScratch,
    HexStack,
    search,
)
from topple.solvers.hex.table import HexKey, put_all
from topple.solvers.solution import RESULT, Bounds, MoveValue, Solution, best_first
from topple.solvers.solver import CONTRADICTION, MEMORY, Arrays, Solver, Solving, SolvingProgress

LOSS, WIN, UNKNOWN = Bounds(-1, -1), Bounds(1, 1), Bounds(-1, 1)
PLIES = 64


def _zeros(*shape: int) -> Words:
    return np.zeros(shape, dtype=np.int64)


def make_stack() -> HexStack:
    """An empty stack."""
    numbers = [_zeros(PLIES) for _ in range(10)]
    return HexStack(
        stones=_zeros(PLIES, 2),
        captured=_zeros(PLIES, 2),
        side=numbers[0],
        must=numbers[1],
        carrier=numbers[2],
        winner=numbers[3],
        best_move=numbers[4],
        key=HexKey(numbers[5], numbers[6], numbers[7]),
        moves=_zeros(PLIES, 64),
        merits=_zeros(PLIES, 64),
        n_moves=numbers[8],
        next_move=numbers[9],
        counts=_zeros(3),
    )


def from_centre(size: int, vertices: tuple[int, ...]) -> list[int]:
    """Cells sorted by their distance from the centre of the board.

    >>> from_centre(3, tuple(range(9)))
    [4, 1, 2, 3, 5, 6, 7, 0, 8]
    """

    def distance(vertex: int) -> tuple[int, int]:
        down, right = (2 * part - size + 1 for part in divmod(vertex, size))
        return max(abs(down), abs(right), abs(down + right)), vertex

    return sorted(vertices, key=distance)


class HexSolving(Solving):
    """Finds the value of every move, then a line of best play.

    `cells` are the moves to evaluate, by default all.
    """

    def __init__(
        self, memory: HexMemory, position: Position, cells: tuple[int, ...] | None = None
    ) -> None:
        self.position = position
        self.memory = memory
        self.size = position.game.board.rows
        self.stack = make_stack()
        self.scratch = HexScratch(_zeros(2, 64), _zeros(3, 64), _zeros(4), _zeros(2, 64))
        self.limit: str | None = None
        self.line: list[int] = []
        self.values = dict.fromkeys(position.legal_moves(), UNKNOWN)
        self._cells = from_centre(self.size, cells if cells is not None else position.legal_moves())
        self._done = False
        self._left = 0  # positions to examine before the next pause
        self._asking = "the position"
        self._work = self._steps()

    @property
    def is_done(self) -> bool:
        """Whether every move's value and a line are proven, or the memory is full."""
        return self._done

    def advance(self, n: int) -> None:
        """Examine about n more positions."""
        self._left = n
        if not self._done:
            next(self._work)

    def _steps(self) -> Iterator[None]:
        """All the work, with a pause whenever the granted positions are used up."""
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
            # The second player takes the better side, whatever the first move is.
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
        """Record that a move loses, and with it all moves outside the refutation's carrier."""
        needed = set(self._carrier())
        for other in self.values:
            if other != self.size**2 and other not in needed and self.values[other] == UNKNOWN:
                self.values[other] = LOSS
        self.values[move] = LOSS

    def _is_begun_with_swap(self) -> bool:
        """Whether the board is empty and the second player may swap."""
        n_cells = self.size**2
        return (
            bool(self.position.game.tables.swap)
            and len(self.values) == n_cells > 1
            and not (colours(self.position).any())
        )

    def _find_line(self) -> Iterator[None]:
        """Find best play: proven moves for the winner, moves inside the carrier for the loser."""
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
        """The cell of the carrier that touches most of it, a good move for either side.

        The winner may move anywhere if it wins even as second, but a move inside the
        carrier shortens the game; the loser can only resist there.
        """
        near = self.memory.frame.network.near[0]
        carrier = int(self.stack.carrier[0])
        cells = [cell for cell in range(64) if carrier >> cell & 1]
        if not cells:
            raise BadText(CONTRADICTION)
        cell = max(cells, key=lambda cell: (int(near[cell] & carrier).bit_count(), -cell))
        return self.memory.frame.vertices[cell]

    def _search(self, position: Position, move: int | None = None) -> Iterator[None]:
        """Search a position, or the one after a move, until it is proven or the memory is full."""
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
                search,
                self.memory.frame.network,
                stack,
                self.scratch,
                self.memory.table,
                int(move is not None),
                self._left,
            )
            self._left -= int(counts[NODES]) - before
            if status == FULL and not self.memory.grow():
                self.limit = "memory"
                return

    def _winner(self) -> int:
        """The winner of the position searched last."""
        return int(self.stack.winner[0])

    def _carrier(self) -> list[int]:
        """The cells of the winner's carrier in the position searched last."""
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
        """The value of the position; on an empty board the winner is known without a search."""
        if self._is_begun_with_swap():
            return LOSS
        if not colours(self.position).any() and not self.position.game.tables.swap:
            return WIN
        values = self.values.values()
        return Bounds(max(v.least for v in values), max(v.most for v in values))

    def solution(self) -> Solution:
        """What is proven so far."""
        return Solution(
            position=self.position,
            unit=RESULT,
            value=self._best(),
            moves=best_first(MoveValue(*each) for each in self.values.items()),
            line=tuple(self.line),
            n_positions=self.memory.n_entries,
            n_nodes=int(self.stack.counts[NODES]),
            limit=self.limit,
        )

    def progress(self) -> SolvingProgress:
        """How many moves have a proven value."""
        settled = sum(value.is_exact for value in self.values.values())
        return SolvingProgress(settled, len(self.values), self._asking)


# Positions that take seconds, or minutes at worst, have at most so many empty cells, or
# MOST_CELLS if this share of the board is filled.
FEASIBLE = 40
FILLED = 1 / 4


class HexSolver(Solver):
    """Exact play of Hex, with or without swap.

    Examples
    --------
    >>> import topple
    >>> game = topple.load("hex", "hex:3")
    >>> solving = HexSolver(game).begin(game.start())
    >>> while not solving.is_done:
    ...     solving.advance(1000)
    >>> [game.move_text(move) for move in solving.solution().best_moves]
    ['c1', 'a2', 'b2', 'c2', 'a3']
    """

    NAME = "hex"
    KERNELS: ClassVar[tuple[Kernel, ...]] = (search, put_all)

    def __init__(self, game: Game, memory: int = MEMORY) -> None:
        super().__init__(game, memory)
        self._memory: HexMemory | None = None

    @classmethod
    def suits(cls, game: Game) -> bool:
        """Hex, on any board."""
        return game.name == "hex"

    def check(self, position: Position) -> None:
        """Refuse a position with too many empty cells."""
        super().check(position)
        n_cells = position.game.board.n_vertices
        n_empty = int((colours(position) == EMPTY).sum())
        most = MOST_CELLS if n_cells - n_empty >= FILLED * n_cells else FEASIBLE
        if n_empty > most:
            raise Unsupported(_too_large(position, n_empty))

    def begin(self, position: Position, *, each: bool = False, scores: bool = False) -> HexSolving:
        """Begin to solve a position; every move's value is found in any case.

        After a search has filled the memory, the next one begins with an empty memory,
        since old entries are of little use to a later position that may need the space.

        Raises
        ------
        Unsupported
            If it has more than MOST_CELLS empty cells.
        """
        board = colours(position)
        size = self.game.board.rows
        n_empty = int((board == EMPTY).sum())
        if size > LARGEST_WHOLE and n_empty > MOST_CELLS:
            raise Unsupported(_too_large(position, n_empty))
        memory = self._memory
        if memory is None or memory.is_full or not memory.frame.holds(board):
            self._memory = HexMemory(self.game, frame_for(size, board), self.memory)
        assert self._memory is not None
        return HexSolving(self._memory, position)

    def rehearse(self) -> None:
        """Call every kernel, on a board that is nearly full."""
        size = self.game.board.rows
        board = np.ones(size * size, dtype=np.int8)
        board[-1] = EMPTY
        if size <= LARGEST_WHOLE:
            board[:] = EMPTY
        memory = HexMemory(self.game, Frame(size, board), megabytes=1)
        memory.grow()
        solving = HexSolving(memory, self.game.start(), cells=(size * size - 1,))
        solving.advance(1)

    def table(self) -> Arrays:
        """The proven positions; on a large board those that follow from the last one solved."""
        if self._memory is not None:
            return self._memory.arrays()
        size = self.game.board.rows
        nothing = {name: np.zeros(0, dtype=np.int64) for name in WORDS}
        stones = np.full(size * size, EMPTY if size <= LARGEST_WHOLE else 1, dtype=np.int8)
        return {"board": stones, **nothing}

    def restore(self, arrays: Arrays) -> None:
        """Take over another table."""
        if not isinstance(arrays, dict):
            raise BadText("a table of Hex is a dictionary of arrays")
        memory = HexMemory(self.game, read_arrays(self.game, arrays), self.memory)
        memory.fill(arrays)
        self._memory = memory


def _too_large(position: Position, n_empty: int) -> str:
    game = position.game
    winner = ""
    if n_empty == game.board.n_vertices:  # by strategy stealing, or by taking the better side
        winner = f" (the {'second' if game.options['swap'] else 'first'} player wins)"
    return (
        f"{n_empty} empty cells of Hex are too many for an exact answer{winner}: {FEASIBLE} are "
        f"feasible, or {MOST_CELLS} if the board is a quarter full; ask an agent, such as uct"
    )
