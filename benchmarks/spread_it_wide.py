"""Random games per second in Spread-It's wider world, beside the game for two.

    python -m benchmarks.spread_it_wide

Every game is measured in turn with the game for two on the same number of vertices and edges,
several times, in CPU time, so that a busy machine takes little away. The best of each counts.

Some games have cascades that are a hundred times as long as the plain game's. So firings per
game and per second are shown beside; the last column is the ratio of the firings per second.
"""

import random
from dataclasses import replace
from time import process_time
from typing import Any

import topple
from topple.bench import playouts as bench
from topple.boards.board import Board, make_board
from topple.compiling.rng import Rng, make_rng
from topple.compiling.specialise import kernel
from topple.game import warm_up as warming
from topple.game.game import Game
from topple.kernels.moves import renew_chance
from topple.kernels.playout import playouts
from topple.rules.interface import (
    NO_VERTEX,
    RUNNING,
    STATUS,
    Moves,
    State,
    begin,
    copy_position,
    random_move,
    step,
)

ROUNDS, SECONDS = 3, 0.4
COUNTED = 300  # games whose firings are counted
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


@kernel
def count_firings(
    board: Any, root: State, state: State, n_state: int, rng: Rng, moves: Moves, n_games: int
) -> int:
    """The firings of random games. Changes `state`, `rng` and `moves`."""
    n_firings = 0
    for _ in range(n_games):
        copy_position(root, state, n_state)
        renew_chance(board, state, rng)
        while state[STATUS] == RUNNING:
            begin(board, state, random_move(board, state, rng, moves))
            while step(board, state) != NO_VERTEX:
                n_firings += 1
    return n_firings


def main() -> None:
    """Print each game's speed, the plain game's in the same minute, and the ratios."""
    bench.perf_counter = process_time
    heads = ("games/s", "plain", "ratio", "firings", "firings/s", "plain", "ratio")
    print(f"{'':36}" + "".join(f"{head:>13}" for head in heads))
    for name, spec, board in cases():
        loyalty = "full" if "full" in spec else "zero"
        game, plain = topple.load(spec, board), topple.load("spread-it", NETWORK, loyalty=loyalty)
        best = [0.0, 0.0]
        for each in (game, plain):
            warming.warm(each, (playouts,))
        for _ in range(ROUNDS):
            for i, each in enumerate((game, plain)):
                best[i] = max(best[i], speed(each))
        firings = [firings_of(each) for each in (game, plain)]
        fired = [firings[i] * best[i] for i in range(2)]
        print(
            f"{name:36}{best[0]:>13,.0f}{best[1]:>13,.0f}{best[0] / best[1]:>13.2f}"
            f"{firings[0]:>13,.0f}{fired[0]:>13,.0f}{fired[1]:>13,.0f}{fired[0] / fired[1]:>13.2f}"
        )


def speed(game: Game) -> float:
    """Random games per second of CPU time."""
    return bench.playout_speed(game, SECONDS)[0]


def firings_of(game: Game) -> float:
    """The mean number of firings of a random game."""
    root, state, moves = (
        game.scratch_state(game.start().state),
        game.scratch_state(),
        game.scratch_moves(),
    )
    n_state, rng = game.sizes.state, make_rng(1)
    n = game.run(count_firings, root, state, n_state, rng, moves, COUNTED)
    return float(n / COUNTED)


if __name__ == "__main__":
    main()
