"""The PettingZoo environments: names, words and pictures."""

import numpy as np
import pytest

import topple
from tests.bridges.pettingzoo_cases import CASES, make, sampled
from topple.bridges import pettingzoo as bridge
from topple.bridges.pettingzoo.environment import RENDER_MODES
from topple.present.boards.positions import BLUE, RED, position_marks


def test_any_game_is_an_environment() -> None:
    env = bridge.env("spread-it:loyalty=full", board="path:4")
    assert str(env) == env.metadata["name"] == "topple_spread_it_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.unwrapped.names == {"player_0": "Black", "player_1": "Red"}
    game = topple.load("chain-reaction:players=3", "grid:3x3", compiled=False)
    env = bridge.env(game)
    assert env.unwrapped.game is game
    assert env.possible_agents == ["player_0", "player_1", "player_2"]


@pytest.mark.parametrize("case", CASES)
def test_texts_are_what_the_terminal_shows(case: str) -> None:
    env = make(case, render_mode="ansi")
    env.reset(seed=1)
    shown = env.render()
    assert shown.startswith(env.unwrapped.position.draw())
    assert shown.endswith("to move")
    while not any(env.terminations.values()):
        env.step(sampled(env))
    assert env.render().endswith(env.unwrapped.position.result_text())


def test_human_mode_prints_every_position(capsys: pytest.CaptureFixture[str]) -> None:
    env = make("hex_v0", render_mode="human")
    env.reset()
    env.step(0)
    assert capsys.readouterr().out.count("to move\n") == 2


@pytest.mark.parametrize("case", CASES)
def test_pictures_have_one_size_and_show_what_happens(case: str) -> None:
    import matplotlib._pylab_helpers as open_figures

    env = make(case, render_mode="rgb_array")
    env.reset(seed=1)
    first, again = env.render(), env.render()
    assert np.array_equal(first, again)
    for _ in range(3):
        env.step(sampled(env))
    later = env.render()
    assert later.shape == first.shape
    assert later.dtype == np.uint8
    assert not np.array_equal(first, later)
    later[:] = 0  # the caller's to change
    assert not open_figures.Gcf.figs


def test_pictures_show_the_colours_of_the_players() -> None:
    def colours(position: str) -> set[tuple[int, ...]]:
        env = make("swap", render_mode="rgb_array")
        env.reset(options={"position": position})
        return set(map(tuple, env.render()[20:-20].reshape(-1, 3).tolist()))

    rims = {tuple(bytes.fromhex(fill[1:])) for fill, _ in (BLUE, RED)}
    assert rims <= colours(".../.../... Blue")
    plain = topple.load("spread-it", "grid:2x2").start().play("a1")
    fills = [mark.fill for mark in position_marks(plain)]
    assert len(set(fills[1:])) == 1
    assert fills[0] != fills[1]


def test_no_render_mode_is_a_warning() -> None:
    env = make("hex_v0")
    env.reset()
    with pytest.warns(UserWarning, match=f"give one of {', '.join(RENDER_MODES)}"):
        assert env.render() is None
