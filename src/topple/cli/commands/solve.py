"""`topple solve`: exact values, best moves and best play; two surveys."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from topple.cli.options import BoardText, Json
from topple.cli.terminal.long_search import Keeper, Spent, carry_on, finish
from topple.cli.terminal.output import print_json, print_table, print_wrapped, terminal_width
from topple.cli.terminal.positions import described_position
from topple.cli.terminal.record_files import check_writable
from topple.cli.views.solution import describe_solution, print_solution
from topple.cli.views.solution_plots import Row, draw_sequence, draw_thermograph, draw_values
from topple.core.errors import BadText, Unsupported
from topple.core.progress import progress
from topple.game import Position, load
from topple.game.warm_up import prepare
from topple.present.charts import check_ending
from topple.present.table import Table
from topple.rules import find_rules
from topple.solvers import Solution, Solver, check_solvable, find_solver, solver_for
from topple.solvers.checkpoint import Subject, subject_of
from topple.solvers.proof.solver import ProofSolver
from topple.solvers.segments.findings import conjectures
from topple.solvers.segments.sequence import SequenceSolving
from topple.solvers.small_graphs import SmallGraph, n_connected, survey
from topple.solvers.solver import SolverKernels
from topple.solvers.wording import effort_text, limit_text, points_text

MEMORY = 1024  # topple.solvers.MEMORY, which is too heavy to import for --help
MOST_MEMORY = 1 << 20  # megabytes: a terabyte
LONGEST_TIME = 1e7  # seconds
MOST_GRAPH_VERTICES = 6  # topple.solvers.small_graphs.FEASIBLE
MOST_SEGMENTS = 600  # topple.solvers.segments.prover.MOST_VERTICES


class SolveOptions(NamedTuple):
    """Options that a position and the score sequence share."""

    each: bool
    seconds: float | None
    memory: int
    checkpoint: Path | None
    plot: Path | None
    thermograph: Path | None
    as_json: bool


def print_files(options: SolveOptions, keeper: Keeper | None) -> None:
    """Where what was written is found."""
    files = {"picture": options.plot, "thermograph": options.thermograph}
    if keeper is not None and keeper.trouble is None:
        files["checkpoint"] = keeper.path
    for what, path in files.items():
        if path is not None:
            print(f"{what}: {path}")


MOST_COLUMNS = 20  # values in a line, where they fit


def _picture(flag: str, meaning: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        flag, metavar="FILE", help=f"{meaning}; FILE ends in .svg, .png or .pdf."
    )
    return option


def solve(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, perhaps with options.")],
    *,
    board: BoardText = None,
    text: Annotated[
        str | None,
        typer.Option("--position", metavar="TEXT", help="Solve this position, not the first."),
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="Find the value of every move, not of the best alone.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="S",
            min=0.001,
            max=LONGEST_TIME,
            help="Stop after so many seconds, with the bounds that are proven by then.",
        ),
    ] = None,
    memory: Annotated[
        int,
        typer.Option(
            "--memory",
            metavar="MB",
            min=1,
            max=MOST_MEMORY,
            help="Megabytes for what is remembered.",
        ),
    ] = MEMORY,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Keep what is proven in FILE; the same command goes on from it.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        _picture("--plot", "Draw the board with the value of each move, or the sequence"),
    ] = None,
    thermograph: Annotated[
        Path | None, _picture("--thermograph", "Draw the thermograph of an INFLUENCE position")
    ] = None,
    segments: Annotated[
        int | None,
        typer.Option(
            "--segments",
            metavar="N",
            min=1,
            max=MOST_SEGMENTS,
            help="INFLUENCE's score sequence: Ls and Rs of the segments of 1 to N vertices.",
        ),
    ] = None,
    graphs: Annotated[
        int | None,
        typer.Option(
            "--graphs",
            metavar="N",
            min=1,
            max=MOST_GRAPH_VERTICES,
            help="Spread-It on every connected graph of up to N vertices: who wins.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve a position exactly: its value, the best moves, a line of best play.

    Ctrl-C ends the search and shows what is proven.
    """
    each_move = each or plot is not None
    options = SolveOptions(each_move, seconds, memory, checkpoint, plot, thermograph, as_json)
    with enough_memory(memory):
        if segments is not None:
            check_survey("--segments", game, "influence", board, text, options, each, graphs)
            solve_sequence(segments, options)
        elif graphs is not None:
            check_survey("--graphs", game, "spread-it", board, text, options, each)
            survey_graphs(graphs, as_json=as_json)
        else:
            check_options(options, game)
            solve_position(described_position(game, board, text, find_solver), options)


@contextmanager
def enough_memory(memory: int) -> Iterator[None]:
    """Say in one line that the machine does not have the memory that was allowed."""
    try:
        yield
    except MemoryError:
        raise Unsupported(f"this machine does not have {memory:,} MB: give less --memory") from None


def check_survey(
    flag: str,
    game: str,
    needed: str,
    board: str | None,
    text: str | None,
    options: SolveOptions,
    each: bool,
    graphs: int | None = None,
) -> None:
    """Refuse another game beside a survey, and options that ask for one position."""
    name, _, rest = game.partition(":")
    find_rules(name.strip())
    if name.strip() != needed or rest:
        raise BadText(f"{flag} is for {needed} alone: topple solve {needed} {flag} N")
    kept = () if needed == "influence" else (options.checkpoint, options.plot)
    others = (board, text, options.seconds, options.thermograph, graphs, *kept)
    is_larger = bool(kept) and options.memory != MEMORY
    if each or is_larger or any(other is not None for other in others):
        kept_flags = "--memory, --checkpoint, --plot and --json" if not kept else "--json"
        raise BadText(f"{flag} asks for all boards at once: beside it stand {kept_flags} alone")
    if options.plot is not None:
        check_picture(options.plot)


def check_options(options: SolveOptions, game: str) -> None:
    """Refuse early pictures that cannot be written, and thermographs of games that have none."""
    name = game.partition(":")[0].strip()
    find_rules(name)
    if options.thermograph is not None and name != "influence":
        raise BadText(f"thermographs are for influence, not for {name}")
    for path in (options.plot, options.thermograph):
        if path is not None:
            check_picture(path)


def check_picture(path: Path) -> None:
    """Refuse early a picture that cannot be written, or whose name has no known ending."""
    check_ending(path)
    check_writable(path)


def solve_position(position: Position, options: SolveOptions) -> None:
    """Solve a position, print what is proven, and draw what is wanted.

    Raises
    ------
    KeyboardInterrupt
        After what is proven is printed.
    """
    solver = solver_for(position.game, options.memory)
    check_solvable(solver, position, is_limited=options.seconds is not None)
    prepare(solver.game, SolverKernels(type(solver)))
    keeper = make_keeper(solver, options.checkpoint)
    if options.thermograph is not None:
        draw_thermograph(position, options.thermograph)
    solving = solver.begin(position, each=options.each, scores=solver.HAS_SCORES)
    spent = carry_on(solving, f"solving {position.game.spec}", options.seconds, keeper)
    solution = solving.solution()
    if spent.limit is not None:
        solution = replace(solution, limit=spent.limit)
    show_solution(solution, spent, options, keeper)
    finish(spent, keeper)


def make_keeper(solver: Solver, path: Path | None) -> Keeper | None:
    """The checkpoint of a solver, which goes on from it."""
    if path is None:
        return None
    keeper = Keeper(path, solver, subject_of(solver.game, solver.NAME))
    keeper.recall()
    return keeper


def show_solution(
    solution: Solution, spent: Spent, options: SolveOptions, keeper: Keeper | None
) -> None:
    """Draw and print what is proven."""
    if options.plot is not None:
        draw_values(solution, options.plot)
    if options.as_json:
        print_json(describe_solution(solution, spent.seconds))
        return
    print_solution(
        solution, spent.seconds, each=options.each, time=options.seconds, memory=options.memory
    )
    print_files(options, keeper)


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
        print_json(describe_sequence(work, rows, spent.seconds, limit))
    else:
        print_sequence(rows, last)
        print(effort_text(work.n_positions, work.n_nodes, spent.seconds))
        if limit is not None:
            print(limit_text(limit, None, options.memory))
        print_files(options, keeper)
    finish(spent, keeper)


def begin_sequence(last: int, options: SolveOptions) -> tuple[Any, Keeper | None]:
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


def findings_text(rows: Sequence[Row]) -> list[str]:
    """What the values say about the conjectures, a sentence each."""
    return [finding.text for finding in conjectures(rows)] if rows else []


def print_sequence(rows: Sequence[Row], last: int) -> None:
    """The values in lines of as many as fit, then what they tell."""
    n_rows = f"{len(rows):,} of {last:,}" if len(rows) < last else f"{last:,}"
    print(f"INFLUENCE on segments, {n_rows} solved")
    width = max((len(points_text(number)) for row in rows for number in row), default=1) + 1
    n_columns = min((terminal_width() - 2) // width, MOST_COLUMNS)
    for start in range(0, len(rows), n_columns):
        print()
        part = rows[start : start + n_columns]
        for head, numbers in zip(("n", "Ls", "Rs"), zip(*part, strict=True), strict=True):
            print(f"{head:<2}" + "".join(f"{points_text(each):>{width}}" for each in numbers))
    print()
    for sentence in findings_text(rows):
        print_wrapped(sentence)


def describe_sequence(
    work: Any, rows: Sequence[Row], seconds: float, limit: str | None
) -> dict[str, Any]:
    """The sequence as data."""
    return {
        "game": "influence",
        "segments": work.last,
        "rows": [{"n": n, "Ls": left, "Rs": right} for n, left, right in rows],
        "conjectures": findings_text(rows),
        "positions": work.n_positions,
        "nodes": work.n_nodes,
        "seconds": round(seconds, 6),
        "limit": limit,
    }


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


def solve_graphs(most: int) -> dict[str, list[SmallGraph]]:
    """Every connected graph of up to so many vertices, by loyalty."""
    found: dict[str, list[SmallGraph]] = {loyalty: [] for loyalty in LOYALTIES}
    surveys = {loyalty: survey(most, loyalty) for loyalty in LOYALTIES}
    with progress("solving small graphs", len(LOYALTIES) * n_connected(most)) as done:
        for loyalty, graphs in surveys.items():
            for each in graphs:
                found[loyalty].append(each)
                done(each.edges)
    return found


def print_graphs(solved: dict[str, list[SmallGraph]]) -> None:
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
