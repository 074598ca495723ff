"""The rules of the games: one module each, with the register that finds them by name.

`interface` is the contract that every game keeps, and `text` has the default texts for moves and
positions. A game from outside joins the register by `topple.register`.
"""

from importlib import import_module
from types import ModuleType

from topple.core.errors import BadText, unknown
from topple.rules.interface import check_rules

_modules: dict[str, ModuleType | str] = {
    "spread-it": "topple.rules.spread_it.rules",
    "chain-reaction": "topple.rules.chain_reaction",
    "infexion": "topple.rules.infexion",
    "hex": "topple.rules.hex",
    "influence": "topple.rules.influence",
}
_unlisted = {
    "game-tree": "topple.rules.game_tree",  # for tests of searches
    "open-spiel": "topple.bridges.open_spiel_games",  # games of others
}


def register(module: ModuleType) -> ModuleType:
    """Register a game of your own under its NAME; returns the module.

    Raises
    ------
    TypeError
        If the module does not keep the contract of `topple.rules.interface`.
    """
    check_rules(module)
    _modules[module.NAME] = module
    return module


def game_names() -> tuple[str, ...]:
    """The names of all registered games.

    >>> "hex" in game_names()
    True
    """
    return tuple(_modules)


def is_game(name: str) -> bool:
    """Whether a game has that name, listed or not.

    >>> is_game("hex"), is_game("hexx")
    (True, False)
    """
    return name in _modules or name in _unlisted


def find_rules(name: str) -> ModuleType:
    """The rules module of a game.

    Raises
    ------
    BadText
        If no game has that name; the message suggests the nearest one.
    """
    if name in _unlisted:
        return import_module(_unlisted[name])
    if name not in _modules:
        raise BadText(unknown("game", name, _modules))
    module = _modules[name]
    if isinstance(module, str):
        module = _modules[name] = import_module(module)
    return module
