"""The score sequence of segments: time, nodes and table, to 80 and to 120 or as told.

python -m benchmarks.segments [LAST …]
"""

import sys
from time import perf_counter

from topple.solvers.segments.findings import conjectures, find_irregular
from topple.solvers.segments.sequence import SequenceSolving, score_sequence
from topple.solvers.segments.table import ENTRY_BYTES

DECADE = 10
PART = 20_000  # nodes between two looks at what is done
MEMORY = 10_000  # megabytes, at most


def describe(sequence: SequenceSolving, seconds: float) -> str:
    """One line on what it took to come this far."""
    n_bytes = len(sequence.solver.prover.table.entries) * ENTRY_BYTES
    return (
        f"n = {sequence.progress().done:3}  {seconds:8.2f} s  {sequence.n_nodes:12,} nodes  "
        f"{sequence.n_positions:12,} positions  {n_bytes / 2**20:8.1f} MB"
    )


def measure(last: int) -> None:
    """Find the sequence up to `last`, with a line for each decade."""
    sequence = score_sequence(last, MEMORY)
    sequence.solver.warm()
    began, told = perf_counter(), 0
    while not sequence.is_done:
        sequence.advance(PART)
        done = sequence.progress().done
        if done // DECADE > told or sequence.is_done:
            told = done // DECADE
            print(describe(sequence, perf_counter() - began), flush=True)
    print(f"irregular: {', '.join(map(str, find_irregular(sequence.rows())))}")
    for finding in conjectures(sequence.rows()):
        print(finding.text)


if __name__ == "__main__":
    for argument in sys.argv[1:] or ("80", "120"):
        measure(int(argument))
