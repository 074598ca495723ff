"""Findings in the terminal, on the page, as CSV and as Markdown."""

import csv
import io
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.papers.made_up_papers import (
    HOSTILE,
    bars,
    everything,
    hostile,
    lines,
    made_up,
    sequence,
    stacked,
    table_i,
    unmeasured,
)
from topple.cli.views.reproduction import findings_text
from topple.core.errors import ToppleError
from topple.papers.engine.findings import ItemFindings, Measured
from topple.papers.paper import Number
from topple.papers.report.files import PAGE, TEXT, write_findings
from topple.papers.report.markdown import findings_markdown
from topple.papers.report.page import named_items, page
from topple.papers.report.tables import VALUE_COLUMNS, summary_table, values_table

VERDICTS = (
    "agrees",
    "differs",
    "differs, and here is why",
    "not measured yet",
    "undecided: play more",
    "ours",
)
CLAIMS = ("holds", "fails", "undecided")


# The terminal.


def test_findings_fit_80_columns() -> None:
    shown = findings_text(everything())
    assert max(map(len, shown.splitlines())) <= 80
    assert not any(line != line.rstrip() for line in shown.splitlines())


def test_the_terminal_shows_every_verdict_value_and_command() -> None:
    text = findings_text(everything())
    for words in (*VERDICTS, *CLAIMS):
        assert words in text
    for paper in everything():
        for item in paper.items:
            assert " ".join(item.command.split()) in " ".join(text.split())
    for value in ("31.0 ± 1.48", "28.4 ± 2.1", "0.3 (0.1 to 0.9)", "measured values are exact"):
        assert value in text


def test_every_value_of_a_wide_grid_is_shown_once() -> None:
    shown = findings_text([made_up(sequence())])
    heads = [
        word
        for line in shown.splitlines()
        if re.fullmatch(r"[ \d]+", line)
        for word in line.split()
    ]
    assert heads == [str(n) for n in range(1, 39)]


def test_nothing_steers_the_terminal() -> None:
    assert "\x1b" not in findings_text(everything())


def test_settings_are_shown_once_in_a_paper() -> None:
    text = findings_text([made_up(table_i(), bars(), stacked())])
    assert text.count("agents: Alpha-Beta") == 2  # of two sets of games
    assert text.count("games zero loyalty: as for table I") == 2


def test_the_summary_has_a_line_for_each_item() -> None:
    rows = summary_table([made_up(table_i(), stacked(), unmeasured())]).text().splitlines()[2:]
    assert [re.split(r"\s{2,}", row) for row in rows] == [
        ["made-up table I", "▲ differs, and here is why", "2 of 4", "1 of 3", "2,350"],
        ["made-up figure 4", "✓ agrees", "12 of 12", "–", "2,250"],
        ["made-up figure 9", "○ not measured yet", "0 of 2", "–", "0"],
    ]


def test_no_findings_are_shown_as_nothing() -> None:
    assert findings_text([]) == ""
    assert findings_text([made_up()]).startswith("made-up: A game")


# The page.


class Outline(HTMLParser):
    """Reads a page; fails where elements are not closed in their order."""

    VOID = ("meta", "br", "hr", "img", "input", "link", "path", "use", "rect")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.links += [value or "" for name, value in attrs if name == "href"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything written into it."""
    folder = tmp_path_factory.mktemp("report") / "new" / "folder"
    assert write_findings(everything(), folder) == folder / PAGE
    assert (folder / TEXT).read_text("utf-8") == findings_markdown(everything())
    return folder


def test_the_page_is_whole_and_has_no_scripts(written: Path) -> None:
    text = (written / PAGE).read_text("utf-8")
    outline = Outline(text)
    assert outline.tags["script"] == 0
    assert "<script" not in text
    assert not any(name.startswith("on") for name, _ in outline.attributes)
    assert len(set(outline.ids)) == len(outline.ids)


def test_the_page_needs_nothing_from_anywhere(written: Path) -> None:
    text = (written / PAGE).read_text("utf-8")
    addresses = set(re.findall(r"https?://[^\s\"'<>]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert not re.search(r"\b(src|@import)\b", text)


def test_every_link_of_the_page_leads_somewhere(written: Path) -> None:
    outline = Outline((written / PAGE).read_text("utf-8"))
    assert len(outline.links) == sum(len(paper.items) for paper in everything())
    assert {link[1:] for link in outline.links} <= set(outline.ids)


def test_the_page_shows_verdicts_by_word_and_shape(written: Path) -> None:
    text = (written / PAGE).read_text("utf-8")
    for shape, words in zip("✓✗▲○?", VERDICTS, strict=False):
        assert f"{shape} {words}</span>" in text
    for shape, words in zip("✓✗?", CLAIMS, strict=True):
        assert f"{shape} {words}</span>" in text


def test_the_page_escapes_what_is_hostile(written: Path) -> None:
    text = (written / PAGE).read_text("utf-8")
    assert HOSTILE not in text
    assert text.count("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; ") >= 8


def test_charts_in_the_page_follow_its_colours(written: Path) -> None:
    text = (written / PAGE).read_text("utf-8")
    drawn = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(drawn) == 6
    for drawing in drawn:
        assert "#ffffff" not in drawing  # paper
        assert "#22303f" not in drawing  # ink


def test_the_same_findings_give_the_same_files(written: Path, tmp_path: Path) -> None:
    write_findings(everything(), tmp_path, ("svg",))
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (written / path.name).read_bytes()


def test_a_date_stands_on_the_page_only_if_given() -> None:
    assert "Made on 2026-01-02." in page([made_up(table_i())], {}, date="2026-01-02")
    assert "Made on" not in page([made_up(table_i())], {})


def test_pages_of_nothing_are_pages() -> None:
    Outline(page([], {}))
    Outline(page([made_up()], {}))


# Files.


def test_each_item_has_a_table_and_a_chart_beside_the_page(written: Path) -> None:
    names = {path.name for path in written.iterdir()}
    hostile_name = next(
        name for name, paper, _ in named_items(everything()) if paper.paper.name == "hostile"
    )
    drawn = (
        "made-up-figure-2",
        "made-up-figure-4",
        "made-up-figure-4-2",
        "made-up-figure-6",
        "made-up-section-v-b",
        hostile_name,
    )
    listed = ("made-up-table-i", "made-up-figure-9", "made-up-table-1", *drawn)
    assert names == {
        PAGE,
        TEXT,
        *(f"{name}.{form}" for name in drawn for form in ("svg", "png")),
        *(f"{name}.csv" for name in listed if name != "made-up-section-v-b"),
    }
    for name in drawn:
        ElementTree.parse(written / f"{name}.svg")
        assert (written / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_items_of_like_names_have_files_of_their_own() -> None:
    twins = [made_up(table_i(), table_i(), name="a b"), made_up(table_i(), name="a-b")]
    names = [name for name, _, _ in named_items(twins)]
    assert names == ["a-b-table-i", "a-b-table-i-2", "a-b-table-i-3"]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ToppleError, match="cannot be made"):
        write_findings([], tmp_path / "file" / "folder")


def read_csv(item: ItemFindings) -> list[dict[str, str]]:
    """The lines of an item's table, by column."""
    return list(csv.DictReader(io.StringIO(values_table(item, made_up(item)).csv())))


@pytest.mark.parametrize("item", [table_i(), lines(), sequence(), unmeasured()])
def test_values_come_back_from_csv(item: ItemFindings) -> None:
    rows = read_csv(item)
    assert len(rows) == len(item.cells)
    for row, cell in zip(rows, item.cells, strict=True):
        assert list(row) == [column.name for column in VALUE_COLUMNS]
        assert (row["row"], row["column"]) == (cell.cell.row, cell.cell.column)
        assert row["choice"] == (cell.choice or "")
        assert row["verdict"] == cell.verdict
        published = cell.cell.published
        assert isinstance(published, Number | None)
        assert as_number(row["published"]) == (published.value if published else None)
        assert as_number(row["margin"]) == (published.margin if published else None)
        measured = cell.measured or Measured("")
        assert as_number(row["measured"]) == (measured.value if cell.measured else None)
        assert (as_number(row["low"]), as_number(row["high"])) == (measured.low, measured.high)


def as_number(text: str) -> float | None:
    """A number of a table; empty is none."""
    return float(text) if text else None


def test_csv_holds_no_formulas() -> None:
    rows = read_csv(hostile())
    assert rows[0]["column"] == f"'=cmd {HOSTILE}"
    assert rows[0]["measured"] == f"'=1+1 {HOSTILE}"
    assert rows[1]["measured"] == "-1e-09"
    for row in rows:
        assert not any(value.startswith(("=", "@", "+")) for value in row.values())


# Markdown.


def test_markdown_holds_every_item_verdict_and_command() -> None:
    text = findings_markdown(everything())
    for words in (*VERDICTS, *CLAIMS):
        assert words in text
    assert "### Table I: Zero loyalty, agent results" in text
    assert "| Alpha-Beta against MCTS | WR% | 31.0 ± 1.48 | 28.4 ± 2.1 | ✗ differs |" in text
    assert "Under order=index: lower numbers first" in text
    assert "`topple reproduce made-up --table I`" in text


def test_tables_in_markdown_are_not_broken_by_what_is_in_them() -> None:
    tables: list[list[int]] = [[]]
    for line in findings_markdown(everything()).splitlines():
        if line.startswith("|"):
            tables[-1].append(len(re.findall(r"(?<!\\)\|", line)))
        elif tables[-1]:
            tables.append([])
    assert len(tables) > 8
    assert all(len(set(table)) <= 1 for table in tables)


def test_markdown_shows_hostile_text_as_text() -> None:
    prose = re.sub(r"(`+).*?\1", "", findings_markdown(everything()).replace(r"\`", ""))
    assert not re.search(r"(?<!\\)[<*\[]", prose.replace("**", ""))
