"""One of the course's agents in a separate process, under the course's limits."""

import json
import os
import select
import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from topple.bridges.infexion.bit_position import DIRECTIONS, SIZE, move_numbers, numbered_move
from topple.core.errors import BadText, ToppleError, Unsupported
from topple.core.processes import exit_text

ROOT = Path(__file__).parents[3]  # the folder of the package topple
PROGRAM = (
    "import sys; sys.path.append({!r}); "
    "from topple.bridges.infexion.course_agent_host import main; main()"
)
POLL_SECONDS = 0.2  # between two checks that the process is alive
LONGEST_REPLY = 1 << 16  # bytes
CPU, MEMORY, WAIT = 180.0, 250.0, 60.0  # the course's limits: seconds, megabytes, seconds


class CourseFault(ToppleError):
    """A fault by which an agent has lost its game."""


@dataclass(frozen=True)
class CourseLimits:
    """What an agent may use in a game."""

    cpu: float = CPU  # seconds
    memory: float = MEMORY  # megabytes of virtual memory, excluding the interpreter's
    wait: float = WAIT  # seconds of real time for one answer


def split_name(text: str) -> tuple[str, str]:
    """Split a text into module and class name as the course's referee does.

    >>> split_name("agent"), split_name("my/agent.py:Player")
    (('agent', 'Agent'), ('my.agent', 'Player'))

    Raises
    ------
    BadText
        If they are not valid names.
    """
    module, _, name = text.partition(":")
    module = module.strip("/\\").replace("/", ".").replace("\\", ".").removesuffix(".py")
    name = name or "Agent"
    if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
        raise BadText(f"{text!r:.60} names no class: write package or package:Class")
    return module, name


def read_numbers(numbers: object) -> int:
    """The move with the given numbers of an action.

    Raises
    ------
    CourseFault
        If they are no action on the board.
    """
    match numbers:
        case [int(r), int(q)] if r in range(SIZE) and q in range(SIZE):
            return numbered_move([r, q])
        case [int(r), int(q), int(dr), int(dq)] if r in range(SIZE) and q in range(SIZE):
            if (dr, dq) in DIRECTIONS:
                return numbered_move([r, q, dr, dq])
    raise CourseFault(f"its action is off the board: {numbers!r:.60}")


class CourseAgent:
    """A running agent of the course, which ends with this object and with this process."""

    def __init__(
        self,
        folder: str,
        name: str,
        color: int,
        limits: CourseLimits,
        *,
        seed: int = 0,
        prints: bool = False,
    ) -> None:
        if sys.platform == "win32":
            raise Unsupported("the course's agents only run on Linux and macOS")
        self.limits = limits
        self.cpu = 0.0  # seconds used so far
        self.peak: float | None = None  # megabytes, if known
        module, class_name = split_name(name)
        self.name = f"{module}:{class_name}"
        settings = {
            "folder": str(Path(folder).resolve()),
            "module": module,
            "name": class_name,
            "color": color,
            "cpu": limits.cpu,
            "memory": limits.memory,
            "seed": seed,
        }
        self._start(settings, seed, prints)
        self._unread = b""
        self._reply()

    def _start(self, settings: dict[str, Any], seed: int, prints: bool) -> None:
        theirs: list[int] = []
        ours: list[int] = []
        for name, we_write in (("requests", True), ("replies", False), ("lifeline", True)):
            pair = os.pipe()
            theirs.append(pair[0] if we_write else pair[1])
            ours.append(pair[1] if we_write else pair[0])
            settings[name] = theirs[-1]
        out: Any = sys.stderr.fileno() if prints else subprocess.DEVNULL
        self._process = subprocess.Popen(
            [sys.executable, "-u", "-P", "-c", PROGRAM.format(str(ROOT)), json.dumps(settings)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            cwd=settings["folder"],
            env={**os.environ, "PYTHONHASHSEED": str(seed % 2**32)},
            pass_fds=theirs,
            start_new_session=True,
        )
        for pipe in theirs:
            os.close(pipe)
        self._requests, self._replies, _ = ours
        self._end = weakref.finalize(self, _kill, self._process, ours)

    @property
    def is_alive(self) -> bool:
        """Whether it can still be asked."""
        return self._end.alive

    def close(self) -> None:
        """End the process and every process that it has started."""
        self._end()

    def action(self) -> int:
        """Ask for the agent's next move.

        Raises
        ------
        CourseFault
            If it exceeds a limit, fails, ends, does not answer, or answers nonsense; its
            process is then ended.
        """
        return read_numbers(self._ask(["action"]))

    def turn(self, color: int, move: int) -> None:
        """Inform the agent of a move that was played.

        Raises
        ------
        CourseFault
            As for `action`.
        """
        self._ask(["turn", color, move_numbers(move)])

    def _ask(self, request: list[Any]) -> object:
        if not self.is_alive:
            raise CourseFault("it has already lost its game")
        with suppress(BrokenPipeError):  # it has ended: reading the reply finds out how
            os.write(self._requests, f"{json.dumps(request)}\n".encode())
        return self._reply()

    def _reply(self) -> object:
        try:
            reply = self._read()
            if "fault" in reply:
                raise CourseFault(str(reply["fault"]))
        except BaseException:  # also Ctrl-C: a later reply would answer another request
            self.close()
            raise
        self.cpu, self.peak = reply["cpu"], reply["peak"]
        return reply["answer"]

    def _read(self) -> dict[str, Any]:
        """The next reply."""
        deadline = monotonic() + self.limits.wait
        while b"\n" not in self._unread:
            if len(self._unread) > LONGEST_REPLY:
                raise CourseFault("it writes to a pipe that is not its own")
            left = deadline - monotonic()
            if left <= 0:
                raise CourseFault(f"no answer within {self.limits.wait:g} s")
            if select.select([self._replies], [], [], min(left, POLL_SECONDS))[0]:
                part = os.read(self._replies, LONGEST_REPLY)
                if not part:
                    raise CourseFault(self._death())
                self._unread += part
            elif self._has_ended():
                raise CourseFault(self._death())
        line, _, self._unread = self._unread.partition(b"\n")
        try:
            reply: dict[str, Any] = json.loads(line)
            return reply
        except ValueError:
            raise CourseFault("it writes to a pipe that is not its own") from None

    def _has_ended(self) -> bool:
        """Whether the process has ended, without reaping it: its group keeps its id."""
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, flags) is not None

    def _death(self) -> str:
        """How the process has ended."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)  # what is left of its group
        status = self._process.wait()
        if status == -signal.SIGXCPU:
            return f"it used more than its {self.limits.cpu:g} s of CPU time"
        return f"its process ended ({exit_text(status)})"


def _kill(process: subprocess.Popen[bytes], pipes: list[int]) -> None:
    """Kill a process with its whole group, and close the pipes to it."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for pipe in pipes:
        os.close(pipe)
