"""The forward pass: what a network makes of a position, as compiled kernels.

All sums are taken in a fixed order, so that a network gives the same bits on every machine.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topple.compiling.exponential import exp
from topple.compiling.products import LANES, ROWS, add_products
from topple.compiling.specialise import kernel, noinline
from topple.nets.interface import encode, slot_of, view_of
from topple.nets.net import LOSS, WIN, Design, Net, Weights
from topple.nets.sight import SUM_SCALE, Sight
from topple.rules.interface import PLAYER, Moves, Returns, State

Rows = NDArray[np.float32]


class NetScratch(NamedTuple):
    """The scratch space of one forward pass. Tables of sources are as `Sight` says."""

    planes: Rows  # sources: the planes of the position and the board
    hidden: Rows  # sources: what the blocks add to
    inner: Rows  # sources: between the two layers of a block
    added: Rows  # shape (rows, channels)
    policy: Rows  # shape (rows, policy channels)
    pooled: Rows  # shape (2 · channels,): the mean, then the maximum
    bias: Rows  # shape (widest layer,)
    logits: Rows  # shape (slots,)
    results: Rows  # shape (results + 1,): the chances and, last, the lead
    aside: State  # in which encodings try moves


class LookedGame(Protocol):
    """The attributes of a game that decide how much space a look at it takes."""

    @property
    def sight(self) -> tuple[str, Sight]:
        """The kind of board, and what a network sees of it."""

    def scratch_state(self) -> State:
        """A new vector for kernels to change."""


def make_scratch(design: Design, game: LookedGame) -> NetScratch:
    """New scratch space for a network of this design on the game's board."""
    sight = game.sight[1]
    rows, n = sight.taps.shape[1], sight.n
    n_sources = max(n + 1 + 2 * n * sight.n_lists, rows)
    c = design.channels

    def zeros(*shape: int) -> Rows:
        return np.zeros(shape, dtype=np.float32)

    return NetScratch(
        planes=zeros(n_sources, design.planes),
        hidden=zeros(n_sources, c),
        inner=zeros(n_sources, c),
        added=zeros(rows, c),
        policy=zeros(rows, design.policy),
        pooled=zeros(2 * c),
        bias=zeros(max(c, design.policy, design.value)),
        logits=zeros(n * design.actions + design.board_actions),
        results=zeros(design.results + 1),
        aside=game.scratch_state(),
    )


@kernel
def look(board: Any, state: State, sight: Sight, net: Net, scratch: NetScratch) -> None:
    """Evaluate a position that is not over: writes `scratch.logits` and `scratch.results`.

    Results are chances, from the player to move on, and the expected lead of that player.
    """
    view = view_of(board, state)
    encode(board, state, scratch.planes, scratch.aside)
    for vertex in range(sight.n):
        for plane in range(sight.fixed.shape[2]):
            scratch.planes[vertex, sight.n_dynamic + plane] = sight.fixed[view, vertex, plane]
    run_net(sight, view, net, scratch)
    soften(scratch.results, len(scratch.results) - 1)


@noinline
def run_net(sight: Sight, view: int, net: Net, scratch: NetScratch) -> None:
    """Compute logits and results from `scratch.planes`."""
    n = sight.n
    add_neighbours(sight, scratch.planes)
    mix(sight.taps[view], scratch.planes, net.stem, net.stem_bias, scratch.hidden)
    rectify(scratch.hidden, n)
    for block in range(net.pool.shape[0]):
        add_neighbours(sight, scratch.hidden)
        first, second = 2 * block, 2 * block + 1
        mix(sight.taps[view], scratch.hidden, net.mix[first], net.mix_bias[first], scratch.inner)
        rectify(scratch.inner, n)
        pool(scratch.inner, n, scratch.pooled)
        add_neighbours(sight, scratch.inner)
        project(scratch.pooled, net.pool[block], net.mix_bias[second], scratch.bias)
        mix(sight.taps[view], scratch.inner, net.mix[second], scratch.bias, scratch.added)
        add_and_rectify(scratch.hidden, scratch.added, n)
    pool(scratch.hidden, n, scratch.pooled)
    choose_moves(sight, net, scratch)
    project(scratch.pooled, net.value, net.value_bias, scratch.bias)
    rectify_vector(scratch.bias, net.value.shape[1])
    project(scratch.bias, net.result, net.result_bias, scratch.results)


@kernel
def choose_moves(sight: Sight, net: Net, scratch: NetScratch) -> None:
    """Write the logits of all moves."""
    n, actions = sight.n, net.move.shape[1]
    project(scratch.pooled, net.policy_pool, net.policy_bias, scratch.bias)
    multiply(scratch.hidden, net.policy, scratch.bias, scratch.policy)
    rectify(scratch.policy, n)
    for vertex in range(n):
        for action in range(actions):
            total = net.move_bias[action]
            for k in range(net.move.shape[0]):
                total += scratch.policy[vertex, k] * net.move[k, action]
            scratch.logits[vertex * actions + action] = total
    for action in range(net.board_move.shape[1]):
        total = net.board_move_bias[action]
        for k in range(net.board_move.shape[0]):
            total += scratch.pooled[k] * net.board_move[k, action]
        scratch.logits[n * actions + action] = total


@kernel
def add_neighbours(sight: Sight, sources: Rows) -> None:
    """Write the zeros, and the means and sums of neighbours, behind the rows of the vertices."""
    n, channels = sight.n, sources.shape[1]
    for k in range(channels):
        sources[n, k] = 0.0
    for each in range(sight.n_lists):
        starts, means = each * (n + 1), n + 1 + 2 * n * each
        for vertex in range(n):
            first = sight.neighbour_start[starts + vertex]
            last = sight.neighbour_start[starts + vertex + 1]
            mean, total = means + vertex, means + n + vertex
            for k in range(channels):
                sources[total, k] = 0.0
            for place in range(first, last):
                neighbour = sight.neighbours[place]
                for k in range(channels):
                    sources[total, k] += sources[neighbour, k]
            share = np.float32(1.0 / max(last - first, 1))
            for k in range(channels):
                sources[mean, k] = sources[total, k] * share
                sources[total, k] *= np.float32(SUM_SCALE)


@kernel
def mix(taps: NDArray[np.int32], sources: Rows, weights: Weights, bias: Rows, out: Rows) -> None:
    """Write a layer: for each row, the products of its taps with the weights, and the bias."""
    width, channels = sources.shape[1], weights.shape[1]
    for first in range(0, taps.shape[0], ROWS):
        for row in range(first, first + ROWS):
            for k in range(channels):
                out[row, k] = bias[k]
        for tap in range(taps.shape[1]):
            rows = (
                np.int64(taps[first, tap]),
                np.int64(taps[first + 1, tap]),
                np.int64(taps[first + 2, tap]),
                np.int64(taps[first + 3, tap]),
            )
            for channel in range(0, channels, LANES):
                add_products(sources, rows, weights, tap * width, out, first, channel)


@kernel
def multiply(rows: Rows, weights: Weights, bias: Rows, out: Rows) -> None:
    """Write the products of each row with the weights, and the bias."""
    for first in range(0, out.shape[0], ROWS):
        for row in range(first, first + ROWS):
            for k in range(out.shape[1]):
                out[row, k] = bias[k]
        four = (first, first + 1, first + 2, first + 3)
        for channel in range(0, out.shape[1], LANES):
            add_products(rows, four, weights, 0, out, first, channel)


@kernel
def project(vector: Rows, weights: Weights, bias: Rows, out: Rows) -> None:
    """Write the product of a vector with the weights, and the bias."""
    for k in range(weights.shape[1]):
        out[k] = bias[k]
    for j in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            out[k] += vector[j] * weights[j, k]


@kernel
def pool(rows: Rows, n: int, pooled: Rows) -> None:
    """Write the mean and the maximum of the first n rows, which are not negative."""
    channels = rows.shape[1]
    for k in range(channels):
        pooled[k] = 0.0
        pooled[channels + k] = 0.0
    for row in range(n):
        for k in range(channels):
            pooled[k] += rows[row, k]
            pooled[channels + k] = max(pooled[channels + k], rows[row, k])
    share = np.float32(1.0 / n)
    for k in range(channels):
        pooled[k] *= share


@kernel
def rectify(rows: Rows, n: int) -> None:
    """Replace negative numbers in the first n rows by 0."""
    for row in range(n):
        for k in range(rows.shape[1]):
            rows[row, k] = max(rows[row, k], np.float32(0.0))


@kernel
def rectify_vector(vector: Rows, n: int) -> None:
    """Replace negative numbers among the first n by 0."""
    for k in range(n):
        vector[k] = max(vector[k], np.float32(0.0))


@kernel
def add_and_rectify(rows: Rows, added: Rows, n: int) -> None:
    """Add to the first n rows, and replace negative sums by 0."""
    for row in range(n):
        for k in range(rows.shape[1]):
            rows[row, k] = max(rows[row, k] + added[row, k], np.float32(0.0))


@kernel
def soften(logits: Rows, n: int) -> None:
    """Turn the first n logits into probabilities.

    The sums are float64: Numba's `float` would leave them float32.
    """
    most, total = np.float64(logits[0]), 0.0
    for i in range(1, n):
        most = max(most, np.float64(logits[i]))
    for i in range(n):
        logits[i] = exp(np.float64(logits[i]) - most)
        total += np.float64(logits[i])
    for i in range(n):
        logits[i] = np.float64(logits[i]) / total


@kernel
def write_priors(board: Any, moves: Moves, n_moves: int, scratch: NetScratch, priors: Rows) -> None:
    """Write the probability of each of the first n legal moves, from the logits."""
    for i in range(n_moves):
        priors[i] = scratch.logits[slot_of(board, moves[i])]
    soften(priors, n_moves)


@kernel
def write_returns(state: State, scratch: NetScratch, returns: Returns) -> None:
    """Write the expected return of each player, from the results."""
    n_players, player = len(returns), state[PLAYER]
    if n_players == 2:
        value = np.float64(scratch.results[WIN]) - np.float64(scratch.results[LOSS])
        returns[player] = value
        returns[1 - player] = -value
    else:
        for seat in range(n_players):
            chance = np.float64(scratch.results[seat])
            returns[(player + seat) % n_players] = (n_players * chance - 1.0) / (n_players - 1.0)
