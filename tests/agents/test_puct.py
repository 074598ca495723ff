"""puct, policy and alphabeta with a network: exact where they promise it, and reproducible."""

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import topple
from tests.agents import small_positions
from tests.agents.small_positions import running_position
from tests.agents.trees import nodes_below
from tests.nets.small_nets import save_small, ship_small
from topple.agents.policy import Policy
from topple.agents.puct import ITERATIONS, TREE_KINDS, Puct, PuctSearch
from topple.agents.tree_search import KeptTrees, node_bytes
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels.uct import ROOT
from topple.nets import shelf
from topple.nets.forward import look, make_scratch, write_returns
from topple.nets.interface import slot_of
from topple.nets.net_file import TrainedNet
from topple.rules.interface import RUNNING, WON

GAMES = [
    ("spread-it", "ba:n=9,m=2,seed=1"),
    ("spread-it:loyalty=full", "cycle:6"),
    ("chain-reaction", "grid:3x3"),
    ("chain-reaction:players=4", "grid:3x3"),
    ("infexion", "infexion:4"),
    ("hex:swap=true", "hex:4"),
    ("influence", "segment:14"),
]
ALL = [
    *GAMES,
    ("chain-reaction:players=3", "grid:2x3"),
]
TWO_PLAYERS = [case for case in GAMES if "players" not in case[0]]
QUICK = ("hex", "chain-reaction")  # the others' kernels are compiled for `make prove`


def some(cases: Sequence[tuple[str, str]]) -> list[Any]:
    """The cases, of which `make test` tries those of two games."""
    return [
        case if case[0].startswith(QUICK) else pytest.param(case, marks=pytest.mark.prove)
        for case in cases
    ]


@pytest.fixture(autouse=True, scope="module")
def small_networks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Small networks of random weights in place of the shipped ones."""
    games = [topple.load(spec, board, compiled=False) for spec, board in GAMES]
    games.append(topple.load("chain-reaction:players=3", "grid:2x3", compiled=False))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shelf, "SHIPPED", ship_small(tmp_path_factory.mktemp("nets"), games))
        yield


def run_search(agent: Puct, position: Position, memory: object = None) -> PuctSearch:
    """A search to its end."""
    search = agent.search(position, 1, memory)
    while not search.is_done:
        search.advance(1000)
    return search


def seen_by_net(position: Position, trained: TrainedNet) -> tuple[NDArray, NDArray]:
    """The priors of the legal moves, and the expected returns."""
    game, sight = position.game, position.game.sight[1]
    scratch, returns = (
        make_scratch(trained.design, position.game),
        np.zeros(position.game.n_players),
    )
    state = game.scratch_state(position.state)
    game.run(look, state, sight, trained.net, scratch)
    game.kernels(write_returns)(state, scratch, returns)
    logits = [float(scratch.logits[game.run(slot_of, move)]) for move in position.legal_moves()]
    raised = np.exp(np.array(logits) - max(logits))
    return raised / raised.sum(), returns


@pytest.mark.parametrize("batch", [1, 5])
@pytest.mark.parametrize("case", some(GAMES), ids=" on ".join)
def test_the_tree_adds_up(case: tuple[str, str], batch: int) -> None:
    position = topple.load(*case).start()
    search = run_search(Puct(iterations=300, keep=False, batch=batch), position)
    tree = search.tree
    assert tree.visits[ROOT] == search.n_simulations
    for node, block in nodes_below(tree, ROOT):
        below = sum(int(tree.visits[child]) for child in block)
        # The first visit looked at the node itself; a proven one is not visited below any more.
        assert below == tree.visits[node] - 1 or tree.proof[node] != RUNNING
        assert below <= tree.visits[node] - 1
        priors = [float(tree.bias[child]) for child in block]
        assert priors == sorted(priors, reverse=True)
        assert sum(priors) == pytest.approx(1, abs=1e-5)
        assert 0 <= tree.worth[node] <= 1
        visited = [tree.visits[child] > 0 for child in block]
        assert visited == sorted(visited, reverse=True)
        assert sum(visited) == tree.tried[node]
        assert len({int(tree.move[child]) for child in block}) == len(block)
        for child in block:
            if tree.mean[child] == -np.inf:
                assert tree.proof[child] >= WON
            else:
                assert -1e-9 <= tree.mean[child] <= 1 + 1e-9
                if tree.visits[child]:
                    own = tree.bias[child] / (1 + tree.visits[child])
                    assert tree.uncertainty[child] == pytest.approx(own)


@pytest.mark.parametrize("case", some(GAMES), ids=" on ".join)
def test_how_the_work_is_divided_changes_nothing(case: tuple[str, str]) -> None:
    position = running_position(topple.load(*case), 1, 1)
    for batch in (1, 7):
        agent = Puct(iterations=200, batch=batch)
        whole = agent.search(position, 1)
        whole.advance(10**9)
        answer = whole.decision()
        assert answer.effort.simulations <= 200
        for parts in ((1,), (1, 7, 2, 40), (1000,)):
            cut = agent.search(position, 2)
            for n in itertools.cycle(parts):
                if cut.is_done:
                    break
                cut.advance(n)
            assert cut.decision() == answer
        for threads in (2, 3):
            shared = Puct(iterations=200, batch=batch, threads=threads).search(position, 3)
            while not shared.is_done:
                shared.advance(33)
            shared.close()
            assert shared.decision() == answer


def test_the_seed_and_the_clock_have_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    position, agent = topple.load("hex", "hex:4").start(), Puct(iterations=100)
    answer = agent.choose(position, seed=1)
    assert agent.choose(position, seed=2) == answer
    for step in (1e-9, 1e-4, 100.0):
        times = itertools.count()
        monkeypatch.setattr("topple.agents.search.perf_counter", lambda: next(times) * step)  # noqa: B023
        assert agent.choose(position) == answer


def test_iterations_are_kept_to_the_simulation() -> None:
    position = topple.load("hex", "hex:6").start()
    for threads, batch, iterations in itertools.product((1, 3), (1, 4, 1024), (1, 2, 17, 60)):
        decision = Puct(iterations=iterations, threads=threads, batch=batch).choose(position)
        assert decision.effort.simulations == iterations
    assert Puct().choose(position).effort.simulations == ITERATIONS
    timed = Puct(time=1).search(position, 1)
    for _ in range(5):
        timed.advance(200)
    assert timed.decision().effort.simulations > ITERATIONS


def test_a_batch_changes_the_answer_and_threads_set_its_size() -> None:
    position = topple.load("hex", "hex:4").start()

    def visits(**options: int) -> list[tuple[int, float]]:
        decision = Puct(iterations=500, **options).choose(position)
        return [(c.visits, c.value) for c in sorted(decision.candidates, key=lambda c: c.move)]

    assert visits() == visits(batch=1)
    assert visits(threads=2) == visits(batch=4)
    assert visits(batch=64) != visits(batch=16) != visits(batch=1)


@pytest.mark.parametrize("case", some(GAMES), ids=" on ".join)
def test_a_kept_subtree_is_the_part_that_was_there(case: tuple[str, str]) -> None:
    game = topple.load(*case)
    position, agent = game.start(), Puct(iterations=600)
    search = run_search(agent, position)
    tree, node, later = search.tree, ROOT, position
    for _ in range(min(2, game.n_players)):
        node = max(range(tree.first[node], tree.first[node] + tree.n_children[node]),
                   key=lambda child: tree.visits[child])  # fmt: skip
        later = later.play(int(tree.move[node]))
    memory = KeptTrees(position, search.trees)
    assert memory.find(later) == [node]
    going_on = agent.search(later, 9, memory)
    walk = list(zip(nodes_below(tree, node), nodes_below(going_on.tree, ROOT), strict=True))
    assert walk
    for (old, old_block), (new, new_block) in walk:
        assert len(old_block) == len(new_block)
        for part, copied in zip(tree, going_on.tree, strict=True):
            if len(part) > 1 and part is not tree.first:
                assert part[old] == copied[new]
                assert (part[old_block] == copied[new_block]).all()
    assert going_on.tree.visits[ROOT] == tree.visits[node] > 1
    going_on.advance(10)
    decision = going_on.decision()
    assert decision.move in later.legal_moves()
    is_known = tree.proof[node] != RUNNING
    assert decision.effort.simulations == (0 if is_known else 10)


def test_a_player_remembers_and_an_agent_does_not() -> None:
    position, agent = topple.load("hex", "hex:5").start(), Puct(iterations=300)
    player = agent.begin(seed=3)
    first = player.choose(position, 0)
    later = position.play(first.move).play(first.variation[1])
    assert sum(c.visits for c in player.choose(later, 2).candidates) > 300
    assert sum(c.visits for c in agent.choose(later).candidates) == 299  # and one for the root
    forgetful = Puct(iterations=300, keep=False).begin(seed=3)
    forgetful.choose(position, 0)
    assert sum(c.visits for c in forgetful.choose(later, 2).candidates) == 299


@pytest.mark.parametrize("case", some(GAMES), ids=" on ".join)
def test_a_game_with_a_kept_tree_is_legal_to_its_end(case: tuple[str, str]) -> None:
    game = topple.load(*case)
    for threads in (1, 2):
        agent = Puct(iterations=40, threads=threads)
        players = [agent.begin(seat) for seat in range(game.n_players)]
        position = game.start()
        for ply in range(40):
            if position.is_over:
                break
            position = position.play(players[position.player].choose(position, ply).move)


@pytest.mark.parametrize(
    "name",
    [*QUICK, *(pytest.param(name, marks=pytest.mark.prove)
               for name in ("spread-it", "infexion", "influence"))],
)  # fmt: skip
def test_it_proves_what_minimax_says_and_plays_the_win(name: str, tmp_path: Path) -> None:
    n_proven = {"won": 0, "drawn": 0, "lost": 0}
    for game, plies in small_positions.games():
        if game.name != name:
            continue
        net = save_small(tmp_path / "net.npz", game, 2, scale=0.3)  # no move is ruled out
        for position in small_positions.positions(game, plies, 8, 11):
            plain = small_positions.solve(position)
            if plain is None:
                continue
            expected = plain.decision()
            for batch in (1, 6):
                agent = Puct(iterations=100_000, c=3, keep=False, batch=batch, net=net)
                decision = agent.choose(position)
                assert decision.proven == expected.proven, position
                assert decision.proven is not None
                n_proven[decision.proven] += 1
                best = np.sign(expected.value)
                assert decision.value == best
                good = {c.move for c in expected.candidates if np.sign(c.value) == best}
                assert decision.move in good, position
    assert n_proven["won"] > 5
    assert n_proven["lost"] > 1


@pytest.mark.prove
def test_draws_are_proven() -> None:
    """Without arcs every move takes its own vertex alone, and the game is drawn."""
    import networkx

    graph = networkx.DiGraph()
    graph.add_nodes_from("ace", side="L")
    graph.add_nodes_from("bdf", side="R")
    decision = Puct(iterations=20_000).choose(topple.load("influence", graph).start())
    assert (decision.proven, decision.value) == ("drawn", 0.0)


def test_three_players_prove_wins_only_where_they_are_forced() -> None:
    game = topple.load("chain-reaction:players=3", "grid:2x3")
    n_won, n_lost = 0, 0
    for seed in range(40):
        position = running_position(game, 6, seed)
        decision = Puct(iterations=3000, keep=False, batch=1 + seed % 4).choose(position)
        wins = [m for m in position.legal_moves() if position.play(m).is_over]
        if wins:
            assert decision.proven == "won"
            assert decision.move in wins
            n_won += 1
        lost = [c for c in decision.candidates if c.proven == "lost"]
        assert all(c.value == -1 / 2 for c in lost)
        assert all(math.isfinite(c.value) for c in decision.candidates)
        n_lost += len(lost)
    assert n_won > 3
    assert n_lost > 3


def test_small_boards_of_hex_are_solved_by_any_network(tmp_path: Path) -> None:
    for seed in range(3):
        for board in ("hex:2", "hex:3"):
            game = topple.load("hex", board)
            net = save_small(tmp_path / f"{seed}.npz", game, seed)
            decision = Puct(iterations=200_000, c=3, net=net).choose(game.start())
            assert decision.proven == "won"
            assert decision.effort.simulations < 200_000


def test_without_the_solver_nothing_is_proven() -> None:
    position = topple.load("hex", "hex:2").start()
    decision = Puct(iterations=300, solver=False).choose(position)
    assert decision.proven is None
    assert decision.effort.simulations == 300


def test_the_memory_limit_is_kept_and_the_search_goes_on() -> None:
    position = topple.load("hex", "hex:7").start()
    for keep, share in ((False, 1), (True, 2)):
        decision = Puct(iterations=2000, memory=1, keep=keep).choose(position)
        assert decision.effort.simulations == 2000
        assert decision.move in position.legal_moves()
        assert share * decision.effort.nodes * node_bytes(**TREE_KINDS) <= 1 << 20
    roomy = Puct(iterations=2000, keep=False).choose(position)
    assert roomy.effort.nodes > 1.5 * decision.effort.nodes


@pytest.mark.parametrize("case", some(ALL), ids=" on ".join)
def test_priors_are_the_networks(case: tuple[str, str]) -> None:
    position = running_position(topple.load(*case), 1, 1)
    priors, returns = seen_by_net(position, shelf.net_for(position.game))
    expected = dict(zip(position.legal_moves(), priors, strict=True))
    for agent in ("puct:iterations=30", "policy", "puct:iterations=1"):
        decision = topple.agent(agent).choose(position)
        found = {c.move: c.prior for c in decision.candidates}
        assert found == pytest.approx(expected, abs=1e-5)
        assert sum(p for p in found.values() if p is not None) == pytest.approx(1, abs=1e-5)
    looked = topple.agent("policy").choose(position)
    assert looked.value == pytest.approx(returns[position.player], abs=1e-6)
    assert {c.prior for c in topple.agent("uct:iterations=9").choose(position).candidates} == {None}


@pytest.mark.parametrize("case", some(ALL), ids=" on ".join)
def test_policy_plays_what_is_most_likely(case: tuple[str, str]) -> None:
    position = running_position(topple.load(*case), 1, 2)
    priors, _ = seen_by_net(position, shelf.net_for(position.game))
    best = position.legal_moves()[int(np.argmax(priors))]
    for seed in range(5):
        decision = topple.agent("policy").choose(position, seed)
        assert decision.move == best
        assert decision.variation == (best,)
        ranked = [c.prior for c in decision.candidates]
        assert ranked == sorted(ranked, reverse=True)


@pytest.mark.parametrize("temperature", [0.4, 1.0, 5.0])
def test_policy_draws_by_its_probabilities(temperature: float) -> None:
    position, n = topple.load("hex", "hex:3").start(), 3000
    priors, _ = seen_by_net(position, shelf.net_for(position.game))
    shares = priors ** (1 / temperature)
    shares /= shares.sum()
    agent = Policy(temperature=temperature)
    drawn = np.zeros(9)
    for seed in range(n):
        drawn[agent.search(position, seed).decision().move] += 1
    # Chi-square with 8 degrees of freedom exceeds 26 once in a thousand times.
    assert (((drawn - n * shares) ** 2) / (n * shares)).sum() < 26
    assert agent.choose(position, 7) == agent.choose(position, 7)


def plain_value(
    position: Position, depth: int, player: int, trained: TrainedNet, ply: int
) -> float:
    """Plain minimax over what the network expects, for a player, in percent."""
    if position.is_over:
        returns = float(position.returns()[player])
        return returns and math.copysign(1_000_000 - ply, returns)
    if depth == 0:
        return 100.0 * float(seen_by_net(position, trained)[1][player])
    values = [plain_value(position.play(move), depth - 1, player, trained, ply + 1)
              for move in position.legal_moves()]  # fmt: skip
    return max(values) if position.player == player else min(values)


@pytest.mark.parametrize("case", some(TWO_PLAYERS), ids=" on ".join)
def test_alphabeta_finds_the_minimax_of_the_networks_values(case: tuple[str, str]) -> None:
    game = topple.load(*case)
    trained = shelf.net_for(game)
    n_over = 0
    for depth, plies in ((1, 1), (2, 2), (2, 5)):
        position = running_position(game, plies, 3)
        decision = topple.agent(f"alphabeta:evaluation=net,depth={depth}").choose(position)
        expected = plain_value(position, depth, position.player, trained, 0)
        assert decision.value == pytest.approx(expected, abs=1e-9)
        best = position.play(decision.move)
        assert plain_value(best, depth - 1, position.player, trained, 1) == pytest.approx(expected)
        n_over += abs(expected) > 100
    assert n_over < 3


def test_alphabeta_with_a_network_goes_to_the_end() -> None:
    decision = topple.agent("alphabeta:evaluation=net,depth=9").choose(
        topple.load("hex", "hex:3").start().play("a1")
    )
    assert decision.proven in ("won", "lost")
    assert abs(decision.value) > 999_000


@pytest.mark.parametrize(
    ("spec", "game", "message"),
    [("alphabeta:net=hex", "hex", "net= needs evaluation=net"),
     ("alphabeta:evaluation=net,weights=1/2", "hex", "give an evaluation or weights, not both"),
     ("alphabeta:evaluation=net,net=nowhere.npz", "hex", "there is no network nowhere.npz"),
     ("alphabeta:evaluation=net", "chain-reaction:players=3", "alphabeta is for 2 players"),
     ("puct:net=nowhere.npz", "hex", "there is no network nowhere.npz"),
     ("policy:net=infexion", "hex", "the network infexion is for infexion, not hex"),
     ("puct:batch=0", "hex", "batch=0 is too small"),
     ("policy:temperature=-1", "hex", "temperature=-1 is too small"),
     ("puct", "chain-reaction:players=5", "no network is shipped for chain-reaction:players=5")],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_line(spec: str, game: str, message: str) -> None:
    with pytest.raises(topple.ToppleError, match=message) as refused:
        topple.agent(spec).choose(topple.load(game, compiled=False).start())
    assert "\n" not in str(refused.value)


def test_a_game_without_an_encoding_has_no_network(node_kayles: object) -> None:
    position = topple.load("node-kayles", "path:5", compiled=False).start()
    for spec in ("puct", "policy", "alphabeta:evaluation=net"):
        with pytest.raises(topple.Unsupported, match="no network can see node-kayles"):
            topple.agent(spec).choose(position)


@pytest.mark.parametrize(
    "spec",
    ["puct:iterations=12", "puct:iterations=12,batch=4,threads=2", "policy:temperature=1",
     "alphabeta:evaluation=net,depth=2"],
)  # fmt: skip
def test_plain_python_gives_the_same(spec: str) -> None:
    for name, board in (("hex:swap=true", "hex:2"), ("influence", "segment:4")):
        answers = []
        for compiled in (True, False):
            game: Game = topple.load(name, board, compiled=compiled)
            answers.append(topple.agent(spec).choose(game.start(), seed=5))
        assert answers[0] == answers[1]
