"""Heavy libraries that load at their first use, so that imports stand at the top of files."""

from importlib import import_module
from typing import Any


class _LazyModule:
    """A module that is imported when something in it is first asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(import_module(self._name), attribute)
        self.__dict__[attribute] = value
        return value

    def __repr__(self) -> str:
        return f"<lazy module {self._name}>"


def lazy_module(name: str) -> Any:
    """A module that loads at its first use: `topple --help` must not wait for NetworkX.

    >>> fractions = lazy_module("fractions")
    >>> fractions.Fraction(1, 2) + fractions.Fraction(1, 3)
    Fraction(5, 6)
    """
    return _LazyModule(name)
