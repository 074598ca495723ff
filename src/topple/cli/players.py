"""Who can sit down at a game in the terminal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topple.game import Game
    from topple.position import Position

Choose = Callable[["Position", int], int]  # a position and its ply to a move


@dataclass(frozen=True)
class Player:
    """Someone at the table. `choose` is None for a person at the keyboard."""

    name: str
    choose: Choose | None


def human(seed: int) -> Choose | None:
    """A person, who is asked."""
    return None


def random(seed: int) -> Choose | None:
    """One who draws each move uniformly; the seed and the ply fix the draw."""
    import numpy as np

    from topple.rng import below, make_rng

    def choose(position: "Position", ply: int) -> int:
        moves = position.legal_moves()
        with np.errstate(over="ignore"):  # the generator's words wrap around
            return moves[int(below(make_rng(seed, ply), len(moves)))]

    return choose


PLAYERS: dict[str, Callable[[int], Choose | None]] = {"human": human, "random": random}


def seat_players(game: "Game", names: Sequence[str], seed: int) -> tuple[Player, ...]:
    """Seat the named players in order; empty seats go to random ones.

    Raises
    ------
    BadText
        If a name is unknown or there are too many.
    """
    from topple.errors import BadText, unknown

    for name in names:
        if name not in PLAYERS:
            raise BadText(unknown("player", name, PLAYERS))
    if len(names) > game.n_players:
        raise BadText(f"{game.spec} is for {game.n_players} players, and {len(names)} are named")
    filled = [*names, *["random"] * (game.n_players - len(names))]
    return tuple(Player(name, PLAYERS[name](seed)) for name in filled)
