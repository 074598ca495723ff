"""The PettingZoo environments: their own tests, topple's rules, copies that go their own way."""

import copy
import pickle
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, render_test, seed_test

import topple
from tests.bridges.pettingzoo_cases import CASES, make, played, sampled
from topple.bridges import pettingzoo as bridge

# PettingZoo keeps a list of its own environments that may have dictionaries and empty masks.
THEIRS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",  # that of an agent whose game is over
)


@pytest.fixture
def only_our_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in THEIRS:
            warnings.filterwarnings("ignore", message=message)
        yield


@pytest.mark.usefixtures("only_our_warnings")
@pytest.mark.parametrize("kind", ["env", "raw_env"])
@pytest.mark.parametrize("case", CASES)
def test_pettingzoo_finds_nothing_wrong_with_the_interface(case: str, kind: str) -> None:
    api_test(make(case, kind), num_cycles=100)


@pytest.mark.parametrize("case", CASES)
def test_pettingzoo_finds_seeds_kept(case: str) -> None:
    seed_test(lambda: make(case), num_cycles=50)


@pytest.mark.parametrize("case", CASES)
def test_pettingzoo_finds_every_render_mode(case: str) -> None:
    render_test(lambda **mode: make(case, **mode))


@pytest.mark.parametrize("case", CASES)
def test_whole_games_are_those_of_topple(case: str) -> None:
    env = make(case)
    game = env.unwrapped.game
    for seed in range(5):
        env.reset(seed=seed)
        position = game.start()
        while not position.is_over:
            mover = f"player_{position.player}"
            assert env.agent_selection == mover
            assert env.unwrapped.position == position
            assert not any(env.terminations.values())
            assert set(env.rewards.values()) == {0}
            for agent in env.possible_agents:
                legal = position.legal_moves() if agent == mover else ()
                seen = env.observe(agent)
                for mask in (seen["action_mask"], env.infos[agent]["action_mask"]):
                    assert mask.dtype == np.int8
                    assert tuple(np.flatnonzero(mask)) == legal
                assert env.observation_space(agent).contains(seen)
            action = sampled(env)
            env.step(action)
            position = position.play(env.unwrapped.last_move)
        assert all(env.terminations[agent] for agent in env.possible_agents)
        assert [env.rewards[agent] for agent in env.possible_agents] == list(position.returns())
        assert not any(env.infos[agent]["action_mask"].any() for agent in env.agents)
        told = {}
        while env.agents:
            told[env.agent_selection] = env.last()[1]
            env.step(None)
        assert [told[agent] for agent in env.possible_agents] == list(position.returns())


def test_who_is_out_is_not_asked_again_and_ends_with_the_others() -> None:
    env = make("three")
    n_without = 0  # turns in a game that somebody was out of
    for seed in range(10):
        played(env, 3, seed)  # nobody is out before all have moved
        while not any(env.terminations.values()):
            pieces = env.unwrapped.position.scores
            out = [f"player_{player}" for player, n in enumerate(pieces) if n == 0]
            n_without += bool(out)
            assert env.agent_selection not in out
            assert env.agents == env.possible_agents
            env.step(sampled(env))
        assert all(env.terminations.values())
        assert sum(env.rewards.values()) == 0
    assert n_without > 0


def test_observations_are_the_agents_own() -> None:
    env = make("hex_v0")
    env.reset()
    env.step(5)
    mine, others = env.observe("player_0"), env.observe("player_1")
    names = env.unwrapped.observer.names
    assert mine["observation"][names.index("own"), 1, 1] == 1
    assert others["observation"][names.index("other's"), 1, 1] == 1
    mine["action_mask"][:] = 1  # the caller's to change
    mine["observation"][:] = -1
    assert not env.observe("player_0")["action_mask"].any()
    assert env.observe("player_0")["observation"].min() == 0


# Copies.

WAYS = {"deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}


def seen_by_all(env: Any) -> dict[str, Any]:
    """All that there is to see of an environment."""
    raw = env.unwrapped
    return {
        "agents": list(env.agents), "turn": env.agent_selection, "position": raw.position,
        "rewards": dict(env.rewards), "sums": dict(raw._cumulative_rewards),
        "ends": dict(env.terminations), "cuts": dict(env.truncations),
        "infos": {agent: info["action_mask"].tolist() for agent, info in env.infos.items()},
        "seen": {
            agent: {name: part.tolist() for name, part in env.observe(agent).items()}
            for agent in env.possible_agents
        },
    }  # fmt: skip


def future(env: Any) -> list[Any]:
    """Play on to the very end with the environment's own random numbers; all that is seen."""
    story = [seen_by_all(env)]
    while env.agents:
        env.step(sampled(env))
        story.append(seen_by_all(env))
    story.append([env.action_space(agent).sample() for agent in env.possible_agents])
    masks = [env.observation_space(agent).sample() for agent in env.possible_agents]
    return [*story, [mask["action_mask"].tolist() for mask in masks]]


@settings(max_examples=12, deadline=None)
@given(
    case=st.sampled_from(sorted(CASES)), kind=st.sampled_from(["env", "raw_env"]),
    way=st.sampled_from(sorted(WAYS)), n_steps=st.integers(0, 30), seed=st.integers(0, 2**40),
)  # fmt: skip
def test_a_copy_is_equal_and_goes_its_own_way(
    case: str, kind: str, way: str, n_steps: int, seed: int
) -> None:
    env = played(make(case, kind), n_steps, seed)
    before = seen_by_all(env)
    twin, third = WAYS[way](env), WAYS[way](env)
    assert seen_by_all(twin) == before
    one = future(twin)
    assert seen_by_all(env) == before
    assert seen_by_all(third) == before
    assert future(env) == one
    assert future(third) == one


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["env", "raw_env"])
def test_copies_without_any_seed_sample_the_same(way: str, kind: str) -> None:
    env = make("three", kind)
    env.reset()
    untouched = WAYS[way](env)
    assert future(untouched) == future(WAYS[way](env)) == future(env)


@pytest.mark.parametrize("way", WAYS)
def test_seeds_that_a_user_gives_to_spaces_are_copied(way: str) -> None:
    env = make("hex_v0")
    env.reset(seed=1)
    for agent in env.agents:
        env.action_space(agent).seed(5)
        env.observation_space(agent).seed(6)
    twin = WAYS[way](env)
    for agent in env.agents:
        for space in ("action_space", "observation_space"):
            ours, theirs = getattr(env, space)(agent), getattr(twin, space)(agent)
            assert ours is not theirs
            assert ours == theirs
            assert str(ours.sample()) == str(theirs.sample())
    fresh = make("hex_v0").action_space("player_0")
    fresh.seed(5)
    env.action_space("player_0").seed(5)
    assert [fresh.sample() for _ in range(9)] == [
        env.action_space("player_0").sample() for _ in range(9)
    ]


def test_a_seed_gives_the_same_game_again_and_another_seed_another() -> None:
    env = make("hex_v0")
    games = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        games.append(future(env))
    assert games[0] == games[1] != games[2]


def test_a_seed_fixes_the_draws_of_a_game_with_chance() -> None:
    env = make("chance", "raw_env")
    games = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        told = []
        for vertex in (0, 0, 0, 1, 1, 1):
            env.step(vertex)
            told.append(env.last_move)
        games.append((told, env.position))
    assert games[0] == games[1]
    assert len({games[0][0][0], games[2][0][0], *games[0][0]}) == 7  # every move draws anew
    position = env.game.start()
    for move in games[0][0]:
        position = position.play(move)
    assert position == games[0][1]


def test_a_copy_draws_the_same_unless_it_is_seeded_anew() -> None:
    env = make("chance", "raw_env")
    env.reset(seed=1)
    env.step(2)
    same, other = copy.deepcopy(env), copy.deepcopy(env)
    other.seed_draws(7)
    for each in (env, same, other):
        each.step(3)
    assert same.last_move == env.last_move != other.last_move
    with pytest.raises(topple.BadText, match="is no seed"):
        env.seed_draws(-1)


def test_an_illegal_move_uses_up_no_draw() -> None:
    env = make("chance", "raw_env")
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    with pytest.raises(topple.IllegalMove):
        env.step(6)
    env.step(0)
    twin.step(0)
    assert env.last_move == twin.last_move


def test_a_win_is_shared_in_the_rewards() -> None:
    env = make("chance", "raw_env", accept=1, tokens=1, board="cycle:9")
    env.reset()
    for vertex in (0, 0, 4):
        env.step(vertex)
    assert list(env.rewards.values()) == list(env.position.returns())
    assert sum(env.rewards.values()) == pytest.approx(0)


def test_environments_without_a_seed_sample_differently() -> None:
    drawn = [[make("hex_v0").action_space("player_0").sample() for _ in range(30)] for _ in "ab"]
    assert drawn[0] != drawn[1]


def test_agents_of_one_environment_sample_differently() -> None:
    env = make("hex_v0")
    env.reset(seed=1)
    drawn = [[env.action_space(agent).sample() for _ in range(30)] for agent in env.agents]
    assert drawn[0] != drawn[1]


@pytest.mark.parametrize("way", WAYS)
def test_copies_in_the_midst_of_the_end_and_of_an_illegal_end_go_on(way: str) -> None:
    env = played(make("three"), 0, 1)
    while not any(env.terminations.values()):
        env.step(sampled(env))
    env.step(None)
    assert len(env.agents) == 2
    assert future(WAYS[way](env)) == future(env)
    env.reset()
    env.step(0)
    env.step(0)  # not B's own
    assert all(env.terminations.values())
    twin = WAYS[way](env)
    assert twin.last()[1:4] == env.last()[1:4]
    assert future(twin) == future(env)
    assert env.agents == []


def test_what_users_hang_on_an_environment_is_copied_with_it() -> None:
    env = make("hex_v0", "raw_env")
    env.reset()
    env.notes = ["mine"]
    env.infos["player_0"]["note"] = ["mine"]
    twin = copy.deepcopy(env)
    twin.notes.append("other")
    twin.infos["player_0"]["note"].append("other")
    twin.metadata["name"] = "other"
    assert env.notes == env.infos["player_0"]["note"] == ["mine"]
    assert env.metadata["name"] == "topple_hex_v0"


def test_copies_share_what_never_changes() -> None:
    env = make("hex_v0")
    env.reset()
    twin = copy.deepcopy(env)
    assert twin.unwrapped.position is env.unwrapped.position
    assert twin.unwrapped.game is env.unwrapped.game
    position = env.unwrapped.position
    assert copy.copy(position) is copy.deepcopy(position) is position
    assert copy.copy(position.game) is copy.deepcopy([position.game])[0] is position.game


# Illegal actions, options, errors.


def test_an_illegal_action_ends_the_game_for_all_in_env(
    caplog: pytest.LogCaptureFixture,
) -> None:
    env = make("three")
    env.reset()
    env.step(4)
    env.step(4)  # A's square
    assert "Illegal move" in caplog.text
    assert all(env.terminations.values())
    assert env.rewards == {"player_0": 0, "player_1": -1, "player_2": 0}
    assert not any(info["action_mask"].any() for info in env.infos.values())
    assert not env.observe("player_1")["action_mask"].any()
    told = {}
    while env.agents:
        told[env.agent_selection] = env.last()[1]
        env.step(None)
    assert told == {"player_0": 0, "player_1": -1, "player_2": 0}
    env.reset()
    assert not any(env.terminations.values())


@pytest.mark.parametrize("action", [25, -1, None, "b2", 1.5])
def test_what_is_no_action_is_refused_by_env(action: object) -> None:
    env = make("hex_v0")
    env.reset()
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(action)


def test_an_illegal_action_is_an_error_that_changes_nothing_in_raw_env() -> None:
    env = make("hex_v0", "raw_env")
    env.reset()
    env.step(5)
    before = seen_by_all(env)
    with pytest.raises(topple.IllegalMove, match="b2 is not legal for Red"):
        env.step(5)
    with pytest.raises(topple.IllegalMove, match="move 99 is not legal"):
        env.step(99)
    with pytest.raises(topple.BadText, match="None is not a move"):
        env.step(None)
    assert seen_by_all(env) == before


def test_games_begin_from_any_position() -> None:
    env = make("swap")
    env.reset(options={"position": "X../.../... Red"})
    position = env.unwrapped.position
    assert (position.text, env.agent_selection) == ("X../.../... Red", "player_1")
    later = position.play("swap-pieces")
    env.reset(options={"position": later, "colour": "ignored"})
    assert env.unwrapped.position is later
    env.reset(options={"position": None})
    assert env.unwrapped.position == env.unwrapped.game.start()


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("X../... Red", topple.BadText, "the board must be 3 rows of 3 cells"),
        ("nonsense", topple.BadText, "write a Hex position as rows"),
        (7, topple.BadText, "7 is no position of <Game hex:swap=true on hex:3>"),
        (topple.load("hex", "hex:2").start(), topple.BadText, "is no position of"),
        ("X../X../XOO Red", topple.Unsupported, "the game is over there: Blue wins"),
    ],
)
def test_positions_that_are_none_are_refused_in_one_line(
    given: object, error: type[Exception], message: str
) -> None:
    env = played(make("swap"), 2, 1)
    before = seen_by_all(env)
    with pytest.raises(error, match=message) as caught:
        env.reset(options={"position": given}, seed=1)
    assert "\n" not in str(caught.value)
    assert seen_by_all(env) == before


@pytest.mark.parametrize("seed", [-1, 1.5, "one"])
def test_seeds_that_are_none_are_refused_in_one_line(seed: Any) -> None:
    with pytest.raises(topple.BadText, match="is no seed"):
        make("hex_v0").reset(seed=seed)


def test_games_boards_options_and_modes_that_are_none_are_refused() -> None:
    with pytest.raises(topple.BadText, match="did you mean 'hex'"):
        bridge.env("hexx")
    with pytest.raises(topple.BadText, match="swop"):
        bridge.hex_v0.env(swop=True)
    with pytest.raises(topple.BadBoard):
        bridge.hex_v0.env(board="karate")
    with pytest.raises(topple.BadText, match="unknown render mode 'ascii'"):
        bridge.hex_v0.env(render_mode="ascii")
    with pytest.raises(topple.Unsupported, match="give them only with a name"):
        bridge.env(topple.load("hex", "hex:3"), board="hex:4")
    with pytest.raises(topple.BadText, match="unknown agent 'player_2'"):
        bridge.hex_v0.raw_env("hex:3").observe("player_2")


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("topple.bridges.pettingzoo.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(topple.Unsupported) as caught:
        bridge.hex_v0.env()
    assert str(caught.value) == "PettingZoo is not installed: pip install 'topple[pettingzoo]'"


def test_agents_of_topple_play_in_it() -> None:
    env = make("hex_v0")
    env.reset()
    perfect = topple.agent("perfect")
    rng = np.random.default_rng(1)
    while not any(env.terminations.values()):
        position = env.unwrapped.position
        if env.agent_selection == "player_0":
            env.step(perfect.choose(position, seed=1).move)
        else:
            env.step(int(rng.choice(position.legal_moves())))
    assert env.rewards == {"player_0": 1, "player_1": -1}
