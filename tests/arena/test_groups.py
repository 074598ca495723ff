"""Tournaments of more than two players: who meets whom, in which seats, and what is stored."""

import sqlite3
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

import topple
from topple.arena.planning.plan import Fixture, Plan, around_table
from topple.arena.playing.run import PlanRun, planned_results
from topple.arena.playing.worker_pool import WorkerPool
from topple.arena.report.export import csv_lines, jsonl_lines
from topple.arena.statistics.sprt import Sprt
from topple.arena.store.played import PlayedGame
from topple.arena.store.store import open_store
from topple.core.errors import BadText, StoreError, Unsupported
from topple.game.game import Game
from topple.game.record import Record

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
        with_a_break = WorkerPool(plan, 1)
        run.play(with_a_break, stop=AfterSome(store, 5))
        assert 5 <= store.n_games() < plan.n_fixtures
    again = list(jsonl_lines(played(plan, tmp_path / "parts.db"), times=False))
    assert again == whole


class AfterSome:
    """A sign to stop once a store has some games."""

    def __init__(self, store: object, n: int) -> None:
        self.store, self.n = store, n

    def is_set(self) -> bool:
        return self.store.n_games() >= self.n  # type: ignore[attr-defined, no-any-return]
