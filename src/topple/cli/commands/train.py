"""`topple train`: a network that learns a game from self-play."""

from pathlib import Path
from typing import Annotated

import typer

from topple.cli.arena_options import Workers
from topple.cli.commands.solve import check_picture
from topple.cli.options import Json
from topple.cli.terminal.output import print_json
from topple.core.errors import Unsupported
from topple.core.files import write_whole
from topple.core.processes import n_cores
from topple.core.progress import PATIENCE, progress, report_line
from topple.core.stopping import END_SIGNALS, noted_interrupt
from topple.core.text import duration
from topple.game.game import load
from topple.present.charts import check_ending
from topple.training.settings import TrainingSettings

BASE = TrainingSettings(games=("",), boards=("",), minutes=10.0)
TAUGHT = 100_000  # positions of a teacher's games
PAIRS = 20  # of games against each opponent at the end


def train(
    game: Annotated[
        list[str],
        typer.Argument(metavar="GAME…", help="A game; several forms of it take turns."),
    ],
    *,
    board: Annotated[
        list[str] | None,
        typer.Option(
            "--board",
            "-b",
            metavar="BOARD",
            help="A board, or a family: networks:14-60, hex:9-11, ba:n=20-40,m=3,seed=new. "
            "Repeat it: they take turns.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Checkpoints, curve and network; the same command goes on from them.",
        ),
    ] = Path("training"),
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes", metavar="M", help="How long to train.", show_default="10, or --positions"
        ),
    ] = None,
    positions: Annotated[
        int, typer.Option("--positions", metavar="N", help="How many positions to learn from.")
    ] = BASE.positions,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", min=0, help="Fixes all that is drawn.")
    ] = BASE.seed,
    device: Annotated[
        str, typer.Option("--device", metavar="NAME", help="Where to learn: cpu or cuda.")
    ] = "cpu",
    channels: Annotated[
        int, typer.Option("--channels", metavar="N", help="The network's width.")
    ] = BASE.channels,
    blocks: Annotated[
        int, typer.Option("--blocks", metavar="N", help="The network's depth: blocks of 2 layers.")
    ] = BASE.blocks,
    simulations: Annotated[
        int, typer.Option("--simulations", metavar="N", help="Of each move of self-play.")
    ] = BASE.simulations,
    considered: Annotated[
        int, typer.Option("--considered", metavar="N", help="Moves that each search considers.")
    ] = BASE.considered,
    opening: Annotated[
        int, typer.Option("--opening", metavar="N", help="At most so many random plies at first.")
    ] = BASE.opening,
    exploring: Annotated[
        int,
        typer.Option(
            "--exploring",
            metavar="N",
            help="Moves of each game that are chosen with noise.",
            show_default="all",
        ),
    ] = BASE.exploring,
    trust: Annotated[
        float,
        typer.Option(
            "--trust", metavar="X", help="How much the values found weigh beside the network."
        ),
    ] = BASE.trust,
    parallel: Annotated[
        int, typer.Option("--parallel", metavar="N", help="Games that are played at a time.")
    ] = BASE.parallel,
    batch: Annotated[
        int, typer.Option("--batch", metavar="N", help="Positions learned from at once.")
    ] = BASE.batch,
    reuse: Annotated[
        float, typer.Option("--reuse", metavar="X", help="How often each is learned from.")
    ] = BASE.reuse,
    rate: Annotated[
        float, typer.Option("--rate", metavar="R", help="Of learning, at first.")
    ] = BASE.rate,
    teacher: Annotated[
        str,
        typer.Option(
            "--teacher",
            metavar="AGENT",
            help="Learn from games of this agent against itself first.",
            show_default=False,
        ),
    ] = BASE.teacher,
    taught: Annotated[
        int, typer.Option("--taught", metavar="N", help="Positions of the teacher's games.", min=1)
    ] = TAUGHT,
    begin: Annotated[
        str | None,
        typer.Option(
            "--begin",
            metavar="NET",
            help="Begin with a network, shipped or in a file, or with another training's folder.",
            show_default=False,
        ),
    ] = None,
    matches: Annotated[
        int,
        typer.Option(
            "--matches",
            metavar="N",
            min=0,
            help="Pairs of games, now and then, that tell the strength.",
        ),
    ] = PAIRS,
    workers: Workers = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="Draw what was learned; FILE ends in .svg, .png or .pdf.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Train a network for a game by self-play.

    The network plays itself on all cores and learns from the searches' choices and the results. A
    teacher, such as alphabeta:depth=2, spares it the first aimless games.
    Checkpoints are written every minute: stopped with Ctrl-C or killed, the same command goes
    on. Agents play the result as net=FOLDER/net.npz.
    """
    if plot is not None:
        check_picture(plot)
    if minutes is None:
        minutes = 0.0 if positions else BASE.minutes
    settings = TrainingSettings(
        games=tuple(game),
        boards=tuple(board or (load(game[0]).board.spec,)),
        seed=seed,
        channels=channels,
        blocks=blocks,
        simulations=simulations,
        considered=considered,
        opening=opening,
        exploring=exploring,
        trust=trust,
        teacher=teacher,
        taught=taught if teacher else 0,
        parallel=parallel,
        positions=positions,
        minutes=minutes,
        batch=batch,
        reuse=reuse,
        rate=rate,
    )
    try:
        from topple.training.curve import plot_curve
        from topple.training.run import Training
    except ImportError:
        raise Unsupported("training needs PyTorch: pip install 'topple[train]'") from None
    run = Training(settings, out, device, workers or n_cores(), begin)
    if run.positions:
        report_line(f"going on from {out}: {run.positions:,} positions, {duration(run.seconds)}")
    with (
        noted_interrupt(*END_SIGNALS) as stop,
        progress("training", 100, unit="%", delay=PATIENCE) as shown,
    ):
        run.run(stop, lambda: shown.update(int(100 * run.progress), now=run.summary()), matches)
    run.close()
    if plot is not None:
        write_whole(plot, plot_curve(run.points).picture(check_ending(plot)))
    if as_json:
        print_json({"settings": settings.as_data(), "points": run.points})
    else:
        print(run.text())
    if run.progress < 1:
        raise KeyboardInterrupt(f"stopped: all is in {out}, and the same command goes on")
