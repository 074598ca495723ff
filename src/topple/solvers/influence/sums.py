"""Sums of parts: how they are stored, and what the parts prove about them.

Games are seen by the player to move, who is called Left: Right's turn on a sum is
Left's turn on its negative. A sum and its negative are stored as one sum.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel, noinline
from topple.rules.influence import NONE
from topple.solvers.influence.kinds import mix
from topple.solvers.influence.memory import (
    LABEL,
    LEFT_LEAST,
    LEFT_MOST,
    N_KEYS,
    N_KINDS,
    N_MASKS,
    N_SUMS,
    OWN_NEGATIVE,
    RIGHT_LEAST,
    RIGHT_MOST,
    WEIGHT,
    SumMemory,
    has_space,
    least_left,
    least_right,
    most_left,
    note_bound,
)

Parts = NDArray[np.int32]  # signed kinds, sorted by kinds, without opposites

ABOVE_KINDS = 1 << 40


@kernel
def unsigned(kind: int) -> np.uint64:
    """A signed kind as a word; the offset makes compiled and plain code agree."""
    return np.uint64(np.int64(kind) + ABOVE_KINDS)


@kernel
def sign_of(kind: int) -> int:
    """1 or −1."""
    return 1 if kind > 0 else -1


@kernel
def weight_of(memory: SumMemory, parts: Parts, n: int) -> int:
    """The number of vertices of the board in a sum."""
    weight = 0
    for i in range(n):
        weight += memory.kinds[abs(parts[i]), WEIGHT]
    return weight


@kernel
def is_exact(memory: SumMemory, kind: int) -> bool:
    """Whether Ls and Rs of a kind are known."""
    row = memory.kinds[kind]
    return bool(row[LEFT_LEAST] >= row[LEFT_MOST] and row[RIGHT_LEAST] >= row[RIGHT_MOST])


@kernel
def is_number(memory: SumMemory, kind: int) -> bool:
    """Whether Ls = Rs. By Corollary 14 such a part adds that number to every sum."""
    return bool(memory.kinds[kind, RIGHT_LEAST] >= memory.kinds[kind, LEFT_MOST])


@kernel
def drop_numbers(memory: SumMemory, parts: Parts, n: int) -> tuple[int, int]:
    """Remove the numbers from a sum, in place; return its length and the numbers' total."""
    left, worth = 0, 0
    for i in range(n):
        if is_number(memory, abs(parts[i])):
            worth += sign_of(parts[i]) * memory.kinds[abs(parts[i]), LEFT_MOST]
        else:
            parts[left] = parts[i]
            left += 1
    return left, worth


@kernel
def bounds_from_parts(memory: SumMemory, parts: Parts, n: int) -> tuple[int, int]:
    """Bounds of Ls of a sum from its parts (Corollary 14)."""
    replies, first, most = 0, 0, 0
    for i in range(n):
        bounds, sign = memory.kinds[abs(parts[i])], sign_of(parts[i])
        second = least_right(bounds, sign)
        replies += second
        # Left begins in the part where beginning is worth most, and replies in the others.
        first = max(first, least_left(bounds, sign) - second)
        most += most_left(bounds, sign)
    return replies + first, most


@kernel
def sign_of_sum(memory: SumMemory, parts: Parts, n: int) -> int:
    """1 if a sum is stored itself, −1 if its negative is stored, 0 if both are the same."""
    for i in range(n):
        if not memory.kinds[abs(parts[i]), OWN_NEGATIVE]:
            return sign_of(parts[i])
    return 0


@kernel
def stored_part(memory: SumMemory, kind: int, sign: int) -> int:
    """A signed kind as it is stored in a sum with a sign."""
    return kind if sign >= 0 or memory.kinds[abs(kind), OWN_NEGATIVE] else -kind


@noinline
def place_of_sum(memory: SumMemory, parts: Parts, n: int) -> int:
    """The slot of a sum in the index, or the free slot where it belongs."""
    sign = sign_of_sum(memory, parts, n)
    word, last = NONE, len(memory.sum_index) - 1
    for i in range(n):
        word = mix(word ^ unsigned(stored_part(memory, parts[i], sign)))
    place: int = np.int64(word & np.uint64(last))  # type: ignore[assignment]
    while memory.sum_index[place] != 0:
        at = memory.sum_at[memory.sum_index[place]]
        is_same = memory.sum_at[memory.sum_index[place] + 1] - at == n
        for i in range(n):
            is_same = is_same and memory.keys[at + i] == stored_part(memory, parts[i], sign)
            if not is_same:
                break
        if is_same:
            break
        place = (place + 1) & last
    return place


@noinline
def add_sum(memory: SumMemory, parts: Parts, n: int, place: int) -> int:
    """Store a new sum with the trivial bounds; return its number, or 0 if there is no space."""
    if not (
        has_space(memory, N_SUMS, 2, len(memory.sum_at))
        and has_space(memory, N_KEYS, n, len(memory.keys))
    ):
        return 0
    number: int = memory.counts[N_SUMS]
    memory.counts[N_SUMS] += 1
    at = memory.sum_at[number]
    sign = sign_of_sum(memory, parts, n)
    for i in range(n):
        memory.keys[at + i] = stored_part(memory, parts[i], sign)
    memory.sum_at[number + 1] = memory.counts[N_KEYS] = at + n
    memory.sum_index[place] = number
    weight = weight_of(memory, parts, n)
    memory.sums[number, LEFT_LEAST] = 0 if sign == 0 else -weight
    memory.sums[number, LEFT_MOST] = weight
    memory.sums[number, RIGHT_LEAST] = -weight
    memory.sums[number, RIGHT_MOST] = 0 if sign == 0 else weight
    return number


@kernel
def bounds_of_sum(board: Any, memory: SumMemory, parts: Parts, n: int, bounds: Parts) -> None:
    """Write the lower and the upper bound of Ls of a sum to `bounds`."""
    n, worth = drop_numbers(memory, parts, n)
    least, most = known_bounds(memory, parts, n)
    bounds[0] = least + worth
    bounds[1] = most + worth


@kernel
def known_bounds(memory: SumMemory, parts: Parts, n: int) -> tuple[int, int]:
    """Bounds of Ls of a sum, from its parts and from what is stored of it."""
    least, most = bounds_from_parts(memory, parts, n)
    if n > 1:
        number = memory.sum_index[place_of_sum(memory, parts, n)]
        if number != 0:
            least, most = join_stored(memory, parts, n, -number, least, most)
    return least, most


@kernel
def find_stored(memory: SumMemory, parts: Parts, n: int) -> int:
    """The kind of a sum of one part, otherwise minus the sum's number; 0 if there is no space."""
    if n == 1:
        kind: int = abs(parts[0])
        return kind
    place = place_of_sum(memory, parts, n)
    number: int = memory.sum_index[place]
    return -number if number != 0 else -add_sum(memory, parts, n, place)


@kernel
def join_stored(
    memory: SumMemory, parts: Parts, n: int, stored: int, least: int, most: int
) -> tuple[int, int]:
    """Intersect bounds of Ls of a sum with those that are stored."""
    if stored > 0:
        return least, most  # the bounds of its only part are included already
    bounds, sign = memory.sums[-stored], sign_of_sum(memory, parts, n)
    sign = 1 if sign == 0 else sign
    return max(least, least_left(bounds, sign)), min(most, most_left(bounds, sign))


@kernel
def note_stored(
    memory: SumMemory, parts: Parts, n: int, stored: int, least: int, most: int
) -> None:
    """Narrow the stored bounds of a sum by bounds of Ls."""
    if stored > 0:
        is_own = memory.kinds[stored, OWN_NEGATIVE] != 0
        note_bound(memory.kinds[stored], sign_of(parts[0]), is_own, least, most)
    else:
        sign = sign_of_sum(memory, parts, n)
        note_bound(memory.sums[-stored], 1 if sign == 0 else sign, sign == 0, least, most)


@kernel
def index_again(board: Any, memory: SumMemory, what: int) -> None:
    """Fill an index that is empty because it has just grown."""
    if what == N_MASKS:
        index_masks(memory)
    elif what == N_KINDS:
        index_labels(memory)
    elif what == N_SUMS:
        for number in range(1, memory.counts[N_SUMS]):
            at = memory.sum_at[number]
            index_word(memory.sum_index, word_of_sum(memory, at, memory.sum_at[number + 1]), number)


@kernel
def index_word(index: Parts, word: np.uint64, number: int) -> None:
    """Insert a number into the first free slot for a word."""
    last = len(index) - 1
    place = np.int64(word & np.uint64(last))
    while index[place] != 0:
        place = (place + 1) & last
    index[place] = number


@kernel
def word_of_sum(memory: SumMemory, at: int, end: int) -> np.uint64:
    """The word by which `place_of_sum` finds a sum."""
    word = NONE
    for i in range(at, end):
        word = mix(word ^ unsigned(memory.keys[i]))
    return word


@kernel
def index_masks(memory: SumMemory) -> None:
    """Fill the index of parts."""
    for mask in range(memory.counts[N_MASKS]):
        word = NONE
        for i in range(memory.masks.shape[1]):
            word = mix(word ^ memory.masks[mask, i])
        index_word(memory.mask_index, word, mask + 1)


@kernel
def index_labels(memory: SumMemory) -> None:
    """Fill the index of labels."""
    for kind in range(1, memory.counts[N_KINDS]):
        word = NONE
        for i in range(memory.kind_at[kind, LABEL], memory.kind_at[kind + 1, LABEL]):
            word = mix(word ^ memory.labels[i])
        if memory.kind_at[kind + 1, LABEL] > memory.kind_at[kind, LABEL]:
            index_word(memory.label_index, word, kind)
