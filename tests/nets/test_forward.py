"""The forward pass: compiled, uncompiled and as the description says it, the same numbers."""

import networkx
import numpy as np
import pytest
from numpy.typing import NDArray

import topple
from tests.agents.small_positions import running_position
from tests.nets.plain_net import plain_look
from tests.nets.small_nets import small_net
from topple.game.game import Game
from topple.game.position import Position
from topple.nets.forward import NetScratch, look, make_scratch, write_priors, write_returns
from topple.nets.interface import encode, slot_of, view_of
from topple.nets.net_file import TrainedNet


def lonely(*, directed: bool = False) -> networkx.Graph:
    """Ten vertices, three of which have no neighbours."""
    graph = networkx.gnp_random_graph(7, 0.4, seed=2, directed=directed)
    graph.add_nodes_from(range(7, 10))
    networkx.set_node_attributes(graph, {v: "LR"[v % 2] for v in graph}, "side")
    return graph


# Every kind of board, with numbers of vertices that are and are not multiples of 4.
CASES = [
    ("hex", "hex:3", 3),
    ("hex:swap=true", "hex:4", 2),
    ("hex", "hex:5", 7),
    ("infexion", "infexion:3", 6),
    ("infexion", "infexion:4", 6),
    ("chain-reaction", "grid:3x3", 6),
    ("chain-reaction", "grid:2x5", 6),
    ("chain-reaction:players=3", "grid:2x5", 5),
    ("chain-reaction", "cycle:7", 5),
    ("spread-it", "star:6", 2),
    ("spread-it:loyalty=full", "karate", 9),
    ("influence", "segment:7+4", 2),
    ("influence:first=right", "random-digraph:n=9,m=13,seed=1", 2),
]


def cases() -> list[tuple[Game, int]]:
    """Games with the plies of a position to look at; three of them on boards with lone vertices."""
    games = [(topple.load(spec, board), plies) for spec, board, plies in CASES]
    games += [
        (topple.load("influence", lonely(directed=True)), plies) for plies in (0, 1)
    ]  # a view each
    return games


def looked(position: Position, trained: TrainedNet) -> NetScratch:
    """The scratch space after a look."""
    game = position.game
    sight = game.sight[1]
    scratch = make_scratch(trained.design, game)
    game.run(look, game.scratch_state(position.state), sight, trained.net, scratch)
    return scratch


def uncompiled(position: Position) -> Position:
    """The same position of the same game in plain Python."""
    game = position.game
    return Position(topple.load(game.spec, game.board, compiled=False), position.state)


def dynamic_planes(position: Position) -> NDArray[np.float64]:
    game, sight = position.game, position.game.sight[1]
    planes = np.zeros((sight.n, sight.n_dynamic), dtype=np.float32)
    game.run(encode, game.scratch_state(position.state), planes, game.scratch_state())
    return planes.astype(np.float64)


@pytest.mark.parametrize("case", range(len(CASES) + 2))
def test_it_is_what_the_description_says(case: int) -> None:
    game, plies = cases()[case]
    for blocks, seed in ((1, 1), (3, 2)):
        trained = small_net(game, seed, channels=32, blocks=blocks, policy=16, value=12)
        for at in (plies, plies + 1):
            position = running_position(game, at, 1)
            view = game.run(view_of, game.scratch_state(position.state))
            logits, results = plain_look(position, trained, view, dynamic_planes(position))
            scratch = looked(position, trained)
            # float32 has 7 digits, some hundred of whose roundings add up here.
            assert scratch.logits == pytest.approx(logits, rel=1e-4, abs=1e-4)
            assert scratch.results == pytest.approx(results, rel=1e-4, abs=1e-4)
            assert np.ptp(logits) > 0.01
            assert scratch.results[:-1].sum() == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("case", [0, 3, 5, 7, 8, 9, 12, 13])
def test_compiled_and_uncompiled_agree_to_the_last_bit(case: int) -> None:
    game, plies = cases()[case]
    trained = small_net(game, 3, channels=16, blocks=1)
    position = running_position(game, plies, 1)
    compiled, plain = looked(position, trained), looked(uncompiled(position), trained)
    n = game.board.n_vertices
    for name in ("planes", "hidden", "inner"):  # what stands behind the vertices is no result
        own, other = getattr(compiled, name), getattr(plain, name)
        assert (own[:n] == other[:n]).all(), name
    assert compiled.logits.tobytes() == plain.logits.tobytes()
    assert compiled.results.tobytes() == plain.results.tobytes()


def test_scratch_space_that_was_used_changes_nothing() -> None:
    game = topple.load("influence", "segment:9")
    trained, sight = small_net(game, 4, blocks=2), game.sight[1]
    first, second = game.start(), running_position(game, 1, 3)
    scratch = make_scratch(trained.design, game)
    for position in (second, first, second):
        game.run(look, game.scratch_state(position.state), sight, trained.net, scratch)
        fresh = looked(position, trained)
        assert (scratch.logits == fresh.logits).all()
        assert (scratch.results == fresh.results).all()


@pytest.mark.parametrize(
    ("spec", "boards"),
    [("hex", ["hex:2", "hex:3", "hex:6"]), ("infexion", ["infexion:3", "infexion:5"]),
     ("chain-reaction", ["grid:2x2", "grid:3x5"]), ("spread-it", ["path:4", "karate"]),
     ("influence", ["segment:5", "random-digraph:n=12,m=20,seed=3"])],
)  # fmt: skip
def test_one_network_fits_boards_of_every_size(spec: str, boards: list[str]) -> None:
    games = [topple.load(spec, board) for board in boards]
    trained = small_net(games[0], 5)
    for game in games:
        position = running_position(game, 1, 2)
        view = game.run(view_of, game.scratch_state(position.state))
        logits, results = plain_look(position, trained, view, dynamic_planes(position))
        scratch = looked(position, trained)
        assert scratch.logits == pytest.approx(logits, rel=1e-4, abs=1e-4)
        assert scratch.results == pytest.approx(results, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("case", range(len(CASES)))
def test_priors_are_shares_of_the_legal_moves(case: int) -> None:
    game, plies = cases()[case]
    position, trained = running_position(game, plies, 1), small_net(cases()[case][0], 6)
    scratch = looked(position, trained)
    legal = position.legal_moves()
    moves, priors = game.scratch_moves(), np.zeros(game.sizes.moves, dtype=np.float32)
    moves[: len(legal)] = legal
    logits = scratch.logits.copy()
    game.run(write_priors, moves, len(legal), scratch, priors)
    raised = np.exp([float(logits[game.run(slot_of, move)]) for move in legal])
    assert priors[: len(legal)] == pytest.approx(raised / raised.sum(), rel=1e-5)
    assert priors[: len(legal)].sum() == pytest.approx(1, abs=1e-6)
    assert (priors[len(legal) :] == 0).all()


@pytest.mark.parametrize("case", range(len(CASES)))
def test_returns_are_those_of_the_chances(case: int) -> None:
    game, plies = cases()[case]
    position, trained = running_position(game, plies, 1), small_net(cases()[case][0], 7)
    scratch, returns = looked(position, trained), np.zeros(game.n_players)
    game.kernels(write_returns)(game.scratch_state(position.state), scratch, returns)
    chances, n, mover = scratch.results.astype(float), game.n_players, position.player
    assert returns.sum() == pytest.approx(0, abs=1e-6)
    if n == 2:
        assert returns[mover] == pytest.approx(chances[0] - chances[2])
    else:
        for seat in range(n):  # 1 for a win, a share of −1 for each who does not
            expected = chances[seat] - (1 - chances[seat]) / (n - 1)
            assert returns[(mover + seat) % n] == pytest.approx(expected, abs=1e-6)


def test_huge_weights_give_numbers_all_the_same() -> None:
    game = topple.load("hex", "hex:3")
    trained = small_net(game, 8, scale=200.0)
    scratch = looked(game.start(), trained)
    assert abs(scratch.logits).max() > 1e4
    assert np.isfinite(scratch.results).all()
    assert scratch.results[:-1].sum() == pytest.approx(1, abs=1e-6)
    moves, priors = np.arange(9, dtype=np.int32), np.zeros(9, dtype=np.float32)
    game.run(write_priors, moves, 9, scratch, priors)
    assert np.isfinite(priors).all()
    assert priors.sum() == pytest.approx(1, abs=1e-6)
