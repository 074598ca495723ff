"""Random games per second in Spread-It's wider world, beside the game for two.

    python -m benchmarks.spread_it_wide

Every game is measured in turn with the game for two on the same number of vertices and edges,
several times, so that a busy machine slows both. The best of each counts.
"""

import random
from dataclasses import replace

import topple
from topple.bench.playouts import playout_speed
from topple.boards.board import Board, make_board
from topple.game import warm_up as warming
from topple.game.game import Game
from topple.kernels.playout import playouts

ROUNDS, SECONDS = 3, 0.4
VERTICES, DEGREE = 24, 5  # much as in the default board, ba:n=24,m=3
REWIRED = 10  # plies between two networks
NETWORK = topple.load_board("ba:n=24,m=3,seed=1")

Lists = list[list[int]]


def eulerian(rng: random.Random) -> Lists:
    """Arcs along random cyclic orders of all vertices: as many in as out everywhere."""
    successors: Lists = [[] for _ in range(VERTICES)]
    while len(successors[0]) < DEGREE:
        order = rng.sample(range(VERTICES), VERTICES)
        arcs = list(zip(order, order[1:] + order[:1], strict=True))
        if all(head not in successors[tail] for tail, head in arcs):
            for tail, head in arcs:
                successors[tail].append(head)
    return successors


def with_sinks(rng: random.Random) -> Lists:
    """Random arcs; every eighth vertex has none of its own."""
    return [
        [] if v % 8 == 0 else rng.sample([u for u in range(VERTICES) if u != v], DEGREE)
        for v in range(VERTICES)
    ]


def any_arcs(rng: random.Random) -> Lists:
    """Random arcs out of every vertex, so that endless cascades may be long to recognise."""
    return [rng.sample([u for u in range(VERTICES) if u != v], DEGREE) for v in range(VERTICES)]


def directed(successors: Lists) -> Board:
    """A directed board."""
    return make_board("digraph", successors, directed=True)


def rewired() -> Board:
    """A network that is another one of its kind every few plies."""
    others = [topple.load_board(f"ba:n=24,m=3,seed={seed}") for seed in range(2, 10)]
    stages = (
        other.networks[0]._replace(ply=REWIRED * place) for place, other in enumerate(others, 1)
    )
    return replace(NETWORK, stages=tuple(stages))


def cases() -> list[tuple[str, str, Board]]:
    """What is measured: a name, the game and the board."""
    rng = random.Random(1)
    found = []
    for loyalty in ("zero", "full"):
        given = f"spread-it:loyalty={loyalty}"
        found += [
            (f"{loyalty}, 2 players in the wide rules", f"{given},tokens=51/51", NETWORK),
            *((f"{loyalty}, {p} players", f"{given},players={p}", NETWORK) for p in (3, 8)),
            (f"{loyalty}, accept=0.8", f"{given},accept=0.8", NETWORK),
            (f"{loyalty}, accept=0.8, stay", f"{given},accept=0.8,refused=stay", NETWORK),
            (f"{loyalty}, rewired", given, rewired()),
            (f"{loyalty}, directed, Eulerian", given, directed(eulerian(rng))),
            (f"{loyalty}, directed, with sinks", given, directed(with_sinks(rng))),
            (f"{loyalty}, directed, any arcs", given, directed(any_arcs(rng))),
        ]
    found.append(("loyalty=2", "spread-it:loyalty=2", NETWORK))
    return found


def main() -> None:
    """Print each game's speed, the plain game's in the same minute, and the ratio."""
    print(f"{'':36}{'games/s':>12}{'plain':>12}{'ratio':>8}")
    for name, spec, board in cases():
        loyalty = "full" if "full" in spec else "zero"
        game, plain = topple.load(spec, board), topple.load("spread-it", NETWORK, loyalty=loyalty)
        best = [0.0, 0.0]
        for each in (game, plain):
            warming.warm(each, (playouts,))
        for _ in range(ROUNDS):
            for i, each in enumerate((game, plain)):
                best[i] = max(best[i], speed(each))
        print(f"{name:36}{best[0]:>12,.0f}{best[1]:>12,.0f}{best[0] / best[1]:>8.2f}")


def speed(game: Game) -> float:
    """Random games per second, on one core."""
    return playout_speed(game, SECONDS)[0]


if __name__ == "__main__":
    main()
