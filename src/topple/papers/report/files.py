"""Findings written into a folder: one page, the same as Markdown, and charts and CSV files."""

from collections.abc import Sequence
from pathlib import Path

from topple.core.errors import ToppleError
from topple.core.files import write_whole
from topple.papers.engine.findings import PaperFindings
from topple.papers.report.charts import chart_of
from topple.papers.report.markdown import findings_markdown
from topple.papers.report.page import named_items, page
from topple.papers.report.tables import values_table

PAGE, TEXT = "reproduction.html", "reproduction.md"


def write_findings(
    findings: Sequence[PaperFindings],
    folder: Path,
    formats: Sequence[str] = ("svg", "png"),
    *,
    date: str | None = None,
) -> Path:
    """Write the page, its text as Markdown, and the CSV file and chart of each item.

    Returns the path of the page. Chart files have the formats `svg`, `png` or both; the
    page contains its charts, and shows the date if one is given.

    Raises
    ------
    ToppleError
        If a file cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToppleError(f"{folder} cannot be made: {error.strerror}") from None
    drawings: dict[str, str] = {}
    for name, paper, found in named_items(findings):
        if found.cells:
            write_whole(folder / f"{name}.csv", values_table(found, paper).csv().encode("utf-8"))
        chart = chart_of(found, paper.paper)
        if chart is not None:
            drawing = chart.picture("svg")
            drawings[name] = drawing.decode("utf-8")
            for form in formats:
                content = drawing if form == "svg" else chart.picture(form)
                write_whole(folder / f"{name}.{form}", content)
    write_whole(folder / TEXT, findings_markdown(findings).encode("utf-8"))
    path = folder / PAGE
    write_whole(path, page(findings, drawings, date=date).encode("utf-8"))
    return path
