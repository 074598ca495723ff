"""Hex solved from the empty board: seconds, positions looked at and remembered for each size.

    python -m benchmarks.hex_solver [largest size] [megabytes]

All first moves are settled. 6×6 takes seconds; 7×7 takes long, and some gigabytes.
"""

import sys
from time import perf_counter

import topple
from topple.solvers import Solution, advance_until
from topple.solvers.hex.solver import HexSolver


def draw(solution: Solution, size: int) -> str:
    """The board with X on the winning first moves."""
    best = set(solution.best_moves)
    rows = (range(size * row, size * (row + 1)) for row in range(size))
    return "\n".join(
        " " * indent + " ".join("X" if move in best else "." for move in row)
        for indent, row in enumerate(rows)
    )


def main() -> None:
    """Print a line per size, and a board of winning first moves."""
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    print(f"{'board':8}{'seconds':>10}{'looked at':>14}{'remembered':>14}{'winning':>9}")
    for size in range(1, largest + 1):
        game = topple.load("hex", f"hex:{size}")
        solver = HexSolver(game, megabytes)
        solver.warm()
        solving = solver.begin(game.start())
        began = perf_counter()
        advance_until(solving)
        seconds = perf_counter() - began
        solution = solving.solution()
        told = len(solution.best_moves) if solution.limit is None else solution.limit
        n_nodes, n_positions = solution.n_nodes, solution.n_positions
        print(f"hex:{size:<4}{seconds:>10.3f}{n_nodes:>14,}{n_positions:>14,}{told:>9}")
        print(draw(solution, size), flush=True)


if __name__ == "__main__":
    main()
