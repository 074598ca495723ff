"""The command line: listings, counts, measurements, and what it answers to nonsense."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.core.command_line import (
    assert_fits_80_columns,
    assert_refused_without_a_trace,
    topple,
)

COMMANDS = [
    (), ("games",), ("agents",), ("boards",), ("boards", "show"), ("play",), ("replay",),
    ("analyse",), ("advise",), ("solve",), ("learn",), ("train",),
    ("match",), ("tournament",), ("report",),
    ("export",), ("reproduce",), ("perft",), ("warmup",), ("bench",), ("bench", "playouts"),
    ("bench", "scaling"), ("bench", "search"), ("check",),
    ("new",), ("new", "game"), ("new", "agent"),
]  # fmt: skip
GAMES = ["spread-it", "chain-reaction", "infexion", "hex", "influence"]


def printed_json(*arguments: str) -> object:
    """The one JSON value that a command prints."""
    ran = topple(*arguments, "--json")
    assert ran.status == 0, ran
    return json.loads(ran.out)


def test_version() -> None:
    import topple as package

    assert topple("--version").out == f"topple {package.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help_with_an_example(command: tuple[str, ...], flag: str) -> None:
    ran = topple(*command, flag)
    assert (ran.status, ran.err) == (0, "")
    assert "Example: topple" in ran.out
    assert_fits_80_columns(ran.out)


@pytest.mark.parametrize("command", [(), ("bench",), ("new",)], ids=" ".join)
def test_a_bare_group_shows_its_help(command: tuple[str, ...]) -> None:
    assert topple(*command) == topple(*command, "--help")


# Listings.


def test_games_lists_every_game_with_board_and_options() -> None:
    ran = topple("games")
    assert ran.status == 0
    for words in (*GAMES, "ba:n=24,m=3,seed=1", "loyalty=zero|full", "players=2 (2 to 8)"):
        assert words in ran.out
    assert_fits_80_columns(ran.out)


def test_games_as_json() -> None:
    games = printed_json("games")
    assert isinstance(games, list)
    assert [game["name"] for game in games] == GAMES
    assert set(games[0]) == {"name", "title", "summary", "players", "board", "options"}
    loyalty = games[0]["options"][0]
    assert (loyalty["name"], loyalty["default"], loyalty["choices"]) == (
        "loyalty", "zero", ["zero", "full"],
    )  # fmt: skip


def test_boards_lists_every_kind() -> None:
    ran = topple("boards")
    kinds = printed_json("boards")
    assert isinstance(kinds, list)
    for kind in kinds:
        assert set(kind) == {"name", "example", "meaning", "options"}
        assert kind["example"] in ran.out
    assert_fits_80_columns(ran.out)


def test_boards_show_draws_a_grid_with_its_thresholds() -> None:
    ran = topple("boards", "show", "grid:2x3")
    assert ran.status == 0
    assert "edges:         7" in ran.out
    assert ran.out.endswith("    a b c\n 1  2 3 2\n 2  2 3 2\n")


def test_boards_show_lists_a_networks_neighbours() -> None:
    ran = topple("boards", "show", "segment:3", "--game", "influence")
    assert "sides:         L 1, R 2" in ran.out
    assert "can be played: influence" in ran.out
    assert ran.out.endswith("1 R: none\n2 L: 1 3\n3 R: none\n")


@pytest.mark.parametrize("board", ["star:3000", "miserables", "complete:200"])
def test_boards_show_shortens_a_large_board(board: str) -> None:
    ran = topple("boards", "show", board)
    assert "more" in ran.out
    assert len(ran.out.splitlines()) < 80
    assert_fits_80_columns(ran.out)


def test_boards_show_as_json_has_every_vertex() -> None:
    board = printed_json("boards", "show", "path:3")
    assert isinstance(board, dict)
    assert (board["vertices"], board["edges"], board["degrees"]) == (3, 2, [1, 2])
    assert board["listing"][1] == {
        "label": "2", "threshold": 2, "side": None, "community": None, "neighbours": ["1", "3"],
    }  # fmt: skip


def test_boards_show_draws_a_picture(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    ran = topple("boards", "show", "hex:3", "--out", str(picture))
    assert ran.status == 0
    assert "<svg" in picture.read_text()
    assert str(picture) in ran.out


# Counts.


def test_perft_of_infexion() -> None:
    counted = printed_json("perft", "infexion", "--depth", "3")
    assert isinstance(counted, dict)
    assert set(counted) == {"game", "board", "depth", "leaves", "seconds"}
    assert (counted["game"], counted["board"], counted["depth"]) == ("infexion", "infexion:7", 3)
    assert counted["leaves"] == 124_656


def test_perft_divided_adds_up() -> None:
    counted = printed_json("perft", "hex:swap=true", "--board", "hex:2", "--depth", "2", "--divide")
    assert isinstance(counted, dict)
    assert counted["moves"] == {"a1": 4, "b1": 4, "a2": 4, "b2": 4}
    assert (counted["game"], counted["leaves"]) == ("hex:swap=true", 16)


def test_perft_in_words() -> None:
    ran = topple("perft", "hex", "--board", "hex:2", "--depth", "2", "--divide")
    assert ran.out.splitlines()[:4] == ["a1: 3", "b1: 3", "a2: 3", "b2: 3"]
    assert re.search(r"hex on hex:2, depth 2: 12 leaves in [0-9.]+ s\n$", ran.out)


@pytest.mark.parametrize(
    ("position", "depth", "leaves"),
    [("X./.. Red", 2, 6), ("XO/X. Red", 2, 0), ("../.. Blue", 0, 1)],
)
def test_perft_from_a_position(position: str, depth: int, leaves: int) -> None:
    counted = printed_json(
        "perft", "hex", "--board", "hex:2", "--depth", str(depth), "--position", position
    )
    assert isinstance(counted, dict)
    assert counted["leaves"] == leaves


# Longer work.


def test_warmup_the_second_time_finds_all_warm() -> None:
    topple("warmup", "hex")
    again = topple("warmup", "hex", "hex")
    assert again.status == 0
    assert again.out.endswith("all was warm\n")
    assert again.out.count("hex") == 1
    warmed = printed_json("warmup", "hex")
    assert isinstance(warmed, list)
    assert set(warmed[0]) == {"game", "compiled", "warm", "seconds"}
    assert warmed[0]["compiled"] == 0


def test_bench_playouts() -> None:
    speeds = printed_json("bench", "playouts", "--game", "hex", "--board", "hex:3",
                          "--seconds", "0.01")  # fmt: skip
    assert isinstance(speeds, list)
    assert (speeds[0]["game"], speeds[0]["board"]) == ("hex", "hex:3")
    assert speeds[0]["playouts_per_s"] > 0
    ran = topple("bench", "playouts", "--game", "hex", "--board", "hex:3", "--seconds", "0.01")
    assert ran.out.startswith("game  board  playouts/s")


def test_bench_scaling() -> None:
    rows = printed_json("bench", "scaling", "--size", "30", "--seconds", "0.01")
    assert isinstance(rows, list)
    assert {"vertices", "edges", "moves_per_s", "firings_per_move"} <= set(rows[0])
    ran = topple("bench", "scaling", "--size", "30", "--seconds", "0.01")
    assert "firings/move" in ran.out
    assert_fits_80_columns(ran.out)


# What cannot be done is refused on one line.

REFUSED = {
    "an unknown command": ("gmes",),
    "an unknown command of boards": ("boards", "shw"),
    "a missing argument": ("perft", "--depth", "1"),
    "a missing option": ("perft", "hex"),
    "an unknown option": ("games", "--colour"),
    "no number": ("perft", "hex", "--depth", "three"),
    "a negative depth": ("perft", "hex", "--depth", "-1"),
    "an absurd depth": ("perft", "hex", "--depth", "1000"),
    "a division of nothing": ("perft", "hex", "--depth", "0", "--divide"),
    "an unknown game": ("perft", "hexx", "--depth", "1"),
    "an unknown option of a game": ("perft", "hex:swp=true", "--depth", "1"),
    "an unknown board": ("perft", "hex", "--depth", "1", "--board", "gird:3"),
    "a board for another game": ("perft", "hex", "--depth", "1", "--board", "grid:3x3"),
    "a board with control characters": ("boards", "show", "grid:\x1b[31m\n"),
    "an impossible position": ("perft", "hex", "--depth", "1", "--position", "nonsense"),
    "a missing board file": ("boards", "show", "file:missing.graphml"),
    "an unknown picture format": ("boards", "show", "grid:2x2", "--out", "board.bmp"),
    "a picture in no folder": ("boards", "show", "grid:2x2", "--out", "missing/board.svg"),
    "a game that the board does not fit": ("boards", "show", "karate", "--game", "hex"),
    "an unknown game to warm": ("warmup", "hexx"),
    "a board without its game": ("bench", "playouts", "--board", "hex:3"),
    "a negative seed": ("match", "hex", "random", "greedy", "--seed", "-1"),
    "no time": ("bench", "playouts", "--seconds", "0"),
    "no game": ("play",),
    "a missing record": ("replay", "missing.jsonl"),
    "a folder for a record": ("replay", "."),
    "an unknown player": ("play", "hex", "humman"),
    "too many players": ("play", "hex", "random", "random", "random"),
}


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED.keys())
def test_refused_on_one_line(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused_without_a_trace(arguments, tmp_path)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("tournamnet",), "Did you mean 'tournament'? (see topple --help)"),
        (("perft", "hexx", "--depth", "1"), "did you mean 'hex'?"),
        (("play", "hex", "humman"), "did you mean 'human'?"),
        (("perft", "hex"), "missing option '--depth' (see topple perft --help)"),
        (("boards", "show", "karate", "--game", "hex"), "Hex is played on hex:n, not on karate"),
    ],
)
def test_a_refusal_says_what_to_do(arguments: tuple[str, ...], words: str) -> None:
    assert words in topple(*arguments).err


# In a process of its own.

SETTLED = 3.0  # seconds after which a started command waits, or runs in its kernel
MAIN = (sys.executable, "-m", "topple.cli.main")


def test_help_and_listings_import_nothing_heavy() -> None:
    code = """
import sys
from topple.cli.main import run
assert run(["--help"]) == 0
assert "numpy" not in sys.modules and "rich" not in sys.modules
assert run(["games"]) == run(["boards"]) == run(["agents"]) == 0
heavy = {"numba", "networkx", "matplotlib", "scipy", "rich", "pydantic"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_closed_pipe_is_silent() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*MAIN, "games"], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 141


def test_a_terminal_without_unicode_is_served() -> None:
    done = subprocess.run(
        [*MAIN, "play", "hex", "--board", "hex:2", "--seed", "1"],
        input=b"\xff\xe9\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert done.returncode == 0
    assert b"\n 1  . .\n" in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there are no POSIX signals")
@pytest.mark.parametrize(
    "command",
    [
        ("play", "hex", "--board", "hex:2", "--seed", "1"),
        ("perft", "chain-reaction", "--depth", "60"),
    ],
    ids=["at the prompt", "inside a kernel"],
)
def test_an_interrupt_ends_on_one_line(command: tuple[str, ...]) -> None:
    topple("warmup", command[1])
    with subprocess.Popen(
        [*MAIN, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(SETTLED)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == b"topple: interrupted\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell closes the streams")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_closed_streams_are_borne(closed: str) -> None:
    command = f"{sys.executable} -m topple play hex random random --board hex:2 --quiet {closed}"
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran
    assert "Traceback" not in ran.stderr
