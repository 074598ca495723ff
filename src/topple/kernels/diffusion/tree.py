"""A game tree whose nodes have populations of agents."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.kernels.diffusion.population import NOWHERE, UNSET, Swarm

ROOT = 0
NO_NODE = 0  # no child: the root is not a child
DEAD = -1  # the depth of a node on the list of free nodes

# The indices of `counts`, shape (N_COUNTS,).
TESTED = 0  # root agents that have been tested in this iteration
PLAYOUTS = 1
N_AGENTS = 2  # agents in use
N_NODES = 3  # nodes in use, or free after use
FREE_NODE = 4  # the first free node among them, or NO_NODE
N_COUNTS = 5


class PopulationTree(NamedTuple):
    """The nodes with their populations; arrays have shape (nodes,) unless noted."""

    parent: NDArray[np.int32]  # of a free node: the next free one
    move: NDArray[np.int32]  # the move that led here from the parent
    depth: NDArray[np.int32]  # plies below the root, or DEAD
    n_children: NDArray[np.int32]
    first: NDArray[np.int32]  # where the population begins in `order`
    n_agents: NDArray[np.int32]  # the size of the population
    children: NDArray[np.int32]  # shape (nodes, moves), NO_NODE where there is none


@kernel
def new_node(tree: PopulationTree, counts: NDArray[np.int64], parent: int, move: int) -> int:
    """Add the node after a move, and return it; NO_NODE if the memory is full."""
    node = counts[FREE_NODE]
    if node != NO_NODE:
        counts[FREE_NODE] = tree.parent[node]
    elif counts[N_NODES] < len(tree.parent):
        node = counts[N_NODES]
        counts[N_NODES] += 1
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
def free_empty_nodes(tree: PopulationTree, counts: NDArray[np.int64]) -> None:
    """Put nodes that have neither agents nor children on the list of free nodes."""
    for start in range(1, counts[N_NODES]):
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
def add_agents(
    swarm: Swarm, tree: PopulationTree, counts: NDArray[np.int64], node: int, n_agents: int
) -> None:
    """Fill an empty node with `n_agents` new agents, or fewer if the swarm is full."""
    first = counts[N_AGENTS]
    last = min(first + n_agents, len(swarm.node))
    for agent in range(first, last):
        swarm.node[agent] = node
        swarm.hypothesis[agent] = UNSET
        swarm.order[agent] = agent
    tree.first[node] = first
    tree.n_agents[node] = last - first
    counts[N_AGENTS] = last


@kernel
def sort_by_population(swarm: Swarm, tree: PopulationTree, counts: NDArray[np.int64]) -> None:
    """Sort the agents into `order`, population by population."""
    for node in range(counts[N_NODES]):
        tree.n_agents[node] = 0
    for agent in range(counts[N_AGENTS]):
        if swarm.node[agent] != NOWHERE:
            tree.n_agents[swarm.node[agent]] += 1
    following = 0
    for node in range(counts[N_NODES]):
        tree.first[node] = following
        following += tree.n_agents[node]
    for agent in range(counts[N_AGENTS]):
        node = swarm.node[agent]
        if node != NOWHERE:
            swarm.order[tree.first[node]] = agent
            tree.first[node] += 1
    for node in range(counts[N_NODES]):
        tree.first[node] -= tree.n_agents[node]
