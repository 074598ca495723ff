"""Reallocation of agents to where they are needed: within a layer, or in the entire tree.

Section numbers are those of Tanay's thesis "Game-tree exploration using
stochastic diffusion search" (2012).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel
from topple.kernels.diffusion.population import (
    ACTIVE,
    INACTIVE,
    NOWHERE,
    UNSET,
    Swarm,
    draw_chance,
    other_agent,
)
from topple.kernels.diffusion.tree import (
    N_AGENTS,
    N_NODES,
    NO_NODE,
    ROOT,
    PopulationTree,
    free_empty_nodes,
    new_node,
    sort_by_population,
)
from topple.kernels.moves import is_legal, play_move, renew_chance
from topple.rules.interface import (
    FAILED,
    RUNNING,
    STATUS,
    Moves,
    State,
    chance_at,
    copy_position,
    legal_moves,
)

FIXED, LAYERS, ENTIRE_TREE = 0, 1, 2  # how agents are allocated


class Policy(NamedTuple):
    """The parameters that section 4.3 and chapter 3 leave open."""

    recruitment: int
    relate: int
    allocation: int
    agents: int  # in total, per layer or per population
    depth: int  # populations are fewer plies than this below the root
    to_root: int  # 1 if agents that were not contacted go back to the root, else to the parent
    scattering: float  # the probability that an active agent sends an inactive one ahead


@kernel
def is_playable(board: Any, state: State, moves: Moves, hypothesis: int) -> bool:
    """Whether a hypothesis is a move that can be played here.

    After other draws it may not be: nodes are told apart by the moves that lead to them.
    """
    if hypothesis == UNSET:
        return False
    return chance_at(board) == 0 or is_legal(board, state, moves, hypothesis)


@kernel
def walk(
    board: Any,
    state: State,
    rng: Rng,
    moves: Moves,
    swarm: Swarm,
    tree: PopulationTree,
    counts: NDArray[np.int64],
    layer: int,
) -> int:
    """Walk down to a node of a layer as hypotheses are formed; returns the node or NOWHERE.

    `state` is the root's position and is changed. At an empty population the move is
    random. Returns NOWHERE if the game ends on the way or the memory is full.
    """
    node = ROOT
    for _ in range(layer):
        agent = NOWHERE
        if tree.n_agents[node] > 0:
            agent = swarm.order[tree.first[node] + below(rng, tree.n_agents[node])]
        if agent == NOWHERE or not is_playable(board, state, moves, swarm.hypothesis[agent]):
            move = moves[below(rng, legal_moves(board, state, moves))]
            if agent != NOWHERE:
                swarm.hypothesis[agent] = move
        else:
            move = swarm.hypothesis[agent]
        play_move(board, state, move)
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
    tree: PopulationTree,
    counts: NDArray[np.int64],
    policy: Policy,
) -> int:
    """Move agents that were not contacted to another population of their layer (4.3.1).

    The deepest layer comes first, so that the populations above it are still in order.
    Returns 0, or FAILED. Changes `swarm`, `tree`, `counts` and `rng`; `state` and `moves`
    are scratch space.
    """
    for i in range(counts[N_AGENTS] - policy.agents):
        agent = counts[N_AGENTS] - 1 - i
        if swarm.contacted[agent]:
            continue
        copy_position(root, state, n_state)
        renew_chance(board, state, rng)
        found = walk(board, state, rng, moves, swarm, tree, counts, agent // policy.agents)
        if state[STATUS] == FAILED:
            return FAILED
        if found != NOWHERE and found != swarm.node[agent]:
            swarm.node[agent] = found
            swarm.hypothesis[agent] = UNSET
            swarm.active[agent] = INACTIVE
    sort_by_population(swarm, tree, counts)
    free_empty_nodes(tree, counts)
    return 0


@kernel
def backscatter(
    swarm: Swarm, tree: PopulationTree, counts: NDArray[np.int64], to_root: int
) -> None:
    """Move agents that were not contacted back to the parent or to the root (4.3.2, 1)."""
    for agent in range(counts[N_AGENTS]):
        if not swarm.contacted[agent]:
            node = swarm.node[agent]
            swarm.node[agent] = ROOT if to_root else tree.parent[node]
            swarm.hypothesis[agent] = UNSET
            swarm.active[agent] = INACTIVE
    sort_by_population(swarm, tree, counts)


@kernel
def scatter(
    swarm: Swarm, tree: PopulationTree, counts: NDArray[np.int64], rng: Rng, policy: Policy
) -> None:
    """Let active agents send inactive ones to the node of their hypothesis (4.3.2, 2).

    Each active agent asks another one. With the probability of scattering (5.2.3) the
    other one goes there, if it is inactive and has not gone already.
    """
    for node in range(counts[N_NODES]):  # new children are visited too, but have no agents yet
        n = tree.n_agents[node]
        if n < 2 or tree.depth[node] + 1 >= policy.depth:
            continue
        for place in range(tree.first[node], tree.first[node] + n):
            agent = swarm.order[place]
            if swarm.active[agent] == INACTIVE or swarm.final[agent]:
                continue
            other = other_agent(swarm, tree.first[node], n, place, rng)
            if swarm.active[other] == ACTIVE or swarm.node[other] != node:
                continue
            if not draw_chance(rng, policy.scattering):
                continue
            child = tree.children[node, swarm.hypothesis[agent]]
            if child == NO_NODE:
                child = new_node(tree, counts, node, swarm.hypothesis[agent])
            if child != NO_NODE:
                swarm.node[other] = child
                swarm.hypothesis[other] = UNSET
    sort_by_population(swarm, tree, counts)
    free_empty_nodes(tree, counts)
