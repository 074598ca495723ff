"""Games and agents of installed packages, which name them as entry points."""

from functools import cache


@cache
def installed(group: str) -> dict[str, str]:
    """The entry points of a group, such as `topple.games`: names, each with what it points to.

    They are looked up when a name is unknown and when names are listed, never at the start.
    """
    # Looking through all installed packages takes a while, and most commands need none of them.
    from importlib.metadata import entry_points

    return {entry.name: entry.value for entry in entry_points(group=group)}
