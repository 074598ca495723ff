"""Students' agents as agents of topple's: limits, faults, and nothing left behind."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import topple
from topple.agents import agent_names, bridge_names, find_agent
from topple.arena.store.store import open_store
from topple.bridges import infexion_referee
from topple.bridges.infexion.bit_position import move_numbers
from topple.bridges.infexion.course_agent import (
    CourseAgent,
    CourseFault,
    CourseLimits,
    read_numbers,
)
from topple.bridges.infexion.referee_game import (
    Board,
    HexDir,
    HexPos,
    PlayerColor,
    SpawnAction,
    SpreadAction,
)
from topple.bridges.infexion_referee import CourseGame
from topple.game.position import Position
from topple.lab.data.allowed import named_agent, own_agents

ROOT = Path(__file__).parents[2]
STUDENT = ROOT / "docs" / "examples" / "student_agent"
GAME = topple.load("infexion")
OURS = "topple.bridges.infexion"

SIMPLE = """
import os, signal, subprocess, sys, time
from referee.game import *

class Agent:
    def __init__(self, color, **referee):
        self.color, self.cells = color, set()
        {start}

    def action(self, **referee):
        {action}
        free = [c for c in range(49) if c not in self.cells]
        return SpawnAction(HexPos(*divmod(free[0 if self.color == PlayerColor.RED else -1], 7)))

    def turn(self, color, action, **referee):
        self.cells.add(action.cell.r * 7 + action.cell.q)
        {turn}
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write an agent that spawns, with something more in its methods."""

    def written(start: str = "pass", action: str = "pass", turn: str = "pass") -> Path:
        package = tmp_path / "agent"
        package.mkdir(exist_ok=True)
        (package / "__init__.py").write_text(SIMPLE.format(start=start, action=action, turn=turn))
        return tmp_path

    return written


def started(folder: Path, **limits: float) -> CourseAgent:
    return CourseAgent(str(folder), "agent", 0, CourseLimits(**limits))


def is_gone(pid: int) -> bool:
    """Whether a process has ended, or only waits to be collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until_gone(pid: int) -> None:
    for _ in range(200):
        if is_gone(pid):
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} is still there")


# -- a good agent ---------------------------------------------------------------------------------


def test_the_example_plays_under_the_arena() -> None:
    met = topple.match("infexion", f"referee:path={STUDENT}", "random", games=4, workers=1)
    assert met.score is not None
    assert met.score.value == 1.0
    assert not met.endings


def test_agents_are_informed_of_openings_of_any_length() -> None:
    met = topple.match(
        "infexion", f"referee:path={STUDENT}", "random", games=2, plies=17, workers=1
    )
    assert met.games == 2
    assert not met.endings


def test_it_plays_without_recorded_moves_as_long_as_they_can_be_inferred() -> None:
    agent = topple.agent(f"referee:path={STUDENT}")
    players = [agent.begin(seed) for seed in (1, 2)]
    position, n = GAME.start(), 0
    while not position.is_over and n < 20:
        decision = players[n % 2].choose(position, n)
        assert decision.candidates[0].move == decision.variation[0] == decision.move
        position, n = position.play(decision.move), n + 1
    with pytest.raises(topple.Unsupported, match="must be informed of all moves"):
        agent.choose(GAME.position("r3,5,b2,42 Blue 9"))


def test_a_seed_fixes_its_game() -> None:
    def moves(seed: int) -> list[int]:
        players = [topple.agent(f"referee:path={STUDENT}").begin(seed + i) for i in (0, 1)]
        line: list[int] = []
        position = GAME.start()
        for player in players:
            player.line = line
        while not position.is_over and len(line) < 12:
            line.append(players[len(line) % 2].choose(position, len(line)).move)
            position = position.play(line[-1])
        return line

    assert moves(3) == moves(3) != moves(40)


def test_the_referee_package_beside_an_agent_is_used(tmp_path: Path) -> None:
    (tmp_path / "referee").mkdir()
    (tmp_path / "referee" / "__init__.py").write_text("")
    (tmp_path / "referee" / "game.py").write_text(
        "from topple.bridges.infexion.referee_game import *\nHERE = HexPos(2, 5)\n"
    )
    (tmp_path / "player.py").write_text(
        "from referee.game import HERE, SpawnAction\n"
        "class Mine:\n"
        "    def __init__(self, color, **referee): pass\n"
        "    def action(self, **referee): return SpawnAction(HERE)\n"
    )
    agent = CourseAgent(str(tmp_path), "player.py:Mine", 0, CourseLimits())
    assert agent.action() == 2 * 7 + 5
    agent.close()


def test_an_agent_may_print_and_is_given_its_remaining_time_and_memory(
    write: Callable[..., Path],
) -> None:
    folder = write(
        start="print('I am', color); sys.stdout.flush(); os.write(1, b'noise')",
        action="assert 0 < referee['time_remaining'] <= 7; "
        "assert 0 < referee['space_remaining'] <= referee['space_limit'] == 99",
    )
    agent = started(folder, cpu=7, memory=99)
    assert agent.action() == 0
    agent.turn(0, 0)
    assert agent.action() == 1
    assert 0 < agent.cpu < 7
    assert agent.peak is not None
    assert agent.peak < 99
    agent.close()


def test_moves_and_numbers() -> None:
    for move in range(49 + 6 * 49):
        assert read_numbers(move_numbers(move)) == move
    for wrong in (None, [], [1], [7, 0], [0, -1], [0, 0, 1, 1], [0, 0, 1], "00", [0.0, 1]):
        with pytest.raises(CourseFault, match="off the board"):
            read_numbers(wrong)


def test_the_replacement_board_has_topples_rules() -> None:
    rng = random.Random(4)
    for _ in range(4):
        position, board = GAME.start(), Board()
        while not position.is_over:
            move = rng.choice(position.legal_moves())
            board.apply_action(action_of(move))
            board.undo_action()
            board.apply_action(action_of(move))
            position = position.play(move)
            check_board(board, position)
        assert board.winner_color == (
            None if position.outcome.winner is None else PlayerColor(position.outcome.winner)  # type: ignore[union-attr]
        )


def action_of(move: int) -> SpawnAction | SpreadAction:
    numbers = move_numbers(move)
    cell = HexPos(*numbers[:2])
    return (
        SpreadAction(cell, HexDir((numbers[2], numbers[3]))) if numbers[2:] else SpawnAction(cell)
    )


def check_board(board: Board, position: Position) -> None:
    assert board.turn_color == PlayerColor(position.player)
    assert board.game_over == position.is_over
    for vertex, cell in enumerate(position.contents()):
        state = board[HexPos(*divmod(vertex, 7))]
        assert state.power == sum(cell.counts)
        assert state.player == (None if cell.owner is None else PlayerColor(cell.owner))


# -- faults ---------------------------------------------------------------------------------------

FAULTS = [
    ("start", "raise ValueError('no\\n  idea')", r"it raised ValueError: no idea \(agent/__init__"),
    ("start", "sys.exit(3)", "it raised SystemExit: 3"),
    ("start", "os._exit(3)", r"its process ended \(exit status 3\)"),
    ("start", "time.sleep(60)", r"no answer within 1 s"),
    ("action", "1 / 0", r"it raised ZeroDivisionError: division by zero \(agent/__init__.py, line"),
    ("action", "return None", "its action is None, not a SpawnAction"),
    ("action", "return (3, 3)", r"its action is \(3, 3\), not a SpawnAction"),
    ("action", "return SpreadAction(HexPos(0, 0), (0, 1))", "not a SpawnAction or a SpreadAction"),
    ("action", "return SpawnAction('a1')", "it raised AttributeError"),
    ("action", "return HexPos(7, 0)", r"it raised ValueError: \(7, 0\) is off the board"),
    ("action", "os.kill(os.getpid(), signal.SIGKILL)", r"its process ended \(SIGKILL\)"),
    ("action", "time.sleep(60)", "no answer within 1 s"),
    ("action", "self.lump = bytearray(45 << 20)", "it used 4[5-9] MB of memory, more"),
    ("action", "self.lump = bytearray(400 << 20)", "it raised MemoryError"),
    ("action", "end = time.process_time() + 0.6\n        while time.process_time() < end: pass",
     r"it used more than its 0.5 s of CPU time"),
    ("action", "subprocess.run([sys.executable, '-c', "
     "'import time\\nwhile time.process_time() < 0.6: pass'])",
     r"it used more than its 0.5 s of CPU time"),
    ("action", "os.write(max(map(int, os.listdir('/proc/self/fd'))) - 2, b'x' * 100_000)", "it "),
    ("turn", "raise KeyError(color)", "it raised KeyError"),
]  # fmt: skip


@pytest.mark.parametrize(("where", "what", "word"), FAULTS, ids=[fault[1] for fault in FAULTS])
def test_faults_are_reported_on_one_line(
    where: str, what: str, word: str, write: Callable[..., Path]
) -> None:
    folder = write(**{where: what})
    with pytest.raises(CourseFault, match=word) as told:
        ask_all(folder, CourseLimits(cpu=0.5, memory=40, wait=1 if "sleep" in what else 60))
    assert "\n" not in str(told.value)


def ask_all(folder: Path, limits: CourseLimits) -> None:
    agent = CourseAgent(str(folder), "agent", 0, limits)
    agent.action()
    agent.turn(0, 0)


def test_an_agent_that_never_returns_is_ended_by_the_system(write: Callable[..., Path]) -> None:
    folder = write(action="signal.signal(signal.SIGXCPU, signal.SIG_DFL)\n        while 1: pass")
    with pytest.raises(CourseFault, match=r"it used more than its 0\.1 s of CPU time"):
        started(folder, cpu=0.1, wait=60).action()


def test_an_agent_is_not_asked_again_after_a_fault(write: Callable[..., Path]) -> None:
    agent = started(write(action="1 / 0"))
    with pytest.raises(CourseFault, match="ZeroDivisionError"):
        agent.action()
    assert not agent.is_alive
    with pytest.raises(CourseFault, match="already lost its game"):
        agent.turn(0, 0)
    agent.close()


@pytest.mark.parametrize(
    ("what", "ending", "word"),
    [
        ("1 / 0", "crash", "CourseFault: it raised ZeroDivisionError"),
        ("return SpawnAction(HexPos(0, 0))", "illegal", r"SPAWN\(0, 0\) is not legal"),
        ("time.sleep(60)", "crash", "no answer within 1 s"),
    ],
)
def test_a_fault_loses_the_game_in_the_arena(
    what: str, ending: str, word: str, write: Callable[..., Path], tmp_path: Path
) -> None:
    folder = write(action=f"if len(self.cells) > 3: {what}")
    spec, store = f"referee:path={folder},wait=1", tmp_path / "games.db"
    met = topple.match("infexion", spec, "random", games=2, workers=1, db=store)
    assert met.endings == {ending: 2}
    with open_store(store, create=False, read_only=True) as kept:
        for played in kept.games():
            lost = played.record.ending
            assert lost is not None
            assert re.search(word, lost.detail)
            loser = played.record.players[lost.player or 0]
            assert loser.startswith("referee")


# -- nothing stays behind -------------------------------------------------------------------------

WITH_A_CHILD = "self.child = subprocess.Popen(['sleep', '600']); sys.stderr.close()"


def test_processes_that_an_agent_started_end_with_it(write: Callable[..., Path]) -> None:
    folder = write(start=WITH_A_CHILD, action="open('pid', 'w').write(str(self.child.pid))")
    agent = started(folder)
    agent.action()
    pids = [int((folder / "pid").read_text()), agent._process.pid]
    assert not any(map(is_gone, pids))
    del agent
    for pid in pids:
        wait_until_gone(pid)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_an_agent_ends_with_its_parent_however_that_ends(
    number: int, write: Callable[..., Path]
) -> None:
    folder = write(start=WITH_A_CHILD, action="time.sleep(600)")
    program = (
        "from topple.bridges.infexion.course_agent import *\n"
        f"agent = CourseAgent({str(folder)!r}, 'agent', 0, CourseLimits())\n"
        "print(agent._process.pid, flush=True)\n"
        "agent.action()\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    children = Path(f"/proc/{pid}/task/{pid}/children")
    grandchildren = (
        [int(each) for each in children.read_text().split()] if children.exists() else []
    )
    assert os.getpgid(pid) == pid != os.getpgid(parent.pid)
    parent.send_signal(number)
    parent.communicate()
    for each in (pid, *grandchildren):
        wait_until_gone(each)


# -- our referee ----------------------------------------------------------------------------------


@pytest.mark.parametrize("color", [0, 1])
def test_our_agent_wins_within_the_limits(color: int) -> None:
    ours, theirs = (str(STUDENT), OURS), (str(STUDENT), "agent")
    agents = (ours, theirs) if color == 0 else (theirs, ours)
    game = CourseGame(agents, CourseLimits(cpu=3), seed=1)
    ended = game.play()
    assert ended.winner == color, ended.text
    assert ended.cpu[color] < 3
    assert (ended.peak[color] or 0.0) < 250
    assert not any(agent.is_alive for agent in game.agents)
    position = GAME.start()
    for move in ended.moves:
        position = position.play(move)
    assert position.is_over


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"start": "1 / 0"}, "Blue wins after 0 actions: Red has lost: it raised ZeroDivision"),
        ({"action": "return SpawnAction(HexPos(9, 9))"}, "Blue wins after 0 actions: Red has lost"),
        ({"action": "return SpreadAction(HexPos(0, 0), HexDir.Up)"},
         "Blue wins after 0 actions: Red has lost: its action SPREAD(0, 0, 1, -1) is not legal"),
        ({"turn": "1 / 0"}, "Blue wins after 1 actions: Red has lost: it raised ZeroDivision"),
    ],
)  # fmt: skip
def test_our_referee_reports_a_fault(
    given: dict[str, str], word: str, write: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(**given)
    (folder / "good").symlink_to(STUDENT / "agent")
    assert infexion_referee.main(["agent", "good", "--path", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith(word)


def test_our_referee_refuses_a_text_that_names_no_class(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        infexion_referee.main(["a b", "agent", "--path", str(STUDENT)])
    assert "'a b' names no class" in capsys.readouterr().err


# -- who may name it ------------------------------------------------------------------------------


def test_no_page_may_name_an_agent_that_runs_programs() -> None:
    assert "referee" in bridge_names()
    for name in bridge_names():
        assert find_agent(name).RUNS_PROGRAMS
        assert name not in agent_names()
        assert name not in own_agents()
        with pytest.raises(topple.BadText, match=f"unknown agent '{name}'"):
            named_agent(f"{name}:path=.,cmd=true")


def test_registering_such_an_agent_does_not_allow_it_on_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from topple import agents

    monkeypatch.setitem(agents._classes, "referee", find_agent("referee"))
    assert "referee" in agent_names()
    assert "referee" not in own_agents()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("referee", "referee needs the folder of an agent"),
        ("referee:path=.,agent=a-b", "names no class"),
        ("referee:path=.,agent=a:b:c", "names no class"),
        ("referee:path=.,cpu=0", "cpu=0 is too small"),
        ("referee:path=.,wings=2", "unknown option of referee 'wings'"),
    ],
)
def test_bad_options_are_refused_in_one_line(text: str, word: str) -> None:
    with pytest.raises(topple.BadText, match=word):
        topple.agent(text)


def test_what_it_cannot_play_is_refused(tmp_path: Path) -> None:
    agent = topple.agent(f"referee:path={STUDENT}")
    assert topple.agent(agent.spec).options == agent.options
    for game, board in (("infexion", "infexion:5"), ("hex", "hex:3")):
        with pytest.raises(topple.Unsupported, match="only plays Infexion on infexion:7"):
            agent.choose(topple.load(game, board).start())
    with pytest.raises(topple.Unsupported, match="there is no folder"):
        topple.agent(f"referee:path={tmp_path / 'none'}").choose(GAME.start())
    with pytest.raises(CourseFault, match="it raised ModuleNotFoundError: No module named 'agent'"):
        topple.agent(f"referee:path={tmp_path}").choose(GAME.start())
