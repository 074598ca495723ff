"""The rules of the games: one module each, with the register that finds them by name.

`interface` is the contract that every game keeps, and `text` has the default texts for moves and
positions. A game from outside joins the register by `topple.register`, or by an entry point of
the group `topple.games`, which names its module.
"""

from importlib import import_module
from types import ModuleType

from topple.core.errors import BadModule, BadText, unknown
from topple.core.installed import installed
from topple.core.outside import add_outside
from topple.core.text import error_line
from topple.rules.soundness import check_rules, file_of

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
    BadModule
        If the module does not keep the contract of `topple.rules.interface`, or another game
        has its name; the line says where and what to do.
    """
    check_rules(module)
    taken = _unlisted.get(module.NAME) or _modules.get(module.NAME)
    if taken is not None and not _is_same(taken, module):
        raise BadModule(
            f"{file_of(module)}: NAME = {module.NAME!r} is the name of another game: choose one "
            f"that is not in {', '.join(_modules)}"
        )
    _modules[module.NAME] = module
    add_outside(module.__name__)
    return module


def _is_same(known: ModuleType | str, module: ModuleType) -> bool:
    """Whether a registered game is an earlier version of this module, which may replace it."""
    return module.__name__ == (known if isinstance(known, str) else known.__name__)


def add_installed() -> None:
    """Add the games of installed packages to the register."""
    for name, module in installed("topple.games").items():
        if name not in _unlisted:
            _modules.setdefault(name, module)


def game_names() -> tuple[str, ...]:
    """The names of all registered games.

    >>> "hex" in game_names()
    True
    """
    return tuple(_modules)


def home_of(name: str) -> str:
    """The name of the module of a registered game, which is not imported for it.

    >>> home_of("hex")
    'topple.rules.hex'
    """
    module = _modules[name]
    return module if isinstance(module, str) else module.__name__


def is_game(name: str) -> bool:
    """Whether a game has that name, listed or not.

    >>> is_game("hex"), is_game("hexx")
    (True, False)
    """
    if name not in _modules and name not in _unlisted:
        add_installed()
    return name in _modules or name in _unlisted


def find_rules(name: str) -> ModuleType:
    """The rules module of a game.

    Raises
    ------
    BadText
        If no game has that name; the message suggests the nearest one.
    BadModule
        If the game is of an installed package and cannot be imported, or is no game.
    """
    if name in _unlisted:
        return import_module(_unlisted[name])
    if name not in _modules:
        add_installed()
    if name not in _modules:
        raise BadText(unknown("game", name, _modules))
    module = _modules[name]
    if isinstance(module, str):
        module = _modules[name] = _imported(name, module)
    return module


def _imported(name: str, path: str) -> ModuleType:
    """The module of a game that is not yet imported; an installed one is checked."""
    if path.startswith("topple."):
        return import_module(path)
    try:
        module = import_module(path)
    except BadModule:
        raise
    except Exception as error:
        told = error_line(error)
        raise BadModule(f"the game {name} of {path} cannot be imported: {told}") from error
    check_rules(module)
    add_outside(path)
    return module
