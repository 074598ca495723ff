"""Write a report: a file for each chart, and one page that holds everything."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from topple.arena.report.findings import Findings
from topple.arena.report.page import page
from topple.arena.report.plots import (
    contest_plot,
    plot_choices,
    plot_costs,
    plot_lengths,
    plot_ratings,
)
from topple.core.errors import ToppleError
from topple.core.files import write_whole
from topple.present.charts import Chart

PAGE = "report.html"


def draw_charts(findings: Findings) -> Iterator[tuple[str, Chart]]:
    """Every chart with its name; those of a contest have its number."""
    standings, names = findings.standings, findings.names
    ratings = plot_ratings(standings, names)
    if ratings is not None:
        yield "ratings", ratings
    yield "costs", plot_costs(standings, names)
    yield "lengths", plot_lengths(standings, findings.texts)
    for number, (contest, text) in enumerate(findings.texts.items(), start=1):
        found = contest_plot(standings, names, contest, text)
        if found is not None:
            name, chart = found
            yield f"{name}-{number}", chart
        if contest in findings.choices.contests:
            yield f"choices-{number}", plot_choices(findings.choices, contest, names, text)


def n_files(findings: Findings, formats: Sequence[str]) -> int:
    """An upper bound on the number of files."""
    return (3 + 2 * len(findings.texts)) * len(formats) + 1


def write_report(
    findings: Findings, folder: Path, formats: Sequence[str] = ("svg", "png")
) -> Iterator[Path]:
    """Write charts and page into a folder; yields each file that was written, the page last.

    Chart files have the formats `svg`, `png` or both; the page has its charts within it.

    Raises
    ------
    ToppleError
        If a file cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToppleError(f"{folder} cannot be created: {error.strerror}") from None
    drawings: dict[str, str] = {}
    for name, chart in draw_charts(findings):
        drawing = chart.picture("svg")
        drawings[name] = drawing.decode("utf-8")
        for form in formats:
            path = folder / f"{name}.{form}"
            write_whole(path, drawing if form == "svg" else chart.picture(form))
            yield path
    write_whole(folder / PAGE, page(findings, drawings).encode("utf-8"))
    yield folder / PAGE
