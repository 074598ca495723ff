"""Findings written as files: one page that holds everything; text, charts and CSV beside it."""

from collections.abc import Sequence
from pathlib import Path

from topple.core.errors import ToppleError
from topple.core.files import write_whole
from topple.papers.engine.findings import PaperFindings
from topple.papers.report.csv_files import item_csv
from topple.papers.report.figures import figure_of
from topple.papers.report.markdown import findings_markdown
from topple.papers.report.naming import named_items
from topple.papers.report.page import page

PAGE, TEXT = "reproduction.html", "reproduction.md"


def write_findings(
    findings: Sequence[PaperFindings],
    folder: Path,
    formats: Sequence[str] = ("svg", "png"),
    *,
    date: str | None = None,
) -> Path:
    """Write the page, the same as Markdown, a CSV file for each item and its chart into a folder.

    Parameters
    ----------
    findings : sequence of PaperFindings
        What was found.
    folder : Path
        Where to; it is made if it does not exist.
    formats : sequence of str
        `svg`, `png` or both. The page has its charts within it.
    date : str, optional
        When it was made, to stand on the page.

    Returns
    -------
    Path
        Where the page is.

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
            write_whole(folder / f"{name}.csv", item_csv(found, paper).encode("utf-8"))
        chart = figure_of(found, paper.paper)
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
