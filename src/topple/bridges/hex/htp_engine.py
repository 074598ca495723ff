"""HTP, the Hex Text Protocol: an agent as an engine for HexGui, twogtp and similar programs.

A command is one line. The reply begins with `=`, or with `?` if the command failed, followed by
a space even if there is no text, and ends with an empty line.
"""

import re
import sys
import traceback
from collections.abc import Callable, Iterable
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, TextIO

from topple import __version__
from topple.agents import Agent, Player
from topple.agents import agent as make_agent
from topple.bridges import sgf
from topple.bridges.hex.game_files import decoded
from topple.bridges.hex.notation import (
    BLACK,
    COLOURS,
    RESIGN,
    WHITE,
    check_size,
    with_side_colours,
)
from topple.bridges.hex.stone_board import StoneBoard, read_colour
from topple.core.errors import BadText, Resigned, ToppleError, unknown
from topple.core.spec import Option, option_text
from topple.core.text import one_line
from topple.game.position import Position

PROTOCOL = "2"
CANNOT_SCORE = "cannot score"
LONGEST_ERROR = 1000  # characters

# What HexGui offers in its analysis window, as type/label/command, with the agent's name.
ANALYSES = """param/{0} parameters/param_{0}
plist/All Legal Moves/all_legal_moves
string/Show Board/showboard
string/Final Score/final_score
string/Time Left/time_left
varc/Suggest Move/reg_genmove %c"""

UNLIMITED = "unlimited"
FEWEST_MOVES = 4  # that a game is always expected to last
CELLS_PER_MOVE = 4  # free cells for each expected own move: games seldom fill the board


class Deadline:
    """A stop signal that is set once some seconds have passed."""

    def __init__(self, seconds: float) -> None:
        self.end = perf_counter() + seconds

    def is_set(self) -> bool:
        """Whether the time is over."""
        return perf_counter() >= self.end


class Clock:
    """The seconds that a session leaves to each colour; None without a limit."""

    def __init__(self) -> None:
        self.left: dict[int, float | None] = {BLACK: None, WHITE: None}
        self.n_moves = {BLACK: 0, WHITE: 0}  # that the time is for; 0 if not known

    def set(self, colour: int, seconds: str, n_moves: int = 0) -> None:
        """Give a colour some seconds, perhaps for a number of moves.

        Raises
        ------
        BadText
            If `seconds` is not a time.
        """
        try:
            number = float(seconds)
        except ValueError:
            number = -1.0
        if not isfinite(number) or number < 0:
            raise BadText(f"{seconds!r:.40} is no number of seconds")
        self.left[colour], self.n_moves[colour] = number, n_moves

    def text(self, colour: int) -> str:
        """The seconds that a colour has left."""
        left = self.left[colour]
        return UNLIMITED if left is None else f"{left:.1f}"

    def deadline(self, colour: int, n_free: int) -> Deadline | None:
        """When to end a search with `n_free` free cells; None without a limit."""
        left = self.left[colour]
        if left is None:
            return None
        expected = max(FEWEST_MOVES, n_free // CELLS_PER_MOVE)
        return Deadline(left / (self.n_moves[colour] or expected))

    def spend(self, colour: int, seconds: float) -> None:
        """Subtract the time of one move."""
        left = self.left[colour]
        if left is not None:
            self.left[colour] = max(0.0, left - seconds)
            self.n_moves[colour] = max(0, self.n_moves[colour] - 1)


class Request(NamedTuple):
    """The parts of a command line."""

    number: str  # its id, or empty
    name: str
    arguments: list[str]


class Command(NamedTuple):
    """A command: the permitted numbers of arguments, None for any, and what it does."""

    n_arguments: tuple[int, ...] | None
    run: Callable[..., str | None]


def read_request(line: str) -> Request | None:
    """Parse a line; None if it contains no command.

    >>> read_request("12 play b a1  # a corner")
    Request(number='12', name='play', arguments=['b', 'a1'])
    >>> read_request("# a remark")
    """
    plain = "".join(each for each in line.replace("\t", " ") if each.isprintable())
    words = plain.partition("#")[0].split()
    number = words.pop(0) if words and re.fullmatch("[0-9]{1,18}", words[0]) else ""
    return Request(number, words[0], words[1:]) if words else None


def reply_text(request: Request, *, failed: bool, text: str) -> str:
    r"""A reply as it is sent, without empty lines except the last.

    >>> reply_text(Request("7", "name", []), failed=False, text="topple")
    '=7 topple\n\n'
    >>> reply_text(Request("", "clear_board", []), failed=False, text="")
    '= \n\n'
    """
    lines = [line.rstrip() for line in text.split("\n")]
    lines = [line for place, line in enumerate(lines) if line or place == 0]
    return f"{'?' if failed else '='}{request.number} " + "\n".join(lines) + "\n\n"


class HtpEngine:
    """A session: an agent, a board and the moves on it.

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
        self.is_over = False  # the other side has sent quit
        self.clock = Clock()
        self._begin_on(StoneBoard(size, swap=swap))
        self.commands = {
            "name": Command((0,), lambda: "topple"),
            "version": Command((0,), lambda: f"{__version__} {self.agent.spec}"),
            "protocol_version": Command((0,), lambda: PROTOCOL),
            "list_commands": Command((0,), lambda: "\n".join(self.commands)),
            "known_command": Command((1,), lambda name: str(name in self.commands).lower()),
            "boardsize": Command((1, 2), self._set_size),
            "clear_board": Command((0,), self._clear),
            "play": Command((2,), self._play),
            "play-game": Command(None, self._play_game),
            "genmove": Command((1,), self._generate_move),
            "reg_genmove": Command((1,), lambda colour: self._choose(read_colour(colour))),
            "undo": Command((0,), self._undo),
            "showboard": Command((0,), lambda: "\n" + "\n".join(self.board.draw())),
            "time_left": Command((0, 1, 2, 3), self._time_left),
            "final_score": Command((0,), self._final_score),
            "all_legal_moves": Command((0, 1), self._all_legal_moves),
            "loadsgf": Command(None, self._load_sgf),
            f"param_{agent.NAME}": Command(None, self._parameters),
            "hexgui-analyze_commands": Command((0,), lambda: ANALYSES.format(self.agent.NAME)),
            "quit": Command(None, self._quit),
        }

    def answer(self, line: str) -> str | None:
        """The reply to a line; None if it contains no command."""
        request = read_request(line)
        if request is None:
            return None
        try:
            return reply_text(request, failed=False, text=self._run(request))
        except ToppleError as error:
            return reply_text(request, failed=True, text=one_line(error, LONGEST_ERROR))
        except Exception as error:  # a fault of somebody's agent must not end the session
            self.log(traceback.format_exc())
            message = f"{type(error).__name__}: {one_line(error, LONGEST_ERROR)}"
            return reply_text(request, failed=True, text=message)

    def _run(self, request: Request) -> str:
        command = self.commands.get(request.name)
        if command is None:
            raise BadText(f"unknown command {request.name:.40}")
        n_given = len(request.arguments)
        if command.n_arguments is not None and n_given not in command.n_arguments:
            wanted = " or ".join(map(str, command.n_arguments))
            raise BadText(f"{n_given} arguments are given, {wanted} wanted")
        return command.run(*request.arguments) or ""

    def _begin_on(self, board: StoneBoard) -> None:
        """Continue on a board with a new player, who remembers nothing."""
        self.agent.check_game(board.game)
        self.board = board
        self.player: Player = self.agent.begin(self.seed)

    def _set_size(self, columns: str, rows: str | None = None) -> None:
        """`boardsize 11` or `boardsize 11 11`: begin on an empty board."""
        size = check_size(_number(columns, "a size"), _number(rows or columns, "a size"))
        self._begin_on(StoneBoard(size, swap=self.swap))

    def _clear(self) -> None:
        self.board.clear()
        self._begin_on(self.board)

    def _play(self, colour: str, move: str) -> None:
        self.board.play(read_colour(colour), move)

    def _play_game(self, *moves: str) -> None:
        """Begin again and play all moves in turn, Black's first."""
        board = StoneBoard(self.board.size, swap=self.swap)
        for move in moves:
            board.play(board.turn, move)
        self._begin_on(board)

    def _generate_move(self, colour_text: str) -> str:
        """Choose a move and play it; in a finished game only resign."""
        colour = read_colour(colour_text)
        is_over = self.board.winner is not None
        move = self._choose(colour)
        if not is_over:
            self.board.play(colour, move)
        return move

    def _choose(self, colour: int) -> str:
        """The agent's move; in a finished game it resigns."""
        if self.board.winner is not None:
            return RESIGN
        position = self.board.position(colour)
        self.agent.warm(position.game)
        began = perf_counter()
        deadline = self.clock.deadline(colour, len(self.board.free_cells()))
        try:
            move = self._decide(position, deadline)
        except Resigned:
            return RESIGN
        finally:
            self.clock.spend(colour, perf_counter() - began)
        return position.game.move_text(position.check_move(move))

    def _decide(self, position: Position, deadline: Deadline | None) -> int:
        ply = len(self.board.history)
        if deadline is None:
            return self.player.choose(position, ply).move
        return list(self.player.think(position, ply, stop=deadline))[-1].move

    def _time_left(
        self, colour_text: str = "", seconds: str | None = None, moves: str = "0"
    ) -> str | None:
        """`time_left`, `time_left b`, or `time_left b 300` (and perhaps moves) to set it."""
        if not colour_text:
            return ", ".join(f"{COLOURS[each]}: {self.clock.text(each)}" for each in (BLACK, WHITE))
        colour = read_colour(colour_text)
        if seconds is None:
            return self.clock.text(colour)
        self.clock.set(colour, seconds, _number(moves, "a number of moves"))
        return None

    def _undo(self) -> None:
        self.board.undo()

    def _final_score(self) -> str:
        winner = self.board.winner
        return CANNOT_SCORE if winner is None else f"{'BW'[winner]}+"

    def _all_legal_moves(self, colour: str = "") -> str:
        """The legal cells, which do not depend on the colour."""
        if self.board.winner is not None:
            return ""
        position = self.board.position(self.board.turn)
        return " ".join(position.game.move_text(move) for move in position.legal_moves())

    def _load_sgf(self, *words: str) -> None:
        """`loadsgf FILE`, or `loadsgf FILE N` for the position after N moves."""
        if not words:
            raise BadText("write loadsgf FILE, perhaps with a number of moves")
        n_moves = None
        if len(words) > 1 and words[-1].isdecimal():
            n_moves = _number(words[-1], "a number of moves")
            words = words[:-1]
        record = sgf.read(read_file(" ".join(words)))
        board = StoneBoard(record.board.rows, swap=self.swap)
        for move in with_side_colours(record)[:n_moves]:
            board.play(move.colour, move.text)
        self._begin_on(board)

    def _parameters(self, name: str = "", *value: str) -> str | None:
        """The agent's options, or `param_<agent> key value` to change one.

        Without a value the option gets its default again.
        """
        if not name:
            return "\n" + list_parameters(self.agent)
        agent = changed_agent(self.agent, name, " ".join(value))
        agent.check_game(self.board.game)
        self.agent = agent
        self._begin_on(self.board)
        return None

    def _quit(self, *ignored: str) -> None:
        self.is_over = True


def serve(engine: HtpEngine, lines: Iterable[str], out: TextIO) -> None:
    """Answer lines until they end or one of them is `quit`; flush each reply."""
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
    """Print a line of a session's log to stderr, because stdout belongs to the protocol."""
    print(text, file=sys.stderr, flush=True)


def list_parameters(agent: Agent) -> str:
    """Each option on a line as HexGui reads it, such as `[string] iterations 1000`.

    >>> print(list_parameters(make_agent("random")))
    <BLANKLINE>
    """
    return "\n".join(_parameter(option, agent.options[option.name]) for option in agent.OPTIONS)


def _parameter(option: Option, value: object) -> str:
    if option.kind is bool:
        return f"[bool] {option.name} {int(bool(value))}"
    kind = f"list/{'/'.join(option.choices)}" if option.choices else "string"
    text = "" if value is None else option_text(value)
    return f"[{kind}] {option.name} {text}".rstrip()


def changed_agent(agent: Agent, name: str, value: str) -> Agent:
    """The same agent with one option changed, or set to its default if `value` is empty.

    Raises
    ------
    BadText
        If there is no such option, or the value is wrong.
    """
    defaults = {option.name: option.default for option in agent.OPTIONS}
    if name not in defaults:
        raise BadText(unknown(f"option of {agent.NAME}", name, defaults))
    return make_agent(agent.NAME, **{**agent.options, name: value or defaults[name]})


def _number(text: str, what: str) -> int:
    if not re.fullmatch("[0-9]{1,6}", text):
        raise BadText(f"{text!r:.40} is not {what}")
    return int(text)
