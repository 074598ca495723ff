"""Random networks, drawn by NetworkX from a seed."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from topple.boards.board import Board, check_size, make_board
from topple.core.errors import BadBoard, BadText
from topple.core.spec import format_spec
from topple.core.text import number_text

# No board that fits is connected with so few edges, and NetworkX divides by log(1 - p).
LEAST_CHANCE = 1e-9


class TooManyDrawsError(Exception):
    """A generator was asked for more random numbers than it may give."""


class PatientRandom(random.Random):
    """The same numbers as `random.Random`, but not without end.

    Some generators loop for ever on parameters that cannot be met; a bounded
    number of draws stops them, after the same number everywhere.
    """

    draws_left = 10_000_000

    def random(self) -> float:
        """Draw a number from [0, 1)."""
        self._count()
        return super().random()

    # Defined beside `random`, or choices would be drawn another way than NetworkX does.
    def getrandbits(self, k: int, /) -> int:
        """Draw k random bits."""
        self._count()
        return super().getrandbits(k)

    def _count(self) -> None:
        self.draws_left -= 1
        if self.draws_left < 0:
            raise TooManyDrawsError


Draw = Callable[[PatientRandom], Any]


def barabasi_albert(n: int, m: int, p: float, seed: int) -> Board:
    """Grow a network in which each new vertex joins m that are well joined already.

    With probability p a new vertex joins m + 1.

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
    import networkx as nx

    most = m + (p > 0)
    if most >= n:
        more = f"with p a new vertex may join m+1 = {most}, and " if p > 0 else "a new vertex "
        raise BadText(f"m={m} is too large: {more}can join at most n-1 = {n - 1} others")
    check_size(n, most * (n - m))

    def draw(source: PatientRandom) -> Any:
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
    import networkx as nx

    if k % 2 or k >= n:
        raise BadText(
            f"k={k} must be even and below n={n}: k/2 neighbours on each side of the ring"
        )
    check_size(n, n * k // 2)

    def draw(source: PatientRandom) -> Any:
        source.draws_left = 100_000 + 5 * n * k
        try:
            return nx.watts_strogatz_graph(n, k, p, seed=source)
        except TooManyDrawsError:  # nearly every pair is joined already; no seed helps
            raise BadBoard(f"k={k} is so near to n={n} that edges find no new end") from None

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
    import networkx as nx

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
    # Drawing pairs until m differ is quick only while most pairs are free.
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
    import networkx as nx

    given = {name: value for name, value in options.items() if value is not None}
    n = given["n"]
    for name in ("average_degree", "min_community", "max_degree", "max_community"):
        if given.get(name, 1) > n:
            raise BadText(f"{name}={number_text(given[name])} is too large: at most n={n}")
    n_edges = round(n * given["average_degree"] / 2)
    check_size(n, n_edges)

    def draw(source: PatientRandom) -> Any:
        # Networks that come out at all take fewer draws than this.
        source.draws_left = 30_000 + 50 * n
        try:
            return nx.LFR_benchmark_graph(**given, seed=source)
        except nx.ExceededMaxIterations as error:
            if "average_degree" in str(error):  # the same with every seed
                raise BadBoard(
                    f"average_degree={number_text(given['average_degree'])} cannot be met: "
                    "change it or tau1"
                ) from None
            raise

    advice = "raise average_degree or mu, or change min_community"
    return _connected_board("lfr", given, seed, draw, n_edges=n_edges, advice=advice)


def random_digraph(n: int, m: int, seed: int) -> Board:
    """Draw m of all possible arcs, and a side for each vertex, at least one L and one R.

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
    name: str, options: Mapping[str, float], seed: int, draw: Draw, *, n_edges: int, advice: str
) -> Board:
    """Draw from the seed, and from the next ones, until the network is connected."""
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
    )


def _n_tries(n: float, n_edges: int) -> int:
    """Try often where a network is quickly drawn, so that giving up takes seconds."""
    return max(10, min(100, 500_000 // round(n + n_edges)))


def _first_connected(draw: Draw, seed: int, n_tries: int) -> tuple[Any, int]:
    """The first connected network and its seed, or None and the last seed tried."""
    import networkx as nx

    for used in range(seed, seed + n_tries):
        try:
            graph = draw(PatientRandom(used))
        except (nx.ExceededMaxIterations, TooManyDrawsError):
            continue
        graph.remove_edges_from(list(nx.selfloop_edges(graph)))
        if nx.is_connected(graph):
            return graph, used
    return None, used
