"""The table of proven Hex positions: the winner of each, and a carrier.

A carrier is a set of empty cells that suffices for the winner: it wins even if the
loser owns all other cells. The key is the position itself, so that positions are never
confused. Positions that differ by a symmetry of the board share an entry: the sides are
exchanged so that the one to move joins top and bottom, and of a position and its
half-turn the smaller one is stored.
"""

from typing import Any, NamedTuple

import numpy as np

from topple.compiling.specialise import kernel, noinline
from topple.solvers.hex.bits import BOTTOM, EDGES, TOP, moved
from topple.solvers.hex.fill import NOBODY, HexNetwork, Words

MOVER_WINS, OTHER_WINS = 1 << TOP, 1 << BOTTOM  # every result contains one of them
SECOND_TO_MOVE = 1 << TOP  # in the keys of frames without symmetry

FACTOR, SECOND_FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
FOLD = np.uint64(29)

CROWDED = -1
FARTHEST = 1000  # average distance from slot to entry that no honest table reaches


class HexTable(NamedTuple):
    """A hash table with linear probing; entries with result 0 are free."""

    own: Words  # shape (a power of 2,): stones of the side to move
    other: Words
    results: Words  # the carrier and the winner
    n_entries: Words  # shape (1,)


class HexKey(NamedTuple):
    """The keys of the positions on the stack; all arrays have shape (plies,)."""

    own: Words
    other: Words
    is_turned: Words  # whether it is the key of the half-turn


@noinline
def make_key(network: HexNetwork, stones: Words, side: int, key: HexKey, ply: int) -> None:
    """Write a position's key to its ply."""
    own, other = stones[side], stones[1 - side]
    key.is_turned[ply] = 0
    if network.symmetric[0] == 0:
        key.own[ply], key.other[ply] = own, other | side * SECOND_TO_MOVE
        return
    if side == 1:
        own, other = moved(own, network.mirrored), moved(other, network.mirrored)
    turned_own, turned_other = moved(own, network.turned), moved(other, network.turned)
    if turned_own < own or (turned_own == own and turned_other < other):
        own, other = turned_own, turned_other
        key.is_turned[ply] = 1
    key.own[ply], key.other[ply] = own, other


@kernel
def home_of(table: HexTable, own: int, other: int) -> int:
    """The slot of a position's hash."""
    word = np.uint64(own) * FACTOR ^ np.uint64(other) * SECOND_FACTOR
    word ^= word >> FOLD
    word *= FACTOR
    word ^= word >> FOLD
    home: int = np.int64(word & np.uint64(len(table.results) - 1))  # type: ignore[assignment]
    return home


@noinline
def slot_of(table: HexTable, own: int, other: int) -> int:
    """The index of a position's entry, or of the free entry where it belongs."""
    mask = len(table.results) - 1
    slot = home_of(table, own, other)
    while table.results[slot] != 0 and (table.own[slot] != own or table.other[slot] != other):
        slot = slot + 1 & mask
    return slot


@kernel
def put(table: HexTable, own: int, other: int, result: int) -> None:
    """Write an entry, which replaces an older one of the same position."""
    slot = slot_of(table, own, other)
    table.n_entries[0] += table.results[slot] == 0
    table.own[slot], table.other[slot], table.results[slot] = own, other, result


@kernel
def store(
    network: HexNetwork,
    table: HexTable,
    key: HexKey,
    ply: int,
    side: int,
    winner: int,
    carrier: int,
) -> None:
    """Store the winner of the position of a ply, and the carrier."""
    if network.symmetric[0] == 1:
        if side == 1:
            carrier = moved(carrier, network.mirrored)
        if key.is_turned[ply]:
            carrier = moved(carrier, network.turned)
    result = carrier | (MOVER_WINS if winner == side else OTHER_WINS)
    put(table, key.own[ply], key.other[ply], result)


@kernel
def look_up(
    network: HexNetwork, table: HexTable, key: HexKey, ply: int, side: int, carriers: Words
) -> int:
    """The winner of the position of a ply, or NOBODY; its carrier is written to `carriers`."""
    result = table.results[slot_of(table, key.own[ply], key.other[ply])]
    if result == 0:
        return NOBODY
    carrier = result & ~EDGES
    if network.symmetric[0] == 1:  # both maps undo themselves
        if key.is_turned[ply]:
            carrier = moved(carrier, network.turned)
        if side == 1:
            carrier = moved(carrier, network.mirrored)
    carriers[ply] = carrier
    return side if result & MOVER_WINS else 1 - side


@kernel
def put_all(board: Any, own: Words, other: Words, results: Words, table: HexTable) -> int:
    """Insert entries that are not free into a table; return its number of entries.

    Returns CROWDED if entries are far from their slots, which hashes would not produce but
    a crafted file could, to make look-ups slow.
    """
    n = len(table.results)
    strides = n
    for i in range(len(results)):
        if results[i] != 0:
            put(table, own[i], other[i], results[i])
            slot, home = slot_of(table, own[i], other[i]), home_of(table, own[i], other[i])
            strides += FARTHEST - (slot - home + n) % n
            if strides < 0:
                return CROWDED
    return int(table.n_entries[0])
