"""topple's games as PettingZoo environments.

There is one for each game, with its version in the name, and `env` for any game:

    from topple.bridges.pettingzoo import hex_v0
    env = hex_v0.env(board="hex:5", swap=True, render_mode="ansi")

PettingZoo itself is only imported when an environment is made.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from topple.core.errors import Unsupported
from topple.core.extras import missing_extra
from topple.game.game import Game, load

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from topple.bridges.pettingzoo.environment import ToppleEnv

ILLEGAL_REWARD = -1.0  # for an illegal move in `env`; the other agents get 0


def env(
    game: str | Game, board: Any = None, *, render_mode: str | None = None, **options: object
) -> "AECEnv[str, Any, Any]":
    """Any topple game as an environment, in PettingZoo's usual wrappers.

    An illegal action ends and loses the game; an action outside the action space raises an
    AssertionError.

    Parameters
    ----------
    game : str or Game
        A name as `topple games` lists it, perhaps with options, or a loaded game.
    board : str, Board or NetworkX graph, optional
        The board; each game has a default.
    render_mode : str, optional
        "ansi" for text, "rgb_array" for pictures, "human" to print each position.
    **options
        The game's options.

    Raises
    ------
    Unsupported
        If PettingZoo is not installed.
    BadText
        If the game, an option or the render mode does not exist.
    BadBoard
        If the game cannot be played on the board.

    Examples
    --------
    >>> environment = env("spread-it:loyalty=full", board="karate")
    >>> environment.reset(seed=1)
    >>> environment.agent_selection, environment.unwrapped.names
    ('player_0', {'player_0': 'Black', 'player_1': 'Red'})
    """
    raw = raw_env(game, board, render_mode=render_mode, **options)
    from pettingzoo.utils import wrappers  # an optional extra

    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def raw_env(
    game: str | Game, board: Any = None, *, render_mode: str | None = None, **options: object
) -> "ToppleEnv":
    """The same without wrappers: an illegal action raises IllegalMove and changes nothing.

    >>> raw_env("hex", "hex:3").metadata["name"]
    'topple_hex_v0'
    """
    try:
        from topple.bridges.pettingzoo.environment import ToppleEnv  # needs an optional extra
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pettingzoo", "gymnasium"):
            raise
        raise missing_extra("PettingZoo", "pettingzoo") from None
    return ToppleEnv(_loaded(game, board, options), render_mode)


def _loaded(game: str | Game, board: Any, options: dict[str, Any]) -> Game:
    if isinstance(game, str):
        return load(game, board, **options)
    if board is not None or options:
        raise Unsupported(f"{game!r} has its board and options: give them only with a name")
    return game


@dataclass(frozen=True)
class Environment:
    """One version of a game's environment, with `env` and `raw_env` like PettingZoo's modules.

    >>> spread_it_v0.env(board="karate").metadata["name"]
    'topple_spread_it_v0'
    """

    game: str

    def env(
        self, board: Any = None, *, render_mode: str | None = None, **options: object
    ) -> "AECEnv[str, Any, Any]":
        """The game in PettingZoo's usual wrappers; see `topple.bridges.pettingzoo.env`."""
        return env(self.game, board, render_mode=render_mode, **options)

    def raw_env(
        self, board: Any = None, *, render_mode: str | None = None, **options: object
    ) -> "ToppleEnv":
        """The game without wrappers; see `topple.bridges.pettingzoo.raw_env`."""
        return raw_env(self.game, board, render_mode=render_mode, **options)


spread_it_v0 = Environment("spread-it")
chain_reaction_v0 = Environment("chain-reaction")
infexion_v0 = Environment("infexion")
hex_v0 = Environment("hex")
influence_v0 = Environment("influence")
