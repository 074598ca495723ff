"""htp: engines of others as agents; whatever they do, one line is said and no process is left."""

import gc
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import topple as package
from tests.core.command_line import assert_one_line_refusal, topple
from topple import agents
from topple.agents import agent
from topple.bridges.hex.engine_process import EngineFailure, EngineRefusal
from topple.bridges.hex.htp_agent import HtpAgent, HtpOpponent, in_turn
from topple.core.errors import BadText, IllegalMove, Resigned, ToppleError, Unsupported
from topple.game.game import Game, load
from topple.game.position import Position
from topple.game.record import Record
from topple.lab.data.allowed import named_agent, own_agents

FAKE = Path(__file__).with_name("fake_engine.py")
TOPPLE = f"{sys.executable} -m topple htp"
PATIENCE = 30.0  # seconds for a process to be gone


def fake(mode: str, *rest: str, **options: float) -> HtpAgent:
    command = " ".join([sys.executable, str(FAKE), mode, *rest])
    made = agent("htp", cmd=command, **options)
    assert isinstance(made, HtpAgent)
    return made


@pytest.fixture
def engine_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake engine as the program `./e`: workers may have been started with another PATH."""
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "e"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" "$@"\n', "utf-8")
    program.chmod(0o755)


@pytest.fixture
def game() -> Game:
    return load("hex", "hex:3")


def second_turn(playing: HtpAgent, game: Game) -> int:
    """The move that an engine gives when it is asked the second time."""
    player, position = playing.begin(1), game.start()
    first = player.choose(position, 0).move
    assert game.move_text(first) == "a1"
    after = position.play(first).play("c3")
    return player.choose(after, 2).move


def is_gone(pid: int) -> bool:
    """Whether a process has ended; who should have taken notice of it may not have."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


def wait_until_gone(file: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    pids = [int(word) for word in file.read_text().split()]
    assert len(pids) == 2
    while not all(map(is_gone, pids)):
        assert time.monotonic() < deadline, pids
        time.sleep(0.02)


FAILURES = {
    "hangs": (EngineFailure, "has not answered 'genmove b' within 2 s"),
    "dies": (EngineFailure, "has ended instead of answering 'genmove b' (exit status 3): out of"),
    "killed": (EngineFailure, "(SIGKILL)"),
    "nonsense": (EngineFailure, "answers 'genmove b' with nonsense: 'hello there'"),
    "babbles": (EngineFailure, "answers 'genmove b' with more than 10,000 lines"),
    "no-cell": (BadText, "plays 'z99', which is no cell of hex:3"),
    "empty": (BadText, "plays '', which is no cell"),
    "swaps": (IllegalMove, "plays swap-pieces, which is not possible here"),
    "resigns": (Resigned, "resigns"),
    "refuses": (EngineRefusal, "refuses 'genmove b': I do not know"),
}


@pytest.mark.parametrize("mode", FAILURES)
def test_a_failing_engine_is_one_line_and_leaves_no_process(
    mode: str, game: Game, tmp_path: Path
) -> None:
    kind, words = FAILURES[mode]
    seconds = 2 if mode == "hangs" else PATIENCE
    pids = tmp_path / "pids"
    with pytest.raises(kind) as error:
        second_turn(fake(mode, str(pids), time=seconds), game)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    error.value.__traceback__ = None  # it holds the player, and so the engine
    del error
    gc.collect()
    wait_until_gone(pids)


def test_an_engine_that_does_not_start_is_an_error(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    with pytest.raises(EngineFailure, match="has not answered 'protocol_version' within"):
        fake("never-starts", str(pids), start=0.5).begin()
    wait_until_gone(pids)
    with pytest.raises(EngineFailure, match="No such file or directory"):
        agent("htp:cmd=no-such-program-here").begin()
    with pytest.raises(EngineFailure, match="Permission denied"):
        agent(f"htp:cmd={tmp_path}").begin()


def test_an_illegal_move_is_handed_on_and_refused(game: Game) -> None:
    assert game.move_text(second_turn(fake("occupied"), game)) == "a1"


def test_an_engine_ends_with_its_player(game: Game, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    player = fake("plays", str(pids)).begin(1)
    player.choose(game.start(), 0)
    assert not any(is_gone(int(word)) for word in pids.read_text().split())
    del player
    gc.collect()
    wait_until_gone(pids)


def test_an_engine_ends_with_a_process_that_is_killed(tmp_path: Path) -> None:
    """Nothing can be tidied up then: the engine is on a leash."""
    pids = tmp_path / "pids"
    program = (
        "import time, topple\n"
        f"player = topple.agent('htp', cmd={fake('plays', str(pids)).options['cmd']!r}).begin()\n"
        "print('ready', flush=True)\n"
        "time.sleep(600)\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert owner.stdout is not None
    assert owner.stdout.readline() == b"ready\n"
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    wait_until_gone(pids)


def test_a_choice_needs_no_player(game: Game, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    decision = fake("plays", str(pids)).choose(game.start())
    assert (decision.move, decision.candidates[0].move, decision.variation) == (0, 0, (0,))
    gc.collect()
    wait_until_gone(pids)


def test_sizes_as_one_number() -> None:
    assert fake("one-number").choose(load("hex", "hex:3").start()).move == 0


class Listening(HtpOpponent):
    """An engine that is only told things."""

    def __init__(self, *answers: str) -> None:
        self.size, self.stones, self.is_swapped = 0, {}, False
        self.heard: list[str] = []
        self.answers = list(answers)

    def _ask(self, command: str) -> str:
        self.heard.append(command)
        return self.answers.pop(0) if command.startswith("genmove") else ""


def heard_after(opponent: Listening, position: Position) -> list[str]:
    """What an engine is told so that it can move in a position."""
    opponent.heard = []
    opponent.choose(position)
    return opponent.heard


def test_what_an_engine_is_told(game: Game) -> None:
    """The stones in turn once, then only what is new; all again where the game is another."""
    opponent, start = Listening("b3", "a2", "c1"), game.start()
    position = start.play("a1").play("b2").play("c3").play("a3")
    assert heard_after(opponent, position) == [
        "boardsize 3 3", "clear_board",
        "play b a1", "play w b2", "play b c3", "play w a3", "genmove b",
    ]  # fmt: skip
    position = position.play("b3").play("c2")
    assert heard_after(opponent, position) == ["play w c2", "genmove b"]
    assert heard_after(opponent, start.play("a1")) == ["clear_board", "play b a1", "genmove w"]


def test_swaps_in_both_directions() -> None:
    """The stone stays, the colours are exchanged: after the swap White moves again."""
    game = load("hex", "hex:3", swap=True)
    first = game.start().play("a1")
    swapper = Listening("swap-pieces", "c1")
    swap = swapper.choose(first)
    assert game.move_text(swap) == "swap-pieces"
    after = first.play(swap).play("b2")
    assert heard_after(swapper, after) == ["play w b2", "genmove b"]
    # The other engine hears of the swap, so that it does not think of one itself.
    other = Listening("a1", "b2")
    other.choose(game.start())
    assert heard_after(other, first.play("swap-pieces")) == ["play w swap-pieces", "genmove w"]
    late = Listening("c1")
    assert "play w swap-pieces" not in heard_after(late, after)


def test_stones_in_turn() -> None:
    assert in_turn({}, {}) == []
    assert in_turn({"a1": 1, "b1": 1, "c1": 0}, {}) == ["c1", "a1", "b1"]


def test_options_and_texts() -> None:
    made = agent('htp:cmd="wolve --size 11,12",time=5')
    assert made.options == {"cmd": "wolve --size 11,12", "time": 5.0, "start": 60.0}
    assert agent(made.spec).options == made.options
    assert pickle.loads(pickle.dumps(made)).spec == made.spec
    for text, words in {
        "htp": "write htp:cmd=PROGRAM",
        'htp:cmd=wolve "': "No closing quotation",
        'htp:cmd=""""': "No closing quotation",
        "htp:cmd=a\tb": "cannot be printed",
        "htp:cmd=a,size=3": "unknown option of htp 'size'",
    }.items():
        with pytest.raises(BadText, match=words):
            agent(text)
    with pytest.raises(BadText, match="command is empty"):
        agent("htp", cmd=" ")
    with pytest.raises(Unsupported, match="htp only plays Hex, not infexion"):
        agent("htp:cmd=wolve").check_game(load("infexion"))


def test_bridges_are_listed_apart_and_no_page_may_name_them() -> None:
    assert "htp" in agents.bridge_names()
    assert "htp" not in agents.agent_names()
    assert "htp" not in own_agents()
    with pytest.raises(BadText, match="unknown agent 'htp'"):
        named_agent("htp:cmd=touch somewhere")
    with pytest.raises(BadText, match="did you mean 'htp'"):
        agent("http:cmd=wolve")
    listed = topple("agents").out
    assert "htp: ask a Hex engine" in listed
    docs = Path(__file__).parents[2] / "docs" / "hex-programs.md"
    for option in HtpAgent.OPTIONS:
        assert f"`{option.name}" in docs.read_text("utf-8")


def test_two_engines_of_topples_play_a_whole_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    first = f"htp:cmd={TOPPLE} --agent uct:iterations=60 --seed {{seed}}"
    second = f"htp:cmd={TOPPLE} --agent alphabeta:depth=1"
    arguments = ["--board", "hex:3", "--seed", "5", "--quiet", "--save", str(file)]
    ran = topple("play", "hex:swap=true", first, second, *arguments)
    assert ran.status == 0, ran.err
    record = Record.from_json(file.read_text("utf-8"))
    assert record.replay().is_over
    assert record.players == (first, second)


def test_an_agent_plays_the_same_game_directly_and_as_an_engine() -> None:
    """The seed reaches the engine, and HTP changes nothing about its play."""
    game = load("hex", "hex:4")
    lines = []
    uct = "uct:iterations=60"
    for spec in (uct, f"htp:cmd={TOPPLE} --agent {uct} --seed {{seed}}"):
        players = agent(spec).begin(1), agent("greedy").begin(2)
        position, moves = game.start(), []
        while not position.is_over:
            moves.append(players[position.player].choose(position, len(moves)).move)
            position = position.play(moves[-1])
        lines.append(moves)
    assert lines[0] == lines[1]


def test_an_engine_that_resigns_loses_at_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    playing = fake("resigns").spec
    ran = topple("play", "hex", playing, "random", "--board", "hex:3", "--seed", "1", "--quiet",
                 "--save", str(file))  # fmt: skip
    assert ran.status == 0, ran.err
    assert "after 2 moves: Red wins: Blue resigned" in ran.out
    record = Record.from_json(file.read_text("utf-8"))
    assert record.ending is not None
    assert (record.ending.by, record.ending.player) == ("resignation", 0)


@pytest.mark.usefixtures("engine_here")
def test_engines_in_the_arena() -> None:
    """Each fails in its own way, loses by it, and the match goes on."""
    expected = {
        "resigns": "resignation",
        "dies": "crash",
        "occupied": "illegal",
    }
    for mode, by in expected.items():
        endings: list[str | None] = []
        result = package.match(
            "hex", f"htp:cmd=./e {mode},time=20", "random",
            board="hex:3", games=2, plies=0, workers=1,
            report=lambda results, endings=endings: endings.extend(r.ending for r in results),
        )  # fmt: skip
        assert result.pairs.tally.games == 2
        assert by in endings


@pytest.mark.usefixtures("engine_here")
def test_a_move_that_is_too_late_in_the_arena_leaves_no_engine(tmp_path: Path) -> None:
    """The worker is ended with its engine, which is no child of the worker's group."""
    endings: list[str | None] = []
    package.match(
        "hex", "htp:cmd=./e hangs pids", "random", board="hex:3", games=1, plies=0,
        workers=1, move_time=1.0,
        report=lambda results: endings.extend(r.ending for r in results),
    )  # fmt: skip
    assert endings == ["time"]
    wait_until_gone(tmp_path / "pids")


@pytest.mark.parametrize("spec", ["htp", "htp:cmd=no-such-program-here", "htp:cmd=wolve,time=soon"])
def test_refusals_at_the_command_line(spec: str) -> None:
    assert_one_line_refusal(topple("play", "hex", spec, "random"))


def test_errors_are_topples_own() -> None:
    assert issubclass(EngineFailure, ToppleError)
    assert issubclass(Resigned, ToppleError)
