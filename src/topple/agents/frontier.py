"""frontier: build a tree layer by layer, best nodes first, then resolve it by alpha-beta."""

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.agents.decision import DRAWN, LOST, WON, Candidate, Decision, Effort, with_shares
from topple.agents.interface import EVALUATION, TIME, WEIGHTS, Agent
from topple.agents.search import MEGABYTE, Search, lazy_zeros
from topple.core.spec import Option
from topple.game.position import Position
from topple.kernels.frontier import (
    FULL,
    LOSS,
    MAX,
    NEXT,
    NODES,
    OVER,
    ROOT,
    WIN,
    FrontierPath,
    FrontierTree,
    expand,
    resolve,
    summarise,
)

DEFAULT_NODES = 100_000
CLOSING = 1.3e-8  # seconds per node to resolve the tree
ORDERING = 1.2e-8  # seconds per node to sort a layer
AT_ONCE = 1 << 16  # nodes that one call of the kernel may create
NODE_BYTES = 64  # 40 in the tree, 24 for sorting in between
TREE_KINDS: tuple[Any, ...] = (*[np.int32] * 7, np.float64, *[np.int8] * 4)
PATH_KINDS: tuple[Any, ...] = (*[np.int32] * 2, *[np.float64] * 3)
PROVEN = {LOSS: LOST, 0: DRAWN, WIN: WON}

OPTIONS = (
    TIME,
    Option(
        "nodes",
        None,
        int,
        "nodes of the tree; 100,000 if no other limit is given",
        least=2,
        most=1_000_000_000,
    ),
    Option("depth", None, int, "moves to look ahead", least=1, most=10_000),
    Option("width", 10_000, int, "nodes of one depth to expand", least=1, most=1_000_000_000),
    Option(
        "game_time",
        None,
        float,
        "seconds for all own moves of a game",
        least=0.001,
        most=86_400,
    ),
    Option("turns", 172, int, "own moves among which to divide game_time", least=1, most=1_000_000),
    Option(
        "priority",
        "max",
        str,
        "whose best nodes are expanded first: the searching player's, or those of whoever "
        "moved there",
        choices=("max", "mover"),
    ),
    Option(
        "resolve",
        "alphabeta",
        str,
        "how the tree is searched",
        choices=("alphabeta", "minimax"),
    ),
    Option("skip", True, bool, "leave out moves that the game's rules mark as useless"),
    Option("memory", 1024, int, "megabytes, at most", least=1, most=1_000_000),
    EVALUATION,
    WEIGHTS,
)


class GameClock(NamedTuple):
    """How much of its time for a game a player has used.

    >>> GameClock(seconds=80.0, turns=22).share(180.0, 72)
    2.0
    """

    seconds: float = 0.0
    turns: int = 0

    def share(self, game_time: float, n_turns: int) -> float:
        """Seconds for the next move: the remaining time divided by the remaining turns.

        Once a game has lasted `n_turns`, each further move may use all the remaining time.
        """
        left = max(game_time - self.seconds, 0.0)
        return left / max(n_turns - self.turns, 1)

    def after(self, seconds: float) -> "GameClock":
        """The clock after a move that took `seconds`."""
        return GameClock(self.seconds + seconds, self.turns + 1)


class Frontier(Agent):
    """Builds a tree breadth first, then searches it.

    The nodes of each depth are expanded in the order of their evaluation, at most
    `width` of them, and their children form the next depth; the other nodes stay
    leaves. When a limit is reached, the tree is searched by alpha-beta.
    """

    NAME = "frontier"
    SUMMARY = "build a tree layer by layer, best nodes first, then search it by alpha-beta"
    OPTIONS = OPTIONS
    KERNELS = (expand, resolve, summarise)
    MOST_PLAYERS = 2

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Begin a tree that consists of the position and its moves."""
        return FrontierSearch(self, position, memory)

    def time_for_move(self, position: Position, memory: object) -> float | None:
        """The time for a move, at most its share of the time for the game."""
        seconds = super().time_for_move(position, memory)
        if self.options["game_time"] is None:
            return seconds
        clock = memory if isinstance(memory, GameClock) else GameClock()
        share = clock.share(self.options["game_time"], self.options["turns"])
        return share if seconds is None else min(seconds, share)

    def node_limit(self) -> int:
        """How many nodes the options allow the tree to have."""
        in_memory: int = self.options["memory"] * MEGABYTE // 2 // NODE_BYTES
        nodes: int | None = self.options["nodes"]
        if nodes is None and not any(
            self.options[name] is not None for name in ("time", "depth", "game_time")
        ):
            nodes = DEFAULT_NODES
        return in_memory if nodes is None else min(nodes, in_memory)

    def width_limit(self, n_state: int) -> int:
        """How many nodes of a depth may be expanded, since the memory must hold two layers."""
        in_memory: int = self.options["memory"] * MEGABYTE // 4 // (4 * n_state)
        width: int = self.options["width"]
        return max(1, min(width, in_memory))


class FrontierSearch(Search):
    """A growing tree. Nothing in it is random."""

    def __init__(self, agent: Frontier, position: Position, memory: object) -> None:
        game = self.game = position.game
        self.clock = memory if isinstance(memory, GameClock) else GameClock()
        self.began = None if agent.options["game_time"] is None else perf_counter()
        self.options = agent.options
        self.knowledge = agent.knowledge(game)
        self.player = position.player
        self.width = agent.width_limit(game.sizes.state)
        self.state, self.child, self.moves = (
            game.scratch_state(),
            game.scratch_state(),
            game.scratch_moves(),
        )
        self.n_visited = 0  # nodes that the last decision visited

        self.tree = make_tree(max(agent.node_limit(), 1 + game.sizes.moves))
        self.tree.turn[ROOT] = MAX
        self.progress = np.array([1, 0, 0], dtype=np.int64)
        self.depth = 0  # of the layer being expanded
        self.order = np.zeros(1, dtype=np.int64)
        self.above = np.array(position.state[None, :], dtype=np.int32)
        self.rows = self.above.copy()
        self.layer_end = 1  # index of its first child
        self._done = False
        self.limit = 1 + game.sizes.moves  # the root is always expanded
        self._expand(1)
        self.limit = agent.node_limit()
        self._begin_layer()

    @property
    def is_done(self) -> bool:
        """Whether a limit is reached, the tree is complete, or the result is proven."""
        return self._done

    @property
    def n_nodes(self) -> int:
        """How many nodes the tree has."""
        return int(self.progress[NODES])

    def advance(self, n: int) -> None:
        """Create about n nodes, expanding whole nodes."""
        if self._layer_is_done:  # a separate step, since it may take long
            self._begin_layer()
            return
        goal = self.n_nodes + n
        while not self._done and not self._layer_is_done and self.n_nodes < goal:
            self._expand(min(goal - self.n_nodes, AT_ONCE))

    def _expand(self, n: int) -> None:
        """Create about n children of this layer's nodes, or notice that the limit is reached."""
        self.game.run(
            expand,
            self.tree,
            self.progress,
            self.order,
            self.above,
            self.rows,
            self.state,
            self.child,
            self.moves,
            self.knowledge,
            self.game.sizes.state,
            self.player,
            self.depth + 1,
            self.limit,
            n,
            self.options["skip"],
        )
        self._done = bool(self.progress[FULL])

    @property
    def _layer_is_done(self) -> bool:
        return not self._done and int(self.progress[NEXT]) == len(self.order)

    def _begin_layer(self) -> None:
        """Start the next depth, once this one is fully expanded."""
        self.game.run(summarise, self.tree, self.n_nodes)
        is_proven = self.tree.lowest[ROOT] == self.tree.highest[ROOT]
        order = self._ordered(self.layer_end, self.n_nodes)
        if is_proven or self.depth + 1 == self.options["depth"] or not len(order):
            self._done = True
            return
        self.depth += 1
        self.order, self.layer_end = order, self.n_nodes
        self.progress[NEXT] = 0
        self.above = self.rows
        self.rows = np.zeros((len(order), self.game.sizes.state), dtype=np.int32)

    def _ordered(self, first: int, end: int) -> NDArray[np.int64]:
        """The nodes of a layer to expand, most promising first."""
        nodes = first + np.flatnonzero(self.tree.turn[first:end] != OVER)
        promise = self.tree.value[nodes]
        if self.options["priority"] == "mover":
            by_max = self.tree.turn[self.tree.parent[nodes]] == MAX
            promise = np.where(by_max, promise, -promise)
        return nodes[best_first(promise, self.width)]

    def decision(self) -> Decision:
        """Resolve the tree as it is now."""
        tree, prunes = self.tree, self.options["resolve"] == "alphabeta"
        self.game.run(summarise, tree, self.n_nodes)
        path = make_path(self.depth + 3)
        self.n_visited = self.game.run(resolve, tree, ROOT, path, prunes)
        value, best = float(path.best[0]), int(tree.reply[ROOT])
        variation = self._variation()
        # Alpha-beta finds only bounds for the other moves, so each is resolved by itself.
        values = {}
        for child in range(int(tree.first[ROOT]), int(tree.first[ROOT] + tree.n_children[ROOT])):
            self.game.run(resolve, tree, child, path, prunes)
            values[child] = float(path.best[0])
        ranked = sorted(values, key=lambda child: (child != best, -values[child]))
        candidates = with_shares([self._candidate(child, values[child]) for child in ranked])
        effort = Effort(nodes=self.n_nodes, depth=self._depth_reached())
        move = int(tree.move[best])
        return Decision(move, value, candidates, variation, effort, self._proven(ROOT))

    def _candidate(self, child: int, value: float) -> Candidate:
        visits = 1 + int(self.tree.below[child])
        proven = self._proven(child)
        return Candidate(int(self.tree.move[child]), value, visits, proven=proven)

    def _proven(self, node: int) -> str | None:
        lowest, highest = int(self.tree.lowest[node]), int(self.tree.highest[node])
        return PROVEN[lowest] if lowest == highest else None

    def _variation(self) -> tuple[int, ...]:
        """The line of best play down to a leaf."""
        node, moves = ROOT, []
        while self.tree.n_children[node]:
            node = int(self.tree.reply[node])
            moves.append(int(self.tree.move[node]))
        return tuple(moves)

    def _depth_reached(self) -> int:
        return self.depth + (self.n_nodes > self.layer_end)

    def closing_time(self) -> float:
        """The times to resolve the tree and to sort a layer, both proportional to its size."""
        return (CLOSING + ORDERING * self._layer_is_done) * self.n_nodes

    def memory(self) -> object:
        """The player's clock; None if no time was set for the game."""
        if self.began is None:
            return None
        return self.clock.after(perf_counter() - self.began)


def best_first(promise: NDArray[np.float64], n: int) -> NDArray[np.int64]:
    """The indices of the n largest numbers, largest first; equal numbers keep their order.

    >>> best_first(np.array([1.0, 3.0, 1.0, 2.0, 1.0]), 4).tolist()
    [1, 3, 0, 2]
    """
    if len(promise) <= n:
        return np.argsort(-promise, kind="stable")
    edge = np.partition(promise, -n)[-n]  # faster than sorting the whole of a wide layer
    above = np.flatnonzero(promise > edge)
    level = np.flatnonzero(promise == edge)[: n - len(above)]
    return np.concatenate([above[np.argsort(-promise[above], kind="stable")], level])


def make_tree(n: int) -> FrontierTree:
    """A tree with space for n nodes."""
    return FrontierTree(*(lazy_zeros(n, kind) for kind in TREE_KINDS))


def make_path(n: int) -> FrontierPath:
    """A path with space for n nodes."""
    return FrontierPath(*(np.zeros(n, dtype=kind) for kind in PATH_KINDS))
