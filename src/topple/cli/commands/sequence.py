"""`topple solve influence --segments N`: the score sequence of INFLUENCE's segments."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from topple.cli.commands.solve import Wishes, print_files
from topple.cli.terminal.output import print_json, print_wrapped, terminal_width
from topple.solvers.wording import effort_text, limit_text, number_text

if TYPE_CHECKING:
    from topple.cli.terminal.long_search import Keeper

Row = tuple[int, int, int]  # n, Ls, Rs

PERIOD = 4  # the sequence nearly repeats itself after so many vertices
MOST_COLUMNS = 20  # values in a line, where they fit


def solve_sequence(last: int, wishes: Wishes) -> None:
    """Find Ls and Rs of the segments of 1 to `last` vertices, and print what they tell.

    Raises
    ------
    KeyboardInterrupt
        After what is proven is printed.
    """
    from topple.cli.terminal.long_search import carry_on, finish

    work, keeper = begin_sequence(last, wishes)
    spent = carry_on(work, f"solving segments to {last}", None, keeper)
    rows = [(int(n), int(left), int(right)) for n, left, right in work.rows()]
    limit = spent.limit or work.limit
    if wishes.plot is not None:
        from topple.cli.views.solution_plots import draw_sequence

        draw_sequence(rows, wishes.plot)
    if wishes.as_json:
        print_json(describe(work, rows, spent.seconds, limit))
    else:
        print_sequence(rows, last)
        print(effort_text(work.n_positions, work.n_nodes, spent.seconds))
        if limit is not None:
            print(limit_text(limit, None, wishes.memory))
        print_files(wishes, keeper)
    finish(spent, keeper)


def begin_sequence(last: int, wishes: Wishes) -> "tuple[Any, Keeper | None]":
    """The sequence to be solved, gone on with from its checkpoint.

    A checkpoint of the sequence serves any number of segments.
    """
    from topple.cli.terminal.long_search import Keeper
    from topple.game.warm_up import prepare
    from topple.solvers.checkpoint import Subject
    from topple.solvers.segments.sequence import SequenceSolving
    from topple.solvers.solver import SolverKernels

    work = SequenceSolving(last, wishes.memory)
    prepare(work.solver.game, SolverKernels(type(work.solver)))
    if wishes.checkpoint is None:
        return work, None
    subject = Subject(work.solver.NAME, "influence", "all segments", "")
    keeper = Keeper(wishes.checkpoint, work.solver, subject)
    keeper.recall()
    return work, keeper


def told(rows: Sequence[Row]) -> list[str]:
    """What the values say about the conjectures, a sentence each."""
    from topple.solvers.segments.findings import conjectures

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


def irregular(rows: Sequence[Row], column: int) -> list[Row]:
    """Where Ls (column 1) or Rs (column 2) is not the usual one of its kind, n modulo 4.

    >>> irregular([(n, 1, -5 if n == 9 else -3) for n in (1, 5, 9, 13)], 2)
    [(9, 1, -5)]
    """
    kinds: dict[int, Counter[int]] = defaultdict(Counter)
    for row in rows:
        kinds[row[0] % PERIOD][row[column]] += 1
    usual = {kind: counts.most_common(1)[0][0] for kind, counts in kinds.items()}
    return [row for row in rows if row[column] != usual[row[0] % PERIOD]]


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
