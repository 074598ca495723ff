"""Openings: random first moves, different ones as long as the board has any."""

import hashlib
import json
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from topple.errors import Unsupported
from topple.game import Game
from topple.kernels.playout import random_game
from topple.rng import make_rng
from topple.rules.interface import RUNNING, STATUS

PLIES = 2  # unless another number is asked for
TRIES = 100  # draws in a row that bring nothing new before one more ply is added


class Opening(NamedTuple):
    """The moves that a game begins with, and whether it is an earlier one again."""

    moves: tuple[int, ...]
    is_new: bool = True


def openings(game: Game, seed: int, plies: int = PLIES) -> Iterator[Opening]:
    """The openings of a game under a seed, without end; each leads to another position.

    All have `plies` random moves while that gives new positions, then one move
    more, and so on. When the board has no more, they come again from the first.
    How many are taken does not change which ones come. With no plies at all
    every game begins at the start.

    >>> import topple
    >>> from itertools import islice
    >>> tiny = topple.load("hex", board="hex:2")
    >>> [(opening.moves, opening.is_new) for opening in islice(openings(tiny, 1, 1), 3)]
    [((2,), True), ((3,), True), ((0,), True)]
    """
    found: list[Opening] = []
    for opening in _different_openings(game, seed, plies):
        found.append(opening)
        yield opening
    if not found:  # every game of so many plies is over: begin at the start
        found.append(Opening(()))
        yield found[0]
    while True:
        for opening in found:
            yield opening._replace(is_new=False)


def _different_openings(game: Game, seed: int, plies: int) -> Iterator[Opening]:
    """Openings to different positions, until there seem to be no more."""
    rng = make_rng(seed, _identity(game))
    first, seen = game.start(), set()
    if plies == 0:
        yield Opening(())
        return
    misses = unfinished = 0
    while True:
        state, played = game.room(first.state), np.zeros(plies, dtype=np.int32)
        is_open = _draw(game, state, rng, played)
        position = hashlib.sha256(state[: game.sizes.state].tobytes()).digest()[:16]
        unfinished += is_open
        if is_open and position not in seen:
            seen.add(position)
            misses = unfinished = 0
            yield Opening(tuple(played.tolist()))
            continue
        misses += 1
        if misses == TRIES:
            if not unfinished:
                return
            plies, misses, unfinished = plies + 1, 0, 0


def _draw(game: Game, state: np.ndarray, rng: np.ndarray, played: np.ndarray) -> bool:
    """Play random moves; returns whether the game goes on after them."""
    try:
        game.run(random_game, state, rng, game.move_room(), played)
    except Unsupported:  # a cascade beyond all bounds: nobody could play on
        return False
    return bool(state[STATUS] == RUNNING)


def _identity(game: Game) -> int:
    """A number for what the openings of a game depend on."""
    parts = json.dumps([game.name, game.options, game.board.digest], sort_keys=True)
    return int.from_bytes(hashlib.sha256(parts.encode()).digest()[:8], "little")
