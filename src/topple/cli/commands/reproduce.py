"""`topple reproduce`: published tables and figures, played and computed again."""

from pathlib import Path
from typing import Annotated

import typer

from topple.cli.arena_options import Workers
from topple.cli.terminal.reproduction_run import run_reproduction
from topple.papers.engine.plans import parse_scale, select_items

DB = Path("papers.db")


def _item(kind: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        f"--{kind}", metavar="N", help=f"Only this {kind} of the paper."
    )
    return option


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER", help="spread-it, chain-reaction, infexion, sds-hex, influence, or all."
        ),
    ],
    *,
    table: Annotated[str | None, _item("table")] = None,
    figure: Annotated[str | None, _item("figure")] = None,
    section: Annotated[str | None, _item("section")] = None,
    scale: Annotated[
        str,
        typer.Option(
            "--scale",
            metavar="SCALE",
            help="quick, full (as many games as the paper) or a share of these, such as 10%.",
        ),
    ] = "quick",
    db: Annotated[
        Path,
        typer.Option(
            "--db",
            metavar="FILE",
            help="Keep games and computed facts here; the same command resumes where it stopped.",
        ),
    ] = DB,
    workers: Workers = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Where to write page, charts and CSV; by default beside the store, as "
            "NAME-report.",
        ),
    ] = None,
    stored: Annotated[
        bool, typer.Option("--stored", help="Report what is stored; play and compute nothing.")
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print the result as JSON; files are written only with --out."),
    ] = False,
) -> None:
    """Repeat what a paper reports, and set the measured values beside the published ones.

    Ctrl-C stops the playing; what is there by then is reported.
    """
    asked = {"table": table, "figure": figure, "section": section}
    selection = select_items(paper, asked, parse_scale(scale))
    run_reproduction(selection, db, workers, out, stored=stored, as_json=as_json)
