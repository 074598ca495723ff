"""The page of reproduced papers: one HTML file that contains everything, charts included."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from topple import __version__
from topple.papers.engine.findings import (
    AGREES,
    DIFFERS,
    EXPLAINED,
    FAILS,
    HOLDS,
    OPEN,
    OURS,
    UNDECIDED,
    UNDECIDED_ITEM,
    ItemFindings,
    PaperFindings,
)
from topple.papers.report.charts import CAPTIONS
from topple.papers.report.tables import CellGrid, grids_of, summary_table
from topple.papers.report.texts import (
    SettingsText,
    capitalised,
    chance_text,
    effort_text,
    settings_of,
    verdict_text,
)
from topple.present.page import definitions, details, document, element, figure, wrap
from topple.present.table import Kind

TITLE = "Published beside measured"
CLASSES = {
    AGREES: "agrees",
    DIFFERS: "differs",
    EXPLAINED: "explained",
    OPEN: "open",
    OURS: "ours",
    HOLDS: "holds",
    FAILS: "fails",
    UNDECIDED: "undecided",
    UNDECIDED_ITEM: "undecided",
}

DEFINITIONS = {
    "Published, measured": "The number as the paper prints it, and what was measured here with "
    "the paper's settings. ± is half a 95% interval; where an interval is lopsided, as near "
    "0% and 100%, both ends are written out.",
    "Agrees": "A value agrees if the published and the measured number differ by at most the root "
    "of the sum of squares of their margins, each on the side of the other number; exact values "
    "must be equal. An item agrees if all published values are measured and agree, and all claims "
    "hold.",
    "Differs, and here is why": "Something differs, and for every difference we measured a "
    "reason that holds.",
    "Undecided: play more": "Nothing differs, but some published value is not measured yet or "
    "some claim is undecided: more games would decide.",
    "Ours": "No number was published: the paper shows the value only in a picture, or we added it.",
    "Claim": "A statement of the paper, turned into checks of measured values. It is undecided if "
    "intervals overlap.",
    "Under …": "The same values under another reading of a rule or setting that the paper leaves "
    "open.",
    "Games": "The games played, out of those at full scale. Games that an agent forfeited count as "
    "lost.",
    "Time": "Computing time of one core, over all moves of both sides.",
}


def page(
    findings: Sequence[PaperFindings], charts: Mapping[str, str], *, date: str | None = None
) -> str:
    """The page as HTML, with its date if it has one.

    `charts` are SVG, by the names of `named_items`.
    """
    named = list(named_items(findings))
    parts = [*_about(findings, date), _summary(findings, named)]
    for paper in findings:
        parts += _paper_head(paper)
        for name, of, found in named:
            if of is paper:
                parts.append(_item(name, found, paper, charts.get(name)))
    parts += [element("h2", "What the words mean", id="words"), definitions(DEFINITIONS.items())]
    return document(TITLE, parts)


def named_items(
    findings: Sequence[PaperFindings],
) -> Iterator[tuple[str, PaperFindings, ItemFindings]]:
    """Every item with a unique name that is fit for a file or a link."""
    taken: set[str] = set()
    for paper in findings:
        for found in paper.items:
            plain = slug(f"{paper.paper.name} {found.item.name}")
            name, number = plain, 1
            while name in taken:
                number += 1
                name = f"{plain}-{number}"
            taken.add(name)
            yield name, paper, found


def slug(text: str) -> str:
    """A text reduced to small letters, digits and hyphens.

    >>> slug("sds-hex figure 4.2"), slug("table Ⅳ"), slug("../../x"), slug("§")
    ('sds-hex-figure-4-2', 'table-iv', 'x', 'item')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:80].strip("-") or "item"


def badge(verdict: str) -> str:
    """A verdict as a word with a shape and a border of its own, so that colour is not needed."""
    return element("span", verdict_text(verdict), class_=f"badge {CLASSES.get(verdict, 'open')}")


def _about(findings: Sequence[PaperFindings], date: str | None) -> Iterator[str]:
    scales = ", ".join(dict.fromkeys(paper.scale.text for paper in findings))
    yield element(
        "p",
        "Tables and figures of published papers, played and computed again: the published values, "
        "the measured values with their intervals, and whether they agree.",
    )
    made = f" Made on {date}." if date else ""
    yield element("p", f"topple {__version__}, scale {scales}.{made}")


def _summary(
    findings: Sequence[PaperFindings], named: Sequence[tuple[str, PaperFindings, ItemFindings]]
) -> str:
    """The summary table, with items as links to their parts of the page and verdicts as badges."""
    table = summary_table(findings)
    item, verdict, *rest = table.columns
    columns = [
        item._replace(kind=Kind(str, is_words=True, html=_link)),
        verdict._replace(kind=verdict.kind._replace(html=badge)),
        *rest,
    ]
    rows = [
        ((name, f"{paper.paper.name}, {found.item.name}", found.item.title), *row[1:])
        for row, (name, paper, found) in zip(table.rows, named, strict=True)
    ]
    return replace(table, columns=columns, rows=rows, caption="All items").html()


def _link(item: tuple[str, str, str]) -> str:
    name, text, title = item
    return element("a", text, href=f"#{name}") + element("small", title)


def _paper_head(paper: PaperFindings) -> Iterator[str]:
    about = paper.paper
    yield element("h2", f"{about.name}: {about.title}", id=slug(about.name))
    yield element("p", f"{paper.citation} Scale: {paper.scale.text}.")
    if about.about:
        yield element("p", about.about)


def _item(name: str, found: ItemFindings, paper: PaperFindings, chart: str | None) -> str:
    item = found.item
    heading = f"{capitalised(item.name)}: {item.title}"
    parts = [f'<h3 id="{name}">{element("span", heading)} {badge(found.verdict)}</h3>']
    if item.section not in ("", item.number):
        parts.append(element("p", f"Section {item.section} of the paper."))
    parts += [element("p", note) for note in item.notes]
    grids = grids_of(found)
    parts += [_table(grid, item.name) for grid in grids[:1]]
    if chart is not None:
        parts.append(figure(chart, name, f"{heading}. {CAPTIONS[item.form]}"))
    claims = [(each.verdict, each.claim.text, each.claim.section) for each in found.claims]
    parts += _statements("What the paper says", claims)
    for grid in grids[1:]:
        parts.append(element("h4", capitalised(grid.title)))
        parts += [element("p", grid.about)] if grid.about else []
        parts.append(_table(grid, item.name))
    parts += _statements(
        "Why it differs", [(each.verdict, each.why.text, "") for each in found.why]
    )
    settings = settings_of(found, paper.paper, paper.scale)
    parts += [_settings(settings)] if settings else []
    parts += [element("p", f"{text}.") for text in (chance_text(found), effort_text(found)) if text]
    parts.append(f"<p>{element('code', found.command)}</p>")
    return wrap("section", parts)


def _table(grid: CellGrid, name: str) -> str:
    what = f"{name} {grid.title}" if grid.title else name
    return grid.table(capitalised(what), games=True).html()


def _statements(title: str, judged: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """A list of statements with their verdicts: (verdict, text, section)."""
    if not judged:
        return
    yield element("h4", title)
    points = []
    for verdict, text, section in judged:
        where = f" ({section})" if section else ""
        points.append(f"<li>{badge(verdict)} {element('span', text + where)}</li>")
    yield wrap("ul", points, class_="claims")


def _settings(settings: Sequence[SettingsText]) -> str:
    parts = []
    for each in settings:
        parts += [element("h4", each.title), definitions(each.lines)]
    return details("Settings", *parts)
