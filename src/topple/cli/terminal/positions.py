"""Positions that a command line names."""

from collections.abc import Callable

from topple.game import Game, Position, load
from topple.game.warm_up import prepare


def described_position(
    game: str,
    board: str | None,
    text: str | None,
    check: Callable[[Game], object] | None = None,
) -> Position:
    """The first position of a game, or the one that a text describes; its rules are loaded.

    `check` may refuse the game before anything is compiled for it.
    """
    chosen = load(game, board)
    if check is not None:
        check(chosen)
    given = None if text is None else chosen.position(text)
    prepare(chosen)
    return given or chosen.start()
