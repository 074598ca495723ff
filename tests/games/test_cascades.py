"""Corners of the cascades that random games seldom reach."""

import random

import numpy as np
import pytest

import topple
from tests.reference.spread_it import SpreadIt
from topple.boards.board import make_board
from topple.compiling.rng import make_rng
from topple.game.game import load
from topple.kernels.playout import playouts
from topple.rules import chain_reaction
from topple.rules import hex as hex_rules
from topple.rules.interface import (
    NO_VERTEX,
    PLAYER,
    RUNNING,
    STATUS,
    apply,
    begin,
    outcome,
    playout,
    step,
)
from topple.rules.spread_it.board import HAS_FIRED, LANES, N_NUMBERS, READY, TOKENS
from topple.rules.spread_it.ready import HALF, MOST_KEYS, MOST_LEAD, have_keys

NEARLY = [[1, 2, 3, 4, 6], [0, 3, 5], [0, 5, 6], [0, 1, 5], [0], [1, 2, 3, 6], [0, 2, 5]]
CROWDED = "2b2r,2b,1b1r,1b,1,1b2r,2r Black 8-8"


def crowded_game() -> topple.Game:
    """Fourteen tokens on seven vertices, none of them ready."""
    return load("spread-it", make_board("graph", NEARLY), tokens=15)


def test_many_ready_vertices_fire_in_order() -> None:
    n = 14
    leaves = random.Random(1).sample(range(n), n)
    board = make_board("star", [[n]] * n + [leaves], thresholds=[1] * (n + 1))
    start = load("spread-it", board, order="index", firings=n + 1).start()
    assert [step.vertex for step in start.steps(n)] == [n, *range(n)]


def test_a_ready_vertex_that_loses_its_lead_falls_back() -> None:
    board = make_board("kite", [[1, 3], [0, 2, 3], [1], [0, 1]])
    before = load("spread-it", board, tokens=9).position("1b,2r,1,1b Black 7-7")
    # 1 fires red: 0 and 3 hold 1b1r, 2 holds 1r. 0 fires red: 3 falls behind 2.
    assert [step.vertex for step in before.steps(1)][:3] == [1, 0, 2]


def test_crowded_positions_cascade_as_the_twin_says() -> None:
    """One token more on boards whose vertices are all nearly ready, in both orders."""
    for seed in range(400):
        rng = random.Random(seed)
        n = rng.randint(4, 14)
        edges = {(rng.randrange(v), v) for v in range(1, n)}
        edges |= {tuple(sorted(rng.sample(range(n), 2))) for _ in range(2 * n)}
        graph = [sorted({u for e in edges if v in e for u in e if u != v}) for v in range(n)]
        order = rng.choice(["dominance", "index"])
        tokens = [rng.randint(0, len(each) - 1) for each in graph]
        black = [rng.randint(0, each) for each in tokens]
        game = load("spread-it", make_board("graph", graph), order=order, tokens=sum(tokens) + 2)
        state = game.scratch_state(game.start().state)
        state[TOKENS : TOKENS + n] = black
        state[TOKENS + n : TOKENS + 2 * n] = np.array(tokens) - black
        state[4:6] = sum(black), sum(tokens) - sum(black)  # tokens on the board
        twin = SpreadIt(graph, order=order, tokens=sum(tokens) + 2)
        start = twin.start()
        red = tuple(t - b for t, b in zip(tokens, black, strict=True))
        before = start.__class__(**{**start.__dict__, "black": tuple(black), "red": red})
        move = rng.randrange(n)
        after = twin.play(before, move)
        game.run(apply, state, move)
        over = topple.Position(game, state)
        assert over.is_over == twin.is_over(after), seed
        if over.is_over:
            assert over.returns() == twin.returns(after), seed
        if not over.is_over or over.returns()[0]:
            assert state[TOKENS : TOKENS + n].tolist() == list(after.black), seed
            assert state[TOKENS + n : TOKENS + 2 * n].tolist() == list(after.red), seed


@pytest.mark.parametrize("loyalty", ["zero", "full"])
@pytest.mark.parametrize("order", ["dominance", "index"])
@pytest.mark.parametrize("board", ["er:n=12,m=20,seed=1", "ba:n=32,m=2,seed=1", "grid:5x13"])
def test_the_largest_key_is_the_top_of_the_heap(board: str, order: str, loyalty: str) -> None:
    """The same vertices fire in the same order, whichever way they are found."""
    by_keys = load("spread-it", board, order=order, loyalty=loyalty)
    by_heap = load("spread-it", board, order=order, loyalty=loyalty)
    assert by_keys.tables.by_keys == 1
    by_heap.tables = by_heap.tables._replace(by_keys=0)
    n_firings = 0
    for seed in range(20):
        rng, states = random.Random(seed), [by_keys.start().state, by_heap.start().state]
        while states[0][STATUS] == RUNNING:
            move = rng.choice(topple.Position(by_keys, states[0]).legal_moves())
            fired = []
            for i, game in enumerate((by_keys, by_heap)):
                states[i] = game.scratch_state(states[i])
                game.run(begin, states[i], move)
                fired.append([game.run(step, states[i])])
                while fired[i][-1] != NO_VERTEX:
                    fired[i].append(game.run(step, states[i]))
                states[i] = states[i][: game.sizes.state]
            assert fired[0] == fired[1]
            assert states[0].tolist() == states[1].tolist()
            n_firings += len(fired[0]) - 1
    assert n_firings > 100


def test_keys_are_for_small_boards_and_leads_that_fit() -> None:
    def has_keys(board: str, **options: object) -> bool:
        return load("spread-it", board, **options).tables.by_keys == 1

    assert has_keys("cycle:1024", tokens=9)
    assert not has_keys("cycle:1025", tokens=9)
    assert has_keys("cycle:9", tokens=MOST_LEAD // 2)
    assert not has_keys("cycle:9", tokens=MOST_LEAD // 2 + 1)
    assert has_keys("cycle:9", tokens=1_000_000, order="index")
    growing = make_board("cycle", [[1, 2], [0, 2], [0, 1]], thresholds=[1, 1, 1])
    assert load("spread-it", growing).tables.by_keys == 0


def test_the_largest_and_the_least_key_fit() -> None:
    assert HALF + MOST_KEYS * MOST_LEAD + MOST_KEYS - 1 == 2**31 - 1
    assert HALF - MOST_KEYS * MOST_LEAD > 0


@pytest.mark.parametrize("mover", ["Black", "Red"])
def test_large_leads_on_the_largest_board_with_keys_fire_in_order(mover: str) -> None:
    """A hub makes all leaves ready at once, some of them with hundreds of thousands ahead.

    High thresholds hold the tokens; keys, which such boards do not get, have room for them.
    """
    assert have_keys(MOST_KEYS, by_index=False, most_tokens=MOST_LEAD)
    hub = MOST_KEYS - 1
    leads = {0: -500_000, 1: 500_000, 2: 2, 600: -3, hub - 2: 20_000, hub - 1: -20_000}
    thresholds = [abs(leads.get(leaf, 0)) + 1 for leaf in range(hub)]
    star = make_board("star", [[hub]] * hub + [list(range(hub))], thresholds=[*thresholds, hub])
    fired = []
    for by_keys in (1, 0):
        game = load("spread-it", star, tokens=MOST_LEAD // 2)
        game.tables = game.tables._replace(by_keys=by_keys)
        state = game.scratch_state(game.start().state)
        state[PLAYER] = mover == "Red"
        for leaf, lead in leads.items():
            state[TOKENS + leaf + MOST_KEYS * (lead < 0)] = abs(lead)
        state[TOKENS + hub] = state[TOKENS + MOST_KEYS + hub] = (hub - 1) // 2
        game.run(begin, state, hub)
        fired.append([game.run(step, state) for _ in range(1 + hub)])
    assert fired[0] == fired[1]
    order = sorted(range(hub), key=lambda leaf: (-leads.get(leaf, 0), leaf))
    if mover == "Red":
        order = sorted(range(hub), key=lambda leaf: (leads.get(leaf, 0), leaf))
    assert fired[0] == [hub, *order]


def test_a_configuration_that_nearly_recurs_is_no_draw() -> None:
    assert crowded_game().position(CROWDED).play(6).outcome.winner == 0


def test_an_endless_cascade_leaves_nothing_behind() -> None:
    game = crowded_game()
    state = game.scratch_state(game.position(CROWDED).state)
    game.run(apply, state, 6)
    work = state[game.sizes.state :]
    assert not work[:N_NUMBERS].any()
    assert not work[N_NUMBERS:-LANES].reshape(-1, 7)[[READY, HAS_FIRED]].any()


def test_a_cascade_that_settles_at_the_cut_is_not_endless() -> None:
    board = make_board("pair", [[1], [0]], thresholds=[1, 2])
    assert not load("spread-it", board, tokens=2, firings=1).start().play(0).is_over


def test_where_thresholds_are_degrees_nothing_is_cut() -> None:
    position = load("spread-it", "cycle:3", firings=1).start()
    for move in ("1", "1", "3"):
        position = position.play(move)
    assert position.outcome.winner == 0


def test_tokens_may_vanish_and_a_cascade_is_cut_all_the_same() -> None:
    board = make_board("path", [[1], [0, 2], [1]], thresholds=[1, 2, 2])
    game = load("spread-it", board, tokens=9, firings=1)
    assert game.position("1,1b,1 Black 9-9").play(0).outcome.reason == "an endless cascade"


def test_the_cut_by_default_and_its_bound() -> None:
    assert load("spread-it", "cycle:3").tables.most_firings == 103_000
    board = make_board("star", [[20]] * 20 + [list(range(20))], thresholds=[1] * 21)
    game = load("spread-it", board, firings=100_000_000)
    assert game.tables.most_firings * 19 <= 1 << 30


def test_a_short_ring_wraps_or_is_refused() -> None:
    long = load("chain-reaction", "grid:4x4", compiled=False)
    refused = 0
    for length in (3, 8):
        short = load("chain-reaction", "grid:4x4", compiled=False)
        short.tables = short.tables._replace(ring=length)
        short.sizes = chain_reaction.sizes(short.tables)
        for seed in range(20):
            rng, expected, position = random.Random(seed), long.start(), short.start()
            while not expected.is_over:
                move = rng.choice(expected.legal_moves())
                expected = expected.play(move)
                try:
                    position = position.play(move)
                except topple.Unsupported:
                    refused += 1
                    break
                assert expected.text == position.text
    assert 0 < refused < 40


def test_hex_playouts_swap_as_often_as_they_should() -> None:
    game = load("hex:swap=true", "hex:3", compiled=False)
    for root in (game.start(), game.start().play("a1")):
        rng, n_games, swapped = make_rng(1), 1800, 0
        for _ in range(n_games):
            state = game.scratch_state(root.state)
            game.run(playout, state, rng, game.scratch_moves())
            swapped += state[hex_rules.SWAPPED]
        assert abs(swapped - n_games / 9) < 5 * (n_games / 9) ** 0.5


@pytest.mark.parametrize("n", [63, 64, 65])
def test_influence_playouts_take_everything_at_the_words_edge(n: int) -> None:
    game = load("influence", f"segment:{n}")
    state = game.scratch_state(game.start().state)
    game.run(playout, state, make_rng(1), game.scratch_moves())
    assert sum(topple.Position(game, state).scores) == n


@pytest.mark.parametrize(
    ("spec", "board"),
    [
        ("spread-it", "cycle:6"),
        ("spread-it", "grid:2x3"),
        ("spread-it:loyalty=full", "grid:3x3"),
        ("chain-reaction:players=3", "grid:3x3"),
        ("infexion", "infexion:3"),
        ("hex:swap=true", "hex:4"),
        ("influence", "segment:12"),
    ],
)
def test_games_that_share_scratch_space_are_those_with_fresh_space(spec: str, board: str) -> None:
    game = load(spec, board)
    root, n_games, returns = game.scratch_state(game.start().state), 500, np.zeros(game.n_players)
    rng, totals = make_rng(1), np.zeros(game.n_players)
    n_plies = game.run(
        playouts,
        root,
        game.scratch_state(),
        game.sizes.state,
        rng,
        game.scratch_moves(),
        returns,
        totals,
        n_games,
    )
    fresh, expected, expected_plies = make_rng(1), np.zeros(game.n_players), 0
    for _ in range(n_games):
        state = game.scratch_state(root)
        expected_plies += game.run(playout, state, fresh, game.scratch_moves())
        game.run(outcome, state, returns)
        expected += returns
    assert (n_plies, int(rng[0])) == (expected_plies, int(fresh[0]))
    assert totals.tolist() == expected.tolist()


def test_the_key_knows_who_moves() -> None:
    game = load("chain-reaction", "grid:2x2")
    assert game.position("A1,B1,2 A 2").key != game.position("A1,B1,2 B 2").key


def test_tokens_that_grow_without_bound_are_refused_before_they_overflow() -> None:
    """Settled cascades may add up: a hub of threshold 1 makes a thousand tokens each time."""
    n = 1000
    board = make_board("star", [[n]] * n + [list(range(n))], thresholds=[10**9] * n + [1])
    game = load("spread-it", board, tokens=1_000_000)
    state = game.scratch_state(game.start().state)
    state[TOKENS : TOKENS + n] = 400_000
    state[4] = 400_000 * n  # black tokens on the board
    played = 0
    while state[1] == 0:
        game.run(apply, state, n)
        played += 1
        assert (state[4:6] >= 0).all()
    assert played > 1
    with pytest.raises(topple.Unsupported, match="too large to follow"):
        topple.Position(game, state)


def test_an_endless_cascade_is_decided_however_many_tokens_it_made() -> None:
    """Only a game that goes on is refused for its counts."""
    n = 1000
    board = make_board("star", [[n]] * n + [list(range(n))], thresholds=[1] * (n + 1))
    game = load("spread-it", board, tokens=5)
    state = game.scratch_state(game.start().state)
    state[TOKENS + n] = 0
    state[4] = state[TOKENS] = 1 << 29  # black tokens, all on one leaf
    game.run(apply, state, 1)
    assert topple.Position(game, state).outcome.winner == 0
