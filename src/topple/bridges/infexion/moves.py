"""Infexion's moves in the order in which a search should try them."""

from topple.bridges.infexion.bit_position import (
    ALL_CELLS,
    CELL_OF,
    FIRST_SPREAD,
    N_CELLS,
    N_DIRECTIONS,
    RAYS,
    Sets,
    total,
)
from topple.bridges.infexion.evaluation import reached

# A move's rank (a lower one is searched sooner) and number, its bit, and the cells of a spread.
RankedMove = tuple[int, int, int, int]

# How a network ranks moves, in tenths of the logarithm of the odds: fitted by
# `python -m benchmarks.infexion_fit` to its policy in 5 000 positions.
FREE_BACKED, BESIDE_BACKED, ATTACKED_BACKED = -20, -15, -10  # a spawn that own spreads reach
BESIDE_ONE, FREE, ATTACKED = -6, -1, 13  # one that they do not reach
STACKS = (0, 29, 16, 6, 1, -7, -6)  # a spread, by the power of the stack
TAKEN = tuple(-round(43.5 + 19.1 * taken - 1.45 * min(taken, 8) ** 2) for taken in range(37))
FLEES, LANDS, JOINS = 13, 8, 16  # a stack within reach; a cell within reach; onto own stacks

HINTED, KILLED, PRAISED = 9999, 40, 2  # a known best move; a refutation; a move's history
WIDEST = 1000  # a remaining depth at which all moves are given
QUIET, JOINING = 100, 3  # the least remaining depth for spreads without captures, and with joins


def spawn_kinds(sets: Sets, reach: int) -> tuple[tuple[int, int], ...]:
    """The empty cells by kind, with the kinds' ranks; the opponent's spreads reach `reach`."""
    own1, own2, own4, other1, other2, other4 = sets
    prey = other1 | other2 | other4
    empty, backing = ALL_CELLS & ~(own1 | own2 | own4 | prey), reached(own1, own2, own4)
    backed, alone, beside = empty & backing, empty & ~backing, reached(prey, 0, 0)
    return (
        (backed & ~reach, FREE_BACKED),
        (backed & beside, BESIDE_BACKED),
        (backed & reach & ~beside, ATTACKED_BACKED),
        (alone & beside, BESIDE_ONE),
        (alone & ~reach, FREE),
        (alone & reach & ~beside, ATTACKED),
    )


def ranked_spreads(sets: Sets, depth: int, history: list[int], reach: int) -> list[RankedMove]:
    """The spreads that are worth a search to a depth; the opponent's spreads reach `reach`."""
    own1, own2, own4, other1, other2, other4 = sets
    own, prey = own1 | own2 | own4, other1 | other2 | other4
    wanted = prey | own if depth >= JOINING else prey
    moves: list[RankedMove] = []
    left = own
    while left:
        bit = left & -left
        left ^= bit
        power = (1 if own1 & bit else 0) + (2 if own2 & bit else 0) + (4 if own4 & bit else 0)
        stack = STACKS[power] - (FLEES if reach & bit else 0)
        number = FIRST_SPREAD + N_DIRECTIONS * CELL_OF[bit] - 1
        for cells in RAYS[power][bit]:
            number += 1
            hit = cells & prey
            if hit:
                taken = (
                    (hit & other1).bit_count()
                    + 2 * (hit & other2).bit_count()
                    + 4 * (hit & other4).bit_count()
                )
                rank = stack + TAKEN[taken] + LANDS * (cells & reach).bit_count()
            elif cells & wanted or depth >= QUIET:
                rank = stack - (JOINS if cells & own else 0)
            else:
                continue
            rank -= PRAISED * history[number].bit_length()
            moves.append((rank, number, bit, cells))
    return moves


def ranked_moves(
    sets: Sets,
    depth: int,
    history: list[int],
    hint: int = -1,
    killer: int = -1,
    enough: int = WIDEST,
) -> list[RankedMove]:
    """The moves that are worth a search to a depth, best first; all of them if it is `WIDEST`.

    `history` is, for each move, how often it was good; `hint` is tried first and `killer` soon.
    The less promising kinds of spawns are left out where there are `enough` moves.
    """
    reach = reached(*sets[3:])
    moves = ranked_spreads(sets, depth, history, reach)
    if total(*sets[:3]) + total(*sets[3:]) < N_CELLS:
        for kind, rank in spawn_kinds(sets, reach):
            if len(moves) >= enough:
                break
            left = kind
            while left:
                bit = left & -left
                left ^= bit
                number = CELL_OF[bit]
                moves.append((rank - PRAISED * history[number].bit_length(), number, bit, 0))
    if hint >= 0 or killer >= 0:
        for place, (rank, number, bit, cells) in enumerate(moves):
            if number == hint:
                moves[place] = (rank - HINTED, number, bit, cells)
            elif number == killer:
                moves[place] = (rank - KILLED, number, bit, cells)
    moves.sort()
    return moves or ranked_moves(sets, WIDEST, history)


def after(sets: Sets, move: RankedMove) -> Sets:
    """The position after a move, seen by the opponent: as `spawned` and `spread`, in less time."""
    own1, own2, own4, other1, other2, other4 = sets
    _, _, bit, cells = move
    if not cells:
        return (other1, other2, other4, own1 | bit, own2, own4)
    ones = own1 & ~bit | other1 & cells
    twos = own2 & ~bit | other2 & cells
    fours = own4 & ~bit | other4 & cells
    carry = ones & cells
    ones ^= cells
    fours ^= twos & carry
    twos ^= carry
    gone = ones & twos & fours
    if gone:
        ones, twos, fours = ones ^ gone, twos ^ gone, fours ^ gone
    away = ~cells
    return (other1 & away, other2 & away, other4 & away, ones, twos, fours)
