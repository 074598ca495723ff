"""`topple check`: whether a game or an agent of your own keeps what topple relies on."""

import sys
from typing import Annotated

import typer

from topple.cli.options import Json
from topple.cli.terminal.output import print_json, print_wrapped
from topple.core.errors import BadModule, BadText
from topple.core.streams import plain_line
from topple.testing.modules import PATIENCE, Job, Verdict, check_in_process


def check(
    module: Annotated[
        str, typer.Argument(metavar="MODULE", help="A file such as my_game.py, or a module's name.")
    ],
    *,
    boards: Annotated[
        list[str] | None,
        typer.Option(
            "--board",
            metavar="BOARD",
            help="Check games on this board too; may be repeated. Each is checked on its own.",
        ),
    ] = None,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Check as plain Python only; compile nothing."),
    ] = False,
    patience: Annotated[
        float,
        typer.Option("--patience", metavar="S", help="Seconds for each part of the check."),
    ] = PATIENCE,
    as_json: Json = False,
) -> None:
    """Check a game or an agent of your own: moves, texts, endings, indices, determinism.

    The check runs in a process of its own, first as plain Python with every index watched.
    A game that has passed is compiled without a check of its indices from then on.
    """
    if not patience > 0:
        raise BadText(f"--patience {patience:g} is not above 0")

    def show(part: str) -> None:
        if sys.stderr.isatty():
            print(f"topple: checking {plain_line(part)}", file=sys.stderr, flush=True)

    verdicts = check_in_process(Job(module, tuple(boards or ()), not plain), show, patience)
    if as_json:
        print_json([each._asdict() for each in verdicts], indent=2)
    failures = [each.failure for each in verdicts if each.failure is not None]
    if not as_json:
        print_verdicts(verdicts)
    if failures:
        for failure in failures[:-1]:
            print(f"topple: {plain_line(failure)}", file=sys.stderr)
        raise BadModule(failures[-1])


def print_verdicts(verdicts: list[Verdict]) -> None:
    """A line for each game and agent."""
    for verdict in verdicts:
        print(f"{verdict.what} {'passes' if verdict.failure is None else 'fails'}")
        if verdict.note is not None:
            print_wrapped(verdict.note, first="    ", indent=4)
