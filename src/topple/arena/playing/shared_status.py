"""What the pool can see of a game while a worker plays it, even if the agent never answers."""

from math import inf
from multiprocessing import get_context
from time import monotonic
from typing import Any, NamedTuple

NOBODY = -1
SEAT, N_MOVES, MOVES = 0, 1, 2  # places in the shared numbers


class GameStatus(NamedTuple):
    """Who is to move in the game under way, or moved last, and the moves so far."""

    seat: int
    limit: float  # seconds for the move
    deadline: float  # on this machine's monotonic clock; infinite while no clock runs
    moves: tuple[int, ...]


class SharedStatus:
    """Numbers in shared memory that a worker writes and the pool reads.

    A worker that hangs or dies reports nothing any more; this says what it was doing.
    """

    def __init__(self, most_plies: int) -> None:
        context: Any = get_context("spawn")
        self._numbers: Any = context.RawArray("i", MOVES + most_plies)
        self._times: Any = context.RawArray("d", 2)  # the limit and the deadline
        self.reset()

    def reset(self) -> None:
        """Forget the last game."""
        self._numbers[SEAT], self._numbers[N_MOVES] = NOBODY, 0

    def add_move(self, move: int) -> None:
        """Add a move to the game."""
        n = self._numbers[N_MOVES]
        self._numbers[MOVES + n] = move
        self._numbers[N_MOVES] = n + 1

    def start_clock(self, seat: int, limit: float) -> None:
        """Start the clock of the player in a seat, which has `limit` seconds from now."""
        self._times[:] = limit, monotonic() + limit
        self._numbers[SEAT] = seat

    def stop_clock(self) -> None:
        """Stop the clock. If something goes wrong now, the player that moved last is to blame."""
        self._times[1] = inf

    def read(self) -> GameStatus | None:
        """The game under way; None before the first clock has started."""
        seat = self._numbers[SEAT]
        if seat == NOBODY:
            return None
        moves = self._numbers[MOVES : MOVES + self._numbers[N_MOVES]]
        limit, deadline = self._times
        return GameStatus(seat, limit, deadline, tuple(moves))
