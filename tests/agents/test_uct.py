"""UCT: its trees add up, its proofs are minimax's, and nothing but the options decides."""

import gc
import itertools
import weakref

import networkx
import numpy as np
import pytest

import topple
from tests.agents import small_positions
from tests.agents.small_positions import running_position
from tests.agents.trees import nodes_below
from topple.agents.tree_search import KeptTrees, make_tree, node_bytes
from topple.agents.uct import ITERATIONS, Uct, UctSearch, logarithm_roots
from topple.compiling.rng import make_rng
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels.uct import ROOT, UNEXPANDED, UctSettings, UctTree, bonus, proven, select
from topple.rules.interface import DRAWN, RUNNING, WON

NAMES = ["spread-it", "chain-reaction", "infexion", "hex", "influence"]
GAMES = [
    ("spread-it", "ba:n=9,m=2,seed=1"),
    ("spread-it:loyalty=full", "karate"),
    ("chain-reaction", "grid:3x3"),
    ("chain-reaction:players=4", "grid:3x3"),
    ("infexion", "infexion:4"),
    ("hex:swap=true", "hex:4"),
    ("influence", "segment:14"),
]
VARIANTS = ["uct", "uct:rave=50", "uct:fpu=0.5", "uct:rave=20,fpu=0.6,c=0.5", "uct:solver=false"]


def run_search(agent: Uct, position: Position, seed: int = 1) -> UctSearch:
    search = agent.search(position, seed)
    while not search.is_done:
        search.advance(1000)
    return search


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("spec", "board"), GAMES)
def test_visits_and_rewards_add_up(spec: str, board: str, variant: str) -> None:
    position = topple.load(spec, board).start()
    agent = topple.agent(variant, iterations=700, keep=False)
    assert isinstance(agent, Uct)
    search = run_search(agent, position)
    tree = search.trees[0]
    assert tree.visits[ROOT] == search.n_simulations
    for node, block in nodes_below(tree, ROOT):
        below = sum(int(tree.visits[child]) for child in block)
        own = 1 if node != ROOT else 0  # the first visit went no further
        # A node that is proven is visited without looking below it any more.
        assert below == tree.visits[node] - own or tree.proof[node] != RUNNING
        assert below <= tree.visits[node] - own
        assert sum(tree.visits[child] > 0 for child in block) == tree.tried[node]
        assert len({int(tree.move[child]) for child in block}) == len(block)
        for child in block:
            is_lost = tree.mean[child] == -np.inf
            assert 0 <= tree.mean[child] <= 1 or (is_lost and tree.proof[child] >= WON)
            assert not tree.visits[child] or tree.uncertainty[child] ** -2 == pytest.approx(
                tree.visits[child]
            )
            if agent.options["rave"] and tree.visits[child]:
                assert tree.rave_visits[child] >= tree.visits[child]
    decision = search.decision()
    assert {c.move for c in decision.candidates} == set(position.legal_moves())
    assert sum(c.visits for c in decision.candidates) == search.n_simulations
    assert sum(c.share for c in decision.candidates) == pytest.approx(1)


@pytest.mark.parametrize("name", NAMES)
def test_it_proves_what_minimax_says_and_plays_the_win(name: str) -> None:
    agent, n_proven = Uct(iterations=300_000, keep=False), {"won": 0, "drawn": 0, "lost": 0}
    for game, plies in small_positions.games():
        if game.name != name:
            continue
        for position in small_positions.positions(game, plies, 20, 11):
            plain = small_positions.solve(position)
            if plain is None:
                continue
            expected, decision = plain.decision(), agent.choose(position, seed=3)
            assert decision.proven == expected.proven, position
            assert decision.proven is not None
            n_proven[decision.proven] += 1
            good = {c.move for c in expected.candidates if _same_result(c.value, expected.value)}
            assert decision.move in good, position
    assert n_proven["won"] > 10
    assert n_proven["lost"] > 3


def _same_result(value: float, best: float) -> bool:
    return np.sign(value) == np.sign(best)


def test_three_players_prove_wins_only_where_they_are_forced() -> None:
    game = topple.load("chain-reaction:players=3", "grid:2x3")
    agent, n_won, n_lost = Uct(iterations=20_000, keep=False), 0, 0
    for seed in range(100):
        position = running_position(game, 6, seed)
        decision = agent.choose(position)
        wins = [m for m in position.legal_moves() if position.play(m).is_over]
        if wins:
            assert decision.proven == "won"
            assert decision.move in wins
            n_won += 1
        lost = [c for c in decision.candidates if c.proven == "lost"]
        assert all(c.value == -1 / 2 for c in lost)
        n_lost += len(lost)
    assert n_won > 5
    assert n_lost > 5


@pytest.mark.parametrize(("spec", "board"), GAMES)
def test_the_same_seed_gives_the_same_answer_however_the_work_is_cut(spec: str, board: str) -> None:
    position = topple.load(spec, board).start()
    for threads in (1, 3):
        agent = Uct(iterations=500, threads=threads)
        whole, cut = agent.search(position, 5), agent.search(position, 5)
        whole.advance(10**9)
        for n in itertools.cycle((1, 7, 2, 40)):
            if cut.is_done:
                break
            cut.advance(n)
        assert cut.decision() == whole.decision()
        assert whole.decision().effort.simulations <= 500
    assert agent.choose(position, seed=5) == agent.choose(position, seed=5)


def test_another_seed_gives_another_tree() -> None:
    position = topple.load("hex", "hex:7").start()
    agent = Uct(iterations=300)
    assert agent.choose(position, seed=1) != agent.choose(position, seed=2)


def test_iterations_are_kept_to_the_simulation() -> None:
    position = topple.load("hex", "hex:7").start()
    for threads, iterations in itertools.product((1, 2, 5), (1, 2, 100, 1001)):
        decision = Uct(iterations=iterations, threads=threads).choose(position)
        assert decision.effort.simulations == iterations
    assert Uct().choose(position).effort.simulations == ITERATIONS


@pytest.mark.parametrize("variant", ["uct", "uct:rave=30", "uct:bias=0.5"])
@pytest.mark.parametrize(("spec", "board"), GAMES)
def test_a_kept_subtree_is_the_part_that_was_there(spec: str, board: str, variant: str) -> None:
    game = topple.load(spec, board)
    agent = topple.agent(variant, iterations=3000)
    assert isinstance(agent, Uct)
    position = game.start()
    search = run_search(agent, position)
    tree = search.trees[0]
    node, later = ROOT, position
    for _ in range(min(2, game.n_players)):
        node = max(range(tree.first[node], tree.first[node] + tree.n_children[node]),
                   key=lambda child: tree.visits[child])  # fmt: skip
        later = later.play(int(tree.move[node]))
    memory = KeptTrees(position, search.trees)
    assert memory.find(later) == [node]
    kept = agent.search(later, 9, memory).trees
    walk = list(zip(nodes_below(tree, node), nodes_below(kept[0], ROOT), strict=True))
    assert walk
    for (old, old_block), (new, new_block) in walk:
        assert len(old_block) == len(new_block)
        for part, copied in zip(tree, kept[0], strict=True):
            if len(part) > 1 and part is not tree.first:
                assert part[old] == copied[new]
                assert (part[old_block] == copied[new_block]).all()
    going_on = agent.search(later, 9, memory)
    assert going_on.trees[0].visits[ROOT] == tree.visits[node]
    going_on.advance(10)
    is_known = kept[0].proof[ROOT] != RUNNING
    assert going_on.decision().effort.simulations == (0 if is_known else 10)


def test_a_position_that_is_not_below_is_searched_afresh() -> None:
    game, other = topple.load("hex", "hex:4"), topple.load("hex", "hex:5")
    search = run_search(Uct(iterations=500), game.start())
    memory = KeptTrees(game.start(), search.trees)
    assert memory.find(game.start()) is None
    assert memory.find(other.start().play("a1")) is None
    far = game.start().play("a1").play("b1").play("c1").play("d1")
    assert memory.find(far) is None


def test_a_player_remembers_and_an_agent_does_not() -> None:
    position = topple.load("hex", "hex:5").start()
    agent = Uct(iterations=4000)
    player = agent.begin(seed=3)
    first = player.choose(position, 0)
    later = position.play(first.move).play(first.variation[1])
    assert sum(c.visits for c in player.choose(later, 2).candidates) > 4000
    assert sum(c.visits for c in agent.choose(later).candidates) == 4000
    forgetful = Uct(iterations=4000, keep=False).begin(seed=3)
    forgetful.choose(position, 0)
    assert sum(c.visits for c in forgetful.choose(later, 2).candidates) == 4000


def test_the_memory_limit_is_kept_and_the_search_goes_on() -> None:
    position = topple.load("hex", "hex:11").start()
    decision = Uct(iterations=60_000, memory=1, keep=False).choose(position)
    assert decision.effort.simulations == 60_000
    n_bytes = node_bytes(rave=False, bias=False)
    assert decision.effort.nodes * n_bytes <= 1 << 20
    # A tree that is kept is there twice while it is copied.
    kept = Uct(iterations=60_000, memory=1).choose(position)
    assert 2 * kept.effort.nodes * n_bytes <= 1 << 20
    roomy = Uct(iterations=60_000, keep=False).choose(position)
    assert roomy.effort.nodes > decision.effort.nodes


def test_a_node_costs_what_it_is_said_to() -> None:
    for rave, bias in itertools.product((False, True), repeat=2):
        tree = make_tree(1000, rave=rave, bias=bias)
        used = sum(part.nbytes for part in tree if len(part) == 1000)
        assert used == 1000 * node_bytes(rave=rave, bias=bias)


def test_bias_prefers_what_the_evaluation_prefers() -> None:
    game = topple.load("infexion", "infexion:4")
    position = running_position(game, 6, 2)
    search = Uct(iterations=1, bias=1).search(position, 1)
    search.advance(1)
    tree = search.trees[0]
    values = []
    for child in range(1, 1 + int(tree.n_children[ROOT])):
        after = position.play(int(tree.move[child]))
        if after.is_over:
            value = after.returns()[position.player]
        else:
            value = after.evaluate(player=position.player)
            value /= 1 + abs(value)
        assert tree.bias[child] == pytest.approx(value, rel=1e-6)
        values.append(value)
    assert values == sorted(values, reverse=True)


def test_bias_needs_an_evaluation(node_kayles: None) -> None:
    game = topple.load("node-kayles", "path:5")
    assert topple.agent("uct").choose(game.start()).proven is not None
    with pytest.raises(topple.Unsupported, match="node-kayles has no evaluation"):
        topple.agent("uct:bias=1").choose(game.start())
    with pytest.raises(topple.BadText, match="unknown evaluation of node-kayles"):
        topple.agent("uct:bias=1,evaluation=score").choose(game.start())


def test_first_play_urgency_leaves_bad_moves_untried() -> None:
    position = topple.load("hex", "hex:7").start()
    urgent = Uct(iterations=300, fpu=0.4, c=0.1).choose(position, seed=1)
    assert sum(c.visits == 0 for c in urgent.candidates) > 10
    assert all(c.visits for c in Uct(iterations=300).choose(position, seed=1).candidates)


@pytest.mark.parametrize("variant", [*VARIANTS, "uct:bias=0.3"])
def test_plain_python_gives_the_same_answer(variant: str) -> None:
    agent = topple.agent(variant, iterations=40)
    for spec, board in (("hex", "hex:3"), ("chain-reaction:players=3", "grid:2x3")):
        fast, slow = (topple.load(spec, board, compiled=compiled) for compiled in (True, False))
        assert agent.choose(fast.start(), seed=2) == agent.choose(slow.start(), seed=2)


def win_share(game: Game, agent: Uct, n_games: int) -> float:
    """The share of games won against random moves, sides taken in turn."""
    n_won = 0.0
    dull = topple.agent("random")
    for number in range(n_games):
        players = [agent.begin(number), dull.begin(number + 500)]
        if number % 2:
            players.reverse()
        position, ply = game.start(), 0
        while not position.is_over:
            position = position.play(players[position.player].choose(position, ply).move)
            ply += 1
        n_won += (1 + position.returns()[number % 2]) / 2
    return n_won / n_games


@pytest.mark.parametrize(
    ("spec", "board"),
    [("spread-it", "ba:n=12,m=2,seed=1"), ("chain-reaction", "grid:4x4"), ("hex", "hex:5"),
     ("infexion", "infexion:5"), ("influence", "segment:41")],
)  # fmt: skip
def test_it_beats_random_moves(spec: str, board: str) -> None:
    assert win_share(topple.load(spec, board), Uct(iterations=300), 20) >= 0.9


def can_force(position: Position, player: int) -> bool:
    """Tell whether a player wins whatever all the others do."""
    if position.is_over:
        return position.outcome is not None and position.outcome.winner == player
    ends = (can_force(position.play(move), player) for move in position.legal_moves())
    return any(ends) if position.player == player else all(ends)


def test_what_three_players_are_said_to_have_is_forced() -> None:
    game, n_proven = topple.load("chain-reaction:players=3", "grid:2x2"), {"won": 0, "lost": 0}
    for position in small_positions.positions(game, range(2, 6), 60, 5):
        decision = Uct(iterations=3000, keep=False).choose(position)
        if decision.proven is not None:
            n_proven[decision.proven] += 1
            assert can_force(position, position.player) == (decision.proven == "won"), position
    assert min(n_proven.values()) > 3, n_proven


def test_without_the_solver_losses_are_visited_as_ucb1_says() -> None:
    position = topple.load("influence", "segment:9").start()
    plain = run_search(Uct(iterations=3000, solver=False, keep=False), position).trees[0]
    assert np.isfinite(plain.mean[: plain.size[0]]).all()
    known = run_search(Uct(iterations=300, keep=False), position).trees[0]
    assert np.isneginf(known.mean[: known.size[0]]).any()


def test_a_clock_ends_no_search_before_its_iterations() -> None:
    position = topple.load("hex", "hex:5").start()
    assert Uct(iterations=3, threads=4, time=60).choose(position).effort.simulations == 3


def test_the_memory_limit_holds_from_move_to_move() -> None:
    """What was remembered is let go once the next search has taken what it needs."""
    position = topple.load("hex", "hex:9").start()
    player = Uct(iterations=20_000).begin(1)
    first = player.choose(position, 0)
    assert isinstance(player.memory, KeptTrees)
    old = weakref.ref(player.memory.trees[0].move)
    thoughts = player.think(position.play(first.move).play(first.variation[1]), 2)
    next(thoughts)
    gc.collect()
    assert old() is None
    thoughts.close()
    assert isinstance(player.memory, KeptTrees)


def test_terminal_children_are_proven_at_once() -> None:
    game = topple.load("hex", "hex:2")
    position = game.start().play("a1").play("b1")
    search = run_search(Uct(iterations=50), position)
    assert search.decision().proven == "won"
    assert search.trees[0].proof[ROOT] != RUNNING
    assert search.n_simulations < 50


def tree_of(visits: list[int], **columns: list[float]) -> UctTree:
    """A root with a child for each number of visits, and what else is given of the children."""
    n = len(visits)
    tree = make_tree(1 + n, rave=True, bias=True)
    tree.first[ROOT], tree.n_children[ROOT] = 1, n
    tree.tried[ROOT], tree.visits[ROOT] = np.count_nonzero(visits), sum(visits)
    tree.visits[1:] = visits
    tree.uncertainty[1:] = np.maximum(visits, 1) ** -0.5
    for name, column in columns.items():
        getattr(tree, name)[1:] = column
    return tree


@pytest.mark.parametrize(
    ("proofs", "n_players", "expected"),
    [([WON + 1, WON], 2, WON), ([RUNNING, WON], 3, WON), ([WON + 1, WON + 1], 2, WON + 1),
     ([WON + 1, DRAWN], 2, DRAWN), ([DRAWN, WON + 1], 2, DRAWN), ([WON + 1, RUNNING], 2, RUNNING),
     ([DRAWN, RUNNING], 2, RUNNING), ([WON + 1, WON + 1], 3, WON + 1), ([DRAWN, DRAWN], 3, DRAWN),
     ([WON + 1, WON + 2], 3, RUNNING), ([WON + 1, DRAWN], 3, RUNNING)],
)  # fmt: skip
def test_a_proof_is_what_the_mover_can_force(
    proofs: list[int], n_players: int, expected: int
) -> None:
    """Of three, who cannot win may prefer any of the others, or a draw."""
    tree = tree_of([1] * len(proofs), proof=proofs)
    assert proven(tree, ROOT, 0, n_players) == expected


def test_a_move_that_was_not_tried_leaves_everything_open() -> None:
    tree = tree_of([1, 1, 0], proof=[WON + 1, WON + 1, RUNNING])
    assert proven(tree, ROOT, 0, 2) == RUNNING
    tree.proof[1] = WON
    assert proven(tree, ROOT, 0, 2) == WON


def test_advice_fades_with_visits() -> None:
    """At `rave` visits all games count as much as the own ones; the bias is a visit's worth."""
    tree = tree_of([30, 4], mean=[0.2, -np.inf], rave_visits=[10, 5], rave_reward=[6.0, 5.0],
                   bias=[0.5, 1.0])  # fmt: skip
    settings = UctSettings(
        c=1.0, fpu=np.inf, rave=30.0, bias=0.0, solver=1, roots=logarithm_roots()
    )
    assert bonus(tree, 1, settings, 0.2) == pytest.approx(0.5 * (0.6 - 0.2))
    assert bonus(tree, 1, settings._replace(rave=1e-9), 0.2) == pytest.approx(0, abs=1e-4)
    both = bonus(tree, 1, settings._replace(bias=6.0), 0.2) - 0.5 * (0.6 - 0.2)
    assert both == pytest.approx(6 * 0.5 / 30)
    assert bonus(tree, 2, settings, -np.inf) == 0, "a lost move stays lost"


def test_the_best_score_is_chosen() -> None:
    settings = UctSettings(c=0.0, fpu=np.inf, rave=0.0, bias=0.0, solver=1, roots=logarithm_roots())
    tree = tree_of([90, 10], mean=[0.6, 0.5])
    assert select(tree, ROOT, make_rng(1), settings) == 1
    # √(ln 100) (1/√10 − 1/√90) = 0.452, of which the difference of 0.1 is 0.221.
    assert select(tree, ROOT, make_rng(1), settings._replace(c=0.21)) == 1
    assert select(tree, ROOT, make_rng(1), settings._replace(c=0.23)) == 2


def test_a_move_that_was_not_tried_scores_by_urgency_and_bias() -> None:
    settings = UctSettings(c=0.0, fpu=0.5, rave=0.0, bias=0.4, solver=1, roots=logarithm_roots())
    for bias, chosen in ((0.4, 1), (0.6, 2)):  # 0.7 and 0.5 + 0.4 · bias
        tree = tree_of([100, 0], mean=[0.7, 0.0], bias=[0.0, bias])
        assert select(tree, ROOT, make_rng(1), settings) == chosen
        assert tree.tried[ROOT] == chosen


def all_games(tree: UctTree) -> dict[tuple[int, int], tuple[int, float]]:
    """Of each node and move that was played in some game: in how many, and the rewards."""
    return {
        (node, int(tree.move[child])): (
            int(tree.rave_visits[child]),
            float(tree.rave_reward[child]),
        )
        for node, block in nodes_below(tree, ROOT)
        for child in block
        if tree.rave_visits[child]
    }


def test_all_games_with_a_move_are_counted_for_who_played_it() -> None:
    """On Hex the end of a game shows who played where."""
    position = topple.load("hex", "hex:3").start()
    search = Uct(iterations=200, rave=10, solver=False).search(position, 4)
    tree, scratch, deepest = search.trees[0], search.scratches[0], 0
    for _ in range(200):
        expected = all_games(tree)
        search.advance(1)
        end = Position(position.game, scratch.state[: position.game.sizes.state])
        stones = "".join(end.text.split()[0].split("/"))
        node, depth = ROOT, 0
        while tree.first[node] != UNEXPANDED:
            for child in range(tree.first[node], tree.first[node] + tree.n_children[node]):
                if stones[tree.move[child]] == "XO"[depth % 2]:
                    visits, reward = expected.get((node, int(tree.move[child])), (0, 0.0))
                    won = end.outcome.winner == depth % 2
                    expected[node, int(tree.move[child])] = visits + 1, reward + won
            depth += 1
            node = int(scratch.path[depth])
        deepest = max(deepest, depth)
        assert all_games(tree) == expected
    assert deepest > 2


def test_without_the_solver_nothing_is_proven() -> None:
    position = topple.load("hex", "hex:2").start()
    decision = Uct(iterations=500, solver=False).choose(position)
    assert decision.proven is None
    assert decision.effort.simulations == 500
    assert Uct(iterations=500).choose(position).proven == "won"


def test_a_draw_is_halfway_between_a_win_and_a_loss() -> None:
    """Without arcs every move takes its own vertex alone, and the game is drawn."""
    graph = networkx.DiGraph()
    graph.add_nodes_from("aceg", side="L")
    graph.add_nodes_from("bdfh", side="R")
    search = run_search(Uct(iterations=100, solver=False), topple.load("influence", graph).start())
    assert {c.value for c in search.decision().candidates} == {0.0}


def test_threads_grow_different_trees() -> None:
    search = run_search(Uct(iterations=300, threads=3), topple.load("hex", "hex:7").start())
    orders = {tuple(tree.move[1 : 1 + tree.n_children[ROOT]].tolist()) for tree in search.trees}
    assert len(orders) == 3


def test_what_any_tree_has_proven_is_proven() -> None:
    """Under a time limit the first proof ends the search."""
    position, first = topple.load("hex", "hex:3").start(), set()
    for seed in range(8):
        search = Uct(time=60, threads=3, keep=False).search(position, seed)
        while not search.is_done:
            search.advance(20)
        first.update(i for i, tree in enumerate(search.trees) if tree.proof[ROOT] != RUNNING)
        assert search.decision().proven == "won"
    assert first == {0, 1, 2}


def test_the_most_visited_move_comes_first() -> None:
    position = topple.load("hex", "hex:5").start()
    for seed in range(3):
        decision = Uct(iterations=2000).choose(position, seed)
        visits = [c.visits for c in decision.candidates if c.proven is None]
        assert len(visits) > 20
        assert visits == sorted(visits, reverse=True)
