"""Virtual connections, found without search, and their carriers.

A cell or group is safely connected to an edge, with a carrier, if its side can join it
to the edge inside the carrier even when the other side moves first. For an empty cell,
this refers to a stone placed there. What touches the edge is safe with an empty carrier.
What touches a safe group outside the group's carrier is safe with the same carrier. A
cell or group that touches several safe cells can join the edge through each of these and
its carrier; it is safe if no cell is common to all these threats.

A cell or group with two disjoint carriers, one for each edge, joins both edges. This is a
small part of Anshelevich's H-search, which also joins inner groups.

References
----------
.. [1] V. Anshelevich, "A hierarchical approach to computer Hex", Artificial
   Intelligence 134, 2002.
"""

from topple.compiling.specialise import kernel, noinline
from topple.solvers.hex.bits import BOTTOM, EDGES, TOP, count, first
from topple.solvers.hex.fill import Words, group_of

NONE = -1  # no carrier, or no move
EVERYTHING = (1 << TOP) - 1


@noinline
def touch(near: Words, stones: int, empty: int, touches: Words) -> int:
    """Write what empty cells and groups touch to `touches`; return one stone of each group.

    A group that contains an edge is represented by the edge's bit.
    """
    rest = empty
    while rest:
        cell = first(rest)
        rest &= rest - 1
        touches[cell] = near[cell] & empty
    own = stones | EDGES
    left, groups = own, 0
    while left:
        name = left & -left
        for edge in (TOP, BOTTOM):
            if left & 1 << edge:
                name = 1 << edge
        group, beside = group_of(near, own, empty, name)
        left &= ~group
        groups |= name
        touches[first(name)] = beside
        while beside:
            touches[first(beside)] |= name
            beside &= beside - 1
    return groups


@noinline
def secure(touches: Words, groups: int, edge: int, carriers: Words) -> int:
    """Find what is safely connected to an edge; write the carrier of each to `carriers`."""
    safe: int = touches[edge]
    rest = safe
    while rest:
        carriers[first(rest)] = 0
        rest &= rest - 1
    new = safe
    while new:
        candidates = 0
        while new:
            candidates |= touches[first(new)]
            new &= new - 1
        candidates &= ~safe & ~(1 << edge)
        while candidates:
            place = first(candidates)
            candidates &= candidates - 1
            carrier = safe_carrier(touches[place] & safe, groups, carriers, 1 << place)
            if carrier != NONE:
                carriers[place] = carrier
                new |= 1 << place
        safe |= new
    return safe


@kernel
def safe_carrier(touched: int, groups: int, carriers: Words, own: int) -> int:
    """The smallest carrier that a place gets from what it touches, or NONE."""
    best = NONE
    rest = touched & groups
    while rest:
        carrier = carriers[first(rest)]
        rest &= rest - 1
        if not carrier & own and (best == NONE or count(carrier) < count(best)):
            best = carrier
    common, union = EVERYTHING, 0
    rest = touched & ~groups
    while rest and common:
        threat = carriers[first(rest)] | rest & -rest
        rest &= rest - 1
        if not threat & own and common & ~threat:
            common &= threat
            union |= threat
    if common == 0 and (best == NONE or count(union) < count(best)):
        return union
    return best


@noinline
def join(near: Words, stones: int, empty: int, scratch: Words, found: Words) -> None:
    """Look for connections from edge to edge; `scratch` has shape (3, 64).

    Writes four numbers to `found`: the cells common to all threats to join the edges, the
    empty set if they are safely connected; the union of these threats; the move of the
    smallest threat, or NONE; and the carrier of that threat, including the move.
    """
    touches, above, below = scratch[0], scratch[1], scratch[2]
    groups = touch(near, stones, empty, touches)
    from_top = secure(touches, groups, TOP, above)
    from_bottom = secure(touches, groups, BOTTOM, below)
    common, union, move, smallest = EVERYTHING, 0, NONE, NONE
    if from_top & 1 << BOTTOM:
        common, union = 0, above[BOTTOM]
    elif from_bottom & 1 << TOP:
        common, union = 0, below[TOP]
    both = from_top & from_bottom & ~EDGES
    while both and common:
        place = first(both)
        both &= both - 1
        if above[place] & below[place]:
            continue
        carrier = above[place] | below[place]
        if groups & 1 << place:
            common, union = 0, carrier
            break
        carrier |= 1 << place
        if common & ~carrier:
            common &= carrier
            union |= carrier
        if smallest == NONE or count(carrier) < count(smallest):
            move, smallest = place, carrier
    found[0], found[1], found[2], found[3] = common, union, move, smallest
