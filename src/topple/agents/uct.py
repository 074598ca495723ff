"""uct: Monte Carlo tree search with UCB1, proven results, RAVE, and evaluations as bias."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.agents.decision import return_interval
from topple.agents.interface import EVALUATION, TIME, WEIGHTS, Agent
from topple.agents.search import MEGABYTE
from topple.agents.tree_search import (
    LONGEST_PATH,
    KeptTrees,
    TreeSearch,
    make_tree,
    node_bytes,
)
from topple.compiling.logarithm import ln
from topple.compiling.rng import make_rng
from topple.core.spec import Option
from topple.game import Game, Position
from topple.kernels.uct import (
    ROOT,
    UctScratch,
    UctSettings,
    UctTree,
    copy_subtree,
    find_position,
    grow,
)
from topple.rules.interface import RUNNING

MOST_ITERATIONS = 2_000_000_000  # visits are counted in 32 bits
ITERATIONS = 1000  # if neither iterations nor time are given
N_ROOTS = 2048  # entries of the table of √(ln n)


class Uct(Agent):
    """Monte Carlo tree search."""

    NAME = "uct"
    SUMMARY = "grow a tree where random games say that it pays; prove wins and losses"
    OPTIONS = (
        Option(
            "iterations",
            None,
            int,
            f"simulations for each move; {ITERATIONS:,} unless time is given",
            least=1,
            most=MOST_ITERATIONS,
        ),
        TIME,
        Option("c", sqrt(2), float, "the weight of exploring in UCB1", least=0, most=1000),
        Option("solver", True, bool, "back up proven wins, draws and losses"),
        Option("keep", True, bool, "keep the tree between the moves of a game"),
        Option(
            "threads",
            1,
            int,
            "trees that grow in parallel and are added up; the answer depends on their number, "
            "not on their speed",
            least=1,
            most=64,
        ),
        Option(
            "memory",
            512,
            int,
            "megabytes for all trees; a full tree stops growing",
            least=1,
            most=1 << 20,
        ),
        Option(
            "rave",
            0.0,
            float,
            "visits at which a move's own games count as much as all games in which it was "
            "played; 0 is off",
            least=0,
            most=1e9,
        ),
        Option(
            "fpu",
            None,
            float,
            "the score, from 0 to 1, of a move that has not been tried; by default each is "
            "tried once first",
            least=-1000,
            most=1000,
        ),
        Option(
            "bias",
            0.0,
            float,
            "the weight of the evaluation, which fades with visits; 0 is off",
            least=0,
            most=1000,
        ),
        EVALUATION,
        WEIGHTS,
    )
    KERNELS = (grow, find_position, copy_subtree)
    PLAYS_CHANCE = True

    def check_game(self, game: Game) -> None:
        """Refuse a game that lacks the evaluation that the options ask for."""
        self.knowledge(game)

    def knowledge(self, game: Game) -> Any:
        """The evaluation, if the options ask for one."""
        wanted = self.options["bias"] > 0 or self.options["evaluation"] or self.options["weights"]
        return super().knowledge(game) if wanted else game.knowledge("none")

    def search(self, position: Position, seed: int, memory: object = None) -> "UctSearch":
        """Begin a search, reusing the last search's tree if it contains the position."""
        return UctSearch(self, position, seed, memory if isinstance(memory, KeptTrees) else None)

    def rehearse(self, game: Game) -> None:
        """Call every kernel: two searches, the second in the tree of the first."""
        tiny, position = Uct(iterations=4, memory=1), game.start()
        search = tiny.search(position, 0)
        search.advance(4)
        tiny.search(position.play(search.decision().move), 0, search.memory())


@cache
def logarithm_roots() -> NDArray[np.float64]:
    """√(ln n) for small n; the entry for n = 0 is never used."""
    return np.array([0.0, *(sqrt(ln(float(n))) for n in range(1, N_ROOTS))])


class UctSearch(TreeSearch):
    """One or several trees over one position."""

    def __init__(self, agent: Uct, position: Position, seed: int, memory: KeptTrees | None) -> None:
        options, game = agent.options, position.game
        self.game, self.position = game, position
        # With chance the tree knows nothing of what will be drawn, and there are no proofs.
        self.keep = options["keep"] and not game.has_chance
        self.settings = UctSettings(
            c=float(options["c"]),
            fpu=inf if options["fpu"] is None else float(options["fpu"]),
            rave=float(options["rave"]),
            bias=float(options["bias"]),
            solver=int(options["solver"] and not game.has_chance),
            roots=logarithm_roots(),
        )
        threads, iterations = options["threads"], options["iterations"]
        if iterations is None and options["time"] is None:
            iterations = ITERATIONS
        # The iterations are divided as evenly as possible among the trees.
        limit = MOST_ITERATIONS if iterations is None else iterations
        self.left = [(limit + i) // threads for i in reversed(range(threads))]
        self.timed = options["time"] is not None
        kinds = self._kinds
        # While the subtree to be kept is copied, both trees exist.
        n_trees = 2 * threads if self.keep else threads
        most = options["memory"] * MEGABYTE // node_bytes(**kinds) // n_trees
        self.most_nodes = min(max(most, 1 + game.sizes.moves), 2**31 - 1)
        self.trees = self._kept(memory) if memory is not None else []
        if not self.trees:
            self.trees = [make_tree(self._capacity(i, 1), **kinds) for i in range(threads)]
        self.scratches = [self._make_scratch(seed, i) for i in range(threads)]
        self.knowledge = [agent.knowledge(game) for _ in range(threads)]
        self.n_simulations = 0
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def _capacity(self, i: int, n_nodes: int) -> int:
        """The most nodes that a tree of `n_nodes` can grow to: a simulation expands one node."""
        nodes_added = self.game.sizes.moves + int(self.game.has_chance)
        return int(min(self.most_nodes, n_nodes + (self.left[i] + 1) * nodes_added))

    def _kept(self, memory: KeptTrees) -> list[UctTree]:
        """The subtrees of the last search below this position; empty if it is not in them."""
        kept: list[UctTree] = []
        nodes = memory.find(self.position)
        if nodes is None or len(nodes) != len(self.left):
            return kept
        for i, (tree, node) in enumerate(zip(memory.trees, nodes, strict=True)):
            below = 1 + int(tree.visits[node]) * self.game.sizes.moves
            capacity = self._capacity(i, min(int(tree.size[0]), below))
            kept.append(make_tree(capacity, **self._kinds))
            self.game.run(copy_subtree, tree, node, kept[i])
        return kept

    @property
    def _kinds(self) -> dict[str, bool]:
        """Which optional arrays the trees have."""
        return {
            "rave": self.settings.rave > 0,
            "bias": self.settings.bias > 0,
            "chance": self.game.has_chance,
        }

    def _make_scratch(self, seed: int, thread: int) -> UctScratch:
        game = self.game
        return UctScratch(
            root=game.scratch_state(self.position.state),
            state=game.scratch_state(),
            child=game.scratch_state(),
            moves=game.scratch_moves(),
            returns=np.zeros(game.n_players),
            path=np.zeros(LONGEST_PATH, dtype=np.int32),
            movers=np.zeros(LONGEST_PATH, dtype=np.int32),
            seen=np.zeros(game.n_players * game.sizes.moves, dtype=np.int64),
            counts=np.zeros(2, dtype=np.int64),
            rng=make_rng(seed, thread),
        )

    @property
    def is_done(self) -> bool:
        """Whether the iterations are used up, or the root is proven.

        With a limit of iterations every tree goes on to its own end, so that the
        answer does not depend on which thread is fastest.
        """
        proven = [tree.proof[ROOT] != RUNNING for tree in self.trees]
        if self.timed and any(proven):
            return True
        return all(known or left == 0 for known, left in zip(proven, self.left, strict=True))

    def advance(self, n: int) -> None:
        """Run n simulations in each tree."""
        threads = range(len(self.trees))
        if self.pool is None:
            done = [self._grow(0, n)]
        else:
            done = list(self.pool.map(self._grow, threads, [n] * len(self.trees)))
        self.n_simulations += sum(done)

    def _grow(self, i: int, n: int) -> int:
        """Run at most n simulations in one tree; returns how many were run."""
        n_done = int(
            self.game.run(
                grow,
                self.trees[i],
                self.scratches[i],
                self.settings,
                self.knowledge[i],
                self.game.sizes.state,
                min(n, self.left[i]),
            )
        )
        self.left[i] -= n_done
        return n_done

    def longest_path(self) -> int:
        """The most moves that a simulation has followed in a tree."""
        return max(int(scratch.counts[1]) for scratch in self.scratches)

    def interval(self, value: float, visits: int) -> tuple[float, float] | None:
        """The 95% interval of the mean of random games."""
        return return_interval(value, visits)
