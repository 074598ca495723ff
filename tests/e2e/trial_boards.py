"""Boards of no kind yet: `trial:NAME` is one of them, where the kind is registered.

They have what the page must show: arcs both ways, sinks, probabilities, communities, networks
that change.
"""

from dataclasses import replace

import numpy as np

from topple.boards import Board
from topple.boards.board import Stage, make_board
from topple.boards.kinds.catalogue import BoardKind
from topple.core.spec import Option

SHAPES = {
    # Three who point at each other, and a sink: small enough to be played to the end.
    "small": [[1, 2], [0, 2], [0, 1, 3], []],
    "star": [[1, 2, 3, 4, 5, 6, 7, 8], *[[]] * 8],
    "ring": [[(v + 1) % 8, (v - 1) % 8, (v + 3) % 8] for v in range(8)],
}
NAMES = ("ann", "bob", "cid", "dora", "eve", "fred", "gina", "hugo", "ida")


def trial_board(name: str) -> Board:
    """One of the boards."""
    if name == "changing":
        ring = trial_board("ring")
        stages = (
            stage(3, [[(v + 1) % 8, (v + 2) % 8] for v in range(8)]),
            stage(8, SHAPES["ring"]),
        )
        return replace(ring, spec="trial:changing", stages=stages)
    if name == "communities":
        return communities()
    board = plain(name, SHAPES[name])
    if name == "small":
        return replace(board, accept=np.array([1.0, 0.5, 0.8, 0.25, 0.8, 1.0, 0.9]))
    return board


def plain(name: str, arcs: list[list[int]]) -> Board:
    """A directed board with names, on a circle."""
    turn = 2 * np.pi * np.arange(len(arcs)) / len(arcs)
    places = np.column_stack([np.sin(turn), -np.cos(turn)])
    labels = NAMES[: len(arcs)]
    return make_board(f"trial:{name}", arcs, labels=labels, directed=True, places=places)


def stage(ply: int, arcs: list[list[int]]) -> Stage:
    """A later network."""
    board = plain("later", arcs)
    return board.networks[0]._replace(ply=ply)


def communities() -> Board:
    """Three groups of four, each a ring, with one edge between neighbours."""
    edges = [(4 * g + i, 4 * g + (i + 1) % 4) for g in range(3) for i in range(4)]
    edges += [(0, 5), (6, 9), (10, 2)]
    near: list[list[int]] = [[] for _ in range(12)]
    for tail, head in edges:
        near[tail].append(head)
        near[head].append(tail)
    middles = [(np.cos(2 * np.pi * g / 3), np.sin(2 * np.pi * g / 3)) for g in range(3)]
    turns = [(np.cos(np.pi * i / 2), np.sin(np.pi * i / 2)) for i in range(4)]
    places = np.array([(x + 0.4 * u, y + 0.4 * v) for x, y in middles for u, v in turns])
    board = make_board("trial:communities", [sorted(each) for each in near], places=places)
    names = ("Medici", "Strozzi", "Albizzi")
    return replace(board, communities=tuple(names[v // 4] for v in range(12)))


TRIAL = BoardKind(
    "trial",
    "trial:small",
    "a board of the tests",
    (Option("name", "small", str, "which"),),
    trial_board,
    "name",
)
