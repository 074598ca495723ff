"""A small part of a board, of the same kind: what is tried there takes no time."""

import numpy as np

from topple.boards.board import Board, make_board

PART = 16  # vertices


def part_of(board: Board) -> Board:
    """A few vertices of a board that hang together, with the edges between them.

    Thresholds are the degrees there; a board that changes is taken as it is first.
    """
    kept = sorted(_nearest(board))
    place = {vertex: i for i, vertex in enumerate(kept)}
    neighbours: list[list[int]] = []
    accept: list[float] = []
    for vertex in kept:
        arcs = range(board.successor_start[vertex], board.successor_start[vertex + 1])
        inside = [arc for arc in arcs if int(board.successors[arc]) in place]
        neighbours.append([place[int(board.successors[arc])] for arc in inside])
        if board.accept is not None:
            accept += board.accept[inside].tolist()
    return make_board(
        f"{len(kept)} vertices of {board.spec}",
        neighbours,
        labels=[board.labels[vertex] for vertex in kept],
        directed=board.directed,
        sides="".join(board.sides[vertex] for vertex in kept) if board.sides else "",
        accept=accept or None,
    )


def _nearest(board: Board) -> set[int]:
    """The first vertices that are reached from vertex 0, in whatever direction arcs lead."""
    found, waiting = {0}, [0]
    while waiting and len(found) < PART:
        vertex = waiting.pop(0)
        for start, ends in (
            (board.successor_start, board.successors),
            (board.predecessor_start, board.predecessors),
        ):
            for other in np.unique(ends[start[vertex] : start[vertex + 1]]).tolist():
                if other not in found and len(found) < PART:
                    found.add(other)
                    waiting.append(other)
    return found
