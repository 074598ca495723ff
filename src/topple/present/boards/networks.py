"""Pictures of networks: vertices, edges, arrows, labels, thresholds and sides."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.spatial import ConvexHull, QhullError, cKDTree

from topple.boards.board import Board
from topple.boards.conversion import uncommon_thresholds
from topple.present.boards.canvas import Canvas, Mark, Places, halo
from topple.present.boards.edges import paint_edges
from topple.present.boards.label_places import label_places
from topple.present.colours import ACCENT, FAINT, INK, LEFT_FILL, PAPER, RIGHT_FILL, VERTEX, mixed

NEAR_POINTS = 40.0  # between neighbouring vertices, if the picture has room
LEAST_POINTS, MOST_POINTS = 260.0, 820.0  # across the picture
MAX_LABELLED = 400  # vertices
LONGEST_INSIDE = 3  # letters that fit into a vertex
LEAST_TEXT = 3.5  # points; smaller text is left out
LETTER_WIDTH = 0.6  # of the text's size

# The tints of communities, paler than players' colours, as in the lab's style/board.css.
HULLS = ("#6f8fb8", "#b58f4f", "#7fa37a", "#a57fa8", "#64a3a3", "#b07a70")
HULL_ROOM, HULL_STRENGTH = 1.45, 0.2
STACK = re.compile(r"[0-9]+[a-z]")

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
    room = (HULL_ROOM * radius * unit + 16) * bool(board.communities)
    side = room + radius * unit + 8 + LETTER_WIDTH * size * longest
    above = room + radius * unit + 8 + 1.3 * size * bool(outside)
    canvas.spread(places, unit, (side, above, above))

    _paint_communities(board, canvas, radius)
    paint_edges(board, canvas, radius)
    width = min(1.0, 0.12 * radius * unit)
    fills = _fills(board, radius * unit) if marks is None else [mark.fill for mark in marks]
    rims = INK if marks is None else [mark.rim for mark in marks]
    canvas.circles(places, radius, fills, rims, width)
    _mark_sinks(board, canvas, radius)
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


def _paint_communities(board: Board, canvas: Canvas, radius: float) -> None:
    """Draw a hull behind the vertices of each community, with its name."""
    for number, name in enumerate(dict.fromkeys(board.communities)):
        own = np.array([each == name for each in board.communities])
        places = board.coordinates[own]
        tint = mixed(PAPER, HULLS[number % len(HULLS)], HULL_STRENGTH)
        room = 2 * HULL_ROOM * radius * canvas.unit
        canvas.polygons([_hull(places)], tint, tint, room, zorder=0)
        x, y = places[np.argmin(places[:, 1])]
        above = y - (HULL_ROOM * radius + 9 / canvas.unit)
        canvas.texts([(x, above, name)], 7.0, style="italic", color=FAINT, path_effects=halo())


def _hull(places: Places) -> Places:
    """The corners of the convex hull; all places where they are in a line."""
    try:
        return np.asarray(places[ConvexHull(places).vertices])
    except (QhullError, ValueError):  # too few, or flat
        return places[np.lexsort(places.T)]


def _mark_sinks(board: Board, canvas: Canvas, radius: float) -> None:
    """Draw a second rim in vertices without successors; games with sides know no sinks."""
    if not board.directed or board.sides:
        return
    for vertex in np.flatnonzero(board.degrees == 0):
        canvas.ring(
            board.coordinates[vertex], 0.8 * radius, INK, min(0.8, 0.1 * radius * canvas.unit)
        )


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
            text, share = _fitted(mark.text)
            canvas.texts([(x, y, text)], share * size, **mark.style)


def _fitted(text: str) -> tuple[str, float]:
    """A vertex's text in rows that fit, and the share of the usual size that they need.

    >>> _fitted("2b"), _fitted("1b1r1g1y1v")
    (('2b', 1.0), ('1b1r\\n1g1y\\n1v', 0.6))
    """
    stacks = STACK.findall(text)
    if len(stacks) < 3:
        return text, min(1.0, 3 / max(len(text), 1))
    begin = text[: text.index(stacks[0])]  # whose the vertex is
    rows = ["".join(stacks[i : i + 2]) for i in range(0, len(stacks), 2)]
    rows[0] = begin + rows[0]
    return "\n".join(rows), round(min(1.8 / len(rows), 3.2 / max(map(len, rows)), 0.9), 2)


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
