"""What a decided game is worth to those who look ahead."""

from topple.compiling.specialise import kernel
from topple.rules.interface import STATUS, WON, State

WIN = 1e6  # more than any evaluation; a win so many plies ahead is worth that much less
DECIDED = WIN / 2  # every value beyond this is a won or lost game


@kernel
def decided_value(state: State, player: int, ply: int) -> float:
    """The value for a player of a game that is over `ply` plies ahead: sooner counts more."""
    status = state[STATUS]
    if status < WON:
        return 0.0
    return WIN - ply if status == WON + player else ply - WIN


@kernel
def seen_from(value: float, ply: int) -> float:
    """A value counted from the root, as it looks from a node `ply` plies ahead."""
    if value > DECIDED:
        return value + ply
    return value - ply if value < -DECIDED else value


@kernel
def seen_from_root(value: float, ply: int) -> float:
    """A value counted from a node `ply` plies ahead, as it looks from the root."""
    if value > DECIDED:
        return value - ply
    return value + ply if value < -DECIDED else value
