"""The edges of a network in a picture: lines, arrows that end at the rim, probabilities."""

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.present.boards.canvas import Canvas, Places
from topple.present.colours import LINE

BEND = 0.16  # of the distance: how far arcs in both directions bend away from each other
POINTS = 13  # of a bent line
LEVELS = 10  # of probabilities, each with dashes of its own

Flags = NDArray[np.bool_]


def paint_edges(board: Board, canvas: Canvas, radius: float) -> None:
    """Draw the edges of a board's first network; the vertices have the radius."""
    edges = np.array(board.edges(), dtype=np.int64).reshape(-1, 2)
    if not len(edges):
        return
    tails, heads = board.coordinates[edges[:, 0]], board.coordinates[edges[:, 1]]
    # Many thin, pale lines show where edges are dense.
    crowd = min(1.0, 400 / len(edges))
    width, alpha = 0.3 + 0.8 * crowd, max(0.03, crowd**0.6)
    lines = np.stack([tails, heads], axis=1)
    if board.directed:
        bends = _bends(edges, tails, heads, radius)
        back = _paint_heads(canvas, heads, bends, radius, alpha)
        lines = _curves(tails, bends, back) if _is_mutual(edges).any() else _straight(tails, back)
    levels = _levels(board, edges)
    for level in np.unique(levels):
        share = level / LEVELS
        dashes = None if level == LEVELS else (1 + 5 * share, 2 + 3 * (1 - share))
        pale = alpha if level == LEVELS else alpha * (0.45 + 0.55 * share)
        canvas.lines(lines[levels == level], LINE, width, pale, dashes=dashes)


def _straight(tails: Places, heads: Places) -> Places:
    return np.stack([tails, heads], axis=1)


def _is_mutual(edges: NDArray[np.int64]) -> Flags:
    """Whether there is an arc in the other direction, too."""
    pairs = {(int(tail), int(head)) for tail, head in edges}
    return np.array([(int(head), int(tail)) in pairs for tail, head in edges])


def _bends(edges: NDArray[np.int64], tails: Places, heads: Places, radius: float) -> Places:
    """The point that each arc bends towards: its middle, or beside it."""
    along = heads - tails
    long = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    far = np.minimum(BEND * long, 1.5 * radius) * _is_mutual(edges)[:, None]
    across = np.column_stack([along[:, 1], -along[:, 0]]) / long
    return np.asarray((tails + heads) / 2 + far * across)


def _paint_heads(
    canvas: Canvas, heads: Places, bends: Places, radius: float, alpha: float
) -> Places:
    """Draw arrow heads that touch the vertices, and return where their lines end."""
    along = heads - bends
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    across = np.column_stack([-along[:, 1], along[:, 0]])
    length = min(7.0 / canvas.unit, 0.9 * radius)
    tip = heads - along * (radius + 1.0 / canvas.unit)
    back = tip - along * length
    corners = np.stack([tip, back + across * 0.42 * length, back - across * 0.42 * length], axis=1)
    canvas.polygons(corners, LINE, "none", 0.0, alpha=alpha, zorder=2)
    return np.asarray(back)


def _curves(tails: Places, bends: Places, ends: Places) -> Places:
    """Points on the quadratic curves from tails to ends, shape (n, POINTS, 2)."""
    at = np.linspace(0, 1, POINTS)[None, :, None]
    start, bend, end = tails[:, None], bends[:, None], ends[:, None]
    return np.asarray((1 - at) ** 2 * start + 2 * at * (1 - at) * bend + at**2 * end)


def _levels(board: Board, edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """The probability of each edge in steps of a tenth; only sure ones have the last level."""
    if board.accept is None:
        return np.full(len(edges), LEVELS)
    tails = np.repeat(np.arange(board.n_vertices), np.diff(board.successor_start))
    shares = board.accept if board.directed else board.accept[tails < board.successors]
    return np.where(shares >= 1, LEVELS, np.minimum(shares * LEVELS, LEVELS - 1)).astype(np.int64)
