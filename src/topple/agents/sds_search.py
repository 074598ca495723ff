"""A stochastic diffusion search under way."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.agents.decision import Candidate, Decision, Effort, return_interval
from topple.agents.lazy import lazy_zeros
from topple.agents.search import MEGABYTE, Search
from topple.compiling.rng import make_rng
from topple.core.errors import Unsupported
from topple.game.position import Position
from topple.kernels.population_tree import (
    BORN,
    DEAD,
    N_COUNTS,
    NO_NODE,
    NODES,
    PLAYOUTS,
    ROOT,
    TESTED,
    Tree,
)
from topple.kernels.populations import NOWHERE, UNSET, Swarm
from topple.kernels.reallocation import FIXED, LAYERS, Policy, reallocate_in_layers
from topple.kernels.sds import Statistics, diffuse, examine_agents

MOST_NODES = 1_000_000  # of a layer
MOST_AGENTS = 2**31 - 1  # that have a number
CLOSING = 1e-8  # seconds for each agent, when all are counted
AGENT_BYTES = 4 + 4 + 1 + 1 + 1 + 4  # one number of each array of `Swarm`
NODE_BYTES = 6 * 4  # of `Tree`, besides the children

Populations = dict[tuple[int, ...], dict[int, int]]


class SdsSearch(Search):
    """Iterations of test and diffusion. A unit of work is a playout.

    To watch the populations, set `recording` to an empty list before the search
    advances: it gets what `populations` says after the test of each iteration.
    """

    def __init__(
        self,
        position: Position,
        seed: int,
        policy: Policy,
        most_iterations: int | None,
        options: Mapping[str, Any],
    ) -> None:
        game = position.game
        self.position, self.game = position, game
        self.policy, self.options = policy, options
        self.most_iterations = most_iterations
        self.n_iterations = 0
        self.halted = False
        self.recording: list[Populations] | None = None
        self._levels: list[tuple[int, int]] = []  # what the halting criterion watches
        n_nodes, n_agents = room_for(policy, game.sizes.moves, options["memory"])
        self.swarm, self.tree = make_swarm(n_agents), make_tree(n_nodes, game.sizes.moves)
        self.counts = np.zeros(N_COUNTS, dtype=np.int64)
        self.statistics = Statistics(
            np.zeros(game.sizes.moves, dtype=np.int64),
            np.zeros(game.sizes.moves),
            np.zeros(policy.depth, dtype=np.int32),
            np.zeros(policy.depth, dtype=np.int32),
        )
        self._rng = make_rng(seed)
        self._room = (
            game.room(position.state), game.room(), game.sizes.state, self._rng, game.move_room(),
        )  # fmt: skip
        self._returns = np.zeros(game.n_players)
        self._tie_break = make_rng(seed, 1)[0]
        self._settle()

    def _settle(self) -> None:
        """Put the agents at the root, those of other layers on nodes drawn at random."""
        n_agents = self.policy.agents
        is_layered = self.policy.allocation == LAYERS
        n_born = n_agents * (self.policy.depth if is_layered else 1)
        self.swarm.hypothesis[:n_born] = UNSET
        self.swarm.node[n_agents:n_born] = NOWHERE
        self.swarm.order[:n_agents] = np.arange(n_agents)
        self.tree.n_agents[ROOT] = n_agents
        self.counts[BORN], self.counts[NODES] = n_born, 1
        self._reallocate_in_layers()

    def _reallocate_in_layers(self) -> None:
        if self.policy.allocation == LAYERS:
            shared = (self.swarm, self.tree, self.counts, self.policy)
            self.game.run(reallocate_in_layers, *self._room, *shared)

    @property
    def is_done(self) -> bool:
        """Whether the iterations or playouts are spent, or the criterion has halted it."""
        most_playouts = self.options["playouts"]
        return (
            self.halted
            or self.n_iterations == self.most_iterations
            or (most_playouts is not None and self.n_playouts >= most_playouts)
        )

    @property
    def n_playouts(self) -> int:
        """The playouts so far."""
        return int(self.counts[PLAYOUTS])

    def closing_time(self) -> float:
        """Counting the agents takes time, where there are many."""
        return CLOSING * len(self.swarm.node)

    def advance(self, n: int) -> None:
        """Play n playouts, one for each root agent in turn."""
        while n > 0 and not self.is_done:
            part = min(n, int(self.tree.n_agents[ROOT] - self.counts[TESTED]))
            if self.options["playouts"] is not None:
                part = min(part, self.options["playouts"] - self.n_playouts)
            self.game.run(
                examine_agents, *self._room, self._returns, self.swarm, self.tree,
                self.statistics, self.counts, self.policy, part,
            )  # fmt: skip
            n -= part
            if self.counts[TESTED] == self.tree.n_agents[ROOT]:
                self._end_iteration()

    def _end_iteration(self) -> None:
        if self.recording is not None:
            self.recording.append(self.populations())
        self._watch()
        self._reallocate_in_layers()
        self.game.run(diffuse, self._rng, self.swarm, self.tree, self.counts, self.policy)
        self.n_iterations += 1

    def _watch(self) -> None:
        """Hold the criterion of section 3.2.2 against the iteration that was tested."""
        halting = self.options["halting"]
        if halting == "none":
            return
        n_agents = self.policy.agents
        if halting == "strong":
            support = self.support(ROOT)
            leader = int(support.argmax())
            self._levels.append((leader, int(support[leader])))
        else:
            n_agents = int(self.counts[BORN])
            active = int(np.count_nonzero(self.swarm.active[:n_agents]))
            self._levels.append((0, active))
        del self._levels[: -self.options["patience"]]
        leaders, levels = zip(*self._levels, strict=True)
        bound = self.options["tolerance"] * n_agents
        self.halted = (
            len(levels) == self.options["patience"]
            and len(set(leaders)) == 1
            and max(levels) - min(levels) <= bound
        )

    def support(self, node: int) -> NDArray[np.int64]:
        """How many agents of a node's population support each move, shape (moves,)."""
        first, n = self.tree.first[node], self.tree.n_agents[node]
        supported = self.swarm.hypothesis[self.swarm.order[first : first + n]]
        return np.bincount(supported[supported != UNSET], minlength=self.game.sizes.moves)

    def populations(self) -> Populations:
        """How many agents support each move in each population.

        The moves that lead to a population are its key. Agents that support
        nothing yet are counted under UNSET.
        """
        found: Populations = {}
        for node in range(int(self.counts[NODES])):
            first, n = int(self.tree.first[node]), int(self.tree.n_agents[node])
            if self.tree.depth[node] != DEAD and n:
                supported = self.swarm.hypothesis[self.swarm.order[first : first + n]]
                found[self._moves_to(node)] = dict(sorted(Counter(supported.tolist()).items()))
        return found

    def _moves_to(self, node: int) -> tuple[int, ...]:
        moves: list[int] = []
        while node != ROOT:
            moves.append(int(self.tree.move[node]))
            node = int(self.tree.parent[node])
        return tuple(reversed(moves))

    def decision(self) -> Decision:
        """The move that most root agents support; then the better mean, then the seed's choice."""
        visits, support = self.statistics.visits, self.support(ROOT)
        n_agents = int(self.tree.n_agents[ROOT])
        means = self.statistics.totals / np.maximum(visits, 1)
        candidates = [
            Candidate(
                move, float(means[move]), int(visits[move]), float(support[move]) / n_agents,
                return_interval(float(means[move]), int(visits[move])),
            )
            for move in self._rotated(self.position.legal_moves())
        ]  # fmt: skip
        candidates.sort(key=lambda each: (-each.share, -each.value))
        best = candidates[0]
        return Decision(
            best.move, best.value, tuple(candidates), self._variation(best.move), self._effort()
        )

    def _rotated(self, moves: tuple[int, ...]) -> list[int]:
        """The moves from one on that the seed chooses, so that ties favour none."""
        first = int(self._tie_break) % len(moves)
        return [*moves[first:], *moves[:first]]

    def _variation(self, move: int) -> tuple[int, ...]:
        """The most supported moves, population by population."""
        variation, node = [move], int(self.tree.children[ROOT, move])
        while node != NO_NODE:
            support = self.support(node)
            if not support.any():
                break
            variation.append(int(support.argmax()))
            node = int(self.tree.children[node, variation[-1]])
        return tuple(variation)

    def _effort(self) -> Effort:
        n_nodes = int(self.counts[NODES])
        depths, sizes = self.tree.depth[:n_nodes], self.tree.n_agents[:n_nodes]
        inhabited = sizes > 0
        return Effort(
            simulations=self.n_playouts,
            nodes=int(np.count_nonzero(inhabited)),
            depth=int(depths[inhabited].max()) + 1,
        )


def room_for(policy: Policy, n_moves: int, megabytes: int) -> tuple[int, int]:
    """How many nodes and agents there is room for.

    Raises
    ------
    Unsupported
        If the memory does not hold the root's agents.
    """
    node_bytes = NODE_BYTES + 4 * n_moves
    if policy.allocation == FIXED:
        layers = range(policy.depth)
        n_nodes = sum(min(n_moves**layer, MOST_NODES) for layer in layers)
        n_nodes = min(n_nodes, megabytes * MEGABYTE // (node_bytes + policy.agents * AGENT_BYTES))
        n_agents = n_nodes * policy.agents
    else:
        n_agents = policy.agents * (policy.depth if policy.allocation == LAYERS else 1)
        left = megabytes * MEGABYTE - n_agents * AGENT_BYTES
        n_nodes = min(left // node_bytes, n_agents + 1)
    if n_nodes < 1 or n_agents > MOST_AGENTS:
        raise Unsupported(
            f"{policy.agents:,} agents do not fit into {megabytes:,} megabytes: "
            "take fewer agents or give more memory"
        )
    return n_nodes, n_agents


def make_swarm(n_agents: int) -> Swarm:
    """Room for so many agents."""
    node, hypothesis, order = (lazy_zeros(n_agents, np.int32) for _ in range(3))
    active, contacted, final = (lazy_zeros(n_agents, np.int8) for _ in range(3))
    return Swarm(node, hypothesis, active, contacted, final, order)


def make_tree(n_nodes: int, n_moves: int) -> Tree:
    """Room for so many nodes; pages that are never touched cost nothing."""
    parent, move, depth = (lazy_zeros(n_nodes, np.int32) for _ in range(3))
    n_children, first, n_agents = (lazy_zeros(n_nodes, np.int32) for _ in range(3))
    children = lazy_zeros(n_nodes * n_moves, np.int32).reshape(n_nodes, n_moves)
    return Tree(parent, move, depth, n_children, first, n_agents, children)
