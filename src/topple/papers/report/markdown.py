"""Findings as Markdown."""

import re
from collections.abc import Iterator, Sequence

from topple.core.text import one_line
from topple.papers.engine.findings import ItemFindings, PaperFindings
from topple.papers.report.tables import CellGrid, grids_of, summary_table
from topple.papers.report.texts import (
    SOME_BOARDS,
    SettingsText,
    capitalised,
    chance_text,
    effort_text,
    settings_of,
    verdict_text,
    without_repeats,
)
from topple.present.table import LONGEST, markdown_text


def findings_markdown(findings: Sequence[PaperFindings]) -> str:
    """A summary, then for each paper a heading and its items with tables, claims and settings."""
    parts = [part for paper in findings for part in _paper(paper)]
    return "\n\n".join([summary_table(findings).markdown(), *parts]) + "\n"


def _paper(paper: PaperFindings) -> Iterator[str]:
    about = paper.paper
    yield f"## {markdown_text(about.name)}: {markdown_text(about.title)}"
    yield f"{markdown_text(paper.citation)} Scale: {markdown_text(paper.scale.text)}."
    if about.about:
        yield markdown_text(about.about)
    shown: dict[SettingsText, str] = {}
    for found in paper.items:
        settings = settings_of(found, about, paper.scale, SOME_BOARDS)
        yield from _item(found, without_repeats(settings, found.item.name, shown))


def _item(found: ItemFindings, settings: Sequence[SettingsText]) -> Iterator[str]:
    item = found.item
    yield f"### {markdown_text(capitalised(item.name))}: {markdown_text(item.title)}"
    section = item.section if item.section != item.number else ""
    where = f" Section {markdown_text(section)}." if section else ""
    chance = f" {markdown_text(text)}." if (text := chance_text(found)) else ""
    yield f"**{markdown_text(verdict_text(found.verdict))}**.{chance}{where}"
    for grid in grids_of(found):
        yield from _grid(grid)
    points = [
        *(_judged(each.verdict, each.claim.text, each.claim.section) for each in found.claims),
        *(_judged(each.verdict, f"why: {each.why.text}", "") for each in found.why),
        *(f"- {markdown_text(note)}" for note in item.notes),
        *map(_settings, settings),
        f"- {markdown_text(effort_text(found))}: {_code(found.command)}",
    ]
    yield "\n".join(points)


def _grid(grid: CellGrid) -> Iterator[str]:
    if grid.choice is not None:
        about = f": {markdown_text(grid.about)}" if grid.about else ""
        yield f"{markdown_text(capitalised(grid.title))}{about}"
    yield grid.table().markdown()


def _judged(verdict: str, text: str, section: str) -> str:
    where = f" ({markdown_text(section)})" if section else ""
    return f"- {markdown_text(verdict_text(verdict))}: {markdown_text(text)}{where}"


def _settings(settings: SettingsText) -> str:
    text = ". ".join(f"{term}: {value}".rstrip(".") for term, value in settings.lines)
    return f"- {markdown_text(settings.title)}: {markdown_text(text)}."


def _code(text: str) -> str:
    """A command as Markdown code, with as many backticks as its own need."""
    line = one_line(text, LONGEST)
    ticks = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{ticks}{line}{ticks}" if ticks == "`" else f"{ticks} {line} {ticks}"
