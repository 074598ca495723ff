"""Positions as pictures, in the colours that the lab gives the players."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.game.position import Position
from topple.present.boards.canvas import Canvas, Mark
from topple.present.boards.cells import paint_borders
from topple.present.boards.drawing import paint, pixels
from topple.present.colours import CELL, FAINT, GRID, INK, PAPER, VERTEX, mixed
from topple.rules.text import Cell

DOTS_PER_INCH = 100
TINT = 0.3
LONGEST_HEADLINE = 100  # characters

# Colours that colour-blind people can tell apart, with the ink that is read on them, as in the
# lab's style/tokens.css.
BLACK, RED, BLUE = ("#1d2733", "#ffffff"), ("#a93432", "#ffffff"), ("#2a6fe0", "#ffffff")
GREEN, ORANGE, TEAL = ("#53cb94", "#04241b"), ("#e4740d", "#241000"), ("#216c72", "#ffffff")
VIOLET, YELLOW, PINK = ("#8a58dd", "#ffffff"), ("#eaec33", "#2d2a00"), ("#d6a3c7", "#33081f")
BY_NAME = {
    "Black": BLACK,
    "Red": RED,
    "Blue": BLUE,
    "Green": GREEN,
    "Yellow": YELLOW,
    "Violet": VIOLET,
    "Orange": ORANGE,
    "Teal": TEAL,
    "Pink": PINK,
    "Left": ("#2c3e57", "#ffffff"),
    "Right": ("#d9cba8", INK),
}
BY_SEAT = (BLUE, RED, GREEN, ORANGE, PINK, YELLOW, TEAL, BLACK)


def position_pixels(position: Position) -> NDArray[np.uint8]:
    """A position as an array of shape (height, width, 3); the size depends on the board alone.

    >>> import topple
    >>> game = topple.load("hex", "hex:3")
    >>> position_pixels(game.start()).shape == position_pixels(game.start().play("b2")).shape
    True
    """
    return pixels(_painted(position), DOTS_PER_INCH)


def _painted(position: Position) -> Canvas:
    board, players = present_board(position), position.game.players
    canvas = paint(board, position_marks(position), _caption(position))
    owners = position.borders()
    if len(owners) == 2 and board.form == "hexes":
        upright, across = (player_colours(players, owner)[0] for owner in owners)
        paint_borders(board, canvas, (upright, across))
    return canvas


def present_board(position: Position) -> Board:
    """The board with the network that it has now; a board that never changes itself."""
    board = position.game.board
    if not board.stages:
        return board
    now = board.networks[position.network]._asdict()
    del now["ply"]
    return replace(board, **now, stages=(), places=board.coordinates)


def position_marks(position: Position) -> list[Mark]:
    """What each vertex looks like: its owner's colour, and what lies on it.

    >>> import topple
    >>> position_marks(topple.load("hex", "hex:2").start().play("a1"))[0]
    Mark(text='X', fill='#2a6fe0', ink='#ffffff', is_bold=True, rim='#22303f')
    """
    texts = zip(position.contents(), position.cells(), strict=True)
    return [_mark(position, cell, text) for cell, text in texts]


def _mark(position: Position, cell: Cell, text: str) -> Mark:
    plain = VERTEX if position.game.board.form == "network" else CELL
    players = position.game.players
    if cell.gone:
        return Mark("", PAPER, FAINT, rim=GRID)
    if cell.owner is not None:
        fill, ink = player_colours(players, cell.owner)
        return Mark(text, fill, ink, is_bold=True)
    leaders = [player for player, n in enumerate(cell.counts) if n and n == max(cell.counts)]
    if len(leaders) == 1:
        return Mark(text, mixed(plain, player_colours(players, leaders[0])[0], TINT))
    return Mark(text, plain)


def player_colours(players: tuple[str, ...], player: int) -> tuple[str, str]:
    """A player's colour, and the ink that is read on it."""
    return BY_NAME.get(players[player], BY_SEAT[player % len(BY_SEAT)])


def _caption(position: Position) -> str:
    if position.is_over:
        return position.result_text()
    turn, headline = f"{position.game.players[position.player]} to move", position.headline
    if len(headline) > LONGEST_HEADLINE:
        headline = headline.partition(";")[0]  # the scores of many players
    return " · ".join(filter(None, [headline, turn]))
