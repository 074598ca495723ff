"""topple's games as OpenSpiel games: the game, its states and what players observe."""

from functools import cache
from math import prod
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.bridges.observation import Observer
from topple.bridges.open_spiel.parameters import game_from, parameters_from, parameters_of
from topple.bridges.open_spiel_library import TOPPLE_PREFIX, load_pyspiel
from topple.core.errors import IllegalMove
from topple.game import Game, Position

pyspiel = load_pyspiel()

TERMINAL, CHANCE = int(pyspiel.PlayerId.TERMINAL), int(pyspiel.PlayerId.CHANCE)

# A move's draw has too many outcomes for one chance node, so it is drawn in parts.
DRAW_PARTS = 4
PART_BITS = 8
OUTCOMES = 1 << PART_BITS  # of each part, all equally likely
EVEN_ODDS = tuple((outcome, 1.0 / OUTCOMES) for outcome in range(OUTCOMES))

CUT = 4  # a game in which pieces are lost is drawn after so many times its length without losses
LONGEST = 10_000  # plies of a game about which nothing is known


class GameLength(NamedTuple):
    """The most plies that a game can last, on which OpenSpiel's algorithms rely."""

    plies: int
    is_cut: bool = False  # whether the rules allow more, so that the game is drawn at this point


def length_of(game: Game) -> GameLength:
    """How long a game can last on its board.

    Hex: each ply fills a cell, except for one swap. INFLUENCE: each ply takes at least one
    vertex. Infexion: the rules end a game after a fixed number of actions. Spread-It: each
    ply spends a token from a budget.

    Chain Reaction: each ply adds a piece. At rest a square holds fewer pieces than its
    capacity, so that n squares with m edges hold at most 2m − n pieces; one more sets off a
    cascade that only ends when one colour is left. Under `surplus=keep` no piece is ever lost,
    so a game lasts at most 2m − n + 1 plies. Under `surplus=drop` some cascades lose pieces
    and no bound is known. Random games on several boards stayed below 2m − n + 1, and a beam
    search for long games on 4×4 and 5×5 reached 1.35 times that; a game is drawn after CUT
    times that.

    >>> import topple
    >>> length_of(topple.load("hex:swap=true", board="hex:5"))
    GameLength(plies=26, is_cut=False)
    >>> length_of(topple.load("chain-reaction", board="grid:5x5"))
    GameLength(plies=224, is_cut=True)
    """
    board = game.board
    match game.name:
        case "hex":
            return GameLength(board.n_vertices + int(game.options["swap"]))
        case "influence":
            return GameLength(board.n_vertices)
        case "infexion":
            return GameLength(board.rows * board.n_vertices)
        case "spread-it":
            return GameLength(sum(dict(game.start().tallies())["tokens left"]))
        case "chain-reaction":
            loses = game.options["surplus"] == "drop"
            plies = 2 * board.n_edges - board.n_vertices + 1
            return GameLength(CUT * plies if loses else plies, is_cut=loses)
        case _:
            return GameLength(LONGEST, is_cut=True)


def short_name(name: str) -> str:
    """The name in OpenSpiel of a topple game.

    >>> short_name("chain-reaction")
    'topple_chain_reaction'
    """
    return TOPPLE_PREFIX + name.replace("-", "_")


@cache
def type_of(rules: ModuleType, *, has_chance: bool = False) -> Any:
    """What OpenSpiel's algorithms may assume of a topple game: a `pyspiel.GameType`."""
    defaults = {option.name: option.default for option in rules.OPTIONS}
    players_option = next((option for option in rules.OPTIONS if option.name == "players"), None)
    fewest = most = len(rules.players(defaults))
    if players_option is not None:
        fewest, most = int(players_option.least or fewest), int(players_option.most or most)
    kind, modes = pyspiel.GameType, pyspiel.GameType.ChanceMode
    return kind(
        short_name=short_name(rules.NAME),
        long_name=f"{rules.TITLE} (topple)",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if has_chance else modes.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(rules),
    )


class ToppleGame(pyspiel.Game):  # type: ignore[misc,name-defined]
    """A topple game with OpenSpiel's parameters; `topple` is the game itself."""

    RULES: ClassVar[ModuleType]
    TYPE: ClassVar[Any]

    def __init__(self, given: dict[str, Any] | None = None, game: Game | None = None) -> None:
        is_given = game is not None
        self.topple = game = game or game_from(self.RULES, given or {})
        self.length = length_of(game)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.sizes.moves,
            max_chance_outcomes=OUTCOMES if game.has_chance else 0,
            num_players=game.n_players,
            min_utility=-1.0 / (game.n_players - 1),  # the losers share −1
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.length.plies,
        )
        kind = type_of(self.RULES, has_chance=True) if game.has_chance else self.TYPE
        super().__init__(kind, info, parameters_from(game, check=not is_given))
        self.first = self.reached(game.start())

    def reached(
        self, position: Position, ply: int = 0, origin: str = "", pending: tuple[int, ...] = ()
    ) -> "ReachedPosition":
        """A position of the game, `ply` plies after its beginning."""
        is_cut = self.length.is_cut and ply >= self.length.plies
        return ReachedPosition(position, ply, origin, pending, is_cut)

    def max_chance_nodes_in_history(self) -> int:
        """The most chance nodes in a game: each move's draw is drawn in parts."""
        return DRAW_PARTS * self.length.plies if self.topple.has_chance else 0

    def new_initial_state(self, text: str | None = None) -> "ToppleState":
        """The first state, or the one of a position's text, as `str(state)` writes it."""
        if text is None:
            return ToppleState(self)
        return self.state_at(self.topple.position(text))

    def state_at(self, position: Position) -> "ToppleState":
        """A state at a position, with no history before it."""
        state = ToppleState(self)
        state.reached = self.reached(position, origin=position.text)
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer that OpenSpiel asks for."""
        if isinstance(iig_obs_type, dict):  # OpenSpiel omits the type if it has none
            iig_obs_type, params = None, iig_obs_type
        if params:
            raise ValueError(f"observations have no parameters, and {params!r:.80} were given")
        if iig_obs_type is not None and not iig_obs_type.public_info:
            # seldom needed, and slow to import
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            return IIGObserverForPublicInfoGame(iig_obs_type, params)
        return StateObserver(self, recalls=bool(iig_obs_type and iig_obs_type.perfect_recall))

    def __reduce__(self) -> tuple[Any, ...]:
        return load_pickled_game, (self.to_string(),)


@cache
def game_class(rules: ModuleType) -> type[ToppleGame]:
    """The class that OpenSpiel makes games with.

    It must be a class and not a function: OpenSpiel keeps it until after Python has shut down,
    when only objects that are never freed, such as classes, are safe.
    """
    return type(ToppleGame.__name__, (ToppleGame,), {"RULES": rules, "TYPE": type_of(rules)})


def wrapped(game: Game) -> ToppleGame:
    """A topple game on any board, for OpenSpiel's bots in this process."""
    return game_class(game.rules)(game=game)


class ReachedPosition:
    """A position in a game of some length. It never changes, so copies of a state share it."""

    __slots__ = ("is_over", "origin", "pending", "player", "ply", "position")

    def __init__(
        self, position: Position, ply: int, origin: str, pending: tuple[int, ...], is_cut: bool
    ) -> None:
        self.position = position
        self.ply = ply
        self.origin = origin  # the text of the position it began from, if not the first
        self.pending = pending  # a move whose draw is not complete, and the parts drawn so far
        self.is_over = is_cut or position.is_over
        self.player = TERMINAL if self.is_over else CHANCE if pending else position.player

    def after(self, action: int, game: "ToppleGame") -> "ReachedPosition":
        """What an action leads to: a move, or one part of a move's draw."""
        if self.is_over:
            raise IllegalMove(f"the game is over: {self.position.result_text()}")
        position, pending = self.position, (*self.pending, action)
        if not position.game.has_chance:
            return game.reached(position.play(action), self.ply + 1, self.origin)
        if not self.pending:
            position.check_move(action)
        elif not 0 <= action < OUTCOMES:
            raise IllegalMove(f"{action} is no part of a draw: parts are 0 to {OUTCOMES - 1}")
        if len(pending) <= DRAW_PARTS:
            return game.reached(position, self.ply, self.origin, pending)
        draw = int.from_bytes(pending[1:])
        return game.reached(position.play(pending[0], draw), self.ply + 1, self.origin)

    @property
    def text(self) -> str:
        """The position, and the move whose draw is not complete: `… plays ann~7f3a`."""
        if not self.pending:
            return self.position.text
        drawn = bytes(self.pending[1:]).hex()
        move = self.position.game.move_text(self.pending[0])
        return f"{self.position.text} plays {move}~{drawn}"

    def __deepcopy__(self, memo: object) -> "ReachedPosition":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        numbers = self.position.state.tobytes()
        return PickledPosition, (numbers, self.ply, self.origin, self.pending)


class PickledPosition:
    """A ReachedPosition without its game, which the state that unpickles it knows."""

    def __init__(
        self, numbers: bytes, ply: int, origin: str, pending: tuple[int, ...] = ()
    ) -> None:
        self.numbers, self.ply, self.origin, self.pending = numbers, ply, origin, pending

    def restored(self, game: ToppleGame) -> ReachedPosition:
        """The same position in a game."""
        numbers: NDArray[np.int32] = np.frombuffer(self.numbers, dtype=np.int32)
        if len(numbers) != game.topple.sizes.state:
            raise ValueError(f"a state of another game is no state of {game}")
        position = Position(game.topple, numbers)
        return game.reached(position, self.ply, self.origin, self.pending)


class ToppleState(pyspiel.State):  # type: ignore[misc,name-defined]
    """A state of a topple game."""

    def __init__(self, game: ToppleGame) -> None:
        super().__init__(game)
        self.__dict__["reached"] = game.first

    @property
    def reached(self) -> ReachedPosition:
        """All that there is to a state except its history."""
        found: ReachedPosition = self.__dict__["reached"]
        return found

    @reached.setter
    def reached(self, new: ReachedPosition | PickledPosition) -> None:
        if isinstance(new, PickledPosition):
            new = new.restored(self.get_game())
        self.__dict__["reached"] = new

    @property
    def position(self) -> Position:
        """The topple position."""
        return self.reached.position

    def current_player(self) -> int:
        """Who is to move, or OpenSpiel's number for a game that is over."""
        return self.reached.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.reached.is_over

    def returns(self) -> list[float]:
        """What each player has won; 0 before the end."""
        position = self.reached.position
        if not position.is_over:
            return [0.0] * position.game.n_players
        return list(position.returns())

    def _legal_actions(self, player: int) -> tuple[int, ...]:
        return self.reached.position.legal_moves()

    def _apply_action(self, action: int) -> None:
        self.__dict__["reached"] = self.reached.after(action, self.get_game())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of one part of a move's draw, with their probabilities."""
        return list(EVEN_ODDS)  # OpenSpiel's search shuffles it

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"{action:02x}"
        return self.reached.position.game.move_text(action)

    def __str__(self) -> str:
        return self.reached.text

    def __reduce__(self) -> tuple[Any, ...]:
        return load_pickled_state, (pyspiel.serialize_game_and_state(self.get_game(), self),)


def load_pickled_game(text: str) -> Any:
    """A game from its text, in a process where it may not be registered yet."""
    import topple.bridges.open_spiel  # noqa: F401  registers the games; imports this module

    return pyspiel.load_game(text)


def load_pickled_state(text: str) -> Any:
    """A state from OpenSpiel's text, in a process where its game may not be registered yet."""
    import topple.bridges.open_spiel  # noqa: F401  registers the games; imports this module

    return pyspiel.deserialize_game_and_state(text)[1]


class StateObserver:
    """What a player observes of a state, as numbers and as text.

    `tensor` is one vector and `dict` has views into it: `observation`, the planes of
    `topple.bridges.observation`, and with `recalls` also `history`, the moves so far as numbers
    between 0 (none) and 1; the parts of draws are among them.
    """

    def __init__(self, game: ToppleGame, *, recalls: bool) -> None:
        self.observer = Observer(game.topple)
        self.recalls = recalls
        self.scale = 1.0 / max(game.topple.sizes.moves, OUTCOMES if game.topple.has_chance else 0)
        n = prod(self.observer.shape)
        longest = game.length.plies + game.max_chance_nodes_in_history()
        self.tensor = np.zeros(n + recalls * longest, dtype=np.float32)
        self.dict = {"observation": self.tensor[:n].reshape(self.observer.shape)}
        if recalls:
            self.dict["history"] = self.tensor[n:]

    def set_from(self, state: ToppleState, player: int) -> None:
        """Write what a player observes of a state into `tensor`."""
        self.dict["observation"][:] = self.observer.observe(state.position, player)
        if self.recalls:
            past = np.array(state.history(), dtype=np.float32)
            self.dict["history"][: len(past)] = (past + 1) * self.scale
            self.dict["history"][len(past) :] = 0.0

    def string_from(self, state: ToppleState, player: int) -> str:
        """The position, or where the game began and all moves since."""
        if not self.recalls:
            return str(state)
        origin = state.reached.origin
        return f"{origin}: {state.history_str()}" if origin else str(state.history_str())
