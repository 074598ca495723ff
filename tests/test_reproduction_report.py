"""How reproduced papers are shown: terminal, page, charts, CSV and Markdown."""

import csv
import io
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.made_up_papers import (
    AGENTS,
    BOARDS,
    GAMES,
    HOSTILE,
    PLAYED,
    bars,
    curves,
    everything,
    found,
    hostile,
    judged,
    lines,
    made_up,
    networks,
    sequence,
    stacked,
    table_i,
    unmeasured,
)
from topple.boards import load_board
from topple.charts import Chart
from topple.cli.reproduce_view import findings_text, print_findings, summary_text
from topple.errors import ToppleError
from topple.papers.paper import Field, Games, Item, Number
from topple.reproduction.csv_files import COLUMNS, item_csv
from topple.reproduction.figures import FORMS, figure_of
from topple.reproduction.findings import (
    AGREES,
    DIFFERS,
    OPEN,
    OURS,
    ItemFindings,
    Measured,
    PaperFindings,
    Played,
)
from topple.reproduction.markdown import findings_markdown
from topple.reproduction.naming import named_items
from topple.reproduction.page import page
from topple.reproduction.scale import parse_scale
from topple.reproduction.settings import settings_of
from topple.reproduction.tables import grid_lines, grids, lines_of, list_lines
from topple.reproduction.texts import (
    chance_text,
    duration,
    games_text,
    measured_text,
    published_text,
)
from topple.reproduction.writing import PAGE, TEXT, write_findings

VERDICTS = ("agrees", "differs", "differs, and here is why", "not measured yet",
            "undecided: play more", "ours")  # fmt: skip
CLAIMS = ("holds", "fails", "undecided")


# Words and numbers.


@pytest.mark.parametrize(
    ("measured", "text"),
    [
        (Measured(28.4, 26.4, 30.6), "28.4 ± 2.1"),
        (Measured(28.4, 16.4, 40.6), "28 ± 12"),
        (Measured(97.512, 97.39, 97.63), "97.51 ± 0.12"),
        (Measured(0.3, 0.1, 0.9), "0.3 (0.1 to 0.9)"),
        (Measured(100.0, 99.5, 100.0), "100.0 (99.5 to 100.0)"),
        (Measured(0.0, 0.0, 3.7), "0.0 (0.0 to 3.7)"),
        (Measured(123456.7, 122456.0, 124456.0), "123,457 ± 1,000"),
        (Measured(0.00123, 0.0011, 0.00136), "0.00123 ± 0.00013"),
        (Measured(-0.01, -2.0, 2.0), "0.0 ± 2.0"),
        (Measured(2.0, 2.0, 2.0), "2.0 ± 0.0"),
        (Measured(-5), "-5"),
        (Measured(22500.0), "22,500"),
        (Measured("W"), "W"),
        (Measured(False), "no"),
        (None, "–"),
    ],
)
def test_measured_values_are_written_with_their_intervals(
    measured: Measured | None, text: str
) -> None:
    assert measured_text(measured) == text


def test_published_values_are_written_as_they_are_printed() -> None:
    assert published_text(Number(31.0, 1.48)) == "31.0 ± 1.48"
    assert published_text(Number(0.7, 0.2), margin_digits=2) == "0.7 ± 0.20"
    assert published_text(Number(980.5)) == "980.5"
    assert published_text(Number(50_000)) == "50,000"
    assert published_text(Number(40.0, 30.0)) == "40.0 ± 30.0"
    assert published_text("66%") == "66%"
    assert published_text(True) == "yes"


def test_margins_of_a_table_have_equally_many_digits() -> None:
    own = grids(table_i())[0]
    written = [row[2] for row in list_lines(own).rows]
    assert written == ["31.0 ± 1.48", "4.1", "0.7 ± 0.20", "–", "4.0 ± 0.62"]


def test_games_are_counted_of_those_of_the_paper() -> None:
    assert games_text([PLAYED]) == "2,250 of 22,500 games"
    assert games_text([PLAYED, PLAYED]) == "4,500 of 45,000 games"
    assert games_text([PLAYED._replace(n_games=22_500, planned=22_500)]) == "22,500 games"
    assert games_text([PLAYED._replace(n_games=3)]) == "3 of 22,500 games (2,250 at this scale)"
    assert games_text([]) == "none"
    forfeited = games_text([PLAYED._replace(n_forfeits=1_002), PLAYED])
    assert forfeited == (
        "4,500 of 45,000 games, 1,002 of them forfeited: lost by a crash, an illegal move or time"
    )


def some_differ(
    n_differing: int, n: int, published: Number, margin: float | None = 2.0
) -> ItemFindings:
    """An item of so many values, of which some differ."""
    low, high = (None, None) if margin is None else (50 - margin, 50 + margin)
    cells = tuple(
        judged("a", str(place), published, Measured(50.0, low, high),
               DIFFERS if place < n_differing else AGREES)
        for place in range(n)
    )  # fmt: skip
    return found(Item("table", "1", "", ""), cells)


def test_where_few_of_many_values_differ_chance_is_named() -> None:
    assert chance_text(some_differ(2, 20, Number(50.0))) == (
        "2 of 20 values differ; about 1 would by chance"
    )
    assert chance_text(some_differ(1, 5, Number(50.0))).startswith(
        "1 of 5 values differ; about 0.25"
    )
    assert chance_text(some_differ(1, 5, Number(50.0, trials=9), None))
    assert not chance_text(some_differ(0, 20, Number(50.0)))
    assert not chance_text(some_differ(3, 20, Number(50.0)))
    assert not chance_text(some_differ(1, 1, Number(50.0)))
    assert not chance_text(
        some_differ(2, 20, Number(50.0), None)
    )  # exact values differ by no chance
    told = "2 of 20 values differ; about 1 would by chance"
    paper = made_up(some_differ(2, 20, Number(50.0)))
    for shown in (findings_text([paper]), findings_markdown([paper]), page([paper], {})):
        assert told in shown


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 s"), (59.7, "1 min"), (61, "1 min 1 s"), (3599.8, "1 h"), (20_000, "5 h 33 min")],
)
def test_durations_are_said_as_people_say_them(seconds: float, text: str) -> None:
    assert duration(seconds) == text


# Tables.


def test_few_values_are_listed_with_their_verdicts() -> None:
    table = lines_of(grids(table_i())[0])
    assert table.heads == ("", "", "published", "measured", "verdict")
    assert table.rows[0] == ("Alpha-Beta against MCTS", "WR%", "31.0 ± 1.48", "28.4 ± 2.1",
                             "✗ differs")  # fmt: skip
    assert table.rows[1][0] == ""  # the row's name stands once


def test_values_over_numbers_stand_in_the_papers_grid_published_above_measured() -> None:
    [grid] = grids(sequence())
    table = lines_of(grid)
    assert table.heads[2:] == tuple(str(n) for n in range(1, 39))
    assert [row[:2] for row in table.rows] == [
        ("Ls", "published"), ("", "measured"), ("Rs", "published"), ("", "measured"),
    ]  # fmt: skip
    assert [row[22] for row in table.rows] == ["1", "0 ✗", "-1", "-2 ✗"]


def test_rows_of_which_nothing_was_published_have_no_line_for_it() -> None:
    grid = grids(lines())[0]
    assert [row[:2] for row in grid_lines(grid, grid.columns).rows] == [
        ("random", "published"), ("", "measured"), ("minimax, depth 1", "measured"),
        ("minimax, depth 2", "measured"),
    ]  # fmt: skip


def test_values_without_anything_published_have_no_verdicts() -> None:
    cells = (judged("a", "x", None, Measured(1.0), OURS),)
    [grid] = grids(found(Item("table", "1", "", ""), cells))
    assert lines_of(grid).heads == ("", "", "measured")


def test_an_exact_number_among_estimates_is_called_so() -> None:
    cells = (
        judged("a", "x", Number(6), Measured(6), AGREES),
        judged("a", "y", Number(7), Measured(7.0, 6.0, 8.0), AGREES),
    )
    [grid] = grids(found(Item("table", "1", "", ""), cells))
    assert [row[3] for row in lines_of(grid).rows] == ["6, exact", "7.0 ± 1.0"]
    [exact] = grids(found(Item("table", "1", "", ""), cells[:1]))
    assert lines_of(exact).rows[0][3] == "6"


def test_choices_have_tables_of_their_own() -> None:
    own, chosen = grids(table_i())
    assert (own.title, chosen.title) == ("", "under order=index")
    assert chosen.about == "lower numbers first"
    assert (len(own.cells), len(chosen.cells)) == (5, 1)


# Settings.


def test_settings_name_agents_boards_games_seats_and_time() -> None:
    paper = made_up(table_i())
    settings = {each.title: dict(each.lines)
                for each in settings_of(paper.items[0], paper.paper, paper.scale)}  # fmt: skip
    played = settings["games zero loyalty"]
    assert "MCTS = uct:iterations=1000" in played["agents"]
    assert all(board in played["played on"] for board in BOARDS)
    assert played["games"].startswith("2,250 of 22,500 games: 50 for each pairing on each board")
    assert played["time"] == "3 min for each side and game"
    assert "seats swapped" in played["games"]
    assert settings["computed bandit"]["given"] == "agents = 200, arms = [0.1, 0.9]"


def test_quick_settings_tell_what_the_full_scale_has() -> None:
    played = Played(GAMES, {**AGENTS, "MCTS": "uct:iterations=50"}, 1, 12, 12, 4_500, 1.0)
    item = found(Item("table", "1", "", ""), played=(played,))
    [settings] = settings_of(item, made_up(item).paper, parse_scale("quick"))
    lines_told = dict(settings.lines)
    assert lines_told["at full scale"] == "MCTS = uct:iterations=1000"
    assert lines_told["time"] == "2 s for each side and game"
    assert BOARDS[1] not in lines_told["played on"]


def test_thresholds_of_single_vertices_are_told() -> None:
    field = Field("spread-it", BOARDS[2], ((0, 5), (3, 5)))
    games = Games("cheap", (field,), AGENTS, 500, 4, gauntlet=True)
    item = found(Item("table", "1", "", ""), played=(Played(games, AGENTS, 1, 4, 4, 500, 1.0),))
    [settings] = settings_of(item, made_up(item).paper, parse_scale("full"))
    assert "(thresholds 0: 5, 3: 5)" in dict(settings.lines)["played on"]
    assert dict(settings.lines)["pairings"] == "Alpha-Beta against each of the others"


# The terminal.


def test_findings_fit_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    print_findings(everything())
    shown = capsys.readouterr().out
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
    heads = [word for line in shown.splitlines() if re.fullmatch(r"[ \d]+", line)
             for word in line.split()]  # fmt: skip
    assert heads == [str(n) for n in range(1, 39)]


def test_nothing_steers_the_terminal() -> None:
    assert "\x1b" not in findings_text(everything())


def test_settings_are_told_once_in_a_paper() -> None:
    text = findings_text([made_up(table_i(), bars(), stacked())])
    assert text.count("agents: Alpha-Beta") == 2  # of two sets of games
    assert text.count("games zero loyalty: as for table I") == 2


def test_the_summary_has_a_line_for_each_item() -> None:
    rows = summary_text([made_up(table_i(), stacked(), unmeasured())]).splitlines()[2:]
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
    hostile_name = next(name for name, paper, _ in named_items(everything())
                        if paper.paper.name == "hostile")  # fmt: skip
    drawn = ("made-up-figure-2", "made-up-figure-4", "made-up-figure-4-2", "made-up-figure-6",
             "made-up-section-v-b", hostile_name)  # fmt: skip
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
    return list(csv.DictReader(io.StringIO(item_csv(item, made_up(item)))))


@pytest.mark.parametrize("item", [table_i(), lines(), sequence(), unmeasured()])
def test_values_come_back_from_csv(item: ItemFindings) -> None:
    rows = read_csv(item)
    assert len(rows) == len(item.cells)
    for row, cell in zip(rows, item.cells, strict=True):
        assert tuple(row) == COLUMNS
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


# Charts.


def chart_of(item: ItemFindings) -> Chart:
    """The chart of an item that has one."""
    chart = figure_of(item, made_up(item).paper)
    assert chart is not None
    return chart


def test_items_without_a_form_or_a_measured_number_have_no_chart() -> None:
    words = (judged("a", "x", "W", Measured("W"), AGREES),)
    for item in (
        table_i(), sequence(), unmeasured(),
        found(Item("figure", "1", "", "", form="bars"), words),
        found(Item("figure", "1", "", "", form="curves"), curves={"a": {"x": [], "series": {}}}),
    ):  # fmt: skip
        assert figure_of(item, made_up(item).paper) is None


def test_every_form_is_drawn() -> None:
    drawn = {item.item.form for item in (bars(), stacked(), lines(), curves(), networks())
             if chart_of(item)}  # fmt: skip
    assert drawn == set(FORMS)


def test_bars_stand_published_beside_measured() -> None:
    [axes] = chart_of(bars()).axes.flat
    heights = [round(bar.get_height(), 2) for bar in axes.patches]
    assert heights == [7.7, 8.1, 18.0, 16.9, 4.14, 4.0, 11.19, 13.5]
    assert [bool(bar.get_hatch()) for bar in axes.patches] == [True, False] * 4
    assert [label.get_text() for label in axes.get_xticklabels()] == ["MCTS", "Alpha-Beta"]


def test_stacks_have_their_first_part_on_top() -> None:
    [axes] = chart_of(stacked()).axes.flat
    first = [bar for bar in axes.patches if bar.get_x() == axes.patches[0].get_x()]
    assert [round(bar.get_height(), 2) for bar in first] == [18.49, 62.49, 19.01]
    assert [round(bar.get_y(), 2) for bar in first] == [0, 18.49, 80.98]


def test_lines_have_bands_and_hollow_published_points() -> None:
    chart = chart_of(lines())
    own, chosen = chart.axes.flat
    assert (own.get_title("left"), chosen.get_title("left")) == (
        "the item's own settings", "under draws=half",
    )  # fmt: skip
    full = [line for line in own.lines if len(line.get_xdata()) == 7]
    hollow = [line for line in own.lines if line.get_markerfacecolor() == "none"]
    assert len(full) == 3
    assert [list(line.get_xdata()) for line in hollow] == [[5.0]]
    assert len(own.collections) == 3  # a band each
    assert len({(line.get_color(), line.get_marker()) for line in full}) == 3


@pytest.mark.parametrize(("columns", "scale"), [((5, 10, 100), "linear"), ((1, 10, 100), "log")])
def test_an_axis_is_logarithmic_where_its_numbers_reach_far(
    columns: tuple[int, ...], scale: str
) -> None:
    cells = tuple(judged("a", str(n), None, Measured(n, n - 1, n + 1), OURS) for n in columns)
    item = found(Item("figure", "1", "", "", form="lines"), cells)
    assert chart_of(item).axes[0, 0].get_xscale() == scale


def test_curves_are_drawn_with_gaps_and_intervals() -> None:
    series = {"a": [1, None, 3], "b": {"value": [1, 2, 3], "low": [0, 1, 2], "high": [2, 3, 4]}}
    facts = {"one": {"x": [0, 1, 2], "series": series, "title": "T", "axes": ["x", "y"]}}
    item = found(Item("figure", "1", "", "", form="curves"), curves=facts)
    [axes] = chart_of(item).axes.flat
    assert [str(y) for y in axes.lines[0].get_ydata()] == ["1.0", "nan", "3.0"]
    assert len(axes.collections) == 1
    assert (axes.get_title("left"), axes.get_xlabel(), axes.get_ylabel()) == ("T", "x", "y")


def test_networks_are_drawn_with_their_numbers_of_vertices_and_edges() -> None:
    chart = chart_of(networks())
    for axes, text in zip(chart.axes.flat, BOARDS, strict=True):
        board = load_board(text)
        assert axes.get_title() == text
        assert f"{board.n_vertices} vertices, {board.n_edges} edges" in [
            each.get_text() for each in axes.texts
        ]
        [dots] = [each for each in axes.collections if len(each.get_offsets()) > 1]
        degrees = [len(board.neighbours(vertex)) for vertex in range(board.n_vertices)]
        sizes = dots.get_sizes()
        assert max(range(len(sizes)), key=sizes.__getitem__) == degrees.index(max(degrees))


def test_networks_may_be_named_by_a_computed_fact() -> None:
    boards = {"boards": {"a segment": "segment:5", "a ring": "ring:6"}}
    item = replace(networks(), curves={"digraphs": boards})
    titles = [axes.get_title() for axes in chart_of(item).axes.flat]
    assert titles == ["a segment", "a ring"]


def many(form: str, n_rows: int, columns: tuple[str, ...]) -> ItemFindings:
    """A chart with much in it."""
    cells = tuple(
        judged(f"agent number {row}, all games", column, Number(50.0, 1.5),
               Measured(48.0 + row, 44.0, 70.0), AGREES)
        for row in range(n_rows) for column in columns
    )  # fmt: skip
    return found(Item("figure", "1", "", "", form=form, axes=("across", "%")), cells)


@pytest.mark.parametrize(
    "item",
    [
        bars(), stacked(), lines(), curves(), networks(),
        many("bars", 14, ("first", "second")),
        many("stacked", 7, ("top", "rest", "lowest")),
        many("lines", 9, tuple(map(str, (1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 90, 100)))),
    ],
    ids=lambda item: f"{item.item.form}-{len(item.cells)}",
)  # fmt: skip
def test_labels_do_not_overlap(item: ItemFindings) -> None:
    chart = chart_of(item)
    chart.figure.draw_without_rendering()
    for axes in chart.axes.flat:
        assert_apart([*axes.get_xticklabels(), axes.xaxis.label])
        assert_apart([*axes.get_yticklabels(), axes.yaxis.label])
        assert_apart([axes.title, axes._left_title, *axes.texts])


def assert_apart(texts: list[Any]) -> None:
    """Texts that can be seen must not cover each other."""
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts
             if text.get_text() and text.get_visible()]  # fmt: skip
    for (one, first), (other, second) in combinations(boxes, 2):
        assert not first.overlaps(second), f"{one!r} lies on {other!r}"


def test_agreement_is_counted_over_the_items_own_settings() -> None:
    cells = (
        judged("a", "x", Number(1), Measured(1), AGREES),
        judged("a", "y", Number(2), Measured(1), DIFFERS),
        judged("a", "z", None, Measured(1), OURS),
        judged("b", "x", Number(2), None, OPEN),
        judged("a", "x", Number(1), Measured(1), AGREES, "other"),
    )
    paper: PaperFindings = made_up(found(Item("table", "1", "", ""), cells))
    assert "1 of 3" in summary_text([paper])
