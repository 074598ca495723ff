"""uct: Monte Carlo tree search with UCB1, proven results, RAVE, and evaluations as bias."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.agents.decision import (
    DRAWN,
    LOST,
    WON,
    Candidate,
    Decision,
    Effort,
    proven_by_status,
    return_interval,
)
from topple.agents.interface import EVALUATION, TIME, WEIGHTS, Agent
from topple.agents.search import MEGABYTE, Search, lazy_zeros
from topple.compiling.logarithm import ln
from topple.compiling.rng import make_rng
from topple.core.spec import Option
from topple.game import Game, Position
from topple.kernels.uct import (
    ROOT,
    UNEXPANDED,
    UctScratch,
    UctSettings,
    UctTree,
    copy_subtree,
    find_position,
    grow,
    is_lost,
)
from topple.rules import interface
from topple.rules.interface import HEADER, PLAYER, RUNNING, STATUS, outcome

MOST_ITERATIONS = 2_000_000_000  # visits are counted in 32 bits
ITERATIONS = 1000  # if neither iterations nor time are given
LONGEST_PATH = 10_000  # moves from the root to a leaf
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


class KeptTrees(NamedTuple):
    """The trees of a player's last move, and the position at their root."""

    position: Position
    trees: list[UctTree]

    def find(self, position: Position) -> list[int] | None:
        """The node of a later position of the same game in each tree, if all contain it."""
        if position.game is not self.position.game and position.game != self.position.game:
            return None
        nodes = [self._find(tree, position) for tree in self.trees]
        return None if min(nodes) <= ROOT else nodes  # the root itself is searched afresh

    def _find(self, tree: UctTree, position: Position) -> int:
        game, depth = position.game, position.game.n_players
        states = game.scratch_states(depth + 1)
        states[depth, : game.sizes.state] = self.position.state
        wanted = game.scratch_state(position.state)
        return int(game.run(find_position, tree, states, game.sizes.state, wanted, ROOT, depth))


@cache
def logarithm_roots() -> NDArray[np.float64]:
    """√(ln n) for small n; the entry for n = 0 is never used."""
    return np.array([0.0, *(sqrt(ln(float(n))) for n in range(1, N_ROOTS))])


def make_tree(n_nodes: int, *, rave: bool, bias: bool, chance: bool = False) -> UctTree:
    """A tree that consists of a root, with space for `n_nodes` nodes."""
    n_rave, n_bias = n_nodes if rave else 1, n_nodes if bias else 1
    n_chance = n_nodes if chance else 1
    tree = UctTree(
        move=lazy_zeros(n_nodes, np.int32),
        first=lazy_zeros(n_nodes, np.int32),
        n_children=lazy_zeros(n_nodes, np.int32),
        tried=lazy_zeros(n_nodes, np.int32),
        visits=lazy_zeros(n_nodes, np.int32),
        mean=lazy_zeros(n_nodes, np.float64),
        uncertainty=lazy_zeros(n_nodes, np.float64),
        proof=lazy_zeros(n_nodes, np.int16),
        rave_visits=lazy_zeros(n_rave, np.int32),
        rave_reward=lazy_zeros(n_rave, np.float64),
        bias=lazy_zeros(n_bias, np.float32),
        outcome=lazy_zeros(n_chance, np.int32),
        key=lazy_zeros(n_chance, np.uint64),
        size=np.zeros(1, dtype=np.int64),
    )
    tree.size[0] = 1
    return tree


def node_bytes(*, rave: bool, bias: bool, chance: bool = False) -> int:
    """The memory of one node, in bytes."""
    return 5 * 4 + 2 * 8 + 2 + (12 if rave else 0) + (4 if bias else 0) + (12 if chance else 0)


class UctSearch(Search):
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

    def memory(self) -> object:
        """The trees, if the options say to keep them."""
        return KeptTrees(self.position, self.trees) if self.keep else None

    def close(self) -> None:
        """End the threads."""
        if self.pool is not None:
            self.pool.shutdown()

    def decision(self) -> Decision:
        """A proven win, or else the most visited move that is not proven lost."""
        candidates = self._candidates()
        best = candidates[0]
        effort = Effort(
            simulations=self.n_simulations,
            nodes=sum(int(tree.size[0]) for tree in self.trees),
            depth=max(int(scratch.counts[1]) for scratch in self.scratches),
        )
        proof = next((int(t.proof[ROOT]) for t in self.trees if t.proof[ROOT]), RUNNING)
        variation = (best.move, *self._variation(best.move))
        proven = proven_by_status(proof, self.position.player)
        return Decision(best.move, best.value, candidates, variation, effort, proven)

    def _candidates(self) -> tuple[Candidate, ...]:
        """The root's children over all trees, best first."""
        size = self.game.sizes.moves
        visits, reward = np.zeros(size, dtype=np.int64), np.zeros(size)
        proof = np.zeros(size, dtype=np.int16)
        order: list[int] = []  # ties are broken by the order in the first tree
        for tree in self.trees:
            children = _children(tree, ROOT)
            moves = tree.move[children]
            order = order or moves.tolist()
            visits[moves] += tree.visits[children]
            proven = tree.proof[children] != RUNNING
            proof[moves[proven]] = tree.proof[children[proven]]
            open_moves, unproven = moves[~proven], children[~proven]
            reward[open_moves] += tree.mean[unproven] * tree.visits[unproven]
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
        proven = proven_by_status(proof, self.position.player)
        if proven is not None:
            value = self._return_of_status(proof)
            return Candidate(move, value, visits, visits / total, proven=proven)
        value = self._return_of(reward / visits) if visits else 0.0
        interval = return_interval(value, visits)
        return Candidate(move, value, visits, visits / total, interval)

    def _return_of_status(self, status: int) -> float:
        """The return of a game that has ended so, for the player to move."""
        returns = np.zeros(self.game.n_players)
        ended = np.zeros(HEADER, dtype=np.int32)
        ended[STATUS] = status
        outcome(None, ended, returns)
        return float(returns[self.position.player])

    def _return_of(self, reward: float) -> float:
        """Convert a mean reward, 0 for a loss and 1 for a win, to a return."""
        n_players = self.game.n_players
        return min(max((n_players * reward - 1.0) / (n_players - 1.0), -1.0), 1.0)

    def _variation(self, move: int) -> Iterator[int]:
        """The expected moves after a move, from the first tree; none with chance."""
        if self.game.has_chance:
            return
        tree, position = self.trees[0], self.position
        node = next((c for c in _children(tree, ROOT) if tree.move[c] == move), None)
        while node is not None and tree.first[node] != UNEXPANDED:
            position = position.play(move)
            node = _best_child(tree, node, int(position.state[PLAYER]))
            if tree.visits[node] == 0:
                return
            move = int(tree.move[node])
            yield move


def _children(tree: UctTree, node: int) -> NDArray[np.int64]:
    if tree.first[node] == UNEXPANDED:
        return np.arange(0)
    return np.arange(tree.first[node], tree.first[node] + tree.n_children[node])


def _best_child(tree: UctTree, node: int, player: int) -> int:
    """The child that a player would choose: a proven win, else the most visited not lost."""
    won = interface.WON + player

    def worth(child: int) -> tuple[bool, bool, int]:
        proof = int(tree.proof[child])
        return proof == won, not is_lost(proof, player), int(tree.visits[child])

    return max(map(int, _children(tree, node)), key=worth)
