"""volatile: what it measures, and that its search finds what plain minimax finds."""

import math
from itertools import pairwise

import networkx
import numpy as np
import pytest

import topple
from topple.agents.decision import LOST, WON, Decision
from topple.agents.interface import Agent
from topple.agents.volatile import Branch, VolatileSearch
from topple.compiling.rng import below, make_rng
from topple.game.game import Game, random_position
from topple.game.position import Position

GAMES = {
    "chain-reaction": "grid:3x3",
    "spread-it": "ba:n=9,m=2,seed=1",
    "infexion": "infexion:3",
    "influence": "segment:16",
}

WIN = 1e6


def load(name: str, compiled: bool = True) -> Game:
    return topple.load(name, board=GAMES[name], compiled=compiled)


def searched(agent: Agent, position: Position, seed: int = 0) -> VolatileSearch:
    """A search that is done."""
    return carry_on(sampled(agent, position, seed), 10**6)


def sampled(agent: Agent, position: Position, seed: int = 0) -> VolatileSearch:
    """A search that has its samples, and no more."""
    search = agent.search(position, seed)
    assert isinstance(search, VolatileSearch)
    search.advance(agent.options["samples"] * len(position.legal_moves()))
    return search


def carry_on(search: VolatileSearch, n: int) -> VolatileSearch:
    """The same search, carried to its end in parts of n."""
    while not search.is_done:
        search.advance(n)
    return search


def branches(search: VolatileSearch) -> dict[int, Branch]:
    """The moves that were searched."""
    return {branch.move: branch for branch in search.branches}


def minimax(
    here: Position, player: int, depth: int, payoff: float, ply: int = 1, scaling: str = "down"
) -> float:
    """The value of a position by looking at everything."""
    if here.is_over and scaling == "down":
        return here.returns()[player] * (WIN - ply)
    if here.is_over or ply == depth:
        value = (
            here.scores[player] - here.scores[1 - player]
            if here.is_over
            else here.evaluate(player=player)
        )
        return value * (payoff if value >= 0 or scaling == "times" else 2 - payoff)
    values = [
        minimax(here.play(m), player, depth, payoff, ply + 1, scaling) for m in here.legal_moves()
    ]
    return max(values) if here.player == player else min(values)


def n_below(here: Position, depth: int) -> int:
    """The positions within so many plies, this one included."""
    if depth == 1 or here.is_over:
        return 1
    return 1 + sum(n_below(here.play(move), depth - 1) for move in here.legal_moves())


def running_positions(name: str, numbers: range) -> list[Position]:
    """Positions of random games in which no move wins at once."""
    found = []
    for number in numbers:
        position = random_position(load(name), number % 7, number)
        after = [position.play(move) for move in position.legal_moves()]
        if after and not any(each.returns()[position.player] == 1 for each in after):
            found.append(position)
    return found


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_value_is_that_of_minimax(name: str, depth: int) -> None:
    agent, n_inexact, n_positions = topple.agent("volatile", samples=4, depth=depth), 0, 0
    for position in running_positions(name, range(5)):
        search, player = searched(agent, position, 1), position.player
        truth = {
            move: minimax(position.play(move), player, depth, branch.payoff)
            for move, branch in branches(search).items()
        }
        assert sorted(truth) == list(position.legal_moves())
        decision = search.decision()
        assert decision.value == truth[decision.move] == max(truth.values())
        for branch in search.branches:
            if branch.exact:
                assert branch.value == truth[branch.move]
            else:
                assert truth[branch.move] <= branch.value <= decision.value
                n_inexact += 1
        n_all = sum(n_below(position.play(move), depth) for move in position.legal_moves())
        assert decision.effort.nodes <= n_all
        assert decision.effort.depth == depth
        n_positions += 1
    assert n_positions >= 3
    assert depth > 1 or n_inexact == 0


def test_scores_times_payoffs_reach_into_ended_games() -> None:
    """In Chain Reaction, whose evaluation is the score."""
    agent, n_over = topple.agent("volatile:samples=4,depth=3,scaling=times"), 0
    for position in running_positions("chain-reaction", range(3, 9)):
        search, player = searched(agent, position, 1), position.player
        truth = {
            move: minimax(position.play(move), player, 3, branch.payoff, scaling="times")
            for move, branch in branches(search).items()
        }
        decision = search.decision()
        assert decision.value == truth[decision.move] == max(truth.values())
        assert decision.proven is None
        n_over += any(
            position.play(move).play(reply).is_over
            for move in position.legal_moves()
            for reply in position.play(move).legal_moves()
        )
    assert n_over > 0


@pytest.mark.parametrize("name", GAMES)
def test_with_every_payoff_1_the_value_is_that_of_plain_minimax(name: str) -> None:
    agent = topple.agent("volatile:samples=3,depth=3")
    for position in running_positions(name, range(4, 8)):
        search = sampled(agent, position)
        search.payoffs[:] = 1.0
        value = carry_on(search, 1000).decision().value
        children = [position.play(move) for move in position.legal_moves()]
        assert value == max(minimax(child, position.player, 3, 1.0) for child in children)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("depth", [2, 3])
def test_a_wider_window_changes_the_nodes_and_never_the_move_or_value(
    name: str, depth: int
) -> None:
    agent, saved = topple.agent("volatile", samples=3, depth=depth), 0
    for position in running_positions(name, range(6)):
        answers = []
        for factor in (0.0, 1.0, 1e6):
            search = sampled(agent, position, 2)
            search.volatilities *= factor
            answers.append(carry_on(search, 1000).decision())
        assert len({answer.move for answer in answers}) == 1
        assert len({answer.value for answer in answers}) == 1
        assert len({answer.variation for answer in answers}) == 1
        nodes = [answer.effort.nodes for answer in answers]
        assert nodes == sorted(nodes)
        saved += nodes[2] - nodes[0]
    assert saved > 0


def random_games(position: Position, move: int, seed: int, n: int) -> tuple[float, float]:
    """The pay-off and volatility of a move, by playing the games one by one."""
    rng, player = make_rng(seed, move), position.player
    payoffs, volatilities = [], []
    for _ in range(n):
        scores, here, chosen = [position.scores], position, move
        while True:
            here = here.play(chosen)
            scores.append(here.scores)
            if here.is_over:
                break
            moves = here.legal_moves()
            with np.errstate(over="ignore"):
                chosen = moves[int(below(rng, len(moves)))]
        steps = pairwise(scores)
        changes = [abs(p - p0) + abs(o - o0) for (p0, o0), (p, o) in steps]
        volatilities.append(sum(changes) / 2 / len(changes))
        payoffs.append((1 + here.returns()[player]) / 2)
    return sum(payoffs) / n, sum(volatilities) / n


@pytest.mark.parametrize("name", ["chain-reaction", "influence"])
def test_payoff_and_volatility_are_those_of_the_games_played_one_by_one(name: str) -> None:
    """These two games draw a move from the list of legal ones; others have quicker ways."""
    position = random_position(load(name), 3, 5)
    search = searched(topple.agent("volatile:samples=5"), position, 7)
    for move, branch in branches(search).items():
        payoff, volatility = random_games(position, move, 7, 5)
        assert branch.payoff == pytest.approx(payoff, abs=1e-12)
        assert branch.volatility == pytest.approx(volatility, abs=1e-12)


def test_a_point_a_ply_is_half_a_point_of_volatility() -> None:
    """Without arcs every move takes its own vertex alone, and the game is drawn."""
    graph = networkx.DiGraph()
    graph.add_nodes_from("aceg", side="L")
    graph.add_nodes_from("bdfh", side="R")
    search = searched(topple.agent("volatile:samples=3"), topple.load("influence", graph).start())
    assert {(branch.payoff, branch.volatility) for branch in search.branches} == {(0.5, 0.5)}


@pytest.mark.parametrize("name", GAMES)
def test_branches_go_by_payoff(name: str) -> None:
    search = searched(topple.agent("volatile:samples=9"), running_positions(name, range(6))[0])
    payoffs = [branch.payoff for branch in search.branches]
    assert payoffs == sorted(payoffs, reverse=True)
    assert len(set(payoffs)) > 1


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("depth", [1, 3])
def test_the_answer_is_fixed_by_the_seed_whatever_the_parts(name: str, depth: int) -> None:
    position = running_positions(name, range(6))[0]
    agent = topple.agent("volatile", samples=5, depth=depth)
    answer = agent.choose(position, seed=3)
    assert agent.choose(position, seed=3) == answer
    for n in (1, 7, 10**6):
        search = agent.search(position, 3)
        assert isinstance(search, VolatileSearch)
        assert carry_on(search, n).decision() == answer
    assert any(agent.choose(position, seed=s) != answer for s in range(4, 8))


@pytest.mark.parametrize("name", ["chain-reaction", "influence"])
def test_compiled_and_uncompiled_agree(name: str) -> None:
    agent = topple.agent("volatile:samples=2,depth=2")
    fast, slow = (random_position(load(name, compiled), 4, 1) for compiled in (True, False))
    assert agent.choose(fast, seed=3) == agent.choose(slow, seed=3)


@pytest.mark.parametrize("name", GAMES)
def test_the_variation_can_be_played_and_leads_to_the_value(name: str) -> None:
    for position in running_positions(name, range(8)):
        decision = topple.agent("volatile:samples=3,depth=3").choose(position, seed=1)
        here = position
        for move in decision.variation:
            here = here.play(move)
        player, plies = position.player, len(decision.variation)
        payoff = decision.candidates[0].payoff  # type: ignore[attr-defined]
        assert decision.move == decision.variation[0]
        assert plies == 3 or here.is_over
        assert minimax(here, player, plies, payoff, plies) == decision.value


def test_a_move_that_wins_is_found_at_once() -> None:
    position = topple.load("chain-reaction", board="grid:2x2").position("A1,A1,A1,B1 A 2")
    decision = topple.agent("volatile").choose(position)
    assert position.play(decision.move).outcome.winner == 0
    assert (decision.value, decision.proven) == (WIN - 1, WON)
    assert decision.effort.simulations == 0


def solved(position: Position, player: int, depth: int) -> float:
    """1 or −1 where so many plies decide the game, else 0."""
    moves = position.legal_moves()
    value = max(minimax(position.play(move), player, depth, 1.0) for move in moves)
    return 0.0 if abs(value) < WIN - depth else math.copysign(1, value)


def test_what_is_proven_is_true_and_nothing_near_is_missed() -> None:
    game, agent = topple.load("chain-reaction", board="grid:2x3"), topple.agent("volatile:depth=3")
    seen = set()
    for seed in range(40):
        position = random_position(game, 2 + seed % 9, seed)
        if position.is_over:
            continue
        value = solved(position, position.player, 3)
        decision = agent.choose(position, seed)
        assert decision.proven == {1.0: WON, -1.0: LOST, 0.0: None}[value]
        seen.add(decision.proven)
    assert seen == {WON, LOST, None}


def test_no_loss_is_proven_before_every_branch_is_searched() -> None:
    game, agent = topple.load("chain-reaction", board="grid:2x3"), topple.agent("volatile:depth=3")
    n_lost_first = 0
    for seed in range(60):
        position = random_position(game, 2 + seed % 9, seed)
        if position.is_over:
            continue
        search = sampled(agent, position, seed)
        while not search.is_done:
            assert search.decision().proven in (None, WON)
            n_lost_first += any(branch.proven == LOST for branch in search.branches)
            search.advance(1)
    assert n_lost_first > 0


def test_of_moves_that_win_at_once_the_seed_chooses() -> None:
    position = topple.load("chain-reaction", board="grid:2x2").position("A1,A1,A1,B1 A 2")
    wins = {move for move in position.legal_moves() if position.play(move).is_over}
    assert len(wins) > 1
    assert {topple.agent("volatile").choose(position, seed).move for seed in range(30)} == wins


def test_before_a_branch_is_searched_the_payoff_decides() -> None:
    position = load("chain-reaction").start()
    search = sampled(topple.agent("volatile:samples=8"), position)
    assert not search.branches
    decision = search.decision()
    assert len(decision.candidates) == 9
    assert decision.value == max(each.value for each in decision.candidates)
    for each in decision.candidates:
        assert isinstance(each, Branch)
        assert each.payoff == (1 + each.value) / 2
        assert each.interval[0] <= each.value <= each.interval[1]
    search.advance(1)
    while not search.branches:
        search.advance(1)
    assert search.decision().move == decision.move


def test_shares_are_of_the_nodes() -> None:
    decision: Decision = topple.agent("volatile:depth=3").choose(load("chain-reaction").start())
    assert sum(each.visits for each in decision.candidates) == decision.effort.nodes
    assert sum(each.share for each in decision.candidates) == pytest.approx(1)
    assert decision.effort.simulations == 20 * 9


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("volatile:samples=0", "samples=0 is too small: at least 1"),
        ("volatile:depth=7", "depth=7 is too large: at most 6"),
        ("volatile:depth=0", "depth=0 is too small: at least 1"),
        ("volatile:depht=1", "unknown option of volatile 'depht': did you mean 'depth'?"),
    ],
)
def test_a_bad_option_gives_one_line(text: str, words: str) -> None:
    with pytest.raises(topple.BadText) as caught:
        topple.agent(text)
    assert str(caught.value) == words


def test_a_game_that_lacks_what_is_needed_is_refused_in_one_line() -> None:
    agent = topple.agent("volatile")
    with pytest.raises(topple.Unsupported) as caught:
        agent.choose(topple.load("hex", board="hex:3").start())
    assert str(caught.value) == "volatile needs a score, and hex has none"
    many = topple.load("chain-reaction:players=3", board="grid:3x3").start()
    with pytest.raises(topple.Unsupported) as caught:
        agent.choose(many)
    assert str(caught.value) == "volatile is for 2 players, and chain-reaction:players=3 has 3"
    with pytest.raises(topple.BadText, match="unknown evaluation of chain-reaction 'luck'"):
        topple.agent("volatile:evaluation=luck").choose(load("chain-reaction").start())
