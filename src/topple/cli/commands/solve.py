"""`topple solve`: exact values, best moves and best play; two surveys."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from topple.cli.options import BoardText, Json
from topple.cli.terminal.output import print_json

if TYPE_CHECKING:
    from topple.cli.terminal.long_search import Keeper, Spent
    from topple.game.position import Position
    from topple.solvers import Solution, Solver

MEMORY = 1024  # topple.solvers.MEMORY, which is too heavy to import for --help
MOST_MEMORY = 1 << 20  # megabytes: a terabyte
LONGEST_TIME = 1e7  # seconds
MOST_GRAPH_VERTICES = 6  # topple.solvers.small_graphs.FEASIBLE
MOST_SEGMENTS = 600  # topple.solvers.segments.prover.MOST_VERTICES


class Wishes(NamedTuple):
    """What is wanted beyond the value."""

    each: bool
    seconds: float | None
    memory: int
    checkpoint: Path | None
    plot: Path | None
    thermograph: Path | None
    as_json: bool


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
    wishes = Wishes(each or plot is not None, seconds, memory, checkpoint, plot, thermograph,
                    as_json)  # fmt: skip
    with enough_memory(memory):
        if segments is not None:
            from topple.cli.commands.sequence import solve_sequence

            check_survey("--segments", game, "influence", board, text, wishes, each, graphs)
            solve_sequence(segments, wishes)
        elif graphs is not None:
            from topple.cli.commands.small_graphs import survey_graphs

            check_survey("--graphs", game, "spread-it", board, text, wishes, each)
            survey_graphs(graphs, as_json=as_json)
        else:
            from topple.cli.terminal.positions import described_position

            check_wishes(wishes, game)
            solve_position(described_position(game, board, text), wishes)


@contextmanager
def enough_memory(memory: int) -> Iterator[None]:
    """Say in one line that the machine does not have the memory that was allowed.

    Raises
    ------
    Unsupported
        Then.
    """
    from topple.core.errors import Unsupported

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
    wishes: Wishes,
    each: bool,
    graphs: int | None = None,
) -> None:
    """Refuse what makes no sense beside a survey.

    Raises
    ------
    BadText
        If the game is another one, or an option asks for one position.
    """
    from topple.core.errors import BadText
    from topple.rules import find_rules

    name, _, options = game.partition(":")
    find_rules(name.strip())
    if name.strip() != needed or options:
        raise BadText(f"{flag} is for {needed} alone: topple solve {needed} {flag} N")
    kept = () if needed == "influence" else (wishes.checkpoint, wishes.plot)
    others = (board, text, wishes.seconds, wishes.thermograph, graphs, *kept)
    is_larger = bool(kept) and wishes.memory != MEMORY
    if each or is_larger or any(other is not None for other in others):
        kept_flags = "--memory, --checkpoint, --plot and --json" if not kept else "--json"
        raise BadText(f"{flag} asks for all boards at once: beside it stand {kept_flags} alone")
    if wishes.plot is not None:
        check_picture(wishes.plot)


def check_wishes(wishes: Wishes, game: str) -> None:
    """Refuse what can be refused before anything is loaded.

    Raises
    ------
    BadText
        If a picture has no known ending, or a thermograph is wanted of a game
        that has none.
    """
    from topple.core.errors import BadText
    from topple.rules import find_rules

    name = game.partition(":")[0].strip()
    find_rules(name)
    if wishes.thermograph is not None and name != "influence":
        raise BadText(f"thermographs are for influence, not for {name}")
    for path in (wishes.plot, wishes.thermograph):
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
    from topple.cli.terminal.record_files import check_writable
    from topple.present.charts import check_ending

    check_ending(path)
    check_writable(path)


def solve_position(position: "Position", wishes: Wishes) -> None:
    """Solve a position, print what is proven, and draw what is wanted.

    Raises
    ------
    KeyboardInterrupt
        After what is proven is printed.
    """
    from dataclasses import replace

    from topple.cli.terminal.long_search import carry_on, finish
    from topple.game.warm_up import prepare
    from topple.solvers import check_solvable, solver_for
    from topple.solvers.solver import SolverKernels

    solver = solver_for(position.game, wishes.memory)
    check_solvable(solver, position, is_limited=wishes.seconds is not None)
    prepare(solver.game, SolverKernels(type(solver)))
    keeper = make_keeper(solver, wishes.checkpoint)
    if wishes.thermograph is not None:
        from topple.cli.views.solution_plots import draw_thermograph

        draw_thermograph(position, wishes.thermograph)
    solving = solver.begin(position, each=wishes.each, scores=solver.HAS_SCORES)
    spent = carry_on(solving, f"solving {position.game.spec}", wishes.seconds, keeper)
    solution = solving.solution()
    if spent.limit is not None:
        solution = replace(solution, limit=spent.limit)
    tell_solution(solution, spent, wishes, keeper)
    finish(spent, keeper)


def make_keeper(solver: "Solver", path: Path | None) -> "Keeper | None":
    """The checkpoint of a solver, which goes on from it."""
    from topple.cli.terminal.long_search import Keeper
    from topple.solvers.checkpoint import subject_of

    if path is None:
        return None
    keeper = Keeper(path, solver, subject_of(solver.game, solver.NAME))
    keeper.recall()
    return keeper


def tell_solution(
    solution: "Solution", spent: "Spent", wishes: Wishes, keeper: "Keeper | None"
) -> None:
    """Draw and print what is proven."""
    from topple.cli.views.solution import describe_solution, print_solution

    if wishes.plot is not None:
        from topple.cli.views.solution_plots import draw_values

        draw_values(solution, wishes.plot)
    if wishes.as_json:
        print_json(describe_solution(solution, spent.seconds))
        return
    print_solution(
        solution, spent.seconds, each=wishes.each, time=wishes.seconds, memory=wishes.memory
    )
    print_files(wishes, keeper)


def print_files(wishes: Wishes, keeper: "Keeper | None") -> None:
    """Where what was written is found."""
    files = {"picture": wishes.plot, "thermograph": wishes.thermograph}
    if keeper is not None and keeper.trouble is None:
        files["checkpoint"] = keeper.path
    for what, path in files.items():
        if path is not None:
            print(f"{what}: {path}")
