"""Networks: how large those of a paper are."""

from collections.abc import Sequence
from typing import Any

from topple.boards import load_board


def networks(boards: Sequence[str]) -> dict[str, Any]:
    """The numbers of vertices and edges of undirected boards, and what follows from them.

    Examples
    --------
    >>> networks(["path:3", "star:5"])["most"]
    {'vertices': 5, 'edges': 4}
    >>> networks(["path:3"])["sizes"]
    {'path:3': {'vertices': 3, 'edges': 2, 'tokens': 1, 'top degrees': '2 and 1'}}
    """
    sizes = {text: _size(text) for text in boards}
    fewest, most = (
        {what: end(size[what] for size in sizes.values()) for what in ("vertices", "edges")}
        for end in (min, max)
    )
    return {"boards": list(boards), "fewest": fewest, "most": most, "sizes": sizes}


def _size(text: str) -> dict[str, Any]:
    """Tokens are those of both players of Spread-It together, top degrees the two highest."""
    board = load_board(text)
    degrees = sorted((len(board.neighbours(v)) for v in range(board.n_vertices)), reverse=True)
    return {
        "vertices": board.n_vertices,
        "edges": board.n_edges,
        "tokens": 2 * board.n_edges - board.n_vertices,
        "top degrees": " and ".join(map(str, degrees[:2])),
    }
