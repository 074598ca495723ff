"""topple's games as OpenSpiel wants them: a game, its states, and what players see of them."""

from functools import cache
from math import prod
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from topple.bridges.from_open_spiel.library import OURS, load_pyspiel
from topple.bridges.observation import Observer
from topple.bridges.open_spiel.lengths import length_of
from topple.bridges.open_spiel.parameters import game_from, parameters_from, parameters_of
from topple.core.errors import IllegalMove
from topple.game.game import Game
from topple.game.position import Position

pyspiel = load_pyspiel()

TERMINAL = int(pyspiel.PlayerId.TERMINAL)


def short_name(name: str) -> str:
    """What a game of topple's is called in OpenSpiel.

    >>> short_name("chain-reaction")
    'topple_chain_reaction'
    """
    return OURS + name.replace("-", "_")


def type_of(rules: ModuleType) -> Any:
    """What OpenSpiel's algorithms may assume of a game of topple's."""
    defaults = {option.name: option.default for option in rules.OPTIONS}
    by_option = [option for option in rules.OPTIONS if option.name == "players"]
    n_players = len(rules.players(defaults))
    kind = pyspiel.GameType
    return kind(
        short_name=short_name(rules.NAME),
        long_name=f"{rules.TITLE} (topple)",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=int(by_option[0].most or n_players) if by_option else n_players,
        min_num_players=int(by_option[0].least or n_players) if by_option else n_players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(rules),
    )


class ToppleGame(pyspiel.Game):  # type: ignore[misc,name-defined]
    """A game of topple's, with OpenSpiel's parameters; `topple` is the game itself."""

    RULES: ClassVar[ModuleType]
    TYPE: ClassVar[Any]

    def __init__(self, given: dict[str, Any] | None = None, game: Game | None = None) -> None:
        is_given = game is not None
        self.topple = game = game or game_from(self.RULES, given or {})
        self.length = length_of(game)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.sizes.moves,
            max_chance_outcomes=0,
            num_players=game.n_players,
            min_utility=-1.0 / (game.n_players - 1),  # the losers share −1
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.length.plies,
        )
        super().__init__(self.TYPE, info, parameters_from(game, check=not is_given))
        self.first = self.standing(game.start())

    def standing(self, position: Position, ply: int = 0, origin: str = "") -> "Standing":
        """A position of the game, so many plies from where it began."""
        return Standing(position, ply, origin, self.length.is_cut and ply >= self.length.plies)

    def new_initial_state(self, text: str | None = None) -> "ToppleState":
        """The first state, or the one of a position's text, as `str(state)` writes it."""
        if text is None:
            return ToppleState(self)
        return self.state_at(self.topple.position(text))

    def state_at(self, position: Position) -> "ToppleState":
        """A state at a position, with no history before it."""
        state = ToppleState(self)
        state.standing = self.standing(position, origin=position.text)
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What OpenSpiel observes states by."""
        if isinstance(iig_obs_type, dict):  # it leaves the type out where it has none
            iig_obs_type, params = None, iig_obs_type
        if params:
            raise ValueError(f"observations have no parameters, and {params!r:.80} were given")
        if iig_obs_type is not None and not iig_obs_type.public_info:
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            return IIGObserverForPublicInfoGame(iig_obs_type, params)
        return StateObserver(self, recalls=bool(iig_obs_type and iig_obs_type.perfect_recall))

    def __reduce__(self) -> tuple[Any, ...]:
        return game_again, (self.to_string(),)


@cache
def game_class(rules: ModuleType) -> type[ToppleGame]:
    """The class of a game, which OpenSpiel makes games by.

    It is a class and no function since OpenSpiel keeps it until the process has ended, when
    Python can no longer let go of anything; and classes are never let go of.
    """
    return type(ToppleGame.__name__, (ToppleGame,), {"RULES": rules, "TYPE": type_of(rules)})


def wrapped(game: Game) -> ToppleGame:
    """A game of topple's for OpenSpiel's bots in this process, whatever its board."""
    return game_class(game.rules)(game=game)


class Standing:
    """Where a game stands. It never changes, so that copies of a state share it."""

    __slots__ = ("is_over", "origin", "player", "ply", "position")

    def __init__(self, position: Position, ply: int, origin: str, is_cut: bool) -> None:
        self.position = position
        self.ply = ply
        self.origin = origin  # the text of the position that it began from, if not the first
        self.is_over = is_cut or position.is_over
        self.player = TERMINAL if self.is_over else position.player

    def __deepcopy__(self, memo: object) -> "Standing":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return StoredStanding, (self.position.state.tobytes(), self.ply, self.origin)


class StoredStanding:
    """Where a game stands, as it is stored: the state that reads it knows the game."""

    def __init__(self, numbers: bytes, ply: int, origin: str) -> None:
        self.numbers, self.ply, self.origin = numbers, ply, origin

    def restored(self, game: ToppleGame) -> Standing:
        """The same in a game."""
        numbers: NDArray[np.int32] = np.frombuffer(self.numbers, dtype=np.int32)
        if len(numbers) != game.topple.sizes.state:
            raise ValueError(f"a state of another game is no state of {game}")
        return game.standing(Position(game.topple, numbers), self.ply, self.origin)


class ToppleState(pyspiel.State):  # type: ignore[misc,name-defined]
    """A state of a game of topple's."""

    def __init__(self, game: ToppleGame) -> None:
        super().__init__(game)
        self.__dict__["standing"] = game.first

    @property
    def standing(self) -> Standing:
        """Where the game stands: all that there is to a state, but for its history."""
        own: Standing = self.__dict__["standing"]
        return own

    @standing.setter
    def standing(self, new: Standing | StoredStanding) -> None:
        if isinstance(new, StoredStanding):
            new = new.restored(self.get_game())
        self.__dict__["standing"] = new

    @property
    def position(self) -> Position:
        """topple's position."""
        return self.standing.position

    def current_player(self) -> int:
        """Who is to move, or OpenSpiel's number for nobody."""
        return self.standing.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.standing.is_over

    def returns(self) -> list[float]:
        """What each player has won; 0 before the end."""
        position = self.standing.position
        if not position.is_over:
            return [0.0] * position.game.n_players
        return list(position.returns())

    def _legal_actions(self, player: int) -> tuple[int, ...]:
        return self.standing.position.legal_moves()

    def _apply_action(self, action: int) -> None:
        now = self.standing
        if now.is_over:
            raise IllegalMove(f"the game is over: {now.position.result_text()}")
        self.__dict__["standing"] = self.get_game().standing(
            now.position.play(action), now.ply + 1, now.origin
        )

    def _action_to_string(self, player: int, action: int) -> str:
        return self.standing.position.game.move_text(action)

    def __str__(self) -> str:
        return self.standing.position.text

    def __reduce__(self) -> tuple[Any, ...]:
        return state_again, (pyspiel.serialize_game_and_state(self.get_game(), self),)


def game_again(text: str) -> Any:
    """A game from its text, in a process that may not have heard of it."""
    import topple.bridges.open_spiel  # noqa: F401, it registers the game

    return pyspiel.load_game(text)


def state_again(text: str) -> Any:
    """A state from what OpenSpiel has written, in a process that may not know its game."""
    import topple.bridges.open_spiel  # noqa: F401, it registers the game

    return pyspiel.deserialize_game_and_state(text)[1]


class StateObserver:
    """What a player sees of a state, as numbers and as text; `recalls`: with all moves so far.

    `tensor` is one vector, `dict` has views into it: the planes of
    `topple.bridges.observation`, and where it recalls, `history`, the moves so far as numbers
    between 0 (none) and 1.
    """

    def __init__(self, game: ToppleGame, *, recalls: bool) -> None:
        self.observer = Observer(game.topple)
        self.recalls = recalls
        self.scale = 1.0 / game.topple.sizes.moves
        n = prod(self.observer.shape)
        self.tensor = np.zeros(n + recalls * game.length.plies, dtype=np.float32)
        self.dict = {"observation": self.tensor[:n].reshape(self.observer.shape)}
        if recalls:
            self.dict["history"] = self.tensor[n:]

    def set_from(self, state: ToppleState, player: int) -> None:
        """Let `tensor` be what a player sees of a state."""
        self.dict["observation"][:] = self.observer.observe(state.position, player)
        if self.recalls:
            past = np.array(state.history(), dtype=np.float32)
            self.dict["history"][: len(past)] = (past + 1) * self.scale
            self.dict["history"][len(past) :] = 0.0

    def string_from(self, state: ToppleState, player: int) -> str:
        """The position, or where the game began and all moves since."""
        if not self.recalls:
            return str(state)
        origin = state.standing.origin
        return f"{origin}: {state.history_str()}" if origin else str(state.history_str())
