"""uct: Monte Carlo tree search with UCB1, proofs, and what else has been found useful."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.agents.agent import EVALUATION, TIME, WEIGHTS, Agent
from topple.agents.decision import (
    DRAWN,
    LOST,
    WON,
    Candidate,
    Decision,
    Effort,
    return_interval,
)
from topple.agents.search import Search
from topple.game import Game
from topple.kernels.uct import (
    ROOT,
    UNEXPANDED,
    Room,
    Settings,
    Tree,
    find_position,
    grow,
    keep_subtree,
)
from topple.logarithm import ln
from topple.position import Position
from topple.rng import make_rng
from topple.rules import interface
from topple.rules.interface import PLAYER, RUNNING
from topple.spec import Option

ITERATIONS = 1000  # where neither iterations nor time are given
LONGEST_PATH = 10_000  # moves from the root to a leaf
N_ROOTS = 2048  # of logarithms that are looked up
FIRST_BLOCKS = 64  # blocks of children that a new tree has room for
MEGABYTE = 1 << 20


class Uct(Agent):
    """Monte Carlo tree search."""

    NAME = "uct"
    SUMMARY = "grow a tree where random games say that it pays; prove wins and losses"
    OPTIONS = (
        Option("iterations", None, int, f"simulations for each move; {ITERATIONS:,} unless time "
               "is given", least=1, most=10**12),
        TIME,
        Option("c", sqrt(2), float, "the weight of exploring in UCB1", least=0, most=1000),
        Option("solver", True, bool, "back up proven wins, draws and losses"),
        Option("keep", True, bool, "keep the tree between the moves of a game"),
        Option("threads", 1, int, "so many trees grow side by side and are added up; the answer "
               "depends on their number, not on their speed", least=1, most=64),
        Option("memory", 512, int, "megabytes for all trees; a full tree grows no further",
               least=1, most=1 << 20),
        Option("rave", 0.0, float, "visits at which a move's own games count as much as all "
               "games in which it was played; 0 is off", least=0, most=1e9),
        Option("fpu", None, float, "the score, from 0 to 1, of a move that has not been tried; "
               "by default each is tried once first", least=-1000, most=1000),
        Option("bias", 0.0, float, "the weight of the evaluation, which fades with visits; 0 is "
               "off", least=0, most=1000),
        EVALUATION,
        WEIGHTS,
    )  # fmt: skip
    KERNELS = (grow, find_position, keep_subtree)

    def check_game(self, game: Game) -> None:
        """Any game will do, unless an evaluation is wanted that it does not have."""
        self.knowledge(game)

    def knowledge(self, game: Game) -> Any:
        """The evaluation, if it is wanted."""
        wanted = self.options["bias"] > 0 or self.options["evaluation"] or self.options["weights"]
        return super().knowledge(game) if wanted else game.knowledge("none")

    def search(self, position: Position, seed: int, memory: object = None) -> "UctSearch":
        """Begin a search, in the tree of the last one if the position is found in it."""
        trees = memory.below(position) if isinstance(memory, Memory) else None
        return UctSearch(self, position, seed, trees)

    def warm(self, game: Game) -> None:
        """Compile or load what a search needs."""
        if all(kernel in game.kernels.called for kernel in self.KERNELS):
            return
        tiny = Uct(iterations=4, memory=1)
        position = game.start()
        search = tiny.search(position, 0)
        search.advance(4)
        Memory(position, search.trees).below(position.play(search.decision().move))


class Memory(NamedTuple):
    """The trees of a player's last move, and the position at their root."""

    position: Position
    trees: list[Tree]

    def below(self, position: Position) -> list[Tree] | None:
        """The part of each tree below a later position of the same game, if all have it."""
        if position.game is not self.position.game and position.game != self.position.game:
            return None
        kept = [self._keep(tree, position) for tree in self.trees]
        return None if any(tree is None for tree in kept) else [t for t in kept if t is not None]

    def _keep(self, tree: Tree, position: Position) -> Tree | None:
        game, depth = position.game, position.game.n_players
        states = np.zeros((depth + 1, game.sizes.state + game.sizes.work), dtype=np.int32)
        states[depth, : game.sizes.state] = self.position.state
        wanted = game.room(position.state)
        found = game.run(
            find_position, tree, states, game.sizes.state, game.move_room(), wanted, ROOT, depth
        )
        if found <= ROOT:  # the same position again is searched afresh
            return None
        # A visit expands one node at most.
        n_nodes = min(int(tree.size[0]), 1 + int(tree.visits[found]) * game.sizes.moves)
        kept = make_tree(n_nodes, rave=len(tree.rave_visits) > 1, bias=len(tree.bias) > 1)
        game.run(keep_subtree, tree, found, kept)
        return kept


@cache
def logarithm_roots() -> NDArray[np.float64]:
    """√(ln n) for small n; 0 for n = 0, which no choice depends on."""
    return np.array([0.0, *(sqrt(ln(float(n))) for n in range(1, N_ROOTS))])


def make_tree(n_nodes: int, *, rave: bool, bias: bool) -> Tree:
    """A tree with nothing but a root, and room for so many nodes."""

    def numbers(dtype: type[np.generic], n: int = n_nodes) -> NDArray[Any]:
        return np.zeros(n, dtype=dtype)

    n_rave, n_bias = n_nodes if rave else 1, n_nodes if bias else 1
    tree = Tree(
        numbers(np.int32), numbers(np.int32), numbers(np.int32), numbers(np.int32),
        numbers(np.int32), numbers(np.float64), numbers(np.float64), numbers(np.int8),
        numbers(np.int32, n_rave), numbers(np.float64, n_rave), numbers(np.float32, n_bias),
        numbers(np.int64, 1),
    )  # fmt: skip
    tree.size[0] = 1
    return tree


def grown(tree: Tree, n_nodes: int) -> Tree:
    """The tree with room for more nodes."""
    larger = make_tree(n_nodes, rave=len(tree.rave_visits) > 1, bias=len(tree.bias) > 1)
    size = int(tree.size[0])
    parts: list[tuple[Any, Any]] = list(zip(tree, larger, strict=True))
    for old, new in parts:
        new[:size] = old[:size]
    return larger


def node_bytes(*, rave: bool, bias: bool) -> int:
    """The memory of one node."""
    return 5 * 4 + 2 * 8 + 1 + (12 if rave else 0) + (4 if bias else 0)


class UctSearch(Search):
    """One or several trees over one position."""

    def __init__(self, agent: Uct, position: Position, seed: int, trees: list[Tree] | None) -> None:
        options, game = agent.options, position.game
        self.game, self.position, self.keep = game, position, options["keep"]
        self.settings = Settings(
            c=float(options["c"]),
            fpu=inf if options["fpu"] is None else float(options["fpu"]),
            rave=float(options["rave"]),
            bias=float(options["bias"]),
            solver=int(options["solver"]),
            roots=logarithm_roots(),
        )
        threads, iterations = options["threads"], options["iterations"]
        if iterations is None and options["time"] is None:
            iterations = ITERATIONS
        # The trees share the iterations as evenly as can be.
        self.left = [
            None if iterations is None else (iterations + i) // threads
            for i in reversed(range(threads))
        ]
        self.timed = options["time"] is not None
        kinds = {"rave": self.settings.rave > 0, "bias": self.settings.bias > 0}
        # While a tree is copied, to make room or to be kept, it is there twice.
        most = options["memory"] * MEGABYTE // node_bytes(**kinds) // threads // 2
        self.most_nodes = min(max(most, 1 + game.sizes.moves), 2**31 - 1)
        first = min(1 + FIRST_BLOCKS * game.sizes.moves, self.most_nodes)
        self.trees = trees or [make_tree(first, **kinds) for _ in range(threads)]
        self.rooms = [self._make_room(seed, i) for i in range(threads)]
        self.knowledge = [agent.knowledge(game) for _ in range(threads)]
        self.n_simulations = 0
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def _make_room(self, seed: int, thread: int) -> Room:
        game = self.game
        return Room(
            root=game.room(self.position.state),
            state=game.room(),
            child=game.room(),
            moves=game.move_room(),
            returns=np.zeros(game.n_players),
            path=np.zeros(LONGEST_PATH, dtype=np.int32),
            movers=np.zeros(LONGEST_PATH, dtype=np.int32),
            seen=np.zeros(game.n_players * game.sizes.moves, dtype=np.int64),
            counts=np.zeros(2, dtype=np.int64),
            rng=make_rng(seed, thread),
        )

    @property
    def is_done(self) -> bool:
        """Whether the iterations are spent, or the root is proven.

        Under a limit of iterations every tree goes on to its own end, so that
        the answer does not depend on which thread is the quickest.
        """
        ended = [
            left == 0 or tree.proof[ROOT] != RUNNING
            for left, tree in zip(self.left, self.trees, strict=True)
        ]
        return any(ended) if self.timed else all(ended)

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
        left = self.left[i]
        n = n if left is None else min(n, left)
        n_done: int = 0
        while n_done < n and self.trees[i].proof[ROOT] == RUNNING:
            n_safe = self._make_room_for(i, n - n_done)
            n_done += self.game.run(
                grow, self.trees[i], self.rooms[i], self.settings, self.knowledge[i],
                self.game.sizes.state, n_safe,
            )  # fmt: skip
        if left is not None:
            self.left[i] = left - n_done
        return n_done

    def _make_room_for(self, i: int, n: int) -> int:
        """Enlarge a tree, if the limit allows, so that no simulation lacks room.

        Returns how many can be run before it must be enlarged again; n if it
        is as large as it may be.
        """
        tree, most_moves = self.trees[i], int(self.game.sizes.moves)
        capacity, size = len(tree.move), int(tree.size[0])
        if capacity < self.most_nodes and size + most_moves > capacity:
            capacity = min(2 * capacity + most_moves, self.most_nodes)
            self.trees[i] = grown(tree, capacity)
        if capacity == self.most_nodes:
            return n
        return min(n, (capacity - size) // most_moves)

    def memory(self) -> object:
        """The trees, if they are to be kept."""
        if self.pool is not None:
            self.pool.shutdown()
        return Memory(self.position, self.trees) if self.keep else None

    def decision(self) -> Decision:
        """The most visited move that is not proven lost, or a proven win."""
        candidates = self._candidates()
        best = candidates[0]
        effort = Effort(
            simulations=self.n_simulations,
            nodes=sum(int(tree.size[0]) for tree in self.trees),
            depth=max(int(room.counts[1]) for room in self.rooms),
        )
        proof = next((int(t.proof[ROOT]) for t in self.trees if t.proof[ROOT]), RUNNING)
        variation = (best.move, *self._variation(best.move))
        return Decision(
            best.move, best.value, candidates, variation, effort, self._proven_text(proof)
        )

    def _candidates(self) -> tuple[Candidate, ...]:
        """The root's children over all trees, best first."""
        size = self.game.sizes.moves
        visits, reward = np.zeros(size, dtype=np.int64), np.zeros(size)
        proof = np.zeros(size, dtype=np.int8)
        order: list[int] = []  # of the first tree, which was shuffled: it breaks ties
        for tree in self.trees:
            children = _children(tree, ROOT)
            moves = tree.move[children]
            order = order or moves.tolist()
            visits[moves] += tree.visits[children]
            known = tree.proof[children] == RUNNING
            reward[moves[known]] += tree.mean[children[known]] * tree.visits[children[known]]
            proof[moves] = np.where(tree.proof[children] != RUNNING, tree.proof[children],
                                    proof[moves])  # fmt: skip
        order = order or list(self.position.legal_moves())
        total = max(int(visits.sum()), 1)
        found = [
            self._candidate(move, int(visits[move]), float(reward[move]), int(proof[move]), total)
            for move in order
        ]
        rank = {WON: 2, None: 1, DRAWN: 1, LOST: 0}
        found.sort(key=lambda each: (-rank[each.proven], -each.visits, -each.value))
        return tuple(found)

    def _candidate(
        self, move: int, visits: int, reward: float, proof: int, total: int
    ) -> Candidate:
        proven = self._proven_text(proof)
        if proven is not None:
            value = {WON: 1.0, DRAWN: 0.0, LOST: -1.0 / (self.game.n_players - 1)}[proven]
            return Candidate(move, value, visits, visits / total, proven=proven)
        value = 2 * reward / visits - 1 if visits else 0.0
        interval = return_interval(value, visits)
        return Candidate(move, value, visits, visits / total, interval)

    def _proven_text(self, proof: int) -> str | None:
        if proof == RUNNING:
            return None
        if proof == interface.DRAWN:
            return DRAWN
        return WON if proof == interface.WON + self.position.player else LOST

    def _variation(self, move: int) -> Iterator[int]:
        """The expected moves after one, in the first tree."""
        tree, position = self.trees[0], self.position
        node = next((c for c in _children(tree, ROOT) if tree.move[c] == move), None)
        while node is not None and tree.first[node] != UNEXPANDED:
            position = position.play(move)
            node = _best_child(tree, node, int(position.state[PLAYER]))
            if tree.visits[node] == 0:
                return
            move = int(tree.move[node])
            yield move


def _children(tree: Tree, node: int) -> NDArray[np.int64]:
    if tree.first[node] == UNEXPANDED:
        return np.arange(0)
    return np.arange(tree.first[node], tree.first[node] + tree.n_children[node])


def _best_child(tree: Tree, node: int, player: int) -> int:
    """The child that a player would choose: a proven win, else the most visited not lost."""
    won = interface.WON + player

    def worth(child: int) -> tuple[bool, bool, int]:
        proof = int(tree.proof[child])
        return proof == won, proof < interface.WON, int(tree.visits[child])

    return max(map(int, _children(tree, node)), key=worth)
