"""What networks see of each game: one module for each, with the register that finds them.

`topple.nets.interface` is the contract that they keep.
"""

from importlib import import_module
from types import ModuleType

from topple.nets.interface import check_encoding

_modules: dict[str, ModuleType | str] = {
    "spread-it": "topple.nets.encodings.spread_it",
    "chain-reaction": "topple.nets.encodings.chain_reaction",
    "infexion": "topple.nets.encodings.infexion",
    "hex": "topple.nets.encodings.hex",
    "influence": "topple.nets.encodings.influence",
}


def register_encoding(game: str, module: ModuleType) -> ModuleType:
    """Register what networks see of a game; returns the module.

    Raises
    ------
    TypeError
        If the module does not keep the contract of `topple.nets.interface`.
    """
    check_encoding(module)
    _modules[game] = module
    return module


def encoding_of(game: str) -> ModuleType | None:
    """What networks see of a game, or None."""
    module = _modules.get(game)
    if isinstance(module, str):
        module = _modules[game] = import_module(module)
    return module
