"""`topple solve influence --segments N`: the score sequence of INFLUENCE's segments."""

from collections.abc import Sequence
from typing import Any

from topple.cli.terminal.long_search import Keeper, carry_on, finish
from topple.cli.terminal.output import print_json, print_wrapped, terminal_width
from topple.cli.terminal.solve_options import SolveOptions, print_files
from topple.cli.views.solution_plots import Row, draw_sequence
from topple.game.warm_up import prepare
from topple.solvers.checkpoint import Subject
from topple.solvers.segments.findings import conjectures
from topple.solvers.segments.sequence import SequenceSolving
from topple.solvers.solver import SolverKernels
from topple.solvers.wording import effort_text, limit_text, number_text

MOST_COLUMNS = 20  # values in a line, where they fit


def solve_sequence(last: int, options: SolveOptions) -> None:
    """Find Ls and Rs of the segments of 1 to `last` vertices, and print what they tell.

    Raises
    ------
    KeyboardInterrupt
        After what is proven is printed.
    """
    work, keeper = begin_sequence(last, options)
    spent = carry_on(work, f"solving segments to {last}", None, keeper)
    rows = [(int(n), int(left), int(right)) for n, left, right in work.rows()]
    limit = spent.limit or work.limit
    if options.plot is not None:
        draw_sequence(rows, options.plot)
    if options.as_json:
        print_json(describe(work, rows, spent.seconds, limit))
    else:
        print_sequence(rows, last)
        print(effort_text(work.n_positions, work.n_nodes, spent.seconds))
        if limit is not None:
            print(limit_text(limit, None, options.memory))
        print_files(options, keeper)
    finish(spent, keeper)


def begin_sequence(last: int, options: SolveOptions) -> "tuple[Any, Keeper | None]":
    """The sequence to be solved, gone on with from its checkpoint.

    A checkpoint of the sequence serves any number of segments.
    """
    work = SequenceSolving(last, options.memory)
    prepare(work.solver.game, SolverKernels(type(work.solver)))
    if options.checkpoint is None:
        return work, None
    subject = Subject(work.solver.NAME, "influence", "all segments", "")
    keeper = Keeper(options.checkpoint, work.solver, subject)
    keeper.recall()
    return work, keeper


def told(rows: Sequence[Row]) -> list[str]:
    """What the values say about the conjectures, a sentence each."""
    return [finding.text for finding in conjectures(rows)] if rows else []


def print_sequence(rows: Sequence[Row], last: int) -> None:
    """The values in lines of as many as fit, then what they tell."""
    n_rows = f"{len(rows):,} of {last:,}" if len(rows) < last else f"{last:,}"
    print(f"INFLUENCE on segments, {n_rows} solved")
    width = max((len(number_text(number)) for row in rows for number in row), default=1) + 1
    n_columns = min((terminal_width() - 2) // width, MOST_COLUMNS)
    for start in range(0, len(rows), n_columns):
        print()
        part = rows[start : start + n_columns]
        for head, numbers in zip(("n", "Ls", "Rs"), zip(*part, strict=True), strict=True):
            print(f"{head:<2}" + "".join(f"{number_text(each):>{width}}" for each in numbers))
    print()
    for sentence in told(rows):
        print_wrapped(sentence)


def describe(work: Any, rows: Sequence[Row], seconds: float, limit: str | None) -> dict[str, Any]:
    """The sequence as data."""
    return {
        "game": "influence",
        "segments": work.last,
        "rows": [{"n": n, "Ls": left, "Rs": right} for n, left, right in rows],
        "conjectures": told(rows),
        "positions": work.n_positions,
        "nodes": work.n_nodes,
        "seconds": round(seconds, 6),
        "limit": limit,
    }
