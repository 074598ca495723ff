"""Worker processes: answers in order, errors passed on, and no process that outlives its parent."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from topple.core.errors import ToppleError
from topple.core.processes import Done, as_they_come, in_processes

ROOT = Path(__file__).parents[2]


def double(item: int, done: Done) -> int:
    """Report a part, then answer."""
    done("part")
    return 2 * item


def refuse(item: int, done: Done) -> int:
    """Raise what the parent is to see."""
    raise ToppleError(f"{item} cannot be done")


def sleep(folder: str, done: Done) -> None:
    """Say who is asleep, then sleep for ever."""
    Path(folder, str(os.getpid())).touch()
    time.sleep(600)


def is_running(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def sleepers(folder: Path, n: int) -> list[int]:
    """The processes that sleep, once there are n of them."""
    deadline = time.monotonic() + 60
    while len(found := list(folder.iterdir())) < n:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return [int(path.name) for path in found]


def assert_ended(pids: list[int]) -> None:
    """They are gone within a few seconds."""
    deadline = time.monotonic() + 20
    while any(map(is_running, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_answers_are_in_the_order_of_the_items() -> None:
    parts: list[str] = []
    assert in_processes(double, [3, 1, 2], 2, parts.append) == [6, 2, 4]
    assert parts == ["part"] * 3


def test_an_error_is_the_callers() -> None:
    with pytest.raises(ToppleError, match="7 cannot be done"):
        in_processes(refuse, [7], 1, lambda part: None)


def test_processes_have_ended_when_the_iterator_is_closed(tmp_path: Path) -> None:
    coming = as_they_come(sleep, [str(tmp_path)] * 2, 2, lambda part: None)
    while len(list(tmp_path.iterdir())) < 2:
        assert next(coming) is None
    pids = sleepers(tmp_path, 2)
    coming.close()
    assert not any(map(is_running, pids))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_processes_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    program = (
        "from tests.core.test_processes import sleep\n"
        "from topple.core.processes import in_processes\n"
        "if __name__ == '__main__':\n"
        f"    in_processes(sleep, [{str(tmp_path)!r}] * 2, 2, print)\n"
    )
    script = tmp_path.parent / f"{tmp_path.name}.py"
    script.write_text(program, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, str(script)], env=environment)
    try:
        pids = sleepers(tmp_path, 2)
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    assert_ended(pids)
