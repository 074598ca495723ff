"""Where INFLUENCE is searched: a bipartite graph with all that is remembered of it."""

from collections.abc import Callable

import numpy as np

from topple.core.errors import BadText
from topple.game.game import Game
from topple.solvers.influence.kinds import make_room
from topple.solvers.influence.memory import (
    INDEXES,
    N_KINDS,
    N_SUMS,
    OWN_NEGATIVE,
    SHORT_OF,
    grown,
    make_memory,
)
from topple.solvers.influence.parts import NO_ROOM, split_position
from topple.solvers.influence.reach import Reduced
from topple.solvers.influence.search import OUT_OF_ROOM, Stack, make_stack, search
from topple.solvers.influence.sums import bounds_of_sum, index_again
from topple.solvers.influence.table import WRONG, is_table, note_parts, note_sums, write_table
from topple.solvers.solution import Bounds
from topple.solvers.solver import Arrays, is_vector

Parts = tuple[int, ...]  # a sum: signed kinds, seen by the player to move

KERNELS = (split_position, search, bounds_of_sum, index_again)  # of a search; tables need more


class MemoryIsFull(Exception):
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

    def split(self, relevant: int) -> Parts:
        """The sum of parts that a set of relevant vertices of the board is, as Left sees it.

        Raises
        ------
        MemoryIsFull
            If there is no room to note them.
        """
        mask = self.reduced.mask(relevant)
        assert mask is not None, "a space is made for positions that are in it"
        while True:
            n = self.game.run(split_position, self.reduced.field, self.memory, self.room, mask)
            if n != NO_ROOM:
                return tuple(self.room.parts[:n].tolist())
            self._grow()

    def negative(self, parts: Parts) -> Parts:
        """The same sum, seen by the other player."""
        own = self.memory.kinds[:, OWN_NEGATIVE]
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
        """Visit at most n more nodes; see `influence.search`.

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

    def table(self) -> Arrays:
        """All that is proven, as arrays."""
        return write_table(self.memory) | {"graph": self.reduced.digest}

    def restore(self, arrays: Arrays) -> None:
        """Remember what a table says, besides what is remembered already.

        Raises
        ------
        BadText
            If it is no table of this graph, or needs more memory than there may be.
        """
        facts = {name: array for name, array in arrays.items() if name != "graph"}
        digest, own = arrays.get("graph", np.zeros(0)), self.reduced.digest
        is_own = is_vector(digest, np.uint64, len(own)) and np.all(np.equal(digest, own))
        if not (is_own and is_table(facts, self.reduced.n, self.reduced.n_words)):
            raise BadText("this is no table of INFLUENCE on this board")
        parts, bounds, at, sum_parts, sum_bounds = (
            np.ascontiguousarray(arrays[name])
            for name in ("parts", "part_bounds", "sum_at", "sum_parts", "sum_bounds")
        )
        kinds = np.zeros(len(parts), dtype=np.int32)
        field, room = self.reduced.field, self.room
        try:
            self._read(
                len(parts),
                lambda first: self.game.run(
                    note_parts, field, self.memory, room, parts, bounds, kinds, first
                ),
            )
            self._read(
                len(sum_bounds),
                lambda first: self.game.run(
                    note_sums, self.memory, room, kinds, at, sum_parts, sum_bounds, first
                ),
            )
        except MemoryIsFull:
            raise BadText("the table needs more memory than is allowed: allow more") from None

    def _read(self, n: int, read: Callable[[int], int]) -> None:
        """Read n things with a kernel that stops where it needs more room."""
        done = 0
        while done < n:
            done = read(done)
            if done == WRONG:
                raise BadText("the table is damaged: it says what cannot be")
            if done < n:
                self._grow()
