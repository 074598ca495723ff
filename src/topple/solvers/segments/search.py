"""Is Ls at least t? Null-window search on sums of pieces, which can be stopped at any node.

In every sum it is Left's move: after a move the rest is negated, so that Right's reply becomes
Left's. A move that gains g and leaves H reaches t if g + Rs(H) ≥ t, and Rs(H) = −Ls(−H); the
question about −H is then whether its Ls is at least g − t + 1. The answer "no" to one of them
is "yes" here. Every answer narrows the bounds in the table; before a move is looked into, its
bounds from the parts' walls and from the table may answer at once.
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
from topple.solvers.segments.table import Table, entry_high, entry_low, find_entry, store

OPEN, YES, NO, FULL = range(4)  # answers; FULL: the table has no room for what comes next
PLY, NODES, ANSWER = range(3)  # `counts`
MERIT, PIECE, GAIN, FIRST, SECOND, LEAST, MOST = range(7)  # columns of `moves`
N_HEATS = len(USED_HEATS)
NO_WORD = np.uint64(0)


class Stack(NamedTuple):
    """The sums on the way from the question to the node in hand; a row or number per ply."""

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
    present: NDArray[np.int32]  # how often each piece occurs in the node in hand
    sums: NDArray[np.int64]  # shape (2, 3): ΣR and ΣL of the node in hand at USED_HEATS
    negated: NDArray[np.uint64]  # shape (2,): key and check of the negative of the node in hand
    counts: NDArray[np.int64]


def make_stack(n_vertices: int, n_codes: int, plies: int) -> Stack:
    """A stack for questions about sums of up to so many vertices; a move takes two or more."""
    width = n_vertices // 2 + 2

    def wholes(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, dtype=np.int64)

    return Stack(
        rows=np.zeros((plies, width), dtype=np.int32),
        n_pieces=wholes(plies), size=wholes(plies),
        keys=np.zeros(plies, dtype=np.uint64), checks=np.zeros(plies, dtype=np.uint64),
        threshold=wholes(plies), low=wholes(plies), high=wholes(plies),
        moves=np.zeros((plies, width, 7), dtype=np.int32),
        n_moves=wholes(plies), next_move=wholes(plies),
        present=np.zeros(n_codes, dtype=np.int32), sums=wholes(2, N_HEATS),
        negated=np.zeros(2, dtype=np.uint64), counts=wholes(3),
    )  # fmt: skip


# -- bounds --------------------------------------------------------------------------------------


@kernel
def rounded_up(value: int, size: int) -> int:
    """The least score that is at least `value` eighths: scores have the parity of the size."""
    whole = -((-value) // UNIT)
    return whole + ((whole + size) & 1)


@kernel
def rounded_down(value: int, size: int) -> int:
    """The largest score that is at most `value` eighths."""
    whole = value // UNIT
    return whole - ((whole + size) & 1)


@kernel
def bound_node(pieces: Pieces, stack: Stack, table: Table, ply: int) -> None:
    """Find what is known of a node's Ls: by its pieces' walls, by the table."""
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
    place = find_entry(table, stack.keys[ply], stack.checks[ply])
    if place >= 0:
        stack.low[ply] = max(stack.low[ply], entry_low(table, place))
        stack.high[ply] = min(stack.high[ply], entry_high(table, place))


@kernel
def look(board: Any, pieces: Pieces, stack: Stack, table: Table) -> int:
    """Bound the sum in the first row of a stack, whose answer is open from now on."""
    weigh(pieces, stack, 0)
    bound_node(pieces, stack, table, 0)
    stack.counts[PLY] = 0
    stack.counts[ANSWER] = OPEN
    return 0


@kernel
def weigh(pieces: Pieces, stack: Stack, ply: int) -> None:
    """Add up the vertices, key and check of a row."""
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
def open_node(pieces: Pieces, stack: Stack, table: Table, ply: int) -> int:
    """List the moves that may reach the threshold; YES if one is known to, NO if none may."""
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
def count_pieces(pieces: Pieces, stack: Stack, ply: int) -> None:
    """Count a node's pieces by code, and add up their walls and their negatives' words."""
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
    pieces: Pieces, stack: Stack, table: Table, ply: int, code: int, move: int
) -> int:  # fmt: skip
    """Bound a move and put it on the list; YES if it reaches the threshold, NO if it cannot."""
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
def put(pieces: Pieces, stack: Stack, code: int) -> int:
    """Add a piece to the count, or remove its negative; returns what is removed, or NOTHING."""
    if code == NOTHING:
        return NOTHING
    opposite = pieces.negative[code]
    if stack.present[opposite] > 0:
        stack.present[opposite] -= 1
        return int(opposite)
    stack.present[code] += 1
    return NOTHING


@kernel
def unput(stack: Stack, code: int, gone: int) -> None:
    """Undo `put`."""
    if gone != NOTHING:
        stack.present[gone] += 1
    elif code != NOTHING:
        stack.present[code] -= 1


@kernel
def bound_move(
    pieces: Pieces, stack: Stack, table: Table, ply: int, move: int,
    code: int, first: int, gone_first: int, second: int, gone_second: int,
) -> int:  # fmt: skip
    """Bound Rs of what a move leaves, which is counted in `present`; list the move if open."""
    plus = first if gone_first == NOTHING else NOTHING  # what came to the sum …
    other_plus = second if gone_second == NOTHING else NOTHING
    needed = stack.threshold[ply] - pieces.move_gain[move]
    size = stack.size[ply] - pieces.size[code] + pieces.size[plus] + pieces.size[other_plus]
    size -= pieces.size[gone_first] + pieces.size[gone_second]  # … and what it lost
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
    """How soon a move is looked into, the least first: found by trial.

    Leave little; play on long pieces, and on those that are hot at a tax of
    two; leave none such. Of equals the first on the list comes first, and
    that is the evenest cut, as in the proof of Theorem 20.
    """
    hot = pieces.walls[first, 1, ABOVE_LEAST] + pieces.walls[second, 1, ABOVE_LEAST]
    return int(32 * size - 2 * code - pieces.walls[code, 1, ABOVE_LEAST] + hot)


@kernel
def negated_word(
    pieces: Pieces, words: NDArray[np.uint64], one: int, two: int, three: int
) -> np.uint64:  # fmt: skip
    """The words of three pieces' negatives, added up."""
    negative = pieces.negative
    total: np.uint64 = words[negative[one]] + words[negative[two]] + words[negative[three]]
    return total


@kernel
def deepest(
    pieces: Pieces, stack: Stack, ply: int, h: int, plus: int, other_plus: int
) -> int:  # fmt: skip
    """The most that the right wall of a piece of what is left lies below its left wall."""
    below = 0
    if stack.present[plus] > 0:  # else the other remainder has cancelled it
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
def next_node(pieces: Pieces, stack: Stack, table: Table, ply: int) -> int:
    """Go down to the most promising move that is still open; else say what the node's answer is."""
    while stack.next_move[ply] < stack.n_moves[ply]:
        pick(stack, ply)
        move = stack.moves[ply, stack.next_move[ply]]
        stack.next_move[ply] += 1
        play(pieces, stack, ply, move)
        child = ply + 1
        weigh(pieces, stack, child)
        stack.low[child], stack.high[child] = -move[MOST], -move[LEAST]
        place = find_entry(table, stack.keys[child], stack.checks[child])
        if place >= 0:
            stack.low[child] = max(stack.low[child], entry_low(table, place))
            stack.high[child] = min(stack.high[child], entry_high(table, place))
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
def pick(stack: Stack, ply: int) -> None:
    """Bring the move with the least merit number to the place in hand; of equals the first."""
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
def play(pieces: Pieces, stack: Stack, ply: int, move: NDArray[np.int32]) -> None:
    """Write the negative of what a move leaves into the next row.

    Negation keeps the order of codes, since a row never holds a piece and its negative.
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
    """Put a piece into a row in order, or remove its negative; returns the new number."""
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
def close_node(stack: Stack, table: Table, ply: int, answer: int) -> None:
    """Narrow the bounds of a node by its answer, and remember them."""
    threshold = stack.threshold[ply]
    if answer == YES:
        stack.low[ply] = max(stack.low[ply], threshold)
    else:
        stack.high[ply] = min(stack.high[ply], threshold - 2)
    store(table, stack.keys[ply], stack.checks[ply], stack.low[ply], stack.high[ply])


@kernel
def prove(
    board: Any, pieces: Pieces, stack: Stack, table: Table, most_entries: int, n: int
) -> int:  # fmt: skip
    """Carry a question on for up to n nodes: YES, NO, OPEN if there is more to do, or FULL.

    `look` and a threshold of the right parity that the bounds leave open come
    first. Changes stack and table; a question that is FULL goes on with a larger table.
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
