"""Real clusters of Ray for tests, and a program that plays a plan on one.

Everything runs in processes of their own sessions, which are ended whole: `ray
stop` would end every Ray of the machine.
"""

import json
import os
import pickle
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import topple
from topple.agents import agent_names
from topple.arena.planning.plan import Plan
from topple.arena.playing.game import Scoresheet, Sheets
from topple.arena.playing.ray_backend import ActorHandle, RayCluster

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0  # seconds for what takes a few on a machine with nothing else to do


def make_plan(board: str, agents: list[str], n_games: int) -> Plan:
    """A plan for Hex."""
    return Plan((topple.load("hex", board),), tuple(map(make_agent, agents)), n_games)


def make_agent(name: str) -> topple.Agent:
    """An agent that is registered, or else one of the unruly."""
    if name.partition(":")[0] in agent_names():
        return topple.agent(name)
    from tests.arena import unruly

    return unruly.AGENTS[name]()


def timeless(sheet: Scoresheet) -> tuple[Any, ...]:
    """All of a sheet but when and how long."""
    efforts = [(costs.moves, costs.simulations, costs.nodes) for costs in sheet.costs]
    return sheet.moves, sheet.result, sheet.reason, sheet.ending, efforts


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Wait for something that will surely happen."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"not within {PATIENCE:g} s: {what}"
        time.sleep(0.05)


def session(leader: int) -> dict[int, str]:
    """The processes of a session with their command lines."""
    found = {}
    for entry in Path("/proc").iterdir():
        # A process that ends meanwhile is no longer there.
        with suppress(OSError, ValueError):
            # What follows the name: state, parent, group, session.
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader and fields[0] != "Z":
                found[int(entry.name)] = (entry / "cmdline").read_text().replace("\0", " ")
    return found


def end_session(leader: subprocess.Popen[Any]) -> None:
    """End all processes of a session, without warning."""
    while processes := session(leader.pid):
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        leader.poll()
        time.sleep(0.02)
    leader.wait()


@contextmanager
def environment() -> Iterator[dict[str, str]]:
    """Environment variables that keep Ray's files and tokens together, out of the way."""
    # The paths of Ray's sockets must be short, and those that pytest gives are long.
    folder = tempfile.mkdtemp(prefix="tp")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    try:
        yield {
            **kept,
            "RAY_TMPDIR": folder,
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(16),
            "RAY_USAGE_STATS_ENABLED": "0",
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def node(variables: dict[str, str], *arguments: str) -> Iterator[tuple[subprocess.Popen[Any], str]]:
    """A node with one CPU: the leader of its session, and what it said when it started."""
    folder = Path(tempfile.mkdtemp(prefix="n", dir=variables["RAY_TMPDIR"]))
    log = folder / "log"
    command = [
        sys.executable,
        "-m",
        "ray.scripts.scripts",
        "start",
        *arguments,
        "--num-cpus=1",
        "--object-store-memory=100000000",
        f"--temp-dir={folder}",
        "--block",
    ]
    with log.open("w") as output:
        leader = subprocess.Popen(
            command,
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
            env=variables,
            cwd=folder,
            start_new_session=True,
        )
    try:
        started = "Ray runtime started"
        wait_until(lambda: started in log.read_text() or leader.poll() is not None, started)
        assert leader.poll() is None, log.read_text()
        yield leader, log.read_text()
    finally:
        end_session(leader)


@contextmanager
def two_nodes(
    variables: dict[str, str],
) -> Iterator[tuple[str, subprocess.Popen[Any], subprocess.Popen[Any]]]:
    """A cluster of two nodes: its address, and the leaders of the nodes' sessions."""
    with node(variables, "--head", "--port=0", "--include-dashboard=false") as (head, said):
        found = re.search(r"ray start --address='([^']+)'", said)
        assert found, said
        with node(variables, f"--address={found[1]}") as (second, _):
            yield found[1], head, second


@contextmanager
def driver(variables: dict[str, str], **asked: Any) -> Iterator[subprocess.Popen[str]]:
    """A process that runs `main` below: it talks on stdout and waits for stdin's end."""
    command = [sys.executable, "-m", "tests.arena.cluster_setup", json.dumps(asked)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=variables,
        cwd=ROOT,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        end_session(process)
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            stream.close()


class Watched(RayCluster):
    """A cluster that keeps account of its nodes."""

    def __init__(self, plan: Plan, n_workers: int | None, address: str | None) -> None:
        super().__init__(plan, n_workers, address)
        self.played: Counter[str] = Counter()
        self.lost: list[str | None] = []

    def _receive(self, handle: ActorHandle) -> Sheets:
        sheets = super()._receive(handle)
        if sheets:
            assert handle.node is not None
            self.played[handle.node] += len(sheets)
        return sheets

    def _remove(self, handle: ActorHandle, error: Exception) -> None:
        self.lost.append(handle.node)
        super()._remove(handle, error)


def main(asked: dict[str, Any]) -> None:
    """Play a plan, up to `enough` games; a line of JSON tells of each handful."""
    if asked.get("path"):
        sys.path.append(asked["path"])
        __import__(asked["module"])
    try:
        plan = make_plan(asked["board"], asked["agents"], asked["n_games"])
        cluster = Watched(plan, asked.get("n_workers"), asked.get("address"))
        games: Sheets = []
        coming = cluster.play(plan.fixtures())
        for sheets in coming:
            games += sheets
            if sheets:
                home = cluster.ray.get_runtime_context().get_node_id()
                print(json.dumps({"home": home, "played": cluster.played}), flush=True)
            if len(games) >= asked.get("enough", plan.n_fixtures + 1):
                break
        coming.close()
    except topple.ToppleError as error:
        print(f"topple: {error}", file=sys.stderr)
        sys.exit(2)
    written = [(fixture.key, sheet) for fixture, sheet in games]
    Path(asked["to"]).write_bytes(pickle.dumps((written, cluster.lost)))
    print(json.dumps({"done": len(games)}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
