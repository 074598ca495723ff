"""An agent for the University of Melbourne's Infexion referee (2023).

`python -m referee topple.bridges.infexion agent` plays it, unmodified, against yours. It
keeps to 180 seconds of CPU time and 250 megabytes, in one process: a compiler would cost
most of both, so it brings an engine of its own in plain Python.
"""

from importlib import import_module
from time import perf_counter, process_time
from typing import Any

from topple.bridges.infexion.board import (
    DIRECTIONS,
    EMPTY,
    FIRST_SPREAD,
    MOST_ACTIONS,
    N_DIRECTIONS,
    SIZE,
    Sets,
    played,
)
from topple.bridges.infexion.engine import MOST_KEPT, Engine, safe_move

SECONDS = 180.0  # for a game, where the referee does not say
RESERVE, RESERVED = 8.0, 0.05  # seconds that are never searched away, or a part of them all
MOST_SECONDS = 6.0  # for a move; the referee waits 60 by the clock on the wall
MOST_ON_THE_WALL = 25.0
OPENING, OPENING_SECONDS = 4, 0.5  # the first actions are all alike
EXPECTED_TURNS, LEAST_TURNS = 55, 20  # own turns of a game, and those that always seem left
SPARE = 60.0  # megabytes that are to stay free


def seconds_for(remaining: float, n_actions: int, granted: float = SECONDS) -> float:
    """The share of the remaining time that a move may take, after so many actions.

    >>> round(seconds_for(180.0, 20), 2), seconds_for(5.0, 200)
    (3.82, 0.0)
    """
    left = (MOST_ACTIONS - n_actions + 1) // 2
    turns = min(left, max(LEAST_TURNS, EXPECTED_TURNS - n_actions // 2))
    share = max(0.0, remaining - min(RESERVE, RESERVED * granted)) / turns
    return min(share, OPENING_SECONDS if n_actions < OPENING else MOST_SECONDS)


class Agent:
    """A player of one game, as the referee wants it."""

    def __init__(self, color: Any, **referee: Any) -> None:
        self._game = import_module("referee.game")
        self._directions = {
            (direction.value.r, direction.value.q): direction for direction in self._game.HexDir
        }
        self.color = color
        self.sets: Sets = EMPTY  # seen by who is to move
        self.n_actions = 0
        self.engine = Engine()
        self._used = 0.0  # seconds of own moves, where the referee does not count
        self._granted = referee.get("time_remaining") or SECONDS

    def action(self, **referee: Any) -> Any:
        """Choose an action. Whatever goes wrong in the search, it is a legal one."""
        began = process_time()
        try:
            move = self._search(began, referee)
        except Exception:
            move = safe_move(self.sets)
        self._used += process_time() - began
        return self._action_of(move)

    def turn(self, color: Any, action: Any, **referee: Any) -> None:
        """Take note of an action that was played, by either side."""
        self.sets = played(self.sets, self._move_of(action))
        self.n_actions += 1

    def _search(self, began: float, referee: dict[str, Any]) -> int:
        self._save_space(referee)
        remaining = referee.get("time_remaining")
        if remaining is None:
            remaining = SECONDS - self._used
        seconds, wall = seconds_for(remaining, self.n_actions, self._granted), perf_counter()

        def is_up() -> bool:
            return process_time() - began > seconds or perf_counter() - wall > MOST_ON_THE_WALL

        return self.engine.choose(self.sets, self.n_actions, is_up).move

    def _save_space(self, referee: dict[str, Any]) -> None:
        """Remember less from now on if the memory runs short."""
        left = referee.get("space_remaining")
        if referee.get("space_limit") and left is not None and left < SPARE:
            self.engine.most_kept = min(self.engine.most_kept // 2, MOST_KEPT)
            self.engine.kept.clear()

    def _action_of(self, move: int) -> Any:
        """A move in the referee's own words."""
        if move < FIRST_SPREAD:
            return self._game.SpawnAction(self._game.HexPos(*divmod(move, SIZE)))
        cell, direction = divmod(move - FIRST_SPREAD, N_DIRECTIONS)
        position = self._game.HexPos(*divmod(cell, SIZE))
        return self._game.SpreadAction(position, self._directions[DIRECTIONS[direction]])

    def _move_of(self, action: Any) -> int:
        """The number of a move in the referee's words."""
        cell = action.cell.r * SIZE + action.cell.q
        if isinstance(action, self._game.SpawnAction):
            return int(cell)
        vector = action.direction.value
        return int(FIRST_SPREAD + N_DIRECTIONS * cell + DIRECTIONS.index((vector.r, vector.q)))
