"""`topple reproduce`: published tables and figures, played and computed again."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topple.cli.arena_options import Workers
from topple.cli.terminal.output import print_json

if TYPE_CHECKING:
    from topple.arena.store.store import Store
    from topple.papers.engine.findings import GamesSummary, PaperFindings
    from topple.papers.engine.plans import Selection
    from topple.papers.engine.tasks import Task

DB = Path("papers.db")


def _item(kind: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        f"--{kind}", metavar="N", help=f"Only this {kind} of the paper.", show_default=False
    )
    return option


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER",
            help="spread-it, chain-reaction, infexion, sds-hex, influence, or all.",
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
            help="Keep games and computed facts here; the same command goes on where it stopped.",
        ),
    ] = DB,
    workers: Workers = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Where to write page, charts and CSV; beside the store, as NAME-report, "
            "unless given.",
            show_default=False,
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
    from topple.arena.store.store import open_store
    from topple.core.progress import report_line
    from topple.papers.engine.plans import parse_scale, select_items

    asked = {"table": table, "figure": figure, "section": section}
    chosen = select_items(paper, asked, parse_scale(scale))
    with open_store(db, create=not stored, read_only=stored) as store:
        if not stored:
            report_line(f"games and computed facts go to {db}")
        is_done = stored or _play(chosen, store, workers)
        findings = _judge(chosen, store)
    _show(findings, db, out, as_json)
    _tell_of_forfeits(findings)
    if not is_done:
        raise _stopped(findings, db)


def _play(chosen: "Selection", store: "Store", workers: int | None) -> bool:
    """Play and compute what the store lacks; returns whether it came to its end."""
    from topple.cli.terminal.reproduction_run import run_tasks
    from topple.cli.terminal.tournament_run import report_other_versions
    from topple.papers.engine.tasks import tasks_of

    tasks = tasks_of(chosen)
    report_other_versions(store)
    _tell_of_fact_versions(tasks, store)
    return run_tasks(tasks, store, workers)


def _tell_of_fact_versions(tasks: "Sequence[Task]", store: "Store") -> None:
    """Say that facts lie in the store that another version has computed."""
    from topple import __version__
    from topple.core.progress import report_line
    from topple.papers.engine.tasks import fact_versions

    if others := sorted(fact_versions(tasks, store) - {__version__}):
        report_line(
            f"the store has facts computed by topple {', '.join(others)}; they are not computed "
            "again"
        )


def _judge(chosen: "Selection", store: "Store") -> "list[PaperFindings]":
    from topple.core.progress import progress
    from topple.papers.engine.judging import judge_items

    findings = []
    with progress("measuring", len(chosen)) as done:
        for plans, items in chosen:
            findings.append(judge_items(plans, items, store))
            done(plans.paper.name)
    return findings


def _show(findings: "Sequence[PaperFindings]", db: Path, out: Path | None, as_json: bool) -> None:
    """Print what was found and write the page."""
    from topple.cli.views.reproduction import print_findings
    from topple.papers.report.data import findings_data
    from topple.papers.report.writing import write_findings

    if as_json:
        print_json(findings_data(findings), indent=2)
    else:
        print_findings(findings)
    if out is not None or not as_json:
        page = write_findings(findings, out or db.with_name(f"{db.stem}-report"))
        if not as_json:
            print(f"\nreport: {page}")


def _stopped(findings: "Sequence[PaperFindings]", db: Path) -> KeyboardInterrupt:
    """What Ctrl-C leaves, and how to go on."""
    sets = _sets(findings)
    there, planned = sum(each.n_games for each in sets), sum(each.planned for each in sets)
    return KeyboardInterrupt(f"stopped after {there:,} of {planned:,} games: all that is done is "
                             f"in {db}, and the same command goes on")  # fmt: skip


def _tell_of_forfeits(findings: "Sequence[PaperFindings]") -> None:
    """Games that were lost by failing count, and somebody should look into them."""
    from topple.core.progress import report_line

    for played in _sets(findings):
        if played.n_forfeits:
            report_line(
                f"{played.n_forfeits:,} of {played.n_games:,} games of {played.games.name} were "
                "lost by a crash, an illegal move or time"
            )


def _sets(findings: "Sequence[PaperFindings]") -> "list[GamesSummary]":
    """The sets of games that items rest on, each once."""
    found = {
        (each.paper.name, played.games.name): played
        for each in findings
        for item in each.items
        for played in item.played
    }
    return list(found.values())
