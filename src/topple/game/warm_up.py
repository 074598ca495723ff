"""Warming up: compiling a game's kernels ahead, so that no clock runs meanwhile."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from topple.compiling.rng import make_rng
from topple.compiling.specialise import Kernel, quietly
from topple.game.game import Game
from topple.kernels.opening import can_end
from topple.kernels.perft import count_leaves
from topple.kernels.playout import playouts, random_game
from topple.rules.interface import (
    State,
    apply,
    begin,
    key,
    legal_moves,
    outcome,
    score,
    start,
    step,
)

SmallCase = Callable[[Game], tuple[Any, ...]]

RULES: tuple[Kernel, ...] = (start, legal_moves, begin, step, apply, outcome, score, key)
SEARCH: tuple[Kernel, ...] = (playouts, random_game, count_leaves, can_end)

_small_cases: dict[Kernel, SmallCase] = {}


def can_be_warmed(kernel: Kernel, small_case: SmallCase) -> None:
    """Say how to call a kernel once: arguments of the kinds that it is called with in earnest."""
    _small_cases[kernel] = small_case


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
            game.run(kernel, *_small_cases[kernel](game))
            if report:
                report(kernel.__name__)


def first_position(game: Game) -> State:
    """The first position in a vector that kernels may change."""
    state = game.room()
    game.run(start, state)
    return state


def _first_move(game: Game) -> int:
    moves = game.move_room()
    game.run(legal_moves, first_position(game), moves)
    return int(moves[0])


def _begun(game: Game) -> State:
    state = first_position(game)
    game.run(begin, state, _first_move(game))
    return state


def _returns(game: Game) -> Any:
    return np.zeros(game.n_players)


can_be_warmed(start, lambda game: (game.room(),))
can_be_warmed(legal_moves, lambda game: (first_position(game), game.move_room()))
can_be_warmed(begin, lambda game: (first_position(game), _first_move(game)))
can_be_warmed(step, lambda game: (_begun(game),))
can_be_warmed(apply, lambda game: (first_position(game), _first_move(game)))
can_be_warmed(outcome, lambda game: (first_position(game), _returns(game)))
can_be_warmed(score, lambda game: (first_position(game), _returns(game)))
can_be_warmed(key, lambda game: (first_position(game), game.sizes.state))
can_be_warmed(
    playouts,
    lambda game: (
        first_position(game),
        game.room(),
        game.sizes.state,
        make_rng(0),
        game.move_room(),
        _returns(game),
        _returns(game),
        1,
    ),
)
can_be_warmed(
    random_game,
    lambda game: (
        first_position(game),
        make_rng(0),
        game.move_room(),
        np.zeros(1, dtype=np.int32),
    ),
)
can_be_warmed(
    count_leaves,
    lambda game: (
        np.array([first_position(game)]),
        game.sizes.state,
        np.zeros((1, game.sizes.moves), dtype=np.int32),
        0,
    ),
)
can_be_warmed(
    can_end,
    lambda game: (first_position(game), game.room(), game.sizes.state, game.move_room()),
)
