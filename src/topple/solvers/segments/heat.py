"""Thermographs of single pieces, and with them bounds of sums.

At a tax of s points on each move, the left wall is Left's lead if Left moves first, and the
right wall is Left's lead if Right moves first; from the temperature on, both are the mean.
Walls of sums are hard to compute, but are bounded by those of the parts: at every tax
R(A) + R(B) ≤ R(A + B) ≤ R(A) + L(B), and likewise for L. A left wall never rises with the tax
and falls by at most the tax, so that bounds at any tax give bounds of the scores, which are the
walls at tax 0. One pass over the pieces by length bounds all their walls, most of them exactly,
and a sum is bounded by

    max over s of  ΣR + max(L − R)  ≤  Ls  ≤  min over s of  ΣL + s
    max over s of  ΣR − s           ≤  Rs  ≤  min over s of  ΣL − max(L − R).
"""

from typing import Any

from topple.compiling.specialise import kernel, noinline
from topple.solvers.segments.pieces import (
    ABOVE_LEAST,
    BELOW_MOST,
    HEATS,
    LEFT_MOST,
    NOTHING,
    RIGHT_LEAST,
    UNIT,
    USED_HEATS,
    Pieces,
    Thermographs,
)

FAR = 1 << 20  # larger than every score, in eighths
LAMBDA_LEAST, LAMBDA_MOST, RHO_LEAST, RHO_MOST, LEAST, MOST = range(6)  # rows of the scaffold


@kernel
def heat_piece(board: Any, pieces: Pieces, heat: Thermographs, code: int) -> int:
    """Bound the walls of a piece by those of the parts that its moves leave.

    The rows of the piece and of its negative in `heat` and `pieces.walls` change in place;
    bounds only become narrower.
    """
    scaffold = heat.scaffold
    for s in range(HEATS):
        scaffold[LAMBDA_LEAST, s] = scaffold[LAMBDA_MOST, s] = -FAR
        scaffold[RHO_LEAST, s] = scaffold[RHO_MOST, s] = FAR
    opposite = pieces.negative[code]
    for i in range(pieces.move_count[code]):
        move = pieces.move_start[code] + i
        heat_option(pieces, heat, move)
        for s in range(HEATS):
            paid = UNIT * pieces.move_gain[move] - s
            scaffold[LAMBDA_LEAST, s] = max(scaffold[LAMBDA_LEAST, s], paid + scaffold[LEAST, s])
            scaffold[LAMBDA_MOST, s] = max(scaffold[LAMBDA_MOST, s], paid + scaffold[MOST, s])
    for i in range(pieces.move_count[opposite]):
        move = pieces.move_start[opposite] + i
        heat_option(pieces, heat, move)
        for s in range(HEATS):
            paid = UNIT * pieces.move_gain[move] - s
            scaffold[RHO_LEAST, s] = min(scaffold[RHO_LEAST, s], -paid - scaffold[MOST, s])
            scaffold[RHO_MOST, s] = min(scaffold[RHO_MOST, s], -paid - scaffold[LEAST, s])
    raise_walls(pieces, heat, code)
    tighten(pieces, heat, code)
    return 0


@noinline
def heat_option(pieces: Pieces, heat: Thermographs, move: int) -> None:
    """Bound the right wall of what a move of Left leaves, in LEAST and MOST of the scaffold."""
    scaffold = heat.scaffold
    first, second = pieces.move_first[move], pieces.move_second[move]
    cancelled = first == pieces.negative[second]
    for s in range(HEATS):
        least = most = 0
        if second != NOTHING and not cancelled:
            least = heat.right_least[second, s]
            most = heat.right_most[second, s]
            if first != NOTHING:
                one = heat.right_most[first, s] + heat.left_most[second, s]
                other = heat.left_most[first, s] + most
                least += heat.right_least[first, s]
                most = min(one, other)
        scaffold[LEAST, s] = least
        scaffold[MOST, s] = most
    for s in range(1, HEATS):
        scaffold[LEAST, s] = max(scaffold[LEAST, s], scaffold[LEAST, s - 1])
        scaffold[MOST, s] = min(scaffold[MOST, s], scaffold[MOST, s - 1] + 1)
    for s in range(HEATS - 2, -1, -1):
        scaffold[LEAST, s] = max(scaffold[LEAST, s], scaffold[LEAST, s + 1] - 1)
        scaffold[MOST, s] = min(scaffold[MOST, s], scaffold[MOST, s + 1])


@kernel
def raise_walls(pieces: Pieces, heat: Thermographs, code: int) -> None:
    """Narrow the walls by the scaffolds, which become the mast where they cross.

    At every tax the mean lies between the scaffolds. The left wall is the larger of
    left scaffold and mean, the right wall the smaller of right scaffold and mean.
    """
    scaffold = heat.scaffold
    mean_least, mean_most = -FAR, FAR
    for s in range(HEATS):
        mean_least = max(mean_least, min(scaffold[LAMBDA_LEAST, s], scaffold[RHO_LEAST, s]))
        mean_most = min(mean_most, max(scaffold[LAMBDA_MOST, s], scaffold[RHO_MOST, s]))
    if pieces.negative[code] == code:
        mean_least = mean_most = 0
    for s in range(HEATS):
        narrow(
            heat,
            code,
            s,
            max(scaffold[LAMBDA_LEAST, s], mean_least),
            max(scaffold[LAMBDA_MOST, s], mean_most),
            min(scaffold[RHO_LEAST, s], mean_least),
            min(scaffold[RHO_MOST, s], mean_most),
        )


@noinline
def narrow(
    heat: Thermographs,
    code: int,
    s: int,
    left_least: int,
    left_most: int,
    right_least: int,
    right_most: int,
) -> None:
    """Intersect the bounds of a piece's walls at one tax with new ones, in place."""
    heat.left_least[code, s] = max(heat.left_least[code, s], left_least)
    heat.left_most[code, s] = min(heat.left_most[code, s], left_most)
    heat.right_least[code, s] = max(heat.right_least[code, s], right_least)
    heat.right_most[code, s] = min(heat.right_most[code, s], right_most)


@kernel
def settle_piece(
    board: Any, pieces: Pieces, heat: Thermographs, code: int, left: int, right: int
) -> int:
    """Set a piece's walls at tax 0 to its scores Ls and Rs, and narrow the others."""
    left, right = UNIT * left, UNIT * right
    narrow(heat, code, 0, left, left, right, right)
    tighten(pieces, heat, code)
    return 0


@noinline
def tighten(pieces: Pieces, heat: Thermographs, code: int) -> None:
    """Narrow bounds at each tax by those at neighbouring taxes, and update the negative.

    From one tax to the next the left wall falls by 0 or 1 eighth, and the right wall rises
    by 0 or 1.
    """
    left_least, left_most = heat.left_least[code], heat.left_most[code]
    right_least, right_most = heat.right_least[code], heat.right_most[code]
    for s in range(1, HEATS):
        left_most[s] = min(left_most[s], left_most[s - 1])
        left_least[s] = max(left_least[s], left_least[s - 1] - 1)
        right_least[s] = max(right_least[s], right_least[s - 1])
        right_most[s] = min(right_most[s], right_most[s - 1] + 1)
    for s in range(HEATS - 2, -1, -1):
        left_least[s] = max(left_least[s], left_least[s + 1])
        left_most[s] = min(left_most[s], left_most[s + 1] + 1)
        right_most[s] = min(right_most[s], right_most[s + 1])
        right_least[s] = max(right_least[s], right_least[s + 1] - 1)
    opposite = pieces.negative[code]
    for s in range(HEATS):
        narrow(heat, opposite, s, -right_most[s], -right_least[s], -left_most[s], -left_least[s])
    keep_walls(pieces, heat, code)
    keep_walls(pieces, heat, opposite)


@kernel
def keep_walls(pieces: Pieces, heat: Thermographs, code: int) -> None:
    """Copy what bounds of sums need into `pieces.walls`. Left's wall is never below Right's."""
    for i in range(len(USED_HEATS)):
        s = USED_HEATS[i]
        least, most = heat.right_least[code, s], heat.left_most[code, s]
        pieces.walls[code, i, RIGHT_LEAST] = least
        pieces.walls[code, i, LEFT_MOST] = most
        pieces.walls[code, i, ABOVE_LEAST] = max(0, heat.left_least[code, s] - least)
        pieces.walls[code, i, BELOW_MOST] = max(0, most - heat.right_most[code, s])
