"""Networks that have been studied for decades, as NetworkX ships them."""

from typing import Any

from topple.boards.board import Board
from topple.boards.conversion import draft_from_networkx
from topple.boards.draft import board_from_draft
from topple.core.lazy import lazy_module

nx = lazy_module("networkx")


def karate_board() -> Board:
    """Build Zachary's karate club: 34 members, labelled 1 … 34.

    >>> karate_board()
    <Board karate: 34 vertices, 78 edges>
    """
    graph = nx.karate_club_graph()
    # The club's paper counts its members from 1.
    return _dataset("karate", nx.relabel_nodes(graph, {v: v + 1 for v in graph}))


def miserables_board() -> Board:
    """Build the characters of Les Misérables that appear together.

    >>> miserables_board()
    <Board miserables: 77 vertices, 254 edges>
    """
    return _dataset("miserables", nx.les_miserables_graph())


def florentine_board() -> Board:
    """Build the marriages between families of Renaissance Florence.

    >>> florentine_board()
    <Board florentine: 15 vertices, 20 edges>
    """
    return _dataset("florentine", nx.florentine_families_graph())


def davis_board() -> Board:
    """Build the Southern women of Davis, Gardner and Gardner and the events they went to.

    >>> davis_board()
    <Board davis: 32 vertices, 89 edges>
    """
    return _dataset("davis", nx.davis_southern_women_graph())


def _dataset(name: str, graph: Any) -> Board:
    # Not structural: another release of NetworkX may list the vertices in another order.
    return board_from_draft(draft_from_networkx(graph), name)
