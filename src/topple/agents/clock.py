"""A player's time for a whole game, dealt out in equal shares."""

from typing import NamedTuple


class GameClock(NamedTuple):
    """What a player has used of its time for a game.

    >>> GameClock(seconds=80.0, turns=22).share(180.0, 72)
    2.0
    """

    seconds: float = 0.0
    turns: int = 0

    def share(self, game_time: float, n_turns: int) -> float:
        """Seconds for the next move: what is left, shared by the turns that are left.

        A game that lasts longer than was thought gets all that is left each time.
        """
        left = max(game_time - self.seconds, 0.0)
        return left / max(n_turns - self.turns, 1)

    def after(self, seconds: float) -> "GameClock":
        """The clock after a move that took so long."""
        return GameClock(self.seconds + seconds, self.turns + 1)
