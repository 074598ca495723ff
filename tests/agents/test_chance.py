"""Agents in games with chance: none sees a draw before it falls."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

import topple
from tests.games import coin_game
from topple import rules
from topple.agents import Agent, agent_names, find_agent
from topple.core.errors import Unsupported
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels import uct

TOSSES = 40
SEARCHES = {
    "random": "random",
    "greedy": "greedy:evaluation=none",
    "montecarlo": "montecarlo:samples=40",
    "pruning": "pruning:samples=60",
    "uct": "uct:iterations=400",
    "sds-root": "sds-root:agents=60,iterations=10",
    "sds-tree": "sds-tree:agents=60,iterations=10",
}
ALL = [*SEARCHES.values(), "uct:iterations=300,rave=50,bias=1"]
UNCERTAIN = "spread-it:accept=0.6,tokens=4"
MORE = ["", ",players=3,loyalty=2"]  # options


@pytest.fixture
def coins() -> Iterator[Game]:
    """The coin game, as plain Python."""
    topple.register(coin_game)
    yield topple.load("coins", compiled=False)
    del rules._modules["coins"]


def wins(game: Game, choose: "Agent | None") -> int:
    """How many of the tosses are won by an agent, or by somebody who knows the draws."""
    rng, start, n_won = random.Random(5), game.start(), 0
    for seed in range(TOSSES):
        draw = rng.getrandbits(32)
        if choose is None:
            n_won += any(start.play(coin, draw).outcome.winner == 0 for coin in range(9))
        else:
            n_won += start.play(choose.choose(start, seed).move, draw).outcome.winner == 0
    return n_won


def test_whoever_knows_the_draws_wins_the_coin_game(coins: Game) -> None:
    assert wins(coins, None) >= 36


@pytest.mark.parametrize("search", SEARCHES.values())
def test_no_agent_finds_a_move_that_only_peeking_finds(coins: Game, search: str) -> None:
    """The last coin wins every other toss, and more than three in four would be peeking."""
    assert wins(coins, topple.agent(search)) <= 30


@pytest.mark.parametrize("search", ["montecarlo:samples=200", "uct:iterations=2000"])
def test_sampling_finds_the_best_coin(coins: Game, search: str) -> None:
    decisions = [topple.agent(search).choose(coins.start(), seed) for seed in range(5)]
    assert [decision.move for decision in decisions] == [8] * 5
    assert all(abs(decision.value) < 0.25 and decision.proven is None for decision in decisions)


def test_every_agent_reckons_with_chance_or_refuses_it() -> None:
    game = topple.load(UNCERTAIN, board="cycle:5", compiled=False)
    for name in agent_names():
        if name in SEARCHES:
            topple.agent(name).check_game(game)
            continue
        with pytest.raises(Unsupported, match="chance"):
            topple.agent(name).check_game(game)
        assert not find_agent(name).PLAYS_CHANCE


@pytest.mark.parametrize("search", ALL)
@pytest.mark.parametrize("options", MORE)
def test_the_seed_fixes_a_search_with_chance(search: str, options: str) -> None:
    for position in uncertain_positions(options, compiled=False):
        first, again = (topple.agent(search).choose(position, 3) for _ in range(2))
        assert first == again
        assert first.move in position.legal_moves()
        assert first.proven is None


def uncertain_positions(options: str, *, compiled: bool) -> tuple[Position, Position]:
    """A start, and the position after two moves and their draws."""
    start = topple.load(UNCERTAIN + options, board="cycle:5", compiled=compiled).start()
    return start, start.play("1", 4).play("2", 5)


@pytest.mark.parametrize("search", SEARCHES.values())
def test_a_compiled_search_with_chance_answers_as_a_plain_one(coins: Game, search: str) -> None:
    agent = topple.agent(search)
    for seed in range(3):
        compiled = agent.choose(topple.load("coins").start(), seed)
        assert compiled == agent.choose(coins.start(), seed)


@pytest.mark.prove  # compiling all searches takes a minute
@pytest.mark.parametrize("search", ALL)
@pytest.mark.parametrize("options", MORE)
def test_a_compiled_search_of_uncertain_spread_it_answers_as_a_plain_one(
    search: str, options: str
) -> None:
    agent = topple.agent(search)
    pairs = [uncertain_positions(options, compiled=compiled) for compiled in (True, False)]
    for compiled, plain in zip(*pairs, strict=True):
        assert agent.choose(compiled, 3) == agent.choose(plain, 3)


def test_uct_gives_each_position_after_a_move_a_node_of_its_own() -> None:
    """The root's moves have the visits of all outcomes; each outcome is another position."""
    game = topple.load("spread-it:accept=0.5,tokens=3", board="star:4", compiled=False)
    position = game.position("2b,1,1,1 Red 2-3")
    search = topple.agent("uct:iterations=400").search(position, 1)
    search.advance(400)
    tree = search.trees[0]
    centre = next(c for c in range(1, 5) if tree.move[c] == 0)
    outcomes, node = [], int(tree.outcome[centre])
    while node != uct.NO_OUTCOME:
        outcomes.append(node)
        node = int(tree.outcome[node])
    after = {position.play(0, draw).key for draw in range(400)}
    assert {int(tree.key[node]) for node in outcomes} == after
    assert len(outcomes) == len(after) > 2
    # The first visit of an outcome ends at it, and every visit is counted at both.
    assert sum(int(tree.visits[node]) for node in outcomes) == tree.visits[centre]
    assert sum(int(tree.visits[c]) for c in range(1, 5)) == tree.visits[uct.ROOT]


def test_a_search_sees_the_present_network_without_foresight() -> None:
    """With `foresight=none` a change to come does not change what an agent decides."""
    board = topple.load_board("cycle:6")
    other = topple.load_board("star:6")
    changing = replace(board, stages=(other.networks[0]._replace(ply=1),))
    for search in ("montecarlo:samples=30", "uct:iterations=200", "greedy"):
        agent = topple.agent(search)
        seen, known, hidden = (
            agent.choose(topple.load(*each, compiled=False).start(), 3)
            for each in (
                ("spread-it:tokens=4/4", board),
                ("spread-it:tokens=4/4", changing),
                ("spread-it:tokens=4/4,foresight=none", changing),
            )
        )
        assert hidden == seen
        if search != "greedy":
            assert known != hidden
