"""The memory of ProofSolver: a table of proven bounds, which grows and forgets nothing."""

import numpy as np

from topple.core.errors import BadText
from topple.game import Game, Position
from topple.kernels.proof.search import value_at_end
from topple.kernels.proof.table import (
    BOUNDS,
    CROWDED,
    LOSS,
    NO_MOVE,
    WIN,
    ProofTable,
    copy_entries,
    least_of,
    look_up,
    most_of,
    packed,
    store_position,
)
from topple.rules.interface import STATUS
from topple.solvers.proof.symmetry import identity_of, symmetries_of
from topple.solvers.solution import Bounds
from topple.solvers.solver import MEGABYTE, Arrays, is_vector, largest_power_of_2

ENTRY_BYTES = 16
FIRST_PLACES = 1 << 12

UNKNOWN = Bounds(LOSS, WIN)


class ProofMemory:
    """Proven bounds of a game's positions, for the player to move in each.

    If it is `symmetric`, positions that differ only by a symmetry share an entry.
    """

    def __init__(self, game: Game, megabytes: int, symmetric: bool) -> None:
        self.game = game
        self.megabytes = megabytes
        self.symmetries = symmetries_of(game) if symmetric else identity_of(game)
        self.name = np.zeros(3, dtype=np.uint64)  # scratch space for the kernels
        # While the table grows, the old one exists too: together 3/2 of the new size.
        self.most_places = largest_power_of_2(megabytes * MEGABYTE * 2 // 3 // ENTRY_BYTES)
        self.table = make_table(min(FIRST_PLACES, self.most_places))

    @property
    def n_entries(self) -> int:
        """The number of positions in the table."""
        return int(self.table.used[0])

    @property
    def most_entries(self) -> int:
        """The number of entries at which the table must grow."""
        return most_entries_in(len(self.table.keys))

    def grow(self) -> bool:
        """Double the table; False if the memory does not allow it."""
        n = 2 * len(self.table.keys)
        if n > self.most_places:
            return False
        larger, old = make_table(n), self.table
        self.game.run(copy_entries, old.keys, old.checks, old.facts, larger)
        self.table = larger
        return True

    def known(self, position: Position) -> Bounds:
        """What is proven about a position, for the player to move."""
        if position.is_over:
            value = value_at_end(int(position.state[STATUS]), position.player)
            return Bounds(value, value)
        facts = self.game.run(
            look_up,
            self.game.scratch_state(position.state),
            self.table,
            self.symmetries,
            self.game.sizes.state,
            self.name,
        )
        return Bounds(least_of(facts), most_of(facts)) if facts else UNKNOWN

    def known_after(self, position: Position, move: int) -> Bounds:
        """What is proven about a move, for the player who makes it."""
        child = position.play(move)
        bounds = self.known(child)
        return bounds if child.player == position.player else -bounds

    def store(self, position: Position, value: Bounds) -> None:
        """Store what is proven about a position, if there is space."""
        if self.n_entries >= self.most_entries and not self.grow():
            return
        self.game.run(
            store_position,
            self.game.scratch_state(position.state),
            self.table,
            self.symmetries,
            self.game.sizes.state,
            self.name,
            packed(value.least, value.most, NO_MOVE),
        )

    def arrays(self) -> Arrays:
        """All entries as arrays."""
        table, there = self.table, self.table.facts != 0
        return {
            "keys": table.keys[there],
            "checks": table.checks[there],
            "facts": table.facts[there],
        }

    def restore(self, arrays: Arrays) -> None:
        """Replace the table by the entries of another one.

        Raises
        ------
        BadText
            If they are not entries of this game, or too many.
        """
        if set(arrays) != {"keys", "checks", "facts"}:
            raise BadText("the table is damaged: it does not consist of keys, checks and facts")
        keys, checks, facts = arrays["keys"], arrays["checks"], arrays["facts"]
        n = keys.size if isinstance(keys, np.ndarray) else 0
        if not (
            is_vector(keys, np.uint64, n)
            and is_vector(checks, np.uint32, n)
            and is_vector(facts, np.int32, n)
        ):
            raise BadText("the table is damaged: its lists differ in length or type")
        if n > most_entries_in(self.most_places):
            raise BadText(f"the table needs more than {self.megabytes} megabytes: {n:,} positions")
        least, most = facts % 4 - 1, facts % BOUNDS // 4 - 2
        good = (facts > 0) & (least <= most) & (most <= WIN)
        if not (good & (facts // BOUNDS <= self.game.sizes.moves)).all():
            raise BadText("the table is damaged: it does not fit this game")
        n_places = min(FIRST_PLACES, self.most_places)
        while most_entries_in(n_places) < n:
            n_places *= 2
        table = make_table(n_places)
        # Copies, since kernels are compiled for writable arrays only.
        found = self.game.run(copy_entries, keys.copy(), checks.copy(), facts.copy(), table)
        if found == CROWDED:
            raise BadText("the table is damaged: its keys are not hashes")
        self.table = table


def most_entries_in(n_places: int) -> int:
    """The most entries of a table: a quarter stays free, so that look-ups are quick.

    >>> most_entries_in(4096)
    3072
    """
    return n_places * 3 // 4


def make_table(n: int) -> ProofTable:
    """An empty table of n places, a power of 2."""
    return ProofTable(
        keys=np.zeros(n, dtype=np.uint64),
        checks=np.zeros(n, dtype=np.uint32),
        facts=np.zeros(n, dtype=np.int32),
        used=np.zeros(1, dtype=np.int64),
    )
