"""`topple learn`: the weights of a game's features, from games of self-play."""

from pathlib import Path
from typing import Annotated

import typer

from topple.cli.arena_options import Workers
from topple.cli.commands.solve import check_picture
from topple.cli.options import BoardText, Json, flag
from topple.cli.terminal.output import print_json
from topple.cli.terminal.record_files import check_writable
from topple.cli.views.learned import print_learned
from topple.core.files import write_whole
from topple.core.processes import n_cores
from topple.core.progress import PATIENCE, progress, report_line
from topple.core.stopping import END_SIGNALS, noted_interrupt
from topple.game.game import load
from topple.game.warm_up import prepare
from topple.learning.plots import plot_learned
from topple.learning.settings import EXPLORE_OPTION, RATE_OPTION, check_learnable
from topple.learning.simulation import KERNELS
from topple.learning.training import Training, make_settings
from topple.present.charts import check_ending

# Those of topple.learning.settings, which is too heavy to import for --help.
GAMES, SIMULATIONS, SEED, KEEP, OPPONENT = 10_000, 20, 1, 70.0, "learning"


def learn(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, perhaps with options.")],
    *,
    board: BoardText = None,
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=1, help="Games of each simulation.")
    ] = GAMES,
    simulations: Annotated[
        int,
        typer.Option("--simulations", metavar="N", min=1, help="Learners that begin with nothing."),
    ] = SIMULATIONS,
    rate: Annotated[float | None, flag(RATE_OPTION, "R")] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", min=0, help="Fixes every game.")
    ] = SEED,
    keep: Annotated[
        float,
        typer.Option(
            "--keep",
            metavar="PERCENT",
            help="Average the simulations that won at least so many of their games.",
        ),
    ] = KEEP,
    opponent: Annotated[
        str,
        typer.Option(
            "--opponent",
            metavar="NAME",
            help="The second copy: learning (for itself), frozen (at the weights of the start), "
            "same (the learner's weights), random, or weights separated by /.",
        ),
    ] = OPPONENT,
    explore: Annotated[float | None, flag(EXPLORE_OPTION, "P")] = None,
    workers: Workers = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Keep every simulation in FILE, as JSON; the same command goes on from it.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="Draw weights and win rates; FILE ends in .svg, .png or .pdf.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Learn the weights of a game's features by playing.

    Each simulation is one learner, corrected after every turn by the rule of least
    mean squares. Without --board a game that is played on random networks gets a
    new one for each game.
    """
    check_files(out, plot)
    prepare_learning(game, board)
    settings = make_settings(
        game, board, games=games, rate=rate, seed=seed, opponent=opponent, explore=explore
    )
    course = Training(settings, simulations, keep, out)
    is_done = take_course(course, workers)
    if not course.found:
        raise KeyboardInterrupt("stopped before a simulation had ended")
    learned = course.result()
    if plot is not None:
        write_whole(plot, plot_learned(learned).picture(check_ending(plot)))
    if as_json:
        print_json(learned.data())
    else:
        print_learned(learned)
        for what, path in (("picture", plot), ("kept in", out)):
            if path is not None:
                print(f"{what}: {path}")
    if not is_done:
        raise stopped(course)


def check_files(out: Path | None, plot: Path | None) -> None:
    """Refuse early what could not be written."""
    if out is not None:
        check_writable(out)
    if plot is not None:
        check_picture(plot)


def prepare_learning(game: str, board: str | None) -> None:
    """Compile what learning needs, if it never was on this machine.

    Raises
    ------
    Unsupported
        If there is nothing to learn.
    """
    chosen = load(game, board)
    check_learnable(chosen)
    prepare(chosen, rules=KERNELS)


def take_course(course: Training, workers: int | None) -> bool:
    """Make the simulations that are missing, showing how far they are."""
    if course.found:
        report_line(f"going on from {course.out}")
    what = f"learning {course.settings.game.name}"
    with noted_interrupt(*END_SIGNALS) as stop, progress(what, 0, delay=PATIENCE) as shown:
        return course.run(workers or n_cores(), shown.update, stop)


def stopped(course: Training) -> KeyboardInterrupt:
    """What Ctrl-C leaves, and how to go on."""
    n_wanted = len(course.wanted)
    done = f"stopped after {n_wanted - len(course.missing):,} of {n_wanted:,} simulations"
    if course.out is None:
        return KeyboardInterrupt(f"{done}; with --out FILE the same command could go on")
    return KeyboardInterrupt(f"{done}: they are in {course.out}, and the same command goes on")
