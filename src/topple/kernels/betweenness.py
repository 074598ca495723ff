"""Betweenness: how many shortest paths lead through each vertex (Brandes, 2001)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel

Ints = NDArray[np.int64]  # shape (vertices,)
Floats = NDArray[np.float64]
UNSEEN = -1


@kernel
def add_betweenness(
    board: Any,
    start: NDArray[Any],
    successors: NDArray[Any],
    sources: Ints,
    distance: Ints,
    order: Ints,
    n_paths: Floats,
    share: Floats,
    totals: Floats,
) -> int:
    """Add to `totals` each vertex's share of the shortest paths from the sources.

    Where several paths are shortest, each counts in part; ends of a path count nothing.
    `distance`, `order`, `n_paths` and `share` are scratch space. Returns the number of sources.
    """
    for source in sources:
        n_seen = count_paths(start, successors, source, distance, order, n_paths)
        for i in range(n_seen):
            share[order[i]] = 0.0
        for i in range(n_seen - 1, 0, -1):
            vertex = order[i]
            totals[vertex] += gather_share(start, successors, vertex, distance, n_paths, share)
    return len(sources)


@kernel
def count_paths(
    start: NDArray[Any],
    successors: NDArray[Any],
    source: int,
    distance: Ints,
    order: Ints,
    n_paths: Floats,
) -> int:
    """Count the shortest paths from a source to each vertex; returns how many it reaches.

    Writes the vertices into `order`, the nearest first.
    """
    for vertex in range(len(distance)):
        distance[vertex] = UNSEEN
        n_paths[vertex] = 0.0
    distance[source], n_paths[source], order[0] = 0, 1.0, source
    n_seen, i = 1, 0
    while i < n_seen:
        vertex = order[i]
        i += 1
        for place in range(start[vertex], start[vertex + 1]):
            other = successors[place]
            if distance[other] == UNSEEN:
                distance[other] = distance[vertex] + 1
                order[n_seen] = other
                n_seen += 1
            if distance[other] == distance[vertex] + 1:
                n_paths[other] += n_paths[vertex]
    return n_seen


@kernel
def gather_share(
    start: NDArray[Any],
    successors: NDArray[Any],
    vertex: int,
    distance: Ints,
    n_paths: Floats,
    share: Floats,
) -> float:
    """A vertex's share of the paths to the vertices behind it, whose shares are known."""
    total = 0.0
    for place in range(start[vertex], start[vertex + 1]):
        other = successors[place]
        if distance[other] == distance[vertex] + 1:
            total += n_paths[vertex] / n_paths[other] * (1.0 + share[other])
    share[vertex] = total
    return total
