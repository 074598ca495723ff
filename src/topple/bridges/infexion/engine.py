"""An Infexion player in plain Python: iteratively deepening α–β search within a time limit.

It needs only the interpreter, little memory and no second process, so it starts at once under
the limits of a course.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from topple.bridges.infexion.bit_position import (
    ALL_CELLS,
    CELL_OF,
    FIRST_SPREAD,
    MOST_ACTIONS,
    N_CELLS,
    N_DIRECTIONS,
    RAYS,
    REACH,
    BitPosition,
    bits,
    by_power,
    legal_moves,
    played,
    result,
    spawned,
    spread,
    total,
)

DECIDED = 100_000  # the value of a win, less the number of actions until then
INFINITE = 10 * DECIDED
DEEPEST = 30
CLOCK_INTERVAL = 64  # nodes between two readings of the clock
TABLE_LIMIT = 120_000  # positions in the transposition table: about 40 megabytes

# Weights of the evaluation.
POWER = 10  # of the lead in power
STACK = 2  # of the lead in stacks: power spread over many stacks is not captured at once
TAKEN = 13  # of the most power that the player to move can capture
EXPOSED = 5  # of the most power that the opponent could capture

# The number of spawns tried below the root, by remaining depth.
SPAWNS = (0, 6, 8, 12)
JOIN_DEPTH = 2  # the least remaining depth at which spreads that capture nothing are tried

TimeCheck = Callable[[], bool]  # whether the time is up


class OutOfTime(Exception):
    """The search must end at once."""


class SearchResult(NamedTuple):
    """The result of a search."""

    move: int
    value: int
    depth: int  # the last depth searched in full
    nodes: int


class RankedMove(NamedTuple):
    """A move with the position after it; moves of higher promise are searched first."""

    promise: int
    number: int
    after: BitPosition


class TableEntry(NamedTuple):
    """An entry of the transposition table."""

    depth: int
    value: int
    bound: int  # 0: exact; 1: at least; −1: at most
    move: int


NO_ENTRY = TableEntry(-1, 0, 0, -1)


def most_taken(ones: int, twos: int, fours: int, other: tuple[int, int, int]) -> int:
    """The most power that one side could capture from the other with one spread."""
    other1, other2, other4 = other
    prey, most = other1 | other2 | other4, 0
    for power, stacks in by_power(ones, twos, fours):
        reach, rays, left = REACH[power], RAYS[power], stacks
        while left:
            bit = left & -left
            left ^= bit
            if not reach[bit] & prey:
                continue
            for cells in rays[bit]:
                if cells & prey:
                    taken = (
                        (cells & other1).bit_count()
                        + 2 * (cells & other2).bit_count()
                        + 4 * (cells & other4).bit_count()
                    )
                    most = max(most, taken)
    return most


def evaluate(position: BitPosition) -> int:
    """The heuristic value of an undecided position for the player to move."""
    own1, own2, own4, other1, other2, other4 = position
    power = total(own1, own2, own4) - total(other1, other2, other4)
    stacks = (own1 | own2 | own4).bit_count() - (other1 | other2 | other4).bit_count()
    taken = most_taken(own1, own2, own4, (other1, other2, other4))
    exposed = most_taken(other1, other2, other4, (own1, own2, own4))
    return POWER * power + STACK * stacks + TAKEN * taken - EXPOSED * exposed


def reached(ones: int, twos: int, fours: int) -> int:
    """The set of cells that one side's spreads reach."""
    cells = 0
    for power, stacks in by_power(ones, twos, fours):
        reach = REACH[power]
        for bit in bits(stacks):
            cells |= reach[bit]
    return cells


def spreads(position: BitPosition, *, joins: bool) -> list[RankedMove]:
    """Spreads that capture something and, with `joins`, those that only join own stacks."""
    own1, own2, own4, other1, other2, other4 = position
    prey, own = other1 | other2 | other4, own1 | own2 | own4
    wanted = prey | own if joins else prey
    moves = []
    for power, stacks in by_power(own1, own2, own4):
        reach, rays = REACH[power], RAYS[power]
        for bit in bits(stacks):
            if not reach[bit] & wanted:
                continue
            first = FIRST_SPREAD + N_DIRECTIONS * CELL_OF[bit]
            for direction, cells in enumerate(rays[bit]):
                if cells & prey:
                    taken = total(cells & other1, cells & other2, cells & other4)
                    after = spread(position, bit, cells)
                    moves.append(RankedMove(16 * taken - power, first + direction, after))
                elif joins and cells & own:
                    after = spread(position, bit, cells)
                    moves.append(RankedMove(-power, first + direction, after))
    return moves


def spawns(position: BitPosition, most: int) -> list[RankedMove]:
    """At most `most` spawns: first out of the opponent's reach, then within own reach."""
    own1, own2, own4, other1, other2, other4 = position
    taken = own1 | own2 | own4 | other1 | other2 | other4
    if not most or total(own1, own2, own4) + total(other1, other2, other4) >= N_CELLS:
        return []
    empty = ALL_CELLS & ~taken
    dangerous, backed = reached(other1, other2, other4), reached(own1, own2, own4)
    # A new stack has power 1, so it threatens the cells beside it.
    beside = reached(other1 | other2 | other4, 0, 0)
    kinds = (
        (8, empty & ~dangerous & beside),
        (6, empty & ~dangerous & backed & ~beside),
        (4, empty & ~dangerous & ~backed & ~beside),
        (2, empty & dangerous & backed),
        (1, empty & dangerous & ~backed),
    )
    moves: list[RankedMove] = []
    for promise, cells in kinds:
        for bit in bits(cells):
            if len(moves) == most:
                return moves
            moves.append(RankedMove(promise, CELL_OF[bit], spawned(position, bit)))
    return moves


def all_moves(position: BitPosition) -> list[RankedMove]:
    """All legal moves, the most promising first."""
    ranked = {move.number: move for move in spreads(position, joins=True)}
    ranked |= {move.number: move for move in spawns(position, N_CELLS)}
    for number in legal_moves(position):
        if number not in ranked:
            ranked[number] = RankedMove(-16, number, played(position, number))
    return best_first(list(ranked.values()))


def promising_moves(position: BitPosition, depth: int) -> list[RankedMove]:
    """The moves worth trying at a remaining depth, the most promising first."""
    moves = spreads(position, joins=depth >= JOIN_DEPTH)
    moves += spawns(position, SPAWNS[min(depth, len(SPAWNS) - 1)])
    return best_first(moves) if moves else all_moves(position)


def best_first(moves: list[RankedMove]) -> list[RankedMove]:
    """Moves by descending promise; equals keep their order."""
    return sorted(moves, key=lambda move: -move.promise)


@dataclass
class Engine:
    """A player's search, with a transposition table that lasts from move to move."""

    table_limit: int = TABLE_LIMIT
    table: dict[int, TableEntry] = field(default_factory=dict)
    nodes: int = 0
    is_up: TimeCheck = field(default=lambda: False)

    def choose(
        self, position: BitPosition, n_actions: int, is_up: TimeCheck, deepest: int = DEEPEST
    ) -> SearchResult:
        """The best move found before `is_up()` returns true; always some legal move.

        Equal moves are searched in random order, so that games vary.
        """
        moves = all_moves(position)
        random.shuffle(moves)
        moves = best_first(moves)
        found = SearchResult(moves[0].number, 0, 0, 0)
        self.nodes, self.is_up = 0, is_up
        if len(moves) == 1 or is_up():
            return found
        for depth in range(1, deepest + 1):
            try:
                found, moves = self._deeper(moves, n_actions, depth, found)
            except OutOfTime:
                break
            if found.depth < depth or abs(found.value) >= DECIDED - MOST_ACTIONS:
                break  # the time is up, or the game is decided
        return found._replace(nodes=self.nodes)

    def _deeper(
        self, moves: list[RankedMove], n_actions: int, depth: int, before: SearchResult
    ) -> tuple[SearchResult, list[RankedMove]]:
        """Search all moves to a depth; also returns them, best first, for the next depth."""
        best, best_value = before.move, -INFINITE
        order: list[RankedMove] = []
        for move in moves:
            try:
                value = self._value(move.after, n_actions + 1, depth - 1, best_value)
            except OutOfTime:
                if best_value > -INFINITE and depth > 1:
                    return SearchResult(best, best_value, depth - 1, self.nodes), moves
                raise
            if value > best_value:
                best, best_value = move.number, value
                order.insert(0, move)
            else:
                order.append(move)
        return SearchResult(best, best_value, depth, self.nodes), order

    def _value(self, after: BitPosition, n_actions: int, depth: int, best: int) -> int:
        """The value of a root move, exact if it is better than the best so far."""
        if best > -INFINITE:
            value = -self._search(after, n_actions, depth, -best - 1, -best)
            if value <= best:
                return value
        return -self._search(after, n_actions, depth, -INFINITE, -best)

    def _search(
        self, position: BitPosition, n_actions: int, depth: int, low: int, high: int
    ) -> int:
        """The value for the player to move: exact between `low` and `high`, otherwise a bound."""
        self._count()
        own1, own2, own4, other1, other2, other4 = position
        if n_actions >= 2 and (
            not (own1 | own2 | own4 and other1 | other2 | other4) or n_actions >= MOST_ACTIONS
        ):
            return result(position) * (DECIDED - n_actions)
        if depth == 0:
            return evaluate(position)
        key = hash(position)
        entry = self.table.get(key, NO_ENTRY)
        if entry.depth >= depth and _settles(entry, low, high):
            return entry.value
        moves = promising_moves(position, depth)
        if entry.move >= 0:
            moves.sort(key=lambda move: move.number != entry.move)
        value, best_move = self._best(moves, n_actions, depth, low, high)
        bound = -1 if value <= low else 1 if value >= high else 0
        self._store(key, TableEntry(depth, value, bound, best_move))
        return value

    def _best(
        self, moves: list[RankedMove], n_actions: int, depth: int, low: int, high: int
    ) -> tuple[int, int]:
        """The best value of some moves, and its move; a value of `high` or more ends the search."""
        best, best_move, is_first = -INFINITE, moves[0].number, True
        for move in moves:
            after, floor = move.after, max(low, best)
            if is_first:
                value = -self._search(after, n_actions + 1, depth - 1, -high, -floor)
            else:
                value = -self._search(after, n_actions + 1, depth - 1, -floor - 1, -floor)
                if floor < value < high:
                    value = -self._search(after, n_actions + 1, depth - 1, -high, -value)
            is_first = False
            if value > best:
                best, best_move = value, move.number
                if best >= high:
                    break
        return best, best_move

    def _store(self, key: int, entry: TableEntry) -> None:
        if len(self.table) >= self.table_limit:
            self.table.clear()
        self.table[key] = entry

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes % CLOCK_INTERVAL == 0 and self.is_up():
            raise OutOfTime


def _settles(entry: TableEntry, low: int, high: int) -> bool:
    """Whether a table entry suffices for a search window."""
    if entry.bound == 0:
        return True
    return entry.value >= high if entry.bound > 0 else entry.value <= low


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
