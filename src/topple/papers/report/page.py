"""The page of reproduced papers: one HTML file with everything in it, charts too."""

from collections.abc import Iterator, Mapping, Sequence

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
from topple.papers.report.figures import CAPTIONS
from topple.papers.report.naming import named_items, slug
from topple.papers.report.settings import Settings, settings_of
from topple.papers.report.tables import Grid, grids, lines_of, notes_of
from topple.papers.report.texts import (
    agreement,
    chance_text,
    claims_holding,
    effort_text,
    out_of,
    verdict_text,
)
from topple.present.page import definitions, details, document, element, figure, wrap
from topple.present.table import COUNT, FIGURE, WORDS, Column, Kind, Table

TITLE = "Published beside measured"
CLASSES = {
    AGREES: "agrees", DIFFERS: "differs", EXPLAINED: "explained", OPEN: "open", OURS: "ours",
    HOLDS: "holds", FAILS: "fails", UNDECIDED: "undecided", UNDECIDED_ITEM: "undecided",
}  # fmt: skip

DEFINITIONS = {
    "Published, measured": "The number as the paper prints it, and what was measured here with "
    "the paper's settings. ± is half a 95% interval; where an interval lies unevenly around its "
    "value, as near 0% and 100%, its ends are written out.",
    "Agrees": "Of a value: the two differ by no more than the root of the sum of squares of their "
    "margins, each on the side of the other; exact values must be equal. Of an item: all published "
    "values are measured and agree, and all claims hold.",
    "Differs, and here is why": "Not all of it agrees, and for all that does not, what it comes "
    "from was measured too.",
    "Undecided: play more": "Nothing differs, but not every published value is measured or not "
    "every claim is decided: more games would tell.",
    "Ours": "Nothing was published to set beside it: the paper shows it in a picture only, or it "
    "is an addition.",
    "Claim": "What the paper says in words, put as a check of measured values. It is undecided "
    "where intervals overlap.",
    "Under …": "The same values under another choice of a rule or setting that the paper leaves "
    "open.",
    "Games": "Those that were played, of those that the full scale plays. Games that an agent "
    "forfeited count as lost.",
    "Time": "Computing time of one core, over all moves of both sides.",
}


def page(
    findings: Sequence[PaperFindings], charts: Mapping[str, str], *, date: str | None = None
) -> str:
    """The page as HTML.

    Parameters
    ----------
    findings : sequence of PaperFindings
        What it says.
    charts : mapping of str to str
        SVG by the item's name (see `topple.papers.report.naming`).
    date : str, optional
        When it was made.
    """
    named = list(named_items(findings))
    parts = [*_about(findings, date), _summary(named)]
    for paper in findings:
        parts += _paper_head(paper)
        for name, of, found in named:
            if of is paper:
                parts.append(_item(name, found, paper, charts.get(name)))
    parts += [element("h2", "What the words mean", id="words"), definitions(DEFINITIONS.items())]
    return document(TITLE, parts)


def badge(verdict: str) -> str:
    """A verdict as a word with a shape, also told apart by its rim."""
    kind = CLASSES.get(verdict, "open")
    return element("span", verdict_text(verdict), class_=f"badge {kind}")


def _about(findings: Sequence[PaperFindings], date: str | None) -> Iterator[str]:
    scales = ", ".join(dict.fromkeys(paper.scale.text for paper in findings))
    yield element("p", "Tables and figures of published papers, played and computed again: what "
                  "was published, what is measured with which interval, and whether they "
                  "agree.")  # fmt: skip
    made = f" Made on {date}." if date else ""
    yield element("p", f"topple {__version__}, scale {scales}.{made}")


def _summary(named: Sequence[tuple[str, PaperFindings, ItemFindings]]) -> str:
    columns = [
        Column("item", Kind(str, is_words=True, html=_linked)),
        Column("verdict", Kind(verdict_text, is_words=True, html=badge)),
        Column("values agreeing", FIGURE),
        Column("claims holding", FIGURE),
        Column("games", COUNT),
    ]
    rows = [
        (
            (name, f"{paper.paper.name}, {found.item.name}", found.item.title),
            found.verdict,
            out_of(agreement(found)),
            out_of(claims_holding(found)),
            found.n_games,
        )
        for name, paper, found in named
    ]
    return Table(columns, rows, "All items").html()


def _linked(item: tuple[str, str, str]) -> str:
    """An item as a link to its part of the page, with its title."""
    name, text, title = item
    return element("a", text, href=f"#{name}") + element("small", title)


def _paper_head(paper: PaperFindings) -> Iterator[str]:
    about = paper.paper
    yield element("h2", f"{about.name}: {about.title}", id=slug(about.name))
    source = ". ".join(text.rstrip(".") for text in (about.authors, about.source) if text)
    yield element("p", f"{source}. Scale: {paper.scale.text}.")
    if about.about:
        yield element("p", about.about)


def _item(name: str, found: ItemFindings, paper: PaperFindings, chart: str | None) -> str:
    item = found.item
    heading = f"{item.name[:1].upper()}{item.name[1:]}: {item.title}"
    parts = [f'<h3 id="{name}">{element("span", heading)} {badge(found.verdict)}</h3>']
    if item.section not in ("", item.number):
        parts.append(element("p", f"Section {item.section} of the paper."))
    parts += [element("p", note) for note in item.notes]
    tables = grids(found)
    parts += [_table(grid, item.name) for grid in tables[:1]]
    if chart is not None:
        parts.append(figure(chart, name, f"{heading}. {CAPTIONS[item.form]}"))
    parts += _claims("What the paper says", [
        (each.verdict, each.claim.text, each.claim.section) for each in found.claims
    ])  # fmt: skip
    for grid in tables[1:]:
        parts.append(element("h4", grid.title[:1].upper() + grid.title[1:]))
        parts += [element("p", grid.about)] if grid.about else []
        parts.append(_table(grid, item.name))
    parts += _claims("Why it differs", [
        (each.verdict, each.why.text, "") for each in found.why
    ])  # fmt: skip
    settings = settings_of(found, paper.paper, paper.scale)
    parts += [_settings(settings)] if settings else []
    parts += [element("p", f"{told}.") for told in (chance_text(found), effort_text(found)) if told]
    parts.append(f"<p>{element('code', found.command)}</p>")
    return wrap("section", parts)


def _table(grid: Grid, name: str) -> str:
    lines = lines_of(grid, games=True)
    what = f"{name}{f' {grid.title}' if grid.title else ''}"
    caption = "; ".join([f"{what[:1].upper()}{what[1:]}", *notes_of(grid)])
    columns = [
        Column(head, WORDS if i in lines.words else FIGURE) for i, head in enumerate(lines.heads)
    ]
    return Table(columns, lines.rows, caption).html()


def _claims(title: str, judged: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    if not judged:
        return
    yield element("h4", title)
    points = []
    for verdict, text, section in judged:
        where = f" ({section})" if section else ""
        points.append(f"<li>{badge(verdict)} {element('span', text + where)}</li>")
    yield wrap("ul", points, class_="claims")


def _settings(settings: Sequence[Settings]) -> str:
    parts = [part for each in settings
             for part in (element("h4", each.title), definitions(each.lines))]  # fmt: skip
    return details("Settings", *parts)
