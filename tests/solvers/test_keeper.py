"""When a long search writes checkpoints, and what it says about them when it is stopped."""

from pathlib import Path

import numpy as np
import pytest

import topple
from tests.solvers.recursive_solver import PlainSolver
from topple.cli.commands.solve import SolveOptions, print_files
from topple.cli.terminal import long_search as solving
from topple.core.errors import BadText
from topple.game.game import load
from topple.solvers.checkpoint import read_checkpoint, subject_of, write_checkpoint
from topple.solvers.solver import Arrays


class Box(PlainSolver):
    """A solver that remembers whatever it is given."""

    arrays: Arrays

    def table(self) -> Arrays:
        """What was given."""
        return self.arrays

    def restore(self, arrays: Arrays) -> None:
        """Take it."""
        self.arrays = arrays


@pytest.mark.parametrize(
    ("n_bytes", "fits"),
    [(1 << 20, True), ((1 << 20) + 800, True), (2 << 20, True), ((2 << 20) + 1, False)],
)
def test_a_table_that_fills_the_memory_finds_room_with_its_counters(
    tmp_path: Path, n_bytes: int, fits: bool
) -> None:
    box = Box(load("hex", "hex:2"), memory=1)
    box.arrays = {"a": np.ones(n_bytes, dtype=np.uint8)}
    subject = subject_of(box.game, "box")
    write_checkpoint(tmp_path / "kept", box, subject)
    box.arrays = {}
    if fits:
        read_checkpoint(tmp_path / "kept", box, subject)
        assert box.arrays["a"].sum() == n_bytes
    else:
        with pytest.raises(BadText, match="needs 3 MB, and 1 are allowed"):
            read_checkpoint(tmp_path / "kept", box, subject)


class Clock:
    """A clock that goes when it is told to."""

    now = 0.0

    def monotonic(self) -> float:
        """The time."""
        return self.now


class Disk:
    """Where checkpoints go: slow, and now and then full."""

    def __init__(self, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock, self.trouble, self.n_written = clock, False, 0
        monkeypatch.setattr(solving, "time", clock)
        monkeypatch.setattr(solving, "write_checkpoint", self.write)

    def write(self, path: Path, solver: object, subject: object) -> int:
        """Take ten seconds to write, unless there is no room."""
        if self.trouble:
            raise topple.ToppleError(f"{path} cannot be written: no room")
        self.clock.now += 10
        self.n_written += 1
        return 1


def keeper_at(path: Path) -> solving.Keeper:
    hex_2 = load("hex", "hex:2")
    return solving.Keeper(path, PlainSolver(hex_2), subject_of(hex_2, "plain"))


def test_checkpoints_take_a_small_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    disk, keeper = Disk(clock, monkeypatch), keeper_at(Path("kept"))
    written = []
    for _ in range(600):
        clock.now += 1
        keeper.keep()
        written.append(disk.n_written)
    # A minute after the beginning; then each one waits twenty times as long as it took.
    assert [written.index(n) + 1 for n in (1, 2, 3)] == [60, 260, 460]


def test_a_disk_that_has_room_again_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    disk, keeper = Disk(Clock(), monkeypatch), keeper_at(Path("kept"))
    disk.trouble = True
    keeper.write()
    assert str(keeper.trouble) == "kept cannot be written: no room"
    disk.trouble = False
    keeper.write()
    assert keeper.trouble is None
    solving.finish(solving.Spent(None, 1.0), keeper)


def test_a_stopped_search_says_whether_it_can_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    disk, keeper = Disk(Clock(), monkeypatch), keeper_at(Path("kept"))
    stopped = solving.Spent("interrupt", 1.0)
    with pytest.raises(KeyboardInterrupt, match="the same command goes on from kept"):
        solving.finish(stopped, keeper)
    disk.trouble = True
    keeper.write()
    with pytest.raises(KeyboardInterrupt, match=r"^interrupted, and kept cannot be written"):
        solving.finish(stopped, keeper)
    for ended in (solving.Spent(None, 1.0), solving.Spent("time", 1.0)):
        with pytest.raises(topple.ToppleError, match="kept cannot be written"):
            solving.finish(ended, keeper)


def test_a_checkpoint_that_was_not_written_is_not_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    disk, keeper = Disk(Clock(), monkeypatch), keeper_at(Path("kept"))
    wishes = SolveOptions(False, None, 1, keeper.path, None, None, False)
    print_files(wishes, keeper)
    assert capsys.readouterr().out == "checkpoint: kept\n"
    disk.trouble = True
    keeper.write()
    print_files(wishes, keeper)
    assert capsys.readouterr().out == ""
