"""`topple check` and `topple.testing`: the whole suite finds what a few moves do not show."""

import json
from pathlib import Path

import pytest

import topple as package
from tests.core.command_line import topple
from tests.kit.mistakes import SUITE_AGENTS, SUITE_GAMES, Mistake, right_agent, right_game
from topple.core.importing import import_one
from topple.testing import agent_checks, check_agent, check_game
from topple.testing.modules import compile_notes

LONGEST = 420  # characters of a line


def changed_game(mistake: Mistake) -> str:
    """The right game with the mistake in it; some need a line elsewhere."""
    text = right_game()
    assert mistake.old in text, mistake.name
    text = text.replace(mistake.old, mistake.new)
    if "PLAYED" in mistake.new:
        text = text.replace("GONE = HEADER", "PLAYED = []\nGONE = HEADER")
    if mistake.new == "work=1":
        text = text.replace(
            "    state[GONE + move] = 1\n",
            "    state[GONE + move] = 1\n"
            "    for vertex in range(board.n):\n"
            "        if state[GONE + board.n] == 1:\n"
            "            state[GONE + vertex] = 1\n"
            "    state[GONE + board.n] = 1\n",
        )
    return text


def imported(folder: Path, name: str, text: str) -> None:
    (folder / f"{name}.py").write_text(text, "utf-8")
    import_one(f"{name}.py")


@pytest.mark.parametrize("mistake", SUITE_GAMES, ids=lambda mistake: mistake.name)
def test_a_wrong_game_fails_in_one_line(mistake: Mistake, workplace: Path) -> None:
    imported(workplace, "my_game", changed_game(mistake))
    with pytest.raises(package.BadModule) as caught:
        check_game(package.load("my-game", mistake.board, compiled=False))
    assert mistake.line in str(caught.value)
    assert len(str(caught.value)) < LONGEST


@pytest.mark.parametrize("mistake", SUITE_AGENTS, ids=lambda mistake: mistake.name)
def test_a_wrong_agent_fails_in_one_line(mistake: Mistake, workplace: Path) -> None:
    text = right_agent()
    assert mistake.old in text, mistake.name
    text = text.replace(mistake.old, mistake.new)
    if "random" in mistake.new:
        text = text.replace("from topple.agents", "import random\nfrom topple.agents", 1)
    imported(workplace, "my_game", right_game())
    imported(workplace, "my_agent", text)
    game = package.load("my-game", "path:4", compiled=False)
    with pytest.raises(package.BadModule) as caught:
        check_agent(package.agent("my-agent"), [game])
    assert mistake.line in str(caught.value)
    assert len(str(caught.value)) < LONGEST


def test_a_limit_of_time_that_is_not_kept_is_told(
    workplace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = right_agent().replace("    SUMMARY =", "    OPTIONS = (TIME,)\n    SUMMARY =")
    text = text.replace(
        "from topple.game", "from topple.agents.interface import TIME\nfrom topple.game", 1
    )
    imported(workplace, "my_game", right_game())
    imported(workplace, "my_agent", text)
    game = package.load("my-game", "path:4", compiled=False)
    agent = package.agent("my-agent")
    check_agent(agent, [game])
    monkeypatch.setattr(agent_checks, "LATE", -1.0)  # whatever it takes is too long then
    with pytest.raises(package.BadModule, match=r"a move takes .* s: one unit of work"):
        check_agent(agent, [game])


def test_the_right_game_and_agent_pass(workplace: Path) -> None:
    imported(workplace, "my_game", right_game())
    imported(workplace, "my_agent", right_agent())
    game = package.load("my-game", "path:4", compiled=False)
    check_game(game)
    check_agent(package.agent("my-agent"), [game])


def test_the_command_checks_a_game_and_an_agent_of_one_module(workplace: Path) -> None:
    (workplace / "my_both.py").write_text(f"{right_game()}\n\n{right_agent()}", "utf-8")
    ran = topple("check", "my_both.py", "--plain", "--board", "path:3")
    assert ran.status == 0, ran.err
    assert ran.out.splitlines() == [
        "the game my-game on grid:4x4 passes",
        "the game my-game on path:3 passes",
        "the agent my-agent passes",
    ]


def test_the_command_tells_each_failure_on_a_line(workplace: Path) -> None:
    unread = next(each for each in SUITE_GAMES if each.name == "a position that is not read again")
    text = changed_game(unread) + "\n\n" + right_agent().replace("(0, 0)", "(1 // 0, 0)")
    (workplace / "my_both.py").write_text(text, "utf-8")
    ran = topple("check", "my_both.py", "--plain")
    assert ran.status == 2
    assert ran.out.splitlines() == [
        "the game my-game on grid:4x4 fails",
        "the agent my-agent fails",
    ]
    first, second = ran.err.splitlines()
    assert "parse_position: it cannot read 'here'" in first
    assert "advance: ZeroDivisionError" in second
    verdicts = json.loads(topple("check", "my_both.py", "--plain", "--json").out)
    assert [each["what"] for each in verdicts] == [
        "the game my-game on grid:4x4",
        "the agent my-agent",
    ]
    assert all(each["failure"] for each in verdicts)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("    while True:\n        pass\n", "nothing for 3 s: is there a loop without an end?"),
        ("    os._exit(3)\n", "the process ended: does a kernel write beyond the end"),
    ],
)
def test_a_check_that_hangs_or_dies_is_told(body: str, line: str, workplace: Path) -> None:
    text = right_game().replace("    if board.directed:", f"{body}    if board.directed:", 1)
    (workplace / "my_game.py").write_text(f"import os\n{text}", "utf-8")
    ran = topple("check", "my_game.py", "--plain", "--patience", "3")
    assert ran.status == 2
    assert ran.err.startswith("topple: my_game.py: the game my-game on grid:4x4: its first moves: ")
    assert line in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1\n", "my_thing.py registers no game and no agent: end it with topple.register("),
        ("import missing_thing\n", "my_thing.py cannot be imported: ModuleNotFoundError"),
        ("import sys\nsys.exit('bye')\n", "my_thing.py cannot be imported: SystemExit: bye"),
    ],
)
def test_what_is_no_module_of_games_is_told(text: str, line: str, workplace: Path) -> None:
    (workplace / "my_thing.py").write_text(text, "utf-8")
    ran = topple("check", "my_thing.py", "--plain")
    assert ran.status == 2
    assert line in ran.err


def test_a_file_named_like_another_module_is_refused(workplace: Path) -> None:
    (workplace / "random.py").write_text(right_game(), "utf-8")
    ran = topple("--import", "random.py", "games")
    assert ran.status == 2
    assert ran.err == (
        "topple: random.py cannot be imported: another module is called random; rename the file\n"
    )


@pytest.mark.parametrize(
    ("text", "lacking", "line"),
    [
        (right_game(), "topple.register(", "my_thing.py defines the game my-game and does not"),
        (right_agent(), "register_agent(", "my_thing.py defines the agent my-agent and does not"),
    ],
)
def test_what_is_not_registered_is_told(
    text: str, lacking: str, line: str, workplace: Path
) -> None:
    (workplace / "my_thing.py").write_text(text[: text.rindex(lacking)], "utf-8")
    ran = topple("--import", "my_thing.py", "games")
    assert ran.status == 2
    assert line in ran.err


def test_what_compiles_slowly_is_said() -> None:
    assert compile_notes(2.0) == []
    assert "its rules take 31 s to compile" in compile_notes(31.0)[0]


@pytest.mark.prove
def test_a_game_that_has_passed_is_compiled_without_checks(
    workplace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOPPLE_CACHE_DIR", str(workplace / "cache"))
    (workplace / "my_game.py").write_text(right_game(), "utf-8")
    assert topple("check", "my_game.py", "--plain").status == 0
    assert not list(workplace.glob("cache/checked/*"))
    assert topple("check", "my_game.py").status == 0
    assert len(list(workplace.glob("cache/checked/my_game-*"))) == 1


@pytest.mark.prove
def test_every_game_and_agent_of_the_package_passes(workplace: Path) -> None:
    for name in ("hoarder", "node_kayles"):
        example = Path(__file__).parents[2] / "docs" / "examples" / f"{name}.py"
        assert topple("check", str(example)).status == 0
