"""frontier: equal to plain minimax where no limit binds, and true to its limits where one does."""

import tracemalloc
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

import topple
from tests.reference.minimax import legal, minimax, move_values, worthwhile
from topple import evaluations
from topple.agents import Decision
from topple.agents.frontier import FrontierSearch, GameClock
from topple.compiling.specialise import kernel
from topple.evaluations import score
from topple.game.game import Game, random_position
from topple.game.position import Position
from topple.kernels.frontier import OVER, ROOT
from topple.rules.interface import legal_moves

BOARDS = [
    ("hex", "hex:3"),
    ("spread-it", "path:4"),
    ("spread-it", "cycle:4"),
    ("spread-it", "cycle:3"),
    ("chain-reaction", "grid:2x2"),
    ("chain-reaction", "grid:2x3"),
    ("infexion", "infexion:3"),
    ("influence", "segment:3p+4"),
    ("influence", "segment:6"),
]


def finished(spec: str, position: Position) -> FrontierSearch:
    """A search carried to its limits."""
    search = topple.agent(spec).search(position, 0)
    while not search.is_done:
        search.advance(1000)
    assert isinstance(search, FrontierSearch)
    return search


def some_positions(game: Game) -> Iterator[Position]:
    """The start and a few that are further on, none of them over."""
    for plies in (0, 1, 2, 3, 5):
        position = random_position(game, plies, seed=plies)
        if not position.is_over:
            yield position


@pytest.mark.parametrize(("name", "board"), BOARDS)
def test_it_equals_plain_minimax_while_no_limit_binds(name: str, board: str) -> None:
    for position in some_positions(topple.load(name, board)):
        for depth in (1, 2, 3):
            expected = move_values(position, depth)
            for resolve in ("alphabeta", "minimax"):
                spec = f"frontier:depth={depth},skip=false,resolve={resolve}"
                decision = topple.agent(spec).choose(position)
                best = max(expected.values())
                assert decision.value == pytest.approx(best)
                assert expected[decision.move] == pytest.approx(best)
                if decision.effort.depth == depth:  # else proven before
                    values = {each.move: each.value for each in decision.candidates}
                    assert values == pytest.approx(expected)


@pytest.mark.parametrize(("name", "board"), BOARDS)
def test_with_the_games_own_moves_too(name: str, board: str) -> None:
    for position in some_positions(topple.load(name, board)):
        expected = minimax(position, 2, moves=worthwhile)
        assert topple.agent("frontier:depth=2").choose(position).value == pytest.approx(expected)


def test_a_player_may_move_twice() -> None:
    """In INFLUENCE a player without a vertex waits; the tree asks whose turn it is."""
    game, n_double = topple.load("influence", "segment:3p+4"), 0
    for seed in range(30):
        position = random_position(game, 2, seed)
        if position.is_over:
            continue
        search = finished("frontier:depth=3,skip=false", position)
        tree, nodes = search.tree, np.arange(1, search.n_nodes)
        turns, before = tree.turn[nodes], tree.turn[tree.parent[nodes]]
        n_double += int(np.sum((turns != OVER) & (turns == before)))
        assert search.decision().value == pytest.approx(minimax(position, 3))
    assert n_double > 0


@pytest.mark.parametrize("name", ["chain-reaction", "infexion", "spread-it"])
def test_alphabeta_answers_as_minimax_does_and_visits_less(name: str) -> None:
    n_pruned = n_plain = 0
    for plies in range(4, 10):
        position = random_position(topple.load(name), plies, seed=plies)
        pruned = finished("frontier:nodes=4000", position)
        plain = finished("frontier:nodes=4000,resolve=minimax", position)
        first, second = pruned.decision(), plain.decision()
        assert first.candidates == second.candidates
        assert (first.move, first.value) == (second.move, second.value)
        assert plain.n_visited == plain.n_nodes
        assert pruned.n_visited <= plain.n_visited
        n_pruned += pruned.n_visited
        n_plain += plain.n_visited
    assert n_pruned < n_plain / 2


def test_no_more_than_width_nodes_of_a_depth_are_expanded() -> None:
    position = random_position(topple.load("infexion", "infexion:3"), 4, seed=2)
    search = finished("frontier:depth=4,width=7", position)
    tree, depths = search.tree, depths_of(search)
    is_expanded = tree.n_children[: search.n_nodes] > 0
    counts = [int(np.sum(is_expanded & (depths == depth))) for depth in range(5)]
    assert counts == [1, 7, 7, 7, 0]
    for depth in (1, 2, 3):  # and those are the best for the player to move at the root
        value, there = tree.value[: search.n_nodes], depths == depth
        worst = value[there & is_expanded].min()
        assert worst >= value[there & ~is_expanded & (tree.turn[: len(value)] != OVER)].max()


def depths_of(search: FrontierSearch) -> np.ndarray:
    """How far each node is from the root."""
    depths = np.zeros(search.n_nodes, dtype=int)
    for node in range(1, search.n_nodes):
        depths[node] = depths[search.tree.parent[node]] + 1
    return depths


def test_priority_mover_expands_what_is_best_for_who_moved_there() -> None:
    position = random_position(topple.load("infexion", "infexion:3"), 5, seed=4)
    best = {}
    for priority in ("max", "mover"):
        search = finished(f"frontier:depth=3,width=4,priority={priority}", position)
        tree, n = search.tree, search.n_nodes
        second = depths_of(search) == 2
        expanded = tree.value[:n][second & (tree.n_children[:n] > 0)]
        others = tree.value[:n][second & (tree.n_children[:n] == 0) & (tree.turn[:n] != OVER)]
        best[priority] = expanded, others
    assert best["max"][0].min() >= best["max"][1].max()
    assert best["mover"][0].max() <= best["mover"][1].min()
    assert best["mover"][0].max() < best["max"][0].min()


@pytest.mark.parametrize("limit", [2, 30, 200, 3000])
def test_the_limit_of_nodes_is_kept(limit: int) -> None:
    """Only the root's own moves are always looked at, and no node is expanded in part."""
    position = topple.load("infexion").start()
    search = finished(f"frontier:nodes={limit}", position)
    assert search.n_nodes <= max(limit, 1 + 49)
    assert limit < 3000 or search.n_nodes > limit - 343
    children = np.bincount(search.tree.parent[1 : search.n_nodes], minlength=search.n_nodes)
    assert np.array_equal(children, search.tree.n_children[: search.n_nodes])
    assert search.decision().effort.nodes == search.n_nodes


def test_default_limits_do_not_bind_beside_given_ones() -> None:
    limits = {
        text: topple.agent(f"frontier{text}").node_limit()
        for text in ("", ":nodes=5", ":time=1", ":game_time=9", ":depth=2", ":nodes=5,time=1")
    }
    most = 1024 * (1 << 20) // 2 // 64
    assert limits == {
        "": 100_000, ":nodes=5": 5, ":time=1": most, ":game_time=9": most, ":depth=2": most,
        ":nodes=5,time=1": 5,
    }  # fmt: skip


def test_memory_is_respected() -> None:
    position = random_position(topple.load("infexion"), 6, seed=1)
    finished("frontier:nodes=100", position).decision()  # compiled now
    tracemalloc.start()
    search = finished("frontier:nodes=1000000,memory=4", position)
    search.decision()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000
    assert search.n_nodes > 15_000  # what fits is used


def test_how_it_is_cut_into_parts_changes_nothing() -> None:
    position = random_position(topple.load("infexion"), 5, seed=3)
    decisions = []
    for part in (1, 37, 100_000):
        search = topple.agent("frontier:nodes=5000,width=60").search(position, 0)
        while not search.is_done:
            search.advance(part)
        decisions.append(search.decision())
    assert decisions[0] == decisions[1] == decisions[2]
    assert decisions[0] == topple.agent("frontier:nodes=5000,width=60").choose(position, seed=9)
    assert decisions[0].effort.depth >= 3


def test_a_part_of_n_makes_about_n_nodes() -> None:
    search = topple.agent("frontier").search(topple.load("infexion").start(), 0)
    before = search.n_nodes
    search.advance(500)
    assert 500 <= search.n_nodes - before < 500 + 343


@pytest.mark.parametrize(("name", "board"), [("chain-reaction", "grid:2x3"), ("infexion", None)])
def test_uncompiled_it_answers_the_same(name: str, board: str | None) -> None:
    def answer(compiled: bool) -> Decision:
        position = random_position(topple.load(name, board, compiled=compiled), 4, seed=1)
        return topple.agent("frontier:nodes=1500,width=20").choose(position)

    fast, slow = answer(True), answer(False)
    assert (fast.move, fast.variation, fast.effort) == (slow.move, slow.variation, slow.effort)
    for one, other in zip(fast.candidates, slow.candidates, strict=True):
        assert (one.move, one.visits, one.proven) == (other.move, other.visits, other.proven)
        assert one.value == pytest.approx(other.value)


def test_the_candidates_tell_how_the_nodes_were_spent() -> None:
    position = random_position(topple.load("chain-reaction", "grid:3x3"), 4, seed=2)
    search = finished("frontier:nodes=2000", position)
    decision = search.decision()
    assert sum(each.visits for each in decision.candidates) == search.n_nodes - 1
    assert sum(each.share for each in decision.candidates) == pytest.approx(1.0)
    assert decision.candidates[0].move == decision.move == decision.variation[0]
    values = [each.value for each in decision.candidates]
    assert values == sorted(values, reverse=True)
    assert all(each.exact for each in decision.candidates)


@pytest.mark.parametrize(("name", "board"), BOARDS)
def test_the_variation_leads_to_the_value(name: str, board: str) -> None:
    for position in some_positions(topple.load(name, board)):
        decision, player = topple.agent("frontier:depth=3").choose(position), position.player
        end = position
        for move in decision.variation:
            end = end.play(move)
        if end.is_over:
            returns = end.returns()[player]
            assert decision.value == returns * (1e6 - len(decision.variation))
        else:
            assert len(decision.variation) == decision.effort.depth
            assert decision.value == pytest.approx(end.evaluate(player=player))


def test_what_is_proven_is_true() -> None:
    """On boards small enough to play out, and it stops there."""
    seen = set()
    for name, board in (("hex", "hex:3"), ("chain-reaction", "grid:2x2"), ("spread-it", "cycle:4"),
                        ("influence", "segment:3p+4")):  # fmt: skip
        for plies in range(1, 5):
            position = random_position(topple.load(name, board), plies, seed=plies)
            if position.is_over:
                continue
            decision = topple.agent("frontier:nodes=3000,width=100").choose(position)
            for each in (decision, *decision.candidates):
                seen.add(each.proven)
                if each.proven:
                    after = position if each is decision else position.play(each.move)
                    assert result_of(after, position.player) == each.proven
    assert seen == {"won", "drawn", "lost", None}


def result_of(position: Position, player: int) -> str:
    """How a position ends for a player under best play: by trying everything."""
    cached: dict[Position, float] = {}

    def best(here: Position) -> float:
        if here not in cached:
            if here.is_over:
                cached[here] = here.returns()[player]
            else:
                choose = max if here.player == player else min
                cached[here] = choose(best(here.play(move)) for move in here.legal_moves())
        return cached[here]

    return {1.0: "won", 0.0: "drawn", -1.0: "lost"}[best(position)]


def test_a_proven_result_ends_the_search() -> None:
    position = topple.load("hex", "hex:3").position("X.O/XO./... Blue")
    decision = topple.agent("frontier").choose(position)
    assert decision.proven == "won"
    assert decision.value == 1e6 - 1
    assert decision.effort.depth == 1


@pytest.fixture
def picky() -> Iterator[ModuleType]:
    """Chain Reaction with knowledge that finds only the last two legal moves worthwhile."""
    module = ModuleType("picky")
    module.__dict__.update({name: getattr(score, name) for name in
                            ("FEATURES", "EVALUATIONS", "knowledge", "evaluate")})  # fmt: skip
    module.__dict__["ordered_moves"] = last_two
    before = evaluations._modules["chain-reaction"]
    evaluations.register_evaluations("chain-reaction", module)
    yield module
    evaluations._modules["chain-reaction"] = before


@kernel
def last_two(board: object, state: np.ndarray, moves: np.ndarray) -> int:
    n = legal_moves(board, state, moves)
    if n >= 2:
        moves[0], moves[1] = moves[n - 1], moves[n - 2]
    return min(n, 2)


def test_skip_leaves_out_what_the_game_finds_useless(picky: ModuleType) -> None:
    position = topple.load("chain-reaction", "grid:2x3", compiled=False).start()
    for skip, moves in (("true", worthwhile), ("false", legal)):
        decision = topple.agent(f"frontier:depth=3,skip={skip}").choose(position)
        expected = move_values(position, 3, moves=moves)
        assert {each.move: each.value for each in decision.candidates} == expected
    assert list(move_values(position, 3, moves=worthwhile)) == [5, 4]


def test_nothing_is_proven_by_leaving_moves_out(picky: ModuleType) -> None:
    """Some moves look decided only because good replies have no node."""
    game, n_wrong = topple.load("chain-reaction", "grid:2x2", compiled=False), 0
    for seed in range(30):
        position = random_position(game, 1 + seed % 5, seed)
        if position.is_over:
            continue
        decision = topple.agent("frontier:depth=6,nodes=2000").choose(position)
        assert decision.proven in (None, result_of(position, position.player))
        for each in decision.candidates:
            result = result_of(position.play(each.move), position.player)
            if abs(each.value) > 1e5:
                n_wrong += ("won" if each.value > 0 else "lost") != result
            assert each.proven in (None, result)
    assert n_wrong > 0


def test_the_time_for_a_game_is_shared_by_the_turns_that_are_left() -> None:
    position = topple.load("hex", "hex:3").start()
    agent = topple.agent("frontier:game_time=180,turns=90")
    assert agent.time_for_move(position, None) == 2.0
    assert agent.time_for_move(position, GameClock(0.0, 89)) == 180.0
    assert agent.time_for_move(position, GameClock(60.0, 60)) == 4.0
    assert agent.time_for_move(position, GameClock(170.0, 200)) == 10.0  # longer than thought
    assert agent.time_for_move(position, GameClock(181.0, 10)) == 0.0
    assert topple.agent("frontier:game_time=180,turns=90,time=1").time_for_move(position, None) == 1
    assert topple.agent("frontier:time=3").time_for_move(position, GameClock(5.0, 5)) == 3.0
    assert topple.agent("frontier").time_for_move(position, None) is None


def test_a_player_remembers_the_time_it_used() -> None:
    position = topple.load("hex", "hex:3").start()
    player = topple.agent("frontier:game_time=60,nodes=50").begin()
    for turn in range(1, 4):
        before = player.memory.seconds if player.memory else 0.0
        player.choose(position, 0)
        assert player.memory.turns == turn
        assert before < player.memory.seconds < 60
    untimed = topple.agent("frontier:nodes=50").begin()
    untimed.choose(position, 0)
    assert untimed.memory is None


def test_without_any_time_left_it_still_moves() -> None:
    position = topple.load("hex", "hex:3").start()
    player = topple.agent("frontier:game_time=60").begin()
    player.memory = GameClock(61.0, 3)
    decision = player.choose(position, 0)
    assert decision.move in position.legal_moves()
    assert decision.effort.depth <= 2  # one part of the work at most


def test_its_nodes_are_evaluated_as_asked() -> None:
    position = random_position(topple.load("chain-reaction", "grid:2x3"), 3, seed=1)
    search = finished("frontier:depth=2,evaluation=none", position)
    running = search.tree.turn[1 : search.n_nodes] != OVER
    assert not search.tree.value[1 : search.n_nodes][running].any()
    assert search.tree.n_children[ROOT] == len(position.legal_moves())


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("frontier:nodes=1", "nodes=1 is too small: at least 2"),
        ("frontier:depth=0", "depth=0 is too small"),
        ("frontier:width=0", "width=0 is too small"),
        ("frontier:memory=0", "memory=0 is too small"),
        ("frontier:resolve=alpha", "unknown resolve 'alpha': did you mean 'alphabeta'"),
        ("frontier:priority=min", "unknown priority 'min'"),
        ("frontier:turns=0", "turns=0 is too small"),
        ("frontier:game_time=0", "game_time=0 is too small"),
    ],
)
def test_wrong_options_are_refused(spec: str, message: str) -> None:
    with pytest.raises(topple.BadText, match=message):
        topple.agent(spec)


def test_more_than_two_players_are_refused() -> None:
    position = topple.load("chain-reaction:players=3", "grid:3x3").start()
    message = "frontier is for 2 players, and chain-reaction:players=3 has 3"
    with pytest.raises(topple.Unsupported, match=message):
        topple.agent("frontier").choose(position)


def test_no_more_than_width_nodes_are_expanded_where_all_look_alike() -> None:
    """And of equals the first, which the game lists first."""
    position = topple.load("hex", "hex:4").start()
    search = finished("frontier:depth=3,width=5,evaluation=none", position)
    is_expanded = search.tree.n_children[: search.n_nodes] > 0
    for depth, first in ((1, 1), (2, 17)):
        there = np.flatnonzero(is_expanded & (depths_of(search) == depth))
        assert there.tolist() == list(range(first, first + 5))


def test_of_equal_moves_the_first_is_played() -> None:
    position = topple.load("hex", "hex:4").start()
    for resolve in ("alphabeta", "minimax"):
        agent = topple.agent(f"frontier:depth=2,evaluation=none,resolve={resolve}")
        assert agent.choose(position).move == 0


def test_the_limit_of_nodes_is_used_to_the_last_one() -> None:
    """1 + 9 + 2 · 8 nodes: the root, its children and those of two of them."""
    position = topple.load("hex", "hex:3").start()
    assert finished("frontier:nodes=26", position).n_nodes == 26
    assert finished("frontier:nodes=25", position).n_nodes == 18


def test_a_layer_of_positions_fits_into_the_memory() -> None:
    agent = topple.agent("frontier:memory=4,width=1000000000")
    for n_state in (50, 5000, 10**7):
        n_bytes = 2 * 4 * n_state * agent.width_limit(n_state)
        assert n_bytes <= 2 << 20 or agent.width_limit(n_state) == 1
    assert topple.agent("frontier:memory=4,width=7").width_limit(50) == 7


def test_the_depth_reached_is_that_of_the_deepest_node() -> None:
    position = topple.load("hex", "hex:3").start()
    for nodes in (10, 17, 18, 40, 81, 82, 89):
        search = finished(f"frontier:nodes={nodes}", position)
        assert search.decision().effort.depth == depths_of(search).max()


def test_the_larger_the_tree_the_longer_it_takes_to_close() -> None:
    search = topple.agent("frontier:time=1").search(topple.load("hex", "hex:5").start(), 0)
    before = search.closing_time()
    search.advance(5000)
    assert search.closing_time() > 10 * before > 0
