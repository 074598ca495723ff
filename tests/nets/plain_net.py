"""What a network computes, written down plainly from its description, in float64."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.game.position import Position
from topple.nets.net import Net
from topple.nets.net_file import TrainedNet

Numbers = NDArray[np.float64]
Taps = Callable[[Numbers], Numbers]
# Down and to the right, in the order in which trained weights have them.
GRID = [(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0)]
HEXES = [*GRID, (-1, 1), (1, -1)]


def lattice_taps(
    board: Board, directions: list[tuple[int, int]], *, wraps: bool, mirrored: bool
) -> Taps:
    """Each cell's own numbers and those of its neighbours, 0 outside."""

    def taps(x: Numbers) -> Numbers:
        rows, columns = board.rows, board.columns
        cells = x.reshape(rows, columns, -1)
        seen = np.zeros((rows, columns, len(directions), cells.shape[2]))
        for row in range(rows):
            for column in range(columns):
                for tap, direction in enumerate(directions):
                    down, right = direction[::-1] if mirrored else direction
                    at = row + down, column + right
                    if wraps:
                        at = at[0] % rows, at[1] % columns
                    if 0 <= at[0] < rows and 0 <= at[1] < columns:
                        seen[row, column, tap] = cells[at]
        return seen.reshape(rows * columns, -1)

    return taps


def network_taps(board: Board, lists: list[str]) -> Taps:
    """Each vertex's own numbers, then mean and a quarter of the sum of each list."""
    arcs = list(board.edges())
    if not board.directed:
        arcs += [(b, a) for a, b in arcs]

    def neighbours(vertex: int, which: str) -> list[int]:
        if which == "out":
            return [b for a, b in arcs if a == vertex]
        return [a for a, b in arcs if b == vertex]

    def taps(x: Numbers) -> Numbers:
        rows = []
        for vertex in range(len(x)):
            parts = [x[vertex]]
            for which in lists:
                found = x[neighbours(vertex, which)]
                parts += [found.sum(0) / max(1, len(found)), found.sum(0) / 4]
            rows.append(np.concatenate(parts))
        return np.array(rows)

    return taps


def taps_of(board: Board, kind: str, view: int) -> Taps:
    """What a vertex's new numbers are computed from, on a kind of board in a view."""
    if kind == "network":
        return network_taps(board, ["out"])
    if kind == "digraph":
        return network_taps(board, ["out", "in"][:: -1 if view else 1])
    directions = GRID if kind == "grid" else HEXES
    return lattice_taps(board, directions, wraps=kind == "torus", mirrored=view == 1)


def plain_results(net: Net, taps: Taps, planes: Numbers) -> tuple[Numbers, Numbers]:
    """Logits, and results with their chances."""
    own = {name: array.astype(np.float64) for name, array in net._asdict().items()}

    def pooled(x: Numbers) -> Numbers:
        return np.concatenate([x.mean(0), x.max(0)])

    def relu(x: Numbers) -> Numbers:
        return np.maximum(x, 0)

    hidden = relu(taps(planes) @ own["stem"] + own["stem_bias"])
    for block, pool in enumerate(own["pool"]):
        first, second = own["mix"][2 * block : 2 * block + 2]
        first_bias, second_bias = own["mix_bias"][2 * block : 2 * block + 2]
        inner = relu(taps(hidden) @ first + first_bias)
        hidden = relu(hidden + taps(inner) @ second + second_bias + pooled(inner) @ pool)
    board = pooled(hidden)
    moves = relu(hidden @ own["policy"] + board @ own["policy_pool"] + own["policy_bias"])
    logits = np.concatenate([
        (moves @ own["move"] + own["move_bias"]).ravel(),
        board @ own["board_move"] + own["board_move_bias"],
    ])  # fmt: skip
    value = relu(board @ own["value"] + own["value_bias"])
    results = value @ own["result"] + own["result_bias"]
    chances = np.exp(results[:-1] - results[:-1].max())
    return logits, np.append(chances / chances.sum(), results[-1])


def plain_look(position: Position, trained: TrainedNet, view: int, seen: Numbers) -> tuple:
    """What the network makes of a position; `seen` has its planes, without those of the board."""
    kind, sight = position.game.sight
    n = position.game.board.n_vertices
    planes = np.zeros((n, trained.design.planes))
    n_dynamic = seen.shape[1]
    planes[:, :n_dynamic] = seen
    fixed = sight.fixed[view, :n]
    planes[:, n_dynamic : n_dynamic + fixed.shape[1]] = fixed
    return plain_results(trained.net, taps_of(position.game.board, kind, view), planes)
