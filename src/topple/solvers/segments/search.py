"""Is Ls at least t? Null-window search on sums of pieces, which can be stopped at any node.

In every sum Left is to move: after a move the rest is negated, so that Right's reply becomes
Left's. A move that gains g and leaves H reaches t if g + Rs(H) ≥ t, and Rs(H) = −Ls(−H); so the
question about −H is whether its Ls is at least g − t + 1. If the answer to one of these is "no",
the answer here is "yes". Every answer narrows the bounds in the table. Before a move is searched,
the bounds from the parts' walls and from the table may give the answer.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel, noinline
from topple.solvers.segments.pieces import (
    ABOVE_LEAST,
    BELOW_MOST,
    LEFT_MOST,
    NOTHING,
    RIGHT_LEAST,
    UNIT,
    USED_HEATS,
    Pieces,
)
from topple.solvers.segments.table import SumTable, entry_high, entry_low, find_entry, store

OPEN, YES, NO, FULL = range(4)  # answers; FULL: the table must grow first
PLY, NODES, ANSWER = range(3)  # `counts`
MERIT, PIECE, GAIN, FIRST, SECOND, LEAST, MOST = range(7)  # columns of `moves`
N_HEATS = len(USED_HEATS)
NO_WORD = np.uint64(0)


class SumStack(NamedTuple):
    """The sums on the path from the question to the current node; a row or number per ply."""

    rows: NDArray[np.int32]  # shape (plies, pieces): codes, ascending
    n_pieces: NDArray[np.int64]
    size: NDArray[np.int64]  # vertices
    keys: NDArray[np.uint64]
    checks: NDArray[np.uint64]
    threshold: NDArray[np.int64]
    low: NDArray[np.int64]  # proven bounds of Ls
    high: NDArray[np.int64]
    moves: NDArray[np.int32]  # shape (plies, moves, 7): those that may reach the threshold
    n_moves: NDArray[np.int64]
    next_move: NDArray[np.int64]
    present: NDArray[np.int32]  # how often each piece occurs in the current node
    sums: NDArray[np.int64]  # shape (2, 3): ΣR and ΣL of the current node at USED_HEATS
    negated: NDArray[np.uint64]  # shape (2,): key and check of the current node's negative
    counts: NDArray[np.int64]


def make_stack(n_vertices: int, n_codes: int, plies: int) -> SumStack:
    """A stack for sums of up to `n_vertices` vertices, of which each move takes at least two."""
    width = n_vertices // 2 + 2

    def wholes(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, dtype=np.int64)

    return SumStack(
        rows=np.zeros((plies, width), dtype=np.int32),
        n_pieces=wholes(plies),
        size=wholes(plies),
        keys=np.zeros(plies, dtype=np.uint64),
        checks=np.zeros(plies, dtype=np.uint64),
        threshold=wholes(plies),
        low=wholes(plies),
        high=wholes(plies),
        moves=np.zeros((plies, width, 7), dtype=np.int32),
        n_moves=wholes(plies),
        next_move=wholes(plies),
        present=np.zeros(n_codes, dtype=np.int32),
        sums=wholes(2, N_HEATS),
        negated=np.zeros(2, dtype=np.uint64),
        counts=wholes(3),
    )


# -- bounds --------------------------------------------------------------------------------------


@kernel
def rounded_up(value: int, size: int) -> int:
    """The least score of at least `value` eighths, given that its parity is that of the size."""
    whole = -((-value) // UNIT)
    return whole + ((whole + size) & 1)


@kernel
def rounded_down(value: int, size: int) -> int:
    """The largest score of at most `value` eighths."""
    whole = value // UNIT
    return whole - ((whole + size) & 1)


@kernel
def bound_node(pieces: Pieces, stack: SumStack, table: SumTable, ply: int) -> None:
    """Write bounds of a node's Ls, from its pieces' walls and the table, to `low` and `high`."""
    row, n, size = stack.rows[ply], stack.n_pieces[ply], stack.size[ply]
    least, most = -UNIT * size, UNIT * size
    for h in range(N_HEATS):
        right, left, above = 0, 0, 0
        for i in range(n):
            right += pieces.walls[row[i], h, RIGHT_LEAST]
            left += pieces.walls[row[i], h, LEFT_MOST]
            above = max(above, pieces.walls[row[i], h, ABOVE_LEAST])
        least = max(least, right + above)
        most = min(most, left + USED_HEATS[h])
    stack.low[ply] = rounded_up(least, size)
    stack.high[ply] = rounded_down(most, size)
    look_up(stack, table, ply)


@kernel
def look_up(stack: SumStack, table: SumTable, ply: int) -> None:
    """Narrow the bounds of a node's Ls by those in the table."""
    place = find_entry(table, stack.keys[ply], stack.checks[ply])
    if place >= 0:
        stack.low[ply] = max(stack.low[ply], entry_low(table, place))
        stack.high[ply] = min(stack.high[ply], entry_high(table, place))


@kernel
def look(board: Any, pieces: Pieces, stack: SumStack, table: SumTable) -> int:
    """Bound the sum in the first row of a stack, and mark its answer as open."""
    weigh(pieces, stack, 0)
    bound_node(pieces, stack, table, 0)
    stack.counts[PLY] = 0
    stack.counts[ANSWER] = OPEN
    return 0


@kernel
def weigh(pieces: Pieces, stack: SumStack, ply: int) -> None:
    """Compute size, key and check of the sum in a row."""
    size, key, check = 0, NO_WORD, NO_WORD
    for i in range(stack.n_pieces[ply]):
        code = stack.rows[ply, i]
        size += pieces.size[code]
        key += pieces.words[code]
        check += pieces.checks[code]
    stack.size[ply] = size
    stack.keys[ply] = key
    stack.checks[ply] = check


# -- one node ------------------------------------------------------------------------------------


@noinline
def open_node(pieces: Pieces, stack: SumStack, table: SumTable, ply: int) -> int:
    """List the moves that may reach the threshold; YES if one does, NO if none can."""
    row, n = stack.rows[ply], stack.n_pieces[ply]
    count_pieces(pieces, stack, ply)
    stack.n_moves[ply] = stack.next_move[ply] = 0
    answer = NO
    for i in range(n):
        code = row[i]
        if answer != YES and (i == 0 or code != row[i - 1]):
            start = pieces.move_start[code]
            for move in range(start, start + pieces.move_count[code]):
                found = list_move(pieces, stack, table, ply, code, move)
                if found != NO:
                    answer = found
                if found == YES:
                    break
    for i in range(n):
        stack.present[row[i]] = 0
    return answer


@kernel
def count_pieces(pieces: Pieces, stack: SumStack, ply: int) -> None:
    """Count a node's pieces in `present`; add up their walls and their negatives' words."""
    for h in range(N_HEATS):
        stack.sums[0, h] = stack.sums[1, h] = 0
    stack.negated[0] = stack.negated[1] = NO_WORD
    for i in range(stack.n_pieces[ply]):
        code = stack.rows[ply, i]
        stack.present[code] += 1
        stack.negated[0] += pieces.words[pieces.negative[code]]
        stack.negated[1] += pieces.checks[pieces.negative[code]]
        for h in range(N_HEATS):
            stack.sums[0, h] += pieces.walls[code, h, RIGHT_LEAST]
            stack.sums[1, h] += pieces.walls[code, h, LEFT_MOST]


@kernel
def list_move(
    pieces: Pieces, stack: SumStack, table: SumTable, ply: int, code: int, move: int
) -> int:
    """Bound a move, and list it if OPEN; YES if it reaches the threshold, NO if it cannot."""
    first, second = pieces.move_first[move], pieces.move_second[move]
    stack.present[code] -= 1
    gone_first = put(pieces, stack, first)
    gone_second = put(pieces, stack, second)
    answer = bound_move(
        pieces, stack, table, ply, move, code, first, gone_first, second, gone_second
    )
    unput(stack, second, gone_second)
    unput(stack, first, gone_first)
    stack.present[code] += 1
    return answer


@kernel
def put(pieces: Pieces, stack: SumStack, code: int) -> int:
    """Add a piece to `present`, or remove its negative; return the code removed, or NOTHING."""
    if code == NOTHING:
        return NOTHING
    opposite = pieces.negative[code]
    if stack.present[opposite] > 0:
        stack.present[opposite] -= 1
        return int(opposite)
    stack.present[code] += 1
    return NOTHING


@kernel
def unput(stack: SumStack, code: int, gone: int) -> None:
    """Undo `put`."""
    if gone != NOTHING:
        stack.present[gone] += 1
    elif code != NOTHING:
        stack.present[code] -= 1


@kernel
def bound_move(
    pieces: Pieces,
    stack: SumStack,
    table: SumTable,
    ply: int,
    move: int,
    code: int,
    first: int,
    gone_first: int,
    second: int,
    gone_second: int,
) -> int:
    """Bound Rs of what a move leaves, as counted in `present`; list the move if OPEN."""
    plus = first if gone_first == NOTHING else NOTHING  # the pieces added to the sum
    other_plus = second if gone_second == NOTHING else NOTHING
    needed = stack.threshold[ply] - pieces.move_gain[move]
    size = stack.size[ply] - pieces.size[code] + pieces.size[plus] + pieces.size[other_plus]
    size -= pieces.size[gone_first] + pieces.size[gone_second]  # the pieces cancelled
    least, most = -UNIT * size, UNIT * size
    for h in range(N_HEATS):
        right = stack.sums[0, h] - pieces.walls[code, h, RIGHT_LEAST]
        right += pieces.walls[plus, h, RIGHT_LEAST] + pieces.walls[other_plus, h, RIGHT_LEAST]
        right -= pieces.walls[gone_first, h, RIGHT_LEAST]
        right -= pieces.walls[gone_second, h, RIGHT_LEAST]
        least = max(least, right - USED_HEATS[h])
    low = rounded_up(least, size)
    if low >= needed:
        return YES
    for h in range(N_HEATS):
        left = stack.sums[1, h] - pieces.walls[code, h, LEFT_MOST]
        left += pieces.walls[plus, h, LEFT_MOST] + pieces.walls[other_plus, h, LEFT_MOST]
        left -= pieces.walls[gone_first, h, LEFT_MOST] + pieces.walls[gone_second, h, LEFT_MOST]
        most = min(most, left - deepest(pieces, stack, ply, h, plus, other_plus))
    high = rounded_down(most, size)
    if high < needed:
        return NO
    key = stack.negated[0] - negated_word(pieces, pieces.words, code, gone_first, gone_second)
    key += negated_word(pieces, pieces.words, NOTHING, plus, other_plus)
    check = stack.negated[1] - negated_word(pieces, pieces.checks, code, gone_first, gone_second)
    check += negated_word(pieces, pieces.checks, NOTHING, plus, other_plus)
    place = find_entry(table, key, check)
    if place >= 0:
        low = max(low, -entry_high(table, place))
        high = min(high, -entry_low(table, place))
        if low >= needed:
            return YES
        if high < needed:
            return NO
    column = stack.moves[ply, stack.n_moves[ply]]
    column[MERIT] = merit(pieces, size, code, first, second)
    column[PIECE] = code
    column[GAIN] = pieces.move_gain[move]
    column[FIRST] = first
    column[SECOND] = second
    column[LEAST] = low
    column[MOST] = high
    stack.n_moves[ply] += 1
    return OPEN


@kernel
def merit(pieces: Pieces, size: int, code: int, first: int, second: int) -> int:
    """The order in which moves are searched, the least first. Its weights were found by trial.

    Prefer moves that leave little, on long pieces that are hot at a tax of two, and
    that leave no such pieces. Among equals the first on the list is preferred, which is
    the most even cut, as in the proof of Theorem 20.
    """
    hot = pieces.walls[first, 1, ABOVE_LEAST] + pieces.walls[second, 1, ABOVE_LEAST]
    return int(32 * size - 2 * code - pieces.walls[code, 1, ABOVE_LEAST] + hot)


@kernel
def negated_word(
    pieces: Pieces, words: NDArray[np.uint64], one: int, two: int, three: int
) -> np.uint64:
    """The sum of the words of three pieces' negatives."""
    negative = pieces.negative
    total: np.uint64 = words[negative[one]] + words[negative[two]] + words[negative[three]]
    return total


@kernel
def deepest(pieces: Pieces, stack: SumStack, ply: int, h: int, plus: int, other_plus: int) -> int:
    """The largest distance from the left wall of a remaining piece down to its right wall."""
    below = 0
    if stack.present[plus] > 0:  # otherwise the other remainder has cancelled it
        below = pieces.walls[plus, h, BELOW_MOST]
    if stack.present[other_plus] > 0:
        below = max(below, pieces.walls[other_plus, h, BELOW_MOST])
    for i in range(stack.n_pieces[ply]):
        code = stack.rows[ply, i]
        if stack.present[code] > 0:
            below = max(below, pieces.walls[code, h, BELOW_MOST])
    return int(below)


# -- from node to node ---------------------------------------------------------------------------


@noinline
def next_node(pieces: Pieces, stack: SumStack, table: SumTable, ply: int) -> int:
    """Descend to the most promising open move (OPEN), or return the node's answer."""
    while stack.next_move[ply] < stack.n_moves[ply]:
        pick(stack, ply)
        move = stack.moves[ply, stack.next_move[ply]]
        stack.next_move[ply] += 1
        play(pieces, stack, ply, move)
        child = ply + 1
        weigh(pieces, stack, child)
        stack.low[child], stack.high[child] = -move[MOST], -move[LEAST]
        look_up(stack, table, child)
        threshold = move[GAIN] - stack.threshold[ply] + 1
        threshold += (threshold + stack.size[child]) & 1
        if stack.high[child] < threshold:
            return YES
        if stack.low[child] < threshold:
            stack.threshold[child] = threshold
            stack.counts[PLY] = child
            return OPEN
    return NO


@kernel
def pick(stack: SumStack, ply: int) -> None:
    """Move the first move with the least merit to the current position of the list."""
    moves, here = stack.moves[ply], stack.next_move[ply]
    best = here
    for i in range(here + 1, stack.n_moves[ply]):
        if moves[i, MERIT] < moves[best, MERIT]:
            best = i
    for column in range(moves.shape[1]):
        number = moves[best, column]
        for i in range(best, here, -1):
            moves[i, column] = moves[i - 1, column]
        moves[here, column] = number


@kernel
def play(pieces: Pieces, stack: SumStack, ply: int, move: NDArray[np.int32]) -> None:
    """Write the negative of what a move leaves to the next row.

    Negation keeps the order of codes, since a row never contains a piece and its negative.
    """
    row, child = stack.rows[ply], stack.rows[ply + 1]
    n, is_gone = 0, False
    for i in range(stack.n_pieces[ply]):
        if row[i] == move[PIECE] and not is_gone:
            is_gone = True
        else:
            child[n] = pieces.negative[row[i]]
            n += 1
    if move[FIRST] != NOTHING:
        n = put_into(pieces, child, n, pieces.negative[move[FIRST]])
    if move[SECOND] != NOTHING:
        n = put_into(pieces, child, n, pieces.negative[move[SECOND]])
    stack.n_pieces[ply + 1] = n


@kernel
def put_into(pieces: Pieces, row: NDArray[np.int32], n: int, code: int) -> int:
    """Insert a piece into a sorted row, or remove its negative; return the new length."""
    opposite = pieces.negative[code]
    for i in range(n):
        if row[i] == opposite:
            for j in range(i, n - 1):
                row[j] = row[j + 1]
            return n - 1
    place = n
    while place > 0 and row[place - 1] > code:
        row[place] = row[place - 1]
        place -= 1
    row[place] = code
    return n + 1


@kernel
def close_node(stack: SumStack, table: SumTable, ply: int, answer: int) -> None:
    """Narrow the bounds of a node by its answer, and store them in the table."""
    threshold = stack.threshold[ply]
    if answer == YES:
        stack.low[ply] = max(stack.low[ply], threshold)
    else:
        stack.high[ply] = min(stack.high[ply], threshold - 2)
    store(table, stack.keys[ply], stack.checks[ply], stack.low[ply], stack.high[ply])


@kernel
def prove(
    board: Any, pieces: Pieces, stack: SumStack, table: SumTable, most_entries: int, n: int
) -> int:
    """Search a question for up to n nodes: YES, NO, OPEN if it needs more nodes, or FULL.

    Before the first call, `look` must have been called and the threshold set, with the
    right parity and between the bounds. The stack and the table change in place; after
    FULL the question continues with a larger table.
    """
    counts = stack.counts
    last = counts[NODES] + n
    while True:
        ply = counts[PLY]
        if counts[ANSWER] == OPEN:
            if table.counts[0] + ply + 1 > most_entries:
                return FULL
            if counts[NODES] >= last:
                return OPEN
            counts[NODES] += 1
            counts[ANSWER] = open_node(pieces, stack, table, ply)
            if counts[ANSWER] == OPEN:
                counts[ANSWER] = next_node(pieces, stack, table, ply)
        else:
            answer = counts[ANSWER]
            close_node(stack, table, ply, answer)
            if ply == 0:
                return int(answer)
            counts[PLY] = ply - 1
            counts[ANSWER] = YES
            if answer == YES:
                counts[ANSWER] = next_node(pieces, stack, table, ply - 1)
