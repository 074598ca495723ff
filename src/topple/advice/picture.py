"""A picture of advice: the network, with chances as colours and numbers."""

import io
import warnings

from topple.advice.result import Advice
from topple.boards.board import Board
from topple.core.text import one_line
from topple.present.boards.canvas import POINTS_PER_INCH, Canvas, Mark
from topple.present.boards.networks import paint_network
from topple.present.colours import FAINT, INK, PAPER

# Light to dark in one hue, so that it reads the same in grey.
SHADES = ("#dcebf7", "#b3d3ec", "#7fb2dc", "#4189c2", "#0f5c9c")
DARK = 3  # from this shade on, what stands on it is white
# Almost ink and paper: a page that follows dark looks must leave these as they are.
ON_PALE, ON_DARK = "#1b2733", "#fefefe"

LETTERS = {"degree": "D", "pagerank": "P", "betweenness": "B", "greedy": "G"}
ALL_LABELLED = 60  # vertices of a board whose labels are all written
LEAST_WIDTH = 440.0  # points, for the legend
LINE_HEIGHT, LEGEND_SIZE = 13.0, 7.5  # points
LONGEST = 20  # letters of a label


def picture(advice: Advice, form: str) -> bytes:
    """Draw advice: `svg`, `png` or `pdf`. The same advice gives the same SVG.

    The number in a vertex is its win probability in percent, and the darker the
    higher; the first choice has a double rim and a star, the baselines' choices bear
    letters. Colours without a number come from the games of the choosing.
    """
    from matplotlib import rc_context

    content = io.BytesIO()
    with rc_context({"svg.hashsalt": "topple"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        canvas = Canvas()
        radius = paint_network(advice.position.game.board, canvas, marks(advice), beside(advice))
        _ring(advice, canvas, radius)
        _legend(advice, canvas)
        undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        canvas.figure.savefig(content, format=form, dpi=150, metadata=undated.get(form))
    return content.getvalue()


def scale(advice: Advice) -> tuple[float, float]:
    """The lowest and the highest win probability among the moves that were tried."""
    shares = [*_shares(advice).values()]
    return min(shares), max(shares)


def _shares(advice: Advice) -> dict[int, float]:
    """What is known of each move; fresh games count, where there are any."""
    rated = {row.vertex: row.wins.value for row in advice.rows}
    chosen = {each.choice.vertex: each.choice.wins.value for each in advice.baselines}
    return {**advice.tried, **chosen, **rated}


def shade(value: float, low: float, high: float) -> int:
    """Which of the shades a value has.

    >>> shade(0.5, 0.5, 0.5), shade(0.2, 0.2, 0.7), shade(0.7, 0.2, 0.7)
    (2, 0, 4)
    """
    if high <= low:
        return len(SHADES) // 2
    return min(int((value - low) / (high - low) * len(SHADES)), len(SHADES) - 1)


def marks(advice: Advice) -> list[Mark]:
    """What each vertex looks like."""
    (low, high), shares = scale(advice), _shares(advice)
    numbered = {row.vertex for row in advice.rows}
    numbered |= {each.choice.vertex for each in advice.baselines}
    found = []
    for vertex in range(advice.position.game.board.n_vertices):
        if vertex not in shares:
            found.append(Mark("", PAPER))
            continue
        depth = shade(shares[vertex], low, high)
        text = f"{100 * shares[vertex]:.0f}" if vertex in numbered else ""
        found.append(Mark(text, SHADES[depth], ON_DARK if depth >= DARK else ON_PALE, is_bold=True))
    return found


def beside(advice: Advice) -> dict[int, str]:
    """What is written beside vertices: labels, a star, the baselines' letters."""
    board = advice.position.game.board
    letters: dict[int, str] = {}
    for each in advice.baselines:
        vertex = each.choice.vertex
        letters[vertex] = letters.get(vertex, "") + LETTERS[each.name]
    wanted = {advice.first.vertex, *letters, *(row.vertex for row in advice.rows)}
    if board.n_vertices <= ALL_LABELLED:
        wanted = set(range(board.n_vertices))
    found = {}
    for vertex in sorted(wanted):
        star = "★ " if vertex == advice.first.vertex else ""
        told = f" [{letters[vertex]}]" if vertex in letters else ""
        found[vertex] = f"{star}{_short(board, vertex)}{told}"
    return found


def _short(board: Board, vertex: int) -> str:
    label = board.labels[vertex]
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"


def _ring(advice: Advice, canvas: Canvas, radius: float) -> None:
    """A second rim within the first choice's own: outside it would hide the label."""
    from matplotlib.patches import Circle

    first, (low, high) = advice.first, scale(advice)
    place = advice.position.game.board.coordinates[first.vertex]
    is_dark = shade(first.wins.value, low, high) >= DARK
    canvas.axes.add_patch(
        Circle(
            tuple(place), 0.8 * radius, fill=False, edgecolor=ON_DARK if is_dark else ON_PALE,
            linewidth=min(1.4, 0.12 * radius * canvas.unit), zorder=3.5,
        )
    )  # fmt: skip


def _legend(advice: Advice, canvas: Canvas) -> None:
    """Make room below the network, and say what is shown."""
    lines = _legend_lines(advice)
    width, height = (POINTS_PER_INCH * side for side in canvas.figure.get_size_inches())
    room = LINE_HEIGHT * (len(lines) + 2) + 8
    wide, tall = max(width, LEAST_WIDTH), height + room
    canvas.figure.set_size_inches(wide / POINTS_PER_INCH, tall / POINTS_PER_INCH)
    canvas.axes.set_position(((wide - width) / 2 / wide, room / tall, width / wide, height / tall))
    _swatches(advice, canvas, wide, tall, room)
    for i, line in enumerate(lines):
        at = room - LINE_HEIGHT * (i + 2)
        size = min(LEGEND_SIZE, 0.95 * wide / (0.55 * len(line)))
        _write(canvas, 0.5, at / tall, line, size, INK if i < len(lines) - 1 else FAINT)


def _legend_lines(advice: Advice) -> list[str]:
    names = ", ".join(f"[{LETTERS[each.name]}] {each.title}" for each in advice.baselines)
    board, position = advice.position.game.board, advice.position
    who = position.game.players[position.player]
    size = f"{board.n_vertices:,} vertices, {board.n_edges:,} edges"
    loyalty = position.game.options["loyalty"]
    return [
        "number: win probability in percent · ★ and double rim: first choice",
        f"baselines: {names}",
        "colour without a number: from the games of the choosing · white: not tried",
        f"{one_line(board.spec, 60)} · {size} · {who} to move, {loyalty} loyalty",
    ]


def _swatches(advice: Advice, canvas: Canvas, wide: float, tall: float, room: float) -> None:
    """The shades from the lowest to the highest win probability."""
    from matplotlib.patches import Rectangle

    low, high = scale(advice)
    side, y = 16.0, room - LINE_HEIGHT
    left = wide / 2 - side * len(SHADES) / 2
    for i, colour in enumerate(SHADES):
        canvas.figure.add_artist(
            Rectangle(
                ((left + i * side) / wide, y / tall), side / wide, 9 / tall,
                transform=canvas.figure.transFigure, facecolor=colour, edgecolor=INK,
                linewidth=0.5,
            )
        )  # fmt: skip
    ends = ((left - 16, low), (left + side * len(SHADES) + 16, high))
    for x, value in ends:
        _write(canvas, x / wide, (y + 1.5) / tall, f"{100 * value:.0f}%", LEGEND_SIZE, INK)


def _write(canvas: Canvas, x: float, y: float, text: str, size: float, colour: str) -> None:
    canvas.figure.text(
        x, y, text, size=size, color=colour, ha="center", va="baseline", parse_math=False
    )
