"""Ray as a backend: the same games as by processes, whatever happens to the cluster."""

import json
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.arena.cluster_setup import (
    ROOT,
    driver,
    end_session,
    environment,
    make_plan,
    session,
    timeless,
    two_nodes,
    wait_until,
)
from topple.arena.playing import ray_connection as connecting
from topple.arena.playing.ray_actor import ActorReport, ActorWorker, actor_class
from topple.arena.playing.ray_connection import check_address, load_ray
from topple.arena.playing.worker_pool import WorkerPool
from topple.core.errors import BadText, Unsupported

Key = tuple[str, int]
BUSY = "forkserver"  # in the command line of a process that plays, and of its parent


@pytest.fixture
def variables() -> Iterator[dict[str, str]]:
    """The environment of a Ray of the test's own."""
    with environment() as found:
        yield found


def by_processes(board: str, agents: list[str], n_games: int) -> dict[Key, Any]:
    """The sheets of all games of a plan, played on this machine by two processes."""
    plan = make_plan(board, agents, n_games)
    return {
        fixture.key: timeless(sheet)
        for sheets in WorkerPool(plan, 2).play(plan.fixtures())
        for fixture, sheet in sheets
    }


def told(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What a driver tells next."""
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        assert process.stderr is not None
        raise AssertionError(f"the driver has ended: {process.stderr.read()}")
    return dict(json.loads(line))


def result(process: subprocess.Popen[str], path: Path) -> tuple[dict[Key, Any], list[str | None]]:
    """The sheets of a driver that has played to the end, and the nodes of lost actors."""
    while "done" not in told(process):
        pass
    games, lost = pickle.loads(path.read_bytes())
    assert len({key for key, _ in games}) == len(games), "a game was reported twice"
    return {key: timeless(sheet) for key, sheet in games}, lost


@pytest.mark.prove  # a cluster of two nodes takes long to start
def test_ray_plays_the_same_games_as_processes(variables: dict[str, str], tmp_path: Path) -> None:
    asked = {"board": "hex:5", "agents": ["uct:iterations=50", "greedy", "random"], "n_games": 60}
    with driver(variables, **asked, n_workers=2, to=str(tmp_path / "games")) as process:
        games, lost = result(process, tmp_path / "games")
        # A Ray that was started for the games is gone with them, to its last process.
        wait_until(lambda: list(session(process.pid)) == [process.pid], "Ray has ended")
    assert games == by_processes(**asked)
    assert lost == []


@pytest.mark.prove  # a cluster of two nodes takes long to start
def test_games_of_a_node_that_is_killed_are_played_again(
    variables: dict[str, str], tmp_path: Path
) -> None:
    asked = {"board": "hex:5", "agents": ["uct:iterations=12000", "greedy"], "n_games": 240}
    with (
        two_nodes(variables) as (address, head, second),
        driver(variables, **asked, address=address, to=str(tmp_path / "games")) as process,
    ):
        while len((state := told(process)).get("played", ())) < 2:
            assert "done" not in state, "one node has played all games"
        end_session(second)
        games, lost = result(process, tmp_path / "games")
        # An actor may have been sent there after it was gone, and have reported from nowhere.
        assert {*lost} - {None} == {*state["played"]} - {state["home"]}
        # Somebody else's cluster stays, without a process of ours.
        wait_until(lambda: not any(BUSY in c for c in session(head.pid).values()), "end")
        assert any("raylet" in command for command in session(head.pid).values())
    assert games == by_processes(**asked)


@pytest.mark.prove  # a cluster of two nodes takes long to start
def test_an_agent_that_ends_its_process_loses_the_game_under_ray_too(
    variables: dict[str, str], tmp_path: Path
) -> None:
    """The agent's module lies where only the driver's own path leads."""
    asked = {"board": "hex:4", "agents": ["dies", "random"], "n_games": 1000}
    where = {"path": str(ROOT / "tests" / "arena"), "module": "unruly"}
    to = tmp_path / "games"
    with driver(variables, **asked, **where, n_workers=1, enough=2, to=str(to)) as process:
        games, lost = result(process, to)
        # Closed early: the games under way have ended, and Ray with them.
        wait_until(lambda: list(session(process.pid)) == [process.pid], "Ray has ended")
    assert lost == []
    assert games == by_processes("hex:4", ["dies", "random"], 2)
    assert {sheet[3].by for sheet in games.values()} == {"crash"}


def test_an_address_that_nobody_answers_is_refused_in_one_line(variables: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    asked = {"board": "hex:4", "agents": ["random", "greedy"], "n_games": 2, "address": address}
    with driver(variables, **asked) as process:
        out, err = process.communicate()
        assert process.returncode == 2
    assert out == ""
    assert err.startswith(f"topple: no Ray cluster can be reached at {address} (")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("answer", [b"HTTP/1.0 400 Bad Request\r\n\r\n", b""])
def test_an_address_at_which_somebody_else_answers_is_refused(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            line, _ = server.accept()
            with line:
                line.recv(len(connecting.GREETING), socket.MSG_WAITALL)
                line.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(Unsupported, match="is not Ray"):
            check_address(f"127.0.0.1:{server.getsockname()[1]}")
        thread.join()


def test_an_address_that_keeps_silent_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "PATIENCE", 0.2)
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        pytest.raises(Unsupported, match="timed out"),
    ):
        check_address(f"127.0.0.1:{server.getsockname()[1]}")


@pytest.mark.parametrize("text", ["", "here", "here:", ":6379", "here:99999", "ray://here:10001"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadText, match="not the address of a Ray cluster"):
        check_address(text)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Unsupported, match=r"pip install 'topple\[ray\]'"):
        load_ray()


def test_a_node_that_cannot_play_the_same_games_is_refused() -> None:
    actor = actor_class().__new__(actor_class())
    actor.version = "0.0.9"
    problem = actor.problem(b"")
    with pytest.raises(Unsupported, match=r"node far has topple .* and not 0\.0\.9: "):
        ActorReport("1", "far", problem).check()


def test_a_node_that_lacks_an_agents_module_is_refused() -> None:
    import topple

    actor = actor_class().__new__(actor_class())
    actor.version = topple.__version__
    problem = actor.problem(b"cnowhere_to_be_found\nAgent\n.")
    with pytest.raises(Unsupported, match=r"cannot load what is played: .*nowhere_to_be_found"):
        ActorReport("1", "far", problem).check()


def test_an_actor_keeps_its_worker_process_between_batches() -> None:
    plan = make_plan("hex:4", ["random", "greedy"], 12)
    fixtures = list(plan.fixtures())
    worker = ActorWorker(plan)
    try:
        played = worker.play(fixtures[:1])
        table = worker.pool.workers[0]
        for batch in (fixtures[1:4], fixtures[4:], []):
            played += worker.play(batch)
        assert worker.pool.workers == [table]
        assert sorted(fixture.key for fixture, _ in played) == sorted(f.key for f in fixtures)
    finally:
        worker.pool.close()
