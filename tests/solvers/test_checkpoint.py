"""Checkpoints: nothing is lost, nothing false is believed."""

import hashlib
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.core.command_line import Ran, assert_one_line_refusal, topple
from tests.solvers.plain_solver import PlainSolver
from topple.core.errors import BadText, ToppleError
from topple.game.game import load
from topple.solvers.checkpoint import (
    Subject,
    read_checkpoint,
    subject_of,
    write_checkpoint,
)
from topple.solvers.solver import Arrays

pytestmark = pytest.mark.usefixtures("plain_solver")

SOLVE = ("solve", "hex", "--board", "hex:3", "--json")


class Box(PlainSolver):
    """A solver whose table is whatever is put into it."""

    arrays: Arrays

    def table(self) -> Arrays:
        return self.arrays

    def restore(self, arrays: Arrays) -> None:
        self.arrays = arrays


def box(**arrays: Any) -> Box:
    """A solver with these arrays in its table."""
    made = Box(load("hex", "hex:3"), memory=1)
    made.arrays = arrays
    return made


SUBJECT = Subject("box", "hex", "hex:3", "0123456789abcdef")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A checkpoint of all of hex:3."""
    path = tmp_path / "kept"
    assert topple(*SOLVE, "--checkpoint", str(path)).status == 0
    return path


def answer(ran: Ran) -> dict[str, Any]:
    """What was found out, without what it cost."""
    found = json.loads(ran.out)
    return {name: found[name] for name in found if name not in ("nodes", "seconds")}


def refusal(path: Path, *arguments: str) -> str:
    """The line with which a checkpoint is refused."""
    ran = topple(*(arguments or SOLVE), "--checkpoint", str(path))
    assert_one_line_refusal(ran)
    assert ran.out == ""
    return ran.err


# What is written comes back.


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f8"])
@pytest.mark.parametrize("shape", [(0,), (1,), (5, 3), (2, 0, 4)])
def test_arrays_come_back_as_they_were(tmp_path: Path, dtype: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    arrays = {"a": rng.integers(0, 100, shape).astype(dtype), "b": np.arange(3)}
    size = write_checkpoint(tmp_path / "file", box(**arrays), SUBJECT)
    assert (tmp_path / "file").stat().st_size == size
    back = box()
    read_checkpoint(tmp_path / "file", back, SUBJECT)
    assert list(back.arrays) == ["a", "b"]
    for name, array in arrays.items():
        assert back.arrays[name].dtype == array.dtype
        assert back.arrays[name].flags.writeable
        assert np.array_equal(back.arrays[name], array)


def test_arrays_need_not_be_in_one_piece_nor_small(tmp_path: Path) -> None:
    long = np.arange(6_000_000)  # longer than what is written at once
    strided = np.arange(40).reshape(5, 8)[::2, ::-3]
    given = box(long=long, strided=strided)
    write_checkpoint(tmp_path / "file", given, SUBJECT)
    back = box()
    back.memory = 64
    read_checkpoint(tmp_path / "file", back, SUBJECT)
    assert np.array_equal(back.arrays["long"], long)
    assert np.array_equal(back.arrays["strided"], strided)


def test_a_solver_knows_again_what_it_knew(tmp_path: Path) -> None:
    game = load("hex", "hex:3")
    solver, other = PlainSolver(game), PlainSolver(game)
    solver.begin(game.start()).advance(1000)
    subject = subject_of(game, "plain")
    write_checkpoint(tmp_path / "file", solver, subject)
    read_checkpoint(tmp_path / "file", other, subject)
    assert len(solver.known) > 500
    assert other.known == solver.known


# Stopped and gone on with.


def test_a_finished_search_is_answered_at_once(kept: Path) -> None:
    undisturbed = topple(*SOLVE)
    again = topple(*SOLVE, "--checkpoint", str(kept))
    assert again.err == f"topple: going on from {kept}\n"
    assert answer(again) == answer(undisturbed)
    assert json.loads(again.out)["nodes"] == 0


def test_another_position_of_the_board_profits(kept: Path) -> None:
    other = ("--position", "X../.../... Red")
    fresh = json.loads(topple(*SOLVE, *other).out)
    ran = json.loads(topple(*SOLVE, *other, "--checkpoint", str(kept)).out)
    assert ran["best_moves"] == fresh["best_moves"]
    assert (ran["nodes"], fresh["nodes"] > 0) == (0, True)


KILLED = """
import os, signal, sys
from topple import solvers
from topple.cli.terminal import long_search as solving
from topple.cli.main import main
solvers._classes[:] = ["tests.solvers.plain_solver:PlainSolver"]
solving.KEEPING = solving.COST = 0
write = solving.Keeper.write
n_written = 0
def write_and_die(self):
    global n_written
    write(self)
    n_written += 1
    if n_written == 6:
        os.kill(os.getpid(), signal.SIGKILL)
solving.Keeper.write = write_and_die
main()
"""


def test_a_killed_search_goes_on_to_the_same_answer(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, *SOLVE, "--checkpoint", str(path)],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, ""), done.stderr
    undisturbed = topple(*SOLVE)
    ran = topple(*SOLVE, "--checkpoint", str(path))
    assert answer(ran) == answer(undisturbed)
    assert 0 < json.loads(ran.out)["nodes"] < json.loads(undisturbed.out)["nodes"]
    assert [each.name for each in tmp_path.iterdir()] == ["kept"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_search_that_was_asked_to_stop_goes_on(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.solvers.plain_solver import PlainSolving

    path = tmp_path / "kept"
    undisturbed = topple(*SOLVE)
    advance = PlainSolving.advance

    def interrupted(self: PlainSolving, n: int) -> None:
        advance(self, min(n, 50))
        if len(self.solver.known) > 700:
            monkeypatch.setattr(PlainSolving, "advance", advance)
            signal.raise_signal(number)

    monkeypatch.setattr(PlainSolving, "advance", interrupted)
    ran = topple(*SOLVE, "--checkpoint", str(path))
    assert ran.status == 130
    assert ran.err == f"topple: interrupted: the same command goes on from {path}\n"
    assert json.loads(ran.out)["limit"] == "interrupt"
    assert json.loads(ran.out)["bounds"] == [-1, 1]
    ran = topple(*SOLVE, "--checkpoint", str(path))
    assert answer(ran) == answer(undisturbed)
    assert json.loads(ran.out)["nodes"] < json.loads(undisturbed.out)["nodes"] - 600


def test_limits_leave_a_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    command = ("solve", "hex", "--board", "hex:4", "--checkpoint", str(path), "--json")
    cut = json.loads(topple(*command, "--memory", "1").out)
    assert (cut["limit"], cut["bounds"]) == ("memory", [-1, 1])
    more = json.loads(topple(*command, "--memory", "2").out)
    assert more["limit"] == "memory"
    assert 0 < more["nodes"] < more["positions"]


def test_a_link_stays_a_link(kept: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(kept)
    kept.unlink()
    assert topple(*SOLVE, "--checkpoint", str(link)).status == 0
    assert link.is_symlink()
    assert kept.stat().st_size > 1000


FULL_DISK = """
import resource, sys
from topple import solvers
from topple.cli.main import main
solvers._classes[:] = ["tests.solvers.plain_solver:PlainSolver"]
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
main()
"""


def test_a_full_disk_loses_neither_the_answer_nor_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, *SOLVE, "--checkpoint", str(path)],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.returncode == 2
    assert json.loads(done.stdout)["value"] == 1
    assert done.stderr.splitlines()[-1] == f"topple: {path} cannot be written: File too large"
    assert list(tmp_path.iterdir()) == []


# What is refused.


def test_every_damage_is_noticed(kept: Path) -> None:
    content = kept.read_bytes()
    n = content.index(b"\n")
    for place in (n + 1, n + 70, len(content) // 2, len(content) - 40, len(content) - 1):
        damaged = bytearray(content)
        damaged[place] ^= 1
        kept.write_bytes(damaged)
        assert "is damaged or was cut off: delete it, or choose another file" in refusal(kept)
    assert kept.read_bytes() == damaged


@pytest.mark.parametrize("n", [1, 31, 32, 33, 1000])
def test_a_file_that_was_cut_off_is_refused(kept: Path, n: int) -> None:
    kept.write_bytes(kept.read_bytes()[:-n])
    assert "is damaged or was cut off" in refusal(kept)


def test_a_longer_file_is_refused(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes() + b"x")
    assert "is damaged or was cut off" in refusal(kept)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\n", b"hello\n", b"\xff\xfe\x00\n", b'{"format": "other"}\n', b"[1]\n",
        b"[" * 100_000, pickle.dumps({"a": 1}), b"x" * 200_000, b'"topple checkpoint"\n',
    ],
    ids=range(10),
)  # fmt: skip
def test_what_is_no_checkpoint_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes"
    path.write_bytes(content)
    assert f"{path} is not a checkpoint of topple: choose another file" in refusal(path)
    assert path.read_bytes() == content


def test_a_checkpoint_of_another_board_is_refused(kept: Path) -> None:
    line = refusal(kept, "solve", "hex", "--board", "hex:4")
    assert f"{kept} belongs to hex on hex:3, not hex on hex:4: choose another file" in line


def test_a_checkpoint_with_other_options_is_refused(kept: Path) -> None:
    line = refusal(kept, "solve", "hex:swap=true", "--board", "hex:3")
    assert "belongs to hex on hex:3, not hex:swap=true on hex:3" in line


def test_another_board_of_the_same_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ("solve", "spread-it", "--board", "file:net.csv")
    Path("net.csv").write_text("source,target\na,b\nb,c\nc,a\n")
    assert topple(*command, "--checkpoint", "kept").status == 0
    assert topple(*command, "--checkpoint", "kept").status == 0
    Path("net.csv").write_text("source,target\na,b\nb,c\nc,a\nc,d\n")
    line = refusal(Path("kept"), *command)
    assert "kept belongs to another board that is called file:net.csv: choose another" in line


def test_another_solvers_table_is_refused(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "kept", box(), SUBJECT)
    with pytest.raises(BadText, match="written by the solver box, not proof"):
        read_checkpoint(tmp_path / "kept", box(), SUBJECT._replace(solver="proof"))


def written_by_hand(
    path: Path, content: bytes = b"", change: Callable[[dict[str, Any]], object] = lambda head: None
) -> None:
    """A file with a true digest, whatever its header says."""
    header = {"format": "topple checkpoint", "version": 1, "topple": "9.9", **SUBJECT._asdict(),
              "arrays": []}  # fmt: skip
    change(header)
    line = json.dumps(header).encode() + b"\n"
    body = line + bytes(-len(line) % 64) + content + bytes(-len(content) % 64)
    path.write_bytes(body + hashlib.blake2b(body, digest_size=32).digest())


def test_the_format_is_the_one_described(tmp_path: Path) -> None:
    numbers = np.arange(5, dtype="<i8")
    written_by_hand(
        tmp_path / "file", numbers.tobytes(), lambda head: head.update(arrays=[["a", "<i8", [5]]])
    )
    back = box()
    read_checkpoint(tmp_path / "file", back, SUBJECT)
    assert np.array_equal(back.arrays["a"], numbers)


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    written_by_hand(tmp_path / "file", change=lambda head: head.update(version=2))
    with pytest.raises(BadText, match=r"written by a newer topple \(9.9\): update topple"):
        read_checkpoint(tmp_path / "file", box(), SUBJECT)


HOSTILE: list[Any] = [
    None, 7, {}, "abc", [7], [["a"]], [["a", "<i8", 5]], [["a", "<i8", [-1]]],
    [["a", "<i8", [True]]], [["a", "<i8", [1.0]]], [["a", "|O", [1]]], [["a", "<U9", [1]]],
    [["a", ["<i8"], [1]]], [["a", "<M8", [1]]], [[1, "<i8", [0]]],
    [["a", "<i8", [0]], ["a", "<i8", [0]]], [["a", "<i8", [0] * 9]],
    [["a", "<i8", [10**30]]], [["a", "<i8", [1 << 40, 1 << 40]]],
    [[str(i), "<i8", [0]] for i in range(100)],
]  # fmt: skip


@pytest.mark.parametrize("arrays", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_headers_are_refused(tmp_path: Path, arrays: Any) -> None:
    written_by_hand(tmp_path / "file", change=lambda head: head.update(arrays=arrays))
    with pytest.raises(BadText, match="damaged or was cut off"):
        read_checkpoint(tmp_path / "file", box(), SUBJECT)


@pytest.mark.parametrize("version", [None, 0, -1, "1", True, [1]])
def test_hostile_versions_are_refused(tmp_path: Path, version: object) -> None:
    written_by_hand(tmp_path / "file", change=lambda head: head.update(version=version))
    with pytest.raises(BadText, match="damaged or was cut off"):
        read_checkpoint(tmp_path / "file", box(), SUBJECT)


@pytest.mark.parametrize("key", Subject._fields)
@pytest.mark.parametrize("value", [None, 7, ["x"]])
def test_hostile_subjects_are_refused(tmp_path: Path, key: str, value: object) -> None:
    written_by_hand(tmp_path / "file", change=lambda head: head.update({key: value}))
    with pytest.raises(BadText, match="damaged or was cut off"):
        read_checkpoint(tmp_path / "file", box(), SUBJECT)


def test_a_table_beyond_the_memory_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    n = 1 << 30  # eight gigabytes, which are all hole
    written_by_hand(path, change=lambda head: head.update(arrays=[["a", "<i8", [n]]]))
    os.truncate(path, path.stat().st_size + 8 * n)
    with pytest.raises(BadText, match=r"needs 8,193 MB, and 1 are allowed: give more --memory"):
        read_checkpoint(path, box(), SUBJECT)


def test_what_a_solver_refuses_is_said_with_the_file(kept: Path) -> None:
    header = json.loads(kept.read_bytes().partition(b"\n")[0])
    written_by_hand(kept, change=lambda head: head.update(header, arrays=[["odd", "<i8", [0]]]))
    assert f"{kept} cannot be used: it has other arrays than a table" in refusal(kept)


def test_a_folder_and_a_pipe_are_refused(tmp_path: Path) -> None:
    assert "is not a file" in refusal(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "is not a file" in refusal(pipe)
    with pytest.raises(BadText, match="not an ordinary file"):
        read_checkpoint(pipe, box(), SUBJECT)


def test_a_place_that_cannot_be_written_is_refused_before_the_search(tmp_path: Path) -> None:
    assert "there is no folder" in refusal(tmp_path / "none" / "kept")
    with pytest.raises(ToppleError, match="cannot be written"):
        write_checkpoint(tmp_path / "none" / "kept", box(), SUBJECT)
