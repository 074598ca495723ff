"""`topple report`: the games in a store summarised in tables, charts and one page."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from topple.arena.report.data import (
    choices_data,
    communities_data,
    judging_data,
    mistakes_data,
    tournament_data,
)
from topple.arena.report.findings import Findings, read_findings
from topple.arena.report.writing import n_files, write_report
from topple.arena.statistics.centrality import MEASURES
from topple.arena.statistics.mistakes import Mistakes
from topple.arena.store.store import open_store
from topple.cli.terminal.output import print_json
from topple.cli.views.oracle import Memory
from topple.cli.views.standings import mistakes_text, standings_text
from topple.core.errors import BadText, ToppleError, unknown
from topple.core.progress import progress
from topple.core.stopping import noted_interrupt
from topple.solvers import MEMORY


class ChartFormat(StrEnum):
    """Of the charts beside the page."""

    SVG = "svg"
    PNG = "png"
    BOTH = "both"


def report(
    file: Annotated[
        Path, typer.Argument(metavar="STORE", help="The games that were played, an SQLite file.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Where to write page and charts; by default beside the store, as NAME-report.",
        ),
    ] = None,
    form: Annotated[
        ChartFormat, typer.Option("--format", help="Of the charts; the page has its own within it.")
    ] = ChartFormat.BOTH,
    centrality: Annotated[
        str,
        typer.Option(
            "--centrality",
            metavar="MEASURE",
            help="What ranks vertices: degree, pagerank, eigenvector, betweenness or closeness.",
        ),
    ] = "degree",
    game: Annotated[
        str | None,
        typer.Option(
            "--game", metavar="GAME", help="Only this game, such as hex or spread-it:loyalty=full."
        ),
    ] = None,
    judged: Annotated[
        bool,
        typer.Option("--mistakes", help="Count mistakes, on boards that exact play can solve."),
    ] = False,
    memory: Memory = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print the result as JSON; files are written only with --out."),
    ] = False,
) -> None:
    """Summarise the games in a store: tables here, charts and a page in a folder.

    With --mistakes Ctrl-C ends the judging, and the report has what was judged so far.
    """
    if memory is not None and not judged:
        raise BadText("--memory is for --mistakes")
    findings = _judge(file, centrality, game, memory) if judged else _read(file, centrality, game)
    if as_json:
        print_json(report_data(findings), indent=2)
    else:
        print(standings_text(findings.standings))
        if findings.mistakes is not None:
            print(f"\n{mistakes_text(findings)}")
    if out is not None or not as_json:
        folder = out or file.with_name(f"{file.stem}-report")
        page = _write(findings, folder, form)
        if not as_json:
            print(f"\nreport: {page}")
    if findings.mistakes is not None and not findings.mistakes.is_complete:
        raise KeyboardInterrupt(f"stopped when {findings.mistakes.n_games:,} games were judged")


def _judge(file: Path, centrality: str, game: str | None, memory: int | None) -> Findings:
    """The findings with mistakes counted, by all games or those judged before Ctrl-C."""
    with noted_interrupt() as interrupt:
        return _read(file, centrality, game, Mistakes(memory or MEMORY, stop=interrupt))


def _read(
    file: Path, centrality: str, game: str | None, mistakes: Mistakes | None = None
) -> Findings:
    if centrality not in MEASURES:
        raise BadText(unknown("centrality", centrality, MEASURES))
    with open_store(file, create=False, read_only=True) as store:
        n_games = store.n_games()
        if not n_games:
            raise ToppleError(f"{file} holds no games yet: play some with topple tournament --db")
        what = "reading games" if mistakes is None else "reading and judging games"
        total = n_games if mistakes is None else 2 * n_games
        with progress(what, total) as done:
            return read_findings(
                store, file.name, measure=centrality, game=game, mistakes=mistakes, done=done
            )


def _write(findings: Findings, folder: Path, form: ChartFormat) -> Path:
    """Write the report; returns where its page is."""
    formats = ("svg", "png") if form is ChartFormat.BOTH else (form.value,)
    path = folder
    with progress("drawing", n_files(findings, formats)) as done:
        for path in write_report(findings, folder, formats):
            done(path.name)
    return path


def report_data(findings: Findings) -> dict[str, Any]:
    """The report as plain data."""
    data, mistakes = tournament_data(findings.standings), findings.mistakes
    for contest, entry in zip(findings.texts, data["contests"], strict=True):
        entry["choices"] = choices_data(findings.choices, contest)
        if held := findings.communities.held(contest):
            entry["communities"] = communities_data(held)
        if mistakes is not None:
            entry["mistakes"] = mistakes_data(mistakes, contest)
    if mistakes is not None:
        data["judging"] = judging_data(mistakes)
    return {
        "store": findings.source,
        "versions": findings.versions,
        "seeds": findings.seeds,
        "began": None if findings.began is None else list(findings.began),
        "cautions": findings.cautions,
        **data,
        "tournaments": [
            {"id": number, "settings": settings, "first_asked": asked}
            for number, settings, asked in findings.tournaments
        ],
    }
