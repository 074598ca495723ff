"""Alpha-beta: exactly minimax's value, at every depth, whatever its table holds."""

import itertools
from typing import Any

import pytest

import topple
from tests.agents import small_positions
from tests.agents.small_positions import running_position
from topple.agents.alphabeta import FIRST_TABLE, AlphaBeta, make_table
from topple.agents.minimax import Minimax
from topple.game.game import Game, random_position
from topple.game.position import Position
from topple.kernels.values import DECIDED

NAMES = ["spread-it", "chain-reaction", "infexion", "hex", "influence"]

HALFWAY = [
    ("spread-it", "ba:n=8,m=2,seed=1", 6),
    ("spread-it:loyalty=full", "ws:n=10,k=4,p=0.2,seed=1", 8),
    ("chain-reaction", "grid:3x3", 10),
    ("infexion", "infexion:4", 6),
    ("hex", "hex:4", 3),
    ("influence", "segment:14", 1),
    ("influence", "random-digraph:n=12,m=12,seed=1", 1),
]


def pairs_of(name: str) -> list[tuple[Game, range]]:
    return [(game, plies) for game, plies in small_positions.games() if game.name == name]


@pytest.mark.parametrize("name", NAMES)
def test_the_value_at_full_depth_is_minimaxs_on_500_positions(name: str) -> None:
    n_seen = 0
    cases = pairs_of(name)
    for game, plies in cases:
        for position in small_positions.positions(game, plies, 2 * 500 // len(cases) + 1, 7):
            plain = small_positions.solve(position)
            if plain is None:
                continue
            fast = AlphaBeta(depth=100, evaluation="none").choose(position)
            expected = plain.decision()
            assert (fast.value, fast.proven) == (expected.value, expected.proven), position
            n_seen += 1
    assert n_seen >= 500, n_seen


@pytest.mark.parametrize(("spec", "board", "n_plies"), HALFWAY)
def test_the_value_at_every_depth_is_minimaxs(spec: str, board: str, n_plies: int) -> None:
    game = topple.load(spec, board)
    for seed, depth in itertools.product(range(8), (1, 2, 3, 4)):
        position = running_position(game, n_plies, seed)
        plain = Minimax(depth=depth).choose(position)
        fast = AlphaBeta(depth=depth).choose(position)
        assert fast.value == plain.value, (position, depth)
        assert fast.effort.nodes < 3 * plain.effort.nodes + 100
        best = {c.move for c in plain.candidates if c.value == plain.value}
        assert fast.move in best


@pytest.mark.parametrize(("spec", "board", "n_plies"), HALFWAY)
def test_a_tiny_table_changes_nothing_but_the_effort(spec: str, board: str, n_plies: int) -> None:
    position = running_position(topple.load(spec, board), n_plies, 3)
    roomy = AlphaBeta(depth=4).choose(position)
    search = AlphaBeta(depth=4).search(position, 0)
    search.table, search.most_entries = make_table(4), 4
    while not search.is_done:
        search.advance(1000)
    assert search.decision().value == roomy.value
    assert len(search.table.keys) == 4


@pytest.mark.parametrize("kind", [AlphaBeta, Minimax])
@pytest.mark.parametrize(("spec", "board", "n_plies"), HALFWAY)
def test_cutting_the_work_into_parts_changes_nothing(
    kind: Any, spec: str, board: str, n_plies: int
) -> None:
    position = running_position(topple.load(spec, board), n_plies, 5)
    whole, cut = (kind(depth=3).search(position, 0) for _ in range(2))
    whole.advance(10**9)
    while not whole.is_done:
        whole.advance(10**9)
    for n in itertools.cycle((1, 2, 3, 50)):
        if cut.is_done:
            break
        cut.advance(n)
        assert cut.decision().move in position.legal_moves()
    assert cut.decision() == whole.decision()


def test_a_limit_of_nodes_is_kept_to_the_node() -> None:
    position = topple.load("hex", "hex:5").start()
    for nodes in (1, 2, 17, 1000, 12_345):
        assert AlphaBeta(nodes=nodes).choose(position).effort.nodes == nodes
    assert AlphaBeta(nodes=10**6, depth=1).choose(position).effort.nodes == 26


def leaf_value(position: Position, moves: tuple[int, ...], player: int) -> float | None:
    """What the position after some moves is worth, if it is not over."""
    for move in moves:
        position = position.play(move)
    return None if position.is_over else position.evaluate(player=player)


@pytest.mark.parametrize("kind", [AlphaBeta, Minimax])
@pytest.mark.parametrize(("spec", "board", "n_plies"), HALFWAY)
def test_the_variation_leads_to_the_value(kind: Any, spec: str, board: str, n_plies: int) -> None:
    n_whole = 0
    for seed in range(6):
        position = running_position(topple.load(spec, board), n_plies, seed)
        decision = kind(depth=3).choose(position)
        assert decision.variation[0] == decision.move
        value = leaf_value(position, decision.variation, position.player)
        if abs(decision.value) < DECIDED and len(decision.variation) == 3:
            assert value == decision.value
            n_whole += 1
    assert n_whole or spec == "influence"


def test_hex_openings_on_4x4_are_the_known_ones() -> None:
    game = topple.load("hex", "hex:4")
    won = set()
    for move in game.start().legal_moves():
        answer = AlphaBeta(depth=20, evaluation="none").choose(game.start().play(move))
        if answer.proven == "lost":
            won.add(game.move_text(move))
    assert won == {"d1", "c2", "b3", "a4"}


def test_candidates_carry_the_effort_and_say_which_values_are_bounds() -> None:
    decision = AlphaBeta(depth=3).choose(topple.load("spread-it", "ba:n=9,m=2,seed=1").start())
    assert sum(candidate.share for candidate in decision.candidates) == pytest.approx(1)
    assert decision.candidates[0].move == decision.move
    assert decision.candidates[0].exact
    assert not all(candidate.exact for candidate in decision.candidates)
    plain = Minimax(depth=3).choose(topple.load("spread-it", "ba:n=9,m=2,seed=1").start())
    values = {candidate.move: candidate.value for candidate in plain.candidates}
    for candidate in decision.candidates:
        assert candidate.value >= values[candidate.move]


def test_more_than_two_players_are_refused() -> None:
    game = topple.load("chain-reaction:players=3", "grid:3x3")
    for name in ("alphabeta", "minimax"):
        with pytest.raises(topple.Unsupported, match="is for 2 players"):
            topple.agent(name).choose(game.start())


@pytest.mark.parametrize("name", ["alphabeta:depth=2", "minimax:depth=2"])
def test_plain_python_gives_the_same_answer(name: str) -> None:
    for game, board in (
        ("hex", "hex:3"),
        ("chain-reaction", "grid:2x3"),
        ("infexion", "infexion:3"),
    ):
        fast, slow = (topple.load(game, board, compiled=compiled) for compiled in (True, False))
        agent = topple.agent(name)
        assert agent.choose(random_position(fast, 3, 1)) == agent.choose(
            random_position(slow, 3, 1)
        )


def test_ordered_moves_and_the_table_save_what_they_did() -> None:
    """No answer would tell of a killer, a history or an entry that is never used."""
    nodes = [
        AlphaBeta(depth=depth).choose(running_position(topple.load("hex", board), n_plies, 1))
        for board, n_plies, depth in (("hex:4", 0, 5), ("hex:5", 2, 4))
    ]
    assert [decision.effort.nodes for decision in nodes] == [5631, 2327]


def test_the_table_grows_within_the_memory_limit() -> None:
    search = AlphaBeta(nodes=60_000, memory=1).search(topple.load("hex", "hex:5").start(), 0)
    while not search.is_done:
        search.advance(10_000)
    used = sum(part.nbytes for part in search.table)
    assert used + used // 2 <= 1 << 20  # the last one was there while it grew
    assert len(search.table.keys) > FIRST_TABLE


def test_what_candidates_are_said_to_prove_is_true() -> None:
    """A bound that promises a win proves none."""
    seen, n_bounds = set(), 0
    for game, plies in pairs_of("hex")[1:2]:
        for position in small_positions.positions(game, plies, 30, 7):
            plain = small_positions.solve(position)
            if plain is None:
                continue
            truth = {c.move: c.proven for c in plain.decision().candidates}
            for c in AlphaBeta(depth=100, evaluation="none").choose(position).candidates:
                assert c.proven in (None, truth[c.move]), (position, c)
                seen.add(c.proven)
                n_bounds += not c.exact and c.value > DECIDED
    assert seen == {None, "won", "lost"}
    assert n_bounds > 0


def test_a_search_cut_short_proves_nothing_that_is_not_there() -> None:
    """What was not looked at may be better."""
    n_proven = 0
    for game, plies in [*pairs_of("spread-it")[6:8], *pairs_of("hex")]:
        for position in small_positions.positions(game, plies, 25, 7):
            plain = small_positions.solve(position)
            if plain is None:
                continue
            truth = plain.decision().proven
            for kind in (AlphaBeta, Minimax):
                search = kind(depth=100, evaluation="none").search(position, 0)
                while not search.is_done:
                    search.advance(1)
                    claimed = search.decision().proven
                    assert claimed in (None, truth), position
                    n_proven += claimed is not None
                assert search.decision().proven == truth
    assert n_proven > 0


@pytest.mark.parametrize("kind", [AlphaBeta, Minimax])
def test_where_an_evaluation_had_a_say_no_draw_is_proven(kind: Any) -> None:
    n_open = n_drawn = 0
    for game, plies in pairs_of("spread-it")[6:8]:
        for position in small_positions.positions(game, plies, 25, 7):
            plain = small_positions.solve(position)
            if plain is None:
                continue
            truth = plain.decision().proven
            for depth in (1, 2, 3, 4):
                decision = kind(depth=depth, evaluation="none").choose(position)
                assert decision.proven in (None, truth), position
                n_open += decision.proven is None
                n_drawn += decision.proven == "drawn"
    assert n_open > 10
    assert n_drawn > 10


def test_a_search_to_every_end_goes_no_deeper() -> None:
    n_drawn = 0
    game, plies = pairs_of("spread-it")[7]
    for position in small_positions.positions(game, plies, 20, 7):
        decision = AlphaBeta(depth=100, evaluation="none").choose(position)
        if decision.proven == "drawn":
            assert decision.effort.depth < 20
            n_drawn += 1
    assert n_drawn > 3


def test_candidates_share_the_nodes_of_the_last_iteration() -> None:
    position = topple.load("hex", "hex:4").start()
    shallow, deep = (AlphaBeta(depth=depth).choose(position) for depth in (2, 3))
    spent = sum(candidate.visits for candidate in deep.candidates)
    assert spent == deep.effort.nodes - shallow.effort.nodes
