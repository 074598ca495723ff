"""What a search of INFLUENCE remembers: parts, their kinds, their moves, sums, and bounds.

A part is a connected set of vertices. Parts that look alike are of one kind, and a
part that looks like another's negative (Corollary 15) is of the same kind with the
opposite sign: a signed kind stands for a game. A sum is a list of signed kinds.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling import kernel

# Columns of `bounds`: of Ls and Rs of a kind or sum, as it is stored.
LEFT_LEAST, LEFT_MOST, RIGHT_LEAST, RIGHT_MOST = range(4)

# Places in `counts`. The first four are lengths in use, of what Python lets grow.
N_MASKS, N_KINDS, N_LABELS, N_OPTIONS, N_SUMS, N_KEYS = range(6)
SHORT_OF = 6  # which of these ran out of room
N_COUNTS = 8


class Memory(NamedTuple):
    """All that is remembered. Kinds and sums are numbered from 1."""

    masks: NDArray[np.uint64]  # shape (masks, words): every part that was met
    mask_kinds: NDArray[np.int32]  # shape (masks,): its kind, with a sign
    mask_index: NDArray[np.int32]  # shape (a power of 2,): where to find one, plus 1; 0 is free

    kind_masks: NDArray[np.int32]  # shape (kinds,): a part of each kind
    kind_signs: NDArray[np.int32]  # whether that part is the kind's negative
    own_negative: NDArray[np.int32]  # whether the kind is its own negative
    weights: NDArray[np.int64]  # the number of the board's vertices
    kind_bounds: NDArray[np.int32]  # shape (kinds, 4)
    options_at: NDArray[np.int64]  # shape (kinds, 2): moves of Left, of Right; 0 is not listed
    label_at: NDArray[np.int64]  # shape (kinds + 1,): where each kind's label begins

    label_index: NDArray[np.int32]  # shape (a power of 2,): kinds by their labels
    labels: NDArray[np.uint64]  # see `influence_kinds`
    options: NDArray[np.int32]  # number of moves, then for each: gain, number of parts, parts

    sum_at: NDArray[np.int64]  # shape (sums + 1,): where each sum's parts begin
    sum_bounds: NDArray[np.int32]  # shape (sums, 4)
    sum_index: NDArray[np.int32]  # shape (a power of 2,)
    keys: NDArray[np.int32]  # the parts of all sums

    counts: NDArray[np.int64]  # shape (N_COUNTS,)


# What grows together, by the place in `counts` that tells how full it is.
GROUPS: dict[int, tuple[str, ...]] = {
    N_MASKS: ("masks", "mask_kinds", "mask_index"),
    N_KINDS: ("kind_masks", "kind_signs", "own_negative", "weights", "kind_bounds",
              "options_at", "label_at", "label_index"),
    N_LABELS: ("labels",),
    N_OPTIONS: ("options",),
    N_SUMS: ("sum_at", "sum_bounds", "sum_index"),
    N_KEYS: ("keys",),
}  # fmt: skip
INDEXES = {"mask_index": N_MASKS, "label_index": N_KINDS, "sum_index": N_SUMS}
SLOTS = 2  # places of an index for each thing that it finds
FIRST_ROOM = 256  # of everything, at first


def make_memory(n_words: int) -> Memory:
    """A memory with nothing in it."""
    n = FIRST_ROOM
    words = {"masks": (n, n_words), "labels": (n,)}
    rows = {"kind_bounds": (n, 4), "options_at": (n, 2), "sum_bounds": (n, 4)}
    shapes = {name: (n,) for name in Memory._fields} | words | rows
    shapes |= dict.fromkeys(INDEXES, (SLOTS * n,)) | {"counts": (N_COUNTS,)}
    long = {"weights", "options_at", "label_at", "sum_at", "counts"}
    memory = Memory(*(
        np.zeros(shapes[name],
                 np.uint64 if name in words else np.int64 if name in long else np.int32)
        for name in Memory._fields
    ))  # fmt: skip
    # Number 0 and place 0 stand for nothing.
    for place in (N_KINDS, N_OPTIONS, N_SUMS):
        memory.counts[place] = 1
    return memory


def n_bytes(memory: Memory) -> int:
    """The size of all arrays."""
    return sum(array.nbytes for array in memory)


def grown(memory: Memory, most_bytes: int) -> Memory | None:
    """The same with twice the room where there was none left; None if that is too much."""
    names = GROUPS[int(memory.counts[SHORT_OF])]
    if n_bytes(memory) + sum(getattr(memory, name).nbytes for name in names) > most_bytes:
        return None
    larger = {}
    for name in names:
        old = getattr(memory, name)
        larger[name] = np.zeros((2 * len(old), *old.shape[1:]), dtype=old.dtype)
        if name not in INDEXES:
            larger[name][: len(old)] = old
    return memory._replace(**larger)


@kernel
def is_room(memory: Memory, what: int, n: int, length: int) -> bool:
    """Whether n more of something fit; else notes what is short."""
    if memory.counts[what] + n < length:
        return True
    memory.counts[SHORT_OF] = what
    return False


@kernel
def least_left(bounds: NDArray[np.int32], sign: int) -> int:
    """What Ls is at least, of a stored game or (sign −1) of its negative."""
    return bounds[LEFT_LEAST] if sign > 0 else -bounds[RIGHT_MOST]


@kernel
def most_left(bounds: NDArray[np.int32], sign: int) -> int:
    """What Ls is at most."""
    return bounds[LEFT_MOST] if sign > 0 else -bounds[RIGHT_LEAST]


@kernel
def least_right(bounds: NDArray[np.int32], sign: int) -> int:
    """What Rs is at least."""
    return bounds[RIGHT_LEAST] if sign > 0 else -bounds[LEFT_MOST]


@kernel
def note_bound(
    bounds: NDArray[np.int32], sign: int, own_negative: bool, least: int, most: int
) -> None:
    """Note between which values Ls lies, of a stored game or of its negative."""
    if sign > 0:
        bounds[LEFT_LEAST] = max(bounds[LEFT_LEAST], least)
        bounds[LEFT_MOST] = min(bounds[LEFT_MOST], most)
    else:
        bounds[RIGHT_LEAST] = max(bounds[RIGHT_LEAST], -most)
        bounds[RIGHT_MOST] = min(bounds[RIGHT_MOST], -least)
    if own_negative:  # Rs = −Ls
        bounds[RIGHT_LEAST] = max(bounds[RIGHT_LEAST], -bounds[LEFT_MOST])
        bounds[RIGHT_MOST] = min(bounds[RIGHT_MOST], -bounds[LEFT_LEAST])
        bounds[LEFT_LEAST] = max(bounds[LEFT_LEAST], -bounds[RIGHT_MOST])
        bounds[LEFT_MOST] = min(bounds[LEFT_MOST], -bounds[RIGHT_LEAST])
    # Corollary 12: Ls >= Rs.
    bounds[LEFT_LEAST] = max(bounds[LEFT_LEAST], bounds[RIGHT_LEAST])
    bounds[RIGHT_MOST] = min(bounds[RIGHT_MOST], bounds[LEFT_MOST])
