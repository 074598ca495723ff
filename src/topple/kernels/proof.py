"""Proof: is a position worth at least so much? Alpha-beta to the end of every line.

A question is whether the player to move gets at least `target`, a draw (0) or a
win (1); so a window has no width, and a node is done at the first move that
says yes. What is proven of a position goes into a table and stays true for good:
an entry is written when its node is done, so that its proof rests on nothing but
ends of the game and entries that were there before. The search keeps its own
stack, so that it can be stopped and carried on anywhere.

A node looks at all its children before it goes down to one. Those that are over
or known answer at once; only the rest is searched.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling import kernel
from topple.kernels.moving import play_move
from topple.rules.interface import (
    DRAWN,
    FAILED,
    HASH_FACTOR,
    HASH_SHIFT,
    HASH_START,
    PLAYER,
    RUNNING,
    STATUS,
    WON,
    State,
    copy_position,
    legal_moves,
)

LOSS, DRAW, WIN = -1, 0, 1  # for the player to move
NOTHING = LOSS + 1 + 4 * (WIN + 2)  # what an entry holds that knows no more than the rules
BOUNDS = 16  # bounds fill the lowest numbers of an entry, the best move + 1 is above
NO_MOVE = -1

OPEN, NO, YES = range(3)  # the answer of a node
GOING_ON, DONE, FULL, TOO_DEEP = range(4)  # what `prove` returns, beside FAILED

CHECK_START = np.uint64(0xC2B2AE3D27D4EB4F)
CHECK_FACTOR = np.uint64(0x9FB21C651E98DF25)
CHECK_SHIFT = np.uint64(29)
CHECK_TOP = np.uint64(32)

HASH_MOVE, FIRST_KILLER, SECOND_KILLER = 1 << 60, 1 << 59, 1 << 58
SETTLED = -1


class Table(NamedTuple):
    """What is proven: an entry lies at its key, or at the next free place behind it.

    Two hashes tell positions apart, 96 bits in all.
    """

    keys: NDArray[np.uint64]  # shape (a power of 2,)
    checks: NDArray[np.uint32]
    facts: NDArray[np.int32]  # bounds and best move; 0 where there is no entry
    used: NDArray[np.int64]  # shape (1,): the number of entries


class ProofStack(NamedTuple):
    """The path from the root to the node in hand; a row or number per ply."""

    states: NDArray[np.int32]  # shape (plies, state); the last row is room to work in
    moves: NDArray[np.int32]  # shape (plies, moves): those that are neither over nor known
    merits: NDArray[np.int64]  # shape (plies, moves): those with more come first; or SETTLED
    child_keys: NDArray[np.uint64]  # shape (plies, moves)
    child_checks: NDArray[np.uint32]
    child_views: NDArray[np.int32]
    is_same: NDArray[np.int8]  # whether the same player moves again
    n_moves: NDArray[np.int64]
    in_hand: NDArray[np.int64]  # index of the move that is being searched
    keys: NDArray[np.uint64]
    checks: NDArray[np.uint32]
    views: NDArray[np.int64]  # the symmetry under which a node is remembered
    targets: NDArray[np.int64]  # what is asked for
    answers: NDArray[np.int64]
    best_move: NDArray[np.int64]
    killers: NDArray[np.int32]  # shape (plies, 2)
    history: NDArray[np.int64]  # shape (2 · moves,)
    name: NDArray[np.uint64]  # shape (3,): the key, check and view of a position
    counts: NDArray[np.int64]  # shape (3,), below


PLY, NODES, IS_NEW = range(3)


@kernel
def prove(
    board: Any, stack: ProofStack, table: Table, symmetries: Any, most: int, n_state: int, n: int
) -> int:
    """Look at about n more positions; returns GOING_ON or why it stopped, or FAILED.

    A question begins with PLY at 0, IS_NEW at 1, the position in the first row
    and its target; when it is DONE the answer is in `answers[0]`. FULL says that
    the table has `most` entries, TOO_DEEP that the stack has too few rows.
    """
    counts = stack.counts
    last = counts[NODES] + n
    while counts[NODES] < last:
        ply = counts[PLY]
        if table.used[0] >= most:
            return FULL
        if counts[IS_NEW] == 1:
            if ply + 2 >= len(stack.states):
                return TOO_DEEP
            if not open_node(board, stack, table, symmetries, n_state):
                return FAILED
            counts[IS_NEW] = 0
        if stack.answers[ply] == OPEN:
            find_unknown(stack, table, ply)
        if stack.answers[ply] == OPEN:
            go_down(board, stack, n_state, ply)
        else:
            remember(stack, table, symmetries, ply)
            if ply == 0:
                return DONE
            hand_up(stack, ply)
    return GOING_ON


@kernel
def open_node(board: Any, stack: ProofStack, table: Table, symmetries: Any, n_state: int) -> bool:
    """Look at a node's moves, keep those that must be searched; False if one FAILED."""
    ply = stack.counts[PLY]
    state, child = stack.states[ply], stack.states[ply + 1]
    stack.answers[ply] = OPEN
    stack.best_move[ply] = NO_MOVE
    stack.n_moves[ply] = 0
    if ply == 0:
        identify(state, symmetries, n_state, stack.name)
        stack.keys[0] = stack.name[0]
        stack.checks[0] = np.uint32(stack.name[1])
        stack.views[0] = np.int64(stack.name[2])
        stack.counts[NODES] += 1
    slot = find(table, stack.keys[ply], stack.checks[ply])
    facts = table.facts[slot]
    if ply == 0 and facts != 0:
        stack.answers[0] = answer_of(facts, stack.targets[0])
        if stack.answers[0] != OPEN:
            return True
    hash_move = seen_from(symmetries, move_of(facts), stack.views[ply])
    mover, target = state[PLAYER], stack.targets[ply]
    n_moves = legal_moves(board, state, stack.moves[ply])
    n_kept, width = 0, stack.moves.shape[1]
    for i in range(n_moves):
        move = stack.moves[ply, i]
        copy_position(state, child, n_state)
        play_move(board, child, move)
        stack.counts[NODES] += 1
        if child[STATUS] == FAILED:
            return False
        same = child[PLAYER] == mover
        if child[STATUS] != RUNNING:
            answer = YES if value_at_end(child[STATUS], mover) >= target else NO
        else:
            identify(child, symmetries, n_state, stack.name)
            stack.child_keys[ply, n_kept] = stack.name[0]
            stack.child_checks[ply, n_kept] = np.uint32(stack.name[1])
            stack.child_views[ply, n_kept] = np.int32(stack.name[2])
            stack.is_same[ply, n_kept] = same
            place = find(table, stack.name[0], np.int64(stack.name[1]))
            answer = answer_for_parent(table.facts[place], target, same)
        if answer == YES:
            stack.answers[ply] = YES
            stack.best_move[ply] = move
            return True
        if answer == OPEN:
            stack.moves[ply, n_kept] = move
            merit = stack.history[mover * width + move]
            if move == hash_move:
                merit = HASH_MOVE
            elif move == stack.killers[ply, 0]:
                merit = FIRST_KILLER
            elif move == stack.killers[ply, 1]:
                merit = SECOND_KILLER
            stack.merits[ply, n_kept] = merit
            n_kept += 1
    stack.n_moves[ply] = n_kept
    return True


@kernel
def value_at_end(status: int, player: int) -> int:
    """What a game that is over is worth to a player."""
    if status == DRAWN:
        return DRAW
    return WIN if status == WON + player else LOSS


# What an entry knows.


@kernel
def least_of(facts: int) -> int:
    """The least that a position is worth to the player to move."""
    return facts % 4 - 1


@kernel
def most_of(facts: int) -> int:
    """The most that a position is worth to the player to move."""
    return facts % BOUNDS // 4 - 2


@kernel
def move_of(facts: int) -> int:
    """The best move, as the table sees the position."""
    return facts // BOUNDS - 1


@kernel
def answer_of(facts: int, target: int) -> int:
    """What an entry says to a question."""
    if facts == 0:
        return OPEN
    if least_of(facts) >= target:
        return YES
    return NO if most_of(facts) < target else OPEN


@kernel
def answer_for_parent(facts: int, target: int, same: bool) -> int:
    """What a child's entry says to its parent's question, whoever is to move there."""
    if same:
        return answer_of(facts, target)
    answer = answer_of(facts, 1 - target)  # the other must not get more than −target
    if answer == OPEN:
        return OPEN
    return NO if answer == YES else YES


# Names of positions.


@kernel
def identify(state: State, symmetries: Any, n_state: int, name: NDArray[np.uint64]) -> None:
    """Write a position's key, its check and the symmetry under which it is remembered.

    Of all images the one whose numbers come first in the order of words.
    """
    places = symmetries.places
    view = 0
    for s in range(1, len(places)):
        for i in range(symmetries.first, n_state):
            new, old = state[places[s, i]], state[places[view, i]]
            if new != old:
                if new < old:
                    view = s
                break
    word, check = HASH_START, CHECK_START
    for i in range(n_state):
        number = np.uint64(state[places[view, i]])
        word = (word ^ number) * HASH_FACTOR
        word ^= word >> HASH_SHIFT
        check = (check ^ number) * CHECK_FACTOR
        check ^= check >> CHECK_SHIFT
    name[0] = word
    name[1] = check >> CHECK_TOP
    name[2] = np.uint64(view)


@kernel
def seen_from(symmetries: Any, move: int, view: int) -> int:
    """A move of a position's image, as it is played in the position itself."""
    if move < 0:
        return NO_MOVE
    return int(symmetries.moves[symmetries.inverse[view], move])


@kernel
def find(table: Table, key: np.uint64, check: int) -> int:
    """Where a position's entry lies, or where it belongs."""
    last = len(table.keys) - 1
    slot = np.int64(key & np.uint64(last))
    while table.facts[slot] != 0 and (table.keys[slot] != key or table.checks[slot] != check):
        slot = (slot + 1) & last
    return slot  # type: ignore[no-any-return]


@kernel
def store(table: Table, key: np.uint64, check: int, facts: int) -> None:
    """Write an entry; what it knew is replaced."""
    slot = find(table, key, check)
    table.used[0] += table.facts[slot] == 0
    table.keys[slot] = key
    table.checks[slot] = np.uint32(check)
    table.facts[slot] = facts


@kernel
def remember(stack: ProofStack, table: Table, symmetries: Any, ply: int) -> None:
    """Keep what is proven of a node that has its answer."""
    slot = find(table, stack.keys[ply], stack.checks[ply])
    facts = table.facts[slot]
    least, most, move = LOSS, WIN, NO_MOVE
    if facts != 0:
        least, most, move = least_of(facts), most_of(facts), move_of(facts)
    if stack.answers[ply] == YES:
        least = max(least, stack.targets[ply])
        if stack.best_move[ply] != NO_MOVE:
            move = symmetries.moves[stack.views[ply], stack.best_move[ply]]
    else:
        most = min(most, stack.targets[ply] - 1)
    store(table, stack.keys[ply], stack.checks[ply], packed(least, most, move))


@kernel
def packed(least: int, most: int, move: int) -> int:
    """Bounds and a move in one number."""
    return least + 1 + 4 * (most + 2) + BOUNDS * (move + 1)


# Up and down.


@kernel
def find_unknown(stack: ProofStack, table: Table, ply: int) -> None:
    """Take the best move in hand that must be searched, unless the answer is found before."""
    merits, target = stack.merits[ply], stack.targets[ply]
    while True:
        best = 0
        for i in range(1, stack.n_moves[ply]):
            if merits[i] > merits[best]:
                best = i
        if stack.n_moves[ply] == 0 or merits[best] == SETTLED:
            stack.answers[ply] = NO
            return
        slot = find(table, stack.child_keys[ply, best], stack.child_checks[ply, best])
        answer = answer_for_parent(table.facts[slot], target, stack.is_same[ply, best] == 1)
        stack.in_hand[ply] = best
        if answer == OPEN:
            return
        take_answer(stack, ply, answer)
        if answer == YES:
            return


@kernel
def take_answer(stack: ProofStack, ply: int, answer: int) -> None:
    """Let a node take the answer of the move in hand."""
    here = stack.in_hand[ply]
    move = stack.moves[ply, here]
    if answer == NO:
        stack.merits[ply, here] = SETTLED
        return
    stack.answers[ply] = YES
    stack.best_move[ply] = move
    stack.history[stack.states[ply, PLAYER] * stack.moves.shape[1] + move] += 1
    if stack.killers[ply, 0] != move:
        stack.killers[ply, 1] = stack.killers[ply, 0]
        stack.killers[ply, 0] = move


@kernel
def go_down(board: Any, stack: ProofStack, n_state: int, ply: int) -> None:
    """Ask the child of the move in hand."""
    here = stack.in_hand[ply]
    copy_position(stack.states[ply], stack.states[ply + 1], n_state)
    play_move(board, stack.states[ply + 1], stack.moves[ply, here])
    target = stack.targets[ply]
    stack.targets[ply + 1] = target if stack.is_same[ply, here] == 1 else 1 - target
    stack.keys[ply + 1] = stack.child_keys[ply, here]
    stack.checks[ply + 1] = stack.child_checks[ply, here]
    stack.views[ply + 1] = stack.child_views[ply, here]
    stack.counts[PLY] = ply + 1
    stack.counts[IS_NEW] = 1


@kernel
def hand_up(stack: ProofStack, ply: int) -> None:
    """Go back to the parent with a node's answer."""
    said_yes = stack.answers[ply] == YES
    agrees = stack.is_same[ply - 1, stack.in_hand[ply - 1]] == 1
    take_answer(stack, ply - 1, YES if said_yes == agrees else NO)
    stack.counts[PLY] = ply - 1


# From Python.


@kernel
def look_up(
    board: Any, state: State, table: Table, symmetries: Any, n_state: int, name: NDArray[np.uint64]
) -> int:
    """What the table knows of a position: the facts of its entry, or 0."""
    identify(state, symmetries, n_state, name)
    return int(table.facts[find(table, name[0], np.int64(name[1]))])


@kernel
def write_down(
    board: Any, state: State, table: Table, symmetries: Any, n_state: int,
    name: NDArray[np.uint64], facts: int,
) -> int:  # fmt: skip
    """Give a position an entry with these facts; returns the number of entries."""
    identify(state, symmetries, n_state, name)
    store(table, name[0], np.int64(name[1]), facts)
    return int(table.used[0])


@kernel
def copy_entries(
    board: Any,
    keys: NDArray[np.uint64],
    checks: NDArray[np.uint32],
    facts: NDArray[np.int32],
    table: Table,
) -> int:
    """Write entries, given in any order with gaps, into a table that has room for all."""
    for old in range(len(keys)):
        if facts[old] != 0:
            store(table, keys[old], checks[old], facts[old])
    return int(table.used[0])
