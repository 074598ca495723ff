"""Advice in Spread-It's wider world: chance, more players, directed and changing networks."""

import json
from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import topple
from tests.core.command_line import assert_fits_80_columns, assert_one_line_refusal
from tests.core.command_line import topple as command
from tests.games.changing_boards import changing
from topple.advice.adviser import AdviceSettings, Adviser
from topple.advice.baselines import added_spread, all_baselines, present_board
from topple.advice.quick_games import QuickGames
from topple.advice.sequential_halving import FRESH
from topple.advice.tokens import parse_tokens
from topple.advice.words import conclusion, parties
from topple.boards.board import make_board
from topple.core.errors import Unsupported
from topple.game import Position

QUICK = ("--games", "10", "--looks", "2", "--simulations", "20", "--top", "3")


def result_for(position: Position, player: int) -> int:
    """1 for a win alone, −1 for a loss, 0 if it is drawn or shared."""
    gets = position.returns()[player]
    return 1 if gets == 1 else -1 if gets < 0 else 0


def test_quick_games_of_three_count_wins_alone() -> None:
    start = topple.load("spread-it:players=3,tokens=1", "path:4", compiled=False).start()

    @cache
    def expected(position: Position) -> float:
        if position.is_over:
            return result_for(position, 0)
        after = [expected(position.play(move)) for move in position.legal_moves()]
        return sum(after) / len(after)

    games = QuickGames(start, 1, 3, 1).play(FRESH, [0, 1], (0, 4000))
    for move, results in zip((0, 1), games, strict=True):
        assert results.mean() == pytest.approx(expected(start.play(move)), abs=5 / sqrt(4000))
        assert set(np.unique(results)) <= {-1, 0, 1}


def test_quick_games_draw_anew_in_each_game_and_as_the_rules_say() -> None:
    start = topple.load("spread-it:accept=0.5,tokens=2", "star:4", compiled=False).start()
    rng = np.random.default_rng(1)
    truth = []
    for _ in range(1500):
        position = start.play(1)
        while not position.is_over:
            position = position.play(int(rng.choice(position.legal_moves())))
        truth.append(result_for(position, 0))
    results = QuickGames(start, 1, 3, 1).play(FRESH, [1], (0, 1500))[0]
    for value in (-1, 0, 1):
        share = sum(each == value for each in truth) / 1500
        assert (results == value).mean() == pytest.approx(share, abs=0.1)
    assert len(np.unique(results)) > 1


@pytest.mark.parametrize("options", ["players=3,tokens=2", "accept=0.5,tokens=2"])
def test_compiled_quick_games_are_the_plain_ones(options: str) -> None:
    compiled, plain = (
        QuickGames(
            topple.load(f"spread-it:{options}", "star:4", compiled=each).start(), 2, 3, 1
        ).play(FRESH, [0, 1], (0, 100))
        for each in (True, False)
    )
    assert compiled.tolist() == plain.tolist()


def test_the_seed_fixes_advice_under_chance() -> None:
    game = topple.load("spread-it:accept=0.5,tokens=2,players=3", "cycle:5")
    found = [topple.advise(game, games=10, looks=2, seed=seed) for seed in (1, 1, 2)]
    assert found[0].data() == found[1].data()
    assert found[0].tried != found[2].tried


def test_no_move_is_said_to_end_a_game_with_chance() -> None:
    game = topple.load("spread-it:accept=0.5,tokens=1", "path:3")
    position = game.start().play("2~00000000")  # the next token is the last
    advice = topple.advise(position, games=10, looks=1)
    assert all(row.games == 10 and row.proven is None for row in advice.rows)


def test_a_last_move_for_three_is_won_lost_or_shared() -> None:
    game = topple.load("spread-it:players=3,tokens=1", "path:9")
    last = game.start().play("3").play("3")
    adviser = Adviser(last, AdviceSettings(games=5, looks=1))
    for move, result in adviser.endings.items():
        assert result == result_for(last.play(move), last.player)
    assert len(set(adviser.endings.values())) > 1


def test_searches_do_not_see_what_foresight_hides() -> None:
    board = changing("path:4", (2, "star:4"))
    hidden = topple.load("spread-it:foresight=none,tokens=3", board)
    path = topple.load("spread-it:tokens=3", "path:4")
    settings = {"games": 10, "looks": 2}
    blind, alone = (topple.advise(game, **settings) for game in (hidden, path))  # type: ignore[arg-type]
    assert blind.tried == pytest.approx(alone.tried)
    seeing = topple.advise(topple.load("spread-it:tokens=3", board), games=10, looks=2)
    assert seeing.tried != blind.tried


def test_baselines_look_at_the_present_network() -> None:
    board = changing("path:4", (2, "star:4"))
    game = topple.load("spread-it:tokens=3", board)
    before = game.start()
    after = before.play("4").play("3")
    assert present_board(before) is board
    assert present_board(after).degrees.tolist() == topple.load_board("star:4").degrees.tolist()
    degree = all_baselines(after, 1)[0]
    assert degree.values == (3.0, 1.0, 1.0, 1.0)


def test_followers_follow_those_who_send_them_tokens() -> None:
    arcs = make_board("arcs", [[1, 2, 3], [], [], []], directed=True)
    game = topple.load("spread-it:tokens=2", arcs)
    assert added_spread(game, [], 50, 1) == [4.0, 1.0, 1.0, 1.0]


def test_you_and_the_others_are_named() -> None:
    game = topple.load("spread-it:players=3,tokens=2,accept=0.9", "cycle:5")
    advice = topple.advise(game.start().play("1"), games=5, looks=1)
    assert parties(advice) == (
        "You are Red; the others, Black and Green, each play for themselves. "
        "What is taken is drawn anew in every game."
    )
    assert "draws and shared wins counted half" in conclusion(advice)
    plain = topple.advise(topple.load("spread-it:tokens=2", "cycle:5"), games=5, looks=1)
    assert parties(plain) == ""


def test_the_command_takes_every_option(tmp_path: Path) -> None:
    ran = command("advise", "random-digraph:n=9,m=18,seed=1", "--tokens", "3/2/2", "--loyalty", "2",
                  "--option", "players=3", "--option", "accept=0.8", "--option", "sinks=drop",
                  "--option", "seeds=1=1b", "--out", str(tmp_path / "a.html"), *QUICK)  # fmt: skip
    assert ran.status == 0, ran
    assert "loyalty 2, players=3, accept=0.8, sinks=drop, seeds=1=1b, on" in ran.out.replace(
        "\n    ", " "
    )
    assert_fits_80_columns(ran.out.replace(str(tmp_path), ""))
    assert "9 vertices, 18 arcs;" in ran.out.replace("\n    ", " ")
    assert "You are Black; the others, Red and Green" in (tmp_path / "a.html").read_text("utf-8")


def test_a_position_may_be_given_as_text() -> None:
    ran = command("advise", "cycle:5", "--tokens", "2", "--option", "players=3", "--position",
                  "1b,4 Red 1-2-2", "--json", *QUICK)  # fmt: skip
    assert ran.status == 0, ran
    assert json.loads(ran.out)["position"] == "1b,4 Red 1-2-2"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--option", "players"), "is not of the form name=value"),
        (("--option", "loyalty=2"), "write --loyalty"),
        (("--option", "turn=2", "--option", "turn=3"), "gives turn twice"),
        (("--option", "player=3"), "did you mean 'players'"),
        (("--option", "players=3", "--left", "2-2"), "give the position as text (--position)"),
        (("--position", "5 Black 2-2", "--left", "2-2"), "leave out --left"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(arguments: tuple[str, ...], words: str) -> None:
    ran = command("advise", "cycle:5", *arguments)
    assert_one_line_refusal(ran)
    assert words in ran.err


def test_tables_of_tokens_are_refused_in_the_wider_world() -> None:
    game = topple.load("spread-it:players=3,tokens=2", "cycle:5")
    with pytest.raises(Unsupported, match="for two players on a plain network"):
        parse_tokens(game, "vertex,black,red\n1,1,0\n")
