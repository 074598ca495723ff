"""A solution in the terminal and as JSON."""

from collections.abc import Sequence
from typing import Any

from topple.cli.terminal.output import print_table, print_wrapped, terminal_width
from topple.cli.views.decision import joined_moves
from topple.core.text import plural
from topple.game.drawing import draw_cells
from topple.present.table import FIGURE, Column, Table
from topple.solvers import Bounds, Scores, Solution
from topple.solvers.wording import (
    bounds_text,
    effort_text,
    legend,
    limit_text,
    mark_text,
    move_value_text,
    outlook,
)


def print_solution(
    solution: Solution, seconds: float, *, each: bool, time: float | None, memory: int
) -> None:
    """What is proven of a position, for people."""
    position = solution.position
    game = position.game
    print_wrapped(
        f"{game.title} on {game.board.spec}, {game.players[position.player]} to move: "
        f"{outlook(solution)}"
    )
    if solution.limit is not None:
        print(limit_text(solution.limit, time, memory))
    if position != game.start() and not each:
        print(position.draw())
    if solution.scores is not None:
        print_scores(solution.scores)
    if each:
        print_each(solution)
    best = [game.move_text(move) for move in solution.best_moves]
    if best:
        so_far = "" if solution.has_all_best else " proven so far"
        print_wrapped(joined_moves(best), first=f"best move{'s' if best[1:] else ''}{so_far}: ")
    if solution.line:
        line = [game.move_text(move) for move in solution.line]
        print_wrapped(joined_moves(line), first="best play: ")
    print(effort_text(solution.n_positions, solution.n_nodes, seconds))


def print_scores(scores: Scores) -> None:
    """INFLUENCE's Ls and Rs, and the points that each player gets."""
    print(f"Ls: {bounds_text(scores.left)}, Rs: {bounds_text(scores.right)}")
    columns = [
        Column(f"of {plural(scores.n_vertices, 'point')}"),
        Column("moving first (s1)", FIGURE),
        Column("moving second (s2)", FIGURE),
    ]
    rows = [
        ("Left", bounds_text(scores.first_left), bounds_text(scores.second_left)),
        ("Right", bounds_text(scores.first_right), bounds_text(scores.second_right)),
    ]
    print_table(Table(columns, rows))


def print_each(solution: Solution) -> None:
    """The value of every move: on the board where it has cells, else in columns."""
    cells = cells_with_values(solution)
    if cells is None:
        game = solution.position.game
        values = [
            (game.move_text(move), move_value_text(value, solution.unit))
            for move, value in solution.moves
        ]
        print("each move:" if solution.unit == "result" else "each move, the lead that it ends in:")
        print(in_columns([f"{text} {value}" for text, value in values]))
        return
    print(legend((value for _, value in solution.moves), solution.unit))
    print(draw_cells(solution.position.game.board, cells))
    homeless = moves_without_vertex(solution)
    if homeless:
        print(", ".join(homeless))


def cells_with_values(solution: Solution) -> list[str] | None:
    """What is on each cell, or the value of a move there; None if cells cannot show every move."""
    game = solution.position.game
    vertices = [game.move_vertex(each.move) for each in solution.moves]
    homes = [vertex for vertex in vertices if vertex is not None]
    if game.board.form == "network" or len(set(homes)) < len(homes):
        return None
    cells = list(solution.position.cells())
    for vertex, (_, value) in zip(vertices, solution.moves, strict=True):
        if vertex is not None:
            cells[vertex] = mark_text(value, solution.unit)
    return cells


def moves_without_vertex(solution: Solution) -> list[str]:
    """`swap-pieces wins`: the moves that a board has no place for."""
    game = solution.position.game
    return [
        f"{game.move_text(move)} {move_value_text(value, solution.unit)}"
        for move, value in solution.moves
        if game.move_vertex(move) is None
    ]


def in_columns(items: Sequence[str]) -> str:
    """Texts in as many columns as fit, read downwards.

    >>> print(in_columns(["a +1", "b 0", "c −2"]))
    a +1  b 0   c −2
    """
    width = max(map(len, items), default=0) + 2
    n_rows = -(-len(items) // max(1, (terminal_width() + 2) // width))
    fields = [item.ljust(width) for item in items]
    return "\n".join("".join(fields[row::n_rows]).rstrip() for row in range(n_rows))


def describe_solution(solution: Solution, seconds: float) -> dict[str, Any]:
    """A solution as data."""
    position = solution.position
    game = position.game
    return {
        **({} if solution.scores is None else describe_scores(solution.scores)),
        "game": game.spec,
        "board": game.board.spec,
        "position": position.text,
        "player": game.players[position.player],
        "unit": solution.unit,
        "value": exact_or_none(solution.value),
        "bounds": list(solution.value),
        "best_moves": [game.move_text(move) for move in solution.best_moves],
        "moves": {game.move_text(move): _value(value) for move, value in solution.moves},
        "line": [game.move_text(move) for move in solution.line],
        "positions": solution.n_positions,
        "nodes": solution.n_nodes,
        "seconds": round(seconds, 6),
        "limit": solution.limit,
    }


def describe_scores(scores: Scores) -> dict[str, Any]:
    """Ls, Rs, s1 and s2; null where they are not proven, and the bounds in any case."""
    shares = {
        "s1": {"Left": scores.first_left, "Right": scores.first_right},
        "s2": {"Left": scores.second_left, "Right": scores.second_right},
    }
    described: dict[str, Any] = {
        "Ls": exact_or_none(scores.left),
        "Rs": exact_or_none(scores.right),
        "Ls_bounds": list(scores.left),
        "Rs_bounds": list(scores.right),
    }
    for name, share in shares.items():
        described[name] = {player: exact_or_none(value) for player, value in share.items()}
        described[f"{name}_bounds"] = {player: list(value) for player, value in share.items()}
    return described


def exact_or_none(bounds: Bounds) -> int | None:
    """A value that is proven."""
    return bounds.least if bounds.is_exact else None


def _value(bounds: Bounds) -> int | list[int]:
    return bounds.least if bounds.is_exact else list(bounds)
