"""Reproduced papers in the terminal: published beside measured, verdicts, settings, a summary."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from topple.cli.terminal.output import table_text
from topple.core.text import WIDTH, duration, is_plain
from topple.present.table import Table

if TYPE_CHECKING:
    from topple.papers.engine.findings import ItemFindings, PaperFindings
    from topple.papers.report.settings import Settings
    from topple.papers.report.tables import Grid, Lines

GAP = 2  # columns between two columns
LEAST_LABEL, MOST_LABEL = 12, 30  # columns of a label
TERM = 9  # columns of what a line is about


def print_findings(findings: "Sequence[PaperFindings]") -> None:
    """Print what was found of papers, item by item, and a summary."""
    print(findings_text(findings))


def findings_text(findings: "Sequence[PaperFindings]") -> str:
    """Everything that was found, in 80 columns."""
    parts = [part for paper in findings for part in _paper_parts(paper)]
    text = "\n\n".join(filter(None, [*parts, summary_text(findings)]))
    return "".join(letter if letter == "\n" or is_plain(letter) else "�" for letter in text)


def summary_text(findings: "Sequence[PaperFindings]") -> str:
    """A line for each item: its verdict, and how much of it agrees and holds."""
    from topple.papers.report.texts import agreement, claims_holding, out_of, verdict_text

    rows: list[tuple[object, ...]] = []
    for paper in findings:
        for found in paper.items:
            rows.append(
                (f"{paper.paper.name} {found.item.name}", verdict_text(found.verdict),
                 out_of(agreement(found)), out_of(claims_holding(found)), found.n_games)
            )  # fmt: skip
    if not rows:
        return ""
    heads = ("item", "verdict", "values\nagreeing", "claims\nholding", "games")
    return table_text(Table.of(heads, rows, right=heads[2:]))


def _paper_parts(paper: "PaperFindings") -> Iterator[str]:
    from topple.papers.report.settings import SOME_BOARDS, Settings, settings_of, tell_once

    about = paper.paper
    title = _wrapped(f"{about.name}: {about.title}", 0)
    source = ". ".join(text.rstrip(".") for text in (about.authors, about.source) if text)
    lines = [title, "=" * max(map(len, title.splitlines())), _wrapped(f"{source}.", 0),
             f"scale {paper.scale.text}"]  # fmt: skip
    yield "\n".join([*lines, *([_wrapped(about.about, 0)] if about.about else [])])
    told: dict[Settings, str] = {}
    for found in paper.items:
        settings = settings_of(found, about, paper.scale, SOME_BOARDS)
        yield item_text(found, tell_once(settings, found.item.name, told))


def item_text(found: "ItemFindings", settings: "Sequence[Settings]") -> str:
    """One item: its tables, claims, reasons, settings and the command that repeats it."""
    from topple.papers.report.tables import grids
    from topple.papers.report.texts import chance_text, verdict_text

    item = found.item
    where = f" (section {item.section})" if item.section not in ("", item.number) else ""
    title = _wrapped(f"{item.name}: {item.title}{where}", 0)
    parts = [f"{title}\n{'-' * max(map(len, title.splitlines()))}"]
    parts += [grid_text(grid) for grid in grids(found)]
    parts.append("\n".join([
        _line("verdict", verdict_text(found.verdict)),
        *(_line("", told) for told in [chance_text(found)] if told),
        *(_line("claim", _judged(each.claim.text, each.claim.section, each.verdict))
          for each in found.claims),
        *(_line("why", _judged(each.why.text, "", each.verdict)) for each in found.why),
        *(_line("note", note) for note in item.notes),
    ]))  # fmt: skip
    parts.append("\n".join(_settings_lines(found, settings)))
    return "\n\n".join(parts)


def grid_text(grid: "Grid") -> str:
    """A table of an item under its own settings or under a choice."""
    from topple.papers.report.tables import list_lines, notes_of

    head = f"{grid.title}: {grid.about}" if grid.about else grid.title
    if grid.is_list:
        tables = [_table(list_lines(grid))]
    else:
        tables = [_table(lines) for lines in _in_parts(grid)]
    parts = [*([_wrapped(head, 2)] if head else []), "\n\n".join(tables), *notes_of(grid)]
    return "\n".join(parts)


def _in_parts(grid: "Grid") -> "Iterator[Lines]":
    """A grid cut into parts that fit beside each other's labels, each part as a table."""
    from topple.papers.report.tables import grid_lines

    whole = grid_lines(grid, grid.columns)
    n_labels = len(whole.words)
    widths = _widths(whole)
    room = WIDTH - min(widths[0], MOST_LABEL + GAP) - sum(widths[1:n_labels])
    part: list[str] = []
    left = room
    for column, width in zip(grid.columns, widths[n_labels:], strict=True):
        if part and width > left:
            yield grid_lines(grid, part)
            part, left = [], room
        part.append(column)
        left -= width
    if part:
        yield grid_lines(grid, part)


def _table(lines: "Lines") -> str:
    """A table with its labels wrapped, so that its numbers need not be."""
    widths = _widths(lines)
    labels = [i for i in lines.words if not lines.heads[i]]
    room = WIDTH - sum(width for i, width in enumerate(widths) if i not in labels)
    fitted = _fitted([widths[i] for i in labels], room)
    rows = [list(row) for row in lines.rows]
    for place, width in zip(labels, fitted, strict=True):
        for row in rows:
            row[place] = "\n".join(wrap(row[place], width - GAP))
    right = [head for i, head in enumerate(lines.heads) if i not in lines.words]
    return table_text(Table.of(lines.heads, rows, right))


def _widths(lines: "Lines") -> list[int]:
    """How wide each column is, with the gap behind it."""
    return [
        GAP + max(map(len, (head, *(row[i] for row in lines.rows))))
        for i, head in enumerate(lines.heads)
    ]


def _fitted(widths: list[int], room: int) -> list[int]:
    """Widths that fit into a room: the widest give way first.

    >>> _fitted([40, 12], 42)
    [30, 12]
    """
    widths = list(widths)
    while widths and sum(widths) > room and max(widths) > LEAST_LABEL:
        widths[widths.index(max(widths))] -= 1
    return widths


def _settings_lines(found: "ItemFindings", settings: "Sequence[Settings]") -> Iterator[str]:
    from topple.papers.report.texts import games_text

    for each in settings:
        if len(each.lines) == 1:
            yield _wrapped(f"{each.title}: {each.lines[0][1]}", 2)
            continue
        yield _wrapped(each.title, 2)
        for term, text in each.lines:
            yield _wrapped(f"  {term}: {text}", 4)
    if found.played:
        yield _line("games", games_text(found.played))
    yield _line("time", f"{duration(found.seconds)} of one core")
    yield _line("command", found.command)


def _judged(text: str, section: str, verdict: str) -> str:
    where = f" ({section})" if section else ""
    return f"{verdict}: {text}{where}"


def _line(term: str, text: str) -> str:
    return _wrapped(f"{term:<{TERM}}{text}", TERM)


def _wrapped(text: str, indent: int) -> str:
    lines: Iterable[str] = wrap(
        text, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False,
        drop_whitespace=True,
    )  # fmt: skip
    return "\n".join(lines)
