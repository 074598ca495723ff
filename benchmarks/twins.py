"""Random games per second: topple beside its slow twins, in one run.

    python -m benchmarks.twins

The twins in `tests/reference/` are plain Python written for reading; they are
the yardstick that every machine has.
"""

import random
import time
from typing import Any

import topple
from tests.reference.chain_reaction import ChainReaction
from tests.reference.hex import Hex
from tests.reference.infexion import Infexion
from tests.reference.influence import Influence
from tests.reference.spread_it import SpreadIt
from topple.bench.playouts import playout_speed
from topple.boards import Board

SECONDS = 2.0


def neighbours(board: Board) -> list[list[int]]:
    """Each vertex's neighbours, in the board's order."""
    return [board.neighbours(vertex) for vertex in range(board.n_vertices)]


PAIRS = (
    ("spread-it", None, lambda board: SpreadIt(neighbours(board))),
    ("spread-it:loyalty=full", None, lambda board: SpreadIt(neighbours(board), loyalty="full")),
    ("chain-reaction", None, lambda board: ChainReaction(neighbours(board))),
    ("infexion", None, lambda board: Infexion(board.rows)),
    ("hex", None, lambda board: Hex(board.rows)),
    ("influence", None, lambda board: Influence(neighbours(board), board.sides)),
    ("influence", "segment:17", lambda board: Influence(neighbours(board), board.sides)),
    (
        "influence",
        "random-digraph:n=200,m=400,seed=1",
        lambda board: Influence(neighbours(board), board.sides),
    ),
)


def twin_speed(twin: Any, seconds: float) -> float:
    """Random games per second of a twin."""
    rng, n_games, began = random.Random(1), 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        state = twin.start()
        while not twin.is_over(state):
            state = twin.play(state, rng.choice(twin.legal_moves(state)))
        n_games += 1
    return n_games / (time.perf_counter() - began)


def main() -> None:
    """Print one line per game: the twin's speed, topple's, and the ratio."""
    print(f"{'game':24}{'board':34}{'twin':>10}{'topple':>14}{'ratio':>9}")
    for name, board, make_twin in PAIRS:
        game = topple.load(name, board)
        playout_speed(game, 0)
        slow = twin_speed(make_twin(game.board), SECONDS)
        fast, _ = playout_speed(game, SECONDS)
        ratio = f"{fast / slow:,.0f}×"
        print(f"{name:24}{game.board.spec:34}{slow:>10,.0f}{fast:>14,.0f}{ratio:>9}", flush=True)


if __name__ == "__main__":
    main()
