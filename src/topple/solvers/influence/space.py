"""The search space of INFLUENCE: a bipartite graph and all that is proven about it."""

from collections.abc import Callable

import numpy as np

from topple.core.errors import BadText
from topple.game.game import Game
from topple.solvers.influence.kinds import make_scratch
from topple.solvers.influence.memory import (
    INDEXES,
    LACKING,
    N_KINDS,
    N_SUMS,
    OWN_NEGATIVE,
    grown,
    make_memory,
)
from topple.solvers.influence.parts import NO_SPACE, split_position
from topple.solvers.influence.reach import Reduced
from topple.solvers.influence.search import OUT_OF_SPACE, QuestionStack, make_stack, search
from topple.solvers.influence.sums import bounds_of_sum, index_again
from topple.solvers.influence.table import WRONG, is_table, note_parts, note_sums, write_table
from topple.solvers.solution import Bounds
from topple.solvers.solver import Arrays, MemoryFull, is_vector

Parts = tuple[int, ...]  # a sum: signed kinds, seen by the player to move

KERNELS = (
    split_position,
    search,
    bounds_of_sum,
    index_again,
)  # of a search; reading tables needs further ones


class Space:
    """A graph with the memory of its parts and sums, and methods that call the kernels."""

    def __init__(self, game: Game, reduced: Reduced, most_bytes: int) -> None:
        self.game = game
        self.reduced = reduced
        self.most_bytes = most_bytes
        self.memory = make_memory(reduced.n_words)
        self.scratch = make_scratch(reduced.n, reduced.n_words)

    @property
    def n_positions(self) -> int:
        """The number of different kinds and sums in the memory."""
        return int(self.memory.counts[N_KINDS] + self.memory.counts[N_SUMS]) - 2

    def _grow(self) -> None:
        """Enlarge the arrays that are full.

        Raises
        ------
        MemoryFull
            If the memory limit does not allow it.
        """
        larger = grown(self.memory, self.most_bytes)
        if larger is None:
            raise MemoryFull
        self.memory = larger
        what = int(larger.counts[LACKING])
        if what in INDEXES.values():
            self.game.run(index_again, self.memory, what)

    def split(self, relevant: int) -> Parts:
        """The parts of a set of relevant vertices of the board, as a sum seen by Left.

        Raises
        ------
        MemoryFull
            If there is no memory to store them.
        """
        mask = self.reduced.mask(relevant)
        assert mask is not None, "the position must be in the space"
        while True:
            n = self.game.run(split_position, self.reduced.graph, self.memory, self.scratch, mask)
            if n != NO_SPACE:
                return tuple(self.scratch.parts[:n].tolist())
            self._grow()

    def negative(self, parts: Parts) -> Parts:
        """The same sum, seen by the other player."""
        own = self.memory.kinds[:, OWN_NEGATIVE]
        return tuple(kind if own[abs(kind)] else -kind for kind in parts)

    def bounds(self, parts: Parts) -> Bounds:
        """The proven bounds of Ls of a sum."""
        row, bounds = np.array([*parts, 0], dtype=np.int32), np.zeros(2, dtype=np.int32)
        self.game.run(bounds_of_sum, self.memory, row, len(parts), bounds)
        return Bounds(*bounds.tolist())

    def stack(self) -> QuestionStack:
        """A stack for questions about this graph."""
        return make_stack(self.reduced.n)

    def search(self, stack: QuestionStack, n: int) -> int:
        """Visit at most n more nodes; see `search.search`.

        Raises
        ------
        MemoryFull
            If the memory limit ends the search.
        """
        graph = self.reduced.graph
        while True:
            found: int = self.game.run(search, graph, self.memory, stack, self.scratch, n)
            if found != OUT_OF_SPACE:
                return found
            self._grow()

    def table(self) -> Arrays:
        """All that is proven, as arrays."""
        return write_table(self.memory) | {"graph": self.reduced.digest}

    def restore(self, arrays: Arrays) -> None:
        """Add the contents of a table to the memory.

        Raises
        ------
        BadText
            If it is not a table of this graph, or needs more memory than allowed.
        """
        facts = {name: array for name, array in arrays.items() if name != "graph"}
        digest, own = arrays.get("graph", np.zeros(0)), self.reduced.digest
        is_own = is_vector(digest, np.uint64, len(own)) and np.all(np.equal(digest, own))
        if not (is_own and is_table(facts, self.reduced.n, self.reduced.n_words)):
            raise BadText("this is not a table of INFLUENCE on this board")
        parts, bounds, at, sum_parts, sum_bounds = (
            np.ascontiguousarray(arrays[name])
            for name in ("parts", "part_bounds", "sum_at", "sum_parts", "sum_bounds")
        )
        kinds = np.zeros(len(parts), dtype=np.int32)
        graph, scratch = self.reduced.graph, self.scratch
        try:
            self._read(
                len(parts),
                lambda first: self.game.run(
                    note_parts, graph, self.memory, scratch, parts, bounds, kinds, first
                ),
            )
            self._read(
                len(sum_bounds),
                lambda first: self.game.run(
                    note_sums, self.memory, scratch, kinds, at, sum_parts, sum_bounds, first
                ),
            )
        except MemoryFull:
            raise BadText("the table needs more memory than is allowed: allow more") from None

    def _read(self, n: int, read: Callable[[int], int]) -> None:
        """Read n items with a kernel that stops when the memory must grow."""
        done = 0
        while done < n:
            done = read(done)
            if done == WRONG:
                raise BadText("the table is damaged: its contents are impossible")
            if done < n:
                self._grow()
