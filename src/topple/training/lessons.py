"""Lessons: positions of games that are over, with what a network is to learn from them."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel
from topple.game import Game
from topple.kernels.self_play import write_positions
from topple.nets.interface import fate_of
from topple.nets.net import LOSS, WIN
from topple.rules.interface import PLAYER, State

Numbers = NDArray[np.float32]


class Lesson(NamedTuple):
    """Positions of a game that is over, with what is to be learned from them."""

    planes: NDArray[np.float16]  # shape (positions, vertices, planes of the position)
    views: NDArray[np.int8]
    policy: NDArray[np.uint16]  # shape (positions, slots), in UNITs
    results: Numbers  # shape (positions, results): chances
    lead: Numbers  # shape (positions,): by the number of vertices
    fates: NDArray[np.float16]  # shape (positions, vertices): whose they are in the end, −1 to 1


class End(NamedTuple):
    """How a game ended, by player."""

    rewards: NDArray[np.float64]
    scores: NDArray[np.float64]
    state: State  # the last position


def make_lesson(
    game: Game,
    states: NDArray[np.int32],
    policy: NDArray[np.uint16],
    end: End,
    estimates: Numbers | None = None,
    share: float = 0.0,
) -> Lesson:
    """The lesson of a game: `states`, of shape (positions, state), led to the end.

    With `estimates`, the results that a network expected in each position, a position learns
    from the estimates of all later ones too: `share` is the weight of the next one, and what
    is left goes to those behind it and, last, to the result.
    """
    n, n_positions = game.board.n_vertices, len(states)
    vectors = game.scratch_states(n_positions)
    vectors[:, : game.sizes.state] = states
    sight = game.sight[1]
    planes = np.zeros((n_positions, sight.n, sight.n_dynamic), dtype=np.float32)
    views = np.zeros(n_positions, dtype=np.int32)
    game.run(write_positions, vectors, planes, views, game.scratch_state())
    players = vectors[:, PLAYER].copy()
    seats = (players[:, None] + np.arange(game.n_players)) % game.n_players
    scores = end.scores[seats]
    results = results_of(end.rewards[seats])
    if estimates is not None and share > 0:
        game.run(blend_results, players, game.n_players, estimates, share, results)
    fates = np.zeros(n, dtype=np.float32)
    if game.n_players == 2:
        game.run(write_fates, end.state, fates)
    signs = np.where(players == 0, 1.0, -1.0)
    return Lesson(
        planes.astype(np.float16),
        views.astype(np.int8),
        policy,
        results,
        ((scores[:, 0] - scores[:, 1:].max(axis=1)) / n).astype(np.float32),
        (signs[:, None] * fates).astype(np.float16),
    )


def results_of(rewards: NDArray[np.float64]) -> Numbers:
    """The chances of the results that each row of rewards means, the mover's first."""
    if rewards.shape[1] > 2:
        return rewards.astype(np.float32)
    own = rewards[:, 0]
    return np.column_stack([own > 0.75, abs(own - 0.5) <= 0.25, own < 0.25]).astype(np.float32)


@kernel
def write_fates(board: Any, state: State, fates: Numbers) -> int:
    """Write whose each vertex is; returns the number of vertices."""
    for vertex in range(len(fates)):
        fates[vertex] = fate_of(board, state, vertex)
    return len(fates)


@kernel
def blend_results(
    board: Any,
    players: NDArray[np.int32],
    n_players: int,
    estimates: Numbers,
    share: float,
    results: Numbers,
) -> int:
    """Blend the estimates of later positions into the results; returns the number of positions.

    Results and estimates are seen by each position's mover. Changes `results`.
    """
    n_results = results.shape[1]
    for i in range(len(players) - 2, -1, -1):
        ahead = players[i] - players[i + 1] + n_players
        for place in range(n_results):
            there = place  # of this result, as the next mover sees it
            if n_players > 2:
                there = (place + ahead) % n_players
            elif ahead != n_players:
                there = WIN + LOSS - place
            later = share * estimates[i + 1, there] + (1.0 - share) * results[i + 1, there]
            results[i, place] = later
    return len(players)
