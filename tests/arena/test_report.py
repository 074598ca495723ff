"""From results to conclusions: standings, tables, data, charts, the page and `topple report`."""

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations, permutations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.arena.invented import (
    costed_game,
    costed_pair,
    drawn_games,
    made_up_result,
    made_up_results,
    pair_of,
    played_game,
    random_games,
    results_of,
    three_agents,
)
from tests.core.command_line import assert_fits_80_columns, assert_one_line_refusal, topple
from topple.arena.planning.settings import settings_text
from topple.arena.report.cautions import cautions
from topple.arena.report.data import match_data, tournament_data
from topple.arena.report.findings import Findings, read_findings
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
from topple.arena.report.writing import draw_charts, write_report
from topple.arena.statistics.choices import Choices
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.rates import draw_rate, score_rate, win_loss_ratio, win_rate
from topple.arena.statistics.standings import Contest, Standings
from topple.arena.store.played import PlayedGame, Result
from topple.arena.store.rows import Pairing
from topple.arena.store.store import Store, open_store
from topple.cli.views.standings import match_text, standings_text, tournament_text
from topple.game.game import load
from topple.game.record import Ending
from topple.present.numbers import elo_text
from topple.present.page import element, figure
from topple.present.table import Column, Table

STRENGTHS = {
    "uct:iterations=1000": 200.0,
    "montecarlo:samples=50": 100.0,
    "alphabeta:depth=4": 60.0,
    "random": -300.0,
}


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


CONTEST = Contest("hex", "hex:5", "0123456789abcdef")


NAMES = letters(["a", "b", "c"])


def numbers(line: str) -> list[str]:
    return re.findall(r"[-+]?[0-9][0-9.,]*", line)


def test_the_tables_of_a_match_tell_each_agents_own() -> None:
    standings = Standings(
        [
            *costed_pair("a", "b", "1", "WW"),
            *costed_pair("a", "b", "2", "WD"),
            costed_game("a", "b", "3", "W", ending="crash", ending_player=1),
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
        costed_game("a", "b", str(n), "W", ending=kind, ending_player=1, ending_detail=detail)
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
    standings = three_agents()
    told = tournament_text(standings)
    for one, two in permutations("abc", 2):
        score = score_rate(standings.pairs(one, two))
        assert score is not None
        half = (score.high - score.low) / 2
        assert f"{100 * score.value:.1f}±{100 * half:.1f}" in told


def test_the_ratings_tell_each_agents_own_rates() -> None:
    standings = three_agents()
    told = tournament_text(standings).splitlines()
    head = next(i for i, line in enumerate(told) if line.startswith("rank"))
    for line in told[head + 1 : head + 4]:
        agent = "abc"["ABC".index(line.split()[1])]
        pairs = standings.all_pairs(agent)
        rates = [score_rate(pairs), win_rate(pairs), draw_rate(pairs)]
        assert line.split()[-3:] == [f"{100 * each.value:.1f}%" for each in rates if each]


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
    standings = three_agents()
    head, *rows = Cells(crosstable(standings, NAMES, CONTEST).html()).rows
    assert head[2:] == ["A", "B", "C"]
    for agent, row in zip("abc", rows, strict=True):
        for other, cell in zip("abc", row[2:], strict=True):
            pairs = standings.pairs(agent, other)
            tally = "-".join(map(str, pairs.tally))
            assert cell == ("·" if agent == other else f"{plus_minus(score_rate(pairs))}\n{tally}")


def test_the_pages_ratings_are_each_agents_own() -> None:
    standings = three_agents()
    _, *rows = Cells(ratings_table(standings, NAMES).html()).rows
    assert len(rows) == 3
    for row in rows:
        pairs = standings.all_pairs(row[1][-1])
        rates = score_rate(pairs), win_rate(pairs), draw_rate(pairs), win_loss_ratio(pairs)
        assert row[-4:] == [interval(rate) for rate in rates]


def test_the_pages_pairings_are_seen_by_the_first() -> None:
    standings = three_agents()
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
    _, *rows = Cells(costs_table(three_agents(), NAMES).html()).rows
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


def test_the_heat_map_is_read_from_the_row() -> None:
    standings = three_agents()
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
