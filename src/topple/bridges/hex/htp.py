"""HTP, the Hex Text Protocol: an agent as an engine for HexGui, twogtp and the like.

A command is a line; the reply begins with `=`, or with `?` where the command has
failed, has a space behind it even if nothing follows, and ends with an empty line.
"""

import re
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, TextIO

from topple import __version__
from topple.agents import Agent, Player
from topple.bridges.hex import sgf
from topple.bridges.hex.formats import decoded
from topple.bridges.hex.game_lines import BLACK, COLOURS, RESIGN, WHITE, check_size, from_sides
from topple.bridges.hex.htp_clock import Alarm, Clock
from topple.bridges.hex.htp_parameters import changed_agent, list_parameters
from topple.bridges.hex.stones import HexTable, read_colour
from topple.core.errors import BadText, Resigned, ToppleError
from topple.game.position import Position

PROTOCOL = "2"
CANNOT_SCORE = "cannot score"


class Request(NamedTuple):
    """A command line, taken apart."""

    number: str  # its id, or nothing
    name: str
    arguments: list[str]


def read_request(line: str) -> Request | None:
    """Take a line apart; None if there is no command in it.

    >>> read_request("12 play b a1  # a corner")
    Request(number='12', name='play', arguments=['b', 'a1'])
    >>> read_request("# a remark")
    """
    plain = "".join(each for each in line.replace("\t", " ") if each.isprintable())
    words = plain.partition("#")[0].split()
    number = words.pop(0) if words and re.fullmatch("[0-9]{1,18}", words[0]) else ""
    return Request(number, words[0], words[1:]) if words else None


def reply_text(request: Request, *, failed: bool, text: str) -> str:
    r"""A reply as it goes over the line: no empty line but the last.

    >>> reply_text(Request("7", "name", []), failed=False, text="topple")
    '=7 topple\n\n'
    >>> reply_text(Request("", "clear_board", []), failed=False, text="")
    '= \n\n'
    """
    lines = [line.rstrip() for line in text.split("\n")]
    lines = [line for place, line in enumerate(lines) if line or place == 0]
    return f"{'?' if failed else '='}{request.number} " + "\n".join(lines) + "\n\n"


class HtpEngine:
    """A session: an agent, a board, and what has been played on it.

    >>> import topple
    >>> engine = HtpEngine(topple.agent("random"), size=3)
    >>> engine.answer("play b b2")
    '= \\n\\n'
    >>> engine.answer("play w b2")
    '? b2 is taken\\n\\n'
    """

    def __init__(
        self,
        agent: Agent,
        size: int = 11,
        seed: int = 0,
        *,
        swap: bool = False,
        log: Callable[[str], None] | None = None,
    ) -> None:
        self.agent, self.seed, self.swap = agent, seed, swap
        self.log = log or (lambda text: None)
        self.is_over = False  # the other side has said quit
        self.clock = Clock()
        self._set_up(size)
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "name": self._name,
            "version": self._version,
            "protocol_version": self._protocol_version,
            "list_commands": self._list_commands,
            "known_command": self._known_command,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "play": self._play,
            "play-game": self._play_game,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": self._showboard,
            "time_left": self._time_left,
            "final_score": self._final_score,
            "all_legal_moves": self._all_legal_moves,
            "loadsgf": self._loadsgf,
            f"param_{agent.NAME}": self._param,
            "hexgui-analyze_commands": self._analyze_commands,
            "quit": self._quit,
        }

    def answer(self, line: str) -> str | None:
        """The reply to a line; None where it asks for nothing."""
        request = read_request(line)
        if request is None:
            return None
        try:
            return reply_text(request, failed=False, text=self._run(request))
        except ToppleError as error:
            return reply_text(request, failed=True, text=one_line(error))
        except Exception as error:  # an agent of somebody else's: the session goes on
            self.log(traceback.format_exc())
            told = f"{type(error).__name__}: {one_line(error)}"
            return reply_text(request, failed=True, text=told)

    def _run(self, request: Request) -> str:
        command = self.commands.get(request.name)
        if command is None:
            raise BadText(f"unknown command {request.name:.40}")
        return command(request.arguments)

    def _set_up(self, size: int) -> None:
        """Begin a game on an empty board."""
        table = HexTable(size, swap=self.swap)
        self.agent.check_game(table.game)
        self.table = table
        self._sit_down()

    def _sit_down(self) -> None:
        self.player: Player = self.agent.begin(self.seed)

    def _name(self, arguments: list[str]) -> str:
        _expect(arguments, 0)
        return "topple"

    def _version(self, arguments: list[str]) -> str:
        _expect(arguments, 0)
        return f"{__version__} {self.agent.spec}"

    def _protocol_version(self, arguments: list[str]) -> str:
        _expect(arguments, 0)
        return PROTOCOL

    def _list_commands(self, arguments: list[str]) -> str:
        _expect(arguments, 0)
        return "\n".join(self.commands)

    def _known_command(self, arguments: list[str]) -> str:
        _expect(arguments, 1)
        return "true" if arguments[0] in self.commands else "false"

    def _boardsize(self, arguments: list[str]) -> str:
        """`boardsize 11` or `boardsize 11 11`: the board is then empty."""
        _expect(arguments, 1, 2)
        columns, rows = (_number(text, "a size") for text in (arguments[0], arguments[-1]))
        self._set_up(check_size(columns, rows))
        return ""

    def _clear_board(self, arguments: list[str]) -> str:
        _expect(arguments, 0)
        self.table.clear()
        self._sit_down()
        return ""

    def _play(self, arguments: list[str]) -> str:
        _expect(arguments, 2)
        self.table.play(read_colour(arguments[0]), arguments[1])
        return ""

    def _play_game(self, arguments: list[str]) -> str:
        """Begin again and play all moves in turn, Black's first."""
        table = HexTable(self.table.size, swap=self.swap)
        for move in arguments:
            table.play(table.turn, move)
        self.table = table
        self._sit_down()
        return ""

    def _genmove(self, arguments: list[str]) -> str:
        _expect(arguments, 1)
        colour = read_colour(arguments[0])
        is_over = self.table.winner is not None
        move = self._choose(colour)
        if not is_over:
            self.table.play(colour, move)
        return move

    def _reg_genmove(self, arguments: list[str]) -> str:
        _expect(arguments, 1)
        return self._choose(read_colour(arguments[0]))

    def _choose(self, colour: int) -> str:
        """The agent's move; in a finished game there is nothing but to resign."""
        if self.table.winner is not None:
            return RESIGN
        position = self.table.position(colour)
        self.agent.warm(position.game)
        began = perf_counter()
        alarm = self.clock.alarm(colour, len(self.table.free_cells()))
        try:
            move = self._decide(position, alarm)
        except Resigned:
            return RESIGN
        finally:
            self.clock.spend(colour, perf_counter() - began)
        return position.game.move_text(position.check_move(move))

    def _decide(self, position: Position, alarm: Alarm | None) -> int:
        ply = len(self.table.history)
        if alarm is None:
            return self.player.choose(position, ply).move
        return list(self.player.think(position, ply, stop=alarm))[-1].move

    def _undo(self, arguments: list[str]) -> str:
        _expect(arguments, 0)
        self.table.undo()
        return ""

    def _showboard(self, arguments: list[str]) -> str:
        _expect(arguments, 0)
        return "\n" + "\n".join(self.table.draw())

    def _time_left(self, arguments: list[str]) -> str:
        """`time_left`, `time_left b`, or `time_left b 300` (and perhaps moves) to set it."""
        _expect(arguments, 0, 1, 2, 3)
        if not arguments:
            told = (f"{COLOURS[each]}: {self.clock.text(each)}" for each in (BLACK, WHITE))
            return ", ".join(told)
        colour = read_colour(arguments[0])
        if len(arguments) == 1:
            return self.clock.text(colour)
        n_moves = _number(arguments[2], "a number of moves") if len(arguments) == 3 else 0
        self.clock.set(colour, arguments[1], n_moves)
        return ""

    def _final_score(self, arguments: list[str]) -> str:
        _expect(arguments, 0)
        winner = self.table.winner
        return CANNOT_SCORE if winner is None else f"{'BW'[winner]}+"

    def _all_legal_moves(self, arguments: list[str]) -> str:
        """The cells that are free; a colour may be named, it makes no difference."""
        _expect(arguments, 0, 1)
        if self.table.winner is not None:
            return ""
        position = self.table.position(self.table.turn)
        return " ".join(position.game.move_text(move) for move in position.legal_moves())

    def _loadsgf(self, arguments: list[str]) -> str:
        """`loadsgf FILE`, or `loadsgf FILE N` for the position after N moves."""
        if not arguments:
            raise BadText("write loadsgf FILE, perhaps with a number of moves")
        n_moves = None
        if len(arguments) > 1 and arguments[-1].isdecimal():
            n_moves = _number(arguments.pop(), "a number of moves")
        record = sgf.read(read_file(" ".join(arguments)))
        table = HexTable(record.board.rows, swap=self.swap)
        for word in from_sides(record)[:n_moves]:
            table.play(word.colour, word.text)
        self.table = table
        self._sit_down()
        return ""

    def _param(self, arguments: list[str]) -> str:
        """The agent's options, or `param_<agent> key value` to change one.

        Without a value it becomes again what it is by default.
        """
        if not arguments:
            return "\n" + list_parameters(self.agent)
        agent = changed_agent(self.agent, arguments[0], " ".join(arguments[1:]))
        agent.check_game(self.table.game)
        self.agent = agent
        self._sit_down()
        return ""

    def _analyze_commands(self, arguments: list[str]) -> str:
        """What HexGui offers in its analysis window: type/label/command."""
        _expect(arguments, 0)
        name = self.agent.NAME
        return "\n".join(
            (
                f"param/{name} parameters/param_{name}",
                "plist/All Legal Moves/all_legal_moves",
                "string/Show Board/showboard",
                "string/Final Score/final_score",
                "string/Time Left/time_left",
                "varc/Suggest Move/reg_genmove %c",
            )
        )

    def _quit(self, arguments: list[str]) -> str:
        self.is_over = True
        return ""


def serve(engine: HtpEngine, lines: Iterable[str], out: TextIO) -> None:
    """Answer lines until they end or one of them is `quit`; each reply is sent at once."""
    for line in lines:
        reply = engine.answer(line)
        if reply is not None:
            out.write(reply)
            out.flush()
        if engine.is_over:
            return


def read_file(name: str) -> str:
    """The text of a file.

    Raises
    ------
    BadText
        If it cannot be read.
    """
    try:
        return decoded(Path(name).read_bytes())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadText(f"{name} cannot be read: {reason}") from None


def log_to_stderr(text: str) -> None:
    """Where a session's log goes: stdout belongs to the protocol."""
    print(text, file=sys.stderr, flush=True)


def one_line(error: BaseException) -> str:
    """An error's message on one line."""
    return " ".join(str(error).split())


def _expect(arguments: list[str], *numbers: int) -> None:
    if len(arguments) not in numbers:
        wanted = " or ".join(map(str, numbers))
        raise BadText(f"{len(arguments)} arguments are given, {wanted} wanted")


def _number(text: str, what: str) -> int:
    if not re.fullmatch("[0-9]{1,6}", text):
        raise BadText(f"{text!r:.40} is not {what}")
    return int(text)
