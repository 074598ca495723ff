"""Which parts of an INFLUENCE position look alike: labels, equal only for equal games.

A label is a part written out in full: its vertices in an order, their weights, and who
is joined to whom. Two parts with the same label are the same game, whatever order was
chosen; a good order makes them have the same label often. The order comes from colours
that are refined until they tell all vertices apart; where symmetric ones are left, one
of them is picked, which on trees and cycles makes no difference. The same part with L
and R exchanged is its negative (Corollary 15); the label of the two is the smaller one.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel, noinline
from topple.rules.influence import NONE, ONE, WORD, count_bits
from topple.solvers.influence.reach import Field

Words = NDArray[np.uint64]

MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
STEP = np.uint64(0x9E3779B97F4A7C15)
RIGHT_30, RIGHT_27, RIGHT_31 = np.uint64(30), np.uint64(27), np.uint64(31)
PER_WORD, WEIGHT_BITS = 4, 16  # weights in a word of a label


class Room(NamedTuple):
    """Room to work in, for a graph of n vertices in sets of `words` words."""

    rest: Words  # shape (words,): what is left after a move
    part: Words  # shape (words,): one part of it
    front: Words  # shape (words,)
    meet: Words  # shape (words,)
    kept: Words  # shape (words,): the vertices of a part, twins once
    parts: NDArray[np.int32]  # shape (n,): signed kinds after a move
    vertices: NDArray[np.int32]  # shape (n,): those of `kept`
    places: NDArray[np.int32]  # shape (n,): of each vertex in the label's order
    heavy: NDArray[np.int64]  # shape (n,): weights with those of twins
    colours: Words  # shape (n,)
    neutral: Words  # shape (n,): colours that do not know sides
    fresh: Words  # shape (n,)
    seen: Words  # shape (a power of 2,): a set of colours
    seen_when: NDArray[np.int64]
    label: Words  # the label of a part,
    other_label: Words  # and that of its negative
    tried: NDArray[np.int64]  # shape (sizes, 2): parts that got a label, those known before
    counts: NDArray[np.int64]  # shape (1,): sets of colours so far


def make_room(n: int, n_words: int) -> Room:
    """Room for parts of a graph of n vertices."""
    n = max(n, 1)
    n_seen = 4 << n.bit_length()
    longest = 3 + n // PER_WORD + n * n // (4 * WORD)
    lengths = dict.fromkeys(("rest", "part", "front", "meet", "kept"), n_words)
    lengths |= {"seen": n_seen, "seen_when": n_seen, "label": longest, "other_label": longest}
    dtypes: dict[str, type] = dict.fromkeys(("parts", "vertices", "places"), np.int32)
    dtypes |= dict.fromkeys(("heavy", "seen_when"), np.int64)
    arrays: dict[str, NDArray[Any]] = {
        name: np.zeros(lengths.get(name, n), dtype=dtypes.get(name, np.uint64))
        for name in Room._fields
    }
    tried = np.zeros((n // SIZE_STEP + 1, 2), dtype=np.int64)
    return Room(**(arrays | {"tried": tried, "counts": np.zeros(1, dtype=np.int64)}))


SIZE_STEP = 8  # sizes of parts that are judged together


@kernel
def lowest(bits: np.uint64) -> int:
    """The place of the lowest bit that is set."""
    return count_bits((bits & ~(bits - ONE)) - ONE)


@kernel
def mix(word: np.uint64) -> np.uint64:
    """A word that has little to do with the given one (splitmix64)."""
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
    """How many vertices two sets have in common."""
    n = 0
    for word in range(len(first)):
        n += count_bits(first[word] & second[word])
    return n


@kernel
def find_at_least_as_strong(field: Field, part: Words, vertex: int, meet: Words) -> None:
    """Write into `meet` who has all the neighbours that a vertex has in a part."""
    for word in range(len(part)):
        meet[word] = part[word]
    for word in range(len(part)):
        bits = field.reach[vertex, word] & part[word]
        while bits != NONE:
            neighbour = word * WORD + lowest(bits)
            bits &= bits - ONE
            for i in range(len(part)):
                meet[i] &= field.reach[neighbour, i]


@kernel
def merge_twins(field: Field, part: Words, room: Room) -> int:
    """Find the vertices of a part, those with equal neighbours once; returns how many."""
    n = 0
    for word in range(len(part)):
        room.kept[word] = part[word]
        bits = part[word]
        while bits != NONE:
            vertex = word * WORD + lowest(bits)
            bits &= bits - ONE
            room.heavy[vertex] = field.weights[vertex]
    for word in range(len(part)):
        bits = part[word]
        while bits != NONE:
            vertex = word * WORD + lowest(bits)
            bits &= bits - ONE
            twin = lowest_twin(field, part, vertex, room)
            if twin == vertex:
                room.vertices[n] = vertex
                n += 1
            else:
                room.heavy[twin] += field.weights[vertex]
                room.kept[word] &= ~bit_of(vertex)
    return n


@kernel
def lowest_twin(field: Field, part: Words, vertex: int, room: Room) -> int:
    """The lowest vertex with the same neighbours in a part."""
    find_at_least_as_strong(field, part, vertex, room.meet)
    degree = n_common(field.reach[vertex], part)
    for word in range(len(part)):
        bits = room.meet[word]
        while bits != NONE:
            other = word * WORD + lowest(bits)
            bits &= bits - ONE
            if n_common(field.reach[other], part) == degree:
                return other
    return vertex


@kernel
def n_colours(room: Room, n: int) -> int:
    """The number of different colours of the first n vertices."""
    room.counts[0] += 1
    now, last, found = room.counts[0], len(room.seen) - 1, 0
    for i in range(n):
        colour = room.colours[room.vertices[i]]
        place = np.int64(colour & np.uint64(last))
        while room.seen_when[place] == now and room.seen[place] != colour:
            place = (place + 1) & last
        found += room.seen_when[place] != now
        room.seen_when[place] = now
        room.seen[place] = colour
    return found


@noinline
def refine(field: Field, room: Room, n: int) -> int:
    """Let each vertex's colour tell its neighbours' colours, until no more differ."""
    before, now = 0, n_colours(room, n)
    while before < now < n:
        for i in range(n):
            vertex, total = room.vertices[i], NONE
            for word in range(len(room.kept)):
                bits = field.reach[vertex, word] & room.kept[word]
                while bits != NONE:
                    total += mix(room.colours[word * WORD + lowest(bits)])
                    bits &= bits - ONE
            room.fresh[vertex] = mix(room.colours[vertex] ^ total)
        for i in range(n):
            room.colours[room.vertices[i]] = room.fresh[room.vertices[i]]
        before, now = now, n_colours(room, n)
    return now


@kernel
def sort_by_colour(room: Room, n: int) -> None:
    """Sort the first n vertices by their colours (Shell's way)."""
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            vertex = room.vertices[i]
            j = i
            while j >= gap and room.colours[room.vertices[j - gap]] > room.colours[vertex]:
                room.vertices[j] = room.vertices[j - gap]
                j -= gap
            room.vertices[j] = vertex
        gap //= 2


@kernel
def tell_all_apart(field: Field, room: Room, n: int, right_first: int) -> None:
    """Colour the vertices all differently, L and R apart, and sort them by colour."""
    for i in range(n):
        vertex = room.vertices[i]
        side = np.uint64(field.sides[vertex] ^ right_first)
        room.colours[vertex] = mix(room.neutral[vertex] + side)
    found = refine(field, room, n)
    sort_by_colour(room, n)
    while found < n:
        place = 0
        while room.colours[room.vertices[place]] != room.colours[room.vertices[place + 1]]:
            place += 1
        room.colours[room.vertices[place]] = mix(room.colours[room.vertices[place]])
        now = refine(field, room, n)
        sort_by_colour(room, n)
        if now <= found:  # two colours have met by chance: any order will do
            return
        found = now


@noinline
def write_label(field: Field, room: Room, n: int, right_first: int, label: Words) -> int:
    """Write a part in the order of its colours; returns the label's length."""
    tell_all_apart(field, room, n, right_first)
    n_first = 0
    for i in range(n):
        if field.sides[room.vertices[i]] == right_first:
            room.places[room.vertices[i]] = n_first
            n_first += 1
    n_second = 0
    for i in range(n):
        if field.sides[room.vertices[i]] != right_first:
            room.places[room.vertices[i]] = n_second
            n_second += 1
    rows = 1 + (n + PER_WORD - 1) // PER_WORD
    length = rows + (n_first * n_second + WORD - 1) // WORD
    for word in range(length):
        label[word] = NONE
    label[0] = np.uint64(n_first) << np.uint64(32) | np.uint64(n_second)
    for i in range(n):
        vertex = room.vertices[i]
        is_first = field.sides[vertex] == right_first
        place = room.places[vertex] if is_first else n_first + room.places[vertex]
        shift = np.uint64(WEIGHT_BITS * (place % PER_WORD))
        label[1 + place // PER_WORD] |= np.uint64(room.heavy[vertex]) << shift
        if is_first:
            write_row(field, room, vertex, n_second, rows, label)
    return length


@kernel
def write_row(
    field: Field, room: Room, vertex: int, n_second: int, rows: int, label: Words
) -> None:
    """Write who is joined to a vertex."""
    for word in range(len(room.kept)):
        bits = field.reach[vertex, word] & room.kept[word]
        while bits != NONE:
            other = word * WORD + lowest(bits)
            bits &= bits - ONE
            place = room.places[vertex] * n_second + room.places[other]
            label[rows + place // WORD] |= bit_of(place)


@noinline
def label_part(field: Field, part: Words, room: Room) -> tuple[int, int, int]:
    """Write the label of a part into `room.label`.

    Returns its length, the sign that makes the part of the kind that has this
    label, and whether that is its own negative.
    """
    n = merge_twins(field, part, room)
    left, right = NONE, NONE
    for i in range(n):
        vertex = room.vertices[i]
        degree = np.uint64(n_common(field.reach[vertex], room.kept))
        room.colours[vertex] = mix(np.uint64(room.heavy[vertex]) << np.uint64(32) | degree)
    refine(field, room, n)
    for i in range(n):
        vertex = room.vertices[i]
        room.neutral[vertex] = room.colours[vertex]
        if field.sides[vertex] == 0:
            left += mix(room.colours[vertex])
        else:
            right += mix(room.colours[vertex])
    # Where the two sides can be told apart, that alone says which comes first.
    if left < right:
        return write_label(field, room, n, 0, room.label), 1, 0
    length = write_label(field, room, n, 1, room.label)
    if left > right:
        return length, -1, 0
    write_label(field, room, n, 0, room.other_label)
    order = compare(room.label, room.other_label, length)
    if order < 0:
        return length, -1, 0
    for word in range(length):
        room.label[word] = room.other_label[word]
    return length, 1, int(order == 0)


@kernel
def compare(first: Words, second: Words, length: int) -> int:
    """−1, 0 or 1, as the first is less than, equal to or more than the second."""
    for word in range(length):
        if first[word] != second[word]:
            return -1 if first[word] < second[word] else 1
    return 0
