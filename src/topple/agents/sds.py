"""sds-root, sds-tree: agents that support moves and recruit one another."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from topple.agents.decision import Candidate, Decision, Effort, return_interval
from topple.agents.interface import TIME, Agent
from topple.agents.search import MEGABYTE, Search, lazy_zeros
from topple.compiling.rng import make_rng
from topple.compiling.specialise import Kernel
from topple.core.errors import Unsupported
from topple.core.spec import Option
from topple.game import Game, Position
from topple.kernels.diffusion.population import (
    ACTIVELY,
    DUAL,
    FREE,
    NONE,
    NOWHERE,
    PASSIVE,
    SENSITIVE,
    UNSET,
    Swarm,
)
from topple.kernels.diffusion.reallocation import (
    ENTIRE_TREE,
    FIXED,
    LAYERS,
    Policy,
    reallocate_in_layers,
)
from topple.kernels.diffusion.search import RootStatistics, diffuse, examine_agents
from topple.kernels.diffusion.tree import (
    DEAD,
    N_AGENTS,
    N_COUNTS,
    N_NODES,
    NO_NODE,
    PLAYOUTS,
    ROOT,
    TESTED,
    PopulationTree,
)

DEEPEST = 256  # populations are less than this many plies below the root

RECRUITMENTS = {"passive": PASSIVE, "active": ACTIVELY, "dual": DUAL}
RELATES = {"none": NONE, "free": FREE, "sensitive": SENSITIVE}
ALLOCATIONS = {"tree": ENTIRE_TREE, "layers": LAYERS, "fixed": FIXED}

AGENTS = Option("agents", 1000, int, "agents at the root", least=2, most=10_000_000)
ITERATIONS = 50  # if neither iterations nor time nor playouts are given
COMMON = (
    Option(
        "iterations",
        None,
        int,
        f"of test and diffusion; {ITERATIONS} unless time or playouts are given",
        least=1,
        most=10**12,
    ),
    Option("playouts", None, int, "playouts after which the search ends", least=1, most=10**12),
    TIME,
    Option(
        "recruitment",
        "passive",
        str,
        "who asks whom: the inactive, the active or both",
        choices=tuple(RECRUITMENTS),
    ),
    Option(
        "relate",
        "none",
        str,
        "which active agents are set free again: free or sensitive to the context",
        choices=tuple(RELATES),
    ),
    Option(
        "halting",
        "none",
        str,
        "stop once the number of the leader's agents (strong) or of the active agents (weak) "
        "is stable",
        choices=("none", "strong", "weak"),
    ),
    Option(
        "tolerance",
        0.02,
        float,
        "how much that number may vary, as a share of the agents",
        least=0,
        most=1,
    ),
    Option("patience", 10, int, "iterations for which it must be stable", least=2, most=1_000_000),
    Option("memory", 256, int, "megabytes for agents and nodes", least=1, most=1_000_000),
)

MOST_NODES = 1_000_000  # of one layer
MOST_AGENTS = 2**31 - 1  # since they are numbered with 32 bits
CLOSING = 1e-8  # seconds per agent to count them all
AGENT_BYTES = 4 + 4 + 1 + 1 + 1 + 4  # one element of each array of `Swarm`
NODE_BYTES = 6 * 4  # of `PopulationTree`, without the children

Populations = dict[tuple[int, ...], dict[int, int]]


class SdsRoot(Agent):
    """Stochastic diffusion search over the moves of the position.

    References
    ----------
    Sections 3.2 and 5.2.2 of Tanay, "Game-tree exploration using stochastic
    diffusion search" (2012).
    """

    NAME = "sds-root"
    SUMMARY = "agents try moves by random games, and those that lose follow those that win"
    OPTIONS: ClassVar[tuple[Option, ...]] = (AGENTS, *COMMON)
    KERNELS: ClassVar[tuple[Kernel, ...]] = (examine_agents, diffuse)
    PLAYS_CHANCE = True
    ALLOCATIONS: ClassVar[tuple[int, ...]] = (FIXED,)  # that the options can choose

    def policy(self) -> Policy:
        """How agents are recruited and allocated."""
        return self._policy(FIXED, depth=1, to_root=0, scattering=0.0)

    def _policy(self, allocation: int, depth: int, to_root: int, scattering: float) -> Policy:
        chosen = self.options
        return Policy(
            RECRUITMENTS[chosen["recruitment"]],
            RELATES[chosen["relate"]],
            allocation,
            chosen["agents"],
            depth,
            to_root,
            scattering,
        )

    @property
    def most_iterations(self) -> int | None:
        """How many iterations end the search; None for no limit."""
        names = ("iterations", "time", "playouts")
        if all(self.options[name] is None for name in names):
            return ITERATIONS
        chosen: int | None = self.options["iterations"]
        return chosen

    def check_game(self, game: Game) -> None:
        """Refuse more agents than fit into the memory."""
        limits_in(self.policy(), game.sizes.moves, self.options["memory"])

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Begin with agents that do not support any move yet."""
        return SdsSearch(position, seed, self.policy(), self.most_iterations, self.options)

    def rehearse(self, game: Game) -> None:
        """Call every kernel, in a tiny search for each allocation."""
        tiny: dict[str, Any] = {**self.options, "playouts": None, "halting": "none"}
        for allocation in self.ALLOCATIONS:
            policy = self.policy()._replace(agents=2, depth=2, allocation=allocation)
            search = SdsSearch(game.start(), 0, policy, 2, tiny)
            search.advance(10)
            search.decision()


class SdsTree(SdsRoot):
    """Stochastic diffusion search with a population of agents at each node.

    References
    ----------
    Sections 4.2, 4.3 and 5.2 of Tanay, "Game-tree exploration using stochastic
    diffusion search" (2012).
    """

    NAME = "sds-tree"
    SUMMARY = "a population of agents at each node of the tree, all of them recruiting"
    OPTIONS = (
        Option(
            "agents",
            1000,
            int,
            "in all (tree), in each layer or in each population (fixed)",
            least=2,
            most=10_000_000,
        ),
        *COMMON,
        Option("allocation", "tree", str, "where agents may go", choices=tuple(ALLOCATIONS)),
        Option(
            "depth",
            2,
            int,
            "moves of a hypothesis, in layers and fixed populations",
            least=1,
            most=DEEPEST,
        ),
        Option(
            "backscatter",
            "parent",
            str,
            "where agents go that no other agent has contacted",
            choices=("parent", "root"),
        ),
        Option(
            "scattering",
            0.2,
            float,
            "the chance that an active agent sends another ahead",
            least=0,
            most=1,
        ),
    )
    KERNELS = (examine_agents, diffuse, reallocate_in_layers)
    ALLOCATIONS = (ENTIRE_TREE, LAYERS)

    def policy(self) -> Policy:
        """How agents are recruited and allocated."""
        chosen = self.options
        allocation = ALLOCATIONS[chosen["allocation"]]
        return self._policy(
            allocation,
            depth=DEEPEST if allocation == ENTIRE_TREE else chosen["depth"],
            to_root=int(chosen["backscatter"] == "root"),
            scattering=chosen["scattering"],
        )


class SdsSearch(Search):
    """Iterations of test and diffusion. A unit of work is a playout.

    To record the populations, set `recording` to an empty list before the search
    advances; the result of `populations` is appended after the test phase of each
    iteration.
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
        self._levels: list[tuple[int, int]] = []  # the input of the halting criterion
        n_nodes, n_agents = limits_in(policy, game.sizes.moves, options["memory"])
        self.swarm, self.tree = make_swarm(n_agents), make_tree(n_nodes, game.sizes.moves)
        self.counts = np.zeros(N_COUNTS, dtype=np.int64)
        self.statistics = RootStatistics(
            np.zeros(game.sizes.moves, dtype=np.int64),
            np.zeros(game.sizes.moves),
            np.zeros(policy.depth, dtype=np.int32),
            np.zeros(policy.depth, dtype=np.int32),
        )
        self._rng = make_rng(seed)
        self._scratch = (
            game.scratch_state(position.state),
            game.scratch_state(),
            game.sizes.state,
            self._rng,
            game.scratch_moves(),
        )
        self._returns = np.zeros(game.n_players)
        self._tie_break = make_rng(seed, 1)[0]
        self._place_agents()

    def _place_agents(self) -> None:
        """Place agents at the root, and those of other layers at randomly drawn nodes."""
        n_agents = self.policy.agents
        is_layered = self.policy.allocation == LAYERS
        n_born = n_agents * (self.policy.depth if is_layered else 1)
        self.swarm.hypothesis[:n_born] = UNSET
        self.swarm.node[n_agents:n_born] = NOWHERE
        self.swarm.order[:n_agents] = np.arange(n_agents)
        self.tree.n_agents[ROOT] = n_agents
        self.counts[N_AGENTS], self.counts[N_NODES] = n_born, 1
        self._reallocate_in_layers()

    def _reallocate_in_layers(self) -> None:
        if self.policy.allocation == LAYERS:
            shared = (self.swarm, self.tree, self.counts, self.policy)
            self.game.run(reallocate_in_layers, *self._scratch, *shared)

    @property
    def is_done(self) -> bool:
        """Whether the iterations or playouts are used up, or the halting criterion holds."""
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
        """The time to count the agents."""
        return CLOSING * len(self.swarm.node)

    def advance(self, n: int) -> None:
        """Play n playouts, one for each root agent in turn."""
        while n > 0 and not self.is_done:
            part = min(n, int(self.tree.n_agents[ROOT] - self.counts[TESTED]))
            if self.options["playouts"] is not None:
                part = min(part, self.options["playouts"] - self.n_playouts)
            self.game.run(
                examine_agents,
                *self._scratch,
                self._returns,
                self.swarm,
                self.tree,
                self.statistics,
                self.counts,
                self.policy,
                part,
            )
            n -= part
            if self.counts[TESTED] == self.tree.n_agents[ROOT]:
                self._end_iteration()

    def _end_iteration(self) -> None:
        if self.recording is not None:
            self.recording.append(self.populations())
        self._check_halting()
        self._reallocate_in_layers()
        self.game.run(diffuse, self._rng, self.swarm, self.tree, self.counts, self.policy)
        self.n_iterations += 1

    def _check_halting(self) -> None:
        """Apply the halting criterion of section 3.2.2 after the test phase."""
        halting = self.options["halting"]
        if halting == "none":
            return
        n_agents = self.policy.agents
        if halting == "strong":
            support = self.support(ROOT)
            leader = int(support.argmax())
            self._levels.append((leader, int(support[leader])))
        else:
            n_agents = int(self.counts[N_AGENTS])
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
        """How many agents support each move, by population.

        The key of a population is the sequence of moves that leads to it. Agents
        that support no move yet are counted under UNSET.
        """
        found: Populations = {}
        for node in range(int(self.counts[N_NODES])):
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
        """The move most root agents support; ties go to the better mean, then to the seed."""
        visits, support = self.statistics.visits, self.support(ROOT)
        n_agents = int(self.tree.n_agents[ROOT])
        means = self.statistics.totals / np.maximum(visits, 1)
        candidates = [
            Candidate(
                move,
                float(means[move]),
                int(visits[move]),
                float(support[move]) / n_agents,
                return_interval(float(means[move]), int(visits[move])),
            )
            for move in self._rotated(self.position.legal_moves())
        ]
        candidates.sort(key=lambda each: (-each.share, -each.value))
        best = candidates[0]
        return Decision(
            best.move, best.value, tuple(candidates), self._variation(best.move), self._effort()
        )

    def _rotated(self, moves: tuple[int, ...]) -> list[int]:
        """The moves, rotated by an amount that depends on the seed, so that ties favour none."""
        first = int(self._tie_break) % len(moves)
        return [*moves[first:], *moves[:first]]

    def _variation(self, move: int) -> tuple[int, ...]:
        """The most supported move of each population, from the root down."""
        variation, node = [move], int(self.tree.children[ROOT, move])
        while node != NO_NODE:
            support = self.support(node)
            if not support.any():
                break
            variation.append(int(support.argmax()))
            node = int(self.tree.children[node, variation[-1]])
        return tuple(variation)

    def _effort(self) -> Effort:
        n_nodes = int(self.counts[N_NODES])
        depths, sizes = self.tree.depth[:n_nodes], self.tree.n_agents[:n_nodes]
        inhabited = sizes > 0
        return Effort(
            simulations=self.n_playouts,
            nodes=int(np.count_nonzero(inhabited)),
            depth=int(depths[inhabited].max()) + 1,
        )


def limits_in(policy: Policy, n_moves: int, megabytes: int) -> tuple[int, int]:
    """How many nodes and agents fit into the memory.

    Raises
    ------
    Unsupported
        If not even the root's agents fit.
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
    """Arrays for `n_agents` agents."""
    node, hypothesis, order = (lazy_zeros(n_agents, np.int32) for _ in range(3))
    active, contacted, final = (lazy_zeros(n_agents, np.int8) for _ in range(3))
    return Swarm(node, hypothesis, active, contacted, final, order)


def make_tree(n_nodes: int, n_moves: int) -> PopulationTree:
    """Arrays for `n_nodes` nodes; pages that are never written to cost nothing."""
    parent, move, depth = (lazy_zeros(n_nodes, np.int32) for _ in range(3))
    n_children, first, n_agents = (lazy_zeros(n_nodes, np.int32) for _ in range(3))
    children = lazy_zeros(n_nodes * n_moves, np.int32).reshape(n_nodes, n_moves)
    return PopulationTree(parent, move, depth, n_children, first, n_agents, children)
