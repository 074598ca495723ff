"""Openings: random first moves, all different as long as the board allows."""

import hashlib
from collections.abc import Generator, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.arena.planning.draws import draw_at, draw_source, game_identity
from topple.compiling.rng import make_rng
from topple.core.errors import Unsupported
from topple.game.game import Game
from topple.kernels.playout import can_end, random_game
from topple.rules.interface import RUNNING, STATUS, State, apply, legal_moves

PLIES = 2  # unless another number is asked for
LONGEST = 2000  # plies, for games that never end
TRIES = 100  # draws in a row without a new opening before one more ply is added


class Opening(NamedTuple):
    """The moves that a game begins with, and whether this opening is new or a repetition."""

    moves: tuple[int, ...]
    is_new: bool = True
    draws: tuple[int, ...] = ()  # one for each move of a game with chance


def openings(game: Game, seed: int, plies: int = PLIES) -> Iterator[Opening]:
    """An endless series of openings, each of which leads to a different position.

    All have `plies` random moves as long as that gives new positions, then one move more,
    and so on. Positions in which the next move can end the game come last. When there are
    no new positions left, the series starts again. How many openings are taken does not
    change which ones come. With 0 plies every game begins at the start.

    In a game with chance a move has the draw that it will have when the opening is played.

    >>> import topple
    >>> from itertools import islice
    >>> tiny = topple.load("hex", board="hex:2")
    >>> [(opening.moves, opening.is_new) for opening in islice(openings(tiny, 1, 1), 3)]
    [((0,), True), ((2,), True), ((3,), True)]
    """
    found: list[Opening] = []
    if plies:
        for opening in _OpeningSearch(game, seed, plies).different():
            found.append(opening)
            yield opening
    if not found:  # after so many plies every game is over, so begin at the start
        found.append(Opening(()))
        yield found[0]
    while True:
        for opening in found:
            yield opening._replace(is_new=False)


class _OpeningSearch:
    """Draws random openings, and remembers the positions that they led to."""

    def __init__(self, game: Game, seed: int, plies: int) -> None:
        self.game, self.seed, self.plies = game, seed, plies
        self.rng = make_rng(seed, game_identity(game))
        self.first = game.start().state
        self.child, self.moves = game.scratch_state(), game.scratch_moves()
        self.seen: set[bytes] = set()
        self.n_found = 0

    def different(self) -> Iterator[Opening]:
        """Openings to new positions, quiet ones first, until there seem to be no more."""
        for quiet in (True, False):
            n_plies: int | None = self.plies
            while n_plies is not None:
                n_plies = yield from self._of_length(n_plies, quiet)

    def _of_length(self, plies: int, quiet: bool) -> Generator[Opening, None, int | None]:
        """New openings of a length; returns the next length to try, or None."""
        misses, is_worth_it = 0, False
        draws = self._draws(plies)
        while misses < TRIES:
            played = np.zeros(plies, dtype=np.int32)
            state = self._try(played, draws, quiet)
            misses += 1
            if state is None:
                continue
            is_worth_it = True
            position = hashlib.sha256(state).digest()[:16]
            if position not in self.seen:
                self.seen.add(position)
                self.n_found += 1
                misses = 0
                yield Opening(tuple(played.tolist()), draws=draws[:plies])
                draws = self._draws(plies)
        return plies + 1 if is_worth_it and plies < LONGEST else None

    def _draws(self, plies: int) -> tuple[int, ...]:
        """The draws of the next opening's moves and of the move after them; none without chance."""
        if not self.game.has_chance:
            return ()
        source = draw_source(self.game, self.seed, self.plies, self.n_found)
        return tuple(draw_at(source, ply) for ply in range(plies + 1))

    def _try(self, played: NDArray[np.int32], draws: tuple[int, ...], quiet: bool) -> bytes | None:
        """Fill `played` with random moves; returns the position, or None if it cannot be used."""
        try:
            state = self._play(played, draws)
            if state[STATUS] != RUNNING or (quiet and self._can_end(state, draws)):
                return None
        except Unsupported:  # a cascade without end
            return None
        return state[: self.game.sizes.state].tobytes()

    def _play(self, played: NDArray[np.int32], draws: tuple[int, ...]) -> State:
        """Play random moves from the start, and write them into `played`."""
        game = self.game
        state = game.scratch_state(self.first)
        if not draws:
            game.run(random_game, state, self.rng, self.moves, played)
            return state
        for ply in range(len(played)):
            state = game.scratch_state(state, draws[ply])
            game.run(random_game, state, self.rng, self.moves, played[ply : ply + 1])
        return state

    def _can_end(self, state: State, draws: tuple[int, ...]) -> bool:
        """Whether some move ends the game now, with the draw that it will have."""
        game = self.game
        if not draws:
            return bool(game.run(can_end, state, self.child, game.sizes.state, self.moves))
        n_moves = game.run(legal_moves, state, self.moves)
        for move in self.moves[:n_moves].tolist():
            child = game.scratch_state(state, draws[-1])
            game.run(apply, child, move)
            if child[STATUS] != RUNNING:
                return True
        return False
