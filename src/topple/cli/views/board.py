"""A board in the terminal: facts about it, and its cells or vertices."""

from typing import Any

import numpy as np

from topple.boards import Board, community_sizes, modularity
from topple.boards.board import Stage
from topple.cli.terminal.output import print_wrapped, terminal_width
from topple.core.text import number_text
from topple.game.drawing import draw_cells

MOST_VERTICES = 60  # that are listed, one a line
WRAPPED = ("networks", "communities")  # facts that may be long
MOST_NETWORKS = 12  # that are listed
MOST_NAMES = 200  # characters of the list of communities


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
    if n_sinks := len(_sinks(board.networks[0])):
        facts["sinks"] = f"{n_sinks:,}"
    if _probabilities(board) != (1, 1):
        facts["probability"] = _probability_text(board)
    if board.stages:
        facts["networks"] = _networks_text(board)
    if board.communities:
        facts["communities"] = _communities_text(board)
        facts["modularity"] = _modularity_text(board)
    facts["digest"] = board.digest
    return facts


def _sinks(network: Stage) -> Any:
    """The vertices without successors."""
    return np.flatnonzero(np.diff(network.successor_start) == 0)


def _probabilities(board: Board) -> tuple[float, float]:
    """The lowest and the highest probability of an edge, at any time."""
    shares = [network.accept for network in board.networks]
    given = [each for each in shares if each is not None and len(each)]
    ends = [float(end) for each in given for end in (each.min(), each.max())]
    if len(given) < len(shares):
        ends.append(1.0)
    return min(ends), max(ends)


def _probability_text(board: Board) -> str:
    least, most = (number_text(end) for end in _probabilities(board))
    return least if least == most else f"{least} to {most}"


def _n_edges(board: Board) -> list[int]:
    """The number of edges of each network."""
    shared = 1 if board.directed else 2
    return [len(network.successors) // shared for network in board.networks]


def _networks_text(board: Board) -> str:
    edges = "arcs" if board.directed else "edges"
    each = [
        f"{network.ply:,} ({n:,})"
        for network, n in zip(board.networks, _n_edges(board), strict=True)
    ]
    if len(each) > MOST_NETWORKS:
        each[MOST_NETWORKS - 1 : -1] = ["…"]
    return f"{len(board.networks):,}, from plies {', '.join(each)}, with the {edges} of each"


def _communities_text(board: Board) -> str:
    sizes = community_sizes(board)
    each = [f"{name} ({size:,})" for name, size in sizes.items()]
    shown = shortened_list(each, MOST_NAMES)
    return f"{len(sizes):,}: {shown}"


def _modularities(board: Board) -> list[float | None]:
    """The modularity of each network; None for one without edges."""
    return [modularity(board, number) if n else None for number, n in enumerate(_n_edges(board))]


def _modularity_text(board: Board) -> str:
    found = [f"{value:.3f}" for value in _modularities(board) if value is not None]
    if not found:
        return "none, without edges"
    return found[0] if len(set(found)) == 1 else f"{found[0]} at first, {found[-1]} at last"


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
        "sinks": [board.labels[vertex] for vertex in _sinks(board.networks[0])],
        "probabilities": list(_probabilities(board)),
        "networks": [
            {"ply": network.ply, "edges": n}
            for network, n in zip(board.networks, _n_edges(board), strict=True)
        ],
        "communities": community_sizes(board),
        "modularity": _modularities(board) if board.communities else [],
        "notes": list(board.notes),
        "digest": board.digest,
        "listing": [_describe_vertex(board, vertex) for vertex in range(board.n_vertices)],
    }


def _describe_vertex(board: Board, vertex: int) -> dict[str, Any]:
    return {
        "label": board.labels[vertex],
        "threshold": int(board.thresholds[vertex]),
        "side": board.sides[vertex] if board.sides else None,
        "community": board.communities[vertex] if board.communities else None,
        "neighbours": [board.labels[neighbour] for neighbour in board.neighbours(vertex)],
    }


def print_board(board: Board, facts: dict[str, str]) -> None:
    """Facts, notes, then the cells with their thresholds or the vertices with their edges."""
    for name, fact in facts.items():
        if name in WRAPPED:
            print_wrapped(fact, first=f"{name + ':':<15}", indent=15)
        else:
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
    if board.stages:
        print("at first:")
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
