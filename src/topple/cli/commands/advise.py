"""`topple advise`: which vertex to take next on a network of one's own."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topple.cli.arena_options import ArenaSeed
from topple.cli.options import Json
from topple.cli.terminal.output import print_json

if TYPE_CHECKING:
    from topple.advice.adviser import AdviceSettings
    from topple.advice.result import Advice
    from topple.game.game import Game
    from topple.game.position import Position

# Those of topple.advice, which is too heavy to import for --help.
TOP, GAMES, LOOKS, CANDIDATES, SIMULATIONS, SEED = 10, 300, 24, 64, 1000, 1
LONG = 20.0  # seconds from which on it is told beforehand how long it takes


def advise(
    network: Annotated[
        str,
        typer.Argument(
            metavar="FILE|BOARD",
            help="A network: a file (GraphML, GML, CSV, TSV, JSON …) or a board, such as karate.",
        ),
    ],
    *,
    loyalty: Annotated[
        str,
        typer.Option(
            "--loyalty",
            metavar="zero|full",
            help="Vertices may change sides for ever (zero), or are owned once they fire (full).",
        ),
    ] = "zero",
    state: Annotated[
        Path | None,
        typer.Option(
            "--state",
            metavar="FILE",
            help="The tokens on the board now: a CSV with the columns vertex,black,red and, under "
            "full loyalty, owner. Without it the board is empty.",
            show_default=False,
        ),
    ] = None,
    left: Annotated[
        str | None,
        typer.Option(
            "--left",
            metavar="B-R",
            help="Tokens left to Black and Red, such as 5-4; by default what the game gives less "
            "what lies on the board.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            metavar="black|red",
            help="Who is to move; by default it follows from the tokens, since Black begins.",
            show_default=False,
        ),
    ] = None,
    tokens: Annotated[
        int | None,
        typer.Option(
            "--tokens",
            metavar="N",
            help="Tokens per player in the whole game; by default 2m − n in all.",
            show_default=False,
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
        bool, typer.Option("--vs", help="Say how much each baseline's choice loses.")
    ] = False,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Moves to list.")] = TOP,
    games: Annotated[
        int,
        typer.Option("--games", metavar="N", min=1, help="Fresh games for each move listed."),
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
        int, typer.Option("--candidates", metavar="N", min=1, help="Moves to try, at most.")
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
            help="Threads; one for each core unless given. The answer is the same.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Also draw the network with the chances: .svg, .png or .pdf, or .html with all.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Rank the next moves of Spread-It on your own network by win probability.

    Beside them stand degree, PageRank, betweenness and the classical greedy choice
    of seeds: what would a marketer have done? Ctrl-C shows what is known so far.
    """
    from topple.advice.adviser import AdviceSettings

    if out is not None:
        check_out(out)
    game = load_network(network, loyalty, order, tokens)
    position = find_position(game, state, left, player)
    settings = AdviceSettings(
        top, games, looks, candidates, SEED if seed is None else seed, simulations, workers
    )
    found = ask(position, settings)
    if out is not None:
        write_out(found, out)
    if as_json:
        print_json(found.data())
    else:
        from topple.cli.views.advice import print_advice

        print_advice(found, network, versus=versus, out=out)
    if not found.is_complete:
        raise KeyboardInterrupt


def check_out(out: Path) -> None:
    """Refuse early what could not be written.

    Raises
    ------
    BadText
        If the ending is unknown.
    ToppleError
        If nothing can be written there.
    """
    from topple.cli.terminal.record_files import check_writable
    from topple.core.errors import BadText, unknown
    from topple.present.charts import PICTURE_FORMATS

    endings = (*PICTURE_FORMATS, ".html")
    if out.suffix.lower() not in endings:
        raise BadText(f"{out}: {unknown('picture ending', out.suffix.lower(), endings)}")
    check_writable(out)


def load_network(network: str, loyalty: str, order: str, tokens: int | None) -> "Game":
    """Spread-It on a board, or on the network in a file."""
    from topple.boards import load_board
    from topple.game.game import load
    from topple.game.warm_up import prepare

    game = load("spread-it", load_board(network), loyalty=loyalty, order=order, tokens=tokens)
    prepare(game)
    return game


def find_position(
    game: "Game", state: Path | None, left: str | None, player: str | None
) -> "Position":
    """The position that the options describe."""
    from topple.advice.tokens import Tokens, position_with, read_tokens
    from topple.rules.text import parse_pair, parse_player

    tokens = Tokens() if state is None else read_tokens(game, state)
    pair = None if left is None else parse_pair(left)
    mover = None if player is None else parse_player(game, player)
    return position_with(game, tokens, pair, mover)


def ask(position: "Position", settings: "AdviceSettings") -> "Advice":
    """Seek advice, with progress on stderr; the first Ctrl-C ends it with what is known."""
    import time

    from topple.advice.adviser import Adviser, check, expected_seconds, helper_agents
    from topple.advice.api import KERNELS
    from topple.core.progress import PATIENCE, progress, report_line
    from topple.core.stopping import noted_interrupt
    from topple.core.text import duration
    from topple.game.warm_up import prepare

    check(position, settings)
    prepare(position.game, rules=KERNELS)
    prepare(position.game, *helper_agents(position.game))
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


def write_out(found: "Advice", out: Path) -> None:
    """Write the picture, or the page."""
    from topple.advice.page import page
    from topple.advice.picture import picture
    from topple.core.files import write_whole

    ending = out.suffix.lower()[1:]
    write_whole(out, page(found).encode("utf-8") if ending == "html" else picture(found, ending))
