"""Random networks that NetworkX draws from a seed."""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from topple.boards.board import Board, check_size, make_board
from topple.boards.draft import numbered
from topple.core.errors import BadBoard, BadText
from topple.core.lazy import lazy_module
from topple.core.spec import format_spec
from topple.core.text import number_text

nx = lazy_module("networkx")

# Below this no board is connected, and NetworkX, which divides by log(1 - p), would fail.
LEAST_CHANCE = 1e-9


class TooManyDrawsError(Exception):
    """A generator has used up its random numbers."""


class LimitedRandom(random.Random):
    """The same numbers as `random.Random`, but only a limited number of them.

    Some of NetworkX's generators never end if their parameters cannot be met. The
    limit stops them, after the same number of draws on every machine.
    """

    draws_left = 10_000_000

    def random(self) -> float:
        """Draw a number from [0, 1)."""
        self._count()
        return super().random()

    # If only `random` were overridden, the standard library would draw choices differently.
    def getrandbits(self, k: int, /) -> int:
        """Draw k random bits."""
        self._count()
        return super().getrandbits(k)

    def _count(self) -> None:
        self.draws_left -= 1
        if self.draws_left < 0:
            raise TooManyDrawsError


Draw = Callable[[LimitedRandom], Any]


def barabasi_albert(n: int, m: int, p: float, seed: int) -> Board:
    """Grow a network whose new vertices prefer to join vertices of high degree.

    Each new vertex joins m others, or m + 1 with probability p.

    Raises
    ------
    BadText
        If m, or m + 1 where p is not 0, is not below n.
    BadBoard
        If there would be too many edges.

    Examples
    --------
    >>> barabasi_albert(n=24, m=3, p=0, seed=1)
    <Board ba:n=24,m=3,seed=1: 24 vertices, 63 edges>
    >>> barabasi_albert(n=24, m=3, p=0.5, seed=1130)
    <Board ba:n=24,m=3,p=0.5,seed=1130: 24 vertices, 70 edges>
    """
    most = m + (p > 0)
    if most >= n:
        more = f"with p a new vertex may join m+1 = {most}, and " if p > 0 else "a new vertex "
        raise BadText(f"m={m} is too large: {more}can join at most n-1 = {n - 1} others")
    check_size(n, most * (n - m))

    def draw(source: LimitedRandom) -> Any:
        if not p:
            return nx.barabasi_albert_graph(n, m, seed=source)
        return nx.dual_barabasi_albert_graph(n, m, m + 1, 1 - p, seed=source)

    given: dict[str, float] = {"n": n, "m": m} | ({"p": p} if p else {})
    return _connected_board("ba", given, seed, draw, n_edges=most * (n - m), advice="raise m")


def watts_strogatz(n: int, k: int, p: float, seed: int) -> Board:
    """Draw a small world: a ring of vertices, each edge redirected with probability p.

    Raises
    ------
    BadText
        If k is odd or not below n.
    BadBoard
        If there would be too many edges, or no connected network was found.

    Examples
    --------
    >>> watts_strogatz(n=24, k=4, p=0.1, seed=1)
    <Board ws:n=24,k=4,p=0.1,seed=1: 24 vertices, 48 edges>
    """
    if k % 2 or k >= n:
        raise BadText(
            f"k={k} must be even and below n={n}: k/2 neighbours on each side of the ring"
        )
    check_size(n, n * k // 2)

    def draw(source: LimitedRandom) -> Any:
        source.draws_left = 100_000 + 5 * n * k
        try:
            return nx.watts_strogatz_graph(n, k, p, seed=source)
        except TooManyDrawsError:  # nearly every pair is joined, whatever the seed
            raise BadBoard(f"k={k} is so close to n={n} that edges cannot be redirected") from None

    return _connected_board(
        "ws",
        {"n": n, "k": k, "p": p},
        seed,
        draw,
        n_edges=n * k // 2,
        advice="raise k or lower p",
    )


def erdos_renyi(n: int, p: float | None, m: int | None, seed: int) -> Board:
    """Draw each possible edge with probability p, or exactly m edges.

    Raises
    ------
    BadText
        If both p and m are given, or there are not m possible edges.
    BadBoard
        If there would be too many edges, or no connected network was found.

    Examples
    --------
    >>> erdos_renyi(n=24, p=None, m=70, seed=1).n_edges
    70
    """
    possible = n * (n - 1) // 2
    if m is None:
        chance = 0.15 if p is None else p
        check_size(n, round(chance * possible))
        if chance < LEAST_CHANCE:
            raise BadBoard(f"p={number_text(chance)} cannot connect {n} vertices: raise p")
        return _connected_board(
            "er",
            {"n": n, "p": chance},
            seed,
            lambda source: nx.fast_gnp_random_graph(n, chance, seed=source),
            n_edges=round(chance * possible),
            advice="raise p",
        )
    if p is not None:
        raise BadText("p and m exclude each other: give the probability or the number of edges")
    if m > possible:
        raise BadText(f"m={m} is too large: {n} vertices have {possible} pairs")
    check_size(n, m)
    if m < n - 1:
        raise BadBoard(f"{m} edges cannot connect {n} vertices: at least m={n - 1}")
    # Drawing pairs until m of them differ is fast only if m is small.
    draw = nx.dense_gnm_random_graph if 2 * m > possible else nx.gnm_random_graph
    return _connected_board(
        "er",
        {"n": n, "m": m},
        seed,
        lambda source: draw(n, m, seed=source),
        n_edges=m,
        advice="raise m",
    )


def lancichinetti(seed: int, **options: Any) -> Board:
    """Draw a network with communities, the LFR benchmark.

    Its options are those of NetworkX' `LFR_benchmark_graph`: n, tau1, tau2,
    mu, average_degree, min_community, and, where given, max_degree and
    max_community.

    Raises
    ------
    BadText
        If an option does not fit n.
    BadBoard
        If no connected network was found.

    Examples
    --------
    >>> board = lancichinetti(
    ...     n=250, tau1=3, tau2=1.5, mu=0.1, average_degree=5, min_community=20, seed=1
    ... )
    >>> board.spec
    'lfr:n=250,tau1=3,tau2=1.5,mu=0.1,average_degree=5,min_community=20,seed=4'
    """
    given = {name: value for name, value in options.items() if value is not None}
    n = given["n"]
    for name in ("average_degree", "min_community", "max_degree", "max_community"):
        if given.get(name, 1) > n:
            raise BadText(f"{name}={number_text(given[name])} is too large: at most n={n}")
    n_edges = round(n * given["average_degree"] / 2)
    check_size(n, n_edges)

    def draw(source: LimitedRandom) -> Any:
        # A network that can be drawn at all takes fewer draws than this.
        source.draws_left = 30_000 + 50 * n
        try:
            return nx.LFR_benchmark_graph(**given, seed=source)
        except nx.ExceededMaxIterations as error:
            if "average_degree" in str(error):  # no other seed helps
                raise BadBoard(
                    f"average_degree={number_text(given['average_degree'])} cannot be met: "
                    "change it or tau1"
                ) from None
            raise

    advice = "raise average_degree or mu, or change min_community"
    return _connected_board(
        "lfr", given, seed, draw, n_edges=n_edges, advice=advice, communities=_lfr_communities
    )


def _lfr_communities(graph: Any) -> list[str]:
    sets = {id(found): min(found) for _, found in graph.nodes(data="community")}
    return numbered([sets[id(found)] for _, found in graph.nodes(data="community")])


def planted_partition(n: int, communities: int, p_in: float, p_out: float, seed: int) -> Board:
    """Draw edges with one probability within communities, and with another between them.

    The communities are as equal in size as they can be; the first vertices are in the first.

    Raises
    ------
    BadText
        If there are more communities than vertices.
    BadBoard
        If there would be too many edges, or no connected network was found.

    Examples
    --------
    >>> board = planted_partition(n=24, communities=3, p_in=0.5, p_out=0.1, seed=1)
    >>> "".join(board.communities)
    '111111112222222233333333'
    """
    if communities > n:
        raise BadText(f"communities={communities} is too large: at most n={n}")
    sizes = [n // communities + (number < n % communities) for number in range(communities)]
    inside = sum(size * (size - 1) // 2 for size in sizes)
    n_edges = round(p_in * inside + p_out * (n * (n - 1) // 2 - inside))
    check_size(n, n_edges)
    return _connected_board(
        "sbm",
        {"n": n, "communities": communities, "p_in": p_in, "p_out": p_out},
        seed,
        lambda source: _draw_partition(sizes, p_in, p_out, source),
        n_edges=n_edges,
        advice="raise p_in or p_out",
        communities=lambda _: [
            str(number + 1) for number, size in enumerate(sizes) for _ in range(size)
        ],
    )


def _draw_partition(sizes: Sequence[int], p_in: float, p_out: float, source: LimitedRandom) -> Any:
    graph = nx.empty_graph(sum(sizes))
    starts = list(accumulate(sizes, initial=0))
    for one, size in enumerate(sizes):
        vertex, pairs_before = 1, 0  # of the pairs of a vertex with those before it
        for pair in _hits(size * (size - 1) // 2, p_in, source):
            while pair - pairs_before >= vertex:
                pairs_before += vertex
                vertex += 1
            graph.add_edge(starts[one] + vertex, starts[one] + pair - pairs_before)
        for other in range(one):
            for pair in _hits(size * sizes[other], p_out, source):
                tail, head = divmod(pair, sizes[other])
                graph.add_edge(starts[one] + tail, starts[other] + head)
    return graph


def _hits(n: int, p: float, source: LimitedRandom) -> Iterator[int]:
    """The numbers below n, each with probability p; the gaps between them are drawn."""
    if p >= 1:
        yield from range(n)
    if not LEAST_CHANCE <= p < 1:
        return
    at = -1
    while True:
        at += 1 + int(math.log(1 - source.random()) / math.log(1 - p))
        if at >= n:
            return
        yield at


def random_digraph(n: int, m: int, seed: int) -> Board:
    """Draw m of all possible arcs, and a random side for each vertex, with at least one L and R.

    Raises
    ------
    BadText
        If there are not m possible arcs.

    Examples
    --------
    >>> board = random_digraph(n=40, m=80, seed=1)
    >>> board.n_edges, set(board.sides) == {"L", "R"}
    (80, True)
    """
    possible = n * (n - 1)
    if m > possible:
        raise BadText(f"m={m} is too large: {n} vertices have {possible} possible arcs")
    check_size(n, m)
    source = random.Random(seed)
    successors: list[list[int]] = [[] for _ in range(n)]
    for arc in sorted(source.sample(range(possible), m)):
        tail, head = divmod(arc, n - 1)
        successors[tail].append(head + (head >= tail))  # no vertex is its own successor
    sides = [source.choice("LR") for _ in range(n)]
    one, other = source.sample(range(n), 2)
    sides[one], sides[other] = "L", "R"
    return make_board(
        format_spec("random-digraph", (), {"n": n, "m": m, "seed": seed}),
        successors,
        directed=True,
        sides="".join(sides),
        structural=False,
    )


def _connected_board(
    name: str,
    options: Mapping[str, float],
    seed: int,
    draw: Draw,
    *,
    n_edges: int,
    advice: str,
    communities: Callable[[Any], list[str]] = lambda _: [],
) -> Board:
    """Try the seed, and then the following ones, until the network is connected."""
    graph, used = _first_connected(draw, seed, _n_tries(options["n"], n_edges))
    spec = format_spec(name, (), {key: number_text(value) for key, value in options.items()})
    if graph is None:
        raise BadBoard(f"{spec}: no connected network from seeds {seed} to {used}: {advice}")
    note = f"Seed {seed} gives no connected network; seed {used} was used."
    return make_board(
        f"{spec},seed={used}",
        [sorted(graph.adj[vertex]) for vertex in range(len(graph))],
        structural=False,
        notes=() if used == seed else (note,),
        communities=communities(graph),
    )


def _n_tries(n: float, n_edges: int) -> int:
    """The number of seeds to try: fewer for large networks, so that giving up takes seconds."""
    return max(10, min(100, 500_000 // round(n + n_edges)))


def _first_connected(draw: Draw, seed: int, n_tries: int) -> tuple[Any, int]:
    """The first connected network and its seed, or None and the last seed tried."""
    for used in range(seed, seed + n_tries):
        try:
            graph = draw(LimitedRandom(used))
        except (nx.ExceededMaxIterations, TooManyDrawsError):
            continue
        graph.remove_edges_from(list(nx.selfloop_edges(graph)))
        if nx.is_connected(graph):
            return graph, used
    return None, used
