"""Every mistake in a game or an agent from outside is told in one line, without a traceback."""

from pathlib import Path

import pytest

from tests.core.command_line import Ran, assert_one_line_refusal, topple
from tests.kit.mistakes import AGENTS, GAMES, Mistake, right_agent, right_game

LONGEST = 420  # characters of a line


def changed(text: str, mistake: Mistake) -> str:
    """The text with the mistake in it."""
    assert text.count(mistake.old) >= 1, mistake.name
    text = text.replace(mistake.old, mistake.new)
    if "take(" in mistake.new:
        text += "\n\ndef take(state, move):\n    state[move] = 1\n"
    if "interface.step" in mistake.new:
        text = text.replace(
            "import topple\n", "import topple\nfrom topple.rules import interface\n", 1
        )
    return text


def played(folder: Path, text: str, *before: str) -> Ran:
    """A game's module from outside, asked for its perft on a small board."""
    (folder / "my_game.py").write_text(text, "utf-8")
    command = ("perft", "my-game", "--board", "path:4", "--depth", "1")
    return topple(*before, "--import", "my_game.py", *command)


def asked(folder: Path, text: str, *before: str) -> Ran:
    """An agent's module from outside, asked for a move of a game that needs no compiling."""
    game = right_game().replace("OPTIONS = ()", "OPTIONS = ()\nCOMPILES = False")
    (folder / "my_game.py").write_text(game, "utf-8")
    (folder / "my_agent.py").write_text(text, "utf-8")
    command = ("analyse", "my-game", "--board", "path:4", "--agent", "my-agent")
    return topple(*before, "--import", "my_game.py", "--import", "my_agent.py", *command)


@pytest.mark.parametrize("mistake", GAMES, ids=lambda mistake: mistake.name)
def test_a_wrong_game_gets_one_clear_line(mistake: Mistake, workplace: Path) -> None:
    ran = played(workplace, changed(right_game(), mistake))
    assert_one_line_refusal(ran)
    assert mistake.line in ran.err
    assert len(ran.err) < LONGEST


@pytest.mark.parametrize("mistake", AGENTS, ids=lambda mistake: mistake.name)
def test_a_wrong_agent_gets_one_clear_line(mistake: Mistake, workplace: Path) -> None:
    ran = asked(workplace, changed(right_agent(), mistake))
    assert_one_line_refusal(ran)
    assert mistake.line in ran.err
    assert len(ran.err) < LONGEST


def test_the_right_game_and_agent_are_played(workplace: Path) -> None:
    ran = asked(workplace, right_agent())
    assert ran.status == 0, ran.err
    assert "my-agent" in ran.out


@pytest.mark.parametrize("number", [13, 18])
def test_debug_shows_the_traceback_as_well(number: int, workplace: Path) -> None:
    mistake = GAMES[number]
    ran = played(workplace, changed(right_game(), mistake), "--debug")
    assert ran.status == 2
    assert "Traceback" in ran.err
    assert mistake.line in ran.err.splitlines()[-1]
