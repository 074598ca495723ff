"""OpenSpiel's states, found again by the moves that led to them."""

from typing import Any

import numpy as np

from topple.bridges.from_open_spiel.library import one_line
from topple.core.errors import Unsupported
from topple.rules.interface import HEADER, State

PLIES = HEADER  # moves so far
MOVES = HEADER + 1  # each of them plus 1
BYTES = np.dtype(np.int32).itemsize  # of a move
MOST_KEPT = 20_000  # states


class StateMemory:
    """The states of one game that were looked at last. What it hands out must not be changed."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.states: dict[bytes, Any] = {}

    def at(self, state: State) -> Any:
        """The state after the moves that a vector holds."""
        path = state[MOVES : MOVES + int(state[PLIES])].tobytes()
        found = self.states.get(path)
        return self._replayed(path) if found is None else found

    def after(self, state: State, move: int) -> Any:
        """The state after one move more."""
        path = state[MOVES : MOVES + int(state[PLIES])].tobytes() + np.int32(move + 1).tobytes()
        found = self.states.get(path)
        if found is None:
            found = self._child(self.at(state), int(move))
            self._keep(path, found)
        return found

    def _child(self, state: Any, move: int) -> Any:
        try:
            return state.child(move)
        except RuntimeError as error:  # the base of OpenSpiel's own
            raise Unsupported(f"OpenSpiel's {self.game} has failed: {one_line(error)}") from None

    def _replayed(self, path: bytes) -> Any:
        """Play the moves again from the last state that is known."""
        end = len(path)
        while end and path[:end] not in self.states:
            end -= BYTES
        known = self.states.get(path[:end])
        state = self.game.new_initial_state() if known is None else known.clone()
        for move in np.frombuffer(path[end:], dtype=np.int32).tolist():
            state.apply_action(move - 1)
        self._keep(path, state)
        return state

    def _keep(self, path: bytes, state: Any) -> None:
        if len(self.states) >= MOST_KEPT:
            self.states.clear()
        self.states[path] = state
