"""Games and agents from outside: modules that register theirs when they are imported."""

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from topple.errors import BadText


def import_modules(names: Iterable[str]) -> None:
    """Import modules by name, or files by path; the current folder is looked in first.

    Raises
    ------
    BadText
        If one cannot be imported, whatever the reason.
    """
    for name in names:
        path = Path(name)
        is_file = path.suffix == ".py"
        # Worker processes look for modules where this one does.
        sys.path.insert(0, str(path.parent.resolve() if is_file else Path.cwd()))
        try:
            import_module(path.stem if is_file else name)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise BadText(f"{name} cannot be imported: {reason}") from None
