"""The parts of an INFLUENCE position and the moves in them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel, noinline
from topple.rules.influence import NONE, ONE, WORD
from topple.solvers.influence.kinds import (
    SIZE_STEP,
    PartScratch,
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
    SumMemory,
    has_space,
    negative_of,
)
from topple.solvers.influence.reach import ReachGraph

NO_SPACE = -1  # the memory must grow first

# Computing labels takes time, especially for large parts. Once enough parts of a size have been
# labelled (fewer for larger parts) and hardly any labels were equal, the rest get none.
ENOUGH_TRIED, ONE_IN = 500, 20


@kernel
def split_position(
    board: Any, graph: ReachGraph, memory: SumMemory, scratch: PartScratch, mask: Words
) -> int:
    """Find the parts of any set of relevant vertices: `split` for callers in Python."""
    for word in range(len(mask)):
        scratch.rest[word] = mask[word]
    return split(graph, memory, scratch)


@noinline
def split(graph: ReachGraph, memory: SumMemory, scratch: PartScratch) -> int:
    """Divide `scratch.rest` into parts, which are sorted and cancelled (Corollary 15).

    Empties `scratch.rest`. Returns the number of signed kinds in `scratch.parts`, or NO_SPACE.
    """
    n = 0
    for word in range(len(scratch.rest)):
        while scratch.rest[word] != NONE:
            flood(graph, scratch, word * WORD + lowest(scratch.rest[word]))
            place = place_of_part(memory, scratch)
            if memory.mask_index[place] == 0:
                length, sign, is_own = 0, 1, 0
                if is_label_worth_it(scratch):
                    length, sign, is_own = label_part(graph, scratch.part, scratch)
                if not note_part(graph, memory, scratch, place, length, sign, is_own):
                    return NO_SPACE
            kind = memory.mask_kinds[memory.mask_index[place] - 1]
            n = add_part(memory, scratch.parts, n, kind)
    return n


@kernel
def flood(graph: ReachGraph, scratch: PartScratch, vertex: int) -> None:
    """Move the connected component of a vertex from `scratch.rest` to `scratch.part`."""
    for word in range(len(scratch.rest)):
        scratch.part[word] = scratch.front[word] = NONE
    scratch.part[vertex // WORD] = scratch.front[vertex // WORD] = bit_of(vertex)
    has_grown = True
    while has_grown:
        has_grown = False
        for word in range(len(scratch.front)):
            while scratch.front[word] != NONE:
                vertex = word * WORD + lowest(scratch.front[word])
                scratch.front[word] &= scratch.front[word] - ONE
                for i in range(len(scratch.front)):
                    new = graph.reach[vertex, i] & scratch.rest[i] & ~scratch.part[i]
                    scratch.part[i] |= new
                    scratch.front[i] |= new
                has_grown = True
    for word in range(len(scratch.rest)):
        scratch.rest[word] &= ~scratch.part[word]


@kernel
def add_part(memory: SumMemory, parts: NDArray[np.int32], n: int, kind: int) -> int:
    """Add a signed kind to a list sorted by kinds, or cancel it; return the list's length."""
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
def place_of_part(memory: SumMemory, scratch: PartScratch) -> int:
    """The slot of `scratch.part` in the index, or the free slot where it belongs."""
    word, last = NONE, len(memory.mask_index) - 1
    for i in range(len(scratch.part)):
        word = mix(word ^ scratch.part[i])
    place: int = np.int64(word & np.uint64(last))  # type: ignore[assignment]
    while memory.mask_index[place] != 0:
        mask = memory.mask_index[place] - 1
        if compare(memory.masks[mask], scratch.part, len(scratch.part)) == 0:
            break
        place = (place + 1) & last
    return place


@kernel
def is_label_worth_it(scratch: PartScratch) -> bool:
    """Whether labels of parts as large as `scratch.part` have been equal often enough."""
    n = n_common(scratch.part, scratch.part)
    tried = scratch.tried[n // SIZE_STEP]
    return bool(tried[0] < ENOUGH_TRIED // (1 + n // WORD) or tried[1] * ONE_IN >= tried[0])


@kernel
def note_part(
    graph: ReachGraph,
    memory: SumMemory,
    scratch: PartScratch,
    place: int,
    length: int,
    sign: int,
    is_own: int,
) -> bool:
    """Store `scratch.part`, a new part, with its kind; False if the memory must grow first."""
    if not (
        has_space(memory, N_MASKS, 1, len(memory.masks))
        and has_space(memory, N_KINDS, 2, len(memory.kinds))
        and has_space(memory, N_LABELS, length, len(memory.labels))
    ):
        return False
    kind = 0
    if length > 0:
        at = place_of_label(memory, scratch, length)
        kind = memory.label_index[at]
        tried = scratch.tried[n_common(scratch.part, scratch.part) // SIZE_STEP]
        tried[0] += 1
        tried[1] += kind != 0
        if kind == 0:
            memory.label_index[at] = memory.counts[N_KINDS]
    mask = memory.counts[N_MASKS]
    if kind == 0:
        kind = memory.counts[N_KINDS]
        note_label(memory, scratch, kind, length)
        note_kind(graph, memory, scratch, kind, sign, is_own)
    memory.mask_index[place] = mask + 1
    memory.mask_kinds[mask] = sign * kind
    for i in range(len(scratch.part)):
        memory.masks[mask, i] = scratch.part[i]
    memory.counts[N_MASKS] += 1
    return True


@kernel
def place_of_label(memory: SumMemory, scratch: PartScratch, length: int) -> int:
    """The slot of `scratch.label` in the index, or the free slot where it belongs."""
    word, last = NONE, len(memory.label_index) - 1
    for i in range(length):
        word = mix(word ^ scratch.label[i])
    place: int = np.int64(word & np.uint64(last))  # type: ignore[assignment]
    while memory.label_index[place] != 0:
        at = memory.kind_at[memory.label_index[place], LABEL]
        known = memory.kind_at[memory.label_index[place] + 1, LABEL] - at
        is_same = known == length
        for i in range(length):
            is_same = is_same and memory.labels[at + i] == scratch.label[i]
            if not is_same:
                break
        if is_same:
            break
        place = (place + 1) & last
    return place


@kernel
def note_label(memory: SumMemory, scratch: PartScratch, kind: int, length: int) -> None:
    """Store the label of a new kind; length 0 means that it has none."""
    at = memory.kind_at[kind, LABEL]
    for i in range(length):
        memory.labels[at + i] = scratch.label[i]
    memory.kind_at[kind + 1, LABEL] = at + length
    memory.counts[N_LABELS] = at + length


@kernel
def note_kind(
    graph: ReachGraph,
    memory: SumMemory,
    scratch: PartScratch,
    kind: int,
    sign: int,
    own_negative: int,
) -> None:
    """Store a new kind, that of `scratch.part`, with the trivial bounds."""
    weight = 0
    for word in range(len(scratch.part)):
        bits = scratch.part[word]
        while bits != NONE:
            weight += graph.weights[word * WORD + lowest(bits)]
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
def list_options(
    graph: ReachGraph, memory: SumMemory, scratch: PartScratch, kind: int, side: int
) -> bool:
    """List the moves of a side in a kind, unless they are; False if the memory must grow first.

    Included moves (Corollary 13) and duplicates are left out.
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
            if graph.sides[vertex] != own or is_included(graph, mask, vertex, scratch):
                continue
            gain = take(graph, mask, vertex, scratch)
            n_parts = split(graph, memory, scratch)
            if n_parts == NO_SPACE:
                return False
            if not has_space(memory, N_OPTIONS, end - start + 2 + n_parts, len(memory.options)):
                return False
            memory.options[end] = gain
            memory.options[end + 1] = n_parts
            for i in range(n_parts):
                left = scratch.parts[i]
                memory.options[end + 2 + i] = left if sign > 0 else negative_of(memory, left)
            if not is_listed(memory, start + 1, end):
                end += 2 + n_parts
                n += 1
    memory.options[start] = n
    memory.kind_at[kind, side] = start
    memory.counts[N_OPTIONS] = end
    return True


@kernel
def is_included(graph: ReachGraph, mask: Words, vertex: int, scratch: PartScratch) -> bool:
    """Whether another vertex takes more than a vertex does, or the same and has a lower number."""
    find_at_least_as_strong(graph, mask, vertex, scratch.meet)
    degree = n_common(graph.reach[vertex], mask)
    for word in range(len(mask)):
        bits = scratch.meet[word]
        while bits != NONE:
            other = word * WORD + lowest(bits)
            bits &= bits - ONE
            if other < vertex or n_common(graph.reach[other], mask) > degree:
                return True
    return False


@kernel
def take(graph: ReachGraph, mask: Words, vertex: int, scratch: PartScratch) -> int:
    """Write what a move leaves of a part to `scratch.rest`; return what it gains (Remark 8)."""
    gain = 0
    for word in range(len(mask)):
        scratch.rest[word] = mask[word] & ~graph.reach[vertex, word]
        scratch.front[word] = NONE
    for word in range(len(mask)):
        bits = mask[word] & graph.reach[vertex, word]
        while bits != NONE:
            neighbour = word * WORD + lowest(bits)
            bits &= bits - ONE
            gain += graph.weights[neighbour]
            for i in range(len(mask)):
                scratch.front[i] |= graph.reach[neighbour, i]
    for word in range(len(mask)):
        bits = scratch.front[word] & mask[word]
        while bits != NONE:
            own = word * WORD + lowest(bits)
            bits &= bits - ONE
            if n_common(graph.reach[own], scratch.rest) == 0:
                gain += graph.weights[own]
                scratch.rest[word] &= ~bit_of(own)
    return gain


@kernel
def is_listed(memory: SumMemory, at: int, end: int) -> bool:
    """Whether the moves listed from `at` on include one equal to that at `end`."""
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
