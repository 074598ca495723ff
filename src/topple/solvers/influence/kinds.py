"""Labels of parts of an INFLUENCE position, which are equal only for equal games.

A label describes a part completely: the weights of its vertices in some order, and its edges.
Two parts with the same label are the same game, whatever the order; a good order gives equal
games the same label as often as possible. The order comes from colours that are refined until
all vertices differ. If symmetric vertices remain, one of them is picked, which makes no
difference on trees and cycles. The same part with L and R exchanged is its negative
(Corollary 15); the two share the smaller one of their labels.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel, noinline
from topple.rules.influence import NONE, ONE, WORD, count_bits
from topple.solvers.influence.reach import ReachGraph

Words = NDArray[np.uint64]

MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
STEP = np.uint64(0x9E3779B97F4A7C15)
RIGHT_30, RIGHT_27, RIGHT_31 = np.uint64(30), np.uint64(27), np.uint64(31)
PER_WORD, WEIGHT_BITS = 4, 16  # weights in a word of a label


class PartScratch(NamedTuple):
    """Scratch space for a graph of n vertices, whose sets have `words` words."""

    rest: Words  # shape (words,): what a move leaves
    part: Words  # shape (words,): one part of it
    front: Words  # shape (words,)
    meet: Words  # shape (words,)
    kept: Words  # shape (words,): a part with one of each set of twins
    parts: NDArray[np.int32]  # shape (n,): the signed kinds that a move leaves
    vertices: NDArray[np.int32]  # shape (n,): the vertices of `kept`
    places: NDArray[np.int32]  # shape (n,): the position of each vertex in the label
    heavy: NDArray[np.int64]  # shape (n,): weights including those of twins
    colours: Words  # shape (n,)
    neutral: Words  # shape (n,): colours that do not depend on sides
    fresh: Words  # shape (n,)
    seen: Words  # shape (a power of 2,): a set of colours
    seen_when: NDArray[np.int64]
    label: Words  # the label of a part
    other_label: Words  # the label of its negative
    tried: NDArray[np.int64]  # shape (sizes, 2): parts labelled, parts whose label was known
    counts: NDArray[np.int64]  # shape (1,): how often colours have been counted


def make_scratch(n: int, n_words: int) -> PartScratch:
    """Scratch space for parts of a graph of n vertices."""
    n = max(n, 1)
    n_seen = 4 << n.bit_length()
    longest = 3 + n // PER_WORD + n * n // (4 * WORD)
    lengths = dict.fromkeys(("rest", "part", "front", "meet", "kept"), n_words)
    lengths |= {"seen": n_seen, "seen_when": n_seen, "label": longest, "other_label": longest}
    dtypes: dict[str, type] = dict.fromkeys(("parts", "vertices", "places"), np.int32)
    dtypes |= dict.fromkeys(("heavy", "seen_when"), np.int64)
    arrays: dict[str, NDArray[Any]] = {
        name: np.zeros(lengths.get(name, n), dtype=dtypes.get(name, np.uint64))
        for name in PartScratch._fields
    }
    tried = np.zeros((n // SIZE_STEP + 1, 2), dtype=np.int64)
    return PartScratch(**(arrays | {"tried": tried, "counts": np.zeros(1, dtype=np.int64)}))


SIZE_STEP = 8  # so many sizes of parts share their statistics in `tried`


@kernel
def lowest(bits: np.uint64) -> int:
    """The index of the lowest bit that is set."""
    return count_bits((bits & ~(bits - ONE)) - ONE)


@kernel
def mix(word: np.uint64) -> np.uint64:
    """Hash a word (splitmix64)."""
    word = word + STEP
    word = (word ^ (word >> RIGHT_30)) * MIX_1
    word = (word ^ (word >> RIGHT_27)) * MIX_2
    return word ^ (word >> RIGHT_31)


@kernel
def bit_of(vertex: int) -> np.uint64:
    """A vertex's bit in its word."""
    return ONE << np.uint64(vertex % WORD)


@kernel
def n_common(first: Words, second: Words) -> int:
    """The number of vertices that two sets have in common."""
    n = 0
    for word in range(len(first)):
        n += count_bits(first[word] & second[word])
    return n


@kernel
def find_at_least_as_strong(graph: ReachGraph, part: Words, vertex: int, meet: Words) -> None:
    """Write the vertices that have all neighbours of a vertex in a part to `meet`."""
    for word in range(len(part)):
        meet[word] = part[word]
    for word in range(len(part)):
        bits = graph.reach[vertex, word] & part[word]
        while bits != NONE:
            neighbour = word * WORD + lowest(bits)
            bits &= bits - ONE
            for i in range(len(part)):
                meet[i] &= graph.reach[neighbour, i]


@kernel
def merge_twins(graph: ReachGraph, part: Words, scratch: PartScratch) -> int:
    """Write the vertices of a part, one of each set of twins, to `vertices`; return how many.

    Twins have the same neighbours. Their weights are added up in `heavy`.
    """
    n = 0
    for word in range(len(part)):
        scratch.kept[word] = part[word]
        bits = part[word]
        while bits != NONE:
            vertex = word * WORD + lowest(bits)
            bits &= bits - ONE
            scratch.heavy[vertex] = graph.weights[vertex]
    for word in range(len(part)):
        bits = part[word]
        while bits != NONE:
            vertex = word * WORD + lowest(bits)
            bits &= bits - ONE
            twin = lowest_twin(graph, part, vertex, scratch)
            if twin == vertex:
                scratch.vertices[n] = vertex
                n += 1
            else:
                scratch.heavy[twin] += graph.weights[vertex]
                scratch.kept[word] &= ~bit_of(vertex)
    return n


@kernel
def lowest_twin(graph: ReachGraph, part: Words, vertex: int, scratch: PartScratch) -> int:
    """The lowest vertex with the same neighbours in a part, which may be the vertex itself."""
    find_at_least_as_strong(graph, part, vertex, scratch.meet)
    degree = n_common(graph.reach[vertex], part)
    for word in range(len(part)):
        bits = scratch.meet[word]
        while bits != NONE:
            other = word * WORD + lowest(bits)
            bits &= bits - ONE
            if n_common(graph.reach[other], part) == degree:
                return other
    return vertex


@kernel
def n_colours(scratch: PartScratch, n: int) -> int:
    """The number of different colours of the first n vertices."""
    scratch.counts[0] += 1
    now, last, found = scratch.counts[0], len(scratch.seen) - 1, 0
    for i in range(n):
        colour = scratch.colours[scratch.vertices[i]]
        place = np.int64(colour & np.uint64(last))
        while scratch.seen_when[place] == now and scratch.seen[place] != colour:
            place = (place + 1) & last
        found += scratch.seen_when[place] != now
        scratch.seen_when[place] = now
        scratch.seen[place] = colour
    return found


@noinline
def refine(graph: ReachGraph, scratch: PartScratch, n: int) -> int:
    """Refine colours by those of the neighbours until their number stays the same; return it."""
    before, now = 0, n_colours(scratch, n)
    while before < now < n:
        for i in range(n):
            vertex, total = scratch.vertices[i], NONE
            for word in range(len(scratch.kept)):
                bits = graph.reach[vertex, word] & scratch.kept[word]
                while bits != NONE:
                    total += mix(scratch.colours[word * WORD + lowest(bits)])
                    bits &= bits - ONE
            scratch.fresh[vertex] = mix(scratch.colours[vertex] ^ total)
        for i in range(n):
            scratch.colours[scratch.vertices[i]] = scratch.fresh[scratch.vertices[i]]
        before, now = now, n_colours(scratch, n)
    return now


@kernel
def sort_by_colour(scratch: PartScratch, n: int) -> None:
    """Sort the first n vertices by their colours (Shell sort)."""
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            vertex = scratch.vertices[i]
            j = i
            while j >= gap and scratch.colours[scratch.vertices[j - gap]] > scratch.colours[vertex]:
                scratch.vertices[j] = scratch.vertices[j - gap]
                j -= gap
            scratch.vertices[j] = vertex
        gap //= 2


@kernel
def distinguish_all(graph: ReachGraph, scratch: PartScratch, n: int, right_first: int) -> None:
    """Give all vertices different colours, which depend on sides, and sort them by colour."""
    colours, vertices = scratch.colours, scratch.vertices
    for i in range(n):
        vertex = vertices[i]
        side = np.uint64(graph.sides[vertex] ^ right_first)
        colours[vertex] = mix(scratch.neutral[vertex] + side)
    found = refine(graph, scratch, n)
    sort_by_colour(scratch, n)
    while found < n:
        place = 0
        while colours[vertices[place]] != colours[vertices[place + 1]]:
            place += 1
        colours[vertices[place]] = mix(colours[vertices[place]])
        now = refine(graph, scratch, n)
        sort_by_colour(scratch, n)
        if now <= found:  # two colours coincide by chance: any order is valid
            return
        found = now


@noinline
def write_label(
    graph: ReachGraph, scratch: PartScratch, n: int, right_first: int, label: Words
) -> int:
    """Write the label of a part in the order of its colours; return the label's length."""
    distinguish_all(graph, scratch, n, right_first)
    n_first = 0
    for i in range(n):
        if graph.sides[scratch.vertices[i]] == right_first:
            scratch.places[scratch.vertices[i]] = n_first
            n_first += 1
    n_second = 0
    for i in range(n):
        if graph.sides[scratch.vertices[i]] != right_first:
            scratch.places[scratch.vertices[i]] = n_second
            n_second += 1
    rows = 1 + (n + PER_WORD - 1) // PER_WORD
    length = rows + (n_first * n_second + WORD - 1) // WORD
    for word in range(length):
        label[word] = NONE
    label[0] = np.uint64(n_first) << np.uint64(32) | np.uint64(n_second)
    for i in range(n):
        vertex = scratch.vertices[i]
        is_first = graph.sides[vertex] == right_first
        place = scratch.places[vertex] if is_first else n_first + scratch.places[vertex]
        shift = np.uint64(WEIGHT_BITS * (place % PER_WORD))
        label[1 + place // PER_WORD] |= np.uint64(scratch.heavy[vertex]) << shift
        if is_first:
            write_row(graph, scratch, vertex, n_second, rows, label)
    return length


@kernel
def write_row(
    graph: ReachGraph, scratch: PartScratch, vertex: int, n_second: int, rows: int, label: Words
) -> None:
    """Write the edges of a vertex to the label."""
    for word in range(len(scratch.kept)):
        bits = graph.reach[vertex, word] & scratch.kept[word]
        while bits != NONE:
            other = word * WORD + lowest(bits)
            bits &= bits - ONE
            place = scratch.places[vertex] * n_second + scratch.places[other]
            label[rows + place // WORD] |= bit_of(place)


@noinline
def label_part(graph: ReachGraph, part: Words, scratch: PartScratch) -> tuple[int, int, int]:
    """Write the label of a part into `scratch.label`.

    Returns its length, 1 or −1 if the label is that of the part or of its negative,
    and 1 if the part is its own negative, otherwise 0.
    """
    n = merge_twins(graph, part, scratch)
    left, right = NONE, NONE
    for i in range(n):
        vertex = scratch.vertices[i]
        degree = np.uint64(n_common(graph.reach[vertex], scratch.kept))
        scratch.colours[vertex] = mix(np.uint64(scratch.heavy[vertex]) << np.uint64(32) | degree)
    refine(graph, scratch, n)
    for i in range(n):
        vertex = scratch.vertices[i]
        scratch.neutral[vertex] = scratch.colours[vertex]
        if graph.sides[vertex] == 0:
            left += mix(scratch.colours[vertex])
        else:
            right += mix(scratch.colours[vertex])
    # If the colours distinguish the two sides, they determine which comes first.
    if left < right:
        return write_label(graph, scratch, n, 0, scratch.label), 1, 0
    length = write_label(graph, scratch, n, 1, scratch.label)
    if left > right:
        return length, -1, 0
    write_label(graph, scratch, n, 0, scratch.other_label)
    order = compare(scratch.label, scratch.other_label, length)
    if order < 0:
        return length, -1, 0
    for word in range(length):
        scratch.label[word] = scratch.other_label[word]
    return length, 1, int(order == 0)


@kernel
def compare(first: Words, second: Words, length: int) -> int:
    """−1, 0 or 1 if the first is less than, equal to or greater than the second."""
    for word in range(length):
        if first[word] != second[word]:
            return -1 if first[word] < second[word] else 1
    return 0
