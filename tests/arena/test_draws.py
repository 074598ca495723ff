"""Games with chance: what is drawn in a game follows from its opening, whoever plays it."""

import os
import signal
from itertools import islice
from pathlib import Path

import pytest

import topple
from tests.arena import unruly
from topple.arena.planning.draws import draw_at, draw_source
from topple.arena.planning.openings import openings
from topple.arena.planning.plan import Fixture, Limits, Plan
from topple.arena.playing.game import play_fixture
from topple.arena.playing.run import PlanRun
from topple.arena.playing.shared_status import SharedStatus
from topple.arena.playing.worker_pool import WorkerPool
from topple.arena.report.export import jsonl_lines
from topple.arena.store.store import open_store
from topple.game.game import Game
from topple.game.record import Record


def chancy(board: str = "cycle:5", **options: object) -> Game:
    """A small game with chance."""
    return topple.load("spread-it", board, compiled=False, accept=0.6, tokens=4, **options)


def plan_of(*agents: str, game: Game | None = None, **more: object) -> Plan:
    made = tuple(map(topple.agent, agents or ("random", "greedy")))
    return Plan((game or chancy(),), made, **more)  # type: ignore[arg-type]


def play(plan: Plan, fixture: Fixture) -> tuple[str, ...]:
    """The moves of a game that this process plays."""
    agents = [plan.agents[seat] for seat in fixture.seats]
    game = plan.games[fixture.game]
    return play_fixture(game, agents, fixture, plan.limits, SharedStatus(1000)).moves


def draws_of(moves: tuple[str, ...]) -> list[str]:
    return [move.partition("~")[2] for move in moves]


def test_both_sides_and_all_pairings_have_the_same_draws() -> None:
    plan = plan_of("random", "greedy", "montecarlo:samples=2", n_games=4, plies=3)
    drawn: dict[int, list[list[str]]] = {}
    for fixture in plan.fixtures():
        drawn.setdefault(fixture.opening_number, []).append(draws_of(play(plan, fixture)))
    for games in drawn.values():
        assert len(games) == 6
        shortest = min(map(len, games))
        assert shortest > 3
        assert len({tuple(draws[:shortest]) for draws in games}) == 1
    assert drawn[0][0][:3] != drawn[1][0][:3]


def test_draws_follow_from_game_seed_plies_opening_and_ply_alone() -> None:
    game = chancy()
    plain = draw_source(game, 1, 2, 0)
    others = [
        draw_source(chancy("cycle:6"), 1, 2, 0),
        draw_source(chancy(loyalty="full"), 1, 2, 0),
        draw_source(game, 2, 2, 0),
        draw_source(game, 1, 3, 0),
        draw_source(game, 1, 2, 1),
    ]
    drawn = {draw_at(source, ply) for source in (plain, *others) for ply in range(10)}
    assert len(drawn) == 60
    assert all(0 <= draw < 2**32 for draw in drawn)
    fixture = next(plan_of(n_games=2).fixtures())
    assert [fixture.draw(ply) for ply in range(5)] == [draw_at(plain, ply) for ply in range(5)]


def test_draws_are_the_same_for_all_time() -> None:
    """Stores keep games that were played with them, and resumed tournaments must go on so."""
    assert draw_at(draw_source(chancy(), 1, 2, 0), 0) == DRAW


DRAW = 3092034877


def test_a_game_without_chance_has_no_draws() -> None:
    game = topple.load("hex", "hex:3", compiled=False)
    for fixture in plan_of(game=game, n_games=2).fixtures():
        assert fixture.draws is None
        assert fixture.draw(0) is None


def test_openings_are_found_with_the_draws_that_they_are_played_with() -> None:
    """So all lead to different positions in which the game goes on."""
    game = chancy("path:3")
    found = list(islice(openings(game, 1, 2), 60))
    new = [opening for opening in found if opening.is_new]
    reached = set()
    for number, opening in enumerate(new):
        source, position = draw_source(game, 1, 2, number), game.start()
        for ply, move in enumerate(opening.moves):
            assert opening.draws[ply] == draw_at(source, ply)
            position = position.play(move, opening.draws[ply])
        assert not position.is_over
        reached.add(position)
    assert len(reached) == len(new) > 10


def test_an_opening_that_comes_again_keeps_its_draws_and_the_game_goes_on_with_new_ones() -> None:
    game = chancy("path:3")
    plan = plan_of(game=game, n_games=600, plies=1)
    fixtures = [fixture for fixture in plan.fixtures() if fixture.side == 0]
    first, again = next(
        (fixtures[0], each) for each in fixtures[1:] if each.opening == fixtures[0].opening
    )
    assert first.draws is not None
    assert again.draws is not None
    n = len(first.opening)
    assert [first.draw(ply) for ply in range(n)] == [again.draw(ply) for ply in range(n)]
    assert first.draw(n) != again.draw(n)


def games_of(plan: Plan, path: Path, n_workers: int = 1) -> list[str]:
    """All games of a plan as lines, without times."""
    with open_store(path) as store:
        PlanRun(plan, store).play(WorkerPool(plan, n_workers))
        return list(jsonl_lines(store.games(), times=False))


DIGRAPH = 'rewiring:base="random-digraph:n=6,m=12,seed=2",every=2,share=0.3,changes=3'


@pytest.mark.parametrize("game", [chancy(), chancy(DIGRAPH, players=3)], ids=["two", "three"])
def test_a_resumed_tournament_has_the_same_games_and_all_replay(tmp_path: Path, game: Game) -> None:
    """Also for three on a digraph that changes."""
    plan = plan_of(game=game, n_games=6)
    whole = games_of(plan, tmp_path / "whole.db")
    games_of(plan_of(game=game, n_games=2), tmp_path / "parts.db")
    with open_store(tmp_path / "parts.db") as store:
        keys = [fixture.key for fixture in plan.fixtures()]
        store.remove(keys[1:2])  # as if it had been under way when the power failed
    assert games_of(plan, tmp_path / "parts.db", 2) == whole
    for line in whole:
        record = Record.from_json(line)
        assert all("~" in move for move in record.moves)
        record.replay(compiled=False)


class DiesLate(unruly.Unruly):
    """Ends its own process in its second turn."""

    NAME, SUMMARY = "dies-late", "ends its own process"
    PLAYS_CHANCE = True

    def search(self, position: topple.Position, seed: int, memory: object = None) -> object:  # type: ignore[override]
        """Play once; then die."""
        if sum(map(len, position.cells())) < 6:
            return unruly.Once(lambda: unruly.first_move(position))
        os.kill(os.getpid(), signal.SIGKILL)
        return None


def test_a_killed_worker_still_reports_the_moves_with_their_draws() -> None:
    game = chancy("cycle:6")
    plan = Plan((game,), (topple.agent("random"), DiesLate()), n_games=2, limits=Limits(60))
    sheets = [pair for found in WorkerPool(plan, 1).play(plan.fixtures()) for pair in found]
    assert len(sheets) == 2
    for fixture, sheet in sheets:
        assert sheet.ending is not None
        assert sheet.ending.by == "crash"
        assert len(sheet.moves) > len(fixture.opening)
        drawn = [f"{fixture.draw(ply):08x}" for ply in range(len(sheet.moves))]
        assert draws_of(sheet.moves) == drawn
        position = game.start()
        for move in sheet.moves:
            position = position.play(move)
        assert not position.is_over


@pytest.mark.parametrize("options", [{}, {"loyalty": "full"}, {"refused": "stay"}])
def test_plans_with_chance_keep_their_keys_apart(options: dict[str, object]) -> None:
    plain = topple.load("spread-it", "cycle:5", compiled=False, tokens=4, **options)
    keys = [set(plan_of(game=game, n_games=4).game_keys()) for game in (plain, chancy(**options))]
    assert not keys[0] & keys[1]
