"""Pictures of solutions: a board with the value of each move, a thermograph, a score sequence."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from topple.cli.views.solution import moves_without_vertex
from topple.core.text import one_line
from topple.game.position import Position
from topple.present.boards.canvas import Mark
from topple.present.boards.drawing import draw_board
from topple.present.charts import Chart, add_key, styled, whole_numbers
from topple.present.colours import (
    BLUE,
    CELL,
    DARK,
    FAINT,
    INK,
    ORANGE,
    PAPER,
    VERMILION,
    VERTEX,
    WHITE,
    diverging,
)
from topple.solvers import RESULT, Bounds, Solution
from topple.solvers.influence.values import value_of_position
from topple.solvers.scoring import draw
from topple.solvers.wording import UNKNOWN, legend, mark_text, outlook

WIDTH, HEIGHT = 9.0, 3.6  # inches, of a sequence
MOST_NAMED = 24  # irregular values with their n written beside them


def draw_values(solution: Solution, path: Path) -> None:
    """Write a picture of the board with the value of each move on it.

    Where several moves are made on one vertex, the best of them counts.
    """
    draw_board(solution.position.game.board, path, value_marks(solution), caption(solution))


def value_marks(solution: Solution) -> list[Mark]:
    """What each vertex looks like: the value of a move there, or what lies there."""
    position = solution.position
    game = position.game
    plain = VERTEX if game.board.form == "network" else CELL
    marks = [Mark(cell, plain, FAINT) for cell in position.cells()]
    values = best_on_vertices(solution)
    exact = [value.least for value in values.values() if value.is_exact]
    for vertex, value in values.items():
        text = mark_text(value, solution.unit)
        if text == UNKNOWN:
            marks[vertex] = Mark(text, PAPER, INK)
            continue
        shade = shade_of(value.least, solution.unit, exact)
        is_best = solution.is_exact and value == solution.value
        marks[vertex] = Mark(text, diverging(shade), WHITE if shade > 0.7 else DARK, is_best)
    return marks


def best_on_vertices(solution: Solution) -> dict[int, Bounds]:
    """The value of the best move on each vertex that has any."""
    values: dict[int, Bounds] = {}
    for move, value in solution.moves:  # best first
        vertex = solution.position.game.move_vertex(move)
        if vertex is not None:
            values.setdefault(vertex, value)
    return values


def shade_of(value: int, unit: str, exact: list[int]) -> float:
    """From −1 for the worst to 1 for the best.

    >>> [shade_of(value, "points", [5, 4, 1]) for value in (5, 4, 1)]
    [1.0, 0.5, -1.0]
    """
    if unit == RESULT:
        return float(value)
    low, high = min(exact), max(exact)
    return 1.0 if low == high else 2 * (value - low) / (high - low) - 1


def caption(solution: Solution) -> str:
    """What the picture shows."""
    position = solution.position
    game = position.game
    parts = [
        f"{game.title} on {one_line(game.board.spec, 60)}",
        f"{game.players[position.player]} to move: {outlook(solution)}",
        *moves_without_vertex(solution),
        legend(best_on_vertices(solution).values(), solution.unit),
    ]
    return " · ".join(parts)


def draw_thermograph(position: Position, path: Path) -> None:
    """Write the thermograph of an INFLUENCE position.

    Raises
    ------
    Unsupported
        If the position is too large for its canonical form.
    """
    draw(value_of_position(position), path, f"INFLUENCE on {position.game.board.spec}")


Row = tuple[int, int, int]  # n, Ls, Rs

PERIOD = 4  # the score sequence nearly repeats itself after so many vertices


def irregular(rows: Sequence[Row], column: int) -> list[Row]:
    """The rows whose value differs from the most frequent one of n modulo 4.

    >>> irregular([(n, 1, -5 if n == 9 else -3) for n in (1, 5, 9, 13)], 2)
    [(9, 1, -5)]
    """
    kinds: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for row in rows:
        kinds[row[0] % PERIOD][row[column]] += 1
    usual = {residue: counts.most_common(1)[0][0] for residue, counts in kinds.items()}
    return [row for row in rows if row[column] != usual[row[0] % PERIOD]]


def draw_sequence(rows: Sequence[Row], path: Path) -> None:
    """Write a picture of the sequence: Ls above, Rs below, irregular values ringed."""
    plot_sequence(rows).write(path)


@styled
def plot_sequence(rows: Sequence[Row]) -> Chart:
    """Ls and Rs against n; the values that differ from the usual ones of n modulo 4 are ringed."""
    chart = Chart(WIDTH, HEIGHT)
    axes = chart.axes[0, 0]
    across = [n for n, _, _ in rows]
    axes.axhline(0, color=FAINT, linewidth=0.8)
    for column, mark, colour, name in ((1, "o", BLUE, "Ls, Left"), (2, "s", ORANGE, "Rs, Right")):
        values = [row[column] for row in rows]
        axes.plot(across, values, mark, color=colour, markersize=3.6, label=f"{name} begins")
    for column in (1, 2):
        _ring(axes, irregular(rows, column), column)
    axes.set_xlabel("n, the vertices of the segment")
    axes.set_ylabel("Left's lead")
    axes.grid(axis="y")
    whole_numbers(axes, 12)
    axes.set_xlim(0, len(rows) + 1)
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.8, high + 0.8)
    add_key(axes, ncols=3)
    return chart


def _ring(axes: Any, rows: Sequence[Row], column: int) -> None:
    """Ring what is irregular, with n beside it: above Ls and below Rs."""
    label = "not the usual value of n modulo 4" if column == 1 else None
    rings = {"color": VERMILION, "markerfacecolor": "none", "markersize": 8, "label": label}
    axes.plot([row[0] for row in rows], [row[column] for row in rows], "o", **rings)
    by, side = (6, "bottom") if column == 1 else (-6, "top")
    style = {"textcoords": "offset points", "size": 7, "color": VERMILION, "ha": "center"}
    for row in rows if len(rows) <= MOST_NAMED else ():
        axes.annotate(str(row[0]), (row[0], row[column]), (0, by), va=side, **style)
