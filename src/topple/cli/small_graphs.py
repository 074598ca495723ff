"""`topple solve spread-it --graphs N`: who wins on every small connected graph."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from topple.cli.output import print_json, print_table
from topple.cli.progress import progress

LOYALTIES = ("zero", "full")
N_CONNECTED = (1, 1, 2, 6, 21, 112)  # connected graphs of 1, 2, … vertices


def survey_graphs(most: int, *, as_json: bool) -> None:
    """Solve Spread-It on every connected graph of up to so many vertices, and print who wins."""
    began = time.perf_counter()
    solved = solve_graphs(most)
    seconds = round(time.perf_counter() - began, 6)
    if as_json:
        graphs = [each._asdict() for each in solved]
        print_json({"game": "spread-it", "graphs": graphs, "seconds": seconds})
        return
    print_graphs(solved)
    print(f"{len(solved):,} games solved in {seconds:.3f} s")


def solve_graphs(most: int) -> list[Solved]:
    """Every connected graph of up to so many vertices, with both loyalties."""
    from topple.solvers.small_graphs import survey

    found = []
    with progress("solving small graphs", 2 * sum(N_CONNECTED[:most])) as done:
        for each in survey(most):
            found.append(Solved(each.n_vertices, each.edges, each.loyalty, each.winner or DRAW))
            done(each.edges)
    return found


def print_graphs(solved: Sequence[Solved]) -> None:
    """A line for each graph, then how often each side wins."""
    loyalties = list(dict.fromkeys(each.loyalty for each in solved))
    winners = {(each.edges, each.n_vertices, each.loyalty): each.winner for each in solved}
    graphs = list(dict.fromkeys((each.edges, each.n_vertices) for each in solved))
    rows: list[list[Any]] = [
        [str(n), edges or "none", *(winners.get((edges, n, each), "") for each in loyalties)]
        for edges, n in graphs
    ]
    print_table(["vertices", "edges", *(f"loyalty={each}" for each in loyalties)], rows)
    print()
    for loyalty in loyalties:
        counts = Counter(each.winner for each in solved if each.loyalty == loyalty)
        told = ", ".join(f"{who} {n:,}" for who, n in sorted(counts.items()))
        print(f"loyalty={loyalty}: {told}")
