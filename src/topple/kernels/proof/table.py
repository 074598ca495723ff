"""The table of proofs: bounds on positions, stored under names of 96 bits.

A position's name is two hashes of its numbers. If a game has symmetries, all images of a
position have the same name: that of the image whose numbers come first.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.rules.interface import HASH_FACTOR, HASH_SHIFT, HASH_START, State

LOSS, DRAW, WIN = -1, 0, 1  # results for the player to move
BOUNDS = 16  # an entry is its bounds, below 16, plus 16 times the best move + 1
NO_MOVE = -1

OPEN, NO, YES = range(3)  # the answers to a question

CROWDED = -1
FARTHEST = 1000  # mean distance of entries from their homes that hashes never reach

CHECK_START = np.uint64(0xC2B2AE3D27D4EB4F)
CHECK_FACTOR = np.uint64(0x9FB21C651E98DF25)
CHECK_SHIFT = np.uint64(29)
CHECK_TOP = np.uint64(32)


class ProofTable(NamedTuple):
    """Entries at the place of their key, or at the next free place after it.

    Two hashes identify a position, 96 bits in all.
    """

    keys: NDArray[np.uint64]  # shape (a power of 2,)
    checks: NDArray[np.uint32]
    facts: NDArray[np.int32]  # bounds and best move; 0 where there is no entry
    used: NDArray[np.int64]  # shape (1,): the number of entries


# The parts of an entry, and its answers.


@kernel
def least_of(facts: int) -> int:
    """The lower bound of a position's result for the player to move."""
    return facts % 4 - 1


@kernel
def most_of(facts: int) -> int:
    """The upper bound of a position's result for the player to move."""
    return facts % BOUNDS // 4 - 2


@kernel
def move_of(facts: int) -> int:
    """The best move in the image of the position that the table stores, or NO_MOVE."""
    return facts // BOUNDS - 1


@kernel
def answer_of(facts: int, target: int) -> int:
    """The answer of an entry to a question."""
    if facts == 0:
        return OPEN
    if least_of(facts) >= target:
        return YES
    return NO if most_of(facts) < target else OPEN


@kernel
def answer_for_parent(facts: int, target: int, same: bool) -> int:
    """The answer of a child's entry to its parent's question; `same`: the same player moves."""
    if same:
        return answer_of(facts, target)
    answer = answer_of(facts, 1 - target)  # the opponent must not get more than −target
    if answer == OPEN:
        return OPEN
    return NO if answer == YES else YES


@kernel
def packed(least: int, most: int, move: int) -> int:
    """Bounds and a move in one number."""
    return least + 1 + 4 * (most + 2) + BOUNDS * (move + 1)


# Names of positions.


@kernel
def identify(state: State, symmetries: Any, n_state: int, name: NDArray[np.uint64]) -> None:
    """Write a position's key, its check and the symmetry of its image into `name`.

    The image is the lexicographically first one, so that all images have the same name.
    """
    places = symmetries.places
    view = 0
    for s in range(1, len(places)):
        for i in range(symmetries.first, n_state):
            new, old = state[places[s, i]], state[places[view, i]]
            if new != old:
                if new < old:
                    view = s
                break
    word, check = HASH_START, CHECK_START
    for i in range(n_state):
        number = np.uint64(state[places[view, i]])
        word = (word ^ number) * HASH_FACTOR
        word ^= word >> HASH_SHIFT
        check = (check ^ number) * CHECK_FACTOR
        check ^= check >> CHECK_SHIFT
    name[0] = word
    name[1] = check >> CHECK_TOP
    name[2] = np.uint64(view)


@kernel
def check_in(name: NDArray[np.uint64]) -> int:
    """The check of a name as a signed number, the type that kernels take."""
    check: int = np.int64(name[1])  # type: ignore[assignment]
    return check


@kernel
def played_move(symmetries: Any, move: int, view: int) -> int:
    """The move of a position that corresponds to a move of its image."""
    if move < 0:
        return NO_MOVE
    return int(symmetries.moves[symmetries.inverse[view], move])


@kernel
def home_of(table: ProofTable, key: np.uint64) -> int:
    """The place that a key points to."""
    home: int = np.int64(key & np.uint64(len(table.keys) - 1))  # type: ignore[assignment]
    return home


@kernel
def find(table: ProofTable, key: np.uint64, check: int) -> int:
    """The place of a position's entry, or the free place for it."""
    last = len(table.keys) - 1
    slot = home_of(table, key)
    while table.facts[slot] != 0 and (table.keys[slot] != key or table.checks[slot] != check):
        slot = (slot + 1) & last
    return slot


@kernel
def store(table: ProofTable, key: np.uint64, check: int, facts: int) -> None:
    """Write an entry, or replace the one that is there."""
    slot = find(table, key, check)
    table.used[0] += table.facts[slot] == 0
    table.keys[slot] = key
    table.checks[slot] = np.uint32(check)
    table.facts[slot] = facts


# From Python.


@kernel
def look_up(
    board: Any,
    state: State,
    table: ProofTable,
    symmetries: Any,
    n_state: int,
    name: NDArray[np.uint64],
) -> int:
    """The facts of a position's entry, or 0 if it has none. Changes `name`."""
    identify(state, symmetries, n_state, name)
    return int(table.facts[find(table, name[0], check_in(name))])


@kernel
def store_position(
    board: Any,
    state: State,
    table: ProofTable,
    symmetries: Any,
    n_state: int,
    name: NDArray[np.uint64],
    facts: int,
) -> int:
    """Store the facts of a position; returns the number of entries. Changes `name`."""
    identify(state, symmetries, n_state, name)
    store(table, name[0], check_in(name), facts)
    return int(table.used[0])


@kernel
def copy_entries(
    board: Any,
    keys: NDArray[np.uint64],
    checks: NDArray[np.uint32],
    facts: NDArray[np.int32],
    table: ProofTable,
) -> int:
    """Copy entries, in any order and with gaps, into a table that is large enough.

    Returns the number of entries, or CROWDED if too many have the same place, which never
    happens with true hashes: a damaged file must not make the copy endless.
    """
    distance, last = 0, len(table.keys) - 1
    for old in range(len(keys)):
        if facts[old] != 0:
            slot = find(table, keys[old], checks[old])
            distance += (slot - home_of(table, keys[old])) & last
            if distance > FARTHEST * (old + FARTHEST):
                return CROWDED
            store(table, keys[old], checks[old], facts[old])
    return int(table.used[0])
