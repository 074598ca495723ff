"""Tables: columns find room without breaking numbers, and every form shows the same values."""

import csv
import io

import pytest

from topple.present.table import (
    COUNT,
    NOTHING,
    PERCENT,
    REGRET,
    WORDS,
    Column,
    Kind,
    Table,
    interval_of,
)

WINS = (0.4754, 0.2871, 0.6702)
NAMES = ["Eve", "Dan van der Berg", "Ana de la Cruz", "Guadalupe-Hidalgo", "x" * 80]


def moves(*more: Column) -> Table:
    """Vertices with long names, and numbers that must not be broken."""
    columns = [
        Column("rank", COUNT),
        Column("vertex"),
        Column("wins", PERCENT),
        Column("95% interval", interval_of(PERCENT)),
        *more,
    ]
    rows = [
        (rank, name, WINS[0], WINS, *(1234 for _ in more)) for rank, name in enumerate(NAMES, 1)
    ]
    return Table(columns, rows)


@pytest.mark.parametrize("width", [40, 44, 52, 60, 80])
def test_a_table_fits_its_terminal_without_breaking_numbers(width: int) -> None:
    text = moves(*(Column(f"by greedy choice {i}", COUNT) for i in range(4))).text(width)
    assert max(map(len, text.splitlines())) <= width
    assert text.count("28.7% to 67.0%") == text.count("47.5%") == len(NAMES)
    assert text.count("1,234") == 4 * len(NAMES)


def test_words_give_way_between_words() -> None:
    text = moves().text(48)
    words = {word for line in text.splitlines() for word in line.split()}
    assert {"Dan", "van", "der", "Berg", "Ana", "de", "la", "Cruz"} <= words
    assert any(word.startswith("Guadalupe") for word in words)
    assert any(word.endswith("x…") for word in words)


def test_specs_are_wrapped_after_their_punctuation() -> None:
    table = Table([Column("agent"), Column("n", COUNT)], [("uct:iterations=1000,threads=2", 1)])
    assert table.text(20).splitlines() == [
        "agent              n",
        "uct:iterations=    1",
        "1000,threads=2",
    ]


def test_a_table_that_is_too_wide_is_cut_into_parts_with_their_labels() -> None:
    columns = [Column("agent"), *(Column(f"column{i}", COUNT) for i in range(5))]
    text = Table(columns, [("A", 1, 2, 3, 4, 5), ("B", 6, 7, 8, 9, 10)]).text(30)
    first, second, third = text.split("\n\n")
    assert [part.split()[0] for part in (first, second, third)] == ["agent"] * 3
    assert [part.count("B ") for part in (first, second, third)] == [1, 1, 1]
    assert third.split() == ["agent", "column4", "A", "5", "B", "10"]


def test_intervals_are_shown_where_the_column_says() -> None:
    none, below, half = ((0.5, 0.25, 0.75),) * 3
    columns = [
        Column("value", interval_of(PERCENT)),
        Column("below", PERCENT, "below"),
        Column("half", REGRET, "half"),
    ]
    table = Table(columns, [(none, below, half), (None, None, None)])
    first, second = table.text().splitlines()[1:]
    assert first.split("  ") == ["25.0% to 75.0%", "50.0%", "0.500±0.250"]
    assert second.split() == [NOTHING] * 3
    html = table.html()
    assert "50.0%<small>25.0% to 75.0%</small>" in html
    assert "0.500<small>0.250 to 0.750</small>" in html


def test_only_pages_show_extra_columns_and_second_lines() -> None:
    columns = [Column("agent"), Column("more", COUNT, is_extra=True)]
    table = Table(columns, [("A\nuct:iterations=1000", 5)])
    assert table.text().splitlines() == ["agent", "A"]
    assert "<small>uct:iterations=1000</small>" in table.html()
    assert "<td>5</td>" in table.html()


def test_optional_columns_without_values_are_left_out() -> None:
    columns = [Column("agent"), Column("nodes", COUNT, is_optional=True)]
    assert "nodes" not in Table(columns, [("A", None), ("B", 0)]).text()
    assert "nodes" in Table(columns, [("A", None), ("B", 1)]).text()


def test_the_first_column_of_words_names_the_rows_of_a_page() -> None:
    html = Table([Column("rank", COUNT), Column("agent")], [(1, "A")], "Ratings", ["a note"]).html()
    assert '<th class="words" scope="row">A</th>' in html
    assert "<td>1</td>" in html
    assert "<caption><span>Ratings; a note</span></caption>" in html


def test_markdown_escapes_and_aligns() -> None:
    kind = Kind(lambda value: f"*{value}*", is_words=True, html=lambda value: f"<b>{value}</b>")
    table = Table([Column("a|b", kind), Column("n", COUNT)], [("x", 1000)], notes=["see_this"])
    assert table.markdown().splitlines() == [
        "| a\\|b | n |",
        "| :-- | --: |",
        "| \\*x\\* | 1,000 |",
        "",
        "see\\_this.",
    ]
    assert '<th class="words" scope="row"><b>x</b></th>' in table.html()


def test_csv_and_data_have_the_values_themselves() -> None:
    columns = [Column("name", WORDS, key="agent"), Column("rate", PERCENT, "below")]
    table = Table(columns, [("=A1", WINS), ("+5", None), ("a,b", WINS)])
    rows = list(csv.reader(io.StringIO(table.csv())))
    assert rows[0] == ["agent", "rate", "rate_low", "rate_high"]
    assert rows[1] == ["'=A1", *map(str, WINS)]  # a spreadsheet must not run it
    assert rows[2] == ["+5", "", "", ""]
    assert table.data()[0] == {"agent": "=A1", "rate": list(WINS)}
    assert table.data()[1] == {"agent": "+5", "rate": None}


def test_values_of_any_kind_make_a_table() -> None:
    table = Table.of(["game", "seconds", "note"], [["hex", 12345.0, "x"], ["infexion", 0.125, "y"]])
    assert table.text().splitlines() == [
        "game      seconds  note",
        "hex        12,345  x",
        "infexion     0.12  y",
    ]
