"""What a search of INFLUENCE remembers: parts, their kinds, their moves, sums, and bounds.

A part is a connected set of vertices. Parts with equal labels are of one kind, and a part
whose label is that of another's negative (Corollary 15) is of the same kind with the
opposite sign, so that a signed kind is a game. A sum is a list of signed kinds.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel

# Columns of `kinds` and `sums`: bounds of Ls and Rs of the stored kind or sum.
LEFT_LEAST, LEFT_MOST, RIGHT_LEAST, RIGHT_MOST = range(4)
# Further columns of `kinds`: a part of this kind, −1 if that part is the negative and else 1,
# whether the kind is its own negative, and the number of vertices of the board.
MASK, SIGN, OWN_NEGATIVE, WEIGHT = range(4, 8)
# Columns of `kind_at`: the list of Left's moves, of Right's moves (0: not listed yet), the label.
LABEL = 2

# Indices of `counts`. The first are the used lengths of the arrays, which Python enlarges.
N_MASKS, N_KINDS, N_LABELS, N_OPTIONS, N_SUMS, N_KEYS = range(6)
LACKING = 6  # which of these needs a longer array
N_COUNTS = 7

Numbers = NDArray[np.int32]


class SumMemory(NamedTuple):
    """All that is remembered. Kinds and sums are numbered from 1."""

    masks: NDArray[np.uint64]  # shape (masks, words): all parts
    mask_kinds: Numbers  # shape (masks,): the signed kind of each
    mask_index: Numbers  # shape (a power of 2,): hash index, entries plus 1; 0 is free

    kinds: Numbers  # shape (kinds, 8), columns above
    kind_at: NDArray[np.int64]  # shape (kinds + 1, 3), columns above
    label_index: Numbers  # shape (a power of 2,): kinds by their labels
    labels: NDArray[np.uint64]  # one after the other, see `kinds.write_label`
    options: Numbers  # lists of moves: their number, then for each gain, number of parts, parts

    sums: Numbers  # shape (sums, 4), columns above
    sum_at: NDArray[np.int64]  # shape (sums + 1,): where each sum's parts begin
    sum_index: Numbers  # shape (a power of 2,)
    keys: Numbers  # the parts of all sums

    counts: NDArray[np.int64]  # shape (N_COUNTS,)


# The arrays that grow together, by the index of their used length in `counts`.
GROUPS: dict[int, tuple[str, ...]] = {
    N_MASKS: ("masks", "mask_kinds", "mask_index"),
    N_KINDS: ("kinds", "kind_at", "label_index"),
    N_LABELS: ("labels",),
    N_OPTIONS: ("options",),
    N_SUMS: ("sums", "sum_at", "sum_index"),
    N_KEYS: ("keys",),
}
INDEXES = {"mask_index": N_MASKS, "label_index": N_KINDS, "sum_index": N_SUMS}
SLOTS = 2  # slots of an index per entry
FIRST_LENGTH = 256  # of each array


def make_memory(n_words: int) -> SumMemory:
    """An empty memory."""
    widths = {"masks": n_words, "kinds": 8, "kind_at": 3, "sums": 4}
    dtypes = {"masks": np.uint64, "labels": np.uint64, "kind_at": np.int64, "sum_at": np.int64}

    def array(name: str) -> NDArray[Any]:
        n = SLOTS * FIRST_LENGTH if name in INDEXES else FIRST_LENGTH
        shape = (n, widths[name]) if name in widths else (n,)
        return np.zeros(shape, dtype=dtypes.get(name, np.int32))

    arrays = {name: array(name) for name in SumMemory._fields}
    memory = SumMemory(**(arrays | {"counts": np.zeros(N_COUNTS, dtype=np.int64)}))
    for place in (N_KINDS, N_OPTIONS, N_SUMS):
        memory.counts[place] = 1  # number 0 and index 0 mean nothing
    return memory


def n_bytes(memory: SumMemory) -> int:
    """The size of all arrays in bytes."""
    return sum(array.nbytes for array in memory)


def grown(memory: SumMemory, most_bytes: int) -> SumMemory | None:
    """The memory with the full arrays doubled; None if that needs more than `most_bytes`."""
    names = GROUPS[int(memory.counts[LACKING])]
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
def negative_of(memory: SumMemory, kind: int) -> int:
    """The negative of a signed kind."""
    return kind if memory.kinds[abs(kind), OWN_NEGATIVE] else -kind


@kernel
def has_space(memory: SumMemory, what: int, n: int, length: int) -> bool:
    """Whether n more elements fit into an array of a length; if not, note it in LACKING."""
    if memory.counts[what] + n < length:
        return True
    memory.counts[LACKING] = what
    return False


@kernel
def least_left(bounds: Numbers, sign: int) -> int:
    """The lower bound of Ls of a stored game (sign 1) or of its negative (sign −1)."""
    value: int = bounds[LEFT_LEAST] if sign > 0 else -bounds[RIGHT_MOST]
    return value


@kernel
def most_left(bounds: Numbers, sign: int) -> int:
    """The upper bound of Ls."""
    value: int = bounds[LEFT_MOST] if sign > 0 else -bounds[RIGHT_LEAST]
    return value


@kernel
def least_right(bounds: Numbers, sign: int) -> int:
    """The lower bound of Rs."""
    value: int = bounds[RIGHT_LEAST] if sign > 0 else -bounds[LEFT_MOST]
    return value


@kernel
def note_bound(bounds: Numbers, sign: int, own_negative: bool, least: int, most: int) -> None:
    """Narrow the bounds, in place, by bounds of Ls of the stored game or of its negative."""
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
