"""Spread-It's wider world: beside its slow twin, beside the game for two, and by hand."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import topple
from tests.games.pairs import random_pair
from tests.games.wide_pairs import KINDS, play_both_wide, wide_pair
from tests.reference.spread_it_wide import Game as Twin
from topple.boards.board import Board, make_board
from topple.core.errors import BadBoard, BadText
from topple.game.game import Game
from topple.game.perft import perft

WHOLE_GAMES = 300


@pytest.mark.parametrize("kind", KINDS)
def test_compiled_rules_agree_with_the_twin(kind: str) -> None:
    """Texts, legal moves, firings, scores and returns agree at every ply of 300 games."""
    n_plies = 0
    for seed in range(WHOLE_GAMES):
        rng = random.Random(f"{kind} {seed}")
        n_plies += play_both_wide(wide_pair(kind, rng), rng)
    assert n_plies > 3 * WHOLE_GAMES


@pytest.mark.parametrize("kind", KINDS)
def test_uncompiled_rules_agree_with_the_twin(kind: str) -> None:
    for seed in range(3):
        rng = random.Random(seed)
        pair = wide_pair(kind, rng, compiled=False)
        assert not pair.game.kernels.compiled
        play_both_wide(pair, rng, most=20)


SURE = [kind for kind in KINDS if kind not in ("uncertain", "everything") and "+u" not in kind]


def leaves(twin: Twin, depth: int) -> int:
    """The number of move sequences of exactly this length."""
    if depth == 0 or twin.is_over:
        return int(depth == 0)
    total = 0
    for move in twin.legal_moves():
        after = twin.copy()
        after.play(move)
        total += leaves(after, depth - 1)
    return total


@pytest.mark.parametrize("kind", SURE)
def test_perft_equals_the_twins_count(kind: str) -> None:
    n_checked = 0
    for seed in range(40):
        pair = wide_pair(kind, random.Random(f"perft {kind} {seed}"))
        if pair.game.has_chance or pair.game.board.n_vertices > 5:
            continue
        for depth in (1, 2, 3):
            counted = perft(pair.game.start(), depth)
            assert counted == leaves(pair.twin, depth), f"{pair.game!r} depth {depth}"
        n_checked += 1
    assert n_checked > 5


def test_two_players_in_the_wide_rules_play_the_game_for_two() -> None:
    """A budget for each, written out, selects the wide rules; every number is the same."""
    for seed in range(WHOLE_GAMES):
        rng = random.Random(seed)
        narrow = random_pair("spread-it", rng).game
        shares = narrow.start().tallies()[1][1]
        if 0 in shares:  # one token in all, while the wide game has one for each
            continue
        budgets = "/".join(map(str, shares))
        given = {name: narrow.options[name] for name in ("loyalty", "order", "firings")}
        wide = topple.load("spread-it", narrow.board, tokens=budgets, **given)
        assert wide.rules is not narrow.rules
        here, there = narrow.start(), wide.start()
        while not here.is_over:
            assert there.legal_moves() == here.legal_moves()
            move = rng.choice(here.legal_moves())
            fired = [step.vertex for step in here.steps(move)]
            assert [step.vertex for step in there.steps(move)] == fired
            here, there = here.play(move), there.play(move)
            assert there.returns() == here.returns()
            assert there.scores == here.scores
            assert there.player == here.player or there.is_over
        assert there.is_over


def digraph(*successors: tuple[int, ...], thresholds: tuple[int, ...] | None = None) -> Board:
    """A directed board, vertex by vertex."""
    return make_board("graph", successors, directed=True, thresholds=thresholds)


def after(game: Game, *moves: str) -> str:
    """The position's text after some moves."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position.text


def test_a_sink_keeps_tokens_or_lets_them_leave() -> None:
    """1 → 2 and 3; 2 → 3; 3 has no successors and never fires."""
    board = digraph((1, 2), (2,), ())
    moves = ("2", "3", "1", "1")
    # Vertex 2 fires at 1, so Black's token there goes on to 3, where Red's joins it. Vertex 1
    # fires at 2, for Red, who arrived last: to 3, and by 2 to 3.
    keeps = topple.load("spread-it", board, tokens=3, compiled=False)
    assert after(keeps, *moves[:2]) == "2,1b1r Black 2-2"
    assert after(keeps, *moves) == "2,1b3r Black 1-1"
    drops = topple.load("spread-it", board, tokens=3, sinks="drop", compiled=False)
    assert after(drops, *moves[:3]) == "1b,2 Red 1-2"
    assert after(drops, *moves) == "3 Black 1-1"


def test_a_drawn_digraph_has_the_limits_of_those_that_can_fire() -> None:
    game = topple.load("spread-it:tokens=3", digraph((1, 2), (2,), ()), compiled=False)
    assert game.start().draw() == "1 ·/2  2 ·/1  3 ·"


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ("111", "1,1g,1g,1g Black 1-1-1"),  # a token of each colour: Green's arrived last
        ("2111", "1,2b,1b,1b Red 0-1-1"),  # Black begins at 2, so that Black's arrives last
    ],
)
def test_three_colours_tie_and_the_last_arrival_wins(moves: str, text: str) -> None:
    """The centre fires at 3, the leaves at 2."""
    star = make_board("graph", ((1, 2, 3), (0,), (0,), (0,)), thresholds=(3, 3, 2, 2))
    game = topple.load("spread-it:players=3,tokens=2", star, compiled=False)
    assert after(game, *moves) == text


def test_a_change_of_network_sets_off_a_cascade() -> None:
    """The path 1–2–3–4 becomes a star whose leaves fire at 1."""
    path = make_board("graph", ((1,), (0, 2), (1, 3), (2,)), thresholds=(2, 3, 3, 2))
    star = make_board("graph", ((1, 2, 3), (0,), (0,), (0,)))
    board = replace(path, stages=(star.networks[0]._replace(ply=2),))
    game = topple.load("spread-it", board, tokens=4, compiled=False)
    second = game.start().play("3")
    assert second.text == "2,1b,1 Red 3-4 ply=1"
    # Red's token on 4 arrives under the path; then Black, who is to move, sets off the star:
    # 3 fires first, for Black has the lead there, and 4 follows.
    assert [step.text for step in second.steps("4")] == ["3 fires black", "4 fires red"]
    assert second.play("4").text == "1b1r,3 Black 3-3 ply=2"


def test_seeds_and_unequal_budgets_and_turns(tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.csv"
    seeds.write_text("vertex,cell\n1,1b\n3,1r\n", "utf-8")
    game = topple.load("spread-it:tokens=3/1,turn=2", "cycle:5", seeds=seeds, compiled=False)
    assert game.options["seeds"] == "1=1b 3=1r"
    assert game.start().text == "1b,1,1r,2 Black 3-1"
    assert after(game, "2") == "1b,1b,1r,2 Black 2-1 placed=1"
    assert after(game, "2", "4") == "1b,1b,1r,1b,1 Red 1-1"


def test_holdings_say_who_holds_which_community() -> None:
    board = replace(topple.load_board("path:4"), communities=("a", "a", "b", "b"))
    position = topple.load("spread-it:tokens=3", board, compiled=False).start()
    position = position.play("2").play("3").play("2")
    held = {each.community: (each.vertices, each.tokens) for each in position.holdings()}
    assert held == {"a": ((1, 0), (1, 0)), "b": ((1, 0), (2, 0))}


def test_a_peeking_free_view_takes_the_present_network_for_all_time() -> None:
    board = topple.load_board("cycle:4")
    later = topple.load_board("path:4").networks[0]._replace(ply=1)
    game = topple.load("spread-it:tokens=3,foresight=none", replace(board, stages=(later,)))
    start = game.start()
    assert start.seen() != start
    assert start.seen().play("1").network == 0 == start.seen().network
    assert start.play("1").network == 1
    assert start.play("1").seen().network == 0, "the only network that is seen"


@pytest.mark.parametrize(
    ("spec", "board", "says"),
    [
        ("spread-it:accept=1.5", "cycle:5", "accept"),
        ("spread-it:accept=-0.1", "cycle:5", "accept"),
        ("spread-it:accept=nan", "cycle:5", "accept"),
        ("spread-it:players=9", "cycle:5", "players"),
        ("spread-it:players=8", "cycle:5", "has 5 tokens to share"),
        ("spread-it:players=3,tokens=3/4", "cycle:5", "are 2 budgets, but 3 play"),
        ("spread-it:tokens=3/x", "cycle:5", "tokens"),
        ("spread-it:tokens=0/3", "cycle:5", "tokens"),
        ("spread-it:loyalty=0", "cycle:5", "loyalty"),
        ("spread-it:loyalty=101", "cycle:5", "loyalty"),
        ("spread-it:turn=0", "cycle:5", "turn"),
        ("spread-it:seeds=9=1b", "cycle:5", "vertex"),
        ("spread-it:seeds=1=2b", "cycle:5", "fires at 2: put fewer"),
        ("spread-it:seeds=1=1g", "cycle:5", "a colour that nobody plays"),
        ("spread-it:seeds=1=1b 1=1r", "cycle:5", "name 1 twice"),
        ("spread-it:seeds=1=R:1r", "cycle:5", "needs another loyalty"),
        ("spread-it:seeds=there.csv", "cycle:5", "cannot read there.csv"),
        ("spread-it", "path:2", "no tokens"),
    ],
)
def test_bad_values_are_one_clear_line(spec: str, board: str, says: str) -> None:
    with pytest.raises((BadText, BadBoard), match=says) as caught:
        topple.load(spec, board, compiled=False)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "rows", ["vertex,cell\n1\n", "vertex,cell\n1,1b\n2,1r,x\n", "x,cell\n1,1b\n"]
)
def test_a_file_of_seeds_has_two_columns_in_every_row(tmp_path: Path, rows: str) -> None:
    seeds = tmp_path / "seeds.csv"
    seeds.write_text(rows, "utf-8")
    with pytest.raises(BadText, match=r"must have the columns vertex and cell, and no others$"):
        topple.load("spread-it", "cycle:5", seeds=seeds, compiled=False)


@pytest.mark.parametrize(
    ("game", "base"),
    [("chain-reaction", "path:4"), ("influence", "random-digraph:n=4,m=6,seed=1")],
)
def test_games_that_know_one_network_refuse_a_board_that_changes(game: str, base: str) -> None:
    board = topple.load_board(base)
    changing = replace(board, stages=(board.networks[0]._replace(ply=1),))
    with pytest.raises(BadBoard, match=f"needs a board that stays as it is, and {base} changes"):
        topple.load(game, changing, compiled=False)


def test_a_draw_fixes_everything_that_is_drawn() -> None:
    game = topple.load("spread-it:accept=0.5,tokens=6", "complete:5", compiled=False)
    position = game.position("3b,4 Red 5-6")
    results = {position.play("1", draw).text for draw in range(200)}
    assert len(results) == 16, "each of four tokens is taken or lost"
    written = position.with_draw("1", 7)
    assert written == "1~00000007"
    assert {position.play(written).text for _ in range(5)} == {position.play("1", 7).text}
    assert len({position.with_draw("1") for _ in range(9)}) == 9, "a draw not given is a new one"
    with pytest.raises(BadText, match="a draw is a whole number"):
        position.play("1", 1 << 32)
    with pytest.raises(BadText, match="no chance"):
        topple.load("spread-it", "cycle:5", compiled=False).start().play("1", 7)


def test_acceptance_is_as_often_as_the_probability_says() -> None:
    game = topple.load("spread-it:accept=0.3,tokens=6", "complete:5", compiled=False)
    position = game.position("3b,4 Red 5-6")
    taken = [sum(position.play("1", draw).scores) for draw in range(2000)]
    # The four tokens of the centre are taken with 0.3 each; nothing else can fire.
    assert abs(np.mean(taken) - 4 * 0.3) < 4 * (4 * 0.3 * 0.7 / 2000) ** 0.5
