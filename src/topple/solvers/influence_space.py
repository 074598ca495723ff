"""Where INFLUENCE is searched: a bipartite graph with all that is remembered of it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.errors import BadText
from topple.game import Game
from topple.solvers.influence_kinds import make_room
from topple.solvers.influence_memory import (
    INDEXES,
    N_KINDS,
    N_SUMS,
    SHORT_OF,
    grown,
    make_memory,
)
from topple.solvers.influence_parts import NO_ROOM, split_position
from topple.solvers.influence_reach import Reduced
from topple.solvers.influence_search import OUT_OF_ROOM, Stack, make_stack, search
from topple.solvers.influence_sums import bounds_of_sum, index_again
from topple.solvers.solution import Bounds
from topple.solvers.solver import Arrays

Parts = tuple[int, ...]  # a sum: signed kinds, seen by the player to move


class MemoryIsFull(Exception):  # noqa: N818
    """The search needs more memory than it may have."""


class Space:
    """A graph, what is known of its parts and sums, and the kernels' way in."""

    def __init__(self, game: Game, reduced: Reduced, most_bytes: int) -> None:
        self.game = game
        self.reduced = reduced
        self.most_bytes = most_bytes
        self.memory = make_memory(reduced.n_words)
        self.room = make_room(reduced.n, reduced.n_words)

    @property
    def n_positions(self) -> int:
        """How many different parts and sums are remembered."""
        return int(self.memory.counts[N_KINDS] + self.memory.counts[N_SUMS]) - 2

    def _grow(self) -> None:
        """Make room for what was short of it.

        Raises
        ------
        MemoryIsFull
            If there may be no more.
        """
        larger = grown(self.memory, self.most_bytes)
        if larger is None:
            raise MemoryIsFull
        self.memory = larger
        what = int(larger.counts[SHORT_OF])
        if what in INDEXES.values():
            self.game.run(index_again, self.memory, what)

    def split(self, relevant: int) -> Parts | None:
        """The sum of parts that a set of relevant vertices is; None if it is not of this graph.

        Raises
        ------
        MemoryIsFull
            If there is no room to note them.
        """
        mask = self.reduced.mask(relevant)
        return None if mask is None else self.split_mask(mask)

    def split_mask(self, mask: NDArray[np.uint64]) -> Parts:
        """The sum of parts that a set of vertices of the bipartite graph is."""
        while True:
            n = self.game.run(split_position, self.reduced.field, self.memory, self.room, mask)
            if n != NO_ROOM:
                return tuple(self.room.parts[:n].tolist())
            self._grow()

    def negative(self, parts: Parts) -> Parts:
        """The same sum, seen by the other player."""
        own = self.memory.own_negative
        return tuple(kind if own[abs(kind)] else -kind for kind in parts)

    def bounds(self, parts: Parts) -> Bounds:
        """Between which values Ls of a sum is proven to lie."""
        row, bounds = np.array([*parts, 0], dtype=np.int32), np.zeros(2, dtype=np.int32)
        self.game.run(bounds_of_sum, self.memory, row, len(parts), bounds)
        return Bounds(*bounds.tolist())

    def stack(self) -> Stack:
        """A stack for questions about this graph."""
        return make_stack(self.reduced.n)

    def search(self, stack: Stack, n: int) -> int:
        """Visit at most n more nodes; see `influence_search`.

        Raises
        ------
        MemoryIsFull
            If it cannot go on.
        """
        field = self.reduced.field
        while True:
            found: int = self.game.run(search, field, self.memory, stack, self.room, n)
            if found != OUT_OF_ROOM:
                return found
            self._grow()
