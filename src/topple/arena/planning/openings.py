"""Openings: random first moves, all different as long as the board allows."""

import hashlib
import json
from collections.abc import Generator, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.rng import make_rng
from topple.core.errors import Unsupported
from topple.game.game import Game
from topple.kernels.playout import can_end, random_game
from topple.rules.interface import RUNNING, STATUS

PLIES = 2  # unless another number is asked for
LONGEST = 2000  # plies, for games that never end
TRIES = 100  # draws in a row without a new opening before one more ply is added


class Opening(NamedTuple):
    """The moves that a game begins with, and whether this opening is new or a repetition."""

    moves: tuple[int, ...]
    is_new: bool = True


def openings(game: Game, seed: int, plies: int = PLIES) -> Iterator[Opening]:
    """An endless series of openings, each of which leads to a different position.

    All have `plies` random moves as long as that gives new positions, then one move more,
    and so on. Positions in which the next move can end the game come last. When there are
    no new positions left, the series starts again. How many openings are taken does not
    change which ones come. With 0 plies every game begins at the start.

    >>> import topple
    >>> from itertools import islice
    >>> tiny = topple.load("hex", board="hex:2")
    >>> [(opening.moves, opening.is_new) for opening in islice(openings(tiny, 1, 1), 3)]
    [((0,), True), ((2,), True), ((3,), True)]
    """
    found: list[Opening] = []
    if plies:
        for opening in _Draws(game, seed).different(plies):
            found.append(opening)
            yield opening
    if not found:  # after so many plies every game is over, so begin at the start
        found.append(Opening(()))
        yield found[0]
    while True:
        for opening in found:
            yield opening._replace(is_new=False)


class _Draws:
    """Draws random openings, and remembers the positions that they led to."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.rng = game, make_rng(seed, _identity(game))
        self.first = game.start().state
        self.child, self.moves = game.scratch_state(), game.scratch_moves()
        self.seen: set[bytes] = set()

    def different(self, plies: int) -> Iterator[Opening]:
        """Openings to new positions, quiet ones first, until there seem to be no more."""
        for quiet in (True, False):
            n_plies: int | None = plies
            while n_plies is not None:
                n_plies = yield from self._of_length(n_plies, quiet)

    def _of_length(self, plies: int, quiet: bool) -> Generator[Opening, None, int | None]:
        """New openings of a length; returns the next length to try, or None."""
        misses, is_worth_it = 0, False
        while misses < TRIES:
            played = np.zeros(plies, dtype=np.int32)
            state = self._draw(played, quiet)
            misses += 1
            if state is None:
                continue
            is_worth_it = True
            position = hashlib.sha256(state).digest()[:16]
            if position not in self.seen:
                self.seen.add(position)
                misses = 0
                yield Opening(tuple(played.tolist()))
        return plies + 1 if is_worth_it and plies < LONGEST else None

    def _draw(self, played: NDArray[np.int32], quiet: bool) -> bytes | None:
        """Fill `played` with random moves; returns the position, or None if it cannot be used."""
        game, n_state = self.game, self.game.sizes.state
        state = game.scratch_state(self.first)
        try:
            game.run(random_game, state, self.rng, self.moves, played)
        except Unsupported:  # a cascade without end
            return None
        if state[STATUS] != RUNNING:
            return None
        if quiet and game.run(can_end, state, self.child, n_state, self.moves):
            return None
        return state[:n_state].tobytes()


def _identity(game: Game) -> int:
    """A number made of all that the openings of a game depend on."""
    parts = json.dumps([game.name, game.kept_options, game.board.digest], sort_keys=True)
    return int.from_bytes(hashlib.sha256(parts.encode()).digest()[:8], "little")
