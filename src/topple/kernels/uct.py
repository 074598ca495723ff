"""UCT: a tree that grows where random games go well (Kocsis and Szepesvári, 2006).

A tree is a struct of arrays. The children of a node are in one block, those that have been
tried before the others, of which one is drawn when its turn comes. A node's reward is that of
the player who moved into it, so any number of players can play. UCB1 needs two stored numbers
of a child, `mean` and `uncertainty`, so that its score costs one multiplication.

With chance a move leads to an outcome node for each position that has followed from it, found
by its key. The children of an outcome are the moves there. A move has at most `MOST_OUTCOMES`
of them; a simulation that meets another one goes on at random from there.
"""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.logarithm import ln
from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel
from topple.evaluations.interface import evaluate
from topple.kernels.moves import play_move, play_out, renew_chance
from topple.kernels.values import WIN, decided_value
from topple.rules.interface import (
    DRAWN,
    FAILED,
    PLAYER,
    RUNNING,
    STATUS,
    WON,
    Moves,
    Returns,
    State,
    chance_at,
    copy_position,
    key,
    legal_moves,
    outcome,
    random_move,
    winners,
)

ROOT = 0
UNEXPANDED = 0  # no block begins at 0, since the root is not a child
NO_OUTCOME = 0  # no outcome is 0: the root is none
MOST_OUTCOMES = 64  # of a move


class UctTree(NamedTuple):
    """A search tree; each array has shape (nodes,), or (1,) if it is not used."""

    move: NDArray[np.int32]  # the move that leads to the node
    first: NDArray[np.int32]  # the first child, or UNEXPANDED
    n_children: NDArray[np.int32]
    tried: NDArray[np.int32]  # the number of children that have been visited: the first ones
    visits: NDArray[np.int32]
    mean: NDArray[np.float64]  # mean reward of the player who moved here, 0 to 1; −∞ if lost
    uncertainty: NDArray[np.float64]  # 1 / √visits
    proof: NDArray[np.int16]  # the proven STATUS after best play, or RUNNING
    rave_visits: NDArray[np.int32]
    rave_reward: NDArray[np.float64]
    bias: NDArray[np.float32]  # the evaluation of the move, −1 to 1
    worth: NDArray[np.float32]  # what a network expects: the reward of the node's own mover
    outcome: NDArray[np.int32]  # of a move: its latest outcome; of an outcome: the one before
    key: NDArray[np.uint64]  # of an outcome: the key of its position
    size: NDArray[np.int64]  # shape (1,): nodes in use


class UctScratch(NamedTuple):
    """The scratch space of one thread."""

    root: State
    state: State
    child: State
    moves: Moves
    returns: Returns  # overwritten with the rewards
    path: NDArray[np.int32]  # nodes from the root to the leaf
    movers: NDArray[np.int32]  # the player who moved into each of them
    seen: NDArray[np.int64]  # shape (players · moves,): the last simulation with that move
    counts: NDArray[np.int64]  # shape (2,): number of simulations, longest path
    rng: Rng


class UctSettings(NamedTuple):
    """The parameters of the search."""

    c: float  # the weight of exploration
    fpu: float  # first-play urgency: the score of a child that has not been tried
    rave: float  # visits at which a child's own games weigh as much as RAVE; 0: no RAVE
    bias: float  # the weight of the evaluation; 0: none
    solver: int  # whether proofs are backed up
    roots: NDArray[np.float64]  # √(ln n) for small n


@kernel
def grow(
    board: Any,
    tree: UctTree,
    scratch: UctScratch,
    settings: UctSettings,
    knowledge: Any,
    n_state: int,
    n: int,
) -> int:
    """Run n simulations, or fewer if the root is proven; returns their number, or FAILED.

    Changes `tree` and `scratch`. A full tree stops growing, and further simulations start
    from its leaves.
    """
    for i in range(n):
        if tree.proof[ROOT] != RUNNING:
            return i
        length = descend(board, tree, scratch, settings, knowledge, n_state)
        leaf = scratch.path[length - 1]
        if tree.proof[leaf] != RUNNING:
            scratch.state[STATUS] = tree.proof[leaf]
        elif settings.rave > 0.0:
            play_and_remember(board, scratch)
        else:
            play_out(board, scratch.state, scratch.rng, scratch.moves)
        if scratch.state[STATUS] == FAILED:
            return FAILED
        outcome(board, scratch.state, scratch.returns)
        returns_to_rewards(scratch.returns)
        reward_path(tree, scratch, length, settings.solver)
        if settings.rave > 0.0:
            reward_all_moves(tree, scratch, length)
        if settings.solver == 1 and tree.proof[leaf] != RUNNING:
            prove_path(tree, scratch.path, scratch.movers, length, len(scratch.returns))
    return n


@kernel
def returns_to_rewards(returns: Returns) -> None:
    """Turn returns into rewards: 1 for a win, 0 for a loss, an equal share for a draw."""
    n_players = len(returns)
    for player in range(n_players):
        returns[player] = (returns[player] * (n_players - 1) + 1.0) / n_players


@kernel
def descend(
    board: Any,
    tree: UctTree,
    scratch: UctScratch,
    settings: UctSettings,
    knowledge: Any,
    n_state: int,
) -> int:
    """Walk from the root to a leaf, playing its moves in `scratch.state`.

    Returns the length of the path.

    A leaf that has been visited before is expanded, if there is space.
    """
    state, node, length = scratch.state, ROOT, 1
    scratch.counts[0] += 1
    copy_position(scratch.root, state, n_state)
    renew_chance(board, state, scratch.rng)
    scratch.path[0] = ROOT
    n_moves = 0
    while tree.proof[node] == RUNNING:
        if tree.first[node] == UNEXPANDED:
            fresh = tree.visits[node] == 0 and node != ROOT
            if fresh or length + 1 >= len(scratch.path):
                break
            if not expand(board, tree, scratch, settings, knowledge, n_state, node):
                break
        mover = state[PLAYER]
        node = select(tree, node, scratch.rng, settings)
        play_move(board, state, tree.move[node])
        scratch.path[length] = node
        scratch.movers[length] = mover
        length, n_moves = length + 1, n_moves + 1
        if chance_at(board) > 0:
            node = find_outcome(board, tree, state, n_state, node)
            if node == NO_OUTCOME:
                break
            scratch.path[length] = node
            scratch.movers[length] = mover
            length += 1
        if state[STATUS] != RUNNING:
            tree.proof[node] = state[STATUS]
    scratch.counts[1] = max(scratch.counts[1], n_moves)
    return length


@kernel
def find_outcome(board: Any, tree: UctTree, state: State, n_state: int, move_node: int) -> int:
    """The outcome of a move that `state` is, which is added if it is new and there is space."""
    wanted = key(board, state, n_state)
    outcome_node, n_outcomes = tree.outcome[move_node], 0
    while outcome_node != NO_OUTCOME and tree.key[outcome_node] != wanted:
        outcome_node = tree.outcome[outcome_node]
        n_outcomes += 1
    if outcome_node != NO_OUTCOME:
        return int(outcome_node)
    added = tree.size[0]
    if n_outcomes == MOST_OUTCOMES or added == len(tree.move):
        return NO_OUTCOME
    tree.size[0] = added + 1
    tree.move[added] = tree.move[move_node]
    tree.key[added] = wanted
    tree.outcome[added] = tree.outcome[move_node]
    tree.outcome[move_node] = added
    return int(added)


@kernel
def expand(
    board: Any,
    tree: UctTree,
    scratch: UctScratch,
    settings: UctSettings,
    knowledge: Any,
    n_state: int,
    node: int,
) -> bool:
    """Give a node its block of children, all zero but their moves.

    Returns whether the tree had space for them.
    """
    moves, first = scratch.moves, tree.size[0]
    n_moves = legal_moves(board, scratch.state, moves)
    if first + n_moves > len(tree.move):
        return False
    tree.size[0] = first + n_moves
    tree.first[node] = first
    tree.n_children[node] = n_moves
    for i in range(n_moves):
        tree.move[first + i] = moves[i]
    if settings.bias > 0.0:
        order_by_evaluation(board, tree, scratch, knowledge, n_state, node)
    return True


@kernel
def order_by_evaluation(
    board: Any, tree: UctTree, scratch: UctScratch, knowledge: Any, n_state: int, node: int
) -> None:
    """Sort a new block of children by their evaluation, the best first."""
    first, mover = tree.first[node], scratch.state[PLAYER]
    for child in range(first, first + tree.n_children[node]):
        move = tree.move[child]
        copy_position(scratch.state, scratch.child, n_state)
        renew_chance(board, scratch.child, scratch.rng)
        play_move(board, scratch.child, move)
        if scratch.child[STATUS] == RUNNING:
            value = evaluate(board, scratch.child, mover, knowledge)
            value /= 1.0 + abs(value)
        else:
            value = decided_value(scratch.child, mover, 0) / WIN
        place = child
        while place > first and tree.bias[place - 1] < value:
            tree.bias[place] = tree.bias[place - 1]
            tree.move[place] = tree.move[place - 1]
            place -= 1
        tree.bias[place] = value
        tree.move[place] = move


@kernel
def select(tree: UctTree, node: int, rng: Rng, settings: UctSettings) -> int:
    """The child to visit next: the best UCB1 score, or one that has not been tried."""
    first, tried = tree.first[node], tree.tried[node]
    explore = settings.c * sqrt_ln(settings.roots, tree.visits[node])
    best, chosen = -np.inf, first
    if tried < tree.n_children[node]:
        chosen = next_untried(tree, node, rng, settings, explore)
        best = untried_score(tree, chosen, settings, explore)
    if best < np.inf:
        for child in range(first, first + tried):
            score = tree.mean[child] + explore * tree.uncertainty[child]
            if settings.rave > 0.0 or settings.bias > 0.0:
                score += bonus(tree, child, settings, score)
            if score > best:
                best, chosen = score, child
    if chosen < first + tried or tried == tree.n_children[node]:
        return int(chosen)
    swap_untried(tree, chosen, first + tried)
    tree.tried[node] += 1
    return int(first + tried)


@kernel
def next_untried(tree: UctTree, node: int, rng: Rng, settings: UctSettings, explore: float) -> int:
    """The child to try next: drawn, or best evaluated, or best in all games with its move."""
    first = tree.first[node] + tree.tried[node]
    n_left = tree.n_children[node] - tree.tried[node]
    if settings.rave == 0.0:
        return int(first if settings.bias > 0.0 else first + below(rng, n_left))
    best, chosen, drawn = -np.inf, first, below(rng, n_left)
    for i in range(n_left):
        child = first + (drawn + i) % n_left  # ties fall by lot
        score = untried_score(tree, child, settings, explore)
        if score > best:
            best, chosen = score, child
    return int(chosen)


@kernel
def untried_score(tree: UctTree, child: int, settings: UctSettings, explore: float) -> float:
    """What a child that has not been tried promises: all games with its move, or the default."""
    score = settings.fpu
    if settings.rave > 0.0 and tree.rave_visits[child] > 0:
        score = tree.rave_reward[child] / tree.rave_visits[child] + explore
    if settings.bias > 0.0:
        score += settings.bias * tree.bias[child]
    return score


@kernel
def swap_untried(tree: UctTree, child: int, place: int) -> None:
    """Exchange two children that have not been tried, with all that is known of them."""
    tree.move[place], tree.move[child] = tree.move[child], tree.move[place]
    if len(tree.rave_visits) > 1:
        visits, reward = tree.rave_visits[place], tree.rave_reward[place]
        tree.rave_visits[place] = tree.rave_visits[child]
        tree.rave_reward[place] = tree.rave_reward[child]
        tree.rave_visits[child], tree.rave_reward[child] = visits, reward
    if len(tree.bias) > 1:
        bias = tree.bias[place]
        tree.bias[place] = tree.bias[child]
        tree.bias[child] = bias


@kernel
def sqrt_ln(roots: NDArray[np.float64], n: int) -> float:
    """√(ln n), looked up where n is small."""
    return float(roots[n]) if n < len(roots) else sqrt(ln(float(n)))


@kernel
def bonus(tree: UctTree, child: int, settings: UctSettings, score: float) -> float:
    """What RAVE and the evaluation add to a child's score; 0 if the child is proven lost."""
    added = 0.0
    if score == -np.inf:
        return added  # proven lost
    if tree.rave_visits[min(child, len(tree.rave_visits) - 1)] > 0:
        weight = sqrt(settings.rave / (3.0 * tree.visits[child] + settings.rave))
        all_games = tree.rave_reward[child] / tree.rave_visits[child]
        added += weight * (all_games - tree.mean[child])
    if settings.bias > 0.0:
        added += settings.bias * tree.bias[child] / tree.visits[child]
    return added


@kernel
def play_and_remember(board: Any, scratch: UctScratch) -> None:
    """Play random moves to the end, and mark for RAVE who played which move."""
    state, n_moves = scratch.state, len(scratch.moves)
    while state[STATUS] == RUNNING:
        move = random_move(board, state, scratch.rng, scratch.moves)
        scratch.seen[state[PLAYER] * n_moves + move] = scratch.counts[0]
        play_move(board, state, move)


@kernel
def reward_path(tree: UctTree, scratch: UctScratch, length: int, solver: int) -> None:
    """Add a visit and the movers' rewards to all nodes on the path."""
    tree.visits[ROOT] += 1
    for i in range(1, length):
        node, mover = scratch.path[i], scratch.movers[i]
        tree.visits[node] += 1
        tree.uncertainty[node] = 1.0 / sqrt(tree.visits[node])
        if solver == 1 and is_lost(tree.proof[node], mover):
            tree.mean[node] = -np.inf  # proven lost: never visited again
        else:
            tree.mean[node] += (scratch.returns[mover] - tree.mean[node]) / tree.visits[node]


@kernel
def is_lost(status: int, player: int) -> bool:
    """Whether others have won, and the player has no share in it."""
    return status >= WON and winners(status) >> player & 1 == 0


@kernel
def reward_all_moves(tree: UctTree, scratch: UctScratch, length: int) -> None:
    """Update RAVE: reward each child whose move its mover played at this node or later."""
    n_moves = len(scratch.moves)
    for i in range(length - 2, -1, -1):
        mover = scratch.movers[i + 1]
        scratch.seen[mover * n_moves + tree.move[scratch.path[i + 1]]] = scratch.counts[0]
        reward = scratch.returns[mover]
        first = tree.first[scratch.path[i]]
        for child in range(first, first + tree.n_children[scratch.path[i]]):
            if scratch.seen[mover * n_moves + tree.move[child]] == scratch.counts[0]:
                tree.rave_visits[child] += 1
                tree.rave_reward[child] += reward


@kernel
def prove_path(
    tree: UctTree,
    path: NDArray[np.int32],
    movers: NDArray[np.int32],
    length: int,
    n_players: int,
) -> None:
    """Pass the leaf's proof towards the root, as far as it proves the nodes above."""
    for i in range(length - 1, 0, -1):
        parent = path[i - 1]
        proof = proven(tree, parent, movers[i], n_players)
        if proof == RUNNING:
            return
        tree.proof[parent] = proof
        if i > 1 and is_lost(proof, movers[i - 1]):
            tree.mean[parent] = -np.inf


@kernel
def proven(tree: UctTree, node: int, mover: int, n_players: int) -> int:
    """The STATUS after best play by the mover, or RUNNING if it is not proven.

    With more than two players only a win, or the same result after every move, is a proof:
    a player who cannot win may prefer any other player.
    """
    first, n_children = tree.first[node], tree.n_children[node]
    n_proven, n_drawn, n_as_first = 0, 0, 0
    for child in range(first, first + tree.tried[node]):
        proof = tree.proof[child]
        if proof == WON + mover:
            return int(proof)
        n_proven += proof != RUNNING
        n_drawn += proof == DRAWN
        n_as_first += proof == tree.proof[first]
    if n_proven < n_children:
        return RUNNING
    if n_as_first == n_children:
        return int(tree.proof[first])
    return DRAWN if n_players == 2 and n_drawn > 0 else RUNNING


@kernel
def find_position(
    board: Any,
    tree: UctTree,
    states: NDArray[np.int32],
    n_state: int,
    wanted: State,
    node: int,
    depth: int,
) -> int:
    """The node of a wanted position at most `depth` moves below `node`, or −1.

    `states[depth]` holds the node's position; the rows below it are scratch space.
    """
    state = states[depth]
    if is_same(state, wanted, n_state):
        return node
    if depth == 0 or tree.first[node] == UNEXPANDED or state[STATUS] != RUNNING:
        return -1
    first = tree.first[node]
    for child in range(first, first + tree.tried[node]):
        copy_position(state, states[depth - 1], n_state)
        play_move(board, states[depth - 1], tree.move[child])
        found = find_position(board, tree, states, n_state, wanted, child, depth - 1)
        if found >= 0:
            return found
    return -1


@kernel
def is_same(state: State, wanted: State, n_state: int) -> bool:
    """Whether two positions are equal."""
    n_equal = 0
    while n_equal < n_state and state[n_equal] == wanted[n_equal]:
        n_equal += 1
    return n_equal == n_state


@kernel
def copy_subtree(board: Any, tree: UctTree, node: int, target_tree: UctTree) -> int:
    """Copy a node and all nodes below it into an empty tree of equal size; returns their number."""
    copy_node(tree, node, target_tree, ROOT)
    target_tree.first[ROOT] = node  # until a copy is complete: the original
    target_tree.size[0] = 1
    target = 0
    while target < target_tree.size[0]:
        source = target_tree.first[target]
        first = tree.first[source]
        target_tree.first[target] = UNEXPANDED
        if first != UNEXPANDED:
            target_tree.first[target] = target_tree.size[0]
            for i in range(tree.n_children[source]):
                copy_node(tree, first + i, target_tree, target_tree.size[0] + i)
                target_tree.first[target_tree.size[0] + i] = first + i
            target_tree.size[0] += tree.n_children[source]
        target += 1
    return int(target_tree.size[0])


@kernel
def copy_node(tree: UctTree, node: int, target_tree: UctTree, target: int) -> None:
    """Copy a node without the index of its children."""
    target_tree.move[target] = tree.move[node]
    target_tree.n_children[target] = tree.n_children[node]
    target_tree.tried[target] = tree.tried[node]
    target_tree.visits[target] = tree.visits[node]
    target_tree.mean[target] = tree.mean[node]
    target_tree.uncertainty[target] = tree.uncertainty[node]
    target_tree.proof[target] = tree.proof[node]
    if len(target_tree.rave_visits) > 1:
        target_tree.rave_visits[target] = tree.rave_visits[node]
        target_tree.rave_reward[target] = tree.rave_reward[node]
    if len(target_tree.bias) > 1:
        target_tree.bias[target] = tree.bias[node]
    if len(target_tree.worth) > 1:
        target_tree.worth[target] = tree.worth[node]
