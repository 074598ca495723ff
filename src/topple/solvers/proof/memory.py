"""What ProofSolver remembers: a table of proven bounds that grows and forgets nothing."""

import numpy as np

from topple.core.errors import BadText
from topple.game.game import Game
from topple.game.position import Position
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
    """Proven bounds of a game's positions, each for the player to move.

    Parameters
    ----------
    game : Game
        The game on its board.
    megabytes : int
        What it may grow to.
    symmetric : bool
        Whether positions that are the same but for a symmetry share an entry.
    """

    def __init__(self, game: Game, megabytes: int, symmetric: bool) -> None:
        self.game = game
        self.megabytes = megabytes
        self.symmetries = symmetries_of(game) if symmetric else identity_of(game)
        self.name = np.zeros(3, dtype=np.uint64)  # room for the kernels
        # While the table grows, the old one is there too: together three halves of the new.
        self.most_places = largest_power_of_2(megabytes * MEGABYTE * 2 // 3 // ENTRY_BYTES)
        self.table = make_table(min(FIRST_PLACES, self.most_places))

    @property
    def n_entries(self) -> int:
        """How many positions are remembered."""
        return int(self.table.used[0])

    @property
    def most_entries(self) -> int:
        """How many find room before the table must grow."""
        return room_in(len(self.table.keys))

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
        """What is proven of a position, for the player to move."""
        if position.is_over:
            value = value_at_end(int(position.state[STATUS]), position.player)
            return Bounds(value, value)
        facts = self.game.run(
            look_up, self.game.scratch_state(position.state), self.table, self.symmetries,
            self.game.sizes.state, self.name,
        )  # fmt: skip
        return Bounds(least_of(facts), most_of(facts)) if facts else UNKNOWN

    def known_after(self, position: Position, move: int) -> Bounds:
        """What is proven of a move, for the player who makes it."""
        child = position.play(move)
        bounds = self.known(child)
        return bounds if child.player == position.player else -bounds

    def note(self, position: Position, value: Bounds) -> None:
        """Remember what is proven of a position, if there is room."""
        if self.n_entries >= self.most_entries and not self.grow():
            return
        self.game.run(
            store_position, self.game.scratch_state(position.state), self.table, self.symmetries,
            self.game.sizes.state, self.name, packed(value.least, value.most, NO_MOVE),
        )  # fmt: skip

    def arrays(self) -> Arrays:
        """All entries, one after the other."""
        table, there = self.table, self.table.facts != 0
        return {
            "keys": table.keys[there],
            "checks": table.checks[there],
            "facts": table.facts[there],
        }

    def restore(self, arrays: Arrays) -> None:
        """Put the entries of another table in the place of one's own.

        Raises
        ------
        BadText
            If they are no entries of this game, or too many.
        """
        if set(arrays) != {"keys", "checks", "facts"}:
            raise BadText("what was remembered is damaged: it is not keys, checks and facts")
        keys, checks, facts = arrays["keys"], arrays["checks"], arrays["facts"]
        n = keys.size if isinstance(keys, np.ndarray) else 0
        if not (
            is_vector(keys, np.uint64, n)
            and is_vector(checks, np.uint32, n)
            and is_vector(facts, np.int32, n)
        ):
            raise BadText("what was remembered is damaged: it is not three equally long lists")
        if n > room_in(self.most_places):
            raise BadText(f"what was remembered is too much for {self.megabytes} megabytes: "
                          f"{n:,} positions")  # fmt: skip
        least, most = facts % 4 - 1, facts % BOUNDS // 4 - 2
        good = (facts > 0) & (least <= most) & (most <= WIN)
        if not (good & (facts // BOUNDS <= self.game.sizes.moves)).all():
            raise BadText("what was remembered is damaged: it does not fit this game")
        n_places = min(FIRST_PLACES, self.most_places)
        while room_in(n_places) < n:
            n_places *= 2
        table = make_table(n_places)
        # A kernel sees one kind of array: its own, not one that may be read-only.
        found = self.game.run(copy_entries, keys.copy(), checks.copy(), facts.copy(), table)
        if found == CROWDED:
            raise BadText("what was remembered is damaged: its keys are no hashes")
        self.table = table


def room_in(n_places: int) -> int:
    """The entries that a table takes: a quarter stays free, so that each is found soon.

    >>> room_in(4096)
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
