"""The process in which a course's agent plays: nothing but it, its types and its limits.

It is told what to do on one pipe and answers on another, a line of JSON each time. A third
pipe only tells whether whoever started it is still there.
"""

import fcntl
import gc
import importlib
import json
import os
import random
import resource
import select
import signal
import sys
import threading
import traceback
from operator import index
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

from topple.bridges.infexion import course_board, course_types

MEGABYTE = 1 << 20
SLACK = 1.25  # times the limit of memory at which nothing more is given
GRACE = 2  # seconds of CPU time between an agent's limit and its process's
CLEANING = 600  # seconds of CPU time that may be spent on freeing memory
LONGEST_WORD = 300  # characters of an exception that are told
PARTS = ("hex", "player", "actions", "board", "constants", "exceptions")


class Fault(Exception):
    """What loses the game."""


class Meter:
    """CPU seconds and peak virtual memory, less what the interpreter itself has taken."""

    def __init__(self, cpu: float, memory: float) -> None:
        self.cpu_limit, self.memory_limit = cpu, memory
        self.cpu_before, self.memory_before = cpu_seconds(), memory_now("VmSize")
        self._set_limits()

    def _set_limits(self) -> None:
        """What the system itself enforces, for agents that never come back."""
        self._limit_cpu(2 * int(self.cpu_before + self.cpu_limit) + CLEANING)
        _lower(resource.RLIMIT_CORE, 0, 0)
        if self.memory_before is not None:
            room = int((self.memory_before + SLACK * self.memory_limit) * MEGABYTE)
            _lower(resource.RLIMIT_AS, room, room)

    def _limit_cpu(self, hard: int) -> None:
        _lower(resource.RLIMIT_CPU, int(self.cpu_before + self.cpu_limit) + GRACE, hard)

    def clean_up(self) -> None:
        """Free memory that nobody holds any more, off the clock, as the course's referee does."""
        before = cpu_seconds()
        gc.collect()
        self.cpu_before += cpu_seconds() - before
        self._limit_cpu(resource.getrlimit(resource.RLIMIT_CPU)[1])

    @property
    def cpu(self) -> float:
        """Seconds used."""
        return cpu_seconds() - self.cpu_before

    @property
    def peak(self) -> float | None:
        """The most megabytes so far; None where the system does not say."""
        peak = memory_now("VmPeak")
        return None if peak is None or self.memory_before is None else peak - self.memory_before

    def check(self) -> None:
        """End it here if a limit was passed."""
        if self.cpu > self.cpu_limit:
            raise Fault(f"it used more than its {self.cpu_limit:g} s of CPU time")
        if (peak := self.peak) is not None and peak > self.memory_limit:
            raise Fault(f"it used {peak:.0f} MB of memory, more than its {self.memory_limit:g} MB")

    def referee(self) -> dict[str, float | None]:
        """What the referee tells an agent with every call."""
        now, left = memory_now("VmSize"), None
        if now is not None and self.memory_before is not None:
            left = self.memory_limit - (now - self.memory_before)
        return {
            "time_remaining": self.cpu_limit - self.cpu,
            "space_remaining": left,
            "space_limit": self.memory_limit,
        }


def _lower(kind: int, soft: int, hard: int) -> None:
    """Set a limit, never above the one that holds already."""
    most = resource.getrlimit(kind)[1]
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(kind, (soft, hard))


def cpu_seconds() -> float:
    """The CPU time of this process and of those that it has started and seen end."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def memory_now(name: str) -> float | None:
    """The current or the peak size of the virtual memory in megabytes; None if not known."""
    try:
        with Path("/proc/self/status").open() as status:
            for line in status:
                if line.startswith(f"{name}:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


def stand_in() -> ModuleType:
    """Make `referee.game` known, with all that it is commonly asked for."""
    names = {**vars(course_types), **vars(course_board)}
    public = {name: value for name, value in names.items() if not name.startswith("__")}
    referee, game = ModuleType("referee"), ModuleType("referee.game")
    for package in (referee, game):
        package.__path__ = []
        sys.modules[package.__name__] = package
    game.__dict__.update(public)
    referee.__dict__["game"] = game
    for part in PARTS:
        module = ModuleType(f"referee.game.{part}")
        module.__dict__.update(public)
        sys.modules[module.__name__] = game.__dict__[part] = module
    return game


def load_types(folder: Path) -> Any:
    """`referee.game`: the folder's own, or ours where there is none."""
    if (folder / "referee").is_dir() or (folder / "referee.py").is_file():
        return importlib.import_module("referee.game")
    return stand_in()


class Table:
    """An agent at work."""

    def __init__(self, order: dict[str, Any]) -> None:
        folder = Path(order["folder"])
        sys.path.insert(0, str(folder))
        random.seed(order["seed"])
        self.game = load_types(folder)
        self.colors = (self.game.PlayerColor.RED, self.game.PlayerColor.BLUE)
        self.directions = {(each.value.r, each.value.q): each for each in self.game.HexDir}
        self.meter = Meter(order["cpu"], order["memory"])
        module = importlib.import_module(order["module"])
        kind = getattr(module, order["name"])
        color = self.colors[order["color"]]
        self.agent = kind(color=color, **self.meter.referee())

    def answer(self, request: list[Any]) -> list[int] | None:
        """Do as asked: `["action"]`, or `["turn", color, numbers of the action]`."""
        self.meter.clean_up()
        if request[0] == "action":
            return self._numbers(self.agent.action(**self.meter.referee()))
        color, action = self.colors[request[1]], self._action(request[2])
        self.agent.turn(color, action, **self.meter.referee())
        return None

    def _action(self, numbers: list[int]) -> Any:
        cell = self.game.HexPos(*numbers[:2])
        if len(numbers) == 2:
            return self.game.SpawnAction(cell)
        return self.game.SpreadAction(cell, self.directions[numbers[2], numbers[3]])

    def _numbers(self, action: Any) -> list[int]:
        """An action's numbers: r and q, and those of a spread's direction."""
        if isinstance(action, (self.game.SpawnAction, self.game.SpreadAction)):
            cell = [index(action.cell.r), index(action.cell.q)]
            if isinstance(action, self.game.SpawnAction):
                return cell
            direction = action.direction
            if isinstance(direction, self.game.HexDir):
                return [*cell, direction.value.r, direction.value.q]
        raise Fault(f"its action is {action!r:.80}, not a SpawnAction or a SpreadAction")


def told(error: BaseException, folder: str) -> str:
    """An exception on one line, with where in the agent's own files it was raised."""
    if isinstance(error, Fault):
        return str(error)
    words = " ".join(str(error).split())[:LONGEST_WORD]
    line = f"it raised {type(error).__name__}" + (f": {words}" if words else "")
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.startswith(folder):
            return f"{line} ({frame.filename[len(folder) :].lstrip('/')}, line {frame.lineno})"
    return line


def serve(order: dict[str, Any]) -> None:
    """Answer until nobody asks any more, or the agent has lost the game."""
    table: Table | None = None
    with os.fdopen(order["requests"]) as requests, os.fdopen(order["replies"], "w") as replies:
        try:
            table = Table(order)
            answer = None
            while True:
                table.meter.check()
                said = {"answer": answer, "cpu": table.meter.cpu, "peak": table.meter.peak}
                print(json.dumps(said), file=replies, flush=True)
                if not (line := requests.readline()):
                    return
                answer = table.answer(json.loads(line))
        except BaseException as error:  # also SystemExit, and all that its code may raise
            fault = told(error, order["folder"])
            print(json.dumps({"fault": fault}), file=replies, flush=True)


def end_with(pipe: int) -> None:
    """End, with all that was started here, when the pipe's other end is closed.

    The system itself sees to it where it can: a thread of ours would take memory that
    counts, and wait for an agent that holds the interpreter.
    """
    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
        if select.select([pipe], [], [], 0)[0]:  # it was closed before that
            os.killpg(0, signal.SIGKILL)
        return

    def watch() -> None:
        os.read(pipe, 1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Read the order from the command line and play."""
    order = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it hears Ctrl-C for both
    end_with(order["lifeline"])
    sys.argv = ["referee"]
    serve(order)
    os._exit(0)  # whatever threads the agent has left behind
