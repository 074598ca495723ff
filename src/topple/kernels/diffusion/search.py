"""Stochastic diffusion search in a game tree: a population of agents at each node.

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
    Swarm,
    draw_chance,
    recruit,
    relate,
)
from topple.kernels.diffusion.reallocation import (
    ENTIRE_TREE,
    FIXED,
    Policy,
    backscatter,
    is_playable,
    scatter,
)
from topple.kernels.diffusion.tree import (
    N_AGENTS,
    N_NODES,
    NO_NODE,
    PLAYOUTS,
    ROOT,
    TESTED,
    PopulationTree,
    add_agents,
    new_node,
)
from topple.kernels.moves import play_move, play_out, renew_chance
from topple.rules.interface import (
    FAILED,
    PLAYER,
    RUNNING,
    STATUS,
    Moves,
    Returns,
    State,
    copy_position,
    legal_moves,
    outcome,
)


class RootStatistics(NamedTuple):
    """The results of playouts at the root, and scratch space for one test."""

    visits: NDArray[np.int64]  # shape (moves,)
    totals: Returns  # shape (moves,): the sum of returns of the player to move at the root
    path: NDArray[np.int32]  # shape (deepest,): the agents that formed the hypothesis
    movers: NDArray[np.int32]  # shape (deepest,): the players to move at their nodes


@kernel
def chance_of(value: float, n_players: int) -> float:
    """The probability that a return makes an agent active: 0 for a loss, 1/2, 1 for a win."""
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
    tree: PopulationTree,
    statistics: RootStatistics,
    counts: NDArray[np.int64],
    policy: Policy,
    agent: int,
) -> int:
    """Follow a root agent's move, then the move of a random agent at the next node, and so on.

    Plays the moves in `state`, and writes the agents and the players to move into
    `statistics`. Returns the number of agents. Changes `swarm`, `tree`, `counts` and `rng`.
    """
    node, length = ROOT, 0
    while True:
        if not is_playable(board, state, moves, swarm.hypothesis[agent]):
            swarm.hypothesis[agent] = moves[below(rng, legal_moves(board, state, moves))]
        move = swarm.hypothesis[agent]
        statistics.path[length] = agent
        statistics.movers[length] = state[PLAYER]
        length += 1
        swarm.contacted[agent] = 1
        play_move(board, state, move)
        swarm.final[agent] = state[STATUS] != RUNNING
        if state[STATUS] != RUNNING:
            return length
        child = tree.children[node, move]
        if child == NO_NODE and policy.allocation == FIXED and tree.depth[node] + 1 < policy.depth:
            child = new_node(tree, counts, node, move)
            if child != NO_NODE:
                add_agents(swarm, tree, counts, child, policy.agents)
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
    tree: PopulationTree,
    statistics: RootStatistics,
    counts: NDArray[np.int64],
    policy: Policy,
    n: int,
) -> int:
    """Test the next n root agents, one playout each; returns 0, or FAILED.

    Every agent that helped to form a hypothesis becomes active if the player to move at
    its node has won, else inactive (4.2.2). `state`, `moves` and `returns` are scratch space.
    """
    for place in range(counts[TESTED], counts[TESTED] + n):
        copy_position(root, state, n_state)
        renew_chance(board, state, rng)
        length = form_hypothesis(
            board, state, rng, moves, swarm, tree, statistics, counts, policy, swarm.order[place]
        )
        play_out(board, state, rng, moves)
        if state[STATUS] == FAILED:
            return FAILED
        outcome(board, state, returns)
        move = swarm.hypothesis[statistics.path[0]]
        statistics.visits[move] += 1
        statistics.totals[move] += returns[root[PLAYER]]
        for i in range(length):
            chance = chance_of(returns[statistics.movers[i]], len(returns))
            agent = statistics.path[i]
            swarm.active[agent] = ACTIVE if draw_chance(rng, chance) else INACTIVE
    counts[TESTED] += n
    counts[PLAYOUTS] += n
    return 0


@kernel
def diffuse(
    board: Any,
    rng: Rng,
    swarm: Swarm,
    tree: PopulationTree,
    counts: NDArray[np.int64],
    policy: Policy,
) -> int:
    """End an iteration: reallocate in the entire tree, then diffuse and relate everywhere.

    With allocation in layers the agents have been reallocated before. Returns 0.
    """
    if policy.allocation == ENTIRE_TREE:
        backscatter(swarm, tree, counts, policy.to_root)
        if policy.scattering > 0.0:
            scatter(swarm, tree, counts, rng, policy)
    for node in range(counts[N_NODES]):
        n = tree.n_agents[node]
        if n > 0:
            recruit(swarm, tree.first[node], n, rng, policy.recruitment)
            relate(swarm, tree.first[node], n, rng, policy.relate)
    for agent in range(counts[N_AGENTS]):
        swarm.contacted[agent] = 0
    counts[TESTED] = 0
    return 0
