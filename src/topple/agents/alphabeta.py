"""alphabeta: iterative deepening with a transposition table; exact at every depth."""

from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from topple.agents.decision import (
    WON,
    Candidate,
    Decision,
    Effort,
    moves_of,
    proven_by_value,
    root_candidates,
    undecided,
    with_shares,
)
from topple.agents.interface import EVALUATION, TIME, WEIGHTS, Agent
from topple.agents.net_options import NET
from topple.agents.search import MEGABYTE, Search
from topple.core.errors import BadText
from topple.core.spec import Option
from topple.game import Game, Position
from topple.kernels.alphabeta import (
    NO_MOVE,
    NODES,
    PLY,
    ROOT_DONE,
    AlphaBetaStack,
    SearchTable,
    alphabeta,
    copy_entries,
)
from topple.kernels.values import DECIDED
from topple.nets.evaluation import NET as NET_EVALUATION
from topple.nets.evaluation import net_knowledge
from topple.nets.shelf import net_for

DEPTH = 4  # if no limit is given
DEEPEST = 100
ENTRY_BYTES = 23
FIRST_TABLE = 1 << 12  # entries; small, so that a shallow search is quick
ENTRIES_PER_NODE = 4  # of the last iteration, since the next one visits more nodes


class AlphaBeta(Agent):
    """Alpha-beta search."""

    NAME = "alphabeta"
    SUMMARY = "alpha-beta with iterative deepening, a transposition table and ordered moves"
    OPTIONS = (
        Option(
            "depth",
            None,
            int,
            f"moves to look ahead; {DEPTH} unless nodes or time are given",
            least=1,
            most=DEEPEST,
        ),
        Option("nodes", None, int, "positions to visit for each move", least=1, most=10**12),
        TIME,
        EVALUATION,
        WEIGHTS,
        NET,
        Option("memory", 64, int, "megabytes for the transposition table", least=1, most=1 << 16),
    )
    KERNELS = (alphabeta, copy_entries)
    MOST_PLAYERS = 2

    @property
    def asks_net(self) -> bool:
        """Whether a network evaluates positions."""
        return bool(self.options["evaluation"] == NET_EVALUATION)

    def own_game(self, game: Game) -> Game:
        """The game with the kernels that this agent runs."""
        return game.judged_by_net if self.asks_net else game

    def check_game(self, game: Game) -> None:
        """Refuse a game that lacks what this agent needs, and a network that is not asked."""
        if self.options["net"] is not None and not self.asks_net:
            raise BadText(f"net= needs evaluation={NET_EVALUATION}")
        super().check_game(game)

    def knowledge(self, game: Game) -> Any:
        """The evaluation, or the network."""
        if not self.asks_net:
            return super().knowledge(game)
        if self.options["weights"] is not None:
            raise BadText("give an evaluation or weights, not both")
        return net_knowledge(game, net_for(game, self.options["net"]))

    def warm(self, game: Game) -> None:
        """Compile or load what a search of this game needs, before any clock runs."""
        super().warm(self.own_game(game))

    def search(self, position: Position, seed: int, memory: object = None) -> "AlphaBetaSearch":
        """Begin a search; the seed is not used."""
        game = self.own_game(position.game)
        return AlphaBetaSearch(self, Position(game, position.state))

    def rehearse(self, game: Game) -> None:
        """Call every kernel: search, then grow the table."""
        search = self.search(game.start(), 0)
        search.advance(1)
        game.run(copy_entries, search.table, make_table(FIRST_TABLE))


def make_table(n: int) -> SearchTable:
    """An empty table of n entries, a power of 2."""
    return SearchTable(
        keys=np.zeros(n, dtype=np.uint64),
        values=np.zeros(n),
        moves=np.zeros(n, dtype=np.int32),
        depths=np.zeros(n, dtype=np.int16),
        kinds=np.zeros(n, dtype=np.int8),
    )


def make_stack(game: Game, position: Position, depth: int) -> AlphaBetaStack:
    """A stack for searches to a depth, with `position` at its root."""
    plies, n_moves = depth + 2, game.sizes.moves

    def wholes(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        return np.zeros(shape, dtype=np.int64)

    stack = AlphaBetaStack(
        states=game.scratch_states(plies),
        moves=np.zeros((plies, n_moves), dtype=np.int32),
        merits=wholes(plies, n_moves),
        keys=np.zeros(plies, dtype=np.uint64),
        n_moves=wholes(plies),
        next_move=wholes(plies),
        alpha=np.zeros(plies),
        beta=np.zeros(plies),
        floor=np.zeros(plies),
        ceiling=np.zeros(plies),
        best=np.zeros(plies),
        best_move=wholes(plies),
        complete=np.zeros(plies, dtype=np.int8),
        killers=np.full((plies, 2), NO_MOVE, dtype=np.int32),
        variation=np.full((plies, plies), NO_MOVE, dtype=np.int32),
        history=wholes(game.n_players * n_moves),
        root_values=np.zeros(n_moves),
        root_nodes=wholes(n_moves),
        root_exact=np.zeros(n_moves, dtype=np.int8),
        counts=wholes(3),
    )
    stack.states[0, : game.sizes.state] = position.state
    return stack


class AlphaBetaSearch(Search):
    """Iterations to depth 1, 2, 3 …, each guided by the one before."""

    def __init__(self, agent: AlphaBeta, position: Position) -> None:
        options, game = agent.options, position.game
        self.game, self.position = game, position
        unlimited = options["nodes"] is None and options["time"] is None
        self.deepest = options["depth"] or (DEPTH if unlimited else DEEPEST)
        self.nodes_left = options["nodes"]
        self.knowledge = agent.knowledge(game)
        # While the table grows, the old one exists too: together 3/2 of the new size.
        self.most_entries = options["memory"] * MEGABYTE * 2 // 3 // ENTRY_BYTES
        self.table = make_table(FIRST_TABLE)
        self.stack = make_stack(game, position, self.deepest)
        self.last: Decision | None = None  # of the last complete iteration
        self.depth = 0
        self.is_finished = False
        self.nodes_before = 0
        self._begin_iteration()

    def _grow_table(self, wanted: int) -> None:
        """Enlarge the table to `wanted` entries, within the limit, keeping its contents."""
        n = len(self.table.keys)
        while n < wanted and 2 * n <= self.most_entries:
            n *= 2
        if n > len(self.table.keys):
            larger = make_table(n)
            self.game.run(copy_entries, self.table, larger)
            self.table = larger

    def _begin_iteration(self) -> None:
        self.depth += 1
        n_nodes = int(self.stack.counts[NODES])
        self._grow_table(ENTRIES_PER_NODE * (n_nodes - self.nodes_before))
        self.nodes_before = n_nodes
        self.stack.counts[PLY] = self.stack.counts[ROOT_DONE] = 0
        self.stack.alpha[0], self.stack.beta[0] = -inf, inf

    @property
    def is_done(self) -> bool:
        """Whether a limit is reached, or the game's outcome is known."""
        return self.is_finished or self.nodes_left == 0

    def advance(self, n: int) -> None:
        """Visit n more nodes."""
        if self.nodes_left is not None:
            n = min(n, self.nodes_left)
        before = int(self.stack.counts[NODES])
        answer = self.game.run(
            alphabeta,
            self.stack,
            self.table,
            self.knowledge,
            self.position.player,
            self.game.sizes.state,
            self.depth,
            n,
        )
        if self.nodes_left is not None:
            self.nodes_left -= int(self.stack.counts[NODES]) - before
        if answer == 1:
            self._end_iteration()

    def _end_iteration(self) -> None:
        self.last = self._finished()
        # Deeper searches cannot change a decided game, nor one searched to all its ends.
        known = abs(self.last.value) > DECIDED or bool(self.stack.complete[0])
        if known or self.depth == self.deepest:
            self.is_finished = True
        else:
            self._begin_iteration()

    def decision(self) -> Decision:
        """The result of the last complete iteration, improved by the current one."""
        effort = Effort(nodes=int(self.stack.counts[NODES]), depth=self._depth_done)
        if not self.is_finished and self.stack.counts[ROOT_DONE]:
            return self._unfinished(effort)
        if self.last is not None:
            return replace(self.last, effort=effort)
        return undecided(self.position, effort)

    @property
    def _depth_done(self) -> int:
        """The depth of the last complete iteration."""
        return self.depth if self.is_finished else self.depth - 1

    def _searched(self) -> tuple[Candidate, ...]:
        """The root's moves that the current iteration has searched, best first."""
        stack, n = self.stack, int(self.stack.counts[ROOT_DONE])
        nodes = stack.root_nodes[:n] - self.nodes_before
        return root_candidates(
            stack.moves[0, :n].tolist(),
            stack.root_values[:n].tolist(),
            nodes.tolist(),
            (stack.root_exact[:n] > 0).tolist(),
        )

    def _finished(self) -> Decision:
        """The result of a complete iteration."""
        value = float(self.stack.best[0])
        return Decision(
            move=int(self.stack.best_move[0]),
            value=value,
            candidates=self._searched(),
            variation=moves_of(self.stack.variation[0].tolist()),
            effort=Effort(nodes=int(self.stack.counts[NODES]), depth=self.depth),
            proven=proven_by_value(value, bool(self.stack.complete[0])),
        )

    def _unfinished(self, effort: Effort) -> Decision:
        """The result of an incomplete iteration: the moves it has searched, then the others.

        An iteration begins with the best move of the one before. If all moves
        searched so far lose, the others come first.
        """
        searched = self._searched()
        seen = {candidate.move for candidate in searched}
        unseen = tuple(c for c in self.last.candidates if c.move not in seen) if self.last else ()
        candidates = (*searched, *unseen)
        variation = moves_of(self.stack.variation[0].tolist())
        if searched[0].value < -DECIDED and unseen:
            candidates, variation = (*unseen, *searched), (unseen[0].move,)
        best = candidates[0]
        proven = WON if best.value > DECIDED else None
        return Decision(best.move, best.value, with_shares(candidates), variation, effort, proven)
