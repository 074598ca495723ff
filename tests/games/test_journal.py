"""Journals: a copy in parts holds what a whole copy holds."""

from random import Random

import numpy as np
import pytest

import topple
from tests.agents.small_positions import running_position
from topple.agents import Agent
from topple.compiling.specialise import can_keep_journal
from topple.game.game import Game
from topple.rules import journal
from topple.rules.interface import RUNNING, STATUS, State, apply, copy_position
from topple.rules.journal import EPOCH, MOST_COUNT, begin_epoch, put_position

GAMES = [
    ("spread-it", "ba:n=9,m=2,seed=1"),
    ("spread-it:loyalty=full", "ba:n=11,m=2,seed=2"),
    ("spread-it:players=3,accept=0.8", "cycle:6"),
    ("chain-reaction", "grid:3x4"),
    ("chain-reaction:players=3,surplus=keep", "grid:3x3"),
    ("infexion", "infexion:3"),
    ("influence", "segment:9"),
]
AGENTS = [
    "alphabeta:depth=3",
    "minimax:depth=2",
    "uct:iterations=60",
    "uct:iterations=60,rave=200,threads=2",
    "montecarlo:samples=6",
    "pruning:samples=8,rounds=2",
    "volatile:samples=4,depth=2",
    "frontier:nodes=60,depth=3",
    "sds-root:agents=20,iterations=6",
    "sds-tree:agents=20,iterations=6",
]


@pytest.fixture
def keeping(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game that can keep journals keeps them, however small its board."""
    monkeypatch.setattr(journal, "LEAST", 0)


@pytest.fixture(params=GAMES, ids=" on ".join)
def game(request: pytest.FixtureRequest, keeping: None) -> Game:
    made = topple.load(*request.param, compiled=False)
    assert made.journal is not None
    return made


def copy(game: Game, source: State, target: State) -> None:
    """Copy a position as searches do."""
    game.kernels(copy_position)(source, target, game.sizes.state)


def test_copies_between_any_vectors_hold_what_whole_copies_hold(game: Game) -> None:
    """Vectors are copied, played in and overwritten in any order; each has a plain shadow."""
    random, n = Random(game.spec), game.sizes.state
    start = game.start().state
    states = game.scratch_states(4)
    plain = [start.copy() for _ in states]
    for state in states:
        put_position(state, start)
    kinds = {"part": 0, "whole": 0}
    for _ in range(300):
        i, j = random.sample(range(len(states)), 2)
        what = random.random()
        if what < 0.6:
            epoch = states[j][-EPOCH]
            copy(game, states[i], states[j])
            plain[j][:] = plain[i]
            kinds["whole" if states[j][-EPOCH] != epoch else "part"] += 1
        elif what < 0.97:
            if states[i][STATUS] == RUNNING:
                position = topple.Position(game, states[i])
                move = random.choice(position.legal_moves())
                game.run(apply, states[i], move)
                plain[i][:] = states[i][:n]
        else:
            put_position(states[i], start)
            plain[i][:] = start
        for state, shadow in zip(states, plain, strict=True):
            assert (state[:n] == shadow).all()
    assert kinds["part"] > 20
    assert kinds["whole"] > 5


def test_a_move_that_is_taken_back_writes_only_what_it_changed(keeping: None) -> None:
    game = topple.load("spread-it", "path:500", compiled=False)
    n = game.sizes.state
    root, trial = game.scratch_states(2)
    put_position(root, game.start().state)
    copy(game, root, trial)
    for vertex in (3, 77, 499):
        game.run(apply, trial, vertex)
        marked = trial[:n] != root[:n]
        assert 0 < marked.sum() < 10
        root[np.flatnonzero(~marked)[100]] += 1  # not recorded, so a copy in parts misses it
        copy(game, root, trial)
        assert (trial[:n] != root[:n]).sum() == 1
        root[np.flatnonzero(trial[:n] != root[:n])] -= 1


def test_a_journal_that_is_full_is_not_trusted(keeping: None) -> None:
    game = topple.load("spread-it", "karate", compiled=False)
    n = game.sizes.state
    root, trial = game.scratch_states(2)
    put_position(root, game.start().state)
    copy(game, root, trial)
    for seed in range(20):
        position = running_position(game, 40, seed)
        state = game.scratch_state(game.start().state)
        copy(game, root, trial)
        for move in position.legal_moves():
            if trial[STATUS] == RUNNING:
                game.run(apply, trial, move)
        copy(game, root, trial)
        assert (trial[:n] == root[:n]).all()
        assert (state[:n] == root[:n]).all()


def test_counts_that_end_begin_a_new_epoch(keeping: None) -> None:
    game = topple.load("spread-it", "karate", compiled=False)
    n = game.sizes.state
    root, trial = game.scratch_states(2)
    put_position(root, game.start().state)
    copy(game, root, trial)
    trial[-journal.COUNT] = trial[-journal.OWN_COUNT] = MOST_COUNT - 3
    for vertex in (1, 5, 9, 11):
        game.run(apply, trial, vertex)
    assert trial[-journal.COUNT] < 100
    copy(game, root, trial)
    assert (trial[:n] == root[:n]).all()
    begin_epoch(root)
    game.run(apply, root, 2)
    copy(game, root, trial)
    assert (trial[:n] == root[:n]).all()


@pytest.mark.parametrize("case", GAMES, ids=" on ".join)
@pytest.mark.parametrize("agent", [topple.agent(text) for text in AGENTS], ids=str)
def test_agents_decide_alike(
    case: tuple[str, str], agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = topple.load(*case, compiled=False)
    monkeypatch.setattr(journal, "LEAST", 0)
    keeping = topple.load(*case, compiled=False)
    try:
        agent.check_game(plain)
    except topple.core.errors.Unsupported:
        return
    for n_plies in (0, 2):
        first = running_position(plain, n_plies, 3)
        second = topple.Position(keeping, first.state)
        assert agent.choose(first, seed=1) == agent.choose(second, seed=1)


@pytest.mark.prove  # compiles searches twice
@pytest.mark.parametrize("loyalty", ["zero", "full"])
@pytest.mark.parametrize(
    "spec", ["uct:iterations=300", "alphabeta:depth=1", "montecarlo:samples=1"]
)
def test_agents_decide_alike_on_a_large_board(
    spec: str, loyalty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, board = topple.agent(spec), "ba:n=2200,m=2,seed=1"
    keeping = topple.load("spread-it:tokens=40", board, loyalty=loyalty)
    assert keeping.journal is not None
    monkeypatch.setattr(journal, "LEAST", 1 << 30)
    plain = topple.load("spread-it:tokens=40", board, loyalty=loyalty)
    for n_plies in (0, 30):
        first = running_position(plain, n_plies, 3)
        second = topple.Position(keeping, first.state)
        assert agent.choose(first, seed=1) == agent.choose(second, seed=1)


def test_greedy_values_are_the_same_but_for_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """On large boards greedy adds up what has changed, which rounds otherwise."""
    for case in (*GAMES, ("spread-it", "karate")):
        plain = topple.load(*case, compiled=False)
        with monkeypatch.context() as patch:
            patch.setattr(journal, "LEAST", 0)
            keeping = topple.load(*case, compiled=False)
        for n_plies in (1, 2, 3):
            first = running_position(plain, n_plies, 2)
            second = topple.Position(keeping, first.state)
            for evaluation in plain.evaluations.EVALUATIONS:
                agent = topple.agent("greedy", evaluation=evaluation)
                own, other = (
                    {each.move: each.value for each in agent.choose(position).candidates}
                    for position in (first, second)
                )
                assert own == pytest.approx(other, rel=1e-9, abs=1e-12)


def test_rules_that_write_otherwise_keep_none(keeping: None) -> None:
    game = topple.load("hex", "hex:3")
    assert not can_keep_journal(game.rules)
    assert game.journal is None
