"""Every mistake in a game or an agent from outside is told in one line, without a traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

import topple as package
from tests.core.command_line import Ran, assert_one_line_refusal, topple
from tests.kit.mistakes import AGENTS, BEGIN, GAMES, Mistake, right_agent, right_game
from topple.core.importing import import_one
from topple.game import trial
from topple.rules import bounded

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


@pytest.mark.parametrize("name", ["floats in the state", "an index beyond the end"])
def test_debug_shows_the_traceback_as_well(name: str, workplace: Path) -> None:
    mistake = next(each for each in GAMES if each.name == name)
    ran = played(workplace, changed(right_game(), mistake), "--debug")
    assert ran.status == 2
    assert "Traceback" in ran.err
    assert mistake.line in ran.err.splitlines()[-1]


def test_a_random_game_without_an_end_is_told(
    workplace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every move is legal for ever; no few moves can show it."""
    monkeypatch.setattr(bounded, "MOST_PLIES", 300)
    monkeypatch.setattr(trial, "SECONDS", 0.0)
    text = right_game().replace(BEGIN, "    if move >= 0:\n        return\n")
    text = text.replace("OPTIONS = ()", "OPTIONS = ()\nCOMPILES = False")
    (workplace / "my_game.py").write_text(text, "utf-8")
    asking = ("analyse", "my-game", "--board", "path:4", "--agent", "montecarlo:samples=2")
    ran = topple("--import", "my_game.py", *asking)
    assert_one_line_refusal(ran)
    assert (
        "a random game of my-game on path:4 is not over after 300 plies: does some rule set "
        "state[STATUS]? (see topple check)"
    ) in ran.err


def test_a_wrong_game_is_told_in_python_too(workplace: Path) -> None:
    mistake = next(each for each in GAMES if each.name == "floats in the state")
    (workplace / "my_game.py").write_text(changed(right_game(), mistake), "utf-8")
    import_one("my_game.py")
    with pytest.raises(package.BadModule, match="is no whole number"):
        package.load("my-game", "path:4")


@pytest.mark.prove
def test_an_index_beyond_the_end_ends_no_process(workplace: Path) -> None:
    """Compiled, beyond the few moves that are tried: the index is checked."""
    command = ["topple", "--import", "my_game.py", "perft", "my-game", "--board", "path:9"]
    text = right_game().replace(BEGIN, "    state[GONE + move + 1000000 * state[PLAYER]] = 1\n")
    program = (
        "from topple.game import game; game.try_out = lambda loaded: None\n"
        f"import sys; sys.argv = {[*command, '--depth', '3']!r}\n"
        "from topple.cli.main import main; main()\n"
    )
    (workplace / "my_game.py").write_text(text, "utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2, ran.stderr
    assert "an index is out of range: topple check finds it" in ran.stderr.splitlines()[-1]


@pytest.mark.prove
def test_what_numba_cannot_compile_is_one_line(workplace: Path) -> None:
    text = right_game().replace(
        BEGIN, BEGIN + "    pair = 1 if move else (1, 2)\n    print(pair)\n"
    )
    ran = played(workplace, text)
    assert_one_line_refusal(ran)
    assert "my_game.py:61: Numba cannot compile this: Cannot unify" in ran.err
