"""The worker pool plays the same games whoever plays them, and no agent can stop it."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import topple
from tests.arena import unruly
from topple.agents import Search
from topple.agents.random import Random
from topple.arena.planning.plan import Fixture, Limits, Plan
from topple.arena.playing import worker as worker_module
from topple.arena.playing.game import Scoresheet
from topple.arena.playing.worker import WorkerHandle
from topple.arena.playing.worker_pool import WorkerPool
from topple.game.game import Game
from topple.game.position import Position

ROOT = Path(__file__).parents[2]


def play(plan: Plan, n_workers: int) -> dict[tuple[str, int], tuple[Fixture, Scoresheet]]:
    """Play a plan; every game by its key, without times."""
    played = {}
    for sheets in WorkerPool(plan, n_workers).play(plan.fixtures()):
        for fixture, sheet in sheets:
            assert fixture.key not in played
            costs = tuple(each._replace(seconds=0.0) for each in sheet.costs)
            plain = sheet._replace(began="", seconds=0.0, move_seconds=(), costs=costs)
            played[fixture.key] = fixture, plain
    return played


def plan_of(*agents: str, game: Game | None = None, **more: object) -> Plan:
    kinds = unruly.AGENTS
    made = tuple(kinds[name]() if name in kinds else topple.agent(name) for name in agents)
    return Plan((game or topple.load("hex", "hex:4"),), made, **more)  # type: ignore[arg-type]


def test_the_number_of_workers_does_not_change_the_games() -> None:
    games = topple.load("hex", "hex:4"), topple.load("chain-reaction", "grid:3x3")
    agents = tuple(
        map(topple.agent, ("random", "greedy", "uct:iterations=20", "alphabeta:depth=2"))
    )
    plan = Plan(games, agents, n_games=2)
    one = play(plan, 1)
    assert set(one) == {fixture.key for fixture in plan.fixtures()}
    assert one == play(plan, 2)
    for fixture, sheet in one.values():
        game = plan.games[fixture.game]
        position = game.start()
        for number, move in enumerate(sheet.moves):
            if number < len(fixture.opening):
                assert game.parse_move(move) == fixture.opening[number]
            position = position.play(move)
        assert position.is_over
        assert position.returns() == sheet.result
        assert sum(each.moves for each in sheet.costs) == len(sheet.moves) - len(fixture.opening)


# What each unruly agent loses by, and what is said about it.
FAULTS = {
    "raises": ("crash", "ZeroDivisionError: integer division or modulo by zero"),
    "exits": ("crash", "SystemExit: I leave"),
    "interrupts": ("crash", "KeyboardInterrupt"),
    "mumbles": ("crash", "Unspeakable"),
    "boasts": ("crash", "TypeError: its effort is below 0 or too large"),
    "dreams": ("crash", "TypeError: "),
    "dies": ("crash", "its process ended: SIGKILL"),
    "leaves-a-child": ("crash", "its process ended: exit status 3"),
    "cheats": ("illegal", "a1 is not legal"),
    "babbles": ("illegal", "'nowhere' is not a move"),
    "fails-to-warm": ("crash", "RuntimeError: no model file"),
    "fails-to-begin": ("crash", "LookupError: no chair"),
}


SLOW = {"hangs": ("time", "no move within 1 s"), "dawdles": ("time", "no move within 1 s")}


@pytest.mark.parametrize(("faults", "limit"), [(FAULTS, 600.0), (SLOW, 1.0)])
def test_a_misbehaving_agent_loses_the_game_and_nothing_else_happens(
    faults: dict[str, tuple[str, str]], limit: float
) -> None:
    plan = plan_of("random", *faults, n_games=2, gauntlet=True, limits=Limits(limit))
    played = play(plan, 2)
    assert set(played) == {fixture.key for fixture in plan.fixtures()}
    for fixture, sheet in played.values():
        names = [plan.agents[seat].NAME for seat in fixture.seats]
        guilty = 1 - names.index("random")
        by, detail = faults[names[guilty]]
        assert sheet.ending is not None, names
        assert (sheet.ending.by, sheet.ending.player) == (by, guilty), names
        assert detail in sheet.ending.detail
        assert sheet.ending.detail in sheet.reason
        assert sheet.result[guilty] == -1.0 == -sheet.result[1 - guilty]
        opening = [plan.games[0].move_text(move) for move in fixture.opening]
        assert list(sheet.moves[: len(opening)]) == opening
        if not names[guilty].startswith("fails"):
            assert len(sheet.moves) in (4, 5), names  # it was in its second own turn
        moves = sum(each.moves for each in sheet.costs)
        assert moves in (0, len(sheet.moves) - len(opening))  # 0: the worker is gone


def test_small_pipes_do_not_stop_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that waits to be read and a pool that waits to be read would wait for ever."""

    def small_worker(plan: Plan) -> WorkerHandle:
        made = WorkerHandle(plan)
        with socket.socket(fileno=os.dup(made.connection.fileno())) as pipe:
            pipe.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return made

    monkeypatch.setattr(worker_module, "STOCK", 100.0)
    monkeypatch.setattr("topple.arena.playing.worker_pool.WorkerHandle", small_worker)
    plan = plan_of("random", "greedy", n_games=100)
    assert len(play(plan, 1)) == 100


def test_a_sheet_that_breaks_off_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a worker is killed while it is sending."""
    plan = plan_of("random", "greedy", n_games=6)
    expected = play(plan, 1)
    pool, torn = WorkerPool(plan, 1), []
    played = {}
    for sheets in pool.play(plan.fixtures()):
        played |= {fixture.key: sheet.moves for fixture, sheet in sheets}
        if not torn and pool.workers:
            torn.append(pool.workers[0])
            monkeypatch.setattr(torn[0].connection, "recv", broken)
    assert {key: sheet.moves for key, (_, sheet) in expected.items()} == played


def broken() -> object:
    raise OSError("got end of file during message")


def test_an_agent_that_harms_its_process_ends_no_tournament() -> None:
    """Whoever loses: every game of the others is played and fair."""
    plan = plan_of("random", "greedy", "splits", "closes-all", "shrinks", n_games=1)
    played = play(plan, 2)
    assert set(played) == {fixture.key for fixture in plan.fixtures()}
    for fixture, sheet in played.values():
        if max(fixture.seats) < 2:
            assert sheet.ending is None


def test_what_is_forgiven_is_forgiven_once_for_the_whole_game() -> None:
    game = topple.load("hex", "hex:5")
    plan = plan_of("creeps", "random", game=game, n_games=4, limits=Limits(60.0, 0.05))
    for fixture, sheet in play(plan, 1).values():
        guilty = fixture.seats.index(0)
        assert sheet.ending is not None
        assert (sheet.ending.by, sheet.ending.player) == ("time", guilty)
        assert sheet.costs[guilty].moves == 2  # one at once, one of 0.09 s


def test_time_for_the_whole_game_is_added_up() -> None:
    """Each late move alone is within the limit for a move."""
    plan = plan_of("random", "dawdles", n_games=1, limits=Limits(60.0, 2.0))
    for fixture, sheet in play(plan, 1).values():
        guilty = fixture.seats.index(1)
        assert sheet.ending is not None
        assert (sheet.ending.by, sheet.ending.player) == ("time", guilty)
        assert sheet.costs[guilty].moves == 2  # one at once, one of a second and a half


def test_games_that_were_sent_to_a_worker_that_died_are_played() -> None:
    """An agent that dies takes down a process that had been sent other games too."""
    plan = plan_of("random", "greedy", "dies", n_games=2)
    played = play(plan, 1)
    assert set(played) == {fixture.key for fixture in plan.fixtures()}
    crashed = [sheet for fixture, sheet in played.values() if 2 in fixture.seats]
    assert len(crashed) == 4
    fair = [sheet for fixture, sheet in played.values() if 2 not in fixture.seats]
    assert [sheet.ending for sheet in fair] == [None] * 2


def test_closing_ends_the_workers() -> None:
    plan = plan_of("random", "hangs")
    pool = WorkerPool(plan, 2)
    coming = pool.play(plan.fixtures())
    next(coming)
    processes = [worker.process for worker in pool.workers]
    assert len(processes) == 2
    coming.close()
    assert [process.exitcode for process in processes] == [-signal.SIGKILL] * 2


DRIVER = """
import topple
from tests.arena import unruly
from topple.arena.playing.worker import WorkerHandle
from topple.arena.playing.worker_pool import WorkerPool
from topple.arena.planning.plan import Plan

if __name__ == "__main__":
    plan = Plan((topple.load("hex", "hex:4"),), (topple.agent("random"), unruly.AGENTS["hangs"]()))
    pool = WorkerPool(plan, 2)
    for _ in pool.play(plan.fixtures()):
        print(*(worker.process.pid for worker in pool.workers), flush=True)
"""


def test_workers_do_not_outlive_a_driver_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "driver.py"
    script.write_text(DRIVER, "utf-8")
    paths = os.pathsep.join([str(ROOT), *sys.path])
    driver = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert driver.stdout is not None
    with driver.stdout:
        workers = [int(pid) for pid in driver.stdout.readline().split()]
        driver.kill()
        driver.wait()
    assert len(workers) == 2
    waited = time.monotonic() + 30
    while any(map(is_running, workers)) and time.monotonic() < waited:
        time.sleep(0.05)
    assert not any(map(is_running, workers))


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"  # ended, and nobody has asked how


class DiesOnce(Random):
    """Takes its process down the first time, as a lack of memory would."""

    NAME, SUMMARY = "dies-once", "ends its process the first time"

    def __init__(self, note: Path) -> None:
        super().__init__()
        self.note = note

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Play on, unless it is the first time."""
        if not self.note.exists():
            self.note.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().search(position, seed)


def test_a_game_that_ends_its_worker_once_is_played_again(tmp_path: Path) -> None:
    agents = DiesOnce(tmp_path / "died"), topple.agent("random")
    plan = Plan((topple.load("hex", "hex:3"),), agents, n_games=2)
    sheets = [sheet for some in WorkerPool(plan, 1).play(plan.fixtures()) for _, sheet in some]
    assert (tmp_path / "died").exists()
    assert [sheet.ending for sheet in sheets] == [None, None]
