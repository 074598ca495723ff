"""Pictures of solutions: a board with the value of each move, a thermograph."""

from pathlib import Path
from typing import TYPE_CHECKING

from topple.present.boards.canvas import Mark
from topple.present.colours import CELL, FAINT, INK, PAPER, VERTEX
from topple.solvers.wording import UNKNOWN, legend, mark_text, outlook

if TYPE_CHECKING:
    from topple.game.position import Position
    from topple.solvers import Bounds, Solution

BLUE, PALE, ORANGE = (0, 114, 178), (233, 237, 241), (230, 159, 0)  # best, middling, worst
DARK, WHITE = "#1b1b1b", "#fefefe"  # ink on a coloured ground


def draw_values(solution: "Solution", path: Path) -> None:
    """Write a picture of the board with the value of each move on it.

    Where several moves are made on one vertex, the best of them counts.
    """
    from topple.core.files import write_whole
    from topple.present.boards.drawing import picture
    from topple.present.charts import check_ending

    board = solution.position.game.board
    content = picture(board, check_ending(path), value_marks(solution), caption(solution))
    write_whole(path, content)


def value_marks(solution: "Solution") -> list[Mark]:
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
        marks[vertex] = Mark(text, mixed(shade), WHITE if shade > 0.7 else DARK, is_best)
    return marks


def best_on_vertices(solution: "Solution") -> "dict[int, Bounds]":
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
    from topple.solvers import RESULT

    if unit == RESULT:
        return float(value)
    low, high = min(exact), max(exact)
    return 1.0 if low == high else 2 * (value - low) / (high - low) - 1


def mixed(shade: float) -> str:
    """A colour between those of the worst, the middling and the best.

    >>> mixed(1.0), mixed(0.0)
    ('#0072b2', '#e9edf1')
    """
    end = BLUE if shade > 0 else ORANGE
    parts = [round(pale + abs(shade) * (full - pale)) for pale, full in zip(PALE, end, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in parts)


def caption(solution: "Solution") -> str:
    """What the picture shows."""
    from topple.cli.views.solution import moves_without_vertex
    from topple.core.text import one_line

    position = solution.position
    game = position.game
    parts = [
        f"{game.title} on {one_line(game.board.spec, 60)}",
        f"{game.players[position.player]} to move: {outlook(solution)}",
        *moves_without_vertex(solution),
        legend(best_on_vertices(solution).values(), solution.unit),
    ]
    return " · ".join(parts)


def draw_thermograph(position: "Position", path: Path) -> None:
    """Write the thermograph of an INFLUENCE position.

    Raises
    ------
    Unsupported
        If the position is too large for its canonical form.
    """
    from topple.solvers.influence.values import value_of_position
    from topple.solvers.scoring import draw

    draw(value_of_position(position), path, f"INFLUENCE on {position.game.board.spec}")
