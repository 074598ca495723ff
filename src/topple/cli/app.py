"""The `topple` command and the list of its commands.

Help is Click's plain text: quick to come, readable in 80 columns and without
colour.
"""

from typing import Annotated

import typer

from topple import __version__
from topple.cli.quick import LazyGroup, Listed, make_group

COMMANDS = {
    "games": Listed("List the games with their boards and options.", "topple games --json"),
    "agents": Listed("List the agents and evaluations with their options.", "topple agents --json"),
    "boards": Listed("List the kinds of boards, or show one of them.", "topple boards show karate"),
    "play": Listed(
        "Play a game in the terminal.",
        "topple play hex human uct:iterations=1000 --board hex:5",
    ),
    "replay": Listed(
        "Replay saved games; check every move and result.", "topple replay game.json --moves"
    ),
    "analyse": Listed(
        "Ask agents for the best moves, or review a saved game.",
        "topple analyse game.json --ply 6 --agent uct:time=5",
    ),
    "advise": Listed(
        "Rank the next moves of Spread-It on your own network.",
        "topple advise mynet.graphml --loyalty full --state tokens.csv --vs",
    ),
    "solve": Listed(
        "Solve a position exactly: its value and its best moves.",
        "topple solve hex --board hex:3 --each",
    ),
    "learn": Listed(
        "Learn the weights of a game's features by playing.",
        "topple learn spread-it:loyalty=full --simulations 4 --plot learned.svg",
    ),
    "train": Listed(
        "Train a network for a game by self-play.",
        "topple train hex --board hex:5 --minutes 10 --out training/hex5",
    ),
    "match": Listed(
        "Play two agents against each other; say who is better.",
        "topple match hex uct:iterations=500 alphabeta:depth=3 --board hex:7 --games 50",
    ),
    "tournament": Listed(
        "Play all agents against each other and rate them.",
        "topple tournament --game hex --agent uct --agent greedy --agent random",
    ),
    "report": Listed(
        "Summarise the games in a store: tables, charts and a page.",
        "topple report results.db --centrality pagerank",
    ),
    "export": Listed(
        "Write every game of a store as JSON lines or CSV.",
        "topple export results.db --format csv --out games.csv",
    ),
    "convert": Listed(
        "Convert saved games to and from other programs' formats.",
        "topple convert game.json --to sgf --out game.sgf",
    ),
    "htp": Listed(
        "Speak HTP, the Hex Text Protocol, on stdin and stdout.",
        "topple htp --agent uct:time=5 --board hex:11",
    ),
    "reproduce": Listed(
        "Repeat a paper's results; set published beside measured.",
        "topple reproduce spread-it --table I --scale 10%",
    ),
    "lab": Listed(
        "Serve a page to play, watch, analyse and compare.",
        "topple lab --port 8765 --db results.db",
    ),
    "check": Listed("Check a game or an agent of your own.", "topple check my_game.py"),
    "new": Listed("Begin a game or an agent of your own.", "topple new game my-game"),
    "perft": Listed(
        "Count the sequences of N legal moves: the rules' fingerprint.",
        "topple perft infexion --depth 3",
    ),
    "warmup": Listed("Compile games and agents ahead of time.", "topple warmup hex infexion"),
    "bench": Listed("Measure the speed of this machine.", "topple bench playouts --game hex"),
}


class ToppleGroup(LazyGroup):
    """The `topple` command."""

    listed = COMMANDS


app = make_group(
    "A lab for games of influence on graphs: play, compare, analyse and measure.\n\n"
    "--import MODULE (or FILE.py), before a command, imports a module that registers games or "
    "agents of your own; --debug, before everything else, shows the traceback of an error.",
    ToppleGroup,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"topple {__version__}")
        raise typer.Exit


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
