"""Options that several commands share."""

import secrets
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
BoardText = Annotated[
    str | None,
    typer.Option(
        "--board",
        metavar="BOARD",
        help="The board, as `topple boards` lists them; each game has one by default.",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="S",
        min=0,
        help="Fixes every random choice; without it one is drawn and printed.",
        show_default=False,
    ),
]

MOST_SEED = 1_000_000_000  # of the seeds that are drawn: short enough to type again


def chosen_seed(seed: int | None) -> int:
    """The seed that was given, or one drawn by the system."""
    return secrets.randbelow(MOST_SEED) if seed is None else seed
