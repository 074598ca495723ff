"""HTP: every command, its framing to the byte, and what HexGui and twogtp rely on."""

import io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.command_line import assert_one_line_refusal, topple
from topple import __version__
from topple.agents import Agent, Candidate, Decision, Effort, Search, agent
from topple.bridges.hex.htp_engine import Clock, Deadline, HtpEngine, serve
from topple.bridges.hex.stone_board import StoneBoard
from topple.core.errors import Resigned
from topple.game.position import Position

COMMANDS = [
    "name", "version", "protocol_version", "list_commands", "known_command", "boardsize",
    "clear_board", "play", "play-game", "genmove", "reg_genmove", "undo", "showboard", "time_left",
    "final_score", "all_legal_moves", "loadsgf", "param_uct", "hexgui-analyze_commands", "quit",
]  # fmt: skip


def engine(spec: str = "uct:iterations=200", size: int = 3, *, swap: bool = False) -> HtpEngine:
    return HtpEngine(agent(spec), size, seed=1, swap=swap)


def session(*lines: str, on: HtpEngine | None = None) -> list[str]:
    """The replies to lines, each without its frame."""
    out = io.StringIO()
    serve(on or engine(), [f"{line}\n" for line in lines], out)
    replies = out.getvalue().split("\n\n")
    assert replies.pop() == ""  # the last reply ends like the others
    for reply in replies:
        assert re.match("[=?][0-9]* ", reply)
        assert "" not in reply.split("\n")[1:]
    return [reply if reply.startswith("?") else reply[2:] for reply in replies]


SCRIPT = """\
# every command of the protocol

name
version
1 protocol_version
2 known_command genmove
3 known_command castle
boardsize 3
boardsize 3 3
play b b2
play WHITE A1
  play\tblack b2
showboard
all_legal_moves
final_score
genmove b
undo
play b c1
44 play w c3
final_score
reg_genmove b # it is not played
play b a3
final_score
genmove w
reg_genmove b
play w resign
all_legal_moves
undo
undo
final_score
time_left
time_left w 60.5
time_left w
time_left b 30 10
time_left
param_uct iterations 20
clear_board
play-game a1 swap-pieces b2
showboard
hexgui-analyze_commands
castle
play b
99 quit
name
"""

REPLIES = """\
= topple

= {version} uct:iterations=200

=1 2

=2 true

=3 false

=\x20

=\x20

=\x20

=\x20

? b2 is taken

=\x20
    a b c
 1  W . .
  2  . B .
   3  . . .
Black joins top and bottom, White left and right; Black to move

= b1 c1 a2 c2 a3 b3 c3

= cannot score

= {first}

=\x20

=\x20

=44\x20

= cannot score

= {second}

=\x20

= B+

= resign

= resign

=\x20

=\x20

=\x20

=\x20

= cannot score

= Black: unlimited, White: unlimited

=\x20

= 60.5

=\x20

= Black: 30.0, White: 60.5

=\x20

=\x20

=\x20

=\x20
    a b c
 1  B . .
  2  . W .
   3  . . .
Black joins top and bottom, White left and right; Black to move

= param/uct parameters/param_uct
plist/All Legal Moves/all_legal_moves
string/Show Board/showboard
string/Final Score/final_score
string/Time Left/time_left
varc/Suggest Move/reg_genmove %c

? unknown command castle

? 1 arguments are given, 2 wanted

=99\x20

"""


def test_a_session_with_every_command_to_the_byte() -> None:
    """Black has two ways to win at once, before c1 and after it: which is the agent's choice."""
    arguments = ["--agent", "uct:iterations=200", "--board", "hex:5", "--seed", "3"]
    ran = topple("htp", *arguments, typed=SCRIPT)
    replies = ran.out.split("\n\n")
    first, second = replies[13].removeprefix("= "), replies[18].removeprefix("= ")
    assert first in ("b1", "c1", "a2", "c2", "a3", "b3", "c3")
    assert second in ("a3", "b3")
    assert ran.out == REPLIES.format(version=__version__, first=first, second=second)
    assert ran.status == 0
    assert "Traceback" not in ran.err


def test_the_commands_are_listed_and_known() -> None:
    listed, *known = session("list_commands", *(f"known_command {name}" for name in COMMANDS))
    assert listed.split("\n") == COMMANDS
    assert set(known) == {"true"}


def test_lines_without_a_command_get_no_reply() -> None:
    assert session("", "   ", "# hello", "\t", "7", "\x00\x07") == []


def test_carriage_returns_and_control_characters_do_not_matter() -> None:
    replies = io.StringIO()
    serve(engine(), ["na\x07me\r\n", "12\tname\n"], replies)
    assert replies.getvalue() == "= topple\n\n=12 topple\n\n"


def test_quit_ends_the_session_and_so_does_the_end() -> None:
    assert session("name", "quit", "name") == ["topple", ""]
    assert session("name") == ["topple"]


def test_any_order_of_colours_is_accepted() -> None:
    on = engine("uct:iterations=50", 5)
    assert session("play w a1", "play w b5", "play b a3", on=on) == ["", "", ""]
    first, second = session("genmove w", "genmove w", on=on)
    assert on.board.stones == {"a1": 1, "b5": 1, "a3": 0, first: 1, second: 1}
    assert session("genmove b", "undo", "undo", "final_score", on=on)[1:] == [
        "",
        "",
        "cannot score",
    ]


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 5), st.lists(st.tuples(st.integers(0, 1), st.integers(0, 24)), max_size=25))
def test_stones_in_any_order_are_joined_as_in_any_other(
    size: int, stones: list[tuple[int, int]]
) -> None:
    """The winner is the colour that a plain flood finds; a board is no history."""
    table = StoneBoard(size)
    labels = table.game.board.labels
    placed = {v: colour for colour, v in stones if v < size * size}
    for vertex, colour in placed.items():
        table.play(colour, labels[vertex])
    winners = [colour for colour in (0, 1) if is_joined(size, placed, colour)]
    assert len(winners) <= 1
    assert table.winner == (winners[0] if winners else None)
    position = table.position(1)
    assert position.player == 1
    assert position.is_over == bool(winners)


def is_joined(size: int, stones: dict[int, int], colour: int) -> bool:
    """Whether a colour's stones join its two sides."""
    own = {(v // size, v % size) for v, c in stones.items() if c == colour}
    reached = {cell for cell in own if cell[colour] == 0}
    while True:
        near = {(r + a, c + b) for r, c in reached
                for a, b in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))}  # fmt: skip
        if not (near & own) - reached:
            return any(cell[colour] == size - 1 for cell in reached)
        reached |= near & own


def test_a_swap_keeps_the_stone_and_exchanges_the_players() -> None:
    """As twogtp has it: the other engine is then asked for White's move."""
    on = engine("uct:iterations=50", swap=True)
    assert session("play b a2", "play w swap-pieces", on=on) == ["", ""]
    assert on.board.stones == {"a2": 0}
    position = on.board.position(1)
    assert position.text == ".../X../... Blue swapped"
    move = session("genmove w", on=on)[0]
    assert on.board.stones == {"a2": 0, move: 1}
    assert session("undo", "undo", "all_legal_moves", on=on)[2].endswith("swap-pieces")


@pytest.mark.parametrize(
    "lines",
    [
        ["play b swap-pieces"],
        ["play b a1", "play b swap-pieces"],
        ["play b a1", "play w b1", "play b swap-pieces"],
        ["play b a1", "play w swap-pieces", "play b swap-pieces"],
    ],
)
def test_a_swap_is_for_the_second_move(lines: list[str]) -> None:
    last = session(*lines)[-1]
    assert last == "? swap-pieces is for the second move, after the other colour's stone"


def test_a_mirrored_swap_is_replayed_by_the_other_program() -> None:
    """It clears the board and sets the mirrored stone for White; Black is next."""
    on = engine("uct:iterations=50", swap=True)
    replies = session("play b a2", "clear_board", "play w b1", "genmove b", on=on)
    assert replies[:3] == ["", "", ""]
    assert replies[3] != "swap-pieces"
    assert on.board.stones == {"b1": 1, replies[3]: 0}


def test_an_agent_swaps_only_where_it_may() -> None:
    """On 2×2 the first stone in the long corner wins, so that who may takes it over."""
    assert session("play b b1", "genmove w", on=engine("perfect", 2, swap=True))[1] == "swap-pieces"
    assert session("play b b1", "genmove w", on=engine("perfect", 2))[1] in ("a1", "a2", "b2")
    swapped = session("play b b1", "play w swap-pieces", "genmove w",
                      on=engine("perfect", 2, swap=True))  # fmt: skip
    assert swapped[2] in ("a1", "a2", "b2")


def test_two_engines_play_a_game_under_twogtps_commands() -> None:
    """The game ends with a resignation, which the other one hears of."""
    engines = [engine("uct:iterations=60", 4, swap=True) for _ in range(2)]
    black, colour, move = 0, "b", ""
    for _ in range(40):
        asked = engines[black if colour == "b" else 1 - black]
        (move,) = session(f"genmove {colour}", on=asked)
        other = engines[1] if asked is engines[0] else engines[0]
        assert session(f"play {colour} {move}", on=other) == [""]
        if move == "resign":
            break
        if move == "swap-pieces":
            black = 1 - black
        else:
            colour = "w" if colour == "b" else "b"
    assert move == "resign"
    winner = "W+" if colour == "b" else "B+"
    assert [session("final_score", on=each) for each in engines] == [[winner], [winner]]


def test_a_resignation_is_scored_and_taken_back() -> None:
    lines = ["play b a1", "play w resign", "final_score", "genmove b", "undo", "final_score"]
    assert session(*lines)[2:] == ["B+", "resign", "", "cannot score"]


class GivesUp(Agent):
    """Resigns, or breaks."""

    NAME, SUMMARY = "gives-up", "gives up"

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Give up, or break where a stone is on the board."""
        if position.text.startswith("B") or "X" in position.text:
            raise ZeroDivisionError("an agent's\nown fault")
        raise Resigned("enough")


def test_an_agent_that_resigns_or_fails() -> None:
    told: list[str] = []
    on = HtpEngine(GivesUp(), 3, log=told.append)
    assert session("genmove w", "final_score", "undo", on=on) == ["resign", "B+", ""]
    replies = session("play b a1", "genmove w", "final_score", on=on)
    assert replies == ["", "? ZeroDivisionError: an agent's own fault", "cannot score"]
    assert "Traceback" in told[0]


class Patient(Agent):
    """Thinks until it is stopped."""

    NAME, SUMMARY = "patient", "thinks until it is stopped"

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Begin to think."""
        return PatientSearch(position)


class PatientSearch(Search):
    """Thought without end."""

    is_done = False

    def __init__(self, position: Position) -> None:
        self.move = position.legal_moves()[0]

    def advance(self, n: int) -> None:
        """Think."""
        time.sleep(0.001)

    def decision(self) -> Decision:
        """The first move."""
        return Decision(self.move, 0.0, (Candidate(self.move, 0.0),), (self.move,), Effort())


def test_the_clock_ends_a_search() -> None:
    on = HtpEngine(Patient(), 3)
    move, left = session("time_left b 0.2", "genmove b", "time_left b", on=on)[1:]
    assert move == "a1"
    assert 0 <= float(left) < 0.2


def test_shares_of_the_clock() -> None:
    clock = Clock()
    assert clock.deadline(0, 9) is None
    clock.set(0, "100")
    assert seconds(clock.deadline(0, 120)) == pytest.approx(100 / 30, abs=0.1)
    assert seconds(clock.deadline(0, 4)) == pytest.approx(25, abs=0.1)  # it may last longer yet
    clock.set(0, "100", 2)
    assert seconds(clock.deadline(0, 120)) == pytest.approx(50, abs=0.1)
    clock.spend(0, 60)
    assert (clock.text(0), clock.n_moves[0]) == ("40.0", 1)
    clock.spend(0, 60)
    assert clock.text(0) == "0.0"
    deadline = clock.deadline(0, 120)
    assert deadline is not None
    assert deadline.is_set()


def seconds(deadline: Deadline | None) -> float:
    assert deadline is not None
    return deadline.end - time.perf_counter()


def test_parameters_are_listed_as_hexgui_reads_them() -> None:
    on = engine("alphabeta:depth=2")
    lines = session("param_alphabeta", on=on)[0].split("\n")
    assert lines[0] == ""
    assert "[string] depth 2" in lines
    assert "[string] time" in lines
    assert all(line.startswith("[") for line in lines[1:])
    assert "[bool] solver 1" in session("param_uct")[0].split("\n")
    assert session("param_alphabeta depth 3", "version", on=on)[1].endswith("alphabeta:depth=3")
    assert session("param_alphabeta depth", "version", on=on)[1].endswith("alphabeta")


def test_loading_games(tmp_path: Path) -> None:
    path = tmp_path / "a game.sgf"
    plain = tmp_path / "game.sgf"
    for each in (path, plain):
        each.write_text("(;GM[11]SZ[4];B[a2];W[swap-pieces];B[a3];W[d4])", "utf-8")
    on = engine()
    assert session(f"loadsgf {plain}", on=on) == [""]
    assert (on.board.size, on.board.stones) == (4, {"a2": 0, "c1": 1, "d4": 0})
    assert session(f"loadsgf {plain} 3", "genmove b", on=on)[0] == ""
    assert session(f"loadsgf {plain} 1", on=on) == [""]
    assert on.board.stones == {"a2": 0}
    assert session(f"loadsgf {path}", on=on) == [""]  # a name with a space
    assert on.board.stones == {"a2": 0, "c1": 1, "d4": 0}
    before = dict(on.board.stones)
    broken = tmp_path / "broken.sgf"
    broken.write_text("(;GM[11]SZ[4];B[z9])", "utf-8")
    for name in ("missing.sgf", str(broken), str(tmp_path)):
        assert session(f"loadsgf {name}", on=on)[0].startswith("? ")
    assert on.board.stones == before


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("boardsize", "0 arguments are given"),
        ("boardsize 11 13", "11×13 is not square"),
        ("boardsize 27", "beyond 1×1 to 26×26"),
        ("boardsize 0", "beyond"),
        ("boardsize many", "'many' is not a size"),
        ("boardsize -3", "'-3' is not a size"),
        ("play", "0 arguments"),
        ("play red a1", "'red' is no colour"),
        ("play b d1", "'d1' is no move: write a cell from a1 to c3"),
        ("play b pass", "'pass' is no move"),
        ("genmove", "0 arguments"),
        ("genmove x", "'x' is no colour"),
        ("undo", "no move to take back"),
        ("undo 3", "1 arguments"),
        ("time_left b soon", "'soon' is no number of seconds"),
        ("time_left b -1", "no number"),
        ("time_left b nan", "no number"),
        ("time_left b 10 x", "'x' is not a number of moves"),
        ("param_uct speed 3", "unknown option of uct 'speed'"),
        ("param_uct iterations some", "is not a whole number"),
        ("param_alphabeta", "unknown command"),
        ("play-game a1 a1", "a1 is taken"),
        ("loadsgf", "write loadsgf FILE"),
        ("x" * 5000, "unknown command xxx"),
    ],
)
def test_errors_are_replies_and_change_nothing(line: str, words: str) -> None:
    on = engine()
    (reply,) = session(line, on=on)
    assert reply.startswith("? ")
    assert words in reply
    assert len(reply) < 300
    assert (on.board.size, on.board.history, on.agent.spec) == (3, [], "uct:iterations=200")


@settings(deadline=None, max_examples=100)
@given(st.lists(st.lists(st.sampled_from([
    "play", "b", "w", "a1", "b2", "c3", "swap-pieces", "resign", "genmove", "undo", "boardsize",
    "3", "clear_board", "reg_genmove", "final_score", "all_legal_moves", "showboard", "#",
    "time_left", "play-game", "5", "param_random", "=",
]), max_size=4).map(" ".join), max_size=12))  # fmt: skip
def test_no_line_ends_a_session_unexpectedly(lines: list[str]) -> None:
    session(*lines, on=engine("random"))


def test_a_process_answers_at_once_and_leaves_quietly_on_ctrl_c() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "topple", "htp", "--agent", "random", "--board", "hex:3"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("name\n")
    process.stdin.flush()
    assert [process.stdout.readline() for _ in range(2)] == ["= topple\n", "\n"]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert [line for line in err.splitlines() if "compiling" not in line] == []


def test_an_agent_with_a_network_plays_unless_another_is_named() -> None:
    assert topple("htp", "--board", "hex:3", typed="version\n").out == (
        f"= {__version__} puct:time=5.0\n\n"
    )
    answered = topple("htp", "--board", "hex:1", "--swap", typed="genmove b\n").out
    assert answered == "= a1\n\n"  # the only move needs no time


@pytest.mark.parametrize(
    "arguments",
    [
        ["--agent", "nobody"],
        ["--board", "grid:3x3"],
        ["--board", "hex:99"],
        ["--agent", "volatile"],
    ],
)
def test_refusals_at_the_command_line(arguments: list[str]) -> None:
    assert_one_line_refusal(topple("htp", *arguments))
