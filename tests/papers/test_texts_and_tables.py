"""Findings as words, numbers, tables and settings."""

from dataclasses import replace

import pytest

from tests.papers.made_up_papers import (
    AGENTS,
    BOARDS,
    GAMES,
    PLAYED,
    found,
    judged,
    lines,
    made_up,
    sequence,
    table_i,
)
from topple.cli.views.reproduction import findings_text
from topple.core.text import duration
from topple.papers.engine.findings import (
    AGREES,
    DIFFERS,
    OPEN,
    OURS,
    GamesSummary,
    ItemFindings,
    JudgedCell,
    Measured,
    PaperFindings,
)
from topple.papers.engine.plans import parse_scale
from topple.papers.paper import Fact, GameField, GameSet, Item, ItemCell, Number
from topple.papers.report.markdown import findings_markdown
from topple.papers.report.page import page
from topple.papers.report.tables import grids_of, summary_table
from topple.papers.report.texts import (
    SettingsText,
    chance_text,
    games_text,
    measured_text,
    published_text,
    settings_of,
)
from topple.present.table import Table

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
    own = grids_of(table_i())[0]
    written = [row[2] for row in own.table().rows]
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
        judged(
            "a",
            str(place),
            published,
            Measured(50.0, low, high),
            DIFFERS if place < n_differing else AGREES,
        )
        for place in range(n)
    )
    return found(Item("table", "1", "", ""), cells)


def test_chance_is_mentioned_where_few_of_many_values_differ() -> None:
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
def test_durations_are_written_in_two_units(seconds: float, text: str) -> None:
    assert duration(seconds) == text


# Tables.


def heads(table: Table) -> list[str]:
    return [column.head for column in table.columns]


def test_few_values_are_listed_with_their_verdicts() -> None:
    table = grids_of(table_i())[0].table()
    assert heads(table) == ["", "", "published", "measured", "verdict"]
    assert table.rows[0][:2] == ["Alpha-Beta against MCTS", "WR%"]
    assert table.rows[0][2:] == ["31.0 ± 1.48", "28.4 ± 2.1", DIFFERS]
    assert table.rows[1][0] == ""  # the row's name stands once


def test_values_over_numbers_stand_in_the_papers_grid_published_above_measured() -> None:
    [grid] = grids_of(sequence())
    table = grid.table()
    assert heads(table)[2:] == [str(n) for n in range(1, 39)]
    assert [row[:2] for row in table.rows] == [
        ("Ls", "published"),
        ("", "measured"),
        ("Rs", "published"),
        ("", "measured"),
    ]
    assert [row[22] for row in table.rows] == ["1", "0 ✗", "-1", "-2 ✗"]


def test_rows_of_which_nothing_was_published_have_no_line_for_it() -> None:
    grid = grids_of(lines())[0]
    assert [row[:2] for row in grid.table().rows] == [
        ("random", "published"),
        ("", "measured"),
        ("minimax, depth 1", "measured"),
        ("minimax, depth 2", "measured"),
    ]


def test_values_without_anything_published_have_no_verdicts() -> None:
    cells = (judged("a", "x", None, Measured(1.0), OURS),)
    [grid] = grids_of(found(Item("table", "1", "", ""), cells))
    assert heads(grid.table()) == ["", "", "measured"]


def test_an_exact_number_among_estimates_is_marked() -> None:
    cells = (
        judged("a", "x", Number(6), Measured(6), AGREES),
        judged("a", "y", Number(7), Measured(7.0, 6.0, 8.0), AGREES),
    )
    [grid] = grids_of(found(Item("table", "1", "", ""), cells))
    assert [row[3] for row in grid.table().rows] == ["6, exact", "7.0 ± 1.0"]
    [exact] = grids_of(found(Item("table", "1", "", ""), cells[:1]))
    assert exact.table().rows[0][3] == "6"


def test_choices_have_tables_of_their_own() -> None:
    own, chosen = grids_of(table_i())
    assert (own.title, chosen.title) == ("", "under order=index")
    assert chosen.about == "lower numbers first"
    assert (len(own.cells), len(chosen.cells)) == (5, 1)


# Settings.


def test_settings_name_agents_boards_games_seats_and_time() -> None:
    paper = made_up(table_i())
    settings = {
        each.title: dict(each.lines)
        for each in settings_of(paper.items[0], paper.paper, paper.scale)
    }
    played = settings["games zero loyalty"]
    assert "MCTS = uct:iterations=1000" in played["agents"]
    assert all(board in played["played on"] for board in BOARDS)
    assert played["games"].startswith("2,250 of 22,500 games: 50 for each pairing on each board")
    assert played["time"] == "3 min for each side and game"
    assert "seats swapped" in played["games"]
    assert settings["computed bandit"]["given"] == "agents = 200, arms = [0.1, 0.9]"


def test_quick_settings_name_those_of_the_full_scale() -> None:
    played = GamesSummary(GAMES, {**AGENTS, "MCTS": "uct:iterations=50"}, 1, 12, 12, 4_500, 1.0)
    item = found(Item("table", "1", "", ""), played=(played,))
    [settings] = settings_of(item, made_up(item).paper, parse_scale("quick"))
    lines_told = dict(settings.lines)
    assert lines_told["at full scale"] == "MCTS = uct:iterations=1000"
    assert lines_told["time"] == "2 s for each side and game"
    assert BOARDS[1] not in lines_told["played on"]


def test_thresholds_of_single_vertices_are_shown() -> None:
    field = GameField("spread-it", BOARDS[2], ((0, 5), (3, 5)))
    games = GameSet("cheap", (field,), AGENTS, 500, 4, gauntlet=True)
    summary = GamesSummary(games, AGENTS, 1, 4, 4, 500, 1.0)
    item = found(Item("table", "1", "", ""), played=(summary,))
    [settings] = settings_of(item, made_up(item).paper, parse_scale("full"))
    assert "(thresholds 0: 5, 3: 5)" in dict(settings.lines)["played on"]
    assert dict(settings.lines)["pairings"] == "Alpha-Beta against each of the others"


def test_choices_of_which_nothing_is_measured_have_none() -> None:
    cells = (
        judged("a", "x", Number(6), Measured(6), AGREES),
        JudgedCell(ItemCell("a", "x", Fact("bandit")), "another", None, OPEN),
    )
    [own] = grids_of(found(Item("table", "1", "", ""), cells))
    assert own.choice is None


def test_games_that_are_not_played_yet_are_only_named_beside_others() -> None:
    def played(name: str, n_games: int) -> GamesSummary:
        return GamesSummary(replace(GAMES, name=name), AGENTS, 1, n_games, 12, 500, 1.0)

    item = found(Item("table", "1", "", ""), played=(played("some", 3), played("none", 0)))
    some, none = settings_of(item, made_up(item).paper, parse_scale("full"))
    assert len(some.lines) > 1
    assert none == SettingsText("games none", (("games", "none are played yet"),))
    item = found(Item("table", "1", "", ""), played=(played("none", 0),))
    [alone] = settings_of(item, made_up(item).paper, parse_scale("full"))
    assert len(alone.lines) > 1


def test_agreement_is_counted_over_the_items_own_settings() -> None:
    cells = (
        judged("a", "x", Number(1), Measured(1), AGREES),
        judged("a", "y", Number(2), Measured(1), DIFFERS),
        judged("a", "z", None, Measured(1), OURS),
        judged("b", "x", Number(2), None, OPEN),
        judged("a", "x", Number(1), Measured(1), AGREES, "other"),
    )
    paper: PaperFindings = made_up(found(Item("table", "1", "", ""), cells))
    assert "1 of 3" in summary_table([paper]).text()
