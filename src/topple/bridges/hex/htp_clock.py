"""The time that an HTP session leaves to each colour."""

from math import isfinite
from time import perf_counter

from topple.bridges.hex.game_lines import BLACK, WHITE
from topple.core.errors import BadText

UNLIMITED = "unlimited"
FEWEST_MOVES = 4  # that a game is always expected to last
CELLS_PER_MOVE = 4  # free cells for each own move to come: games seldom fill the board


class Alarm:
    """A sign to stop that sets itself after some seconds."""

    def __init__(self, seconds: float) -> None:
        self.deadline = perf_counter() + seconds

    def is_set(self) -> bool:
        """Whether the time is over."""
        return perf_counter() >= self.deadline


class Clock:
    """Seconds left for each colour; None where there is no limit."""

    def __init__(self) -> None:
        self.left: dict[int, float | None] = {BLACK: None, WHITE: None}
        self.n_moves = {BLACK: 0, WHITE: 0}  # that the time is for, if that was said

    def set(self, colour: int, seconds: str, n_moves: int = 0) -> None:
        """Give a colour so many seconds, perhaps for so many moves.

        Raises
        ------
        BadText
            If that is no time.
        """
        try:
            number = float(seconds)
        except ValueError:
            number = -1.0
        if not isfinite(number) or number < 0:
            raise BadText(f"{seconds!r:.40} is no number of seconds")
        self.left[colour], self.n_moves[colour] = number, n_moves

    def text(self, colour: int) -> str:
        """The seconds that a colour has left."""
        left = self.left[colour]
        return UNLIMITED if left is None else f"{left:.1f}"

    def alarm(self, colour: int, n_free: int) -> Alarm | None:
        """When to end a search, with so many cells free; None where there is no limit."""
        left = self.left[colour]
        if left is None:
            return None
        expected = max(FEWEST_MOVES, n_free // CELLS_PER_MOVE)
        return Alarm(left / (self.n_moves[colour] or expected))

    def spend(self, colour: int, seconds: float) -> None:
        """Take the time of a move from what is left."""
        left = self.left[colour]
        if left is not None:
            self.left[colour] = max(0.0, left - seconds)
            self.n_moves[colour] = max(0, self.n_moves[colour] - 1)
