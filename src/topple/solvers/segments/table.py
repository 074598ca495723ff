"""The table of proven bounds: a sum of pieces under 80 bits of its hash, with its Ls.

An entry is three words of 32 bits: two hold the key, the third 16 more bits of check and the
bounds, a byte each. That is 12 bytes for a sum of any length. Two sums are confused only if all
80 bits agree, which has a probability of 2⁻⁸⁰ for each pair: if 10⁹ sums are each looked up
among 10⁸ in the table, the odds are ten million to one against a single mistake.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel, noinline

ENTRY_BYTES = 12
FIRST_SIZE = 1 << 12
LARGEST_SIZE = 1 << 32  # since a slot is computed from 32 bits of the key
FULLEST = 0.8  # the share of slots in use at which a table must grow

KEY_HIGH, KEY_LOW, NOTE = range(3)  # the words of an entry; no entry has the note 0
ZERO = 128  # a bound of 0, as a byte
WIDEST = 127  # the largest bound that fits

HALF, CHECK_SHIFT = np.uint64(32), np.uint64(48)
LOW_WORD = np.uint64(0xFFFFFFFF)
BYTE = 0xFF
ABSENT = -1
CROWDED = -1
FARTHEST = 1000  # average distance from slot to entry that no honest table reaches


class SumTable(NamedTuple):
    """A hash table with linear probing: an entry is at its slot or the next free place after it."""

    entries: NDArray[np.uint32]  # shape (slots, 3)
    counts: NDArray[np.int64]  # shape (1,): the number of entries


def make_table(n: int) -> SumTable:
    """An empty table of n slots."""
    return SumTable(np.zeros((n, 3), dtype=np.uint32), np.zeros(1, dtype=np.int64))


@noinline
def find_entry(table: SumTable, key: np.uint64, check: np.uint64) -> int:
    """The index of a sum's entry, or −1 − the index where it would be."""
    entries = table.entries
    n = len(entries)
    high, low = key >> HALF, key & LOW_WORD
    mark = np.int64(check >> CHECK_SHIFT)
    place = np.int64((high * np.uint64(n)) >> HALF)
    while entries[place, NOTE] != 0:
        if (
            np.uint64(entries[place, KEY_LOW]) == low
            and np.uint64(entries[place, KEY_HIGH]) == high
            and (np.int64(entries[place, NOTE]) >> 16) == mark
        ):
            return int(place)
        place += 1
        if place == n:
            place = np.int64(0)
    return int(ABSENT - place)


@kernel
def entry_low(table: SumTable, place: int) -> int:
    """The lower bound of Ls in an entry."""
    note = np.int64(table.entries[place, NOTE])
    return int(((note >> 8) & BYTE) - ZERO)


@kernel
def entry_high(table: SumTable, place: int) -> int:
    """The upper bound of Ls in an entry."""
    return int((np.int64(table.entries[place, NOTE]) & BYTE) - ZERO)


@kernel
def store(table: SumTable, key: np.uint64, check: np.uint64, low: int, high: int) -> None:
    """Store the bounds of a sum; the table must have space for another entry."""
    place = find_entry(table, key, check)
    if place < 0:
        place = ABSENT - place
        table.entries[place, KEY_HIGH] = np.uint32(key >> HALF)
        table.entries[place, KEY_LOW] = np.uint32(key & LOW_WORD)
        table.counts[0] += 1
    mark = np.int64(check >> CHECK_SHIFT)
    table.entries[place, NOTE] = np.uint32((mark << 16) | ((low + ZERO) << 8) | (high + ZERO))


@kernel
def copy_entries(board: Any, source: NDArray[np.uint32], table: SumTable) -> int:
    """Insert entries into a table that has space for them; later ones replace equal ones.

    Returns CROWDED if entries are far from their slots, which hashes would not produce but a
    crafted file could, to make look-ups slow; otherwise 0.
    """
    n = len(table.entries)
    strides = n
    for i in range(len(source)):
        if source[i, NOTE] != 0:
            key = (np.uint64(source[i, KEY_HIGH]) << HALF) | np.uint64(source[i, KEY_LOW])
            note = np.int64(source[i, NOTE])
            check = np.uint64(note >> 16) << CHECK_SHIFT
            low, high = ((note >> 8) & BYTE) - ZERO, (note & BYTE) - ZERO
            store(table, key, check, int(low), int(high))
            home = int(((key >> HALF) * np.uint64(n)) >> HALF)
            strides += FARTHEST - (find_entry(table, key, check) - home + n) % n
            if strides < 0:
                return CROWDED
    return 0


def are_entries(array: object) -> bool:
    """Whether an array from an untrusted file is a list of entries with possible bounds."""
    if not (isinstance(array, np.ndarray) and array.dtype == np.uint32 and array.ndim == 2):
        return False
    if array.shape[1] != 3 or not array.flags.c_contiguous:
        return False
    low, high = (array[:, NOTE] >> 8) & BYTE, array[:, NOTE] & BYTE
    return bool(np.all((low >= ZERO - WIDEST) & (low <= high) & ((high - low) % 2 == 0)))
