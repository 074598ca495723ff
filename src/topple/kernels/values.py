"""The values of decided games in searches: an earlier win counts more, an earlier loss less."""

from topple.compiling.specialise import kernel
from topple.rules.interface import STATUS, WON, State

WIN = 1e6  # above any evaluation; a win n plies ahead has the value WIN − n
DECIDED = WIN / 2  # every value beyond ±DECIDED is a won or lost game


@kernel
def decided_value(state: State, player: int, ply: int) -> float:
    """The value for a player of a game that is over `ply` plies below the root."""
    status = state[STATUS]
    if status < WON:
        return 0.0
    return WIN - ply if status == WON + player else ply - WIN


@kernel
def seen_from(value: float, ply: int) -> float:
    """Convert a value counted from the root to one counted from a node `ply` plies below."""
    if value > DECIDED:
        return value + ply
    return value - ply if value < -DECIDED else value


@kernel
def seen_from_root(value: float, ply: int) -> float:
    """Convert a value counted from a node `ply` plies below the root to one from the root."""
    if value > DECIDED:
        return value - ply
    return value + ply if value < -DECIDED else value
