"""PUCT: a tree that grows where a network sees promise (Rosin, 2011; Silver and others, 2017).

The tree is that of `topple.kernels.uct`. `bias` is a move's prior probability; children are in
the order of their priors, so that the first one that has not been tried is the next to be.
`uncertainty` is the prior divided by the visits + 1, so that a score costs one multiplication.

Leaves are collected in batches, so that several threads can evaluate them. A leaf that waits
for its evaluation counts as a loss on its path (a virtual loss), which sends the next descent
elsewhere. The answer depends on the size of a batch, and not on who evaluates it when.
"""

from math import sqrt
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.kernels.moves import play_move
from topple.kernels.uct import ROOT, UNEXPANDED, UctTree, is_lost, prove_path, returns_to_rewards
from topple.nets.forward import NetScratch, look, write_priors, write_returns
from topple.nets.net import Net
from topple.nets.sight import Sight
from topple.rules.interface import (
    PLAYER,
    RUNNING,
    STATUS,
    Moves,
    Returns,
    Sizes,
    State,
    copy_position,
    legal_moves,
    outcome,
)

NO_CHILD = 0  # the root is nobody's child
# What `counts` has: the longest path, leaves of the batch, whether it is ready.
LONGEST, N_LEAVES, READY = range(3)
WAITING = -1  # `first` of a leaf that waits for its evaluation


class PuctScratch(NamedTuple):
    """The scratch space of a search."""

    root: State
    state: State
    returns: Returns  # overwritten with rewards
    path: NDArray[np.int32]  # nodes from the root to the leaf
    movers: NDArray[np.int32]  # the player who moved into each of them
    counts: NDArray[np.int64]  # shape (3,), by the names above


class Leaves(NamedTuple):
    """A batch of leaves; each array has a row for each of them."""

    path: NDArray[np.int32]
    movers: NDArray[np.int32]
    length: NDArray[np.int32]  # shape (leaves,)
    state: NDArray[np.int32]
    moves: NDArray[np.int32]
    n_moves: NDArray[np.int32]  # shape (leaves,)
    priors: NDArray[np.float32]
    returns: NDArray[np.float64]


class SearchedGame(Protocol):
    """The attributes of a game that decide how much space its leaves take."""

    sizes: Sizes

    @property
    def n_players(self) -> int:
        """The number of players."""

    def scratch_states(self, n: int) -> NDArray[np.int32]:
        """New vectors for kernels to change."""


def make_leaves(game: SearchedGame, n: int, longest: int) -> Leaves:
    """Space for n leaves, with paths of at most `longest` nodes."""
    n_moves = game.sizes.moves
    return Leaves(
        path=np.zeros((n, longest), dtype=np.int32),
        movers=np.zeros((n, longest), dtype=np.int32),
        length=np.zeros(n, dtype=np.int32),
        state=game.scratch_states(n),
        moves=np.zeros((n, n_moves), dtype=np.int32),
        n_moves=np.zeros(n, dtype=np.int32),
        priors=np.zeros((n, n_moves), dtype=np.float32),
        returns=np.zeros((n, game.n_players)),
    )


class PuctSettings(NamedTuple):
    """The parameters of the search."""

    c: float  # the weight of the priors
    fpu: float  # how much less than its parent's value a move promises that has not been tried
    solver: int  # whether proofs are backed up


@kernel
def grow_with_net(
    board: Any,
    tree: UctTree,
    scratch: PuctScratch,
    leaves: Leaves,
    settings: PuctSettings,
    sight: Sight,
    net: Net,
    net_scratch: NetScratch,
    n_state: int,
    n: int,
    most: int,
) -> int:
    """Run n simulations, or fewer if the root is proven; returns their number.

    `most`, at least n, is the number that the whole search has left. A batch that is not full
    after n simulations waits for the next call, so that the answer does not depend on how a
    search is divided.
    """
    n_done = 0
    while n_done < n and tree.proof[ROOT] == RUNNING:
        left = most - n_done
        n_done += gather_leaves(board, tree, scratch, leaves, settings, n_state, n - n_done, left)
        if scratch.counts[READY] == 1:
            n_leaves = scratch.counts[N_LEAVES]
            evaluate_leaves(board, leaves, sight, net, net_scratch, 0, n_leaves)
            back_up_leaves(board, tree, scratch, leaves, settings)
    return n_done


@kernel
def gather_leaves(
    board: Any,
    tree: UctTree,
    scratch: PuctScratch,
    leaves: Leaves,
    settings: PuctSettings,
    n_state: int,
    n: int,
    most: int,
) -> int:
    """Descend until the batch is ready, or n times; returns the number of simulations.

    A simulation that ends in a decided position is backed up at once. The batch is ready when
    it is full, when the search ends (after `most` simulations, or with a proof of the root), or
    when a descent meets a leaf that waits already; that descent does not count.
    """
    n_done, n_leaves = 0, scratch.counts[N_LEAVES]
    scratch.counts[READY] = 0
    while n_done < n and scratch.counts[READY] == 0:
        length = descend_by_prior(board, tree, scratch, settings, n_state, NO_CHILD)
        leaf = scratch.path[length - 1]
        if tree.first[leaf] == WAITING:
            scratch.counts[READY] = 1
            break
        n_done += 1
        if tree.proof[leaf] != RUNNING or tree.first[leaf] != UNEXPANDED:
            # Decided, or the longest path: then the game counts as drawn.
            scratch.state[STATUS] = tree.proof[leaf]
            outcome(board, scratch.state, scratch.returns)
            returns_to_rewards(scratch.returns)
            back_up(tree, scratch, scratch.path, scratch.movers, length, settings)
        else:
            keep_leaf(tree, scratch, leaves, n_leaves, length, n_state)
            n_leaves += 1
        is_over = n_done == most or tree.proof[ROOT] != RUNNING
        if n_leaves == len(leaves.length) or is_over:
            scratch.counts[READY] = 1
    scratch.counts[N_LEAVES] = n_leaves
    return n_done


@kernel
def descend_by_prior(
    board: Any,
    tree: UctTree,
    scratch: PuctScratch,
    settings: PuctSettings,
    n_state: int,
    first_child: int,
) -> int:
    """Walk from the root to a leaf, playing its moves; returns the length of the path.

    The first step leads to `first_child`, unless that is NO_CHILD.
    """
    state, node, length = scratch.state, ROOT, 1
    copy_position(scratch.root, state, n_state)
    scratch.path[0] = ROOT
    while tree.proof[node] == RUNNING and tree.first[node] > UNEXPANDED:
        if length == len(scratch.path):
            break
        scratch.movers[length] = state[PLAYER]
        if node == ROOT and first_child != NO_CHILD:
            node = first_child
        else:
            node = select_by_prior(tree, node, settings)
        play_move(board, state, tree.move[node])
        scratch.path[length] = node
        length += 1
        if state[STATUS] != RUNNING:
            tree.proof[node] = state[STATUS]
    scratch.counts[LONGEST] = max(scratch.counts[LONGEST], length - 1)
    return length


@kernel
def select_by_prior(tree: UctTree, node: int, settings: PuctSettings) -> int:
    """The child to visit next: the best sum of its mean reward and its prior's bonus."""
    first, tried = tree.first[node], tree.tried[node]
    explore = settings.c * sqrt(tree.visits[node])
    best, chosen, seen = -np.inf, first, 0.0
    total, n_visits = np.float64(tree.worth[node]), 1
    for child in range(first, first + tried):
        score = tree.mean[child] + explore * tree.uncertainty[child]
        seen += tree.bias[child]
        if tree.mean[child] > -np.inf:
            total += tree.mean[child] * tree.visits[child]
            n_visits += tree.visits[child]
        if score > best:
            best, chosen = score, child
    if tried < tree.n_children[node]:
        # An untried move promises the node's mean reward, less the more has been tried.
        promised = total / n_visits - settings.fpu * sqrt(seen)
        if promised + explore * tree.bias[first + tried] > best:
            tree.tried[node] += 1
            return int(first + tried)
    return int(chosen)


@kernel
def keep_leaf(
    tree: UctTree, scratch: PuctScratch, leaves: Leaves, place: int, length: int, n_state: int
) -> None:
    """Put a leaf into the batch, and count a loss on its path until it is evaluated."""
    leaf = scratch.path[length - 1]
    tree.first[leaf] = WAITING
    copy_position(scratch.state, leaves.state[place], n_state)
    leaves.length[place] = length
    for i in range(length):
        node = scratch.path[i]
        leaves.path[place, i], leaves.movers[place, i] = node, scratch.movers[i]
        if i > 0:
            count_visit(tree, node, 0.0)


@kernel
def count_visit(tree: UctTree, node: int, reward: float) -> None:
    """Add a visit with a reward to a node that is not proven lost."""
    tree.visits[node] += 1
    tree.uncertainty[node] = tree.bias[node] / (1.0 + tree.visits[node])
    tree.mean[node] += (reward - tree.mean[node]) / tree.visits[node]


@kernel
def evaluate_leaves(
    board: Any,
    leaves: Leaves,
    sight: Sight,
    net: Net,
    net_scratch: NetScratch,
    begin: int,
    end: int,
) -> int:
    """Let the network look at the leaves from `begin` to before `end`; returns their number."""
    for place in range(begin, end):
        state, moves = leaves.state[place], leaves.moves[place]
        look(board, state, sight, net, net_scratch)
        leaves.n_moves[place] = legal_moves(board, state, moves)
        write_priors(board, moves, leaves.n_moves[place], net_scratch, leaves.priors[place])
        write_returns(state, net_scratch, leaves.returns[place])
    return end - begin


@kernel
def back_up_leaves(
    board: Any, tree: UctTree, scratch: PuctScratch, leaves: Leaves, settings: PuctSettings
) -> int:
    """Expand the evaluated leaves and reward their paths; returns their number."""
    n_leaves = scratch.counts[N_LEAVES]
    for place in range(n_leaves):
        length = leaves.length[place]
        leaf, n_moves = leaves.path[place, length - 1], leaves.n_moves[place]
        tree.first[leaf] = UNEXPANDED
        expand_by_prior(tree, leaf, leaves.moves[place], leaves.priors[place], n_moves, n_moves)
        for player in range(len(scratch.returns)):
            scratch.returns[player] = leaves.returns[place, player]
        returns_to_rewards(scratch.returns)
        tree.worth[leaf] = scratch.returns[leaves.state[place, PLAYER]]
        for i in range(1, length):
            take_back_loss(tree, leaves.path[place, i])
        back_up(tree, scratch, leaves.path[place], leaves.movers[place], length, settings)
    scratch.counts[N_LEAVES] = 0
    return int(n_leaves)


@kernel
def take_back_loss(tree: UctTree, node: int) -> None:
    """Take back the visit that `keep_leaf` counted."""
    visits = tree.visits[node] - 1
    tree.visits[node] = visits
    if tree.mean[node] > -np.inf:
        tree.mean[node] = tree.mean[node] * (visits + 1.0) / visits if visits > 0 else 0.0


@kernel
def expand_by_prior(
    tree: UctTree, node: int, moves: Moves, priors: NDArray[np.float32], n_moves: int, most: int
) -> None:
    """Give a node at most `most` children, the most probable first, if the tree has space."""
    first, n_children = tree.size[0], min(n_moves, most)
    if first + n_children > len(tree.move):
        return
    tree.size[0] = first + n_children
    tree.first[node] = first
    tree.n_children[node] = n_children
    for i in range(n_moves):
        place = first + min(i, n_children)
        if i >= n_children:  # all places are taken: drop the least probable child, or this one
            place -= 1
            if tree.bias[place] >= priors[i]:
                continue
        while place > first and tree.bias[place - 1] < priors[i]:
            tree.bias[place] = tree.bias[place - 1]
            tree.move[place] = tree.move[place - 1]
            place -= 1
        tree.bias[place] = priors[i]
        tree.move[place] = moves[i]


@kernel
def back_up(
    tree: UctTree,
    scratch: PuctScratch,
    path: NDArray[np.int32],
    movers: NDArray[np.int32],
    length: int,
    settings: PuctSettings,
) -> None:
    """Reward a path with the rewards in the scratch space, and prove what its leaf proves."""
    tree.visits[ROOT] += 1
    for i in range(1, length):
        node, mover = path[i], movers[i]
        if settings.solver == 1 and is_lost(tree.proof[node], mover):
            tree.visits[node] += 1
            tree.mean[node] = -np.inf  # proven lost: never visited again
        elif tree.mean[node] > -np.inf:
            count_visit(tree, node, scratch.returns[mover])
    if settings.solver == 1 and tree.proof[path[length - 1]] != RUNNING:
        prove_path(tree, path, movers, length, len(scratch.returns))
