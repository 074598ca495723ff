"""Tournaments of more than two players: who meets whom, in which seats, and what is stored."""

import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import closing
from itertools import combinations, product
from pathlib import Path

import pytest

import topple
from tests.arena import unruly
from tests.arena.invented import made_up_result
from tests.core.command_line import assert_fits_80_columns, assert_one_line_refusal
from tests.core.command_line import topple as run_topple
from topple.arena.planning.plan import Fixture, Plan, around_table
from topple.arena.playing.game import Sheets
from topple.arena.playing.run import PlanRun, planned_results
from topple.arena.playing.worker_pool import WorkerPool
from topple.arena.report.cautions import cautions
from topple.arena.report.data import tournament_data
from topple.arena.report.export import csv_lines, jsonl_lines
from topple.arena.report.findings import read_findings
from topple.arena.report.writing import write_report
from topple.arena.statistics.choices import Choices
from topple.arena.statistics.sprt import Sprt
from topple.arena.statistics.standings import Standings
from topple.arena.store.played import PlayedGame
from topple.arena.store.store import open_store
from topple.cli.views.standings import standings_text
from topple.core.errors import BadText, StoreError, Unsupported
from topple.game.game import Game
from topple.game.record import Record

ROOT = Path(__file__).parents[2]
AGENTS = "random", "greedy", "montecarlo:samples=1", "montecarlo:samples=2"


def three_players(board: str = "grid:2x3", **options: object) -> Game:
    return topple.load("chain-reaction", board, compiled=False, players=3, **options)


def plan_of(*agents: str, games: tuple[Game, ...] = (), **more: object) -> Plan:
    made = tuple(map(topple.agent, agents or AGENTS[:3]))
    return Plan(games or (three_players(),), made, **more)  # type: ignore[arg-type]


def groups_of(plan: Plan) -> list[list[str]]:
    return sorted(sorted(plan.agents[i].spec for i in group) for group in plan.groups)


def test_all_combinations_of_different_agents_meet() -> None:
    expected = sorted(sorted(three) for three in combinations(AGENTS, 3))
    assert groups_of(plan_of(*AGENTS)) == expected
    gauntlet = groups_of(plan_of(*AGENTS, gauntlet=True))
    assert gauntlet == [three for three in expected if "random" in three]
    assert len(plan_of(*AGENTS, n_games=6).groups) * 6 == plan_of(*AGENTS, n_games=6).n_fixtures


def test_with_fewer_agents_than_seats_every_agent_is_in_every_group() -> None:
    assert groups_of(plan_of("random", "greedy")) == [
        ["greedy", "greedy", "random"],
        ["greedy", "random", "random"],
    ]
    four = topple.load("chain-reaction", "grid:2x3", compiled=False, players=4)
    assert len(groups_of(plan_of("random", "greedy", games=(four,)))) == 3


def seated(plan: Plan) -> dict[tuple[str, int], tuple[object, ...]]:
    """What fixes each game, by its key."""
    return {
        fixture.key: (
            plan.games[fixture.game].spec,
            *(plan.agents[seat].spec for seat in fixture.seats),
            fixture.opening,
            fixture.seed,
        )
        for fixture in plan.fixtures()
    }


@pytest.mark.parametrize("agents", [AGENTS, AGENTS[:3], AGENTS[:2]])
def test_every_agent_sits_in_every_seat_equally_often(agents: tuple[str, ...]) -> None:
    plan = plan_of(*agents, n_games=12)
    fixtures = list(plan.fixtures())
    assert len(fixtures) == plan.n_fixtures == len(plan.groups) * 12
    places = Counter((seat, agent) for each in fixtures for seat, agent in enumerate(each.seats))
    for agent in range(len(agents)):
        assert len({places[seat, agent] for seat in range(3)}) == 1
    rounds: dict[str, list[Fixture]] = {}
    for fixture in fixtures:
        rounds.setdefault(fixture.pair, []).append(fixture)
    for games in rounds.values():
        assert [each.side for each in games] == [0, 1, 2]
        assert len({each.opening for each in games}) == 1
        table = games[0].seats
        assert [each.seats for each in games] == [
            table,
            table[2:] + table[:2],
            table[1:] + table[:1],
        ]


def test_every_agent_moves_after_each_other_one_equally_often() -> None:
    followed = Counter(
        (fixture.seats[seat - 1], fixture.seats[seat])
        for fixture in plan_of(n_games=12).fixtures()
        for seat in range(3)
    )
    assert set(followed.values()) == {6}
    assert len(followed) == 6
    orders = {around_table((1, 2, 3, 4), number) for number in range(6)}
    assert len(orders) == 6
    assert around_table((5, 6), 1) == (5, 6)


def test_a_part_of_the_rotations_is_played_when_games_do_not_suffice() -> None:
    for n_games in (1, 2, 4, 5):
        plan = plan_of(n_games=n_games)
        fixtures = list(plan.fixtures())
        assert len(fixtures) == n_games
        assert fixtures[n_games // 3 * 3 :][0].seats[0] == 0  # who was named first begins
        assert {each.key for each in fixtures} <= set(plan_of(n_games=6).game_keys())
        assert list(plan.game_keys()) == [each.key for each in fixtures]


def test_a_game_does_not_change_with_what_else_is_played() -> None:
    few = seated(plan_of(*AGENTS[:3], n_games=6))
    assert few == seated(plan_of(*AGENTS[2::-1], n_games=6))
    assert few.items() <= seated(plan_of(*AGENTS[::-1], n_games=9)).items()


def test_keys_are_the_same_for_all_time() -> None:
    assert next(iter(plan_of(n_games=3).fixtures())).key == ("6a4b210a5379b2c1b49128c5593d203d", 0)


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(BadText, match=r"^a sequential test is for two players$"):
        plan_of("random", "greedy", sprt=Sprt.parse("elo1=50"))
    with pytest.raises(BadText, match="agent random is named twice"):
        plan_of("random", "random")
    with pytest.raises(Unsupported, match="is for 2 players"):
        plan_of("random", "alphabeta:depth=1")
    many = [f"montecarlo:samples={n}" for n in range(1, 100)]
    with pytest.raises(Unsupported, match="more than 100,000 groups of 3: name fewer agents"):
        plan_of(*many)


def played(plan: Plan, path: Path | None = None, n_workers: int = 1) -> list[PlayedGame]:
    """The games of a plan, by way of a store."""
    with open_store(path) as store:
        PlanRun(plan, store).play(WorkerPool(plan, n_workers))
        return list(store.games())


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[PlayedGame]]:
    """A store with games of three players and, beside them, some of two."""
    path = tmp_path_factory.mktemp("groups") / "results.db"
    two = topple.load("hex", "hex:3", compiled=False)
    with open_store(path) as store:
        plan = plan_of("random", "greedy", games=(two,), n_games=2)
        PlanRun(plan, store).play(WorkerPool(plan, 1))
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    return path, played(plan_of(n_games=6), path)


def test_stored_games_are_those_that_were_played(
    games: tuple[Path, list[PlayedGame]],
) -> None:
    path, stored = games
    three = [game for game in stored if len(game.participants) == 3]
    assert (len(three), len(stored)) == (6, 8)
    plan = plan_of(n_games=6)
    fixtures = {fixture.key: fixture for fixture in plan.fixtures()}
    for game in three:
        fixture = fixtures[game.pair, game.side]
        assert game.record.players == tuple(plan.agents[seat].spec for seat in fixture.seats)
        assert [part.agent for part in game.participants] == [
            plan.agents[seat].NAME for seat in fixture.seats
        ]
        own = [part.moves for part in game.participants]
        assert sum(own) == len(game.record.moves) - game.record.opening
        last = game.record.replay(compiled=False)
        assert last.returns() == game.record.result
    with open_store(path, read_only=True) as store:
        assert store.most_players() == 3
        results = list(store.results())
        assert [store.game(each.pair, each.side) for each in results] == stored
        named = {(each.pair, each.side): each.result("chain-reaction:players=3") for each in three}
        assert [each for each in results if len(each.agents) == 3] == list(named.values())
        assert len(list(planned_results(plan, store))) == 6
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT pair, side, first, second FROM results").fetchall()
    assert {(pair, side): (one, two) for pair, side, one, two in rows} == {
        (each.pair, each.side): each.agents[:2] for each in results
    }


def test_games_that_are_removed_take_their_seats_with_them(tmp_path: Path) -> None:
    plan = plan_of(n_games=3)
    before = played(plan, tmp_path / "results.db")
    with open_store(tmp_path / "results.db") as store:
        keys = [(game.pair, game.side) for game in before[:2]]
        assert store.remove(keys) == 2
        assert store.add(before) == 2
        assert store.add(before) == 0
        assert list(store.games()) == before
        assert store.remove([(game.pair, game.side) for game in before]) == 3
    with sqlite3.connect(tmp_path / "results.db") as connection:
        assert connection.execute("SELECT count(*) FROM further_seats").fetchone() == (0,)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("DELETE FROM further_seats", "it lacks a proper pair, side"),
        ("UPDATE further_seats SET seat = 3", "its seat 3 is not as topple stores it"),
        ("UPDATE further_seats SET moves = -1", "its seat 2 is not as topple stores it"),
        ("UPDATE further_seats SET moves = 'x'", "its seat 2 has a value of a wrong type"),
    ],
)
def test_damaged_seats_are_named(tmp_path: Path, change: str, error: str) -> None:
    path = tmp_path / "results.db"
    played(plan_of(n_games=3), path)
    with sqlite3.connect(path) as connection:
        connection.execute(change)
    with open_store(path) as store, pytest.raises(StoreError, match=error):
        list(store.games())


def test_exports_have_every_seat(games: tuple[Path, list[PlayedGame]]) -> None:
    stored = games[1]
    lines = list(jsonl_lines(stored, times=False))
    assert [Record.from_json(line) for line in lines] == [game.record for game in stored]
    head, *rows = csv_lines(stored, times=False, n_players=3)
    assert "third_return" in head.split(",")
    assert len(rows) == len(stored)
    two = [game for game in stored if len(game.participants) == 2]
    assert list(csv_lines(two)) == list(csv_lines(two, n_players=2))


def test_a_resumed_tournament_is_identical(tmp_path: Path) -> None:
    plan = plan_of(*AGENTS, n_games=4)
    whole = list(jsonl_lines(played(plan, tmp_path / "whole.db", 2), times=False))
    with open_store(tmp_path / "parts.db") as store:
        run = PlanRun(plan, store)
        run.play(OneByOne(WorkerPool(plan, 1)), stop=AfterSome(store, 5))
        assert store.n_games() == 5 < plan.n_fixtures
    again = list(jsonl_lines(played(plan, tmp_path / "parts.db"), times=False))
    assert again == whole


class OneByOne:
    """Hands over the games of a pool one by one, however many have ended at once."""

    def __init__(self, pool: WorkerPool) -> None:
        self.pool = pool

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Sheets, None, None]:
        with closing(self.pool.play(fixtures)) as arriving:
            for sheets in arriving:
                for sheet in sheets:
                    yield [sheet]


class AfterSome:
    """A sign to stop once a store has some games."""

    def __init__(self, store: object, n: int) -> None:
        self.store, self.n = store, n

    def is_set(self) -> bool:
        return self.store.n_games() >= self.n  # type: ignore[attr-defined, no-any-return]


CHANCY = """
from topple.arena.playing.run import PlanRun
from topple.arena.playing.worker_pool import WorkerPool
from topple.arena.store.store import open_store
from tests.arena.test_groups import chancy_plan

if __name__ == "__main__":
    plan = chancy_plan()
    with open_store({path!r}) as store:
        PlanRun(plan, store).play(WorkerPool(plan, 1))
"""


def chancy_plan() -> Plan:
    """Three players, and tokens that may not be taken."""
    game = topple.load("spread-it", "path:4", compiled=False, players=3, accept=0.7, tokens=3)
    return plan_of("random", "greedy", games=(game,), n_games=9, plies=1)


def test_killed_and_resumed_a_game_with_chance_for_three_has_the_same_games(
    tmp_path: Path,
) -> None:
    plan, path = chancy_plan(), tmp_path / "parts.db"
    whole = played(plan, tmp_path / "whole.db")
    run = subprocess.Popen([sys.executable, "-c", CHANCY.format(path=str(path))], cwd=ROOT)
    while stored_in(path) < 3 and run.poll() is None:
        time.sleep(0.01)
    assert run.poll() is None, "it ended before it could be killed"
    run.kill()
    run.communicate()
    assert 3 <= stored_in(path) < plan.n_fixtures
    assert list(jsonl_lines(played(plan, path), times=False)) == list(
        jsonl_lines(whole, times=False)
    )
    drawn: dict[int, set[str]] = {}
    for game in whole:
        assert game.record.replay(compiled=False).returns() == game.record.result
        draws = drawn.setdefault(game.opening_number, set())
        draws.add(" ".join(move.partition("~")[2] for move in game.record.moves[:3]))
    assert [len(draws) for draws in drawn.values()] == [1, 1, 1]
    assert len(set.union(*drawn.values())) == 3
    results = [game.result("spread-it") for game in whole]
    assert {len(result.winners) for result in results} > {1}  # some wins are shared


def stored_in(path: Path) -> int:
    """The games in a store, as long as it is one."""
    try:
        with open_store(path, create=False, read_only=True) as store:
            return store.n_games()
    except StoreError:
        return 0


def test_an_agent_that_fails_loses_and_the_others_share_the_win() -> None:
    made = topple.agent("random"), topple.agent("greedy"), unruly.AGENTS["fails-to-begin"]()
    game = topple.load("chain-reaction", "grid:2x3", compiled=False, players=3)
    plan = Plan((game,), made, n_games=3)
    for game_played in played(plan):
        loser = game_played.record.players.index("fails-to-begin")
        assert game_played.record.ending is not None
        assert (game_played.record.ending.by, game_played.record.ending.player) == ("crash", loser)
        result = game_played.result("chain-reaction:players=3")
        assert result.returns[loser] == -1.0
        assert result.winners == tuple(seat for seat in range(3) if seat != loser)


def test_a_report_has_every_agent_in_every_seat(
    games: tuple[Path, list[PlayedGame]], tmp_path: Path
) -> None:
    plan = plan_of(n_games=6)
    played(plan, tmp_path / "three.db")
    with open_store(tmp_path / "three.db", read_only=True) as store:
        findings = read_findings(store, "three.db", measure="degree")
    files = [path.name for path in write_report(findings, tmp_path / "out", ("svg",))]
    assert {"seats-1.svg", "ratings.svg", "choices-1.svg", "report.html"} <= set(files)
    assert "crosstable-1.svg" not in files
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    for words in ("what the seats are worth", '<th scope="col">third</th>', "Plackett"):
        assert words in page
    assert "crosstable" not in page
    data = tournament_data(findings.standings)
    contest = data["contests"][0]
    assert (contest["players"], contest["pairings"], data["games"]) == (3, [], 6)
    assert [seat["seat"] for seat in data["seats"]] == [1, 2, 3]
    assert sum(seat["elo"] for seat in data["seats"]) == pytest.approx(0, abs=0.05)
    for agent in contest["agents"]:
        seats = agent["groups"]["seats"]
        assert [seat["games"] for seat in seats] == [2, 2, 2]
        assert agent["groups"]["games"] == agent["games"] == 6
        low, high = agent["groups"]["score_interval"]
        assert 0 <= low <= agent["groups"]["score"] <= high <= 1
        assert agent["groups"]["return"] == pytest.approx(
            1.5 * agent["groups"]["score"] - 0.5, abs=1e-5
        )
    shown = standings_text(findings.standings)
    assert "won  shared  lost" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_store_of_different_numbers_of_players_has_ratings_for_each_contest(
    games: tuple[Path, list[PlayedGame]], tmp_path: Path
) -> None:
    with open_store(games[0], read_only=True) as store:
        findings = read_findings(store, "mixed.db", measure="degree")
    assert findings.standings.ratings() is None
    assert all(findings.standings.ratings(each) for each in findings.standings.contests)
    assert any("their numbers of players differ" in each for each in findings.cautions)
    shown = standings_text(findings.standings)
    assert "the first move is worth" in shown
    assert "what the seats are worth" in shown
    assert findings.standings.games == 8
    list(write_report(findings, tmp_path, ("svg",)))
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "what the seats are worth" in page
    assert {each["game"] for each in tournament_data(findings.standings)["contests"]} == {
        "hex",
        "chain-reaction:players=3",
    }


def test_choices_count_the_moves_of_all_seats(games: tuple[Path, list[PlayedGame]]) -> None:
    three = [game for game in games[1] if len(game.participants) == 3]
    choices = Choices(three)
    (contest,) = choices.contests
    for agent in choices.agents(contest):
        everywhere = choices.shares(contest, agent, "all")
        seats = [choices.shares(contest, agent, seat) for seat in ("first", "second", "third")]
        assert [each.games for each in seats] == [2, 2, 2]
        assert everywhere.games == 6
        assert everywhere.moves == sum(each.moves for each in seats)
        own = [
            part.moves
            for game in three
            for name, part in zip(game.record.players, game.participants, strict=True)
            if name == agent
        ]
        assert everywhere.moves == sum(own)


def test_rounds_that_repeat_others_add_no_information() -> None:
    def results(n: int) -> Standings:
        standings = Standings()
        for opening, side in product(range(n), range(3)):
            seats = ("a", "b", "c")[3 - side :] + ("a", "b", "c")[: 3 - side]
            returns = tuple(1.0 if agent == "a" else -0.5 for agent in seats)
            standings.add(
                made_up_result(
                    agents=seats,
                    returns=returns,
                    pair=f"{opening:032x}",
                    side=side,
                    opening_number=opening,
                    moves_digest=f"{side}",
                )
            )
        return standings

    one, many = results(1), results(50)
    assert many.total().effective_games == 3
    assert many.total().games == 150
    assert any("only 3 of 150 games are different" in each for each in cautions(many, NAMES))
    both = [each.group_results() for each in (one, many)]
    scores = [found.score("a") for found in both if found is not None]
    assert scores[0] == pytest.approx(scores[1])
    ratings = [each.ratings() for each in (one, many)]
    elos = [found.rows[0].elo for found in ratings if found is not None]
    assert elos[0] == pytest.approx(elos[1], rel=1e-6)


NAMES = {"a": "A", "b": "B", "c": "C"}


def test_the_command_line_plays_three_and_refuses_what_is_for_two(tmp_path: Path) -> None:
    words = ("chain-reaction:players=3", "random", "greedy", "--board", "grid:2x3")
    ran = run_topple("match", *words, "--games", "3", "--workers", "1")
    assert ran.status == 0, ran.err
    assert "chain-reaction:players=3 on grid:2x3: 6 games" in ran.out
    assert_fits_80_columns(ran.out)
    ran = run_topple("match", *words, "--sprt", "elo0=0,elo1=30")
    assert_one_line_refusal(ran)
    assert "a sequential test is for two players" in ran.err
    with pytest.raises(Unsupported, match=r"a match is for two players.*use topple\.tournament"):
        topple.match(three_players(), "random", "greedy")
