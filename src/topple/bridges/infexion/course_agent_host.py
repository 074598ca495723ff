"""The process in which one of the course's agents plays: the agent, its types and its limits.

Requests arrive on one pipe and replies leave on another, as one line of JSON each. A third pipe
only shows whether the process that started this one is still alive.
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
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

from topple.bridges.infexion import referee_game
from topple.bridges.infexion.bit_position import action_numbers, make_action
from topple.core.text import one_line

MEGABYTE = 1 << 20
SLACK = 1.25  # times the memory limit, beyond which the system refuses memory
GRACE = 2  # seconds of CPU time between an agent's limit and its process's
GC_SECONDS = 600  # of CPU time that may be spent on freeing memory
LONGEST_REASON = 300  # characters of an exception that are reported
PARTS = ("hex", "player", "actions", "board", "constants", "exceptions")


class Fault(Exception):
    """A fault that loses the game."""


class ResourceMeter:
    """CPU seconds and peak virtual memory, excluding what the interpreter itself took."""

    def __init__(self, cpu: float, memory: float) -> None:
        self.cpu_limit, self.memory_limit = cpu, memory
        gc.collect()  # so that garbage freed later is not credited to the agent
        self.cpu_before, self.memory_before = cpu_seconds(), memory_now("VmSize")
        self._set_limits()

    def _set_limits(self) -> None:
        """Let the system enforce limits on agents that never return."""
        self._limit_cpu(2 * int(self.cpu_before + self.cpu_limit) + GC_SECONDS)
        _lower(resource.RLIMIT_CORE, 0, 0)
        if self.memory_before is not None:
            most = int((self.memory_before + SLACK * self.memory_limit) * MEGABYTE)
            _lower(resource.RLIMIT_AS, most, most)

    def _limit_cpu(self, hard: int) -> None:
        _lower(resource.RLIMIT_CPU, int(self.cpu_before + self.cpu_limit) + GRACE, hard)

    def collect_garbage(self) -> None:
        """Free unused memory without counting its time, as the course's referee does."""
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
        """The most megabytes so far; None if the system does not report them."""
        peak = memory_now("VmPeak")
        return None if peak is None or self.memory_before is None else peak - self.memory_before

    def check(self) -> None:
        """Raise a Fault if a limit is exceeded."""
        if self.cpu > self.cpu_limit:
            raise Fault(f"it used more than its {self.cpu_limit:g} s of CPU time")
        if (peak := self.peak) is not None and peak > self.memory_limit:
            raise Fault(f"it used {peak:.0f} MB of memory, more than its {self.memory_limit:g} MB")

    def referee(self) -> dict[str, float | None]:
        """The arguments that the referee passes to an agent with every call."""
        now, left = memory_now("VmSize"), None
        if now is not None and self.memory_before is not None:
            left = self.memory_limit - (now - self.memory_before)
        return {
            "time_remaining": self.cpu_limit - self.cpu,
            "space_remaining": left,
            "space_limit": self.memory_limit,
        }


def _lower(kind: int, soft: int, hard: int) -> None:
    """Set a limit of the system, but never above the present one."""
    most = resource.getrlimit(kind)[1]
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(kind, (soft, hard))


def cpu_seconds() -> float:
    """The CPU time of this process and of its finished children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def memory_now(name: str) -> float | None:
    """The current or peak size of virtual memory in megabytes; None if not known."""
    try:
        with Path("/proc/self/status").open() as status:
            for line in status:
                if line.startswith(f"{name}:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


def install_referee_package() -> ModuleType:
    """Make `referee.game` importable, with the names and submodules that agents import."""
    public = {k: value for k, value in vars(referee_game).items() if not k.startswith("__")}
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


def load_referee_package(folder: Path) -> Any:
    """`referee.game` from the agent's folder if it is there, otherwise the replacement."""
    if (folder / "referee").is_dir() or (folder / "referee.py").is_file():
        return importlib.import_module("referee.game")
    return install_referee_package()


class HostedAgent:
    """An agent of the course, with its limits."""

    def __init__(self, settings: dict[str, Any]) -> None:
        folder = Path(settings["folder"])
        sys.path.insert(0, str(folder))
        random.seed(settings["seed"])
        self.game = load_referee_package(folder)
        self.colors = (self.game.PlayerColor.RED, self.game.PlayerColor.BLUE)
        self.meter = ResourceMeter(settings["cpu"], settings["memory"])
        module = importlib.import_module(settings["module"])
        kind = getattr(module, settings["name"])
        color = self.colors[settings["color"]]
        self.agent = kind(color=color, **self.meter.referee())

    def answer(self, request: list[Any]) -> list[int] | None:
        """Carry out `["action"]`, or `["turn", color, numbers of the action]`."""
        self.meter.collect_garbage()
        if request[0] == "action":
            return self._numbers(self.agent.action(**self.meter.referee()))
        color, action = self.colors[request[1]], make_action(self.game, request[2])
        self.agent.turn(color, action, **self.meter.referee())
        return None

    def _numbers(self, action: Any) -> list[int]:
        """An action's numbers, if it is one."""
        is_spawn = isinstance(action, self.game.SpawnAction)
        is_spread = isinstance(action, self.game.SpreadAction)
        if is_spawn or (is_spread and isinstance(action.direction, self.game.HexDir)):
            return action_numbers(self.game, action)
        raise Fault(f"its action is {action!r:.80}, not a SpawnAction or a SpreadAction")


def fault_text(error: BaseException, folder: str) -> str:
    """An exception on one line, with the line of the agent's own code that raised it."""
    if isinstance(error, Fault):
        return str(error)
    reason = one_line(error, LONGEST_REASON)
    text = f"it raised {type(error).__name__}" + (f": {reason}" if reason else "")
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.startswith(folder):
            return f"{text} ({frame.filename[len(folder) :].lstrip('/')}, line {frame.lineno})"
    return text


def serve(settings: dict[str, Any]) -> None:
    """Answer requests until they end, or the agent has lost the game."""
    hosted: HostedAgent | None = None
    with os.fdopen(settings["requests"]) as requests, os.fdopen(settings["replies"], "w") as out:
        try:
            hosted = HostedAgent(settings)
            answer = None
            while True:
                hosted.meter.check()
                reply = {"answer": answer, "cpu": hosted.meter.cpu, "peak": hosted.meter.peak}
                print(json.dumps(reply), file=out, flush=True)
                if not (line := requests.readline()):
                    return
                answer = hosted.answer(json.loads(line))
        except BaseException as error:  # also SystemExit and anything else its code raises
            fault = fault_text(error, settings["folder"])
            print(json.dumps({"fault": fault}), file=out, flush=True)


def end_with(pipe: int) -> None:
    """End this process and all that it has started when the pipe's other end is closed.

    Where possible the system sends the signal: a thread would take memory that counts, and
    could not run while the agent holds the interpreter's lock.
    """
    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
        if select.select([pipe], [], [], 0)[0]:  # it was closed already
            os.killpg(0, signal.SIGKILL)
        return

    def watch() -> None:
        os.read(pipe, 1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Read the settings from the command line and play."""
    settings = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    end_with(settings["lifeline"])
    sys.argv = ["referee"]
    serve(settings)
    os._exit(0)  # also ends threads that the agent has left running
