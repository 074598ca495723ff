"""Proof search: alpha-beta to the end of every line, with a null window.

A question asks whether the player to move gets at least `target`, a draw (0) or a win (1).
So a node is done at the first move that answers YES. Proven bounds go into a table and never
become wrong: an entry is written when its node is done, so that it rests only on ends of the
game and on earlier entries. The search has its own stack, so that it can stop and continue
at any node.

A node examines all its children before it searches one. Children at which the game is over,
or whose answer is in the table, need no search.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.kernels.moves import play_move
from topple.kernels.proof.table import (
    DRAW,
    LOSS,
    NO,
    NO_MOVE,
    OPEN,
    WIN,
    YES,
    ProofTable,
    answer_for_parent,
    answer_of,
    check_in,
    find,
    identify,
    least_of,
    most_of,
    move_of,
    packed,
    played_move,
    store,
)
from topple.rules.interface import (
    DRAWN,
    FAILED,
    PLAYER,
    RUNNING,
    STATUS,
    WON,
    copy_position,
    legal_moves,
)

GOING_ON, DONE, FULL, TOO_DEEP = range(4)  # results of `prove`, besides FAILED

HASH_MOVE, FIRST_KILLER, SECOND_KILLER = 1 << 62, 1 << 61, 1 << 60
FEW_REPLIES = 1 << 40  # one reply fewer counts more than any history
SETTLED = -1


class ProofStack(NamedTuple):
    """The path from the root to the current node, with a row or a number for each ply."""

    states: NDArray[np.int32]  # shape (plies, state); the last row is scratch space
    moves: NDArray[np.int32]  # shape (plies, moves): first those that must be searched
    merits: NDArray[np.int64]  # shape (plies, moves): a higher merit comes first; or SETTLED
    child_keys: NDArray[np.uint64]  # shape (plies, moves)
    child_checks: NDArray[np.uint32]
    child_views: NDArray[np.int32]
    is_same: NDArray[np.int8]  # whether the same player moves again
    n_moves: NDArray[np.int64]  # the number of moves of a node
    n_seen: NDArray[np.int64]  # how many of them have been examined
    n_kept: NDArray[np.int64]  # how many of these must be searched
    in_hand: NDArray[np.int64]  # the index of the move that is being searched
    keys: NDArray[np.uint64]
    checks: NDArray[np.uint32]
    views: NDArray[np.int64]  # the symmetry under which a node is in the table
    targets: NDArray[np.int64]  # the least result that the question asks for
    answers: NDArray[np.int64]
    best_move: NDArray[np.int64]
    hash_move: NDArray[np.int64]  # the best move when the node was last searched
    killers: NDArray[np.int32]  # shape (plies, 2)
    history: NDArray[np.int64]  # shape (2 · moves,)
    name: NDArray[np.uint64]  # shape (3,): the key, check and view of a position
    counts: NDArray[np.int64]  # shape (3,), below


PLY, NODES, IS_NEW = range(3)


@kernel
def prove(
    board: Any,
    stack: ProofStack,
    table: ProofTable,
    symmetries: Any,
    most: int,
    n_state: int,
    n: int,
) -> int:
    """Examine n more positions; returns GOING_ON, DONE, FULL, TOO_DEEP or FAILED.

    A question begins with PLY at 0, IS_NEW at 1, and the position and its target in the
    first row. When it is DONE, the answer is in `answers[0]`. FULL means that the table
    has `most` entries, TOO_DEEP that the stack has too few rows. Changes `stack` and
    `table`.
    """
    counts = stack.counts
    last = counts[NODES] + n
    while counts[NODES] < last:
        ply = counts[PLY]
        if table.used[0] >= most:
            return FULL
        if ply + 2 >= len(stack.states):
            return TOO_DEEP
        if counts[IS_NEW] == 1:
            open_node(board, stack, table, symmetries, n_state)
        elif stack.answers[ply] == OPEN and stack.n_seen[ply] < stack.n_moves[ply]:
            if not examine_child(board, stack, table, symmetries, n_state):
                return FAILED
        elif stack.answers[ply] == OPEN and find_open_child(stack, table, ply):
            descend(board, stack, n_state, ply)
        else:
            remember(stack, table, symmetries, ply)
            if ply == 0:
                return DONE
            back_up(stack, ply)
    return GOING_ON


@kernel
def open_node(
    board: Any, stack: ProofStack, table: ProofTable, symmetries: Any, n_state: int
) -> None:
    """List a node's moves; the root of a question may have its answer in the table."""
    ply = stack.counts[PLY]
    state = stack.states[ply]
    stack.answers[ply] = OPEN
    stack.best_move[ply] = NO_MOVE
    stack.n_seen[ply] = stack.n_kept[ply] = 0
    stack.n_moves[ply] = legal_moves(board, state, stack.moves[ply])
    stack.counts[IS_NEW] = 0
    if ply == 0:
        identify(state, symmetries, n_state, stack.name)
        stack.keys[0] = stack.name[0]
        stack.checks[0] = np.uint32(stack.name[1])
        stack.views[0] = np.int64(stack.name[2])
    facts = table.facts[find(table, stack.keys[ply], stack.checks[ply])]
    if ply == 0:
        stack.answers[0] = answer_of(facts, stack.targets[0])
    stack.hash_move[ply] = played_move(symmetries, move_of(facts), stack.views[ply])


@kernel
def examine_child(
    board: Any, stack: ProofStack, table: ProofTable, symmetries: Any, n_state: int
) -> bool:
    """Play a node's next move and look the child up; returns False if the move FAILED."""
    ply = stack.counts[PLY]
    state, child = stack.states[ply], stack.states[ply + 1]
    move, kept, mover = stack.moves[ply, stack.n_seen[ply]], stack.n_kept[ply], state[PLAYER]
    copy_position(state, child, n_state)
    play_move(board, child, move)
    stack.counts[NODES] += 1
    stack.n_seen[ply] += 1
    if child[STATUS] == FAILED:
        return False
    if child[STATUS] != RUNNING:
        answer = YES if value_at_end(child[STATUS], mover) >= stack.targets[ply] else NO
    else:
        identify(child, symmetries, n_state, stack.name)
        slot = find(table, stack.name[0], check_in(stack.name))
        same = child[PLAYER] == mover
        answer = answer_for_parent(table.facts[slot], stack.targets[ply], same)
        stack.child_keys[ply, kept] = stack.name[0]
        stack.child_checks[ply, kept] = np.uint32(stack.name[1])
        stack.child_views[ply, kept] = np.int32(stack.name[2])
        stack.is_same[ply, kept] = same
    if answer == YES:
        stack.answers[ply] = YES
        stack.best_move[ply] = move
    elif answer == OPEN:
        stack.moves[ply, kept] = move
        n_replies = legal_moves(board, child, stack.moves[ply + 1])
        stack.merits[ply, kept] = merit_of(stack, ply, mover, move, n_replies)
        stack.n_kept[ply] += 1
    return True


@kernel
def value_at_end(status: int, player: int) -> int:
    """The result of a game that is over for a player."""
    if status == DRAWN:
        return DRAW
    return WIN if status == WON + player else LOSS


@kernel
def merit_of(stack: ProofStack, ply: int, mover: int, move: int, n_replies: int) -> int:
    """The merit of a move for the order: the fewer replies it leaves, the sooner the answer."""
    if move == stack.hash_move[ply]:
        return HASH_MOVE
    if move == stack.killers[ply, 0]:
        return FIRST_KILLER
    if move == stack.killers[ply, 1]:
        return SECOND_KILLER
    said_yes = min(stack.history[mover * stack.moves.shape[1] + move], FEW_REPLIES - 1)
    return int(FEW_REPLIES * np.int64(stack.moves.shape[1] - n_replies) + said_yes)


@kernel
def find_open_child(stack: ProofStack, table: ProofTable, ply: int) -> bool:
    """Select the best move that must be searched; returns False if the node has its answer."""
    merits, target = stack.merits[ply], stack.targets[ply]
    while stack.answers[ply] == OPEN:
        best = 0
        for i in range(1, stack.n_kept[ply]):
            if merits[i] > merits[best]:
                best = i
        if stack.n_kept[ply] == 0 or merits[best] == SETTLED:
            stack.answers[ply] = NO
            return False
        # It may have been proven elsewhere since it was examined.
        slot = find(table, stack.child_keys[ply, best], stack.child_checks[ply, best])
        answer = answer_for_parent(table.facts[slot], target, stack.is_same[ply, best] == 1)
        stack.in_hand[ply] = best
        if answer == OPEN:
            return True
        take_answer(stack, ply, answer)
    return False


@kernel
def take_answer(stack: ProofStack, ply: int, answer: int) -> None:
    """Update a node with the answer for the current move."""
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
def descend(board: Any, stack: ProofStack, n_state: int, ply: int) -> None:
    """Go down to the child after the current move, and ask it."""
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
def back_up(stack: ProofStack, ply: int) -> None:
    """Go up to the parent with a node's answer."""
    said_yes = stack.answers[ply] == YES
    agrees = stack.is_same[ply - 1, stack.in_hand[ply - 1]] == 1
    take_answer(stack, ply - 1, YES if said_yes == agrees else NO)
    stack.counts[PLY] = ply - 1


@kernel
def remember(stack: ProofStack, table: ProofTable, symmetries: Any, ply: int) -> None:
    """Store the bounds that the answer of a node proves."""
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
