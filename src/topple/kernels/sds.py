"""Stochastic diffusion search in a game tree: a population of agents at each node.

Section numbers are those of Tanay's thesis "Game-tree exploration using
stochastic diffusion search" (2012).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling import kernel
from topple.kernels.populations import (
    ACTIVE,
    INACTIVE,
    NOWHERE,
    UNSET,
    Swarm,
    happens,
    recruit,
    relate,
)
from topple.rng import Rng, below
from topple.rules.interface import (
    FAILED,
    PLAYER,
    RUNNING,
    STATUS,
    Moves,
    Returns,
    State,
    apply,
    copy_position,
    legal_moves,
    outcome,
    playout,
)

ROOT = 0
NO_NODE = 0  # no child: the root is nobody's
DEAD = -1  # the depth of a node that is on the list of free ones

FIXED, LAYERS, ENTIRE_TREE = 0, 1, 2  # how agents are allocated

# The places of `counts`, shape (N_COUNTS,).
TESTED = 0  # root agents that have been tested in this iteration
PLAYOUTS = 1
BORN = 2  # agents in use
NODES = 3  # nodes ever in use at once
FREE_NODE = 4  # the first of the free ones among them, or NO_NODE
N_COUNTS = 5


class Tree(NamedTuple):
    """The nodes with their populations, one number each in arrays of shape (nodes,)."""

    parent: NDArray[np.int32]  # of a free node: the next free one
    move: NDArray[np.int32]  # the move that led here from the parent
    depth: NDArray[np.int32]  # plies below the root, or DEAD
    n_children: NDArray[np.int32]
    first: NDArray[np.int32]  # where the population begins in `order`
    n_agents: NDArray[np.int32]  # its size
    children: NDArray[np.int32]  # shape (nodes, moves), NO_NODE where there is none


class Statistics(NamedTuple):
    """What the playouts have shown at the root, and room for one test."""

    visits: NDArray[np.int64]  # shape (moves,)
    totals: Returns  # shape (moves,): returns of the player to move at the root
    path: NDArray[np.int32]  # shape (deepest,): the agents that form a hypothesis
    movers: NDArray[np.int32]  # shape (deepest,): the players to move at their nodes


class Policy(NamedTuple):
    """The choices that section 4.3 and chapter 3 leave open."""

    recruitment: int
    relate: int
    allocation: int
    agents: int  # in all, per layer or per population
    depth: int  # no population lies so many plies below the root
    to_root: int  # 1 if agents that nobody asked go back to the root, else to the parent
    scattering: float  # the chance that an active agent sends an inactive one ahead


@kernel
def new_node(tree: Tree, counts: NDArray[np.int64], parent: int, move: int) -> int:
    """Add the node after a move; NO_NODE if the memory is full."""
    node = counts[FREE_NODE]
    if node != NO_NODE:
        counts[FREE_NODE] = tree.parent[node]
    elif counts[NODES] < len(tree.parent):
        node = counts[NODES]
        counts[NODES] += 1
    else:
        return NO_NODE
    tree.parent[node] = parent
    tree.move[node] = move
    tree.depth[node] = tree.depth[parent] + 1
    tree.n_children[node] = 0
    tree.n_agents[node] = 0
    tree.n_children[parent] += 1
    tree.children[parent, move] = node
    return int(node)


@kernel
def free_empty_nodes(tree: Tree, counts: NDArray[np.int64]) -> None:
    """Give nodes back that have neither agents nor children."""
    for start in range(1, counts[NODES]):
        node = start
        while (
            node != ROOT
            and tree.depth[node] != DEAD
            and tree.n_agents[node] == 0
            and tree.n_children[node] == 0
        ):
            parent = tree.parent[node]
            tree.children[parent, tree.move[node]] = NO_NODE
            tree.n_children[parent] -= 1
            tree.depth[node] = DEAD
            tree.parent[node] = counts[FREE_NODE]
            counts[FREE_NODE] = node
            node = parent


@kernel
def give_birth(
    swarm: Swarm, tree: Tree, counts: NDArray[np.int64], node: int, n_agents: int
) -> None:
    """Fill an empty node with new agents, as far as there is room for them."""
    first = counts[BORN]
    last = min(first + n_agents, len(swarm.node))
    for agent in range(first, last):
        swarm.node[agent] = node
        swarm.hypothesis[agent] = UNSET
        swarm.order[agent] = agent
    tree.first[node] = first
    tree.n_agents[node] = last - first
    counts[BORN] = last


@kernel
def muster(swarm: Swarm, tree: Tree, counts: NDArray[np.int64]) -> None:
    """Put the agents in order, population by population."""
    for node in range(counts[NODES]):
        tree.n_agents[node] = 0
    for agent in range(counts[BORN]):
        if swarm.node[agent] != NOWHERE:
            tree.n_agents[swarm.node[agent]] += 1
    following = 0
    for node in range(counts[NODES]):
        tree.first[node] = following
        following += tree.n_agents[node]
    for agent in range(counts[BORN]):
        node = swarm.node[agent]
        if node != NOWHERE:
            swarm.order[tree.first[node]] = agent
            tree.first[node] += 1
    for node in range(counts[NODES]):
        tree.first[node] -= tree.n_agents[node]


@kernel
def chance_of(value: float, n_players: int) -> float:
    """The chance that a return makes an agent active: a loss 0, a draw 1/2, a win 1."""
    if value < 0.0:
        return (1.0 + value * (n_players - 1)) / 2.0
    return (1.0 + value) / 2.0


@kernel
def form_hypothesis(
    board: Any,
    state: State,
    rng: Rng,
    moves: Moves,
    swarm: Swarm,
    tree: Tree,
    statistics: Statistics,
    counts: NDArray[np.int64],
    policy: Policy,
    agent: int,
) -> int:
    """Follow a root agent's move, then that of a random agent where it leads, and so on.

    Plays the moves in `state`, and notes the agents and whose turn each was.
    Returns their number.
    """
    node, length = ROOT, 0
    while True:
        if swarm.hypothesis[agent] == UNSET:
            swarm.hypothesis[agent] = moves[below(rng, legal_moves(board, state, moves))]
        move = swarm.hypothesis[agent]
        statistics.path[length] = agent
        statistics.movers[length] = state[PLAYER]
        length += 1
        swarm.contacted[agent] = 1
        apply(board, state, move)
        swarm.final[agent] = state[STATUS] != RUNNING
        if state[STATUS] != RUNNING:
            return length
        child = tree.children[node, move]
        if child == NO_NODE and policy.allocation == FIXED and tree.depth[node] + 1 < policy.depth:
            child = new_node(tree, counts, node, move)
            if child != NO_NODE:
                give_birth(swarm, tree, counts, child, policy.agents)
        if child == NO_NODE or tree.n_agents[child] == 0:
            return length
        node = child
        agent = swarm.order[tree.first[node] + below(rng, tree.n_agents[node])]


@kernel
def examine_agents(
    board: Any,
    root: State,
    state: State,
    n_state: int,
    rng: Rng,
    moves: Moves,
    returns: Returns,
    swarm: Swarm,
    tree: Tree,
    statistics: Statistics,
    counts: NDArray[np.int64],
    policy: Policy,
    n: int,
) -> int:
    """Test the next n root agents, one playout each; returns 0, or FAILED.

    Every agent that helped to form a hypothesis becomes active if the player
    whose turn it was has won, else inactive (4.2.2).
    """
    for place in range(counts[TESTED], counts[TESTED] + n):
        copy_position(root, state, n_state)
        length = form_hypothesis(
            board, state, rng, moves, swarm, tree, statistics, counts, policy, swarm.order[place]
        )
        playout(board, state, rng, moves)
        if state[STATUS] == FAILED:
            return FAILED
        outcome(board, state, returns)
        move = swarm.hypothesis[statistics.path[0]]
        statistics.visits[move] += 1
        statistics.totals[move] += returns[root[PLAYER]]
        for i in range(length):
            chance = chance_of(returns[statistics.movers[i]], len(returns))
            agent = statistics.path[i]
            swarm.active[agent] = ACTIVE if happens(rng, chance) else INACTIVE
    counts[TESTED] += n
    counts[PLAYOUTS] += n
    return 0


@kernel
def walk(
    board: Any,
    state: State,
    rng: Rng,
    moves: Moves,
    swarm: Swarm,
    tree: Tree,
    counts: NDArray[np.int64],
    layer: int,
) -> int:
    """Come to a node of a layer as a hypothesis is formed; returns it or NOWHERE.

    `state` is the root's position and is changed. Past an empty population the
    walk goes on at random. It finds nothing where the game ends on the way or
    the memory is full.
    """
    node = ROOT
    for _ in range(layer):
        agent = NOWHERE
        if tree.n_agents[node] > 0:
            agent = swarm.order[tree.first[node] + below(rng, tree.n_agents[node])]
        if agent == NOWHERE or swarm.hypothesis[agent] == UNSET:
            move = moves[below(rng, legal_moves(board, state, moves))]
            if agent != NOWHERE:
                swarm.hypothesis[agent] = move
        else:
            move = swarm.hypothesis[agent]
        apply(board, state, move)
        if state[STATUS] != RUNNING:
            return NOWHERE
        child = tree.children[node, move]
        if child == NO_NODE:
            child = new_node(tree, counts, node, move)
        if child == NO_NODE:
            return NOWHERE
        node = child
    return int(node)


@kernel
def reallocate_in_layers(
    board: Any,
    root: State,
    state: State,
    n_state: int,
    rng: Rng,
    moves: Moves,
    swarm: Swarm,
    tree: Tree,
    counts: NDArray[np.int64],
    policy: Policy,
) -> int:
    """Let agents that nobody asked join another population of their layer (4.3.1).

    The deepest layer comes first, so that the populations that it walks through
    are still in order. Returns 0, or FAILED.
    """
    for i in range(counts[BORN] - policy.agents):
        agent = counts[BORN] - 1 - i
        if swarm.contacted[agent]:
            continue
        copy_position(root, state, n_state)
        found = walk(board, state, rng, moves, swarm, tree, counts, agent // policy.agents)
        if state[STATUS] == FAILED:
            return FAILED
        if found != NOWHERE and found != swarm.node[agent]:
            swarm.node[agent] = found
            swarm.hypothesis[agent] = UNSET
            swarm.active[agent] = INACTIVE
    muster(swarm, tree, counts)
    free_empty_nodes(tree, counts)
    return 0


@kernel
def backscatter(swarm: Swarm, tree: Tree, counts: NDArray[np.int64], to_root: int) -> None:
    """Take agents that nobody asked back to the parent or to the root (4.3.2, 1)."""
    for agent in range(counts[BORN]):
        if not swarm.contacted[agent]:
            node = swarm.node[agent]
            swarm.node[agent] = ROOT if to_root else tree.parent[node]
            swarm.hypothesis[agent] = UNSET
            swarm.active[agent] = INACTIVE
    muster(swarm, tree, counts)


@kernel
def scatter(
    swarm: Swarm, tree: Tree, counts: NDArray[np.int64], rng: Rng, policy: Policy
) -> None:
    """Let active agents send inactive ones to the node that they point at (4.3.2, 2).

    Each active agent asks another; with the chance of scattering (5.2.3) the
    other goes, if it is inactive and has not gone already.
    """
    for node in range(counts[NODES]):  # children that are new have no agents to ask yet
        n = tree.n_agents[node]
        if n < 2 or tree.depth[node] + 1 >= policy.depth:
            continue
        for place in range(tree.first[node], tree.first[node] + n):
            agent = swarm.order[place]
            if swarm.active[agent] == INACTIVE or swarm.final[agent]:
                continue
            drawn = tree.first[node] + below(rng, n - 1)
            other = swarm.order[drawn + (drawn >= place)]
            if swarm.active[other] == ACTIVE or swarm.node[other] != node:
                continue
            if not happens(rng, policy.scattering):
                continue
            child = tree.children[node, swarm.hypothesis[agent]]
            if child == NO_NODE:
                child = new_node(tree, counts, node, swarm.hypothesis[agent])
            if child != NO_NODE:
                swarm.node[other] = child
                swarm.hypothesis[other] = UNSET
    muster(swarm, tree, counts)
    free_empty_nodes(tree, counts)


@kernel
def end_iteration(
    board: Any,
    root: State,
    state: State,
    n_state: int,
    rng: Rng,
    moves: Moves,
    swarm: Swarm,
    tree: Tree,
    counts: NDArray[np.int64],
    policy: Policy,
) -> int:
    """Reallocate the agents, then let each population diffuse and relate; 0 or FAILED."""
    if policy.allocation == LAYERS:
        status = reallocate_in_layers(
            board, root, state, n_state, rng, moves, swarm, tree, counts, policy
        )
        if status == FAILED:
            return FAILED
    elif policy.allocation == ENTIRE_TREE:
        backscatter(swarm, tree, counts, policy.to_root)
        scatter(swarm, tree, counts, rng, policy)
    for node in range(counts[NODES]):
        n = tree.n_agents[node]
        if n > 0:
            recruit(swarm, tree.first[node], n, rng, policy.recruitment)
            relate(swarm, tree.first[node], n, rng, policy.relate)
    for agent in range(counts[BORN]):
        swarm.contacted[agent] = 0
    counts[TESTED] = 0
    return 0


@kernel
def settle(
    board: Any,
    root: State,
    state: State,
    n_state: int,
    rng: Rng,
    moves: Moves,
    swarm: Swarm,
    tree: Tree,
    counts: NDArray[np.int64],
    policy: Policy,
) -> int:
    """Set up the root's population and, in layers, those below it; 0 or FAILED."""
    counts[NODES] = 1
    give_birth(swarm, tree, counts, ROOT, policy.agents)
    if policy.allocation != LAYERS:
        return 0
    counts[BORN] = policy.agents * policy.depth
    for agent in range(policy.agents, counts[BORN]):
        swarm.node[agent] = NOWHERE
        swarm.hypothesis[agent] = UNSET
    return int(
        reallocate_in_layers(board, root, state, n_state, rng, moves, swarm, tree, counts, policy)
    )
