"""sds-root, sds-tree: agents that support moves and recruit one another."""

from typing import Any, ClassVar

from topple.agents.agent import TIME, Agent
from topple.agents.sds_search import SdsSearch, room_for
from topple.agents.search import Search
from topple.compiling.specialise import Kernel
from topple.core.spec import Option
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels.populations import ACTIVELY, DUAL, FREE, NONE, PASSIVE, SENSITIVE
from topple.kernels.reallocation import ENTIRE_TREE, FIXED, LAYERS, Policy, reallocate_in_layers
from topple.kernels.sds import diffuse, examine_agents

DEEPEST = 256  # plies below the root at which no population lies, whatever the options

RECRUITMENTS = {"passive": PASSIVE, "active": ACTIVELY, "dual": DUAL}
RELATES = {"none": NONE, "free": FREE, "sensitive": SENSITIVE}
ALLOCATIONS = {"tree": ENTIRE_TREE, "layers": LAYERS, "fixed": FIXED}

AGENTS = Option("agents", 1000, int, "agents at the root", least=2, most=10_000_000)
ITERATIONS = 50  # where neither these nor time nor playouts are given
COMMON = (
    Option("iterations", None, int, f"of test and diffusion; {ITERATIONS} unless time or playouts "
           "are given", least=1, most=10**12),
    Option("playouts", None, int, "an end of the search after so many playouts", least=1,
           most=10**12),
    TIME,
    Option("recruitment", "passive", str, "who asks whom: the inactive, the active or both",
           choices=tuple(RECRUITMENTS)),
    Option("relate", "none", str, "which active agents are set free again: free or sensitive "
           "to the context", choices=tuple(RELATES)),
    Option("halting", "none", str, "stop once the leader's agents (strong) or the active ones "
           "(weak) stay about as many", choices=("none", "strong", "weak")),
    Option("tolerance", 0.02, float, "how much they may vary, as a share of the agents",
           least=0, most=1),
    Option("patience", 10, int, "for how many iterations", least=2, most=1_000_000),
    Option("memory", 256, int, "megabytes for agents and nodes", least=1, most=1_000_000),
)  # fmt: skip


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
    ALLOCATIONS: ClassVar[tuple[int, ...]] = (FIXED,)  # what may be chosen

    def policy(self) -> Policy:
        """How agents are recruited and allocated."""
        return self._policy(FIXED, depth=1, to_root=0, scattering=0.0)

    def _policy(self, allocation: int, depth: int, to_root: int, scattering: float) -> Policy:
        chosen = self.options
        return Policy(
            RECRUITMENTS[chosen["recruitment"]], RELATES[chosen["relate"]],
            allocation, chosen["agents"], depth, to_root, scattering,
        )  # fmt: skip

    @property
    def most_iterations(self) -> int | None:
        """After how many iterations the search ends."""
        names = ("iterations", "time", "playouts")
        if all(self.options[name] is None for name in names):
            return ITERATIONS
        chosen: int | None = self.options["iterations"]
        return chosen

    def check_game(self, game: Game) -> None:
        """Refuse more agents than the memory holds."""
        room_for(self.policy(), game.sizes.moves, self.options["memory"])

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Begin with agents that support nothing yet."""
        return SdsSearch(position, seed, self.policy(), self.most_iterations, self.options)

    def rehearse(self, game: Game) -> None:
        """Call every kernel in a tiny search of each allocation."""
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
        Option("agents", 1000, int, "in all (tree), in each layer or in each population (fixed)",
               least=2, most=10_000_000),
        *COMMON,
        Option("allocation", "tree", str, "where agents may go", choices=tuple(ALLOCATIONS)),
        Option("depth", 2, int, "moves of a hypothesis, in layers and fixed populations",
               least=1, most=DEEPEST),
        Option("backscatter", "parent", str, "where agents go that nobody asked",
               choices=("parent", "root")),
        Option("scattering", 0.2, float, "the chance that an active agent sends another ahead",
               least=0, most=1),
    )  # fmt: skip
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
