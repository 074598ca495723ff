"""Searches that grow a tree: what they keep between moves, and how they answer."""

from abc import abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

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
)
from topple.agents.search import Search, lazy_zeros
from topple.game import Game, Position
from topple.kernels.uct import ROOT, UNEXPANDED, UctTree, find_position, is_lost
from topple.rules import interface
from topple.rules.interface import HEADER, PLAYER, RUNNING, STATUS, outcome

LONGEST_PATH = 10_000  # moves from the root to a leaf


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


def make_tree(
    n_nodes: int, *, rave: bool, bias: bool, chance: bool = False, net: bool = False
) -> UctTree:
    """A tree that consists of a root, with space for `n_nodes` nodes."""
    n_rave, n_bias, n_net = (n_nodes if each else 1 for each in (rave, bias, net))
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
        worth=lazy_zeros(n_net, np.float32),
        outcome=lazy_zeros(n_chance, np.int32),
        key=lazy_zeros(n_chance, np.uint64),
        size=np.zeros(1, dtype=np.int64),
    )
    tree.size[0] = 1
    return tree


def node_bytes(*, rave: bool, bias: bool, chance: bool = False, net: bool = False) -> int:
    """The memory of one node, in bytes."""
    optional = (12 if rave else 0, 4 if bias else 0, 12 if chance else 0, 4 if net else 0)
    return 5 * 4 + 2 * 8 + 2 + sum(optional)


class TreeSearch(Search):
    """A search that has one or several trees over one position."""

    game: Game
    position: Position
    keep: bool  # whether the trees are kept for the next move
    trees: list[UctTree]
    n_simulations: int
    pool: ThreadPoolExecutor | None

    @abstractmethod
    def longest_path(self) -> int:
        """The most moves that a simulation has followed in a tree."""

    def interval(self, value: float, visits: int) -> tuple[float, float] | None:
        """The 95% interval of a candidate's value, if games were simulated."""
        return None

    def priors(self) -> dict[int, float]:
        """How likely each move seemed before the search, if anything said so."""
        return {}

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
            depth=self.longest_path(),
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
        priors = self.priors()
        if priors:
            found = [replace(each, prior=priors[each.move]) for each in found]
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
        interval = self.interval(value, visits)
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
