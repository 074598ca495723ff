"""Infexion's rules in plain whole numbers, for programs that may import nothing large.

A position is six sets of cells, each the bits of one number. The first three are the
binary digits of the powers of who is to move: a stack of power 5 has its bit in `own1`
and in `own4`. The other three are the other side's. Moves have the numbers that topple
gives them: a spawn is its cell, 7 r + q, a spread 49 + 6 cell + direction.
"""

from typing import NamedTuple

SIZE = 7
N_CELLS = SIZE * SIZE
MOST_POWER = SIZE - 1
MOST_ACTIONS = SIZE * N_CELLS
MARGIN = 2  # the lead in power that wins
DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))  # as the referee counts them
N_DIRECTIONS = len(DIRECTIONS)
ALL_CELLS = (1 << N_CELLS) - 1
FIRST_SPREAD = N_CELLS


class Sets(NamedTuple):
    """A position, seen by who is to move."""

    own1: int
    own2: int
    own4: int
    other1: int
    other2: int
    other4: int


EMPTY = Sets(0, 0, 0, 0, 0, 0)


def ray(cell: int, direction: int, power: int) -> int:
    """The cells that a spread reaches."""
    (r, q), (dr, dq) = divmod(cell, SIZE), DIRECTIONS[direction]
    cells = 0
    for far in range(1, power + 1):
        cells |= 1 << ((r + far * dr) % SIZE * SIZE + (q + far * dq) % SIZE)
    return cells


# By power, then by the bit of the stack's cell: the cells of each direction, and of all.
RAYS: tuple[dict[int, tuple[int, ...]], ...] = tuple(
    {
        1 << cell: tuple(ray(cell, direction, power) for direction in range(N_DIRECTIONS))
        for cell in range(N_CELLS)
    }
    for power in range(MOST_POWER + 1)
)
REACH: tuple[dict[int, int], ...] = tuple(
    {bit: a | b | c | d | e | f for bit, (a, b, c, d, e, f) in rays.items()} for rays in RAYS
)
CELL_OF = {1 << cell: cell for cell in range(N_CELLS)}


def total(ones: int, twos: int, fours: int) -> int:
    """The power of one side.

    >>> total(0b101, 0b001, 0b000)
    4
    """
    return ones.bit_count() + 2 * twos.bit_count() + 4 * fours.bit_count()


def by_power(ones: int, twos: int, fours: int) -> tuple[tuple[int, int], ...]:
    """Each power with the cells that hold stacks of it."""
    low, one = ones & ~fours, ones & fours
    return (
        (1, low & ~twos),
        (2, twos & ~ones & ~fours),
        (3, low & twos),
        (4, fours & ~ones & ~twos),
        (5, one),
        (6, fours & twos),
    )


def spawned(sets: Sets, bit: int) -> Sets:
    """The position after a spawn, seen by the other side."""
    own1, own2, own4, other1, other2, other4 = sets
    return Sets(other1, other2, other4, own1 | bit, own2, own4)


def spread(sets: Sets, bit: int, cells: int) -> Sets:
    """The position after the stack of a cell spreads over others, seen by the other side."""
    own1, own2, own4, other1, other2, other4 = sets
    stays = ~bit
    ones = own1 & stays | other1 & cells
    twos = own2 & stays | other2 & cells
    fours = own4 & stays | other4 & cells
    # One more on each cell, with carries; a stack of seven is gone.
    carry = ones & cells
    ones ^= cells
    fours ^= twos & carry
    twos ^= carry
    kept = ~(ones & twos & fours)
    away = ~cells
    return Sets(other1 & away, other2 & away, other4 & away, ones & kept, twos & kept, fours & kept)


def power_at(sets: Sets, cell: int) -> int:
    """The power of an own stack; 0 where there is none."""
    own1, own2, own4 = sets[:3]
    return (own1 >> cell & 1) + 2 * (own2 >> cell & 1) + 4 * (own4 >> cell & 1)


def played(sets: Sets, move: int) -> Sets:
    """The position after a move that is legal, seen by the other side."""
    if move < FIRST_SPREAD:
        return spawned(sets, 1 << move)
    cell, direction = divmod(move - FIRST_SPREAD, N_DIRECTIONS)
    return spread(sets, 1 << cell, RAYS[power_at(sets, cell)][1 << cell][direction])


def bits(cells: int) -> list[int]:
    """The bits of a set, from the lowest cell up."""
    found = []
    while cells:
        found.append(cells & -cells)
        cells &= cells - 1
    return found


def legal_moves(sets: Sets) -> list[int]:
    """The legal moves of a game that is not over, ascending."""
    own1, own2, own4, other1, other2, other4 = sets
    own, other = own1 | own2 | own4, other1 | other2 | other4
    moves: list[int] = []
    if total(own1, own2, own4) + total(other1, other2, other4) < N_CELLS:
        moves = [CELL_OF[bit] for bit in bits(ALL_CELLS & ~(own | other))]
    for bit in bits(own):
        first = FIRST_SPREAD + N_DIRECTIONS * CELL_OF[bit]
        moves.extend(range(first, first + N_DIRECTIONS))
    return moves


def is_over(sets: Sets, n_actions: int) -> bool:
    """Whether the game has ended after so many actions."""
    if n_actions < 2:
        return False
    own1, own2, own4, other1, other2, other4 = sets
    return n_actions >= MOST_ACTIONS or not (own1 | own2 | own4 and other1 | other2 | other4)


def lead(sets: Sets) -> int:
    """The power of who is to move less the other's."""
    return total(*sets[:3]) - total(*sets[3:])


def result(sets: Sets) -> int:
    """What the end is worth to who would be to move: 1, 0 or −1."""
    ahead = lead(sets)
    return (ahead >= MARGIN) - (ahead <= -MARGIN)
