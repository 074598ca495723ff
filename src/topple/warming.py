"""Warming up: compiling a game's kernels ahead, so that no clock runs meanwhile."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from topple.compiling import quietly
from topple.game import Game
from topple.kernels.perft import count_leaves
from topple.kernels.playout import endless_play, playouts, random_game
from topple.rng import make_rng
from topple.rules.interface import apply, begin, key, legal_moves, outcome, start, step

Kernel = Callable[..., Any]

RULES: tuple[Kernel, ...] = (start, legal_moves, begin, step, apply, outcome, key)
SEARCH: tuple[Kernel, ...] = (playouts, random_game, endless_play, count_leaves)


def cold_kernels(game: Game, kernels: Sequence[Kernel]) -> list[Kernel]:
    """Those of the kernels that would have to be compiled first."""
    return [kernel for kernel in kernels if not game.kernels.is_warm(kernel)]


def warm(
    game: Game, kernels: Sequence[Kernel], report: Callable[[str], None] | None = None
) -> None:
    """Call each kernel once on a small case, which compiles or loads it.

    `report` is told the name of each kernel when it is done.
    """
    with quietly():
        for kernel in kernels:
            game.run(kernel, *_small_case(game, kernel))
            if report:
                report(kernel.__name__)


def _small_case(game: Game, kernel: Kernel) -> tuple[Any, ...]:
    """Arguments of the kinds that the kernel is called with in earnest."""
    state, moves, rng = game.room(), game.move_room(), make_rng(0)
    if kernel is not start:
        game.run(start, state)
    move = int(moves[0]) if kernel is start else _first_move(game, state)
    returns = np.zeros(game.n_players)
    n = game.sizes.state
    cases: dict[Kernel, tuple[Any, ...]] = {
        start: (state,),
        legal_moves: (state, moves),
        begin: (state, move),
        step: (state,),
        apply: (state, move),
        outcome: (state, returns),
        key: (state, n),
        playouts: (state, game.room(), n, rng, moves, returns, returns.copy(), 1),
        random_game: (state, rng, moves, np.zeros(1, dtype=np.int32)),
        endless_play: (state, n, rng, moves, 1),
        count_leaves: (np.array([state]), n, np.zeros((1, len(moves)), dtype=np.int32), 0),
    }
    return cases[kernel]


def _first_move(game: Game, state: Any) -> int:
    moves = game.move_room()
    game.run(legal_moves, state.copy(), moves)
    return int(moves[0])
