"""Modules from outside that are imported by name or by file; they register games and agents."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from topple.core.errors import BadModule, BadText
from topple.core.text import error_line


def import_one(name: str) -> ModuleType:
    """Import a module by name, or a file by path; the current folder is looked in first.

    Raises
    ------
    BadText
        If it cannot be imported, whatever the reason, or another module has the file's name.
    BadModule
        If it registers a game or an agent that is written wrongly.
    """
    path = Path(name)
    is_file = path.suffix == ".py"
    # Worker processes look for modules where this one does.
    sys.path.insert(0, str(path.parent.resolve() if is_file else Path.cwd()))
    try:
        module = import_module(path.stem if is_file else name)
    except BadModule:
        raise
    except (Exception, SystemExit) as error:
        raise BadText(f"{name} cannot be imported: {error_line(error)}") from error
    if is_file and not _is_of(module, path):
        raise BadText(
            f"{name} cannot be imported: another module is called {path.stem}; rename the file"
        )
    return module


def _is_of(module: ModuleType, path: Path) -> bool:
    """Whether a module was read from a file."""
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).resolve() == path.resolve()
