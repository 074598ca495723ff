"""Is Ls at least so much? Null-window search on sums of parts, with its own stack.

Each ply of the stack asks one question about one sum, seen by the player to move: ASK,
whether Ls is at least a target, or SOLVE, what Ls is. Each question leads to others
about fewer vertices, so the stack is never deeper than there are vertices.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling import apart, kernel
from topple.solvers.influence_kinds import Room
from topple.solvers.influence_memory import (
    LEFT_LEAST,
    LEFT_MOST,
    RIGHT_LEAST,
    RIGHT_MOST,
    Memory,
    least_left,
    most_left,
    note_bound,
)
from topple.solvers.influence_parts import add_part, list_options
from topple.solvers.influence_reach import Field
from topple.solvers.influence_sums import (
    add_sum,
    bounds_from_parts,
    drop_numbers,
    is_exact,
    known_bounds,
    place_of_sum,
    sign_of,
    sign_of_sum,
    weight_of,
)

ASK, SOLVE = 0, 1  # what a ply wants
NO, YES, OPEN, SHORT = range(4)  # what a visit finds; SHORT of memory, it changes nothing
UNFINISHED, FINISHED, OUT_OF_ROOM = range(3)  # what a search returns


class Stack(NamedTuple):
    """The questions that wait for each other; a row or number per ply."""

    parts: NDArray[np.int32]  # shape (plies, n): the sum, as signed kinds
    n_parts: NDArray[np.int64]
    wants: NDArray[np.int64]  # ASK or SOLVE
    target: NDArray[np.int64]
    stored: NDArray[np.int64]  # the kind, or minus the number of the sum, that this is about
    is_moving: NDArray[np.int64]  # whether the question above is about a move
    move_parts: NDArray[np.int32]  # shape (plies, n): in which part each move is,
    move_options: NDArray[np.int64]  # shape (plies, n): where it is listed,
    merits: NDArray[np.int64]  # shape (plies, n): and how good it looks
    n_moves: NDArray[np.int64]
    next_move: NDArray[np.int64]
    counts: NDArray[np.int64]  # shape (3,), below


PLY, NODES, ANSWER = range(3)


def make_stack(n: int) -> Stack:
    """A stack for a graph of n vertices."""
    plies, width = n + 4, n + 1

    def row() -> NDArray[np.int64]:
        return np.zeros(plies, dtype=np.int64)

    def rows(dtype: type) -> NDArray[Any]:
        return np.zeros((plies, width), dtype=dtype)

    return Stack(rows(np.int32), row(), row(), row(), row(), row(), rows(np.int32),
                 rows(np.int64), rows(np.int64), row(), row(),
                 np.zeros(3, dtype=np.int64))  # fmt: skip


@kernel
def search(board: Any, field: Field, memory: Memory, stack: Stack, room: Room, n: int) -> int:
    """Visit at most n more nodes; the answer to ply 0 is in ANSWER when it is FINISHED."""
    while n > 0:
        found = visit(field, memory, stack, room)
        if found == SHORT:
            return OUT_OF_ROOM
        n -= 1
        stack.counts[NODES] += 1
        if found != OPEN and climb(memory, stack, found):
            return FINISHED
    return UNFINISHED


@kernel
def visit(field: Field, memory: Memory, stack: Stack, room: Room) -> int:
    """Answer the question in hand, or put one above it that must be answered first."""
    ply = stack.counts[PLY]
    parts = stack.parts[ply]
    n, worth = drop_numbers(memory, parts, stack.n_parts[ply])
    stack.n_parts[ply] = n
    stack.target[ply] -= worth
    if n == 0:
        return YES if stack.target[ply] <= 0 else NO
    least, most = bounds_from_parts(memory, parts, n)
    if stack.wants[ply] == ASK:
        # Lemma 5: Ls is as odd as the number of vertices.
        stack.target[ply] += (stack.target[ply] + weight_of(memory, parts, n)) & 1
        if stack.target[ply] <= least:
            return YES
        if stack.target[ply] > most:
            return NO
    elif least == most:
        return YES
    if n > 1:
        if solve_a_part(memory, stack, ply):
            return OPEN
        place = place_of_sum(memory, parts, n)
        number = memory.sum_index[place]
        if number == 0:
            number = add_sum(memory, parts, n, place)
            if number == 0:
                return SHORT
        stack.stored[ply] = -number
        least, most = known_bounds(memory, parts, n)
    else:
        stack.stored[ply] = abs(parts[0])
    if least == most or (stack.wants[ply] == ASK and stack.target[ply] <= least):
        return YES if stack.target[ply] <= least else NO
    if stack.wants[ply] == ASK and stack.target[ply] > most:
        return NO
    for i in range(n):
        if not list_options(field, memory, room, abs(parts[i]), int(parts[i] < 0)):
            return SHORT
    if stack.wants[ply] == SOLVE:
        narrow(memory, stack, ply, least, most)
    else:
        list_moves(memory, stack, ply)
        play_next(memory, stack, ply)
    return OPEN


@kernel
def solve_a_part(memory: Memory, stack: Stack, ply: int) -> bool:
    """Put a question about a part of a sum above it, unless all are solved.

    Ls and Rs of the parts say most about the sum, and other sums profit from them.
    """
    for i in range(stack.n_parts[ply]):
        kind = stack.parts[ply, i]
        if not is_exact(memory, abs(kind)):
            bounds = memory.kind_bounds[abs(kind)]
            is_left_known = least_left(bounds, sign_of(kind)) == most_left(bounds, sign_of(kind))
            stack.is_moving[ply] = 0
            stack.parts[ply + 1, 0] = -kind if is_left_known else kind
            stack.n_parts[ply + 1] = 1
            stack.wants[ply + 1] = SOLVE
            stack.counts[PLY] += 1
            return True
    return False


@kernel
def narrow(memory: Memory, stack: Stack, ply: int, least: int, most: int) -> None:
    """Ask above a question what Ls is whether it is at least something between its bounds."""
    n = stack.n_parts[ply]
    weight = weight_of(memory, stack.parts[ply], n)
    target = least + 2 + (most - least - 2) // 4 * 2
    if n == 1:
        # Guess first; then go on from what is proven, which is near.
        if least > -weight and most == weight:
            target = least + 2
        elif least == -weight and most < weight:
            target = most
        elif most == weight:
            target = max(least + 2, min(most, guess(memory, stack.parts[ply, 0])))
    stack.is_moving[ply] = 0
    for i in range(n):
        stack.parts[ply + 1, i] = stack.parts[ply, i]
    stack.n_parts[ply + 1] = n
    stack.wants[ply + 1] = ASK
    stack.target[ply + 1] = target
    stack.counts[PLY] += 1


@kernel
def guess(memory: Memory, kind: int) -> int:
    """What Ls of a part could be: the best of its moves, as far as what they leave is known."""
    at = memory.options_at[abs(kind), int(kind < 0)]
    best = -(1 << 60)
    n_options = memory.options[at]
    at += 1
    for _ in range(n_options):
        best = max(best, merit_of(memory, at, sign_of(kind)))
        at += 2 + memory.options[at + 1]
    return best // 4


@kernel
def middle(memory: Memory, kind: int) -> int:
    """Four times what a signed kind is about worth, if anybody begins."""
    bounds = memory.kind_bounds[abs(kind)]
    total = (
        bounds[LEFT_LEAST] + bounds[LEFT_MOST] + bounds[RIGHT_LEAST] + bounds[RIGHT_MOST]
    )
    return sign_of(kind) * total


@kernel
def merit_of(memory: Memory, at: int, sign: int) -> int:
    """Four times what a move gains and what it leaves is about worth."""
    merit = 4 * memory.options[at]
    for i in range(memory.options[at + 1]):
        merit += sign * middle(memory, memory.options[at + 2 + i])
    return merit


@kernel
def list_moves(memory: Memory, stack: Stack, ply: int) -> None:
    """List the moves in all parts of a sum, in equal ones once."""
    parts, n = stack.parts[ply], 0
    for i in range(stack.n_parts[ply]):
        kind = parts[i]
        if i > 0 and kind == parts[i - 1]:
            continue
        at = memory.options_at[abs(kind), int(kind < 0)]
        n_options = memory.options[at]
        at += 1
        for _ in range(n_options):
            stack.move_parts[ply, n] = i
            stack.move_options[ply, n] = at
            stack.merits[ply, n] = merit_of(memory, at, sign_of(kind)) - middle(memory, kind)
            at += 2 + memory.options[at + 1]
            n += 1
    stack.n_moves[ply] = n
    stack.next_move[ply] = 0
    stack.is_moving[ply] = 1


@apart
def play_next(memory: Memory, stack: Stack, ply: int) -> None:
    """Ask about the best-looking of the moves that are left: does it fail?"""
    here = stack.next_move[ply]
    best = here
    for i in range(here + 1, stack.n_moves[ply]):
        if stack.merits[ply, i] > stack.merits[ply, best]:
            best = i
    part, option = stack.move_parts[ply, best], stack.move_options[ply, best]
    stack.move_parts[ply, best] = stack.move_parts[ply, here]
    stack.move_options[ply, best] = stack.move_options[ply, here]
    stack.merits[ply, best] = stack.merits[ply, here]
    rest, n = stack.parts[ply + 1], 0
    for i in range(stack.n_parts[ply]):
        if i != part:
            rest[n] = negative_of(memory, stack.parts[ply, i])
            n += 1
    sign = sign_of(stack.parts[ply, part])
    for i in range(memory.options[option + 1]):
        left = memory.options[option + 2 + i]
        n = add_part(memory, rest, n, left if sign < 0 else negative_of(memory, left))
    stack.n_parts[ply + 1] = n
    stack.wants[ply + 1] = ASK
    # Ls >= target by a move that gains g, unless the other then has Ls >= g − target + 1.
    stack.target[ply + 1] = memory.options[option] - stack.target[ply] + 1
    stack.counts[PLY] = ply + 1


@kernel
def negative_of(memory: Memory, kind: int) -> int:
    """The negative of a signed kind."""
    return kind if memory.own_negative[abs(kind)] else -kind


@kernel
def climb(memory: Memory, stack: Stack, answer: int) -> bool:
    """Hand an answer down until a question needs another; tells whether ply 0 is answered."""
    counts = stack.counts
    while counts[PLY] > 0:
        counts[PLY] -= 1
        ply = counts[PLY]
        if not stack.is_moving[ply]:
            return False  # it looks again at what is known
        stack.next_move[ply] += 1
        if answer == YES and stack.next_move[ply] < stack.n_moves[ply]:
            play_next(memory, stack, ply)
            return False
        answer = YES if answer == NO else NO
        remember(memory, stack, ply, answer)
    counts[ANSWER] = answer
    return True


@kernel
def remember(memory: Memory, stack: Stack, ply: int, answer: int) -> None:
    """Store what an answer proves."""
    parts, n, target = stack.parts[ply], stack.n_parts[ply], stack.target[ply]
    weight = weight_of(memory, parts, n)
    least = target if answer == YES else -weight
    most = weight if answer == YES else target - 2
    if stack.stored[ply] > 0:
        kind = stack.stored[ply]
        is_own = memory.own_negative[kind] != 0
        note_bound(memory.kind_bounds[kind], sign_of(parts[0]), is_own, least, most)
    else:
        sign = sign_of_sum(memory, parts, n)
        bounds = memory.sum_bounds[-stack.stored[ply]]
        note_bound(bounds, 1 if sign == 0 else sign, sign == 0, least, most)
