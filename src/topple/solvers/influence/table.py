"""Conversion of a memory to arrays for a file, and back. Files are not trusted.

The arrays contain bounds of Ls and Rs of parts, which are sets of vertices, and of sums of
parts. Every part is looked up again when it is read, so that no number from a file is used
as an index without a check. Bounds that contradict each other or the number of vertices are
refused.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.rules.influence import WORD
from topple.solvers.influence.kinds import PartScratch, Words, n_common
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
    Numbers,
    SumMemory,
    negative_of,
    note_bound,
)
from topple.solvers.influence.parts import NO_SPACE, add_part, split
from topple.solvers.influence.reach import ReachGraph
from topple.solvers.influence.sums import find_stored, sign_of, sign_of_sum, weight_of
from topple.solvers.solver import Arrays

WRONG = -3  # what a kernel returns for invalid parts, sums or bounds


def write_table(memory: SumMemory) -> Arrays:
    """All that is proven about parts and sums, as arrays."""
    n_kinds, n_sums = int(memory.counts[N_KINDS]), int(memory.counts[N_SUMS])
    kinds = memory.kinds[1:n_kinds]
    bounds = kinds[:, :4].copy()
    turned = kinds[:, SIGN] < 0  # the part that is written is the negative of the kind
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
    """Whether arrays have the form of a table for a graph of n vertices."""
    forms = {
        "parts": (np.uint64, (n_words,)),
        "part_bounds": (np.int32, (4,)),
        "sum_at": (np.int64, ()),
        "sum_parts": (np.int32, ()),
        "sum_bounds": (np.int32, (4,)),
    }
    if set(arrays) != set(forms) or not all(
        isinstance(arrays[name], np.ndarray)
        and arrays[name].dtype == dtype
        and arrays[name].ndim == 1 + len(row)
        and arrays[name].shape[1:] == row
        for name, (dtype, row) in forms.items()
    ):
        return False
    parts, sum_at, sum_parts = arrays["parts"], arrays["sum_at"], arrays["sum_parts"]
    used = n % WORD  # bits in use of the last word
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
    board: Any,
    graph: ReachGraph,
    memory: SumMemory,
    scratch: PartScratch,
    parts: Words,
    bounds: Numbers,
    kinds: Numbers,
    first: int,
) -> int:
    """Store parts from index `first` on with their bounds; write their signed kinds to `kinds`.

    Returns the index of the part for which the memory must grow first, the number of parts
    if there is none, or WRONG.
    """
    for part in range(first, len(parts)):
        for word in range(parts.shape[1]):
            scratch.rest[word] = parts[part, word]
        n = split(graph, memory, scratch)
        if n == NO_SPACE:
            return part
        if n != 1 or n_common(parts[part], parts[part]) < 2:
            return WRONG
        kind = scratch.parts[0]
        kinds[part] = kind
        row = memory.kinds[abs(kind)]
        is_own = row[OWN_NEGATIVE] != 0
        if not add_bounds(row, bounds[part], sign_of(kind), is_own, row[WEIGHT]):
            return WRONG
    return len(parts)


@kernel
def note_sums(
    board: Any,
    memory: SumMemory,
    scratch: PartScratch,
    kinds: Numbers,
    at: NDArray[np.int64],
    parts: Numbers,
    bounds: Numbers,
    first: int,
) -> int:
    """Store sums from index `first` on with their bounds; returns the like of `note_parts`."""
    for number in range(first, len(bounds)):
        n = 0
        for i in range(at[number], at[number + 1]):
            kind = kinds[abs(parts[i]) - 1]
            n = add_part(
                memory, scratch.parts, n, kind if parts[i] > 0 else negative_of(memory, kind)
            )
        if n != at[number + 1] - at[number]:
            return WRONG  # opposite parts are never stored
        stored = find_stored(memory, scratch.parts, n)
        if stored == 0:
            return number
        sign, weight = sign_of_sum(memory, scratch.parts, n), weight_of(memory, scratch.parts, n)
        row = memory.sums[-stored]
        if not add_bounds(row, bounds[number], 1 if sign == 0 else sign, sign == 0, weight):
            return WRONG
    return len(bounds)


@kernel
def add_bounds(row: Numbers, new: Numbers, sign: int, own_negative: bool, weight: int) -> bool:
    """Narrow a stored row by bounds of the game (sign 1) or of its negative (sign −1).

    Returns False for impossible bounds: beyond the weight, of the wrong parity, or contradictory.
    """
    for i in range(4):
        if new[i] < -weight or new[i] > weight or (new[i] + weight) & 1:
            return False
    note_bound(row, sign, own_negative, new[LEFT_LEAST], new[LEFT_MOST])
    note_bound(row, -sign, own_negative, -new[RIGHT_MOST], -new[RIGHT_LEAST])
    return bool(row[LEFT_LEAST] <= row[LEFT_MOST] and row[RIGHT_LEAST] <= row[RIGHT_MOST])
