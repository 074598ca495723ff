"""What edge lists of real networks have too much: repeated edges, both directions, loops."""

from collections.abc import Mapping, Sequence
from typing import Any

from topple.boards.draft import Edge

GivenEdge = tuple[Edge, Mapping[str, Any]]


def clean_edges(
    directed: bool, edges: Sequence[GivenEdge]
) -> tuple[list[GivenEdge], tuple[str, ...]]:
    """The edges without repetitions and loops, and a note if there were any.

    Of a repeated edge the first line counts, with its attributes. In an undirected list both
    directions are one edge.

    Examples
    --------
    >>> edges = [((0, 1), {"weight": 2.0}), ((1, 0), {}), ((1, 1), {})]
    >>> clean_edges(False, edges)
    ([((0, 1), {'weight': 2.0})], ('1 repeated edge was merged, 1 loop dropped.',))
    """
    kept: dict[Edge, GivenEdge] = {}
    n_loops = 0
    for edge, attributes in edges:
        tail, head = edge
        if tail == head:
            n_loops += 1
            continue
        key = edge if directed or tail < head else (head, tail)
        kept.setdefault(key, (edge, attributes))
    n_merged = len(edges) - n_loops - len(kept)
    return list(kept.values()), _notes(n_merged, n_loops, "arc" if directed else "edge")


def _notes(n_merged: int, n_loops: int, what: str) -> tuple[str, ...]:
    merged = _counted(n_merged, f"repeated {what}")
    loops = _counted(n_loops, "loop")
    if merged and loops:
        return (f"{merged} merged, {n_loops:,} loop{'s' * (n_loops != 1)} dropped.",)
    return tuple(
        f"{counted} {done}."
        for counted, done in ((merged, "merged"), (loops, "dropped"))
        if counted
    )


def _counted(number: int, what: str) -> str:
    if not number:
        return ""
    return f"{number:,} {what} was" if number == 1 else f"{number:,} {what}s were"
