"""ProofSolver: small boards of every game for two players.

Each move is asked whether it wins and whether it draws, until its result is proven.
"""

from collections.abc import Callable, Iterable
from math import log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.core.errors import IllegalMove, Unsupported
from topple.game import Game, Position
from topple.kernels.proof.search import (
    DONE,
    FULL,
    IS_NEW,
    NODES,
    PLY,
    TOO_DEEP,
    ProofStack,
    prove,
    value_at_end,
)
from topple.kernels.proof.table import (
    DRAW,
    LOSS,
    NO_MOVE,
    WIN,
    YES,
    copy_entries,
    look_up,
    store_position,
)
from topple.rules import hex as hex_rules
from topple.rules import infexion
from topple.rules.interface import STATUS
from topple.rules.journal import put_position
from topple.rules.spread_it.board import LEFT
from topple.rules.spread_it.wide.board import WideBoard
from topple.solvers.proof.memory import UNKNOWN, ProofMemory
from topple.solvers.solution import RESULT, Bounds, MoveValue, Solution, best_first
from topple.solvers.solver import MEGABYTE, MEMORY, Arrays, Solver, Solving, SolvingProgress

FEASIBLE = 9.0  # as a power of 10: some millions of entries, which take minutes


def check_size(position: Position) -> None:
    """Refuse a position that has too many successors to be solved.

    The number of positions is estimated by a simple bound; search visits about one in a
    hundred. A user-defined game is never refused.

    Raises
    ------
    Unsupported
        If it has; the message says what is feasible and what to do instead.

    Examples
    --------
    >>> import topple
    >>> check_size(topple.load("chain-reaction", "grid:3x4").start())
    >>> check_size(topple.load("chain-reaction").start())
    Traceback (most recent call last):
        ...
    topple.core.errors.Unsupported: chain-reaction on grid:5x5 may have 10^18 positions, and about \
10^9 can be solved (such as grid:3x4): set a time limit for bounds, or ask an agent such as uct
    """
    count, example = _counts.get(position.game.name, (None, ""))
    power = count(position) if count else 0.0
    if power > FEASIBLE:
        game = position.game
        raise Unsupported(
            f"{game.spec} on {game.board.spec} may have 10^{power:.0f} positions, and about "
            f"10^{FEASIBLE:.0f} can be solved (such as {example}): set a time limit for bounds, "
            "or ask an agent such as uct"
        )


def _in_chain_reaction(position: Position) -> float:
    """A square is empty, or has 1 to capacity − 1 pieces of either colour."""
    return sum(log10(max(2 * int(degree) - 1, 1)) for degree in position.game.board.degrees)


def _in_spread_it(position: Position) -> float:
    """A vertex has fewer tokens of two colours than its threshold, or an owner if possible."""
    board, state = position.game.board, position.state
    if isinstance(position.game.tables, WideBoard):
        return _in_wide_spread_it(position)
    owners = 2 if position.game.tables.full else 0
    left = int(state[LEFT] + state[LEFT + 1])
    by_vertex = sum(log10(k * (k + 1) // 2 + owners) for k in board.thresholds.tolist())
    return min(by_vertex, left * log10(board.n_vertices))


def _in_wide_spread_it(position: Position) -> float:
    """The same with either colour arrived last, and colours taken so many times by either.

    A vertex holds the most where its threshold is largest; a sink may hold all tokens.
    """
    game, tables = position.game, position.game.tables
    left, n_tokens = sum(dict(position.tallies())["tokens left"]), tables.n_tokens
    thresholds = tables.thresholds.reshape(tables.n_networks, tables.n).max(axis=0)
    most = np.minimum(thresholds, n_tokens + 1).tolist()
    taken = 1 + 2 * tables.loyalty
    by_vertex = sum(log10(k * (k + 1) * taken) for k in most)
    return min(by_vertex, left * log10(game.board.n_vertices))


def _in_infexion(position: Position) -> float:
    """A cell is empty or has a stack of 1 to size − 1 of either colour; actions are counted."""
    size, n = position.game.board.rows, position.game.board.n_vertices
    left = size * n - int(position.state[infexion.ACTIONS])
    return min(n * log10(2 * size - 1) + log10(left), left * log10(position.game.sizes.moves))


def _in_hex(position: Position) -> float:
    """A cell that is empty now can be empty or have a stone of either side."""
    n_empty = position.game.board.n_vertices - int(position.state[hex_rules.STONES])
    return n_empty * log10(3)


_counts: dict[str, tuple[Callable[[Position], float], str]] = {
    "chain-reaction": (_in_chain_reaction, "grid:3x4"),
    "spread-it": (_in_spread_it, "grid:3x3"),
    "infexion": (_in_infexion, "infexion:3"),
    "hex": (_in_hex, "hex:4"),
}


FIRST_PLIES = 32
STACK_SHARE = 4  # the stack gets one part in so many of the memory


class ProofSolving(Solving):
    """A position being solved: each move is asked whether it wins, then whether it draws.

    Unless `each` is set, draws are not asked for once a move is known to win.
    """

    def __init__(self, memory: ProofMemory, position: Position, each: bool) -> None:
        self.memory, self.position, self.each = memory, position, each
        self.game = position.game
        self.moves = position.legal_moves()
        self.values = [UNKNOWN] * len(self.moves)  # each for the player to move
        self.n_met = 0  # moves that have been looked up
        self.stack = make_stack(self.game, FIRST_PLIES)
        self.asked: tuple[int, int] | None = None  # the move's index and the target
        self.is_answered = False
        self.limit: str | None = None
        self.last: Solution | None = None  # the final solution

    @property
    def value(self) -> Bounds:
        """What is proven about the position."""
        least, most = zip(*self.values, strict=True)
        return Bounds(max(least), max(most))

    @property
    def n_nodes(self) -> int:
        """The number of positions visited."""
        return self.n_met + int(self.stack.counts[NODES])

    @property
    def is_done(self) -> bool:
        """Whether all questions are answered, or the memory is full."""
        return self.is_answered or self.limit is not None

    def advance(self, n: int) -> None:
        """Visit n more positions."""
        last = self.n_nodes + n
        while not self.is_done and self.n_nodes < last:
            if self.n_met < len(self.moves):
                self._look_up_next()
            elif self.asked is None:
                self._ask_next()
            else:
                self._search(last - self.n_nodes)

    def _look_up_next(self) -> None:
        """Look up what is known about the next move without a search."""
        self.values[self.n_met] = self.memory.known_after(self.position, self.moves[self.n_met])
        self.n_met += 1

    def _is_open(self, index: int, target: int) -> bool:
        least, most = self.values[index]
        return least < target <= most and (self.each or target >= self.value.least)

    def _ask_next(self) -> None:
        """Begin the next question, or finish if there is none."""
        for target in (WIN, DRAW):
            for index, move in enumerate(self.moves):
                if self._is_open(index, target):
                    self.asked = index, target
                    self._begin_question(self.position.play(move), target)
                    return
        self.is_answered = True
        self.memory.store(self.position, self.value)

    def _begin_question(self, child: Position, target: int) -> None:
        stack = self.stack
        put_position(stack.states[0], child.state)
        self.is_same = child.player == self.position.player
        stack.targets[0] = target if self.is_same else 1 - target
        stack.counts[PLY] = 0
        stack.counts[IS_NEW] = 1

    def _search(self, n: int) -> None:
        memory = self.memory
        code = self.game.run(
            prove,
            self.stack,
            memory.table,
            memory.symmetries,
            memory.most_entries,
            self.game.sizes.state,
            n,
        )
        if code == DONE:
            self._take_answer()
        elif code == TOO_DEEP:
            self._go_deeper()
        elif code == FULL and not memory.grow():
            self.limit = "memory"

    def _take_answer(self) -> None:
        assert self.asked is not None
        index, target = self.asked
        least, most = self.values[index]
        said_yes = (self.stack.answers[0] == YES) == self.is_same
        self.values[index] = Bounds(target, most) if said_yes else Bounds(least, target - 1)
        self.asked = None

    def _go_deeper(self) -> None:
        """Enlarge the stack for longer lines.

        Raises
        ------
        Unsupported
            If a position recurs on the line, which then never ends.
        """
        stack = self.stack
        path = stack.keys[: int(stack.counts[PLY]) + 1]
        if len(np.unique(path)) < len(path):
            raise Unsupported(
                f"positions of {self.game.name} can recur: exact play is for games that end"
            )
        plies = len(stack.states)
        most_bytes = self.memory.megabytes * MEGABYTE // STACK_SHARE
        if sum(part.nbytes for part in stack) * 2 > most_bytes:
            self.limit = "memory"
            return
        longer = make_stack(self.game, 2 * plies)
        parts: Iterable[tuple[NDArray[Any], NDArray[Any]]] = zip(longer, stack, strict=True)
        for new, old in parts:
            new[: len(old)] = old
        self.stack = longer

    def progress(self) -> SolvingProgress:
        """How many of the questions about all moves are settled."""
        total = 2 * len(self.moves)
        n_open = sum(
            self._is_open(index, target)
            for index in range(len(self.moves))
            for target in (WIN, DRAW)
        )
        what = self.game.move_text(self.moves[self.asked[0]]) if self.asked else ""
        return SolvingProgress(total - n_open, total, what)

    def solution(self) -> Solution:
        """What is proven so far."""
        if self.is_done and self.last is None:
            self.last = self._solution()
        return self.last or self._solution()

    def _solution(self) -> Solution:
        value = self.value
        moves = best_first(map(MoveValue, self.moves, self.values))
        return Solution(
            position=self.position,
            unit=RESULT,
            value=value,
            moves=moves,
            line=self._line(moves[0].move) if value.is_exact else (),
            n_positions=self.memory.n_entries,
            n_nodes=self.n_nodes,
            limit=self.limit,
        )

    def _line(self, move: int) -> tuple[int, ...]:
        """Best play that begins with a best move, as far as it is proven."""
        position, line, value = self.position, [move], self.value.least
        met = set()
        while True:
            child = position.play(move)
            value = value if child.player == position.player else -value
            position = child
            if position.is_over or position in met:
                return tuple(line)
            met.add(position)
            best = self._move_worth(position, value)
            if best is None:
                return tuple(line)
            move = best
            line.append(move)

    def _move_worth(self, position: Position, value: int) -> int | None:
        """A move that keeps a value, if the position is proven to have it.

        The first such move, except that a player who can win immediately does, and a
        losing player avoids moves that let the opponent win immediately.
        """
        if self.memory.known(position) != Bounds(value, value):
            return None
        keeping = [
            move
            for move in position.legal_moves()
            if self.memory.known_after(position, move).least >= value
        ]
        for move in keeping:
            child = position.play(move)
            if value == WIN and child.is_over:
                return move
            if value == LOSS and not child.is_over and not has_winning_move(child, child.player):
                return move
        return keeping[0] if keeping else None


def has_winning_move(position: Position, player: int) -> bool:
    """Whether a player, who is to move, can win the game with one move.

    >>> import topple
    >>> has_winning_move(topple.load("hex", "hex:2").position("X./O. Blue"), 0)
    False
    """
    for move in position.legal_moves():
        child = position.play(move)
        if child.is_over and value_at_end(int(child.state[STATUS]), player) == WIN:
            return True
    return False


def make_stack(game: Game, plies: int) -> ProofStack:
    """An empty stack for lines of `plies` moves."""
    n_moves = game.sizes.moves

    def zeros(n: int) -> NDArray[np.int64]:
        return np.zeros(n, dtype=np.int64)

    return ProofStack(
        states=game.scratch_states(plies),
        moves=np.zeros((plies, n_moves), dtype=np.int32),
        merits=np.zeros((plies, n_moves), dtype=np.int64),
        child_keys=np.zeros((plies, n_moves), dtype=np.uint64),
        child_checks=np.zeros((plies, n_moves), dtype=np.uint32),
        child_views=np.zeros((plies, n_moves), dtype=np.int32),
        is_same=np.zeros((plies, n_moves), dtype=np.int8),
        n_moves=zeros(plies),
        n_seen=zeros(plies),
        n_kept=zeros(plies),
        in_hand=zeros(plies),
        keys=np.zeros(plies, dtype=np.uint64),
        checks=np.zeros(plies, dtype=np.uint32),
        views=zeros(plies),
        targets=zeros(plies),
        answers=zeros(plies),
        best_move=zeros(plies),
        hash_move=zeros(plies),
        killers=np.full((plies, 2), NO_MOVE, dtype=np.int32),
        history=zeros(2 * n_moves),
        name=np.zeros(3, dtype=np.uint64),
        counts=zeros(3),
    )


class ProofSolver(Solver):
    """Proof by alpha-beta search with a table that forgets nothing, for any game of two players.

    If it is `symmetric`, positions that differ only by a symmetry share an entry.

    Examples
    --------
    >>> import topple
    >>> from topple.solvers import advance_until
    >>> game = topple.load("chain-reaction", board="grid:2x3")
    >>> solving = ProofSolver(game).begin(game.start())
    >>> advance_until(solving)
    True
    >>> solving.solution().value
    Bounds(least=1, most=1)
    """

    NAME = "proof"
    KERNELS = (prove, look_up, store_position, copy_entries)

    def __init__(self, game: Game, memory: int = MEMORY, *, symmetric: bool = True) -> None:
        super().__init__(game, memory)
        self.proven = ProofMemory(game, memory, symmetric)

    @classmethod
    def suits(cls, game: Game) -> bool:
        """All games for two players without chance suit."""
        return True

    def check(self, position: Position) -> None:
        """Refuse a position with too many successors."""
        super().check(position)
        check_size(position)

    def begin(
        self, position: Position, *, each: bool = False, scores: bool = False
    ) -> ProofSolving:
        """Begin to solve a position; `scores` is ignored, since results have no Ls and Rs.

        Raises
        ------
        IllegalMove
            If the game is over.
        Unsupported
            If the game is not for two players.
        """
        if position.is_over:
            raise IllegalMove(f"the game is over: {position.result_text()}")
        Solver.check(self, position)
        return ProofSolving(self.proven, position, each)

    def rehearse(self) -> None:
        """Call every kernel once."""
        start = self.game.start()
        other = ProofSolver(self.game, memory=1)
        solving = other.begin(start)
        solving.advance(len(solving.moves) + 1)
        other.proven.store(start, Bounds(-1, 1))
        other.restore(other.table())

    def table(self) -> Arrays:
        """All entries as arrays."""
        return self.proven.arrays()

    def restore(self, arrays: Arrays) -> None:
        """Take over what another solver has proven."""
        self.proven.restore(arrays)
