"""topple's games in OpenSpiel; importing this package registers them there.

>>> import pyspiel
>>> import topple.bridges.open_spiel
>>> state = pyspiel.load_game("topple_hex(board=hex:3)").new_initial_state()
>>> state.apply_action(state.string_to_action("b2"))
>>> str(state)
'.../.X./... Red'
"""

from types import ModuleType
from typing import TYPE_CHECKING, Any

from topple.bridges.open_spiel.game import ToppleGame, ToppleState, game_class, pyspiel, short_name
from topple.bridges.open_spiel.parameters import parameters_from
from topple.core.errors import BadText
from topple.game import Game
from topple.game import load as load_topple
from topple.rules import find_rules, game_names

if TYPE_CHECKING:
    import networkx

    from topple.boards import Board

__all__ = ["ToppleGame", "ToppleState", "load", "register", "short_name"]


def register(rules: ModuleType) -> None:
    """Register a game with OpenSpiel; topple's own games are registered already."""
    kind = game_class(rules)
    pyspiel.register_game(kind.TYPE, kind)


def load(
    game: "str | Game",
    board: "str | Board | networkx.Graph | None" = None,
    **options: Any,
) -> Any:
    """Load a game for OpenSpiel as `topple.load` loads it for topple.

    Parameters
    ----------
    game : str or Game
        A name as `topple games` lists it, perhaps with options, or a loaded topple game.
    board : str, Board or NetworkX graph, optional
        The board. OpenSpiel copies a game by its text, so a text must recreate the board:
        one that `topple boards` lists or a file.
    **options
        The game's options.

    Returns
    -------
    pyspiel.Game
        Its attribute `topple` is the topple game.

    Raises
    ------
    BadText
        If the game, the board or an option does not exist.
    BadBoard
        If the game cannot be played on the board, or no text recreates the board.

    Examples
    --------
    >>> load("spread-it:loyalty=full", board="ba:n=20,m=3,seed=1").to_string()
    'topple_spread_it(board=ba:n~20;m~3;seed~1,loyalty=full)'
    """
    if isinstance(game, Game):
        if board is not None or options:
            raise BadText("a loaded game has its board and options: give its name to choose others")
    else:
        game = load_topple(game, board, **options)
    name = short_name(game.name)
    if name not in pyspiel.registered_names():
        register(game.rules)
    return pyspiel.load_game(name, parameters_from(game))


for _name in game_names():
    register(find_rules(_name))
