"""`topple new`: folders that work at once, and installed packages that are found."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.command_line import assert_one_line_refusal, topple
from topple.core.installed import installed
from topple.lab.data.allowed import own_games
from topple.rules import game_names, is_game


@pytest.mark.parametrize("kind", ["game", "agent"])
def test_a_new_folder_passes_its_own_test_and_the_check(kind: str, workplace: Path) -> None:
    ran = topple("new", kind, "my-thing")
    assert ran.status == 0, ran.err
    folder = workplace / "my-thing"
    names = ["README.md", "board.txt", "my_thing.py", "pyproject.toml", "test_my_thing.py"]
    assert sorted(path.name for path in folder.iterdir()) == names
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"]
    run = subprocess.run(tests, cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    checked = topple("check", "my-thing/my_thing.py", "--plain")
    assert checked.status == 0, checked.err


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("My Game", "NAME = 'My Game' is no name of a game: use small letters"),
        ("hex", "there is already a game 'hex'"),
        ("random", "Python has a module or a word 'random': choose another name"),
        ("class", "Python has a module or a word 'class': choose another name"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: str, line: str, workplace: Path) -> None:
    ran = topple("new", "game", name)
    assert_one_line_refusal(ran)
    assert line in ran.err
    assert list(workplace.iterdir()) == []


def test_a_folder_that_exists_is_left_as_it_is(workplace: Path) -> None:
    (workplace / "my-game").mkdir()
    ran = topple("new", "game", "my-game")
    assert_one_line_refusal(ran)
    assert "my-game exists already" in ran.err
    assert list((workplace / "my-game").iterdir()) == []


def install(workplace: Path, kind: str) -> None:
    """What pip would write for the folder of a new game or agent."""
    assert topple("new", kind, f"my-{kind}").status == 0
    folder = workplace / f"my-{kind}"
    described = folder / f"my_{kind}-0.1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: my-{kind}\nVersion: 0.1.0\n")
    points = (folder / "pyproject.toml").read_text("utf-8").partition("entry-points.")[2]
    group, _, rest = points.partition("]\n")
    line = rest.splitlines()[0].replace('"', "")
    (described / "entry_points.txt").write_text(f"[{group.strip(chr(34))}]\n{line}\n")
    sys.path.insert(0, str(folder))


def test_an_installed_game_and_agent_are_found_without_import(workplace: Path) -> None:
    installed.cache_clear()
    try:
        install(workplace, "game")
        install(workplace, "agent")
        text = (workplace / "my-game" / "my_game.py").read_text("utf-8")
        text = text.replace("OPTIONS = ()", "COMPILES = False\nOPTIONS = ()")
        (workplace / "my-game" / "my_game.py").write_text(text, "utf-8")
        ran = topple("analyse", "my-game", "--board", "path:4", "--agent", "my-agent")
        assert ran.status == 0, ran.err
        assert "my-agent" in ran.out
        assert "my-game: take a vertex" in topple("games").out
        assert "my-agent: play the move" in topple("agents").out
    finally:
        installed.cache_clear()


def test_an_installed_package_that_is_broken_is_told_in_one_line(workplace: Path) -> None:
    installed.cache_clear()
    try:
        install(workplace, "game")
        (workplace / "my-game" / "my_game.py").write_text("1 // 0\n", "utf-8")
        ran = topple("play", "my-game")
        assert_one_line_refusal(ran)
        told = "topple: the game my-game of my_game cannot be imported: ZeroDivisionError"
        assert ran.err.startswith(told)
        listed = topple("games")
        assert listed.status == 0
        assert listed.err.startswith(told)
        assert "hex: " in listed.out
    finally:
        installed.cache_clear()


def test_the_lab_imports_no_installed_package(workplace: Path) -> None:
    """A request may name what is unknown; its own games are listed as before."""
    installed.cache_clear()
    try:
        install(workplace, "game")
        (workplace / "my-game" / "my_game.py").write_text("1 // 0\n", "utf-8")
        before = own_games()
        assert not is_game("unheard-of")
        assert "my-game" in game_names()
        assert own_games() == before
    finally:
        installed.cache_clear()
