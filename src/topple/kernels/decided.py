"""What a game that is over is worth to a search that otherwise evaluates."""

from topple.compiling import kernel
from topple.rules.interface import DRAWN, WON

DECIDED = 1e6  # a game decided at once; every evaluation is closer to 0


@kernel
def decided_value(status: int, player: int, ply: int) -> float:
    """The worth of an ended game to a player: a win is better sooner, a loss later, a draw is 0.

    `ply` is how many moves from the root the game ended.
    """
    if status == DRAWN:
        return 0.0
    return DECIDED - ply if status == WON + player else ply - DECIDED
