"""Random digraphs for cascades: with sinks, or with as many arcs into a vertex as out of it."""

import random
from collections.abc import Callable

from topple.boards.board import Board, check_size, make_board
from topple.boards.kinds.rewiring import WiredArcs
from topple.core.errors import BadBoard, BadText
from topple.core.spec import format_spec

MAX_EULERIAN_ARCS = 200_000  # beyond them mixing the arcs takes long
SWAPS = 10  # of each arc, after which nothing is left of the order at the start
TRIES = 100  # seeds


def digraph_board(n: int, k: int, sinks: int, seed: int) -> Board:
    """Draw a digraph in which every vertex but the sinks has k random successors.

    Whichever way its arcs point, it is in one piece, so that some arc leads to each sink.

    Raises
    ------
    BadText
        If there are not k others, or every vertex would be a sink.
    BadBoard
        If there would be too many arcs, or no digraph in one piece was found.

    Examples
    --------
    >>> board = digraph_board(n=24, k=3, sinks=4, seed=1)
    >>> board.n_edges, sorted(board.degrees.tolist()) == [0] * 4 + [3] * 20
    (60, True)
    """
    _check_arcs(n, k)
    if sinks >= n:
        raise BadText(f"sinks={sinks} is too large: at most n-1 = {n - 1}, so that one can fire")
    check_size(n, (n - sinks) * k)

    def draw(source: random.Random) -> WiredArcs:
        is_sink = set(source.sample(range(n), sinks))
        arcs = []
        for tail in range(n):
            others = [] if tail in is_sink else source.sample(range(n - 1), k)
            arcs += [(tail, other + (other >= tail)) for other in others]
        return WiredArcs(n, arcs, directed=True)

    return _connected("digraph", {"n": n, "k": k, "sinks": sinks}, seed, draw)


def eulerian_board(n: int, k: int, seed: int) -> Board:
    """Draw a strongly connected digraph in which every vertex has k successors and k predecessors.

    Arcs of a regular ring exchange their heads at random, many times.

    Raises
    ------
    BadText
        If there are not k others.
    BadBoard
        If there would be too many arcs, or no connected digraph was found.

    Examples
    --------
    >>> eulerian_board(n=24, k=3, seed=1)
    <Board eulerian:n=24,k=3,seed=1: 24 vertices, 72 arcs>
    """
    _check_arcs(n, k)
    if n * k > MAX_EULERIAN_ARCS:
        raise BadBoard(f"{n * k:,} arcs are too many for eulerian: at most {MAX_EULERIAN_ARCS:,}")

    def draw(source: random.Random) -> WiredArcs:
        order = source.sample(range(n), n)
        ring = [(order[v], order[(v + step) % n]) for v in range(n) for step in range(1, k + 1)]
        if k > 1:  # a ring of single arcs would fall apart
            _mix(ring, source)
        return WiredArcs(n, ring, directed=True)

    # In one piece it is strongly connected, because every vertex is balanced.
    return _connected("eulerian", {"n": n, "k": k}, seed, draw)


def _mix(arcs: list[tuple[int, int]], source: random.Random) -> None:
    """Let random pairs of arcs exchange their heads, without loops or repetitions."""
    there = set(arcs)
    for _ in range(SWAPS * len(arcs)):
        one, other = source.randrange(len(arcs)), source.randrange(len(arcs))
        (a, b), (c, d) = arcs[one], arcs[other]
        if a == d or c == b or (a, d) in there or (c, b) in there:
            continue
        there -= {(a, b), (c, d)}
        there |= {(a, d), (c, b)}
        arcs[one], arcs[other] = (a, d), (c, b)


def _connected(
    name: str, options: dict[str, object], seed: int, draw: Callable[[random.Random], WiredArcs]
) -> Board:
    """Try the seed, and then the following ones, until the digraph is in one piece."""
    for used in range(seed, seed + TRIES):
        arcs = draw(random.Random(used))
        if arcs.is_connected():
            break
    else:
        raise BadBoard(
            f"{format_spec(name, (), options)}: no digraph in one piece from seeds {seed} to "
            f"{used}: raise k"
        )
    note = f"Seed {seed} gives no digraph in one piece; seed {used} was used."
    return make_board(
        format_spec(name, (), {**options, "seed": used}),
        arcs.neighbours(),
        directed=True,
        structural=False,
        notes=() if used == seed else (note,),
    )


def _check_arcs(n: int, k: int) -> None:
    if k >= n:
        raise BadText(f"k={k} is too large: a vertex can have at most n-1 = {n - 1} successors")
