"""A picture of advice: the network, with chances as colours and numbers."""

from topple.advice.result import Advice
from topple.advice.words import setting
from topple.core.text import one_line, shorten
from topple.present.boards.canvas import Canvas, Mark
from topple.present.boards.networks import paint_network
from topple.present.charts import saved, styled
from topple.present.colours import DARK, FAINT, INK, PAPER, WHITE

# Light to dark in one hue, so that it reads the same in grey.
SHADES = ("#dcebf7", "#b3d3ec", "#7fb2dc", "#4189c2", "#0f5c9c")
FIRST_DARK = 3  # from this shade on, what stands on it is white

LETTERS = {"degree": "D", "pagerank": "P", "betweenness": "B", "greedy": "G"}
ALL_LABELLED = 60  # vertices of a board whose labels are all written
LEAST_WIDTH = 440.0  # points, for the legend
LINE_HEIGHT, LEGEND_SIZE = 13.0, 7.5  # points
LONGEST = 20  # letters of a label


def picture(advice: Advice, form: str) -> bytes:
    """Draw advice: `svg`, `png` or `pdf`. The same advice gives the same SVG.

    The number in a vertex is its win probability in percent, and darker means higher.
    The first choice has a double rim and a star, the baselines' choices have letters.
    Colours without a number come from the games that chose the moves.
    """
    return saved(_painted(advice).figure, form)


@styled
def _painted(advice: Advice) -> Canvas:
    canvas = Canvas()
    board = advice.position.game.board
    radius = paint_network(board, canvas, marks(advice), beside(advice))
    first, (low, high) = advice.first, scale(advice)
    is_dark = shade(first.wins.value, low, high) >= FIRST_DARK
    # A second rim within the vertex's own: outside it would hide the label.
    width = min(1.4, 0.12 * radius * canvas.unit)
    canvas.ring(board.coordinates[first.vertex], 0.8 * radius, WHITE if is_dark else DARK, width)
    _legend(advice, canvas)
    return canvas


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
        found.append(
            Mark(text, SHADES[depth], WHITE if depth >= FIRST_DARK else DARK, is_bold=True)
        )
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
        baselines = f" [{letters[vertex]}]" if vertex in letters else ""
        found[vertex] = f"{star}{shorten(board.labels[vertex], LONGEST)}{baselines}"
    return found


def _legend(advice: Advice, canvas: Canvas) -> None:
    """Make room below the network, and say what is shown."""
    lines = _legend_lines(advice)
    room = LINE_HEIGHT * (len(lines) + 2) + 8
    canvas.add_room_below(room, LEAST_WIDTH)
    wide, _ = canvas.size
    _swatches(advice, canvas, wide / 2, room - LINE_HEIGHT)
    for i, line in enumerate(lines):
        size = min(LEGEND_SIZE, 0.95 * wide / (0.55 * len(line)))
        ink = INK if i < len(lines) - 1 else FAINT
        canvas.write(wide / 2, room - LINE_HEIGHT * (i + 2), line, size, ink)


def _legend_lines(advice: Advice) -> list[str]:
    names = ", ".join(f"[{LETTERS[each.name]}] {each.title}" for each in advice.baselines)
    board, position = advice.position.game.board, advice.position
    who = position.game.players[position.player]
    lines = "arcs" if board.directed else "edges"
    size = f"{board.n_vertices:,} vertices, {board.n_edges:,} {lines}"
    return [
        "number: win probability in percent · ★ and double rim: first choice",
        f"baselines: {names}",
        "colour without a number: from the games that chose the moves · white: not tried",
        f"{one_line(board.spec, 60)} · {size} · {who} to move, {setting(advice)}",
    ]


def _swatches(advice: Advice, canvas: Canvas, middle: float, y: float) -> None:
    """The shades from the lowest to the highest win probability."""
    low, high = scale(advice)
    side = 16.0
    left = middle - side * len(SHADES) / 2
    for i, colour in enumerate(SHADES):
        canvas.swatch(left + i * side, y, (side, 9), colour)
    for x, value in ((left - 16, low), (left + side * len(SHADES) + 16, high)):
        canvas.write(x, y + 1.5, f"{100 * value:.0f}%", LEGEND_SIZE, INK)
