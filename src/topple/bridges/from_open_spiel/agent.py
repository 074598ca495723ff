"""open-spiel: bots of OpenSpiel's, its own or anybody's, as agents."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import sqrt
from operator import index
from typing import Any

from topple.agents.agent import Agent, Player
from topple.agents.search import Search
from topple.bridges.external_search import Question
from topple.bridges.from_open_spiel.bots import BOTS
from topple.bridges.from_open_spiel.library import load_pyspiel, one_line
from topple.bridges.inferred_moves import GUESSED, moves_between
from topple.core.errors import IllegalMove, ToppleError, Unsupported
from topple.core.processes import without_stderr
from topple.core.spec import Option
from topple.game.game import Game
from topple.game.position import Position
from topple.game.warm_up import RULES, warm

THEIRS = "open-spiel"  # the game that stands for OpenSpiel's own

MakeBot = Callable[[Any, int, int], Any]  # of a pyspiel.Game, the seat and a seed


class BotFailure(ToppleError):
    """A bot has raised an error of OpenSpiel's."""


class BotAgent(Agent):
    """A bot as an agent: `make_bot(game, player, seed)` makes one for each game.

    It is a class of bots or any function of a `pyspiel.Game`, the seat and a seed.

    >>> import pyspiel, topple
    >>> agent = BotAgent(lambda game, player, seed: pyspiel.make_uniform_random_bot(player, seed))
    >>> agent.choose(topple.load("hex", board="hex:3").start(), seed=1).move
    3
    """

    NAME = "open-spiel-bot"
    SUMMARY = "ask a bot of OpenSpiel's"
    KERNELS = RULES
    RUNS_PROGRAMS = True

    def __init__(self, make_bot: MakeBot | None = None, **options: object) -> None:
        super().__init__(**options)
        self._make_bot = make_bot

    def make_bot(self, game: Any, player: int, seed: int) -> Any:
        """A bot for a game of OpenSpiel's, a seat and a seed."""
        if self._make_bot is None:
            raise Unsupported("a BotAgent needs a function that makes its bots")
        return self._make_bot(game, player, seed)

    def check_game(self, game: Game) -> None:
        """Refuse everything where OpenSpiel is not installed."""
        load_pyspiel()
        super().check_game(game)

    def warm(self, game: Game) -> None:
        """Compile the rules, which is all that is topple's."""
        if game.kernels.compiled:
            super().warm(game)

    def rehearse(self, game: Game) -> None:
        """Call the rules once; the bot needs no rehearsal."""
        warm(game, RULES)

    def begin(self, seed: int = 0) -> "BotPlayer":
        """Sit down to a game."""
        return BotPlayer(self, seed)

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Ask the bot that has played so far, or a new one."""
        return self.question(position, seed, memory, None)

    def question(
        self, position: Position, seed: int, memory: object, line: Sequence[int] | None
    ) -> Search:
        """Ask the bot at the seat."""
        seat = self.seat(position, seed, memory, line)
        return Question(seat, seat.choose)

    def seat(
        self, position: Position, seed: int, memory: object, line: Sequence[int] | None
    ) -> "Seat":
        """The bot that is to be asked, which has been told all that was played."""
        with speaking_plainly():
            if isinstance(memory, Seat) and memory.follow(position, line):
                return memory
            return Seat(self.make_bot, position, seed, line)


class OpenSpielAgent(BotAgent):
    """A bot of OpenSpiel's own."""

    NAME = "open-spiel"
    SUMMARY = "ask one of OpenSpiel's own bots"
    OPTIONS = (
        Option("bot", "mcts", str, "its tree search in C++ or Python, its alpha-beta, or any move",
               choices=tuple(BOTS)),
        Option("simulations", 1_000, int, "simulations of a tree search", least=2,
               most=100_000_000),
        Option("rollouts", 1, int, "random games of each simulation", least=1, most=1_000_000),
        Option("c", sqrt(2), float, "how much a tree search explores", least=0, most=1_000),
        Option("solve", True, bool, "whether a tree search proves wins and losses"),
        Option("memory", 1_000, int, "megabytes of the tree in C++", least=1, most=1_000_000),
        Option("depth", 4, int, "plies that minimax looks ahead", least=1, most=500),
    )  # fmt: skip

    def make_bot(self, game: Any, player: int, seed: int) -> Any:
        """The bot that the options name."""
        return BOTS[self.options["bot"]](game, player, seed, self.options)

    def check_game(self, game: Game) -> None:
        """Refuse what OpenSpiel's alpha-beta refuses."""
        super().check_game(game)
        if self.options["bot"] == "minimax" and game.n_players != 2:
            raise Unsupported(f"OpenSpiel's minimax is for two players, and {game.spec} has "
                              f"{game.n_players}")  # fmt: skip


class BotPlayer(Player):
    """A player whose bot is the same for a whole game, and knows the game's moves."""

    agent: BotAgent

    def _begin_search(self, position: Position, seed: int, memory: object) -> Search:
        return self.agent.question(position, self.seed, memory, self.line)


class Seat:
    """A bot at a game of OpenSpiel's, and how far it has been told what is played."""

    def __init__(
        self, make_bot: MakeBot, position: Position, seed: int, line: Sequence[int] | None
    ) -> None:
        self.player = position.player
        self.position = position
        self.state, self.line = state_of(position, line)
        self.bot = make_bot(self.state.get_game(), self.player, seed)
        self.bot.restart()
        self._catch_up()

    def _catch_up(self) -> None:
        """Tell a new bot of the moves before: as they were played, or all at once."""
        before, was_there = self.state.get_game().new_initial_state(), True
        for move in self.state.history():
            player = before.current_player()
            if player != self.player:
                self.bot.inform_action(before, player, move)
            elif self.bot.provides_force_action():
                self.bot.force_action(before, move)
            else:
                was_there = False
            before.apply_action(move)
        if not was_there or str(before) != str(self.state):
            self._restart_here()

    def _restart_here(self) -> None:
        """Set the bot before the state; one that cannot be set there keeps nothing, as most do."""
        spiel_error = load_pyspiel().SpielError
        with without_stderr(), suppress(spiel_error, NotImplementedError):
            self.bot.restart_at(self.state)

    def follow(self, position: Position, line: Sequence[int] | None) -> bool:
        """Tell the bot what others have played since; False if this is not its game."""
        if position.game != self.position.game:
            return False
        for move in self._news(position, line):
            if self.state.is_terminal() or move not in self.state.legal_actions():
                return False
            self.bot.inform_action(self.state, self.state.current_player(), move)
            self._play(move)
        return self.position == position and self.player == position.player

    def _news(self, position: Position, line: Sequence[int] | None) -> Sequence[int]:
        """The moves that the bot has not been told of, where they can be found out."""
        if position.game.name == THEIRS:
            line = position.game.tables.memory.at(position.state).history()
        if line is not None:
            known = len(self.line)
            return line[known:] if list(line[:known]) == self.line else ()
        for n in range(min(position.game.n_players, GUESSED + 1)):
            if (found := moves_between(self.position, position, n)) is not None:
                return found
        return ()

    def choose(self) -> int:
        """The bot's move, which it takes as played.

        Raises
        ------
        IllegalMove
            If it may not be played.
        """
        with speaking_plainly():
            move = index(self.bot.step(self.state))
            if move not in self.state.legal_actions():
                name = self.position.game.players[self.player]
                raise IllegalMove(f"the bot answers {move}, which is not legal for {name}")
            self._play(move)
        return move

    def _play(self, move: int) -> None:
        self.position = self.position.play(move)
        self.state.apply_action(move)
        self.line.append(move)


def state_of(position: Position, line: Sequence[int] | None) -> tuple[Any, list[int]]:
    """A state of OpenSpiel's at a position, and the moves that led there, where they are known."""
    from topple.bridges.open_spiel.state import wrapped

    if position.game.name == THEIRS:
        state = position.game.tables.memory.at(position.state).clone()
        return state, list(state.history())
    game = wrapped(position.game)
    state = game.new_initial_state()
    for move in line or ():
        state.apply_action(move)
    if state.position == position:
        return state, list(line or ())
    return game.state_at(position), []


@contextmanager
def speaking_plainly() -> Iterator[None]:
    """Turn an error of OpenSpiel's into one line.

    Raises
    ------
    BotFailure
        If there is one.
    """
    try:
        yield
    except load_pyspiel().SpielError as error:
        raise BotFailure(f"a bot of OpenSpiel's has failed: {one_line(error)}") from None
