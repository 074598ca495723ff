"""Reproduced papers in the terminal: published beside measured, verdicts, settings, a summary."""

from collections.abc import Iterator, Sequence

from topple.core.text import duration, is_plain, wrapped
from topple.papers.engine.findings import ItemFindings, PaperFindings
from topple.papers.report.tables import CellGrid, grids_of, summary_table
from topple.papers.report.texts import (
    SOME_BOARDS,
    SettingsText,
    chance_text,
    games_text,
    settings_of,
    verdict_text,
    without_repeats,
)

TERM = 9  # columns of the term before a text


def findings_text(findings: Sequence[PaperFindings]) -> str:
    """All findings, item by item, and a summary, in 80 columns."""
    parts = [part for paper in findings for part in _paper_parts(paper)]
    summary = summary_table(findings)
    parts += [summary.text()] if summary.rows else []
    text = "\n\n".join(parts)
    return "".join(letter if letter == "\n" or is_plain(letter) else "�" for letter in text)


def _paper_parts(paper: PaperFindings) -> Iterator[str]:
    about = paper.paper
    lines = [
        _underlined(f"{about.name}: {about.title}", "="),
        wrapped(paper.citation, indent=0),
        f"scale {paper.scale.text}",
    ]
    yield "\n".join([*lines, *([wrapped(about.about, indent=0)] if about.about else [])])
    shown: dict[SettingsText, str] = {}
    for found in paper.items:
        settings = settings_of(found, about, paper.scale, SOME_BOARDS)
        yield _item_text(found, without_repeats(settings, found.item.name, shown))


def _item_text(found: ItemFindings, settings: Sequence[SettingsText]) -> str:
    """One item: its tables, claims, reasons, settings and the command that repeats it."""
    item = found.item
    where = f" (section {item.section})" if item.section not in ("", item.number) else ""
    chance = chance_text(found)
    lines = [
        _line("verdict", verdict_text(found.verdict)),
        *([_line("", chance)] if chance else []),
        *(
            _line("claim", _judged(each.claim.text, each.claim.section, each.verdict))
            for each in found.claims
        ),
        *(_line("why", _judged(each.why.text, "", each.verdict)) for each in found.why),
        *(_line("note", note) for note in item.notes),
    ]
    return "\n\n".join(
        [
            _underlined(f"{item.name}: {item.title}{where}", "-"),
            *map(_grid_text, grids_of(found)),
            "\n".join(lines),
            "\n".join(_settings_lines(found, settings)),
        ]
    )


def _grid_text(grid: CellGrid) -> str:
    """A table of an item under its own settings or under a choice."""
    head = f"{grid.title}: {grid.about}" if grid.about else grid.title
    return "\n".join([*([wrapped(head, indent=2)] if head else []), grid.table().text()])


def _settings_lines(found: ItemFindings, settings: Sequence[SettingsText]) -> Iterator[str]:
    for each in settings:
        if len(each.lines) == 1:
            yield wrapped(f"{each.title}: {each.lines[0][1]}", indent=2)
            continue
        yield wrapped(each.title, indent=2)
        for term, text in each.lines:
            yield wrapped(f"{term}: {text}", first="  ", indent=4)
    if found.played:
        yield _line("games", games_text(found.played))
    yield _line("time", f"{duration(found.seconds)} of one core")
    yield _line("command", found.command)


def _judged(text: str, section: str, verdict: str) -> str:
    return f"{verdict}: {text} ({section})" if section else f"{verdict}: {text}"


def _line(term: str, text: str) -> str:
    return wrapped(text, first=f"{term:<{TERM}}", indent=TERM)


def _underlined(text: str, sign: str) -> str:
    lines = wrapped(text, indent=0)
    return f"{lines}\n{sign * max(map(len, lines.splitlines()))}"
