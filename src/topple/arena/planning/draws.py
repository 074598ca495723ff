"""Draws of a tournament's games: what chance brings in each move, fixed before any is played."""

import hashlib
import json
from typing import NamedTuple

from topple.game.game import Game


class Draws(NamedTuple):
    """The draws of the moves of a game with chance.

    All games from one opening have the same draws, whoever plays them: both sides of an
    opening, and all pairings. An opening that is used again keeps its own draws, so that its
    moves lead to the same position; later moves have new ones.
    """

    opening: tuple[int, ...]  # of the moves of the opening
    source: int  # fixes the draws of all later moves

    def at(self, ply: int) -> int:
        """The draw of a move, a whole number below 2³²; plies are counted from 0."""
        return self.opening[ply] if ply < len(self.opening) else draw_at(self.source, ply)


def draw_at(source: int, ply: int) -> int:
    """The draw that follows from a source and a ply."""
    digest = hashlib.sha256(f"{source} {ply}".encode()).digest()
    return int.from_bytes(digest[:4], "little")


def draw_source(game: Game, seed: int, plies: int, opening_number: int) -> int:
    """The source of the draws of all games from an opening."""
    return _number([*_parts(game), seed, plies, opening_number])


def game_identity(game: Game) -> int:
    """A number made of all that the openings of a game depend on."""
    return _number(_parts(game))


def _parts(game: Game) -> list[object]:
    return [game.name, game.kept_options, game.board.digest]


def _number(parts: list[object]) -> int:
    text = json.dumps(parts, sort_keys=True)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
