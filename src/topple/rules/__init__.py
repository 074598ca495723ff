"""The rules of the games, one module each, and the register that finds them."""

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
    "game-tree": "topple.rules.game_tree",  # for trying out search, not for play
    "open-spiel": "topple.bridges.open_spiel_games",  # games of others
}


def register(module: ModuleType) -> ModuleType:
    """Make a game of your own known under its NAME; returns the module.

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
        If no game has that name; the nearest one is named.
    """
    if name in _unlisted:
        return import_module(_unlisted[name])
    if name not in _modules:
        raise BadText(unknown("game", name, _modules))
    module = _modules[name]
    if isinstance(module, str):
        module = _modules[name] = import_module(module)
    return module
