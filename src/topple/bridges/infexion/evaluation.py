"""What a position of Infexion is worth to the player to move, without a search."""

from typing import NamedTuple

from topple.bridges.infexion.bit_position import N_CELLS, RAYS, REACH, Sets, total

BESIDE = REACH[1]

# The weights of the features: each is a + b t + c t², where t is the total power, 1 for a full
# board. Fitted by `python -m benchmarks.infexion_fit` to what a network says of 53 000 positions.
FITTED = (
    (20.1, -86.7, 2.0),  # 1: the right to move
    (42.8, 6.0, -28.9),  # the lead in power
    (-23.9, -15.7, 23.3),  # the lead in stacks: the same power in fewer is better
    (7.4, -72.2, 49.9),  # the lead in stacks of power 4 or more
    (30.2, 18.4, -30.9),  # the most power that a spread captures
    (15.9, 3.8, -23.8),  # the opponent's power within reach
    (-24.0, 17.6, 11.3),  # that part of it that the opponent's spreads reach too
    (-7.5, -19.9, 35.6),  # own stacks that no own spread reaches
    (8.9, 17.7, -57.0),  # the opponent's stacks that none of theirs reach
)
WEIGHTS = tuple(
    tuple(round(a + b * full + c * full * full) for a, b, c in FITTED)
    for full in (min(power / N_CELLS, 1.0) for power in range(12 * N_CELLS))
)


class Sight(NamedTuple):
    """What one side's spreads can do."""

    reach: int  # the cells that they reach
    most: int  # the most power that one of them captures


def look(ones: int, twos: int, fours: int, prey1: int, prey2: int, prey4: int) -> Sight:
    """What the stacks in the first three sets can do to those in the last three."""
    reach, left = 0, ones & ~(twos | fours)
    while left:
        bit = left & -left
        left ^= bit
        reach |= BESIDE[bit]
    prey, high = prey1 | prey2 | prey4, prey2 | prey4
    most, hit = 0, reach & prey
    if hit:  # a stack of power 1 captures one stack: the highest beside it
        if hit & high:
            most, left = (4, hit & prey4) if hit & prey4 else (0, hit)
            if left & prey2:
                most, left = most + 2, left & prey2
            if left & prey1:
                most += 1
        else:
            most = 1
    left = twos | fours
    while left:
        bit = left & -left
        left ^= bit
        power = (1 if ones & bit else 0) + (2 if twos & bit else 0) + (4 if fours & bit else 0)
        cells = REACH[power][bit]
        reach |= cells
        if cells & prey:
            for cells in RAYS[power][bit]:
                hit = cells & prey
                if hit:
                    taken = hit.bit_count()
                    if hit & high:
                        taken = (
                            (hit & prey1).bit_count()
                            + 2 * (hit & prey2).bit_count()
                            + 4 * (hit & prey4).bit_count()
                        )
                    most = taken if taken > most else most  # faster than max
    return Sight(reach, most)


def reached(ones: int, twos: int, fours: int) -> int:
    """The cells that one side's spreads reach."""
    reach, left = 0, ones & ~(twos | fours)
    while left:
        bit = left & -left
        left ^= bit
        reach |= BESIDE[bit]
    left = twos | fours
    while left:
        bit = left & -left
        left ^= bit
        power = (1 if ones & bit else 0) + (2 if twos & bit else 0) + (4 if fours & bit else 0)
        reach |= REACH[power][bit]
    return reach


def features(sets: Sets) -> tuple[int, ...]:
    """What the evaluation weighs, seen by the player to move."""
    own1, own2, own4, other1, other2, other4 = sets
    own, other = own1 | own2 | own4, other1 | other2 | other4
    reach, most = look(*sets)
    other_reach = reached(other1, other2, other4)
    hit = other & reach
    backed = hit & other_reach
    return (
        1,
        total(own1, own2, own4) - total(other1, other2, other4),
        own.bit_count() - other.bit_count(),
        own4.bit_count() - other4.bit_count(),
        most,
        total(other1 & hit, other2 & hit, other4 & hit),
        total(other1 & backed, other2 & backed, other4 & backed),
        (own & ~reach).bit_count(),
        (other & ~other_reach).bit_count(),
    )


def evaluate(sets: Sets) -> int:
    """The heuristic value of an undecided position for the player to move.

    It is the sum of the features by their weights, in hundredths of the logarithm of the odds.
    """
    own1, own2, own4, other1, other2, other4 = sets
    own, other = own1 | own2 | own4, other1 | other2 | other4
    reach, most = look(own1, own2, own4, other1, other2, other4)
    other_reach = reached(other1, other2, other4)
    own_power = own1.bit_count() + 2 * own2.bit_count() + 4 * own4.bit_count()
    other_power = other1.bit_count() + 2 * other2.bit_count() + 4 * other4.bit_count()
    tempo, power, stacks, high, captured, hit, backed, alone, other_alone = WEIGHTS[
        own_power + other_power
    ]
    value = (
        tempo
        + power * (own_power - other_power)
        + stacks * (own.bit_count() - other.bit_count())
        + high * (own4.bit_count() - other4.bit_count())
        + alone * (own & ~reach).bit_count()
        + other_alone * (other & ~other_reach).bit_count()
    )
    prey = other & reach
    if prey:
        value += captured * most + hit * (
            (other1 & prey).bit_count()
            + 2 * (other2 & prey).bit_count()
            + 4 * (other4 & prey).bit_count()
        )
        prey &= other_reach
        if prey:
            value += backed * (
                (other1 & prey).bit_count()
                + 2 * (other2 & prey).bit_count()
                + 4 * (other4 & prey).bit_count()
            )
    return value
