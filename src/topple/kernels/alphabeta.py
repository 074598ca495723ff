"""Alpha-beta with a transposition table and ordered moves, one iteration at a time.

An entry of the table is used only at the depth to which it was searched. So a search to
any depth has exactly the value of plain minimax, whatever the table contains and however
small it is. The search has its own stack, so that it can stop and continue at any node.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.evaluations.interface import evaluate
from topple.kernels.moves import play_move
from topple.kernels.values import decided_value, seen_from, seen_from_root
from topple.rules.interface import (
    FAILED,
    PLAYER,
    RUNNING,
    STATUS,
    copy_position,
    key,
    legal_moves,
)

NO_MOVE = -1
EMPTY, EXACT, AT_LEAST, AT_MOST = range(4)  # what an entry says about a value
COMPLETE = 4  # added if the value depends on no evaluation

HASH_MOVE, FIRST_KILLER, SECOND_KILLER = 1 << 60, 1 << 59, 1 << 58


class SearchTable(NamedTuple):
    """The transposition table: pairs of entries, the first of which prefers depth."""

    keys: NDArray[np.uint64]  # shape (a power of 2,)
    values: NDArray[np.float64]
    moves: NDArray[np.int32]
    depths: NDArray[np.int16]
    kinds: NDArray[np.int8]


class AlphaBetaStack(NamedTuple):
    """The path from the root to the current node, with a row or a number for each ply."""

    states: NDArray[np.int32]  # shape (plies, state)
    moves: NDArray[np.int32]  # shape (plies, moves)
    merits: NDArray[np.int64]  # shape (plies, moves): moves with a higher merit come first
    keys: NDArray[np.uint64]
    n_moves: NDArray[np.int64]
    next_move: NDArray[np.int64]  # index of the current move
    alpha: NDArray[np.float64]  # the window now
    beta: NDArray[np.float64]
    floor: NDArray[np.float64]  # the window when the node was opened
    ceiling: NDArray[np.float64]
    best: NDArray[np.float64]
    best_move: NDArray[np.int64]
    complete: NDArray[np.int8]  # whether `best` depends on no evaluation
    killers: NDArray[np.int32]  # shape (plies, 2)
    variation: NDArray[np.int32]  # shape (plies, plies): the best moves from each ply on
    history: NDArray[np.int64]  # shape (players · moves,)
    root_values: NDArray[np.float64]  # shape (moves,): of the root's moves, in search order
    root_nodes: NDArray[np.int64]  # the number of nodes visited when each was done
    root_exact: NDArray[np.int8]  # whether the value is more than an upper bound
    counts: NDArray[np.int64]  # shape (3,), below


PLY, NODES, ROOT_DONE = range(3)


@kernel
def alphabeta(
    board: Any,
    stack: AlphaBetaStack,
    table: SearchTable,
    knowledge: Any,
    player: int,
    n_state: int,
    depth: int,
    n: int,
) -> int:
    """Visit at most n more nodes; returns 1 when the iteration is done, 0 before, or FAILED.

    Values are for `player`, who is to move at the root. Before an iteration the caller
    sets PLY and ROOT_DONE to 0 and puts the root's position and the full window into the
    first row of the stack. Changes `stack`, `table` and the scratch space in `knowledge`.
    """
    counts = stack.counts
    while n > 0:
        n -= 1
        counts[NODES] += 1
        ply = counts[PLY]
        if stack.states[ply, STATUS] == FAILED:
            return FAILED
        if not evaluate_leaf(board, stack, table, knowledge, player, n_state, depth):
            open_node(board, stack, player)
            play_next(board, stack, n_state, ply)
        elif back_up(board, stack, table, player, n_state, depth):
            return 1
    return 0


@kernel
def evaluate_leaf(
    board: Any,
    stack: AlphaBetaStack,
    table: SearchTable,
    knowledge: Any,
    player: int,
    n_state: int,
    depth: int,
) -> bool:
    """Write the value of a node that needs no search; returns whether there is such a value."""
    ply = stack.counts[PLY]
    state = stack.states[ply]
    stack.variation[ply, ply] = NO_MOVE
    stack.complete[ply] = 1
    stack.best_move[ply] = NO_MOVE
    if state[STATUS] != RUNNING:
        stack.best[ply] = decided_value(state, player, ply)
        return True
    if ply == depth:
        stack.complete[ply] = 0
        stack.best[ply] = evaluate(board, state, player, knowledge)
        return True
    stack.keys[ply] = key(board, state, n_state)
    return look_up(stack, table, ply, depth - ply) and ply > 0


@kernel
def look_up(stack: AlphaBetaStack, table: SearchTable, ply: int, depth: int) -> bool:
    """Take a position's best move from the table, and its value if that is for this depth.

    Returns whether there was a value that decides the node within its window.
    """
    word = stack.keys[ply]
    place = first_slot(table, word)
    for slot in range(place, place + 2):
        if table.keys[slot] != word or table.kinds[slot] == EMPTY:
            continue
        stack.best_move[ply] = table.moves[slot]
        if table.depths[slot] != depth:
            continue
        kind = table.kinds[slot] % COMPLETE
        value = seen_from_root(table.values[slot], ply)
        if (
            kind == EXACT
            or (kind == AT_LEAST and value >= stack.beta[ply])
            or (kind == AT_MOST and value <= stack.alpha[ply])
        ):
            stack.best[ply] = value
            stack.complete[ply] = table.kinds[slot] >= COMPLETE
            return True
    return False


@kernel
def first_slot(table: SearchTable, word: np.uint64) -> int:
    """The index of the first of the two entries for a position."""
    place: int = np.int64(word & np.uint64(len(table.keys) - 2))  # type: ignore[assignment]
    return place


@kernel
def store(stack: AlphaBetaStack, table: SearchTable, ply: int, depth: int) -> None:
    """Store the value and the best move of a node that has been searched."""
    value = stack.best[ply]
    kind = EXACT
    if value >= stack.ceiling[ply]:
        kind = AT_LEAST
    elif value <= stack.floor[ply]:
        kind = AT_MOST
    slot = slot_to_write(table, stack.keys[ply], depth)
    table.keys[slot] = stack.keys[ply]
    table.values[slot] = seen_from(value, ply)
    table.moves[slot] = stack.best_move[ply]
    table.depths[slot] = depth
    table.kinds[slot] = kind + COMPLETE * stack.complete[ply]


@kernel
def slot_to_write(table: SearchTable, word: np.uint64, depth: int) -> int:
    """The entry to overwrite: the first of the two, unless it holds a deeper search."""
    slot = first_slot(table, word)
    deeper = table.kinds[slot] != EMPTY and table.depths[slot] > depth
    return slot + 1 if deeper and table.keys[slot] != word else slot


@kernel
def copy_entries(board: Any, table: SearchTable, larger: SearchTable) -> int:
    """Copy all entries of a table into a larger one; returns their number."""
    n_entries = 0
    for old in range(len(table.keys)):
        if table.kinds[old] != EMPTY:
            slot = slot_to_write(larger, table.keys[old], table.depths[old])
            larger.keys[slot] = table.keys[old]
            larger.values[slot] = table.values[old]
            larger.moves[slot] = table.moves[old]
            larger.depths[slot] = table.depths[old]
            larger.kinds[slot] = table.kinds[old]
            n_entries += 1
    return n_entries


@kernel
def open_node(board: Any, stack: AlphaBetaStack, player: int) -> None:
    """List a node's moves, rate their merit for the order, and pick the first one."""
    ply = stack.counts[PLY]
    state, moves, merits = stack.states[ply], stack.moves[ply], stack.merits[ply]
    n_moves = legal_moves(board, state, moves)
    mover, width = state[PLAYER], len(moves)
    for i in range(n_moves):
        move = moves[i]
        merits[i] = stack.history[mover * width + move]
        if move == stack.best_move[ply]:
            merits[i] = HASH_MOVE
        elif move == stack.killers[ply, 0]:
            merits[i] = FIRST_KILLER
        elif move == stack.killers[ply, 1]:
            merits[i] = SECOND_KILLER
    stack.n_moves[ply] = n_moves
    stack.next_move[ply] = 0
    stack.floor[ply] = stack.alpha[ply]
    stack.ceiling[ply] = stack.beta[ply]
    stack.best[ply] = -np.inf if mover == player else np.inf
    pick(stack, ply)


@kernel
def pick(stack: AlphaBetaStack, ply: int) -> None:
    """Move the best remaining move to the current place; the others keep their order."""
    moves, merits = stack.moves[ply], stack.merits[ply]
    here = stack.next_move[ply]
    best = here
    for i in range(here + 1, stack.n_moves[ply]):
        if merits[i] > merits[best]:
            best = i
    move, merit = moves[best], merits[best]
    for i in range(best, here, -1):
        moves[i] = moves[i - 1]
        merits[i] = merits[i - 1]
    moves[here] = move
    merits[here] = merit


@kernel
def play_next(board: Any, stack: AlphaBetaStack, n_state: int, ply: int) -> None:
    """Go down one ply with the current move."""
    copy_position(stack.states[ply], stack.states[ply + 1], n_state)
    play_move(board, stack.states[ply + 1], stack.moves[ply, stack.next_move[ply]])
    stack.alpha[ply + 1] = stack.alpha[ply]
    stack.beta[ply + 1] = stack.beta[ply]
    stack.counts[PLY] = ply + 1


@kernel
def back_up(
    board: Any, stack: AlphaBetaStack, table: SearchTable, player: int, n_state: int, depth: int
) -> bool:
    """Pass values up until a node has a move to search; returns whether the root is done."""
    counts = stack.counts
    while counts[PLY] > 0:
        counts[PLY] -= 1
        ply = counts[PLY]
        take_value(stack, ply, player)
        stack.next_move[ply] += 1
        if stack.alpha[ply] >= stack.beta[ply]:
            record_cutoff(stack, ply, depth - ply)
        elif stack.next_move[ply] < stack.n_moves[ply]:
            pick(stack, ply)
            play_next(board, stack, n_state, ply)
            return False
        store(stack, table, ply, depth - ply)
    return True


@kernel
def take_value(stack: AlphaBetaStack, ply: int, player: int) -> None:
    """Update a node with the value of its child, if that is better for the player to move."""
    value, move = stack.best[ply + 1], stack.moves[ply, stack.next_move[ply]]
    stack.complete[ply] &= stack.complete[ply + 1]
    if ply == 0:
        done = stack.counts[ROOT_DONE]
        stack.root_values[done] = value
        stack.root_nodes[done] = stack.counts[NODES]
        stack.root_exact[done] = value > stack.alpha[0]
        stack.counts[ROOT_DONE] += 1
    if stack.states[ply, PLAYER] == player:
        if value <= stack.best[ply]:
            return
        stack.alpha[ply] = max(stack.alpha[ply], value)
    else:
        if value >= stack.best[ply]:
            return
        stack.beta[ply] = min(stack.beta[ply], value)
    stack.best[ply] = value
    stack.best_move[ply] = move
    stack.variation[ply, ply] = move
    for i in range(ply + 1, stack.variation.shape[1]):
        stack.variation[ply, i] = stack.variation[ply + 1, i]
        if stack.variation[ply + 1, i] == NO_MOVE:
            break


@kernel
def record_cutoff(stack: AlphaBetaStack, ply: int, depth: int) -> None:
    """Record a move that cut off its node, as a killer and in the history: it may cut again."""
    move = np.int32(stack.best_move[ply])
    mover = stack.states[ply, PLAYER]
    stack.history[mover * stack.moves.shape[1] + move] += depth * depth
    if stack.killers[ply, 0] != move:
        stack.killers[ply, 1] = stack.killers[ply, 0]
        stack.killers[ply, 0] = move
