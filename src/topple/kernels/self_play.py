"""Self-play for learning: many games at a time, each with a small tree under Gumbel's root.

The root considers a few moves, drawn by Gumbel noise and the network's logits, and halves their
number again and again; below it the search is that of `topple.kernels.puct`. What is learned is
the policy that the search improves: the logits plus a multiple of the values found (Danihelka
and others, "Policy improvement by planning with Gumbel", 2022).

All games of a table are on one board. In every round each running game takes the network's
answer for the leaf it waits for, and runs on to its next leaf. A game that is over waits until
it is read and started again.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.exponential import exp
from topple.compiling.logarithm import ln
from topple.compiling.rng import Rng, below, draw_word
from topple.compiling.specialise import kernel
from topple.kernels.moves import play_move
from topple.kernels.puct import (
    PuctScratch,
    PuctSettings,
    back_up,
    descend_by_prior,
    expand_by_prior,
)
from topple.kernels.uct import ROOT, UNEXPANDED, UctTree, returns_to_rewards
from topple.nets.forward import NetScratch, look, soften
from topple.nets.interface import encode, slot_of, view_of
from topple.nets.net import LOSS, WIN, Net
from topple.nets.sight import Sight
from topple.rules.interface import (
    PLAYER,
    RUNNING,
    STATUS,
    State,
    copy_position,
    legal_moves,
    outcome,
    score,
    start,
)

RUNS, OVER, STOPPED = 0, 1, 2  # what a game does; a stopped one is not started again
UNIT = 65535.0  # of a probability that is kept as a whole number

Numbers = NDArray[np.float32]
Wholes = NDArray[np.int32]


class Table(NamedTuple):
    """Games on one board; the first axis of every array counts them."""

    state: Wholes  # the positions at the roots
    status: Wholes  # RUNS, OVER or STOPPED
    rng: NDArray[np.uint64]  # a generator for each game
    n_done: Wholes  # simulations of this move
    # The trees, as in UctTree.
    move: Wholes
    first: Wholes
    n_children: Wholes
    tried: Wholes
    visits: Wholes
    mean: NDArray[np.float64]
    uncertainty: NDArray[np.float64]
    proof: NDArray[np.int16]
    bias: Numbers
    worth: Numbers
    size: NDArray[np.int64]
    # The root: its legal moves with their logits; its children with noise, and their moves' places.
    n_moves: Wholes
    moves: Wholes
    logits: Numbers
    noisy: Numbers
    place: Wholes
    # The leaf that waits for an answer.
    leaf: Wholes
    path: Wholes
    movers: Wholes
    length: Wholes
    # The answers: logits of all slots, then chances of the results and the lead.
    answer: Numbers
    results: Numbers
    root_results: Numbers  # the answer for the root
    # What is learned from: positions, policies in UNITs, expected results; rewards and scores at
    # the end.
    kept: Wholes
    policy: NDArray[np.uint16]
    estimates: Numbers
    n_kept: Wholes
    rewards: NDArray[np.float64]
    scores: NDArray[np.float64]
    aside: State  # one vector, in which encodings try moves
    # One-element arrays for the parts of a tree that are not used.
    no_counts: Wholes
    no_numbers: NDArray[np.float64]
    no_keys: NDArray[np.uint64]


class GumbelSettings(NamedTuple):
    """The parameters of the search and of the games."""

    search: PuctSettings
    n_simulations: int
    n_considered: int
    schedule: Wholes  # shape (considered + 1, simulations): visits of the child that is next
    trust: float  # what a visit count of 50 makes of a difference of 1 in reward
    opening: int  # at most so many random plies
    exploring: int  # moves of a game that are chosen with noise
    most_kept: int  # children of a node below the root


@kernel
def play_round(
    board: Any,
    table: Table,
    scratch: PuctScratch,
    settings: GumbelSettings,
    sight: Sight,
    net: Net,
    net_scratch: NetScratch,
    n_state: int,
    n_rounds: int,
) -> int:
    """Play rounds with a network in this kernel; returns the number of games that are over."""
    n_over = 0
    for _ in range(n_rounds):
        for game in range(len(table.status)):
            if table.status[game] == RUNS and table.length[game] > 0:
                look(board, table.leaf[game], sight, net, net_scratch)
                for slot in range(table.answer.shape[1]):
                    table.answer[game, slot] = net_scratch.logits[slot]
                for result in range(table.results.shape[1]):
                    table.results[game, result] = net_scratch.results[result]
        n_over = advance_table(board, table, scratch, settings, n_state)
    return n_over


@kernel
def advance_table(
    board: Any, table: Table, scratch: PuctScratch, settings: GumbelSettings, n_state: int
) -> int:
    """Take the answers and run every game to its next leaf; returns how many games are over."""
    n_over = 0
    for game in range(len(table.status)):
        if table.status[game] == RUNS:
            tree = tree_of(table, game)
            if table.length[game] > 0:
                take_answer(board, table, game, tree, scratch, settings)
            run_on(board, table, game, tree, scratch, settings, n_state)
        n_over += table.status[game] == OVER
    return n_over


@kernel
def advance_and_write(
    board: Any,
    table: Table,
    scratch: PuctScratch,
    settings: GumbelSettings,
    n_state: int,
    planes: Numbers,
    views: Wholes,
) -> int:
    """Advance a table and write its leaves; returns how many games are over.

    Leaves are written as planes, (games, vertices, planes), and the views of their movers.
    """
    n_over = advance_table(board, table, scratch, settings, n_state)
    for game in range(len(table.status)):
        encode(board, table.leaf[game], planes[game], table.aside)
        views[game] = view_of(board, table.leaf[game])
    return n_over


@kernel
def write_positions(
    board: Any, states: Wholes, planes: Numbers, views: Wholes, aside: State
) -> int:
    """Write planes and views of positions; `states` has scratch space behind each of them.

    `aside` is another state, in which moves are tried.
    """
    for i in range(len(states)):
        encode(board, states[i], planes[i], aside)
        views[i] = view_of(board, states[i])
    return len(states)


@kernel
def tree_of(table: Table, game: int) -> UctTree:
    """The tree of one game."""
    return UctTree(
        table.move[game],
        table.first[game],
        table.n_children[game],
        table.tried[game],
        table.visits[game],
        table.mean[game],
        table.uncertainty[game],
        table.proof[game],
        table.no_counts,
        table.no_numbers,
        table.bias[game],
        table.worth[game],
        table.no_counts,
        table.no_keys,
        table.size[game],
    )


@kernel
def begin_game(board: Any, table: Table, game: int, settings: GumbelSettings) -> int:
    """Start a game over, with a random opening that does not end it; returns its plies."""
    rng, state = table.rng[game], table.state[game]
    n_plies = below(rng, settings.opening + 1)
    while True:
        for i in range(len(state)):
            state[i] = 0
        start(board, state)
        for _ in range(n_plies):
            if state[STATUS] == RUNNING:
                n_moves = legal_moves(board, state, table.moves[game])
                play_move(board, state, table.moves[game, below(rng, n_moves)])
        if state[STATUS] == RUNNING:
            break
        n_plies = n_plies // 2
    table.status[game] = RUNS
    table.n_kept[game] = 0
    clear_tree(table, game)
    return int(n_plies)


@kernel
def clear_tree(table: Table, game: int) -> None:
    """Reduce a game's tree to its root; the root is the leaf that comes next."""
    for node in range(table.size[game, 0]):
        table.first[game, node] = UNEXPANDED
        table.n_children[game, node] = 0
        table.tried[game, node] = 0
        table.visits[game, node] = 0
        table.mean[game, node] = 0.0
        table.uncertainty[game, node] = 0.0
        table.proof[game, node] = RUNNING
        table.bias[game, node] = 0.0
    table.size[game, 0] = 1
    table.n_done[game] = 0
    table.length[game] = 0


@kernel
def take_answer(
    board: Any,
    table: Table,
    game: int,
    tree: UctTree,
    scratch: PuctScratch,
    settings: GumbelSettings,
) -> None:
    """Expand the leaf that waits with the network's answer, and reward its path."""
    state, length = table.leaf[game], table.length[game]
    leaf, n_players = table.path[game, length - 1], len(scratch.returns)
    player = state[PLAYER]
    if n_players == 2:
        value = np.float64(table.results[game, WIN]) - np.float64(table.results[game, LOSS])
        scratch.returns[player], scratch.returns[1 - player] = value, -value
        returns_to_rewards(scratch.returns)
    else:
        for seat in range(n_players):
            scratch.returns[(player + seat) % n_players] = table.results[game, seat]
    tree.worth[leaf] = scratch.returns[player]
    if leaf == ROOT:
        for result in range(table.root_results.shape[1]):
            table.root_results[game, result] = table.results[game, result]
        consider_moves(board, table, game, tree, settings)
    else:
        expand_leaf(board, table, game, tree, leaf, settings)
        table.n_done[game] += 1
    path, movers = table.path[game], table.movers[game]
    back_up(tree, scratch, path, movers, length, settings.search)


@kernel
def expand_leaf(
    board: Any, table: Table, game: int, tree: UctTree, leaf: int, settings: GumbelSettings
) -> None:
    """Give a leaf below the root its children; the root's children own what is overwritten."""
    # The root's moves and logits stay where they are: the leaf's go behind them.
    half = table.moves.shape[1] // 2
    moves, logits = table.moves[game, half:], table.logits[game, half:]
    n_moves = legal_moves(board, table.leaf[game], moves)
    for i in range(n_moves):
        logits[i] = table.answer[game, slot_of(board, moves[i])]
    soften(logits, n_moves)
    expand_by_prior(tree, leaf, moves, logits, n_moves, settings.most_kept)


@kernel
def consider_moves(
    board: Any, table: Table, game: int, tree: UctTree, settings: GumbelSettings
) -> None:
    """Give the root the children that its logits choose, at first with noise; the best first."""
    moves, rng = table.moves[game], table.rng[game]
    n_moves = legal_moves(board, table.leaf[game], moves)
    n_children = min(n_moves, settings.n_considered)
    table.n_moves[game] = n_moves
    tree.first[ROOT], tree.n_children[ROOT], tree.tried[ROOT] = 1, n_children, n_children
    tree.size[0] = 1 + n_children
    is_exploring = table.n_kept[game] < settings.exploring
    most = -np.inf
    for i in range(n_moves):
        table.logits[game, i] = table.answer[game, slot_of(board, moves[i])]
        most = max(most, np.float64(table.logits[game, i]))
    total = 0.0
    for i in range(n_moves):
        total += exp(np.float64(table.logits[game, i]) - most)
    for i in range(n_moves):
        table.logits[game, i] -= np.float32(most + ln(total))
        noisy = np.float64(table.logits[game, i])
        if is_exploring:
            noisy += gumbel(rng)
        place = min(i, n_children)
        if i >= n_children:
            place -= 1
            if table.noisy[game, place] >= noisy:
                continue
        while place > 0 and table.noisy[game, place - 1] < noisy:
            table.noisy[game, place] = table.noisy[game, place - 1]
            table.place[game, place] = table.place[game, place - 1]
            place -= 1
        table.noisy[game, place] = noisy
        table.place[game, place] = i
    for child in range(n_children):
        place = table.place[game, child]
        tree.move[1 + child] = moves[place]
        tree.bias[1 + child] = exp(np.float64(table.logits[game, place]))


@kernel
def gumbel(rng: Rng) -> float:
    """Draw from the standard Gumbel distribution. Changes `rng`."""
    uniform = (np.float64(draw_word(rng) >> np.uint64(11)) + 0.5) / 9007199254740992.0
    return -ln(-ln(uniform))


@kernel
def run_on(
    board: Any,
    table: Table,
    game: int,
    tree: UctTree,
    scratch: PuctScratch,
    settings: GumbelSettings,
    n_state: int,
) -> None:
    """Search and play until a leaf needs an answer or the game is over."""
    table.length[game] = 0
    copy_position(table.state[game], scratch.root, n_state)
    while table.status[game] == RUNS:
        if tree.first[ROOT] == UNEXPANDED:
            table.path[game, 0] = ROOT
            keep_leaf_of(table, game, table.state[game], 1, n_state)
            return
        if table.n_done[game] >= settings.n_simulations or table.n_moves[game] == 1:
            end_move(board, table, game, tree, settings, n_state)
            copy_position(table.state[game], scratch.root, n_state)
            continue
        child = next_child(table, game, tree, settings)
        length = descend_by_prior(board, tree, scratch, settings.search, n_state, child)
        leaf = scratch.path[length - 1]
        if tree.proof[leaf] == RUNNING and length < len(scratch.path):
            for i in range(length):
                table.path[game, i] = scratch.path[i]
                table.movers[game, i] = scratch.movers[i]
            keep_leaf_of(table, game, scratch.state, length, n_state)
            return
        scratch.state[STATUS] = tree.proof[leaf]
        outcome(board, scratch.state, scratch.returns)
        returns_to_rewards(scratch.returns)
        back_up(tree, scratch, scratch.path, scratch.movers, length, settings.search)
        table.n_done[game] += 1


@kernel
def keep_leaf_of(table: Table, game: int, state: State, length: int, n_state: int) -> None:
    """Keep the position that waits for an answer."""
    copy_position(state, table.leaf[game], n_state)
    table.length[game] = length


@kernel
def next_child(table: Table, game: int, tree: UctTree, settings: GumbelSettings) -> int:
    """The root's child to visit next: the best of those that the schedule has come to."""
    n_children = tree.n_children[ROOT]
    wanted = settings.schedule[n_children, table.n_done[game]]
    scale = trust_in_values(tree, settings)
    best, chosen = -np.inf, 1
    for child in range(1, 1 + n_children):
        if tree.visits[child] == wanted:
            merit = table.noisy[game, child - 1] + scale * tree.mean[child]
            if merit > best:
                best, chosen = merit, child
    return chosen


@kernel
def trust_in_values(tree: UctTree, settings: GumbelSettings) -> float:
    """How many logits a reward of 1 is worth: more, the more a child has been visited."""
    most = 0
    for child in range(1, 1 + tree.n_children[ROOT]):
        most = max(most, tree.visits[child])
    return settings.trust * (50.0 + most) / 50.0


@kernel
def end_move(
    board: Any, table: Table, game: int, tree: UctTree, settings: GumbelSettings, n_state: int
) -> None:
    """Keep what the search has found, play its move, and begin the next search."""
    state, n_children = table.state[game], tree.n_children[ROOT]
    scale = trust_in_values(tree, settings)
    best, chosen, most = -np.inf, 1, -1
    for child in range(1, 1 + n_children):
        merit = table.noisy[game, child - 1] + scale * tree.mean[child]
        if tree.visits[child] > most or (tree.visits[child] == most and merit > best):
            best, chosen, most = merit, child, tree.visits[child]
    if table.n_moves[game] > 1 and table.n_kept[game] < table.kept.shape[1]:
        keep_position(board, table, game, tree, scale, n_state)
    play_move(board, state, tree.move[chosen])
    clear_tree(table, game)
    if state[STATUS] != RUNNING or table.n_kept[game] == table.kept.shape[1]:
        rewards, scores = table.rewards[game], table.scores[game]
        outcome(board, state, rewards)
        returns_to_rewards(rewards)
        score(board, state, scores)
        table.status[game] = OVER


@kernel
def keep_position(
    board: Any, table: Table, game: int, tree: UctTree, scale: float, n_state: int
) -> None:
    """Keep the root's position and the policy that the search has made of its logits.

    Moves that were not visited count as worth the mean of the root's value and of the visited
    moves' values, weighted by their priors.
    """
    n_moves, n_children = table.n_moves[game], tree.n_children[ROOT]
    mixed = mixed_value(tree)
    target = table.answer[game]  # the answer has been taken: its place serves as scratch space
    for i in range(n_moves):
        target[i] = table.logits[game, i] + np.float32(scale * mixed)
    for child in range(1, 1 + n_children):
        if tree.visits[child] > 0:
            place = table.place[game, child - 1]
            target[place] += np.float32(scale * (tree.mean[child] - mixed))
    soften(target, n_moves)
    k = table.n_kept[game]
    for slot in range(table.policy.shape[2]):
        table.policy[game, k, slot] = 0
    for i in range(n_moves):
        slot = slot_of(board, table.moves[game, i])
        table.policy[game, k, slot] = np.uint16(np.float64(target[i]) * UNIT + 0.5)
    copy_position(table.state[game], table.kept[game, k], n_state)
    for result in range(table.root_results.shape[1]):
        table.estimates[game, k, result] = table.root_results[game, result]
    table.n_kept[game] += 1


@kernel
def mixed_value(tree: UctTree) -> float:
    """What a root's move that was not visited is worth: a mean of all that is known."""
    total, weight, n_visits = 0.0, 0.0, 0
    for child in range(1, 1 + tree.n_children[ROOT]):
        if tree.visits[child] > 0:
            total += tree.bias[child] * tree.mean[child]
            weight += tree.bias[child]
            n_visits += tree.visits[child]
    found = total / weight if weight > 0.0 else 0.0
    return (np.float64(tree.worth[ROOT]) + n_visits * found) / (1 + n_visits)
