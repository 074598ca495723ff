"""Measure random games per second, and the cost of a move on networks of growing size."""

from collections.abc import Callable, Sequence
from math import isqrt
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.rng import Rng, make_rng
from topple.compiling.specialise import kernel
from topple.game import warm_up as warming
from topple.game.game import Game, load
from topple.kernels.moves import play_move
from topple.kernels.playout import playouts
from topple.rules import game_names
from topple.rules.interface import (
    NO_VERTEX,
    RUNNING,
    STATUS,
    Moves,
    State,
    begin,
    copy_position,
    random_move,
    step,
)
from topple.rules.journal import put_position

SIZES = (30, 300, 3_000, 30_000)
CORNER = 8  # vertices of the side of the square in which moves are tried
SHORTEST = 0.05  # seconds of one measurement, so that reading the clock does not matter

Report = Callable[[str], None]


def playout_speeds(
    games: Sequence[tuple[str, str | None]] | None = None,
    seconds: float = 1.0,
    report: Report | None = None,
) -> list[dict[str, Any]]:
    """Measure random games from the start to the end, on one core.

    Parameters
    ----------
    games : sequence of (game, board), optional
        The games to measure; by default every registered game on its default board.
    seconds : float
        The time for each game, after warming up. The best of several measurements
        counts, because a busy machine can only make a program slower.
    report : callable, optional
        Called with the name of each game when it is done.

    Returns
    -------
    list of dict
        With keys game, board, playouts_per_s and moves_per_s. A shortcut playout
        counts the moves that it replaces: in Hex, every empty cell.
    """
    rows = []
    for name, board in games or [(name, None) for name in game_names()]:
        game = load(name, board)
        warming.warm(game, (playouts,))
        playouts_per_s, moves_per_s = playout_speed(game, seconds)
        rows.append(
            {
                "game": game.spec,
                "board": game.board.spec,
                "playouts_per_s": round(playouts_per_s, 1),
                "moves_per_s": round(moves_per_s, 1),
            }
        )
        if report:
            report(name)
    return rows


def playout_speed(game: Game, seconds: float, seed: int = 1) -> tuple[float, float]:
    """Random games per second and moves per second, the best of several measurements."""
    root, state, moves = (
        game.scratch_state(game.start().state),
        game.scratch_state(),
        game.scratch_moves(),
    )
    returns, totals, rng = np.zeros(game.n_players), np.zeros(game.n_players), make_rng(seed)

    def measure(n_games: int) -> tuple[float, int]:
        began = perf_counter()
        n_plies = game.run(
            playouts, root, state, game.sizes.state, rng, moves, returns, totals, n_games
        )
        return perf_counter() - began, n_plies

    n_games = 1
    while measure(n_games)[0] < SHORTEST:
        n_games *= 2
    best, end = (0.0, 0.0), perf_counter() + seconds
    while True:
        took, n_plies = measure(n_games)
        best = max(best, (n_games / took, n_plies / took))
        if perf_counter() >= end:
            return best


@kernel
def play_and_count(
    board: Any, state: State, rng: Rng, moves: Moves, counts: NDArray[np.int64]
) -> None:
    """Play a random game of Spread-It in `state`; adds its moves, firings and moved tokens.

    `counts` has shape (3,) for these three numbers. Changes `state`, `rng` and `moves`.
    """
    while state[STATUS] == RUNNING:
        begin(board, state, random_move(board, state, rng, moves))
        counts[0] += 1
        vertex = step(board, state)
        while vertex != NO_VERTEX:
            counts[1] += 1
            counts[2] += board.neighbour_start[vertex + 1] - board.neighbour_start[vertex]
            vertex = step(board, state)


warming.can_be_warmed(
    play_and_count,
    lambda game: (
        warming.first_position(game),
        make_rng(0),
        game.scratch_moves(),
        np.zeros(3, dtype=np.int64),
    ),
)


def scaling(
    sizes: Sequence[int] = SIZES, seconds: float = 1.0, report: Report | None = None
) -> list[dict[str, Any]]:
    """Measure the cost of a move of Spread-It on networks of growing size.

    Plays whole random games on preferential-attachment networks in which each new
    vertex has three edges. A move changes its own vertex and, for each firing, a vertex
    and its neighbours; `ns_per_change` is the time for one such change. `ns_per_trial` is the
    time to try a move and take it back, as searches do, among the same few tokens in a corner
    of a square grid of about that size.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of vertices.
    seconds : float
        The time for each network, after warming up.
    report : callable, optional
        Called with a few words on each network when it is done.

    Returns
    -------
    list of dict
        With keys loyalty, vertices, edges, moves_per_s, firings_per_move,
        ns_per_move, ns_per_change and ns_per_trial.
    """
    rows = []
    for loyalty in ("zero", "full"):
        for n in sizes:
            game = load("spread-it", f"ba:n={n},m=3,seed=1", loyalty=loyalty)
            took, counts = _count_games(game, seconds)
            n_moves, n_firings, n_tokens = (int(count) for count in counts)
            changes = n_moves + n_firings + n_tokens
            rows.append(
                {
                    "loyalty": loyalty,
                    "vertices": n,
                    "edges": game.board.n_edges,
                    "moves_per_s": round(n_moves / took, 1),
                    "firings_per_move": round(n_firings / n_moves, 3),
                    "ns_per_move": round(took / n_moves * 1e9, 1),
                    "ns_per_change": round(took / changes * 1e9, 2),
                    "ns_per_trial": round(1e9 * _trial_seconds(loyalty, n, seconds), 1),
                }
            )
            if report:
                report(f"{n:,} vertices, {loyalty} loyalty")
    return rows


@kernel
def try_moves(
    board: Any, root: State, trial: State, n_state: int, vertices: NDArray[np.int32], n_times: int
) -> int:
    """Try a token on each of some vertices, so many times; returns the number of trials."""
    for _ in range(n_times):
        for i in range(len(vertices)):
            copy_position(root, trial, n_state)
            play_move(board, trial, vertices[i])
    return n_times * len(vertices)


def _corner(side: int, width: int) -> NDArray[np.int32]:
    """The vertices of a square in the corner of a grid with rows of that length."""
    rows, columns = np.divmod(np.arange(side * side), side)
    return (rows * width + columns).astype(np.int32)


def _corner_case(game: Game) -> tuple[State, State, int, NDArray[np.int32], int]:
    """Arguments of `try_moves`: a corner in which one token in three starts a cascade."""
    vertices, random = _corner(CORNER, game.board.columns), np.random.default_rng(1)
    position, thresholds = game.start(), game.board.thresholds
    for vertex in random.permutation(np.repeat(vertices, thresholds[vertices] - 1))[: 2 * CORNER]:
        position = position.play(int(vertex))
    root, trial = game.scratch_states(2)
    put_position(root, position.state)
    return root, trial, game.sizes.state, vertices, 1


warming.can_be_warmed(
    try_moves,
    lambda game: (*game.scratch_states(2), game.sizes.state, np.zeros(0, dtype=np.int32), 0),
)


def _trial_seconds(loyalty: str, n: int, seconds: float) -> float:
    """The time to try a move in a corner of a square grid of about n vertices."""
    side = max(CORNER, isqrt(n))
    game = load("spread-it", f"grid:{side}x{side}", loyalty=loyalty)
    warming.warm(game, (try_moves,))
    *arguments, n_times = _corner_case(game)
    best, end = np.inf, perf_counter() + seconds
    while perf_counter() < end:
        began = perf_counter()
        n_trials = game.run(try_moves, *arguments, n_times)
        took = perf_counter() - began
        best = min(best, took / n_trials)
        n_times = 2 * n_times if took < SHORTEST else n_times
    return best


def _count_games(game: Game, seconds: float) -> tuple[float, NDArray[np.int64]]:
    """Play whole games for at least `seconds`; returns the time taken and the counts."""
    root, moves, rng = game.start().state, game.scratch_moves(), make_rng(1)
    state, counts, took = game.scratch_state(), np.zeros(3, dtype=np.int64), 0.0
    warming.warm(game, (play_and_count,))
    while took < seconds:
        put_position(state, root)
        began = perf_counter()
        game.run(play_and_count, state, rng, moves, counts)
        took += perf_counter() - began
    return took, counts
