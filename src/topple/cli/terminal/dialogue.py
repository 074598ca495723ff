"""What a person may say at the board: a move, or a command."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from topple.cli.terminal.agent_turn import decide
from topple.cli.terminal.game_text import plies_text, show_position, tell_move
from topple.cli.terminal.keyboard import read_line
from topple.cli.terminal.output import print_wrapped
from topple.cli.terminal.players import find_player
from topple.cli.terminal.record_files import read_one_game, write_record
from topple.cli.terminal.session import Session
from topple.cli.views.decision import joined_moves, print_decision, win_chance
from topple.core.errors import BadText, ToppleError
from topple.core.streams import plain_line
from topple.game.warm_up import prepare
from topple.rules.text import parse_count

MOST_MOVES = 40  # named by `moves`
MOST_TAKEN_BACK = 1_000_000
ADVISER = "uct:iterations=1000"  # whom `hint` asks
MOST_HINTS = 5  # moves that a hint names


class Command(NamedTuple):
    """A word that a person may say, with what may follow it."""

    usage: str
    meaning: str
    act: Callable[["Dialogue", str], None]


class Dialogue:
    """The conversation with the person at the board."""

    def __init__(self, session: Session, *, board: bool) -> None:
        self.session = session
        self.board = board

    def turn(self) -> None:
        """Ask for one line and do what it says; a line that cannot be done is answered."""
        line = read_line(self._prompt(), self._words)
        if line is None:
            self.session.is_left = True
            print("the input has ended")
            return
        try:
            self._obey(line.strip())
        except (ToppleError, OSError) as error:
            print(plain_line(_answer(error)))

    def _prompt(self) -> str:
        if self.session.position.is_over:
            return "over (undo, save FILE or Enter to leave)> "
        return f"{self.session.game.players[self.session.position.player]} to move> "

    def _words(self) -> list[str]:
        """What Tab completes: commands and moves."""
        position = self.session.position
        return [*COMMANDS, *map(position.game.move_text, position.legal_moves())]

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word.lower() in COMMANDS:
            COMMANDS[word.lower()].act(self, rest.strip())
        elif line:
            self.play(line)
        elif self.session.position.is_over:
            self.quit("")

    def play(self, text: str) -> None:
        """Play a move given as text."""
        session = self.session
        try:
            before = session.play(text)
        except BadText as error:
            raise BadText(f"{error}; `help` lists the commands") from None
        move = session.written[-1]
        tell_move(before, move, len(session.moves), session.position, board=self.board)

    def help(self, rest: str) -> None:
        """List the commands and show what a move looks like."""
        for command in COMMANDS.values():
            print(f"{command.usage:<14}{command.meaning}")
        legal = self.session.position.legal_moves()
        if legal:
            print(f"{'a move':<14}for example {self.session.game.move_text(legal[0])}")

    def moves(self, rest: str) -> None:
        """Name the legal moves, some of them or all."""
        game, legal = self.session.game, self.session.position.legal_moves()
        shown = legal if rest == "all" else legal[:MOST_MOVES]
        texts = [game.move_text(move) for move in shown]
        if len(shown) < len(legal):
            texts.append(f"… and {len(legal) - len(shown):,} more (`moves all`)")
        print_wrapped(f"{plies_text(len(legal))}: {joined_moves(texts)}")

    def hint(self, rest: str) -> None:
        """Ask an agent for the best moves."""
        session = self.session
        position, adviser = session.position, find_player(rest or ADVISER)
        adviser.check_game(session.game)
        prepare(session.game, adviser)
        seed = adviser.begin(session.seed).seed_at(len(session.moves))
        decision = decide(position, adviser.think(position, seed))
        print_decision(position, decision, MOST_HINTS)
        chance = win_chance(session.game, adviser, decision.value)
        if chance is not None and not decision.proven:
            print(f"win chance: {chance:.0%}")

    def undo(self, rest: str) -> None:
        """Take back to the person's last turn, or so many moves."""
        if rest and not rest.isdecimal():
            raise BadText(f"{rest!r} is not a number of moves: write undo or undo 2")
        n_plies = self.session.take_back(
            parse_count(rest, MOST_TAKEN_BACK, "moves") if rest else None
        )
        print(f"took back {plies_text(n_plies)}")
        self._show()

    def save(self, rest: str) -> None:
        """Write the record of the game so far to a new file."""
        path = _file_name(rest, "save")
        write_record(self.session.record(), path)
        print(f"saved to {path}")

    def load(self, rest: str) -> None:
        """Go on from a record in a file."""
        path = _file_name(rest, "load")
        self.session.resume(read_one_game(str(path)))
        game = self.session.game
        print(f"{game.spec} on {game.board.spec}, {plies_text(len(self.session.moves))} played")
        self._show()

    def draw(self, rest: str) -> None:
        """Draw the board."""
        show_position(self.session.position)

    def record(self, rest: str) -> None:
        """Print the record of the game so far."""
        print(self.session.record().to_json())

    def quit(self, rest: str) -> None:
        """Leave the game."""
        self.session.is_left = True

    def _show(self) -> None:
        if self.board:
            show_position(self.session.position)


COMMANDS = {
    "help": Command("help", "this list", Dialogue.help),
    "moves": Command("moves [all]", "the legal moves", Dialogue.moves),
    "play": Command("play MOVE", "a move, even one that is called like a command", Dialogue.play),
    "hint": Command("hint [AGENT]", "the best moves, as an agent sees them", Dialogue.hint),
    "undo": Command("undo [N]", "take back to your last turn, or N moves", Dialogue.undo),
    "board": Command("board", "draw the board again", Dialogue.draw),
    "save": Command("save FILE", "write the game so far to a new file", Dialogue.save),
    "load": Command("load FILE", "go on from a saved game", Dialogue.load),
    "record": Command("record", "print the game so far as it would be saved", Dialogue.record),
    "quit": Command("quit", "leave the game", Dialogue.quit),
}


def _file_name(rest: str, command: str) -> Path:
    if not rest:
        raise BadText(f"name a file: {command} FILE")
    try:
        if "\0" in rest:
            raise RuntimeError
        return Path(rest).expanduser()
    except RuntimeError:
        raise BadText(f"{rest!r:.60} is no file's name") from None


def _answer(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}"
    return str(error)
