"""The parts of an INFLUENCE position and the moves in them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel, noinline
from topple.rules.influence import NONE, ONE, WORD
from topple.solvers.influence.kinds import (
    SIZE_STEP,
    Room,
    Words,
    bit_of,
    compare,
    find_at_least_as_strong,
    label_part,
    lowest,
    mix,
    n_common,
)
from topple.solvers.influence.memory import (
    LABEL,
    LEFT_LEAST,
    LEFT_MOST,
    MASK,
    N_KINDS,
    N_LABELS,
    N_MASKS,
    N_OPTIONS,
    OWN_NEGATIVE,
    RIGHT_LEAST,
    RIGHT_MOST,
    SIGN,
    WEIGHT,
    Memory,
    is_room,
    negative_of,
)
from topple.solvers.influence.reach import Field

NO_ROOM = -1

# Labels cost time, most for large parts. Where enough parts of a size (fewer, if they are
# larger) have got one and hardly any were alike, the rest get none.
ENOUGH_TRIED, ONE_IN = 500, 20


@kernel
def split_position(board: Any, field: Field, memory: Memory, room: Room, mask: Words) -> int:
    """Find the parts of any set of relevant vertices: `split`, for Python."""
    for word in range(len(mask)):
        room.rest[word] = mask[word]
    return split(field, memory, room)


@noinline
def split(field: Field, memory: Memory, room: Room) -> int:
    """Empty `room.rest` into its parts, sorted, without opposites (Corollary 15).

    Returns how many signed kinds are in `room.parts`, or NO_ROOM.
    """
    n = 0
    for word in range(len(room.rest)):
        while room.rest[word] != NONE:
            flood(field, room, word * WORD + lowest(room.rest[word]))
            place = place_of_part(memory, room)
            if memory.mask_index[place] == 0:
                length, sign, is_own = 0, 1, 0
                if is_label_worth_it(room):
                    length, sign, is_own = label_part(field, room.part, room)
                if not note_part(field, memory, room, place, length, sign, is_own):
                    return NO_ROOM
            kind = memory.mask_kinds[memory.mask_index[place] - 1]
            n = add_part(memory, room.parts, n, kind)
    return n


@kernel
def flood(field: Field, room: Room, vertex: int) -> None:
    """Move all that hangs together with a vertex from `room.rest` to `room.part`."""
    for word in range(len(room.rest)):
        room.part[word] = room.front[word] = NONE
    room.part[vertex // WORD] = room.front[vertex // WORD] = bit_of(vertex)
    has_grown = True
    while has_grown:
        has_grown = False
        for word in range(len(room.front)):
            while room.front[word] != NONE:
                vertex = word * WORD + lowest(room.front[word])
                room.front[word] &= room.front[word] - ONE
                for i in range(len(room.front)):
                    new = field.reach[vertex, i] & room.rest[i] & ~room.part[i]
                    room.part[i] |= new
                    room.front[i] |= new
                has_grown = True
    for word in range(len(room.rest)):
        room.rest[word] &= ~room.part[word]


@kernel
def add_part(memory: Memory, parts: NDArray[np.int32], n: int, kind: int) -> int:
    """Add a signed kind to a list sorted by kinds, or cancel it; returns the list's length."""
    place = n
    while place > 0 and abs(parts[place - 1]) > abs(kind):
        place -= 1
    if place > 0 and parts[place - 1] == negative_of(memory, kind):
        for i in range(place, n):
            parts[i - 1] = parts[i]
        return n - 1
    for i in range(n, place, -1):
        parts[i] = parts[i - 1]
    parts[place] = kind
    return n + 1


@kernel
def place_of_part(memory: Memory, room: Room) -> int:
    """Where `room.part` is in the index, or could be."""
    word, last = NONE, len(memory.mask_index) - 1
    for i in range(len(room.part)):
        word = mix(word ^ room.part[i])
    place: int = np.int64(word & np.uint64(last))  # type: ignore[assignment]
    while memory.mask_index[place] != 0:
        mask = memory.mask_index[place] - 1
        if compare(memory.masks[mask], room.part, len(room.part)) == 0:
            break
        place = (place + 1) & last
    return place


@kernel
def is_label_worth_it(room: Room) -> bool:
    """Whether parts as large as `room.part` have been alike often enough."""
    n = n_common(room.part, room.part)
    tried = room.tried[n // SIZE_STEP]
    return bool(tried[0] < ENOUGH_TRIED // (1 + n // WORD) or tried[1] * ONE_IN >= tried[0])


@kernel
def note_part(
    field: Field, memory: Memory, room: Room, place: int, length: int, sign: int, is_own: int
) -> bool:
    """Note `room.part`, which was not met before, with its kind; tells whether there was room."""
    if not (
        is_room(memory, N_MASKS, 1, len(memory.masks))
        and is_room(memory, N_KINDS, 2, len(memory.kinds))
        and is_room(memory, N_LABELS, length, len(memory.labels))
    ):
        return False
    kind = 0
    if length > 0:
        at = place_of_label(memory, room, length)
        kind = memory.label_index[at]
        tried = room.tried[n_common(room.part, room.part) // SIZE_STEP]
        tried[0] += 1
        tried[1] += kind != 0
        if kind == 0:
            memory.label_index[at] = memory.counts[N_KINDS]
    mask = memory.counts[N_MASKS]
    if kind == 0:
        kind = memory.counts[N_KINDS]
        note_label(memory, room, kind, length)
        note_kind(field, memory, room, kind, sign, is_own)
    memory.mask_index[place] = mask + 1
    memory.mask_kinds[mask] = sign * kind
    for i in range(len(room.part)):
        memory.masks[mask, i] = room.part[i]
    memory.counts[N_MASKS] += 1
    return True


@kernel
def place_of_label(memory: Memory, room: Room, length: int) -> int:
    """Where the label in `room.label` is in the index, or could be."""
    word, last = NONE, len(memory.label_index) - 1
    for i in range(length):
        word = mix(word ^ room.label[i])
    place: int = np.int64(word & np.uint64(last))  # type: ignore[assignment]
    while memory.label_index[place] != 0:
        at = memory.kind_at[memory.label_index[place], LABEL]
        known = memory.kind_at[memory.label_index[place] + 1, LABEL] - at
        is_same = known == length
        for i in range(length):
            is_same = is_same and memory.labels[at + i] == room.label[i]
            if not is_same:
                break
        if is_same:
            break
        place = (place + 1) & last
    return place


@kernel
def note_label(memory: Memory, room: Room, kind: int, length: int) -> None:
    """Keep the label of a new kind; one of length 0 says that it has none."""
    at = memory.kind_at[kind, LABEL]
    for i in range(length):
        memory.labels[at + i] = room.label[i]
    memory.kind_at[kind + 1, LABEL] = at + length
    memory.counts[N_LABELS] = at + length


@kernel
def note_kind(
    field: Field, memory: Memory, room: Room, kind: int, sign: int, own_negative: int
) -> None:
    """Make a new kind of `room.part`, of which nothing is proven but the obvious."""
    weight = 0
    for word in range(len(room.part)):
        bits = room.part[word]
        while bits != NONE:
            weight += field.weights[word * WORD + lowest(bits)]
            bits &= bits - ONE
    memory.counts[N_KINDS] += 1
    memory.kinds[kind, MASK] = memory.counts[N_MASKS]
    memory.kinds[kind, SIGN] = sign
    memory.kinds[kind, OWN_NEGATIVE] = own_negative
    memory.kinds[kind, WEIGHT] = weight
    bounds = memory.kinds[kind]
    bounds[LEFT_LEAST] = 0 if own_negative else -weight  # Ls = −Rs >= Rs
    bounds[LEFT_MOST] = weight
    bounds[RIGHT_LEAST] = -weight
    bounds[RIGHT_MOST] = 0 if own_negative else weight


@noinline
def list_options(field: Field, memory: Memory, room: Room, kind: int, side: int) -> bool:
    """List the moves of a side in a kind, if they are not; tells whether there was room.

    Included moves are left out (Corollary 13), and all but one of those alike.
    """
    if memory.kind_at[kind, side] != 0:
        return True
    mask, sign = memory.masks[memory.kinds[kind, MASK]], memory.kinds[kind, SIGN]
    own = side if sign > 0 else 1 - side
    start = memory.counts[N_OPTIONS]
    end, n = start + 1, 0
    for word in range(len(mask)):
        bits = mask[word]
        while bits != NONE:
            vertex = word * WORD + lowest(bits)
            bits &= bits - ONE
            if field.sides[vertex] != own or is_included(field, mask, vertex, room):
                continue
            gain = take(field, mask, vertex, room)
            n_parts = split(field, memory, room)
            if n_parts == NO_ROOM:
                return False
            if not is_room(memory, N_OPTIONS, end - start + 2 + n_parts, len(memory.options)):
                return False
            memory.options[end] = gain
            memory.options[end + 1] = n_parts
            for i in range(n_parts):
                left = room.parts[i]
                memory.options[end + 2 + i] = left if sign > 0 else negative_of(memory, left)
            if not is_listed(memory, start + 1, end):
                end += 2 + n_parts
                n += 1
    memory.options[start] = n
    memory.kind_at[kind, side] = start
    memory.counts[N_OPTIONS] = end
    return True


@kernel
def is_included(field: Field, mask: Words, vertex: int, room: Room) -> bool:
    """Whether another vertex takes all that a vertex takes, and more, or comes before it."""
    find_at_least_as_strong(field, mask, vertex, room.meet)
    degree = n_common(field.reach[vertex], mask)
    for word in range(len(mask)):
        bits = room.meet[word]
        while bits != NONE:
            other = word * WORD + lowest(bits)
            bits &= bits - ONE
            if other < vertex or n_common(field.reach[other], mask) > degree:
                return True
    return False


@kernel
def take(field: Field, mask: Words, vertex: int, room: Room) -> int:
    """Leave in `room.rest` what a move leaves of a part; returns what it gains (Remark 8)."""
    gain = 0
    for word in range(len(mask)):
        room.rest[word] = mask[word] & ~field.reach[vertex, word]
        room.front[word] = NONE
    for word in range(len(mask)):
        bits = mask[word] & field.reach[vertex, word]
        while bits != NONE:
            neighbour = word * WORD + lowest(bits)
            bits &= bits - ONE
            gain += field.weights[neighbour]
            for i in range(len(mask)):
                room.front[i] |= field.reach[neighbour, i]
    for word in range(len(mask)):
        bits = room.front[word] & mask[word]
        while bits != NONE:
            own = word * WORD + lowest(bits)
            bits &= bits - ONE
            if n_common(field.reach[own], room.rest) == 0:
                gain += field.weights[own]
                room.rest[word] &= ~bit_of(own)
    return gain


@kernel
def is_listed(memory: Memory, at: int, end: int) -> bool:
    """Whether a move like that at `end` is among those listed from `at` on."""
    while at < end:
        length = 2 + memory.options[at + 1]
        is_same = memory.options[end + 1] == length - 2
        for i in range(length):
            is_same = is_same and memory.options[at + i] == memory.options[end + i]
            if not is_same:
                break
        if is_same:
            return True
        at += length
    return False
