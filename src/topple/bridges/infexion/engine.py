"""An Infexion player in plain Python: iteratively deepening α–β search within a time limit.

It needs only the interpreter, little memory and no second process, so it starts at once under
the limits of a course.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from topple.bridges.infexion.bit_position import (
    FIRST_SPREAD,
    MOST_ACTIONS,
    N_CELLS,
    N_DIRECTIONS,
    BitPosition,
    Sets,
    legal_moves,
    played,
    result,
    total,
)
from topple.bridges.infexion.evaluation import evaluate
from topple.bridges.infexion.moves import WIDEST, RankedMove, after, ranked_moves

DECIDED = 100_000  # the value of a win, less the number of actions until then
WON = DECIDED - MOST_ACTIONS  # the least value of a win
INFINITE = 10 * DECIDED
N_MOVES = FIRST_SPREAD + N_DIRECTIONS * N_CELLS
DEEPEST = 30
CLOCK_INTERVAL = 64  # nodes between two readings of the clock
TABLE_LIMIT = 120_000  # positions in each half of the transposition table: about 26 megabytes

# The most moves tried below the root, by remaining depth.
WIDTHS = (0, 8, 14, 20, 28)
# By remaining depth: a position that is better than needed by this much is not searched.
MARGINS = (0, 70, 120, 170)
PASS_DEPTH, PASS_LESS = 3, 3  # the least depth at which a pass is tried, and by how much less deep
LATE, LATER = 4, 12  # moves from these places on are first searched one and two less deep

TimeCheck = Callable[[], bool]  # whether the time is up
Entry = tuple[int, int, int, int]  # depth; value; 0: exact, 1: at least, −1: at most; move
NO_ENTRY: Entry = (-1, 0, 0, -1)


class OutOfTime(Exception):
    """The search must end at once."""


class SearchResult(NamedTuple):
    """The result of a search."""

    move: int
    value: int
    depth: int  # the last depth searched in full
    nodes: int


@dataclass
class Engine:
    """A player's search, with a transposition table that lasts from move to move.

    Without `selective`, all moves that `ranked_moves` gives are searched to the full depth.
    """

    table_limit: int = TABLE_LIMIT
    selective: bool = True
    table: dict[int, Entry] = field(default_factory=dict)
    older: dict[int, Entry] = field(default_factory=dict)  # the table before it was last full
    nodes: int = 0
    is_up: TimeCheck = field(default=lambda: False)
    history: list[int] = field(
        default_factory=lambda: [0] * N_MOVES
    )  # by move: how often it refuted
    killers: list[int] = field(default_factory=lambda: [-1] * (DEEPEST + 1))  # by remaining depth

    def choose(
        self, position: BitPosition, n_actions: int, is_up: TimeCheck, deepest: int = DEEPEST
    ) -> SearchResult:
        """The best move found before `is_up()` returns true; always some legal move.

        Equal moves are searched in random order, so that games vary.
        """
        moves = ranked_moves(position, WIDEST, self.history)
        random.shuffle(moves)
        moves.sort(key=lambda move: move[0])
        found = SearchResult(moves[0][1], 0, 0, 0)
        self.nodes, self.is_up = 0, is_up
        self.history = [count // 8 for count in self.history]
        if len(moves) == 1 or is_up():
            return found
        for depth in range(1, deepest + 1):
            try:
                found, moves = self._deeper(position, moves, n_actions, depth, found)
            except OutOfTime:
                break
            if found.depth < depth or abs(found.value) >= WON:
                break  # the time is up, or the game is decided
        return found._replace(nodes=self.nodes)

    def _deeper(
        self,
        position: Sets,
        moves: list[RankedMove],
        n_actions: int,
        depth: int,
        before: SearchResult,
    ) -> tuple[SearchResult, list[RankedMove]]:
        """Search all moves to a depth; also returns them, best first, for the next depth."""
        best, best_value = before.move, -INFINITE
        order: list[RankedMove] = []
        for place, move in enumerate(moves):
            try:
                less = self._less(place, depth) if best_value > -INFINITE else 0
                value = self._value(
                    after(position, move), n_actions + 1, depth - 1, best_value, less
                )
            except OutOfTime:
                if best_value > -INFINITE and depth > 1:
                    return SearchResult(best, best_value, depth - 1, self.nodes), moves
                raise
            if value > best_value:
                best, best_value = move[1], value
                order.insert(0, move)
            else:
                order.append(move)
        return SearchResult(best, best_value, depth, self.nodes), order

    def _less(self, place: int, depth: int) -> int:
        """How much less deep a move is searched at first."""
        if not self.selective or depth < 3 or place < LATE:
            return 0
        return 1 if place < LATER or depth < 4 else 2

    def _value(self, sets: Sets, n_actions: int, depth: int, best: int, less: int) -> int:
        """The value of a root move, exact if it is better than the best so far."""
        if best > -INFINITE:
            if less:
                value = -self._search(sets, n_actions, depth - less, -best - 1, -best)
                if value <= best:
                    return value
            value = -self._search(sets, n_actions, depth, -best - 1, -best)
            if value <= best:
                return value
        return -self._search(sets, n_actions, depth, -INFINITE, -best)

    def _search(
        self, sets: Sets, n_actions: int, depth: int, low: int, high: int, may_pass: bool = True
    ) -> int:
        """The value for the player to move: exact between `low` and `high`, otherwise a bound."""
        self.nodes += 1
        if self.nodes % CLOCK_INTERVAL == 0 and self.is_up():
            raise OutOfTime
        own1, own2, own4, other1, other2, other4 = sets
        if n_actions >= 2 and (
            not (own1 | own2 | own4 and other1 | other2 | other4) or n_actions >= MOST_ACTIONS
        ):
            return result(sets) * (DECIDED - n_actions)
        if depth <= 0:
            return evaluate(sets)
        key = hash(sets)
        known, value, bound, hint = self._entry(key, n_actions)
        if known >= depth and (not bound or (value >= high if bound > 0 else value <= low)):
            return value
        if self.selective and low > -WON and high < WON:
            static = evaluate(sets)
            if depth < len(MARGINS) and static - MARGINS[depth] >= high:
                return static
            if depth >= PASS_DEPTH and may_pass and static >= high:
                passed = (other1, other2, other4, own1, own2, own4)
                value = -self._search(
                    passed, n_actions + 1, depth - PASS_LESS, -high, 1 - high, False
                )
                if value >= high:
                    return high if value >= WON else value
        killer = self.killers[depth]
        if self.selective:
            width = WIDTHS[depth] if depth < len(WIDTHS) else WIDTHS[-1]
            moves = ranked_moves(sets, depth, self.history, hint, killer, width)[:width]
        else:
            moves = ranked_moves(sets, depth, self.history, hint, killer)
        value, best_move = self._best(sets, moves, n_actions, depth, low, high)
        bound = -1 if value <= low else 1 if value >= high else 0
        if len(self.table) >= self.table_limit:
            self.older, self.table = self.table, {}
        # In the table, a decided game's end is counted from the position.
        to_end = n_actions if value >= WON else -n_actions if value <= -WON else 0
        self.table[key] = (depth, value + to_end, bound, best_move)
        return value

    def _entry(self, key: int, n_actions: int) -> Entry:
        """What the table knows of a position that is reached after `n_actions` actions."""
        entry = self.table.get(key) or self.older.get(key, NO_ENTRY)
        if -WON < entry[1] < WON:
            return entry
        depth, value, bound, move = entry
        return depth, value - n_actions if value > 0 else value + n_actions, bound, move

    def _best(
        self,
        sets: Sets,
        moves: list[RankedMove],
        n_actions: int,
        depth: int,
        low: int,
        high: int,
    ) -> tuple[int, int]:
        """The best value of some moves, and its move; a value of `high` or more ends the search."""
        best, best_move, search = -INFINITE, moves[0][1], self._search
        n_actions, depth = n_actions + 1, depth - 1
        for place, move in enumerate(moves):
            sets_after, floor = after(sets, move), low if low > best else best
            if place:
                less = self._less(place, depth + 1)
                value = floor + 1
                if less:
                    value = -search(sets_after, n_actions, depth - less, -floor - 1, -floor)
                if value > floor:
                    value = -search(sets_after, n_actions, depth, -floor - 1, -floor)
                    if floor < value < high:
                        value = -search(sets_after, n_actions, depth, -high, -value)
            else:
                value = -search(sets_after, n_actions, depth, -high, -floor)
            if value > best:
                best, best_move = value, move[1]
                if best >= high:
                    self.history[best_move] += depth * depth + 1
                    self.killers[depth + 1] = best_move
                    break
        return best, best_move


def safe_move(position: BitPosition) -> int:
    """The legal move that captures the most power, found without searching."""
    best, most = -1, -1
    other = BitPosition(*position[3:], *position[:3])
    before = total(*other[:3])
    for move in legal_moves(position):
        taken = before - total(*played(position, move)[:3])
        if taken > most:
            best, most = move, taken
    return best
