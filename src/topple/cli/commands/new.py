"""`topple new`: a folder to begin a game or an agent with."""

from pathlib import Path
from typing import Annotated

import typer

from topple.cli.quick import add_command, make_group
from topple.cli.starters.folder import AGENT, GAME, write_starter

Out = Annotated[
    Path,
    typer.Option("--out", metavar="DIR", help="Make the folder here, not in the current folder."),
]

new = make_group("Begin a game or an agent of your own: a folder that works at once.")


@new.callback(invoke_without_command=True, epilog="Example: topple new game my-game")
def show_help(context: typer.Context) -> None:
    """Begin a game or an agent of your own: a folder that works at once."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name, such as my-game.")],
    out: Out = Path(),
) -> None:
    """Write a folder with a complete game: rules, a test, a README, a board, a package."""
    tell(write_starter(GAME, name, out))


def agent(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name, such as my-agent.")],
    out: Out = Path(),
) -> None:
    """Write a folder with a complete agent: a search, a test, a README, a board, a package."""
    tell(write_starter(AGENT, name, out))


def tell(module: Path) -> None:
    """Say what has been made, and what to do next."""
    print(f"{module.parent} is ready; its README says how to play and test it")
    print(f"topple check {module}")


add_command(new, game, "topple new game my-game")
add_command(new, agent, "topple new agent my-agent --out agents")
