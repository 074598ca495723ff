"""Desk: what the hall can see of a game while it is played, even if the player never answers."""

from math import inf
from multiprocessing import get_context
from time import monotonic
from typing import Any, NamedTuple

NOBODY = -1
SEAT, N_MOVES, MOVES = 0, 1, 2  # places in the shared numbers


class Thinking(NamedTuple):
    """Who is to move in the game under way, or was last, and what was played so far."""

    seat: int
    limit: float  # seconds for the move
    deadline: float  # on this machine's monotonic clock; infinite while nobody is to move
    moves: tuple[int, ...]


class Desk:
    """Numbers in memory that a worker writes and the hall reads.

    A worker that hangs or dies tells nothing any more. What it was doing
    stands here.
    """

    def __init__(self, most_plies: int) -> None:
        context: Any = get_context("spawn")
        self.numbers: Any = context.RawArray("i", MOVES + most_plies)
        self.times: Any = context.RawArray("d", 2)  # the limit and the deadline
        self.begin()

    def begin(self) -> None:
        """Clear the desk for the next game."""
        self.numbers[SEAT], self.numbers[N_MOVES] = NOBODY, 0

    def note(self, move: int) -> None:
        """Write down a move."""
        n = self.numbers[N_MOVES]
        self.numbers[MOVES + n] = move
        self.numbers[N_MOVES] = n + 1

    def think(self, seat: int, limit: float) -> None:
        """The player in a seat has so many seconds from now."""
        self.times[:] = limit, monotonic() + limit
        self.numbers[SEAT] = seat

    def rest(self) -> None:
        """Nobody is thinking; if something goes wrong now, it is due to who was last."""
        self.times[1] = inf

    def thinking(self) -> Thinking | None:
        """Who is thinking or was last; None before anybody was."""
        seat = self.numbers[SEAT]
        if seat == NOBODY:
            return None
        moves = self.numbers[MOVES : MOVES + self.numbers[N_MOVES]]
        limit, deadline = self.times
        return Thinking(seat, limit, deadline, tuple(moves))
