"""Playing a plan: what becomes of flags and arguments, what is stored, and what is added up."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import topple
from tests.arena.invented import made_up_result
from tests.arena.test_settings import SETTINGS, everything_of
from tests.core.command_line import topple as run
from topple.arena import api
from topple.arena.planning.plan import Fixture, Limits, Plan
from topple.arena.planning.settings import plan_of
from topple.arena.playing.game import Costs, Scoresheet
from topple.arena.playing.run import (
    PlanRun,
    planned_results,
    play_plan,
    played_game,
    store_sheets,
)
from topple.arena.report.data import tournament_data
from topple.arena.statistics.sprt import Sprt
from topple.arena.statistics.standings import Standings
from topple.arena.store.played import Result
from topple.arena.store.store import Store, open_store
from topple.core.errors import ToppleError
from topple.game.game import Game, load
from topple.game.record import Ending


def hexes(board: str = "hex:3") -> Game:
    return load("hex", board, compiled=False)


FIXTURE = Fixture("5" * 32, 0, 0, (0, 1), (8, 7), 3)


def test_a_run_notes_its_settings_in_the_store() -> None:
    class Nobody:
        """Plays nothing."""

        def play(self, fixtures: object) -> Iterator[list[object]]:
            yield from ()

    with open_store(None) as store:
        play_plan(plan_of(SETTINGS), store, Nobody())  # type: ignore[arg-type]
        assert [settings for _, settings, _ in store.tournaments()] == [SETTINGS]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """The plans that would have been played."""
    plans: list[Plan] = []

    def keep(plan: Plan, *_: object, **__: object) -> None:
        plans.append(plan)
        raise ToppleError("enough")

    for command in ("match", "tournament"):
        monkeypatch.setattr(f"topple.cli.commands.{command}.play_with_progress", keep)
    monkeypatch.setattr(api, "play_plan", keep)
    return plans


FLAGS = ("--games", "7", "--seed", "5", "--plies", "3", "--move-time", "1.5", "--game-time", "20")


def test_flags_become_a_plan(asked: list[Plan]) -> None:
    run("match", "hex", "random", "greedy", "--board", "hex:3", *FLAGS)
    run("match", "hex", "random", "greedy", "--board", "hex:3", "--sprt", "elo1=50")
    run(
        "tournament",
        "--game",
        "hex",
        "--board",
        "hex:3",
        "--agent",
        "random",
        "--agent",
        "greedy",
        "--agent",
        "uct",
        *FLAGS,
        "--gauntlet",
    )
    agents, games = ["random", "greedy"], [("hex", "hex:3")]
    limits = Limits(1.5, 20.0)
    assert [everything_of(plan) for plan in asked] == [
        [7, 5, 3, False, limits, None, agents, games],
        [20_000, 1, 2, False, Limits(), Sprt(0, 50), agents, games],
        [7, 5, 3, True, limits, None, [*agents, "uct"], games],
    ]


def test_arguments_become_a_plan(asked: list[Plan]) -> None:
    options = {"games": 7, "seed": 5, "plies": 3, "move_time": 1.5, "game_time": 20.0}
    with pytest.raises(ToppleError, match="enough"):
        api.tournament([hexes()], ["random", topple.agent("greedy")], gauntlet=True, **options)
    with pytest.raises(ToppleError, match="enough"):
        api.match(hexes(), "random", "greedy", sprt="elo1=50", **options)
    agents, games, limits = ["random", "greedy"], [("hex", "hex:3")], Limits(1.5, 20.0)
    assert [everything_of(plan) for plan in asked] == [
        [7, 5, 3, True, limits, None, agents, games],
        [7, 5, 3, False, limits, Sprt(0, 50), agents, games],
    ]


def test_a_match_is_seen_by_the_agent_that_is_named_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whichever of the two the pairing names first."""
    won = [
        made_up_result(agents=("greedy", "random"), pair="1", returns=(1.0, -1.0)),
        made_up_result(agents=("random", "greedy"), pair="1", side=1, returns=(-1.0, 1.0)),
    ]
    run = SimpleNamespace(standings=Standings(won))
    monkeypatch.setattr(api, "play_plan", lambda *_, **__: run)
    assert api.match(hexes(), "greedy", "random").pairs.tally == (2, 0, 0)
    assert api.match(hexes(), "random", "greedy").pairs.tally == (0, 0, 2)


SHEET = Scoresheet(
    ("c3", "b3", "a1"),
    (1.0, -1.0),
    "b failed",
    Ending("crash", 1, "boom"),
    (Costs(1, 2.0, 30, 4), Costs(5, 6.0, 70, 8)),
    "2026-01-02T03:04:05+00:00",
    9.0,
    (2.0,),
)


@pytest.mark.parametrize("side", [0, 1])
def test_a_game_is_stored_with_all_that_the_sheet_and_the_plan_say(side: int) -> None:
    plan = plan_of({**SETTINGS, "agents": ["random", "uct:iterations=7"]})
    fixture = FIXTURE._replace(side=side, seats=(side, 1 - side))
    played = played_game(plan, fixture, SHEET)
    seats = ("random", "uct:iterations=7")[:: -1 if side else 1]
    record = played.record
    assert (played.pair, played.side, played.opening_number) == ("5" * 32, side, 3)
    assert (played.tournament_seed, record.seed) == (5, fixture.seed)
    assert (record.players, record.moves, record.opening) == (seats, SHEET.moves, 2)
    assert (record.result, record.ending, played.reason) == (SHEET.result, SHEET.ending, "b failed")
    assert [part.agent for part in played.participants] == [
        seat.partition(":")[0] for seat in seats
    ]
    for part, costs in zip(played.participants, SHEET.costs, strict=True):
        assert (part.moves, part.seconds, part.simulations, part.nodes) == costs
    assert (played.began, played.seconds, played.move_seconds) == SHEET[5:]
    broken = played_game(plan, fixture, SHEET._replace(moves=SHEET.moves[:1]))
    assert broken.record.opening == 1  # it ended within its opening


def test_results_of_a_plan_leave_out_those_of_others() -> None:
    plan = plan_of({**SETTINGS, "gauntlet": False})
    results = [
        made_up_result(
            game=plan.games[fixture.game].spec,
            board=plan.games[fixture.game].board.spec,
            board_digest=plan.games[fixture.game].board.digest,
            agents=tuple(plan.agents[seat].spec for seat in fixture.seats),
            pair=fixture.pair,
            side=side,
            opening_number=fixture.opening_number,
        )
        for fixture in plan.fixtures()
        for side in ((0, 1) if fixture.opening_number == 3 else (fixture.side,))
    ]
    others = [
        results[0]._replace(pair="e" * 32),
        results[0]._replace(opening_number=4),
        results[0]._replace(agents=("random", "somebody")),
        results[0]._replace(game="chain-reaction"),
        results[0]._replace(board_digest="0" * 16),
    ]

    class Given:
        """A store with these results and some of other plans."""

        def results(self, *_: object) -> Iterator[Result]:
            yield from [*others, *results]

    found = list(planned_results(plan, Given()))  # type: ignore[arg-type]
    assert {(each.pair, each.side) for each in found} == {each.key for each in plan.fixtures()}
    assert len(found) == plan.n_fixtures == 2 * 3 * 7


class Foretold:
    """A backend whose games all end as the agent that was named first is told, at once."""

    def __init__(self, plan: Plan, outcomes: str) -> None:
        self.plan, self.outcomes = plan, outcomes

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[list[tuple[Fixture, Scoresheet]]]:
        """Every game in one go."""
        returns = {"W": 1.0, "D": 0.0, "L": -1.0}
        sheets = []
        for fixture in fixtures:
            seat = fixture.seats.index(0)
            own = returns[self.outcomes[seat]]
            result = (own, -own) if seat == 0 else (-own, own)
            moves = tuple(map(self.plan.games[0].move_text, fixture.opening))
            sheets.append((fixture, SHEET._replace(moves=moves, result=result, ending=None)))
        yield sheets


@pytest.mark.parametrize("agents", [("greedy", "random"), ("random", "greedy")])
@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ("WW", "the first agent is better: elo1 holds"),
        ("LL", "the first agent is not better: elo0 holds"),
        ("WL", "the first agent is not better: elo0 holds"),
    ],
)
def test_a_decided_test_tells_of_the_games_that_decided_it(
    agents: tuple[str, str],
    outcomes: str,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All 60 games have come when it stops; those that it did not look at are taken back."""
    monkeypatch.setattr(
        "topple.cli.terminal.tournament_run.make_backend",
        lambda _, plan, *__: Foretold(plan, outcomes),
    )
    monkeypatch.setattr("topple.arena.playing.run.compile_plan", lambda *_: None)
    db = tmp_path / "results.db"
    match = ("match", "hex", *agents, "--board", "hex:4", "--games", "60", "--sprt", "elo1=300")
    ran = run(*match, "--db", str(db))
    assert ran.status == 0, ran.err
    assert words in " ".join(ran.out.split())
    with open_store(db, read_only=True) as store:
        n_games = store.n_games()
    assert 0 < n_games < 60
    assert n_games % 2 == 0
    assert f"hex on hex:4: {n_games} games" in ran.out
    told = json.loads(run(*match, "--db", str(db), "--json").out)
    assert told["games"] == n_games
    assert told["wins"] == outcomes.count("W") * n_games / 2
    assert told["sprt"]["verdict"] == ("H1" if outcomes == "WW" else "H0")


class Counted:
    """A store that counts how often its results are read."""

    def __init__(self, store: Store) -> None:
        self.store, self.n_readings = store, 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)

    def results(self, *arguments: object) -> Iterator[Result]:
        """Count a reading."""
        self.n_readings += 1
        return self.store.results(*arguments)  # type: ignore[arg-type]


def four_games() -> Plan:
    return Plan((hexes("hex:4"),), tuple(map(topple.agent, ("greedy", "random"))), n_games=4)


def test_standings_are_read_once_and_then_kept_up_to_date(tmp_path: Path) -> None:
    plan, seen = four_games(), []
    with open_store(tmp_path / "results.db") as store:
        counted = Counted(store)
        run = PlanRun(plan, counted)  # type: ignore[arg-type]
        run.play(
            Foretold(plan, "WW"), lambda standings, new: seen.append((standings.games, len(new)))
        )
        assert counted.n_readings == 1
        assert seen == [(0, 0), (4, 4)]
        assert run.is_done
        assert tournament_data(run.standings) == tournament_data(Standings(store.results()))


def test_games_that_another_process_plays_meanwhile_count_too(tmp_path: Path) -> None:
    plan, db = four_games(), tmp_path / "results.db"

    class Shared(Foretold):
        """Another process plays the first two games before this one begins."""

        def play(self, fixtures: Iterable[Fixture]) -> Iterator[list[tuple[Fixture, Scoresheet]]]:
            """Play the others."""
            [sheets] = super().play(fixtures)
            with open_store(db) as other:
                store_sheets(plan, other, sheets[:2])
            yield sheets[2:]

    with open_store(db) as store:
        run = PlanRun(plan, store)
        run.play(Shared(plan, "WW"))  # type: ignore[arg-type]
        assert run.standings.games == 4
        assert run.is_done


def test_nothing_is_compiled_when_nothing_is_left_to_play(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[Plan] = []
    monkeypatch.setattr(
        "topple.arena.playing.run.compile_plan", lambda plan, *_: compiled.append(plan)
    )
    plan = four_games()
    with open_store(None) as store:
        play_plan(plan, store, Foretold(plan, "WW"))  # type: ignore[arg-type]
        assert compiled == [plan]
        play_plan(plan, store, Foretold(plan, "WW"))  # type: ignore[arg-type]
        assert compiled == [plan]
