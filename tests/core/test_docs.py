"""Every example of the documentation runs and says what the page says.

Python examples are doctests. In a console block each line that begins with `$ `
is run by the shell in an empty directory that a page's blocks share, and what
follows must be its output, where `...` stands for anything.
"""

import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import topple

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SLOW = (  # pages whose commands take long: `make docs` and `make prove` run them
    "arena.md",
    "command-line.md",
    "hex-programs.md",
    "learned.md",
    "learning.md",
    "regret.md",
    "report.md",
    "solving.md",
)
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(topple.__path__, "topple.")
    if "__main__" not in module.name
)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert result.failed == 0


def console_examples(page: Path) -> list[tuple[str, str]]:
    """The commands of a page's console blocks, each with the output it promises."""
    examples: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            examples.append((command, output))
    return examples


PROGRESS = re.compile(
    r"topple: (compiling|playing|drawing|reading|judging|solving|learning|training|"
    r"advising|"
    r"[0-9,]+ of [0-9,]+ games)"
)


def without_progress(output: str) -> str:
    """What a quick machine prints that has compiled everything before."""
    lines = output.splitlines(keepends=True)
    return "".join(line for line in lines if not PROGRESS.match(line))


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.name, marks=[pytest.mark.prove] if page.name in SLOW else [])
        for page in PAGES
    ],
)
def test_console_examples(page: Path, tmp_path: Path) -> None:
    scripts = str(Path(sys.executable).parent)
    environment = {
        **os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8",
    }  # fmt: skip
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    for command, promised in console_examples(page):
        run = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, text=True, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        printed = without_progress(run.stdout)
        matches = doctest.OutputChecker().check_output(without_progress(promised), printed, FLAGS)
        assert matches, f"$ {command}\npromised:\n{promised}\nprinted:\n{run.stdout}"


def test_every_capability_has_a_page() -> None:
    """Each game and each board kind is documented by name, each option of a game too."""
    from topple.boards import BOARDS
    from topple.rules import find_rules, game_names

    games = (ROOT / "docs" / "games.md").read_text("utf-8")
    for name in game_names():
        assert f"`{name}`" in games
        for option in find_rules(name).OPTIONS:
            assert f"`{option.name}" in games, f"{name}: {option.name}"
    boards = (ROOT / "docs" / "boards.md").read_text("utf-8")
    for kind in BOARDS:
        name = kind if isinstance(kind, str) else kind.name
        assert name in boards
