"""Positions that a command line names."""

from topple.game import Position, load
from topple.game.warm_up import prepare


def described_position(game: str, board: str | None, text: str | None) -> Position:
    """The first position of a game, or the one that a text describes; its rules are loaded."""
    chosen = load(game, board)
    given = None if text is None else chosen.position(text)
    prepare(chosen)
    return given or chosen.start()
