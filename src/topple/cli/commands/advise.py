"""`topple advise`: which vertex to take next on a network of one's own."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from topple.advice.adviser import (
    CANDIDATES,
    GAMES,
    LOOKS,
    SEED,
    TOP,
    AdviceSettings,
    Adviser,
    check,
    expected_seconds,
    helper_agents,
)
from topple.advice.api import KERNELS
from topple.advice.baselines import SIMULATIONS
from topple.advice.page import page
from topple.advice.picture import picture
from topple.advice.result import Advice
from topple.advice.tokens import Tokens, position_with, read_tokens
from topple.cli.arena_options import ArenaSeed
from topple.cli.options import Json
from topple.cli.terminal.output import print_json
from topple.cli.terminal.record_files import check_writable
from topple.cli.views.advice import print_advice
from topple.core.errors import BadText, unknown
from topple.core.files import write_whole
from topple.core.progress import PATIENCE, progress, report_line
from topple.core.stopping import noted_interrupt
from topple.core.text import duration
from topple.game import Game, Position, load
from topple.game.warm_up import prepare
from topple.present.charts import PICTURE_FORMATS
from topple.rules.text import parse_pair, parse_player

FLAGS = ("loyalty", "order", "tokens")  # options of the game that have a flag
LONG = 20.0  # seconds from which the expected time is announced


def advise(
    network: Annotated[
        str,
        typer.Argument(
            metavar="FILE|BOARD",
            help="A network: a file (GraphML, GML, CSV, TSV, JSON …) or a board such as karate.",
        ),
    ],
    *,
    loyalty: Annotated[
        str,
        typer.Option(
            "--loyalty",
            metavar="zero|full|N",
            help="Vertices may change sides repeatedly (zero), are owned once they fire (full), or "
            "take a colour N times.",
        ),
    ] = "zero",
    state: Annotated[
        Path | None,
        typer.Option(
            "--state",
            metavar="FILE",
            help="The tokens on the board now: a CSV with the columns vertex,black,red and, under "
            "full loyalty, owner. Without it the board is empty.",
        ),
    ] = None,
    left: Annotated[
        str | None,
        typer.Option(
            "--left",
            metavar="B-R",
            help="Tokens left to Black and Red, such as 5-4; by default what the game gives minus "
            "what is on the board.",
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            metavar="black|red",
            help="Who is to move; by default it follows from the tokens, since Black begins.",
        ),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(
            "--position",
            metavar="TEXT",
            help="The position as `topple replay --json` prints it, instead of --state.",
        ),
    ] = None,
    tokens: Annotated[
        str | None,
        typer.Option(
            "--tokens",
            metavar="N",
            help="Tokens per player in the whole game, or one number for each as in 20/12; by "
            "default 2m − n in all.",
        ),
    ] = None,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help="Another option of the game, such as players=3 or accept=0.8; may be repeated. "
            "`topple games` lists them.",
        ),
    ] = None,
    order: Annotated[
        str,
        typer.Option(
            "--order",
            metavar="dominance|index",
            help="Which of several ready vertices fires first.",
        ),
    ] = "dominance",
    versus: Annotated[
        bool, typer.Option("--vs", help="Show how much each baseline's choice loses.")
    ] = False,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Moves to list.")] = TOP,
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=1, help="Fresh games for each move listed.")
    ] = GAMES,
    looks: Annotated[
        int,
        typer.Option(
            "--looks",
            metavar="N",
            min=1,
            help="Moves that a quick player looks at; more play better and take longer.",
        ),
    ] = LOOKS,
    candidates: Annotated[
        int, typer.Option("--candidates", metavar="N", min=1, help="The most moves to try.")
    ] = CANDIDATES,
    simulations: Annotated[
        int,
        typer.Option(
            "--simulations", metavar="N", min=1, help="Draws for the greedy choice of seeds."
        ),
    ] = SIMULATIONS,
    seed: ArenaSeed = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            metavar="W",
            min=1,
            help="Threads, by default one for each core. The answer does not depend on them.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Also draw the network with win probabilities (.svg, .png or .pdf), or write "
            "everything as a page (.html).",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Rank the next moves of Spread-It on your own network by win probability.

    The last columns rank each move by degree, PageRank, betweenness and the classical
    greedy choice of seeds, as a marketer would. Ctrl-C shows what is known so far.
    """
    if out is not None:
        check_out(out)
    chosen = {"loyalty": loyalty, "order": order, "tokens": tokens} | read_game_options(options)
    game = load("spread-it", network, **chosen)
    position = find_position(game, state, left, player, text)
    prepare(game)
    settings = AdviceSettings(
        top, games, looks, candidates, SEED if seed is None else seed, simulations, workers
    )
    advice = find_advice(position, settings)
    if out is not None:
        ending = out.suffix.lower()[1:]
        is_page = ending == "html"
        write_whole(out, page(advice).encode() if is_page else picture(advice, ending))
    if as_json:
        print_json(advice.data())
    else:
        print_advice(advice, network, versus=versus, out=out)
    if not advice.is_complete:
        raise KeyboardInterrupt


def check_out(out: Path) -> None:
    """Refuse early a file that cannot be written, or whose name has no known ending."""
    endings = (*PICTURE_FORMATS, ".html")
    if out.suffix.lower() not in endings:
        raise BadText(f"{out}: {unknown('picture ending', out.suffix.lower(), endings)}")
    check_writable(out)


def read_game_options(texts: list[str] | None) -> dict[str, Any]:
    """Options of the game, each as `name=value`; those with a flag of their own are refused."""
    options: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise BadText(f"--option {text!r:.60} is not of the form name=value, as in players=3")
        if name in FLAGS:
            raise BadText(f"--option {name}=… has a flag of its own: write --{name}")
        if name in options:
            raise BadText(f"--option gives {name} twice")
        options[name] = value
    return options


def find_position(
    game: Game, state: Path | None, left: str | None, player: str | None, text: str | None
) -> Position:
    """The position that the options describe."""
    given = {"--state": state, "--left": left, "--player": player}
    described = [flag for flag, value in given.items() if value is not None]
    if text is not None:
        if described:
            raise BadText(f"--position says all of it: leave out {described[0]}")
        return game.position(text)
    if not described:
        return game.start()
    tokens = Tokens() if state is None else read_tokens(game, state)
    pair = None if left is None else parse_pair(left)
    mover = None if player is None else parse_player(game, player)
    return position_with(game, tokens, pair, mover)


def find_advice(position: Position, settings: AdviceSettings) -> Advice:
    """Find advice with progress on stderr; the first Ctrl-C ends it with what is known."""
    check(position, settings)
    prepare(position.game, *helper_agents(position.game), rules=KERNELS)
    seconds = expected_seconds(position, settings)
    if seconds > LONG:
        report_line(
            f"this takes up to {duration(seconds)}; fewer --games, --candidates, --looks or "
            "--tokens take less, and Ctrl-C shows what is known by then"
        )
    began = time.monotonic()
    with progress("advising", 0, delay=PATIENCE) as shown, noted_interrupt() as interrupt:

        def report(n_done: int, total: int) -> None:
            rest = (time.monotonic() - began) * (total - n_done) / max(n_done, 1)
            shown.update(n_done, total, f"about {duration(rest)} left")

        return Adviser(position, settings, interrupt, report).run()
