"""What every agent must hold to, whatever it searches."""

import importlib.util
import itertools
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import topple
from tests.agents.small_positions import running_position
from tests.nets.small_nets import ship_small
from topple import agents
from topple.agents import Agent, Candidate, Decision, Effort, Search, agent_names, find_agent
from topple.agents.decision import return_interval
from topple.agents.search import PART, parts
from topple.game.game import Game
from topple.nets import shelf
from topple.testing import check_decision
from topple.testing.agent_checks import Case, check_search

ROOT = Path(__file__).parents[2]
GAMES = [
    ("spread-it", "ba:n=9,m=2,seed=1", 4),
    ("spread-it:loyalty=full", "karate", 10),
    ("chain-reaction", "grid:3x3", 5),
    ("chain-reaction:players=4", "grid:3x3", 5),
    ("infexion", "infexion:4", 7),
    ("hex:swap=true", "hex:4", 1),
    ("influence", "segment:14", 2),
    ("influence", "random-digraph:n=70,m=90,seed=2", 3),
]
SEEN = ("hex", "chain-reaction")  # by networks here; tests of puct look at all games
# Every agent with little to do.
SMALL = {
    "montecarlo": "montecarlo:samples=8",
    "pruning": "pruning:samples=10",
    "volatile": "volatile:samples=4",
    "frontier": "frontier:nodes=2000",
    "uct": "uct:iterations=200",
    "alphabeta": "alphabeta:nodes=1500",
    "sds-root": "sds-root:agents=40,iterations=8",
    "sds-tree": "sds-tree:agents=60,iterations=8",
    "perfect": "perfect:nodes=700",
    "puct": "puct:iterations=60",
}


@pytest.fixture(autouse=True, scope="module")
def small_networks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Small networks of random weights in place of the shipped ones."""
    seen = [(name, board) for name, board, _ in GAMES if name.startswith(SEEN)]
    games = [topple.load(name, board, compiled=False) for name, board in seen]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shelf, "SHIPPED", ship_small(tmp_path_factory.mktemp("nets"), games))
        yield


def small_agents() -> list[str]:
    return [SMALL.get(name, name) for name in agent_names()]


def is_playable(agent: Agent, game: Game) -> bool:
    try:
        agent.check_game(game)
    except topple.Unsupported:
        return False
    return True


CASES = list(itertools.product(small_agents(), GAMES))


@pytest.mark.parametrize(("spec", "case"), CASES, ids=lambda x: x if isinstance(x, str) else x[0])
def test_a_decision_is_whole_and_the_same_under_one_seed(
    spec: str, case: tuple[str, str, int]
) -> None:
    name, board, n_plies = case
    position, agent = running_position(topple.load(name, board), n_plies, 1), topple.agent(spec)
    if not is_playable(agent, position.game):
        two_only = position.game.n_players > agent.MOST_PLAYERS
        lacks_net = "net" in agent.options and not name.startswith(SEEN)
        assert two_only or lacks_net or spec.startswith("volatile")
        with pytest.raises(topple.Unsupported):
            agent.choose(position)
        return
    decision = agent.choose(position, seed=5)
    check_decision(decision, position, swarm=spec.startswith("sds"))
    assert decision.effort.seconds > 0
    assert decision == agent.choose(position, seed=5)
    assert decision == list(agent.think(position, seed=5))[-1]
    again = topple.agent(agent.spec)
    assert again.options == agent.options
    assert again.choose(position, seed=5) == decision


@pytest.mark.parametrize("spec", [s for s in small_agents() if s != "random"])
def test_cutting_the_work_into_parts_changes_nothing(spec: str) -> None:
    agent = topple.agent(spec)
    for name, board, n_plies in GAMES:
        position = running_position(topple.load(name, board), n_plies, 3)
        if not is_playable(agent, position.game):
            continue
        check_search(Case(agent, position))


@pytest.mark.parametrize("spec", small_agents())
def test_it_plays_a_whole_game_and_the_seed_fixes_it(spec: str) -> None:
    agent = topple.agent(spec)
    for name, board, _ in GAMES[:6]:
        game = topple.load(name, board)
        if not is_playable(agent, game):
            continue
        first, second = play_game(game, agent, 3), play_game(game, agent, 3)
        assert first == second


def play_game(game: Game, agent: Agent, seed: int, most: int = 24) -> list[int]:
    """The moves of a game of an agent against itself, or its beginning."""
    players = [agent.begin(seed + seat) for seat in range(game.n_players)]
    position, moves = game.start(), []
    while not position.is_over and len(moves) < most:
        moves.append(players[position.player].choose(position, len(moves)).move)
        position = position.play(moves[-1])
    return moves


def test_each_move_of_a_game_has_a_seed_of_its_own() -> None:
    player, other = (topple.agent("random").begin(seed) for seed in (1, 2))
    assert len({each.seed_at(ply) for each in (player, other) for ply in range(100)}) == 200
    position = topple.load("hex", "hex:3").start()
    assert {player.choose(position, ply).move for ply in range(100)} == set(range(9))


@pytest.mark.parametrize("name", agent_names())
def test_a_finished_game_has_nothing_to_choose(name: str) -> None:
    over = topple.load("chain-reaction", "grid:2x2").position("A1,2,A2 A 2")
    assert over.is_over
    with pytest.raises(topple.IllegalMove, match="the game is over: A wins"):
        topple.agent(name).choose(over)


@pytest.mark.parametrize("name", agent_names())
def test_bad_options_are_refused_in_one_line(name: str) -> None:
    with pytest.raises(topple.BadText, match=f"unknown option of {name} 'wings'"):
        topple.agent(f"{name}:wings=2")
    for option in find_agent(name).OPTIONS:
        if option.kind in (int, float):
            for value in ("-1e30", "nan", "soon", "1e30"):
                with pytest.raises(topple.BadText) as refused:
                    topple.agent(name, **{option.name: value})
                assert "\n" not in str(refused.value)
                assert option.name in str(refused.value)
        elif option.choices:
            with pytest.raises(topple.BadText, match=f"unknown {option.name} 'wings'"):
                topple.agent(name, **{option.name: "wings"})


@pytest.mark.parametrize(
    ("text", "message"),
    [("uct:1000", "'uct:1000' has a part without a value: write uct:option=value"),
     ("utc", "unknown agent 'utc': did you mean 'uct'?"),
     ("uct:iterations=0", "iterations=0 is too small: at least 1"),
     ("greedy:evaluation=parity", "unknown evaluation of hex 'parity'"),
     ("alphabeta:weights=1/2/3", "weights=1/2/3 must be 2 numbers up to 1000 separated by /"),
     ("alphabeta:weights=1/nan", "weights=1/nan must be 2 numbers"),
     ("minimax:depth=1000", "depth=1000 is too large: at most 100")],
)  # fmt: skip
def test_wrong_words_get_one_line(text: str, message: str) -> None:
    with pytest.raises(topple.ToppleError) as refused:
        topple.agent(text).choose(topple.load("hex", "hex:3").start())
    assert message in str(refused.value)


def test_what_is_no_text_is_no_agent() -> None:
    for thing in (None, 5, b"uct"):
        with pytest.raises(topple.BadText, match="is not an agent"):
            topple.agent(thing)  # type: ignore[arg-type]


def test_messages_repeat_no_more_than_a_line_of_what_was_typed() -> None:
    long = "x" * 10_000
    for text in (long, f"uct:{long}=1", f"uct:solver={long}", f"sds-root:halting={long}",
                 f"uct:bias=1,evaluation={long}"):  # fmt: skip
        with pytest.raises(topple.BadText) as refused:
            topple.agent(text).choose(topple.load("hex", "hex:3").start())
        assert len(str(refused.value)) < 300


def test_more_memory_than_there_is_gets_one_line() -> None:
    spec = "sds-tree:agents=10000000,allocation=layers,depth=200,memory=1000000"
    with pytest.raises(topple.Unsupported, match="memory"):
        topple.agent(spec).choose(topple.load("hex", "hex:5").start())


def test_a_search_that_is_stopped_leaves_its_memory() -> None:
    position, stop = topple.load("hex", "hex:9").start(), threading.Event()
    player = topple.agent("uct:iterations=1000000000").begin(1)
    decisions = []
    for decision in player.think(position, 0, stop):
        decisions.append(decision)
        stop.set()
    assert len(decisions) == 2
    assert decisions[-1].effort.simulations >= decisions[0].effort.simulations > 0
    assert player.memory is not None


def test_no_time_is_spent_where_there_is_no_choice() -> None:
    """A day for a move that must be played."""
    position = topple.load("influence", "segment:3").start()
    assert len(position.legal_moves()) == 1
    topple.agent("uct:time=86400,solver=false").choose(position)


def test_an_option_given_twice_is_refused() -> None:
    with pytest.raises(topple.BadText, match="option c is given twice"):
        topple.agent("uct:c=1", c=2)


@pytest.mark.parametrize("name", ["greedy", "minimax", "alphabeta", "frontier", "volatile"])
def test_a_game_without_an_evaluation_says_what_to_do(name: str, node_kayles: Any) -> None:
    position = topple.load("node-kayles", "path:5").start()
    with pytest.raises(topple.Unsupported, match=r"no evaluation: evaluation=none|needs a score"):
        topple.agent(name).choose(position)
    if name != "volatile":
        assert topple.agent(f"{name}:evaluation=none").choose(position).move in range(5)


@pytest.mark.parametrize("name", ["montecarlo", "uct", "sds-root", "sds-tree", "random"])
def test_a_game_from_outside_needs_nothing_else(name: str, node_kayles: Any) -> None:
    position = topple.load("node-kayles", "path:5").start()
    assert topple.agent(SMALL.get(name, name)).choose(position).move in range(5)


class Clock:
    """A clock that stands still unless a search is at work."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Slow(Search):
    """A search in which every unit takes the same time."""

    def __init__(self, clock: Clock, unit: float, most: int) -> None:
        self.clock, self.unit, self.most = clock, unit, most
        self.done: list[int] = []

    @property
    def is_done(self) -> bool:
        return sum(self.done) >= self.most

    def advance(self, n: int) -> None:
        n = min(n, self.most - sum(self.done))
        self.done.append(n)
        self.clock.now += n * self.unit

    def decision(self) -> Decision:
        return Decision(0, 0.0, (), (0,), Effort(simulations=sum(self.done)))


@pytest.mark.parametrize("unit", [1e-7, 1e-5, 1e-3, 4e-3])
@pytest.mark.parametrize("seconds", [0.02, 0.3, 2.0])
def test_a_time_limit_is_kept_by_parts_that_fit(
    unit: float, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr("topple.agents.search.perf_counter", clock)
    search = Slow(clock, unit, 10**12)
    for _ in parts(search, clock.now + seconds):
        pass
    used = clock.now - 100
    assert seconds <= used + 1e-9
    assert used <= seconds + unit + 1e-9
    assert max(search.done) * unit <= max(PART, unit) * 1.01


def test_the_time_to_close_is_kept_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("topple.agents.search.perf_counter", clock)
    search = Slow(clock, 1e-4, 10**12)
    monkeypatch.setattr(search, "closing_time", lambda: sum(search.done) * 5e-5)
    for _ in parts(search, clock.now + 0.3):
        pass
    assert clock.now - 100 == pytest.approx(0.2, abs=3e-3)  # and half as long to close


def test_without_a_time_limit_the_clock_has_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = []
    for unit in (1e-9, 1e-6, 10.0):
        clock = Clock()
        monkeypatch.setattr("topple.agents.search.perf_counter", clock)
        search = Slow(clock, unit, 12_345)
        for _ in parts(search, None):
            pass
        answers.append(search.decision())
    assert answers == [answers[0]] * 3
    assert answers[0].effort.simulations == 12_345


@pytest.mark.parametrize("spec", ["uct", "montecarlo", "alphabeta", "frontier", "sds-root"])
def test_time_alone_lifts_the_usual_limit(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still for a while, and the search goes on."""
    position = topple.load("hex", "hex:6").start()
    search = topple.agent(f"{spec}:time=1").search(position, 1)
    for _ in range(30):
        search.advance(20_000)
    decision = search.decision()
    usual = topple.agent(spec).choose(position)
    assert decision.effort.simulations + decision.effort.nodes > 3 * (
        usual.effort.simulations + usual.effort.nodes
    )


def test_intervals_hold_what_they_promise() -> None:
    """Of many means of n games with a known chance, 95% of the intervals hold the chance."""
    rng = np.random.default_rng(3)
    for chance, n in ((0.5, 20), (0.9, 50), (0.98, 200)):
        wins = rng.binomial(n, chance, size=4000)
        held = 0
        for won in wins:
            interval = return_interval(2 * won / n - 1, n)
            assert interval is not None
            held += interval[0] <= 2 * chance - 1 <= interval[1]
        assert 0.92 <= held / 4000 <= 0.99
    assert return_interval(0.0, 0) is None


@pytest.fixture
def hoarder() -> Iterator[None]:
    """The example agent of the documentation, registered while a test runs."""
    path = ROOT / "docs" / "examples" / "hoarder.py"
    spec = importlib.util.spec_from_file_location("hoarder", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["hoarder"] = module
    spec.loader.exec_module(module)
    yield
    del agents._classes["hoarder"], sys.modules["hoarder"]


def test_an_agent_from_outside_is_as_good_as_any(hoarder: None) -> None:
    assert "hoarder" in agent_names()
    agent = topple.agent("hoarder")
    for name, board, n_plies in GAMES:
        position = running_position(topple.load(name, board), n_plies, 1)
        if position.scores is None:
            with pytest.raises(topple.Unsupported, match="hoarder needs a score"):
                agent.choose(position)
        else:
            decision = agent.choose(position)
            check_decision(decision, position)
            best = max(decision.candidates, key=lambda c: c.value)
            assert isinstance(best, Candidate)
            assert decision.value == best.value


def test_every_agent_and_option_has_its_words() -> None:
    pages = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs").glob("*.md"))
    overview = (ROOT / "docs" / "agents.md").read_text("utf-8")
    for name in agent_names():
        assert f"`{name}`" in overview
        for option in find_agent(name).OPTIONS:
            assert option.meaning
            assert f"`{option.name}" in pages, f"{name}: {option.name}"
