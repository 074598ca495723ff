"""`topple advise`: what it prints, draws and refuses."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest

from tests.core.command_line import assert_one_line_refusal, assert_refused_without_a_trace, topple
from topple.cli.commands import advise as command

NETWORK = (
    "source,target\nann,bob\nbob,cid\ncid,ann\ncid,dan\ndan,eve\neve,cid\neve,fay\nfay,gus\n"
    "gus,ann\ngus,bob\nfay,dan\n"
)
QUICK = ("--games", "20", "--looks", "4")


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.csv").write_text(NETWORK)
    return "net.csv"


def test_the_tables_read_well(network: str) -> None:
    ran = topple("advise", network, "--vs", "--top", "3", *QUICK)
    assert ran.status == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "Spread-It, zero loyalty, on file:net.csv: 7 vertices, 11 edges; seed 1"
    assert lines[1].startswith("Black to move; tokens on the board: Black 0, Red 0; left: Black 8")
    assert lines[3].split() == [
        "rank", "vertex", "wins", "95%", "interval", "drawn", "degree", "PageRank", "betw.",
        "greedy",
    ]  # fmt: skip
    assert [line.split()[0] for line in lines[4:7]] == ["1", "2", "3"]
    assert lines[8].split()[:2] == ["baseline", "takes"]
    assert [line.split()[0] for line in lines[9:13]] == [
        "degree", "PageRank", "betweenness", "greedy",
    ]  # fmt: skip
    assert lines[9].split()[1] == "cid"
    assert lines[14].startswith("Play ")
    assert lines[-1] == "With a picture: add --out advice.svg"
    assert max(map(len, lines)) <= 80


def test_the_same_command_says_the_same(network: str) -> None:
    one, two = (topple("advise", network, "--workers", n, *QUICK).out for n in ("1", "3"))
    assert one == two
    assert topple("advise", network, "--seed", "2", *QUICK).out != one


def test_json_has_everything(network: str) -> None:
    Path("tokens.csv").write_text("vertex;black;red\ncid;2;1\nann;0;1\n")
    ran = topple("advise", network, "--tokens", "4", "--state", "tokens.csv", "--json", *QUICK)
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    assert told["player"] == "Black"
    assert told["position"] == "1r,1,2b1r,4 Black 2-2"
    assert {each["name"] for each in told["baselines"]} == {
        "degree", "pagerank", "betweenness", "greedy",
    }  # fmt: skip
    assert len(told["moves"]) == 7
    for move in told["moves"]:
        wins = move["win_probability"]
        assert 0 <= wins["low"] <= wins["value"] <= wins["high"] <= 1
    assert told["moves"][0]["vertex"] == told["first_choice"]


def test_pictures_and_pages_are_written(network: str) -> None:
    for name, begins in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.html", b"<!doctype")):
        ran = topple("advise", network, "--out", name, "--tokens", "2", *QUICK)
        assert ran.status == 0, ran.err
        assert ran.out.splitlines()[-1] == f"picture: {name}"
        assert Path(name).read_bytes().startswith(begins)


def test_labels_that_are_long_or_steer_a_terminal_stay_in_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["x" * 80, "y" * 79, "[bold]z", "w"]
    edges = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    Path("net.csv").write_text("".join(f"{a},{b}\n" for a, b in edges))
    ran = topple("advise", "net.csv", "--tokens", "2", "--vs", *QUICK)
    assert ran.status == 0, ran.err
    table = ran.out.split("\n\n")
    assert max(len(line) for line in f"{table[1]}\n{table[2]}".splitlines()) <= 80
    assert "[bold]z" in ran.out
    assert "D, P, B, G: ranks by degree, PageRank, betweenness and greedy seed" in ran.out


@pytest.mark.parametrize("columns", [80, 40])
def test_names_of_several_words_break_no_interval(
    columns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", str(columns))
    names = ["Ana de la Cruz", "Bartholomew Roberts", "Dan van der Berg", "Guadalupe-Hidalgo"]
    edges = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    Path("net.csv").write_text("".join(f"{a},{b}\n" for a, b in edges))
    ran = topple("advise", "net.csv", "--tokens", "2", "--vs", *QUICK)
    assert ran.status == 0, ran.err
    assert max(map(len, ran.out.splitlines())) <= columns
    tables = [part for part in ran.out.split("\n\n") if part.startswith(("rank", "baseline"))]
    intervals = re.findall(r"[−\d.]+ to [−\d.]+", "".join(tables))
    assert len(intervals) == len(names) + 2 * 4  # a move each, two for each baseline
    assert "Ana de la" in "".join(tables)


def test_ctrl_c_shows_what_is_known(network: str, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def at_once(*others: int) -> Iterator[Event]:
        event = Event()
        event.set()
        yield event

    monkeypatch.setattr(command, "noted_interrupt", at_once)
    ran = topple("advise", network, *QUICK)
    assert ran.status == 130
    assert "stopped early" in ran.out
    assert "Traceback" not in ran.err


def test_boards_can_be_named_too() -> None:
    ran = topple("advise", "florentine", "--loyalty", "full", "--top", "2", *QUICK)
    assert ran.status == 0, ran.err
    assert "full loyalty, on florentine" in ran.out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["karat"], "unknown board 'karat': did you mean 'karate'?"),
        (["nothing.csv"], "nothing.csv: there is no such file"),
        (["karate", "--loyalty", "some"], "loyalty"),
        (["karate", "--left", "5"], "is not a pair of numbers"),
        (["karate", "--left", "3-5"], "Red is to move with 5 tokens left, and Black has 3"),
        (["karate", "--player", "green"], "unknown player 'green'"),
        (["karate", "--tokens", "0"], "tokens"),
        (["karate", "--out", "a.gif"], "a.gif: unknown picture ending '.gif'"),
        (["karate", "--out", "no/such/a.svg"], "no/such"),
        (["karate", "--state", "nothing.csv"], "nothing.csv: there is no such file"),
        (["karate", "--top", "0"], "--top"),
        (["path:2"], "gives the players no tokens"),
        (["karate", "--looks", "1000000"], "this would take about"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused_without_a_trace(["advise", *arguments], tmp_path)
    assert reason in topple("advise", *arguments).err


def test_bad_states_name_the_line(network: str) -> None:
    Path("tokens.csv").write_text("vertex,black,red\nann,1,0\nzoe,1,0\n")
    ran = topple("advise", network, "--state", "tokens.csv")
    assert_one_line_refusal(ran)
    assert "tokens.csv: line 3: unknown vertex 'zoe'" in ran.err


def test_a_process_that_only_compiles_can_warm_all_kernels() -> None:
    """Warmings go to processes of their own, which have imported nothing before."""
    program = """
import pickle, sys
import topple
from topple.cli.commands.warmup import everything
from topple.game.warm_up import KernelsOf
warming = everything(topple.load("spread-it"), None)
modules = [part for part in warming.parts if isinstance(part, KernelsOf)]
assert {part.module for part in modules} == {"topple.learning.simulation", "topple.advice.api"}
sys.stdout.buffer.write(pickle.dumps(modules))
"""
    made = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    program = """
import pickle, sys
import topple
from topple.game.warm_up import _small_cases
game = topple.load("spread-it")
for part in pickle.load(sys.stdin.buffer):
    assert part.kernels(game)
    assert set(_small_cases).issuperset(part.kernels(game))
"""
    subprocess.run([sys.executable, "-c", program], check=True, input=made.stdout)
