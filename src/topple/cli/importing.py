"""Games and agents from outside: modules that register theirs when they are imported."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from topple.core.errors import BadModule, BadText


def import_first(arguments: Sequence[str]) -> list[str]:
    """Import what `--import` names at the beginning of a command line; returns the rest.

    It is read here because Typer loads Pydantic for every option that is no
    switch, in all commands: a sixth of a second.

    Raises
    ------
    BadText
        If one cannot be imported, whatever the reason.
    """
    rest = list(arguments)
    while rest and rest[0].partition("=")[0] == "--import":
        _, equals, name = rest.pop(0).partition("=")
        if not equals:
            name = rest.pop(0) if rest else ""
        if not name:
            raise BadText("--import names no module: write --import MODULE or --import FILE.py")
        # Most commands import nothing, and all of them start with this module.
        from topple.core.importing import import_one

        check_registered(name, import_one(name))
    return rest


def check_registered(name: str, module: ModuleType) -> None:
    """Refuse a module that defines a game or agents, but does not register them.

    Raises
    ------
    BadModule
        If it is so; the line says what to write.
    """
    own = [each for each in vars(module).values() if _is_agent_of(each, module)]
    if hasattr(module, "NAME") and hasattr(module, "legal_moves"):
        # Only a module of a game asks for these, which take a moment to load.
        from topple.rules import is_game

        if not is_game(module.NAME):
            raise BadModule(
                f"{name} defines the game {module.NAME} and does not register it: end it with "
                "topple.register(sys.modules[__name__])"
            )
    if own:
        from topple.agents import agent_names

        if not any(kind.NAME in agent_names() for kind in own):
            raise BadModule(
                f"{name} defines the agent {own[0].NAME} and does not register it: end it with "
                f"topple.register_agent({own[0].__name__})"
            )


def _is_agent_of(thing: Any, module: ModuleType) -> bool:
    """Whether a thing is an agent's class that is written in a module."""
    is_own = isinstance(thing, type) and thing.__module__ == module.__name__
    return is_own and isinstance(getattr(thing, "NAME", None), str) and hasattr(thing, "search")
