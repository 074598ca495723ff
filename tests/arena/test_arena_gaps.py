"""The arena's small promises: seeds, clocks, costs, settings and the order of a test."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from math import inf
from pathlib import Path
from random import Random

import pytest

import topple
from tests.arena.invented import made_up_result
from tests.arena.played_games import some_games
from tests.arena.unruly import Once
from tests.core.command_line import topple as run
from topple.agents import Agent, Decision, Effort, Search
from topple.arena import api
from topple.arena.planning.openings import openings
from topple.arena.planning.plan import Fixture, Limits, Plan
from topple.arena.planning.settings import plan_of
from topple.arena.playing.game import MOST_PLIES, Costs, Scoresheet, play_fixture
from topple.arena.playing.run import planned_results, played_game, run_plan
from topple.arena.playing.sequential import SequentialMatch
from topple.arena.playing.shared_status import Desk
from topple.arena.playing.worker_pool import Hall
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.ratings import fit_ratings
from topple.arena.statistics.sprt import Sprt
from topple.arena.store.lookup_tables import game_spec
from topple.arena.store.played import Result
from topple.arena.store.store import open_store
from topple.compiling.rng import make_rng
from topple.core.errors import ToppleError, Unsupported
from topple.game.game import Game, load
from topple.game.position import Position
from topple.game.record import Ending


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def at_once() -> None:
    """Think no time at all."""


class Noting(Agent):
    """Plays the first legal move, and notes the seeds that it is given."""

    NAME, SUMMARY = "noting", "notes what it is given"

    def __init__(self, effort: Effort = Effort(), think: Callable[[], None] = at_once) -> None:  # noqa: B008
        super().__init__()
        self.effort, self.think_so_long = effort, think
        self.seeds: list[int] = []

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Decide at once, however long that takes."""
        self.seeds.append(seed)
        move = position.legal_moves()[0]
        self.think_so_long()
        return Once(lambda: Decision(move, 0.0, (), (move,), self.effort))

    def warm(self, game: Game) -> None:
        """There is nothing to compile."""


FIXTURE = Fixture("5" * 32, 0, 0, (0, 1), (8, 7), 3)


def hexes(board: str = "hex:3") -> Game:
    return load("hex", board, compiled=False)


def play(*agents: Agent, limits: Limits = Limits(), game: Game | None = None) -> Scoresheet:  # noqa: B008
    first, second = agents
    return play_fixture(game or hexes(), (first, second), FIXTURE, limits, Desk(MOST_PLIES))


# Plans.


def test_the_plans_seed_decides_its_openings() -> None:
    agents = topple.agent("random"), topple.agent("greedy")
    for seed in (1, 2):
        plan = Plan((hexes(),), agents, n_games=12, seed=seed)
        drawn = [fixture.opening for fixture in plan.fixtures() if fixture.side == 0]
        assert drawn == [opening.moves for opening in islice(openings(hexes(), seed), 6)]


def test_openings_on_like_boards_are_drawn_apart() -> None:
    """The moves are the same, and nothing else is: each has openings of its own."""
    alike = [
        ("spread-it", "path:8"),
        ("spread-it", "cycle:8"),
        ("spread-it:loyalty=full", "path:8"),
    ]
    drawn = [
        tuple(opening.moves for opening in islice(openings(load(*each, compiled=False), 1), 10))
        for each in alike
    ]
    assert len(set(drawn)) == 3


SETTINGS = {
    "agents": ["uct:iterations=7", "random", "greedy"],
    "games": 7,
    "seed": 5,
    "plies": 3,
    "gauntlet": True,
    "move-time": 1.5,
    "game-time": 20.0,
    "contests": [{"game": "hex", "board": "hex:3"}, {"game": "hex:swap=true", "board": "hex:4"}],
}


def everything_of(plan: Plan) -> list[object]:
    return [
        plan.n_games,
        plan.seed,
        plan.plies,
        plan.gauntlet,
        plan.limits,
        plan.sprt,
        [agent.spec for agent in plan.agents],
        [(game.spec, game.board.spec) for game in plan.games],
    ]


def test_settings_are_all_of_a_plan() -> None:
    plan = plan_of(SETTINGS)
    assert everything_of(plan) == [
        7,
        5,
        3,
        True,
        Limits(1.5, 20.0),
        None,
        SETTINGS["agents"],
        [("hex", "hex:3"), ("hex:swap=true", "hex:4")],
    ]
    assert plan.settings() == SETTINGS
    match = {**SETTINGS, "agents": ["random", "greedy"], "contests": SETTINGS["contests"][:1]}
    test = plan_of(match | {"sprt": "elo1=50"})
    assert test.sprt == Sprt(0, 50)
    assert everything_of(plan_of(test.settings())) == everything_of(test)


def test_a_run_notes_its_settings_in_the_store() -> None:
    class Nobody:
        """Plays nothing."""

        def play(self, fixtures: object) -> Iterator[list[object]]:
            yield from ()

    with open_store(None) as store:
        run_plan(plan_of(SETTINGS), store, Nobody())  # type: ignore[arg-type]
        assert [settings for _, settings, _ in store.tournaments()] == [SETTINGS]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """The plans that would have been played."""
    plans: list[Plan] = []

    def keep(plan: Plan, *_: object) -> None:
        plans.append(plan)
        raise ToppleError("enough")

    monkeypatch.setattr("topple.cli.terminal.tournament_run.play_plan", keep)
    monkeypatch.setattr(api, "run_plan", keep)
    monkeypatch.setattr(api, "warm_up", lambda _: None)
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
    monkeypatch.setattr(api, "run_plan", lambda *_: True)
    monkeypatch.setattr(api, "warm_up", lambda _: None)
    monkeypatch.setattr(api, "planned_results", lambda *_: iter(won))
    assert api.match(hexes(), "greedy", "random").pairs.tally == (2, 0, 0)
    assert api.match(hexes(), "random", "greedy").pairs.tally == (0, 0, 2)


# One game.


def test_every_move_has_a_seed_of_its_own_made_of_game_seat_and_ply() -> None:
    agents = Noting(), Noting()
    sheet = play(*agents)
    n = len(sheet.moves)
    for seat, agent in enumerate(agents):
        begun = int(make_rng(FIXTURE.seed, seat)[0])
        assert agent.seeds == [int(make_rng(begun, ply)[0]) for ply in range(2 + seat, n, 2)]


def test_each_seats_costs_are_those_of_its_own_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("topple.arena.playing.game.perf_counter", clock)

    def wait(seconds: float) -> Callable[[], None]:
        return lambda: setattr(clock, "now", clock.now + seconds)

    sheet = play(Noting(Effort(10, 3), wait(2.0)), Noting(Effort(7, 1), wait(0.5)))
    own = len(sheet.moves) - 2
    first, second = own - own // 2, own // 2
    assert sheet.costs == (
        Costs(first, 2.0 * first, 10 * first, 3 * first),
        Costs(second, 0.5 * second, 7 * second, second),
    )
    assert sheet.move_seconds == (2.0, 0.5) * second + (2.0,) * (first - second)
    assert sheet.seconds == 2.0 * first + 0.5 * second


@pytest.mark.parametrize("guilty", [0, 1])
@pytest.mark.parametrize(
    ("limits", "seconds", "n_moves", "detail"),
    [
        (Limits(1.0, 100.0), 1.2, 0, "no move within 1 s"),
        (Limits(1.0, 100.0), 1.05, None, ""),  # forgiven
        (Limits(60.0, 5.0), 2.0, 2, "no move within 1 s"),
        (Limits(60.0, 4.0), 2.0, 2, "no move within 0 s"),
        (Limits(60.0, 3.95), 2.0, 2, "no move within 0 s"),  # forgiven once, not twice
        (Limits(60.0), 50.0, None, ""),  # nobody adds them up
    ],
)
def test_clocks_run_for_a_move_and_for_the_game(
    guilty: int,
    limits: Limits,
    seconds: float,
    n_moves: int | None,
    detail: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    monkeypatch.setattr("topple.arena.playing.game.perf_counter", clock)
    slow = Noting(think=lambda: setattr(clock, "now", clock.now + seconds))
    agents = (slow, Noting()) if guilty == 0 else (Noting(), slow)
    sheet = play(*agents, limits=limits, game=hexes("hex:4"))
    if n_moves is None:
        assert sheet.ending is None
        return
    assert sheet.ending == Ending("time", guilty, detail)
    assert sheet.result[guilty] == -1.0 == -sheet.result[1 - guilty]
    assert sheet.costs[guilty].moves == n_moves
    assert len(sheet.moves) == 2 + 2 * n_moves + guilty  # the late move is not played


def test_no_clock_runs_while_an_agent_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("topple.arena.playing.game.perf_counter", clock)

    class Heavy(Noting):
        """Takes its time to load, once."""

        is_loaded = False

        def warm(self, game: Game) -> None:
            """Load a large model."""
            clock.now += 0.0 if self.is_loaded else 100.0
            self.is_loaded = True

    sheet = play(Heavy(), Heavy(), limits=Limits(1.0, 5.0))
    assert sheet.ending is None
    assert [costs.seconds for costs in sheet.costs] == [0.0, 0.0]


def test_the_desk_shows_the_game_under_way_and_no_other() -> None:
    desk = Desk(MOST_PLIES)
    seen: list[tuple[int, tuple[int, ...]]] = []

    def look() -> None:
        thinking = desk.thinking()
        assert thinking is not None
        seen.append((thinking.seat, thinking.moves))

    for _ in range(2):
        seen.clear()
        sheet = play_fixture(
            hexes(), (Noting(think=look), Noting(think=look)), FIXTURE, Limits(), desk
        )
        moves = tuple(map(hexes().parse_move, sheet.moves))
        assert seen == [(ply % 2, moves[:ply]) for ply in range(2, len(moves))]
        thinking = desk.thinking()
        assert thinking is not None
        assert thinking.deadline == inf  # nobody is to move
    desk.begin()
    assert desk.thinking() is None


def test_a_game_without_end_is_cut_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topple.arena.playing.game.MOST_PLIES", 5)
    sheet = play(Noting(), Noting())
    assert sheet.ending == Ending("length", None, "not over after 5 plies")
    assert (len(sheet.moves), sheet.result) == (5, (0.0, 0.0))


def test_a_move_beyond_all_bounds_is_nobodys_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    really = Position.play

    def bounded(self: Position, move: int | str) -> Position:
        if len(self.legal_moves()) < 6:
            raise Unsupported("the cascade does not end")
        return really(self, move)

    monkeypatch.setattr(Position, "play", bounded)
    sheet = play(Noting(), Noting())
    assert sheet.ending == Ending("length", None, "Unsupported: the cascade does not end")
    assert (len(sheet.moves), sheet.result) == (4, (0.0, 0.0))


# Workers.


class DiesOnce(Noting):
    """Takes its process down the first time, as a lack of memory would."""

    NAME, SUMMARY = "dies-once", "ends its process the first time"

    def __init__(self, note: Path) -> None:
        super().__init__()
        self.note = note

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Play on, unless it is the first time."""
        if not self.note.exists():
            self.note.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().search(position, seed)


def test_a_game_that_ends_its_worker_once_is_played_again(tmp_path: Path) -> None:
    agents = DiesOnce(tmp_path / "died"), Noting()
    plan = Plan((hexes(),), agents, n_games=2)
    sheets = [sheet for some in Hall(plan, 1).play(plan.fixtures()) for _, sheet in some]
    assert (tmp_path / "died").exists()
    assert [sheet.ending for sheet in sheets] == [None, None]


NOISY = """
from topple import register_agent
from topple.agents.random import Random

@register_agent
class Noisy(Random):
    \"\"\"Talks while it thinks.\"\"\"

    NAME, SUMMARY = "noisy", "talks while it thinks"

    def search(self, position, seed, memory=None):
        print("hmm")
        return super().search(position, seed, memory)
"""


def test_what_agents_print_does_not_mix_with_results(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(NOISY, "utf-8")
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "topple",
            "--import",
            str(tmp_path / "noisy.py"),
            "match",
            "hex",
            "noisy",
            "random",
            "--board",
            "hex:3",
            "--games",
            "2",
            "--json",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout)["games"] == 2
    assert "hmm" in ran.stderr


# What is stored of a game.

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


def test_results_of_games_just_played_are_those_that_a_store_tells() -> None:
    games = some_games()
    games += [
        replace(
            game,
            pair=game.pair[::-1],
            participants=(
                replace(game.participants[0], moves=3, seconds=0.25, simulations=5, nodes=11),
                game.participants[1],
            ),
        )
        for game in games
    ]
    with open_store(None) as store:
        store.add(games)
        stored = {(result.pair, result.side): result for result in store.results()}
    for game in games:
        spec = game_spec(game.record.game, game.record.options)
        assert game.result(spec) == stored[game.pair, game.side]


def test_games_that_differ_in_options_or_costs_alone_come_back_as_they_were(
    tmp_path: Path,
) -> None:
    """On one board, by one pair of agents, in one batch."""
    base = some_games()[0]
    first, second = base.participants
    games = [
        replace(
            base,
            pair=f"{number:032x}",
            record=replace(base.record, options={"swap": bool(number % 2)}),
            participants=(
                replace(first, moves=number, nodes=10 + number, simulations=20 + number),
                replace(second, moves=30, nodes=number, simulations=40, seconds=0.5),
            ),
            move_seconds=(number + 0.001, number / 1000 + 0.000029, 0.000001 * number),
        )
        for number in range(20)
    ]
    with open_store(tmp_path / "results.db") as store:
        store.add(games)
    with open_store(tmp_path / "results.db", read_only=True) as store:
        found = {game.pair: game for game in store.games()}
    for game in games:
        again = found[game.pair]
        assert again.record.options == game.record.options
        assert again.participants == game.participants
        assert again.move_seconds == pytest.approx(game.move_seconds, abs=1e-9)


def test_the_view_of_results_has_the_agents_in_their_seats(tmp_path: Path) -> None:
    games = some_games()
    with open_store(tmp_path / "results.db") as store:
        store.add(games)
    with closing(sqlite3.connect(tmp_path / "results.db")) as connection:
        rows = connection.execute("SELECT pair, side, first, second, first_return FROM results")
        told = {(pair, side): rest for pair, side, *rest in rows}
    assert told == {
        (game.pair, game.side): [*game.record.players, (game.record.result or ())[0]]
        for game in games
    }


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


# Sequential tests.


def sequential(*agents: str, n_games: int = 200) -> Plan:
    made = tuple(map(topple.agent, agents))
    return Plan((hexes("hex:4"),), made, n_games=n_games, sprt=Sprt(0, 200))


def results_of(plan: Plan, outcomes: Callable[[int], str], repeat: str = "") -> list[Result]:
    """A result for every fixture; letters are those of the agent that was named first.

    Pairs that end as `repeat` are all the same, move for move.
    """
    returns = {"W": 1.0, "D": 0.0, "L": -1.0}
    specs = [agent.spec for agent in plan.agents]
    found = []
    for fixture in plan.fixtures():
        pair = outcomes(fixture.opening_number)
        seat = fixture.seats.index(0)
        own = returns[pair[seat]]
        found.append(
            made_up_result(
                agents=tuple(specs[each] for each in fixture.seats),
                pair=fixture.pair,
                side=fixture.side,
                opening_number=fixture.opening_number,
                returns=(own, -own) if seat == 0 else (-own, own),
                moves_digest=f"{'same' if pair == repeat else fixture.opening_number} {seat}",
            )
        )
    return found


class Results:
    """A store of results."""

    def __init__(self, results: list[Result]) -> None:
        self.given = results

    def results(self) -> Iterator[Result]:
        return iter(self.given)


def begun(plan: Plan, results: list[Result] | None = None) -> SequentialMatch:
    return SequentialMatch(plan, Results(results or []))  # type: ignore[arg-type]


@pytest.mark.parametrize("agents", [("greedy", "random"), ("random", "greedy")])
def test_a_test_is_about_the_agent_that_was_named_first(agents: tuple[str, str]) -> None:
    plan = sequential(*agents)
    for outcomes, verdict in (("WD", "H1"), ("LD", "H0"), ("LL", "H0"), ("WW", "H1")):
        test = begun(plan, results_of(plan, lambda _, both=outcomes: both))
        assert test.verdict == verdict
        assert test.pairs.counts == {tuple(outcomes): test.n_pairs}


def test_the_order_in_which_games_end_does_not_move_the_end_of_a_test() -> None:
    plan = sequential("greedy", "random")
    # Begun badly: whoever looked at later games first would decide earlier.
    results = results_of(plan, lambda n: "LW" if n < 4 else "WW")
    whole = begun(plan, results)
    assert whole.verdict == "H1"
    assert whole.n_pairs > 8
    for seed in range(5):
        mixed = Random(seed).sample(results, len(results))
        test, verdicts = begun(plan, mixed[:7]), []
        for start in range(7, len(mixed), 5):
            verdicts.append(test.add(mixed[start : start + 5]))
        assert (test.verdict, test.n_pairs, test.pairs) == (
            whole.verdict,
            whole.n_pairs,
            whole.pairs,
        )
        assert test.superfluous() == whole.superfluous()
        assert verdicts[0] is None
    backwards = begun(plan)
    assert backwards.add(results[2:]) is None  # the first pair may still say anything
    assert backwards.add(results[:1]) is None
    assert backwards.add(results[1:2]) == "H1"


def test_what_is_superfluous_begins_after_the_deciding_pair() -> None:
    plan = sequential("greedy", "random")
    results = results_of(plan, lambda _: "WW")
    test = begun(plan, results)
    keys = [fixture.key for fixture in plan.fixtures()]
    assert test.superfluous() == keys[2 * test.n_pairs :]
    assert begun(plan, results[: 2 * test.n_pairs]).verdict == "H1"
    one_less = begun(plan, results[: 2 * test.n_pairs - 1])
    assert (one_less.verdict, one_less.superfluous()) == (None, [])


def test_pairs_that_repeat_are_no_evidence_in_a_test() -> None:
    """They are scaled away, all results alike: to drop them would favour what varies."""
    plan = sequential("greedy", "random")
    same = begun(plan, results_of(plan, lambda _: "WW", repeat="WW"))
    assert (same.verdict, same.n_pairs, same.pairs.n_pairs) == (None, 100, 100)
    assert same.pairs.evidence == {("W", "W"): 1.0}
    mixed = begun(plan, results_of(plan, lambda n: "LL" if n % 2 else "WW", repeat="LL"))
    assert mixed.verdict == "H0"
    assert mixed.pairs.repeats == mixed.pairs.counts["L", "L"] - 1


def test_half_a_pair_at_the_end_is_not_looked_at() -> None:
    plan = sequential("greedy", "random", n_games=5)
    test = begun(plan, results_of(plan, lambda _: "WL"))
    assert (test.n_pairs, test.verdict) == (2, None)


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
        "topple.arena.playing.backends.make_backend", lambda _, plan, *__: Foretold(plan, outcomes)
    )
    monkeypatch.setattr("topple.arena.playing.run.compile_plan", lambda _: None)
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


# Ratings.


def test_every_group_that_never_met_another_has_the_mean_0() -> None:
    ratings = fit_ratings(
        {
            ("a", "b"): Pairs({("W", "W"): 20}),
            ("b", "c"): Pairs({("W", "L"): 20, ("W", "D"): 3}),
            ("d", "e"): Pairs({("L", "L"): 4, ("W", "L"): 5}),
            ("e", "f"): Pairs({("W", "W"): 30}),
            ("f", "g"): Pairs({("W", "W"): 2}),
        }
    )
    assert ratings.n_groups == 2
    elo = {row.agent: row.elo.value for row in ratings.rows}
    assert sum(elo[agent] for agent in "abc") == pytest.approx(0, abs=1e-6)
    assert sum(elo[agent] for agent in "defg") == pytest.approx(0, abs=1e-6)


# What is said.


def test_games_of_another_version_are_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from topple.cli.terminal.tournament_run import tell_of_versions

    game = some_games()[0]
    with open_store(tmp_path / "results.db") as store:
        store.add([game])
        tell_of_versions(store)
        assert capsys.readouterr().err == ""
        old = replace(game, pair="0" * 32, record=replace(game.record, version="0.0.9"))
        store.add([old])
        tell_of_versions(store)
    said = " ".join(capsys.readouterr().err.split())
    assert (
        f"the store has games of topple 0.0.9; what is missing is played by topple "
        f"{topple.__version__}" in said
    )
