"""The window: the oldest positions go first, and what is drawn is what was put in."""

import numpy as np
import pytest

import topple
from tests.nets.small_nets import small_design
from topple.game.game import Game
from topple.kernels.self_play import UNIT
from topple.training.lessons import Lesson
from topple.training.window import Ring, extent_of, mirrored_order, slot_order


def numbered(game: Game, first: int, n: int, views: tuple[int, ...] = (0,)) -> Lesson:
    """Positions whose lead is their number and whose planes and policies hold it too."""
    sight, design = game.sight[1], small_design(game)
    n_slots = sight.n * design.actions + design.board_actions
    numbers = np.arange(first, first + n)
    planes = numbers[:, None, None] + np.arange(sight.n)[None, :, None] / 64
    policy = np.zeros((n, n_slots), dtype=np.uint16)
    policy[np.arange(n), numbers % n_slots] = UNIT
    return Lesson(
        np.broadcast_to(planes, (n, sight.n, sight.n_dynamic)).astype(np.float16),
        np.array([views[i % len(views)] for i in numbers], dtype=np.int8),
        policy,
        np.eye(3, dtype=np.float32)[numbers % 3],
        numbers.astype(np.float32),
        np.broadcast_to(np.arange(sight.n) / 64, (n, sight.n)).astype(np.float16),
    )


def test_the_oldest_are_forgotten_first() -> None:
    game = topple.load("infexion", "infexion:3", compiled=False)
    ring = Ring(10, small_design(game), (3, 3))
    board, random = ring.see(game.sight[1]), np.random.default_rng(1)
    for first, n, kept in ((0, 4, range(4)), (4, 5, range(9)), (9, 3, range(2, 12)),
                           (12, 10, range(12, 22)), (22, 1, range(13, 23))):  # fmt: skip
        ring.add(numbered(game, first, n), board)
        assert ring.size == len(kept)
        assert ring.n_added == first + n
        assert set(ring.batch(random, 400).lead.tolist()) == set(kept)


def test_a_lesson_longer_than_the_window_leaves_its_end() -> None:
    game = topple.load("infexion", "infexion:3", compiled=False)
    ring = Ring(4, small_design(game), (3, 3))
    ring.add(numbered(game, 0, 11), ring.see(game.sight[1]))
    assert set(ring.batch(np.random.default_rng(1), 100).lead.tolist()) == {7, 8, 9, 10}


def test_what_is_drawn_belongs_together() -> None:
    game = topple.load("infexion", "infexion:3", compiled=False)
    ring = Ring(100, small_design(game), (3, 3))
    ring.add(numbered(game, 0, 80), ring.see(game.sight[1]))
    batch = ring.batch(np.random.default_rng(2), 50)
    n_dynamic = game.sight[1].n_dynamic
    for i, number in enumerate(batch.lead.astype(int).tolist()):
        expected = (number + np.arange(9) / 64).astype(np.float16)
        assert (batch.planes[i, :, 0] == expected).all()
        assert (batch.planes[i, :, n_dynamic:] == 0).all()
        assert batch.policy[i].argmax() == number % 63
        assert batch.policy[i].sum() == pytest.approx(1)
        assert batch.results[i].argmax() == number % 3


def test_what_the_second_view_sees_is_mirrored() -> None:
    game = topple.load("hex", "hex:3", compiled=False)
    design, sight = small_design(game), game.sight[1]
    ring = Ring(100, design, (3, 3))
    ring.add(numbered(game, 0, 40, views=(0, 1)), ring.see(sight))
    batch = ring.batch(np.random.default_rng(3), 60)
    n_dynamic = sight.n_dynamic
    for i, number in enumerate(batch.lead.astype(int).tolist()):
        cells = (number + np.arange(9) / 64).astype(np.float16).reshape(3, 3)
        slot = number % 10
        if number % 2:  # rows become columns, and the swap stays the swap
            cells = cells.T
            slot = slot if slot == 9 else slot % 3 * 3 + slot // 3
        assert (batch.planes[i, :, 0].reshape(3, 3) == cells).all()
        fates = np.arange(9).reshape(3, 3) / 64
        assert (batch.fates[i].reshape(3, 3) == (fates.T if number % 2 else fates)).all()
        assert batch.policy[i].argmax() == slot
        # Mirrored too, the edges of the second view are where the first one has them.
        own_edges = batch.planes[i, :, n_dynamic : n_dynamic + 2].reshape(3, 3, 2)
        assert own_edges[0, :, 0].all()
        assert own_edges[2, :, 1].all()
        assert own_edges.sum() == 6


def test_smaller_networks_are_padded() -> None:
    large = topple.load("spread-it", "path:6", compiled=False)
    small = topple.load("spread-it", "cycle:4", compiled=False)
    ring = Ring(100, small_design(large), extent_of(large.board, "network", 6))
    assert ring.extent == (1, 6)
    for i, game in enumerate((large, small)):
        board = ring.see(game.sight[1])
        assert board == i
        ring.add(numbered(game, 10 * i, 10), board)
    batch = ring.batch(np.random.default_rng(4), 60)
    for i, number in enumerate(batch.lead.astype(int).tolist()):
        n = 6 if number < 10 else 4
        assert batch.mask[i].tolist() == [1] * n + [0] * (6 - n)
        assert (batch.planes[i, n:] == 0).all()
        assert (batch.planes[i, :n] != 0).any()
        assert batch.policy[i].argmax() == number % n
        assert batch.arcs[i].sum() == (10 if n == 6 else 8)
        assert (batch.arcs[i, :, n:] == 0).all()
        assert (batch.arcs[i, :, :, n:] == 0).all()


def test_the_order_of_slots_follows_the_order_of_cells() -> None:
    order = mirrored_order((2, 2))
    assert order.tolist() == [0, 2, 1, 3]
    design = small_design(topple.load("hex", "hex:2", compiled=False))
    assert slot_order(order, design).tolist() == [0, 2, 1, 3, 4]
