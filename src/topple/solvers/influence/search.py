"""Is Ls at least t? Null-window search on sums of parts, with an explicit stack.

Each ply of the stack is a question about a sum, seen by the player to move: ASK whether Ls
is at least a target, or SOLVE for Ls. Each question leads to questions about fewer vertices,
so the stack is never deeper than the number of vertices.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel, noinline
from topple.solvers.influence.kinds import PartScratch
from topple.solvers.influence.memory import (
    LEFT_LEAST,
    LEFT_MOST,
    RIGHT_LEAST,
    RIGHT_MOST,
    WEIGHT,
    SumMemory,
    least_left,
    most_left,
    negative_of,
)
from topple.solvers.influence.parts import add_part, list_options
from topple.solvers.influence.reach import ReachGraph
from topple.solvers.influence.sums import (
    bounds_from_parts,
    drop_numbers,
    find_stored,
    is_exact,
    join_stored,
    note_stored,
    sign_of,
    weight_of,
)

# Parts of a sum with up to so many vertices are solved before the sum, since their Ls and Rs
# narrow its bounds and those of other sums. For larger parts this takes more time than it saves
# (measured).
SMALL = 20

ASK, SOLVE = 0, 1  # the kinds of questions
NO, YES, OPEN, SHORT = range(4)  # what a visit finds; SHORT: no memory, and nothing is changed
UNFINISHED, FINISHED, OUT_OF_SPACE = range(3)  # what `search` returns


class QuestionStack(NamedTuple):
    """Questions, each of which waits for the answer of the next; a row per ply."""

    parts: NDArray[np.int32]  # shape (plies, n): the sum, as signed kinds
    plies: NDArray[np.int64]  # shape (plies, 7), columns below
    moves: NDArray[np.int64]  # shape (plies, n, 3), columns below
    counts: NDArray[np.int64]  # shape (3,), below


N_PARTS, WANTS, TARGET = range(3)  # the length of the sum, and the question
STORED = 3  # the kind if the sum has one part, otherwise minus the number of the sum
IS_MOVING = 4  # whether the next question is about a move
N_MOVES, NEXT_MOVE = 5, 6
OPTION, IN_PART, MERIT = range(3)  # of a move: index in `options`, index of its part, merit
PLY, NODES, ANSWER = range(3)


def make_stack(n: int) -> QuestionStack:
    """A stack for a graph of n vertices."""
    n_plies, width = n + 4, n + 1
    return QuestionStack(
        np.zeros((n_plies, width), dtype=np.int32),
        np.zeros((n_plies, 7), dtype=np.int64),
        np.zeros((n_plies, width, 3), dtype=np.int64),
        np.zeros(3, dtype=np.int64),
    )


@kernel
def search(
    board: Any,
    graph: ReachGraph,
    memory: SumMemory,
    stack: QuestionStack,
    scratch: PartScratch,
    n: int,
) -> int:
    """Visit at most n more nodes; once FINISHED, the answer of ply 0 is in ANSWER.

    The stack, the memory and the scratch space change in place.
    """
    while n > 0:
        found = visit(graph, memory, stack, scratch)
        if found == SHORT:
            return OUT_OF_SPACE
        n -= 1
        stack.counts[NODES] += 1
        if found != OPEN and climb(memory, stack, found):
            return FINISHED
    return UNFINISHED


@kernel
def visit(graph: ReachGraph, memory: SumMemory, stack: QuestionStack, scratch: PartScratch) -> int:
    """Answer the current question, or push one that must be answered first."""
    ply = stack.counts[PLY]
    parts, question = stack.parts[ply], stack.plies[ply]
    n, worth = drop_numbers(memory, parts, question[N_PARTS])
    question[N_PARTS] = n
    question[TARGET] -= worth
    if question[WANTS] == ASK:  # Lemma 5: Ls has the parity of the number of vertices
        question[TARGET] += (question[TARGET] + weight_of(memory, parts, n)) & 1
    least, most = bounds_from_parts(memory, parts, n)
    found = settled(question, least, most)
    if found != OPEN:
        return found
    if n > 1 and solve_a_part(memory, stack, ply):
        return OPEN
    question[STORED] = find_stored(memory, parts, n)
    if question[STORED] == 0:
        return SHORT
    least, most = join_stored(memory, parts, n, question[STORED], least, most)
    found = settled(question, least, most)
    if found != OPEN:
        return found
    for i in range(n):
        if not list_options(graph, memory, scratch, abs(parts[i]), int(parts[i] < 0)):
            return SHORT
    if question[WANTS] == SOLVE:
        narrow(memory, stack, ply, least, most)
    else:
        list_moves(memory, stack, ply)
        play_next(memory, stack, ply)
    return OPEN


@kernel
def settled(question: NDArray[np.int64], least: int, most: int) -> int:
    """The answer to a question if bounds of Ls determine it, otherwise OPEN."""
    if question[WANTS] == SOLVE:
        return YES if least >= most else OPEN
    if question[TARGET] <= least:
        return YES
    return NO if question[TARGET] > most else OPEN


@kernel
def solve_a_part(memory: SumMemory, stack: QuestionStack, ply: int) -> bool:
    """Push a question about a small part of a sum; False if all small parts are solved."""
    for i in range(stack.plies[ply, N_PARTS]):
        kind = stack.parts[ply, i]
        if not is_exact(memory, abs(kind)) and memory.kinds[abs(kind), WEIGHT] <= SMALL:
            bounds = memory.kinds[abs(kind)]
            is_left_known = least_left(bounds, sign_of(kind)) >= most_left(bounds, sign_of(kind))
            stack.plies[ply, IS_MOVING] = 0
            stack.parts[ply + 1, 0] = negative_of(memory, kind) if is_left_known else kind
            stack.plies[ply + 1, N_PARTS] = 1
            stack.plies[ply + 1, WANTS] = SOLVE
            stack.counts[PLY] += 1
            return True
    return False


@kernel
def narrow(memory: SumMemory, stack: QuestionStack, ply: int, least: int, most: int) -> None:
    """Push a question whether Ls is at least a target between its bounds."""
    n = stack.plies[ply, N_PARTS]
    weight = weight_of(memory, stack.parts[ply], n)
    target = least + 2 + (most - least - 2) // 4 * 2
    if n == 1:
        # Begin with a guess, then continue next to the bound that it proves.
        if least > -weight and most == weight:
            target = least + 2
        elif least == -weight and most < weight:
            target = most
        elif most == weight:
            target = max(least + 2, min(most, guess(memory, stack.parts[ply, 0])))
    stack.plies[ply, IS_MOVING] = 0
    for i in range(n):
        stack.parts[ply + 1, i] = stack.parts[ply, i]
    stack.plies[ply + 1, N_PARTS] = n
    stack.plies[ply + 1, WANTS] = ASK
    stack.plies[ply + 1, TARGET] = target
    stack.counts[PLY] += 1


@kernel
def guess(memory: SumMemory, kind: int) -> int:
    """An estimate of Ls of a part, from the bounds of what its moves leave."""
    at = memory.kind_at[abs(kind), int(kind < 0)]
    best = -(1 << 60)  # every part has a move
    n_options = memory.options[at]
    at += 1
    for _ in range(n_options):
        best = max(best, merit_of(memory, at, sign_of(kind)))
        at += 2 + memory.options[at + 1]
    return best // 4


@kernel
def middle(memory: SumMemory, kind: int) -> int:
    """Four times the estimated worth of a signed kind, averaged over both first movers."""
    bounds = memory.kinds[abs(kind)]
    total: int = bounds[LEFT_LEAST] + bounds[LEFT_MOST] + bounds[RIGHT_LEAST] + bounds[RIGHT_MOST]
    return sign_of(kind) * total


@kernel
def merit_of(memory: SumMemory, at: int, sign: int) -> int:
    """Four times the gain of a move plus the estimated worth of what it leaves."""
    merit: int = 4 * memory.options[at]
    for i in range(memory.options[at + 1]):
        merit += sign * middle(memory, memory.options[at + 2 + i])
    return merit


@kernel
def list_moves(memory: SumMemory, stack: QuestionStack, ply: int) -> None:
    """List the moves in all parts of a sum, once for equal parts."""
    parts, n = stack.parts[ply], 0
    for i in range(stack.plies[ply, N_PARTS]):
        kind = parts[i]
        if i > 0 and kind == parts[i - 1]:
            continue
        at = memory.kind_at[abs(kind), int(kind < 0)]
        n_options = memory.options[at]
        at += 1
        for _ in range(n_options):
            stack.moves[ply, n, IN_PART] = i
            stack.moves[ply, n, OPTION] = at
            stack.moves[ply, n, MERIT] = merit_of(memory, at, sign_of(kind)) - middle(memory, kind)
            at += 2 + memory.options[at + 1]
            n += 1
    stack.plies[ply, N_MOVES] = n
    stack.plies[ply, NEXT_MOVE] = 0
    stack.plies[ply, IS_MOVING] = 1


@noinline
def play_next(memory: SumMemory, stack: QuestionStack, ply: int) -> None:
    """Push the question whether the most promising of the remaining moves fails."""
    here = stack.plies[ply, NEXT_MOVE]
    best = here
    for i in range(here + 1, stack.plies[ply, N_MOVES]):
        if stack.moves[ply, i, MERIT] > stack.moves[ply, best, MERIT]:
            best = i
    part, option = stack.moves[ply, best, IN_PART], stack.moves[ply, best, OPTION]
    stack.moves[ply, best, IN_PART] = stack.moves[ply, here, IN_PART]
    stack.moves[ply, best, OPTION] = stack.moves[ply, here, OPTION]
    stack.moves[ply, best, MERIT] = stack.moves[ply, here, MERIT]
    rest, n = stack.parts[ply + 1], 0
    for i in range(stack.plies[ply, N_PARTS]):
        if i != part:
            rest[n] = negative_of(memory, stack.parts[ply, i])
            n += 1
    sign = sign_of(stack.parts[ply, part])
    for i in range(memory.options[option + 1]):
        left = memory.options[option + 2 + i]
        n = add_part(memory, rest, n, left if sign < 0 else negative_of(memory, left))
    stack.plies[ply + 1, N_PARTS] = n
    stack.plies[ply + 1, WANTS] = ASK
    # A move that gains g proves Ls >= target unless the opponent then has Ls >= g − target + 1.
    stack.plies[ply + 1, TARGET] = memory.options[option] - stack.plies[ply, TARGET] + 1
    stack.counts[PLY] = ply + 1


@kernel
def climb(memory: SumMemory, stack: QuestionStack, answer: int) -> bool:
    """Pass an answer down until a question needs another one; True if ply 0 is answered."""
    counts = stack.counts
    while counts[PLY] > 0:
        counts[PLY] -= 1
        ply = counts[PLY]
        if not stack.plies[ply, IS_MOVING]:
            return False  # the question is visited again with the new bounds
        stack.plies[ply, NEXT_MOVE] += 1
        if answer == YES and stack.plies[ply, NEXT_MOVE] < stack.plies[ply, N_MOVES]:
            play_next(memory, stack, ply)
            return False
        answer = YES if answer == NO else NO
        remember(memory, stack, ply, answer)
    counts[ANSWER] = answer
    return True


@kernel
def remember(memory: SumMemory, stack: QuestionStack, ply: int, answer: int) -> None:
    """Store the bounds that an answer proves."""
    question, parts = stack.plies[ply], stack.parts[ply]
    weight = weight_of(memory, parts, question[N_PARTS])
    least = question[TARGET] if answer == YES else -weight
    most = weight if answer == YES else question[TARGET] - 2
    note_stored(memory, parts, question[N_PARTS], question[STORED], least, most)
