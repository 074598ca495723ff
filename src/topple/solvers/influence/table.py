"""A solver's memory as arrays for a file, and back. Nothing in a file is trusted.

What is written are facts about sets of vertices: bounds of Ls and Rs of parts, and of sums
of these. Reading looks every part up anew, so no number from a file is ever an index
that was not checked. Bounds that contradict each other or the number of vertices are refused.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.rules.influence import WORD
from topple.solvers.influence.kinds import Room, Words, n_common
from topple.solvers.influence.memory import (
    LEFT_LEAST,
    LEFT_MOST,
    MASK,
    N_KINDS,
    N_SUMS,
    OWN_NEGATIVE,
    RIGHT_LEAST,
    RIGHT_MOST,
    SIGN,
    WEIGHT,
    Memory,
    negative_of,
    note_bound,
)
from topple.solvers.influence.parts import NO_ROOM, add_part, split
from topple.solvers.influence.reach import Field
from topple.solvers.influence.sums import find_stored, sign_of, sign_of_sum, weight_of
from topple.solvers.solver import Arrays

WRONG = -3  # what a kernel returns for something that is no part, sum or bound

Bounds = NDArray[np.int32]


def write_table(memory: Memory) -> Arrays:
    """All that is proven of parts and sums."""
    n_kinds, n_sums = int(memory.counts[N_KINDS]), int(memory.counts[N_SUMS])
    kinds = memory.kinds[1:n_kinds]
    bounds = kinds[:, :4].copy()
    turned = kinds[:, SIGN] < 0  # what is written is its part, the negative
    bounds[turned] = -bounds[turned][:, [RIGHT_MOST, RIGHT_LEAST, LEFT_MOST, LEFT_LEAST]]
    keys = memory.keys[: int(memory.sum_at[n_sums])]
    return {
        "parts": memory.masks[kinds[:, MASK]],
        "part_bounds": bounds,
        "sum_at": memory.sum_at[1 : n_sums + 1].copy(),
        "sum_parts": keys * memory.kinds[np.abs(keys), SIGN],
        "sum_bounds": memory.sums[1:n_sums].copy(),
    }


def is_table(arrays: Arrays, n: int, n_words: int) -> bool:
    """Whether arrays have the form of a table of a graph of n vertices."""
    kinds = {"parts": (np.uint64, (n_words,)), "part_bounds": (np.int32, (4,)),
             "sum_at": (np.int64, ()), "sum_parts": (np.int32, ()),
             "sum_bounds": (np.int32, (4,))}  # fmt: skip
    if set(arrays) != set(kinds) or not all(
        isinstance(arrays[name], np.ndarray) and arrays[name].dtype == dtype
        and arrays[name].ndim == 1 + len(row) and arrays[name].shape[1:] == row
        for name, (dtype, row) in kinds.items()
    ):  # fmt: skip
        return False
    parts, sum_at, sum_parts = arrays["parts"], arrays["sum_at"], arrays["sum_parts"]
    used = n % WORD  # bits of the last word
    return (
        len(parts) == len(arrays["part_bounds"])
        and len(sum_at) == len(arrays["sum_bounds"]) + 1
        and (used == 0 or not (parts[:, -1] >> np.uint64(used)).any())
        and sum_at[0] == 0
        and sum_at[-1] == len(sum_parts)
        and bool((np.diff(sum_at) >= 2).all())
        and bool((np.diff(sum_at) <= n).all())
        and bool(((sum_parts != 0) & (np.abs(sum_parts.astype(np.int64)) <= len(parts))).all())
    )


@kernel
def note_parts(
    board: Any, field: Field, memory: Memory, room: Room, parts: Words, bounds: Bounds,
    kinds: NDArray[np.int32], first: int,
) -> int:  # fmt: skip
    """Note parts with their bounds from one on; returns where it stopped for room, or WRONG.

    Writes the signed kind of each into `kinds`.
    """
    for part in range(first, len(parts)):
        for word in range(parts.shape[1]):
            room.rest[word] = parts[part, word]
        n = split(field, memory, room)
        if n == NO_ROOM:
            return part
        if n != 1 or n_common(parts[part], parts[part]) < 2:
            return WRONG
        kind = room.parts[0]
        kinds[part] = kind
        row = memory.kinds[abs(kind)]
        is_own = row[OWN_NEGATIVE] != 0
        if not add_bounds(row, bounds[part], sign_of(kind), is_own, row[WEIGHT]):
            return WRONG
    return len(parts)


@kernel
def note_sums(
    board: Any, memory: Memory, room: Room, kinds: NDArray[np.int32], at: NDArray[np.int64],
    parts: NDArray[np.int32], bounds: Bounds, first: int,
) -> int:  # fmt: skip
    """Note sums with their bounds from one on; returns where it stopped for room, or WRONG."""
    for number in range(first, len(bounds)):
        n = 0
        for i in range(at[number], at[number + 1]):
            kind = kinds[abs(parts[i]) - 1]
            n = add_part(memory, room.parts, n, kind if parts[i] > 0 else negative_of(memory, kind))
        if n != at[number + 1] - at[number]:
            return WRONG  # opposite parts are never stored
        stored = find_stored(memory, room.parts, n)
        if stored == 0:
            return number
        sign, weight = sign_of_sum(memory, room.parts, n), weight_of(memory, room.parts, n)
        row = memory.sums[-stored]
        if not add_bounds(row, bounds[number], 1 if sign == 0 else sign, sign == 0, weight):
            return WRONG
    return len(bounds)


@kernel
def add_bounds(row: Bounds, new: Bounds, sign: int, own_negative: bool, weight: int) -> bool:
    """Join bounds of a game to those of it, or of its negative, that are stored.

    Tells whether they can be true: within the weight, as odd as it, least before most.
    """
    for i in range(4):
        if new[i] < -weight or new[i] > weight or (new[i] + weight) & 1:
            return False
    note_bound(row, sign, own_negative, new[LEFT_LEAST], new[LEFT_MOST])
    note_bound(row, -sign, own_negative, -new[RIGHT_MOST], -new[RIGHT_LEAST])
    return bool(row[LEFT_LEAST] <= row[LEFT_MOST] and row[RIGHT_LEAST] <= row[RIGHT_MOST])
