"""OpenSpiel's games for topple's agents: played, searched and solved, or refused in one line."""

import json
import pickle
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topple
from tests.core.command_line import assert_one_line_refusal
from tests.core.command_line import topple as command
from topple.bridges import open_spiel_games
from topple.bridges.open_spiel_games import status_of
from topple.bridges.open_spiel_library import first_line
from topple.core.errors import BadBoard, BadText, IllegalMove, Unsupported
from topple.game.game import Game, random_position
from topple.game.perft import perft
from topple.game.record import Record
from topple.lab.data.allowed import own_games
from topple.rules import find_rules, game_names
from topple.rules.interface import DRAWN, WON, key
from topple.solvers import solve
from topple.solvers.solution import Bounds

# Sequences of n moves in tic-tac-toe; a game that is over has no more.
TIC_TAC_TOE = (1, 9, 72, 504, 3_024, 15_120, 54_720)

# Those that OpenSpiel says can be played so; the rest of its two hundred are refused.
PLAYED = (
    "amazons", "breakthrough", "checkers", "clobber", "connect_four", "dots_and_boxes",
    "go(board_size=5)", "gomoku(size=6)", "havannah(board_size=4)", "hex(board_size=4)",
    "lines_of_action", "mancala", "mnk(m=4,n=4,k=3)", "nim", "nine_mens_morris", "othello",
    "oware", "pentago", "tic_tac_toe", "twixt", "ultimate_tic_tac_toe", "xiangqi",
    "y(board_size=5)", "misere(game=tic_tac_toe())",
)  # fmt: skip


@pytest.fixture
def tic_tac_toe() -> Game:
    return topple.load("open-spiel", game="tic_tac_toe")


# -- the rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAYED)
def test_its_games_are_played_to_the_end_as_it_plays_them(name: str) -> None:
    game = topple.load("open-spiel", game=name)
    position, theirs = game.start(), pyspiel.load_game(name).new_initial_state()
    rng = np.random.default_rng(1)
    while not theirs.is_terminal():
        assert not position.is_over
        assert position.player == theirs.current_player()
        assert list(position.legal_moves()) == theirs.legal_actions()
        move = int(rng.choice(theirs.legal_actions()))
        theirs.apply_action(move)
        position = position.play(move)
    assert position.is_over
    assert position.draw() == str(theirs).rstrip("\n")
    assert position.returns() == tuple(np.sign(theirs.returns()))


@settings(max_examples=30, deadline=None)
@given(choices=st.lists(st.integers(0, 41), max_size=45))
def test_a_position_is_read_again_from_its_text(choices: list[int]) -> None:
    game = topple.load("open-spiel", game="connect_four")
    position = game.start()
    for choice in choices:
        if position.is_over:
            break
        position = position.play(position.legal_moves()[choice % len(position.legal_moves())])
    assert game.position(position.text) == position
    assert pickle.loads(pickle.dumps(position)) == position


def test_the_counts_of_tic_tac_toe_are_the_known_ones(tic_tac_toe: Game) -> None:
    for depth, count in enumerate(TIC_TAC_TOE):
        assert perft(tic_tac_toe.start(), depth) == count


def test_topples_own_game_comes_back_the_same() -> None:
    """Through OpenSpiel and back: every count agrees."""
    there = topple.load("open-spiel", game="topple_chain_reaction(board=grid:2x2)")
    here = topple.load("chain-reaction", "grid:2x2")
    for depth in range(6):
        assert perft(there.start(), depth) == perft(here.start(), depth)


def test_a_player_who_moves_twice_stays_on_the_move() -> None:
    game = topple.load("open-spiel", game="dots_and_boxes")
    seen = set()
    for seed in range(20):
        position = random_position(game, 11, seed)
        seen.add(position.player)
    assert seen == {0, 1}


def test_the_larger_return_wins_whatever_it_is() -> None:
    assert status_of([1.0, -1.0]) == status_of([40.0, 12.5]) == WON
    assert status_of([-3.0, 3.0]) == status_of([0.0, 0.5]) == WON + 1
    assert status_of([0.0, 0.0]) == status_of([2.0, 2.0]) == DRAWN


def test_nothing_is_compiled(tic_tac_toe: Game, capfd: pytest.CaptureFixture[str]) -> None:
    assert not tic_tac_toe.kernels.compiled
    topple.agent("uct:iterations=20").choose(tic_tac_toe.start())
    assert "compiling" not in capfd.readouterr().err


def test_equal_positions_have_equal_keys_and_others_do_not(tic_tac_toe: Game) -> None:
    start = tic_tac_toe.start()
    assert start.play(0).play(1).key == tic_tac_toe.position("0 1").key
    keys = {start.play(a).play(b).key for a in range(9) for b in range(9) if a != b}
    assert len(keys) == 72
    assert isinstance(tic_tac_toe.run(key, start.state, len(start.state)), np.uint64)


def test_a_full_memory_forgets_and_finds_again(
    tic_tac_toe: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_spiel_games, "MOST_CACHED", 3)
    assert perft(tic_tac_toe.start(), 4) == TIC_TAC_TOE[4]
    assert len(tic_tac_toe.tables.states.states) <= 3


def test_moves_and_results_are_named_as_in_openspiel(tic_tac_toe: Game) -> None:
    position = tic_tac_toe.start().play("4")
    assert position.text == "4"
    assert tic_tac_toe.start().text == "start"
    assert position.draw() == "...\n.x.\n..."
    assert position.headline.startswith("moves: 0 o(0,0), 1 o(0,1), ")
    assert tic_tac_toe.title == "OpenSpiel's tic_tac_toe"
    assert tic_tac_toe.spec == "open-spiel:game=tic_tac_toe"
    won = tic_tac_toe.position("0 3 1 4 2")
    assert won.result_text() == "First wins: OpenSpiel's returns are 1 and -1"
    assert won.headline == ""
    assert "… and 185 more" in topple.load("open-spiel:game=gomoku").start().headline


# -- topple's agents on them ----------------------------------------------------------------------


def test_tic_tac_toe_is_a_draw(tic_tac_toe: Game) -> None:
    proven = topple.agent("perfect").choose(tic_tac_toe.position("0 4"))
    assert proven.proven == "drawn"
    solution = solve(tic_tac_toe.start())
    assert solution.value == Bounds(0, 0)
    assert {move for move, value in solution.moves if value == Bounds(0, 0)} == set(range(9))
    decision = topple.agent("alphabeta:depth=9,evaluation=none").choose(tic_tac_toe.start())
    assert (decision.proven, decision.value) == ("drawn", 0.0)


@pytest.mark.parametrize(
    "agent",
    [
        "random",
        "greedy:evaluation=none",
        "minimax:depth=2,evaluation=none",
        "alphabeta:depth=2,evaluation=none",
        "frontier:evaluation=none,nodes=50",
        "montecarlo:samples=5",
        "pruning",
        "uct:iterations=30",
        "sds-root:agents=20,iterations=3",
        "sds-tree:agents=20,iterations=3",
        "perfect",
    ],
)
def test_every_agent_plays_them(agent: str, tic_tac_toe: Game) -> None:
    position = tic_tac_toe.position("4 0 8 2")
    decision = topple.agent(agent).choose(position, seed=2)
    assert decision.move in position.legal_moves()
    assert decision == topple.agent(agent).choose(position, seed=2)


@pytest.mark.parametrize("agent", ["greedy", "alphabeta", "minimax"])
def test_an_agent_that_needs_an_evaluation_says_so(agent: str, tic_tac_toe: Game) -> None:
    with pytest.raises(Unsupported, match="open-spiel has no evaluation: evaluation=none"):
        topple.agent(agent).choose(tic_tac_toe.start())


def test_uct_finds_the_winning_move_of_connect_four() -> None:
    game = topple.load("open-spiel", game="connect_four")
    position = game.position("3 0 3 0 3 1")
    decision = topple.agent("uct:iterations=300").choose(position, seed=1)
    assert decision.move == 3
    assert decision.proven == "won"


# -- the command line -----------------------------------------------------------------------------


def test_it_is_played_saved_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    ran = command("play", 'open-spiel:game="mnk(m=3,n=3,k=3)"', "uct:iterations=30", "random",
                  "--seed", "2", "--save", str(file))  # fmt: skip
    assert ran.status == 0, ran.err
    assert ran.out.startswith("OpenSpiel's mnk(m=3,n=3,k=3) on hex:1, seed 2: First uct")
    record = Record.from_json(file.read_text("utf-8"))
    assert record.replay().is_over
    assert command("replay", str(file)).status == 0


def test_it_is_counted_analysed_and_solved() -> None:
    counted = command("perft", "open-spiel:game=tic_tac_toe", "--depth", "3", "--json")
    assert json.loads(counted.out)["leaves"] == TIC_TAC_TOE[3]
    asked = command("analyse", "open-spiel:game=tic_tac_toe", "--agent", "uct:iterations=50",
                    "--position", "0 3 1 4", "--json")  # fmt: skip
    assert asked.status == 0, asked.err
    solved = command("solve", "open-spiel:game=tic_tac_toe", "--position", "4 0 8 2")
    assert solved.status == 0, solved.err


def test_a_match_is_played_on_it() -> None:
    ran = command("match", "open-spiel:game=tic_tac_toe", "uct:iterations=20", "random",
                  "--games", "4", "--workers", "1", "--json")  # fmt: skip
    assert ran.status == 0, ran.err
    played = json.loads(ran.out)
    assert played["games"] == 4
    assert played["endings"] == {}


def test_it_is_listed_nowhere_and_no_page_may_name_it() -> None:
    assert find_rules("open-spiel").NAME == "open-spiel"
    assert "open-spiel" not in game_names()
    assert "open-spiel" not in own_games()


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("kuhn_poker", "it has chance"),
        ("backgammon", "it has chance"),
        ("goofspiel", "it has moves at the same time"),
        ("kriegspiel", "it has hidden information"),
        ("dark_hex", "it has hidden information"),
        ("solitaire", "it has chance"),
        ("chinese_checkers(players=3)", "it has 3 players"),
        ("cliff_walking", "it has 1 player$"),
        ("hex(board_size=0)", "it has no moves"),
        ("chess", "it has up to 17,695 plies, more than 2,000"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(name: str, words: str) -> None:
    with pytest.raises(Unsupported, match=words):
        topple.load("open-spiel", game=name)
    assert_one_line_refusal(command("play", f"open-spiel:game={name}", "random", "random"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tictactoe", "unknown game of OpenSpiel 'tictactoe': did you mean 'tic_tac_toe'"),
        ("?", "lists them"),
        ("hex(board=3)", "Unknown parameter 'board'"),
        ("hex(board_size=x)", "Wrong type for parameter board_size"),
        ("hex(board_size=3", "Missing closing bracket"),
        ("topple_hex(board=nowhere)", "unknown board 'nowhere'"),
        ("python_nothing", "unknown game of OpenSpiel 'python_nothing'"),
    ],
)
def test_a_name_that_openspiel_does_not_know_is_one_line(
    name: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadText, match=words) as raised:
        topple.load("open-spiel", game=name)
    assert "\n" not in str(raised.value)
    assert capfd.readouterr().err == ""


def test_a_game_must_be_named_and_brings_its_own_board() -> None:
    with pytest.raises(BadText, match="open-spiel:game=tic_tac_toe"):
        topple.load("open-spiel")
    with pytest.raises(BadBoard, match="brings its own board"):
        topple.load("open-spiel", "karate", game="tic_tac_toe")


@pytest.mark.parametrize("text", ["4 4", "9", "x", "-1", "0 3 1 4 2 5", "start 4", "１"])
def test_a_text_that_is_no_position_is_refused(text: str, tic_tac_toe: Game) -> None:
    with pytest.raises(BadText):
        tic_tac_toe.position(text)


def test_an_illegal_move_never_reaches_openspiel(tic_tac_toe: Game) -> None:
    """Its own tic-tac-toe would write beyond its board for 99."""
    start = tic_tac_toe.start()
    for wrong in (99, -1, -100):
        with pytest.raises(IllegalMove):
            start.play(wrong)
    with pytest.raises(IllegalMove, match="4 is not legal for Second"):
        start.play(4).play(4)
    with pytest.raises(BadText, match="moves run from 0 to 8"):
        start.play("9")


def test_a_game_with_senseless_parameters_is_given_up_in_one_line() -> None:
    """Nobody ever joins the sides of this board, and then it is full."""
    ran = command("play", "open-spiel:game=hex(board_size=-3)", "random", "random", "--quiet")
    assert_one_line_refusal(ran)
    assert "neither ends here nor goes on" in ran.err


def test_an_error_in_openspiels_rules_is_one_line(
    tic_tac_toe: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def child(self, move: int) -> None:
            raise pyspiel.SpielError("board_ is empty\nand more")

    start = tic_tac_toe.start().state
    monkeypatch.setitem(tic_tac_toe.tables.states.states, b"", Broken())
    with pytest.raises(
        Unsupported, match=r"OpenSpiel's tic_tac_toe\(\) has failed: board_ is empty$"
    ):
        tic_tac_toe.tables.states.after(start, 3)


def test_an_agent_that_needs_a_score_says_so(tic_tac_toe: Game) -> None:
    with pytest.raises(Unsupported, match="volatile needs a score"):
        topple.agent("volatile:evaluation=none").choose(tic_tac_toe.start())


def test_an_error_without_words_still_has_a_name() -> None:
    assert first_line(KeyError()) == "KeyError"
    assert len(first_line(ValueError("x" * 1000))) == 200
