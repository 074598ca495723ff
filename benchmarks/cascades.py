"""Random games of Spread-It per second on boards of 14 to 100 vertices.

    python -m benchmarks.cascades [--against OTHER/src] [--rounds 5] [--only zero]

With `--against` the code of another checkout is measured too, in turns with this one:
on a busy machine only what was measured side by side can be compared.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from time import process_time

BOARDS = (
    "er:n=14,m=19,seed=1",
    "ba:n=24,m=3,p=0.5,seed=1130",
    "ws:n=35,k=4,p=0.1,seed=1",
    "er:n=68,m=178,seed=2",
    "ba:n=88,m=3,p=0.04,seed=5",
)
SECONDS = 0.2  # of one measurement
HERE = Path(__file__).resolve().parents[1]


class Code:
    """A process that measures the code of one checkout when asked."""

    def __init__(self, source: Path) -> None:
        command = (sys.executable, __file__, "--serve")
        self._process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(source)},
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def speed(self, spec: str, board: str, seconds: float) -> float:
        """Random games per second, the best of several measurements."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([spec, board, seconds]), file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def close(self) -> None:
        """Let the process end."""
        self._process.communicate()


def serve() -> None:
    """Measure what is asked for on standard input."""
    import topple
    from topple.bench import playouts as bench

    bench.perf_counter = process_time  # a busy machine takes away less of it
    for line in sys.stdin:
        spec, board, seconds = json.loads(line)
        print(bench.playout_speed(topple.load(spec, board), seconds)[0], flush=True)


def compare(codes: Sequence[Code], spec: str, board: str, rounds: int) -> list[float]:
    """The best speed of each code in rounds of one measurement each."""
    best = [0.0] * len(codes)
    for _ in range(rounds):
        for i, code in enumerate(codes):
            best[i] = max(best[i], code.speed(spec, board, SECONDS))
    return best


def main() -> None:
    """Print one line for each way to play and each board."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="a part of the options' text")
    parser.add_argument("--serve", action="store_true")
    chosen = parser.parse_args()
    if chosen.serve:
        serve()
        return
    sources = [chosen.against.resolve()] if chosen.against else []
    codes = [Code(source) for source in (*sources, HERE / "src")]
    titles = ["other, games/s", "games/s", "ratio"] if sources else ["games/s"]
    print(f"{'options':32}{'board':30}" + "".join(f"{each:>16}" for each in titles))
    for loyalty, order, board in product(("zero", "full"), ("dominance", "index"), BOARDS):
        options = f"loyalty={loyalty},order={order}"
        if chosen.only not in options:
            continue
        speeds = compare(codes, f"spread-it:{options}", board, chosen.rounds)
        figures = [f"{speed:>16,.0f}" for speed in speeds]
        figures += [f"{speeds[1] / speeds[0]:>16.2f}"] if sources else []
        print(f"{options:32}{board:30}{''.join(figures)}", flush=True)
    for code in codes:
        code.close()


if __name__ == "__main__":
    main()
