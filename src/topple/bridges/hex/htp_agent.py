"""htp: any engine that speaks the Hex Text Protocol, as an agent."""

from contextlib import suppress
from functools import partial

from topple.agents.agent import Agent, Player
from topple.agents.search import Search
from topple.bridges.external_search import Question
from topple.bridges.hex.engine_process import EngineProcess, EngineRefusal, split_command
from topple.bridges.hex.game_lines import BLACK, RESIGN, SWAPS, WHITE
from topple.core.errors import BadText, IllegalMove, Resigned, Unsupported
from topple.core.spec import Option
from topple.game.game import Game
from topple.game.position import Position
from topple.rules.hex import SWAP, SWAPPED

SEED = "{seed}"  # in a command: becomes the seed of the game
LETTERS = "bw"


class HtpAgent(Agent):
    """An engine of somebody else's, started for each game."""

    NAME = "htp"
    SUMMARY = "ask a Hex engine that speaks HTP, started by a command"
    OPTIONS = (
        Option("cmd", None, str, "the command that starts it, in double quotes where it has "
               "commas; {seed} in it becomes the game's seed"),
        Option("time", 60.0, float, "seconds that it has for each answer",
               least=0.001, most=86_400),
        Option("start", 60.0, float, "seconds that it has to start", least=0.001, most=86_400),
    )  # fmt: skip
    MOST_PLAYERS = 2
    RUNS_PROGRAMS = True

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        command = self.options["cmd"]
        if command is None:
            raise BadText("htp needs the command of an engine: write htp:cmd=PROGRAM")
        if not command.isprintable():
            raise BadText("the engine's command has letters that cannot be printed")
        split_command(command)

    def check_game(self, game: Game) -> None:
        """Refuse all but Hex."""
        if game.name != "hex":
            raise Unsupported(f"htp plays Hex alone, not {game.spec}")

    def time_for_move(self, position: Position, memory: object) -> float | None:
        """The engine keeps its time itself."""
        return None

    def begin(self, seed: int = 0) -> Player:
        """Start the engine, before any clock does."""
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
        """Ask the engine that was asked before, if it is still there."""
        if not isinstance(memory, HtpOpponent) or not memory.process.is_alive:
            memory = self.start(seed)
        return Question(memory, partial(memory.choose, position))


class HtpOpponent:
    """A running engine, and what it has been told of the board."""

    def __init__(self, command: str, options: dict[str, float]) -> None:
        self.process = EngineProcess(command)
        self.seconds = options["time"]
        self.size = 0
        self.stones: dict[str, int] = {}
        self.is_swapped = False
        with suppress(EngineRefusal):  # whatever it answers, it is there
            self.process.ask("protocol_version", options["start"])

    def tell(self, position: Position) -> None:
        """Let the engine's board be that of a position."""
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
            self._ask(f"play {LETTERS[WHITE]} {SWAP}")  # else it would think it may swap
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
        """The engine's move, which it has then played on its own board.

        Raises
        ------
        Resigned
            If it gives up.
        IllegalMove
            If it swaps where that cannot be.
        BadText
            If what it says is no move.
        """
        self.tell(position)
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
            raise BadText(f"the engine {self.process.name!r} plays {answer!r:.40}, which is no "
                          f"cell of {board.spec}")  # fmt: skip
        self.stones[answer] = colour
        return board.vertex_of[answer]

    def _swap(self, position: Position, answer: str) -> int:
        move = position.game.board.n_vertices
        if move not in position.legal_moves():
            raise IllegalMove(f"the engine {self.process.name!r} plays {answer}, which may not be "
                              f"played here: is {position.game.spec} meant to be "
                              "hex:swap=true?")  # fmt: skip
        return move

    def _ask(self, command: str) -> str:
        return self.process.ask(command, self.seconds)


def stones_of(position: Position) -> dict[str, int]:
    """The colour of each cell that has a stone: Black joins top and bottom."""
    cells = zip(position.game.board.labels, position.cells(), strict=True)
    return {label: "XO".index(stone) for label, stone in cells if stone}


def in_turn(stones: dict[str, int], known: dict[str, int]) -> list[str]:
    """The stones that are not known yet, Black's and White's in turn.

    >>> in_turn({"a1": 0, "b1": 0, "c1": 1, "d1": 0}, {"a1": 0})
    ['b1', 'c1', 'd1']
    """
    new = [[cell for cell, c in stones.items() if c == colour and cell not in known]
           for colour in (BLACK, WHITE)]  # fmt: skip
    longest = max(map(len, new))
    return [cells[i] for i in range(longest) for cells in new if i < len(cells)]
