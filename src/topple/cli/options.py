"""Options that several commands share, and flags made from the options that modules declare."""

import secrets
from typing import Annotated

import typer
from typer.models import OptionInfo

from topple.core.spec import Option
from topple.core.text import number_text

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
BoardText = Annotated[
    str | None,
    typer.Option(
        "--board",
        metavar="BOARD",
        help="The board, as `topple boards` lists them; each game has one by default.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="S",
        min=0,
        help="Fixes every random choice; without it one is drawn and printed.",
    ),
]

MOST_SEED = 1_000_000_000  # of the seeds that are drawn: short enough to type again


def chosen_seed(seed: int | None) -> int:
    """The seed that was given, or one drawn by the system."""
    return secrets.randbelow(MOST_SEED) if seed is None else seed


def flag(option: Option, metavar: str) -> OptionInfo:
    """Make the flag of an option: its name, range, meaning and default are written once.

    The flag's own default is None, so that a command can tell whether it was given. `Option.read`
    checks the upper end of the range, which would only clutter the help.
    """
    meaning = f"{option.meaning[:1].upper()}{option.meaning[1:]}"
    value = option.default
    default = "" if value is None else f"; {number_text(value)} unless given"
    info: OptionInfo = typer.Option(
        f"--{option.name}", metavar=metavar, min=option.least, help=f"{meaning}{default}."
    )
    return info
