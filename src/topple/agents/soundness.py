"""What can be seen of an agent from outside before it plays: its names and its methods."""

import inspect

from topple.agents.interface import Agent
from topple.core.errors import BadModule
from topple.rules.soundness import check_name, check_options

# The methods that an agent may define, with what they take beyond the agent itself.
METHODS = {
    "search": ("position", "seed", "memory"),
    "check_game": ("game",),
    "kernels": ("game",),
    "warm": ("game",),
    "rehearse": ("game",),
    "begin": ("seed",),
}


def check_class(kind: object) -> None:
    """Refuse what is no agent that can be made and asked.

    Raises
    ------
    BadModule
        If it is no subclass of Agent, lacks a name or a method, or a method takes other
        parameters; the line says where.
    """
    if not (isinstance(kind, type) and issubclass(kind, Agent)):
        raise BadModule(
            f"{kind!r:.80} is no agent: register a subclass of topple.Agent itself, as in "
            "topple.register_agent(MyAgent)"
        )
    where = f"{kind.__module__}.{kind.__name__}"
    for name in ("NAME", "SUMMARY"):
        if not isinstance(getattr(kind, name, None), str):
            raise BadModule(f'{where} lacks {name}: write {name} = "…" in the class')
    check_name(kind.NAME, "an agent", where)
    check_options(kind.OPTIONS, where)
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    if missing:
        raise BadModule(
            f"{where} lacks {', '.join(missing)}: write def search(self, position, seed, "
            "memory=None)"
        )
    for name, wanted in METHODS.items():
        _check_method(kind, name, wanted)


def _check_method(kind: type[Agent], name: str, wanted: tuple[str, ...]) -> None:
    """Refuse a method that cannot be called as topple calls it."""
    method = getattr(kind, name)
    try:
        inspect.signature(method).bind(None, *wanted)
    except TypeError:
        line = method.__code__.co_firstlineno
        file = method.__code__.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
        given = ", ".join(inspect.signature(method).parameters)
        raise BadModule(
            f"{file}:{line}: {name}({given}) has the wrong parameters: write "
            f"{name}(self, {', '.join(wanted)})"
        ) from None
