"""The values of decided games in searches: an earlier win counts more, an earlier loss less."""

from topple.compiling.specialise import kernel
from topple.rules.interface import STATUS, State, winners

WIN = 1e6  # above any evaluation; a win n plies ahead has the value WIN − n
DECIDED = WIN / 2  # every value beyond ±DECIDED is a won or lost game


@kernel
def decided_value(state: State, player: int, ply: int) -> float:
    """The value for a player of a game that is over `ply` plies below the root."""
    won = winners(state[STATUS])
    if won == 0:
        return 0.0
    if won >> player & 1 == 0:
        return ply - WIN
    return WIN - ply if won == 1 << player else shared_value(won)


@kernel
def shared_value(won: int) -> float:
    """The value of a shared win, which is no decision: less, the more players share it."""
    n_sharers = 0
    while won > 0:
        n_sharers += won & 1
        won >>= 1
    return DECIDED / n_sharers


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
