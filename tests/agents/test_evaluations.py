"""Evaluations say what docs/evaluations.md defines, for either player, and change nothing."""

import math
import random
from collections.abc import Iterator
from itertools import count, islice, pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import topple
from tests.reference.evaluations import TWINS, infexion_greed, infexion_moves
from topple.compiling.specialise import Specialised
from topple.core.errors import BadText, Unsupported
from topple.evaluations import evaluations_of, knowledge_of, score
from topple.evaluations.influence import MOST_VERTICES
from topple.evaluations.interface import LARGEST, evaluate, greed, ordered_moves
from topple.evaluations.spread_it import pagerank
from topple.game.game import Game, random_position
from topple.game.position import Position
from topple.rules import chain_reaction, game_names
from topple.rules.infexion import POWER

UNEVEN = nx.petersen_graph()
for vertex, threshold in enumerate((1, 2, 3, 4, 5, 6, 3, 2, 4, 5)):
    UNEVEN.nodes[vertex]["threshold"] = threshold

# Game, board, options, and about how many moves a game takes.
SETS = [
    ("spread-it", "er:n=24,m=70,seed=1", {}, 110),
    ("spread-it", "er:n=24,m=70,seed=1", {"loyalty": "full"}, 90),
    ("spread-it", "ba:n=15,m=2,seed=3", {"order": "index"}, 40),
    ("spread-it", "star:6", {"loyalty": "full", "tokens": 8}, 8),
    ("spread-it", UNEVEN, {"tokens": 12}, 24),
    ("spread-it", UNEVEN, {"tokens": 20, "loyalty": "full"}, 20),
    ("spread-it", "complete:7", {}, 30),
    ("chain-reaction", "grid:4x4", {}, 30),
    ("chain-reaction", "grid:5x5", {"players": 4}, 60),
    ("chain-reaction", "grid:4x4", {"players": 8, "surplus": "keep"}, 20),
    ("infexion", "infexion:3", {}, 27),
    ("infexion", "infexion:7", {}, 120),
    ("infexion", "infexion:10", {}, 200),
    ("hex", "hex:2", {"swap": True}, 4),
    ("hex", "hex:4", {"swap": True}, 14),
    ("hex", "hex:7", {}, 40),
    ("influence", "segment:40", {}, 12),
    ("influence", "segment:7+8+31p+90", {"first": "right"}, 50),
    ("influence", "tree:n=2,c=4", {}, 20),
    ("influence", "random-digraph:n=30,m=35,seed=2", {}, 12),
    ("influence", "random-digraph:n=150,m=140,seed=4", {}, 60),
]
IDS = [f"{name}-{i}" for i, (name, *_) in enumerate(SETS)]
EVERY_SET = pytest.mark.parametrize(("name", "board", "options", "n_moves"), SETS, ids=IDS)
ZERO_SUM = [
    (name, board, options, n_moves)
    for name, board, options, n_moves in SETS
    if name != "infexion" and "players" not in options
]


def positions(game: Game, n_moves: int, n: int) -> Iterator[Position]:
    """Random positions that are not over."""
    rng = random.Random(7)
    drawn = (random_position(game, rng.randrange(n_moves), seed) for seed in count())
    return islice((position for position in drawn if not position.is_over), n)


def names_of(game: Game) -> list[str]:
    return [name for name in evaluations_of(game.name) if name != "none"]


@EVERY_SET
def test_kernels_agree_with_their_twins(name, board, options, n_moves) -> None:
    game = topple.load(name, board, **options)
    # Stones conduct almost perfectly in the kernel, perfectly in the twin.
    close = 1e-5 if name == "hex" else 1e-9
    seen = set()
    for position in positions(game, n_moves, 200):
        for evaluation in names_of(game):
            for player in range(game.n_players):
                value = position.evaluate(evaluation, player=player)
                expected = TWINS[name](position, evaluation, player)
                assert value == pytest.approx(expected, abs=close, rel=1e-12), (
                    position.text, evaluation, player,
                )  # fmt: skip
                assert abs(value) < LARGEST
                seen.add(value)
    assert len(seen) > 5


@pytest.mark.parametrize(("name", "board", "options", "n_moves"), ZERO_SUM)
def test_what_is_good_for_one_is_bad_for_the_other(name, board, options, n_moves) -> None:
    game = topple.load(name, board, **options)
    for position in positions(game, n_moves, 50):
        for evaluation in names_of(game):
            if evaluation.startswith("own"):  # it counts one side only
                continue
            value = position.evaluate(evaluation, player=0)
            assert value == -position.evaluate(evaluation, player=1), (position.text, evaluation)


@EVERY_SET
def test_an_evaluation_changes_nothing(name, board, options, n_moves) -> None:
    game = topple.load(name, board, **options)
    for position in positions(game, n_moves, 20):
        for evaluation in names_of(game):
            state, knowledge = game.scratch_state(position.state), game.knowledge(evaluation)
            before = state.copy()
            first = game.run(evaluate, state, 0, knowledge)
            assert np.array_equal(state, before)
            assert game.run(evaluate, state, 0, knowledge) == first


@EVERY_SET
def test_plain_python_evaluates_alike(name, board, options, n_moves) -> None:
    game = topple.load(name, board, **options)
    plain = topple.load(name, board, compiled=False, **options)
    for position in positions(game, n_moves, 5):
        same = plain.position(position.text)
        for evaluation in names_of(game):
            value = position.evaluate(evaluation, player=1)
            assert same.evaluate(evaluation, player=1) == pytest.approx(value, rel=1e-12)


@EVERY_SET
def test_without_weights_every_position_is_even(name, board, options, n_moves) -> None:
    game = topple.load(name, board, **options)
    for position in positions(game, n_moves, 5):
        assert math.copysign(1, position.evaluate("none")) == 1.0
        assert position.evaluate("none") == 0.0


@EVERY_SET
def test_weights_weigh_the_features(name, board, options, n_moves) -> None:
    game = topple.load(name, board, **options)
    n_features = len(knowledge_of(name).FEATURES)
    singles = {
        n: e.weights for n, e in evaluations_of(name).items()
        if sum(map(bool, e.weights)) == 1 and len(e.weights) == n_features
    }  # fmt: skip
    assert len(singles) == n_features
    numbers = [0.5, -2.0, 3.0, 0.25, -1.5][:n_features]
    by_place = {weights.index(1.0): single for single, weights in singles.items()}
    for position in positions(game, n_moves, 10):
        value = position.evaluate(weights="/".join(map(str, numbers)))
        parts = (numbers[i] * position.evaluate(by_place[i]) for i in range(n_features))
        assert value == pytest.approx(sum(parts), abs=1e-9)


@pytest.mark.parametrize(
    "board", ["star:6", "ba:n=64,m=2,seed=3", "er:n=20,m=40,seed=5", "grid:8x9"]
)
def test_pagerank_is_that_of_networkx(board: str) -> None:
    loaded = topple.load_board(board)
    expected = nx.pagerank(nx.Graph(loaded.edges()), alpha=0.85)
    assert pagerank(loaded).tolist() == [round(expected[v], 12) for v in range(len(expected))]


# Large weights and large boards.


def test_no_evaluation_reaches_what_a_decided_game_counts() -> None:
    stacks = ",".join(["r6"] * 8 + ["b1"])
    position = topple.load("infexion").position(f"{stacks},40 Blue 321")
    assert 48_000 < position.evaluate(weights="1000", player=0) < LARGEST
    corner = "/".join(["." * 26] * 25 + ["X" + "." * 25])
    for weights in ("1000/1000", "-1000/-1000"):
        value = topple.load("hex", board="hex:26").position(f"{corner} Red").evaluate(None, weights)
        assert abs(value) < LARGEST
    squares = ",".join(["A18"] * 10 + ["B1"])
    crowd = topple.load("chain-reaction", board="complete:20").position(f"{squares},9 A 2")
    assert crowd.evaluate() == 180 - 1
    assert crowd.evaluate(weights="1000/0") == LARGEST - 1
    assert crowd.evaluate(weights="1000/0", player=1) == 1 - LARGEST


def test_a_game_without_evaluations_is_judged_by_its_score() -> None:
    """Here Chain Reaction, as if it had none: the score is its pieces."""
    game = topple.load("chain-reaction", board="grid:5x5", players=4)
    kernels = Specialised(chain_reaction, False, score)
    for weight, most in ((2.0, math.inf), (1e5, LARGEST - 1)):
        knowledge = score.knowledge(game.board, game.tables, np.array([weight]))
        for position in positions(game, 60, 20):
            for player in range(4):
                value = kernels(evaluate)(game.tables, position.state, player, knowledge)
                expected = weight * TWINS["chain-reaction"](position, "pieces", player)
                assert value == max(-most, min(expected, most))


@pytest.mark.prove
def test_hex_twins_agree_on_large_boards() -> None:
    for size, n in ((11, 6), (19, 2), (26, 2)):
        game = topple.load("hex", board=f"hex:{size}")
        for position in positions(game, size * size // 2, n):
            for evaluation in ("connection", "resistance"):
                value = position.evaluate(evaluation)
                expected = TWINS["hex"](position, evaluation, position.player)
                assert value == pytest.approx(expected, abs=1e-4)


def test_cells_that_no_current_reaches_do_not_disturb() -> None:
    """Stones of O enclose b2, which is empty, and e5, where a stone of X lies."""
    game = topple.load("hex", board="hex:6")
    position = game.position(".OOXXX/O.OXXX/OO.XXX/....OO/...OXO/XX.OO. Blue")
    for player in (0, 1):
        value = position.evaluate("resistance", player=player)
        assert value == pytest.approx(TWINS["hex"](position, "resistance", player), abs=1e-5)


def test_reach_works_on_hundreds_of_vertices() -> None:
    game = topple.load("influence", board="random-digraph:n=400,m=700,seed=1")
    for position in positions(game, 30, 10):
        expected = TWINS["influence"](position, "reach", 0)
        assert position.evaluate("reach", player=0) == expected


def test_reach_refuses_a_board_too_large_for_it() -> None:
    n = MOST_VERTICES + 2
    start = topple.load("influence", board=f"segment:{n}").start()
    assert start.evaluate("score") == 0.0
    with pytest.raises(Unsupported, match="reach is for boards of up to 8,192 vertices"):
        start.evaluate("reach")
    assert topple.load("influence", board=f"segment:{MOST_VERTICES}").start().evaluate("reach") == 0


# Infexion: the order of moves and the greedy player.


@pytest.mark.parametrize("size", [3, 5, 7])
def test_infexion_moves_come_spreads_first_without_useless_ones(size: int) -> None:
    game = topple.load("infexion", board=f"infexion:{size}")
    for position in positions(game, size * size * 2, 200):
        moves = game.scratch_moves()
        n = game.run(ordered_moves, game.scratch_state(position.state), moves)
        assert moves[:n].tolist() == infexion_moves(position), position.text


def test_infexion_keeps_all_moves_where_none_is_useful() -> None:
    """A full board's power on few cells: Blue may not spawn, and single tokens go nowhere."""
    game = topple.load("infexion", board="infexion:5")
    position = game.position("b1,11,r4,r4,r4,2,r4,r4,r4,5 Blue 99")
    moves = game.scratch_moves()
    n = game.run(ordered_moves, game.scratch_state(position.state), moves)
    assert tuple(moves[:n].tolist()) == position.legal_moves()
    assert n == 6


@pytest.mark.parametrize("size", [3, 5, 7])
def test_infexion_greed_agrees_with_its_twin(size: int) -> None:
    game = topple.load("infexion", board=f"infexion:{size}")
    knowledge, seen = game.knowledge(), set()
    for position in positions(game, size * size * 2, 60):
        for move in position.legal_moves():
            child = game.scratch_state(position.play(move).state)
            value = game.run(greed, game.scratch_state(position.state), move, child, knowledge)
            assert value == infexion_greed(position, move), (position.text, game.move_text(move))
            seen.add(value)
    assert seen >= {0.0, 1.0, 2.0, 3.0, 4.0}


def test_infexion_ties_never_overturn_ratios() -> None:
    """Over all powers that fit on infexion:10, by value: ratio first, then own power."""
    knowledge = topple.load("infexion").knowledge()
    game = topple.load("infexion", board="infexion:10")
    values = []
    for own in range(1, 101):
        for other in range(1, 101 - own):
            state = game.scratch_state()
            state[POWER], state[POWER + 1] = own, other
            values.append((own / other, own, game.run(evaluate, state, 0, knowledge)))
    values.sort()
    assert all(before[2] < after[2] for before, after in pairwise(values))


@EVERY_SET
def test_a_greedy_player_likes_what_evaluates_best(name, board, options, n_moves) -> None:
    """But for Infexion, whose greedy player is another."""
    game = topple.load(name, board, **options)
    knowledge = game.knowledge()
    for position in positions(game, n_moves, 3):
        for move in position.legal_moves():
            child = position.play(move)
            scratch = game.scratch_state(child.state)
            value = game.run(greed, game.scratch_state(position.state), move, scratch, knowledge)
            if name == "infexion":
                assert value == infexion_greed(position, move)
            elif not child.is_over:
                assert value == child.evaluate(player=position.player)


# Hand-worked examples beyond those of the page.


def test_owned_vertices_count_in_every_feature_of_spread_it() -> None:
    game = topple.load("spread-it", board="cycle:4", loyalty="full", tokens=6)
    position = game.position("B:,R:1r,1b,1r Red 4-5")
    assert position.evaluate("parity", player=0) == 0  # one each
    # Vertices 1 and 2: two stable tokens each. One more token fires 3 and 4: unstable, one each.
    assert position.evaluate("stability", player=0) == 0
    ahead = game.position("B:,B:1b,1b,1r Red 4-5")
    assert ahead.evaluate("parity", player=0) == 2 / 4
    assert ahead.evaluate("stability", player=0) == 4 / 8
    assert ahead.evaluate("mobility", player=0) == 0  # 3 and 4 are worth a token to both
    assert ahead.evaluate("hubs", player=0) == pytest.approx(2 / 4)
    assert ahead.evaluate("general", player=0) == pytest.approx(2 / 4)


def test_the_strongest_of_many_counts_in_chain_reaction() -> None:
    game = topple.load("chain-reaction", board="grid:3x3", players=3)
    position = game.position("A1,B2,1,C1,C3,B1,3 A 3")
    assert [position.evaluate(player=p) for p in range(3)] == [1 - 4, 3 - 4, 4 - 3]


def test_a_swap_exchanges_the_values_of_the_players() -> None:
    game = topple.load("hex", board="hex:3", swap=True)
    before = game.start().play("b2")
    after = before.play("swap-pieces")
    for evaluation in ("connection", "resistance"):
        value = before.evaluate(evaluation, player=0)
        assert value > 0
        assert after.evaluate(evaluation, player=1) == value


def test_a_side_without_power_counts_as_one() -> None:
    position = topple.load("infexion").start().play("SPAWN(0, 0)")
    assert position.evaluate(player=0) == pytest.approx(1.000001)
    assert position.evaluate(player=1) == 0


# What is refused, and what is written down.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"evaluation": "pariti"},
            "unknown evaluation of spread-it 'pariti': did you mean 'parity'",
        ),
        ({"weights": "1/2"}, "weights=1/2 must be 5 numbers up to 1000 .*: parity/stability/"),
        ({"weights": "1/2/3/4/x"}, "weights=1/2/3/4/x must be 5 numbers"),
        ({"weights": "1/2/3/4/nan"}, "must be 5 numbers"),
        ({"weights": "1/2/3/4/1001"}, "must be 5 numbers up to 1000"),
        ({"player": 2}, "there is no player 2: players are 0 to 1"),
        ({"player": -1}, "there is no player -1"),
    ],
)
def test_what_cannot_be_evaluated_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(BadText, match=message):
        topple.load("spread-it", board="cycle:4").start().evaluate(**arguments)


def test_a_finished_game_is_not_evaluated() -> None:
    end = topple.load("hex", board="hex:1").start().play("a1")
    with pytest.raises(Unsupported, match="the game is over: Blue wins"):
        end.evaluate()


def test_every_evaluation_is_defined_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "evaluations.md").read_text("utf-8")
    sections = {part.split("`")[1]: part for part in page.split("\n## ")[1:] if "`" in part}
    for game in game_names():
        if game not in TWINS:
            continue
        for name, evaluation in evaluations_of(game).items():
            assert f"`{name}`" in (page if name == "none" else sections[game]), (game, name)
            if sum(map(bool, evaluation.weights)) > 1:
                assert all(str(weight) in sections[game] for weight in evaluation.weights)
