"""What the arena tells is what was counted: data, tables, charts, the page and progress."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import permutations

import pytest

from tests.arena.invented import made_up_result, played_game, random_games
from topple.arena.report.cautions import cautions
from topple.arena.report.data import choices_data, match_data, tournament_data
from topple.arena.report.findings import read_findings
from topple.arena.report.naming import letters
from topple.arena.report.page import page
from topple.arena.report.plots import plot_choices, plot_crosstable
from topple.arena.report.tables import (
    costs_table,
    crosstable,
    pairings_table,
    ratings_table,
    shares_table,
)
from topple.arena.statistics.centrality import centralities
from topple.arena.statistics.choices import BOTH, FIRST, SECOND, Choices
from topple.arena.statistics.rates import draw_rate, score_rate, win_loss_ratio, win_rate
from topple.arena.statistics.standings import Contest, Standings
from topple.arena.store.played import PlayedGame, Result
from topple.arena.store.store import open_store
from topple.boards import board_from_networkx
from topple.cli.terminal import tournament_progress as live
from topple.cli.views.standings import match_text, tournament_text
from topple.game.game import load
from topple.game.record import Ending, Record
from topple.present.page import element, figure
from topple.present.table import Column, Table

RETURNS = {"W": (1.0, -1.0), "D": (0.0, 0.0), "L": (-1.0, 1.0)}
# What a move of each agent costs: seconds, simulations, nodes.
COSTS = {"a": (0.25, 30, 0), "b": (0.5, 0, 700), "c": (2.0, 5, 6)}


def game(one: str, two: str, pair: str, result: str, *, side: int = 0, **more: object) -> Result:
    """A game of two agents in their seats, with the result of the first seat."""
    moves = (4, 3)
    costs = [
        [n * each for each in COSTS[agent]] for n, agent in zip(moves, (one, two), strict=True)
    ]
    seconds, simulations, nodes = zip(*costs, strict=True)
    return made_up_result(
        agents=(one, two),
        pair=pair,
        side=side,
        returns=RETURNS[result],
        moves=moves,
        seconds=seconds,
        simulations=simulations,
        nodes=nodes,
        plies=9,
        **{"moves_digest": f"{pair} {side}", **more},
    )


def pair_of(one: str, two: str, pair: str, results: str, **more: object) -> list[Result]:
    """Both games of a pair, each with the result of its first seat."""
    return [
        game(one, two, pair, results[0], side=0, **more),
        game(two, one, pair, results[1], side=1, **more),
    ]


def three() -> Standings:
    """a beats b, and c beats nobody; b forfeits twice and c once."""
    return Standings(
        [
            *pair_of("a", "b", "1", "WW"),
            *pair_of("a", "b", "2", "WD"),
            *pair_of("a", "b", "3", "WL"),
            *pair_of("a", "c", "4", "WL"),
            *pair_of("a", "c", "5", "WD"),
            *pair_of("b", "c", "6", "WL"),
            *pair_of("b", "c", "7", "DL"),
            game("a", "b", "8", "W", ending="crash", ending_player=1),
            game("b", "a", "8", "L", side=1, ending="time", ending_player=0),
            game("c", "b", "9", "L", ending="illegal", ending_player=0),
        ]
    )


CONTEST = Contest("hex", "hex:5", "0123456789abcdef")
NAMES = letters(["a", "b", "c"])


# Data.


def test_the_data_of_a_match_name_each_agents_own() -> None:
    data = match_data(three(), "a", "b")
    first, second = (
        [data[seat][name] for name in ("wins", "draws", "losses", "games")]
        for seat in ("as_first", "as_second")
    )
    assert (first, second) == ([4, 0, 0, 4], [2, 1, 1, 4])
    assert data["endings"] == {"crash": 1, "time": 1}
    assert data["forfeits"] == [{}, {"crash": 1, "time": 1}]
    assert data["seconds_per_move"] == [0.25, 0.5]
    assert data["simulations_per_move"] == [30, 0]
    assert data["nodes_per_move"] == [0, 700]
    assert data["mean_plies"] == 9


def test_the_data_of_a_tournament_name_each_agents_own() -> None:
    standings = three()
    data = tournament_data(standings)
    for entry in (data, data["contests"][0]):
        agents = {each["agent"]: each for each in entry["agents"]}
        assert [agents[each]["games"] for each in "abc"] == [12, 13, 9]
        assert [agents[each]["forfeits"] for each in "abc"] == [
            {},
            {"crash": 1, "time": 1},
            {"illegal": 1},
        ]
        for name, each in agents.items():
            pairs = standings.all_pairs(name)
            assert (each["wins"], each["draws"], each["losses"]) == pairs.tally
            costs = each["seconds_per_move"], each["simulations_per_move"], each["nodes_per_move"]
            assert costs == COSTS[name]
        ratings = standings.ratings()
        assert ratings is not None
        assert entry["groups"] == 1
        assert entry["first_move"] == pytest.approx(ratings.first_move.value, abs=0.006)
        assert entry["first_move_interval"] == pytest.approx(ratings.first_move[1:], abs=0.006)
        for told, row in zip(entry["ratings"], ratings.rows, strict=True):
            assert (told["agent"], told["games"]) == (row.agent, row.games)
            assert row.score is not None
            assert told["score"] == pytest.approx(row.score.value, abs=1e-6)
            assert told["score_interval"] == pytest.approx(row.score[1:], abs=1e-6)
            assert told["elo_interval"] == pytest.approx(row.elo[1:], abs=0.006)
    apart = Standings([*pair_of("a", "b", "1", "WL"), *pair_of("c", "c", "2", "WL")])
    assert tournament_data(apart)["groups"] == 2


def test_repeats_are_found_whatever_the_order_of_games() -> None:
    games = [
        each._replace(moves_digest=f"moves {each.side}")
        for pair in "123"
        for each in pair_of("a", "b", pair, "WL")
    ]
    for order in permutations(games):
        assert Standings(order).pairing_totals("a", "b").effective_games == 2


def test_ratings_are_those_of_all_games_added_so_far() -> None:
    standings = Standings(pair_of("a", "b", "1", "WL"))
    before = standings.ratings()
    for result in pair_of("a", "b", "2", "LL"):
        standings.add(result)
    assert standings.ratings() != before
    assert tournament_data(standings) == tournament_data(
        Standings([*pair_of("a", "b", "1", "WL"), *pair_of("a", "b", "2", "LL")])
    )


# Choices.


def drawn_games() -> Iterator[PlayedGame]:
    """A pair on a path of 6: one game won by the first seat, one cut off and so drawn."""
    board = load("spread-it", "path:6", compiled=False)
    yield from random_games(board, ("a", "b"), 3)
    cut = played_game(board, [0, 1, 2, 3], ("a", "b"), "f" * 32, 0)
    record = Record(**{**vars(cut.record), "ending": Ending("length"), "result": (0.0, 0.0)})
    yield PlayedGame(**{**vars(cut), "record": record})


def test_a_drawn_game_is_won_by_nobody() -> None:
    games = list(drawn_games())
    choices = Choices(games)
    [contest] = choices.contests
    for agent in "ab":
        for seats, places in ((BOTH, (0, 1)), (FIRST, (0,)), (SECOND, (1,))):
            played = [
                each.record.result[place]
                for each in games
                for place in places
                if each.record.players[place] == agent and each.record.result is not None
            ]
            assert choices.shares(contest, agent, seats).games == len(played)
            won = choices.shares(contest, agent, seats, won=True)
            assert won.games == played.count(1.0)


def test_options_of_a_game_make_contests_of_their_own() -> None:
    loyal, plain = (
        load(spec, "path:6", compiled=False) for spec in ("spread-it:loyalty=full", "spread-it")
    )
    choices = Choices([*random_games(loyal, ("a", "b"), 1), *random_games(plain, ("a", "b"), 2)])
    games = {each.game: choices.shares(each, "a").games for each in choices.contests}
    assert games == {"spread-it": 4, "spread-it:loyalty=full": 2}


def test_the_data_of_choices_are_those_counted() -> None:
    choices = Choices(drawn_games())
    [contest] = choices.contests
    data = choices_data(choices, contest)
    assert data is not None
    assert (data["top"], data["lowest"]) == (["2"], ["6"])  # ends have one neighbour
    for entry in data["shares"]:
        shares = choices.shares(contest, entry["agent"], entry["seats"], won=entry["won"])
        assert (entry["games"], entry["moves"]) == shares[:2]
        for name in ("top", "rest", "lowest"):
            estimate = getattr(shares, name)
            if estimate is None:
                assert (entry[name], entry[f"{name}_interval"]) == (None, None)
            else:
                told = [entry[name], *entry[f"{name}_interval"]]
                assert told == pytest.approx(list(estimate), abs=1e-6)
    for agent in "ab":
        counts = choices.vertex_counts(contest, agent)
        assert list(data["counts"][agent].values()) == counts


def test_on_a_directed_board_the_direction_makes_vertices_central() -> None:
    import networkx as nx

    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (3, 0), (4, 0), (4, 3)])
    board = board_from_networkx(graph)
    expected = nx.pagerank(graph)
    found = centralities(board, "pagerank")
    assert found == pytest.approx([expected[int(label)] for label in board.labels], abs=1e-6)


# Tables of the terminal.


def numbers(line: str) -> list[str]:
    return re.findall(r"[-+]?[0-9][0-9.,]*", line)


def test_the_tables_of_a_match_tell_each_agents_own() -> None:
    standings = Standings(
        [
            *pair_of("a", "b", "1", "WW"),
            *pair_of("a", "b", "2", "WD"),
            game("a", "b", "3", "W", ending="crash", ending_player=1),
        ]
    )
    told = match_text(standings, "a", "b").splitlines()
    rows = {re.split("  +", line)[0]: line for line in told}
    lost = win_rate(standings.pairs("b", "a"))
    assert lost is not None
    assert f"{100 * lost.value:.1f}%" in rows["losses"]
    assert f"{100 * lost.low:.1f}% to {100 * lost.high:.1f}%" in rows["losses"]
    head = next(i for i, line in enumerate(told) if "ms/move" in line)
    totals = {line[0]: numbers(line) for line in told[head + 1 :] if line[:2] in ("A ", "B ")}
    assert totals["A"] == ["5", "9.0", "18", "250", "30", "0"]
    assert totals["B"] == ["5", "9.0", "17", "500", "700", "1"]


def test_the_first_reason_of_a_forfeit_stands_beneath_its_number() -> None:
    games = [
        game("a", "b", str(n), "W", ending=kind, ending_player=1, ending_detail=detail)
        for n, (kind, detail) in enumerate(
            [("crash", "RuntimeError: boom"), ("crash", "ValueError: later"), ("time", None)]
        )
    ]
    told = match_text(Standings(games), "a", "b").splitlines()
    at = told.index("! B forfeited 3 games: 2 by crash, 1 by time")
    assert told[at + 1 :] == ["  first crash: RuntimeError: boom"]
    with open_store(None) as store:
        store.add(list(random_games(load("hex", "hex:3", compiled=False), ("a", "b"), 1)))
        findings = replace(read_findings(store, "x"), cautions=cautions(Standings(games), NAMES))
    html = page(findings, dict.fromkeys(("costs", "lengths", "ratings"), "<svg></svg>"))
    beneath = "<small>first crash: RuntimeError: boom</small>"
    assert f"<span>B forfeited 3 games: 2 by crash, 1 by time</span>\n{beneath}" in html


def test_the_crosstable_has_half_the_width_of_each_interval() -> None:
    standings = three()
    told = tournament_text(standings)
    for one, two in permutations("abc", 2):
        score = score_rate(standings.pairs(one, two))
        assert score is not None
        half = (score.high - score.low) / 2
        assert f"{100 * score.value:.1f}±{100 * half:.1f}" in told


def test_the_ratings_tell_each_agents_own_rates() -> None:
    standings = three()
    told = tournament_text(standings).splitlines()
    head = next(i for i, line in enumerate(told) if line.startswith("rank"))
    for line in told[head + 1 : head + 4]:
        agent = "abc"["ABC".index(line.split()[1])]
        pairs = standings.all_pairs(agent)
        rates = [score_rate(pairs), win_rate(pairs), draw_rate(pairs)]
        assert line.split()[-3:] == [f"{100 * each.value:.1f}%" for each in rates if each]


# The page.


class Cells(HTMLParser):
    """The cells of a table, row by row; the second line of a cell after a line break."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True
        elif tag == "small":
            self.rows[-1][-1] += "\n"

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1][-1] += data


def plus_minus(estimate: object) -> str:
    value, low, high = estimate  # type: ignore[misc]
    return f"{100 * value:.1f}±{50 * (high - low):.1f}"


def interval(estimate: object) -> str:
    value, low, high = estimate  # type: ignore[misc]
    return f"{100 * value:.1f}%\n{100 * low:.1f}% to {100 * high:.1f}%"


def test_the_pages_crosstable_is_read_from_the_row() -> None:
    standings = three()
    head, *rows = Cells(crosstable(standings, NAMES, CONTEST).html()).rows
    assert head[2:] == ["A", "B", "C"]
    for agent, row in zip("abc", rows, strict=True):
        for other, cell in zip("abc", row[2:], strict=True):
            pairs = standings.pairs(agent, other)
            tally = "-".join(map(str, pairs.tally))
            assert cell == ("·" if agent == other else f"{plus_minus(score_rate(pairs))}\n{tally}")


def test_the_pages_ratings_are_each_agents_own() -> None:
    standings = three()
    _, *rows = Cells(ratings_table(standings, NAMES).html()).rows
    assert len(rows) == 3
    for row in rows:
        pairs = standings.all_pairs(row[1][-1])
        rates = score_rate(pairs), win_rate(pairs), draw_rate(pairs), win_loss_ratio(pairs)
        assert row[-4:] == [interval(rate) for rate in rates]


def test_the_pages_pairings_are_seen_by_the_first() -> None:
    standings = three()
    head, *rows = Cells(pairings_table(standings, NAMES, CONTEST).html()).rows
    assert [row[0] for row in rows] == ["A–B", "A–C", "B–C"]
    cells = dict(zip(head, rows[0], strict=True))
    seats = [cells[name].splitlines()[0] for name in ("W-D-L", "as first", "as second")]
    assert seats == ["6-1-1", "4-0-0", "2-1-1"]
    for name, rate in (
        ("WR", win_rate),
        ("DR", draw_rate),
        ("WLR", win_loss_ratio),
        ("score", score_rate),
    ):
        assert cells[name] == interval(rate(standings.pairs("a", "b")))


def test_the_pages_costs_are_each_agents_own() -> None:
    _, *rows = Cells(costs_table(three(), NAMES).html()).rows
    assert [row[1:] for row in rows] == [
        ["12", "9.0", "42", "250", "30", "–", "0"],
        ["13", "9.0", "45", "500", "–", "700", "2\n1 by crash, 1 by time"],
        ["9", "9.0", "32", "2,000", "5", "6", "1\n1 by illegal"],
    ]


def test_the_pages_shares_stand_under_their_heads() -> None:
    choices = Choices(drawn_games())
    [contest] = choices.contests
    head, *rows = Cells(shares_table(choices, letters("ab"), contest).html()).rows
    assert len(rows) == 2 * 3 * 2
    for row in rows:
        cells = dict(zip(head, row, strict=True))
        shares = choices.shares(contest, row[0][-1], cells["seat"], won=cells["games"] == "won")
        assert (cells["number"], cells["moves"]) == (str(shares.games), str(shares.moves))
        for name, share in (
            ("top 20%", shares.top),
            ("rest", shares.rest),
            ("lowest 20%", shares.lowest),
        ):
            assert cells[name] == ("–" if share is None else interval(share))


def test_everything_in_a_table_is_escaped() -> None:
    hostile = "<i>&\"'"
    for html in (
        Table([Column(hostile), Column("n")], [(f"{hostile}\n{hostile}", hostile)], hostile).html(),
        element("p", hostile, title=hostile),
        figure("<svg></svg>", "chart", hostile),
    ):
        assert "<i>" not in html
        assert hostile not in html
        assert html.count('"') % 2 == 0
        assert not re.search(r'="[^"]*"[^ >]', html)


# Charts.


def test_the_heat_map_is_read_from_the_row() -> None:
    standings = three()
    axes = plot_crosstable(standings, NAMES, CONTEST, "hex").axes[0, 0]
    said = {
        (round(x), round(y)): text.get_text()
        for text in axes.texts
        for x, y in [text.get_position()]
        if not text.get_text().startswith("±")
    }
    for row, agent in enumerate("abc"):
        for column, other in enumerate("abc"):
            score = score_rate(standings.pairs(agent, other))
            told = said.get((column, row))
            assert told == (None if score is None else f"{100 * score.value:.0f}")


def test_the_bars_of_choices_show_their_intervals_where_they_end() -> None:
    choices = Choices(drawn_games())
    [contest] = choices.contests
    axes = plot_choices(choices, contest, letters("ab"), "spread-it").axes[0, 0]
    lines = [[round(float(x), 3) for x in line.get_xdata()] for line in axes.lines]
    for agent in "ab":
        shares = choices.shares(contest, agent)
        top, lowest = shares.top, shares.lowest
        assert top is not None
        assert lowest is not None
        assert [round(100 * top.low, 3), round(100 * top.high, 3)] in lines
        assert [round(100 * (1 - lowest.high), 3), round(100 * (1 - lowest.low), 3)] in lines
    upright = [each[0] for each in lines if each[0] == each[1]]
    assert upright == [round(100 / 6, 3), round(500 / 6, 3)]  # a vertex of six at either end


# Findings.


def test_findings_begin_with_the_first_and_end_with_the_last_game() -> None:
    board = load("hex", "hex:3", compiled=False)
    games = list(random_games(board, ("b", "a"), 4))
    order = [games[i] for i in (2, 7, 0, 4, 1, 3, 5, 6)]

    class Given:
        """A store that tells its games in this order."""

        def __init__(self, store: object) -> None:
            self.store = store

        def __getattr__(self, name: str) -> object:
            return getattr(self.store, name)

        def games(self, *_: object) -> Iterator[PlayedGame]:
            return iter(order)

    with open_store(None) as store:
        store.add(games)
        found = read_findings(Given(store), "given")  # type: ignore[arg-type]
    assert found.began == ("2026-03-01T12:00:00Z", "2026-03-04T12:00:00Z")


# Progress.


def test_scores_so_far_are_points_with_the_best_first() -> None:
    assert live.scores_so_far(three()) == [
        ("a", "9-2-1", pytest.approx(10 / 12)),
        ("b", "5-2-6", pytest.approx(6 / 13)),
        ("c", "0-2-7", pytest.approx(1 / 9)),
    ]
