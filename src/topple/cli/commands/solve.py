"""`topple solve`: exact values, best moves and best play; two surveys."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from topple.cli.commands.sequence import solve_sequence
from topple.cli.commands.small_graphs import survey_graphs
from topple.cli.options import BoardText, Json
from topple.cli.terminal.long_search import Keeper, Spent, carry_on, finish
from topple.cli.terminal.output import print_json
from topple.cli.terminal.positions import described_position
from topple.cli.terminal.record_files import check_writable
from topple.cli.terminal.solve_options import SolveOptions, print_files
from topple.cli.views.solution import describe_solution, print_solution
from topple.cli.views.solution_plots import draw_thermograph, draw_values
from topple.core.errors import BadText, Unsupported
from topple.game.position import Position
from topple.game.warm_up import prepare
from topple.present.charts import check_ending
from topple.rules import find_rules
from topple.solvers import Solution, Solver, check_solvable, solver_for
from topple.solvers.checkpoint import subject_of
from topple.solvers.solver import SolverKernels

MEMORY = 1024  # topple.solvers.MEMORY, which is too heavy to import for --help
MOST_MEMORY = 1 << 20  # megabytes: a terabyte
LONGEST_TIME = 1e7  # seconds
MOST_GRAPH_VERTICES = 6  # topple.solvers.small_graphs.FEASIBLE
MOST_SEGMENTS = 600  # topple.solvers.segments.prover.MOST_VERTICES


def _picture(flag: str, meaning: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        flag,
        metavar="FILE",
        help=f"{meaning}; FILE ends in .svg, .png or .pdf.",
        show_default=False,
    )
    return option


def solve(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, perhaps with options.")],
    *,
    board: BoardText = None,
    text: Annotated[
        str | None,
        typer.Option(
            "--position",
            metavar="TEXT",
            help="Solve this position, not the first.",
            show_default=False,
        ),
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
            show_default=False,
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
            show_default=False,
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
            show_default=False,
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
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve a position exactly: its value, the best moves, a line of best play.

    Ctrl-C ends the search and shows what is proven.
    """
    options = SolveOptions(each or plot is not None, seconds, memory, checkpoint, plot, thermograph,
                    as_json)  # fmt: skip
    with enough_memory(memory):
        if segments is not None:
            check_survey("--segments", game, "influence", board, text, options, each, graphs)
            solve_sequence(segments, options)
        elif graphs is not None:
            check_survey("--graphs", game, "spread-it", board, text, options, each)
            survey_graphs(graphs, as_json=as_json)
        else:
            check_options(options, game)
            solve_position(described_position(game, board, text), options)


@contextmanager
def enough_memory(memory: int) -> Iterator[None]:
    """Say in one line that the machine does not have the memory that was allowed.

    Raises
    ------
    Unsupported
        Then.
    """
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
    """Refuse what makes no sense beside a survey.

    Raises
    ------
    BadText
        If the game is another one, or an option asks for one position.
    """
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
    """Refuse what can be refused before anything is loaded.

    Raises
    ------
    BadText
        If a picture has no known ending, or a thermograph is wanted of a game
        that has none.
    """
    name = game.partition(":")[0].strip()
    find_rules(name)
    if options.thermograph is not None and name != "influence":
        raise BadText(f"thermographs are for influence, not for {name}")
    for path in (options.plot, options.thermograph):
        if path is not None:
            check_picture(path)


def check_picture(path: Path) -> None:
    """Refuse early a picture that could not be written.

    Raises
    ------
    BadText
        If its name has no known ending.
    ToppleError
        If nothing can be written there.
    """
    check_ending(path)
    check_writable(path)


def solve_position(position: "Position", options: SolveOptions) -> None:
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
    tell_solution(solution, spent, options, keeper)
    finish(spent, keeper)


def make_keeper(solver: "Solver", path: Path | None) -> "Keeper | None":
    """The checkpoint of a solver, which goes on from it."""
    if path is None:
        return None
    keeper = Keeper(path, solver, subject_of(solver.game, solver.NAME))
    keeper.recall()
    return keeper


def tell_solution(
    solution: "Solution", spent: "Spent", options: SolveOptions, keeper: "Keeper | None"
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
