"""A course's agent in a process of its own, under the course's limits."""

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

from topple.bridges.infexion.board import DIRECTIONS, FIRST_SPREAD, N_DIRECTIONS, SIZE
from topple.core.errors import BadText, ToppleError, Unsupported

ROOT = Path(__file__).parents[3]  # where topple itself is found
PROGRAM = (
    "import sys; sys.path.append({!r}); "
    "from topple.bridges.infexion.course_child import main; main()"
)
SLICE = 0.2  # seconds between two looks whether the process is still there
LONGEST_REPLY = 1 << 16  # bytes
CPU, MEMORY, WAIT = 180.0, 250.0, 60.0  # the course's own: seconds, megabytes, seconds


class CourseFault(ToppleError):
    """An agent has lost its game by what it did, or did not."""


@dataclass(frozen=True)
class CourseLimits:
    """What an agent may use in a game."""

    cpu: float = CPU  # seconds
    memory: float = MEMORY  # megabytes of virtual memory, less the interpreter's
    wait: float = WAIT  # seconds by the clock on the wall for one answer


def split_name(text: str) -> tuple[str, str]:
    """The module and the class that a text names, as the course's referee reads it.

    >>> split_name("agent"), split_name("my/agent.py:Player")
    (('agent', 'Agent'), ('my.agent', 'Player'))

    Raises
    ------
    BadText
        If they cannot be names.
    """
    module, _, name = text.partition(":")
    module = module.strip("/\\").replace("/", ".").replace("\\", ".").removesuffix(".py")
    name = name or "Agent"
    if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
        raise BadText(f"{text!r:.60} names no class: write package or package:Class")
    return module, name


def move_numbers(move: int) -> list[int]:
    """A move as the numbers of its action: r and q, and those of a spread's direction.

    >>> move_numbers(8), move_numbers(49)
    ([1, 1], [0, 0, 0, 1])
    """
    if move < FIRST_SPREAD:
        return list(divmod(move, SIZE))
    cell, direction = divmod(move - FIRST_SPREAD, N_DIRECTIONS)
    return [*divmod(cell, SIZE), *DIRECTIONS[direction]]


def read_numbers(numbers: object) -> int:
    """The move that the numbers of an action stand for.

    Raises
    ------
    CourseFault
        If they stand for none.
    """
    match numbers:
        case [int(r), int(q), *rest] if 0 <= r < SIZE and 0 <= q < SIZE:
            if not rest:
                return r * SIZE + q
            if tuple(rest) in DIRECTIONS:
                direction = DIRECTIONS.index((rest[0], rest[1]))
                return FIRST_SPREAD + N_DIRECTIONS * (r * SIZE + q) + direction
    raise CourseFault(f"its action is off the board: {numbers!r:.60}")


class CourseAgent:
    """A running agent of a course. It ends when this object does, and with this process."""

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
            raise Unsupported("agents of a course are run on Linux and macOS alone")
        self.limits = limits
        self.cpu, self.peak = 0.0, None  # type: float, float | None
        module, class_name = split_name(name)
        self.name = f"{module}:{class_name}"
        order = {
            "folder": str(Path(folder).resolve()), "module": module, "name": class_name,
            "color": color, "cpu": limits.cpu, "memory": limits.memory, "seed": seed,
        }  # fmt: skip
        self._start(order, seed, prints)
        self._rest = b""
        self._reply()

    def _start(self, order: dict[str, Any], seed: int, prints: bool) -> None:
        theirs: list[int] = []
        ours: list[int] = []
        for name, we_write in (("requests", True), ("replies", False), ("lifeline", True)):
            pair = os.pipe()
            theirs.append(pair[0] if we_write else pair[1])
            ours.append(pair[1] if we_write else pair[0])
            order[name] = theirs[-1]
        out: Any = sys.stderr.fileno() if prints else subprocess.DEVNULL
        self._process = subprocess.Popen(
            [sys.executable, "-u", "-P", "-c", PROGRAM.format(str(ROOT)), json.dumps(order)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            cwd=order["folder"],
            env={**os.environ, "PYTHONHASHSEED": str(seed % 2**32)},
            pass_fds=theirs,
            start_new_session=True,
        )
        for pipe in theirs:
            os.close(pipe)
        self._requests, self._replies, _ = ours
        self._end = weakref.finalize(self, _end_all, self._process, ours)

    @property
    def is_alive(self) -> bool:
        """Whether it can still be asked."""
        return self._end.alive

    def close(self) -> None:
        """End the process and all that it has started."""
        self._end()

    def action(self) -> int:
        """Ask for the agent's next move.

        Raises
        ------
        CourseFault
            If it breaks a limit, fails, ends, does not answer, or answers nonsense; it is
            then ended.
        """
        return read_numbers(self._ask(["action"]))

    def turn(self, color: int, move: int) -> None:
        """Tell the agent of a move that was played.

        Raises
        ------
        CourseFault
            As for `action`.
        """
        self._ask(["turn", color, move_numbers(move)])

    def _ask(self, request: list[Any]) -> object:
        if not self.is_alive:
            raise CourseFault("it has lost its game already")
        with suppress(BrokenPipeError):  # it has ended: the reply says how
            os.write(self._requests, f"{json.dumps(request)}\n".encode())
        return self._reply()

    def _reply(self) -> object:
        try:
            reply = self._read()
            if "fault" in reply:
                raise CourseFault(str(reply["fault"]))
        except BaseException:  # also Ctrl-C: what comes later would answer something else
            self.close()
            raise
        self.cpu, self.peak = reply["cpu"], reply["peak"]
        return reply["answer"]

    def _read(self) -> dict[str, Any]:
        """The next reply."""
        deadline = monotonic() + self.limits.wait
        while b"\n" not in self._rest:
            if len(self._rest) > LONGEST_REPLY:
                raise CourseFault("it speaks on a pipe that is not its own")
            left = deadline - monotonic()
            if left <= 0:
                raise CourseFault(f"no answer within {self.limits.wait:g} s")
            if select.select([self._replies], [], [], min(left, SLICE))[0]:
                part = os.read(self._replies, LONGEST_REPLY)
                if not part:
                    raise CourseFault(self._death())
                self._rest += part
            elif self._has_ended():
                raise CourseFault(self._death())
        line, _, self._rest = self._rest.partition(b"\n")
        try:
            reply: dict[str, Any] = json.loads(line)
            return reply
        except ValueError:
            raise CourseFault("it speaks on a pipe that is not its own") from None

    def _has_ended(self) -> bool:
        """Whether the process is gone; it stays to be collected, and its group's name with it."""
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, flags) is not None

    def _death(self) -> str:
        """How the process has ended, in words."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)  # what is left of its group
        status = self._process.wait()
        if status == -signal.SIGXCPU:
            return f"it used more than its {self.limits.cpu:g} s of CPU time"
        if status < 0:
            return f"its process was ended by {signal.Signals(-status).name}"
        return f"its process ended with exit status {status}"


def _end_all(process: "subprocess.Popen[bytes]", pipes: list[int]) -> None:
    """End a process with its whole group, and close the pipes to it."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for pipe in pipes:
        os.close(pipe)
