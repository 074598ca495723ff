"""open-spiel: OpenSpiel's bots, its own or a user's, as agents."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import sqrt
from operator import index
from typing import Any

import numpy as np

from topple.agents.search import Search
from topple.bridges.external_program import (
    MOST_INFERRED,
    ExternalSearch,
    ProgramAgent,
    moves_between,
)
from topple.bridges.open_spiel_library import first_line, load_pyspiel
from topple.compiling.rng import make_rng
from topple.core.errors import IllegalMove, ToppleError, Unsupported
from topple.core.processes import without_stderr
from topple.core.spec import Option
from topple.game import Game, Position
from topple.game.warm_up import RULES, warm

OPEN_SPIEL = "open-spiel"  # the name of OpenSpiel's own games in topple
SEEDS = 2**31  # OpenSpiel's seeds are below this

MakeBot = Callable[[Any, int, int], Any]  # from a pyspiel.Game, the player and a seed
BotOptions = Mapping[str, Any]


def random_bot(game: Any, player: int, seed: int, options: BotOptions) -> Any:
    """A bot that plays any legal move."""
    return load_pyspiel().make_uniform_random_bot(player, seed)


def mcts_bot(game: Any, player: int, seed: int, options: BotOptions) -> Any:
    """OpenSpiel's tree search in C++.

    In OpenSpiel 2.0, `MCTSBot.step` releases Python's lock and then crashes on a game that is
    written in Python. `mcts_search`, which `step` is built on, does not.
    """
    pyspiel = load_pyspiel()
    rollouts = pyspiel.RandomRolloutEvaluator(options["rollouts"], seed)
    search = pyspiel.MCTSBot(
        game,
        rollouts,
        options["c"],
        options["simulations"],
        options["memory"],
        options["solve"],
        seed,
        False,  # not verbose
    )
    return function_bot(lambda state: search.mcts_search(state).best_child().action)


def python_mcts_bot(game: Any, player: int, seed: int, options: BotOptions) -> Any:
    """OpenSpiel's tree search in Python."""
    from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator  # an extra

    random = np.random.RandomState(seed)
    rollouts = RandomRolloutEvaluator(options["rollouts"], random)
    return MCTSBot(
        game,
        options["c"],
        options["simulations"],
        rollouts,
        solve=options["solve"],
        random_state=random,
    )


def minimax_bot(game: Any, player: int, seed: int, options: BotOptions) -> Any:
    """OpenSpiel's alpha-beta search; positions at its depth limit count 0."""
    from open_spiel.python.algorithms.minimax import alpha_beta_search  # an extra

    def best(state: Any) -> int:
        _, move = alpha_beta_search(
            game, state=state, value_function=lambda _: 0.0, maximum_depth=options["depth"]
        )
        return int(move)

    return function_bot(best)


def function_bot(best_move: Callable[[Any], int]) -> Any:
    """A bot without memory, from a function of states to moves."""
    pyspiel = load_pyspiel()

    class FunctionBot(pyspiel.Bot):  # type: ignore[misc,name-defined]
        def step(self, state: Any) -> int:
            return best_move(state)

        def restart_at(self, state: Any) -> None:
            pass

    return FunctionBot()


BOTS: Mapping[str, Callable[[Any, int, int, BotOptions], Any]] = {
    "mcts": mcts_bot,
    "python-mcts": python_mcts_bot,
    "minimax": minimax_bot,
    "random": random_bot,
}


class BotFailure(ToppleError):
    """A bot raised one of OpenSpiel's errors."""


class BotAgent(ProgramAgent):
    """A bot as an agent: `make_bot(game, player, seed)` makes one for each game.

    `make_bot` may be a bot class or any function of a `pyspiel.Game`, the player and a seed.

    >>> import pyspiel, topple
    >>> agent = BotAgent(lambda game, player, seed: pyspiel.make_uniform_random_bot(player, seed))
    >>> agent.choose(topple.load("hex", board="hex:3").start(), seed=1).move
    3
    """

    NAME = "open-spiel-bot"
    SUMMARY = "ask a bot written for OpenSpiel"
    KERNELS = RULES
    PLAYS_CHANCE = True

    def __init__(self, make_bot: MakeBot | None = None, **options: object) -> None:
        super().__init__(**options)
        self._make_bot = make_bot

    def make_bot(self, game: Any, player: int, seed: int) -> Any:
        """A bot for an OpenSpiel game, a player and a seed."""
        if self._make_bot is None:
            raise Unsupported("a BotAgent needs a function that makes its bots")
        return self._make_bot(game, player, seed)

    def check_game(self, game: Game) -> None:
        """Refuse a game, and everything if OpenSpiel is not installed."""
        load_pyspiel()
        super().check_game(game)

    def warm(self, game: Game) -> None:
        """Compile the rules; the bot itself needs nothing compiled."""
        if game.kernels.compiled:
            super().warm(game)

    def rehearse(self, game: Game) -> None:
        """Call the rules once; the bot needs no rehearsal."""
        warm(game, RULES)

    def question(
        self, position: Position, seed: int, memory: object, moves: Sequence[int] | None
    ) -> Search:
        """Ask the bot that has played the game so far, or a new one."""
        bot = self.seated_bot(position, seed, memory, moves)
        return ExternalSearch(bot, bot.choose)

    def seated_bot(
        self, position: Position, seed: int, memory: object, moves: Sequence[int] | None
    ) -> "SeatedBot":
        """The bot to ask, informed of every move played so far.

        In a game with chance it is a new one at each move, with a seed of its own: what was drawn
        is not handed to agents.
        """
        with plain_errors():
            if position.game.has_chance:
                own_seed = int(make_rng(seed, position.key)[0])
                return SeatedBot(self.make_bot, position, own_seed, None)
            if isinstance(memory, SeatedBot) and memory.follow(position, moves):
                return memory
            return SeatedBot(self.make_bot, position, seed, moves)


class OpenSpielAgent(BotAgent):
    """One of OpenSpiel's own bots."""

    NAME = "open-spiel"
    SUMMARY = "ask one of OpenSpiel's own bots"
    OPTIONS = (
        Option(
            "bot",
            "mcts",
            str,
            "its tree search in C++ or Python, its alpha-beta, or a random player",
            choices=tuple(BOTS),
        ),
        Option(
            "simulations", 1_000, int, "simulations of a tree search", least=2, most=100_000_000
        ),
        Option("rollouts", 1, int, "random games in each simulation", least=1, most=1_000_000),
        Option("c", sqrt(2), float, "how much a tree search explores", least=0, most=1_000),
        Option("solve", True, bool, "whether a tree search proves wins and losses"),
        Option("memory", 1_000, int, "megabytes for the tree in C++", least=1, most=1_000_000),
        Option("depth", 4, int, "plies that minimax looks ahead", least=1, most=500),
    )

    def make_bot(self, game: Any, player: int, seed: int) -> Any:
        """The bot that the options name."""
        return BOTS[self.options["bot"]](game, player, seed % SEEDS, self.options)

    def check_game(self, game: Game) -> None:
        """Refuse what OpenSpiel's alpha-beta refuses."""
        super().check_game(game)
        if self.options["bot"] == "minimax" and game.n_players != 2:
            raise Unsupported(
                f"OpenSpiel's minimax is for two players, and {game.spec} has {game.n_players}"
            )
        if self.options["bot"] == "minimax" and game.has_chance:
            raise Unsupported(
                f"OpenSpiel's minimax is for games without chance, and {game.spec} on "
                f"{game.board.spec} has it"
            )


class SeatedBot:
    """A bot in one game, with the OpenSpiel state and the moves that it knows of."""

    def __init__(
        self, make_bot: MakeBot, position: Position, seed: int, moves: Sequence[int] | None
    ) -> None:
        self.player = position.player
        self.position = position
        self.state, self.moves = state_of(position, moves)
        self.bot = make_bot(self.state.get_game(), self.player, seed)
        self.bot.restart()
        self._catch_up()

    def _catch_up(self) -> None:
        """Inform a new bot of the earlier moves, one by one or by setting it to the state."""
        before, knows_all = self.state.get_game().new_initial_state(), True
        for move in self.state.history():
            player = before.current_player()
            if player != self.player:
                self.bot.inform_action(before, player, move)
            elif self.bot.provides_force_action():
                self.bot.force_action(before, move)
            else:
                knows_all = False
            before.apply_action(move)
        if not knows_all or str(before) != str(self.state):
            self._restart_here()

    def _restart_here(self) -> None:
        """Set the bot to the state; bots that cannot do this usually keep nothing anyway."""
        spiel_error = load_pyspiel().SpielError
        with without_stderr(), suppress(spiel_error, NotImplementedError):
            self.bot.restart_at(self.state)

    def follow(self, position: Position, moves: Sequence[int] | None) -> bool:
        """Inform the bot of the moves played since; False if this is not its game."""
        if position.game != self.position.game:
            return False
        for move in self._new_moves(position, moves):
            if self.state.is_terminal() or move not in self.state.legal_actions():
                return False
            self.bot.inform_action(self.state, self.state.current_player(), move)
            self._play(move)
        return self.position == position and self.player == position.player

    def _new_moves(self, position: Position, moves: Sequence[int] | None) -> Sequence[int]:
        """The moves that the bot has not been informed of, as far as they can be found."""
        if position.game.name == OPEN_SPIEL:
            moves = position.game.tables.states.at(position.state).history()
        if moves is not None:
            n_known = len(self.moves)
            return moves[n_known:] if list(moves[:n_known]) == self.moves else ()
        for n in range(min(position.game.n_players, MOST_INFERRED + 1)):
            if (found := moves_between(self.position, position, n)) is not None:
                return found
        return ()

    def choose(self) -> int:
        """Ask the bot for its move and play it.

        Raises
        ------
        IllegalMove
            If the move is not legal.
        BotFailure
            If the bot raises one of OpenSpiel's errors.
        """
        with plain_errors():
            move = index(self.bot.step(self.state))
            if move not in self.state.legal_actions():
                name = self.position.game.players[self.player]
                raise IllegalMove(f"the bot answers {move}, which is not legal for {name}")
            self._play(move)
        return move

    def _play(self, move: int) -> None:
        self.position = self.position.play(move)
        self.state.apply_action(move)
        self.moves.append(move)


def state_of(position: Position, moves: Sequence[int] | None) -> tuple[Any, list[int]]:
    """An OpenSpiel state at a position, and the moves that led there if they are known."""
    from topple.bridges.open_spiel.game import wrapped  # needs OpenSpiel, an optional extra

    if position.game.name == OPEN_SPIEL:
        state = position.game.tables.states.at(position.state).clone()
        return state, list(state.history())
    game = wrapped(position.game)
    state = game.new_initial_state()
    for move in moves or ():
        state.apply_action(move)
    if state.position == position:
        return state, list(moves or ())
    return game.state_at(position), []


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn an OpenSpiel error into a one-line BotFailure."""
    try:
        yield
    except load_pyspiel().SpielError as error:
        raise BotFailure(f"an OpenSpiel bot has failed: {first_line(error)}") from None
