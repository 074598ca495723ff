"""Games and agents from outside: modules that register theirs when they are imported."""

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from topple.core.errors import BadText


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
        import_one(name)
    return rest


def import_one(name: str) -> None:
    """Import a module by name, or a file by path; the current folder is looked in first."""
    path = Path(name)
    is_file = path.suffix == ".py"
    # Worker processes look for modules where this one does.
    sys.path.insert(0, str(path.parent.resolve() if is_file else Path.cwd()))
    try:
        import_module(path.stem if is_file else name)
    except Exception as error:
        raise BadText(f"{name} cannot be imported: {type(error).__name__}: {error}") from None
