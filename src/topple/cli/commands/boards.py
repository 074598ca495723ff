"""`topple boards`: the kinds of boards, and a look at one of them."""

from pathlib import Path
from typing import Annotated

import typer

from topple.agents.catalogue import describe_kind
from topple.boards import BOARDS, Board, load_board, write_board
from topple.boards.files.writing import NETWORK_FORMATS
from topple.cli.commands.games import print_option
from topple.cli.options import Json
from topple.cli.quick import add_command, make_group
from topple.cli.terminal.output import print_json, print_wrapped
from topple.cli.views.board import board_facts, describe_board, print_board
from topple.core.progress import progress
from topple.game.game import load

boards = make_group("List the kinds of boards, or show one of them.")


@boards.callback(invoke_without_command=True, epilog="Example: topple boards show karate")
def list_boards(context: typer.Context, as_json: Json = False) -> None:
    """List the kinds of boards, or show one of them."""
    if context.invoked_subcommand is not None:
        return

    if as_json:
        print_json([describe_kind(kind) for kind in BOARDS.values()], indent=2)
        return
    for kind in BOARDS.values():
        print_wrapped(f"{kind.example}: {kind.meaning}")
        for option in kind.options:
            print_option(option)
    print("\nLook at one: topple boards show grid:5x5")


def show(
    spec: Annotated[str, typer.Argument(metavar="BOARD", help="The board, such as grid:5x5.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Also draw it (FILE ends in .svg, .png or .pdf), or write it as a network "
            "(.graphml, .gexf, .gml, .json, .csv or .tsv).",
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="Check that this game can be played on it."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a board: its size, degrees, thresholds, sinks, changes, communities and vertices."""
    board = load_board(spec)
    playable = None if game is None else check_playable(board, game)
    if out is not None:
        with progress("writing" if is_network(out) else "drawing", 1):
            from topple.present.boards.drawing import draw_board  # SciPy, not for the list

            (write_board if is_network(out) else draw_board)(board, out)
    if as_json:
        extra = {} if playable is None else {"game": playable}
        print_json({**describe_board(board), **extra})
        return
    facts = board_facts(board)
    if playable is not None:
        facts["can be played"] = playable
    if out is not None:
        facts["network" if is_network(out) else "picture"] = str(out)
    print_board(board, facts)


def is_network(path: Path) -> bool:
    """Tell whether a file is to hold a network, not a picture."""
    return path.suffix.lower() in NETWORK_FORMATS


def check_playable(board: Board, game: str) -> str:
    """The game's spec, if it can be played on the board; else an error says why."""
    return load(game, board).spec


add_command(boards, show, "topple boards show ba:n=24,m=3,seed=1 --out board.svg")
