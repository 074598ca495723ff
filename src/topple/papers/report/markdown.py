"""Findings as Markdown, for pages that are read as text."""

import re
from collections.abc import Iterator, Sequence

from topple.core.text import one_line
from topple.papers.engine.findings import ItemFindings, PaperFindings
from topple.papers.report.settings import SOME_BOARDS, Settings, settings_of, tell_once
from topple.papers.report.tables import Grid, Lines, grids, lines_of, notes_of
from topple.papers.report.texts import (
    agreement,
    chance_text,
    claims_holding,
    effort_text,
    out_of,
    verdict_text,
)

LONGEST = 10_000  # characters of a text


def findings_markdown(findings: Sequence[PaperFindings]) -> str:
    """A heading for each paper, and for each item its tables, claims and settings."""
    parts = [part for paper in findings for part in _paper(paper)]
    return "\n\n".join([summary_markdown(findings), *parts]) + "\n"


def summary_markdown(findings: Sequence[PaperFindings]) -> str:
    """A line for each item."""
    rows = tuple(
        (f"{paper.paper.name} {found.item.name}", verdict_text(found.verdict),
         out_of(agreement(found)), out_of(claims_holding(found)), f"{found.n_games:,}")
        for paper in findings for found in paper.items
    )  # fmt: skip
    heads = ("item", "verdict", "values agreeing", "claims holding", "games")
    return _table(Lines(heads, rows, (0, 1)))


def _paper(paper: PaperFindings) -> Iterator[str]:
    about = paper.paper
    yield f"## {_plain(about.name)}: {_plain(about.title)}"
    source = ". ".join(text.rstrip(".") for text in (about.authors, about.source) if text)
    yield f"{_plain(source)}. Scale: {_plain(paper.scale.text)}."
    if about.about:
        yield _plain(about.about)
    told: dict[Settings, str] = {}
    for found in paper.items:
        settings = settings_of(found, about, paper.scale, SOME_BOARDS)
        yield from _item(found, tell_once(settings, found.item.name, told))


def _item(found: ItemFindings, settings: Sequence[Settings]) -> Iterator[str]:
    item = found.item
    name = f"{item.name[:1].upper()}{item.name[1:]}"
    yield f"### {_plain(name)}: {_plain(item.title)}"
    where = f" Section {_plain(item.section)}." if item.section not in ("", item.number) else ""
    chance = f" {_plain(told)}." if (told := chance_text(found)) else ""
    yield f"**{_plain(verdict_text(found.verdict))}**.{chance}{where}"
    for grid in grids(found):
        yield from _grid(grid)
    points = [
        *(_judged(each.verdict, each.claim.text, each.claim.section) for each in found.claims),
        *(_judged(each.verdict, f"why: {each.why.text}", "") for each in found.why),
        *(f"- {_plain(note)}" for note in item.notes),
        *map(_settings, settings),
        f"- {_plain(effort_text(found))}: {_code(found.command)}",
    ]
    yield "\n".join(points)


def _grid(grid: Grid) -> Iterator[str]:
    if grid.choice is not None:
        about = f": {_plain(grid.about)}" if grid.about else ""
        yield f"{_plain(grid.title[:1].upper() + grid.title[1:])}{about}"
    yield _table(lines_of(grid))
    yield from (f"{_plain(note)}." for note in notes_of(grid))


def _judged(verdict: str, text: str, section: str) -> str:
    where = f" ({_plain(section)})" if section else ""
    return f"- {_plain(verdict_text(verdict))}: {_plain(text)}{where}"


def _settings(settings: Settings) -> str:
    told = ". ".join(f"{term}: {text}".rstrip(".") for term, text in settings.lines)
    return f"- {_plain(settings.title)}: {_plain(told)}."


def _table(lines: Lines) -> str:
    rules = [":--" if place in lines.words else "--:" for place in range(len(lines.heads))]
    rows = [lines.heads, *lines.rows]
    texts = ["| " + " | ".join(map(_plain, row)) + " |" for row in rows]
    return "\n".join([texts[0], "| " + " | ".join(rules) + " |", *texts[1:]])


def _plain(text: str) -> str:
    """A text that Markdown shows as it is.

    >>> print(_plain("a_b|<c>"))
    a\\_b\\|\\<c\\>
    """
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", one_line(text, LONGEST))


def _code(text: str) -> str:
    """A command as code, whatever is in it."""
    line = one_line(text, LONGEST)
    ticks = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{ticks}{line}{ticks}" if ticks == "`" else f"{ticks} {line} {ticks}"
