"""htp: an engine that speaks the Hex Text Protocol, as an agent."""

from contextlib import suppress
from functools import partial

from topple.agents.interface import Agent, Player
from topple.agents.search import Search
from topple.bridges.external_program import ExternalSearch
from topple.bridges.hex.engine_process import EngineProcess, EngineRefusal, split_command
from topple.bridges.hex.notation import BLACK, RESIGN, SWAPS, WHITE
from topple.core.errors import BadText, IllegalMove, Resigned, Unsupported
from topple.core.spec import Option
from topple.game import Game, Position
from topple.rules.hex import SWAP, SWAPPED

SEED = "{seed}"  # in a command: replaced by the seed of the game
LETTERS = "bw"


class HtpAgent(Agent):
    """An external engine, started once for each game."""

    NAME = "htp"
    SUMMARY = "ask a Hex engine that speaks HTP, started by a command"
    OPTIONS = (
        Option(
            "cmd",
            None,
            str,
            "the command that starts it, in double quotes if it has commas; "
            "{seed} in it becomes the game's seed",
        ),
        Option("time", 60.0, float, "seconds for each answer", least=0.001, most=86_400),
        Option("start", 60.0, float, "seconds to start", least=0.001, most=86_400),
    )
    MOST_PLAYERS = 2
    RUNS_PROGRAMS = True

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        command = self.options["cmd"]
        if command is None:
            raise BadText("htp needs the command of an engine: write htp:cmd=PROGRAM")
        if not command.isprintable():
            raise BadText("the engine's command contains characters that cannot be printed")
        split_command(command)

    def check_game(self, game: Game) -> None:
        """Refuse every game but Hex."""
        if game.name != "hex":
            raise Unsupported(f"htp only plays Hex, not {game.spec}")

    def time_for_move(self, position: Position, memory: object) -> float | None:
        """None: the engine keeps its own time."""
        return None

    def begin(self, seed: int = 0) -> Player:
        """Start the engine now, before a game clock runs."""
        player = super().begin(seed)
        player.memory = self.start(seed)
        return player

    def start(self, seed: int) -> "HtpOpponent":
        """Start the engine.

        Raises
        ------
        EngineFailure
            If it does not start, or does not answer.
        """
        return HtpOpponent(self.options["cmd"].replace(SEED, str(seed)), self.options)

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Ask the engine that has played the game so far, or start a new one."""
        if not isinstance(memory, HtpOpponent) or not memory.process.is_alive:
            memory = self.start(seed)
        return ExternalSearch(memory, partial(memory.choose, position))


class HtpOpponent:
    """A running engine, and what it knows of the board."""

    def __init__(self, command: str, options: dict[str, float]) -> None:
        self.process = EngineProcess(command)
        self.seconds = options["time"]
        self.size = 0
        self.stones: dict[str, int] = {}
        self.is_swapped = False
        with suppress(EngineRefusal):  # any answer shows that it has started
            self.process.ask("protocol_version", options["start"])

    def set_board(self, position: Position) -> None:
        """Bring the engine's board to a position, with new moves only where possible."""
        size, stones = position.game.board.rows, stones_of(position)
        is_swapped = bool(position.state[SWAPPED])
        known = self.stones.items() <= stones.items() and self.is_swapped <= is_swapped
        if size != self.size:
            self._set_size(size)
        elif not known:
            self._ask("clear_board")
            self.stones, self.is_swapped = {}, False
        for cell in in_turn(stones, self.stones):
            self._play(cell, stones[cell])
        if is_swapped and not self.is_swapped and len(stones) == 1:
            self._ask(f"play {LETTERS[WHITE]} {SWAP}")  # else the engine would offer a swap
        self.is_swapped = is_swapped

    def _set_size(self, size: int) -> None:
        try:
            self._ask(f"boardsize {size} {size}")
        except EngineRefusal:
            self._ask(f"boardsize {size}")
        self._ask("clear_board")
        self.size, self.stones, self.is_swapped = size, {}, False

    def _play(self, cell: str, colour: int) -> None:
        self._ask(f"play {LETTERS[colour]} {cell}")
        self.stones[cell] = colour

    def choose(self, position: Position) -> int:
        """Ask for the engine's move, which it also plays on its own board.

        Raises
        ------
        Resigned
            If the engine resigns.
        IllegalMove
            If it swaps where that is not possible.
        BadText
            If its answer is not a move.
        """
        self.set_board(position)
        colour = position.player ^ int(position.state[SWAPPED])
        answer = self._ask(f"genmove {LETTERS[colour]}").lower()
        if answer == RESIGN:
            raise Resigned(f"the engine {self.process.name!r} resigns")
        if answer in SWAPS:
            self.is_swapped = True
            return self._swap(position, answer)
        board = position.game.board
        if answer not in board.vertex_of:
            self.process.close()
            raise BadText(
                f"the engine {self.process.name!r} plays {answer!r:.40}, which is no cell of "
                f"{board.spec}"
            )
        self.stones[answer] = colour
        return board.vertex_of[answer]

    def _swap(self, position: Position, answer: str) -> int:
        move = position.game.board.n_vertices
        if move not in position.legal_moves():
            raise IllegalMove(
                f"the engine {self.process.name!r} plays {answer}, which is not possible here: "
                f"is {position.game.spec} meant to be hex:swap=true?"
            )
        return move

    def _ask(self, command: str) -> str:
        return self.process.ask(command, self.seconds)


def stones_of(position: Position) -> dict[str, int]:
    """The colour of each cell with a stone; Black joins top and bottom."""
    cells = zip(position.game.board.labels, position.cells(), strict=True)
    return {label: "XO".index(stone) for label, stone in cells if stone}


def in_turn(stones: dict[str, int], known: dict[str, int]) -> list[str]:
    """The cells of stones that are not known yet, alternating Black's and White's.

    >>> in_turn({"a1": 0, "b1": 0, "c1": 1, "d1": 0}, {"a1": 0})
    ['b1', 'c1', 'd1']
    """
    new = [
        [cell for cell, owner in stones.items() if owner == colour and cell not in known]
        for colour in (BLACK, WHITE)
    ]
    longest = max(map(len, new))
    return [cells[i] for i in range(longest) for cells in new if i < len(cells)]
