"""Infexion's rules on plain Python integers, for programs that must not import libraries.

A position is six sets of cells, each the bits of one integer. The first three are the binary
digits of the powers of the player to move: a stack of power 5 has its bit in `own1` and in
`own4`. The other three are the opponent's. Moves are numbered as in topple: a spawn is its
cell, 7 r + q, and a spread is 49 + 6 cell + direction.
"""

from collections.abc import Sequence
from operator import index
from typing import Any, NamedTuple

SIZE = 7
N_CELLS = SIZE * SIZE
MOST_POWER = SIZE - 1
MOST_ACTIONS = SIZE * N_CELLS
MARGIN = 2  # the lead in power that wins
DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))  # in the referee's order
N_DIRECTIONS = len(DIRECTIONS)
ALL_CELLS = (1 << N_CELLS) - 1
FIRST_SPREAD = N_CELLS


Sets = tuple[int, int, int, int, int, int]  # as in `BitPosition`, which is slower to make


class BitPosition(NamedTuple):
    """A position as six sets of cells, seen by the player to move."""

    own1: int
    own2: int
    own4: int
    other1: int
    other2: int
    other4: int


EMPTY = BitPosition(0, 0, 0, 0, 0, 0)


def ray(cell: int, direction: int, power: int) -> int:
    """The set of cells that a spread reaches."""
    (r, q), (dr, dq) = divmod(cell, SIZE), DIRECTIONS[direction]
    cells = 0
    for far in range(1, power + 1):
        cells |= 1 << ((r + far * dr) % SIZE * SIZE + (q + far * dq) % SIZE)
    return cells


# By power and then by the bit of the stack's cell: the cells reached in each direction.
RAYS: tuple[dict[int, tuple[int, ...]], ...] = tuple(
    {
        1 << cell: tuple(ray(cell, direction, power) for direction in range(N_DIRECTIONS))
        for cell in range(N_CELLS)
    }
    for power in range(MOST_POWER + 1)
)
# The same for all directions together.
REACH: tuple[dict[int, int], ...] = tuple(
    {bit: a | b | c | d | e | f for bit, (a, b, c, d, e, f) in rays.items()} for rays in RAYS
)
CELL_OF = {1 << cell: cell for cell in range(N_CELLS)}


def total(ones: int, twos: int, fours: int) -> int:
    """The total power of one side.

    >>> total(0b101, 0b001, 0b000)
    4
    """
    return ones.bit_count() + 2 * twos.bit_count() + 4 * fours.bit_count()


def by_power(ones: int, twos: int, fours: int) -> tuple[tuple[int, int], ...]:
    """Each power with the set of cells that hold stacks of it."""
    low, high = ones & ~fours, ones & fours
    return (
        (1, low & ~twos),
        (2, twos & ~ones & ~fours),
        (3, low & twos),
        (4, fours & ~ones & ~twos),
        (5, high),
        (6, fours & twos),
    )


def spawned(position: BitPosition, bit: int) -> BitPosition:
    """The position after a spawn, seen by the opponent."""
    own1, own2, own4, other1, other2, other4 = position
    return BitPosition(other1, other2, other4, own1 | bit, own2, own4)


def spread(position: BitPosition, bit: int, cells: int) -> BitPosition:
    """The position after the stack at `bit` spreads over `cells`, seen by the opponent."""
    own1, own2, own4, other1, other2, other4 = position
    others = ~bit
    ones = own1 & others | other1 & cells
    twos = own2 & others | other2 & cells
    fours = own4 & others | other4 & cells
    # Add one to each cell with binary carries; a stack of seven is removed.
    carry = ones & cells
    ones ^= cells
    fours ^= twos & carry
    twos ^= carry
    kept = ~(ones & twos & fours)
    away = ~cells
    return BitPosition(
        other1 & away, other2 & away, other4 & away, ones & kept, twos & kept, fours & kept
    )


def power_at(position: BitPosition, cell: int) -> int:
    """The power of an own stack, or 0."""
    own1, own2, own4 = position[:3]
    return (own1 >> cell & 1) + 2 * (own2 >> cell & 1) + 4 * (own4 >> cell & 1)


def played(position: BitPosition, move: int) -> BitPosition:
    """The position after a legal move, seen by the opponent."""
    if move < FIRST_SPREAD:
        return spawned(position, 1 << move)
    cell, direction = divmod(move - FIRST_SPREAD, N_DIRECTIONS)
    return spread(position, 1 << cell, RAYS[power_at(position, cell)][1 << cell][direction])


def move_numbers(move: int) -> list[int]:
    """The numbers of a move's action: r and q, and for a spread those of its direction.

    >>> move_numbers(8), move_numbers(49)
    ([1, 1], [0, 0, 0, 1])
    """
    if move < FIRST_SPREAD:
        return list(divmod(move, SIZE))
    cell, direction = divmod(move - FIRST_SPREAD, N_DIRECTIONS)
    return [*divmod(cell, SIZE), *DIRECTIONS[direction]]


def numbered_move(numbers: Sequence[int]) -> int:
    """The move with the given numbers of an action.

    >>> numbered_move([1, 1]), numbered_move([0, 0, 0, 1])
    (8, 49)
    """
    cell = numbers[0] * SIZE + numbers[1]
    if len(numbers) == 2:
        return cell
    return FIRST_SPREAD + N_DIRECTIONS * cell + DIRECTIONS.index((numbers[2], numbers[3]))


def make_action(game: Any, numbers: Sequence[int]) -> Any:
    """The action with the given numbers; `game` is the module `referee.game`."""
    cell = game.HexPos(numbers[0], numbers[1])
    if len(numbers) == 2:
        return game.SpawnAction(cell)
    wanted = tuple(numbers[2:])
    direction = next(each for each in game.HexDir if (each.value.r, each.value.q) == wanted)
    return game.SpreadAction(cell, direction)


def action_numbers(game: Any, action: Any) -> list[int]:
    """The numbers of an action; `game` is the module `referee.game`."""
    cell = [index(action.cell.r), index(action.cell.q)]
    if isinstance(action, game.SpawnAction):
        return cell
    return [*cell, action.direction.value.r, action.direction.value.q]


def bits(cells: int) -> list[int]:
    """The bits of a set, the lowest cell first."""
    found = []
    while cells:
        found.append(cells & -cells)
        cells &= cells - 1
    return found


def legal_moves(position: BitPosition) -> list[int]:
    """The legal moves of a game that is not over, ascending."""
    own1, own2, own4, other1, other2, other4 = position
    own, other = own1 | own2 | own4, other1 | other2 | other4
    moves: list[int] = []
    if total(own1, own2, own4) + total(other1, other2, other4) < N_CELLS:
        moves = [CELL_OF[bit] for bit in bits(ALL_CELLS & ~(own | other))]
    for bit in bits(own):
        first = FIRST_SPREAD + N_DIRECTIONS * CELL_OF[bit]
        moves.extend(range(first, first + N_DIRECTIONS))
    return moves


def is_over(position: BitPosition, n_actions: int) -> bool:
    """Whether the game is over after `n_actions` actions."""
    if n_actions < 2:
        return False
    own1, own2, own4, other1, other2, other4 = position
    return n_actions >= MOST_ACTIONS or not (own1 | own2 | own4 and other1 | other2 | other4)


def lead(position: Sets) -> int:
    """The power of the player to move minus the opponent's."""
    return total(*position[:3]) - total(*position[3:])


def result(position: Sets) -> int:
    """The result of a finished game for the player who would move next: 1, 0 or −1."""
    ahead = lead(position)
    return (ahead >= MARGIN) - (ahead <= -MARGIN)
