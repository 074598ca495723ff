"""Settings: a plan as plain data and as TOML, from which the same games are made again."""

import tomllib
from pathlib import Path

import networkx as nx
import pytest

import topple
from tests.arena.played_games import moves_of, played
from tests.core.command_line import assert_one_line_refusal
from tests.core.command_line import topple as command
from topple.arena.planning.plan import Limits, Plan
from topple.arena.planning.settings import plan_of, settings_text
from topple.arena.statistics.sprt import Sprt
from topple.arena.store.store import open_store
from topple.boards import Board, board_from_networkx, load_board
from topple.core.errors import BadBoard, BadText
from topple.game.record import Record

TWO = ("random", "greedy")


def plan(*agents: str, games: tuple[tuple[str, str | Board], ...], **more: object) -> Plan:
    """A plan of games with their boards."""
    loaded = tuple(topple.load(spec, board, compiled=False) for spec, board in games)
    return Plan(loaded, tuple(map(topple.agent, agents)), **{"n_games": 5, **more})  # type: ignore[arg-type]


PETERSEN = board_from_networkx(nx.petersen_graph())


PLANS = {
    "options": plan(
        "uct:iterations=20,c=0.7",
        "alphabeta:depth=2,evaluation=none",
        *TWO,
        games=(("hex:swap=true", "hex:3"), ("spread-it:loyalty=full", "grid:3x3")),
        seed=2**61,
        plies=0,
    ),
    "a gauntlet": plan("uct:iterations=5", *TWO, games=(("hex", "hex:3"),), gauntlet=True),
    "a test": plan(
        *TWO,
        games=(("hex", "hex:3"),),
        n_games=40,
        sprt=Sprt.parse("elo0=-5,elo1=12.5,alpha=0.01,beta=0.1"),
    ),
    "limits": plan(*TWO, games=(("hex", "hex:3"),), limits=Limits(1e-3, 1e5 / 3)),
    "networks": plan(*TWO, games=(("spread-it", "karate"), ("spread-it", "ba:n=9,m=2,seed=3"))),
}


def again(plan: Plan, boards: dict[str, Board] | None = None) -> Plan:
    """The plan by way of its settings as TOML."""
    return plan_of(tomllib.loads(settings_text(plan.settings())), boards)


def assert_same(one: Plan, other: Plan) -> None:
    keys = list(one.game_keys())
    assert len(keys) == one.n_fixtures
    assert list(other.game_keys()) == keys
    assert other.settings() == one.settings()


@pytest.mark.parametrize("name", PLANS)
def test_settings_as_toml_make_the_same_games(name: str) -> None:
    assert_same(PLANS[name], again(PLANS[name]))


def test_only_boards_that_their_text_may_not_make_again_have_a_digest() -> None:
    with_digest = [
        ("digest" in contest, game.board.structural)
        for plan in PLANS.values()
        for contest, game in zip(plan.settings()["contests"], plan.games, strict=True)
    ]
    assert set(with_digest) == {(True, False), (False, True)}


def test_boards_without_a_text_come_from_elsewhere(tmp_path: Path) -> None:
    network = tmp_path / "net.csv"
    network.write_text("ann,bob\nbob,cleo\ncleo,ann\ncleo,dan\n")
    boards = (PETERSEN, load_board(f"file:{network}"), board_from_networkx(nx.cycle_graph(6)))
    wanted = plan(*TWO, games=tuple(("spread-it", board) for board in boards))
    network.unlink()
    assert_same(wanted, again(wanted, {board.digest: board for board in boards}))


def test_a_store_has_the_boards_that_its_settings_name(tmp_path: Path) -> None:
    wanted = plan(*TWO, games=(("spread-it", PETERSEN),))
    [game] = wanted.games
    with open_store(tmp_path / "results.db") as store:
        store.remember(wanted.settings())
        store.add([played(Record.of(game, moves_of(game, 1)))])
    with open_store(tmp_path / "results.db", read_only=True) as store:
        [(_, settings, _)] = store.tournaments()
        assert_same(wanted, plan_of(settings, store.boards()))


def test_a_board_that_is_not_to_be_had_is_named() -> None:
    with pytest.raises(BadBoard, match=f"board graph .{PETERSEN.digest}. cannot be made again"):
        again(plan(*TWO, games=(("spread-it", PETERSEN),)))


def test_a_file_that_is_gone_or_another_is_refused(tmp_path: Path) -> None:
    network = tmp_path / "net.csv"
    network.write_text("ann,bob\nbob,cleo\n")
    wanted = plan(*TWO, games=(("spread-it", f"file:{network}"),))
    assert_same(wanted, again(wanted))
    network.write_text("ann,bob\nbob,dan\n")
    with pytest.raises(BadBoard, match="is not the one that was played on"):
        again(wanted)
    network.unlink()
    with pytest.raises(BadBoard, match=r"cannot be made again here: .*net\.csv"):
        again(wanted)


def test_a_wrong_board_under_a_digest_is_refused() -> None:
    wanted = plan(*TWO, games=(("spread-it", PETERSEN),))
    with pytest.raises(BadBoard, match="is not the one that was played on"):
        again(wanted, {PETERSEN.digest: load_board("karate")})


@pytest.mark.parametrize(
    "contest",
    [
        {"digest": "0" * 16},
        {"digest": 7, "board": "hex:3"},
        {"digest": "0", "board": 7},
        {"digest": "0" * 16, "board": "hex:3", "boards": ["hex:4"]},
    ],
)
def test_a_digest_goes_with_one_board(contest: dict[str, object]) -> None:
    with pytest.raises(BadText, match="needs the name of its one board"):
        plan_of({"agents": TWO, "contests": [{"game": "hex", **contest}]})


def test_a_tournament_has_no_sequential_test(tmp_path: Path) -> None:
    file = tmp_path / "match.toml"
    file.write_text(settings_text(PLANS["a test"].settings()))
    ran = command("tournament", str(file))
    assert_one_line_refusal(ran)
    assert "only topple match plays sequential tests" in ran.err


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
