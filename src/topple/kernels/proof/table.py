"""The table of proofs: what is known of positions, under names of 96 bits.

A position's name is two hashes of its numbers. Where a game has symmetries, it is the
name of one of the position's images, the same for all of them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.rules.interface import HASH_FACTOR, HASH_SHIFT, HASH_START, State

LOSS, DRAW, WIN = -1, 0, 1  # for the player to move
BOUNDS = 16  # bounds fill the lowest numbers of an entry, the best move + 1 is above
NO_MOVE = -1

OPEN, NO, YES = range(3)  # what is answered to a question

CROWDED = -1
FARTHEST = 1000  # places from an entry to where it lies, on an average that is never met

CHECK_START = np.uint64(0xC2B2AE3D27D4EB4F)
CHECK_FACTOR = np.uint64(0x9FB21C651E98DF25)
CHECK_SHIFT = np.uint64(29)
CHECK_TOP = np.uint64(32)


class ProofTable(NamedTuple):
    """What is proven: an entry lies at its key, or at the next free place behind it.

    Two hashes tell positions apart, 96 bits in all.
    """

    keys: NDArray[np.uint64]  # shape (a power of 2,)
    checks: NDArray[np.uint32]
    facts: NDArray[np.int32]  # bounds and best move; 0 where there is no entry
    used: NDArray[np.int64]  # shape (1,): the number of entries


# What an entry knows.


@kernel
def least_of(facts: int) -> int:
    """The least that a position is worth to the player to move."""
    return facts % 4 - 1


@kernel
def most_of(facts: int) -> int:
    """The most that a position is worth to the player to move."""
    return facts % BOUNDS // 4 - 2


@kernel
def move_of(facts: int) -> int:
    """The best move, as the table sees the position."""
    return facts // BOUNDS - 1


@kernel
def answer_of(facts: int, target: int) -> int:
    """What an entry says to a question."""
    if facts == 0:
        return OPEN
    if least_of(facts) >= target:
        return YES
    return NO if most_of(facts) < target else OPEN


@kernel
def answer_for_parent(facts: int, target: int, same: bool) -> int:
    """What a child's entry says to its parent's question, whoever is to move there."""
    if same:
        return answer_of(facts, target)
    answer = answer_of(facts, 1 - target)  # the other must not get more than −target
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
    """Write a position's key, its check and the symmetry under which it is remembered.

    Of all images the one whose numbers come first in the order of words.
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
    """The check of a name as a signed number, which all kernels take."""
    check: int = np.int64(name[1])  # type: ignore[assignment]
    return check


@kernel
def played_move(symmetries: Any, move: int, view: int) -> int:
    """A move of a position's image, as it is played in the position itself."""
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
    """Where a position's entry lies, or where it belongs."""
    last = len(table.keys) - 1
    slot = home_of(table, key)
    while table.facts[slot] != 0 and (table.keys[slot] != key or table.checks[slot] != check):
        slot = (slot + 1) & last
    return slot


@kernel
def store(table: ProofTable, key: np.uint64, check: int, facts: int) -> None:
    """Write an entry; what it knew is replaced."""
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
    """What the table knows of a position: the facts of its entry, or 0."""
    identify(state, symmetries, n_state, name)
    return int(table.facts[find(table, name[0], check_in(name))])


@kernel
def store_position(
    board: Any, state: State, table: ProofTable, symmetries: Any, n_state: int,
    name: NDArray[np.uint64], facts: int,
) -> int:  # fmt: skip
    """Give a position an entry with these facts; returns the number of entries."""
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
    """Write entries, in any order and with gaps, into a table that has room for all.

    Returns their number, or CROWDED where too many share a place: hashes do not.
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
