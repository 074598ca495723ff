"""The `topple` command with all its commands.

Help is Click's plain text: quick to come, readable in 80 columns and without
colour.
"""

from typing import Annotated, Any

import typer

from topple import __version__
from topple.cli.commands.advise import advise
from topple.cli.commands.agents import agents
from topple.cli.commands.analyse import analyse
from topple.cli.commands.bench import playouts, scaling, search
from topple.cli.commands.boards import boards, show
from topple.cli.commands.convert import convert
from topple.cli.commands.export import export
from topple.cli.commands.games import games
from topple.cli.commands.htp import htp
from topple.cli.commands.lab import lab
from topple.cli.commands.learn import learn
from topple.cli.commands.match import match
from topple.cli.commands.perft import perft
from topple.cli.commands.play import play
from topple.cli.commands.replay import replay
from topple.cli.commands.report import report
from topple.cli.commands.reproduce import reproduce
from topple.cli.commands.solve import solve
from topple.cli.commands.tournament import tournament
from topple.cli.commands.warmup import warmup
from topple.cli.quick import QuickCommand, QuickGroup

SETTINGS = {"help_option_names": ["--help", "-h"]}


def _group(meaning: str) -> typer.Typer:
    return typer.Typer(
        cls=QuickGroup,
        help=meaning,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=SETTINGS,
    )


def _add(group: typer.Typer, command: Any, example: str) -> None:
    group.command(cls=QuickCommand, epilog=f"Example: {example}", context_settings=SETTINGS)(
        command
    )


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"topple {__version__}")
        raise typer.Exit


app = _group(
    "A lab for games of influence on graphs: play, compare, analyse and measure.\n\n"
    "--import MODULE (or FILE.py), before a command, imports a module that registers games or "
    "agents of your own."
)


@app.callback(invoke_without_command=True, epilog="Example: topple play hex --board hex:5")
def start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """A lab for games of influence on graphs."""
    if context.invoked_subcommand is None:
        print(context.get_help())


_add(app, games, "topple games --json")

_add(app, agents, "topple agents --json")

_boards = _group("List the kinds of boards, or show one of them.")
_boards.callback(invoke_without_command=True, epilog="Example: topple boards show karate")(boards)
_add(_boards, show, "topple boards show ba:n=24,m=3,seed=1 --out board.svg")
app.add_typer(_boards, name="boards")

_add(app, play, "topple play hex human uct:iterations=1000 --board hex:5")
_add(app, replay, "topple replay game.json --moves")
_add(app, analyse, "topple analyse game.json --ply 6 --agent uct:time=5")
_add(app, advise, "topple advise mynet.graphml --loyalty full --state tokens.csv --vs")
_add(app, solve, "topple solve hex --board hex:3 --each")
_add(app, learn, "topple learn spread-it:loyalty=full --simulations 4 --plot learned.svg")
_add(app, match, "topple match hex uct:iterations=500 alphabeta:depth=3 --board hex:7 --games 50")
_add(app, tournament, "topple tournament --game hex --agent uct --agent greedy --agent random")
_add(app, report, "topple report results.db --centrality pagerank")
_add(app, export, "topple export results.db --format csv --out games.csv")
_add(app, convert, "topple convert game.json --to sgf --out game.sgf")
_add(app, htp, "topple htp --agent uct:time=5 --board hex:11")
_add(app, reproduce, "topple reproduce spread-it --table I --scale 10%")
_add(app, lab, "topple lab --port 8765 --db results.db")
_add(app, perft, "topple perft infexion --depth 3")
_add(app, warmup, "topple warmup hex infexion")

_bench = _group("Measure the speed of this machine.")
_add(_bench, playouts, "topple bench playouts --game hex --seconds 1")
_add(_bench, scaling, "topple bench scaling --json")
_add(_bench, search, "topple bench search --only hex-11 --seconds 2")
app.add_typer(_bench, name="bench")


@_bench.callback(invoke_without_command=True, epilog="Example: topple bench playouts --game hex")
def bench(context: typer.Context) -> None:
    """Measure the speed of this machine."""
    if context.invoked_subcommand is None:
        print(context.get_help())
