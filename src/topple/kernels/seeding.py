"""The classical greedy choice of seeds: the vertices that one more seed would win, simulated."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.rng import Rng, below
from topple.compiling.specialise import kernel

Ints = NDArray[np.int64]  # shape (vertices,)

NOBODY = -1


@kernel
def count_won(
    board: Any,
    neighbour_start: NDArray[Any],
    neighbours: NDArray[Any],
    seeded: Ints,
    n_draws: int,
    rng: Rng,
    followed: Ints,
    waiting: Ints,
    order: Ints,
    size: Ints,
    won: Ints,
) -> int:
    """Add to `won` how many vertices each vertex would win as one more seed, over `n_draws` draws.

    In the linear threshold model with weights 1/degree, each vertex follows one neighbour,
    drawn uniformly, and is won if following leads to a seed (Kempe, Kleinberg and Tardos
    2003, Claim 2.6). `seeded` marks the existing seeds; `won` counts only vertices that
    these do not win. Changes `rng`; `followed`, `waiting`, `order` and `size` are scratch
    space. Returns the number of draws.
    """
    n = len(seeded)
    for _ in range(n_draws):
        for vertex in range(n):
            waiting[vertex] = 0
            size[vertex] = 1
        for vertex in range(n):
            first = neighbour_start[vertex]
            degree = neighbour_start[vertex + 1] - first
            followed[vertex] = NOBODY
            if degree > 0:
                drawn = neighbours[first + below(rng, degree)]
                if seeded[vertex] == 0:  # a seed follows nobody
                    followed[vertex] = drawn
                    waiting[drawn] += 1
        n_ordered = order_followers(seeded, followed, waiting, order, size)
        count_cycles(followed, waiting, size)
        for vertex in range(n):
            waiting[vertex] = seeded[vertex]  # reused from here on: 1 if it is won already
        for i in range(n_ordered - 1, -1, -1):
            vertex = order[i]
            if followed[vertex] != NOBODY and waiting[followed[vertex]] == 1:
                waiting[vertex] = 1
        for vertex in range(n):
            if waiting[vertex] == 0:
                won[vertex] += size[vertex]
    return n_draws


@kernel
def order_followers(seeded: Ints, followed: Ints, waiting: Ints, order: Ints, size: Ints) -> int:
    """Order the vertices so that each comes after its followers, except those in cycles.

    Adds to `size` the number of direct and indirect followers. Returns how many vertices
    are ordered; the others follow each other in cycles and have `waiting` above 0.
    """
    n_ordered = 0
    for vertex in range(len(seeded)):
        if waiting[vertex] == 0:
            order[n_ordered] = vertex
            n_ordered += 1
    i = 0
    while i < n_ordered:
        vertex = order[i]
        leader = followed[vertex]
        if leader != NOBODY:
            size[leader] += size[vertex]
            waiting[leader] -= 1
            if waiting[leader] == 0:
                order[n_ordered] = leader
                n_ordered += 1
        i += 1
    return n_ordered


@kernel
def count_cycles(followed: Ints, waiting: Ints, size: Ints) -> None:
    """Give each vertex of a cycle the size of the whole cycle with its followers."""
    for vertex in range(len(size)):
        if waiting[vertex] == 0:
            continue
        total, other = 0, vertex
        while waiting[other] > 0:
            waiting[other] = 0
            total += size[other]
            other = followed[other]
        size[vertex] = total
        other = followed[vertex]
        while other != vertex:
            size[other] = total
            other = followed[other]
