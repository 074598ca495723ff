"""What a search of INFLUENCE remembers: parts, their kinds, their moves, sums, and bounds.

A part is a connected set of vertices. Parts that look alike are of one kind, and a
part that looks like another's negative (Corollary 15) is of the same kind with the
opposite sign: a signed kind stands for a game. A sum is a list of signed kinds.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel

# Columns of `kinds` and `sums`: bounds of Ls and Rs of a kind or sum, as it is stored;
LEFT_LEAST, LEFT_MOST, RIGHT_LEAST, RIGHT_MOST = range(4)
# and of kinds alone: a part of it, whether that part is its negative (−1) or not (1), whether
# it is its own negative, and the number of the board's vertices.
MASK, SIGN, OWN_NEGATIVE, WEIGHT = range(4, 8)
# Columns of `kind_at`: where Left's moves are listed, where Right's (0: not yet), and the label.
LABEL = 2

# Places in `counts`. The first ones are lengths in use, of what Python lets grow.
N_MASKS, N_KINDS, N_LABELS, N_OPTIONS, N_SUMS, N_KEYS = range(6)
SHORT_OF = 6  # which of these ran out of room
N_COUNTS = 7

Numbers = NDArray[np.int32]


class Memory(NamedTuple):
    """All that is remembered. Kinds and sums are numbered from 1."""

    masks: NDArray[np.uint64]  # shape (masks, words): every part that was met
    mask_kinds: Numbers  # shape (masks,): its kind, with a sign
    mask_index: Numbers  # shape (a power of 2,): where to find one, plus 1; 0 is free

    kinds: Numbers  # shape (kinds, 8), columns above
    kind_at: NDArray[np.int64]  # shape (kinds + 1, 3), columns above
    label_index: Numbers  # shape (a power of 2,): kinds by their labels
    labels: NDArray[np.uint64]  # one after the other, see `influence.kinds`
    options: Numbers  # lists of moves: how many, then for each: gain, number of parts, parts

    sums: Numbers  # shape (sums, 4), columns above
    sum_at: NDArray[np.int64]  # shape (sums + 1,): where each sum's parts begin
    sum_index: Numbers  # shape (a power of 2,)
    keys: Numbers  # the parts of all sums

    counts: NDArray[np.int64]  # shape (N_COUNTS,)


# What grows together, by the place in `counts` that tells how full it is.
GROUPS: dict[int, tuple[str, ...]] = {
    N_MASKS: ("masks", "mask_kinds", "mask_index"),
    N_KINDS: ("kinds", "kind_at", "label_index"),
    N_LABELS: ("labels",),
    N_OPTIONS: ("options",),
    N_SUMS: ("sums", "sum_at", "sum_index"),
    N_KEYS: ("keys",),
}
INDEXES = {"mask_index": N_MASKS, "label_index": N_KINDS, "sum_index": N_SUMS}
SLOTS = 2  # places of an index for each thing that it finds
FIRST_ROOM = 256  # of everything, at first


def make_memory(n_words: int) -> Memory:
    """A memory with nothing in it."""
    widths = {"masks": n_words, "kinds": 8, "kind_at": 3, "sums": 4}
    dtypes = {"masks": np.uint64, "labels": np.uint64, "kind_at": np.int64, "sum_at": np.int64}

    def array(name: str) -> NDArray[Any]:
        n = SLOTS * FIRST_ROOM if name in INDEXES else FIRST_ROOM
        shape = (n, widths[name]) if name in widths else (n,)
        return np.zeros(shape, dtype=dtypes.get(name, np.int32))

    arrays = {name: array(name) for name in Memory._fields}
    memory = Memory(**(arrays | {"counts": np.zeros(N_COUNTS, dtype=np.int64)}))
    for place in (N_KINDS, N_OPTIONS, N_SUMS):
        memory.counts[place] = 1  # number 0 and place 0 stand for nothing
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
def negative_of(memory: Memory, kind: int) -> int:
    """The negative of a signed kind."""
    return kind if memory.kinds[abs(kind), OWN_NEGATIVE] else -kind


@kernel
def is_room(memory: Memory, what: int, n: int, length: int) -> bool:
    """Whether n more of something fit; else notes what is short."""
    if memory.counts[what] + n < length:
        return True
    memory.counts[SHORT_OF] = what
    return False


@kernel
def least_left(bounds: Numbers, sign: int) -> int:
    """What Ls is at least, of a stored game or (sign −1) of its negative."""
    value: int = bounds[LEFT_LEAST] if sign > 0 else -bounds[RIGHT_MOST]
    return value


@kernel
def most_left(bounds: Numbers, sign: int) -> int:
    """What Ls is at most."""
    value: int = bounds[LEFT_MOST] if sign > 0 else -bounds[RIGHT_LEAST]
    return value


@kernel
def least_right(bounds: Numbers, sign: int) -> int:
    """What Rs is at least."""
    value: int = bounds[RIGHT_LEAST] if sign > 0 else -bounds[LEFT_MOST]
    return value


@kernel
def note_bound(bounds: Numbers, sign: int, own_negative: bool, least: int, most: int) -> None:
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
