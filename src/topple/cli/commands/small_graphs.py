"""`topple solve spread-it --graphs N`: who wins on every small connected graph."""

import time
from collections import Counter
from typing import Any

from topple.cli.terminal.output import print_json, print_table
from topple.core.progress import progress
from topple.game.game import load
from topple.game.warm_up import prepare
from topple.present.table import Table
from topple.solvers.proof.solver import ProofSolver
from topple.solvers.small_graphs import SmallGraph, n_connected, survey
from topple.solvers.solver import SolverKernels

LOYALTIES = ("zero", "full")


def survey_graphs(most: int, *, as_json: bool) -> None:
    """Solve Spread-It on every connected graph of up to so many vertices, and print who wins."""
    prepare(load("spread-it", "complete:3"), SolverKernels(ProofSolver))
    began = time.perf_counter()
    solved = solve_graphs(most)
    seconds = round(time.perf_counter() - began, 6)
    if as_json:
        graphs = [
            {"loyalty": loyalty, **each._asdict(), "winner": each.winner or None}
            for loyalty in LOYALTIES
            for each in solved[loyalty]
        ]
        print_json({"game": "spread-it", "graphs": graphs, "seconds": seconds})
        return
    print_graphs(solved)
    print(f"{len(LOYALTIES) * len(solved['zero']):,} games in {seconds:.3f} s")


def solve_graphs(most: int) -> "dict[str, list[SmallGraph]]":
    """Every connected graph of up to so many vertices, by loyalty."""
    found: dict[str, list[SmallGraph]] = {loyalty: [] for loyalty in LOYALTIES}
    surveys = {loyalty: survey(most, loyalty) for loyalty in LOYALTIES}
    with progress("solving small graphs", len(LOYALTIES) * n_connected(most)) as done:
        for loyalty, graphs in surveys.items():
            for each in graphs:
                found[loyalty].append(each)
                done(each.edges)
    return found


def print_graphs(solved: "dict[str, list[SmallGraph]]") -> None:
    """A line for each graph, then how often each side wins."""
    rows: list[list[Any]] = [
        [str(each[0].number), each[0].edges or "none", *(graph.winner or "−" for graph in each)]
        for each in zip(*solved.values(), strict=True)
    ]
    heads = ["atlas", "edges", *(f"loyalty={loyalty}" for loyalty in solved)]
    print_table(Table.of(heads, rows))
    print()
    for loyalty, graphs in solved.items():
        counts = Counter(each.winner for each in graphs if each.winner)
        told = ", ".join(f"{who} {n:,}" for who, n in sorted(counts.items()))
        print(f"loyalty={loyalty}: {told or 'none can be played'}")
    print("atlas: the number in the atlas of graphs; −: there are no tokens to play with")
