"""An Infexion player in plain Python: α–β, deepening move by move, within its time.

It needs nothing but the interpreter, little memory and no second process, so that it
starts at once under the limits of a course.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from topple.bridges.infexion.board import (
    ALL_CELLS,
    CELL_OF,
    FIRST_SPREAD,
    MOST_ACTIONS,
    N_CELLS,
    N_DIRECTIONS,
    RAYS,
    REACH,
    Sets,
    bits,
    by_power,
    legal_moves,
    played,
    result,
    spawned,
    spread,
    total,
)

DECIDED = 100_000  # a won game, less the actions until then
INFINITE = 10 * DECIDED
DEEPEST = 30
LOOK = 64  # nodes between two looks at the clock
MOST_KEPT = 120_000  # positions remembered: about 40 megabytes

# What a position is worth, for each unit of power.
POWER = 10
STACK = 2  # of lead in stacks: what is spread out is not taken at once
TAKEN = 13  # the most that can be taken by who is to move
EXPOSED = 5  # the most that the other could take

# Spawns that are looked at below the root, by the depth that is left.
SPAWNS = (0, 6, 8, 12)
JOIN_DEPTH = 2  # spreads that take nothing are looked at from this depth on

Clock = Callable[[], bool]  # whether the time is up


class OutOfTime(Exception):
    """The search must end at once."""


class Found(NamedTuple):
    """What a search has come to."""

    move: int
    value: int
    depth: int  # that was searched in full
    nodes: int


class Option(NamedTuple):
    """A move with where it leads, and how promising it looks."""

    promise: int
    move: int
    after: Sets


class Kept(NamedTuple):
    """What is remembered of a position."""

    depth: int
    value: int
    bound: int  # 0: exact; 1: at least; −1: at most
    move: int


NOTHING_KEPT = Kept(-1, 0, 0, -1)


def most_taken(ones: int, twos: int, fours: int, other: tuple[int, int, int]) -> int:
    """The most power that one side could take from the other by one spread."""
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


def evaluate(sets: Sets) -> int:
    """What a position is worth to who is to move, while the game goes on."""
    own1, own2, own4, other1, other2, other4 = sets
    power = total(own1, own2, own4) - total(other1, other2, other4)
    stacks = (own1 | own2 | own4).bit_count() - (other1 | other2 | other4).bit_count()
    taken = most_taken(own1, own2, own4, (other1, other2, other4))
    exposed = most_taken(other1, other2, other4, (own1, own2, own4))
    return POWER * power + STACK * stacks + TAKEN * taken - EXPOSED * exposed


def reached(ones: int, twos: int, fours: int) -> int:
    """All cells that one side's spreads reach."""
    cells = 0
    for power, stacks in by_power(ones, twos, fours):
        reach = REACH[power]
        for bit in bits(stacks):
            cells |= reach[bit]
    return cells


def spreads(sets: Sets, *, joins: bool) -> list[Option]:
    """Spreads that take something, and those that join own stacks if they are wanted."""
    own1, own2, own4, other1, other2, other4 = sets
    prey, own = other1 | other2 | other4, own1 | own2 | own4
    wanted = prey | own if joins else prey
    options = []
    for power, stacks in by_power(own1, own2, own4):
        reach, rays = REACH[power], RAYS[power]
        for bit in bits(stacks):
            if not reach[bit] & wanted:
                continue
            first = FIRST_SPREAD + N_DIRECTIONS * CELL_OF[bit]
            for direction, cells in enumerate(rays[bit]):
                if cells & prey:
                    taken = total(cells & other1, cells & other2, cells & other4)
                    after = spread(sets, bit, cells)
                    options.append(Option(16 * taken - power, first + direction, after))
                elif joins and cells & own:
                    after = spread(sets, bit, cells)
                    options.append(Option(-power, first + direction, after))
    return options


def spawns(sets: Sets, most: int) -> list[Option]:
    """The most promising spawns: out of the other's reach, then within one's own."""
    own1, own2, own4, other1, other2, other4 = sets
    taken = own1 | own2 | own4 | other1 | other2 | other4
    if not most or total(own1, own2, own4) + total(other1, other2, other4) >= N_CELLS:
        return []
    empty = ALL_CELLS & ~taken
    dangerous, backed = reached(other1, other2, other4), reached(own1, own2, own4)
    # A stack beside the other's threatens it: the reach of power 1, from there or to there.
    beside = reached(other1 | other2 | other4, 0, 0)
    kinds = (
        (8, empty & ~dangerous & beside),
        (6, empty & ~dangerous & backed & ~beside),
        (4, empty & ~dangerous & ~backed & ~beside),
        (2, empty & dangerous & backed),
        (1, empty & dangerous & ~backed),
    )
    options: list[Option] = []
    for promise, cells in kinds:
        for bit in bits(cells):
            if len(options) == most:
                return options
            options.append(Option(promise, CELL_OF[bit], spawned(sets, bit)))
    return options


def every_option(sets: Sets) -> list[Option]:
    """All legal moves, the most promising first."""
    options = {option.move: option for option in spreads(sets, joins=True)}
    options |= {option.move: option for option in spawns(sets, N_CELLS)}
    for move in legal_moves(sets):
        if move not in options:
            options[move] = Option(-16, move, played(sets, move))
    return best_first(list(options.values()))


def some_options(sets: Sets, depth: int) -> list[Option]:
    """The moves that are worth a look with so much depth left, the most promising first."""
    options = spreads(sets, joins=depth >= JOIN_DEPTH)
    options += spawns(sets, SPAWNS[min(depth, len(SPAWNS) - 1)])
    return best_first(options) if options else every_option(sets)


def best_first(options: list[Option]) -> list[Option]:
    """Options in the order of their promise; equals stay in theirs."""
    return sorted(options, key=lambda option: -option.promise)


@dataclass
class Engine:
    """A player's search, with what it remembers from move to move."""

    most_kept: int = MOST_KEPT
    kept: dict[int, Kept] = field(default_factory=dict)
    nodes: int = 0
    is_up: Clock = field(default=lambda: False)

    def choose(self, sets: Sets, n_actions: int, is_up: Clock, deepest: int = DEEPEST) -> Found:
        """The best move found before the time is up; some move in any case.

        The first of equals is drawn at random, so that no two games need be alike.
        """
        options = every_option(sets)
        random.shuffle(options)
        options = best_first(options)
        found = Found(options[0].move, 0, 0, 0)
        self.nodes, self.is_up = 0, is_up
        if len(options) == 1 or is_up():
            return found
        for depth in range(1, deepest + 1):
            try:
                found, options = self._deeper(options, n_actions, depth, found)
            except OutOfTime:
                break
            if found.depth < depth or abs(found.value) >= DECIDED - MOST_ACTIONS:
                break  # the time is up, or the game decided
        return found._replace(nodes=self.nodes)

    def _deeper(
        self, options: list[Option], n_actions: int, depth: int, before: Found
    ) -> tuple[Found, list[Option]]:
        """Search all moves to a depth; the best comes first when they are searched again."""
        best, best_value = before.move, -INFINITE
        order: list[Option] = []
        for option in options:
            try:
                value = self._value(option.after, n_actions + 1, depth - 1, best_value)
            except OutOfTime:
                if best_value > -INFINITE and depth > 1:
                    return Found(best, best_value, depth - 1, self.nodes), options
                raise
            if value > best_value:
                best, best_value = option.move, value
                order.insert(0, option)
            else:
                order.append(option)
        return Found(best, best_value, depth, self.nodes), order

    def _value(self, after: Sets, n_actions: int, depth: int, best: int) -> int:
        """What a move of the root is worth: exactly if it is better than the best so far."""
        if best > -INFINITE:
            value = -self._search(after, n_actions, depth, -best - 1, -best)
            if value <= best:
                return value
        return -self._search(after, n_actions, depth, -INFINITE, -best)

    def _search(self, sets: Sets, n_actions: int, depth: int, low: int, high: int) -> int:
        """The value to who is to move: exact between `low` and `high`, else a bound."""
        self._count()
        own1, own2, own4, other1, other2, other4 = sets
        if n_actions >= 2 and (
            not (own1 | own2 | own4 and other1 | other2 | other4) or n_actions >= MOST_ACTIONS
        ):
            return result(sets) * (DECIDED - n_actions)
        if depth == 0:
            return evaluate(sets)
        key = hash(sets)
        kept = self.kept.get(key, NOTHING_KEPT)
        if kept.depth >= depth and _settles(kept, low, high):
            return kept.value
        options = some_options(sets, depth)
        if kept.move >= 0:
            options.sort(key=lambda option: option.move != kept.move)
        value, move = self._best(options, n_actions, depth, low, high)
        bound = -1 if value <= low else 1 if value >= high else 0
        self._keep(key, Kept(depth, value, bound, move))
        return value

    def _best(
        self, options: list[Option], n_actions: int, depth: int, low: int, high: int
    ) -> tuple[int, int]:
        """The best of some moves, and its value; the first that is too good ends it."""
        best, move, is_first = -INFINITE, options[0].move, True
        for option in options:
            after, floor = option.after, max(low, best)
            if is_first:
                value = -self._search(after, n_actions + 1, depth - 1, -high, -floor)
            else:
                value = -self._search(after, n_actions + 1, depth - 1, -floor - 1, -floor)
                if floor < value < high:
                    value = -self._search(after, n_actions + 1, depth - 1, -high, -value)
            is_first = False
            if value > best:
                best, move = value, option.move
                if best >= high:
                    break
        return best, move

    def _keep(self, key: int, kept: Kept) -> None:
        if len(self.kept) >= self.most_kept:
            self.kept.clear()
        self.kept[key] = kept

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes % LOOK == 0 and self.is_up():
            raise OutOfTime


def _settles(kept: Kept, low: int, high: int) -> bool:
    """Whether what is remembered answers the question."""
    if kept.bound == 0:
        return True
    return kept.value >= high if kept.bound > 0 else kept.value <= low


def safe_move(sets: Sets) -> int:
    """A legal move that takes what it can, found without any search."""
    best, most = -1, -1
    other = Sets(*sets[3:], *sets[:3])
    before = total(*other[:3])
    for move in legal_moves(sets):
        taken = before - total(*played(sets, move)[:3])
        if taken > most:
            best, most = move, taken
    return best
