"""HexSolver: who wins at Hex, by a search of must-play regions on sets of bits."""

from typing import ClassVar

import numpy as np

from topple.compiling.specialise import Kernel
from topple.core.errors import BadText, Unsupported
from topple.game.game import Game
from topple.game.position import Position
from topple.solvers.hex.bits import MOST_CELLS
from topple.solvers.hex.frame import EMPTY, LARGEST_WHOLE, Frame, colours, frame_for
from topple.solvers.hex.memory import WORDS, HexMemory, read_arrays
from topple.solvers.hex.search import search
from topple.solvers.hex.solving import HexSolving
from topple.solvers.hex.table import put_all
from topple.solvers.solver import MEMORY, Arrays, Solver

# What takes seconds, or minutes at worst: so many empty cells, or as many as fit
# into one number once a share of the board is filled.
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

        After a search that has filled the memory, all is forgotten: what it proved is
        of little use to a later position, which may well be small enough.

        Raises
        ------
        Unsupported
            If it has more empty cells than fit into one number.
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
        """Remember what a table holds."""
        if not isinstance(arrays, dict):
            raise BadText("a table of Hex is a dictionary of arrays")
        memory = HexMemory(self.game, read_arrays(self.game, arrays), self.memory)
        memory.fill(arrays)
        self._memory = memory


def _too_large(position: Position, n_empty: int) -> str:
    game = position.game
    told = ""
    if n_empty == game.board.n_vertices:  # by stealing strategies, or by taking the better side
        told = f" (the {'second' if game.options['swap'] else 'first'} player wins)"
    return (
        f"{n_empty} empty cells of Hex are too many for an exact answer{told}: {FEASIBLE} are "
        f"feasible, or {MOST_CELLS} if the board is a quarter full; ask an agent, such as uct"
    )
