"""The network in PyTorch: after it has learned, the exported weights give the same numbers."""

import networkx
import numpy as np
import pytest
import torch

import topple
from tests.agents.small_positions import running_position
from tests.nets.small_nets import small_design
from tests.training.tiny import tiny
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels.self_play import UNIT
from topple.nets.forward import make_scratch, run_net
from topple.nets.interface import encode, view_of
from topple.nets.net import Design, Net
from topple.training.learner import Learner, arcs_on, draw_batch
from topple.training.lessons import Lesson
from topple.training.twin import Twin
from topple.training.window import LATTICES, Batch, Ring, extent_of, mirrored_order, slot_order


def lonely() -> networkx.DiGraph:
    """A digraph with a vertex that has no arcs."""
    graph = networkx.gnp_random_graph(6, 0.3, seed=3, directed=True)
    graph.add_node(6)
    networkx.set_node_attributes(graph, {v: "LR"[v % 2] for v in graph}, "side")
    return graph


# Games of one network each; the plies after which positions are looked at.
CASES: list[tuple[str, list[object], range]] = [
    ("hex:swap=true", ["hex:3"], range(6)),
    ("infexion", ["infexion:3"], range(8)),
    ("chain-reaction:players=3", ["grid:3x3"], range(8)),
    ("chain-reaction", ["grid:2x3"], range(6)),
    ("spread-it:loyalty=full", ["karate", "cycle:5", "path:6"], range(3)),
    ("influence", ["segment:9", "random-digraph:n=8,m=11,seed=1", lonely()], range(2)),
]


def lesson_of(positions: list[Position], first: int) -> Lesson:
    """Positions with random policies; the lead is a position's number."""
    game, sight = positions[0].game, positions[0].game.sight[1]
    design, random = small_design(game), np.random.default_rng(first)
    n, n_slots = len(positions), sight.n * design.actions + design.board_actions
    planes = np.zeros((n, sight.n, sight.n_dynamic), dtype=np.float32)
    views = np.zeros(n, dtype=np.int8)
    for i, position in enumerate(positions):
        state = game.scratch_state(position.state)
        game.run(encode, state, planes[i], game.scratch_state())
        views[i] = game.run(view_of, state)
    policy = random.dirichlet(np.ones(n_slots), n) * UNIT
    results = np.eye(design.results, dtype=np.float32)[random.integers(design.results, size=n)]
    lead = np.arange(first, first + n, dtype=np.float32)
    fates = np.sign(planes[:, :, 0] - planes[:, :, 1])  # something that the planes tell
    return Lesson(
        planes.astype(np.float16), views, policy.astype(np.uint16), results, lead,
        fates.astype(np.float16),
    )  # fmt: skip


def filled(spec: str, boards: list[object], plies: range) -> tuple[Ring, list[Position]]:
    """A ring with positions on all boards."""
    games = [topple.load(spec, board) for board in boards]  # type: ignore[arg-type]
    design = small_design(games[0], blocks=2)
    most = max(game.board.n_vertices for game in games)
    ring = Ring(1000, design, extent_of(games[0].board, design.kind, most))
    positions: list[Position] = []
    for game in games:
        own = [running_position(game, n, seed) for n in plies for seed in range(3)]
        ring.add(lesson_of(own, len(positions)), ring.see(game.sight[1]))
        positions += own
    return ring, positions


def learned(ring: Ring, n_batches: int) -> Learner:
    """A learner after some batches, whose normalisations have moved far from where they began."""
    learner = Learner(ring.design, tiny(rate=0.02), "cpu")
    for i in range(n_batches):
        batch, extent = draw_batch([ring], np.random.default_rng(i), 32)
        learner.learn(batch, extent, 0.5)
    return learner


def looked(position: Position, design: Design, net: Net) -> tuple[np.ndarray, np.ndarray]:
    """Logits and results before they become chances, from planes rounded as the window has them."""
    game, sight = position.game, position.game.sight[1]
    state, scratch = game.scratch_state(position.state), make_scratch(design, game)
    view = game.run(view_of, state)
    game.run(encode, state, scratch.planes, scratch.aside)
    scratch.planes[: sight.n, sight.n_dynamic :][:, : sight.fixed.shape[2]] = sight.fixed[
        view, : sight.n
    ]
    scratch.planes[:] = scratch.planes.astype(np.float16)
    game.kernels(run_net)(sight, view, net, scratch)
    return scratch.logits, scratch.results


def twin_looks(twin: Twin, batch: Batch, extent: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """What the network in PyTorch makes of a batch when it does not learn."""
    planes = torch.as_tensor(batch.planes)
    with torch.no_grad():
        if twin.design.kind in LATTICES:
            logits, results, _ = twin.lattice(planes.unflatten(1, extent))
        else:
            views = torch.as_tensor(batch.views)[:, None]
            looked = twin.network(planes[:, :, None], arcs_on(batch, "cpu"), views)
            logits, results = looked.logits[:, 0], looked.results[:, 0]
    return logits.numpy(), results.numpy()


@pytest.mark.parametrize(
    "case",
    [CASES[0], *(pytest.param(case, marks=pytest.mark.prove) for case in CASES[1:4]), *CASES[4:]],
    ids=lambda case: case[0],
)
def test_exported_weights_give_the_same_numbers(
    case: tuple[str, list[object], range],
) -> None:
    ring, positions = filled(*case)
    learner = learned(ring, 30)
    design = ring.design
    assert any(abs(n.mean).max() > 0.2 for n in learner.twin.normals)
    batch, extent = draw_batch([ring], np.random.default_rng(99), 60)
    for twin in (learner.twin, learner.average):
        logits, results = twin_looks(twin, batch, extent)
        net = twin.export()
        for i, number in enumerate(batch.lead.astype(int).tolist()):
            own_logits, own_results = looked(positions[number], design, net)
            n = positions[number].game.board.n_vertices
            there = logits[i]
            if batch.views[i] == 1 and design.kind in LATTICES:
                # The window mirrors what the second view sees: mirrored again, it is as it was.
                there = there[slot_order(mirrored_order(extent), design)]
            n_moves = n * design.actions
            padded = ring.n * design.actions
            # Sums in float32 are taken in another order, and folded weights round otherwise.
            bound = 1e-3
            assert there[:n_moves] == pytest.approx(own_logits[:n_moves], abs=bound)
            assert there[padded:] == pytest.approx(own_logits[n_moves:], abs=bound)
            assert results[i] == pytest.approx(own_results, abs=bound)
        assert np.ptp(logits) > 0.1


def test_a_folded_twin_gives_what_the_other_gives() -> None:
    ring, _ = filled(*CASES[0])
    learner = learned(ring, 20)
    folded = Twin(ring.design, 7)
    folded.fold(learner.twin)
    batch, extent = draw_batch([ring], np.random.default_rng(1), 20)
    for own, other in zip(
        twin_looks(folded, batch, extent), twin_looks(learner.twin, batch, extent), strict=True
    ):
        assert own == pytest.approx(other, abs=1e-3)
    # It can be folded again, with other weights.
    other_twin = Twin(ring.design, 8)
    folded.fold(other_twin)
    assert twin_looks(folded, batch, extent)[0] == pytest.approx(
        twin_looks(other_twin, batch, extent)[0], abs=1e-3
    )


@pytest.mark.parametrize("case", [CASES[0], CASES[4]], ids=lambda case: case[0])
def test_an_exported_network_goes_on_learning_where_it_was(
    case: tuple[str, list[object], range],
) -> None:
    ring, _ = filled(*case)
    former = learned(ring, 60)
    taker = Learner(ring.design, tiny(rate=1e-6), "cpu")
    taker.take_in(former.net())
    batch, extent = draw_batch([ring], np.random.default_rng(1), 40)
    before = twin_looks(former.average, batch, extent)
    assert not taker.is_settled
    taker.settle(draw_batch([ring], np.random.default_rng(i), 40) for i in range(8))
    assert taker.is_settled
    for twin in (taker.twin, taker.average):
        for own, other in zip(twin_looks(twin, batch, extent), before, strict=True):
            assert own == pytest.approx(other, abs=1e-3)
    # Batches are normalised by themselves as they were before the export: nothing jumps.
    old = former.learn(batch, extent, 1.0)
    new = taker.learn(batch, extent, 1.0)
    assert new.policy == pytest.approx(old.policy, abs=0.2)
    assert new.value == pytest.approx(old.value, abs=0.2)


@pytest.mark.parametrize("case", [CASES[0], CASES[4]], ids=lambda case: case[0])
def test_losses_fall_on_what_is_seen_again_and_again(
    case: tuple[str, list[object], range],
) -> None:
    ring, _ = filled(*case)
    learner = Learner(ring.design, tiny(rate=0.01), "cpu")
    batch, extent = draw_batch([ring], np.random.default_rng(1), 24)
    losses = [learner.learn(batch, extent, 0.0) for _ in range(150)]
    assert losses[-1].value < 0.5 * losses[0].value
    assert losses[-1].policy < 0.9 * losses[0].policy
    assert losses[-1].fates < 0.5 * losses[0].fates
    assert all(np.isfinite(each).all() for each in losses)
    assert losses[-1].policy > 0  # the entropy is the least there can be


def test_padding_changes_nothing_in_the_losses() -> None:
    """A board in a ring of its size and in a larger one: the same losses."""
    game: Game = topple.load("spread-it", "cycle:5")
    own = [running_position(game, n, seed) for n in range(3) for seed in range(4)]
    losses = []
    for most in (5, 9):
        ring = Ring(100, small_design(game), (1, most))
        ring.add(lesson_of(own, 0), ring.see(game.sight[1]))
        learner = Learner(ring.design, tiny(), "cpu")
        batch, extent = draw_batch([ring], np.random.default_rng(2), 20)
        losses.append([learner.learn(batch, extent, 0.0) for _ in range(3)])
    assert np.array(losses[0]) == pytest.approx(np.array(losses[1]), rel=1e-3, abs=1e-4)


def test_the_rate_rises_then_falls() -> None:
    learner = Learner(small_design(topple.load("hex", "hex:3")), tiny(rate=0.01), "cpu")
    learner.n_batches = 1000
    rates = [learner._rate(progress) for progress in np.linspace(0, 1, 11)]
    assert rates[0] == pytest.approx(0.01)
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] == pytest.approx(learner.settings.last_rate)
    learner.n_batches = 9
    assert learner._rate(0.0) == pytest.approx(0.001)
