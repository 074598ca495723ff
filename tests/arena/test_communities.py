"""Who holds which community when games are over, in statistics and in reports."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import topple
from tests.arena.invented import played_game
from tests.core.command_line import topple as run_topple
from topple.arena.statistics.communities import Communities
from topple.arena.statistics.standings import Contest
from topple.core.errors import BadRecord
from topple.game.record import Record


def test_what_is_held_is_counted_for_agents_in_both_seats() -> None:
    """On a path of four, x puts its only token into the first half, y into the second."""
    board = replace(topple.load_board("path:4"), communities=("a", "a", "b", "b"))
    game = topple.load("spread-it:tokens=1", board, compiled=False)
    contest = Contest(game.spec, board.spec, board.digest)
    communities = Communities()
    communities.add(contest, played_game(game, [1, 2], ("x", "y"), "1" * 32, 0))
    communities.add(contest, played_game(game, [2, 1], ("y", "x"), "1" * 32, 1))
    found = communities.held(contest)
    assert [(each.community, each.size) for each in found] == [("a", 2), ("b", 2)]
    shares = [{agent: held.value for agent, held in each.shares.items() if held} for each in found]
    assert shares == [{"x": 0.5, "y": 0.0}, {"x": 0.0, "y": 0.5}]
    assert all(held.low <= held.value <= held.high for held in found[0].shares.values() if held)


def test_the_games_of_an_opening_are_one_unit() -> None:
    """Ten games of one opening say less than those of ten."""
    board = replace(topple.load_board("path:4"), communities=("a", "a", "b", "b"))
    game = topple.load("spread-it:tokens=1", board, compiled=False)
    contest = Contest(game.spec, board.spec, board.digest)
    widths = []
    for n_openings in (1, 10):
        communities = Communities()
        for number in range(10):
            played = played_game(game, [1, 2], ("x", "y"), f"{number:032}", 0, number % n_openings)
            communities.add(contest, played)
        held = communities.held(contest)[0].shares["x"]
        assert held is not None
        widths.append(held.high - held.low)
    assert widths[0] > 2 * widths[1]


def test_boards_without_communities_are_left_out() -> None:
    game = topple.load("spread-it:tokens=1", "path:4", compiled=False)
    contest = Contest(game.spec, game.board.spec, game.board.digest)
    communities = Communities()
    communities.add(contest, played_game(game, [1, 2], ("x", "y"), "1" * 32, 0))
    assert communities.held(contest) == []


def test_a_game_that_cannot_be_replayed_is_named() -> None:
    board = replace(topple.load_board("path:4"), communities=("a", "a", "b", "b"))
    game = topple.load("spread-it:tokens=1", board, compiled=False)
    played = played_game(game, [1, 2], ("x", "y"), "1" * 32, 0)
    wrong = Record(**{**vars(played.record), "moves": ("2", "9")})
    with pytest.raises(BadRecord, match="9"):
        Communities().add(Contest("", "", ""), replace(played, record=wrong))


def test_reports_say_who_holds_which_community(tmp_path: Path) -> None:
    store, page = tmp_path / "results.db", tmp_path / "out" / "report.html"
    board = "sbm:n=12,communities=2,p_in=0.8,p_out=0.1,seed=1"
    ran = run_topple("tournament", "--game", "spread-it:players=3,accept=0.8,tokens=4", "--board",
                     board, "--agent", "random", "--agent", "greedy", "--games", "6", "--db",
                     str(store), "--workers", "1")  # fmt: skip
    assert ran.status == 0, ran.err
    ran = run_topple("report", str(store), "--out", str(page.parent), "--format", "svg", "--json")
    assert ran.status == 0, ran.err
    (contest,) = json.loads(ran.out)["contests"]
    held = contest["communities"]
    assert [(each["community"], each["vertices"]) for each in held] == [("1", 6), ("2", 6)]
    for each in held:
        agents = {share["agent"]: share for share in each["shares"]}
        assert set(agents) == {"random", "greedy"}
        for share in agents.values():
            low, high = share["interval"]
            assert 0 <= low <= share["share"] <= high <= 1
    assert sum(share["share"] for each in held for share in each["shares"]) > 0
    text = page.read_text("utf-8")
    assert '<h2 id="communities">Communities</h2>' in text
    assert "Vertices of each community held at the end" in text
