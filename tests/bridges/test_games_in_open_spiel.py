"""topple's games in OpenSpiel: its own tests pass on them, and its algorithms run."""

import copy
import pickle
import subprocess
import sys
import warnings
from math import prod
from types import ModuleType
from typing import Any

import networkx
import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topple
from tests.agents.small_positions import positions
from topple.bridges.observation import Observer
from topple.bridges.open_spiel import load, register
from topple.bridges.open_spiel.game import ToppleState, length_of, wrapped
from topple.bridges.open_spiel.parameters import board_spec, board_text
from topple.core.errors import BadBoard, BadText, IllegalMove, Unsupported
from topple.rules import game_names

CHANGING = 'rewiring:base="random-digraph:n=6,m=12,seed=2",every=2,share=0.3,changes=3'
GAMES = [
    ("hex", "hex:3"),
    ("hex:swap=true", "hex:4"),
    ("spread-it", "cycle:5"),
    ("spread-it:loyalty=full", "ba:n=12,m=2,seed=3"),
    ("spread-it:tokens=3,order=index", "karate"),
    ("chain-reaction", "grid:3x3"),
    ("chain-reaction:surplus=keep", "grid:3x3"),
    ("chain-reaction:players=3", "grid:3x4"),
    ("infexion", "infexion:4"),
    ("influence", "segment:4+5"),
    ("influence:first=right", "random-digraph:n=20,m=30,seed=2"),
    ("spread-it:players=3,accept=0.5,tokens=3", "cycle:5"),
    ("spread-it:players=3,accept=0.8,tokens=3", CHANGING),
    ("spread-it:players=8,loyalty=2,turn=2,sinks=drop,tokens=2", "random-digraph:n=9,m=18,seed=1"),
]

every_game = pytest.mark.parametrize(("spec", "board"), GAMES)
every_sure_game = pytest.mark.parametrize(
    ("spec", "board"), [case for case in GAMES if "accept" not in case[0]]
)


@pytest.fixture(scope="module")
def sim_test() -> Any:
    """What OpenSpiel holds every game of its own to, those in Python too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the libraries that its other games import
        from open_spiel.python.tests.games_sim_test import GamesSimTest
    return GamesSimTest("test_breakthrough")


# -- its own tests --------------------------------------------------------------------------------


def test_all_five_games_are_registered_by_their_names() -> None:
    for name in game_names():
        registered = f"topple_{name.replace('-', '_')}"
        assert registered in pyspiel.registered_names()
        game = pyspiel.load_game(registered)
        assert str(game) == f"{registered}()"
        assert game.topple == topple.load(name)


@every_game
def test_its_random_simulation_passes(spec: str, board: str) -> None:
    game = load(spec, board)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False, mask_test=True)


@every_game
def test_its_test_of_games_in_python_passes(spec: str, board: str, sim_test: Any) -> None:
    sim_test.sim_game(load(spec, board))


def test_its_simulation_passes_from_a_position_of_ones_own() -> None:
    game = load("hex", "hex:4")
    state = game.new_initial_state("XO../.X../..../.... Red")
    pyspiel.random_sim_test_with_specific_initial_state(game, 2, state, True)
    assert state.legal_actions() == [2, 3, 4, *range(6, 16)]
    assert state.clone().information_state_string(0).startswith("XO../.X../..../.... Red: ")


# -- what it promises -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "board", "plies"),
    [
        ("hex", "hex:5", 25),
        ("hex:swap=true", "hex:5", 26),
        ("influence", "segment:9", 9),
        ("infexion", "infexion:7", 343),
        ("spread-it", "cycle:5", 5),
        ("spread-it:tokens=7", "cycle:5", 14),
        ("chain-reaction:surplus=keep", "grid:5x5", 56),
        ("chain-reaction", "grid:5x5", 224),
    ],
)
def test_a_game_says_how_long_it_can_last(spec: str, board: str, plies: int) -> None:
    game = load(spec, board)
    assert game.max_game_length() == plies
    assert game.num_distinct_actions() == game.topple.sizes.moves


def test_what_it_says_of_itself_is_true() -> None:
    game = load("chain-reaction:players=3", "grid:3x3")
    kind = game.get_type()
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL
    assert (kind.min_num_players, kind.max_num_players) == (2, 8)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-0.5, 1.0, 0.0)
    state = game.new_initial_state()
    while not state.is_terminal():
        assert state.returns() == state.rewards() == [0.0, 0.0, 0.0]
        state.apply_action(state.legal_actions()[0])
    assert sorted(state.returns()) == [-0.5, -0.5, 1.0]


CHANCE = ("spread-it:players=3,accept=0.5,tokens=3", "cycle:5")


def test_a_game_with_chance_says_so() -> None:
    game = load(*CHANCE)
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert (game.max_chance_outcomes(), game.max_game_length()) == (256, 9)
    assert game.max_chance_nodes_in_history() == 36
    sure = load("spread-it:players=3,tokens=3", "cycle:5")
    assert sure.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert sure.max_chance_outcomes() == sure.max_chance_nodes_in_history() == 0
    assert (sure.num_players(), sure.min_utility()) == (3, -0.5)


def test_the_chance_nodes_after_a_move_draw_its_draw() -> None:
    game = load(*CHANCE)
    state = game.new_initial_state()
    for move in ("3~7f3a01c2", "3~00000000", "1~ffffffff"):
        before, (text, draw) = state.position, game.topple.split_draw(move)
        state.apply_action(state.string_to_action(text))
        for part in draw.to_bytes(4):
            assert state.is_chance_node()
            assert state.position == before
            assert state.chance_outcomes() == [(i, 1 / 256) for i in range(256)]
            assert state.action_to_string(part) == f"{part:02x}"
            assert pickle.loads(pickle.dumps(state)).reached.pending == state.reached.pending
            state.apply_action(part)
        assert not state.is_chance_node()
        assert state.position == before.play(move)
    assert state.history() == [2, 0x7F, 0x3A, 1, 0xC2, 2, 0, 0, 0, 0, 0, 255, 255, 255, 255]


def test_what_is_no_part_of_a_draw_is_refused() -> None:
    state = load(*CHANCE).new_initial_state()
    with pytest.raises(IllegalMove):
        state.apply_action(5)
    state.apply_action(2)
    assert str(state).endswith(" plays 3~")
    with pytest.raises(IllegalMove, match="256 is no part of a draw: parts are 0 to 255"):
        state.apply_action(256)
    assert str(state).endswith(" plays 3~")


def test_a_shared_win_is_shared_in_its_returns() -> None:
    game = load("spread-it:players=3,tokens=1/1/2,accept=1", "cycle:9")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    assert state.returns() == list(state.position.returns())
    assert sum(state.returns()) == pytest.approx(0)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("topple_spread_it(board=karate,tokens=3)", "spread-it:tokens=3"),
        ("topple_spread_it(board=karate,budgets=20/12)", "spread-it:tokens=20/12"),
        ("topple_spread_it(board=karate,loyalty=_3)", "spread-it:loyalty=3"),
        ("topple_spread_it(accept=0.25,board=karate)", "spread-it:accept=0.25"),
        ("topple_spread_it(board=karate,seeds=1~2b 7~1r)", "spread-it:seeds=1=2b 7=1r"),
    ],
)
def test_new_options_are_parameters(text: str, spec: str) -> None:
    game = load(spec, "karate")
    assert str(game) == text
    assert game.topple == topple.load(spec, "karate")
    assert pyspiel.load_game(text).topple == game.topple


def test_tokens_and_budgets_are_the_same() -> None:
    with pytest.raises(BadText, match="tokens and budgets say the same"):
        pyspiel.load_game("topple_spread_it(budgets=2/3,tokens=3)")


def test_a_game_without_a_bound_is_cut_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topple.bridges.open_spiel.game.CUT", 1)
    monkeypatch.setattr(topple.Board, "n_edges", 6)  # 2·6 − 9 + 1 = 4 plies
    game = load("chain-reaction", "grid:3x3")
    assert game.max_game_length() == 4
    state = game.new_initial_state()
    for cell in (0, 8, 2, 6):
        assert not state.is_terminal()
        state.apply_action(cell)
    assert state.is_terminal()
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.legal_actions() == []
    assert state.returns() == [0.0, 0.0]
    assert not state.position.is_over
    with pytest.raises(IllegalMove, match="the game is over"):
        state.apply_action(4)


# -- its texts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "board", "text"),
    [
        ("hex", "hex:11", "topple_hex()"),
        ("hex:swap=true", "hex:5", "topple_hex(board=hex:5,swap=True)"),
        (
            "spread-it:loyalty=full,tokens=9",
            "ba:n=20,m=3,seed=1",
            "topple_spread_it(board=ba:n~20;m~3;seed~1,loyalty=full,tokens=9)",
        ),
        (
            "chain-reaction:players=3,surplus=keep",
            "grid:4x5",
            "topple_chain_reaction(board=grid:4x5,players=3,surplus=keep)",
        ),
        ("influence", "segment:10+5p", "topple_influence(board=segment:10+5p)"),
    ],
)
def test_a_game_is_loaded_again_from_its_text(spec: str, board: str, text: str) -> None:
    game = load(spec, board)
    assert game.to_string() == text
    again = pyspiel.load_game(text)
    assert again.to_string() == text
    assert again.topple == game.topple == topple.load(spec, board)


def test_a_board_is_also_taken_as_topple_writes_it() -> None:
    given = {"board": "ba:n=20,m=3,seed=1", "loyalty": "full"}
    game = pyspiel.load_game("topple_spread_it", given)
    assert game.topple == topple.load("spread-it:loyalty=full", "ba:n=20,m=3,seed=1")
    assert str(game) == "topple_spread_it(board=ba:n~20;m~3;seed~1,loyalty=full)"


@given(st.text(alphabet='abc:=,;~%()+ /."\n', min_size=1))
def test_the_text_of_any_board_survives(spec: str) -> None:
    written = board_text(spec)
    assert not set(written) & set("=,()\n")
    assert board_spec(written) == spec


def test_a_game_of_topples_and_a_board_from_a_file_are_taken(tmp_path: Any) -> None:
    file = tmp_path / "a (small), net.txt"
    file.write_text("a b\nb c\nc d\nd a\n")
    game = load(topple.load("spread-it", f"file:{file}"))
    assert pyspiel.load_game(str(game)).topple == game.topple
    with pytest.raises(BadText, match="has its board and options"):
        load(game.topple, board="karate")


def test_a_board_that_no_text_makes_is_refused_in_one_line() -> None:
    with pytest.raises(BadBoard, match="save it as a file"):
        load("spread-it", networkx.cycle_graph(5))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("topple_hex(board=nowhere)", "unknown board 'nowhere'"),
        ("topple_hex(board=karate)", "Hex is played on"),
        ("topple_spread_it(loyalty=some)", "unknown loyalty 'some'"),
        ("topple_chain_reaction(players=99)", "players=99 is too large"),
        ("topple_spread_it(tokens=0)", "tokens=0 is too small"),
    ],
)
def test_a_wrong_parameter_is_named_in_one_line(text: str, words: str) -> None:
    with pytest.raises(topple.ToppleError, match=words) as raised:
        pyspiel.load_game(text)
    assert "\n" not in str(raised.value)


def test_an_unknown_parameter_is_an_exception_of_openspiels() -> None:
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'size'"):
        pyspiel.load_game("topple_hex(size=3)")


def test_a_game_from_outside_is_registered_when_it_is_loaded(node_kayles: ModuleType) -> None:
    game = load("node-kayles", "path:5")
    assert str(game) == "topple_node_kayles(board=path:5)"
    assert length_of(game.topple).is_cut
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False, mask_test=True)
    register(node_kayles)  # twice does no harm


# -- its states -----------------------------------------------------------------------------------


@every_sure_game
@settings(max_examples=8, deadline=None)
@given(choices=st.lists(st.integers(0, 10**6), max_size=40))
def test_a_state_and_a_position_never_disagree(spec: str, board: str, choices: list[int]) -> None:
    game = load(spec, board)
    state, position = game.new_initial_state(), game.topple.start()
    for choice in choices:
        assert state.is_terminal() == position.is_over
        assert state.returns() == list(position.returns())
        assert state.legal_actions() == list(position.legal_moves())
        assert str(state) == state.observation_string(0) == position.text
        if position.is_over:
            break
        assert state.current_player() == position.player
        move = state.legal_actions()[choice % len(state.legal_actions())]
        text = state.action_to_string(move)
        assert text == game.topple.move_text(move)
        assert state.string_to_action(text) == move
        state.apply_action(move)
        position = position.play(move)
    assert state.position == position


@every_game
def test_what_a_player_sees_is_the_observers_planes(spec: str, board: str) -> None:
    game = load(spec, board)
    observer = Observer(game.topple)
    assert tuple(game.observation_tensor_shape()) == observer.shape
    state, moves = game.new_initial_state(), []
    for _ in range(3):
        moves.append(state.legal_actions()[-1])
        state.apply_action(moves[-1])
    for player in range(game.num_players()):
        seen = np.array(state.observation_tensor(player), dtype=np.float32)
        assert (seen.reshape(observer.shape) == observer.observe(state.position, player)).all()
        recalled = np.array(state.information_state_tensor(player), dtype=np.float32)
        assert (recalled[: prod(observer.shape)] == seen).all()
        parts = game.max_chance_outcomes()
        history = recalled[prod(observer.shape) :] * max(game.num_distinct_actions(), parts)
        assert len(history) == game.max_game_length() + game.max_chance_nodes_in_history()
        assert history.round().tolist()[:4] == [*(move + 1 for move in moves), 0]
    assert state.information_state_string(0) == state.history_str()


def test_a_copy_shares_the_position_and_goes_its_own_way() -> None:
    state = load("infexion").new_initial_state()
    state.apply_action(3)
    other = state.clone()
    assert other.position is state.position
    other.apply_action(5)
    assert state.history() == [3]
    assert other.history() == [3, 5]
    assert state.position != other.position


@pytest.mark.parametrize("how", [copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_copying_and_pickling_keep_history_and_position(how: Any) -> None:
    state = load("hex:swap=true", "hex:3").new_initial_state()
    state.apply_action(2)
    state.apply_action(9)
    again = how(state)
    assert isinstance(again, ToppleState)
    assert again.history() == [2, 9]
    assert again.position == state.position
    again.apply_action(4)
    assert state.history() == [2, 9]


def test_a_pickle_is_read_in_a_process_that_has_imported_nothing() -> None:
    game = load("chain-reaction", "grid:2x2")
    state = game.new_initial_state()
    state.apply_action(1)
    stored = pickle.dumps((game, state))
    program = f"import pickle; g, s = pickle.loads({stored!r}); print(g, s, s.legal_actions())"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                         check=True)  # fmt: skip
    assert run.stdout == "topple_chain_reaction(board=grid:2x2) 1,A1,2 B 1 [0, 2, 3]\n"


def test_a_stored_state_of_another_game_is_refused() -> None:
    small = load("hex", "hex:3")
    state = small.new_initial_state()
    with pytest.raises(ValueError, match="of another game"):
        load("hex", "hex:4").deserialize_state(state.serialize())


def test_an_illegal_action_is_an_exception_and_changes_nothing() -> None:
    state = load("hex", "hex:3").new_initial_state()
    state.apply_action(4)
    for wrong in (4, 99, -7):
        with pytest.raises(IllegalMove):
            state.apply_action(wrong)
    with pytest.raises(pyspiel.SpielError):
        state.apply_action(-1)
    assert state.history() == [4]
    assert str(state) == ".../.X./... Red"


# -- its algorithms -------------------------------------------------------------------------------


def python_mcts(game: Any, seed: int) -> Any:
    from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

    random = np.random.RandomState(seed)
    return MCTSBot(game, 1.4, 15, RandomRolloutEvaluator(1, random), random_state=random)


def cpp_mcts(game: Any, seed: int) -> Any:
    rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, rollouts, 1.4, 15, 100, True, seed, False)


@pytest.mark.parametrize(
    ("spec", "board"),
    [("hex", "hex:3"), ("spread-it", "cycle:5"), ("chain-reaction:players=3", "grid:3x3"),
     ("infexion", "infexion:3"), ("influence", "segment:9")],
)  # fmt: skip
def test_its_tree_searches_play_whole_games(spec: str, board: str) -> None:
    game = load(spec, board)
    theirs, python = cpp_mcts(game, 1), python_mcts(game, 2)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.current_player() == 0:
            move = theirs.mcts_search(state).best_child().action
        else:
            move = python.step(state)
        assert move in state.legal_actions()
        state.apply_action(move)
    assert state.position.is_over
    returns = pyspiel.evaluate_bots(
        game.new_initial_state(), [cpp_mcts(game, seed) for seed in range(game.num_players())], 7
    )
    assert sum(returns) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("spec", "board", "plies"),
    [
        ("hex", "hex:3", range(3, 6)),
        ("spread-it", "grid:2x2", range(2)),
        ("chain-reaction", "grid:2x3", range(6, 9)),
        ("infexion", "infexion:3", range(25, 27)),
        ("influence", "segment:9", range(3)),
    ],
)
def test_its_alpha_beta_finds_the_values_that_topple_proves(
    spec: str, board: str, plies: range
) -> None:
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game = load(spec, board)
    for position in positions(game.topple, plies, 3, seed=5):
        value, _ = alpha_beta_search(game, state=game.state_at(position), maximum_depth=100)
        proven = topple.agent("perfect").choose(position).proven
        assert {"won": 1.0, "drawn": 0.0, "lost": -1.0}[str(proven)] == value


def test_a_game_on_any_board_can_be_wrapped_for_bots() -> None:
    game = topple.load("chain-reaction", networkx.cycle_graph(4))
    assert wrapped(game).new_initial_state().legal_actions() == [0, 1, 2, 3]


# -- without it -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "use",
    [
        "import topple.bridges.open_spiel",
        "import topple; topple.load('open-spiel', game='tic_tac_toe')",
        "import topple; topple.agent('open-spiel').choose(topple.load('hex', 'hex:3').start())",
    ],
)
def test_without_openspiel_one_line_says_how_to_install_it(use: str) -> None:
    program = f"import sys; sys.modules['pyspiel'] = None\n{use}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                         check=False)  # fmt: skip
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("topple.core.errors.Unsupported: OpenSpiel is not installed: "
                           "pip install 'topple[open-spiel]'"), run.stderr  # fmt: skip


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from topple.bridges.open_spiel_library import load_pyspiel

    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(Unsupported, match=r"pip install 'topple\[open-spiel\]'"):
        load_pyspiel()
