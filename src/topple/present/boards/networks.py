"""Pictures of networks: vertices, edges, arrows, labels, thresholds and sides."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.spatial import cKDTree

from topple.boards.board import Board
from topple.boards.conversion import uncommon_thresholds
from topple.present.boards.canvas import Canvas, Mark, Places, halo
from topple.present.boards.label_places import label_places
from topple.present.colours import ACCENT, INK, LEFT_FILL, LINE, PAPER, RIGHT_FILL, VERTEX

NEAR_POINTS = 40.0  # between neighbouring vertices, if the picture has room
LEAST_POINTS, MOST_POINTS = 260.0, 820.0  # across the picture
MAX_LABELLED = 400  # vertices
LONGEST_INSIDE = 3  # letters that fit into a vertex
LEAST_TEXT = 3.5  # points; smaller text is left out
LETTER_WIDTH = 0.6  # of the text's size

DOT = "#4d6580"  # a vertex too small to show its rim


def paint_network(
    board: Board,
    canvas: Canvas,
    marks: Sequence[Mark] | None = None,
    beside: Mapping[int, str] | None = None,
) -> float:
    """Draw a network at the board's coordinates.

    Parameters
    ----------
    board, canvas
        What to draw, and where.
    marks
        What to show on each vertex, instead of labels and sides.
    beside
        What to write beside vertices, instead of their labels.

    Returns
    -------
    float
        The radius of the vertices, in the board's units.
    """
    places = board.coordinates
    near = _usual_distance(places)
    unit = _unit(places, near)
    radius = max(min(0.3 * near, 13.0 / unit), 0.6 / unit)
    outside = _texts_outside(board, is_marked=marks is not None)
    outside = outside if beside is None else dict(beside)
    size = min(9.0, max(6.0, 0.62 * radius * unit))
    longest = max(map(len, outside.values()), default=0)
    side = radius * unit + 8 + LETTER_WIDTH * size * longest
    above = radius * unit + 8 + 1.3 * size * bool(outside)
    canvas.spread(places, unit, (side, above, above))

    _paint_edges(board, canvas, radius)
    width = min(1.0, 0.12 * radius * unit)
    fills = _fills(board, radius * unit) if marks is None else [mark.fill for mark in marks]
    rims = INK if marks is None else [mark.rim for mark in marks]
    canvas.circles(places, radius, fills, rims, width)
    if board.n_vertices <= MAX_LABELLED:
        if marks is None:
            _write_inside(board, canvas, radius)
        else:
            _write_marks(board, canvas, radius, marks)
    if outside:
        _write_outside(board, canvas, radius, size, outside)
    return radius


def _usual_distance(places: Places) -> float:
    """The distance between neighbouring vertices where they are crowded."""
    if len(places) < 2:
        return 1.0
    distances, _ = cKDTree(places).query(places, k=2)
    return float(np.quantile(distances[:, 1], 0.15)) or 0.1


def _unit(places: Places, near: float) -> float:
    span = float(np.ptp(places, axis=0).max()) or 1.0
    wide = len(places) > 1 and float(np.ptp(places, axis=0).min()) < 0.2 * span
    most = MOST_POINTS * (1.3 if wide else 1.0)
    return min(max(NEAR_POINTS / near, LEAST_POINTS / span), most / span)


def _fills(board: Board, points: float) -> str | list[str]:
    if not board.sides:
        return VERTEX if points > 2 else DOT
    return [LEFT_FILL if side == "L" else RIGHT_FILL for side in board.sides]


def _paint_edges(board: Board, canvas: Canvas, radius: float) -> None:
    edges = np.array(board.edges(), dtype=np.int64).reshape(-1, 2)
    if not len(edges):
        return
    tails, heads = board.coordinates[edges[:, 0]], board.coordinates[edges[:, 1]]
    # Many thin, pale lines show where edges are dense.
    crowd = min(1.0, 400 / len(edges))
    width = 0.3 + 0.8 * crowd
    alpha = max(0.03, crowd**0.6)
    if board.directed:
        heads = _paint_arrows(canvas, tails, heads, radius, alpha)
    canvas.lines(np.stack([tails, heads], axis=1), LINE, width, alpha)


def _paint_arrows(
    canvas: Canvas, tails: Places, heads: Places, radius: float, alpha: float
) -> Places:
    """Draw arrow heads that touch the vertices, and return where their lines end."""
    along = heads - tails
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    across = np.column_stack([-along[:, 1], along[:, 0]])
    length = min(7.0 / canvas.unit, 0.9 * radius)
    tip = heads - along * (radius + 1.0 / canvas.unit)
    back = tip - along * length
    corners = np.stack([tip, back + across * 0.42 * length, back - across * 0.42 * length], axis=1)
    canvas.polygons(corners, LINE, "none", 0.0, alpha=alpha, zorder=2)
    return np.asarray(back)


def _inside_labels(board: Board) -> bool:
    """Whether labels fit into the vertices: all are short, and no sides are written there."""
    return not board.sides and max(map(len, board.labels)) <= LONGEST_INSIDE


def _texts_outside(board: Board, *, is_marked: bool) -> dict[int, str]:
    """What is written beside each vertex: its label, its threshold, or both."""
    if board.n_vertices > MAX_LABELLED:
        return {}
    inside = _inside_labels(board) and not is_marked
    texts = {} if inside else dict(enumerate(board.labels))
    for vertex, threshold in uncommon_thresholds(board):
        # On directed boards no game plays with thresholds unless the file gave some.
        texts[vertex] = f"{texts.get(vertex, '')} k={threshold}".strip()
    return texts


def _write_inside(board: Board, canvas: Canvas, radius: float) -> None:
    size = 0.85 * radius * canvas.unit
    if size < LEAST_TEXT:
        return
    places = board.coordinates
    if board.sides:
        for side, colour in (("L", PAPER), ("R", INK)):
            letters = [
                (x, y, side) for (x, y), s in zip(places, board.sides, strict=True) if s == side
            ]
            canvas.texts(letters, size, color=colour, weight="bold")
    elif _inside_labels(board):
        canvas.texts(
            [(x, y, text) for (x, y), text in zip(places, board.labels, strict=True)], size
        )


def _write_marks(board: Board, canvas: Canvas, radius: float, marks: Sequence[Mark]) -> None:
    size = 0.85 * radius * canvas.unit
    if size >= LEAST_TEXT:
        for (x, y), mark in zip(board.coordinates, marks, strict=True):
            canvas.texts([(x, y, mark.text)], size, **mark.style)


def _write_outside(
    board: Board, canvas: Canvas, radius: float, size: float, texts: dict[int, str]
) -> None:
    beside: list[list[int]] = [[] for _ in board.labels]
    for tail, head in board.edges():
        beside[tail].append(head)
        beside[head].append(tail)
    height = 1.2 * size / canvas.unit
    boxes = {
        v: (LETTER_WIDTH * size * len(text) / canvas.unit, height) for v, text in texts.items()
    }
    middles = label_places(board.coordinates, beside, radius + 2.0 / canvas.unit, boxes)
    marked = {vertex for vertex, _ in uncommon_thresholds(board)}
    for vertex, (x, y) in middles.items():
        colour = ACCENT if vertex in marked else INK
        canvas.texts([(x, y, texts[vertex])], size, color=colour, path_effects=halo())
