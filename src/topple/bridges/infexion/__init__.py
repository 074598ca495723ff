"""An agent for the University of Melbourne's Infexion referee (2023).

`python -m referee topple.bridges.infexion agent` plays it against yours in the unmodified
referee. It stays within 180 seconds of CPU time and 250 megabytes in one process. A compiler
would use most of both, so the agent has its own engine in plain Python and imports nothing
beyond the standard library.
"""

from importlib import import_module
from time import perf_counter, process_time
from typing import Any

from topple.bridges.infexion.bit_position import (
    EMPTY,
    MOST_ACTIONS,
    BitPosition,
    action_numbers,
    make_action,
    move_numbers,
    numbered_move,
    played,
)
from topple.bridges.infexion.engine import Engine, safe_move

SECONDS = 180.0  # for a game, unless the referee gives another limit
RESERVE, RESERVED = 8.0, 0.05  # seconds that stay unused, at most this share of the limit
MOST_SECONDS = 6.0  # of CPU time for a move
MOST_WALL_SECONDS = 25.0  # for a move; the referee waits 60
OPENING, OPENING_SECONDS = 4, 0.5  # the first actions differ little in value
EXPECTED_TURNS, LEAST_TURNS = (
    55,
    20,
)  # own turns of a game, and the fewest always assumed to be left
SPARE = 60.0  # megabytes to keep free


def seconds_for(remaining: float, n_actions: int, granted: float = SECONDS) -> float:
    """The seconds for a move, from the remaining time, after `n_actions` actions.

    >>> round(seconds_for(180.0, 20), 2), seconds_for(5.0, 200)
    (3.82, 0.0)
    """
    left = (MOST_ACTIONS - n_actions + 1) // 2
    turns = min(left, max(LEAST_TURNS, EXPECTED_TURNS - n_actions // 2))
    share = max(0.0, remaining - min(RESERVE, RESERVED * granted)) / turns
    return min(share, OPENING_SECONDS if n_actions < OPENING else MOST_SECONDS)


class Agent:
    """A player of one game with the referee's interface."""

    def __init__(self, color: Any, **referee: Any) -> None:
        self._game = import_module("referee.game")
        self.color = color
        self.position: BitPosition = EMPTY  # seen by the player to move
        self.n_actions = 0
        self.engine = Engine()
        self._used = 0.0  # seconds of own moves, for a referee that does not count
        self._granted = referee.get("time_remaining") or SECONDS

    def action(self, **referee: Any) -> Any:
        """Choose a legal action, even if the search fails."""
        began = process_time()
        try:
            move = self._search(began, referee)
        except Exception:
            move = safe_move(self.position)
        self._used += process_time() - began
        return make_action(self._game, move_numbers(move))

    def turn(self, color: Any, action: Any, **referee: Any) -> None:
        """Record an action played by either side."""
        move = numbered_move(action_numbers(self._game, action))
        self.position = played(self.position, move)
        self.n_actions += 1

    def _search(self, began: float, referee: dict[str, Any]) -> int:
        self._save_space(referee)
        remaining = referee.get("time_remaining")
        if remaining is None:
            remaining = SECONDS - self._used
        seconds, wall = seconds_for(remaining, self.n_actions, self._granted), perf_counter()

        def is_up() -> bool:
            return process_time() - began > seconds or perf_counter() - wall > MOST_WALL_SECONDS

        return self.engine.choose(self.position, self.n_actions, is_up).move

    def _save_space(self, referee: dict[str, Any]) -> None:
        """Shrink the transposition table if memory is running out."""
        left = referee.get("space_remaining")
        if referee.get("space_limit") and left is not None and left < SPARE:
            self.engine.table_limit //= 2
            self.engine.table.clear()
            self.engine.older.clear()
