"""puct: tree search with a network's priors and values."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from topple.agents.interface import TIME, Agent
from topple.agents.net_options import NET
from topple.agents.search import MEGABYTE
from topple.agents.tree_search import KeptTrees, TreeSearch, make_tree, node_bytes
from topple.core.spec import Option
from topple.game import Game, Position
from topple.kernels.puct import (
    LONGEST,
    N_LEAVES,
    READY,
    PuctScratch,
    PuctSettings,
    back_up_leaves,
    evaluate_leaves,
    gather_leaves,
    grow_with_net,
    make_leaves,
)
from topple.kernels.uct import ROOT, UNEXPANDED, UctTree, copy_subtree, find_position
from topple.nets.forward import make_scratch
from topple.nets.shelf import net_for
from topple.rules.interface import RUNNING

ITERATIONS = 400  # if neither iterations nor time are given
MOST_ITERATIONS = 2_000_000_000  # visits are counted in 32 bits
LEAVES_PER_THREAD = 2
LONGEST_PATH = 2048  # moves from the root to a leaf
TREE_KINDS = {"rave": False, "bias": True, "net": True}


class Puct(Agent):
    """Tree search guided by a network."""

    NAME = "puct"
    SUMMARY = "grow a tree where a network sees promise; prove wins and losses"
    NEEDS_NET = True
    OPTIONS = (
        NET,
        Option(
            "iterations",
            None,
            int,
            f"simulations for each move; {ITERATIONS:,} unless time is given",
            least=1,
            most=MOST_ITERATIONS,
        ),
        TIME,
        Option("c", 0.9, float, "the weight of the network's priors", least=0, most=1000),
        Option(
            "fpu",
            0.1,
            float,
            "how much less than the moves tried a move promises that has not been tried",
            least=0,
            most=1,
        ),
        Option("solver", True, bool, "back up proven wins, draws and losses"),
        Option("keep", True, bool, "keep the tree between the moves of a game"),
        Option(
            "batch",
            None,
            int,
            "leaves that are collected before they are evaluated, which changes the answer; by "
            f"default 1 with one thread, else {LEAVES_PER_THREAD} a thread",
            least=1,
            most=1024,
        ),
        Option("threads", 1, int, "threads that evaluate the leaves of a batch", least=1, most=64),
        Option(
            "memory",
            512,
            int,
            "megabytes for the tree, which then stops growing",
            least=1,
            most=1 << 20,
        ),
    )
    KERNELS = (
        grow_with_net,
        gather_leaves,
        evaluate_leaves,
        back_up_leaves,
        find_position,
        copy_subtree,
    )

    def check_game(self, game: Game) -> None:
        """Refuse a game without a network that fits it."""
        super().check_game(game)
        net_for(game, self.options["net"])

    def search(self, position: Position, seed: int, memory: object = None) -> "PuctSearch":
        """Begin a search, reusing the last tree if it contains the position; no seed is used."""
        return PuctSearch(self, position, memory if isinstance(memory, KeptTrees) else None)

    def rehearse(self, game: Game) -> None:
        """Call every kernel: two searches, the second in the tree of the first."""
        position = game.start()
        for threads in (1, 2):
            options = {**self.options, "iterations": 4, "memory": 1, "threads": threads}
            search = Puct(**options).search(position, 0)
            search.advance(4)
            search.close()
        again = Puct(**options).search(position.play(search.decision().move), 0, search.memory())
        again.close()


class PuctSearch(TreeSearch):
    """A tree over one position, which a network helps to grow."""

    def __init__(self, agent: Puct, position: Position, memory: KeptTrees | None) -> None:
        options, game = agent.options, position.game
        self.game, self.position = game, position
        self.keep = options["keep"]
        self.settings = PuctSettings(
            float(options["c"]), float(options["fpu"]), int(options["solver"])
        )
        iterations, threads = options["iterations"], options["threads"]
        if iterations is None:
            iterations = ITERATIONS if options["time"] is None else MOST_ITERATIONS
        self.left = iterations
        n_leaves = options["batch"] or (1 if threads == 1 else LEAVES_PER_THREAD * threads)
        trained = net_for(game, options["net"])
        self.net, self.sight = trained.net, game.sight[1]
        self.net_scratches = [make_scratch(trained.design, game) for _ in range(threads)]
        n_trees = 2 if self.keep else 1  # while the subtree to be kept is copied, both exist
        most = options["memory"] * MEGABYTE // node_bytes(**TREE_KINDS) // n_trees
        self.most_nodes = min(max(most, 1 + game.sizes.moves), 2**31 - 1)
        self.trees = [self._begin_tree(memory)]
        self.scratch = self._make_scratch()
        self.leaves = make_leaves(game, min(n_leaves, self.left), LONGEST_PATH)
        self.n_simulations = 0
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    @property
    def tree(self) -> UctTree:
        """The only tree."""
        return self.trees[0]

    def _begin_tree(self, memory: KeptTrees | None) -> UctTree:
        """The subtree of the last search below this position, or an empty tree."""
        nodes = memory.find(self.position) if memory is not None else None
        if memory is None or nodes is None:
            return make_tree(self._capacity(1), **TREE_KINDS)
        before = memory.trees[0]
        below = 1 + int(before.visits[nodes[0]]) * self.game.sizes.moves
        tree = make_tree(self._capacity(min(int(before.size[0]), below)), **TREE_KINDS)
        self.game.run(copy_subtree, before, nodes[0], tree)
        return tree

    def _capacity(self, n_nodes: int) -> int:
        """The most nodes that a tree of `n_nodes` can grow to: a simulation expands one node."""
        return int(min(self.most_nodes, n_nodes + (self.left + 1) * self.game.sizes.moves))

    def _make_scratch(self) -> PuctScratch:
        game = self.game
        return PuctScratch(
            root=game.scratch_state(self.position.state),
            state=game.scratch_state(),
            returns=np.zeros(game.n_players),
            path=np.zeros(LONGEST_PATH, dtype=np.int32),
            movers=np.zeros(LONGEST_PATH, dtype=np.int32),
            counts=np.zeros(3, dtype=np.int64),
        )

    @property
    def is_done(self) -> bool:
        """Whether the iterations are used up, or the root is proven."""
        return self.left == 0 or bool(self.tree.proof[ROOT] != RUNNING)

    def advance(self, n: int) -> None:
        """Run n simulations, and never more than are left."""
        n = min(n, self.left)
        n_done = self._grow(n) if self.pool is None else self._grow_in_threads(n)
        self.left -= n_done
        self.n_simulations += n_done

    def _grow(self, n: int) -> int:
        """Run n simulations in this thread."""
        seen = (self.sight, self.net, self.net_scratches[0])
        n_state = self.game.sizes.state
        return int(self.game.run(grow_with_net, *self._parts, *seen, n_state, n, self.left))

    @property
    def _parts(self) -> tuple[Any, ...]:
        """What the kernels of a search have in common."""
        return self.tree, self.scratch, self.leaves, self.settings

    def _grow_in_threads(self, n: int) -> int:
        """Run n simulations; every thread evaluates a part of each batch."""
        game, n_done = self.game, 0
        while n_done < n and self.tree.proof[ROOT] == RUNNING:
            rest = (game.sizes.state, n - n_done, self.left - n_done)
            n_done += game.run(gather_leaves, *self._parts, *rest)
            if self.scratch.counts[READY]:
                self._end_batch()
        return n_done

    def _end_batch(self) -> None:
        """Evaluate the leaves that wait, in all threads, and back them up."""
        n, n_threads = int(self.scratch.counts[N_LEAVES]), len(self.net_scratches)
        bounds = [n * i // n_threads for i in range(n_threads + 1)]
        parts = (range(n_threads), bounds, bounds[1:])
        run_all = map if self.pool is None else self.pool.map
        list(run_all(self._evaluate, *parts))
        self.game.run(back_up_leaves, *self._parts)

    def _evaluate(self, thread: int, begin: int, end: int) -> None:
        scratch = self.net_scratches[thread]
        self.game.run(evaluate_leaves, self.leaves, self.sight, self.net, scratch, begin, end)

    def memory(self) -> object:
        """The tree, if the options say to keep it; no leaf of it waits."""
        if self.keep and self.scratch.counts[N_LEAVES]:
            self._end_batch()
        return super().memory()

    def longest_path(self) -> int:
        """The most moves that a simulation has followed."""
        return int(self.scratch.counts[LONGEST])

    def priors(self) -> dict[int, float]:
        """The network's probability of each move."""
        if self.tree.first[ROOT] <= UNEXPANDED:
            return {}
        first = int(self.tree.first[ROOT])
        children = slice(first, first + int(self.tree.n_children[ROOT]))
        moves: Sequence[int] = self.tree.move[children].tolist()
        return dict(zip(moves, self.tree.bias[children].tolist(), strict=True))
