"""A board in the terminal: facts about it, and its cells or vertices."""

from typing import Any

from topple.boards import Board
from topple.cli.terminal.output import print_wrapped, terminal_width
from topple.game.drawing import draw_cells

MOST_VERTICES = 60  # that are listed, one a line


def board_facts(board: Board) -> dict[str, str]:
    """Facts about a board as short texts, by name."""
    facts = {
        "board": board.spec,
        "vertices": f"{board.n_vertices:,}",
        "arcs" if board.directed else "edges": f"{board.n_edges:,}",
        "directed": "yes" if board.directed else "no",
        "degrees": _range_text(*_range(board.degrees)) + (" (going out)" if board.directed else ""),
        "thresholds": _thresholds_text(board),
    }
    if board.sides:
        facts["sides"] = f"L {board.sides.count('L'):,}, R {board.sides.count('R'):,}"
    facts["digest"] = board.digest
    return facts


def _range(numbers: Any) -> tuple[int, int]:
    return int(numbers.min()), int(numbers.max())


def _range_text(least: int, most: int) -> str:
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _thresholds_text(board: Board) -> str:
    as_degrees = bool((board.thresholds == board.degrees).all())
    return "the degrees" if as_degrees else _range_text(*_range(board.thresholds))


def describe_board(board: Board) -> dict[str, Any]:
    """A board as data, with every vertex."""
    return {
        "board": board.spec,
        "form": board.form,
        "directed": board.directed,
        "vertices": board.n_vertices,
        "edges": board.n_edges,
        "degrees": list(_range(board.degrees)),
        "thresholds": list(_range(board.thresholds)),
        "notes": list(board.notes),
        "digest": board.digest,
        "listing": [_describe_vertex(board, vertex) for vertex in range(board.n_vertices)],
    }


def _describe_vertex(board: Board, vertex: int) -> dict[str, Any]:
    return {
        "label": board.labels[vertex],
        "threshold": int(board.thresholds[vertex]),
        "side": board.sides[vertex] if board.sides else None,
        "neighbours": [board.labels[neighbour] for neighbour in board.neighbours(vertex)],
    }


def print_board(board: Board, facts: dict[str, str]) -> None:
    """Facts, notes, then the cells with their thresholds or the vertices with their edges."""
    for name, fact in facts.items():
        print(f"{name + ':':<15}{fact}")
    for note in board.notes:
        print_wrapped(note, first="note:          ", indent=15)
    print()
    if board.form == "network":
        _print_vertices(board)
    else:
        _print_cells(board)


def _print_cells(board: Board) -> None:
    print("each cell's threshold:")
    print(draw_cells(board, [str(threshold) for threshold in board.thresholds]))


def _print_vertices(board: Board) -> None:
    sides = board.sides or " " * board.n_vertices
    width = max(len(label) for label in board.labels[:MOST_VERTICES])
    print("each vertex" + (" and where its arcs lead:" if board.directed else "'s neighbours:"))
    for vertex in range(min(board.n_vertices, MOST_VERTICES)):
        head = f"{board.labels[vertex]:>{width}} {sides[vertex]}".rstrip() + ": "
        labels = [board.labels[neighbour] for neighbour in board.neighbours(vertex)]
        print(head + (shortened_list(labels, terminal_width() - len(head)) or "none"))
    if board.n_vertices > MOST_VERTICES:
        print(f"… and {board.n_vertices - MOST_VERTICES:,} more vertices")


def shortened_list(names: list[str], room: int) -> str:
    """As many names as fit, then how many more there are.

    >>> shortened_list(["Medici", "Albizzi", "Salviati", "Pazzi"], 28)
    'Medici Albizzi … and 2 more'
    """
    whole = " ".join(names)
    if len(whole) <= room:
        return whole
    n_shown = min(len(names) - 1, room)
    while n_shown > 1 and len(_cut(names, n_shown)) > room:
        n_shown -= 1
    return _cut(names, n_shown)


def _cut(names: list[str], n_shown: int) -> str:
    return f"{' '.join(names[:n_shown])} … and {len(names) - n_shown:,} more"
