"""Games and agents from outside: modules that register theirs when they are imported."""

from collections.abc import Sequence

from topple.core.errors import BadText
from topple.core.importing import import_one


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
