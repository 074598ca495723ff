"""A game tree that grows layer by layer, and its minimax value.

Nodes are stored in the order in which they are created: each layer after the one above,
and the children of a node side by side. All values are for MAX, the player to move at the
root. The position of an expanded node is stored in a row until the layer below it is
complete; any other position is restored from its parent's by one move.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.evaluations.interface import evaluate, ordered_moves
from topple.kernels.moves import play_move
from topple.kernels.values import decided_value
from topple.rules.interface import (
    DRAWN,
    FAILED,
    PLAYER,
    RUNNING,
    STATUS,
    WON,
    Moves,
    State,
    copy_position,
    legal_moves,
)

ROOT = 0
MIN, MAX, OVER = 0, 1, 2  # the player to move at a node
NODES, NEXT, FULL = 0, 1, 2  # indices of `progress`
LOSS, WIN = -1, 1  # proven results; a draw is 0


class FrontierTree(NamedTuple):
    """The nodes; every array has shape (nodes,)."""

    move: NDArray[np.int32]  # the move that led here
    parent: NDArray[np.int32]
    first: NDArray[np.int32]  # the first child
    n_children: NDArray[np.int32]  # 0: not expanded, or over
    place: NDArray[np.int32]  # the row of an expanded node's position
    reply: NDArray[np.int32]  # the best child, if `resolve` has visited the node
    below: NDArray[np.int32]  # the number of nodes below
    value: NDArray[np.float64]  # the evaluation, or what the ended game is worth
    turn: NDArray[np.int8]  # MIN, MAX or OVER
    lowest: NDArray[np.int8]  # the result is proven to be at least this
    highest: NDArray[np.int8]  # and at most this
    is_cut: NDArray[np.int8]  # 1: some legal moves have no node


class FrontierPath(NamedTuple):
    """A path down the tree; every array has shape (plies,)."""

    node: NDArray[np.int32]
    upcoming: NDArray[np.int32]  # the number of children that have been visited
    alpha: NDArray[np.float64]
    beta: NDArray[np.float64]
    best: NDArray[np.float64]


@kernel
def expand(
    board: Any,
    tree: FrontierTree,
    progress: NDArray[np.int64],
    order: NDArray[np.int64],
    above: NDArray[np.int32],
    rows: NDArray[np.int32],
    state: State,
    child: State,
    moves: Moves,
    knowledge: Any,
    n_state: int,
    player: int,
    ply: int,
    limit: int,
    n: int,
    skips: bool,
) -> int:
    """Expand the nodes in `order` from progress[NEXT] on, until n more nodes exist.

    A node gets all its children at once. If that would make more than `limit` nodes, sets
    progress[FULL] and stops. `above` holds the positions of the layer above; `rows`
    receives those of this layer, whose children are `ply` moves from the root. With
    `skips`, only the moves that the game's evaluation orders become children.
    Changes the tree, `progress` and `rows`; `state`, `child` and `moves` are scratch
    space. Returns 0, or FAILED.
    """
    goal = progress[NODES] + n
    while progress[NEXT] < len(order) and progress[NODES] < goal:
        place = progress[NEXT]
        node = order[place]
        copy_position(above[tree.place[tree.parent[node]]], state, n_state)
        if node != ROOT:
            play_move(board, state, tree.move[node])
        n_moves = legal_moves(board, state, moves)
        n_children = n_moves
        if skips:
            n_children = ordered_moves(board, state, moves)
        if progress[NODES] + n_children > limit:
            progress[FULL] = 1
            return 0
        copy_position(state, rows[place], n_state)
        tree.place[node] = place
        tree.first[node] = progress[NODES]
        tree.n_children[node] = n_children
        tree.is_cut[node] = n_children < n_moves
        for i in range(n_children):
            copy_position(state, child, n_state)
            play_move(board, child, moves[i])
            if child[STATUS] == FAILED:
                return FAILED
            tree.parent[progress[NODES]] = node
            tree.move[progress[NODES]] = moves[i]
            add_node(board, tree, progress[NODES], child, player, ply, knowledge)
            progress[NODES] += 1
        progress[NEXT] += 1
    return 0


@kernel
def add_node(
    board: Any, tree: FrontierTree, node: int, state: State, player: int, ply: int, knowledge: Any
) -> None:
    """Write the value and the proven results of a position for `player`, MAX, into a new node."""
    status = state[STATUS]
    if status == RUNNING:
        tree.turn[node] = MAX if state[PLAYER] == player else MIN
        tree.value[node] = evaluate(board, state, player, knowledge)
        tree.lowest[node], tree.highest[node] = LOSS, WIN
    else:
        tree.turn[node] = OVER
        tree.value[node] = decided_value(state, player, ply)
        result = LOSS
        if status == DRAWN:
            result = 0
        elif status == WON + player:
            result = WIN
        tree.lowest[node], tree.highest[node] = result, result


@kernel
def resolve(board: Any, tree: FrontierTree, node: int, path: FrontierPath, prunes: bool) -> int:
    """Find the minimax value of a node; returns the number of nodes visited.

    Writes the value into path.best[0] and each visited node's best child, the first of
    equals, into tree.reply, which is correct on the line of best play. With `prunes`,
    skips the nodes that alpha-beta shows to be irrelevant.
    """
    ply, n_visited = 0, 1
    enter(tree, node, path, 0, -np.inf, np.inf)
    while True:
        here = path.node[ply]
        is_settled = path.upcoming[ply] == tree.n_children[here]
        if prunes and path.alpha[ply] >= path.beta[ply]:
            is_settled = True
        if not is_settled:
            below = tree.first[here] + path.upcoming[ply]
            path.upcoming[ply] += 1
            ply += 1
            n_visited += 1
            enter(tree, below, path, ply, path.alpha[ply - 1], path.beta[ply - 1])
        elif ply == 0:
            return n_visited
        else:
            ply -= 1
            back_up(tree, path, ply)


@kernel
def enter(
    tree: FrontierTree, node: int, path: FrontierPath, ply: int, alpha: float, beta: float
) -> None:
    """Put a node on the path; a leaf has the value it was given when it was created."""
    path.node[ply] = node
    path.upcoming[ply] = 0
    path.alpha[ply], path.beta[ply] = alpha, beta
    if tree.n_children[node] == 0:
        path.best[ply] = tree.value[node]
    elif tree.turn[node] == MAX:
        path.best[ply] = -np.inf
    else:
        path.best[ply] = np.inf


@kernel
def back_up(tree: FrontierTree, path: FrontierPath, ply: int) -> None:
    """Update the node at `ply` with the value of its child on the path, if that is better."""
    here, value = path.node[ply], path.best[ply + 1]
    is_max = tree.turn[here] == MAX
    if (is_max and value > path.best[ply]) or (not is_max and value < path.best[ply]):
        path.best[ply] = value
        tree.reply[here] = path.node[ply + 1]
        if is_max:
            path.alpha[ply] = max(path.alpha[ply], value)
        else:
            path.beta[ply] = min(path.beta[ply], value)


@kernel
def summarise(board: Any, tree: FrontierTree, n_nodes: int) -> None:
    """Count the nodes below each node, and find what is proven about it.

    A node that is not expanded proves nothing. Where some legal moves have no node, the
    mover may have a better move than those in the tree.
    """
    for node in range(n_nodes):
        tree.below[node] = 0
        if tree.n_children[node] > 0:  # start with the worst result for the mover
            result = LOSS if tree.turn[node] == MAX else WIN
            tree.lowest[node], tree.highest[node] = result, result
    for node in range(n_nodes - 1, ROOT, -1):  # children come before their parents
        if tree.is_cut[node]:
            if tree.turn[node] == MAX:
                tree.highest[node] = WIN
            else:
                tree.lowest[node] = LOSS
        above = tree.parent[node]
        tree.below[above] += tree.below[node] + 1
        if tree.turn[above] == MAX:
            tree.lowest[above] = max(tree.lowest[above], tree.lowest[node])
            tree.highest[above] = max(tree.highest[above], tree.highest[node])
        else:
            tree.lowest[above] = min(tree.lowest[above], tree.lowest[node])
            tree.highest[above] = min(tree.highest[above], tree.highest[node])
    if tree.is_cut[ROOT]:
        tree.highest[ROOT] = WIN
