"""From results to conclusions: standings, tables, data, charts, the page and `topple report`."""

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from tests.arena.invented import (
    made_up_result,
    made_up_results,
    played_game,
    random_games,
    results_of,
)
from tests.core.command_line import assert_fits_80_columns, assert_one_line_refusal, topple
from topple.arena.planning.settings import settings_text
from topple.arena.report.data import match_data, tournament_data
from topple.arena.report.findings import Findings, read_findings
from topple.arena.report.naming import contest_texts
from topple.arena.report.page import page
from topple.arena.report.writing import draw_charts, write_report
from topple.arena.statistics.elo import elo_difference, los
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.rates import draw_rate, score_rate, win_loss_ratio, win_rate
from topple.arena.statistics.ratings import fit_ratings
from topple.arena.statistics.standings import AgentTotals, Contest, Standings
from topple.arena.store.played import Result
from topple.arena.store.rows import Pairing
from topple.arena.store.store import Store, open_store
from topple.cli.terminal.tournament_progress import scores_so_far
from topple.cli.views.standings import match_text, standings_text, tournament_text
from topple.game.game import load
from topple.game.record import Ending
from topple.present.numbers import elo_text

STRENGTHS = {
    "uct:iterations=1000": 200.0,
    "montecarlo:samples=50": 100.0,
    "alphabeta:depth=4": 60.0,
    "random": -300.0,
}


def pair_of(
    one: str, two: str, pair: str, results: str, digests: Sequence[str] = "xy"
) -> list[Result]:
    """Two games of a pair; results are those of the first agent, as first and as second player."""
    returns = {"W": 1.0, "D": 0.0, "L": -1.0}
    first, second = (returns[letter] for letter in results)
    return [
        made_up_result(
            agents=(one, two), pair=pair, side=0, moves_digest=digests[0], returns=(first, -first)
        ),
        made_up_result(
            agents=(two, one), pair=pair, side=1, moves_digest=digests[1], returns=(-second, second)
        ),
    ]


# Standings.


def test_pairs_are_counted_as_both_agents_see_them() -> None:
    standings = Standings(
        [
            *pair_of("b", "a", "1", "WL"),
            *pair_of("b", "a", "2", "WD"),
            *pair_of("b", "a", "3", "LL"),
        ]
    )
    assert standings.pairs("b", "a").counts == {("W", "L"): 1, ("W", "D"): 1, ("L", "L"): 1}
    assert standings.pairs("a", "b").counts == {("W", "L"): 1, ("D", "L"): 1, ("W", "W"): 1}
    assert standings.games == 6
    assert standings.agents == ["a", "b"]
    assert standings.pairings() == [("a", "b")]


def test_a_pairing_may_be_named_either_way_round() -> None:
    named = Standings([*pair_of("a", "b", "1", "WW"), *pair_of("b", "a", "2", "LD")])
    assert named.pairs("a", "b").counts == {("W", "W"): 1, ("D", "W"): 1}


def test_standings_do_not_depend_on_the_order_of_results() -> None:
    results = [
        *made_up_results(STRENGTHS, 10),
        *made_up_results(STRENGTHS, 5, "infexion", "infexion:7"),
    ]
    mixed = list(results)
    Random(5).shuffle(mixed)
    in_order, growing = Standings(results), Standings()
    for result in mixed:
        growing.add(result)
    assert tournament_data(growing) == tournament_data(in_order)
    assert [each.game for each in in_order.contests] == ["hex", "infexion"]


def test_half_a_pair_counts_until_the_other_half_comes() -> None:
    first, second = pair_of("a", "b", "1", "WL")
    standings = Standings([second])
    assert standings.pairs("a", "b").counts == {(None, "L"): 1}
    standings.add(first)
    assert standings.pairs("a", "b").counts == {("W", "L"): 1}


def test_only_pairs_that_are_the_same_in_both_games_are_repeats() -> None:
    standings = Standings(
        [
            *pair_of("a", "b", "1", "WL", "xy"),
            *pair_of("a", "b", "2", "WL", "xy"),  # a repeat
            *pair_of("b", "a", "3", "WL", "yx"),  # the same again, named the other way round
            *pair_of("a", "b", "4", "WL", "xz"),
            *pair_of("a", "b", "5", "WL", "yx"),
            *pair_of("a", "c", "6", "WL", "xy"),  # other agents
            *pair_of("a", "b", "7", "WL", "xy")[:1],  # half a pair is none
        ]
    )
    totals = standings.pairing_totals("a", "b")
    assert totals.pairs.repeats == 2
    assert (totals.games, totals.effective_games) == (11, 7)
    assert standings.pairs("b", "a").repeats == 2
    assert standings.pairs("a", "c").repeats == 0
    assert standings.total().effective_games == 9


def test_the_same_moves_on_another_board_are_no_repeat() -> None:
    here = pair_of("a", "b", "1", "WL")
    there = [each._replace(pair="2", board_digest="f" * 16) for each in here]
    standings = Standings([*here, *there])
    assert standings.total().effective_games == 4
    texts = contest_texts(standings.contests)
    assert sorted(texts.values()) == [
        "hex on hex:5 (0123456789abcdef)",
        "hex on hex:5 (ffffffffffffffff)",
    ]


def test_an_agent_may_play_itself() -> None:
    standings = Standings(pair_of("a", "a", "1", "WL"))
    assert standings.pairs("a", "a").counts == {("W", "L"): 1}
    assert standings.agent_totals("a").games == 4  # seats
    assert standings.all_pairs("a").n_pairs == 0
    assert "A against A" in standings_text(standings)


def test_costs_and_forfeits_are_added_up_for_each_agent() -> None:
    standings = Standings(
        [
            made_up_result(
                agents=("a", "b"),
                plies=10,
                moves=(4, 3),
                seconds=(2.0, 1.0),
                simulations=(40, 0),
                nodes=(0, 9),
                ending="crash",
                ending_player=1,
            ),
            made_up_result(
                agents=("b", "a"),
                side=1,
                plies=20,
                moves=(6, 6),
                seconds=(0.5, 1.0),
                simulations=(0, 60),
                nodes=(21, 0),
                ending="length",
                returns=(0.0, 0.0),
            ),
        ]
    )
    a, b = standings.agent_totals("a"), standings.agent_totals("b")
    assert (a.games, a.moves, a.seconds, a.simulations, a.nodes) == (2, 10, 3.0, 100, 0)
    assert (a.per_move(a.seconds), a.mean_plies) == (0.3, 15.0)
    assert (b.games, b.moves, b.nodes) == (2, 9, 30)
    assert (a.forfeits, b.forfeits) == ({}, {"crash": 1})
    assert standings.pairing_totals("a", "b").endings == {"crash": 1, "length": 1}
    assert standings.pairing_totals("a", "b").mean_plies == 15.0
    assert standings.agent_totals("c") == AgentTotals()


def test_contests_are_kept_apart_and_added_up() -> None:
    hexes = list(made_up_results(STRENGTHS, 4))
    standings = Standings([*hexes, *made_up_results(STRENGTHS, 3, "infexion", "infexion:7")])
    first, second = standings.contests
    for one, two in combinations(STRENGTHS, 2):
        apart = standings.pairs(one, two, first) + standings.pairs(one, two, second)
        assert apart == standings.pairs(one, two)
    alone = Standings(hexes)
    assert standings.ratings(first) == alone.ratings()
    assert standings.total(first).games == len(hexes)
    assert standings.agent_totals("random", first) == alone.agent_totals("random")


def test_repeats_in_one_contest_do_not_weigh_in_the_sum_of_all() -> None:
    again = [game for n in range(50) for game in pair_of("a", "b", f"again {n}", "WW")]
    even = [
        game._replace(board="hex:4", board_digest="f" * 16)
        for n, results in enumerate(["WW", "WL", "LL", "WL"] * 5)
        for game in pair_of("a", "b", f"even {n}", results, (f"x{n}", f"y{n}"))
    ]
    found, different = Standings([*again, *even]), Standings([*again[:2], *even])
    assert found.tally("a") == (120, 0, 20)
    for one, other in (("a", "b"), ("b", "a")):
        for rate in ("win_rate", "draw_rate", "score", "elo"):
            expected = getattr(different.pairing_totals(one, other), rate)
            assert getattr(found.pairing_totals(one, other), rate) == pytest.approx(expected)
    for row, expected in zip(found.ratings().rows, different.ratings().rows, strict=True):
        assert row.elo == pytest.approx(expected.elo)
        assert row.score == pytest.approx(expected.score)


def test_an_agents_tally_is_that_of_its_pairs() -> None:
    standings = Standings(
        [
            *made_up_results(STRENGTHS, 4),
            *made_up_results(STRENGTHS, 3, "infexion", "infexion:7"),
            *pair_of("random", "random", "itself", "WL"),
            *pair_of("random", "new", "half", "DW")[:1],
            *pair_of("alone", "alone", "alone", "WW"),
        ]
    )
    for contest in (None, *standings.contests):
        for agent in standings.agents:
            assert standings.tally(agent, contest) == standings.all_pairs(agent, contest).tally
    assert standings.tally("new") == (0, 1, 0)
    assert standings.tally("alone") == standings.tally("nobody") == (0, 0, 0)


def test_the_scores_so_far_name_the_leader_first() -> None:
    standings = Standings(
        [
            *pair_of("a", "b", "1", "LD"),
            *pair_of("b", "c", "2", "WW"),
            *pair_of("d", "d", "3", "WW"),
        ]
    )
    assert scores_so_far(standings) == [
        ("b", "3-1-0", 3.5 / 4),
        ("a", "0-1-1", 0.25),
        ("c", "0-0-2", 0.0),
    ]


def test_agents_come_in_the_order_that_was_asked_for() -> None:
    results = list(made_up_results(STRENGTHS, 1))
    order = ["random", "uct:iterations=1000"]
    standings = Standings(results, ["absent", *order])
    rest = ["alphabeta:depth=4", "montecarlo:samples=50"]
    assert standings.agents == [*order, *rest]
    assert standings.pairings()[0] == tuple(order)


def test_ratings_are_fitted_to_all_pairings_at_once() -> None:
    standings = Standings(made_up_results(STRENGTHS, 100))
    results = {two: standings.pairs(*two) for two in combinations(sorted(STRENGTHS), 2)}
    ratings = standings.ratings()
    assert ratings == fit_ratings(results)
    assert [row.agent for row in ratings.rows] == list(STRENGTHS)


def test_nothing_played_has_no_ratings() -> None:
    standings = Standings()
    assert (standings.ratings(), standings.contests, standings.agents) == (None, [], [])
    assert tournament_data(standings)["contests"] == []


# Plain data.


def test_the_data_of_a_match_are_those_of_the_statistics() -> None:
    standings = Standings(made_up_results(dict(list(STRENGTHS.items())[:2]), 30))
    one, two = "uct:iterations=1000", "montecarlo:samples=50"
    pairs, data = standings.pairs(one, two), match_data(standings, one, two)
    assert (data["agents"], data["game"], data["board"]) == ([one, two], "hex", "hex:5")
    assert (data["wins"], data["draws"], data["losses"]) == pairs.tally
    assert data["games"] == data["effective_games"] == 60
    for name, interval, estimate in (
        ("win_rate", "interval", win_rate(pairs)),
        ("draw_rate", "draw_rate_interval", draw_rate(pairs)),
        ("win_loss_ratio", "win_loss_ratio_interval", win_loss_ratio(pairs)),
        ("score", "score_interval", score_rate(pairs)),
        ("elo", "elo_interval", elo_difference(pairs)),
    ):
        assert estimate is not None
        digits = 0.006 if name == "elo" else 1e-6
        assert [data[name], *data[interval]] == pytest.approx(list(estimate), abs=digits)
    assert data["los"] == pytest.approx(los(pairs), abs=1e-6)
    for seat, part in enumerate((data["as_first"], data["as_second"])):
        alone = pairs.in_seat(seat)
        assert (part["games"], part["wins"], part["draws"], part["losses"]) == (30, *alone.tally)
        for name, interval, estimate in (
            ("win_rate", "interval", win_rate(alone)),
            ("draw_rate", "draw_rate_interval", draw_rate(alone)),
            ("win_loss_ratio", "win_loss_ratio_interval", win_loss_ratio(alone)),
            ("score", "score_interval", score_rate(alone)),
        ):
            assert [part[name], *part[interval]] == pytest.approx(list(estimate), abs=1e-6)
    assert data["as_first"]["wins"] + data["as_second"]["wins"] == data["wins"]
    assert data["simulations_per_move"] == [19**2, 21**2]  # as they were made up
    back = match_data(standings, two, one)
    assert (back["wins"], back["losses"]) == (data["losses"], data["wins"])


def test_what_is_infinite_or_unknown_is_null() -> None:
    swept = match_data(Standings(pair_of("a", "b", "1", "WW")), "a", "b")
    assert (swept["elo"], swept["elo_interval"][1]) == (None, None)
    drawn = match_data(Standings(pair_of("a", "b", "1", "DD")), "a", "b")
    assert (drawn["win_loss_ratio"], drawn["win_loss_ratio_interval"]) == (None, None)
    for data in (swept, drawn, tournament_data(Standings(pair_of("a", "b", "1", "WW")))):
        json.dumps(data, allow_nan=False)


def test_the_data_of_a_tournament_hold_every_pairing_of_every_contest() -> None:
    standings = Standings(
        [*made_up_results(STRENGTHS, 3), *made_up_results(STRENGTHS, 3, "infexion", "infexion:7")]
    )
    data = tournament_data(standings)
    assert data["games"] == 2 * 6 * 6
    assert [row["agent"] for row in data["ratings"]] == [r.agent for r in standings.ratings().rows]
    for contest, entry in zip(standings.contests, data["contests"], strict=True):
        assert (entry["game"], entry["board"]) == contest[:2]
        assert len(entry["pairings"]) == 6
        for pairing in entry["pairings"]:
            expected = match_data(standings, *pairing["agents"], contest)
            assert pairing.items() <= expected.items()


# Tables for the terminal.


@pytest.mark.parametrize("n", [2, 3, 5, 8, 10, 13, 30])
def test_tables_fit_80_columns(n: int) -> None:
    agents = {f"uct:iterations={100 * i},c=1.{i},threads=2,reuse=true": 30.0 * i for i in range(n)}
    standings = Standings(
        [
            *made_up_results(agents, 2),
            *(made_up_results(agents, 2, "spread-it", "ba:n=24,m=3,seed=1") if n < 10 else ()),
        ]
    )
    told = tournament_text(standings)
    assert_fits_80_columns(told)
    assert_fits_80_columns(standings_text(standings))
    for agent in agents:  # however the line was broken
        assert agent in told.replace("\n   ", "").replace("\n    ", "")


def test_a_crosstable_tells_each_pairing_from_both_sides() -> None:
    standings = Standings(
        [
            *pair_of("a", "b", "1", "WW"),
            *pair_of("a", "c", "2", "WL"),
            *pair_of("b", "c", "3", "DW"),
        ]
    )
    told = tournament_text(standings).splitlines()
    names = dict(line.split("  ")[::-1] for line in told[:3])
    head = next(i for i, line in enumerate(told) if line.split() == ["agent", "A", "B", "C"])
    rows = {line[0]: line for line in told[head + 1 : head + 4]}
    assert rows[names["a"]].count("2-0-0") == 1
    assert rows[names["b"]].count("0-0-2") == 1
    assert rows[names["b"]].count("1-1-0") == 1
    assert rows[names["c"]].count("0-1-1") == 1
    assert all(line.count("·") == 1 for line in rows.values())


def test_a_match_is_told_with_all_its_numbers() -> None:
    standings = Standings(made_up_results(dict(list(STRENGTHS.items())[:2]), 40))
    told = match_text(standings, "montecarlo:samples=50", "uct:iterations=1000")
    data = match_data(standings, "montecarlo:samples=50", "uct:iterations=1000")
    assert told.startswith("hex on hex:5: 80 games")
    assert "A  montecarlo:samples=50\nB  uct:iterations=1000" in told
    lines = {line.split("  ")[0]: line for line in told.splitlines()}
    for head, name, interval in (
        ("wins (WR)", "win_rate", "interval"),
        ("draws (DR)", "draw_rate", "draw_rate_interval"),
        ("wins of decided (WLR)", "win_loss_ratio", "win_loss_ratio_interval"),
        ("score", "score", "score_interval"),
    ):
        low, high = (100 * end for end in data[interval])
        assert f"{100 * data[name]:.1f}%" in lines[head]
        assert f"{low:.1f}% to {high:.1f}%" in lines[head]
    assert f"{data['elo']:+.0f}" in lines["Elo"]
    for seat in ("first", "second"):
        tally = data[f"as_{seat}"]
        numbers = re.findall(r"[0-9.]+", lines[f"A as {seat}"])
        assert numbers[:3] == [str(tally[each]) for each in ("wins", "draws", "losses")]
        rates = [f"{100 * rate:.1f}" for rate in (tally["score"], *tally["score_interval"])]
        assert numbers[3:] == rates


def test_what_makes_results_doubtful_is_said() -> None:
    standings = Standings(
        [
            *pair_of("a", "b", "1", "WL"),
            *pair_of("a", "b", "2", "WL"),
            *pair_of("c", "d", "3", "WL")[:1],
            made_up_result(agents=("a", "b"), pair="4", ending="time", ending_player=1),
            made_up_result(
                agents=("b", "a"), pair="4", side=1, ending="length", returns=(0.0, 0.0)
            ),
        ]
    )
    told = " ".join(standings_text(standings).split())
    assert "only 5 of 7 games are different" in told
    assert "1 game still lacks the other one" in told
    assert "1 game reached the greatest length" in told
    assert "forfeited 1 game: 1 by time" in told
    assert "2 groups that never met" in told
    assert "!" not in standings_text(Standings(pair_of("a", "b", "1", "WL")))


# Charts and the page.


HOSTILE = "<b>&\"'$x^2$"


def stored_games() -> Iterator[object]:
    """Games of three agents in two contests, one agent with a name that means harm."""
    agents = ("uct:iterations=10", "random", HOSTILE)
    for spec, board in (("hex", "hex:3"), ("spread-it:loyalty=full", "ba:n=10,m=2,seed=1")):
        game = load(spec, board, compiled=False)
        for two in combinations(agents, 2):
            yield from random_games(game, two, 3)


SETTINGS = {
    "agents": ["random", HOSTILE, "uct:iterations=10,c=1.4,reuse=true,threads=2,evaluation=none"],
    "games": 6,
    "move-time": 1.5,
    "gauntlet": False,
    "contests": [{"game": "hex", "board": "hex:3"}, {"game": "spread-it"}],
}


@pytest.fixture(scope="module")
def store_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stores") / "results.db"
    with open_store(path) as store:
        store.add(list(stored_games()))
        store.remember(SETTINGS)
    return path


@pytest.fixture(scope="module")
def findings(store_file: Path) -> Findings:
    with open_store(store_file, read_only=True) as store:
        return read_findings(store, f"{HOSTILE}.db")


@pytest.fixture(scope="module")
def charts(findings: Findings) -> dict[str, str]:
    return {name: chart.picture("svg").decode() for name, chart in draw_charts(findings)}


@pytest.fixture(scope="module")
def html(findings: Findings, charts: dict[str, str]) -> str:
    return page(findings, charts)


def test_every_contest_has_its_charts(charts: dict[str, str]) -> None:
    assert sorted(charts) == [
        "choices-1",
        "choices-2",
        "costs",
        "crosstable-1",
        "crosstable-2",
        "lengths",
        "ratings",
    ]


def test_charts_are_the_same_every_time(findings: Findings, charts: dict[str, str]) -> None:
    again = {name: chart.picture("svg").decode() for name, chart in draw_charts(findings)}
    assert again == charts
    for svg in charts.values():
        ElementTree.fromstring(svg)
        assert "<dc:date>" not in svg


class Reader(HTMLParser):
    """Reads a page and complains about what is not well-formed."""

    VOID = ("meta", "br")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert value is not None
            self.attributes.append((tag, name, value))
            if name == "id":
                self.ids.append(value)
            if name in ("href", "xlink:href", "src"):
                self.links.append(value)
            self.links += [f"#{each}" for each in re.findall(r"url\(#([^)]*)\)", value)]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_is_whole_and_needs_nothing_else(html: str) -> None:
    reader = Reader(html)
    assert len(reader.ids) == len(set(reader.ids))
    assert all(link.startswith("#") and link[1:] in reader.ids for link in reader.links)
    assert not {"script", "link", "img", "iframe", "object"} & set(reader.tags)
    names = {name for _, name, _ in reader.attributes}
    assert not [name for name in names if name.startswith("on")]
    style = html[html.index("<style>") : html.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


def test_names_cannot_break_the_page(html: str) -> None:
    reader = Reader(html)
    assert "b" not in reader.tags
    assert "".join(reader.texts).count(HOSTILE) > 5


def test_tables_of_the_page_are_accessible(html: str) -> None:
    reader = Reader(html)
    n_tables = reader.tags.count("table")
    assert n_tables == 2 + 2 * 4  # ratings, agents; for each contest two of games, two of choices
    assert reader.tags.count("caption") == n_tables
    scopes = [value for tag, name, value in reader.attributes if (tag, name) == ("th", "scope")]
    assert len(scopes) == reader.tags.count("th")
    assert {"col", "row"} == set(scopes)
    labels = [name for tag, name, _ in reader.attributes if tag == "svg"]
    assert labels.count("aria-label") == labels.count("role") == reader.tags.count("svg") == 7


def test_the_page_tells_what_the_tables_tell(html: str, findings: Findings) -> None:
    text = " ".join("".join(Reader(html).texts).split())
    data = tournament_data(findings.standings)
    for row in data["ratings"]:
        assert elo_text(row["elo"]) in text
    for entry in data["contests"]:
        assert f"{entry['game']} on {entry['board']}" in text
        for pairing in entry["pairings"]:
            assert f"{pairing['wins']}-{pairing['draws']}-{pairing['losses']}" in text
    assert "36 games between 3 agents: 2 contests." in text
    assert "Played from 2026-03-01 12:00 UTC to 2026-03-03 12:00 UTC" in text
    assert 'board = "hex:3"' in text


def test_settings_are_written_as_toml() -> None:
    import tomllib

    assert tomllib.loads(settings_text(SETTINGS)) == SETTINGS


def test_the_page_says_what_its_settings_leave_open(findings: Findings) -> None:
    contests = [
        {"game": "spread-it", "board": board, "digest": "0123456789abcdef"}
        for board in ("karate", "file:net.csv", "graph")
    ]
    match_settings = {
        "agents": ["uct:iterations=10", HOSTILE],
        "games": 20,
        "sprt": "elo1=30",
        "contests": [{"game": "hex", "board": "hex:3"}],
    }
    asked = [{"agents": ["random"], "contests": contests}, match_settings, {"contests": 3}]
    tournaments = [(n, each, "2026-03-01T12:00:00Z") for n, each in enumerate(asked, start=1)]
    charts = dict.fromkeys(("costs", "lengths", "crosstable-1", "crosstable-2"), "<svg></svg>")
    texts = Reader(page(replace(findings, tournaments=tournaments), charts)).texts
    of_no_text = [text for text in texts if "cannot be made from its text alone" in text]
    assert [text.split()[2] for text in of_no_text] == ["file:net.csv", "graph"]
    [command] = [text.partition("repeats it: ")[2] for text in texts if "sequential test" in text]
    assert shlex.split(command) == [
        "topple",
        "match",
        "hex",
        *match_settings["agents"],
        "--board",
        "hex:3",
        "--games",
        "20",
        "--sprt",
        "elo1=30",
        "--db",
        "again.db",
    ]


def test_a_report_is_written_whole(findings: Findings, tmp_path: Path, html: str) -> None:
    written = list(write_report(findings, tmp_path / "a" / "b", ("png",)))
    assert written[-1].read_text("utf-8") == html
    assert sorted(written) == sorted((tmp_path / "a" / "b").iterdir())
    for path in written[:-1]:
        assert path.read_bytes().startswith(b"\x89PNG")


# The command.


def test_report_prints_tables_and_writes_files(store_file: Path) -> None:
    ran = topple("report", str(store_file), "--format", "svg")
    folder = store_file.parent / "results-report"
    assert ran.status == 0, ran.err
    assert ran.out.splitlines()[-1] == f"report: {folder / 'report.html'}"
    assert_fits_80_columns("\n".join(ran.out.splitlines()[:-1]))
    names = sorted(path.name for path in folder.iterdir())
    assert names == [
        "choices-1.svg",
        "choices-2.svg",
        "costs.svg",
        "crosstable-1.svg",
        "crosstable-2.svg",
        "lengths.svg",
        "ratings.svg",
        "report.html",
    ]


def test_report_as_json_writes_no_files_unless_told_where(store_file: Path, tmp_path: Path) -> None:
    ran = topple("report", str(store_file), "--json", "--centrality", "closeness")
    data = json.loads(ran.out)
    assert (data["store"], data["games"], data["seeds"]) == ("results.db", 36, [1])
    assert [each["settings"] for each in data["tournaments"]] == [SETTINGS]
    entry = data["contests"][0]["choices"]
    assert entry["centrality"] == "closeness"
    assert len(entry["shares"]) == 3 * 3 * 2
    share = entry["shares"][0]
    assert share["top"] + share["rest"] + share["lowest"] == pytest.approx(1, abs=1e-5)
    assert share["moves"] == sum(entry["counts"][share["agent"]].values())
    out = tmp_path / "there"
    assert topple("report", str(store_file), "--json", "--out", str(out)).out != ""
    assert (out / "report.html").exists()


@pytest.mark.parametrize("wanted", ["spread-it", "spread-it:loyalty=full"])
def test_report_may_be_of_one_game(store_file: Path, wanted: str) -> None:
    data = json.loads(topple("report", str(store_file), "--json", "--game", wanted).out)
    assert [each["game"] for each in data["contests"]] == ["spread-it:loyalty=full"]
    assert data["games"] == 18
    assert data["contests"][0]["choices"] is not None


def test_a_match_is_reported_as_a_match(tmp_path: Path) -> None:
    game = load("hex", "hex:3", compiled=False)
    path = tmp_path / "match.db"
    with open_store(path) as store:
        store.add(list(random_games(game, ("uct:iterations=10", "random"), 2)))
    ran = topple("report", str(path), "--out", str(tmp_path / "out"), "--format", "png")
    assert ran.status == 0, ran.err
    assert "A against B" in ran.out
    names = {each.name for each in (tmp_path / "out").iterdir()}
    assert names == {"ratings.png", "costs.png", "lengths.png", "choices-1.png", "report.html"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--game", "hexx"], "did you mean 'hex'"),
        (["--game", "infexion"], "unknown game in the store"),
        (["--centrality", "fame"], "choose from degree, pagerank"),
        (["--format", "gif"], "--format"),
    ],
)
def test_what_cannot_be_reported_gets_one_line(
    store_file: Path, arguments: list[str], reason: str
) -> None:
    ran = topple("report", str(store_file), *arguments)
    assert_one_line_refusal(ran)
    assert reason in ran.err


def test_no_store_an_empty_one_or_no_place_to_write_get_one_line(
    store_file: Path, tmp_path: Path
) -> None:
    assert_one_line_refusal(topple("report", str(tmp_path / "none.db")))
    assert not (tmp_path / "none.db").exists()
    with open_store(tmp_path / "empty.db"):
        pass
    ran = topple("report", str(tmp_path / "empty.db"))
    assert_one_line_refusal(ran)
    assert "holds no games yet" in ran.err
    (tmp_path / "file").write_text("")
    assert_one_line_refusal(topple("report", str(store_file), "--out", str(tmp_path / "file")))


def test_a_store_that_is_being_written_can_be_reported(tmp_path: Path) -> None:
    game = load("hex", "hex:3", compiled=False)
    games = list(random_games(game, ("uct:iterations=10", "random"), 8))
    path = tmp_path / "growing.db"
    with open_store(path) as store:
        store.add(games[:6])

        def write_on(_: str) -> None:
            if games:
                store.add([games.pop()])

        with open_store(path, read_only=True) as other:
            found = read_findings(other, "growing", done=write_on)
            assert found.standings.games == 6
            assert other.n_games() > 6


def test_a_report_is_of_the_games_that_were_there_when_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("hex", "hex:3", compiled=False)
    games = list(random_games(game, ("uct:iterations=10", "random"), 8))
    path = tmp_path / "growing.db"
    with open_store(path) as store:
        store.add(games[:6])

        def read_while_it_grows(results: Iterable[Result]) -> Standings:
            standings = Standings(results)
            store.add(games)
            store.remember(SETTINGS)
            return standings

        monkeypatch.setattr("topple.arena.report.findings.Standings", read_while_it_grows)
        with open_store(path, read_only=True) as other:
            found = read_findings(other, "growing")
            assert other.n_games() == len(games)
    began = sorted(played.began for played in games[:6])
    assert found.began == (began[0], began[-1])
    assert (found.standings.games, found.tournaments) == (6, [])


def test_games_whose_rules_are_not_at_hand_are_left_out_of_choices_alone(
    findings: Findings, store_file: Path
) -> None:
    class Forgetful:
        """A store from a machine that knew one more game."""

        def __init__(self, store: Store) -> None:
            self.store = store
            self.results, self.versions = store.results, store.versions
            self.tournaments, self.snapshot = store.tournaments, store.snapshot

        def games(self, wanted: Callable[[Pairing], bool]) -> Iterator[object]:
            for played in self.store.games(wanted):
                gone = played.record.game == "hex"
                yield replace(played, record=replace(played.record, game="go")) if gone else played

    with open_store(store_file, read_only=True) as store:
        found = read_findings(Forgetful(store), "old")  # type: ignore[arg-type]
    assert found.standings.contests == findings.standings.contests
    assert [contest.game for contest in found.choices.contests] == ["spread-it:loyalty=full"]
    assert any(
        "the moves of 18 games were not counted: unknown game 'go'" in caution
        for caution in found.cautions
    )
    assert [name for name, _ in draw_charts(found) if "choices" in name] == ["choices-2"]


def test_a_game_that_was_forfeited_is_reported() -> None:
    game = load("hex", "hex:3", compiled=False)
    played = played_game(game, [4, 0, 1], ("a", "b"), "0" * 32, 0)
    record = replace(played.record, ending=Ending("crash", 1, "boom"), result=(1.0, -1.0))
    (result,) = results_of([replace(played, record=record)])
    standings = Standings([result])
    assert standings.pairs("a", "b") == Pairs({("W", None): 1})
    assert standings.agent_totals("b").forfeits == {"crash": 1}
    assert standings.contests == [Contest("hex", "hex:3", game.board.digest)]
